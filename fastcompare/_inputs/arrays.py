"""Containers to NumPy arrays, with nothing lost on the way."""

import types
from array import array as typed_array
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._adapters.frames import foreign_column, is_foreign
from .._base.exceptions import InvalidTypeError, InvalidValueError
from .flushed import refuse_flushed
from .objects import STRINGS, few_words, without_objects

FLOAT64 = np.dtype(np.float64)
EXACT_INTEGER = 2**53  # up to here a float64 holds every integer


class Column(NamedTuple):
    """An array of any dtype, and which of its values are missing (None: none that we know of)."""

    values: NDArray[Any]
    missing: NDArray[np.bool_] | None = None


def as_column(name: str, values: object) -> Column:
    """Return the values as an array, and where a foreign container or a list has nulls."""
    if type(values) is np.ndarray and values.dtype.kind != "O":
        refuse_flushed(name, values)
        return Column(values)
    refuse_unordered(name, values)
    values = read_once(values)
    if is_foreign(values):
        array, missing = foreign_column(name, values)
        return of_plain_kind(name, array, missing)
    if isinstance(values, list | tuple) and values and type(values[0]) in STRINGS:
        words = few_words(values)
        if words is not None:
            return Column(*words)
    try:
        array = np.ma.asanyarray(values) if np.ma.isMaskedArray(values) else np.asarray(values)
    except ValueError as error:  # a ragged list
        raise InvalidValueError(f"`{name}` cannot be read as an array: {error}") from error
    if isinstance(array, np.ma.MaskedArray):
        array = unmasked(name, array)
    elif isinstance(values, list | tuple) and may_have_changed(array):
        array = np.asarray(values, dtype=object)
    return of_plain_kind(name, array)


def read_once(values: Any) -> Any:
    """Return the array of an object that has to be asked for it, or the list of its items.

    What looks at values several times looks at these: the next answer may be another. Arrays,
    lists and columns of known packages come back as they are, a mapping with what its columns are.
    """
    if values is None or isinstance(values, np.ndarray | list | tuple) or is_foreign(values):
        return values
    if isinstance(values, Mapping):
        return {key: read_once(column) for key, column in values.items()}
    if isinstance(values, Set | Iterator | str | bytes):
        return values  # to be refused
    try:
        return list(values) if is_walked_through(values) else np.asarray(values)
    except ValueError:  # `as_column` has the parameter's name for it
        return values


def is_walked_through(values: object) -> bool:
    """Say whether values are a sequence of Python objects, such as a deque."""
    typed = isinstance(values, typed_array | memoryview) or hasattr(values, "__array__")
    return isinstance(values, Sequence) and not typed


def of_plain_kind(
    name: str, array: NDArray[Any], missing: NDArray[np.bool_] | None = None
) -> Column:
    """Return the array as a column; one of objects finds out by itself what is missing."""
    if array.dtype.kind == "O":
        array, missing = without_objects(name, array)
    refuse_flushed(name, array)
    return Column(array, missing)


def may_have_changed(array: NDArray[Any]) -> bool:
    """Say whether NumPy may have made one kind of a list of several: of 1 and "1", of int, float.

    Only large integers lose something as floats.
    """
    if array.dtype.kind in "US":
        return True
    return array.dtype == FLOAT64 and bool((np.abs(array) >= EXACT_INTEGER).any())


def refuse_unordered(name: str, values: object) -> None:
    """Raise for containers that have no order, no length or no single column."""
    if isinstance(values, Set):
        raise InvalidTypeError(f"`{name}` must be ordered, got a {type(values).__name__}.")
    if isinstance(values, Mapping):
        raise InvalidTypeError(f"`{name}` must be one column of values, got a mapping.")
    if isinstance(values, Iterator | types.GeneratorType):
        raise InvalidTypeError(f"`{name}` must be an array, got an iterator. Pass list(...) of it.")


def unmasked(name: str, array: "np.ma.MaskedArray[Any, Any]") -> NDArray[Any]:
    """Return a masked array's data, or raise if anything is masked."""
    masked = np.flatnonzero(np.ma.getmaskarray(array))
    if masked.size:
        raise InvalidValueError(
            f"`{name}` has {masked.size} masked values, the first at index {masked[0]}. "
            "Drop them with .compressed(), in all columns alike."
        )
    return np.asarray(array.data)


def as_float_array(name: str, values: object) -> NDArray[np.float64]:
    """Return real numbers of any shape as float64, NaN where missing, or raise."""
    array, missing = as_column(name, values)
    result = to_float64(name, array)
    if missing is not None and missing.any():
        result = result.copy()
        result[missing] = np.nan
    return result


def to_float64(name: str, array: NDArray[Any]) -> NDArray[np.float64]:
    """Return an array of real numbers as float64, refusing a cast that would merge values."""
    if array.dtype == FLOAT64 and array.dtype.isnative:
        return array
    kind = array.dtype.kind
    if kind not in "fiub" and array.dtype.name != "bfloat16":
        raise InvalidTypeError(f"`{name}` must hold real numbers, got dtype {array.dtype}.")
    with np.errstate(over="ignore", under="ignore"):
        result = array.astype(np.float64)
    if array.dtype.itemsize > 8 and (lost := (result != array) & ~np.isnan(result)).any():
        raise InvalidValueError(
            f"`{name}` holds {array.dtype} values that float64 cannot, the first at index "
            f"{np.flatnonzero(lost)[0]}. Round them, or pass their ranks."
        )
    return result


def holds_wide_integers(array: NDArray[Any]) -> bool:
    """Say whether an array has integers that float64 would merge with their neighbours."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or not array.size:
        return False
    return int(array.max()) > EXACT_INTEGER or int(array.min()) < -EXACT_INTEGER
