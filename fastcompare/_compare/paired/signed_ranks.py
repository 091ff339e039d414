"""Signed ranks of differences, and the null distribution of their sum.

Under the null hypothesis each difference is as likely to be positive as negative, so the signed
ranks t_i have random signs. W+, the sum of the positive ranks, is a linear function of their sum.
Ranks are doubled, so midranks are whole numbers.
"""

from typing import NamedTuple

import numpy as np

from ..._base.types import Integers, Vector
from ..._inputs.pairs import check_exact_ranks
from ...kernels.ties import group_starts
from .sizes import Sized

QUICK = 200  # differences whose exact distribution takes milliseconds
MOST = 3000  # some seconds
RANK_BISERIAL = "rank-biserial correlation"  # (W+ - W-) / (W+ + W-): Kerby (2014)


class SignedRanks(NamedTuple):
    """Doubled ranks with signs, 0 for zero differences; W+; the variance of 2 (W+ - W-)."""

    t: Integers
    w_plus: float
    variance: float

    def effect_size(self) -> float:
        """Return the matched-pairs rank-biserial correlation."""
        total = int(abs(self.t).sum())
        return int(self.t.sum()) / total if total else 0.0


def signed_ranks(differences: Sized, zeros: str) -> SignedRanks:
    """Return the signed ranks of the differences.

    Zeros are dropped before ranking ('wilcox'), or ranked and then dropped ('pratt'), or ranked
    and half of their ranks counted as positive ('zsplit').
    """
    d, sizes, room = differences
    zero = d == 0.0
    n_zero = int(np.count_nonzero(zero))
    if n_zero:
        sizes, room = sizes[~zero], room[~zero]
    ranks, squares = doubled_ranks(sizes, room, below=0 if zeros == "wilcox" else n_zero)
    t = np.zeros(d.size, np.int64)
    t[~zero] = np.where(d[~zero] > 0.0, ranks, -ranks)
    w_plus = int(t[t > 0].sum()) / 2
    if zeros == "zsplit":
        w_plus += n_zero * (n_zero + 1) / 4
        squares = np.append(n_zero * float(n_zero + 1) ** 2, squares)
    # one after the other, as the kernel does for many differences: it gives the same bits
    return SignedRanks(t, w_plus, float(np.cumsum(squares)[-1]) if squares.size else 0.0)


def doubled_ranks(sizes: Vector, room: Vector, below: int = 0) -> tuple[Integers, Vector]:
    """Return twice the midranks, and by group of ties, in order, the sum of their squares.

    Sizes tie by their `room`, see `kernels.ties`; so many more are `below` all of these.
    """
    order = np.argsort(sizes)
    starts = np.empty(sizes.size, np.int64)
    starts = starts[: group_starts(sizes[order], room[order], starts)]
    stops = np.append(starts[1:], sizes.size)
    shared, counts = starts + stops + (2 * below + 1), stops - starts
    ranks = np.empty(sizes.size, np.int64)
    ranks[order] = np.repeat(shared, counts)
    return ranks, counts * shared.astype(np.float64) ** 2


def is_exact(size: int, method: str) -> bool:
    """Say whether to take the exact distribution of so many ranks; raise for too many."""
    if method == "exact":
        check_exact_ranks(size, MOST)
    return method == "exact" or (method == "auto" and size <= QUICK)
