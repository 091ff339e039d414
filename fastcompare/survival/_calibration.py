"""Calibration at a horizon: the risk that models predict, and that which Kaplan and Meier observe.

With d events and Y cases at risk at each time up to the horizon, cases leaving by their events
first, the risk and the variance of the logarithm of survival (Greenwood 1926) are

    risk = 1 - S,    S = product of (1 - d / Y),    v = sum of d / (Y (Y - d))

The interval is symmetric for log(-log S), as R's survfit has it with conf.type = "log-log":
S^exp(-z sqrt(v) / log S) and S^exp(z sqrt(v) / log S). Without an event by the horizon, or with
nothing else, it is the exact one of as many cases that are known to be without, or with one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._base.documented import documented
from .._base.text import amount, show_number
from .._base.types import Fields, Integers, NanPolicy, Undefined, Vector
from .._inference.infer import clopper_pearson
from .._inference.pvalues import normal_quantile, upper_tail
from .._inference.status import warn_status
from .._inputs.options import check_choice, check_level, check_undefined
from .._inputs.plans.horizons import as_predicted, one_horizon
from .._inputs.probabilities import as_bin_count
from .._results.records import ConfidenceInterval, IntervalEstimate
from ..probabilities._decomposition import BINS, sums_by_bin


class Risk(NamedTuple):
    """The observed risk of an event by the horizon, the variance v, and the cases behind it.

    `n_beyond` cases are known to be without an event by then.
    """

    observed: float
    variance: float
    n_events: int
    n_beyond: int

    @property
    def error(self) -> float:
        """The standard error of the risk; NaN where all known cases have an event."""
        return (1.0 - self.observed) * math.sqrt(self.variance)

    def ends(self, level: float) -> tuple[float, float]:
        """Return the two-sided confidence interval of the risk; NaN if the risk is."""
        tail = upper_tail(level, "two-sided")
        if self.observed == 0.0:  # of `n_beyond` cases, none has an event
            return clopper_pearson(0.0, float(self.n_beyond), tail)
        if self.observed == 1.0:  # of `n_events` cases, all have one
            return clopper_pearson(float(self.n_events), float(self.n_events), tail)
        log_survival = math.log1p(-self.observed) if self.observed < 1.0 else math.nan
        radius = normal_quantile(tail) * math.sqrt(self.variance) / -log_survival
        low = -math.expm1(log_survival * math.exp(-radius))
        high = -math.expm1(log_survival * math.exp(radius))
        return low, high


def kaplan_meier_risk(time: Vector, event: NDArray[np.uint8], horizon: float) -> Risk:
    """Return the Kaplan-Meier risk of an event by the horizon.

    NaN if the last case is censored before it, or there is no case.
    """
    has_event = (event == 1) & (time <= horizon)
    moments, events = np.unique(time[has_event], return_counts=True)
    at_risk = time.size - np.searchsorted(np.sort(time), moments, "left")
    n_events = int(events.sum())
    n_beyond = int(np.count_nonzero(~has_event & (time >= horizon)))
    if not n_beyond and (not moments.size or at_risk[-1] > events[-1]):
        return Risk(math.nan, math.nan, n_events, n_beyond=0)
    with np.errstate(divide="ignore"):  # infinite where all cases at risk have an event
        variance = float((events / (at_risk * (at_risk - events).astype(float))).sum())
    survival = float(np.prod(1.0 - events / at_risk))
    return Risk(1.0 - survival, variance, n_events, n_beyond)


@dataclass(frozen=True, eq=False, kw_only=True)
class SurvivalCalibrationResult(IntervalEstimate):
    """Result of `survival_calibration`; arrays have one entry per bin that is not empty."""

    horizon: float
    expected: float
    observed: float
    counts: Integers
    n_events: Integers
    mean_probability: Vector
    observed_rate: Vector
    bins: str
    n: int
    n_dropped: int
    _risks: tuple[Risk, ...] = field(repr=False)
    _overall: Risk = field(repr=False)

    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    title: ClassVar[str] = "Calibration at a horizon"
    _sheets: ClassVar[str] = "bins"
    _picture: ClassVar[str] = "reliability"

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the ends of the interval of observed over expected."""
        low, high = self._overall.ends(level)
        return low / self.expected, high / self.expected

    def observed_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval of the observed rate of each bin.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1, of each interval.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of one entry per bin; NaN where the rate is undefined.
        """
        level = check_level(confidence_level)
        low, high = np.transpose([risk.ends(level) for risk in self._risks])
        return ConfidenceInterval(low, high)

    def _summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"By {self.horizon:g} the expected risk is {show_number(self.expected)} and the "
            f"observed risk (Kaplan-Meier) {show_number(self.observed)}: observed over expected is "
            f"{show_number(self.estimate, '.3f')} ({self._interval_text('.3f')}; "
            f"{amount(int(self.n_events.sum()), 'event')} by then, {amount(self.n, 'case')} in "
            f"{amount(self.counts.size, 'bin')})."
        )


@documented
def survival_calibration(
    time: ArrayLike,
    event: ArrayLike | None,
    probability: ArrayLike,
    *,
    horizon: float,
    n_bins: int = 10,
    bins: str = "quantile",
    confidence_level: float = 0.95,
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> SurvivalCalibrationResult:
    """Return how well predicted probabilities of an event by a horizon agree with observed rates.

    Parameters
    ----------
    probability : array-like of shape (n,)
        The probability of an event by the horizon, 1 - S(t).
    horizon : float
        The time by which an event counts.
    n_bins : int, default=10
        Number of bins of predicted probabilities.
    bins : {'quantile', 'uniform'}, default='quantile'
        Bins with equal numbers of cases, or of equal width.

    Returns
    -------
    SurvivalCalibrationResult
        With ``estimate`` (``observed`` over ``expected``: calibration in the large),
        ``standard_error``, ``confidence_interval(confidence_level)``; ``expected`` (the mean
        probability) and ``observed`` (1 minus the Kaplan-Meier estimate); for a reliability diagram
        ``counts``, ``n_events`` (by the horizon), ``mean_probability``, ``observed_rate`` and
        ``observed_interval(confidence_level)`` of the bins that are not empty; ``plot()``,
        ``status``.

    Warns
    -----
    UndefinedResultWarning
        'censored_early', if the last case of a bin, or of all, is censored before the horizon:
        its rate is NaN; 'undefined_metric', if all probabilities are 0.

    See Also
    --------
    survival_brier_interval : A single number for calibration and discrimination.
    calibration_error : Without censoring.

    Notes
    -----
    An observed rate is 1 minus the Kaplan-Meier estimate at the horizon, which is the share of
    events weighted by the inverse probability of being uncensored [1]_. Its interval is symmetric
    for log(-log S), with Greenwood's variance [2]_; where no case of a bin has an event, or all
    have one, it is the exact binomial one of the cases for which this is known. The probabilities
    count as given numbers: the interval of observed over expected is that of the observed risk,
    divided by the mean probability [3]_. Censoring must not depend on the time to the event, in
    each bin.

    References
    ----------
    .. [1] G. A. Satten, S. Datta (2001), doi:10.1198/000313001317098185.
    .. [2] J. D. Kalbfleisch, R. L. Prentice (2002), doi:10.1002/9781118032985.
    .. [3] C. S. Crowson, E. J. Atkinson, T. M. Therneau (2016), doi:10.1177/0962280213497434.

    Examples
    --------
    >>> import fastcompare as fc
    >>> time, event = [1, 2, 2, 3, 3, 4, 5, 5, 6, 7], [1, 1, 0, 1, 1, 0, 1, 0, 1, 0]
    >>> chance = [.8, .7, .6, .6, .5, .4, .4, .3, .2, .1]
    >>> found = fc.survival_calibration(time, event, chance, horizon=4.5, n_bins=2)
    >>> found.mean_probability.round(2).tolist(), found.observed_rate.round(4).tolist()
    ([0.28, 0.64], [0.0, 1.0])
    >>> print(found.summary())
    By 4.5 the expected risk is 0.4600 and the observed risk (Kaplan-Meier) 0.4286: observed over
    expected is 0.932 (95% CI 0.403 to 1.702; 4 events by then, 10 cases in 2 bins).
    """
    check_undefined(on_undefined)
    check_choice("bins", bins, BINS)
    count, level, at = as_bin_count(n_bins), check_level(confidence_level), one_horizon(horizon)
    predicted = as_predicted(time, event, {"probability": probability}, 1, nan_policy=nan_policy)
    cases = predicted.cases
    ((p,),) = predicted.chances  # of one model at one horizon
    number = np.empty(p.size, np.int64)  # of each case's bin
    counts, sums, *_ = sums_by_bin(cases.event, p, count, bins, number)
    members = (number == index for index in range(counts.size))
    risks = tuple(kaplan_meier_risk(cases.time[rows], cases.event[rows], at) for rows in members)
    result = SurvivalCalibrationResult(
        **observed_over_expected(
            kaplan_meier_risk(cases.time, cases.event, at), float(p.mean()), risks
        ),
        confidence_level=level,
        horizon=at,
        counts=counts.astype(np.int64),
        n_events=np.array([risk.n_events for risk in risks]),
        mean_probability=sums / counts,
        observed_rate=np.array([risk.observed for risk in risks]),
        bins=bins,
        n=p.size,
        n_dropped=cases.n_dropped,
        _risks=risks,
    )
    warn_status(result.status, on_undefined)
    return result


def observed_over_expected(overall: Risk, expected: float, risks: Sequence[Risk]) -> Fields:
    """Return the fields of the ratio of observed to `expected` risk, with the status word.

    `risks` are those of the bins, of which any may be undefined.
    """
    scale = expected if expected else math.nan
    status = "ok"
    if not expected:
        status = "undefined_metric"
    elif any(math.isnan(risk.observed) for risk in (overall, *risks)):
        status = "censored_early"
    return Fields(
        estimate=overall.observed / scale,
        standard_error=overall.error / scale,
        expected=expected,
        observed=overall.observed,
        method="Kaplan-Meier estimate",
        status=status,
        _overall=overall,
    )
