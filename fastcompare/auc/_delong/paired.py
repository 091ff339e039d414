"""DeLong's test that two classifiers that scored the same cases have equal AUCs.

Models in plain arrays take a short way, since a test of 100 cases spends more time in calls than in
counting: `exact_sums_of_arrays` checks and counts in one compiled call, and returns None for what
needs care. `paired_result` is the way for weights, clusters, margins and moments of any source.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..._base.documented import documented
from ..._base.types import Alternative, NanPolicy, Undefined, Vector, WeightKind
from ..._inference.infer import Inference, RareDifferenceBound, ZeroVarianceBound, infer
from ..._inference.pvalues import bare_reference_pvalue, reference_pvalue
from ..._inference.skewness import SKEWED, HallInterval
from ..._inference.status import FEW_CASES, difference_status, sample_status
from ..._inference.unseen import ALPHA, allowed_failures
from ..._inputs.arrays import plain_array, plain_labels, plain_scores
from ..._inputs.chunks.device import as_cases_anywhere
from ..._inputs.chunks.rows import (
    Chunks,
    Stream,
    are_chunked,
    as_stream,
    check_chunked,
    check_in_memory,
)
from ..._inputs.labels import are_positive
from ..._inputs.options import (
    check_alternative,
    check_margin,
    check_reference,
    check_undefined,
    count_jobs,
)
from ..._inputs.scores import UNNAMED, Cases, ScoreTable, plain_columns
from ..._results.caution import with_caution
from ..._results.presentation import replace_fields
from ..._results.two_models import StudentResult
from ...kernels.pair import TABLE_FROM, are_sound, plain_sums, plain_wins
from .._components import (
    PairMoments,
    PairSums,
    as_components,
    df_from_sums,
    difference_and_variance,
    difference_skewness,
    moments_from_sums,
    pair_sums,
)
from .._differences import AUCDifference, caution, rare_differences
from .._intervals import auc_intervals, unvaried_bound
from .design import TITLES, Pair, pair_of_cases
from .informative import informative_weights
from .small_samples import (
    FEW_FOR_T,
    few_cases_hint,
    more_power_sentence,
    reference_name,
    uses_student_t,
)

if TYPE_CHECKING:
    from .streamed import StreamedPair


# (sums, m, n, skewness): exact sums over m positives and n negatives, from which moments of two
# models follow, and the skewness of the difference, 0 where it may be chance. No named tuple, since
# that and `PairSums.of` would take a sixth of a test of 100 cases.
PairCounts = tuple[PairSums, int, int, float]


def exact_sums_of_arrays(
    y_true: Any, y_score_a: Any, y_score_b: Any, n_jobs: int
) -> PairCounts | None:
    """Return the exact sums of two models from plain arrays without NaN; None for other input."""
    y_true = y_true if type(y_true) is np.ndarray else plain_array(y_true)
    if y_true is not None and y_true.size >= TABLE_FROM:
        return exact_sums_of_many(y_true, y_score_a, y_score_b, n_jobs)
    labels = plain_labels(y_true)
    if labels is None:
        return None
    a, b = plain_scores(y_score_a, labels.size), plain_scores(y_score_b, labels.size)
    out = np.empty(9, np.int64)
    if a is None or b is None:
        return None
    skewness = plain_sums(labels, a, b, out)
    if math.isnan(skewness):
        return None
    w_a, w_b, xa, ya, xb, yb, xd, yd, m = out.tolist()
    return PairSums(w_a, w_b, (xa, ya), (xb, yb), (xd, yd)), m, labels.size - m, skewness


def exact_sums_of_many(
    y_true: Any, y_score_a: Any, y_score_b: Any, n_jobs: int
) -> PairCounts | None:
    """Return the exact sums of two models on many cases; None for other input, or one class."""
    if y_true.ndim != 1 or y_true.dtype.kind not in "biu":
        return None
    a, b = plain_scores(y_score_a, y_true.size), plain_scores(y_score_b, y_true.size)
    if a is None or b is None or any(math.isnan(np.minimum.reduce(x)) for x in (a, b)):
        return None
    labels = are_positive("y_true", y_true, None)
    components = as_components(Cases(labels, (a, b), ("y_score_a", "y_score_b")), n_jobs=n_jobs)
    if not (components.m and components.n):
        return None
    skewness = difference_skewness(components, 0, 1)
    sums = pair_sums(components, 0, 1, n_jobs)
    return sums, components.m, components.n, skewness


def plain_auc(y_true: Any, y_score: Any) -> float | None:
    """Return the AUC of a model on few cases in plain arrays without NaN; None for other input."""
    if type(y_true) is not np.ndarray or y_true.size >= TABLE_FROM:
        return None
    labels = plain_labels(y_true)
    if labels is None:
        return None
    scores = plain_scores(y_score, labels.size)
    if scores is None:
        return None
    wins, m = plain_wins(labels, scores)
    if wins < 0:  # NaN, or one class only
        return None
    return int(wins) / int(2 * m * (labels.size - m))


def weighted_cases_of_arrays(
    y_true: Any, a: Any, b: Any, sample_weight: Any, frequency_weight: Any
) -> Cases | None:
    """Return few cases of two models with weights of one kind in plain arrays; None for others."""
    if type(y_true) is not np.ndarray or y_true.size >= TABLE_FROM:
        return None
    labels = plain_labels(y_true)
    is_frequency = sample_weight is None
    of_one_kind = is_frequency != (frequency_weight is None)
    if labels is None or not of_one_kind:
        return None
    weights = plain_scores(frequency_weight if is_frequency else sample_weight, labels.size)
    a, b = plain_scores(a, labels.size), plain_scores(b, labels.size)
    if a is None or b is None or weights is None:
        return None
    kind: WeightKind = "frequency" if is_frequency else "sampling"
    label_bytes = np.empty(labels.size, np.uint8)  # written by the check
    if not are_sound(labels, a, b, weights, is_frequency, label_bytes):
        return None
    return Cases(label_bytes, (a, b), UNNAMED, 0, weights, kind)


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongResult(AUCDifference, StudentResult):
    """Result of `delong_test`; `estimate` is ``auc[0] - auc[1]``."""

    covariance: NDArray[np.float64]
    n_positive: int
    n_negative: int
    n_dropped: int
    auc_exact: bool = True
    standard_error_bound: float = 0.0
    pvalue_bounds: tuple[float, float]
    _fewest: float = field(repr=False)
    _design_sizes: tuple[tuple[float, float], tuple[float, float]] | None = field(
        repr=False, default=None
    )
    _n_clusters: int = field(repr=False, default=0)  # 0 where cases are independent
    _informative: tuple[float, float] | None = field(repr=False, default=None)
    _tails: HallInterval | None = field(repr=False, default=None)
    _sums: PairSums | None = field(repr=False, default=None)  # what is computed later follows from
    title: ClassVar[str] = "DeLong's test of two AUCs on the same cases"

    @property
    def _independent_cases(self) -> tuple[float, float]:
        """The effective numbers of independent positives and negatives."""
        if self._informative:
            return self._informative
        if self._design_sizes:
            sizes, _ = self._design_sizes
            return sizes
        return float(self.n_positive), float(self.n_negative)

    def _caution(self) -> str:
        """Return a sentence about few cases, or about a test with more power for them."""
        few = caution([self.status], self._fewest, reference_name(self.df))
        if few or self.margin or self._design_sizes is not None:  # weights or clusters
            return few
        return more_power_sentence(self.pvalue, self._fewest)

    def _wald_limits(self, tail: float) -> tuple[float, float]:
        """Return the limits with this tail beyond each, corrected for skewness if the test is."""
        if self._tails is None:
            return super()._wald_limits(tail)
        return self._tails.low(tail), self._tails.high(tail)

    def _compute_log_pvalue(self) -> float:
        return reference_pvalue(self.statistic, self.df, self.alternative).log_pvalue

    def _compute_pvalue_bounds(self) -> tuple[float, float]:
        return self.pvalue, self.pvalue

    def _compute_auc(self) -> NDArray[np.float64]:
        return self._moments.auc

    def _compute_covariance(self) -> NDArray[np.float64]:
        return self._moments.covariance

    @cached_property
    def _moments(self) -> PairMoments:
        """AUCs and covariance, computed from the exact sums when asked for."""
        assert self._sums is not None
        return moments_from_sums(self._sums, self.n_positive, self.n_negative)

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return score intervals of both AUCs, by the effective sizes of their classes.

        None if these or the AUCs are undefined.
        """
        independent = (self.n_positive, self.n_negative), (math.inf, math.inf)
        sizes, dfs = self._design_sizes or independent
        if not all(map(math.isfinite, (self.estimate, *sizes))):
            return None
        errors = np.sqrt(self.covariance.diagonal())
        return auc_intervals(self.auc, errors, [sizes, sizes], level, dfs)


