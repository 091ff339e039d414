"""Measures of two models' predicted labels, from counts of equal cases.

A cell (t, a, b) is a true label with two predicted ones. A metric takes counts (C, B) of the cells
in B samples, and returns its values (2, B) for the two models. Arrays of margins have the classes
on the axis before the last.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Fields, Integers, Vector
from .._inference.infer import ZeroVarianceBound, rarest_bound, sum_over_largest
from .._inputs.labels import number_labels
from .._inputs.predictions import (
    OF_A_CLASS,
    Codes,
    Metric,
    Predictions,
    as_value,
    codes,
    correct,
    positive_classes,
)
from ..kernels.tables.cells import add_margins

Counts = NDArray[np.uint32]
MetricFunction = Callable[[Counts], Vector]

TITLES = {
    "mcc": "MCC",
    "f1": "F1",
    "balanced-accuracy": "balanced accuracy",
    "cohen-kappa": "Cohen's kappa",
}
# of the larger value: closer values of a metric are equal but for rounding
RELATIVE_TOLERANCE = 1e-12


class Cells(NamedTuple):
    """The C cells (true label, two predictions) that occur, and how many cases each has.

    `numbers` (C, 3) are indices into `classes`; `of_cases` (n,) is the cell of each case.
    """

    numbers: Integers
    counts: Counts
    classes: NDArray[Any]
    of_cases: Integers


class Margins(NamedTuple):
    """Numbers of cases in B samples by class: true ones (c, B), predicted and correct (2, c, B)."""

    truth: Integers
    predicted: Integers
    hits: Integers


def outcome_cells(predictions: Predictions, *, right_only: bool = False) -> Cells:
    """Return the cells (t, a, b) that occur, sorted, with their counts.

    With `right_only` predictions are 1 where they are right, else 0: all that accuracy depends on.
    """
    truth, (a, b), classes = correctness_codes(predictions) if right_only else codes(predictions)
    # predicted pairs are numbered first, so that no product overflows
    pairs, (pair,) = number_labels([a * len(classes) + b])
    _, (of_cases,) = number_labels([truth * len(pairs) + pair])
    counts = np.bincount(of_cases).astype(np.uint32)
    example = np.empty(counts.size, np.int64)  # a case of each cell
    example[of_cases] = np.arange(of_cases.size)
    numbers = np.ascontiguousarray(np.column_stack([truth[example], a[example], b[example]]))
    label_type = np.result_type(*(x.dtype for x in (predictions.truth, *predictions.predicted)))
    return Cells(numbers, counts, np.array(classes).astype(label_type), of_cases)


def correctness_codes(predictions: Predictions) -> Codes:
    """Return codes in which every true label is 1, and a prediction 1 if it is right, else 0."""
    right = correct(predictions).astype(np.int64)
    return Codes(np.ones(right.shape[1], np.int64), right, (0, 1))


def divide_or_nan(top: Integers, bottom: Integers) -> Vector:
    """Return top / bottom, NaN for 0 / 0."""
    top, bottom = np.broadcast_arrays(top, bottom)
    out = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=out, where=bottom > 0)
    return out


def accuracy(m: Margins) -> Vector:
    """Return the proportion of cases whose prediction is right, of shape (2, B)."""
    return divide_or_nan(m.hits.sum(-2), m.truth.sum(-2))


def balanced_accuracy(m: Margins) -> Vector:
    """Return the mean recall of the classes that occur in the truth, of shape (2, B)."""
    occurs = np.count_nonzero(m.truth, axis=-2)
    return np.asarray(np.nan_to_num(divide_or_nan(m.hits, m.truth)).sum(-2) / occurs)


def mcc(m: Margins) -> Vector:
    """Return Matthews' coefficient, for several classes as Gorodkin (2004), of shape (2, B).

    Numerator and both factors of the denominator are exact integers.
    """
    n = m.truth.sum(-2)
    covariance = m.hits.sum(-2) * n - (m.truth * m.predicted).sum(-2)
    variances = [(n * n - (x * x).sum(-2)).astype(np.float64) for x in (m.truth, m.predicted)]
    return divide_or_nan(covariance, np.sqrt(variances[0] * variances[1]))


def cohen_kappa(m: Margins) -> Vector:
    """Return Cohen's kappa with the truth, from exact integers, of shape (2, B)."""
    n = m.truth.sum(-2)
    chance = (m.truth * m.predicted).sum(-2)
    return divide_or_nan(m.hits.sum(-2) * n - chance, n * n - chance)


MARGIN_METRICS: dict[str, Callable[[Margins], Vector]] = {
    "accuracy": accuracy,
    "balanced-accuracy": balanced_accuracy,
    "mcc": mcc,
    "cohen-kappa": cohen_kappa,
}
CLASS_RATIOS: dict[str, Callable[[Margins], tuple[Integers, Integers]]] = {
    "precision": lambda m: (m.hits, m.predicted),
    "recall": lambda m: (m.hits, np.broadcast_to(m.truth, m.hits.shape)),
    "f1": lambda m: (2 * m.hits, m.truth + m.predicted),
}


