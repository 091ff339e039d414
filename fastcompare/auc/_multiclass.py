"""AUC for more than two classes: of one model, and of two models on the same cases.

Every replicate has as many cases of each class as the data, so an average is a sum of whole numbers
of pairs won, each with a fixed share, over one common denominator. The sum is exact: replicates
that are equal, or 0, are so in all bits.

Of class c cluster g has a share p_cg; a_cg is the sum of its cases' influence. As for two classes
(`_delong.clustered`), CR2 of Bell and McCaffrey (2002) with a variance of its own for each class is

    Var = sum over g of (sum over c of a_cg / sqrt(1 - p_cg))^2

and with v_c what class c adds to it, Satterthwaite's degrees of freedom are
(sum v_c)^2 / sum k_cd v_c v_d, k of `cluster_overlap`: for shares as of independent cases or as of
clusters, the smaller one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import with_engine_options
from .._base.parallel import Checkpoint
from .._base.text import direction_note, show_number
from .._base.types import Alternative, Fields, Integers, NanPolicy, Undefined, Vector
from .._inference.clusters import cluster_overlap, cluster_status, fewest_df, shares_df
from .._inference.infer import ZeroVarianceBound, infer
from .._inference.status import FEW, difference_status, sample_status, warn_status
from .._inputs.options import as_choice, check_choice, check_level, check_undefined
from .._inputs.probabilities import ClassCases, ClassScores, as_class_cases, check_closed_form
from .._resampling.bootstrap import (
    UNSTUDENTIZED,
    BootstrapInterval,
    BootstrapResult,
    Claim,
    DrawOptions,
    Draws,
    ReplicateSummary,
    as_claim,
    as_draws,
    bca_acceleration,
    bootstrap_fields,
    draw_replicates,
    interval_fields,
    summarize_replicates,
)
from .._resampling.weights import Weights
from .._results.caution import with_caution
from .._results.two_models import StudentResult
from ..kernels.drawing.streams import LANES
from ._bootstrap_walks import NO_COUNTS, ConcordanceCounts, sort_scores
from ._differences import AUCDifference, caution
from ._intervals import INTERVALS, IntervalInputs
from ._multiclass_walks import (
    AVERAGES,
    EQUAL,
    PAIRWISE,
    TITLES,
    Averages,
    ScoresByClass,
    Walk,
    compute_averages,
    scores_by_class,
    win_coefficients,
)


@dataclass(frozen=True, eq=False, kw_only=True)
class MulticlassAUCResult(BootstrapInterval):
    """Result of `multiclass_auc`."""

    average: str
    classes: tuple[Any, ...]
    n_per_class: NDArray[np.int64]
    per_class: NDArray[np.float64]
    per_pair: NDArray[np.float64] | None
    n_dropped: int
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "Area under the ROC curve of several classes"

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the interval at this level, by the result's method."""
        if self.method not in INTERVALS:
            return super()._ends(level)
        smallest = int(self.n_per_class.min())
        if self.status == "perfect_separation" and self.estimate in self.bounds:
            return perfect_limits(self.estimate, smallest, 0.5 * (1.0 - level))
        # as if there were two classes, both as small as the smallest
        inputs = IntervalInputs(self.estimate, self.standard_error, smallest, smallest)
        return INTERVALS[self.method](inputs, 0.5 * (1.0 - level))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        title = TITLES[self.average]
        note = direction_note(self.estimate, several_classes=True)
        return (
            f"{title[0].upper()}{title[1:]} of {len(self.classes)} classes is "
            f"{show_number(self.estimate)} ({self._interval_text()}, {self.method} method; "
            f"{self.n_per_class.sum()} cases).{note}"
        )


