"""Ratios of sums over items: micro-averages, pooled overlap, error rates by words.

Item g (a document, a picture, a recording) has a numerator x_g and a denominator y_g. The ratio of
a model, its residuals and their sums S over clusters, each with a share p of the denominators, are

    R = sum x_g / sum y_g,    e_g = x_g - R y_g,    u = S / (sum y sqrt(1 - p))

A linearised ratio varies as the sum of e_g / sum y (Cochran 1977, 6.4), a difference of two as u_a
- u_b, each over its denominators. So a ratio is the mean of its y_g parts (words, pixels), which
the items cluster: SE^2 = sum u^2 and its degrees of freedom are those of `paired_mean_test` of the
parts with the items as clusters, CR2 where parts are independent. Parts need not be whole numbers.
Weights, strata and clusters of two kinds go the same way (`_inference.means`).

Of two models whose denominators differ, R_a varies by V_a with f_a degrees of freedom, R_b by V_b
with f_b. The variances of both are as correlated as they can be at most, so that

    df = ((V_a + V_b) / (V_a / sqrt(f_a) + V_b / sqrt(f_b)))^2

which is f where both denominators are equal. If all denominators are, ratios are means of scores,
and tested as such.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.text import differing_form, equation, plural, show_pvalue
from .._base.types import Alternative, Fields, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_df, cluster_status
from .._inference.infer import ZeroVarianceBound, sum_over_largest
from .._inference.item_scale import ItemScale, conservative_icc
from .._inference.means import (
    ROUNDING,
    AnswerCounts,
    ItemMean,
    MeanDesign,
    VarianceTerm,
    are_integers,
    cluster_totals,
    mean_design,
    weighted_cr2_factors,
    weighted_df,
)
from .._inference.skewness import MOST_ITEMS, HallInterval, Skewness, influence_skewness
from .._inference.status import unvaried_status, warn_status
from .._inference.unseen import UnseenFailures
from .._inputs.counts import as_ratio_table
from .._inputs.items import ItemLinks, Items, Linking
from .._inputs.options import check_choice, check_level, check_undefined
from .._inputs.plans.sizes import METHODS_BY_STANDARD_ERROR, check_links
from .._inputs.scores import UNNAMED
from .._resampling.bootstrap import ByTails, Claim, as_claim
from .._results.caution import Cautious, with_caution
from .._results.records import IntervalEstimate
from .._results.two_models import Result
from ..paired._columns import STUDENT_TITLE, Ends, StudentEnds
from ._mean import AnswerEnds, coverage_status, interval_method, mean_interval_ends, mean_status
from ._methods import (
    METHODS,
    ItemsResult,
    Procedure,
    SkewedMean,
    caution_sentence,
    difference_status,
    differences_of,
    item_failures,
    item_fields,
    skewed_test,
    student_test,
)

RATIO_TITLE = f"{STUDENT_TITLE} of ratios"
CLUSTERED_RATIO_TITLE = f"{RATIO_TITLE} with clustered standard error"
WHOLE_SHARE = 1.0 - 1e-12  # of the denominators in one cluster: no other could show a variance
UNNAMED_MODEL = UNNAMED[:1]


class Ratio(NamedTuple):
    """One model's ratio of sums, with what its variance is computed from.

    `residuals` (n,) are x - R y of the items, `total` the sum of denominators, `shares` (G,) the
    clusters' shares of it; variances up to `noise`^2 are due to rounding.
    """

    estimate: float
    residuals: Vector
    total: float
    design: MeanDesign
    shares: Vector
    noise: float


def estimate_ratio(numerators: Vector, denominators: Vector, links: ItemLinks) -> Ratio:
    """Return the ratio of sums of one model with its residuals, design and rounding error."""
    design, total = ratio_design(links, denominators)
    weights = np.ones(links.n) if design.weights is None else design.weights
    estimate = float(weights @ numerators) / total
    terms = numerators, estimate * denominators
    largest = max(float(np.abs(weights * term).max()) for term in terms)
    return Ratio(
        estimate=estimate,
        residuals=numerators - estimate * denominators,
        total=total,
        design=design,
        shares=cluster_totals(weights * denominators / total, links.groups, cluster_count(links)),
        noise=ROUNDING * links.n * largest / total,
    )


def cluster_count(links: ItemLinks) -> int:
    """Return the number of clusters (of the first kind, if there are two), else of items."""
    return links.n if links.groups is None else int(links.groups.max()) + 1


def ratio_design(links: ItemLinks, denominators: Vector) -> tuple[MeanDesign, float]:
    """Return the design of a ratio with these denominators, and their (weighted) sum.

    It is that of a mean of the y_g parts (words, pixels) of the items, with items as clusters.
    """
    design = mean_design(links)
    weights = design.weights
    total = float(denominators.sum() if weights is None else weights @ denominators)
    if not design.terms:
        return design, total
    if links.others is not None or links.strata is not None:
        # from a mean of items to their sum over the sum of denominators
        scale = (design.n if weights is None else float(weights.sum())) / total
        terms = tuple(term._replace(by_sum=term.by_sum * scale) for term in design.terms)
        return replace(design, terms=terms), total
    groups, count = links.groups, design.n_clusters
    sizes = cluster_totals(denominators, groups, count)
    weighted = denominators if weights is None else weights * denominators
    shares = cluster_totals(weighted, groups, count) / total
    if shares.max() > WHOLE_SHARE:
        return replace(design, terms=(), df=math.nan, status="too_few_clusters"), total
    if weights is None:
        term = VarianceTerm(groups, count, 1.0 / (total * np.sqrt(1.0 - shares)))
        df = cluster_df(sizes)
    else:
        squares = cluster_totals(weights / total * weighted, groups, count) / total
        alpha, beta = weighted_cr2_factors(sizes, shares, squares)
        term = VarianceTerm(groups, count, beta / total, alpha)
        df = weighted_df(sizes, shares, squares, alpha, beta)
    return replace(design, terms=(term,), df=df), total


class Linearised(NamedTuple):
    """One ratio or the difference of two: its moments and the influence (G,) of each cluster.

    `shares` (G,) are the clusters' shares of the denominators; `have_equal_residuals` says whether
    both models have the same residuals, or whether all residuals of one model are 0.
    """

    mean: ItemMean
    influence: Vector
    shares: Vector
    design: MeanDesign
    have_equal_residuals: bool

    @property
    def units(self) -> float:
        """Kish's effective number of items or clusters, by their shares of the denominators."""
        return 1.0 / float(np.square(self.shares).sum())

    @property
    def skewness(self) -> Skewness:
        """The skewness of the estimate; 0 for many items, strata and two-way clusters."""
        terms = self.design.terms
        if self.design.n > MOST_ITEMS or len(terms) != 1 or terms[0].strata is not None:
            return Skewness()
        return influence_skewness(self.influence, self.mean.df + 1.0)


