"""Test every pair of k models for different mean scores on the same items."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from .._base.documented import with_engine_options
from .._base.types import Direction, Integers, Matrix, Undefined, Vector
from .._inference.clusters import supports_max_t
from .._inference.corrections.adjust import JOINT, as_joint_claims, resolve_auto_correction
from .._inference.corrections.pairs import check_models
from .._inference.max_t import (
    Differences,
    LargestStatistic,
    differences_of_models,
    differences_of_rows,
)
from .._inference.mean_pairs import (
    PairMeans,
    cr1_design,
    doubtful_pairs,
    means_on_common_items,
    pair_failures,
    pair_means,
    pair_radii,
    pair_statistics,
    with_answer_variances,
    with_skewness,
)
from .._inference.means import (
    AnswerCounts,
    MeanDesign,
    count_answers,
    equal_units_bound,
    limits_of_models,
    mean_design,
)
from .._inference.pvalues import open_one_side, student_pvalues, upper_tail
from .._inference.step_down import (
    joint_level,
    joint_pvalues,
    largest_of_defined_pairs,
    normal_scores,
)
from .._inference.unseen import ALPHA, UnseenFailures
from .._inputs.items import Items, Linking, as_item_table
from .._inputs.options import as_choice, check_undefined
from .._inputs.scores import ScoreTable
from .._results.caution import CautiousPairs, with_pair_caution
from .._results.pairs import IdenticalPairs, ReferencePairs
from ._methods import (
    LINKED_TITLE,
    ItemsResult,
    caution_sentence,
    greatest_difference,
    item_fields,
    max_t_caution,
)
from ._power import count_samples
from ._rankings import unvaried_models

METHODS = {"auto": "paired t-test", "t": "paired t-test", "mvt": "paired t-test, multivariate t"}


@dataclass(frozen=True, eq=False, kw_only=True)
class JointPairsResult(ReferencePairs):
    """Tests of all pairs of models whose estimates have an estimated joint covariance.

    `_knows_correlations` says whether it is precise enough for simultaneous intervals by max-t.
    """

    _differences: Differences = field(repr=False)
    _largest: LargestStatistic | None = field(repr=False)
    _joint_df: ClassVar[float] = math.inf  # of a multivariate t; infinite where each t becomes a z

    def _compute_adjusted_pvalue(self) -> Vector:
        """Return the adjusted p-values (P,), by the largest statistic if `correction` says so."""
        if self.correction not in JOINT:
            return super()._compute_adjusted_pvalue()
        return joint_pvalues(
            self._differences,
            self._largest,
            self._z,
            self.pvalue,
            self.alternative,
            step_down=self.correction == "step-down",
            df=self._joint_df,
        )

    def _compute__largest(self) -> LargestStatistic | None:
        return largest_of_defined_pairs(
            self._differences, self.pvalue, self.alternative, self._joint_df
        )

    @property
    def _z(self) -> Vector:
        """The statistic of each pair that is compared with the largest of all pairs."""
        raise NotImplementedError

    @property
    def _knows_correlations(self) -> bool:
        raise NotImplementedError

    def _level_of_each(self, level: float) -> float:
        if self.correction in JOINT or self._knows_correlations:
            return joint_level(self._largest, level, self.alternative)
        return super()._level_of_each(level)


class MethodWeightsSamples(NamedTuple):
    """The method, whether items have weights, and the numbers (k,) of samples of all items."""

    method: str
    weighted: bool
    n_samples: Vector


@dataclass(frozen=True, eq=False, kw_only=True)
class PairsOfMeans(CautiousPairs, JointPairsResult):
    """Student's tests of the means of all pairs of models, on the same items or groups."""

    df: float | Vector
    method: NDArray[np.str_]
    _pair_means: PairMeans = field(repr=False)
    _method_weights_samples: MethodWeightsSamples = field(repr=False)
    _unseen: UnseenFailures | None = field(repr=False, default=None)

    def _failures(self) -> UnseenFailures | None:
        return self._unseen

    def _compute_statistic(self) -> Vector:
        return pair_statistics(self._pair_means, self.alternative)

    def _compute_pvalue(self) -> Vector:
        pvalue = student_pvalues(self.statistic, self.df, self.alternative)
        pvalue[(self.estimate == 0.0) & (self.standard_error == 0.0)] = 1.0
        return pvalue

    def _compute__differences(self) -> Differences:
        """Return the scaled differences of all pairs of models, from which max-t draws."""
        if self._pair_means.covariance is None:
            assert self._pair_means.rows is not None
            return differences_of_rows(self._pair_means.rows)
        return differences_of_models(self._pair_means.covariance, *self._cells())

    @property
    def _joint_df(self) -> float:  # type: ignore[override]
        return float(np.max(self.df)) if self._method_weights_samples.method == "mvt" else math.inf

    @property
    def _z(self) -> Vector:
        """Z values, or t of a multivariate t."""
        if self._method_weights_samples.method == "mvt":
            return self.statistic
        return normal_scores(self.statistic, self.df)

    @property
    def integration_error(self) -> float:
        """The largest numerical error of the adjusted p-values, from numerical integration.

        It is a standard error for more than 13 models, else a bound. 0 for other corrections.
        """
        if self.correction not in JOINT or self._largest is None:
            return 0.0
        thresholds = np.linspace(0.0, 4.0, 9).tolist()
        return max(self._largest.error(threshold) for threshold in thresholds)

    def _ends(self, level: float) -> tuple[Vector | float, Vector | float]:
        """Return the ends (P,) of the intervals, of dependent answers by inverting their test."""
        answers = self._pair_means.answers
        if answers is None:
            return super()._ends(level)
        tail = upper_tail(level, self.alternative)
        return open_one_side(self.alternative, answers.low(tail), answers.high(tail), self.bounds)

    def _reach(self, quantile: Vector, tail: float) -> tuple[Vector, Vector]:
        return pair_radii(self._pair_means, quantile, tail)

    @property
    def _knows_correlations(self) -> bool:
        return knows_correlations(self._method_weights_samples.method, self.df, len(self.names))

    def _standing(self) -> Vector:
        mean_difference = np.asarray(np.nanmean(self.matrix("estimate"), axis=1))
        return -mean_difference if self.higher_is_better else mean_difference


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanPairwiseResult(ItemsResult, PairsOfMeans):
    """Result of `mean_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    means: Vector
    n: int
    n_items: Integers
    n_clusters: int
    n_strata: int
    design: str
    _answers: AnswerCounts | None = field(repr=False)

    title: ClassVar[str] = "Paired tests of the mean scores of all pairs of models"
    _follows_sample: ClassVar[bool] = False
    quantity: ClassVar[str] = "mean score"
    _claim: ClassVar[str] = "scores {more} than"
    _units: ClassVar[str] = "items"

    def _compute_method(self) -> NDArray[np.str_]:
        """Return the title (P,) of each pair's test, as in 'paired t-test'."""
        if self._pair_means.answers is not None:
            return np.full(self.estimate.shape, LINKED_TITLE)
        clusters = " with clustered standard error" if "clusters" in self.design else ""
        plain = METHODS[self._method_weights_samples.method] + clusters
        skewed = f"{plain}{' and' if clusters else ' with'} Hall's correction for skewness"
        has_skewness = np.broadcast_to(
            np.asarray(self._pair_means.skewness.used) != 0.0, self.estimate.shape
        )
        return np.where(has_skewness, skewed, plain)

    def _summary(self) -> str:
        """Return the result in sentences of plain words, at the level `alpha` (5%)."""
        df = float(np.min(self.df))
        note = caution_sentence("few_clusters" if "few_clusters" in self.status else "ok", df)
        if self.correction in JOINT and self._method_weights_samples.method != "mvt":
            note += max_t_caution(df, len(self.names))
        note += self._stated_failures()
        if self._pair_means.covariance is not None:
            errors = np.sqrt(np.maximum(np.diag(self._pair_means.covariance), 0.0))
            note += unvaried_models(self.names, self._model_limits(self._level), errors)
        return f"{super()._summary()} {self._sample_sentence}{note}"

    @property
    def _sample_text(self) -> str:
        """The numbers of items, samples and clusters in words."""
        _, weighted, samples = self._method_weights_samples
        by_pair = self._pair_means.covariance is None
        pairs = ", each pair by those that both answered" if by_pair else ""
        return self._counted(samples, weighted) + pairs

    @property
    def _sample_sentence(self) -> str:
        """The sentence on the sample."""
        return f"The models answered {self._sample_text}."

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return intervals of the means by their covariance, if all models share the items."""
        return limits_of_models(
            self.means, self._pair_means.covariance, self._pair_means.df, self._answers, level
        )


@with_engine_options(as_item_table)
def mean_pairwise_test(
    scores: ScoreTable,
    *,
    method: str = "auto",
    alternative: Direction = "two-sided",
    correction: str = "auto",
    alpha: float = 0.05,
    nan_policy: str = "raise",
    on_undefined: Undefined = "warn",
    **linking: Unpack[Linking],
) -> MeanPairwiseResult:
    """Compare k models' mean scores on the same items in pairs, with adjusted p-values.

    Each pair is compared by `paired_mean_test`. The adjustment for multiple comparisons can use the
    correlations of the models' scores.

    Parameters
    ----------
    scores : array-like of shape (n, k) or (n, k, K), mapping or data frame
        Scores of any kind, one row per item and one column per model, at least two; column names
        become model names. Several samples per item are a third axis, or columns (n, K) of a
        mapping, with NaN for missing ones; the score of an item is their mean.
    method : {'auto', 't', 'mvt'}, default='auto'
        't' uses CR2 standard errors with Satterthwaite's degrees of freedom. 'auto' adds Hall's
        correction [5]_ if differences are evidently skewed, and the variance of answers in clusters
        or with weights, as in `paired_mean_test`. 'mvt' uses CR1 with G -
        1 degrees of freedom and, for 'max-t' and 'step-down', the multivariate t distribution:
        common, but valid only for many clusters of nearly equal sizes; its family-wise error rate
        at the 5% level is 5.5 to 33%.
    sample_weight : array-like of shape (n,), optional
        Weight of each item, at least 0; items of weight 0 are dropped.
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item, labels of any type. Two columns are two-way clusters.
    correction : str, default='auto'
        Adjustment for multiple comparisons. 'max-t' uses the joint distribution of the pairs: each
        t is converted to the z with its p-value and compared with the largest |z| of normal
        variables with the correlations of the pairs. 'step-down' is its step-down version. Or any
        method of `adjust_pvalues`, or 'none'. 'auto' is 'max-t' if there are at least 50 degrees of
        freedom, and 3 per model, to estimate the correlations, for two models, and for 'mvt';
        otherwise 'shaffer', or 'holm' for one-sided tests and if pairs lack different items.
        ``correction`` of the result names the one used.
    nan_policy : {'raise', 'omit', 'zero', 'pairwise'}, default='raise'
        How to handle items that lack a score of some model: raise an error, drop them for all
        models, score them 0, or compare each pair on the items that both answered. Means over
        different items are never compared.

    Returns
    -------
    MeanPairwiseResult
        With ``names`` (k,), ``means`` (k,), ``pairs`` (P names), and of shape (P,) ``estimate``
        (the first model's mean minus the second's), ``standard_error``, ``statistic``, ``pvalue``,
        ``log_pvalue``, ``adjusted_pvalue``, ``n_items``, ``method``, ``status``; ``df`` (of shape
        (P,) for 'pairwise'); ``n``, ``n_clusters``, ``n_strata``, ``n_dropped``, ``design``,
        ``cliques``, ``integration_error`` (of adjusted p-values); methods
        ``confidence_interval(confidence_level, simultaneous=False)``, ``matrix(field)``,
        ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        As in `paired_mean_test`, naming the pairs.
    SmallSampleWarning
        'few_clusters', 'unseen_failures' and 'small_sample', as in `paired_mean_test`, of adjusted
        p-values.

    See Also
    --------
    leaderboard : Ranks of the models, with confidence sets.
    paired_mean_test : The test of one pair.

    Notes
    -----
    With the difference d_ij of two models' means and its CR2 standard error::

        t_ij = d_ij / SE_ij,    z_ij = normal quantile of the p-value of t_ij
        adjusted p_ij = P(max |Z| >= |z_ij|)

    where Z is jointly normal with the correlations of the differences; each pair keeps its own
    degrees of freedom (Hasler and Hothorn 2008). 'mvt' uses a multivariate t distribution.

    With few clusters, or many models, correlations are overestimated, and max-t has a family-wise
    error rate of 7 to 25% at the 5% level (docs/evidence/leaderboards.md), unlike p-value
    adjustments of the same t-tests. Simultaneous intervals are then Bonferroni's. Means of models
    are over the items that all of them answered. Intervals are computed on demand.

    References
    ----------
    .. [1] M. Hasler, L. A. Hothorn (2008), doi:10.1002/bimj.200710466.
    .. [2] T. Hothorn, F. Bretz, P. Westfall (2008), doi:10.1002/bimj.200810425 ('mvt').
    .. [3] J. P. Romano, M. Wolf (2005), doi:10.1198/016214504000000539 ('step-down').
    .. [4] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.
    .. [5] P. Hall (1992), doi:10.1111/j.2517-6161.1992.tb01876.x.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scores = {"large": [1, 1, 0, 1, 1, 1, 1, 1, 1, 1], "base": [1, 0, 0, 1, 0, 1, 0, 1, 1, 0],
    ...           "small": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0]}
    >>> print(fc.mean_pairwise_test(scores, groups=[1, 1, 2, 2, 3, 3, 4, 4, 5, 5]).summary())
    None of the 3 differences in mean score is significant at the 5% level (paired t-test of
    dependent or weighted answers, Shaffer-adjusted). The models answered 10 items in 5
    clusters. The mean of base has a standard error of 0, so it has no interval.
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, METHODS)
    claims = as_joint_claims(alternative, correction, alpha)
    items = as_item_table(scores, nan_policy, **linking)
    check_models(len(items.names), claims.correction)
    design = (cr1_design if method == "mvt" else mean_design)(items.links)
    fields = pair_mean_fields(items, design, nan_policy == "pairwise", method)
    joint = knows_correlations(method, fields["df"], len(items.names))
    # models equal on the items of two pairs need not be on those of the third
    claims = resolve_auto_correction(claims, joint, transitive=not np.isnan(items.scores).any())
    result = MeanPairwiseResult.from_fields(
        **fields,
        **claims._asdict(),
        _method_weights_samples=MethodWeightsSamples(
            method, items.links.weights is not None, count_samples(items)
        ),
    )
    return with_pair_caution(with_doubt_status(result, items, design), on_undefined)


