"""One model's AUC, an interval for it, and tests of it against 0.5 or any other value.

The score test inverts to the interval 'score'; Mann and Whitney's U, exact or asymptotic, tests
that positives and negatives have equal scores in distribution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented, with_engine_options
from .._base.text import direction_note, equation, show_number, show_pvalue
from .._base.types import Direction, Fields, NanPolicy, Undefined
from .._inference.exact import MOST_ADDITIONS, rank_sum_additions, rank_sum_pvalue
from .._inference.pvalues import (
    CERTAIN,
    UNDEFINED,
    PValue,
    claim_ends,
    normal_pvalue,
    ratio,
    student_pvalue,
)
from .._inference.status import sample_status, warn_status
from .._inputs.chunks.device import as_cases_anywhere
from .._inputs.chunks.rows import check_alone, refuse_for_chunks
from .._inputs.options import ALTERNATIVES, as_choice, check_choice, check_level, check_undefined
from .._inputs.plans.sizes import NULL_METHODS, check_null, check_work
from .._inputs.scores import Cases, as_cases, refuse_extras
from .._resampling.bootstrap import (
    BootstrapInterval,
    DrawOptions,
    Draws,
    ReplicateSummary,
    as_draws,
    draw_replicates,
    interval_fields,
    summarize_replicates,
)
from .._results.records import ConfidenceInterval, Estimate
from ._bootstrap_walks import concordance_counts, resampling_units
from ._delong.design import effective_sizes, pair_of_cases, study_design
from ._delong.paired import plain_auc
from ._delong.streamed import chunked_stream, moments_of_stream
from ._differences import OfClasses
from ._intervals import INTERVALS, PRIOR, IntervalInputs, has_coverage, score
from ._streams import stream_sums


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCIntervalResult(OfClasses, BootstrapInterval):
    """Result of `roc_auc_interval`."""

    design: str = "independent"
    df: float = math.inf
    _sizes: tuple[float, float] = field(repr=False)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "Area under the ROC curve"

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the interval at this level, by the result's method."""
        if self.method not in INTERVALS:
            return super()._ends(level)
        if self.status == "too_few_clusters":
            return math.nan, math.nan
        inputs = IntervalInputs(self.estimate, self.standard_error, *self._sizes, self.df)
        return INTERVALS[self.method](inputs, 0.5 * (1.0 - level))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        design = "" if self.design == "independent" else f", {self.design}"
        return (
            f"The AUC is {show_number(self.estimate)} ({self._interval_text()}, {self.method} "
            f"method{design}; {self._class_counts}).{direction_note(self.estimate)}"
        )


