"""Values, intervals and paired tests of any measure of a curve; `_curves` has the public functions.

'profile' is the interval of a height h at the cut with a false positive rate f, of which the counts
beyond, a of n negatives and b of m positives, are binomial. h is in the interval if some cut of the
data agrees with both rates, z being the normal quantile of Jeffreys' posterior of a rate (after
Claeskens et al. 2003, doi:10.2307/3316066): min over cuts of z(a, n, f)^2 + z(b, m, h)^2 <= q.

'score' is Wilson's interval of an average precision or a partial AUC, as a share p of the largest
one, for N cases and Student's t of 4 + d degrees of freedom, D being the jackknife's variance and w
the range's width (without 1 / (6 n w) for precision; simulated binormal cuts gave .06 to .17):

    1 / M = 1 / m + 1 / (6 n w),  V = p (1 - p) / M,  d = 2 p (1 - p) M
    N = M (4 + d) / (4 + d D / V)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, NamedTuple, Unpack

import numpy as np
from numpy.typing import ArrayLike

from .._base.documented import with_engine_options
from .._base.text import show_number
from .._base.types import Fields, NanPolicy, Undefined, Vector
from .._inference.infer import ZeroVarianceBound, wilson_ends
from .._inference.pvalues import normal_quantile, student_quantile
from .._inference.status import difference_status, sample_status, warn_status
from .._inference.unseen import UnseenFailures, unseen_failures
from .._inputs.options import (
    as_choice,
    check_choice,
    check_level,
    check_margin,
    check_no_margin,
    check_undefined,
    hash_seed,
)
from .._inputs.scores import Cases, ScoreTable, as_cases
from .._resampling.bootstrap import (
    TITLES,
    UNSTUDENTIZED,
    BootstrapInterval,
    BootstrapResult,
    Bounded,
    Claim,
    Draws,
    ReplicateSummary,
    bca_acceleration,
    bootstrap_fields,
    draw_replicates,
    interval_fields,
    jackknife_influence,
    snap_to_points,
    summarize_replicates,
)
from .._resampling.weights import jackknife
from .._results.records import Record
from ._bootstrap import PairedTestOptions, SamplingOptions, as_resampling, paired_bootstrap
from ._bootstrap_walks import Units, class_fields
from ._curve_statistics import (
    NEAR,
    CurveStatistic,
    Measure,
    curve_statistic,
    curve_values,
    difference_of_two,
)
from ._differences import CautiousClasses, OfClasses
from ._exchanges import exchanged_precisions
from ._intervals import PAIRS, PRIOR, independent_cases

PERMUTATION, EXCHANGED = "permutation", "models exchanged within cases or clusters"
FEWEST_EXPECTED = 5.0  # m p (1 - p) from which intervals by replicates cover


def measure_replicates(
    statistic: CurveStatistic,
    units: Units,
    estimate: float,
    method: str,
    draws: Draws,
    margin: float = 0.0,
) -> ReplicateSummary:
    """Return one model's measure, or the difference of two models', with its replicates.

    With fewer than two cases of a class there are no replicates.
    """
    if statistic.counts.sum(axis=0).min() < 2:
        return summarize_replicates(method, estimate, np.empty(0))
    combine = difference_of_two if len(statistic.curves) == 2 else np.ravel
    replicates = draw_replicates(statistic.for_units(units), units.sizes, draws)
    points = (estimate, -margin, margin, 0.0)  # the last turns -0.0 into 0
    _, most = statistic.measure.bounds
    values = snap_to_points(combine(replicates), points, NEAR * most)
    acceleration = 0.0
    if method == "bca":
        n_jobs, executor = draws.workers["n_jobs"], draws.workers["executor"]
        jackknifed = jackknife(statistic, units.sizes, n_jobs=n_jobs, executor=executor)
        acceleration = bca_acceleration(jackknife_influence([combine(part) for part in jackknifed]))
    return summarize_replicates(method, estimate, values, acceleration=acceleration)


def interval_status(class_sizes: tuple[int, int], standard_error: float) -> str:
    """Return the status word of the interval of a measure by replicates.

    `standard_error` is that of the replicates, NaN for fewer than two.
    """
    status = sample_status(*class_sizes)
    if status in ("one_class", "too_few") or standard_error > 0.0:
        return status
    return "too_few_resamples" if math.isnan(standard_error) else "no_variation"


def direct_interval_status(measure: Measure, class_sizes: tuple[int, int]) -> str:
    """Return the status word of an interval 'profile' or 'score', which need no replicates.

    Average precisions of 2 positives cover 91%, and areas with fewer than 2 negatives within their
    range 92% (docs/evidence/auc_coverage.md).
    """
    m, n = reversed(class_sizes) if measure.mirrored else class_sizes
    if min(m, n) < 2:
        return sample_status(m, n)
    rough = measure.shape == "precision" and m < 3
    if measure.shape == "area":
        low, high = measure.points
        rough = n * (high - low) < 2.0
    return "low_coverage" if rough else "ok"


def bootstrap_covers(measure: Measure, class_sizes: tuple[int, int], estimate: float) -> bool:
    """Return whether 95% intervals by replicates cover about 93% or more: m p (1 - p) >= 5.

    p is the estimate as a share of the bounds, m the number of positives (negatives if mirrored).
    Otherwise sensitivities at an AUC of 0.99 cover 37% (50 + 950 cases) or 50% (60 + 140), average
    precisions of 0.07 91%.
    """
    positives, negatives = class_sizes
    m = negatives if measure.mirrored else positives
    low, high = measure.bounds
    p = (estimate - low) / (high - low)
    return m * p * (1.0 - p) >= FEWEST_EXPECTED


class UnvariedPrecision(ZeroVarianceBound):
    """The bound of a difference in average precision of two models that rank all cases equally.

    With r negatives per positive, moving a share x of the negatives to the top changes an average
    precision of 1 most, to 1 - c log(1 + 1 / c) where c = r x. A sample of m positives and m r
    negatives contains none of them with probability (1 - x)^(m r) <= exp(-m c).
    """

    def log_chance(self, distance: float, distance_to_bound: float) -> float:
        """Return the logarithm of the chance of cases that do not show a change of `distance`.

        It is -m c, where c solves c log(1 + 1 / c) = distance: with u = 1 + 1 / c this is
        u exp(-distance u) = exp(-distance), so -distance u is Lambert's W of the lower branch.
        """
        from scipy.special import lambertw

        if not 0.0 < distance < distance_to_bound:
            return super().log_chance(distance, distance_to_bound)
        u = -float(lambertw(-distance * math.exp(-distance), -1).real) / distance
        return -self.units / (u - 1.0)

    def reach(self, alpha: float, room: float) -> float:
        """Return the true difference that a sample does not show with a chance of `alpha`."""
        c = -math.log(alpha) / self.units
        return c * math.log1p(1.0 / c)


def zero_variance_bound_of_measure(
    measure: Measure, cases: Cases, estimate: float
) -> ZeroVarianceBound:
    """Return the bound of a difference whose replicates do not vary, by the shape of the measure.

    Areas between curves are means of differences of ranks, so pairs of cases are counted; heights
    are proportions of positives, or of negatives if mirrored. A difference other than 0 counts as
    one observation.
    """
    m, n = independent_cases(cases)
    low, high = measure.bounds
    if estimate:
        return ZeroVarianceBound(1.0, high - low, "sample")
    if measure.shape == "precision":
        return UnvariedPrecision(m, 1.0, "positives")
    if measure.shape == "height" and measure.mirrored:
        return ZeroVarianceBound(n, 1.0, "negatives")
    if measure.shape == "height":
        return ZeroVarianceBound(m, 1.0, "positives")
    first, last = measure.points
    return ZeroVarianceBound(min(m, n), (high - low) / (last - first), PAIRS)


class CutCounts(NamedTuple):
    """Numbers of negatives and of positives above each cut of the scores, from none to all."""

    negatives: Vector
    positives: Vector

    def positives_at(self, a: Vector) -> tuple[Vector, Vector]:
        """Return the fewest and the most positives above cuts with `a` negatives above.

        Where no cut has `a`, both are interpolated between two cuts, as the curve is.
        """
        last = np.searchsorted(self.negatives, a, side="right") - 1
        first = np.searchsorted(self.negatives, self.negatives[last])
        following = np.minimum(last + 1, self.negatives.size - 1)
        below, most = self.negatives[last], self.positives[last]
        share = (a - below) / np.maximum(self.negatives[following] - below, 1.0)
        high = most + share * (self.positives[following] - most)
        return np.where(share == 0.0, self.positives[first], high), high


def cut_counts(measure: Measure, cases: Cases) -> CutCounts:
    """Return the counts above each cut of one model; a mirrored measure exchanges the classes."""
    scores = cases.scores[0]
    positive = cases.labels == 1
    if measure.mirrored:
        scores, positive = -scores, ~positive
    order = np.argsort(-scores, kind="stable")
    last_of_ties = np.append(np.flatnonzero(np.diff(scores[order])), scores.size - 1)
    positives = np.append(0, np.cumsum(positive[order])[last_of_ties]).astype(np.float64)
    cases_above = np.append(0, last_of_ties + 1)
    return CutCounts(negatives=cases_above - positives, positives=positives)


class ProfileInterval(NamedTuple):
    """The interval 'profile' of `estimate`, the curve's height at a false positive rate."""

    cuts: CutCounts
    rate: float
    estimate: float

    def ends(self, level: float) -> tuple[float, float]:
        """Return the interval at this level, NaN below two cases of a class."""
        z = normal_quantile(0.5 * (1.0 - level))
        n, m = float(self.cuts.negatives[-1]), float(self.cuts.positives[-1])
        if min(m, n) < 2.0:
            return math.nan, math.nan
        a = self.compatible_counts(z, n)
        squares = jeffreys_z(a, n, self.rate) ** 2
        agree = squares <= max(z * z, squares.min())  # the nearest count always agrees
        remaining_z = np.sqrt(np.maximum(z * z - squares[agree], 0.0))
        fewest, most = self.cuts.positives_at(a[agree])
        low = lowest_jeffreys_limit(fewest, m, remaining_z)
        high = 1.0 - lowest_jeffreys_limit(m - most, m, remaining_z)
        return min(low, self.estimate), max(high, self.estimate)

    def compatible_counts(self, z: float, n: float) -> Vector:
        """Return all numbers of negatives above a cut that may be compatible with the rate."""
        expected = n * self.rate
        reach = 2.0 + z * z + 1.5 * z * math.sqrt(expected * (1.0 - self.rate))  # ample
        fewest = math.floor(max(expected - reach, 0.0))
        most = math.ceil(min(expected + reach, n))
        return np.arange(fewest, most + 1.0)


