"""Power and sample size of a study of one AUC, or of two AUCs of the same cases, before it is run.

Notation: m positives, n negatives, k = n / m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from ...._base.documented import documented
from ...._base.types import Direction
from ...._inputs.options import as_choice, check_amount
from ...._inputs.planning import Expected, as_expected, check_claimable, check_goal, check_student
from ...._results.records import Record
from .plan import SIGNS, Choices, Plan, Variances, as_choices, positives_for, power_of
from .variance import VARIANCES

Numbers = float | tuple[float, float]


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCSampleSizeResult(Record):
    """Result of `auc_sample_size`; the numbers of cases are not rounded."""

    n_positive: float
    n_negative: float
    auc: Numbers
    effect: float
    power: float
    ratio: float
    alpha: float
    alternative: str
    correlation: tuple[float, float] | None
    method: str
    reference: str
    title: ClassVar[str] = "Sample size for AUCs"

    @property
    def whole_cases(self) -> tuple[int, int]:
        """Positives and negatives, rounded up."""
        return math.ceil(self.n_positive), math.ceil(self.n_negative)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        m, n = self.whole_cases
        return (
            f"{m} positive and {n} negative cases give a power of {self.power:g} to tell "
            f"{self._told()} (alpha = {self.alpha:g}, {self.alternative}; {self.method} variance)."
        )

    def _told(self) -> str:
        """Return the effect that the test is to tell, for people."""
        if not isinstance(self.auc, tuple):
            return f"an AUC of {self.auc:g} from 0.5"
        first, second = self.auc
        if self.effect != first - second:
            return f"AUCs apart that differ by {self.effect:g}"
        return f"AUCs of {first:g} and {second:g} apart"


@documented
def auc_power(
    *,
    auc: Numbers,
    n_positive: float,
    n_negative: float,
    correlation: Numbers | None = None,
    method: str = "binormal",
    reference: str = "auto",
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
        Numbers of cases, at least 1. With fewer than two of a class there is no t: power 0.
    correlation : float or (float, float), optional
        For two models only: the correlation of their scores within a class, in the positives and in
        the negatives if two are given. 0 stands for two independent samples of this size each.
    method : {'binormal', 'obuchowski'}, default='binormal'
        The variance. 'binormal' has the exact one of the empirical AUC for scores that are normal
        in each class with equal variances (or can be made so by a monotone transform). 'obuchowski'
        has the published formulas, which pROC uses too; they were made for ratings. For continuous
        scores of two models they ask for 1.1 to 3.5 times the cases, and for too few near 1.
    reference : {'auto', 'normal', 't'}, default='auto'
        That of the `delong_test` that you will run; 'auto' is 'normal'. 't' is for two AUCs and
        the method 'binormal'.
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
    auc_power_from_pilot : The variance from scores of pilot cases.
    fastcompare.simulate.simulate_power : By simulation, for few cases and AUCs near 1.

    Notes
    -----
    With effect d (AUC - 0.5 or AUC_a - AUC_b), variance V0 under the null hypothesis and V as
    expected, the power is ``Phi((d - z * sqrt(V0)) / sqrt(V))``; two-sided tests reject in the
    wrong direction too, so that the power at d = 0 is `alpha`. For one AUC, 'binormal' takes V0 of
    the Mann-Whitney test. For two, 'obuchowski' takes the first AUC for both in V0, as pROC does,
    and 'binormal' takes V, as DeLong's test does. With ``reference='t'`` the power is that of the
    noncentral t with Satterthwaite's degrees of freedom. Simulated powers are in docs/power.md.

    References
    ----------
    .. [1] N. A. Obuchowski, D. K. McClish (1997),
       doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H.
    .. [2] N. A. Obuchowski, M. L. Lieber, F. H. Wians (2004), doi:10.1373/clinchem.2004.031823.
    .. [3] R. L. Plackett (1954), doi:10.1093/biomet/41.3-4.351.

    Examples
    --------
    >>> import fastcompare as fc
    >>> design = dict(n_positive=100, n_negative=150, correlation=0.6)
    >>> round(fc.auc_power(auc=(0.85, 0.80), **design), 4)
    0.5074
    >>> round(fc.auc_power(auc=(0.85, 0.80), reference="t", **design), 4)
    0.5038
    >>> round(fc.auc_power(auc=0.73, n_positive=41, n_negative=72, method="obuchowski"), 4)
    0.9897
    """
    choices = as_choices(alpha, alternative, reference)
    plan = as_plan(as_expected(auc, correlation), method, choices)
    m, n = check_amount("n_positive", n_positive, 1), check_amount("n_negative", n_negative, 1)
    return power_of(plan, m, n)


@documented
def auc_sample_size(
    *,
    auc: Numbers,
    power: float,
    ratio: float = 1.0,
    correlation: Numbers | None = None,
    method: str = "binormal",
    reference: str = "auto",
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
    correlation, method, reference, alternative, alpha
        As in `auc_power`.

    Returns
    -------
    AUCSampleSizeResult
        With ``n_positive`` and ``n_negative``, not rounded and at least 1 (2 for t),
        ``whole_cases`` (both rounded up), and what was asked for.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything; also where no number of
        cases gives this power, since the AUC is 0.5, the two AUCs are equal, or the effect is
        contrary to `alternative`.

    References
    ----------
    .. [1] N. A. Obuchowski, M. L. Lieber, F. H. Wians (2004), doi:10.1373/clinchem.2004.031823.
    .. [2] R. L. Plackett (1954), doi:10.1093/biomet/41.3-4.351.

    Examples
    --------
    >>> import fastcompare as fc
    >>> result = fc.auc_sample_size(auc=(0.85, 0.80), power=0.9, ratio=1.5, correlation=0.6)
    >>> round(result.n_positive, 4), round(result.n_negative, 4), result.whole_cases
    (266.561, 399.8416, (267, 400))
    """
    choices = as_choices(alpha, alternative, reference)
    expected = as_expected(auc, correlation)
    plan = as_plan(expected, method, choices)
    power, ratio = check_goal(power, ratio, plan.alpha)
    check_claimable("auc", plan.effect, SIGNS[alternative], alternative)

    return study_size(plan, power, ratio, expected.given, expected.correlation, method)


def study_size(
    plan: Plan,
    power: float,
    ratio: float,
    auc: Numbers,
    correlation: tuple[float, float] | None,
    method: str,
) -> AUCSampleSizeResult:
    """Return how many cases give this power, with what they are to tell and how it was computed."""
    m = positives_for(plan, power, ratio)
    return AUCSampleSizeResult(
        n_positive=m,
        n_negative=ratio * m,
        auc=auc,
        effect=plan.effect,
        power=power,
        ratio=ratio,
        alpha=plan.alpha,
        alternative=plan.alternative,
        correlation=correlation,
        method=method,
        reference=plan.reference,
    )


class Design(NamedTuple):
    """AUCs that are expected, and the formula of their variances."""

    expected: Expected
    method: str

    def variances(self, m: float, n: float) -> Variances:
        """Return the variances with m positives and n negatives."""
        return VARIANCES[self.method](self.expected, m, n)


def as_plan(expected: Expected, method: str, choices: Choices) -> Plan:
    """Return the checked plan."""
    method = as_choice("method", method, VARIANCES)
    check_student(choices.reference == "t", expected, method)
    return Plan(expected.effect, Design(expected, method).variances, *choices)
