"""Replicates of a measure of a curve, and what they and the numbers of cases are enough for."""

import math

import numpy as np

from ...._inference.status import sample_status
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
from .statistics import NEAR, CurveStatistic, differences


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
    drawn = draw(statistic, units.sizes, draws)
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