@documented
def delong_test(
    y_true: ArrayLike | Chunks,
    y_score_a: ScoreTable | None = None,
    y_score_b: ArrayLike | None = None,
    *,
    method: str = "auto",
    reference: str = "auto",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    alternative: Alternative = "two-sided",
    margin: float = 0.0,
    n_jobs: int = 1,
    executor: Executor | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> DeLongResult:
    """DeLong's test of the difference between two classifiers' AUCs on the same cases.

    The test conditions on the two fitted models: it asks whether their AUCs differ in the
    population of cases. It does not include the randomness of training.

    Parameters
    ----------
    y_true : array-like of shape (n,), or chunks
        Labels: bool, 0 and 1, or -1 and 1; anything else needs `pos_label`. Or, without scores,
        chunks of labels and scores that need not fit into memory: `scan_parquet`, `scan_chunks`, an
        iterable of tuples ``(y_true, y_score_a, y_score_b)``, or a function that returns an
        iterator of them. They are read about four times.
    y_score_a, y_score_b : array-like of shape (n,)
        The two models' scores of the same cases; a higher score means more likely positive. Only
        their order matters, so logits and probabilities give the same result. A data frame or
        mapping with two columns may replace both; the models take its column names, or those of two
        Series. `numpy.memmap` arrays of a million cases and more are read in chunks. So are dask
        arrays, series and data frames (`y_true` must then be one, too), on the cluster of the
        current client, if any. Arrays on a GPU or another device (PyTorch, CuPy, JAX; see
        docs/large.md) are sorted there.
    method : {'auto', 'midrank', 'heaviside'}, default='auto'
        Algorithm; all give bit-identical results. 'auto' sorts, or counts the distinct scores if
        few.
    groups : array-like of shape (n,), optional
        Cluster of each case (the patient of a lesion, for example), labels of any type. Clusters
        are independent; cases within a cluster may be correlated. Not together with weights. Unless
        `reference` is 'normal', which gives Obuchowski's test, the variance is CR2, unbiased for
        independent cases.
    executor : concurrent.futures.Executor, optional
        Reads the chunks instead of threads; ``Client.get_executor()`` uses a dask cluster.
    nan_policy : {'raise', 'omit'}, default='raise'
        How to handle cases with a missing label, score or cluster: raise an error or drop them.

    Returns
    -------
    DeLongResult
        With ``names``, ``statistic`` (z or t), ``df`` (infinite for z), ``pvalue``,
        ``log_pvalue``, ``estimate`` (AUC_a - AUC_b), ``standard_error``, ``auc`` (2,),
        ``covariance`` (2, 2), ``n_positive``, ``n_negative``, ``method``, ``status``,
        ``auc_exact``, ``standard_error_bound``, ``pvalue_bounds``, and the
        methods ``confidence_interval(confidence_level)``, ``summary()`` and ``to_dict()``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing, has one case or is in one cluster, or, without a margin, if the
        variance is 0 (except for models that rank identically without separating the classes);
        ``status`` says which.
    SmallSampleWarning
        'unseen_failures', if the p-value is at most .05, but the sample is too small to exclude
        failures of the better model that would explain the difference: the warning and the summary
        have their share, the number of cases and the probability. 'small_sample' with 2 cases of a
        class, and with ``reference="normal"`` below 30, where it rejects too many true null
        hypotheses; sampling weights count by their effective sizes.
        'informative_weights', if sampling weights depend on the scores and vary much.
        'few_clusters', if the clusters with positives, or with negatives, carry fewer than 4
        degrees of freedom (fewer than 5 clusters, or one with half of the cases): intervals are
        wide. With ``reference="normal"``, fewer than 25.

    See Also
    --------
    delong_pairwise_test : All pairs of several models.
    delong_batch : Many tests in one call.

    Notes
    -----
    With m positives and n negatives, V10 of a positive is the proportion of negatives that score
    lower and V01 of a negative the proportion of positives that score higher, ties counting one
    half; the AUC is the mean of either. Let d be the case-by-case differences between the models'
    V, and s^2(d) their variance within a class, with divisors m - 1 and n - 1::

        z = (AUC_a - AUC_b) / SE,    SE^2 = s^2(d10) / m + s^2(d01) / n

    This equals DeLong's S_aa + S_bb - 2 S_ab, without its numerical cancellation. Below 30 cases of
    a class, or with ``reference="t"``, z is compared with Student's t, whose degrees of freedom are
    SE^4 / ((s^2(d10) / m)^2 / (m - 1) + (s^2(d01) / n)^2 / (n - 1)).

    If the difference has a skewed distribution, as between an AUC near 1 and a lower one, the
    standard error understates its long tail. By default, if a class has fewer than 1,000 cases, the
    test therefore rejects only if the same test of Hall's cubic h in place of z rejects, too, and
    the interval contains all values that either does not reject::

        h = z + a z^2 / 3 + a^2 z^3 / 27 + a / 6,    a = (k3(d10) / m^2 + k3(d01) / n^2) / SE^3

    where k3 are third cumulants (k-statistics), 0 within twice the standard error of a. The
    correction is capped: it leaves the p-value at most at that of DeLong's test, or at 2u,
    whichever is greater (one-sided at u), and the interval follows. With A the better model's AUC
    and D its lead over the null value, ::

        q = D / A,    u = P(Bin(k, q) <= c)

    is the probability that at most c of the k cases of the smaller class, 2 of 30 and more and
    otherwise none, are of a share q that the better model ranks last, without which it would have
    no lead. Levels, power and coverage with and without the correction are in
    docs/evidence/corrections.md. It is not applied to chunks, sampling weights and clusters.

    The estimate, the AUCs and the variances are exact fractions rounded once. Models that order the
    cases identically have statistic 0 and p-value 1; their interval, and p-values with a margin,
    are an exact bound: p = (1 - margin)^k, with k the size of the smaller class. The same bound
    limits p-values with a margin if most cases of a class have nearly the same rank, because rare
    differences may not have been observed.

    Chunks give bit-identical AUCs and estimates, for any chunks in any order. The standard error is
    within ``standard_error_bound`` of that for data in memory; the bound is typically a few
    ten-thousandths of the standard error, and 0 up to about 100,000 distinct scores.
    ``pvalue_bounds`` follow from it.

    With few positives the normal reference (as in pROC) rejects too many true null hypotheses, and
    Student's t keeps its level, also for curves of different shapes. `permutation_auc_test` can
    have more power then, but may reject models of equal AUC whose curves differ in shape
    (docs/evidence/auc_levels.md).

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] X. Sun, W. Xu (2014), doi:10.1109/LSP.2014.2337313.
    .. [3] D. J. Schuirmann (1987), doi:10.1007/BF01068419.
    .. [4] N. A. Obuchowski (1997), doi:10.2307/2533958.
    .. [5] P. Hall (1992), doi:10.1111/j.2517-6161.1992.tb01876.x.
    .. [6] J. E. Pustejovsky, E. Tipton (2018), doi:10.1080/07350015.2016.1247004.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
    >>> a = [.1, .2, .05, .3, .1, .6, .6, .7, .8, .99, .8, .67, .5]
    >>> b = [.3, .6, .2, .1, .1, .9, .23, .7, .9, .4, .77, .3, .89]
    >>> result = fc.delong_test(y, a, b)
    >>> result.auc.round(4).tolist()
    [0.9643, 0.7381]
    >>> round(result.statistic, 4), round(result.pvalue, 4)
    (1.672, 0.1351)
    >>> print(result.summary())
    The two models do not differ significantly in AUC. The AUCs are 0.9643 and 0.7381, a
    difference of 0.2262 (95% CI -0.0887 to 0.5411; DeLong's paired test, t(7.59) = 1.672, p =
    0.1351). With so few cases permutation_auc_test has more power, if models are exchangeable.
    There were 7 positive and 6 negative cases.
    >>> round(fc.delong_test(y, a, b, reference="normal", on_undefined="ignore").pvalue, 4)
    0.0945

    Two named models, ten cases of each patient, and a claim of non-inferiority by .02:

    >>> import numpy as np
    >>> data = fc.load_predictions()
    >>> models = {name: data.scores[name] for name in ("random_forest", "decision_tree")}
    >>> fc.delong_test(data.y_true, models).names
    ('random_forest', 'decision_tree')
    >>> patient = np.arange(data.y_true.size) // 10
    >>> round(fc.delong_test(data.y_true, models, groups=patient).df, 1)
    38.1
    >>> result = fc.delong_test(data.y_true, models, alternative="greater", margin=0.02)
    >>> result.pvalue < 0.05, round(result.confidence_interval().low, 4)
    (True, 0.0358)
    """
    check_undefined(on_undefined)
    margin = check_margin(margin)
    check_alternative(alternative, margin)
    check_reference(reference)
    jobs = count_jobs(n_jobs)

    # a word of another type, whose truth may be undefined, is for the checks below
    usual = type(nan_policy) is type(method) is str and nan_policy == "raise" and method == "auto"
    usual = usual and not margin and pos_label is groups is None and executor is None
    if usual and sample_weight is frequency_weight is None:  # before all that takes a while
        quick = result_of_arrays(y_true, y_score_a, y_score_b, alternative, reference, jobs)
        if quick is not None:
            return with_warning(quick, on_undefined, margin)
    counting = method, sample_weight, frequency_weight, groups
    if y_score_a is None or are_chunked((y_score_a, y_score_b), *counting):
        check_chunked(executor, *counting)
        stream = as_stream((y_true, y_score_a, y_score_b), pos_label, nan_policy, k=2)
        streamed = exact_sums_of_stream(stream, reference, margin, jobs, executor)
        result = streamed_result(streamed, alternative, margin, stream.names)
        return with_warning(result, on_undefined, margin)
    check_in_memory(executor)

    weights = sample_weight, frequency_weight
    cases = weighted_cases_of_arrays(y_true, y_score_a, y_score_b, *weights) if usual else None
    scores = {"y_score_a": y_score_a, "y_score_b": y_score_b}
    cases = cases or as_cases_anywhere(y_true, pos_label, nan_policy, groups, *weights, **scores)
    pair = pair_of_cases(cases, method, jobs, reference)
    rare = rare_differences(cases) if margin else None
    result = with_informative_status(
        paired_result(pair, alternative, margin, cases.pair, rare), cases
    )
    return with_warning(result, on_undefined, margin, pair.design.kind)


def with_informative_status(result: DeLongResult, cases: Cases) -> DeLongResult:
    """Return a significant result with what `informative_weights` finds, others unchanged.

    This is a status, for results that have none yet, and numbers of independent cases, which
    replace the effective sizes.
    """
    informative = informative_weights(cases) if result.pvalue <= ALPHA else None
    if informative is None:
        return result
    status = informative.status if result.status == "ok" else result.status
    return replace(result, status=status, _informative=informative.sizes)


def with_warning(
    result: DeLongResult, on_undefined: str, margin: float, kind: str = "independent"
) -> DeLongResult:
    """Return the result with its final status, and warn of it unless it is 'ok'."""
    if result.status == "ok" and not result.pvalue <= ALPHA:
        return result  # no significant difference that unseen failures could explain
    few = result.status == "small_sample"
    hint = few_cases_hint(result.df, kind, margin) if few else ""
    return with_caution(result, on_undefined, hint)


def result_of_arrays(
    y_true: Any, a: Any, b: Any, alternative: str, reference: str, n_jobs: int
) -> DeLongResult | None:
    """Return the result of plain arrays, or of a dictionary of two models; None for other input."""
    names = UNNAMED
    if type(a) is dict:
        a, b, names = plain_columns(a, b)
    counts = exact_sums_of_arrays(y_true, a, b, n_jobs)
    if counts is None:
        return None
    result = result_of_sums(counts, alternative, reference)
    return result if names is UNNAMED else replace_fields(result, {"names": names})


def result_of_sums(counts: PairCounts, alternative: str, reference: str) -> DeLongResult:
    """Return the result for independent cases from exact sums; AUCs are computed when asked for."""
    sums, m, n, skewness = counts
    fewest, skewed = min(m, n), skewness if reference == "auto" else None
    estimate, variance = difference_and_variance(sums, m, n)
    student = uses_student_t(reference, "independent", fewest)
    df = df_from_sums(sums, m, n) if student else math.inf
    if not variance > 0.0:
        moments = moments_from_sums(sums, m, n)._replace(df=df, skewness=skewed)
        return paired_result(Pair(moments, m, n), alternative, margin=0.0)
    error, tails = math.sqrt(variance), None
    if skewed:
        aucs = sums.w_a / (2 * m * n), sums.w_b / (2 * m * n)
        tails = HallInterval(estimate, error, df, skewed, aucs, fewest, allowed_failures(fewest))
    statistic = tails.statistic_at(0.0, alternative) if tails else estimate / error
    return DeLongResult.from_fields(
        estimate=estimate,
        standard_error=error,
        statistic=statistic,
        df=df,
        pvalue=bare_reference_pvalue(statistic, df, alternative),
        alternative=alternative,
        margin=0.0,
        method=f"{TITLES['independent']} with {SKEWED}" if tails else TITLES["independent"],
        status=sample_status(m, n, FEW_FOR_T if student else FEW_CASES),
        n_positive=m,
        n_negative=n,
        n_dropped=0,
        _fewest=fewest,
        _sums=sums,
        _tails=tails,
    )


def exact_sums_of_stream(
    stream: Stream, reference: str, margin: float, n_jobs: int, executor: Executor | None
) -> StreamedPair:
    """Return the moments of two models in chunks.

    The modules for chunks are imported here only, as most tests do without.
    """
    from .streamed import pair_of_stream

    return pair_of_stream(stream, reference, margin, n_jobs, executor)


def streamed_result(
    streamed: StreamedPair, alternative: str, margin: float, names: tuple[str, ...]
) -> DeLongResult:
    """Return the result for cases in chunks, with the bounds of its standard error and p-value."""
    first, second = names
    result = paired_result(streamed.pair, alternative, margin, (first, second), streamed.rare)
    return replace(
        result,
        standard_error_bound=streamed.estimated_variance.bound,
        pvalue_bounds=streamed.pvalue_bounds(result.pvalue, alternative, margin),
        status="wide_bound" if streamed.is_wide else result.status,
    )


def paired_result(
    pair: Pair,
    alternative: str,
    margin: float,
    names: tuple[str, str] = UNNAMED,
    rare: RareDifferenceBound | None = None,
) -> DeLongResult:
    """Return the result of the test from the moments of two models.

    With a bound by rare differences it takes this in place of that by identical ranks.
    """
    moments, m, n, design, n_dropped, dfs = pair
    auc, estimate, variance = moments.auc, moments.estimate, moments.variance
    few = FEW_CASES if moments.df == math.inf else FEW_FOR_T
    status = difference_status(m, n, variance, estimate, auc.tolist(), few, margin)
    if design.kind != "independent":
        status = design.status(status, few)
    unvaried: ZeroVarianceBound | RareDifferenceBound = design.unvaried or unvaried_bound(m, n)
    if rare and variance > 0.0:
        unvaried = rare
        status = "nearly_alike" if status == "ok" else status
    fewest = min(design.sizes or (m, n))
    inferred, tails = infer_with_skewness(moments, alternative, margin, unvaried, fewest)
    return DeLongResult.from_fields(
        **inferred,
        df=moments.df,
        names=names,
        method=f"{design.title} with {SKEWED}" if tails else design.title,
        status=status,
        auc=auc,
        covariance=moments.covariance,
        n_positive=m,
        n_negative=n,
        n_dropped=n_dropped,
        _fewest=min(m, n, design.df + 1.0),
        _design_sizes=None if design.sizes is None else (design.sizes, dfs),
        _n_clusters=design.n_clusters,
        _tails=tails,
    )


def infer_with_skewness(
    moments: PairMoments,
    alternative: str,
    margin: float,
    unvaried: ZeroVarianceBound | RareDifferenceBound,
    fewest: float,
) -> tuple[Inference, HallInterval | None]:
    """Return statistic and p-value of the difference, and the skewed limits if it is skewed."""
    estimate = moments.estimate
    error = math.sqrt(moments.variance)
    df = moments.df
    if not moments.skewness:
        return infer(estimate, error, alternative, margin, df=df, unvaried=unvaried), None
    first, second = moments.auc.tolist()
    failures = allowed_failures(fewest)
    tails = HallInterval(estimate, error, df, moments.skewness, (first, second), fewest, failures)
    return tails.infer(alternative, margin, unvaried), tails
