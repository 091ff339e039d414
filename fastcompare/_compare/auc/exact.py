"""AUCs and their covariances as exact fractions, rounded once.

With placements P (twice the rank counts), W = sum of P over the positives = 2 m n AUC, which the
sum over the negatives equals. DeLong et al. (1988), Eq. 4-6, put over one denominator:

    Var = [(m S+ - W^2) (n - 1) + (n S- - W^2) (m - 1)] / [4 m^2 n^2 (m - 1) (n - 1)]

with S+ and S- the sums of P^2 over positives and negatives. For a difference of two models P is the
difference of their placements, so nothing cancels. Everything left of the division is an integer,
and Python divides integers with one correct rounding.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._inference.welch import welch_df
from ...kernels.moments import moment_sums
from ...kernels.plain import MOST, sum_squares
from .components import Components

WIDE_BLOCK = 1 << 16


class PairSums(NamedTuple):
    """W of two models, and the sums of squares over (positives, negatives) of a, b and a - b."""

    w_a: int
    w_b: int
    aa: tuple[int, int]
    bb: tuple[int, int]
    dd: tuple[int, int]

    @classmethod
    def of(cls, *sums: int) -> "PairSums":
        """Return the sums in the order of `sum_squares`."""
        w_a, w_b, xa, ya, xb, yb, xd, yd = sums
        return cls(w_a, w_b, (xa, ya), (xb, yb), (xd, yd))


def pair_sums(components: Components, i: int, j: int) -> PairSums:
    """Return the exact sums of two models."""
    if components.is_wide:
        return wide_pair_sums(components, i, j)
    a, b, labels = components.placed[i], components.placed[j], components.labels
    if labels.size < MOST:
        few = np.empty(8, np.int64)
        sum_squares(a, b, labels, few)
        return PairSums.of(*few.tolist())
    out = np.empty((2, 8), np.uint64)
    moment_sums(a, b, labels, out)
    return as_pair_sums(out)


def as_pair_sums(out: NDArray[np.uint64]) -> PairSums:
    """Return the sums that `moment_sums` wrote, as Python's integers."""
    (_, _, al, ah, bl, bh, dl, dh), (w_a, w_b, *x) = out.tolist()
    aa, bb, dd = x[0] + (x[1] << 32), x[2] + (x[3] << 32), x[4] + (x[5] << 32)
    return PairSums(
        w_a,
        w_b,
        (aa, al + (ah << 32) - aa),
        (bb, bl + (bh << 32) - bb),
        (dd, dl + (dh << 32) - dd),
    )


def wide_pair_sums(components: Components, i: int, j: int) -> PairSums:
    """Return the exact sums of placements beyond 32 bits, which only 2^31 cases and more have."""
    a, b, labels = components.placed[i], components.placed[j], components.labels
    w_a = w_b = 0
    squares = [[0, 0], [0, 0], [0, 0]]
    for start in range(0, labels.size, WIDE_BLOCK):
        block = slice(start, start + WIDE_BLOCK)
        x, y = a[block].astype(np.int64), b[block].astype(np.int64)
        for side, members in enumerate((labels[block] == 1, labels[block] == 0)):
            for total, values in zip(squares, (x, y, x - y), strict=True):
                total[side] += sum_of_squares(values[members])
        w_a += int(x[labels[block] == 1].sum())
        w_b += int(y[labels[block] == 1].sum())
    aa, bb, dd = ((over_x, over_y) for over_x, over_y in squares)
    return PairSums(w_a, w_b, aa, bb, dd)


def sum_of_squares(values: NDArray[Any]) -> int:
    """Return the exact sum of squares of a block of integers below 2^40."""
    high, low = values >> 20, values & ((1 << 20) - 1)
    squares = [int((x * y).sum()) for x, y in ((high, high), (high, low), (low, low))]
    return (squares[0] << 40) + (squares[1] << 21) + squares[2]


