"""Columns of numbers that belong together row by row, and the differences of all pairs of them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Matrix, Vector

BLOCK = 1 << 15  # differences that stay in the cache


@dataclass(frozen=True, slots=True)
class Columns:
    """k columns of n numbers, as rows, and pairs of them: the numbers (P,) of both columns."""

    values: Matrix
    first: Integers
    second: Integers

    @classmethod
    def of(cls, values: Matrix) -> "Columns":
        """Return the columns with all k (k - 1) / 2 pairs i < j, in row order."""
        return cls(values, *np.triu_indices(len(values), 1))

    @property
    def n(self) -> int:
        """The length of a column."""
        return int(self.values.shape[1])

    @property
    def scale(self) -> Vector:
        """The largest absolute number (P,) of each pair."""
        largest = np.abs(self.values).max(axis=1)
        return np.asarray(np.maximum(largest[self.first], largest[self.second]))

    def only(self, pairs: NDArray[np.bool_] | slice) -> "Columns":
        """Return the same with some of the pairs."""
        return Columns(self.values, self.first[pairs], self.second[pairs])

    @np.errstate(invalid="ignore", over="ignore")  # both infinite, or too far apart
    def differences(self) -> Matrix:
        """Return the first column minus the second, a row for each pair."""
        return self.values[self.first] - self.values[self.second]

    def difference(self, p: int) -> Vector:
        """Return the differences of one pair."""
        return np.asarray(self.only(slice(p, p + 1)).differences()[0])

    def blocks(self) -> Iterator[tuple[slice, Matrix]]:
        """Yield pairs, some at a time, and their differences."""
        step = max(1, BLOCK // self.n)
        for start in range(0, self.first.size, step):
            part = slice(start, start + step)
            yield part, self.only(part).differences()
