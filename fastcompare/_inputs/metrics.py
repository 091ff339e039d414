"""Measures of predicted labels: their names, averages over classes, and users' own functions."""

from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .labels import are_positive, shown
from .options import check_choice, check_flag

Metric = str | Callable[[NDArray[Any], NDArray[Any]], float]
OF_A_CLASS = ("precision", "recall", "f1")
METRICS = ("accuracy", "balanced-accuracy", "mcc", "cohen-kappa", *OF_A_CLASS)


def check_metric(metric: object, average: object, pos_label: object) -> None:
    """Raise unless the three go together."""
    check_choice("average", average, ("binary", "macro", "weighted"))
    if not callable(metric):
        check_choice("metric", metric, METRICS)
    if pos_label is not None and (callable(metric) or average != "binary"):
        rule = "average='binary'" if average != "binary" else "metrics that are given by name"
        raise InvalidValueError(f"`pos_label` is for {rule}, got {pos_label!r}: leave it out.")


def check_strata(stratified: object, groups: object) -> None:
    """Raise unless what replicates draw is clear."""
    if check_flag("stratified", stratified) and groups is not None:
        raise InvalidValueError(
            "`stratified=True` and `groups` cannot both be given: clusters hold several classes. "
            "Leave one out."
        )


def positive_classes(classes: NDArray[Any], pos_label: object) -> NDArray[np.bool_]:
    """Return which of the classes that occur is the positive one, perhaps none of them."""
    found = classes.tolist()
    if len(found) > 2:
        raise InvalidValueError(
            f"`average='binary'` takes two classes, found {len(found)}: {shown(found)}. "
            "Pass average='macro' or 'weighted'."
        )
    return are_positive("y_true", classes, pos_label).view(np.bool_)


def as_value(value: object) -> float:
    """Return the value of a user's metric as a float, or raise."""
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value.item()
    if not isinstance(value, Real | np.bool_):
        raise InvalidTypeError(f"`metric` must return a number, got {value!r}.")
    return float(value)
