"""Tests of k models' AUCs within groups: every pair, or all at once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented
from ..._base.text import ends_of_range
from ..._base.types import (
    Direction,
    Fields,
    NanPolicy,
    Undefined,
    Vector,
)
from ..._inference.clusters import FEWEST_DF
from ..._inference.corrections.adjust import as_joint_claims, resolve_auto_correction
from ..._inference.corrections.pairs import check_models
from ..._inference.infer import OmnibusOutcome
from ..._inference.mean_pairs import PairMeans
from ..._inference.means import mean_design
from ..._inference.pvalues import CERTAIN, UNDEFINED, f_pvalue
from ..._inference.skewness import Skewness
from ..._inference.status import warn_status
from ..._inference.unseen import UnseenFailures, allowed_failures, unseen_failures
from ..._inputs.chunks.rows import Chunks
from ..._inputs.options import check_undefined, count_jobs
from ..._inputs.scores import ScoreTable
from ..._results.caution import with_pair_caution
from ..._results.records import OmnibusResult
from ...items._covariance import anova, huynh_feldt_epsilon
from ...items._methods import max_t_caution
from ...items._pairwise import (
    MethodWeightsSamples,
    PairsOfMeans,
    knows_correlations,
    pair_mean_fields,
    with_doubt_status,
)
from .._intervals import auc_intervals
from .groups import FixedCovariance, WithinGroups, as_weights, fixed_covariance, read_within_groups
from .paired import (
    FIXED,
    WithinResult,
    fixed_status,
    group_fields,
    group_items,
    limits_of_random_groups,
)

RANDOM = "paired t-test of groups' AUCs"
ANOVA = "repeated-measures ANOVA of groups' AUCs"
ANOVA_TYPE = "ANOVA-type test within fixed groups"


@dataclass(frozen=True, eq=False, kw_only=True)
class WithinAUCPairwiseResult(WithinResult, PairsOfMeans):
    """Result of `within_auc_pairwise_test`; arrays over P = k (k - 1) / 2 pairs, in row order."""

    auc: Vector
    _fixed: FixedCovariance | None = field(repr=False, default=None)

    title: ClassVar[str] = "Tests of all pairs of AUCs within groups"
    quantity: ClassVar[str] = "AUC within groups"
    _claim: ClassVar[str] = "has a {more} AUC within groups than"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    _presented: ClassVar[str] = "auc"

    @property
    def auc_standard_error(self) -> Vector:
        """Standard errors (k,) of the AUCs within groups."""
        covariance = self._pair_means.covariance
        assert covariance is not None
        return np.asarray(np.sqrt(np.maximum(np.diag(covariance), 0.0)))

    def _failures(self) -> UnseenFailures | None:
        """Return the failures of each pair that a sample of this size may lack."""
        if self.design == "random" or not self.n_groups:
            return self._unseen
        first, second = self._cells()
        aucs = (self.auc[first], self.auc[second])
        cases = min(self._within.effective_class_sizes(self.weights))
        return unseen_failures(self.estimate, aucs, cases, self.alternative)

    def _compute_method(self) -> NDArray[np.str_]:
        return np.full(self.estimate.shape, RANDOM if self.design == "random" else FIXED)

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return the ends of the intervals of the models' AUCs within groups."""
        if self._fixed is None:
            return limits_of_random_groups(self._within, self.weights, level)
        sizes = [self._within.effective_class_sizes(self.weights)] * self.auc.size
        dfs = [moments.df for moments in self._fixed.models]
        return auc_intervals(self.auc, self.auc_standard_error, sizes, level, dfs)

    def _summary(self) -> str:
        """Return the result in sentences of plain words, at the level `alpha` (5%)."""
        note = max_t_caution(float(np.min(self.df)), len(self.names))
        joint = note if self.correction in ("max-t", "step-down") else ""
        used = self._groups_used()
        return f"{super()._summary()} There were {used}.{joint}{self._stated_failures()}"


