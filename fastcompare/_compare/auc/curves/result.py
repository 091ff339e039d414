"""What intervals and paired tests of a statistic of a curve return, and how they are made."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ...._base.types import Vector
from ...._inference.status import difference_status, sample_status
from ...._inputs.cases import Cases
from ...._resampling.bootstrap import (
    TITLES,
    BootstrapInterval,
    BootstrapResult,
    Claim,
    Draws,
    Replicated,
    acceleration_of,
    bootstrap_fields,
    draw,
    interval_fields,
    jackknife_influence,
    replicated,
    settle,
)
from ...._resampling.weights import jackknife
from ..bootstrap.walks import Units, units_of
from .statistics import NEAR, CurveStatistic, Measure, differences, statistic_of


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveIntervalResult(BootstrapInterval):
    """Result of the intervals of partial AUC, sensitivity, specificity and average precision."""

    measure: str
    distribution: Vector | None
    resampling: str
    n_positive: int
    n_negative: int
    n_dropped: int
    _range: tuple[float, float] = field(repr=False)
    title: ClassVar[str] = "Bootstrap interval"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The smallest and the largest value of the measure."""
        return self._range

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        low, high = self.confidence_interval()
        return (
            f"The {self.measure} is {self.estimate:.4f} ({100 * self.confidence_level:g} % CI "
            f"{low:.4f} to {high:.4f}; {self.method}, {self.n_resamples} resamples, "
            f"{self.resampling}; {self.n_positive} positives, {self.n_negative} negatives)."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class CurveTestResult(BootstrapResult):
    """Result of the paired tests of these measures; `estimate` is ``values[0] - values[1]``."""

    measure: str
    values: Vector
    resampling: str
    n_positive: int
    n_negative: int
    n_dropped: int
    _range: tuple[float, float] = field(repr=False)
    title: ClassVar[str] = "Bootstrap test of two models of the same cases"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The smallest and the largest difference."""
        width = self._range[1] - self._range[0]
        return -width, width

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        return (
            f"The two models differ in {self.measure} by {self.estimate:.4f} "
            f"({self.values[0]:.4f} against {self.values[1]:.4f}; {self._stated_interval()}; "
            f"{self.method}{self._stated_claim()}, {self._evidence()})."
        )


def interval_of(
    measure: Measure, cases: Cases, stratified: bool, method: str, draws: Draws, level: float
) -> CurveIntervalResult:
    """Return the measure of one model with its interval."""
    units = units_of(cases, stratified)
    statistic = statistic_of(measure, cases, units)
    estimate = float(statistic.on_data()[0])
    found = resample(statistic, units, cases, estimate, method, draws)
    return CurveIntervalResult(
        **interval_fields(found, draws),
        method=TITLES[method],
        distribution=found.values if draws.keep else None,
        confidence_level=level,
        status=interval_status(*sizes_of(cases), found.standard_error),
        **about(measure, cases, units),
    )


def comparison_of(
    measure: Measure, cases: Cases, stratified: bool, method: str, draws: Draws, claim: Claim
) -> CurveTestResult:
    """Return the comparison of two models by the measure."""
    units = units_of(cases, stratified)
    statistic = statistic_of(measure, cases, units)
    values = statistic.on_data()
    estimate = float(differences(values))
    found = resample(statistic, units, cases, estimate, method, draws, claim.margin)
    shift = estimate or claim.margin
    status = difference_status(*sizes_of(cases), found.standard_error, shift, values.tolist())
    return CurveTestResult(
        **bootstrap_fields(found, draws, claim),
        values=values,
        # two values of 1, say, need no separation of the classes
        status="identical" if status == "perfect_separation" else status,
        **about(measure, cases, units),
    )


def resample(
    statistic: CurveStatistic,
    units: Units,
    cases: Cases,
    estimate: float,
    method: str,
    draws: Draws,
    margin: float = 0.0,
) -> Replicated:
    """Return one model's measure, or the difference of two models', with its replicates."""
    if min(sizes_of(cases)) < 2:
        return replicated(method, estimate, np.empty(0))
    combine = differences if len(statistic.curves) == 2 else np.ravel
    drawn = draw(statistic, units.sizes, draws)
    marks = (estimate, -margin, margin, 0.0)  # the last: no -0.0
    values = settle(combine(drawn), marks, NEAR * statistic.measure.bounds[1])
    acceleration = 0.0
    if method == "bca":
        n_jobs, executor = draws.workers["n_jobs"], draws.workers["executor"]
        left = jackknife(statistic, units.sizes, n_jobs=n_jobs, executor=executor)
        acceleration = acceleration_of(jackknife_influence([combine(part) for part in left]))
    return replicated(method, estimate, values, acceleration=acceleration)


def sizes_of(cases: Cases) -> tuple[int, int]:
    """Return the numbers of positives and negatives."""
    m = int(np.count_nonzero(cases.labels))
    return m, cases.labels.size - m


def about(measure: Measure, cases: Cases, units: Units) -> dict[str, Any]:
    """Return the fields that say what was measured on which cases."""
    m, n = sizes_of(cases)
    return {
        "measure": measure.name,
        "resampling": units.title,
        "n_positive": m,
        "n_negative": n,
        "n_dropped": cases.n_dropped,
        "_range": measure.bounds,
    }


def interval_status(n_positive: int, n_negative: int, standard_error: float) -> str:
    """Return the status word of one measure."""
    status = sample_status(n_positive, n_negative)
    if status in ("one_class", "too_few") or standard_error > 0.0:
        return status
    return "too_few_resamples" if math.isnan(standard_error) else "no_variation"


def value_of(measure: Measure, cases: Cases) -> float:
    """Return the measure of one model; NaN if there is only one class."""
    return float(statistic_of(measure, cases, units_of(cases, False)).on_data()[0])
