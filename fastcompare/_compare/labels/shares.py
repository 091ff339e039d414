"""The difference of two independent shares: score statistic, its interval, an exact test.

Notation: x_1 of n_1 cases are right in the first sample, x_2 of n_2 in the second; D is a
difference of their accuracies p_1 - p_2, and N = n_1 + n_2.
"""

import math
from typing import NamedTuple

import numpy as np

from ..._base.parallel import interruptible
from ..._inference.infer import Inference
from ..._inference.pvalues import PValue, normal_quantile
from ..._inputs.accuracies import check_tables
from .differences import last_where

SCORE, BOSCHLOO = "test of two proportions", "Boschloo's exact test of two proportions"
EXPECTED = 5  # answers of a kind; with fewer one-sided levels reach 14.3 %, see docs/labels.md
EXPECTED_TWO_SIDED = 1  # with fewer two-sided levels reach 11.1 %
MANY = 10_000  # pairs of cases that Boschloo's test takes 50 ms for
LEAST = 10  # cases of a sample; two-sided levels of smaller ones reach 7.7 % with any share
STEPS = 200  # at most: each halves the bracket, or Newton's, which ends after five


class Share(NamedTuple):
    """How many of n cases are right, and how many were left out."""

    right: int
    n: int
    n_dropped: int = 0


def difference_of(one: Share, two: Share) -> float:
    """Return the first share less the second, a fraction rounded once."""
    return (one.right * two.n - two.right * one.n) / (one.n * two.n)


def shares_error(one: Share, two: Share, variance: str) -> float:
    """Return the standard error of the difference of two shares."""
    if variance == "pooled":
        pooled = (one.right + two.right) / (one.n + two.n)
        return math.sqrt(pooled * (1.0 - pooled) * (1.0 / one.n + 1.0 / two.n))
    p, q = one.right / one.n, two.right / two.n
    return math.sqrt(p * (1.0 - p) / one.n + q * (1.0 - q) / two.n)


def score_z(one: Share, two: Share, difference: float) -> float:
    """Return the score statistic of a difference D, Mee (1984); at 0 it is the pooled z."""
    away = difference_of(one, two) - difference
    if away == 0.0:
        return 0.0
    variance = restricted_variance(one, two, difference)
    return away / math.sqrt(variance) if variance > 0.0 else math.copysign(math.inf, away)


def restricted_variance(one: Share, two: Share, difference: float) -> float:
    """Return p_1 (1 - p_1) / n_1 + p_2 (1 - p_2) / n_2 of the likeliest p that differ by D.

    p_2 is a root of the cubic of Miettinen and Nurminen (1985), appendix 1, here over N. Their
    cosine loses all digits of shares near 0 or 1; Newton's steps within a bracket do not.
    """
    total = one.n + two.n
    (x1, x2), d = (one.right, two.right), difference
    if 2 * (x1 + x2) > total:  # so that the shares are small and keep their digits
        x1, x2, d = one.n - x1, two.n - x2, -d
    a, b = one.n / total, two.n / total
    second, both = x2 / total, (x1 + x2) / total
    cubic = (1.0, (a + 2.0 * b) * d - 1.0 - both, (b * d - 1.0 - 2.0 * second) * d + both)
    q = falling_root((*cubic, second * d * (1.0 - d)), max(0.0, -d), min(1.0, 1.0 - d))
    p = q + d
    return max(p * (1.0 - p) / one.n + q * (1.0 - q) / two.n, 0.0)


def falling_root(cubic: tuple[float, float, float, float], low: float, high: float) -> float:
    """Return where the cubic falls below 0 on its way from `low` to `high`."""
    a, b, c, d = cubic
    x = 0.5 * (low + high)
    for _ in range(STEPS):
        value = ((a * x + b) * x + c) * x + d
        low, high = (x, high) if value > 0.0 else (low, x)
        slope = (3.0 * a * x + 2.0 * b) * x + c
        found = x - value / slope if slope else low
        found = found if low < found < high else 0.5 * (low + high)
        if found in (x, low, high):
            return found
        x = found
    return x


def score_ends(one: Share, two: Share, tail: float) -> tuple[float, float]:
    """Return the differences that the score test does not reject; `tail` is left at each end."""
    z, end = normal_quantile(tail), np.ones(())  # the score falls from -1 to 1
    low = last_where(lambda d: np.asarray(score_z(one, two, float(d)) <= z), end)
    high = last_where(lambda d: np.asarray(score_z(one, two, float(d)) >= -z), -end)
    return float(low), float(high)


def boschloo(table: list[list[int]], alternative: str) -> float:
    """Return SciPy's p-value of a table, a second of many."""
    from scipy.stats import boschloo_exact

    with np.errstate(all="ignore"):  # tiny chances underflow, also where hosts let that raise
        return float(boschloo_exact(table, alternative=alternative).pvalue)


def boschloo_pvalue(one: Share, two: Share, alternative: str) -> PValue:
    """Return Boschloo's (1970) p-value: Fisher's p as the statistic, the worst common accuracy."""
    check_tables(one.n, two.n)
    table = [[one.right, two.right], [one.n - one.right, two.n - two.right]]
    p = min(interruptible(one.n * two.n > MANY, boschloo, table, alternative), 1.0)
    return PValue(p, math.log(p) if p > 0.0 else -math.inf)


def shares_status(
    one: Share, two: Share, test: Inference, *, exact: bool, few: int = EXPECTED_TWO_SIDED
) -> str:
    """Return the status word of a test of two shares; two-sided ones have to expect `few`."""
    right, n = one.right + two.right, one.n + two.n
    if test["standard_error"] == 0.0 and not test["margin"]:
        return "zero_variance" if test["estimate"] else "all_alike"
    if math.isinf(test["statistic"]):
        return "unvaried" if test["_unvaried"] else "zero_variance"
    if exact:
        return "ok"
    fewest = min(one.n, two.n)
    expected = fewest * min(right, n - right) / n  # Cochran's (1954) rule, of the rarer answer
    two_sided = test["alternative"] == "two-sided"
    enough = few if two_sided and fewest >= LEAST else EXPECTED
    return "ok" if expected >= enough else "small_sample"