@documented
def within_auc_pairwise_test(
    y_true: ArrayLike | Chunks,
    scores: ScoreTable | None = None,
    groups: ArrayLike | None = None,
    *,
    weights: str = "auto",
    design: str = "random",
    alternative: Direction = "two-sided",
    correction: str = "auto",
    alpha: float = 0.05,
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> WithinAUCPairwiseResult:
    """Compare k models' AUCs within groups in pairs, with adjusted p-values.

    Each pair is compared by `within_auc_test`.

    Parameters
    ----------
    y_true : array-like of shape (n,), or a scan
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, alone, a scan of
        labels, scores and groups as in `within_auc_test`.
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model, at least two; column names become model names.
    weights : {'auto', 'pairs', 'cases', 'equal'}, default='auto'
        Weight of a group, as in `within_auc_test`.
    design : {'random', 'fixed'}, default='random'
        Whether the groups are a sample ('random'), or only the cases in them are ('fixed').
    groups : array-like of shape (n,)
        Group of each case, labels of any type. Groups of one class are left out and counted.
    correction : str, default='auto'
        Adjustment for multiple comparisons, as in `mean_pairwise_test`.

    Returns
    -------
    WithinAUCPairwiseResult
        With ``names`` and ``auc`` (k,), ``pairs`` (P names), and of shape (P,) ``estimate``,
        ``standard_error``, ``df`` (one number for random groups), ``statistic``, ``pvalue``,
        ``log_pvalue``, ``adjusted_pvalue``, ``method``, ``status``; the groups as in
        `within_auc_test`; ``cliques``, ``confidence_interval(confidence_level,
        simultaneous=False)``, ``matrix(field)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        As in `within_auc_test`, naming the pairs.
    SmallSampleWarning
        'few_clusters', 'small_sample' and 'unseen_failures' as in `within_auc_test`.

    See Also
    --------
    within_auc_test : Two models.
    within_auc_omnibus_test : Whether any models differ.

    Notes
    -----
    Random groups are the items of `mean_pairwise_test` with the groups' weights as
    ``sample_weight``. The covariance of fixed groups is the weighted sum of DeLong's in each.

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(0)
    >>> user, click = np.arange(240) % 24, np.arange(240) % 5 < 2
    >>> scores = {"A": click + rng.normal(size=240), "B": click + 2 * rng.normal(size=240),
    ...           "C": rng.normal(size=240)}
    >>> result = fc.within_auc_pairwise_test(click, scores, user)
    >>> result.auc.round(3).tolist()
    [0.747, 0.594, 0.444]
    """
    check_undefined(on_undefined)
    weights = as_weights(weights, design)
    claims = as_joint_claims(alternative, correction, alpha)
    jobs = count_jobs(n_jobs)
    grouped = read_within_groups(
        y_true, {"scores": scores}, groups, design, (pos_label, nan_policy), jobs
    )
    check_models(len(grouped.names), claims.correction)
    way = random_pairs if design == "random" and grouped.labels.size else fixed_pairs
    fields = way(grouped, weights)
    joint = knows_correlations("auto", fields["df"], len(grouped.names))
    result = WithinAUCPairwiseResult.from_fields(
        **fields,
        **group_fields(grouped, weights),
        **resolve_auto_correction(claims, joint, transitive=True)._asdict(),
        names=grouped.names,
        design=design,
        _method_weights_samples=MethodWeightsSamples("auto", weights != "equal", np.ones(1)),
        _unvaried=None,
    )
    if design == "random" and grouped.labels.size:
        items = group_items(grouped, weights)
        result = with_doubt_status(result, items, mean_design(items.links))
    return with_pair_caution(result, on_undefined)


def random_pairs(grouped: WithinGroups, weights: str) -> Fields:
    """Return the fields of tests of all pairs over random groups, as weighted items."""
    items = group_items(grouped, weights)
    fields: Fields = pair_mean_fields(items, mean_design(items.links), False, "auto")
    status = np.where(fields["status"] == "one_case", "one_group", fields["status"])
    names = ("estimate", "standard_error", "df", "_pair_means")
    return Fields({name: fields[name] for name in names}, auc=fields["means"], status=status)


def fixed_pairs(grouped: WithinGroups, weights: str) -> Fields:
    """Return the fields of tests of all pairs over fixed groups; NaN without any group."""
    k = len(grouped.names)
    first, second = np.triu_indices(k, 1)
    if not grouped.labels.size:
        nothing, words = np.full(first.size, math.nan), np.full(first.size, "one_class_groups")
        pairs = PairMeans(nothing, nothing, math.nan, words, np.zeros(first.size, np.int64))
        pairs = pairs._replace(covariance=np.full((k, k), math.nan))
        return fields_of_fixed_pairs(pairs, np.full(k, math.nan), None)
    fixed, share = fixed_covariance(grouped, weights), grouped.relative_weights(weights)
    auc = share @ grouped.auc
    moments = [(pair.variance, pair.df, pair.skewness) for pair in fixed.pairs]
    variance, df, skewness = np.array(moments).T
    differences, status = [], []
    for i, j, pair in zip(first.tolist(), second.tolist(), fixed.pairs, strict=True):
        differences.append(float(share @ grouped.differences(i, j)))
        status.append(fixed_status(grouped, pair, differences[-1], auc[[i, j]], margin=0.0))
    units = min(grouped.effective_class_sizes(weights))
    pairs = PairMeans(
        np.array(differences),
        np.sqrt(variance),
        df,
        np.array(status),
        np.full(first.size, share.size),
        fixed.covariance,
        skewness=Skewness(skewness, math.inf, skewness != 0.0),
        distances=(auc[first], auc[second]),
        units=units,
        allowed=allowed_failures(units),
    )
    return fields_of_fixed_pairs(pairs, auc, fixed)


def fields_of_fixed_pairs(pairs: PairMeans, auc: Vector, fixed: FixedCovariance | None) -> Fields:
    """Return the fields of the tests of pairs over fixed groups."""
    return Fields(
        estimate=pairs.estimate,
        standard_error=pairs.standard_error,
        df=pairs.df,
        status=pairs.status,
        auc=auc,
        _pair_means=pairs,
        _fixed=fixed,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class WithinAUCOmnibusResult(WithinResult, OmnibusResult):
    """Result of `within_auc_omnibus_test`; `statistic` is F."""

    names: tuple[str, ...]
    auc: Vector

    title: ClassVar[str] = "Test that all AUCs within groups are equal"
    _quantity: ClassVar[str] = "AUC within groups"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        if math.isnan(self.pvalue):
            return f"Whether the {len(self.names)} AUCs within groups are equal is undefined."
        return (
            f"The AUCs within groups range from {ends_of_range(self.auc)} ({self.method}, "
            f"{self._evidence()}; {self._groups_used()})."
        )


@documented
def within_auc_omnibus_test(
    y_true: ArrayLike | Chunks,
    scores: ScoreTable | None = None,
    groups: ArrayLike | None = None,
    *,
    weights: str = "auto",
    design: str = "random",
    n_jobs: int = 1,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> WithinAUCOmnibusResult:
    """Test whether k models have equal AUCs within groups.

    Parameters
    ----------
    y_true : array-like of shape (n,), or a scan
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, alone, a scan of
        labels, scores and groups as in `within_auc_test`.
    scores : array-like of shape (n, k), mapping or data frame
        Scores, one column per model, at least two; column names become model names.
    weights : {'auto', 'pairs', 'cases', 'equal'}, default='auto'
        Weight of a group, as in `within_auc_test`.
    design : {'random', 'fixed'}, default='random'
        Whether the groups are a sample ('random'), or only the cases in them are ('fixed').
    groups : array-like of shape (n,)
        Group of each case, labels of any type. Groups of one class are left out and counted.

    Returns
    -------
    WithinAUCOmnibusResult
        With ``statistic`` (F), ``df`` (both degrees of freedom), ``pvalue``, ``log_pvalue``,
        ``names``, ``auc`` (k,), ``method``, ``status`` and the groups as in `within_auc_test`.

    Warns
    -----
    UndefinedResultWarning
        As in `within_auc_test`.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom.

    See Also
    --------
    within_auc_pairwise_test : Which models differ.

    Notes
    -----
    It is the repeated-measures ANOVA of `mean_omnibus_test` over the groups' AUCs with their
    weights, or for fixed groups the same statistic with the covariance of
    `within_auc_pairwise_test`, and Satterthwaite's degrees of freedom of all its differences.

    References
    ----------
    .. [1] H. Huynh, L. S. Feldt (1976), doi:10.3102/10769986001001069.
    .. [2] G. E. P. Box (1954), doi:10.1214/aoms/1177728717.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(0)
    >>> user, click = np.arange(240) % 24, np.arange(240) % 5 < 2
    >>> scores = {"A": click + rng.normal(size=240), "B": click + 2 * rng.normal(size=240),
    ...           "C": rng.normal(size=240)}
    >>> print(fc.within_auc_omnibus_test(click, scores, user).summary())
    The 3 models differ significantly in AUC within groups. The AUCs within groups range from
    0.4444 to 0.7465 (repeated-measures ANOVA of groups' AUCs, F(1.54, 35.42) = 19.450, p =
    9.78e-06; 24 groups weighted equally). There were 96 positive and 144 negative cases.
    """
    check_undefined(on_undefined)
    weights = as_weights(weights, design)
    jobs = count_jobs(n_jobs)
    grouped = read_within_groups(
        y_true, {"scores": scores}, groups, design, (pos_label, nan_policy), jobs
    )
    tested, auc = omnibus_test_within(grouped, weights, design)
    warn_status(tested.status, on_undefined)
    return WithinAUCOmnibusResult.from_fields(
        **group_fields(grouped, weights),
        **tested.fields(),
        names=grouped.names,
        auc=auc,
        design=design,
        method=tested.way,
    )


def omnibus_test_within(
    grouped: WithinGroups, weights: str, design: str
) -> tuple[OmnibusOutcome, Vector]:
    """Return the test that all models have equal AUCs within groups, and these AUCs."""
    k = len(grouped.names)
    if not grouped.labels.size:
        undefined = OmnibusOutcome(
            math.nan, (k - 1, math.nan), UNDEFINED, "one_class_groups", FIXED
        )
        return undefined, np.full(k, math.nan)
    if design == "random":
        items = group_items(grouped, weights)
        links = mean_design(items.links)
        tested, _ = anova(items.scores, links)
        word = "one_group" if tested.status == "one_case" else tested.status
        if word == "ok" and links.df < FEWEST_DF:
            word = "few_clusters"
        return tested._replace(status=word, way=ANOVA), links.means(items.scores)
    return fixed_anova(grouped, weights)


def fixed_anova(grouped: WithinGroups, weights: str) -> tuple[OmnibusOutcome, Vector]:
    """Return the ANOVA-type test of equal AUCs over fixed groups, and the AUCs.

    F is the sum of squared differences from the models' mean over its expectation, the trace of
    the centred covariance: the sum of the variances of all pairs' differences over k.
    """
    fixed = fixed_covariance(grouped, weights)
    auc = grouped.relative_weights(weights) @ grouped.auc
    q = auc.size - 1
    deviations = auc - auc.mean()
    row_means = fixed.covariance.mean(axis=0)
    centred = fixed.covariance - row_means[:, None] - row_means + row_means.mean()
    trace = sum(pair.variance for pair in fixed.pairs) / auc.size
    if not trace > 0.0:
        word = "zero_variance" if deviations.any() else "identical"
        word = "too_few" if math.isnan(trace) else word
        p = CERTAIN if word == "identical" else UNDEFINED
        return OmnibusOutcome(math.nan, (q, math.nan), p, word, ANOVA_TYPE), auc
    f = float(np.square(deviations).sum()) / trace
    box_epsilon = trace * trace / float(np.square(centred).sum()) / q
    epsilon = huynh_feldt_epsilon(box_epsilon, q, fixed.df)
    df_1, df_2 = epsilon * q, epsilon * q * fixed.df
    return OmnibusOutcome(f, (df_1, df_2), f_pvalue(f, df_1, df_2), "ok", ANOVA_TYPE), auc
