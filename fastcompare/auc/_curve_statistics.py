"""Measures of the ROC and the precision-recall curve, of data and of 64 bootstrap replicates.

A `Measure` says what is computed along the curve. A mirrored one is computed with the classes
exchanged and the scores negated: there the rate of false positives is 1 - TPR and the rate of true
positives 1 - FPR, so what is done with one axis need not be written again for the other.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import Checkpoint
from .._base.types import Vector
from .._inputs.options import check_flag
from .._inputs.pictures import as_rate_range, check_rate
from .._inputs.scores import Cases
from .._resampling.weights import Weights, row_slices
from ..kernels.curves import (
    area,
    areas,
    height,
    heights,
    mark_steps,
    precision,
    precisions,
    settle_steps,
    step_rows,
)
from ..kernels.drawing.streams import LANES
from ..kernels.replicates import add_class_counts
from ..kernels.sorting.keys import pack
from ..kernels.sorting.native import sort_keys
from ._bootstrap_walks import Units, class_counts

Marks = NDArray[np.uint8]
Rows = NDArray[np.signedinteger[Any]]

WIDE_FROM = (1 << 31) // 255  # cases that 32 bits may not count, if all have the largest weight
NEAR = 1e-12  # of their size: closer values of a statistic are equal but for rounding


class CurveKernels(NamedTuple):
    """Kernels that sum a measure along a curve, and the divisor of the sums as a function of m, n.

    `value` is for the data, `walk` for 64 replicates.
    """

    value: Callable[..., None]
    walk: Callable[..., None]
    divisor: Callable[[Any, Any], Any]  # of numbers or vectors


SHAPES = {
    "area": CurveKernels(area, areas, lambda m, n: 2.0 * m * n),
    "height": CurveKernels(height, heights, lambda m, n: m),
    "precision": CurveKernels(precision, precisions, lambda m, n: m),
}


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure of the curve: its shape ('area', 'height' or 'precision') and horizontal points.

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
        """The number of values of a model: one for each point of a height, else 1."""
        return len(self.points) if self.shape == "height" else 1

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest value; of areas, those of 0 and of the range's width."""
        low, high = self.points if self.shape == "area" else (0.0, 1.0)
        least, most = self.rescale(np.array([0.0, high - low])).tolist()
        return least, most

    def rescale(self, values: Vector) -> Vector:
        """Return the values, or standardized areas if requested."""
        if not self.standardized:
            return values
        low, high = self.points
        chance = 0.5 * (high - low) * (high + low)  # the area below the diagonal
        most = high - low
        return 0.5 * (1.0 + (values - chance) / (most - chance))


class Curve(NamedTuple):
    """One model's cases from its highest score down, as `kernels.curves` takes them.

    Sums of weights of the cases get the dtype of the rows.
    """

    rows: Rows
    marks: Marks


@dataclass(frozen=True, slots=True)
class CurveStatistic:
    """Statistic: a measure of every model, (k * size, 64); NaN without one of the classes.

    `counts` (units, 2) are the negatives and positives of each unit, exchanged if the measure is
    mirrored; `classes` are those of all replicates, or None where they vary.
    """

    measure: Measure
    curves: tuple[Curve, ...]
    counts: NDArray[np.uint64]
    classes: tuple[int, int] | None = None

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the measure of every model in 64 replicates with these weights (units, 64)."""
        n, m = self.class_sizes_in(weights, checkpoint)
        shape = SHAPES[self.measure.shape]
        size = self.measure.size
        points = np.array(self.measure.points)
        sums = np.empty((len(self.curves), size, LANES))
        for curve, out in zip(self.curves, sums, strict=True):
            checkpoint()
            shape.walk(curve.rows, curve.marks, weights, n, points, out)
        sums[..., (m == 0.0) | (n == 0.0)] = np.nan
        values = sums / np.maximum(shape.divisor(m, n), 1.0)
        return self.measure.rescale(values).reshape(-1, LANES)

    def class_sizes_in(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the numbers of negatives and of positives (2, 64) in each replicate."""
        if self.classes is not None:
            return np.tile(np.array(self.classes, np.float64)[:, None], LANES)
        classes = np.zeros((2, LANES), np.uint64)
        for rows in row_slices(len(weights)):
            checkpoint()
            add_class_counts(weights[rows], self.counts[rows], classes)
        return classes.astype(np.float64)

    def for_units(self, units: Units) -> "CurveStatistic":
        """Return the statistic for bootstrap weights: strata by class keep the class sizes."""
        if len(units.sizes) == 1:
            return self
        negatives, positives = self.counts.sum(axis=0).tolist()
        return replace(self, classes=(negatives, positives))

    def on_data(self) -> Vector:
        """Return the measure of every model on the observed data, (k * size,)."""
        negatives, positives = self.counts.sum(axis=0).tolist()
        values = [
            value_of_model(self.measure, curve.marks, positives, negatives) for curve in self.curves
        ]
        return np.concatenate(values)


