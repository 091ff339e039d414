"""Power of a t-test of a mean or a difference of means, from its standard error.

T has a noncentral t distribution with `df` degrees of freedom, where the true difference over its
standard error is the noncentrality; for infinitely many it is normal.
"""

import math
from collections.abc import Callable

from .pvalues import normal_quantile, reference_quantile
from .roots import bisect


def mean_power(
    difference: float,
    error: float,
    df: float,
    alternative: str = "two-sided",
    margin: float = 0.0,
    alpha: float = 0.05,
) -> float:
    """Return the chance that the test rejects at `alpha`, by both tails where it is two-sided.

    For equivalence it is that of both one-sided tests, at least the sum of their chances less 1.
    """
    if not error > 0.0 or not df > 0.0 or math.isnan(difference):
        return math.nan
    tail = 0.5 * alpha if alternative == "two-sided" else alpha
    point = reference_quantile(tail, df)
    above = chance_above(point, (difference + margin) / error, df)
    below = chance_above(point, (margin - difference) / error, df)
    if alternative == "two-sided":
        return min(1.0, above + below)
    if alternative == "equivalence":
        return max(0.0, above + below - 1.0)
    return above if alternative == "greater" else below


def claimed_gap(difference: float, alternative: str, margin: float) -> float:
    """Return how far a difference is inside of what the test claims; not above 0 outside of it."""
    above = difference + margin
    below = margin - difference
    gaps = {"greater": above, "less": below, "equivalence": min(above, below)}
    return gaps.get(alternative, abs(difference))


def chance_above(point: float, noncentrality: float, df: float) -> float:
    """Return the chance that a noncentral t statistic exceeds a point above 0."""
    from scipy.special import nctdtr, ndtr

    if df == math.inf:
        return float(ndtr(noncentrality - point))
    # the lower tail of -t: the upper one of t is NaN where it is all but 1 (40 at 200 df), and this
    # one where it is below 1e-12, against the noncentrality
    chance = float(nctdtr(df, -noncentrality, -point))
    return float(noncentrality > 0.0) if math.isnan(chance) else min(chance, 1.0)


def detectable_difference(
    error: float,
    df: float,
    alternative: str = "two-sided",
    margin: float = 0.0,
    alpha: float = 0.05,
    power: float = 0.8,
    *,
    textbook: bool = False,
) -> float:
    """Return the smallest true difference that the test finds with this power.

    Of a one-sided test the difference has the sign of the claim, less what the margin gives. Tests
    of equivalence detect none. `textbook` is the normal test without its tail on the wrong side.
    """
    if not error > 0.0 or not df > 0.0 or alternative == "equivalence":
        return math.nan

    def short(ratio: float) -> float:
        difference = mean_power(ratio, 1.0, df, "two-sided" if two_sided else "greater", 0.0, alpha)
        return difference - power

    two_sided = alternative == "two-sided"
    difference = error * (
        textbook_ratio(alternative, alpha, power) if textbook else crossing(short)
    )
    if two_sided:
        return difference
    return difference - margin if alternative == "greater" else margin - difference


def textbook_ratio(alternative: str, alpha: float, power: float) -> float:
    """Return the difference in standard errors that a normal test finds with this power.

    The sum of two quantiles: a two-sided test's tail on the wrong side is left out. NaN for
    equivalence, which is two tests.
    """
    if alternative == "equivalence":
        return math.nan
    tail = 0.5 * alpha if alternative == "two-sided" else alpha
    return normal_quantile(tail) + normal_quantile(1.0 - power)


def crossing(function: Callable[[float], float]) -> float:
    """Return where a function that grows passes 0, above 0."""
    high = 1.0
    while function(high) < 0.0:
        high *= 2.0
    return bisect(lambda x: function(x) < 0.0, 0.0, high)[1]
