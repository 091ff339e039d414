"""Wilcoxon's signed rank test of many trials, by the exact null distribution, ties included.

Zeros are dropped, ranks doubled: the p-values of `wilcoxon_test`.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..words import ONE

MOST = 200  # differences up to which the distribution is exact, as in `wilcoxon_test`
SQRT2 = math.sqrt(2.0)


@kernel
def signed_ranks(keys, sizes, near, ranks):
    """Write the doubled ranks of the differences to `ranks`, negative ones with their sign.

    Sizes up to `near` are zeros; neighbours no further apart tie. Returns how many differences are
    not zero.
    """
    n, start = keys.size, 0
    while start < n and sizes[start] <= near:
        start += 1
    zeros = start
    while start < n:
        stop = start + 1
        while stop < n and sizes[stop] - sizes[stop - 1] <= near:
            stop += 1
        shared = np.int64(start + stop + 1 - 2 * zeros)
        for i in range(start, stop):
            ranks[i - zeros] = -shared if keys[i] & ONE else shared
        start = stop
    return n - zeros


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
def wilcoxon_rows(keys, sizes, near, pvalue):
    """Write the p-value of each trial's differences; up to `near` (B) they are 0.

    `keys` (B, n), whose lowest bit is 1 for a negative difference, ascend in each row, and so do
    the `sizes`.
    """
    ranks = np.empty(keys.shape[1], np.int64)
    for b in range(pvalue.size):
        used = signed_ranks(keys[b], sizes[b], near[b], ranks)
        pvalue[b] = wilcoxon_pvalue(ranks[:used])