def jeffreys_z(a: Vector, n: float, rate: float) -> Vector:
    """Return z(a, n, rate), the normal quantile of the rate in Jeffreys' posterior of a of n.

    At a = 0 it is at least 0, at a = n at most 0: no count can be more extreme in that direction.
    """
    from scipy.special import betainc, ndtri

    if rate in (0.0, 1.0):
        return np.where(a == n * rate, 0.0, np.inf)
    z: Vector = ndtri(betainc(a + 0.5, n - a + 0.5, rate))
    z[a == 0.0] = np.maximum(z[a == 0.0], 0.0)
    z[a == n] = np.minimum(z[a == n], 0.0)
    return z


def lowest_jeffreys_limit(b: Vector, m: float, z: Vector) -> float:
    """Return the smallest lower limit of Jeffreys' intervals of b of m, each b with its own z.

    Brown, Cai and DasGupta (2001), section 4.1.1. Only limits below a first guess are computed:
    those whose distribution function there exceeds the tail, a fifth of the time of a quantile.
    """
    from scipy.special import betainc, betaincinv, ndtr

    if not (b > 0.0).all():
        return 0.0
    tail = ndtr(-z)
    rate = b / m
    lowest = int(np.argmin(rate - z * np.sqrt(rate * (1.0 - rate) / m)))  # by Wald's limits
    guess = float(betaincinv(b[lowest] + 0.5, m - b[lowest] + 0.5, tail[lowest]))
    lower = betainc(b + 0.5, m - b + 0.5, guess) > tail
    b, tail = b[lower], tail[lower]
    return float(betaincinv(b + 0.5, m - b + 0.5, tail).min(initial=guess))