def linearise(ratios: Sequence[Ratio]) -> Linearised:
    """Return the linearised ratio of one model, or the first ratio minus the second."""
    first = ratios[0]
    estimate = first_minus_second([ratio.estimate for ratio in ratios])
    variance = 0.0
    model_variances = np.zeros(len(ratios))
    influences = []
    # without a variance one of two designs has no terms, hence strict=False
    for terms in zip(*(ratio.design.terms for ratio in ratios), strict=False):
        u = [r.design.influence(r.residuals, term) for r, term in zip(ratios, terms, strict=True)]
        influences.append(first_minus_second(u))
        sign = terms[0].sign  # of two-way clusters, one term is subtracted
        variance += sign * float(np.square(influences[-1]).sum())
        model_variances += sign * np.array([float(np.square(x).sum()) for x in u])
    status = next((r.design.status for r in ratios if r.design.status != "ok"), "ok")
    df = combined_df(model_variances, np.array([ratio.design.df for ratio in ratios]))
    noise = max(ratio.noise for ratio in ratios)
    error = math.sqrt(variance) if variance >= 0.0 else math.nan
    if status != "ok":
        error = df = math.nan
    elif abs(variance) <= noise * noise:
        error = 0.0
        estimate = 0.0 if abs(estimate) <= noise else estimate
    elif variance < 0.0:
        status = "negative_variance"
        df = math.nan
    shares = np.mean([ratio.shares for ratio in ratios], axis=0)
    gaps = first_minus_second([ratio.residuals / ratio.total for ratio in ratios])
    have_equal_residuals = bool((np.abs(gaps) <= noise).all())
    mean = ItemMean(estimate, error, df, status)
    influence = influences[0] if influences else np.zeros(0)
    return Linearised(mean, influence, shares, first.design, have_equal_residuals)


