"""The power of a planned test of an AUC or of a difference, and the number of cases for a power.

Notation: m positives, n negatives.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

from ...._inference.mean_power import chance_above
from ...._inference.pvalues import normal_quantile, student_quantile
from ...._inference.welch import welch_df
from ...._inputs.options import ALTERNATIVES, check_alpha, check_choice, check_reference
from ...._inputs.planning import check_countable

SIGNS = {"greater": (1.0,), "less": (-1.0,), "two-sided": (1.0, -1.0)}
FEWEST = 2.0  # cases of a class that have a variance


class Variances(NamedTuple):
    """Variances of an AUC or of a difference: under the null hypothesis, and as expected.

    Of a difference also the shares of positives and negatives, as DeLong's method estimates them.
    """

    null: float
    expected: float
    shares: tuple[float, float] = (math.nan, math.nan)


class Plan(NamedTuple):
    """What is expected, for m positives and n negatives, and the test that will be made."""

    effect: float
    variances: Callable[[float, float], Variances]
    alpha: float
    alternative: str
    reference: str

    @property
    def student(self) -> bool:
        """Whether the test takes Student's t."""
        return self.reference == "t"


class Choices(NamedTuple):
    """The test that will be made: checked options."""

    alpha: float
    alternative: str
    reference: str


def as_choices(alpha: object, alternative: str, reference: str) -> Choices:
    """Return the checked options of the test that will be made."""
    check_choice("alternative", alternative, ALTERNATIVES)
    check_reference(reference)
    return Choices(check_alpha(alpha), alternative, reference)


def power_of(plan: Plan, m: float, n: float) -> float:
    """Return the chance that the test rejects, in either direction if it is two-sided."""
    if plan.student and min(m, n) < FEWEST:
        return 0.0  # the test is undefined
    variances, signs = plan.variances(m, n), SIGNS[plan.alternative]
    tail = plan.alpha / len(signs)
    chance = student_chance if plan.student else normal_chance
    return math.fsum(chance(sign * plan.effect, variances, tail, (m, n)) for sign in signs)


def normal_chance(
    effect: float, variances: Variances, tail: float, sizes: tuple[float, float]
) -> float:
    """Return the chance of z beyond its upper point, whose tail has this probability."""
    from scipy.special import ndtr

    critical, error = normal_quantile(tail) * math.sqrt(variances.null), error_of(variances)
    if error == 0.0:
        return float(effect > critical)
    return float(ndtr((effect - critical) / error))


def student_chance(
    effect: float, variances: Variances, tail: float, sizes: tuple[float, float]
) -> float:
    """Return the chance of t beyond its upper point: noncentral t, Satterthwaite's df."""
    error, df = error_of(variances), welch_df(variances.shares, sizes)
    if error == 0.0 or math.isnan(df):
        return float(effect > 0.0)
    return chance_above(student_quantile(tail, df), effect / error, df)


def error_of(variances: Variances) -> float:
    """Return the standard error that is expected; 0 where its square is none, or underflows."""
    return math.sqrt(max(variances.expected, 0.0))


def positives_for(plan: Plan, power: float, ratio: float) -> float:
    """Return the number of positives that gives this power; `ratio` is of negatives a positive.

    With at least one case a class, or two where the test needs them.
    """
    from scipy.optimize import brentq

    def excess(m: float) -> float:
        check_countable(m, ratio * m)
        return power_of(plan, m, ratio * m) - power

    least = FEWEST if plan.student else 1.0
    low = max(least, least / ratio)
    while ratio * low < least:  # rounded down: the test would be undefined
        low = math.nextafter(low, math.inf)
    if excess(low) >= 0.0:
        return low
    high = 2.0 * low
    while excess(high) < 0.0:
        high *= 2.0
    return float(brentq(excess, low, high, xtol=1e-12 * high, rtol=1e-14))