CUT_VARIANCE = 1.0 / 6.0  # the 1 / 6 of 1 / (6 n w) in the module's formula


class ScoreInterval(NamedTuple):
    """The interval 'score' of an estimate within `bounds`, with the jackknife's variance.

    `effective_cases` is M in the module's formula.
    """

    estimate: float
    bounds: tuple[float, float]
    variance: float
    effective_cases: float

    def ends(self, level: float) -> tuple[float, float]:
        """Return the interval at this level, NaN where the estimate or the variance is NaN."""
        if math.isnan(self.variance) or math.isnan(self.estimate):
            return math.nan, math.nan
        least, most = self.bounds
        width = most - least
        p = (self.estimate - least) / width
        binomial_variance = min(max(p * (1.0 - p), 0.0), 0.25)
        d = 2.0 * binomial_variance * self.effective_cases
        # 4 + d D / V with d and V written out, so that it is defined for p = 1, too
        divisor = PRIOR + 2.0 * self.effective_cases**2 * self.variance / width**2
        n = self.effective_cases * (PRIOR + d) / divisor
        t = student_quantile(0.5 * (1.0 - level), PRIOR + d)
        low, high = wilson_ends(min(max(p, 0.0), 1.0), n, t)
        return least + width * float(low), least + width * float(high)


