"""Several contrasts tested together: t' S^-1 t for estimates t with covariance S.

S may have less than full rank, where contrasts repeat each other: then the directions with variance
count, and the others must show no difference.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import interruptible
from .._base.types import Matrix, Vector

LARGE = 500  # contrasts; decomposed in 50 ms
RANK_TOLERANCE = 1e-10  # of correlations: far above rounding, far below any that carries data
FLAT = 1e-12  # of degrees of freedom: what all dimensions that can vary leave, varying alike


def as_f(statistic: float, rank: int, df: float) -> tuple[float, tuple[int, float]]:
    """Return F of t' S^-1 t, where S has `df` degrees of freedom, with its two (Hotelling 1931)."""
    scaled = statistic and rank  # no direction varies: F is 0, or not known, like the statistic
    f = statistic * ((df - rank + 1.0) / (rank * df)) if scaled else statistic
    return f, (rank, df - rank + 1.0)


def trace_f(
    difference: Vector, covariance: Matrix, rank: int, df: float
) -> tuple[float, tuple[float, float]]:
    """Return t't / tr S of orthonormal contrasts t, with the two degrees of freedom of its F.

    They are h and h `df`, where h is (tr S)^2 / tr S^2 (Box 1954, Theorem 3.1) as Huynh and Feldt
    (1976) estimate it from a covariance of `df` degrees of freedom, with Lecoutre's (1991) top.
    """
    trace = float(np.trace(covariance))
    shape = trace * trace / float(np.square(covariance).sum())
    rest = df - shape
    h = ((df + 1.0) * shape - 2.0) / rest if rest > FLAT * df else math.inf
    h = min(max(h, 1.0), float(rank))
    return float(difference @ difference) / trace, (h, h * df)


def orthonormalizing(rows: Matrix) -> Matrix:
    """Return the matrix (r, q) that turns contrasts with such rows into orthonormal ones."""
    gram = rows @ rows.T
    values, vectors = interruptible(len(gram) > LARGE, np.linalg.eigh, gram)
    kept = values > RANK_TOLERANCE * values[-1]
    root: Matrix = vectors[:, kept] / np.sqrt(values[kept])
    return root


class QuadraticForm(NamedTuple):
    """The statistic, its rank, and a status word; 'zero_variance' if a difference has none.

    `whitening` turns the contrasts that vary, over their `units`, into uncorrelated ones.
    """

    statistic: float
    rank: int
    status: str
    varies: NDArray[np.bool_]
    units: Matrix
    whitening: Matrix

    def whitened(self, shares: NDArray[np.float64]) -> list[Matrix]:
        """Return matrices that add up to S, in the units in which S is the identity."""
        own = np.ix_(self.varies, self.varies)
        return [self.whitening.T @ (share[own] / self.units) @ self.whitening for share in shares]


def quadratic_form(
    difference: Vector, covariance: Matrix, noise: Vector | float, near: float
) -> QuadraticForm:
    """Return t' S^-1 t; standard errors within `noise` and differences within `near` are 0."""
    spread = np.sqrt(np.diag(covariance))
    varies: NDArray[np.bool_] = spread > noise
    nothing = np.empty((0, 0))
    if (abs(difference[~varies]) > near).any():
        rank = int(varies.sum())
        return QuadraticForm(np.nan, rank, "zero_variance", varies, nothing, nothing)
    if not varies.any():
        return QuadraticForm(0.0, 0, "identical", varies, nothing, nothing)
    t, own = difference[varies] / spread[varies], np.ix_(varies, varies)
    units = np.outer(spread[varies], spread[varies])
    shape = covariance[own] / units
    values, vectors = interruptible(len(shape) > LARGE, np.linalg.eigh, shape)
    kept = values > RANK_TOLERANCE * values[-1]
    along, rank = vectors.T @ t, int(kept.sum())
    alike = (abs(along[~kept]) <= RANK_TOLERANCE**0.5 * np.linalg.norm(t)).all()
    whitening = vectors[:, kept] / np.sqrt(values[kept])
    statistic = float((along[kept] ** 2 / values[kept]).sum())
    status = "ok" if alike else "singular"
    return QuadraticForm(statistic, rank, status, varies, units, whitening)
