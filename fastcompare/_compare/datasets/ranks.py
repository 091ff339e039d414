"""Ranks of the models on each data set: what all tests of many data sets begin with.

Ranks are doubled, so midranks are integers, and statistics fractions that are rounded once.
"""

from typing import NamedTuple

import numpy as np

from ..._base.types import Integers, Matrix, Vector
from ..._inputs.options import check_flag
from ..._results.pairs import Cells
from ...kernels.tables.ranking import COUNTED, rank_rows, rank_wide_rows


class Ranks(NamedTuple):
    """Twice the ranks of N data sets, their sums (k,) and the sum of their squares.

    `doubled` is (N, k), or has the last row alone where only sums are wanted.
    """

    doubled: Integers
    sums: Integers
    squares: int
    n: int

    @property
    def k(self) -> int:
        """The number of models."""
        return int(self.sums.size)

    @property
    def df(self) -> tuple[int, int]:
        """The degrees of freedom of F: k - 1 and (k - 1)(N - 1)."""
        return self.k - 1, (self.k - 1) * (self.n - 1)

    @property
    def average(self) -> Vector:
        """The average rank (k,) of each model; 1 is the best."""
        return self.sums / (2.0 * self.n)

    @property
    def between(self) -> int:
        """4 sum (R_j - N (k + 1) / 2)^2 over the rank sums R_j of the models."""
        totals: list[int] = self.sums.tolist()
        return sum((total - self.n * (self.k + 1)) ** 2 for total in totals)

    @property
    def within(self) -> int:
        """4 sum (r_ij - (k + 1) / 2)^2 over all ranks: 0 where all models tie everywhere."""
        return self.squares - self.n * self.k * (self.k + 1) ** 2

    def differences(self, cells: Cells) -> Integers:
        """Return the differences of the sums of doubled ranks of these pairs of models."""
        first, second = cells
        return self.sums[first] - self.sums[second]


def as_ranks(scores: Matrix, higher_is_better: bool, *, rows: bool = True) -> Ranks:
    """Return the ranks of checked scores (N, k) without NaN; those of all `rows`, or sums alone.

    Sums alone take two thirds of the time of a table that is new to the memory.
    """
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    n, k = scores.shape
    doubled, sums = np.empty((n if rows else 1, k), np.int64), np.zeros(k, np.int64)
    write = rank_rows if k <= COUNTED else rank_wide_rows
    squares = write(scores, best_is_highest, doubled, sums)
    return Ranks(doubled, sums, int(squares), n)
