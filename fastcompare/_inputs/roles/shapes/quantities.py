"""Squared errors of arrays of predictions, where the truth is a quantity and no class."""

from collections.abc import Mapping

import numpy as np

from ...._adapters.frames import check_indexes
from ...._base.exceptions import invalid_value
from ...arrays import as_column
from ..classes import QUANTITY
from ..kinds import distinct_values
from ..reading import Reading

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
    if not is_number or not (distinct % 1.0).any():
        return None
    if distinct.size <= MOST_CLASSES:
        refuse_fractions_beside_one(models)
        return None
    predictions = {name: as_column(name, values).values for name, values in models.items()}
    if any(values.dtype.kind not in "iuf" for values in predictions.values()):
        return None
    check_indexes([("data", truth), *((f"a[{name!r}]", x) for name, x in models.items())])
    y = as_column("data", truth).values
    return Reading(
        kind="items",
        models={name: np.square(values - y) for name, values in predictions.items()},
        lines=(
            "True values: a quantity (fractions); squared errors are compared.",
            *([BESIDE_ONE] if len(models) == 1 else []),
        ),
        metric=QUANTITY,
        higher_is_better=False,
    )
