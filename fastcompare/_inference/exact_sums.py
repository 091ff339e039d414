"""Sums of doubles, and of their squares, as whole numbers: without rounding, in any order alike."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .._base.types import Vector
from ..kernels.exact_sums import POWERS, ROWS, add_numbers, add_squares

UNIT = 1074  # a double is a whole number of 2^-1074, its square of 2^-2148
WORD = 32


def exact_sum(x: Vector) -> int:
    """Return the sum of finite numbers in units of 2^-1074."""
    return total_of(x, add_numbers, 2, 1)


def exact_squares(x: Vector) -> int:
    """Return the sum of the squares of finite numbers in units of 2^-2148."""
    return total_of(x, add_squares, 3, 2)


def total_of(x: Vector, add: Callable[[Any, Any], None], count: int, degree: int) -> int:
    """Return the sum of numbers to this degree, which a kernel adds up in so many words."""
    bits, total = np.ascontiguousarray(x).view(np.uint64), 0
    for start in range(0, bits.size, ROWS):
        words = np.zeros((POWERS, count), np.int64)
        add(bits[start : start + ROWS], words)
        for power in np.flatnonzero(words.any(axis=1)).tolist():
            row = sum(word << WORD * i for i, word in enumerate(words[power].tolist()))
            total += row << degree * max(power - 1, 0)  # numbers below 2^-1022 have its power
    return total


def rounded(total: int, count: int, degree: int = 1) -> float:
    """Return a sum in units over a whole number, rounded once."""
    return total / (count << degree * UNIT)
