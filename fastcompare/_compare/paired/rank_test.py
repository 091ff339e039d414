"""Wilcoxon's test of one vector of differences: exact for few, by the sums of ranks for many."""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ..._base.types import Integers, Vector
from ..._inference.pvalues import CERTAIN, PValue, normal_pvalue
from ..._inference.signed_sums import signed_sum_pvalue
from ...kernels.signed_ranks import UNSURE, sum_signed_ranks
from .many_ranks import ZEROS, ordered_sums
from .signed_ranks import is_exact, signed_ranks
from .sizes import Sized
from .walsh import WalshAverages


class RankTest(NamedTuple):
    """Sums of doubled ranks of positive and negative differences, how many are 0, the p-value.

    `how` is where that comes from: 'exact' or 'normal', and `null` the doubled ranks in order or
    the variance of 2 (W+ - W-); `room` is as far as rounding of the scores goes.
    """

    plus: int
    minus: int
    n_zero: int
    p: PValue
    how: str
    null: Integers | float
    room: float

    def averages(self, differences: Vector, zeros: str) -> WalshAverages:
        """Return the averages that the test inverts to.

        If all differences are 0, they are those of as many that do not tie.
        """
        if self.n_zero == differences.size:
            ranks = 2 * np.arange(1, self.n_zero + 1)
            return WalshAverages(differences, ranks, (int(ranks.sum()) // 2,) * 2)
        copies = 0 if zeros == "wilcox" else self.n_zero
        others = differences[differences != 0.0]
        return WalshAverages(others, self.null, (self.plus, self.minus), copies, self.room)

    def w_plus(self, zeros: str) -> float:
        """Return W+, with half of the ranks of zeros where those are split."""
        split = self.n_zero * (self.n_zero + 1) / 4 if zeros == "zsplit" else 0.0
        return self.plus / 2 + split

    def effect_size(self) -> float:
        """Return the matched-pairs rank-biserial correlation."""
        total = self.plus + self.minus
        return (self.plus - self.minus) / total if total else 0.0


def rank_test(
    signed: Vector,
    room: tuple[float, float],
    sized: Callable[[], Sized],
    *,
    zeros: str,
    alternative: str,
    method: str,
) -> RankTest:
    """Return the test of differences, or of numbers in their order.

    `room` is the least and the greatest that their sizes may lie apart and tie; `sized` makes them
    with the room of each, which is asked for where that does not settle all ties.
    """
    n_zero = signed.size - int(np.count_nonzero(signed))
    exact = is_exact(signed.size - n_zero, method)
    if n_zero == signed.size:
        return RankTest(0, 0, n_zero, CERTAIN, "exact" if exact else "normal", 0.0, room[1])
    if exact:
        t = signed_ranks(sized(), zeros).t
        plus, total = int(t[t > 0].sum()), int(t.sum())
        p = signed_sum_pvalue(t, alternative)
        return RankTest(plus, plus - total, n_zero, p, "exact", np.sort(abs(t[t != 0])), room[1])
    plus, minus, variance = many_signed_ranks(signed, room, sized, zeros)
    # variance with ties: n(n+1)(2n+1)/6 - sum(t^3 - t)/12 is the sum of the squared midranks
    p = normal_pvalue(float(plus - minus) / math.sqrt(variance), alternative)
    return RankTest(plus, minus, n_zero, p, "normal", variance, room[1])


def averages_of(sized: Sized, zeros: str, method: str) -> WalshAverages:
    """Return the averages that the test of these differences inverts to."""
    d, sizes, room = sized
    ends, own = (float(room.min()), float(room.max())), lambda: sized
    how = {"zeros": zeros, "alternative": "two-sided", "method": method}
    return rank_test(np.copysign(sizes, d), ends, own, **how).averages(d, zeros)


def many_signed_ranks(
    signed: Vector, room: tuple[float, float], sized: Callable[[], Sized], zeros: str
) -> tuple[int, int, float]:
    """Return both sums of doubled ranks, and the variance of their difference.

    A sort and a pass take a quarter of the time of ranks for each, by an argsort.
    """
    sums, squares = np.empty((1, 4), np.int64), np.empty(1)
    ordered = np.sort(signed)
    sum_signed_ranks(ordered[None], np.array([room]), ZEROS[zeros], sums, squares)
    if sums[0, 2] == UNSURE:
        del ordered  # 8 bytes a row, of which the other way needs many
        sums, squares = ordered_sums(Sized(*(row[None] for row in sized())), zeros)
    plus, minus, *_ = sums[0].tolist()
    return plus, minus, float(squares[0])
