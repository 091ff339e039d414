"""Ranks within data sets that some models miss."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Matrix, Vector
from .ranks import as_ranks


class PartialRanks(NamedTuple):
    """Twice the ranks less their mean (N, k), 0 where missing; what is known; sizes (N,) of rows.

    Ranks among s models less their mean (s + 1) / 2: negative is better.
    """

    centred: Integers
    known: NDArray[np.bool_]
    sizes: Integers

    @property
    def average(self) -> Vector:
        """The average rank (k,) of each model on the data sets that have it."""
        ranks = np.where(self.known, self.centred + self.sizes[:, None] + 1, 0)
        return np.asarray(ranks.sum(axis=0) / (2.0 * self.known.sum(axis=0)))

    @property
    def squares(self) -> Integers:
        """The sums (N,) of the squares of each data set."""
        return np.asarray(np.square(self.centred).sum(axis=1))


def as_partial_ranks(scores: Matrix, higher_is_better: bool) -> PartialRanks:
    """Return the ranks of checked scores (N, k), NaN where missing.

    A missing score takes the last rank, or several share the last ones, and loses it again.
    """
    known = ~np.isnan(scores)
    sizes = np.asarray(known.sum(axis=1))
    codes = np.unique(scores, return_inverse=True)[1].reshape(scores.shape).astype(np.float64)
    codes[~known] = -1.0 if higher_is_better else codes.max() + 1.0
    ranks = as_ranks(codes, higher_is_better).doubled
    return PartialRanks(np.where(known, ranks - (sizes[:, None] + 1), 0), known, sizes)