def curve_values(measure: Measure, cases: Cases) -> Vector:
    """Return the measure of every model, (k * size,); NaN without one of the classes."""
    m, n = cases.sizes
    if measure.mirrored:
        m, n = n, m
    values = []
    for scores in cases.scores:
        marks, _, _ = sorted_steps(cases.labels, scores, measure.mirrored)
        values.append(value_of_model(measure, marks, m, n))
    return np.concatenate(values)


def value_of_model(measure: Measure, marks: Marks, m: int, n: int) -> Vector:
    """Return the measure (size,) of one model with m positives and n negatives; NaN for m n = 0."""
    if not (m and n):
        return np.full(measure.size, np.nan)
    shape = SHAPES[measure.shape]
    sums = np.empty(measure.size)
    shape.value(marks, float(n), np.array(measure.points), sums)
    return measure.rescale(sums / shape.divisor(float(m), float(n)))


def sorted_steps(
    labels: NDArray[np.uint8], scores: Vector, mirrored: bool
) -> tuple[Marks, NDArray[np.uint64], np.uint64]:
    """Return the marks of one model's sorted cases, its packed keys, and bits below their prefix.

    Keys that are not exact may be equal for unequal scores. A kernel of its own compares these, so
    that the first call compiles little.
    """
    keys, marks = np.empty(labels.size, np.uint64), np.empty(labels.size, np.uint8)
    bits, exact = pack(scores, labels, keys)
    nbits = np.uint64(bits)
    sort_keys(keys)
    has_equal_keys = mark_steps(keys, nbits, mirrored, marks)
    if has_equal_keys and not exact:
        settle_steps(keys, scores, nbits, mirrored, marks)
    return marks, keys, nbits


def curve_statistic(measure: Measure, cases: Cases, units: Units) -> CurveStatistic:
    """Return the statistic of all models of the cases."""
    wide = cases.labels.size >= WIDE_FROM
    rows: Rows = units.rows.astype(np.int64 if wide else np.int32)
    curves = tuple(curve_of_model(cases.labels, s, measure.mirrored, rows) for s in cases.scores)
    labels = cases.labels ^ measure.mirrored  # mirrored: the classes exchanged
    return CurveStatistic(measure, curves, class_counts(units, labels))


def curve_of_model(
    labels: NDArray[np.uint8], scores: Vector, mirrored: bool, case_rows: Rows
) -> Curve:
    """Return one model's cases in order, with the rows of their weights (`case_rows` by case)."""
    marks, keys, nbits = sorted_steps(labels, scores, mirrored)
    rows = np.empty_like(case_rows)
    step_rows(keys, nbits, mirrored, case_rows, rows)
    return Curve(rows, marks)


def difference_of_two(values: NDArray[Any]) -> Vector:
    """Return values[0] - values[1] of (2, ...), exactly 0 where they differ by rounding alone."""
    first, second = values
    difference = np.asarray(first - second, np.float64)
    difference[np.abs(difference) <= NEAR * np.maximum(np.abs(first), np.abs(second))] = 0.0
    return difference


PRECISION = Measure("average precision", "precision")


def area_measure(fpr: object, tpr: object, standardized: bool) -> Measure:
    """Return the measure 'partial AUC' in a range of FPR or TPR.

    The TPR from t to u of the curve are the FPR from 1 - u to 1 - t of the mirrored curve.
    """
    rate, low, high = as_rate_range(fpr, tpr)
    kind = "standardized partial AUC" if check_flag("standardized", standardized) else "partial AUC"
    name = f"{kind} for {rate} from {low:g} to {high:g}"
    mirrored = rate == "TPR"
    points = (1.0 - high, 1.0 - low) if mirrored else (low, high)
    return Measure(name, "area", points, mirrored, standardized)


def sensitivity_measure(specificity: object) -> Measure:
    """Return the measure 'sensitivity at a specificity': the ROC curve's height at an FPR."""
    rate = check_rate("specificity", specificity)
    return Measure(f"sensitivity at specificity {rate:g}", "height", (1.0 - rate,))


def specificity_measure(sensitivity: object) -> Measure:
    """Return the measure 'specificity at a sensitivity': the mirrored curve's height."""
    rate = check_rate("sensitivity", sensitivity)
    return Measure(f"specificity at sensitivity {rate:g}", "height", (1.0 - rate,), mirrored=True)
