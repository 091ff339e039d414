"""Power and sample size of a study of one AUC, or of two AUCs of the same cases, before it is run.

Notation: m positives, n negatives, k = n / m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ...._base.types import Direction
from ...._inference.pvalues import normal_quantile
from ...._inputs.options import ALTERNATIVES, check_alpha, check_amount, check_choice, check_within
from ...._inputs.planning import Expected, as_expected, check_claimable, check_variance
from ...._results.records import Record
from .variance import VARIANCES

SIGNS = {"greater": (1.0,), "less": (-1.0,), "two-sided": (1.0, -1.0)}
Numbers = float | tuple[float, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCSampleSizeResult(Record):
    """Result of `auc_sample_size`; the numbers of cases are not rounded."""

    n_positive: float
    n_negative: float
    auc: Numbers
    power: float
    ratio: float
    alpha: float
    alternative: str
    correlation: tuple[float, float] | None
    method: str
    title: ClassVar[str] = "Sample size for AUCs"

    @property
    def whole_cases(self) -> tuple[int, int]:
        """Positives and negatives, rounded up."""
        return math.ceil(self.n_positive), math.ceil(self.n_negative)

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        m, n = self.whole_cases
        if isinstance(self.auc, tuple):
            effect = "AUCs of {:g} and {:g} apart".format(*self.auc)
        else:
            effect = f"an AUC of {self.auc:g} from 0.5"
        return (
            f"{m} positive and {n} negative cases give a power of {self.power:g} to tell {effect} "
            f"(alpha = {self.alpha:g}, {self.alternative}; {self.method} variance)."
        )


def auc_power(
    *,
    auc: Numbers,
    n_positive: float,
    n_negative: float,
    correlation: Numbers | None = None,
    method: str = "obuchowski",
    alternative: Direction = "two-sided",
    alpha: float = 0.05,
) -> float:
    """Return the power of a test of one AUC against 0.5, or of two AUCs of the same cases.

    Parameters
    ----------
    auc : float or (float, float)
        The AUC that you expect, or those of two models that score the same cases; each between 0
        and 1.
    n_positive, n_negative : float
        Numbers of cases, at least 1.
    correlation : float or (float, float), optional
        For two models only: the correlation of their scores within a class, in the positives and in
        the negatives if two are given. 0 stands for two independent samples of this size each.
    method : {'obuchowski', 'binormal'}, default='obuchowski'
        The variance. 'obuchowski' has the published formulas, which pROC uses too; they were made
        for ratings and understate the power of continuous scores. 'binormal' has the exact variance
        of the empirical AUC for scores that are normal in each class with equal variances (or can
        be made so by a monotone transform): the better one for `delong_test`.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims that the AUC is above 0.5, or the first AUC above the second.
    alpha : float, default=0.05
        The level of significance.

    Returns
    -------
    float
        The chance that the test rejects.

    See Also
    --------
    auc_sample_size : How many cases a power takes.

    Notes
    -----
    With effect d (AUC - 0.5 or AUC_a - AUC_b), variance V0 under the null hypothesis and V as
    expected, the power is ``Phi((d - z * sqrt(V0)) / sqrt(V))``; two-sided tests reject in the
    wrong direction too, so that the power at d = 0 is `alpha`. For one AUC, 'binormal' takes V0 of
    the Mann-Whitney test. For two, 'obuchowski' takes the first AUC for both in V0, as pROC does,
    and 'binormal' takes V, as DeLong's test does.

    References
    ----------
    .. [1] N. A. Obuchowski, D. K. McClish (1997),
       doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H.
    .. [2] N. A. Obuchowski, M. L. Lieber, F. H. Wians (2004), doi:10.1373/clinchem.2004.031823.
    .. [3] R. L. Plackett (1954), doi:10.1093/biomet/41.3-4.351.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.auc_power(auc=0.73, n_positive=41, n_negative=72), 4)
    0.9897
    >>> design = dict(n_positive=100, n_negative=150, correlation=0.6, method="binormal")
    >>> round(fc.auc_power(auc=(0.85, 0.80), **design), 4)
    0.5074
    """
    plan = as_plan(as_expected(auc, correlation), alpha, alternative, method)
    m, n = check_amount("n_positive", n_positive, 1), check_amount("n_negative", n_negative, 1)
    return power_of(plan, m, n)


def auc_sample_size(
    *,
    auc: Numbers,
    power: float,
    ratio: float = 1.0,
    correlation: Numbers | None = None,
    method: str = "obuchowski",
    alternative: Direction = "two-sided",
    alpha: float = 0.05,
) -> AUCSampleSizeResult:
    """Return how many cases a test of one AUC, or of two AUCs of the same cases, needs.

    Parameters
    ----------
    auc : float or (float, float)
        The AUC that you expect, or those of two models that score the same cases.
    power : float
        The chance to reject that you want, between `alpha` and 1.
    ratio : float, default=1
        Negatives per positive.
    correlation, method, alternative, alpha
        As in `auc_power`.

    Returns
    -------
    AUCSampleSizeResult
        With ``n_positive`` and ``n_negative``, not rounded and at least 1, ``whole_cases`` (both
        rounded up), and what was asked for.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything; also where no number of
        cases gives this power, since the AUC is 0.5, the two AUCs are equal, or the effect is
        contrary to `alternative`.

    References
    ----------
    .. [1] N. A. Obuchowski, M. L. Lieber, F. H. Wians (2004), doi:10.1373/clinchem.2004.031823.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.auc_sample_size(auc=0.73, power=0.9, ratio=1.7)
    >>> round(result.n_positive, 4), round(result.n_negative, 4), result.whole_cases
    (24.1227, 41.0085, (25, 42))
    """
    expected = as_expected(auc, correlation)
    plan = as_plan(expected, alpha, alternative, method)
    power = check_within("power", power, plan.alpha)
    ratio = check_within("ratio", ratio, 0.0, math.inf)
    check_claimable(expected, SIGNS[alternative], alternative)

    m = positives_for(plan, power, ratio)

    return AUCSampleSizeResult(
        n_positive=m,
        n_negative=ratio * m,
        auc=expected.given,
        power=power,
        ratio=ratio,
        alpha=plan.alpha,
        alternative=alternative,
        correlation=expected.correlation,
        method=method,
    )


class Plan(NamedTuple):
    """What is expected, and the test that will be made."""

    expected: Expected
    alpha: float
    alternative: str
    method: str


def as_plan(expected: Expected, alpha: object, alternative: str, method: str) -> Plan:
    """Return the checked plan."""
    check_choice("alternative", alternative, ALTERNATIVES)
    check_choice("method", method, VARIANCES)
    return Plan(expected, check_alpha(alpha), alternative, method)


def power_of(plan: Plan, m: float, n: float) -> float:
    """Return the chance that the test rejects, in either direction if it is two-sided."""
    from scipy.special import ndtr

    variances = VARIANCES[plan.method](plan.expected, m, n)
    check_variance(variances.null >= 0.0 and variances.expected > 0.0, m, n)
    signs = SIGNS[plan.alternative]
    critical = normal_quantile(plan.alpha / len(signs)) * math.sqrt(variances.null)
    error = math.sqrt(variances.expected)
    effect = plan.expected.effect
    return math.fsum(float(ndtr((sign * effect - critical) / error)) for sign in signs)


def positives_for(plan: Plan, power: float, ratio: float) -> float:
    """Return the number of positives that gives this power, with at least one case a class."""
    from scipy.optimize import brentq

    def excess(m: float) -> float:
        return power_of(plan, m, ratio * m) - power

    low = max(1.0, 1.0 / ratio)
    if excess(low) >= 0.0:
        return low
    high = 2.0 * low
    while excess(high) < 0.0:
        high *= 2.0
    return float(brentq(excess, low, high, xtol=1e-12 * high, rtol=1e-14))
