"""Signed ranks of differences, and the null distribution of their sum.

Under the null hypothesis each difference is as likely to be positive as negative, so the signed
ranks t_i have random signs. W+, the sum of the positive ranks, is a linear function of their sum.
Ranks are doubled, so midranks are whole numbers.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Vector
from ..._inference.pvalues import CERTAIN, PValue, normal_pvalue
from ..._inference.signed_sums import signed_sum_pvalue
from ..._inputs.pairs import check_exact_ranks

NEAR = 1e-12  # computed differences closer than this times the largest score are equal
QUICK = 200  # differences whose exact distribution takes milliseconds
MOST = 3000  # some seconds


class SignedRanks(NamedTuple):
    """Doubled ranks with signs, 0 for zero differences; W+; the variance of 2 (W+ - W-)."""

    t: Integers
    w_plus: float
    variance: float

    def effect_size(self) -> float:
        """Return the matched-pairs rank-biserial correlation."""
        total = int(abs(self.t).sum())
        return int(self.t.sum()) / total if total else 0.0


def is_zero(differences: Vector, scale: float) -> NDArray[np.bool_]:
    """Say which differences are rounding errors of scores up to `scale`."""
    return np.asarray(np.abs(differences) <= NEAR * scale)


def signed_ranks(differences: Vector, scale: float, zeros: str) -> SignedRanks:
    """Return the signed ranks of the differences.

    Zeros are dropped before ranking ('wilcox'), or ranked and then dropped ('pratt'), or ranked
    and half of their ranks counted as positive ('zsplit').
    """
    zero = is_zero(differences, scale)
    if zeros == "wilcox":
        differences, zero = differences[~zero], zero[~zero]
    ranks, squares = doubled_ranks(np.where(zero, 0.0, np.abs(differences)), NEAR * scale)
    t = np.where(zero, 0, np.where(differences > 0.0, ranks, -ranks))
    split = zeros == "zsplit"
    w_plus = int(t[t > 0].sum()) / 2 + (int(ranks[zero].sum()) / 4 if split else 0.0)
    if zero.any() and not split:
        squares = squares[1:]
    # one after the other, as the kernel does for many differences: it gives the same bits
    return SignedRanks(t, w_plus, float(np.cumsum(squares)[-1]) if squares.size else 0.0)


def doubled_ranks(sizes: Vector, near: float) -> tuple[Integers, Vector]:
    """Return twice the midranks, and by group of ties, in order, the sum of their squares.

    Neighbours at most `near` apart tie.
    """
    order = np.argsort(sizes)
    starts = np.flatnonzero(np.diff(sizes[order], prepend=-math.inf) > near)
    stops = np.append(starts[1:], sizes.size)
    shared, counts = starts + stops + 1, stops - starts
    ranks = np.empty(sizes.size, np.int64)
    ranks[order] = np.repeat(shared, counts)
    return ranks, counts * shared.astype(np.float64) ** 2


def is_exact(size: int, method: str) -> bool:
    """Say whether to take the exact distribution of so many ranks; raise for too many."""
    if method == "exact":
        check_exact_ranks(size, MOST)
    return method == "exact" or (method == "auto" and size <= QUICK)


def signed_rank_pvalue(ranks: SignedRanks, alternative: str, method: str) -> tuple[PValue, str]:
    """Return the p-value, and 'exact' or 'normal'."""
    size = int(np.count_nonzero(ranks.t))
    exact = is_exact(size, method)
    if size == 0:
        return CERTAIN, "exact" if exact else "normal"
    if exact:
        return signed_sum_pvalue(ranks.t, alternative), "exact"
    # variance with ties: n(n+1)(2n+1)/6 - sum(t^3 - t)/12 is the sum of the squared midranks
    z = float(ranks.t.sum()) / math.sqrt(ranks.variance)
    return normal_pvalue(z, alternative), "normal"