@documented
def roc_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> float:
    """Return the area under the ROC curve.

    It is the probability that a random positive case scores higher than a random negative one, ties
    counting one half.

    Parameters
    ----------
    y_score : array-like of shape (n,)
        Scores; a higher score means more likely positive. Arrays on a GPU are sorted there, as in
        `delong_test`.
    sample_weight, frequency_weight : array-like of shape (n,), optional
        Weights, as in `delong_test`; give one of the two. Both give the same AUC.

    Returns
    -------
    float
        NaN if there is only one class. Without weights, the exact fraction rounded once.

    Warns
    -----
    UndefinedResultWarning
        If there is only one class.

    References
    ----------
    .. [1] J. A. Hanley, B. J. McNeil (1982), doi:10.1148/radiology.143.1.7063747.

    Examples
    --------
    >>> import fastcompare as fc
    >>> fc.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    check_undefined(on_undefined)
    usual = type(nan_policy) is str and nan_policy == "raise"
    if usual and pos_label is sample_weight is frequency_weight is None:
        auc = plain_auc(y_true, y_score)
        if auc is not None:
            return auc
    cases = as_cases_anywhere(
        y_true, pos_label, nan_policy, None, sample_weight, frequency_weight, y_score=y_score
    )
    moments, m, n, *_ = pair_of_cases(cases)
    warn_status("ok" if m and n else "one_class", on_undefined)
    return float(moments.auc[0])


@with_engine_options(as_draws)
def roc_auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike | None = None,
    *,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    confidence_level: float = 0.95,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
    **drawing: Unpack[DrawOptions],
) -> AUCIntervalResult:
    """Return the AUC with its standard error and a confidence interval.

    Parameters
    ----------
    method : {'auto', 'score', 'delong', 'logit', 'newcombe', 'bootstrap'}, default='auto'
        'auto' is 'score', a score interval with Student's t, whose variance is Newcombe's corrected
        towards DeLong's where the latter is reliable. Only 'score' covers at least 94% in every
        design of docs/evidence/auc_coverage.md, from 2 positives on; it is also defined for AUC =
        1. 'delong' is symmetric and cut to [0, 1], as in pROC, and NaN where its standard error is
        0; 'logit' always stays within that range; 'newcombe' (his method 5) needs no estimated
        variance; 'bootstrap' uses percentiles of `n_resamples` replicates stratified by class and
        is the only random method.
    y_true, y_score
        A scan of one model, from `scan_parquet` or `scan_chunks`, may replace both. Arrays on a GPU
        are sorted there, as in `delong_test`, but 'bootstrap' needs copies in main memory.
    sample_weight, frequency_weight, groups
        As in `delong_test`; 'newcombe' supports none of them, 'bootstrap' no weights.

    Returns
    -------
    AUCIntervalResult
        With ``estimate``, ``standard_error`` (DeLong's, or that of the replicates),
        ``confidence_interval()``, ``n_positive``, ``n_negative``, ``method`` (of the interval;
        'score' for 'auto'), ``design`` ('independent', 'sampling weights', 'frequency weights' or
        'clusters'), ``status``; for 'bootstrap' ``n_resamples``, ``n_left_out``, ``seed``. Clusters
        and sampling weights use Student's t with ``df`` degrees of freedom, as in `delong_test`.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing, or in one cluster, or all scores are equal; for 'delong', 'logit' and
        'bootstrap' also if a class has one case or the estimated variance is 0.
    SmallSampleWarning
        'low_coverage' where 95% intervals by this method cover less than 90%: for 'newcombe' if
        less than 30% of the cases are of the rarer class, for 'delong', 'logit' and 'bootstrap' if
        few cases of that class are misranked. 'few_clusters', if the clusters of a class carry
        fewer than 4 degrees of freedom (25 for 'bootstrap'): they are few, or one has most of the
        cases. 'small_sample', if sampling weights leave fewer than 3 effective cases of a class.

    See Also
    --------
    roc_auc_test : The test that 'score' inverts.

    Notes
    -----
    docs/evidence/auc_coverage.md has the coverage of every method and the formula of 'score'.
    Weighted cases and clusters enter with their effective sample size (Kish 1965).

    References
    ----------
    .. [1] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.
    .. [2] M. S. Pepe (2003), The Statistical Evaluation of Medical Tests, section 5.2.
    .. [3] R. G. Newcombe (2006), doi:10.1002/sim.2324.
    .. [4] N. A. Obuchowski (1997), doi:10.2307/2533958.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0] * 6 + [1] * 7
    >>> a = [.1, .2, .05, .3, .1, .6, .6, .7, .8, .99, .8, .67, .5]
    >>> result = fc.roc_auc_interval(y, a, method="logit")
    >>> low, high = result.confidence_interval()
    >>> round(result.estimate, 4), round(low, 4), round(high, 4)
    (0.9643, 0.6946, 0.9969)
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, ("auto", *INTERVALS, "bootstrap"))
    method = "score" if method == "auto" else method
    level = check_level(confidence_level)
    draws = as_draws(**drawing)
    if y_score is None:
        weights = {"sample_weight": sample_weight, "frequency_weight": frequency_weight}
        refuse_for_chunks(**weights, groups=groups)
        result = interval_of_chunks(y_true, method, level, draws, pos_label, nan_policy)
        warn_status(result.status, on_undefined)
        return result
    read = as_cases if method == "bootstrap" else as_cases_anywhere
    cases = read(
        y_true, pos_label, nan_policy, groups, sample_weight, frequency_weight, y_score=y_score
    )
    if method == "newcombe" or (method == "bootstrap" and cases.weights is not None):
        refuse_extras(cases, method, "'score', 'delong' or 'logit'")

    result = auc_interval(cases, method, draws, level)
    hint = ": choose method='auto'" if result.status == "low_coverage" else ""
    warn_status(result.status, on_undefined, hint)
    return result


