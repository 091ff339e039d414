"""Binary labels: which cases are positive."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .arrays import Column, as_column

MOST_CLASSES_NAMED = 10
SEVERAL = "AUCs of several classes are compared by multiclass_auc_test."


def as_label_column(name: str, values: object) -> Column:
    """Return 1-d labels of any kind, and which are missing."""
    return with_nan(as_label_array(name, values))


def with_nan(column: Column) -> Column:
    """Return labels and which are missing, NaN too."""
    array, missing = column
    if array.dtype.kind == "f":
        nan = np.isnan(array)
        missing = nan if missing is None else missing | nan
    return Column(array, missing if missing is not None and missing.any() else None)


def as_label_array(name: str, values: object) -> Column:
    """Return 1-d labels of any kind, and which are missing by flags: NaN is not looked for."""
    array, missing = as_column(name, values)
    if array.ndim == 2 and array.shape[1] == 1:
        array, missing = array.ravel(), missing if missing is None else missing.ravel()
    if array.ndim == 2 and array.shape[1] == 2 and name.startswith("y_"):
        raise InvalidValueError(f"`{name}` looks one-hot, shape {array.shape}: pass one column.")
    if array.ndim != 1:
        raise InvalidValueError(f"`{name}` must be 1-d, got shape {array.shape}.")
    if array.dtype.kind not in "biufUST":
        hint = " Pass their text: .astype(str) of an array." if array.dtype.kind in "mM" else ""
        raise InvalidTypeError(f"`{name}` must hold labels, got dtype {array.dtype}.{hint}")
    return Column(array, missing)


def are_positive(name: str, labels: NDArray[Any], pos_label: object) -> NDArray[np.uint8]:
    """Return 1 for positive and 0 for negative cases, as a new array."""
    if pos_label is not None:
        return chosen(name, labels, pos_label)
    if labels.dtype.kind == "b":
        return labels.astype(np.uint8)
    if labels.dtype.kind in "iu" and 0 <= np.bitwise_or.reduce(labels) <= 1:  # all bits in one pass
        return labels.astype(np.uint8)
    if labels.dtype.kind in "iuf":
        positive = labels == 1
        rest = labels.size - np.count_nonzero(positive)
        if any(np.count_nonzero(labels == negative) == rest for negative in (0, -1)):
            return np.asarray(positive.view(np.uint8))
    raise InvalidValueError(explain(name, labels))


def chosen(name: str, labels: NDArray[Any], pos_label: Any) -> NDArray[np.uint8]:
    """Return which labels equal `pos_label`, after checking that there are two classes at most."""
    if not np.isscalar(pos_label):
        raise InvalidTypeError(f"`pos_label` must be one label, got {pos_label!r}.")
    found = classes(labels)
    same_kind = isinstance(pos_label, str | bytes) == (labels.dtype.kind in "UST")
    if same_kind and len(found) == 1 and pos_label not in found:
        return np.zeros(labels.size, np.uint8)  # a subgroup without a positive case
    if not same_kind or pos_label not in found:
        raise InvalidValueError(
            f"`pos_label` must be one of the labels in `{name}`, got {pos_label!r}; "
            f"found {shown(found)}."
        )
    if len(found) > 2:
        raise InvalidValueError(f"`{name}` must hold two classes, found {shown(found)}. {SEVERAL}")
    exact = found[found.index(pos_label)]  # a float would be equal to several wide integers
    return np.asarray(labels == exact).astype(np.uint8)


def classes(labels: NDArray[Any]) -> list[Any]:
    """Return the distinct labels as Python values."""
    return list(np.unique(labels).tolist())


def shown(found: list[Any]) -> str:
    """Return the labels for a message, not too many of them."""
    tail = ", …" if len(found) > MOST_CLASSES_NAMED else ""
    return ", ".join(map(repr, found[:MOST_CLASSES_NAMED])) + tail


def explain(name: str, labels: NDArray[Any]) -> str:
    """Say why these labels are not understood, and how to go on."""
    found = classes(labels)
    if labels.dtype.kind == "f" and not all(map(is_whole, found)):
        return f"`{name}` holds continuous values ({shown(found)}): were labels and scores swapped?"
    if len(found) > 2:
        return (
            f"`{name}` must hold two classes, found {len(found)}: {shown(found)}. Compare one "
            f"class with the rest: pass y_true == label. {SEVERAL}"
        )
    return (
        f"`{name}` must be bool, 0 and 1, or -1 and 1; found {shown(found)}. Say which label is "
        "the positive one by `pos_label`."
    )


def is_whole(value: float) -> bool:
    """Say whether a label is a whole number; infinity is none."""
    return bool(value.is_integer())


def as_label_rows(
    name: str, values: object, shape: tuple[int, int], pos_label: object
) -> NDArray[np.uint8]:
    """Return labels of B problems of n cases as (1, n) or (B, n), or raise."""
    array, missing = as_column(name, values)
    if array.shape not in (shape, shape[1:]):
        raise InvalidValueError(
            f"`{name}` must have shape {shape[1:]} or {shape} like the scores, got {array.shape}."
        )
    labels, nan = as_label_column(name, array.ravel())
    if nan is not None or (missing is not None and missing.any()):
        raise InvalidValueError(f"`{name}` has missing labels: a batch cannot leave cases out.")
    return are_positive(name, labels, pos_label).reshape(-1, shape[1])
