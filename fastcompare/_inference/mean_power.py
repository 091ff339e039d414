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
    """Return the power of a t-test of a true `difference` whose standard error is `error`.

    A two-sided test rejects in both tails. The power of an equivalence test is bounded from below
    by the sum of the powers of its two one-sided tests less 1.
    """
    if not error > 0.0 or not df > 0.0 or math.isnan(difference):
        return math.nan
    tail = 0.5 * alpha if alternative == "two-sided" else alpha
    point = reference_quantile(tail, df)
    above = noncentral_t_tail(point, (difference + margin) / error, df)
    below = noncentral_t_tail(point, (margin - difference) / error, df)
    if alternative == "two-sided":
        return min(1.0, above + below)
    if alternative == "equivalence":
        return max(0.0, above + below - 1.0)
    return above if alternative == "greater" else below


def distance_inside_claim(difference: float, alternative: str, margin: float) -> float:
    """Return the distance of a difference from the null hypothesis, at most 0 if it belongs to it.

    For 'greater' with a margin, for example, `difference` + `margin`.
    """
    above = difference + margin
    below = margin - difference
    gaps = {"greater": above, "less": below, "equivalence": min(above, below)}
    return gaps.get(alternative, abs(difference))


def noncentral_t_tail(point: float, noncentrality: float, df: float) -> float:
    """Return P(T > point) of a noncentral t statistic, for a point above 0; normal if df = inf."""
    from scipy.special import nctdtr, ndtr

    if df == math.inf:
        return float(ndtr(noncentrality - point))
    # P(-T < -point), as SciPy's upper tail is NaN where it is all but 1 (noncentrality 40 at 200
    # df). This one is NaN where it is below 1e-12 and the noncentrality below 0.
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
    """Return the smallest true difference that the test detects with this power.

    For a one-sided test it has the sign of the claim, and its distance from the claim's margin
    counts: 'greater' with a margin may detect a difference below 0. NaN for equivalence. `textbook`
    takes a normal test and neglects its tail on the wrong side.
    """
    if not error > 0.0 or not df > 0.0 or alternative == "equivalence":
        return math.nan

    def excess_power(ratio: float) -> float:
        """Return by how much the power at this multiple of the standard error exceeds `power`."""
        return mean_power(ratio, error=1.0, df=df, alternative=claim, alpha=alpha) - power

    two_sided = alternative == "two-sided"
    claim = "two-sided" if two_sided else "greater"  # 'less' has the same power at -difference
    if textbook:
        ratio_to_error = normal_detectable_ratio(alternative, alpha, power)
    else:
        ratio_to_error = root_of_increasing(excess_power)
    difference = error * ratio_to_error
    if two_sided:
        return difference
    return difference - margin if alternative == "greater" else margin - difference


def normal_detectable_ratio(alternative: str, alpha: float, power: float) -> float:
    """Return the difference, in standard errors, that a normal test detects with this power.

    The sum of two normal quantiles: a two-sided test's tail on the wrong side is neglected. NaN
    for equivalence, which consists of two tests.
    """
    if alternative == "equivalence":
        return math.nan
    tail = 0.5 * alpha if alternative == "two-sided" else alpha
    return normal_quantile(tail) + normal_quantile(1.0 - power)


def root_of_increasing(function: Callable[[float], float]) -> float:
    """Return the positive x at which an increasing function is 0."""
    high = 1.0
    while function(high) < 0.0:
        high *= 2.0
    _, root = bisect(lambda x: function(x) < 0.0, 0.0, high)
    return root