def first_minus_second(values: Sequence[Any]) -> Any:
    """Return the only value, of one model, or the first of two less the second."""
    return values[0] if len(values) == 1 else values[0] - values[1]


def combined_df(variances: Vector, df: Vector) -> float:
    """Return the df of a difference of ratios from their variances V_a, V_b and df f_a, f_b.

    ((V_a + V_b) / (V_a / sqrt(f_a) + V_b / sqrt(f_b)))^2, as in the module's docstring; the smaller
    df if the variances are not positive.
    """
    if (df == df[0]).all() or not variances.sum() > 0.0 or (variances < 0.0).any():
        return float(df.min())
    return float(variances.sum() / (variances / np.sqrt(df)).sum()) ** 2


LARGEST_SHARE = 0.1  # of the sum of denominators in one cluster
LARGEST_MULTIPLE = 3.0  # of a cluster's share if all were equal


def has_dominant_share(shares: Vector) -> bool:
    """Return whether one item or cluster has a dominant share of the sum of denominators.

    Where items differ by their own ratios, and not by chance within them, tests at 5% then reject
    6 to 8% of true null hypotheses.
    """
    largest = float(shares.max())
    return largest > LARGEST_SHARE and largest * shares.size > LARGEST_MULTIPLE


def ratio_status(estimate: Linearised, enough_status: str = "ok") -> str:
    """Return the status word of a ratio, or of a difference, whose variance is not 0.

    `enough_status` if there are enough clusters and no item dominates.
    """
    if estimate.mean.status != "ok":
        return estimate.mean.status
    status_of_shares = "few_items" if has_dominant_share(estimate.shares) else enough_status
    return cluster_status(estimate.mean.df, status_of_shares)


def scores_if_equal_denominators(table: Items) -> Items | None:
    """Return the items' ratios x / y as scores if all denominators are equal, else None."""
    x = table.scores[:, ::2]
    y = table.scores[:, 1::2]
    if not (y == y[0, 0]).all():
        return None
    return table._replace(scores=np.ascontiguousarray(x / y[0, 0]))


def model_ratios(table: Items) -> list[Ratio]:
    """Return the ratio of each model; columns are numerators and denominators in turn."""
    columns = np.ascontiguousarray(table.scores.T)
    return [
        estimate_ratio(x, y, table.links) for x, y in zip(columns[::2], columns[1::2], strict=True)
    ]


def are_shares(table: Items) -> bool:
    """Return whether every numerator lies between 0 and its denominator: all ratios are shares."""
    x = table.scores[:, ::2]
    y = table.scores[:, 1::2]
    return bool(((x >= 0.0) & (x <= y)).all())


def column_sums(table: Items) -> Vector:
    """Return the sums of all columns over items, with their weights if there are any."""
    weights = table.links.weights
    return np.asarray(table.scores.sum(axis=0) if weights is None else weights @ table.scores)


@dataclass(frozen=True, eq=False, kw_only=True)
class RatioResult(ItemsResult, ByTails, Cautious, Result):
    """Result of `ratio_test`; `estimate` is ``ratios[0] - ratios[1]``."""

    df: float
    ratios: Vector
    numerators: Vector
    denominators: Vector
    n: int
    n_clusters: int
    n_strata: int
    n_dropped: int
    design: str
    _tails: Ends | None = field(repr=False)
    _weighted: bool = field(repr=False)
    _letter: str = field(repr=False, default="")
    _unseen: UnseenFailures | None = field(repr=False, default=None)
    title: ClassVar[str] = "Test of two ratios of sums"
    _units: ClassVar[str] = "items"
    _quantity: ClassVar[str] = "ratio"

    def _failures(self) -> UnseenFailures | None:
        return self._unseen

    def _zero_variance_limits(self, level: float) -> tuple[float, float]:
        # score tests have an interval without variance; Student's does not
        has_ends = self._tails is not None and not isinstance(self._tails, StudentEnds)
        return self._ends(level) if has_ends else super()._zero_variance_limits(level)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        form = differing_form(self.ratios, "g")
        ratios = self._beside_names(*(f"{ratio:{form}}" for ratio in self.ratios))
        return (
            f"The {plural(self._quantity)} are {ratios}, a difference of {self.estimate:.4g} "
            f"({self._interval_prefix('.4g')}{self._counted(weighted=self._weighted)}; "
            f"{self.method}{self._hypothesis_text()}, {self._stated_test()})."
            f"{self._stated_failures() or caution_sentence(self.status, self.df)}"
        )

    def _stated_test(self) -> str:
        """Return statistic and p-value as words, as in 't(11) = 2.13, p = 0.04'."""
        if math.isnan(self.pvalue):
            return "p undefined"
        has_statistic = bool(self._letter) and math.isfinite(self.statistic)
        statistic = f"{self._letter} = {self.statistic:.4g}, " if has_statistic else ""
        return statistic + equation("p", show_pvalue(self.pvalue))


