"""Test every pair of k models for different ratios of sums over the same items."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Unpack

import numpy as np
from numpy.typing import NDArray

from .._base.documented import with_engine_options
from .._base.text import plural
from .._base.types import Direction, Fields, Matrix, NanPolicy, Undefined, Vector
from .._inference.corrections.adjust import JOINT, as_joint_claims, resolve_auto_correction
from .._inference.corrections.pairs import check_models
from .._inference.infer import ZeroVarianceBound, sum_over_largest
from .._inference.item_scale import ItemScale
from .._inference.mean_pairs import PairMeans, doubtful_pairs
from .._inference.means import mean_design
from .._inference.skewness import MOST_ITEMS, Skewness
from .._inference.status import unvaried_status
from .._inference.unseen import ALPHA, UnseenFailures
from .._inputs.counts import as_ratio_columns
from .._inputs.items import Items, Linking
from .._inputs.options import check_choice, check_undefined
from .._inputs.plans.sizes import METHODS_BY_STANDARD_ERROR, check_links
from .._inputs.scores import ScoreTable
from .._results.caution import with_pair_caution
from .._results.pairs import IdenticalPairs
from ._methods import ItemsResult, caution_sentence, item_fields, max_t_caution
from ._pairwise import (
    MethodWeightsSamples,
    PairsOfMeans,
    knows_correlations,
    pair_mean_fields,
    with_doubt_status,
)
from ._ratio import (
    CLUSTERED_RATIO_TITLE,
    RATIO_TITLE,
    Linearised,
    Ratio,
    are_shares,
    column_sums,
    effective_parts,
    linearise,
    model_ratios,
    ratio_interval_ends,
    ratio_status,
    scores_if_equal_denominators,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class RatioPairwiseResult(ItemsResult, PairsOfMeans):
    """Result of `ratio_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    ratios: Vector
    numerators: Vector
    denominators: Vector
    n: int
    n_clusters: int
    n_strata: int
    design: str
    _table: Items = field(repr=False)

    title: ClassVar[str] = "Tests of the ratios of sums of all pairs of models"
    _follows_sample: ClassVar[bool] = False
    quantity: ClassVar[str] = "ratio"
    _claim: ClassVar[str] = "has a {more} ratio than"
    _units: ClassVar[str] = "items"

    def _compute_method(self) -> NDArray[np.str_]:
        """Return the title (P,) of each pair's test, with Hall's correction where it is used."""
        plain = RATIO_TITLE if self._table.links.groups is None else CLUSTERED_RATIO_TITLE
        joined_by = "and" if " with " in plain else "with"
        skewed = f"{plain} {joined_by} Hall's correction for skewness"
        is_skewed = np.broadcast_to(self._pair_means.skewness.used, self.estimate.shape) != 0.0
        return np.where(is_skewed, skewed, plain)

    def _summary(self) -> str:
        """Return the result in sentences of plain words, at the level `alpha` (5%)."""
        sample = self._counted(weighted=self._method_weights_samples.weighted)
        ratios = f"The {plural(self.quantity)} are over {sample}."
        df = float(np.min(self.df))
        cautions = [word for word in ("few_clusters", "few_items") if word in self.status]
        note = caution_sentence(cautions[0] if cautions else "ok", df)
        if self.correction in JOINT:
            note += max_t_caution(df, len(self.names))
        return f"{super()._summary()} {ratios}{note}{self._stated_failures()}"

    def _model_limits(self, level: float) -> tuple[Vector, Vector]:
        """Return the intervals of the models' ratios, as of `ratio_interval`."""
        tail = 0.5 * (1.0 - level)
        scores = self._table.scores
        low, high = np.full((2, len(self.names)), math.nan)
        for model in range(len(self.names)):
            table = self._table._replace(scores=scores[:, 2 * model : 2 * model + 2])
            linear = linearise(model_ratios(table))
            ends = ratio_interval_ends(linear, table, self._method_weights_samples.method)
            if ends is not None:
                low[model], high[model] = ends.low(tail), ends.high(tail)
        return low, high


@with_engine_options(as_ratio_columns)
def ratio_pairwise_test(
    numerators: ScoreTable,
    denominators: ScoreTable,
    *,
    method: str = "auto",
    alternative: Direction = "two-sided",
    correction: str = "auto",
    alpha: float = 0.05,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **linking: Unpack[Linking],
) -> RatioPairwiseResult:
    """Compare k models' ratios of sums over the same items in pairs, with adjusted p-values.

    Micro-averaged F1, precision or recall from counts of each document, pooled overlap (IoU), word
    error rates. Each pair is compared by `ratio_test`.

    Parameters
    ----------
    numerators : array-like of shape (n, k), mapping or data frame
        Numerator of each item, one column per model, at least two; column names become model names.
    denominators : array-like of shape (n,) or (n, k), mapping or data frame
        Denominator of each item, at least 0: one column for all models, or a column for each, in
        the same order and under the same names.
    method : {'auto', 't'}, default='auto'
        As in `ratio_test`.
    sample_weight : array-like of shape (n,), optional
        Weight of each item, which multiplies its numerators and its denominators.
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item (the author of a document, for example), labels of any type. Two
        columns are two-way clusters.
    correction : str, default='auto'
        Adjustment for multiple comparisons, as in `mean_pairwise_test`.

    Returns
    -------
    RatioPairwiseResult
        With ``names`` (k,), ``ratios``, ``numerators`` and ``denominators`` (k,) (their sums),
        ``pairs`` (P names), and of shape (P,) ``estimate`` (the first ratio minus the second),
        ``standard_error``, ``df``, ``statistic``, ``pvalue``, ``log_pvalue``, ``adjusted_pvalue``,
        ``method``, ``status``; ``n``, ``n_clusters``, ``n_strata``, ``n_dropped``, ``design``,
        ``cliques``, ``confidence_interval(confidence_level, simultaneous=False)``,
        ``matrix(field)`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        As in `ratio_test`, naming the pairs.
    SmallSampleWarning
        'few_clusters', 'few_items', 'unseen_failures' and 'small_sample', as in `ratio_test`.

    See Also
    --------
    ratio_test : The test of one pair.
    mean_pairwise_test : Means of scores of items, which all count equally.

    Notes
    -----
    The statistics, and their joint distribution for 'max-t', are those of `mean_pairwise_test` with
    the linearised residuals of `ratio_test`.

    References
    ----------
    .. [1] W. G. Cochran (1977), Sampling Techniques, 3rd edition, section 6.4, Wiley.
    .. [2] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.
    .. [3] M. Hasler, L. A. Hothorn (2008), doi:10.1002/bimj.200710466.

    Examples
    --------
    Word error rates of three recognizers on the same recordings:

    >>> import fastcompare as fc
    >>> words = [31, 28, 33, 30, 29, 32, 34, 27, 30, 31, 28, 33]
    >>> wrong = {"a": [2, 4, 2, 4, 4, 2, 5, 1, 4, 2, 4, 2],
    ...          "b": [4, 5, 4, 4, 6, 3, 5, 4, 6, 3, 7, 3],
    ...          "c": [4, 4, 5, 3, 6, 3, 6, 4, 5, 4, 6, 3]}
    >>> result = fc.ratio_pairwise_test(wrong, words)
    >>> result.ratios.round(4).tolist(), result.adjusted_pvalue.round(4).tolist()
    ([0.0984, 0.1475, 0.1448], [0.0015, 0.0015, 0.7242])
    """
    check_undefined(on_undefined)
    check_choice("method", method, METHODS_BY_STANDARD_ERROR)
    claims = as_joint_claims(alternative, correction, alpha)
    table = as_ratio_columns(numerators, denominators, nan_policy, **linking)
    check_links(table.links, "t", None, table.n_dropped)
    check_models(len(table.names), claims.correction)
    sums = column_sums(table)
    scores = scores_if_equal_denominators(table)
    if scores is not None:
        fields = equal_denominator_fields(scores, method)
    else:
        fields = ratio_fields(table, method)
    joint = knows_correlations("t", fields["df"], len(table.names))
    result = RatioPairwiseResult.from_fields(
        **fields,
        **resolve_auto_correction(claims, joint, transitive=True)._asdict(),
        ratios=sums[::2] / sums[1::2],
        numerators=sums[::2],
        denominators=sums[1::2],
        _method_weights_samples=MethodWeightsSamples(
            method, table.links.weights is not None, np.ones(1)
        ),
        _table=table,
    )
    if scores is not None:
        result = with_doubt_status(result, scores, mean_design(scores.links))
    else:
        result = with_ratio_doubt_status(result, table)
    return with_pair_caution(result, on_undefined)


def equal_denominator_fields(scores: Items, method: str) -> Fields:
    """Return the fields for equal denominators, where ratios are means of scores."""
    fields = pair_mean_fields(scores, mean_design(scores.links), pairwise=False, method=method)
    unused = ("means", "n_items", "_answers")
    return Fields({name: value for name, value in fields.items() if name not in unused})


def ratio_fields(table: Items, method: str) -> Fields:
    """Return the fields of the differences of all pairs of ratios."""
    ratios = model_ratios(table)
    first, second = np.triu_indices(len(ratios), 1)
    cells = list(zip(first.tolist(), second.tolist(), strict=True))
    pairs = [linearise([ratios[i], ratios[j]]) for i, j in cells]
    estimate = np.array([pair.mean.estimate for pair in pairs], np.float64)
    error = np.array([pair.mean.standard_error for pair in pairs], np.float64)
    df = np.array([pair.mean.df for pair in pairs], np.float64)
    design = ratios[0].design
    differences = PairMeans(
        estimate,
        error,
        df,
        np.array([pair_status(pair) for pair in pairs]),
        np.full(estimate.shape, design.n),
        ratio_covariance(ratios),
        skewness=pair_skewness(pairs) if method == "auto" else Skewness(),
    )
    name = "items" if table.links.groups is None else "clusters"
    units = min(sum_over_largest(pair.shares) for pair in pairs)
    most = 1.0 if are_shares(table) else math.inf
    return Fields(
        **item_fields(table, design),
        estimate=estimate,
        standard_error=error,
        df=df,
        status=differences.status,
        _pair_means=differences,
        _unvaried=IdenticalPairs.of(estimate, error, ZeroVarianceBound(units, most, name)),
    )


def pair_status(pair: Linearised) -> str:
    """Return the status word of the difference of two ratios."""
    if pair.mean.status == "ok" and pair.mean.standard_error == 0.0:
        if_equal = "no_difference" if pair.have_equal_residuals else "zero_variance"
        return unvaried_status(pair.mean.estimate, 0.0, if_equal)
    return ratio_status(pair)


def ratio_covariance(ratios: list[Ratio]) -> Matrix:
    """Return the covariance (k, k) of k ratios, from their linearised residuals."""
    covariance = np.zeros((len(ratios), len(ratios)))
    # without a variance a design has no terms, hence strict=False
    for terms in zip(*(ratio.design.terms for ratio in ratios), strict=False):
        u = [r.design.influence(r.residuals, term) for r, term in zip(ratios, terms, strict=True)]
        rows = np.array(u)
        sign = terms[0].sign  # of two-way clusters, one term is subtracted
        covariance += sign * (rows @ rows.T)
    return covariance if ratios[0].design.terms else np.full_like(covariance, math.nan)


def pair_skewness(pairs: list[Linearised]) -> Skewness:
    """Return the skewness of the differences of all pairs, 0 for those that do not vary."""
    skewnesses = [pair.skewness if pair.mean.standard_error > 0.0 else Skewness() for pair in pairs]
    columns: list[Any] = [np.array(column) for column in zip(*skewnesses, strict=True)]
    return Skewness(*columns)


def with_ratio_doubt_status(result: RatioPairwiseResult, table: Items) -> RatioPairwiseResult:
    """Return the result with the status 'small_sample' of doubtful pairs, and unseen failures."""
    statuses = result.status
    unseen = None
    if result._method_weights_samples.method == "auto":
        is_doubtful = doubtful_pairs(result._pair_means, result.pvalue, result.alternative)
        is_doubtful &= statuses == "ok"
        if is_doubtful.any():  # adjusted p-values take most of the time
            is_doubtful &= result.adjusted_pvalue <= ALPHA
            statuses = np.where(is_doubtful, "small_sample", statuses)
    if (result.pvalue <= ALPHA).any() and result.n <= MOST_ITEMS and are_shares(table):
        unseen = unseen_share_failures(result, table)
    return result.from_fields(**{**result.__dict__, "status": statuses, "_unseen": unseen})


def unseen_share_failures(result: RatioPairwiseResult, table: Items) -> UnseenFailures:
    """Return the unseen failures that would explain the pairs' differences of shares."""
    ratios = model_ratios(table)
    columns = table.scores.T
    first, second = result._cells()
    units = []
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        pair = table._replace(scores=columns[[2 * i, 2 * i + 1, 2 * j, 2 * j + 1]].T)
        units.append(effective_parts(pair, linearise([ratios[i], ratios[j]]).units))
    values = (result.ratios[first], result.ratios[second])
    counts = np.array(units)
    scale = ItemScale(values, 0.0, 1.0, (counts, counts), has_bounds=True)
    return scale.failures(result.estimate, result.alternative)
