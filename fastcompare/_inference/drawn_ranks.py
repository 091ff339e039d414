"""Rank sets and intervals from bootstrap replicates of k means.

The largest studentized deviation of replicates from their estimates stands for the largest z of all
pairs: Romano, Wolf (2005), doi:10.1198/016214504000000539, step by step.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .._base.types import Matrix, Vector

Flags = NDArray[np.bool_]


def drawn_errors(draws: Matrix) -> Matrix:
    """Return the standard deviations (k, k) of differences of replicates (k, B)."""
    covariance = np.cov(draws)
    own = np.diag(covariance)
    square = own[:, None] + own - 2.0 * covariance
    square[square <= 1e-12 * max(own.max(), 0.0)] = 0.0
    return np.asarray(np.sqrt(square))


def drawn_rejections(means: Vector, draws: Matrix, family: Flags, alpha: float) -> Flags:
    """Return which of the claims that the row's mean is above the column's hold together.

    `draws` (k, B) are replicates less the means, `family` (k, k) the claims.
    """
    from ..kernels.gaps import largest_gaps

    error = drawn_errors(draws)
    scale = np.zeros_like(error)
    np.divide(1.0, error, out=scale, where=(error > 0.0) & family)
    z = (means[:, None] - means) * scale
    rejected = np.zeros_like(family)
    while (scale > 0.0).any():
        largest = np.full(draws.shape[1], -math.inf)
        largest_gaps(draws, scale, True, largest)
        found = (scale > 0.0) & (z > drawn_point(largest, alpha))
        if not found.any():
            break
        rejected |= found
        scale[found] = 0.0
    return rejected


def drawn_rank_set(
    means: Vector, draws: Matrix, model: int, alpha: float, alternative: str
) -> tuple[int, int]:
    """Return the lowest and the highest rank of one model, by the pairs with it alone."""
    k = means.size
    family = np.zeros((k, k), bool)
    family[model] = alternative != "less"
    family[:, model] = alternative != "greater"
    family[model, model] = False
    found = drawn_rejections(means, draws, family, alpha)
    return 1 + int(found[:, model].sum()), k - int(found[model].sum())


def drawn_radius(draws: Matrix, error: Vector, level: float, alternative: str) -> float:
    """Return how many standard errors an interval reaches such that all models' cover together."""
    scale = np.divide(1.0, error, out=np.zeros_like(error), where=error > 0.0)
    studentized = draws * scale[:, None]
    if alternative == "two-sided":
        studentized = np.abs(studentized)
    elif alternative == "less":
        studentized = -studentized
    return drawn_point(studentized.max(axis=0), 1.0 - level)


def drawn_point(largest: Vector, alpha: float) -> float:
    """Return the order statistic that a further replicate exceeds with chance alpha at most."""
    place = math.ceil((1.0 - alpha) * (largest.size + 1)) - 1
    return math.inf if place >= largest.size else float(np.partition(largest, place)[place])
