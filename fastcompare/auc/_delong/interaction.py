"""Whether one model's lead over another, in AUC, differs between subgroups of the cases.

Subgroups have no case in common, so their leads d_g = AUC_a - AUC_b are independent, each with
DeLong's variance v_g and its degrees of freedom f_g. Two leads are compared by

    t = (d_1 - d_2) / sqrt(v_1 + v_2),    df = (v_1 + v_2)^2 / (v_1^2 / f_1 + v_2^2 / f_2)

and G leads by Welch's (1951) test of means with unequal variances, w_g = 1 / v_g, d = sum w_g d_g /
sum w_g:

    F = (sum w_g (d_g - d)^2 / (G - 1)) / (1 + 2 (G - 2) L / (G^2 - 1)),    df = G - 1, 1 / (3 L /
    (G^2 - 1)),    L = sum (1 - w_g / sum w)^2 / f_g

which is the square of t for G = 2. With all f_g infinite, (G - 1) F is chi-squared (Cochran 1954).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.text import VERDICTS, join_names, show_number
from ..._base.types import Alternative, Fields, Matrix, NanPolicy, Undefined, Vector
from ..._inference.infer import OmnibusOutcome, ZeroVarianceBound, infer
from ..._inference.pvalues import CERTAIN, UNDEFINED, chi2_pvalue, f_pvalue
from ..._inference.status import FEW_CASES, sample_status, unvaried_status, warn_status
from ..._inference.unseen import UnseenFailures, unseen_failures
from ..._inputs.chunks.groups import Subgroups, as_subgroups
from ..._inputs.options import check_reference, check_two_claims, check_undefined, count_jobs
from ..._inputs.scores import UNNAMED, ScoreTable
from ..._resampling.bootstrap import Claim, as_claim
from ..._results.caution import UNSEEN, Cautious, with_caution
from ..._results.presentation import replace_fields
from ..._results.records import OmnibusResult
from ..._results.samples import UNNAMED_MODELS
from ..._results.two_models import StudentResult, TwoModels
from .._intervals import PAIRS, unvaried_bound
from .design import Pair, effective_sizes, pair_of_cases
from .small_samples import FEW_FOR_T, uses_student_t

UNDEFINED_VARIANCE = ("one_class", "too_few", "too_few_clusters")  # statuses of subgroups


class SubgroupDifferences(NamedTuple):
    """AUC_a - AUC_b of each subgroup (`lead`), with its variance, df and status word."""

    pairs: list[Pair]
    lead: Vector
    variance: Vector
    df: Vector
    status: list[str]

    @property
    def worst_status(self) -> str:
        """The worst status word of a subgroup: an undefined variance first, then few cases."""
        undefined = [word for word in self.status if word in UNDEFINED_VARIANCE]
        cautions = [word for word in self.status if word != "ok"]
        return next(iter(undefined or cautions), "ok")

    @property
    def zero_variance_bound(self) -> ZeroVarianceBound:
        """The bound for leads without variance, by the units of the smallest subgroup.

        A difference of two leads is at least -2.
        """
        bounds = (p.design.unvaried or unvaried_bound(p.m, p.n) for p in self.pairs)
        return ZeroVarianceBound(min(bound.units for bound in bounds), 2.0, PAIRS)


def subgroup_differences(subgroups: Subgroups, reference: str, n_jobs: int) -> SubgroupDifferences:
    """Return the leads of all subgroups; their df are infinite unless the test takes Student's t.

    'auto' takes it if the smallest class of any subgroup has few cases.
    """
    first = subgroups.cases[0]  # all have weights or clusters of the same kind
    kind = f"{first.weight_kind} weights" if first.weight_kind else "independent"
    kind = "clusters" if first.groups is not None else kind
    fewest = min(min(effective_sizes(cases)) for cases in subgroups.cases)
    chosen = "t" if uses_student_t(reference, kind, fewest) else "normal"
    pairs = [pair_of_cases(cases, "auto", n_jobs, chosen) for cases in subgroups.cases]
    few = FEW_FOR_T if chosen == "t" else FEW_CASES
    status = [pair.design.status(sample_status(pair.m, pair.n, few), few) for pair in pairs]
    lead = np.array([pair.moments.estimate for pair in pairs])
    variance = np.array([pair.moments.variance for pair in pairs])
    df = np.array([pair.moments.df for pair in pairs])
    variance[[word in UNDEFINED_VARIANCE for word in status]] = math.nan
    return SubgroupDifferences(pairs, lead, variance, df, status)


NO_DIFFERENCE = "the {quantity} does not differ significantly between {both}"
BETWEEN = {  # subgroups: where the test rejects, and where it does not
    "two-sided": (
        "the {quantity} is significantly {more} in {better} than in {worse}",
        NO_DIFFERENCE,
    ),
    "any": ("the {quantity} differs significantly between {both}", NO_DIFFERENCE),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class Interaction:
    """Fields of the tests of two and of several subgroups; arrays have an entry per subgroup."""

    names: tuple[str, ...]
    models: tuple[str, str]
    lead: Vector
    lead_standard_error: Vector
    lead_df: Vector
    auc: Matrix
    n_positive: tuple[int, ...]
    n_negative: tuple[int, ...]
    status: str
    method: str
    n_dropped: int

    _verdicts: ClassVar[Mapping[str, tuple[str, str]]] = VERDICTS | BETWEEN
    _follows_sample: ClassVar[bool] = True

    @property
    def _sample_names(self) -> tuple[str, ...]:
        """The subgroups as a summary names them."""
        return tuple(f"subgroup {name}" for name in self.names)

    @property
    def _quantity(self) -> str:
        """What is compared between subgroups: 'difference in AUC between A and B'."""
        unnamed = "the first model", "the second"
        first, second = unnamed if self.models == UNNAMED else self.models
        return f"difference in AUC between {first} and {second}"

    def _stated_leads(self) -> str:
        """Return the beginning of a sentence with the lead in each subgroup."""
        leads = [
            f"{show_number(d)} ({name})" for name, d in zip(self.names, self.lead, strict=True)
        ]
        return f"The {self._quantity} is {join_names(leads, 6)}"


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongInteractionResult(Cautious, Interaction, StudentResult):  # type: ignore[override]
    """Result of `delong_interaction_test` (two subgroups); `estimate` is ``lead[0] - lead[1]``."""

    names: tuple[str, str]
    title: ClassVar[str] = "Test that the difference in AUC varies between two subgroups"
    bounds: ClassVar[tuple[float, float]] = (-2.0, 2.0)
    digits: ClassVar[str] = ".3f"

    def _verdict(self) -> str:
        """Return the beginning of the summary: which subgroup has the larger lead."""
        first, second = self.names
        named = replace_fields(self, {"names": (f"subgroup {first}", f"subgroup {second}")})
        verdict = TwoModels._verdict(named)
        return f"{verdict[:1].upper()}{verdict[1:]}"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"{self._stated_leads()}, a difference of {show_number(self.estimate)} "
            f"({self._interval_text()}; {self.method}{self._hypothesis_text()}, "
            f"{self._evidence()}).{self._stated_failures()}"
        )

    @property
    def _failing(self) -> tuple[int, UnseenFailures]:
        """The subgroup (0 or 1) where unseen failures explain the difference, and these failures.

        They are those of the leading model in the first, or of the other model in the second
        subgroup, whichever are more probable.
        """
        claim = self.alternative, self.margin
        failures = []
        for at, sizes in enumerate(zip(self.n_positive, self.n_negative, strict=True)):
            aucs = self.auc[at] if at == 0 else self.auc[at][::-1]
            failures.append(unseen_failures(self.estimate, aucs, min(sizes), *claim))
        in_first, in_second = failures
        if in_second.probability > in_first.probability:
            return 1, in_second
        return 0, in_first

    def _failures(self) -> UnseenFailures:
        """Return the failures that a sample of this size may lack, in the likelier subgroup."""
        _, failures = self._failing
        return failures

    @property
    def _units(self) -> str:
        """The cases among which a model may fail: the smaller class of the likelier subgroup."""
        at, _ = self._failing
        fewer = "negative" if self.n_negative[at] < self.n_positive[at] else "positive"
        return f"{fewer} cases of {self.names[at]}"

    def _stated_failures(self) -> str:
        """Return the sentence about unseen failures, if the status says so."""
        if self.status != UNSEEN:
            return ""
        at, failures = self._failing
        models = UNNAMED_MODELS if self.models == UNNAMED else self.models
        models = models if at == 0 else models[::-1]
        return f" {failures.sentence(models, self._units)}"


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongInteractionOmnibusResult(Interaction, OmnibusResult):  # type: ignore[override]
    """Result of `delong_interaction_test` for three or more subgroups."""

    title: ClassVar[str] = "Test that the difference in AUC varies between subgroups"

    _things: ClassVar[str] = "subgroups"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return f"{self._stated_leads()} ({self.method}, {self._evidence()})."


@documented
def delong_interaction_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None,
    subgroup: ArrayLike,
    *,
    reference: str = "auto",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> DeLongInteractionResult | DeLongInteractionOmnibusResult:
    """Test whether the difference in AUC between two models varies across subgroups.

    It tests the interaction, a difference of differences: that one difference is significant and
    another is not does not show that they differ.

    Parameters
    ----------
    y_score_b : array-like of shape (n,) or None
        Scores of the second model; None if `y_score_a` is a data frame or mapping with both.
    subgroup : array-like of shape (n,)
        Subgroup of each case (sex, hospital, age group), labels of any type. Subgroups are in the
        order of their sorted labels.
    reference : {'auto', 'normal', 't'}, default='auto'
        As in `delong_test`, decided by the smallest class of any subgroup; for three or more
        subgroups 'normal' is chi-squared and 't' is Welch's F.
    groups : array-like of shape (n,), optional
        Cluster of each case, as in `delong_test`; all cases of a cluster must be in one subgroup.
        Not together with weights.
    alternative : {'two-sided', 'less', 'greater', 'equivalence'}, default='two-sided'
        'greater': the difference in AUC is larger in the first subgroup than in the second;
        'equivalence': these differ by less than `margin`. Only for two subgroups.
    margin : float, default=0.0
        As in `delong_test`, below 2; only for two subgroups.

    Returns
    -------
    DeLongInteractionResult or DeLongInteractionOmnibusResult
        With ``names`` of the subgroups (G,), ``models``, ``lead`` (AUC_a - AUC_b in each),
        ``lead_standard_error``, ``lead_df``, ``auc`` (G, 2), ``n_positive``, ``n_negative``,
        ``statistic``, ``df``, ``pvalue``, ``log_pvalue``, ``method``, ``status``. For two subgroups
        also ``estimate`` (first lead minus second), ``standard_error`` and
        ``confidence_interval(confidence_level)``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing in a subgroup, has one case or is in one cluster; if all variances are
        0, but the leads differ.
    SmallSampleWarning
        'small_sample' and 'few_clusters' as in `delong_test`, if they hold for any subgroup.

    See Also
    --------
    delong_test : The difference in AUC in all cases, or in one subgroup.

    Notes
    -----
    Subgroups share no case, so their differences d_g with DeLong's variances v_g are independent.
    Two subgroups: t = (d_1 - d_2) / sqrt(v_1 + v_2) with Satterthwaite's degrees of freedom from
    the classes of both subgroups. More, with w_g = 1 / v_g and d the mean weighted by w_g::

        chi^2 = sum of w_g (d_g - d)^2    with G - 1 degrees of freedom

    and with few cases Welch's F, which is t squared for two subgroups. Differences without variance
    (of models that rank a subgroup identically) get all the weight and must be equal.
    `delong_test`'s correction for skewness is not applied here.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] B. L. Welch (1951), doi:10.1093/biomet/38.3-4.330.
    .. [3] D. G. Altman, J. M. Bland (2003), doi:10.1136/bmj.326.7382.219.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> half = np.where(np.arange(len(data.y_true)) % 2, "odd", "even")
    >>> a, b = data.scores["logistic_regression"], data.scores["naive_bayes"]
    >>> result = fc.delong_interaction_test(data.y_true, a, b, half)
    >>> result.lead.round(4).tolist(), round(result.pvalue, 4)
    ([0.026, 0.0252], 0.9575)
    """
    check_undefined(on_undefined)
    claim = as_claim(alternative, margin, 2.0)
    check_reference(reference)
    jobs = count_jobs(n_jobs)
    subgroups = as_subgroups(
        y_true,
        y_score_a,
        y_score_b,
        subgroup,
        pos_label=pos_label,
        nan_policy=nan_policy,
        groups=groups,
        sample_weight=sample_weight,
        frequency_weight=frequency_weight,
    )
    check_two_claims(len(subgroups.names), *claim)
    leads = subgroup_differences(subgroups, reference, jobs)
    if len(subgroups.names) == 2:
        both = two_subgroup_test(subgroups, leads, claim)
        return with_caution(both, on_undefined, status_location(both.status, subgroups, leads))
    several = several_subgroup_test(subgroups, leads)
    warn_status(several.status, on_undefined, status_location(several.status, subgroups, leads))
    return several


def status_location(status: str, subgroups: Subgroups, leads: SubgroupDifferences) -> str:
    """Return the end of a warning: ' (subgroup a, b)', those with this status, or nothing."""
    named = [
        name for name, word in zip(subgroups.names, leads.status, strict=True) if word == status
    ]
    return f" (subgroup {join_names(named, 3)})" if named else ""


def shared_fields(subgroups: Subgroups, leads: SubgroupDifferences) -> Fields:
    """Return the fields that results of two and of several subgroups share."""
    return Fields(
        names=subgroups.names,
        models=subgroups.models,
        lead=leads.lead,
        lead_standard_error=np.sqrt(leads.variance),
        lead_df=leads.df,
        auc=np.array([pair.moments.auc for pair in leads.pairs]),
        n_positive=tuple(pair.m for pair in leads.pairs),
        n_negative=tuple(pair.n for pair in leads.pairs),
        n_dropped=subgroups.n_dropped,
    )


def two_subgroup_test(
    subgroups: Subgroups, leads: SubgroupDifferences, claim: Claim
) -> DeLongInteractionResult:
    """Return the test that two subgroups have the same lead."""
    first, second = leads.lead.tolist()
    estimate = first - second
    error = math.sqrt(leads.variance.sum())
    status = leads.worst_status
    if error == 0.0:
        status = unvaried_status(estimate, claim.margin)
    df = summed_df(leads.variance, leads.df)
    return DeLongInteractionResult(
        **infer(estimate, error, *claim, df=df, unvaried=leads.zero_variance_bound),
        **shared_fields(subgroups, leads),
        df=df,
        method=f"difference of two leads, {leads.pairs[0].design.title}",
        status=status,
    )


def summed_df(variance: Vector, df: Vector) -> float:
    """Return Satterthwaite's degrees of freedom of a sum of variances that have `df` each.

    NaN if no variance is above 0.
    """
    varies = variance > 0.0
    if not varies.any():
        return math.nan
    if np.isinf(df[varies]).all():
        return math.nan if np.isnan(df).any() else math.inf
    return float(variance[varies].sum() ** 2 / np.sum(variance[varies] ** 2 / df[varies]))


def several_subgroup_test(
    subgroups: Subgroups, leads: SubgroupDifferences
) -> DeLongInteractionOmnibusResult:
    """Return the omnibus test that three or more subgroups have the same lead."""
    test = welch_omnibus(leads)
    name = "Welch's F" if isinstance(test.df, tuple) else "Cochran's chi-squared"
    return DeLongInteractionOmnibusResult(
        **shared_fields(subgroups, leads),
        **test.fields(),
        method=f"{name} of leads, {leads.pairs[0].design.title}",
    )


def welch_omnibus(leads: SubgroupDifferences) -> OmnibusOutcome:
    """Return Welch's F test that all leads are equal, or Cochran's chi-squared if all df are inf.

    Leads without variance have all the weight; they must be equal.
    """
    lead, variance, df, status = leads.lead, leads.variance, leads.df, leads.worst_status
    student = not np.isinf(df).all()
    top = len(lead) - 1

    def undefined(word: str) -> OmnibusOutcome:
        return OmnibusOutcome(math.nan, (top, math.nan) if student else top, UNDEFINED, word)

    if status in UNDEFINED_VARIANCE:
        return undefined(status)
    constant = variance == 0.0
    if constant.any() and np.ptp(lead[constant]) > 0.0:
        return undefined("zero_variance")
    rank = len(lead) - max(int(constant.sum()), 1)
    if not rank:
        return OmnibusOutcome(0.0, (0, math.nan) if student else 0, CERTAIN, "identical")
    weight = 1.0 / variance[~constant]
    mean = lead[constant][0] if constant.any() else np.sum(weight * lead) / weight.sum()
    chi2 = float(np.sum(weight * np.square(lead[~constant] - mean)))
    if not student:
        return OmnibusOutcome(chi2, rank, chi2_pvalue(chi2, rank), status)
    share = np.zeros(weight.size) if constant.any() else weight / weight.sum()
    imbalance = float(np.sum(np.square(1.0 - share) / df[~constant])) / (rank * (rank + 2.0))
    f = chi2 / rank / (1.0 + 2.0 * (rank - 1.0) * imbalance)  # Welch (1951), G being rank + 1
    second = 1.0 / (3.0 * imbalance) if imbalance > 0.0 else math.inf
    return OmnibusOutcome(f, (rank, second), f_pvalue(f, rank, second), status)
