"""Ranks within data sets that some models miss."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Matrix, Vector
from ..._inputs.options import check_flag
from ...kernels.tables.partial import rank_known
from ...kernels.tables.ranking import COUNTED
from .ranks import as_ranks


class PartialRanks(NamedTuple):
    """Twice the ranks less their mean (N, k), 0 where missing; what is known.

    Ranks among s models less their mean (s + 1) / 2: negative is better. `rows` (2, N) are how many
    scores each data set has, and the sum of the squares; `models` (3, k) how many each model has,
    the sum of the ranks less their mean, and that of the means, all doubled.
    """

    centred: Integers
    known: NDArray[np.bool_]
    rows: Integers
    models: Integers

    @property
    def sizes(self) -> Integers:
        """How many scores (N,) each data set has."""
        return np.asarray(self.rows[0])

    @property
    def squares(self) -> Integers:
        """The sums (N,) of the squares of each data set."""
        return np.asarray(self.rows[1])

    @property
    def average(self) -> Vector:
        """The average rank (k,) of each model on the data sets that have it."""
        counts, sums, means = self.models
        return np.asarray((sums + means) / (2.0 * counts))


def as_partial_ranks(scores: Matrix, higher_is_better: bool) -> PartialRanks:
    """Return the ranks of checked scores (N, k), NaN where missing."""
    n, k = scores.shape
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    if k > COUNTED:
        return sorted_partial_ranks(scores, best_is_highest)
    centred, rows = np.empty((n, k), np.int64), np.empty((n, 2), np.int64)
    models = np.zeros((3, k), np.int64)
    rank_known(scores, best_is_highest, centred, rows, models)
    return PartialRanks(centred, ~np.isnan(scores), np.ascontiguousarray(rows.T), models)


def sorted_partial_ranks(scores: Matrix, higher_is_better: bool) -> PartialRanks:
    """Return the same for many models, by sorting.

    A missing score takes the last rank, or several share the last ones, and loses it again.
    """
    known = ~np.isnan(scores)
    sizes = np.asarray(known.sum(axis=1))
    codes = np.unique(scores, return_inverse=True)[1].reshape(scores.shape).astype(np.float64)
    codes[~known] = -1.0 if higher_is_better else codes.max() + 1.0
    ranks = as_ranks(codes, higher_is_better).doubled
    centred = np.where(known, ranks - (sizes[:, None] + 1), 0)
    rows = np.stack([sizes, np.square(centred).sum(axis=1)])
    means = np.where(known, sizes[:, None] + 1, 0).sum(axis=0)
    return PartialRanks(
        centred, known, rows, np.stack([known.sum(axis=0), centred.sum(axis=0), means])
    )
