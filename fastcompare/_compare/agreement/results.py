"""What the measures of agreement return: numbers that know their interval."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._base.text import equation, show_pvalue
from ..._inference.pvalues import degenerate, normal_pvalue, normal_quantile, ratio
from ..._resampling.bootstrap import BootstrapInterval
from .measures import MEASURES, Floats, Measure, cohen_kappa, cohen_kappa_error
from .tables import Counts, Joint

CHANCE = ("cohen_kappa", "correlation")  # measures that compare with chance


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementMeasureResult(BootstrapInterval):
    """How alike two models err, by one measure; ``float(result)`` is its estimate."""

    measure: str
    table: Counts
    n_dropped: int

    def __float__(self) -> float:
        return self.estimate

    @property
    def title(self) -> str:  # type: ignore[override]
        """What the measure is called."""
        title = self._measure.title
        return title[0].upper() + title[1:]

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The least and the greatest value of the measure."""
        return self._measure.bounds

    @property
    def _measure(self) -> Measure:
        return MEASURES[self.measure]

    def _ends(self, level: float) -> tuple[float, float]:
        if self.method == "bootstrap":
            return super()._ends(level) if self.standard_error > 0.0 else (math.nan, math.nan)
        values = np.array(self.estimate), np.array(self.standard_error)
        low, high = self._measure.ends(floats_of(self.table), *values, quantile(level))
        return float(low), float(high)

    def figures(self) -> str:
        """Return the estimate and its interval."""
        low, high = self.confidence_interval()
        return f"{self.estimate:.4f} ({low:.4f} to {high:.4f})"

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        if math.isnan(self.estimate):
            return f"{self.title} is not defined for these data; the status says why."
        low, high = self.confidence_interval()
        return (
            f"{self.title} is {self.estimate:.4f} ({100 * self.confidence_level:g} % CI {low:.4f} "
            f"to {high:.4f}, {self.method} method{self._evidence()}; {self.table.sum()} cases)."
        )

    def _evidence(self) -> str:
        return ""


@dataclass(frozen=True, eq=False, kw_only=True)
class CohenKappaResult(AgreementMeasureResult):
    """Result of `cohen_kappa`; the p-value is that of no agreement beyond chance."""

    statistic: float
    pvalue: float
    log_pvalue: float
    null_standard_error: float
    on: str
    weights: str
    classes: tuple[Any, ...]

    def _evidence(self) -> str:
        return f"; test of no agreement beyond chance: {equation('p', show_pvalue(self.pvalue))}"


def quantile(level: float) -> float:
    """Return the normal quantile of a two-sided interval."""
    return normal_quantile(0.5 * (1.0 - level))


def floats_of(table: Counts) -> Floats:
    """Return the counts as floats, which are exact up to 2^53."""
    return table.astype(np.float64)


def fields_of(
    measure: str, joint: Joint, level: float, distances: Floats | None = None
) -> dict[str, Any]:
    """Return the fields of an `AgreementMeasureResult` with an asymptotic interval."""
    counts = floats_of(joint.table)
    if distances is None:
        estimate = MEASURES[measure].estimate(counts)
        error = MEASURES[measure].error(counts, estimate)
    else:
        estimate = cohen_kappa(counts, distances)
        error = cohen_kappa_error(counts, estimate, distances)
    return {
        "estimate": float(estimate),
        "standard_error": float(error),
        "method": MEASURES[measure].method,
        "status": status_of(measure, counts, float(error)),
        "confidence_level": level,
        "measure": measure,
        "table": joint.table,
        "n_dropped": joint.n_dropped,
    }


def status_of(measure: str, counts: Floats, error: float) -> str:
    """Return the status word of a measure of one pair."""
    if measure == "yule_q" and math.isnan(error):
        return "empty_cell"
    if measure not in CHANCE or error > 0.0:
        return "ok"
    sides = [np.count_nonzero(counts.sum(axis=axis)) for axis in (0, 1)]
    return "constant_answers" if min(sides) == 1 else "perfect_agreement"


def kappa_test(estimate: float, null_error: float) -> dict[str, Any]:
    """Return the fields of the test that kappa is 0."""
    z = ratio(estimate, null_error)
    p = degenerate(z, null_error) or normal_pvalue(z, "two-sided")
    return {
        "statistic": z,
        "pvalue": p.pvalue,
        "log_pvalue": p.log_pvalue,
        "null_standard_error": null_error,
    }
