"""Test of two models' AUCs within groups."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..._base.documented import documented
from ..._base.text import amount, decimals_for, show_number
from ..._base.types import (
    Alternative,
    AnyArray,
    Fields,
    Integers,
    Matrix,
    NanPolicy,
    Undefined,
    Vector,
)
from ..._inference.answers import LinkedAnswers
from ..._inference.bounded import BoundedMean
from ..._inference.infer import RareDifferenceBound, ZeroVarianceBound, infer
from ..._inference.pvalues import reference_quantile
from ..._inference.status import difference_status
from ..._inference.unseen import UnseenFailures, unseen_failures
from ..._inputs.chunks.rows import Chunks
from ..._inputs.items import ItemLinks, Items
from ..._inputs.options import check_level, check_undefined, count_jobs
from ..._inputs.scores import ScoreTable
from ..._resampling.bootstrap import ByTails, Claim, as_claim
from ..._results.caution import Cautious, with_caution
from ..._results.records import ConfidenceInterval
from ..._results.two_models import Result
from ...items._mean import mean_interval_ends
from ...items._methods import Procedure, caution_sentence, differences_of, t_label
from ...items._paired import differences_test
from ...paired._columns import Ends, StudentEnds
from .._components import PairMoments
from .._delong.interaction import SubgroupDifferences, welch_omnibus
from .._delong.paired import infer_with_skewness
from .._delong.small_samples import FEW_FOR_T
from .._differences import NEARLY
from .._intervals import PAIRS, auc_intervals, unvaried_bound
from .groups import (
    FixedMoments,
    WithinGroups,
    as_weights,
    fixed_moments,
    read_within_groups,
    with_placements,
)

WEIGHTS_IN_WORDS = {
    "pairs": "weighted by pairs",
    "cases": "weighted by cases",
    "equal": "weighted equally",
}
ROUNDING = 2.0**-40  # relative error of a sum of shares
FIXED = "DeLong's test within fixed groups"


@dataclass(frozen=True, eq=False, kw_only=True)
class WithinResult:
    """Fields that all results of AUCs within groups have: groups, weights, pooled AUCs."""

    df: Any
    weights: str
    design: str
    groups: AnyArray
    group_auc: Any
    group_weight: Vector
    group_positive: Integers
    group_negative: Integers
    n_groups: int
    n_groups_dropped: int
    effective_groups: float
    n_positive: int
    n_negative: int
    n_dropped: int
    pooled_auc: Any  # a number for each model, or that of the only one
    between_auc: Any
    share_within: float
    _within: WithinGroups = field(repr=False)
    _follows_sample: ClassVar[bool] = True
    _second_picture: ClassVar[str] = "within_groups"

    def _groups_used(self) -> str:
        """Return '5 groups weighted equally, 2 of one class left out'."""
        dropped = self.n_groups_dropped
        left_out = f", {dropped} of one class left out" if dropped else ""
        return f"{amount(self.n_groups, 'group')} {WEIGHTS_IN_WORDS[self.weights]}{left_out}"

    @property
    def _units(self) -> str:
        """The units among which a model may fail: groups, or cases of the smaller class."""
        if self.design == "random":
            return "groups"
        positives, negatives = self._within.effective_class_sizes(self.weights)
        return "negative cases" if negatives < positives else "positive cases"

    def _compute_group_auc(self) -> Matrix:
        return self._within.auc

    def _compute_pooled_auc(self) -> Any:
        return self._within.pooled_auc

    def _compute_between_auc(self) -> Any:
        return self._within.between_auc

    def _compute_share_within(self) -> float:
        return self._within.share_within

    def _parts_sentence(self, pooled: str, between: str) -> str:
        """Return the sentence on the pooled AUC and the AUC between groups; '' without pairs."""
        share = self.share_within
        if not share < 1.0:
            return ""
        return (
            f" Of all pairs of a positive and a negative case {100.0 * share:.3g}% lie within "
            f"groups; {pooled}, and {between} between groups."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class WithinAUCResult(WithinResult, ByTails, Cautious, Result):
    """Result of `within_auc_test`; `estimate` is ``auc[0] - auc[1]``."""

    auc: Vector
    homogeneity_statistic: float
    homogeneity_df: tuple[float, float]
    homogeneity_pvalue: float
    _tails: Ends | None = field(repr=False)
    _letter: str = field(repr=False, default="")
    _unseen: UnseenFailures | None = field(repr=False, default=None)

    title: ClassVar[str] = "Test of two AUCs within groups"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    measure: ClassVar[str] = "AUC within groups"
    digits: ClassVar[str] = ".3f"
    _quantity: ClassVar[str] = "AUC within groups"

    @property
    def letter(self) -> str:  # type: ignore[override]
        """The name of the statistic, with its degrees of freedom."""
        return self._letter or "z"

    def _failures(self) -> UnseenFailures | None:
        """Return the failures of the leading model that a sample of this size may lack."""
        if self.design == "random" or not self.n_groups:
            return self._unseen
        cases = min(self._within.effective_class_sizes(self.weights))
        return unseen_failures(self.estimate, self.auc, cases, self.alternative, self.margin)

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the difference at this level, by the design's method."""
        if self.design == "random":
            return ByTails._ends(self, level)
        return Result._ends(self, level)

    def _wald_limits(self, tail: float) -> tuple[float, float]:
        """Return the limits with this tail beyond each."""
        assert self._tails is not None  # else the standard error is 0 or NaN
        return self._tails.low(tail), self._tails.high(tail)

    def _zero_variance_limits(self, level: float) -> tuple[float, float]:
        """Return the limits of a difference without variance, bounded if groups are scored."""
        scored = isinstance(self._tails, BoundedMean | LinkedAnswers)
        return self._ends(level) if scored else super()._zero_variance_limits(level)

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return the ends of the intervals of both models' AUCs within groups."""
        if math.isnan(self.standard_error):
            return None
        if self.design == "random":
            return limits_of_random_groups(self._within, self.weights, level)
        by_model = [fixed_moments(self._within, self.weights, model) for model in (0, 1)]
        errors = np.sqrt([each.variance for each in by_model])
        sizes = self._within.effective_class_sizes(self.weights)
        return auc_intervals(
            self.auc, errors, [sizes, sizes], level, [each.df for each in by_model]
        )

    def group_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of the difference in each group, by its cases alone.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1, of each interval.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (G,), by DeLong's variance and Student's t with
            Satterthwaite's degrees of freedom; NaN of groups with one case of a class, and where
            cases came in chunks.
        """
        level = check_level(confidence_level)
        if not self._within.cases.labels.size:
            nothing = np.full(self.n_groups, math.nan)
            return ConfidenceInterval.within(nothing, nothing, self.bounds)
        moments = fixed_moments(with_placements(self._within), self.weights, 0, 1)
        reach = np.array(
            [reference_quantile(0.5 * (1.0 - level), df) for df in moments.group_df.tolist()]
        )
        lead = self._within.differences(0, 1)
        radius = reach * np.sqrt(moments.group_variance)
        return ConfidenceInterval.within(lead - radius, lead + radius, self.bounds)

    def _summary(self) -> str:
        """Return the result in sentences fit for a paper."""
        subject = "The AUCs within groups are"
        about = f"; {self._groups_used()}"
        sentence = self._values_sentence(subject, self.auc, about)
        note = self._stated_failures() or caution_sentence(self.status, self.df)
        return f"{sentence}{self._lead_sentence()}{note}"

    def _lead_sentence(self) -> str:
        """Return the sentence with both models' AUCs over all pairs and between groups."""
        if not self.n_groups:
            return ""
        form = f".{decimals_for(self.estimate)}f"
        pooled = self._beside_names(*(show_number(auc, form) for auc in self.pooled_auc))
        between = self._beside_names(*(show_number(auc, form) for auc in self.between_auc))
        return self._parts_sentence(f"the AUCs over all pairs are {pooled}", between)


