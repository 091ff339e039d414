"""Levels of intervals that cover together: the largest |z| or |t| of all pairs of k models.

The models' estimates are jointly normal with a known covariance, so those of their differences
are, too. Hothorn, Bretz, Westfall (2008), doi:10.1002/bimj.200810425, section 3; the integral over
k dimensions is a mean over fixed draws. The share beyond the 95 % point has a standard error of
.04 % to 45 models, .1 % for 100 and .3 % for 1,000.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .._base.types import Matrix, Vector
from ..kernels.drawing.philox import WORDS
from ..kernels.drawing.purposes import GAPS
from ..kernels.drawing.streams import fill_words, normals
from ..kernels.gaps import largest_gaps
from ..kernels.words import U
from .pvalues import normal_tail, student_tail

MOST_DRAWS, FEWEST_DRAWS = 1 << 18, 1 << 12
WORK = 1 << 28  # draws times pairs: 0.3 s for 100 models; the fewest take 2 s for 1,000
BLOCK = 1 << 11  # draws at a time: those of a hundred models stay in the cache
SEED = U(2008)


def level_of_each(
    covariance: Matrix,
    pairs: tuple[NDArray[np.intp], NDArray[np.intp]],
    level: float,
    alternative: str,
    df: float = math.inf,
) -> float:
    """Return the level of each interval such that those of all `pairs` cover together at `level`.

    `covariance` (k, k) is that of the models' estimates, up to a factor; its differences without
    variance are left out. With `df` all are over one standard deviation with so many degrees of
    freedom.
    """
    first, second = pairs
    two_sided = alternative == "two-sided"
    aim = 2.0 * level - 1.0 if alternative == "equivalence" else level
    bonferroni = 1.0 - (1.0 - level) / max(first.size, 1)
    largest = largest_of_pairs(covariance, first, second, alternative, df)
    if not largest.size:
        return bonferroni
    point = float(np.quantile(largest, aim, method="higher"))
    tail = normal_tail(point) if df == math.inf else student_tail(point, df)
    each = 1.0 - (2.0 if two_sided else 1.0) * tail
    return min(max(each, level), bonferroni)


def largest_of_pairs(
    covariance: Matrix,
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    alternative: str,
    df: float,
) -> Vector:
    """Return draws of the largest statistic of all pairs; of its size, unless one-sided."""
    variance = np.diag(covariance)
    error = np.sqrt(
        np.maximum(variance[first] + variance[second] - 2 * covariance[first, second], 0)
    )
    varies = error > 1e-8 * math.sqrt(max(variance.max(initial=0.0), 0.0))
    if not varies.any() or not np.isfinite(covariance).all():
        return np.empty(0)
    weights = np.zeros(covariance.shape)
    weights[first[varies], second[varies]] = 1.0 / error[varies]
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    one_sided = alternative in ("less", "greater")
    draws = min(max(WORK // first.size, FEWEST_DRAWS), MOST_DRAWS)
    found = np.full((-(-draws // BLOCK), BLOCK), -math.inf)
    for block, largest in enumerate(found):
        z = standard_normals(block, len(covariance) + 1)
        largest_gaps(root @ z[:-1], weights, one_sided, largest)
        largest /= scale_of(z[-1], df)
    return found.ravel()


def scale_of(z: Vector, df: float) -> Vector | float:
    """Return draws of a standard deviation with `df` degrees of freedom over its true value."""
    if df == math.inf:
        return 1.0
    from scipy.special import chdtri, ndtr

    return np.asarray(np.sqrt(chdtri(df, ndtr(z)) / df))


def standard_normals(block: int, n_rows: int) -> Matrix:
    """Return a block of draws (n_rows, BLOCK), the same ones in every call."""
    z = np.empty(n_rows * BLOCK)
    words = np.empty(-(-2 * z.size // WORDS) * WORDS, np.uint32)
    fill_words(words, U(0), U(block), GAPS, SEED)
    normals(words, z)
    return z.reshape(n_rows, BLOCK)
