"""Wilcoxon's signed rank test of many trials, by the exact null distribution, ties included.

Zeros are dropped, ranks doubled: the p-values of `wilcoxon_test`.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..ties import group_end

MOST = 200  # differences up to which the distribution is exact, as in `wilcoxon_test`
SQRT2 = math.sqrt(2.0)


@kernel
def signed_ranks(d, sizes, room, ranks):
    """Write the doubled ranks of the differences to `ranks`, negative ones with their sign.

    The differences that are not 0 are in order of their `sizes`, which tie by `room`.
    """
    start = 0
    while start < d.size:
        stop = group_end(sizes, room, start)
        shared = np.int64(start + stop + 1)
        for i in range(start, stop):
            ranks[i] = -shared if d[i] < 0.0 else shared
        start = stop


@kernel
def exact_tail(ranks, most, divisor):
    """Return the share of the sets of ranks, multiples of a divisor, that sum to at most so much.

    The ranks may have signs, which do not matter.
    """
    last = most // divisor
    counts = np.zeros(last + 1)
    counts[0] = 1.0
    for rank in ranks:
        step = abs(rank) // divisor
        for total in range(last, step - 1, -1):
            counts[total] += counts[total - step]
    share = 0.0
    for count in counts:
        share += count
    return math.ldexp(share, -ranks.size)


@kernel
def wilcoxon_pvalue(ranks):
    """Return the two-sided p-value of doubled ranks with signs."""
    plus = minus = odd = np.int64(0)
    squares = 0.0
    for rank in ranks:
        plus, minus = plus + max(rank, 0), minus + max(-rank, 0)
        odd, squares = odd | (rank & 1), squares + np.float64(rank) * np.float64(rank)
    if ranks.size > MOST:
        return math.erfc(abs(plus - minus) / math.sqrt(squares) / SQRT2)
    divisor = 1 if odd else 2  # without ties, and mostly with them, all ranks are whole
    return min(1.0, 2.0 * exact_tail(ranks, min(plus, minus), divisor))


@kernel
def wilcoxon_rows(d, room, pvalue):
    """Write the p-value of each trial's differences (B, n), which tie by `room` (B, n)."""
    ranks = np.empty(d.shape[1], np.int64)
    for b in range(pvalue.size):
        order = np.argsort(np.abs(d[b]))
        own, sizes = d[b][order], np.abs(d[b][order])
        zeros = np.searchsorted(sizes, 0.0, side="right")
        signed_ranks(own[zeros:], sizes[zeros:], room[b][order][zeros:], ranks)
        pvalue[b] = wilcoxon_pvalue(ranks[: d.shape[1] - zeros])