@dataclass(frozen=True, slots=True)
class CountMetric:
    """A named metric that follows from the margins; `positive` (c,) marks the positive class."""

    name: str
    average: str
    positive: NDArray[np.bool_]
    numbers: Integers

    def __call__(self, counts: Counts) -> Vector:
        """Return the values (2, B) of both models from counts (C, B) of the cells."""
        # rows: the truth, the predictions of both models, the correct ones of both models
        sums = np.zeros((5, self.positive.size, counts.shape[1]), np.int64)
        add_margins(self.numbers, counts, sums)
        margins = Margins(truth=sums[0], predicted=sums[1:3], hits=sums[3:])
        if self.name in MARGIN_METRICS:
            return MARGIN_METRICS[self.name](margins)
        top, bottom = CLASS_RATIOS[self.name](margins)
        if self.average == "binary":
            return divide_or_nan(*(x[..., self.positive, :].sum(-2) for x in (top, bottom)))
        shares = np.nan_to_num(divide_or_nan(top, bottom))
        if self.average == "weighted":
            return np.asarray((shares * margins.truth).sum(-2) / margins.truth.sum(-2))
        occurs = np.count_nonzero(margins.truth + margins.predicted, axis=-2)
        return np.asarray(shares.sum(-2) / occurs)


@dataclass(frozen=True, slots=True)
class UserMetric:
    """A user's function of true and predicted labels; those of the cells are `labels` (3, C)."""

    function: Callable[[NDArray[Any], NDArray[Any]], float]
    labels: NDArray[Any]

    def __call__(self, counts: Counts) -> Vector:
        """Return the values (2, B) of both models from counts (C, B) of the cells."""
        values = np.empty((2, counts.shape[1]))
        for j, times in enumerate(counts.T):
            truth, a, b = (np.repeat(labels, times) for labels in self.labels)
            values[:, j] = as_value(self.function(truth, a)), as_value(self.function(truth, b))
        return values


def metric_on_cells(
    metric: Metric, average: str, pos_label: object, cells: Cells
) -> CountMetric | UserMetric:
    """Return the metric as a function of counts of the cells."""
    if not isinstance(metric, str):
        return UserMetric(metric, cells.classes[cells.numbers.T])
    positive = np.zeros(cells.classes.size, np.bool_)
    if metric in OF_A_CLASS and average == "binary":
        positive = positive_classes(cells.classes, pos_label)
    return CountMetric(metric, average, positive, cells.numbers)


def metric_fields(metric: Metric, average: str, values: Vector, predictions: Predictions) -> Fields:
    """Return the fields that say what was compared, from the values (2, 1) of both models."""
    name = metric if isinstance(metric, str) else getattr(metric, "__name__", "callable")
    first, second = predictions.names
    return Fields(
        metric=name,
        average=average,
        values=values[:, 0],
        n=predictions.truth.size,
        n_dropped=predictions.n_dropped,
        names=(first, second),
    )


def metric_title(metric: str, average: str) -> str:
    """Return the metric as papers write it."""
    prefix = f"{average} " if metric in OF_A_CLASS and average != "binary" else ""
    return prefix + TITLES.get(metric, metric)


METRIC_WIDTHS = {"mcc": 2.0, "cohen-kappa": 2.0}  # of ranges; 1 for other named metrics


def have_equal_labels(cells: Cells) -> bool:
    """Return whether both models label every case identically."""
    _, first, second = cells.numbers.T
    return bool((first == second).all())


def metric_width(metric: Metric) -> float:
    """Return the width of a metric's range: 1, or 2 for MCC and kappa, infinite for a function."""
    return METRIC_WIDTHS.get(metric, 1.0) if isinstance(metric, str) else math.inf


def labels_variance_bound(
    metric: Metric, cells: Cells, groups: Integers | None
) -> ZeroVarianceBound:
    """Return the bound on a difference of metrics whose bootstrap replicates do not vary.

    A case changes an accuracy by 1 / n, the other metrics by at most one over the cases of the
    rarest class, true or predicted by the first model. A user's function has no bound.
    """
    if not isinstance(metric, str):
        return ZeroVarianceBound(1.0, math.inf, "sample")
    width = metric_width(metric)
    clusters = math.inf
    if groups is not None:
        clusters = sum_over_largest(np.bincount(groups))
    if metric == "accuracy":
        return ZeroVarianceBound(min(float(cells.counts.sum()), clusters), width)
    truth, first, _ = cells.numbers.T
    sizes = [np.bincount(side, cells.counts) for side in (truth, first)]
    return rarest_bound(sizes, width, clusters, identical=have_equal_labels(cells))
