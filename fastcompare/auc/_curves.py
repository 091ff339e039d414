"""Values, intervals and paired tests of parts and points of ROC and precision-recall curves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.memory import reserve
from .._base.parallel import map_threads
from .._base.text import amount
from .._base.types import Undefined, Vector
from .._inference.pvalues import normal_quantile, normal_tail
from .._inference.status import warn_status
from .._inputs.options import check_flag, check_level, check_undefined
from .._inputs.pictures import DEFAULT_RANGE, Rates, as_rates
from .._inputs.scores import Cases, ScoreTable
from .._resampling.bootstrap import Draws, draw_replicates
from .._resampling.replicates import OrderStatistics
from .._results.records import Record
from ._bootstrap import (
    IntervalOptions,
    PairedTestOptions,
    SamplingOptions,
    ValueOptions,
    as_resampling,
)
from ._bootstrap_walks import Units, class_fields
from ._curve_engines import (
    CurveIntervalResult,
    CurveTestResult,
    CutCounts,
    ProfileInterval,
    curve_interval,
    curve_test,
    curve_value,
    cut_counts,
    interval_status,
)
from ._curve_statistics import (
    PRECISION,
    Measure,
    area_measure,
    curve_statistic,
    sensitivity_measure,
    specificity_measure,
)


@with_engine_options(curve_value)
def sensitivity_at_specificity(
    y_true: ArrayLike, y_score: ArrayLike, *, specificity: float, **options: Unpack[ValueOptions]
) -> float:
    """Return the sensitivity at a given specificity.

    It is read off the empirical ROC curve, linear between its points; where the curve rises
    vertically, the upper end is used.

    Parameters
    ----------
    specificity : float
        From 0 to 1: the proportion of negatives that must be classified correctly.

    References
    ----------
    .. [1] M. S. Pepe (2003), The Statistical Evaluation of Medical Tests, section 5.2.
    .. [2] X. Robin et al. (2011), pROC, doi:10.1186/1471-2105-12-77.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8]
    >>> fc.sensitivity_at_specificity(y, score, specificity=0.75)
    1.0
    >>> fc.sensitivity_at_specificity(y, score, specificity=1)
    0.5
    """
    return curve_value(lambda: sensitivity_measure(specificity), y_true, y_score, **options)


@with_engine_options(curve_interval)
def sensitivity_at_specificity_interval(
    y_true: ArrayLike, y_score: ArrayLike, *, specificity: float, **options: Unpack[IntervalOptions]
) -> CurveIntervalResult:
    """Return the sensitivity at a given specificity, with a confidence interval.

    Parameters
    ----------
    specificity : float
        As in `sensitivity_at_specificity`, which names the sources.

    Notes
    -----
    The default, 'profile', needs no resampling. At the true threshold, the numbers of negatives and
    of positives beyond it are binomial. The interval contains every sensitivity compatible with the
    observed positives at some threshold whose specificity is compatible with the observed
    negatives, jointly at the confidence level. It therefore includes the uncertainty of the
    threshold and is valid for few cases and for sensitivities near 0 or 1: it covered 93 to 100%
    with AUCs of 0.6, 0.9 and 0.99, specificities of 0.8, 0.9 and 0.95, and 15 + 35, 60 + 140 and 50
    + 950 positives + negatives (500 samples each). 'percentile', the former default, covered at
    least 93.6% up to an AUC of 0.9, but 26 to 96% at 0.99, where nearly all replicates have the
    same value. It is 2 to 25% narrower where both cover. If no negative may lie beyond the
    threshold (35 negatives at a specificity of 0.95, for example), no interval can exclude low
    sensitivities, and 'profile' does not.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> scores = data.scores["decision_tree"]
    >>> result = fc.sensitivity_at_specificity_interval(
    ...     data.y_true, scores, specificity=0.9
    ... )
    >>> low, high = result.confidence_interval()
    >>> 0 < low < result.estimate < high <= 1
    True
    """
    return curve_interval(lambda: sensitivity_measure(specificity), y_true, y_score, **options)


@with_engine_options(curve_test)
def sensitivity_at_specificity_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    specificity: float,
    **options: Unpack[PairedTestOptions],
) -> CurveTestResult:
    """Test whether two models differ in sensitivity at a given specificity.

    Parameters
    ----------
    specificity : float
        As in `sensitivity_at_specificity`, which names the sources.

    Notes
    -----
    The statistic is the difference between the heights of the two ROC curves, linear between their
    points, at the false positive rate 1 - `specificity`. The p-value and the interval are computed
    as in `bootstrap_auc_test`.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> a, b = data.scores["random_forest"], data.scores["decision_tree"]
    >>> result = fc.sensitivity_at_specificity_test(data.y_true, a, b, specificity=0.9, rng=0)
    >>> bool(result.values[0] > result.values[1]), result.pvalue < 0.05
    (True, True)
    """
    return curve_test(
        lambda: sensitivity_measure(specificity), y_true, y_score_a, y_score_b, **options
    )


@with_engine_options(curve_value)
def specificity_at_sensitivity(
    y_true: ArrayLike, y_score: ArrayLike, *, sensitivity: float, **options: Unpack[ValueOptions]
) -> float:
    """Return the specificity at a given sensitivity.

    The counterpart of `sensitivity_at_specificity`; where the curve is horizontal, the end with the
    higher specificity is used.

    Parameters
    ----------
    sensitivity : float
        From 0 to 1: the proportion of positives that must be classified correctly.

    References
    ----------
    .. [1] M. S. Pepe (2003), The Statistical Evaluation of Medical Tests, section 5.2.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8]
    >>> fc.specificity_at_sensitivity(y, score, sensitivity=0.5)
    1.0
    >>> fc.specificity_at_sensitivity(y, score, sensitivity=1)
    0.75
    """
    return curve_value(lambda: specificity_measure(sensitivity), y_true, y_score, **options)


@with_engine_options(curve_interval)
def specificity_at_sensitivity_interval(
    y_true: ArrayLike, y_score: ArrayLike, *, sensitivity: float, **options: Unpack[IntervalOptions]
) -> CurveIntervalResult:
    """Return the specificity at a given sensitivity, with a confidence interval.

    Parameters
    ----------
    sensitivity : float
        As in `specificity_at_sensitivity`.

    Notes
    -----
    See `sensitivity_at_specificity_interval`.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y, score = [0, 0, 0, 0, 1, 1, 1, 1], [1, 2, 3, 6, 4, 5, 7, 8]
    >>> fc.specificity_at_sensitivity_interval(y, score, sensitivity=1).estimate
    0.75
    """
    return curve_interval(lambda: specificity_measure(sensitivity), y_true, y_score, **options)


@with_engine_options(curve_test)
def specificity_at_sensitivity_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    sensitivity: float,
    **options: Unpack[PairedTestOptions],
) -> CurveTestResult:
    """Test whether two models differ in specificity at a given sensitivity.

    Parameters
    ----------
    sensitivity : float
        As in `specificity_at_sensitivity`.

    Notes
    -----
    The statistic is the difference between the specificities at which the two ROC curves, linear
    between their points, reach `sensitivity`. The p-value and the interval are computed as in
    `bootstrap_auc_test`.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> two = {name: data.scores[name] for name in ("random_forest", "decision_tree")}
    >>> result = fc.specificity_at_sensitivity_test(data.y_true, two, sensitivity=0.9, rng=0)
    >>> result.names, result.pvalue < 0.05
    (('random_forest', 'decision_tree'), True)
    """
    return curve_test(
        lambda: specificity_measure(sensitivity), y_true, y_score_a, y_score_b, **options
    )


@with_engine_options(curve_value)
def partial_auc(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: Rates = DEFAULT_RANGE,
    tpr: Rates | None = None,
    standardized: bool = False,
    **options: Unpack[ValueOptions],
) -> float:
    """Return the partial area under the ROC curve.

    The curve is linear between its points, also at the ends of the range. Unless standardized, the
    area lies between 0 and the width of the range.

    Parameters
    ----------
    fpr : (float, float), default=(0.0, 0.1)
        The range of false positive rates; pROC's ``partial.auc=c(1, 0.9)`` is (0, 0.1).
    tpr : (float, float), optional
        The range of true positive rates, instead of `fpr`: the area to the right of the curve, like
        pROC's ``partial.auc.focus="sensitivity"``.
    standardized : bool, default=False
        Rescale the area so that a random model has 0.5 and a perfect one 1. Models worse than
        random get less than 0.5, where pROC returns NA.

    References
    ----------
    .. [1] D. K. McClish (1989), doi:10.1177/0272989X8900900307.
    .. [2] X. Robin et al. (2011), pROC, doi:10.1186/1471-2105-12-77.

    Examples
    --------
    >>> import fastcompare as fc
    >>> y = [0] * 6 + [1] * 7
    >>> b = [.3, .6, .2, .1, .1, .9, .23, .7, .9, .4, .77, .3, .89]
    >>> round(fc.partial_auc(y, b, fpr=(0, 0.2)), 6)
    0.030952
    >>> round(fc.partial_auc(y, b, tpr=(0.8, 1), standardized=True), 6)
    0.727513
    """
    return curve_value(lambda: area_measure(fpr, tpr, standardized), y_true, y_score, **options)


@with_engine_options(curve_interval)
def partial_auc_interval(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: Rates = DEFAULT_RANGE,
    tpr: Rates | None = None,
    standardized: bool = False,
    **options: Unpack[IntervalOptions],
) -> CurveIntervalResult:
    """Return a partial AUC with a confidence interval.

    Parameters
    ----------
    fpr, tpr, standardized
        As in `partial_auc`, which names the sources.

    Notes
    -----
    The default, 'score', needs no resampling and is computed as in `average_precision_interval`.
    For FPR up to 0.1 and from 0.4 to 0.9 it covered 94 to 100% with AUCs of 0.6, 0.75, 0.9 and 0.99
    and from 2 + 48 to 400 + 1600 positives + negatives, and 92% with 1.5 negatives in the range (35
    + 15); it warns below 2. 'bca', the former default, covers 90 to 97%, and less with fewer than
    30 cases of a class.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> scores = data.scores["decision_tree"]
    >>> result = fc.partial_auc_interval(data.y_true, scores, fpr=(0, 0.2))
    >>> 0 < result.confidence_interval().low < result.estimate
    True
    """
    return curve_interval(lambda: area_measure(fpr, tpr, standardized), y_true, y_score, **options)


@with_engine_options(curve_test)
def partial_auc_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    *,
    fpr: Rates = DEFAULT_RANGE,
    tpr: Rates | None = None,
    standardized: bool = False,
    **options: Unpack[PairedTestOptions],
) -> CurveTestResult:
    """Bootstrap test of the difference between two models' partial AUCs.

    Parameters
    ----------
    fpr, tpr, standardized
        As in `partial_auc`, which names the sources.

    Notes
    -----
    The statistic is the difference between the two areas under the empirical ROC curves, linear
    between their points, for false positive rates from l to u. ``standardized=True`` rescales an
    area A (McClish 1989) to::

        (1 + (A - low) / (high - low)) / 2,    low = (u^2 - l^2) / 2,    high = u - l

    The p-value and the interval are computed as in `bootstrap_auc_test`.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> a, b = data.scores["random_forest"], data.scores["decision_tree"]
    >>> result = fc.partial_auc_test(data.y_true, a, b, fpr=(0, 0.2), rng=0)
    >>> result.pvalue < 0.05, result.confidence_interval().low > 0
    (True, True)
    """
    return curve_test(
        lambda: area_measure(fpr, tpr, standardized), y_true, y_score_a, y_score_b, **options
    )


@with_engine_options(curve_value)
def average_precision(
    y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[ValueOptions]
) -> float:
    """Return the average precision: the area under the precision-recall curve as a step function.

    It is the mean over the positives of the precision at their score, as in scikit-learn; tied
    cases enter together.

    References
    ----------
    .. [1] J. Davis, M. Goadrich (2006), doi:10.1145/1143844.1143874.

    Examples
    --------
    >>> import fastcompare as fc
    >>> round(fc.average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 6)
    0.833333
    """
    return curve_value(lambda: PRECISION, y_true, y_score, **options)


@with_engine_options(curve_interval)
def average_precision_interval(
    y_true: ArrayLike, y_score: ArrayLike, **options: Unpack[IntervalOptions]
) -> CurveIntervalResult:
    """Return the average precision with a confidence interval.

    Notes
    -----
    Precision depends on the prevalence: the interval assumes that of the data, unless
    ``stratified=False``. `average_precision` has the reference. The default, 'score', needs no
    resampling: it is Wilson's interval for the effective number of cases implied by the jackknife
    variance, which is combined with the variance of a proportion of the positives as a prior with 4
    degrees of freedom, as in `roc_auc_interval`. It covered 95 to 100% with AUCs of 0.6, 0.75, 0.9
    and 0.99 and from 3 + 47 to 400 + 1600 positives + negatives, and 91% with two positives, where
    it warns. 'bca', the former default, covers 86 to 97% (docs/evidence/auc_coverage.md).

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> result = fc.average_precision_interval(data.y_true, data.scores["decision_tree"])
    >>> low, high = result.confidence_interval()
    >>> 0 < low < result.estimate < high <= 1
    True
    """
    return curve_interval(lambda: PRECISION, y_true, y_score, **options)


@with_engine_options(curve_test)
def average_precision_test(
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    **options: Unpack[PairedTestOptions],
) -> CurveTestResult:
    """Test the difference between two models' average precisions, by resampling or exchanges.

    Parameters
    ----------
    method : {'percentile', 'basic', 'bca', 'normal', 'permutation'}, default='percentile'
        Bootstraps as in `bootstrap_auc_test`, or 'permutation': the models' ranks are exchanged
        within random cases (with `groups`, within whole clusters), as in `permutation_auc_test`.

    Notes
    -----
    AP = sum over thresholds of (R_t - R_(t-1)) P_t, with the recall R and the precision P; tied
    scores are one threshold. The p-value and the interval are computed as in `bootstrap_auc_test`.

    With few positives the bootstrap rejects too often: at the 5% level up to 18% with 3 + 47 cases
    and up to 10% with 10 + 190, where the permutation test rejects at most 5%
    (docs/evidence/auc_levels.md). That is exact if the models are exchangeable, for any number of
    cases, and has no margin. Its interval consists of the differences by which the data may be
    shifted before it rejects.

    Every replicate has the prevalence of the data, unless ``stratified=False``.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> a, b = data.scores["random_forest"], data.scores["decision_tree"]
    >>> result = fc.average_precision_test(data.y_true, a, b, rng=0)
    >>> result.pvalue < 0.05, result.confidence_interval().low > 0
    (True, True)
    """
    return curve_test(lambda: PRECISION, y_true, y_score_a, y_score_b, **options)


@dataclass(frozen=True, eq=False, kw_only=True)
class ROCBandResult(Record):
    """Result of `roc_curve_band`: the curve and its band at the rates `fpr`."""

    fpr: Vector
    tpr: Vector
    low: Vector
    high: Vector
    confidence_level: float
    simultaneous: bool
    status: str
    n_resamples: int
    n_left_out: int
    seed: int
    resampling: str
    n_positive: int
    n_negative: int
    n_dropped: int
    title: ClassVar[str] = "Confidence band of a ROC curve"
    _picture: ClassVar[str] = "roc_band"

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        kind = "simultaneous" if self.simultaneous else "pointwise"
        widths = self.high - self.low
        if np.isnan(widths).all():
            return f"The {kind} confidence band of the ROC curve is undefined."
        first, last = self.fpr[0], self.fpr[-1]
        points = f"{self.fpr.size} points from FPR {first:g} to {last:g}"
        cases = f"{amount(self.n_positive, 'positive')}, {amount(self.n_negative, 'negative')}"
        return (
            f"The {kind} {100 * self.confidence_level:g}% confidence band of the ROC curve has a "
            f"mean width of {widths.mean():.4f} in sensitivity and is at most {widths.max():.4f} "
            f"wide ({points}, {self.n_resamples} resamples, {self.resampling}; {cases})."
        )


@with_engine_options(as_resampling)
def roc_curve_band(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    fpr: int | ArrayLike = 101,
    simultaneous: bool = True,
    confidence_level: float = 0.95,
    on_undefined: Undefined = "warn",
    **sampling: Unpack[SamplingOptions],
) -> ROCBandResult:
    """Return the ROC curve with a bootstrap confidence band for the sensitivity.

    Parameters
    ----------
    fpr : int or array-like, default=101
        Increasing false positive rates, or the number of equidistant ones from 0 to 1.
    simultaneous : bool, default=True
        Whether the band covers the whole curve simultaneously; False gives pointwise intervals.

    Returns
    -------
    ROCBandResult
        With ``fpr``, ``tpr``, ``low``, ``high``, ``n_resamples`` (valid ones), ``n_left_out``,
        ``seed``, ``resampling``, ``status``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case; of pointwise bands and of clusters also if the
        replicates do not vary.
    SmallSampleWarning
        If pointwise bands, or those of clusters, are of fewer than 30 cases of a class.

    Notes
    -----
    The pointwise band consists of percentiles, which are too narrow near 0 and 1. The simultaneous
    band is the curve plus or minus q standard deviations of the replicates, cut to [0, 1], where q
    is the quantile over the replicates of their largest standardized deviation. So that the band
    has a width where all replicates are 0 or 1, the standard deviation is at least the binomial one
    of (m tpr + 1/2) / (m + 1), with m positives. At FPR 0 both bands begin at 0, since no sample
    distinguishes a curve that starts above 0 from one that rises steeply.

    Near the ends of the curve few negatives or positives decide, and no replicate has others than
    the sample. Independent cases therefore widen the simultaneous band to contain, at each rate,
    the 'profile' interval of `sensitivity_at_specificity_interval`, with half the error probability
    unless there is only one rate. At rates so small that it begins at 0, the lower edge is a
    parabola from 0 to the first interval that does not. With AUCs from 0.6 to 0.99, standard
    deviations of the positives from 0.5 to 3 times those of the negatives and from 15 + 35 to 200 +
    200 cases the band covers 94 to 100%, and with 2 to 20 cases of a class 93 to 100%, where
    replicates alone cover 3 to 98% (docs/evidence/auc_coverage.md). With an AUC of 0.98 and 60 + 60
    cases it has 1.25 times their area. With `groups` the band is that of the replicates.

    References
    ----------
    .. [1] G. Campbell (1994), doi:10.1002/sim.4780130508.
    .. [2] S. A. Macskassy, F. Provost, S. Rosset (2005), doi:10.1145/1102351.1102419.

    Examples
    --------
    >>> import fastcompare as fc
    >>> data = fc.load_predictions()
    >>> band = fc.roc_curve_band(data.y_true, data.scores["decision_tree"], fpr=11, rng=0)
    >>> bool((band.low <= band.tpr).all() and (band.tpr <= band.high).all())
    True
    """
    check_undefined(on_undefined)
    level = check_level(confidence_level)
    rates = as_rates("fpr", fpr)
    is_simultaneous = check_flag("simultaneous", simultaneous)
    cases, units, draws = as_resampling(y_true, {"y_score": y_score}, **sampling)

    result = curve_band(cases, rates, units, draws, level, is_simultaneous)
    warn_status(result.status, on_undefined)
    return result


def curve_band(
    cases: Cases, rates: Vector, units: Units, draws: Draws, level: float, simultaneous: bool
) -> ROCBandResult:
    """Return the ROC curve of checked cases with its band at these false positive rates.

    A simultaneous band of independent cases is widened to contain the 'profile' intervals.
    """
    m, n = cases.sizes
    measure = Measure("ROC curve", "height", tuple(rates.tolist()))
    statistic = curve_statistic(measure, cases, units)
    tpr, replicates = statistic.on_data(), np.empty((rates.size, 0))
    if min(m, n) > 1:
        reserve((rates.size, draws.n), hint="use fewer resamples or points")
        replicates = draw_replicates(statistic.for_units(units), units.sizes, draws)
    usable = replicates[:, np.isfinite(replicates[0])]
    positives = m if simultaneous else None
    low, high, largest_range = replicate_band(tpr, usable, rates, level, positives)
    status = interval_status((m, n), largest_range)
    if simultaneous and cases.groups is None and largest_range >= 0.0:
        n_jobs = draws.workers["n_jobs"]
        least, most = profile_band(cut_counts(measure, cases), tpr, rates, level, n_jobs)
        low, high = np.minimum(low, least), np.maximum(high, most)
        status = "ok"  # even with 2 + 2 cases it covers 93%: docs/evidence/auc_coverage.md
    return ROCBandResult(
        fpr=rates,
        tpr=tpr,
        low=low,
        high=high,
        confidence_level=level,
        simultaneous=simultaneous,
        status=status,
        n_resamples=usable.shape[1],
        n_left_out=replicates.shape[1] - usable.shape[1],
        seed=draws.seed,
        resampling=units.title,
        **class_fields(cases),
    )


def replicate_band(
    tpr: Vector, replicates: Vector, rates: Vector, level: float, m: int | None
) -> tuple[Vector, Vector, float]:
    """Return the band (low, high) from replicates (points, B), and their largest range at a point.

    The band is simultaneous for m positives, pointwise if m is None. All are NaN for fewer than two
    replicates.
    """
    if replicates.shape[1] < 2:
        return np.full(tpr.size, np.nan), np.full(tpr.size, np.nan), math.nan
    low, high = (
        pointwise_band(replicates, level)
        if m is None
        else simultaneous_band(tpr, replicates, level, m)
    )
    low = np.where(rates == 0.0, 0.0, low)
    largest_range = float(np.ptp(replicates, axis=1).max())
    return np.clip(low, 0.0, 1.0), np.clip(high, 0.0, 1.0), largest_range


def pointwise_band(replicates: Vector, level: float) -> tuple[Vector, Vector]:
    """Return the limits (low, high) of the percentile interval of the replicates at each point."""
    tail = 0.5 * (1.0 - level)
    points = [OrderStatistics(values) for values in replicates]
    low, high = [point.low(tail) for point in points], [point.high(tail) for point in points]
    return np.array(low), np.array(high)


def simultaneous_band(
    tpr: Vector, replicates: Vector, level: float, m: int
) -> tuple[Vector, Vector]:
    """Return the band tpr -+ q SE within which the share `level` of the replicates lies entirely.

    The standard errors are at least those of a binomial rate of the m positives.
    """
    rate = (m * tpr + 0.5) / (m + 1.0)
    binomial_errors = np.sqrt(rate * (1.0 - rate) / m)
    # without the binomial errors such 95% bands cover 48% of curves of 50 + 50 cases
    errors = np.maximum(np.std(replicates, axis=1, ddof=1), binomial_errors)
    farthest = (np.abs(replicates - tpr[:, None]) / errors[:, None]).max(axis=0)
    width = OrderStatistics(farthest).high(1.0 - level) * errors
    return tpr - width, tpr + width


def profile_band(
    cuts: CutCounts, tpr: Vector, rates: Vector, level: float, n_jobs: int
) -> tuple[Vector, Vector]:
    """Return the 'profile' intervals at these rates, with half the error probability if several.

    Below the smallest informative rate they begin at 0, as a cut with no negative above agrees with
    these rates. There the lower edge is a parabola from 0 to the first interval.
    """
    pointwise_level = level if rates.size == 1 else 0.5 * (1.0 + level)
    profiles = [
        ProfileInterval(cuts, rate, height)
        for rate, height in zip(rates.tolist(), tpr.tolist(), strict=True)
    ]
    ends = map_threads(lambda profile: profile.ends(pointwise_level), profiles, n_jobs)
    low, high = np.transpose(ends)
    n = float(cuts.negatives[-1])  # above the lowest cut: all
    first_rate = smallest_informative_rate(n, pointwise_level)
    # an estimate of 1 leaves the lower limit as it is
    first_low, _ = ProfileInterval(cuts, first_rate, 1.0).ends(pointwise_level)
    return np.where(rates < first_rate, first_low * (rates / first_rate) ** 2, low), high


NEAR = 1e-9  # how far, relatively, the smallest informative rate is above the limit of the others


def smallest_informative_rate(n: float, level: float) -> float:
    """Return the smallest rate for which 0 of n negatives above the cut are significantly few.

    It is a quantile of Jeffreys' posterior of the rate, for 0 of n.
    """
    from scipy.special import betaincinv

    z = normal_quantile(0.5 * (1.0 - level))
    return float(betaincinv(0.5, n + 0.5, normal_tail(-z))) * (1.0 + NEAR)
