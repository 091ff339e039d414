"""The order of labels and the distances between them, for measures of agreement."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._base.exceptions import invalid_value
from ..labels import listed_labels
from ..options import check_choice
from ..probabilities import as_classes

DISTANCES = {"none": 0, "linear": 1, "quadratic": 2}  # powers of the places between two labels


def check_kappa(on: object, weights: object, classes: object) -> str:
    """Return the name of kappa's weights, 'none' for None; raise where they do not go with `on`.

    Right and wrong answers have neither an order nor distances, as labels have.
    """
    check_choice("on", on, ("correct", "labels"))
    scheme = "none" if weights is None else weights
    check_choice("weights", scheme, DISTANCES)
    if on == "correct" and (scheme != "none" or classes is not None):
        name = "classes" if scheme == "none" else "weights"
        raise invalid_value(
            name,
            "must be None for on='correct', where answers are correct or wrong",
            end=": choose on='labels'.",
        )
    return str(scheme)


def as_label_order(
    labels: tuple[Any, ...], classes: object, weights: str
) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return all labels in the order of `classes`, and the place of each of `labels` among them.

    Without `classes` these are the labels as they are; texts then have no order for `weights`.
    """
    if classes is None:
        if weights != "none" and isinstance(labels[0], str | bytes):
            raise invalid_value(
                f"weights={weights!r}",
                f"needs the order of the labels {listed_labels(list(labels))}",
                end=": pass it as `classes`, from the lowest to the highest.",
            )
        return labels, np.arange(len(labels))
    order = as_classes(classes)
    places = {label: place for place, label in enumerate(order)}
    if unknown := [label for label in labels if label not in places]:
        raise invalid_value(
            "classes",
            "must contain every label",
            end=f", got none of these: {listed_labels(unknown)}.",
        )
    return tuple(order), np.array([places[label] for label in labels])


def as_label_names(
    k: int, labels: tuple[Any, ...] | None, classes: object
) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return the labels of k classes, and for each the row of the table that it had.

    They are `classes`, else the table's own `labels`, else 0, ..., k - 1. With both, the rows of
    the table are to be put in the order of `classes`.
    """
    names = list(labels or range(k)) if classes is None else as_classes(classes)
    if len(names) != k:
        raise invalid_value(
            "classes", f"must contain a label for each of the {k} rows of the table", len(names)
        )
    if labels is None or classes is None:
        return tuple(names), np.arange(k)
    as_label_order(labels, classes, "none")  # which refuses labels that are not in `classes`
    return tuple(names), np.array([labels.index(label) for label in names])


def label_distances(k: int, weights: str) -> NDArray[np.float64]:
    """Return distances (k, k) of labels: of any two 1, or a power of the places between them."""
    distances = np.abs(np.subtract.outer(np.arange(k), np.arange(k)))
    power = DISTANCES[weights]
    return np.asarray((distances > 0) if power == 0 else distances**power, np.float64)
