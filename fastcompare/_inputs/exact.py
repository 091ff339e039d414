"""Integers that float64 would merge with their neighbours, and their differences.

Differences are taken of the integers themselves, so they are exact and tie exactly. What remains to
be computed of them, such as a mean, takes the float64 nearest to each difference.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Vector
from .arrays import Column

SAFE_INTEGER = 2**50  # up to here differences of integers are exact, and ties by rounding equal

Numbers = NDArray[np.object_]  # Python integers and fractions


def exact_columns(columns: Sequence[Column]) -> list[Numbers] | None:
    """Return the columns as Python numbers if one of them holds wide integers, else None."""
    if not any(holds_unsafe_integers(values) for values, _ in columns):
        return None
    return [as_exact(values) for values, _ in columns]


def holds_unsafe_integers(array: NDArray[Any]) -> bool:
    """Say whether differences of these numbers may be inexact integers in float64."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or not array.size:
        return False
    return int(array.max()) > SAFE_INTEGER or int(array.min()) < -SAFE_INTEGER


def as_exact(array: NDArray[Any]) -> Numbers:
    """Return numbers as Python integers and fractions, 0 for what is not finite."""
    if array.dtype.kind != "f":
        return array.astype(object)
    return np.asarray(np.frompyfunc(exact_number, 1, 1)(array.astype(np.float64)), dtype=object)


def exact_number(x: float) -> int | Fraction:
    """Return a float as the number that it stands for."""
    if not np.isfinite(x):
        return 0
    return int(x) if x == int(x) else Fraction(x)


class ExactDifferences(NamedTuple):
    """The float64 nearest to each difference, and numbers in the order of their sizes, 0 for 0."""

    differences: Vector
    sizes: Vector


def exact_differences(first: Numbers, second: Numbers | int = 0) -> ExactDifferences:
    """Return first - second."""
    d = first - second
    distinct, number = np.unique(abs(d), return_inverse=True)
    sizes = number.reshape(d.shape) + int(distinct[0] != 0)
    return ExactDifferences(d.astype(np.float64), sizes.astype(np.float64))


def exact_order(table: Numbers) -> NDArray[np.float64]:
    """Return the dense ranks of all numbers of a table together."""
    return np.unique(table, return_inverse=True)[1].reshape(table.shape).astype(np.float64)