def interval_of_chunks(
    y_true: Any, method: str, level: float, draws: Draws, pos_label: object, nan_policy: str
) -> AUCIntervalResult:
    """Return the AUC of one model with its interval, from chunks."""
    check_choice("method", method, [name for name in INTERVALS if name != "newcombe"])
    stream, workers = chunked_stream(
        y_true,
        None,
        draws.workers["executor"],
        n_jobs=draws.workers["n_jobs"],
        pos_label=pos_label,
        nan_policy=nan_policy,
    )
    check_alone(stream.names)
    sums = stream_sums(stream, workers)
    auc, covariance, _ = moments_of_stream(sums)
    error = math.sqrt(max(float(covariance[0, 0]), 0.0))
    sizes = float(sums.m), float(sums.n)
    evidence = IntervalInputs(float(auc[0]), error, *sizes)
    return AUCIntervalResult(
        estimate=evidence.auc,
        standard_error=error,
        method=method,
        status=auc_status((sums.m, sums.n), evidence, method),
        n_positive=sums.m,
        n_negative=sums.n,
        confidence_level=level,
        n_dropped=sums.n_dropped,
        design="independent",
        df=math.inf,
        _sizes=sizes,
    )


def auc_interval(cases: Cases, method: str, draws: Draws, level: float) -> AUCIntervalResult:
    """Return the AUC of checked cases with its interval."""
    sizes = effective_sizes(cases)
    df = math.inf
    if method == "bootstrap":
        (m, n), design = cases.sizes, study_design(cases)
        fields = interval_fields(auc_replicates(cases, draws), draws)
    else:
        moments, m, n, design, _, _ = pair_of_cases(cases, n_jobs=draws.workers["n_jobs"])
        error = math.sqrt(moments.covariance[0, 0])
        df = moments.df
        fields = Fields(estimate=float(moments.auc[0]), standard_error=error)
    evidence = IntervalInputs(fields["estimate"], fields["standard_error"], *sizes)
    status = design.status(auc_status((m, n), evidence, method))
    return AUCIntervalResult(
        **fields,
        method=method,
        status=status,
        n_positive=m,
        n_negative=n,
        confidence_level=level,
        n_dropped=cases.n_dropped,
        design=design.kind,
        df=df,
        _sizes=sizes,
    )


