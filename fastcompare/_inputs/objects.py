"""Python objects to plain arrays: all strings, all numbers or all booleans, each value as it is."""

from collections.abc import Sequence
from fractions import Fraction
from numbers import Integral, Real
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError

FLOATS = (float, np.floating)
STRINGS = (str, np.str_)
NO_VALUES = ("NAType", "NaTType")  # of pandas
PLAIN_KINDS = {"number", "bool", "text", "bytes"}

Objects = tuple[NDArray[Any], NDArray[np.bool_] | None]  # plain values, and which are missing


class Words(dict[Any, int]):
    """The numbers of strings in the order in which they come, 0 for what is missing."""

    def __init__(self) -> None:
        super().__init__()
        self.words = [""]

    def __missing__(self, value: Any) -> int:
        """Return the number of what comes for the first time; raise unless it is text."""
        number = 0
        if type(value) in STRINGS:
            number = len(self.words)
            self.words.append(value)
        elif not is_missing(value):
            raise TypeError
        self[value] = number
        return number


def few_words(values: Sequence[Any]) -> Objects | None:
    """Return strings as an array, and which are missing; None for others and for over 255 words.

    Each word is looked at once and each value takes one look into a dictionary: a fifth of the time
    of looking at each of 10^6 values.
    """
    numbers = Words()
    try:
        found = np.frombuffer(bytes(map(numbers.__getitem__, values)), np.uint8)
    except (TypeError, ValueError):  # no text; numbers beyond a byte
        return None
    return (np.array(numbers.words).take(found), found == 0) if numbers.words[1:] else None


def without_objects(name: str, array: NDArray[Any]) -> Objects:
    """Return an object array as one of a plain kind: all strings, all numbers, all booleans."""
    values = array.ravel().tolist()
    plain, missing = few_words(values) or plain_objects(name, values)
    absent = None if missing is None else missing.reshape(array.shape)
    return plain.reshape(array.shape), absent


def plain_objects(name: str, values: list[Any]) -> Objects:
    """Return objects as an array of a plain kind, and which are missing, or raise."""
    missing = missing_objects(values)
    kept = values
    if missing is not None:
        kept = [value for value, absent in zip(values, missing.tolist(), strict=True) if not absent]
    types = set(map(type, kept))
    kinds = {kind_of_type(one) for one in types}
    if len(kinds) > 1 or not kinds <= PLAIN_KINDS:
        raise InvalidTypeError(
            f"`{name}` must hold numbers, or strings, of one kind; got objects of type "
            f"{', '.join(sorted({one.__name__ for one in types}))}. Convert them first, to "
            "text by [str(value) for value in ...], say."
        )
    if kinds == {"text"} and not types <= {*STRINGS}:
        kept = list(map(str.__str__, kept))  # NumPy asks str(), which of an Enum is its name
    plain = np.asarray(kept)
    if plain.dtype.kind == "f" and not holds_exactly(plain, kept, types):
        raise InvalidValueError(
            f"`{name}` mixes integers beyond 2^53 with floats or negative integers: float64 would "
            "merge some of those. Make them of one type."
        )
    if missing is None:
        return plain, None
    filled = np.zeros(missing.size, plain.dtype)
    filled[~missing] = plain
    return filled, missing


def missing_objects(values: list[Any]) -> NDArray[np.bool_] | None:
    """Return which objects are missing, None if their types tell that none is."""
    if not any(map(may_be_missing, set(map(type, values)))):
        return None
    return np.fromiter(map(is_missing, values), bool, len(values))


def may_be_missing(kind: type) -> bool:
    """Say whether objects of this type may stand for a missing value."""
    return kind is NoneType or kind.__name__ in NO_VALUES or issubclass(kind, FLOATS)


def is_missing(value: object) -> bool:
    """Say whether an object stands for a missing value: None, NaN, pandas.NA, NaT."""
    if value is None or type(value).__name__ in NO_VALUES:
        return True
    return isinstance(value, FLOATS) and bool(np.isnan(value))


def kind_of_type(kind: type) -> str:
    """Return which kind objects of a type are of, for arrays that must be of one kind."""
    if issubclass(kind, str | bytes):
        return "text" if issubclass(kind, str) else "bytes"
    if issubclass(kind, bool | np.bool_):
        return "bool"
    exact = issubclass(kind, Real) and not issubclass(kind, Fraction)
    return "number" if exact or issubclass(kind, Integral) else kind.__name__


def holds_exactly(floats: NDArray[Any], values: Sequence[Any], types: set[type]) -> bool:
    """Say whether every integer among the values is the same number as a float."""
    if not any(issubclass(one, Integral) for one in types):
        return True
    pairs = zip(floats, values, strict=True)
    return all(int(x) == int(value) for x, value in pairs if isinstance(value, Integral))
