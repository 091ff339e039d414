"""Signed ranks of the differences of all pairs of columns, and what they say.

`signed_ranks` defines them for one vector of differences; the numbers here are the same, to the
last bit.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Vector
from ..._inference.pvalues import normal_pvalues
from ..._inference.signed_sums import RESCALED, SignedNull, signed_sum_pvalue
from ...kernels.signed_ranks import (
    DROPPED,
    RANKED,
    SPLIT,
    UNSURE,
    sum_ordered_ranks,
    sum_signed_ranks,
)
from .columns import Columns
from .signed_ranks import is_exact, signed_ranks
from .sizes import Sized

ZEROS = {"wilcox": DROPPED, "pratt": RANKED, "zsplit": SPLIT}


class RankSums(NamedTuple):
    """Of each pair: sums of doubled ranks, how many zeros and ranks, variance of 2 (W+ - W-).

    The sums are those of positive and of negative differences; zeros have no ranks.
    """

    plus: Integers
    minus: Integers
    n_zero: Integers
    n_ranks: Integers
    variance: Vector

    def w_plus(self, zeros: str) -> Vector:
        """Return W+, with half of the ranks of zeros where those are split."""
        if zeros != "zsplit":
            return self.plus / 2
        return self.plus / 2 + self.n_zero * (self.n_zero + 1) / 4

    def effect_size(self) -> Vector:
        """Return matched-pairs rank-biserial correlations."""
        total = self.plus + self.minus
        return (self.plus - self.minus) / np.where(total > 0, total, 1)


def rank_sums(columns: Columns, zeros: str) -> RankSums:
    """Return the sums of signed ranks of all pairs."""
    total = columns.first.size
    sums, squares = np.empty((total, 4), np.int64), np.empty(total)
    room, doubt = columns.room, False
    for part, d in columns.blocks():
        found, squared = sums[part], squares[part]
        if not doubt:
            d.sort(axis=1)
            sum_signed_ranks(d, room[part], ZEROS[zeros], found, squared)
        unsure = (found[:, 2] == UNSURE) | doubt
        if unsure.any():
            rows = columns.only(part).only(unsure).sized()
            found[unsure], squared[unsure] = ordered_sums(rows, zeros)
        doubt = bool(unsure.all())  # as of rounded scores: then the first way is in vain
    plus, minus, n_zero, n_ranks = np.ascontiguousarray(sums.T)
    return RankSums(plus, minus, n_zero, n_ranks, squares)


def ordered_sums(rows: Sized, zeros: str) -> tuple[Integers, Vector]:
    """Return the sums and squares of rows whose sizes tie each by its own room."""
    d, sizes, room = rows
    sums, squares = np.empty((len(d), 4), np.int64), np.empty(len(d))
    order = np.argsort(sizes, axis=1)
    sum_ordered_ranks(d, room, order, ZEROS[zeros], sums, squares)
    return sums, squares


def signed_rank_pvalues(
    ranks: RankSums, columns: Columns, *, alternative: str, method: str, zeros: str
) -> tuple[Vector, NDArray[np.bool_]]:
    """Return the p-values, as `rank_test`, and which are exact."""
    used, t = columns.n - ranks.n_zero, ranks.plus - ranks.minus
    sizes, number = np.unique(used, return_inverse=True)
    exact = np.array([is_exact(size, method) for size in sizes.tolist()])[number]
    pvalue = np.ones(used.shape)

    normal = ~exact & (used > 0)
    z = t[normal] / np.sqrt(ranks.variance[normal])
    pvalue[normal] = normal_pvalues(z, np.ones(z.shape), alternative)

    untied = exact & (ranks.n_ranks == used) & (used < RESCALED)
    below = np.zeros_like(used) if zeros == "wilcox" else ranks.n_zero
    pvalue[untied] = untied_pvalues(np.stack([used, below, t])[:, untied], alternative)

    for p in np.flatnonzero(exact & ~untied & (used > 0)).tolist():
        own = signed_ranks(columns.sized_pair(p), zeros)
        pvalue[p] = signed_sum_pvalue(own.t, alternative).pvalue
    return pvalue, exact


def untied_pvalues(cases: Integers, alternative: str) -> Vector:
    """Return exact p-values of ranks without ties, whose distribution many pairs share.

    `cases` (3, P) are how many ranks there are, above how many of zeros, and what their signed
    doubles add up to.
    """
    distinct, number = np.unique(cases, axis=1, return_inverse=True)
    found = [
        untied_null(size, below).pvalue(total, alternative).pvalue
        for size, below, total in distinct.T.tolist()
    ]
    return np.array(found, dtype=np.float64)[number.ravel()]


@lru_cache(maxsize=1)  # cases come in order
def untied_null(size: int, below: int) -> SignedNull:
    """Return the null distribution of so many untied ranks above those of `below` zeros."""
    return SignedNull.of(2 * np.arange(below + 1, below + size + 1))
