"""Labels and scores of the same cases on a device, such as a GPU, checked there.

What is in main memory goes to the device of the others. Errors are those of arrays in main memory.
"""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._adapters.device import MOST_CASES, Device, RemoteCases, device_name
from ..._adapters.frames import all_columns, check_indexes
from ..._base.exceptions import invalid_type, invalid_value
from ..arrays import Column
from ..labels import are_positive, as_label_array, as_label_column
from ..options import check_choice
from ..scores import (
    Cases,
    as_cases,
    as_names,
    as_scores,
    as_table,
    check_lengths,
    find_missing,
    leave_out,
    named_models,
    names_by_number,
    one_model,
    split_columns,
)

NO_LABELS = np.empty(0, np.uint8)
# types and layouts that PyTorch does not sort on a device
UNSORTED = re.compile(r"float[48]_|torch\.uint(16|32|64)|sparse|quint|qint")


def are_elsewhere(*values: object) -> bool:
    """Say whether an argument, or a column of one that is a mapping, is an array on a device."""
    columns = all_columns(values)
    return not {*map(type, columns)} <= {np.ndarray} and any(map(device_name, columns))


def as_cases_anywhere(
    y_true: object,
    pos_label: object = None,
    nan_policy: str = "raise",
    groups: object = None,
    sample_weight: object = None,
    frequency_weight: object = None,
    *,
    table: object = None,
    **scores: object,
) -> Cases:
    """Return the checked cases as `as_cases` does, or on the device where arrays are.

    Weights and clusters need all arrays in main memory.
    """
    extras = groups, sample_weight, frequency_weight
    on_device = are_elsewhere(y_true, *(scores.values() or (table,)))
    if on_device and all(extra is None for extra in extras):
        return cases_elsewhere(y_true, pos_label, nan_policy, table, scores)
    return as_cases(y_true, pos_label, nan_policy, *extras, table=table, **scores)


def cases_elsewhere(
    y_true: Any, pos_label: object, nan_policy: str, table: Any, arguments: dict[str, object]
) -> Cases:
    """Return the checked cases, with all arrays on the device of one of them, or raise.

    `arguments` are scores of each model by its parameter; if there are none, they are in `table`.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    scores, names = named_models(arguments) if arguments else (dict(columns_by_title(table)), ())
    arrays = {"y_true": y_true, **scores}
    where = Device.of({name: value for name, value in arrays.items() if device_name(value)})
    with where.exact():
        labels, unlabelled = label_column(where, y_true)
        size = check_size(labels.shape[0])
        if table is not None:
            scores, names = models_of_table(table, size)
        titles = tuple(scores) if table is None else names
        vectors = [score_vector(where, name, x, labels) for name, x in scores.items()]
        check_lengths(size, [*map(stand_in, vectors)], titles)
        check_indexes([*arrays.items()])
        flags = [where.missing(vector) for vector in vectors]
        flagged = [("y_true", unlabelled), *zip(titles, flags, strict=True)]
        missing = find_missing(flagged, [], (), nan_policy)
        dropped = 0
        if missing is not None:
            complete = where.put(~missing)
            dropped = leave_out(missing)
            labels = labels[~missing if isinstance(labels, np.ndarray) else complete]
            vectors = [vector[complete] for vector in vectors]
        positive = positive_labels(where, labels, pos_label)
        return Cases(
            NO_LABELS, vectors, names, dropped, remote=RemoteCases(where, positive, vectors)
        )


def check_size(size: int) -> int:
    """Return the number of cases, or raise for none, and for more than 32-bit counts hold."""
    if not size:
        raise invalid_value("y_true", "must contain at least one case", end=", got 0 samples.")
    if size > MOST_CASES:
        raise invalid_value(
            "y_true",
            "must contain at most 2^30 cases on a device",
            size,
            ": pass the .cpu() of all arrays.",
            show=", got {}",
        )
    return size


def check_threads(executor: object) -> None:
    """Raise if an executor is given: other processes cannot reach arrays on a device."""
    if executor is not None:
        raise invalid_value(
            "executor",
            "must be None for arrays on a device",
            end=": omit it, or pass their .cpu().",
        )


def columns_by_title(table: Any) -> list[tuple[str, Any]]:
    """Return [(name in errors, column)] of a mapping's columns, or of a table as a whole."""
    if isinstance(table, Mapping):
        return [(f"scores[{label!r}]", column) for label, column in table.items()]
    return [("scores", table)]