@dataclass(frozen=True, eq=False, kw_only=True)
class RatioIntervalResult(ItemsResult, IntervalEstimate):
    """Result of `ratio_interval`."""

    df: float
    names: tuple[str, ...]
    numerator: float
    denominator: float
    n: int
    n_clusters: int
    n_strata: int
    n_dropped: int
    design: str
    _tails: Ends | None = field(repr=False)
    _weighted: bool = field(repr=False)
    title: ClassVar[str] = "Ratio of sums"

    def _ends(self, level: float) -> tuple[float, float]:
        """Return both ends of the two-sided interval of the ratio, NaN where it has no variance."""
        if self._tails is None:
            return math.nan, math.nan
        tail = 0.5 * (1.0 - level)
        return self._tails.low(tail), self._tails.high(tail)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        of_model = "" if self.names == UNNAMED_MODEL else f" of {self.names[0]}"
        return (
            f"The ratio{of_model} is {self.estimate:.4f} ({self._interval_prefix()}"
            f"{self._counted(weighted=self._weighted)}).{caution_sentence(self.status, self.df)}"
        )


@with_engine_options(as_ratio_table)
def ratio_interval(
    numerators: ArrayLike,
    denominators: ArrayLike,
    *,
    method: str = "auto",
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **linking: Unpack[Linking],
) -> RatioIntervalResult:
    """Return one model's ratio of sums over items, with a confidence interval.

    Micro-averaged precision, recall or F1 from counts of each document, pooled overlap (IoU) of
    pictures, the word error rate of recordings: the sum of numerators over the sum of denominators.

    Parameters
    ----------
    numerators : array-like of shape (n,)
        Numerator of each item: 2 TP for F1, the intersection for IoU, wrong words.
    denominators : array-like of shape (n,)
        Denominator of each item, at least 0: 2 TP + FP + FN for F1, the union for IoU, the number
        of words. An item may have a denominator of 0.
    method : {'auto', 't'}, default='auto'
        't' is Student's interval; 'auto' is Wilson's with the effective number of parts if every
        numerator lies between 0 and its denominator, else Student's.
    sample_weight : array-like of shape (n,), optional
        Weight of each item, which multiplies its numerator and its denominator.
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item (the author of a document, for example), labels of any type. Two
        columns are two-way clusters.

    Returns
    -------
    RatioIntervalResult
        With ``estimate``, ``standard_error``, ``df``, ``confidence_interval()``, ``names`` (1),
        ``numerator`` and ``denominator`` (their sums), ``n``, ``n_clusters``, ``n_strata``,
        ``n_dropped``, ``design``, ``method``, ``status`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If there is only one item or cluster, overall or in a stratum, or one has all of the
        denominators; or the variance is 0 although the ratio is neither 0 nor 1.
    SmallSampleWarning
        'few_clusters' and 'few_items' as in `ratio_test`. 'low_coverage', if every numerator is at
        most its denominator and the variance rests on fewer than 8 items or clusters in effect;
        'small_sample', if others are evidently skewed.

    See Also
    --------
    ratio_test : Whether the ratios of two models differ.
    mean_interval : The mean of scores of items, which all count equally.

    Notes
    -----
    The standard error and the degrees of freedom are those of `ratio_test`. Items are sampled, not
    their parts: the words of a recording are not independent. docs/evidence/ratios.md has the
    coverage.

    References
    ----------
    .. [1] W. G. Cochran (1977), Sampling Techniques, 3rd edition, section 6.4, Wiley.
    .. [2] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> wrong = [2, 4, 2, 4, 4, 2, 5, 1, 4, 2, 4, 2]
    >>> words = [31, 28, 33, 30, 29, 32, 34, 27, 30, 31, 28, 33]
    >>> print(fc.ratio_interval(wrong, words).summary())
    The ratio is 0.0984 (95% CI 0.0744 to 0.1290; 12 items).
    """
    check_undefined(on_undefined)
    check_choice("method", method, METHODS_BY_STANDARD_ERROR)
    level = check_level(confidence_level)
    columns = {"numerators": numerators, "denominators": denominators}
    table = as_ratio_table(columns, nan_policy, **linking)
    check_links(table.links, "t", None, table.n_dropped)

    numerator, denominator = column_sums(table).tolist()
    fields = Fields(numerator=numerator, denominator=denominator, confidence_level=level)
    result = RatioIntervalResult(
        **fields, **interval_fields(table, method), _weighted=table.links.weights is not None
    )
    warn_status(result.status, on_undefined)
    return result


