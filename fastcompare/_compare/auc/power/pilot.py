"""Power and sample size of a comparison of two AUCs, from the scores of pilot cases.

Use them where both models have scored some cases of the population. The variance then supposes no
distribution: it is DeLong's of the pilot, with the numbers of cases of the study. Notation: m
positives, n negatives of the study; S10 and S01 the variances of the components of the pilot's
positives and negatives (DeLong 1988).
"""

from __future__ import annotations

from typing import NamedTuple

from numpy.typing import ArrayLike

from ...._base.documented import documented
from ...._base.types import Direction, NanPolicy
from ...._inputs.cases import as_cases
from ...._inputs.options import check_amount
from ...._inputs.planning import check_claimable, check_difference, check_goal, check_pilot
from ...._inputs.scores import ScoreTable
from ..components import as_components
from ..exact import class_variances, pair_sums
from .plan import SIGNS, Choices, Plan, Variances, as_choices, power_of
from .sizes import AUCSampleSizeResult, study_size


@documented
def auc_power_from_pilot(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    n_positive: float,
    n_negative: float,
    difference: float | None = None,
    reference: str = "auto",
    alternative: Direction = "two-sided",
    alpha: float = 0.05,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> float:
    """Return the power of `delong_test` on other cases, from two models' scores of pilot cases.

    Parameters
    ----------
    y_score_a, y_score_b : array-like of shape (n,)
        Scores of the pilot cases by the two models; a table of two columns stands for both.
    n_positive, n_negative : float
        Numbers of cases of the study, at least 1.
    difference : float, optional
        The difference of AUCs, first less second, that the study is to find. By default that of the
        pilot, which few cases tell poorly: better give the smallest that matters to you.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater' claims that the first AUC is above the second.
    alpha : float, default=0.05
        The level of significance.

    Returns
    -------
    float
        The chance that the test rejects.

    Raises
    ------
    FastCompareError
        As ValueError or TypeError, for inputs that cannot mean anything; also where the pilot has
        fewer than two cases of a class, or its difference has no variance.

    See Also
    --------
    auc_power : From AUCs and a correlation that you expect.
    auc_sample_size_from_pilot : How many cases a power takes.

    Notes
    -----
    The variance is S10 / m + S01 / n, so that the study may have other shares of positives than the
    pilot: R's pROC (power.roc.test of two curves) keeps those of the pilot, and takes the first
    AUC's variance for both under the null hypothesis.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] N. A. Obuchowski, D. K. McClish (1997),
       doi:10.1002/(SICI)1097-0258(19970715)16:13<1529::AID-SIM565>3.0.CO;2-H.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> forest, tree = data.scores["random_forest"], data.scores["decision_tree"]
    >>> study = dict(n_positive=100, n_negative=200)
    >>> round(fc.auc_power_from_pilot(data.y_true, forest, tree, **study), 4)
    0.9778
    >>> round(fc.auc_power_from_pilot(data.y_true, forest, tree, difference=0.03, **study), 4)
    0.5819
    """
    choices = as_choices(alpha, alternative, reference)
    m, n = check_amount("n_positive", n_positive, 1), check_amount("n_negative", n_negative, 1)
    pilot = as_pilot(y_true, y_score_a, y_score_b, pos_label, nan_policy)
    return power_of(pilot.plan(difference, choices), m, n)


@documented
def auc_sample_size_from_pilot(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    power: float,
    ratio: float | None = None,
    difference: float | None = None,
    reference: str = "auto",
    alternative: Direction = "two-sided",
    alpha: float = 0.05,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
) -> AUCSampleSizeResult:
    """Return how many cases `delong_test` needs, from two models' scores of pilot cases.

    Parameters
    ----------
    y_score_a, y_score_b : array-like of shape (n,)
        Scores of the pilot cases by the two models; a table of two columns stands for both.
    power : float
        The chance to reject that you want, between `alpha` and 1.
    ratio : float, optional
        Negatives per positive in the study; by default as in the pilot.
    difference, reference, alternative, alpha
        As in `auc_power_from_pilot`.

    Returns
    -------
    AUCSampleSizeResult
        As of `auc_sample_size`, with the pilot's ``auc`` and the method 'pilot'.

    Raises
    ------
    FastCompareError
        As of `auc_power_from_pilot` and `auc_sample_size`.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> forest, tree = data.scores["random_forest"], data.scores["decision_tree"]
    >>> study = fc.auc_sample_size_from_pilot(data.y_true, forest, tree, power=0.9)
    >>> study.whole_cases
    (71, 119)
    """
    choices = as_choices(alpha, alternative, reference)
    pilot = as_pilot(y_true, y_score_a, y_score_b, pos_label, nan_policy)
    power, ratio = check_goal(power, pilot.ratio if ratio is None else ratio, choices.alpha)
    plan = pilot.plan(difference, choices)
    check_claimable("difference", plan.effect, SIGNS[alternative], alternative)

    return study_size(plan, power, ratio, pilot.auc, None, "pilot")


class Pilot(NamedTuple):
    """What pilot cases tell: AUCs, S10 and S01 of their difference, negatives per positive."""

    auc: tuple[float, float]
    s10: float
    s01: float
    ratio: float

    def variances(self, m: float, n: float) -> Variances:
        """Return the variances of a study; the test takes the expected one, as DeLong's does."""
        shares = self.s10 / m, self.s01 / n
        return Variances(sum(shares), sum(shares), shares)

    def plan(self, difference: object, choices: Choices) -> Plan:
        """Return the plan of a study that is to find this difference, or the pilot's."""
        found = self.auc[0] - self.auc[1]
        effect = found if difference is None else check_difference(difference)
        return Plan(effect, self.variances, *choices)


def as_pilot(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None,
    pos_label: object,
    nan_policy: str,
) -> Pilot:
    """Return the AUCs and variances that the scores of pilot cases tell."""
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    components = as_components(as_cases(y_true, pos_label, nan_policy, **scores))
    m, n = components.m, components.n
    check_pilot(min(m, n) > 1)
    sums = pair_sums(components, 0, 1)
    positive, negative = class_variances(sums.w_a - sums.w_b, sums.dd, m, n)
    check_pilot(positive + negative > 0.0)
    auc = sums.w_a / (2 * m * n), sums.w_b / (2 * m * n)
    return Pilot(auc, positive * m, negative * n, n / m)