PairsOfMeansT = TypeVar("PairsOfMeansT", bound=PairsOfMeans)


def with_doubt_status(result: PairsOfMeansT, items: Items, design: MeanDesign) -> PairsOfMeansT:
    """Return the result with the status 'small_sample' of doubtful pairs, and unseen failures.

    A significant pair is doubtful if it would not be, were scores a little more skewed.
    """
    statuses = result.status
    unseen = None
    if result._method_weights_samples.method == "auto":
        is_doubtful = doubtful_pairs(result._pair_means, result.pvalue, result.alternative)
        if is_doubtful.any():  # adjusted p-values take most of the time
            is_doubtful &= result.adjusted_pvalue <= ALPHA
            statuses = np.where(is_doubtful, "small_sample", statuses)
    if (result.pvalue <= ALPHA).any():
        unseen = pair_failures(
            result._pair_means, items, design, result._cells(), result.alternative
        )
    return result.from_fields(**{**result.__dict__, "status": statuses, "_unseen": unseen})


def knows_correlations(method: str, df: object, k: int) -> bool:
    """Return whether correlations of k models are precise enough for max-t; 'mvt' assumes it."""
    return method == "mvt" or supports_max_t(float(np.min(np.asarray(df))), k)


def pair_mean_fields(
    items: Items, design: MeanDesign, pairwise: bool, method: str
) -> dict[str, object]:
    """Return the fields of `MeanPairwiseResult` that follow from the scores alone.

    `pairwise` says that each pair is compared on the items that both its models answered.
    """
    cells = np.triu_indices(len(items.names), 1)
    if pairwise and np.isnan(items.scores).any():
        differences = means_on_common_items(
            items.scores,
            items.links,
            cells,
            use_cr1=method == "mvt",
            skewed=method == "auto",
        )
        means = complete_item_means(items)
    else:
        means, differences = pair_means(items.scores, design, cells)
        if method == "auto":
            differences = with_skewness(differences, items.scores, design, cells)
            differences = with_answer_variances(differences, items, design, cells)
    return {
        **item_fields(items, design),
        "means": means,
        "estimate": differences.estimate,
        "standard_error": differences.standard_error,
        "df": differences.df,
        "status": differences.status,
        "n_items": differences.n,
        "_pair_means": differences,
        "_answers": count_answers(items, design),
        "_unvaried": identical_pairs(items, differences, cells) if method == "auto" else None,
    }


def identical_pairs(
    items: Items, differences: PairMeans, cells: tuple[Integers, Integers]
) -> IdenticalPairs | None:
    """Return the pairs of models with equal scores on all their items, and their bound.

    If pairs share different items, the bound of the fewest items. None if there is no such pair.
    """
    identical = np.asarray(differences.status) == "no_difference"
    if not identical.any():
        return None
    observed = ~np.isnan(items.scores)
    most = greatest_difference(items)
    first, second = (cell[identical] for cell in cells)
    shared_items = (observed[:, first] & observed[:, second]).T
    distinct_rows = {row.tobytes(): row for row in shared_items}
    bounds = [equal_units_bound(items.links, most, row) for row in distinct_rows.values()]
    return IdenticalPairs(identical, min(bounds))


def complete_item_means(items: Items) -> Matrix:
    """Return the means (k,) over the items that all models answered, NaN if there are no such."""
    complete = np.flatnonzero(~np.isnan(items.scores).any(axis=1))
    if not complete.size:
        return np.full(len(items.names), math.nan)
    weights = None if items.links.weights is None else items.links.weights[complete]
    return np.asarray(np.average(items.scores[complete], axis=0, weights=weights))
