"""Squared errors of arrays of predictions, where the truth is a quantity and no class."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._adapters.frames import check_indexes
from ...._base.exceptions import invalid_value
from ...arrays import as_column
from ..classes import FEWEST_GRADES, MOST_EQUAL, QUANTITY, agreement
from ..column import Column
from ..kinds import distinct_values
from ..reading import Reading
from ..relations import is_predicted

MOST_CLASSES = 20  # fractions that may be classes or grades
TWO_LISTS = (
    "compare({'a': ..., 'b': ...}, kind='items') compares two lists of scores (kind='datasets' of "
    "data sets, design='kfold' of the folds of one cross-validation)"
)
BESIDE_ONE = f"The first argument has the true values: {TWO_LISTS}."


def refuse_fractions_beside_one(models: Mapping[str, object]) -> None:
    """Raise where labels are few fractions and there is one model: they may be another's scores."""
    if len(models) == 1:
        raise invalid_value(
            "data",
            "must contain the true labels of cases where `a` has one model",
            end=f", got a few fractions. {TWO_LISTS}; pass labels that are fractions as text.",
        )


def errors_of_quantity(truth: object, models: Mapping[str, object]) -> Reading | None:
    """Return the squared errors of arrays of predictions; None where the truth is of classes."""
    distinct, is_number = distinct_values("data", truth)
    has_fractions = is_number and bool((distinct % 1.0).any())
    if has_fractions and distinct.size <= MOST_CLASSES:
        refuse_fractions_beside_one(models)
    if not is_number or distinct.size < (MOST_CLASSES + 1 if has_fractions else FEWEST_GRADES):
        return None
    predictions = {name: as_column(name, values).values for name, values in models.items()}
    if any(values.dtype.kind not in "iuf" or values.ndim != 1 for values in predictions.values()):
        return None
    y = as_column("data", truth).values
    if not has_fractions and (len(models) < 2 or not are_near(y, predictions)):
        return None
    check_indexes([("data", truth), *((f"a[{name!r}]", x) for name, x in models.items())])
    what = "fractions" if has_fractions else f"{distinct.size} different numbers"
    return Reading(
        kind="items",
        models={name: np.square(values - y) for name, values in predictions.items()},
        lines=(
            f"True values: a quantity ({what}); squared errors are compared.",
            *([BESIDE_ONE] if len(models) == 1 else []),
        ),
        metric=QUANTITY,
        higher_is_better=False,
    )


def are_near(truth: NDArray[Any], predictions: Mapping[str, NDArray[Any]]) -> bool:
    """Return whether numbers are predictions of whole ones: decimals near them, or near misses.

    No other number may be a class that models took for the true one.
    """
    if any(values.shape != truth.shape for values in predictions.values()):
        return False
    label = Column("data", numbers=truth)
    columns = [Column(name, numbers=values) for name, values in predictions.items()]
    decimals = [c for c in columns if c.is_decimal]
    agreements = [agreement(c, label) for c in columns if c.is_whole]
    if any(x.is_of_classes for x in agreements):
        return False
    if decimals:
        return is_predicted(label, decimals)
    return not label.has_few_values and any(x.is_near and x.kappa < MOST_EQUAL for x in agreements)
