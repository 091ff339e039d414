"""Sums of a few numbers with the same bits in every version of Python."""

from collections.abc import Iterable
from functools import reduce
from operator import add


def plain_sum(values: Iterable[float]) -> float:
    """Return the sum of the values from left to right, each partial sum rounded.

    `sum` compensates what was rounded since Python 3.12, and the last digits differ.
    """
    total: float = reduce(add, values, 0.0)
    return total
