"""Placements of up to a few thousand scores by 32-bit keys, whatever the scores.

Prefixes are a linear map of the scores, as in `linear`, or their upper bits where outliers squeeze
the others into few prefixes. Equal prefixes are settled by the scores themselves, so any map gives
the same placements.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import HALF, ONE, U
from .keys import case_of, key_range, ordered
from .linear import N, place_narrow_ties, placements_linear, settle_narrow
from .native import sort32
from .placements import order_runs
from .radix import bits_of

NARROW_MOST = 4096  # cases: half of a 64-bit sort, but for scores that no linear map spreads


@kernel
def pack_narrow_bits(scores, labels, nbits, keys):
    """Pack the upper bits of each ordered score above the lowest, from the first that differs."""
    low, high = key_range(scores)
    shift = U(64) - bits_of(max(high - low, ONE))
    room = (ONE << nbits) - ONE
    for i in range(scores.size):
        key = ((ordered(scores[i]) - low) << shift) >> HALF
        keys[i] = N((key & ~room) | (U(i) << ONE) | U(labels[i] & 1))


@kernel
def order_by_scores(keys, scores, nbits):
    """Sort equal prefixes by their scores, however many they are."""
    values = np.empty(keys.size)
    for q in range(keys.size):
        values[q] = scores[case_of(keys[q], nbits)]
    order_runs(keys, values, nbits)


@kernel
def placements_narrow(scores, labels, m, keys, out):
    """Write the placement of every case to `out`, the same as all other kernels do.

    `scores` (float64, no NaN) are 1 to 2^20, and `labels` (uint8) are 0 and 1, of which `m` are 1;
    `keys` (uint32) is scratch and `out` (uint32) the result, as many. All are contiguous. Up to
    `NARROW_MOST` scores take half the time of 64-bit keys.
    """
    if placements_linear(scores, labels, m, keys, out):
        return
    nbits = bits_of(U(scores.size - 1)) + ONE
    pack_narrow_bits(scores, labels, nbits, keys)
    sort32(keys)
    _, settled = settle_narrow(keys, scores, nbits)
    if not settled:
        order_by_scores(keys, scores, nbits)
    place_narrow_ties(keys, scores, U(m), nbits, out)
