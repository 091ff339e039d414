"""Labels that two raters or models give to the same cases, as one table of counts."""

from typing import Any, NamedTuple

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.memory import reserve
from .cases import check_indexes, find_missing, leave_out
from .codings import check_comparable
from .counts import as_labelled_square
from .numbering import cells_of_few, number_labels
from .options import check_choice
from .predictions import as_labels
from .scores import UNNAMED, names_of

COPIES = 4  # of a table, as whole numbers, that tests of it make
MANY_LABELS = "group the labels, unless they are ids or numbers to predict"


class LabelCounts(NamedTuple):
    """Counts with the first one's label in rows and the second one's in columns, and the classes.

    A table that came as counts has its labels for classes, or else numbers.
    """

    counts: list[list[int]]
    classes: tuple[Any, ...]
    n_dropped: int = 0
    names: tuple[str, str] = UNNAMED


def as_label_counts(nan_policy: str, **labels: Any) -> LabelCounts:
    """Return the table of two label columns; the second None stands for a table of counts."""
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    (first, one), (second, other) = labels.items()
    if other is None:
        counts, found = as_labelled_square("table", one)
        return LabelCounts(counts, found or tuple(range(len(counts))))
    columns = {name: as_labels(name, values) for name, values in labels.items()}
    sizes = [column.values.size for column in columns.values()]
    if sizes[0] != sizes[1] or not sizes[0]:
        raise InvalidValueError(
            f"`{first}` and `{second}` must label the same cases, at least one: got {sizes[0]} and "
            f"{sizes[1]} labels."
        )
    check_indexes(list(labels.items()))
    dropped, values = 0, [column.values for column in columns.values()]
    flagged = [(name, column.missing) for name, column in columns.items()]
    missing = find_missing(flagged, [], (), nan_policy)
    if missing is not None:
        dropped = leave_out(missing)
        values = [column[~missing] for column in values]
    check_comparable(dict(zip(labels, values, strict=True)))
    few = cells_of_few(values)
    if few is not None:
        return LabelCounts(few.counts.tolist(), few.classes, dropped, names_of(one, other))
    classes, numbers = number_labels(values)
    k = len(classes)
    reserve((k, k, COPIES), hint=MANY_LABELS)
    counts = np.bincount(k * numbers[0] + numbers[1], minlength=k * k).reshape(k, k).tolist()
    return LabelCounts(counts, classes, dropped, names_of(one, other))
