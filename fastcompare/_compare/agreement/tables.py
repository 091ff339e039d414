"""The joint table of two models: of what they get right, or of their labels."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.memory import reserve
from ..._inputs.counts import as_labelled_square, is_table_alone
from ..._inputs.numbering import cells_of_few
from ..._inputs.ordering import as_label_names, as_label_order
from ..._inputs.predictions import Predictions, as_pair_predictions, codes
from ..._inputs.raters import COPIES, MANY_LABELS
from ..._inputs.scores import UNNAMED
from ..labels.table import sample_of

Counts = NDArray[np.int64]


class Joint(NamedTuple):
    """Counts (2, 2) or (K, K), the models' names, the cases left out, the K labels in order."""

    table: Counts
    names: tuple[str, str] = UNNAMED
    n_dropped: int = 0
    classes: tuple[Any, ...] = ()


def joint_correctness(y_true: Any, y_pred_a: Any, y_pred_b: Any, nan_policy: str) -> Joint:
    """Return [[n11, n10], [n01, n00]] of two predictions, or of `y_true` if it is that table."""
    sample = sample_of(y_true, y_pred_a, y_pred_b, nan_policy=nan_policy)
    n11, n10, n01, n00 = sample.table
    return Joint(as_counts([[n11, n10], [n01, n00]]), sample.names, sample.n_dropped)


def as_counts(rows: list[list[int]]) -> Counts:
    """Return the counts as an array, of Python's integers if 64 bits do not hold their sum."""
    return np.array(rows, np.int64 if sum(map(sum, rows)) < 1 << 63 else object)


def joint_labels(
    y_true: Any, y_pred_a: Any, y_pred_b: Any, *, nan_policy: str, classes: Any, weights: str
) -> Joint:
    """Return how often the first model answers the label of row i, the second that of column j."""
    if is_table_alone(y_pred_a, y_pred_b):
        rows, found = as_labelled_square("table", y_true)
        names, place = as_label_names(len(rows), found, classes)
        return Joint(as_counts(rows)[np.ix_(place, place)], classes=names)
    cases = as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy)
    one, other = cases.names
    table, order = joint_answers(cases, classes, weights)
    return Joint(table, (one, other), cases.n_dropped, order)


def joint_answers(
    cases: Predictions, classes: object, weights: str
) -> tuple[Counts, tuple[Any, ...]]:
    """Return how often two models give every two answers (K, K), and the K labels in order."""
    cells = cells_of_few([cases.truth, *cases.predicted])
    if cells is not None:
        order, place = as_label_order(cells.classes, classes, weights)
        k = len(order)
        reserve((k, k, COPIES), hint=MANY_LABELS)  # rather than be killed
        table = np.zeros((k, k), np.int64)
        table[np.ix_(place, place)] = cells.counts.sum(axis=0)
        return table, order
    numbers = codes(cases)
    order, place = as_label_order(numbers.classes, classes, weights)
    k = len(order)
    reserve((k, k, COPIES), hint=MANY_LABELS)
    first, second = place[numbers.predicted]
    return np.bincount(first * k + second, minlength=k * k).reshape(k, k), order
