"""Student's t of a mean whose scores are skewed: the end on the side of the long tail moves out.

The mean varies as the sum of independent numbers u (G,) around 0, a row a cluster: SE^2 = sum u^2.
Its skewness is a = sum u^3 / SE^3, that of one score over sqrt(n) where items count alike. Hall
(1992), J. R. Statist. Soc. B 54, 221-228, transforms t by the cubic

    h(t) = t + a t^2 / 3 + a^2 t^3 / 27 + a / 6

which rises, and whose inverse is 3 ((1 + a (q - a / 6))^(1/3) - 1) / a. His h errs where tails are
heavy on both sides (11 % of lognormal less lognormal at a level of 5 %), t where one is. So a claim
must hold by both, and the interval holds all that either does not refute.

A few scores show too little of a long tail. What they show is taken (1 + 20 / n) times, 3 at most,
less what normal scores show by chance: at 5 %, scores of 20 items of which one model's are
lognormal are told apart in 4.6 to 6.6 % in place of 12, exponential ones in 3.1 in place of 8.3;
normal ones keep a power of .73 of .76.
"""

from typing import Any

import numpy as np

from .._base.types import Integers, Vector
from .item_means import Scores

MOST = 1 << 14  # items: of more, skewness hardly moves the level, and is not asked for
FEWEST = 3.0  # degrees of freedom from which skewness is told
CHANCE = 4.0  # over n G^2: the share of a sample's skewness G that chance makes
UNSEEN, AT_MOST = 20.0, 3.0  # over n: how much more skewness there is than is seen
FEW, FEW_ONE_SIDED = 30, 200  # below, claims against a long tail err: up to 9 and 11 % at n = 10
DOUBTFUL = 0.1  # a p-value from which nothing is claimed


def skewness_of(roots: Scores, df: float | Vector) -> Vector:
    """Return the skewness of means, of one or of each column of (G, P), 0 where it may be chance.

    Of n = `df` + 1 independent items, G / sqrt(n) with G as programs of statistics have it, less 4
    / (n G), times 1 + 20 / n.
    """
    squares = np.square(roots)
    with np.errstate(divide="ignore", invalid="ignore"):
        return told_skewness((squares * roots).sum(axis=0) / squares.sum(axis=0) ** 1.5, df)


def sums_skewness(sums: Vector, sizes: Integers, df: float) -> float:
    """Return the skewness of a mean from sums of deviations over clusters of these sizes.

    0 of unequal ones, whose sums are unlike by their sizes alone: telling that from skewness took
    power from 76 to 64 % of 20 log-normal clusters of normal scores.
    """
    n = int(sizes.sum())
    if n > MOST or df != np.count_nonzero(sizes) - 1.0:
        return 0.0
    return float(skewness_of(sums / np.sqrt(n * (n - sizes.astype(np.float64))), df))


@np.errstate(divide="ignore", invalid="ignore")
def told_skewness(seen: Any, df: float | Vector) -> Vector:
    """Return the skewness that is told: less chance, and with what few scores do not show."""
    n = np.asarray(df) + 1.0
    seen = seen * np.sqrt(n * (n - 1.0)) / (n - 2.0)
    rest = np.maximum(np.abs(seen) - CHANCE / (n * n * np.abs(seen)), 0.0)
    told = (rest > 0.0) & (n > FEWEST)
    times = np.minimum(1.0 + UNSEEN / n, AT_MOST)
    return np.where(told, np.copysign(times * rest, seen), 0.0)


def skewed_t(t: Any, skewness: Any, alternative: str) -> Any:
    """Return the statistics that Student's t judges: t or h(t), whichever says less.

    Two-sided that is 0 where they differ in sign.
    """
    h = t + skewness * (t * t / 3.0 + skewness * t**3 / 27.0 + 1.0 / 6.0)
    less, more = np.minimum(t, h), np.maximum(t, h)
    if alternative == "two-sided":
        return np.maximum(less, 0.0) + np.minimum(more, 0.0)
    return more if alternative == "less" else less


def skewed_reach(quantile: Any, skewness: Any) -> tuple[Any, Any]:
    """Return how many standard errors the ends lie below and above the mean, by t or by Hall."""
    low, high = (inverse_of(q, skewness) for q in (quantile, -quantile))
    return np.maximum(quantile, low), np.maximum(quantile, -high)


def inverse_of(q: Any, skewness: Any) -> Any:
    """Return t where h(t) = q."""
    moved = q - skewness / 6.0
    y = np.cbrt(1.0 + skewness * moved)
    return 3.0 * moved / (y * y + y + 1.0)  # (y - 1) / skewness, without its cancellation


def is_doubtful(t: float, skewness: float, df: float, pvalue: float, alternative: str) -> bool:
    """Return whether so few scores have their long tail on the far side of the null value.

    Of those means more than 6 % are found apart where 5 are meant; others seldom are.
    """
    few = FEW if alternative == "two-sided" else FEW_ONE_SIDED
    return df + 1.0 < few and t * skewness < 0.0 and pvalue < DOUBTFUL