def perfect_limits(estimate: float, sets: int, tail: float) -> tuple[float, float]:
    """Return the exact limits of an average of 1, or 0, from `sets` of one case of each class.

    The sets share no case, and all are in order. The average is at least the probability that a
    set is in order.
    """
    width = ZeroVarianceBound(sets).reach(tail, 1.0)
    return max(estimate - width, 0.0), min(estimate + width, 1.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class MulticlassDifference(AUCDifference):
    """A test of two models' multiclass AUCs; `estimate` is ``auc[0] - auc[1]``."""

    average: str
    covariance: NDArray[np.float64]
    classes: tuple[Any, ...]
    n_per_class: NDArray[np.int64]
    n_dropped: int
    title: ClassVar[str] = "Test of two AUCs of several classes"
    _several_classes: ClassVar[bool] = True
    _counts_are_effective: ClassVar[bool] = True

    @property
    def _n_cases(self) -> int:
        """The number of cases of all classes."""
        return int(self.n_per_class.sum())

    def _caution(self) -> str:
        """Return a sentence about few cases, if the status says so."""
        return caution([self.status], self.n_per_class, "the approximation")

    @property
    def _independent_cases(self) -> tuple[float, float]:
        """The effective numbers of cases: 1 over the change of the average by one failing case.

        A failing case changes the AUCs of its class and of the class it is mistaken for: 2 of C
        classes of equal weight, or 2 of all cases if classes are weighted by size.
        """
        sizes = self.n_per_class
        equal = float(sizes.min()) * sizes.size if self.average in EQUAL else sizes.sum()
        return 0.5 * equal, 0.5 * equal

    @property
    def _units(self) -> str:
        """The units among which a model may fail."""
        return "cases"


@dataclass(frozen=True, eq=False, kw_only=True)
class MulticlassAUCTestResult(MulticlassDifference, StudentResult):
    """Result of `multiclass_auc_test` with ``method="delong"``."""


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapMulticlassAUCResult(BootstrapResult, MulticlassDifference):
    """Result of `multiclass_auc_test` with a bootstrap method."""


def auc_tables(
    averages: Averages, average: str
) -> tuple[NDArray[np.float64], NDArray[np.float64] | None]:
    """Return the AUC of each class (c,), and of each ordered pair (c, c) if these are averaged."""
    c = averages.counts.size
    auc = averages.auc[:, 0]
    if average not in PAIRWISE:  # one walk a class, in the order of the classes
        return auc, None
    off_diagonal = ~np.eye(c, dtype=bool)
    table = np.full((c, c), math.nan)
    table[off_diagonal] = auc  # the walks are in row order
    return auc.reshape(c, c - 1).mean(axis=1), table


def average_status(averages: Averages, variance: float) -> str:
    """Return the status word of one model's multiclass AUC."""
    fewest = int(averages.counts.min())
    status = sample_status(fewest, fewest, FEW) if fewest else "missing_class"
    if status in ("missing_class", "too_few") or variance > 0.0:
        return status
    aucs = set(averages.auc[:, 0].tolist())
    if aucs == {0.5}:
        return "constant_scores"
    return "perfect_separation" if aucs <= {0.0, 1.0} else "zero_variance"


def difference_of_averages_status(averages: Averages, variance: float, margin: float) -> str:
    """Return the status word of a difference of multiclass AUCs."""
    fewest = int(averages.counts.min())
    if not fewest:
        return "missing_class"
    aucs = averages.auc.ravel().tolist()
    return difference_status(fewest, fewest, variance, averages.difference, aucs, FEW, margin)


def zero_variance_bound_of_classes(averages: Averages) -> ZeroVarianceBound:
    """Return the bound of a difference without variance, by disjoint sets of a case of each class.

    A difference other than 0 counts as one set.
    """
    fewest = 1 if averages.difference else int(averages.counts.min())
    return ZeroVarianceBound(fewest, name="sets of a case of each class")


EXACT_BELOW = 1 << 53  # whole numbers below it are doubles


@dataclass(frozen=True, slots=True)
class AverageWins:
    """Statistic (64,): the multiclass AUC of one model, or the difference of two models'.

    It is the sum of 2mn AUC of each walk times its `coefficients`, over `denominator`.
    """

    walks: tuple[ConcordanceCounts, ...]
    coefficients: tuple[int, ...]
    denominator: int

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the statistic of 64 replicates with these weights (n, 64), each rounded once."""
        total = np.zeros(LANES, np.int64 if self.denominator < EXACT_BELOW else object)
        for walk, coefficient in zip(self.walks, self.coefficients, strict=True):
            wins = walk(weights, checkpoint)[:-2].astype(np.int64)
            difference = wins[0] - wins[1:].sum(axis=0)
            total += coefficient * difference.astype(total.dtype)
        return np.asarray(total / self.denominator, np.float64)


def average_statistic(blocks: ScoresByClass, walks: list[Walk]) -> AverageWins:
    """Return the multiclass AUC as a bootstrap statistic; each class must have a case."""
    shares = win_coefficients(blocks, walks)
    denominator = math.lcm(*(share.denominator for share in shares))
    wins = tuple(walk_statistic(blocks, walk) for walk in walks)
    return AverageWins(wins, tuple(int(share * denominator) for share in shares), denominator)


def walk_statistic(blocks: ScoresByClass, walk: Walk) -> ConcordanceCounts:
    """Return 2mn AUC of one walk as a bootstrap statistic, with fixed class sizes."""
    cases, (m, n) = blocks.walk_cases(walk), blocks.walk_sizes(walk)
    spans = [np.arange(s.start, s.stop, dtype=np.uint32) for s in blocks.class_spans(walk)]
    rows = np.concatenate(spans)
    return ConcordanceCounts(sort_scores(cases.labels, cases.scores, rows), NO_COUNTS, (n, m))


def average_replicates(blocks: ScoresByClass, averages: Averages, draws: Draws) -> Vector:
    """Return the replicates of the multiclass AUC or difference, none if a class has one case."""
    if averages.counts.min() < 2:
        return np.empty(0)
    values: Vector = draw_replicates(
        average_statistic(blocks, averages.walks), tuple(blocks.counts), draws
    )[0]
    return values


def bootstrap_difference(
    blocks: ScoresByClass, averages: Averages, method: str, draws: Draws
) -> ReplicateSummary:
    """Return the difference of two models' multiclass AUCs with its replicates."""
    values = average_replicates(blocks, averages, draws)
    acceleration = bca_acceleration(averages.influence[-1])
    return summarize_replicates(method, averages.difference, values, acceleration=acceleration)


METHODS = ("delong", "logit", "bootstrap")


@with_engine_options(as_draws)
def multiclass_auc(
    y_true: ArrayLike,
    y_score: ClassScores,
    *,
    classes: ArrayLike | None = None,
    average: str = "hand-till",
    method: str = "delong",
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> MulticlassAUCResult:
    """Return the multiclass AUC, with its standard error and confidence interval.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Labels of any kind.
    y_score : array-like of shape (n, c), mapping or data frame
        Scores, one column per class; a higher score means that the class is more likely. Columns of
        an array are in the order of the sorted labels, or of `classes`; those of a mapping or data
        frame are named by the labels. Only the order within a column matters: rows need not sum to
        1.
    classes : array-like of shape (c,), optional
        The labels in the order of the columns; may include a class without cases.
    average : {'hand-till', 'ovo-weighted', 'ovr', 'ovr-weighted'}, default='hand-till'
        'hand-till' is the mean over ordered pairs of classes i, j of the AUC of i against j by the
        score of i; it does not depend on the prevalences. 'ovr' is the mean over classes of the AUC
        of a class against all others. The weighted averages weight pairs, or classes, by their
        share of the cases.
    method : {'delong', 'logit', 'bootstrap'}, default='delong'
        The interval: symmetric and cut to [0, 1]; symmetric on the logit scale; or percentiles of
        `n_resamples` replicates stratified by class.

    Returns
    -------
    MulticlassAUCResult
        With ``estimate``, ``standard_error``, ``confidence_interval()``, ``per_class`` (c,),
        ``per_pair`` (c, c; row i: class i against each other one by the score of i; None for
        one-vs-rest), ``classes``, ``n_per_class``, ``average``, ``status``. The standard error is
        that of the replicates for 'bootstrap'.

    Warns
    -----
    UndefinedResultWarning
        If a class has no case or one case, or the estimated variance is 0; ``status`` says which.

    See Also
    --------
    multiclass_auc_test : Two models on the same cases.

    Notes
    -----
    The variance generalises DeLong's: a case contributes to every AUC that involves its class, and
    the variance is the sum over classes of the sample variance of these contributions, divided by
    the number of cases of the class. Class sizes and weights are treated as fixed, as in a
    bootstrap stratified by class. The limits of 'delong' of an average of 1 are exact: those of a
    share of which as many sets of a case of each class as can be made have none in disorder. For
    two classes whose columns mirror one another the result is
    that of `roc_auc_interval`.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till (2001), doi:10.1023/A:1010920819831.
    .. [2] T. Fawcett (2006), doi:10.1016/j.patrec.2005.10.010.
    .. [3] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = ["a", "a", "a", "b", "b", "c", "c"]
    >>> p = [[.6, .3, .1], [.4, .5, .1], [.3, .3, .4], [.5, .3, .2], [.1, .6, .3], [.2, .5, .3],
    ...      [.3, .1, .6]]
    >>> result = fc.multiclass_auc(y, p)
    >>> round(result.estimate, 4), round(result.standard_error, 4), result.classes
    (0.7847, 0.164, ('a', 'b', 'c'))
    """
    check_undefined(on_undefined)
    check_choice("average", average, AVERAGES)
    method = as_choice("method", method, METHODS)
    level = check_level(confidence_level)
    draws = as_draws(**drawing)
    cases = as_class_cases(y_true, classes=classes, nan_policy=nan_policy, y_score=y_score)

    jobs = draws.workers["n_jobs"]
    blocks = scores_by_class(cases, jobs)
    averages = compute_averages(blocks, average, jobs)
    error = math.sqrt(averages.covariance[0, 0])
    fields: Fields = {"estimate": float(averages.estimate[0]), "standard_error": error}
    if method == "bootstrap":
        values = average_replicates(blocks, averages, draws)
        summary = summarize_replicates("percentile", float(averages.estimate[0]), values)
        fields = interval_fields(summary, draws)

    status = average_status(averages, fields["standard_error"])
    warn_status(status, on_undefined)

    per_class, per_pair = auc_tables(averages, average)
    return MulticlassAUCResult(
        **fields,
        method=method,
        status=status,
        average=average,
        classes=cases.classes,
        n_per_class=averages.counts,
        per_class=per_class,
        per_pair=per_pair,
        confidence_level=level,
        n_dropped=cases.n_dropped,
    )


class AverageVariance(NamedTuple):
    """Averages with their covariance, the df of the difference, and the bound without variance.

    `word` is the status of clusters, empty without clusters.
    """

    averages: Averages
    df: float
    unvaried: ZeroVarianceBound
    word: str = ""


def average_variance(
    cases: ClassCases, blocks: ScoresByClass, averages: Averages
) -> AverageVariance:
    """Return the averages with their variance for independent or clustered cases (CR2)."""
    if cases.groups is None:
        return AverageVariance(averages, math.inf, zero_variance_bound_of_classes(averages))
    ordered = cases.groups[np.argsort(cases.codes, kind="stable")]
    total = int(ordered.max()) + 1
    sizes = np.array([np.bincount(ordered[span], minlength=total) for span in blocks.spans])
    bound = ZeroVarianceBound(1.0, name="sample")
    least = fewest_df(sizes)
    if math.isnan(least):
        undefined = replace(averages, covariance=np.full_like(averages.covariance, math.nan))
        return AverageVariance(undefined, math.nan, bound, "too_few_clusters")
    parts = adjusted_cluster_sums(averages, blocks, ordered, sizes)
    errors = parts.sum(axis=0)
    cluster_shares = np.square(parts[:, -1]).sum(axis=1)
    case_shares = [
        float(np.square(averages.influence[-1, span]).sum() * n / (n - 1.0))
        for span, n in zip(blocks.spans, averages.counts.tolist(), strict=True)
    ]
    overlaps = np.array([[cluster_overlap(c, d) for d in sizes] for c in sizes])
    df = np.fmin(shares_df(cluster_shares, overlaps), shares_df(np.array(case_shares), overlaps))
    clustered = replace(averages, covariance=errors @ errors.T)
    return AverageVariance(clustered, float(df), bound, cluster_status(least))


def adjusted_cluster_sums(
    averages: Averages, blocks: ScoresByClass, groups: Integers, sizes: Integers
) -> Vector:
    """Return a_cg / sqrt(1 - p_cg) (c, k, G): influence summed by class, model and cluster."""
    parts = np.empty((len(sizes), len(averages.influence), sizes.shape[1]))
    for part, span, cluster_sizes in zip(parts, blocks.spans, sizes, strict=True):
        n = int(cluster_sizes.sum())
        for row, influence in zip(part, averages.influence[:, span], strict=True):
            row[:] = np.bincount(groups[span], influence, cluster_sizes.size)
        part *= np.sqrt(n / (n - cluster_sizes))
    return parts


@with_engine_options(as_draws)
def multiclass_auc_test(
    y_true: ArrayLike,
    y_score_a: ClassScores,
    y_score_b: ClassScores | None = None,
    *,
    classes: ArrayLike | None = None,
    average: str = "hand-till",
    method: str = "delong",
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    keep: bool = False,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> MulticlassAUCTestResult | BootstrapMulticlassAUCResult:
    """Test whether two multiclass classifiers have different AUCs on the same cases.

    Parameters
    ----------
    y_true, classes, average
        As in `multiclass_auc`.
    y_score_a, y_score_b : array-like of shape (n, c), mapping or data frame
        Scores of the same cases by the two models, as in `multiclass_auc`.
    method : {'delong', 'percentile', 'basic', 'bca', 'normal'}, default='delong'
        'delong' is a closed form; the others are bootstraps with `n_resamples` replicates
        stratified by class, as in `bootstrap_auc_test`.
    groups : array-like of shape (n,), optional
        Cluster of each case, as in `delong_test`; only for 'delong'. Then the variance is CR2,
        computed for each class separately, and the statistic follows Student's t with
        Satterthwaite's degrees of freedom.

    Returns
    -------
    MulticlassAUCTestResult or BootstrapMulticlassAUCResult
        With ``statistic`` (the estimate, shifted by the margin, over its standard error),
        ``pvalue``, ``log_pvalue``, ``estimate`` (first minus second), ``standard_error`` (for the
        bootstraps, of the replicates), ``auc`` (2,), ``covariance`` (2, 2; the closed form),
        ``average``, ``classes``, ``n_per_class``, ``df`` (the closed form; infinite without
        clusters), ``status``, and the methods ``confidence_interval(confidence_level)``,
        ``summary()`` and ``to_dict()``. Bootstraps also have ``n_resamples``, ``seed`` and, if
        kept, ``distribution``.

    Warns
    -----
    UndefinedResultWarning
        If a class has no case or one case, or, without a margin, the variance is 0, except for
        models that rank identically without separating all classes; ``status`` says which.

    SmallSampleWarning
        'few_clusters', if clusters carry fewer than 4 degrees of freedom in a class.

    See Also
    --------
    multiclass_auc : One model, with an interval.
    bootstrap_auc_test : Two classes.

    Notes
    -----
    With c classes and AUC(i, j) of class i against class j by the scores of class i::

        M = sum over i != j of AUC(i, j) / (c (c - 1))
        z = (M_a - M_b) / SE,    SE^2 = sum over classes of s^2(d) / n_class

    where d is a case's contribution to M_a minus its contribution to M_b.

    The closed-form variance is that of `multiclass_auc`, applied to the case-by-case differences of
    the two models; it accounts for their correlation without numerical cancellation. Models that
    order the cases identically in every column have statistic 0 and p-value 1. Each replicate of
    the difference is exact and rounded once.

    References
    ----------
    .. [1] D. J. Hand, R. J. Till (2001), doi:10.1023/A:1010920819831.
    .. [2] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [3] A. C. Davison, D. V. Hinkley (1997), doi:10.1017/CBO9780511802843.
    .. [4] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import numpy as np
    >>> import fastcompare as fc
    >>> rng = np.random.default_rng(0)
    >>> y = rng.integers(3, size=300)
    >>> sharp, blunt = np.eye(3)[y] + rng.normal(size=(2, 300, 3)) * [[[0.8]], [[1.2]]]
    >>> result = fc.multiclass_auc_test(y, sharp, blunt)
    >>> print(result.summary())
    The first model has a significantly higher AUC than the second model. The AUCs are 0.7885
    and 0.7090, a difference of 0.0796 (95% CI 0.0297 to 0.1294; paired test of Hand and Till's
    M, z = 3.129, p = 0.0018). There were 300 cases.
    >>> fc.multiclass_auc_test(y, sharp, blunt, method="bca", rng=0).pvalue < 0.01
    True
    """
    check_undefined(on_undefined)
    check_choice("average", average, AVERAGES)
    method = as_choice("method", method, ("delong", *UNSTUDENTIZED))
    check_closed_form(method, groups)
    claim = as_claim(alternative, margin)
    draws = as_draws(keep, **drawing)
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = as_class_cases(y_true, classes=classes, nan_policy=nan_policy, groups=groups, **scores)

    jobs = draws.workers["n_jobs"]
    blocks = scores_by_class(cases, jobs)
    averages = compute_averages(blocks, average, jobs)
    title = TITLES[average]
    if method == "delong":
        estimated = average_variance(cases, blocks, averages)
        error = math.sqrt(estimated.averages.covariance[2, 2])
        inference = infer(
            averages.difference, error, *claim, df=estimated.df, unvaried=estimated.unvaried
        )
        about = test_fields(cases, estimated.averages, average, inference["standard_error"], claim)
        about["status"] = status_with_clusters(about["status"], estimated.word)
        result = MulticlassAUCTestResult(
            **inference, **about, method=f"paired test of {title}", df=estimated.df
        )
        return with_caution(result, on_undefined)

    summary = bootstrap_difference(blocks, averages, method, draws)
    fields = bootstrap_fields(summary, draws, claim, zero_variance_bound_of_classes(averages))
    fields["method"] += f" of {title}"
    about = test_fields(cases, averages, average, fields["standard_error"], claim)
    return with_caution(BootstrapMulticlassAUCResult(**fields, **about), on_undefined)


def status_with_clusters(word: str, of_clusters: str) -> str:
    """Return the status word of the cases, or in its place that of the clusters, which is worse."""
    if not of_clusters or word in ("missing_class", "too_few"):
        return word
    return of_clusters if word in ("ok", "small_sample", "too_few_resamples") else word


def test_fields(
    cases: ClassCases, averages: Averages, average: str, standard_error: float, claim: Claim
) -> Fields:
    """Return the fields of a test that do not depend on the method: models, AUCs, classes."""
    return Fields(
        names=cases.pair,
        auc=averages.estimate,
        covariance=averages.covariance[:2, :2],
        average=average,
        classes=cases.classes,
        n_per_class=averages.counts,
        n_dropped=cases.n_dropped,
        status=difference_of_averages_status(averages, standard_error, claim.margin),
    )