def auc_replicates(cases: Cases, draws: Draws) -> ReplicateSummary:
    """Return the AUC with its stratified replicates, none for less than two cases of a class."""
    units, (m, n) = resampling_units(cases, stratified=True), cases.sizes
    statistic = concordance_counts(cases, units)
    values = np.empty(0)
    estimate = statistic.on_data()[0] / (2 * m * n) if m and n else math.nan
    if min(m, n) > 1:
        wins, negatives, positives = draw_replicates(statistic, units.sizes, draws).astype(
            np.float64
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            values = wins / (2.0 * positives * negatives)
    return summarize_replicates("percentile", estimate, values)


def auc_status(class_sizes: tuple[int, int], inputs: IntervalInputs, method: str) -> str:
    """Return the status word of one AUC and its interval."""
    status = sample_status(*class_sizes)
    error = inputs.standard_error
    if status == "one_class":
        return status
    if method in ("score", "newcombe"):  # need no estimated variance
        if method == "score" and inputs.auc == 0.5 and error == 0.0:
            return "constant_scores"
    elif status == "too_few":
        return status
    elif not error > 0.0:
        without = "constant_scores" if inputs.auc == 0.5 else "perfect_separation"
        return "too_few_resamples" if math.isnan(error) else without
    return "ok" if has_coverage(method, inputs) else "low_coverage"


TITLES = {
    "score": "score test",
    "exact": "exact Mann-Whitney test",
    "asymptotic": "Mann-Whitney test, normal approximation",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCTestResult(OfClasses, Estimate):
    """Result of `roc_auc_test`; `estimate` is the AUC."""

    null: float
    statistic: float
    pvalue: float
    log_pvalue: float
    alternative: str
    df: float
    design: str
    _sizes: tuple[float, float] = field(repr=False)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    title: ClassVar[str] = "Test of one area under the ROC curve"
    _picture: ClassVar[str] = "forest"

    @documented
    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval that inverts the score test, as in `roc_auc_interval`.

        Returns
        -------
        ConfidenceInterval
            One-sided if the alternative is; with 'greater' it ends at 1.
        """
        level = check_level(confidence_level)
        if math.isnan(self.estimate) or self.status == "too_few_clusters":
            return ConfidenceInterval(math.nan, math.nan)
        inputs = IntervalInputs(self.estimate, self.standard_error, *self._sizes)
        low, high = claim_ends(
            self.alternative,
            level,
            lambda tail: score_limit(inputs, tail, upper=False),
            lambda tail: score_limit(inputs, tail, upper=True),
        )
        return ConfidenceInterval(max(low, 0.0), min(high, 1.0))

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        t = "t" if math.isnan(self.df) else f"t({self.df:.4g})"
        letter = {TITLES["exact"]: "U", TITLES["asymptotic"]: "z"}.get(self.method, t)
        by_score = "" if letter == t else " by the score test"
        return (
            f"The AUC is {show_number(self.estimate)} ({self._interval_text()}{by_score}; "
            f"{self.method} against {self.null:g}, "
            f"{equation(letter, show_number(self.statistic, '.4g'))}, "
            f"{equation('p', show_pvalue(self.pvalue))}; {self._class_counts})."
        )


class NullTest(NamedTuple):
    """The statistic, its degrees of freedom (infinite: normal, NaN: exact), and the p-value."""

    statistic: float
    df: float
    p: PValue


@documented
def roc_auc_test(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    null: float = 0.5,
    method: str = "auto",
    sample_weight: ArrayLike | None = None,
    frequency_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    alternative: Direction = "two-sided",
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> AUCTestResult:
    """Test whether one AUC differs from 0.5 or another value.

    Parameters
    ----------
    null : float, default=0.5
        The AUC under the null hypothesis, between 0 and 1.
    method : {'auto', 'score', 'exact', 'asymptotic'}, default='auto'
        'auto' is 'score', which inverts the default interval of `roc_auc_interval`, for any `null`.
        The others are Mann-Whitney tests (``null=0.5``) that positives and negatives have the same
        score distribution: 'exact' enumerates the null distribution given the ties; 'asymptotic'
        uses the normal approximation with the variance corrected for ties.
    sample_weight, frequency_weight, groups
        As in `delong_test`; for 'score' only.
    alternative : {'two-sided', 'less', 'greater'}, default='two-sided'
        'greater': the AUC is above `null`. Choose it before you see the data.

    Returns
    -------
    AUCTestResult
        With ``estimate`` (the AUC), ``standard_error`` (DeLong's), ``statistic`` (t, for 'exact' U,
        for 'asymptotic' z), ``df``, ``pvalue``, ``log_pvalue``, ``null``, ``method``,
        ``n_positive``, ``n_negative``, ``design``, ``status`` and
        ``confidence_interval(confidence_level)``, that of 'score'.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing, or in one cluster, or all scores are equal.
    SmallSampleWarning
        'few_clusters' for few clusters, 'small_sample' for sampling weights that leave fewer than 3
        effective cases of a class.

    See Also
    --------
    roc_auc_interval : The interval.
    delong_test : Two models.

    Notes
    -----
    With the AUC A, the null value u, DeLong's variance D and Newcombe's V (2006)::

        'score':       t = (A - u) / sqrt(V(u) (4 + d(A) D / V(A)) / (4 + d(A))),    df = 4 + d(u)
        'asymptotic':  z = (A - 1/2) / SE,  SE^2 = sum (R_i - (N + 1) / 2)^2 / (m n N (N - 1))
        'exact':       U = m n A, by all orders of the ranks R that are there

    where d(u) = 2 u (1 - u) f, and f are Satterthwaite's degrees of freedom of D
    (docs/evidence/auc_coverage.md).

    An AUC of 0.5 does not imply equal distributions: one class may be more dispersed. The type I
    error rate of the Mann-Whitney tests at the 5% level is then up to 18% if the more dispersed
    class is rare, and that of 'score' up to 7% (docs/evidence/auc_coverage.md). If the
    distributions are equal, 'exact' never exceeds 5% and has more power than 'score' with ten or
    fewer cases of a class.

    References
    ----------
    .. [1] H. B. Mann, D. R. Whitney (1947), doi:10.1214/aoms/1177730491.
    .. [2] R. G. Newcombe (2006), doi:10.1002/sim.2324.
    .. [3] E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988), doi:10.2307/2531595.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0] * 6 + [1] * 7
    >>> a = [.1, .2, .05, .3, .1, .6, .6, .7, .8, .99, .8, .67, .5]
    >>> print(fc.roc_auc_test(y, a).summary())
    The AUC is 0.9643 (95% CI 0.6105 to 0.9982; score test against 0.5,
    t(9.348) = 2.878, p = 0.0175; 7 positives, 6 negatives).
    >>> round(fc.roc_auc_test(y, a, method="exact").pvalue, 6)
    0.003497
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, NULL_METHODS)
    check_choice("alternative", alternative, ALTERNATIVES)
    method = "score" if method == "auto" else method
    against = check_null(null, method)
    cases = as_cases(
        y_true, pos_label, nan_policy, groups, sample_weight, frequency_weight, y_score=y_score
    )
    if method != "score":
        refuse_extras(cases, method, "'score'")

    result = test_against_null(cases, method, against, alternative)
    warn_status(result.status, on_undefined)
    return result