def jackknife_score_interval(
    statistic: CurveStatistic, units: Units, draws: Draws
) -> ScoreInterval:
    """Return the interval 'score' of one model, by the jackknife over both classes.

    An infinite range leaves out the term 1 / (6 n w), as for precision.
    """
    measure = statistic.measure
    (estimate,) = statistic.on_data().tolist()
    n, m = statistic.counts.sum(axis=0).tolist()
    if min(m, n) < 2:
        return ScoreInterval(estimate, measure.bounds, math.nan, math.nan)
    low, high = measure.points if measure.shape == "area" else (0.0, math.inf)
    workers = draws.workers
    jackknifed = jackknife(
        statistic, units.sizes, n_jobs=workers["n_jobs"], executor=workers["executor"]
    )
    variance = sum((values.size - 1.0) * float(np.var(values)) for values in jackknifed)
    effective_cases = 1.0 / (1.0 / m + CUT_VARIANCE / (n * (high - low)))
    return ScoreInterval(estimate, measure.bounds, variance, effective_cases)


DIRECT_METHODS = {"profile": "binomial profile", "score": "score"}
Direct = ProfileInterval | ScoreInterval
ONE_SE_LEVEL = math.erf(math.sqrt(0.5))  # the level of the interval estimate -+ 1 SE, 68.3%


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveResult(Bounded, OfClasses, Record):
    """A result with the name of the measure, its bounds, and what was resampled."""

    measure: str
    resampling: str
    _bounds: tuple[float, float] = field(repr=False)  # of the measure, or of differences


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveIntervalResult(CurveResult, BootstrapInterval):
    """An interval of a partial AUC, sensitivity, specificity or average precision."""

    distribution: Vector | None
    _direct: Direct | None = field(repr=False, default=None)
    title: ClassVar[str] = "Interval of a measure of the curve"

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the interval at this level, by replicates or directly."""
        return super()._ends(level) if self._direct is None else self._direct.ends(level)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        resampling = ""
        if self._direct is None:
            resampling = f", {self.n_resamples} resamples, {self.resampling}"
        return (
            f"The {self.measure} is {show_number(self.estimate)} ({self._interval_text()}; "
            f"{self.method}{resampling}; {self._class_counts})."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveTestResult(CautiousClasses, CurveResult, BootstrapResult):
    """Result of a paired test of such a measure; `estimate` is ``values[0] - values[1]``."""

    values: Vector
    _least: float = field(repr=False, default=0.0)  # value of the measure
    title: ClassVar[str] = "Bootstrap test of two models on the same cases"
    _follows_sample: ClassVar[bool] = True

    @property
    def _quantity(self) -> str:  # type: ignore[override]
        """What is compared."""
        return self.measure

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        stated = self._values_sentence(f"The values of {self.measure} are", self.values)
        return stated + self._stated_failures()

    def _failures(self) -> UnseenFailures:
        """Return the failures of the leading model that a sample of this size may lack."""
        distances = self.values - self._least
        cases = min(self._independent_cases)
        return unseen_failures(self.estimate, distances, cases, self.alternative, self.margin)


def curve_value(
    make_measure: Callable[[], Measure],
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> float:
    """Return a measure of the curve of one model.

    Returns
    -------
    float
        NaN if there is only one class.

    Warns
    -----
    UndefinedResultWarning
        If there is only one class.
    """
    check_undefined(on_undefined)
    measure = make_measure()
    cases = as_cases(y_true, pos_label, nan_policy, y_score=y_score)
    value = float(curve_values(measure, cases)[0])
    warn_status("one_class" if math.isnan(value) else "ok", on_undefined)
    return value


@with_engine_options(as_resampling)
def curve_interval(
    make_measure: Callable[[], Measure],
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    method: str = "auto",
    confidence_level: float = 0.95,
    keep: bool = False,
    on_undefined: Undefined = "warn",
    **sampling: Unpack[SamplingOptions],
) -> CurveIntervalResult:
    """Return the measure of one model with a bootstrap interval.

    Parameters
    ----------
    method : {'auto', 'profile', 'score', 'percentile', 'basic', 'bca', 'normal'}, default='auto'
        'auto' is 'profile' for points of the curve, and 'score' for areas and average precision:
        both need no resampling and are reliable with few cases (docs/evidence/auc_coverage.md).
        With `groups`, and for areas also with ``stratified=False``, it is 'percentile' and 'bca'.
        These and the others are as in `bootstrap_auc_test`. The variance for 'score' and the
        acceleration for 'bca' come from the jackknife over cases or clusters, or over 2048 groups
        of them in large samples.

    Returns
    -------
    CurveIntervalResult
        With ``estimate``, ``standard_error`` (of the replicates; without them half the width of the
        interval at 68.3%), ``confidence_interval()``, ``n_resamples`` (valid ones), ``n_left_out``,
        ``seed``, ``resampling``, ``distribution`` (None without replicates), ``status``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates do not vary.
    SmallSampleWarning
        If intervals by the method cover about 93% or less.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani (1993), doi:10.1201/9780429246593.
    .. [2] L. D. Brown, T. T. Cai, A. DasGupta (2001), doi:10.1214/ss/1009213286.
    .. [3] G. Claeskens et al. (2003), doi:10.2307/3316066.
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, ("auto", *DIRECT_METHODS, *UNSTUDENTIZED))
    measure = make_measure()
    level = check_level(confidence_level)
    cases, units, draws = as_resampling(y_true, {"y_score": y_score}, keep, **sampling)
    method = resolve_method(method, measure, cases, units)
    if method in DIRECT_METHODS:
        result = direct_interval(measure, cases, units, draws, level)
        warn_status(result.status, on_undefined)
        return result

    statistic = curve_statistic(measure, cases, units)
    summary = measure_replicates(statistic, units, float(statistic.on_data()[0]), method, draws)
    status = interval_status(cases.sizes, summary.standard_error)
    if status == "ok" and not bootstrap_covers(measure, cases.sizes, summary.estimate):
        status = "low_coverage"
    warn_status(status, on_undefined)

    return CurveIntervalResult(
        **interval_fields(summary, draws),
        **measure_fields(measure, cases, units),
        _bounds=measure.bounds,
        method=TITLES[method],
        status=status,
        confidence_level=level,
        distribution=summary.values if keep else None,
    )