def interval_fields(table: Items, method: str) -> Fields:
    """Return the fields of `RatioIntervalResult`: estimate, interval ends, status, sample sizes."""
    scores = scores_if_equal_denominators(table)
    if scores is not None:
        differences = differences_of(scores, scores.scores[:, 0], None)
        mean = differences.mean
        ends = mean_interval_ends(differences, method)
        status = mean_status(differences, ends)
        design = differences.design
    else:
        linear = linearise(model_ratios(table))
        mean, design = linear.mean, linear.design
        ends = ratio_interval_ends(linear, table, method)
        status = ratio_status(linear, interval_small_sample_status(linear, table))
        if ends is None and mean.standard_error == 0.0:
            status = "zero_variance"
    return Fields(
        **item_fields(table, design),
        estimate=mean.estimate,
        standard_error=mean.standard_error,
        df=mean.df,
        method=interval_method(ends),
        status=status,
        _tails=ends,
    )


def interval_small_sample_status(linear: Linearised, table: Items) -> str:
    """Return 'low_coverage' or 'small_sample' if few items decide a ratio's interval, else 'ok'."""
    if are_shares(table):
        return coverage_status(linear.influence)
    return "small_sample" if linear.skewness.evident else "ok"


def ratio_interval_ends(linear: Linearised, table: Items, method: str) -> Ends | None:
    """Return the interval ends of a ratio: Wilson's of shares, else Student's.

    None where there is no interval, because the standard error is 0 or undefined.
    """
    estimate, error, df, _ = linear.mean
    numerators, denominators = table.scores.T
    if method == "auto" and df > 0.0 and are_shares(table):
        is_constant = bool((numerators == 0.0).all() or (numerators == denominators).all())
        answers = AnswerCounts(linear.units, False, np.array([is_constant]))
        return AnswerEnds(estimate, error, df, answers) if is_constant or error > 0.0 else None
    return StudentEnds(estimate, error, df) if error > 0.0 else None


