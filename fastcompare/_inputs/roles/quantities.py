"""A quantity as the truth of arrays, and predictions of it: their squared errors."""

from collections.abc import Mapping

import numpy as np

from ..arrays import as_column
from ..scores import check_indexes
from .cases import QUANTITY
from .kinds import distinct_values
from .reading import Reading

MOST_CLASSES = 20  # fractions that may be classes or grades


def beside_quantity(truth: object, models: Mapping[str, object]) -> Reading | None:
    """Return the squared errors of arrays of predictions; None where the truth is of classes."""
    distinct, is_number = distinct_values("data", truth)
    if not is_number or distinct.size <= MOST_CLASSES or not (distinct % 1.0).any():
        return None
    predictions = {name: as_column(name, values).values for name, values in models.items()}
    if any(values.dtype.kind not in "iuf" for values in predictions.values()):
        return None
    check_indexes([("data", truth), *((f"a[{name!r}]", x) for name, x in models.items())])
    y = as_column("data", truth).values
    return Reading(
        kind="items",
        models={name: np.square(values - y) for name, values in predictions.items()},
        lines=("True values: a quantity (fractions); squared errors are compared.",),
        metric=QUANTITY,
        higher_is_better=False,
    )