def numerator(w: int, squares: tuple[int, int], m: int, n: int) -> int:
    """Return the integer left of the division in the module's formula."""
    over_x, over_y = squares
    return (m * over_x - w * w) * (n - 1) + (n * over_y - w * w) * (m - 1)


def denominator(m: int, n: int) -> int:
    """Return the integer right of the division in the module's formula."""
    return 4 * m * m * n * n * (m - 1) * (n - 1)


def class_variances(w: int, squares: tuple[int, int], m: int, n: int) -> tuple[float, float]:
    """Return the shares of positives and of negatives in a variance, each rounded once."""
    over_x, over_y = squares
    under = 4 * m * m * n * n
    return (m * over_x - w * w) / (under * (m - 1)), (n * over_y - w * w) / (under * (n - 1))


class PairMoments(NamedTuple):
    """AUCs, covariance and the difference of two models, each rounded once.

    The difference over its standard error is Student's t with `df`, normal for infinitely many.
    """

    auc: NDArray[np.float64]
    covariance: NDArray[np.float64]
    estimate: float
    variance: float
    df: float = math.inf


def pair_moments(components: Components, i: int, j: int) -> PairMoments:
    """Return AUCs (2,), covariance (2, 2), their difference and its variance; NaN if undefined."""
    m, n = components.m, components.n
    return moments_of(pair_sums(components, i, j), m, n) if m and n else undefined_pair()


def undefined_pair() -> PairMoments:
    """Return the moments of two models where a class is missing."""
    return PairMoments(np.full(2, math.nan), np.full((2, 2), math.nan), math.nan, math.nan)


def difference_of(sums: PairSums, m: int, n: int) -> tuple[float, float]:
    """Return the difference of two AUCs and its variance, NaN for less than two cases of a class.

    `moments_of` gives the same bits, and more.
    """
    gained, pairs = sums.w_a - sums.w_b, 2 * m * n
    if m < 2 or n < 2:
        return gained / pairs, math.nan
    return gained / pairs, numerator(gained, sums.dd, m, n) / denominator(m, n)


def moments_of(sums: PairSums, m: int, n: int) -> PairMoments:
    """Return the moments that belong to the sums over m positives and n negatives."""
    pairs = 2 * m * n
    auc = np.array((sums.w_a / pairs, sums.w_b / pairs))
    estimate = (sums.w_a - sums.w_b) / pairs
    if m < 2 or n < 2:
        return PairMoments(auc, np.full((2, 2), math.nan), estimate, math.nan)
    aa = numerator(sums.w_a, sums.aa, m, n)
    bb = numerator(sums.w_b, sums.bb, m, n)
    dd = numerator(sums.w_a - sums.w_b, sums.dd, m, n)
    under = denominator(m, n)
    both = (aa + bb - dd) / (2 * under)  # polarisation: exact, since these are integers
    covariance = np.array(((aa / under, both), (both, bb / under)))
    return PairMoments(auc, covariance, estimate, dd / under)


def difference_df(components: Components, i: int, j: int) -> float:
    """Return Satterthwaite's degrees of freedom of the variance of AUC_i - AUC_j.

    NaN where the variance is 0 or undefined.
    """
    m, n = components.m, components.n
    return df_of(pair_sums(components, i, j), m, n) if m and n else math.nan


def df_of(sums: PairSums, m: int, n: int) -> float:
    """Return the degrees of freedom that belong to the sums over m positives and n negatives."""
    if m < 2 or n < 2:
        return math.nan
    return welch_df(class_variances(sums.w_a - sums.w_b, sums.dd, m, n), (m, n))


def auc_variances(components: Components) -> tuple[float, float]:
    """Return the shares of positives and of negatives in the variance of the first AUC."""
    m, n = components.m, components.n
    if m < 2 or n < 2:
        return math.nan, math.nan
    sums = pair_sums(components, 0, 0)
    return class_variances(sums.w_a, sums.aa, m, n)