@with_engine_options(as_ratio_table)
def ratio_test(
    numerators_a: ArrayLike,
    denominators_a: ArrayLike,
    numerators_b: ArrayLike,
    denominators_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **linking: Unpack[Linking],
) -> RatioResult:
    """Test that two models have equal ratios of sums over the same items.

    Micro-averaged precision, recall or F1 from counts of each document, pooled overlap (IoU) of
    pictures, word error rates with their own reference lengths: the sum of numerators over the sum
    of denominators.

    Parameters
    ----------
    numerators_a, numerators_b : array-like of shape (n,)
        Numerator of each item for the two models: 2 TP for F1, TP for precision and recall, the
        intersection for IoU, wrong words for a word error rate.
    denominators_a, denominators_b : array-like of shape (n,)
        Denominator of each item, at least 0: 2 TP + FP + FN for F1, TP + FP for precision, the
        union for IoU, the number of words. An item may have a denominator of 0. Without
        `denominators_b`, both models have the denominators of the first.
    method : {'auto', 't'}, default='auto'
        't' is Student's t of the linearised difference; 'auto' is that test with Hall's correction
        if items are evidently skewed. If all denominators are equal, the test is the one of
        `paired_mean_test` with this method.
    sample_weight : array-like of shape (n,), optional
        Weight of each item, which multiplies its numerators and its denominators.
    groups : array-like of shape (n,) or (n, 2), optional
        Cluster of each item (the author of a document, for example), labels of any type. Two
        columns are two-way clusters.

    Returns
    -------
    RatioResult
        With ``names``, ``estimate`` (first ratio minus second), ``standard_error``, ``df``,
        ``statistic``, ``pvalue``, ``log_pvalue``, ``ratios`` (2,), ``numerators`` and
        ``denominators`` (2,) (their sums), ``n``, ``n_clusters``, ``n_strata``, ``n_dropped``,
        ``design``, ``method``, ``status``; ``confidence_interval()`` and ``summary()``.

    Warns
    -----
    UndefinedResultWarning
        If there is only one item or cluster, overall or in a stratum, or one has all of the
        denominators; the two-way cluster-robust variance is not positive; or, without a margin, the
        variance is 0 but the difference is not.
    SmallSampleWarning
        'few_clusters', if there are fewer than 4 degrees of freedom: intervals are wide.
        'few_items', if an item or cluster has more than a tenth of the denominators, and three
        times as much as with equal denominators. 'unseen_failures', if failures of the better model
        of which so small a sample may have none would explain a significant difference of
        shares (every numerator is at most its denominator). 'small_sample', if a
        significant difference would not be, were items a little more skewed than they show.

    See Also
    --------
    ratio_interval : The ratio of one model.
    paired_mean_test : Means of scores of items, which all count equally.

    Notes
    -----
    Item g has the residual e_g = x_g - R y_g of each model, with numerator x_g, denominator y_g and
    R the ratio of their sums. With S_g the sum of e over cluster g (over the item, without
    clusters), Y the sum of all y and p_g the part of cluster g in it::

        SE^2 = sum u_g^2,    u_g = S_g,a / (Y_a sqrt(1 - p_g,a)) - S_g,b / (Y_b sqrt(1 - p_g,b))

    That is the delta method with CR2 in place of its variance, which is too small where
    denominators are unequal. With equal denominators y_g of both models, standard error and
    Satterthwaite's degrees of freedom are those of `paired_mean_test` of the y_g parts (words,
    pixels) in clusters, the items. If denominators differ between the models, R_a varies by V_a
    with f_a degrees of freedom and R_b by V_b with f_b, and the test has ((V_a + V_b) / (V_a /
    sqrt(f_a) + V_b / sqrt(f_b)))^2.

    Items are sampled, not their parts: the words of a recording are not independent. For a mean of
    ratios that counts every item equally (macro), pass the ratios to `paired_mean_test`. For error
    rates lower is better: 'less' means that the first model is better. The type I error rates are
    in docs/evidence/ratios.md.

    References
    ----------
    .. [1] W. G. Cochran (1977), Sampling Techniques, 3rd edition, section 6.4, Wiley.
    .. [2] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.
    .. [3] P. Hall (1992), doi:10.1111/j.2517-6161.1992.tb01876.x.

    Examples
    --------
    Word error rates of two recognizers on the same recordings:

    >>> import fastcompare as fc
    >>> words = [31, 28, 33, 30, 29, 32, 34, 27, 30, 31, 28, 33]
    >>> wrong_a = [2, 4, 2, 4, 4, 2, 5, 1, 4, 2, 4, 2]
    >>> wrong_b = [4, 5, 4, 4, 6, 3, 5, 4, 6, 3, 7, 3]
    >>> print(fc.ratio_test(wrong_a, words, wrong_b).summary())
    The second model has a significantly higher ratio than the first model. The ratios are
    0.09836 and 0.1475, a difference of -0.04918 (95% CI -0.07139 to -0.02697; 12 items; paired
    t-test of ratios, t(10.94) = -4.876, p = 0.000497).
    """
    check_undefined(on_undefined)
    check_choice("method", method, METHODS_BY_STANDARD_ERROR)
    claim = as_claim(alternative, margin, float("inf"))
    columns = {
        "numerators_a": numerators_a,
        "denominators_a": denominators_a,
        "numerators_b": numerators_b,
        "denominators_b": denominators_a if denominators_b is None else denominators_b,
    }
    table = as_ratio_table(columns, nan_policy, **linking)
    check_links(table.links, "t", None, table.n_dropped)

    sums = column_sums(table)
    result = RatioResult(
        **ratio_test_fields(table, method, claim),
        ratios=sums[::2] / sums[1::2],
        numerators=sums[::2],
        denominators=sums[1::2],
        _weighted=table.links.weights is not None,
    )
    return with_caution(result, on_undefined)