def resolve_method(method: str, measure: Measure, cases: Cases, units: Units) -> str:
    """Return the checked method, or that in place of 'auto'.

    'profile' and 'score' need independent cases, 'score' also class sizes that the bootstrap fixes.
    """
    direct = "profile" if measure.shape == "height" else "score"
    is_stratified = len(units.sizes) > 1
    is_allowed = cases.groups is None and (direct == "profile" or is_stratified)
    if method == "auto":
        best = "percentile" if direct == "profile" else "bca"  # docs/evidence/auc_coverage.md
        return direct if is_allowed else best
    check_choice("method", method, ("auto", *([direct] if is_allowed else []), *UNSTUDENTIZED))
    return method


def direct_interval(
    measure: Measure, cases: Cases, units: Units, draws: Draws, level: float
) -> CurveIntervalResult:
    """Return the interval 'profile' of a height, or 'score' of an area or average precision."""
    (estimate,) = curve_values(measure, cases).tolist()
    is_height = measure.shape == "height"
    if is_height:
        direct: Direct = ProfileInterval(cut_counts(measure, cases), measure.points[0], estimate)
    else:
        direct = jackknife_score_interval(curve_statistic(measure, cases, units), units, draws)
    low, high = direct.ends(ONE_SE_LEVEL)
    return CurveIntervalResult(
        **measure_fields(measure, cases, units),
        _bounds=measure.bounds,
        estimate=estimate,
        standard_error=0.5 * (high - low),
        method=DIRECT_METHODS["profile" if is_height else "score"],
        status=direct_interval_status(measure, cases.sizes),
        confidence_level=level,
        distribution=None,
        _direct=direct,
    )