@documented
def within_auc_test(
    y_true: ArrayLike | Chunks,
    y_score_a: ScoreTable | None = None,
    y_score_b: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    *,
    weights: str = "auto",
    design: str = "random",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> WithinAUCResult:
    """Test of two models' AUCs within groups: users, queries, sessions, centres, matched sets.

    Only cases of one group are compared with each other, as where a model ranks what each user
    sees. The AUC over all cases also rewards knowing which users have more positives; which model
    is better may differ between the two.

    Parameters
    ----------
    y_true : array-like of shape (n,), or chunks
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, alone, chunks with
        labels, scores and groups: ``scan_parquet(path, label=..., scores=[...], groups=...)``, or
        tuples (y_true, y_score_a, y_score_b, groups). Rows of a group may lie anywhere.
    y_score_a, y_score_b : array-like of shape (n,)
        The two models' scores of the same cases; a higher score means more likely positive. A data
        frame or mapping with two columns may replace both, with `y_score_b` None.
    weights : {'auto', 'pairs', 'cases', 'equal'}, default='auto'
        Weight of a group of m positives and n negatives: m n (the AUC is then the probability that
        a random pair of one group is in order), m + n (known as GAUC), or 1 (the AUC of a mean
        group). 'auto' is 'equal' for random groups, each of which is one of the sample, and 'pairs'
        for fixed ones.
    design : {'random', 'fixed'}, default='random'
        'random': the groups are a sample, and the result is about other groups, too (users,
        queries). 'fixed': the result is about these groups (the five centres of a study), whose
        cases are a sample.
    groups : array-like of shape (n,)
        Group of each case, labels of any type. Groups of one class are left out and counted.
    margin : float, default=0.0
        As in `delong_test`, below 1.

    Returns
    -------
    WithinAUCResult
        With ``auc`` (2,), ``estimate`` (AUC_a - AUC_b), ``standard_error``, ``df``, ``statistic``,
        ``pvalue``, ``log_pvalue``; of the G groups used ``groups`` (their labels), ``group_auc``
        (G, 2), ``group_weight`` (sum 1), ``group_positive`` and ``group_negative``; ``n_groups``,
        ``n_groups_dropped``, ``effective_groups`` (Kish), ``n_positive`` and ``n_negative`` of the
        groups used, ``n_dropped``; ``pooled_auc`` (2,) over all pairs of cases, ``between_auc``
        (2,) over pairs of different groups, ``share_within`` (the share of the others); for fixed
        groups ``homogeneity_statistic``, ``homogeneity_df`` and ``homogeneity_pvalue`` of the test
        that the difference is the same in all groups; ``method``, ``status``,
        ``confidence_interval(confidence_level)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        'one_class_groups', if no group has both classes; 'one_group', if only one has, for random
        groups; 'too_few', if variances of fixed groups are unknown; without a margin
        'zero_variance', if the variance is 0, but the difference is not.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom: few groups, or few with most
        of the weight. 'small_sample' and 'unseen_failures' as in `paired_mean_test` for random and
        as in `delong_test` for fixed groups.

    See Also
    --------
    within_auc_interval : The AUC within groups of one model.
    within_auc_pairwise_test : All pairs of several models.
    delong_test : The AUC over all cases, with `groups` as clusters.
    delong_interaction_test : Whether the difference varies between groups.

    Notes
    -----
    With w_g the weight of group g, W their sum, and d_g the difference of its AUCs::

        estimate = sum w_g d_g / W

    Random groups are the items of `paired_mean_test` with these as ``sample_weight``: with p_g =
    w_g / W, SE^2 = sum c_g p_g^2 (d_g - estimate)^2, where c_g = 1 / (1 - 2 p_g + sum p^2) (CR2),
    Student's t with Satterthwaite's degrees of freedom, and Hall's correction for skewness. The
    delta method without c_g rejects 94% of true null hypotheses at the 5% level where one of 30
    users has half of the cases and pairs are the weights. Of weights by pairs or cases few groups
    may have nearly all; then 'few_clusters' warns, and the test rejects rarely.

    Fixed groups: SE^2 = sum w_g^2 V_g / W^2 with DeLong's variance V_g in group g, Student's t with
    Satterthwaite's degrees of freedom over the classes of all groups, and `delong_test`'s
    correction for skewness. With one group the result is that of ``delong_test(reference="t")``.
    The variance of a class's only case is taken over all groups with such a case, which is too
    large rather than too small. The test of homogeneity is that of `delong_interaction_test`, over
    groups with two cases of each class at least.

    Pairs of cases lie within groups or between them, so ``pooled_auc`` is the mean of the AUC
    within groups (weighted by pairs) and of ``between_auc``, with weights ``share_within`` and its
    rest. Type I error rates and power are in docs/evidence/auc_within.md.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] H. Janes, M. S. Pepe (2009), doi:10.1093/biomet/asp002.
    .. [3] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> user = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]
    >>> click = [0, 1, 0, 1, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1]
    >>> a = [2, 5, 1, 4, 1, 3, 2, 2, 6, 5, 4, 8, 2, 1, 3, 0, 7, 3, 5, 4]
    >>> b = [1, 1, 2, 3, 0, 2, 1, 2, 8, 7, 9, 7, 1, 2, 0, 3, 6, 4, 6, 7]
    >>> result = fc.within_auc_test(click, a, b, user)
    >>> result.auc.round(4).tolist(), round(result.pvalue, 4)
    ([0.85, 0.4667], 0.2384)
    """
    check_undefined(on_undefined)
    weights = as_weights(weights, design)
    claim = as_claim(alternative, margin, 1.0)
    jobs = count_jobs(n_jobs)
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    grouped = read_within_groups(y_true, scores, groups, design, (pos_label, nan_policy), jobs)
    if not grouped.labels.size:
        test = undefined_test(claim)
    else:
        test = (random_test if design == "random" else fixed_test)(grouped, weights, claim)
    result = WithinAUCResult.from_fields(
        **UNDEFINED_HOMOGENEITY | group_fields(grouped, weights) | test,
        names=grouped.names,
        design=design,
    )
    return with_caution(result, on_undefined, equal_weights_hint(grouped, weights, result.status))


def equal_weights_hint(grouped: WithinGroups, weights: str, status: str) -> str:
    """Return the end of a 'few_clusters' warning: equal weights, if these have enough groups."""
    if status != "few_clusters" or weights == "equal" or grouped.labels.size <= FEWEST_GROUPS:
        return ""
    return ": few groups have most of the weight; weights='equal' gives all groups the same weight"


FEWEST_GROUPS = 5  # up to which equal weights have few degrees of freedom, too
UNDEFINED_HOMOGENEITY = {  # of random groups, which are not tested for it
    "homogeneity_statistic": math.nan,
    "homogeneity_df": (math.nan, math.nan),
    "homogeneity_pvalue": math.nan,
}


def group_fields(grouped: WithinGroups, weights: str) -> Fields:
    """Return the fields of a `WithinResult`, which do not depend on the test."""
    share = grouped.relative_weights(weights)
    return Fields(
        weights=weights,
        groups=grouped.labels,
        group_weight=share,
        group_positive=grouped.positives,
        group_negative=grouped.negatives,
        n_groups=share.size,
        n_groups_dropped=grouped.n_groups_dropped,
        effective_groups=1.0 / float(share @ share) if share.size else 0.0,
        n_positive=int(grouped.positives.sum()),
        n_negative=int(grouped.negatives.sum()),
        n_dropped=grouped.n_dropped,
        _within=grouped,
    )


def undefined_test(claim: Claim) -> Fields:
    """Return the fields of a test where no group has both classes."""
    return Fields(
        **infer(math.nan, math.nan, *claim, df=math.nan),
        auc=np.full(2, math.nan),
        df=math.nan,
        method=FIXED,
        status="one_class_groups",
        _tails=None,
    )


def group_items(grouped: WithinGroups, weights: str) -> Items:
    """Return the groups as items whose scores are the models' AUCs, with the groups' weights."""
    links = ItemLinks(grouped.labels.size, grouped.weights_of_groups(weights))
    return Items(grouped.auc, grouped.names, links, width=1.0)


def limits_of_random_groups(
    grouped: WithinGroups, weights: str, level: float
) -> tuple[Vector, Vector]:
    """Return the two-sided limits of the models' AUCs, each as by `within_auc_interval`.

    NaN where a model's AUCs do not vary among groups and are not all 0 or 1.
    """
    items = group_items(grouped, weights)
    low, high = np.full((2, len(items.names)), math.nan)
    if items.links.n == 0:
        return low, high
    for j, (name, aucs) in enumerate(zip(items.names, items.scores.T, strict=True)):
        of_model = items._replace(scores=aucs[:, None], names=(name,))
        ends = mean_interval_ends(differences_of(of_model, aucs, None), "auto")
        if ends is not None:
            tail = 0.5 * (1.0 - level)
            low[j], high[j] = max(ends.low(tail), 0.0), min(ends.high(tail), 1.0)
    return low, high


def random_test(grouped: WithinGroups, weights: str, claim: Claim) -> Fields:
    """Return the fields of the test of random groups: the paired t-test of weighted items."""
    items = group_items(grouped, weights)
    differences = differences_of(items, grouped.differences(0, 1), None)
    test = differences_test(differences, Procedure("auto", claim, None))
    if test["status"] == "one_case":  # an item is a group here
        test["status"] = "one_group"
    test["method"] += " of groups' AUCs"
    if isinstance(test["_unvaried"], ZeroVarianceBound):
        test["_unvaried"] = test["_unvaried"]._replace(name="groups")
    means = differences.design.means(items.scores)
    return Fields(**test, auc=means, df=differences.mean.df)


def fixed_test(grouped: WithinGroups, weights: str, claim: Claim) -> Fields:
    """Return the fields of the test of fixed groups, by DeLong's variance within each."""
    moments = fixed_moments(grouped, weights, 0, 1)
    share = grouped.relative_weights(weights)
    auc = share @ grouped.auc
    estimate = float(share @ grouped.differences(0, 1))
    sizes = grouped.effective_class_sizes(weights)
    no_covariance = np.empty((2, 2))  # not read
    pair = PairMoments(auc, no_covariance, estimate, moments.variance, moments.df, moments.skewness)
    independent = grouped.independent_pairs(weights)
    unvaried: ZeroVarianceBound | RareDifferenceBound = unvaried_bound(independent, independent)
    status = fixed_status(grouped, moments, estimate, auc, claim.margin)
    rare = rare_differences_within(grouped, weights) if claim.margin else None
    if rare and moments.variance > 0.0:
        unvaried = rare
        status = "nearly_alike" if status == "ok" else status
    test, tails = infer_with_skewness(pair, *claim, unvaried, min(sizes))
    error = test["standard_error"]
    return Fields(
        **test,
        **homogeneity_fields(grouped, moments),
        auc=auc,
        df=moments.df,
        method=f"{FIXED} with Hall's correction for skewness" if tails else FIXED,
        status=status,
        _letter=t_label(moments.df) if moments.df < math.inf else "t",
        _tails=tails or (StudentEnds(estimate, error, moments.df) if error > 0.0 else None),
    )


def fixed_status(
    grouped: WithinGroups, moments: FixedMoments, estimate: float, auc: Vector, margin: float
) -> str:
    """Return the status word of a difference over fixed groups."""
    if math.isnan(moments.variance):
        return "too_few"
    m, n = int(grouped.positives.sum()), int(grouped.negatives.sum())
    return difference_status(m, n, moments.variance, estimate, auc.tolist(), FEW_FOR_T, margin)


def rare_differences_within(grouped: WithinGroups, weights: str) -> RareDifferenceBound | None:
    """Return the bound by rare differences, as `rare_differences`; None unless most barely move.

    A case has the relative weight of its group, divided by its class's size in the group.
    """
    placed, starts = grouped.cases.placed, grouped.cases.starts
    assert placed is not None
    group = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    positive = grouped.cases.labels[: group.size] == 1
    class_sizes = np.where(positive, grouped.positives[group], grouped.negatives[group])
    other_sizes = np.where(positive, grouped.negatives[group], grouped.positives[group])
    moves = placed[0].astype(np.int64) - placed[1]
    share = grouped.relative_weights(weights)[group] / class_sizes
    near = share * (np.abs(moves) <= np.floor(2.0 * NEARLY * other_sizes))
    if max(float(near[positive].sum()), float(near[~positive].sum())) <= 0.5 * (1.0 + ROUNDING):
        return None
    units = math.floor(min(grouped.effective_class_sizes(weights)) * (1.0 + ROUNDING))
    changes = share * moves / (2.0 * other_sizes)
    classes = (changes[positive], changes[~positive])
    gains = units * max(float(np.maximum(of_class, 0.0).sum()) for of_class in classes)
    losses = units * max(float(np.maximum(-of_class, 0.0).sum()) for of_class in classes)
    return RareDifferenceBound(units, losses, gains, PAIRS)


def homogeneity_fields(grouped: WithinGroups, moments: FixedMoments) -> Fields:
    """Return the fields of the test that fixed groups have equal differences.

    Over groups with a variance; NaN for fewer than two of these.
    """
    tested = np.flatnonzero(~np.isnan(moments.group_variance))
    if tested.size < 2:
        return Fields(UNDEFINED_HOMOGENEITY)
    leads = SubgroupDifferences(
        pairs=[],
        lead=grouped.differences(0, 1)[tested],
        variance=moments.group_variance[tested],
        df=moments.group_df[tested],
        status=["ok"] * tested.size,
    )
    test = welch_omnibus(leads)
    return Fields(
        homogeneity_statistic=test.statistic,
        homogeneity_df=test.df,
        homogeneity_pvalue=test.p.pvalue,
    )
