"""Columns of numbers that belong together row by row, and the differences of all pairs of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Matrix, Vector
from ..._inputs.exact import Numbers, exact_differences
from ...kernels.ties import ROUNDING
from .sizes import Sized, exactly_sized, sized

BLOCK = 1 << 15  # differences that stay in the cache
FIRST_PAIR = np.array([0]), np.array([1])  # of two columns: np.triu_indices takes 15 times longer


@dataclass(frozen=True, slots=True)
class Columns:
    """k columns of n numbers, as rows, and pairs of them: the numbers (P,) of both columns.

    `exact` are the numbers where float64 would merge integers. Numbers that were computed, and have
    the `largest` size (k,) of each column, differ only if they lie further apart than their own
    rounding; given ones if they are not equal.
    """

    values: Matrix
    first: Integers
    second: Integers
    exact: Numbers | None = None
    largest: Vector | None = None

    @classmethod
    def of(
        cls, values: Matrix, *, exact: Numbers | None = None, computed: bool = False
    ) -> "Columns":
        """Return the columns with all k (k - 1) / 2 pairs i < j, in row order."""
        largest = np.abs(values).max(axis=1) if computed else None
        k = len(values)
        first, second = FIRST_PAIR if k == 2 else np.triu_indices(k, 1)
        return cls(values, first, second, exact, largest)

    @property
    def n(self) -> int:
        """The length of a column."""
        return int(self.values.shape[1])

    @property
    @np.errstate(under="ignore")
    def room(self) -> Matrix:
        """The least and the greatest (P, 2) by which rounding of its scores may move a size.

        A bound of the least: the smallest number of either column, which no row's largest is below.
        """
        if self.exact is not None:
            return np.zeros((self.first.size, 2))
        sizes = np.abs(self.values)
        ends = np.stack([sizes.min(axis=1), sizes.max(axis=1)], axis=1)
        return np.asarray(ROUNDING * np.maximum(ends[self.first], ends[self.second]))

    def only(self, pairs: NDArray[np.bool_] | slice) -> "Columns":
        """Return the same with some of the pairs."""
        return replace(self, first=self.first[pairs], second=self.second[pairs])

    def differences(self) -> Matrix:
        """Return the first column minus the second, a row for each pair."""
        if self.exact is not None:
            return exact_differences(self.exact[self.first], self.exact[self.second]).differences
        return self._rounded(self.values[self.first], self.values[self.second])

    def difference(self, p: int) -> Vector:
        """Return the differences of one pair."""
        return np.asarray(self.only(slice(p, p + 1)).differences()[0])

    def signed(self) -> Matrix:
        """Return the differences, or numbers in the order of exact ones, a row for each pair."""
        if self.exact is None:
            return self.differences()
        d, sizes, _ = self.sized()
        return np.copysign(sizes, d)

    def sized(self) -> Sized:
        """Return the differences with their sizes, a row for each pair."""
        if self.exact is not None:
            return exactly_sized(
                *exact_differences(self.exact[self.first], self.exact[self.second])
            )
        a, b = self.values[self.first], self.values[self.second]
        return sized(self._rounded(a, b), [a, b])

    def sized_pair(self, p: int) -> Sized:
        """Return the differences of one pair with their sizes."""
        return Sized(*(rows[0] for rows in self.only(slice(p, p + 1)).sized()))

    @np.errstate(invalid="ignore", over="ignore", under="ignore")  # infinite, or too far apart
    def _rounded(self, a: Matrix, b: Matrix) -> Matrix:
        """Return a - b, 0 where computed numbers differ by rounding alone."""
        d = a - b
        if self.largest is not None:
            most = ROUNDING * np.maximum(self.largest[self.first], self.largest[self.second])
            near = np.abs(d) < most[:, None]
            if near.any():
                of_both = np.maximum(np.abs(a[near]), np.abs(b[near]))
                d[near] = np.where(np.abs(d[near]) < ROUNDING * of_both, 0.0, d[near])
        return np.asarray(d)

    def blocks(self) -> Iterator[tuple[slice, Matrix]]:
        """Yield pairs, some at a time, and what is `signed` of them: arrays to write to."""
        step = max(1, BLOCK // self.n)
        for start in range(0, self.first.size, step):
            part = slice(start, start + step)
            yield part, self.only(part).signed()