@with_engine_options(paired_bootstrap)
def curve_test(
    make_measure: Callable[[], Measure],
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    **options: Unpack[PairedTestOptions],
) -> CurveTestResult:
    """Return the comparison of two models by a measure of the curve.

    Returns
    -------
    CurveTestResult
        With ``statistic`` (the estimate, shifted by the margin, over its standard error),
        ``pvalue``, ``estimate`` (a - b), ``standard_error`` (of the replicates), ``values`` (2,),
        ``n_resamples`` (valid ones), ``n_left_out``, ``seed``, ``resampling``, ``distribution``,
        ``confidence_interval(confidence_level)``.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani (1993), doi:10.1201/9780429246593.
    """
    check_undefined(options.get("on_undefined", "warn"))
    measure = make_measure()
    least, most = measure.bounds
    check_margin(options.get("margin", 0.0), most - least)
    compare = partial(compare_measures, measure)
    methods = (*UNSTUDENTIZED, PERMUTATION) if measure.shape == "precision" else UNSTUDENTIZED
    if as_choice("method", options.get("method", "percentile"), methods) == PERMUTATION:
        check_no_margin(options.get("alternative", "two-sided"), options.get("margin", 0.0))
    return paired_bootstrap(compare, methods, y_true, y_score_a, y_score_b, **options)


def compare_measures(
    measure: Measure, cases: Cases, units: Units, method: str, draws: Draws, claim: Claim
) -> CurveTestResult:
    """Return the bootstrap or permutation test of two models' measures, of checked cases."""
    statistic = curve_statistic(measure, cases, units)
    values = statistic.on_data()
    least, most = measure.bounds
    estimate = float(difference_of_two(values))
    permuted = method == PERMUTATION
    if permuted:
        summary = permutation_summary(cases, estimate, draws)
    else:
        summary = measure_replicates(statistic, units, estimate, method, draws, claim.margin)
    status = difference_of_measures_status(summary, cases.sizes, values, claim.margin)
    if permuted and status == "small_sample":
        status = "ok"  # a permutation test keeps its level in small samples
    unvaried = zero_variance_bound_of_measure(measure, cases, summary.estimate)
    return CurveTestResult(
        **bootstrap_fields(summary, draws, claim, unvaried),
        **measure_fields(measure, cases, units, EXCHANGED if permuted else ""),
        _bounds=(least - most, most - least),
        _least=least,
        names=cases.pair,
        status=status,
        values=values,
    )


def permutation_summary(cases: Cases, estimate: float, draws: Draws) -> ReplicateSummary:
    """Return the difference of two average precisions, with estimate - null as its replicates.

    The null differences are those after exchanges of the models. Percentiles of the replicates are
    then the shifts of the data that the test does not reject: they exclude 0 if it rejects.
    """
    if min(cases.sizes) < 2:
        return summarize_replicates(PERMUTATION, estimate, np.empty(0))
    null = exchanged_precisions(cases, draws.n, hash_seed(draws.seed), draws.workers)
    null = snap_to_points(null, (estimate, -estimate, 0.0), NEAR)
    return summarize_replicates(PERMUTATION, estimate, estimate - null)


def measure_fields(measure: Measure, cases: Cases, units: Units, how: str = "") -> Fields:
    """Return the fields of a `CurveResult`; `how` is what is resampled, by default the units."""
    return Fields(measure=measure.name, resampling=how or units.title, **class_fields(cases))


def difference_of_measures_status(
    summary: ReplicateSummary, class_sizes: tuple[int, int], values: Vector, margin: float
) -> str:
    """Return the status word of the difference of two models' measures."""
    error, estimate = summary.standard_error, summary.estimate
    status = difference_status(*class_sizes, error, estimate, values.tolist(), margin=margin)
    # two values of 1, say, need no separation of the classes
    return "identical" if status == "perfect_separation" else status