def test_against_null(cases: Cases, method: str, null: float, alternative: str) -> AUCTestResult:
    """Return the AUC of checked cases with its test against the value `null`."""
    moments, m, n, design, _, _ = pair_of_cases(cases)
    auc = float(moments.auc[0])
    error = math.sqrt(moments.covariance[0, 0])
    sizes = effective_sizes(cases)
    inputs = IntervalInputs(auc, error, *sizes)
    status = design.status(auc_status((m, n), inputs, "score"))
    test = NullTest(math.nan, math.nan, UNDEFINED)
    if status not in ("one_class", "too_few_clusters"):
        test = TESTS[method](cases, inputs, null, alternative)
    return AUCTestResult(
        estimate=auc,
        standard_error=error,
        statistic=test.statistic,
        **test.p._asdict(),
        alternative=alternative,
        null=null,
        df=test.df,
        method=TITLES[method],
        status=status,
        n_positive=m,
        n_negative=n,
        n_dropped=cases.n_dropped,
        design=design.kind,
        _sizes=sizes,
    )


def score_test(cases: Cases, inputs: IntervalInputs, null: float, alternative: str) -> NullTest:
    """Return the score test of AUC = `null`, whose inversion is the interval 'score'."""
    pairs = inputs.pairs
    error = math.sqrt(inputs.scale * pairs.relative_variance(null) * null * (1.0 - null))
    t = (inputs.auc - null) / error
    df = PRIOR + pairs.effective_df(null)
    return NullTest(t, df, student_pvalue(t, df, alternative))


def score_limit(inputs: IntervalInputs, tail: float, *, upper: bool) -> float:
    """Return the limit of the interval 'score' beyond which `tail` of the probability lies.

    The upper limit for a tail above 1/2 is the lower one for 1 - tail, and vice versa.
    """
    beyond = tail > 0.5
    return score(inputs, 1.0 - tail if beyond else tail)[upper != beyond]


def exact_test(cases: Cases, inputs: IntervalInputs, null: float, alternative: str) -> NullTest:
    """Return Mann and Whitney's exact test of AUC = 0.5, conditional on the ties."""
    ranks = doubled_ranks(cases)
    check_work(rank_sum_additions(ranks, round(inputs.m)), MOST_ADDITIONS)
    p = rank_sum_pvalue(ranks, cases.labels.view(np.bool_), alternative)
    return NullTest(inputs.auc * inputs.m * inputs.n, math.nan, p)


def asymptotic_test(
    cases: Cases, inputs: IntervalInputs, null: float, alternative: str
) -> NullTest:
    """Return Mann and Whitney's normal test of AUC = 0.5, its variance corrected for ties."""
    ranks = doubled_ranks(cases)
    centred = (ranks - (ranks.size + 1)).astype(np.float64)  # twice the distance from the mean
    m, n, size = inputs.m, inputs.n, ranks.size
    variance = float(centred @ centred) / (4.0 * m * n * size * (size - 1.0))
    z = ratio(inputs.auc - null, math.sqrt(variance))
    return NullTest(z, math.inf, normal_pvalue(z, alternative) if variance else CERTAIN)


TESTS = {"score": score_test, "exact": exact_test, "asymptotic": asymptotic_test}


def doubled_ranks(cases: Cases) -> NDArray[np.int64]:
    """Return twice the midranks of all cases, whole numbers."""
    _, group, counts = np.unique(cases.scores[0], return_inverse=True, return_counts=True)
    last_rank = np.cumsum(counts)
    return np.asarray((2 * last_rank - counts + 1)[group], np.int64)
