"""Placements of up to a few thousand scores by 32-bit keys: they sort twice as fast as 64-bit ones.

A narrow key is ``prefix | case number | label`` as in `keys`, in 32 bits. With few cases a prefix
still tells nearly all scores apart: 1,000 normal ones have one pair of equal prefixes in three. It
is a linear map of the score, or the score's upper bits where outliers squeeze the others into few
prefixes. Equal prefixes are settled by the scores themselves, so any map gives the same placements.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import HALF, ONE, ZERO, U
from .keys import case_of, key_range, ordered
from .native import sort32
from .placements import (
    count_positives,
    equal_neighbours,
    order_runs,
    place_tied,
    place_untied,
)
from .radix import bits_of

N = np.uint32
NARROW_MOST = 2048  # cases up to which narrow keys pay: of 4,000, dozens of prefixes are equal
LARGEST = 2.0**1000  # beyond, the span of the scores may overflow
SMALLEST_SPAN = 2.0**-900  # below, the scale of a linear map would
MOVES = 4  # a case that settling may take before it is cheaper to start again with another map


@kernel
def ends_of(scores):
    """Return the smallest and the largest score.

    Even and odd ones apart, for each comparison waits for the one before: half the time.
    """
    low = high = low_odd = high_odd = scores[scores.size - 1]
    for i in range(0, scores.size - 1, 2):
        even, odd = scores[i], scores[i + 1]
        low = even if even < low else low
        high = even if even > high else high
        low_odd = odd if odd < low_odd else low_odd
        high_odd = odd if odd > high_odd else high_odd
    return min(low, low_odd), max(high, high_odd)


@kernel
def linear_scale(low, high, nbits):
    """Return the scale of the prefixes ``(score - low) * scale`` of scores up to `high`, or 0."""
    if not -LARGEST < low <= high < LARGEST or high - low < SMALLEST_SPAN:
        return 0.0
    # 2^-40 of slack: the largest score must not round up to one prefix too many
    return 2.0 ** (32.0 - np.float64(nbits)) * (1.0 - 2.0**-40) / (high - low)


@kernel
def pack_narrow(scores, labels, low, scale, nbits, keys):
    """Pack ``(score - low) * scale``: monotone, since rounding only merges neighbours."""
    shift, one = N(nbits), N(1)
    for i in range(scores.size):
        prefix = N(np.int32((scores[i] - low) * scale))  # below 2^31: a number takes a bit
        keys[i] = (prefix << shift) | (N(i) << one) | N(labels[i] & 1)


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
def settle_narrow(keys, scores, nbits):
    """Insert every key into its run of equal prefixes by its score.

    Returns whether there are ties, and whether it has ended, as it has not after too many moves.
    """
    tied, moves = False, 0
    for j in range(1, keys.size):
        key, i = keys[j], j
        if (key ^ keys[j - 1]) >> nbits != ZERO:
            continue
        score = scores[case_of(key, nbits)]
        while i > 0 and (key ^ keys[i - 1]) >> nbits == ZERO:
            before = scores[case_of(keys[i - 1], nbits)]
            if before <= score:
                tied |= before == score
                break
            keys[i] = keys[i - 1]
            i -= 1
        keys[i] = key
        moves += j - i
        if moves > MOVES * keys.size:
            return tied, False
    return tied, True


@kernel
def order_by_scores(keys, scores, nbits):
    """Sort equal prefixes by their scores, however many they are."""
    values = np.empty(keys.size)
    for q in range(keys.size):
        values[q] = scores[case_of(keys[q], nbits)]
    order_runs(keys, values, nbits)


@kernel
def sort_narrow(scores, labels, nbits, keys):
    """Write the packed keys in the order of the scores; return whether there may be ties."""
    low, high = ends_of(scores)
    scale = linear_scale(low, high, nbits)
    tied, settled = False, False
    if scale > 0.0:
        pack_narrow(scores, labels, low, scale, nbits, keys)
        sort32(keys)
        if equal_neighbours(keys, nbits) == ZERO:
            return False
        tied, settled = settle_narrow(keys, scores, nbits)
    if not settled:
        pack_narrow_bits(scores, labels, nbits, keys)
        sort32(keys)
        tied, settled = settle_narrow(keys, scores, nbits)
    if not settled:
        order_by_scores(keys, scores, nbits)
    return tied or not settled


@kernel
def place_narrow_ties(keys, scores, m, nbits, out):
    """Write the placements of sorted keys with ties."""
    new = np.empty(keys.size, np.bool_)
    new[0] = True
    for q in range(1, keys.size):
        new[q] = (keys[q] ^ keys[q - 1]) >> nbits != ZERO or (
            scores[case_of(keys[q], nbits)] != scores[case_of(keys[q - 1], nbits)]
        )
    place_tied(keys, new, ZERO, ZERO, m, nbits, out)


@kernel
def placements_narrow(scores, labels, keys, out):
    """Write the placement of every case to `out`, the same as all other kernels do.

    `scores` (float64, no NaN) are 1 to 2^20, and `labels` (uint8) are
    0 and 1; `keys` (uint32) is scratch and `out` (uint32) the result, as many. All are contiguous.
    Up to `NARROW_MOST` scores take half the time of 64-bit keys.
    """
    m = U(count_positives(labels))
    nbits = bits_of(U(scores.size - 1)) + ONE
    if sort_narrow(scores, labels, nbits, keys):
        place_narrow_ties(keys, scores, m, nbits, out)
    else:
        place_untied(keys, ZERO, ZERO, m, nbits, out)