def models_of_table(table: Any, size: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return {name in errors: scores} of the models of a table, and the names of the models.

    `size` is the number of cases.
    """
    if isinstance(table, Mapping):
        return dict(columns_by_title(table)), as_names("scores", list(table))
    if not device_name(table):
        vectors, names = as_table("scores", table, size)
        return dict(zip(names, vectors, strict=True)), names
    k = len(split_columns("scores", Column(stand_in(table)), size))
    names = names_by_number(k)
    columns = [table] if table.ndim == 1 else [table[:, model] for model in range(k)]
    titles = ("scores",) if k == 1 else names
    return dict(zip(titles, columns, strict=True)), names


def stand_in(array: Any) -> NDArray[Any]:
    """Return a NumPy array of the same shape, all 0, that takes no memory.

    Checks of shapes take it in place of an array on a device.
    """
    return np.broadcast_to(np.uint8(0), tuple(array.shape))


def label_column(where: Device, labels: Any) -> Column:
    """Return labels and which are missing: on the device, or in main memory if they are there."""
    if not device_name(labels):
        return as_label_column("y_true", labels)
    as_label_array("y_true", stand_in(labels))  # raises for wrong shapes
    labels = plain_vector(where, "y_true", labels, "labels")
    return Column(labels, where.missing(labels))


def score_vector(where: Device, name: str, scores: Any, labels: Any) -> Any:
    """Return one model's scores (n,) on the device, or raise.

    They keep their type, except that bools become integers. `labels` serve an error that names the
    function for several classes.
    """
    if not device_name(scores):
        return where.put(as_scores(name, scores))
    if scores.ndim != 1:
        one_model(name, stand_in(scores), distinct_labels(where, labels))
    vector = plain_vector(where, name, scores, "real numbers")
    is_bool = where.number_kind(vector) == "b"
    return where.xp.astype(vector, where.xp.uint8) if is_bool else vector


def plain_vector(where: Device, name: str, array: Any, what: str) -> Any:
    """Return an array as a vector that can be sorted, without a graph of gradients, or raise.

    Errors say that it must contain `what`.
    """
    if UNSORTED.search(f"{array.dtype} {getattr(array, 'layout', '')}"):
        raise invalid_type(
            name,
            f"is a {type(array).__name__} of {array.dtype} that is not sorted on "
            f"{device_name(array)}",
            end=": pass dense numbers of another type, such as float32 or int64.",
        )
    if not where.number_kind(array):
        raise invalid_type(name, f"must contain {what}", array.dtype, show=", got dtype {}")
    return where.xp.reshape(array.detach() if hasattr(array, "detach") else array, (-1,))


def distinct_labels(where: Device, labels: Any) -> NDArray[Any]:
    """Return the distinct labels in main memory; labels that are there come back all."""
    if isinstance(labels, np.ndarray):
        return labels
    return where.get(where.xp.unique_values(labels))


def positive_labels(where: Device, labels: Any, pos_label: object) -> Any:
    """Return which labels are positive, as bools on the device, or raise."""
    if isinstance(labels, np.ndarray):
        return where.put(are_positive("y_true", labels, pos_label).astype(bool))
    kind = where.number_kind(labels)
    if pos_label is None and kind == "b":
        return labels
    if pos_label is None:  # counts recognize 0 and 1, or -1 and 1, without a sort
        is_one = labels == 1
        n_not_one = labels.shape[0] - where.count(is_one)
        negative_labels = (0, -1) if kind in "if" else (0,)
        if any(where.count(labels == negative) == n_not_one for negative in negative_labels):
            return is_one
    distinct = distinct_labels(where, labels)
    chosen = distinct[are_positive("y_true", distinct, pos_label) == 1]
    return labels == chosen[0].item() if chosen.size else labels != labels