def ratio_test_fields(table: Items, method: str, claim: Claim) -> Fields:
    """Return the fields of the test of two ratios: the test, its status, and the sample sizes."""
    scores = scores_if_equal_denominators(table)
    procedure = Procedure(method, claim, None)
    if scores is None:
        linear = linearise(model_ratios(table))
        test = linearised_test(linear, table, procedure)
        return Fields(**item_fields(table, linear.design), **test, df=linear.mean.df)
    d = scores.scores[:, 0] - scores.scores[:, 1]
    differences = differences_of(scores, d, None)
    test = METHODS[method](differences, procedure)
    test.setdefault("status", difference_status(differences, procedure))
    if "_unseen" not in test:
        test["_unseen"] = item_failures(differences, claim, test["pvalue"])
    return Fields(**item_fields(table, differences.design), **test, df=differences.mean.df)


def linearised_test(linear: Linearised, table: Items, procedure: Procedure) -> Fields:
    """Return the fields of the t-test of two ratios, with Hall's correction if skewed."""
    estimate, error, df, status = linear.mean
    claim = procedure.claim
    title = RATIO_TITLE if table.links.groups is None else CLUSTERED_RATIO_TITLE
    ends = StudentEnds(estimate, error, df)
    if not error > 0.0:
        if status != "ok":
            return {**student_test(ends, claim, title), "status": status}
        bound = equal_ratios_bound(linear, table, claim)
        if_equal = "no_difference" if linear.have_equal_residuals else "zero_variance"
        status = unvaried_status(estimate, claim.margin, if_equal)
        return {**student_test(ends, claim, title, bound), "status": status}
    if procedure.method == "t":
        test = {**student_test(ends, claim, title), "status": "ok"}
    else:
        uncorrected = HallInterval(*ends, skewness=0.0)
        test = skewed_test(SkewedMean(uncorrected, linear.skewness), claim, title)
    test["_unseen"] = ratio_failures(linear, table, claim)
    return {**test, "status": ratio_status(linear, test["status"])}


def ratio_failures(linear: Linearised, table: Items, claim: Claim) -> UnseenFailures | None:
    """Return the unseen failures that would explain a difference of shares; else None."""
    if linear.design.n > MOST_ITEMS or not are_shares(table):
        return None
    numerators, denominators = column_sums(table).reshape(2, 2).T
    ratio_a, ratio_b = (numerators / denominators).tolist()
    units = effective_parts(table, linear.units)
    scale = ItemScale((ratio_a, ratio_b), 0.0, 1.0, (units, units), has_bounds=True)
    return scale.failures(linear.mean.estimate, *claim)


def effective_parts(table: Items, kish: float) -> float:
    """Return the effective number of parts (words, pixels), of the model that has fewer.

    n / (1 + rho (sum n_g^2 / n - 1)) with the intraclass correlation rho of parts within items.
    For weighted items, or parts that are not whole numbers, it is `kish`, that of items.
    """
    if table.links.weights is not None or not are_integers(table.scores):
        return kish
    groups = table.links.groups
    count = cluster_count(table.links)
    units_of_models = []
    for x, y in zip(table.scores.T[::2], table.scores.T[1::2], strict=True):
        n = y.sum()
        share = x.sum() / n
        sums = cluster_totals(x - share * y, groups, count)
        sizes = cluster_totals(y, groups, count)
        sum_of_squares = share * (1.0 - share) * n  # of parts that are right or wrong
        rho = conservative_icc(sums, sizes, sum_of_squares) if sum_of_squares > 0.0 else 1.0
        units_of_models.append(float(n / (1.0 + rho * (sizes @ sizes / n - 1.0))))
    return min(units_of_models)


def equal_ratios_bound(linear: Linearised, table: Items, claim: Claim) -> ZeroVarianceBound:
    """Return the bound on a difference of ratios if all items or clusters have equal ratios."""
    most = 1.0 if are_shares(table) and claim.margin < 1.0 else math.inf
    name = "items" if table.links.groups is None else "clusters"
    return ZeroVarianceBound(sum_over_largest(linear.shares), most, name)
