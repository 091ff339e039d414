"""Replicates of a measure of a curve, and what they and the numbers of cases are enough for."""

import math

import numpy as np

from ...._inference.status import sample_status
from ...._inference.unvaried import Unvaried
from ...._inputs.cases import Cases
from ...._resampling.bootstrap import (
    Draws,
    Replicated,
    acceleration_of,
    draw,
    jackknife_influence,
    replicated,
    settle,
)
from ...._resampling.weights import jackknife
from ..bootstrap.walks import Units
from ..independent import PAIRS, independent_cases
from .statistics import NEAR, CurveStatistic, Measure, differences


def resample(
    statistic: CurveStatistic,
    units: Units,
    estimate: float,
    method: str,
    draws: Draws,
    margin: float = 0.0,
) -> Replicated:
    """Return one model's measure, or the difference of two models', with its replicates."""
    if statistic.counts.sum(axis=0).min() < 2:
        return replicated(method, estimate, np.empty(0))
    combine = differences if len(statistic.curves) == 2 else np.ravel
    drawn = draw(statistic.drawn(units), units.sizes, draws)
    marks = (estimate, -margin, margin, 0.0)  # the last: no -0.0
    values = settle(combine(drawn), marks, NEAR * statistic.measure.bounds[1])
    acceleration = 0.0
    if method == "bca":
        n_jobs, executor = draws.workers["n_jobs"], draws.workers["executor"]
        left = jackknife(statistic, units.sizes, n_jobs=n_jobs, executor=executor)
        acceleration = acceleration_of(jackknife_influence([combine(part) for part in left]))
    return replicated(method, estimate, values, acceleration=acceleration)


def interval_status(sizes: tuple[int, int], standard_error: float) -> str:
    """Return the status word of one measure."""
    status = sample_status(*sizes)
    if status in ("one_class", "too_few") or standard_error > 0.0:
        return status
    return "too_few_resamples" if math.isnan(standard_error) else "no_variation"


class UnvariedPrecision(Unvaried):
    """What so many positives can say where two models rank all cases alike.

    A share x of the negatives that move to the top, with r negatives a positive and c = r x, change
    an average precision of 1 most, to 1 - c log(1 + 1 / c). m positives come with m r negatives,
    of which none moves with chance (1 - x)^(m r) <= exp(-m c).
    """

    def log_chance(self, distance: float, room: float) -> float:
        """Return the logarithm of the chance of cases that do not show a change of `distance`."""
        from scipy.special import lambertw

        if not 0.0 < distance < room:
            return super().log_chance(distance, room)
        u = -float(lambertw(-distance * math.exp(-distance), -1).real) / distance
        return -self.units / (u - 1.0)

    def reach(self, alpha: float, room: float) -> float:
        """Return how far the true difference may be for a chance of `alpha`."""
        c = -math.log(alpha) / self.units
        return c * math.log1p(1.0 / c)


def unvaried_curves(measure: Measure, cases: Cases, estimate: float) -> Unvaried:
    """Return the bound by cases that two models rank alike.

    Areas between curves are means of differences of ranks, so at most as many pairs differ. Rates
    are those at the thresholds that are found. Equal differences other than 0 count as one.
    """
    m, n = independent_cases(cases)
    low, high = measure.bounds
    if estimate:
        return Unvaried(1.0, high - low, "sample")
    if measure.shape == "precision":
        return UnvariedPrecision(m, 1.0, "positives")
    if measure.shape == "height":
        return Unvaried(*((n, 1.0, "negatives") if measure.mirrored else (m, 1.0, "positives")))
    return Unvaried(min(m, n), (high - low) / (measure.points[1] - measure.points[0]), PAIRS)
