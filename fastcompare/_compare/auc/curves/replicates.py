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

LEAST = 5.0  # expected cases of either kind


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


def direct_status(measure: Measure, sizes: tuple[int, int]) -> str:
    """Return the status word of an interval without replicates.

    Those of precision of 2 positives cover 91 %, and those of areas with fewer than 2 negatives
    within their range 92 % (docs/coverage.md).
    """
    m, n = sizes[:: -1 if measure.mirrored else 1]
    if min(m, n) < 2:
        return sample_status(m, n)
    rough = measure.shape == "precision" and m < 3
    if measure.shape == "area":
        rough = n * (measure.points[1] - measure.points[0]) < 2.0
    return "low_coverage" if rough else "ok"


def bootstrap_covers(measure: Measure, sizes: tuple[int, int], estimate: float) -> bool:
    """Return whether 95 % intervals by replicates cover at least 93 %, or about so.

    Those of a share p of m positives do not below m p (1 - p) = 5: of sensitivities at an AUC of
    0.99 some cover 37 % (50 + 950 cases) and 50 % (60 + 140), of average precisions of 0.07 91 %.
    """
    m = sizes[1 if measure.mirrored else 0]
    low, high = measure.bounds
    p = (estimate - low) / (high - low)
    return m * p * (1.0 - p) >= LEAST


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
