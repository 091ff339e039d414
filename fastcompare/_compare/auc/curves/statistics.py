"""Statistics of the ROC and the precision-recall curve, and their bootstrap replicates.

A `Measure` says what is computed along the curve. A mirrored one is computed with the classes
exchanged and the scores negated: there the rate of false positives is 1 - TPR and the rate of true
positives 1 - FPR, so what is done with one axis need not be written again for the other.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.parallel import Checkpoint, no_checkpoint
from ...._base.types import Vector
from ...._inputs.cases import Cases
from ...._resampling.weights import Weights, slices
from ....kernels.curve_steps import mark_steps, settle_steps
from ....kernels.curve_values import area, height, precision
from ....kernels.curves import areas, curve_steps, heights, precisions
from ....kernels.drawing.philox import LANES
from ....kernels.replicates import count_units
from ....kernels.sorting.keys import pack
from ....kernels.words import U
from ..bootstrap.walks import Units, class_sizes

NEAR = 1e-12  # of their size: closer values of a statistic are equal but for rounding


class Shape(NamedTuple):
    """Kernels that walk along a curve, of the data and of replicates; what divides their sums."""

    value: Callable[..., None]
    walk: Callable[..., None]
    divisor: Callable[[Any, Any], Any]  # of numbers or vectors


SHAPES = {
    "area": Shape(area, areas, lambda m, n: 2.0 * m * n),
    "height": Shape(height, heights, lambda m, n: m),
    "precision": Shape(precision, precisions, lambda m, n: m),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """What is computed: by the kernel of a shape, at these points of the horizontal axis.

    McClish (1989), doi:10.1177/0272989X8900900307: a standardized area is 0.5 for the smallest one,
    that of chance, and 1 for the largest.
    """

    name: str
    shape: str
    points: tuple[float, ...] = ()
    mirrored: bool = False
    standardized: bool = False

    @property
    def size(self) -> int:
        """How many numbers there are for a model."""
        return len(self.points) if self.shape == "height" else 1

    @property
    def interval_method(self) -> str:
        """The bootstrap whose intervals cover best, see docs/coverage.md."""
        return "percentile" if self.shape == "height" else "bca"

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest value."""
        low, high = self.points if self.shape == "area" else (0.0, 1.0)
        first, last = self.scaled(np.array([0.0, high - low])).tolist()
        return first, last

    def scaled(self, values: Vector) -> Vector:
        """Return the values, standardized if that is asked."""
        if not self.standardized:
            return values
        low, high = self.points
        least, most = 0.5 * (high - low) * (high + low), high - low
        return 0.5 * (1.0 + (values - least) / (most - least))


class Curve(NamedTuple):
    """One model's cases from its highest score down, as `kernels.curves` takes them."""

    rows: NDArray[np.int64]
    ends: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class CurveStatistic:
    """Statistic: a measure of every model, (k * size, 64); NaN without one of the classes.

    `counts` (units, 2) are the negatives and positives of each unit.
    """

    measure: Measure
    curves: tuple[Curve, ...]
    counts: NDArray[np.uint64]

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the numbers of 64 replicates."""
        classes = np.zeros((2, LANES), np.uint64)
        for part in slices(len(weights)):
            checkpoint()
            count_units(weights[part], self.counts[part], classes)
        n, m = classes.astype(np.float64)
        shape, size = SHAPES[self.measure.shape], self.measure.size
        points = np.array(self.measure.points)
        sums = np.empty((len(self.curves), size, LANES))
        for curve, out in zip(self.curves, sums, strict=True):
            checkpoint()
            shape.walk(curve.rows, curve.ends, weights, n, points, out)
        sums[..., (m == 0.0) | (n == 0.0)] = np.nan
        values = sums / np.maximum(shape.divisor(m, n), 1.0)
        return self.measure.scaled(values).reshape(-1, LANES)

    def on_data(self) -> Vector:
        """Return the numbers of the data, (k * size,): all cases are one unit, of weight 1."""
        curves = tuple(Curve(np.zeros_like(rows), ends) for rows, ends in self.curves)
        whole = replace(self, curves=curves, counts=self.counts.sum(axis=0, keepdims=True))
        return np.ascontiguousarray(whole(np.ones((1, LANES), np.uint8), no_checkpoint)[:, 0])


def values_of(measure: Measure, cases: Cases) -> Vector:
    """Return the numbers of the data, (k * size,); NaN without one of the classes."""
    m, n = class_sizes(cases)[:: -1 if measure.mirrored else 1]
    sums = np.full((len(cases.scores), measure.size), np.nan)
    shape, points = SHAPES[measure.shape], np.array(measure.points)
    keys, marks = np.empty(m + n, np.uint64), np.empty(m + n, np.uint8)
    for scores, out in zip(cases.scores if m and n else (), sums, strict=False):
        mark_curve(scores, cases.labels, measure.mirrored, keys, marks)
        shape.value(marks, float(n), points, out)
    divisor = max(shape.divisor(float(m), float(n)), 1.0)
    return measure.scaled(sums / divisor).ravel()


def mark_curve(
    scores: Vector,
    labels: NDArray[np.uint8],
    mirrored: bool,
    keys: NDArray[np.uint64],
    marks: NDArray[np.uint8],
) -> None:
    """Write the marks of the steps of one model, and to `keys` the packed keys in their order.

    Three calls, so that a first one compiles little: continuous scores hardly ever need settling.
    """
    nbits, exact = pack(scores, labels, keys)
    keys.sort()
    if mark_steps(keys, U(nbits), mirrored, marks) and not exact:
        settle_steps(keys, scores, U(nbits), mirrored, marks)


def statistic_of(measure: Measure, cases: Cases, units: Units) -> CurveStatistic:
    """Return the statistic of all models of the cases."""
    labels = 1 - cases.labels if measure.mirrored else cases.labels
    curves = tuple(
        curve_of(labels, -scores if measure.mirrored else scores, units.rows)
        for scores in cases.scores
    )
    counts = np.zeros((sum(units.sizes), 2), np.uint64)
    np.add.at(counts, (units.rows, labels.astype(np.int64)), np.uint64(1))
    return CurveStatistic(measure, curves, counts)


def curve_of(labels: NDArray[np.uint8], scores: Vector, case_rows: NDArray[np.int64]) -> Curve:
    """Return the curve of one model."""
    scratch = np.empty(2 * scores.size, np.uint64)
    rows, ends = np.empty(scores.size, np.int64), np.empty((scores.size, 2), np.int64)
    groups = curve_steps(scores, labels, case_rows, scratch, rows, ends)
    return Curve(rows, ends[:groups].copy())


def differences(values: NDArray[Any]) -> Vector:
    """Return values[0] - values[1], exactly 0 where they differ by rounding alone."""
    first, second = values
    gains = np.asarray(first - second, np.float64)
    gains[np.abs(gains) <= NEAR * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return gains
