"""Placements by a linear map of the scores to 32-bit keys: the way of nearly all small problems.

A key is ``prefix | case number | label`` as in `keys`. Of 1,000 normal scores one pair in three
problems has equal prefixes, of 10^4 one case in ten; the scores settle these. What does not fit a
linear map is left to others: it is not even compiled before it occurs.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import ONE, ZERO, U
from .keys import case_of
from .native import sort32
from .placements import equal_neighbours, place_tied, place_untied
from .radix import bits_of

N = np.uint32
LINEAR_BELOW = 1 << 14  # cases: half of a 64-bit sort at 10^4, but at 20,000 too much to settle
MOVES = 4  # a case that settling may take before it is cheaper to start again with another map
UNTIED, TIED, CROWDED = 0, 1, 2


@kernel
def linear_map(scores, nbits):
    """Return first and scale of ``(score - first) * scale``, a prefix; scale NaN where none fits.

    It fits scores that are finite, have a finite span, and are not all within the tiniest one.
    """
    low = high = scores[0]
    finite = True
    for i in range(scores.size):
        score = scores[i]
        low = score if score < low else low
        high = score if score > high else high
        finite &= abs(score) < np.inf
    span = high - low
    if span == 0.0:
        return low, 0.0 if finite else np.nan
    # a prefix less: the largest score must not round up beyond the last one
    scale = (2.0 ** (32.0 - np.float64(nbits)) - 1.0) / span
    return low, scale if finite and 0.0 < scale < np.inf else np.nan


@kernel
def pack_linear_narrow(scores, labels, first, scale, nbits, keys):
    """Pack ``(score - first) * scale``: monotone, since rounding only merges neighbours."""
    shift, one = N(nbits), N(1)
    for i in range(scores.size):
        prefix = N(np.int32((scores[i] - first) * scale))  # below 2^31: a number takes a bit
        keys[i] = (prefix << shift) | (N(i) << one) | N(labels[i] & 1)


@kernel
def settle_linear(keys, scores, nbits, new):
    """Order equal prefixes by their scores, and write to `new` where a new score begins.

    Returns whether scores tie, or CROWDED as soon as the order takes too many moves.
    """
    moves, state = MOVES * keys.size, UNTIED
    for q in range(1, keys.size):
        key, hole = keys[q], q
        if (key ^ keys[q - 1]) >> nbits:
            continue
        score = scores[case_of(key, nbits)]
        while hole and (key ^ keys[hole - 1]) >> nbits == ZERO:
            if scores[case_of(keys[hole - 1], nbits)] <= score:
                break
            keys[hole] = keys[hole - 1]
            hole -= 1
        keys[hole] = key
        moves -= q - hole
        if moves < 0:
            return CROWDED
    new[0] = True
    for q in range(1, keys.size):
        new[q] = True
        if (keys[q] ^ keys[q - 1]) >> nbits == ZERO:
            new[q] = scores[case_of(keys[q], nbits)] != scores[case_of(keys[q - 1], nbits)]
            state = state if new[q] else TIED
    return state


@kernel
def placements_linear(scores, labels, m, keys, out):
    """Write the placement of every case to `out`, as all kernels do; False where no map fits.

    `m` counts positives; `keys` is scratch of as many uint32. NaN and infinities do not fit.
    """
    nbits = bits_of(U(scores.size - 1)) + ONE
    first, scale = linear_map(scores, nbits)
    if scale != scale:
        return False
    pack_linear_narrow(scores, labels, first, scale, nbits, keys)
    sort32(keys)
    if equal_neighbours(keys, nbits):
        new = np.empty(keys.size, np.bool_)
        state = settle_linear(keys, scores, nbits, new)
        if state == TIED:
            place_tied(keys, new, ZERO, ZERO, U(m), nbits, out)
        if state != UNTIED:
            return state == TIED
    place_untied(keys, ZERO, ZERO, U(m), nbits, out)
    return True
