"""Values, bootstrap intervals and paired tests of any measure of a curve.

The three engines hold the options that all measures share, with their defaults and what users read
of them; the TypedDicts tell type checkers the same. They make the measure, for that checks what it
is to be, after `on_undefined` is checked and before anything else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import ClassVar, TypedDict, Unpack

from numpy.typing import ArrayLike

from ...._base.forward import forwards
from ...._base.text import counted, figure
from ...._base.types import NanPolicy, Undefined, Vector
from ...._inference.status import announce, difference_status
from ...._inputs.cases import Cases, as_cases
from ...._inputs.options import as_choice, check_choice, check_level, check_undefined
from ...._inputs.scores import ScoreTable
from ...._resampling.bootstrap import (
    TITLES,
    UNSTUDENTIZED,
    BootstrapInterval,
    BootstrapResult,
    Claim,
    Draws,
    Replicated,
    bootstrap_fields,
    interval_fields,
)
from ...._results.records import Record
from ..bootstrap.paired import Claiming, Sampling, as_resampling, paired_bootstrap
from ..bootstrap.walks import Units, class_sizes
from .profile import Profile, path_of
from .replicates import (
    bootstrap_covers,
    direct_status,
    interval_status,
    resample,
    unvaried_curves,
)
from .share import Share, share_of
from .statistics import Measure, differences, statistic_of, values_of

DIRECT = {"profile": "binomial profile", "score": "score"}
Direct = Profile | Share
ONE_ERROR = math.erf(math.sqrt(0.5))  # the level of an estimate give or take a standard error


@dataclass(frozen=True, eq=False, kw_only=True)
class OfCurves(Record):
    """What was measured on which cases."""

    measure: str
    resampling: str
    n_positive: int
    n_negative: int
    n_dropped: int
    _range: tuple[float, float] = field(repr=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveIntervalResult(OfCurves, BootstrapInterval):
    """Result of the intervals of partial AUC, sensitivity, specificity and average precision."""

    distribution: Vector | None
    _direct: Direct | None = field(repr=False, default=None)
    title: ClassVar[str] = "Interval of a measure of the curve"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The smallest and the largest value of the measure."""
        return self._range

    def _ends(self, level: float) -> tuple[float, float]:
        return super()._ends(level) if self._direct is None else self._direct.ends(level)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        drawn = f", {self.n_resamples} resamples, {self.resampling}"
        return (
            f"The {self.measure} is {figure(self.estimate)} ({self._stated_interval()}; "
            f"{self.method}{drawn if self._direct is None else ''}; "
            f"{counted(self.n_positive, 'positive')}, {counted(self.n_negative, 'negative')})."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveTestResult(OfCurves, BootstrapResult):
    """Result of the paired tests of these measures; `estimate` is ``values[0] - values[1]``."""

    values: Vector
    title: ClassVar[str] = "Bootstrap test of two models of the same cases"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The smallest and the largest difference."""
        width = self._range[1] - self._range[0]
        return -width, width

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        first, second = map(figure, self.values)
        both = self._of_both(first, second, "against")
        return (
            f"The two models differ in {self.measure} by {figure(self.estimate)} "
            f"({both}; {self._stated_interval()}; "
            f"{self.method}{self._stated_claim()}, {self._evidence()})."
        )


def curve_value(
    make: Callable[[], Measure],
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: object = None,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> float:
    """Return the measure of one model.

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
    measure = make()
    cases = as_cases(y_true, pos_label, nan_policy, y_score=y_score)
    value = float(values_of(measure, cases)[0])
    announce("one_class" if math.isnan(value) else "ok", on_undefined)
    return value


@forwards(as_resampling)
def curve_interval(
    make: Callable[[], Measure],
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    method: str = "auto",
    confidence_level: float = 0.95,
    keep: bool = False,
    on_undefined: Undefined = "warn",
    **sampling: Unpack[Sampling],
) -> CurveIntervalResult:
    """Return the measure of one model with a bootstrap interval.

    Parameters
    ----------
    method : {'auto', 'profile', 'score', 'percentile', 'basic', 'bca', 'normal'}, default='auto'
        'auto' takes 'profile' for points of the curve, and 'score' for areas and average
        precision: both draw nothing and hold their coverage with few cases (docs/coverage.md). With
        `groups`, and for the latter with ``stratified=False``, it takes 'percentile' and 'bca'.
        These and the others are as in `bootstrap_auc_test`. For 'score' the variance, for 'bca' the
        acceleration comes from the jackknife, which leaves out one case or cluster after the other,
        or in large samples 2048 groups of them.

    Returns
    -------
    CurveIntervalResult
        With ``estimate``, ``standard_error`` (of the replicates; without them half the width of
        the interval at 68.3 %), ``confidence_interval()``, ``n_resamples`` (those that count),
        ``n_left_out``, ``seed``, ``resampling``, ``distribution`` (None without replicates),
        ``status``.

    Warns
    -----
    UndefinedResultWarning
        If a class is missing or has one case, or the replicates do not vary.
    SmallSampleWarning
        Where intervals by the method cover less than 93 %, or about so.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani (1993), doi:10.1201/9780429246593.
    .. [2] L. D. Brown, T. T. Cai, A. DasGupta (2001), doi:10.1214/ss/1009213286.
    .. [3] G. Claeskens et al. (2003), doi:10.2307/3316066.
    """
    check_undefined(on_undefined)
    method = as_choice("method", method, ("auto", *DIRECT, *UNSTUDENTIZED))
    measure, level = make(), check_level(confidence_level)
    cases, units, draws = as_resampling(y_true, {"y_score": y_score}, keep, **sampling)
    method = method_of(method, measure, cases, units)
    if method in DIRECT:
        result = direct_interval(measure, cases, units, draws, level)
        announce(result.status, on_undefined)
        return result

    statistic = statistic_of(measure, cases, units)
    found = resample(statistic, units, float(statistic.on_data()[0]), method, draws)
    status = interval_status(class_sizes(cases), found.standard_error)
    if status == "ok" and not bootstrap_covers(measure, class_sizes(cases), found.estimate):
        status = "low_coverage"
    announce(status, on_undefined)

    return CurveIntervalResult(
        **interval_fields(found, draws),
        **about_curves(measure, cases, units),
        method=TITLES[method],
        status=status,
        confidence_level=level,
        distribution=found.values if keep else None,
    )


def method_of(method: str, measure: Measure, cases: Cases, units: Units) -> str:
    """Return the method that is meant: those without replicates are for independent cases."""
    own = "profile" if measure.shape == "height" else "score"
    fits = cases.groups is None and (own == "profile" or len(units.sizes) > 1)
    if method == "auto":
        return own if fits else measure.interval_method
    check_choice("method", method, ("auto", *([own] if fits else []), *UNSTUDENTIZED))
    return method


def direct_interval(
    measure: Measure, cases: Cases, units: Units, draws: Draws, level: float
) -> CurveIntervalResult:
    """Return the interval of independent cases without replicates."""
    estimate = float(values_of(measure, cases)[0])
    if at_point := measure.shape == "height":
        direct: Direct = Profile(path_of(measure, cases), measure.points[0], estimate)
    else:
        direct = share_of(statistic_of(measure, cases, units), units, draws)
    low, high = direct.ends(ONE_ERROR)
    return CurveIntervalResult(
        **about_curves(measure, cases, units),
        estimate=estimate,
        standard_error=0.5 * (high - low),
        method=DIRECT["profile" if at_point else "score"],
        status=direct_status(measure, class_sizes(cases)),
        confidence_level=level,
        distribution=None,
        _direct=direct,
    )


@forwards(paired_bootstrap)
def curve_test(
    make: Callable[[], Measure],
    y_true: ArrayLike,
    y_score_a: ScoreTable,
    y_score_b: ArrayLike | None = None,
    **options: Unpack[Claiming],
) -> CurveTestResult:
    """Return the comparison of two models by a measure.

    Returns
    -------
    CurveTestResult
        With ``statistic`` (the estimate, shifted by the margin, over its standard error),
        ``pvalue``, ``estimate`` (a - b), ``standard_error`` (of the replicates), ``values`` (2,),
        ``n_resamples`` (those that count), ``n_left_out``, ``seed``, ``resampling``,
        ``distribution``, ``confidence_interval(confidence_level)``.

    References
    ----------
    .. [1] B. Efron, R. J. Tibshirani (1993), doi:10.1201/9780429246593.
    """
    check_undefined(options.get("on_undefined", "warn"))
    compare = partial(compare_curves, make())
    return paired_bootstrap(compare, UNSTUDENTIZED, y_true, y_score_a, y_score_b, **options)


def compare_curves(
    measure: Measure, cases: Cases, units: Units, method: str, draws: Draws, claim: Claim
) -> CurveTestResult:
    """Return the comparison of two models by the measure."""
    statistic = statistic_of(measure, cases, units)
    values = statistic.on_data()
    found = resample(statistic, units, float(differences(values)), method, draws, claim.margin)
    return CurveTestResult(
        **bootstrap_fields(found, draws, claim, unvaried_curves(measure, cases, found.estimate)),
        **about_curves(measure, cases, units),
        names=cases.pair,
        status=curve_status(found, class_sizes(cases), values, claim.margin),
        values=values,
    )


class About(TypedDict):
    """Fields of both results that say what was measured on which cases."""

    measure: str
    resampling: str
    n_positive: int
    n_negative: int
    n_dropped: int
    _range: tuple[float, float]


def about_curves(measure: Measure, cases: Cases, units: Units) -> About:
    """Return the fields that say what was measured on which cases."""
    m, n = class_sizes(cases)
    return About(
        measure=measure.name,
        resampling=units.title,
        n_positive=m,
        n_negative=n,
        n_dropped=cases.n_dropped,
        _range=measure.bounds,
    )


def curve_status(found: Replicated, sizes: tuple[int, int], values: Vector, margin: float) -> str:
    """Return the status word of two models' measures."""
    error, estimate = found.standard_error, found.estimate
    status = difference_status(*sizes, error, estimate, values.tolist(), margin=margin)
    # two values of 1, say, need no separation of the classes
    return "identical" if status == "perfect_separation" else status
