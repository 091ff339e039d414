"""Placements by a linear map of the scores to 32-bit keys: the way of nearly all small problems.

A narrow key is ``prefix | case number | label`` as in `keys`, in 32 bits, which sort twice as fast
as 64. Of 1,000 normal scores one pair in three problems has equal prefixes, of 10^4 one case in
ten; the scores settle these. What does not fit a linear map is left to others: code for that is not
even compiled before it occurs.
"""

import numpy as np

from ..._jit.kernel import kernel, part
from ..words import ONE, ZERO, U
from .keys import SAMPLE, case_of, linear_scale, sampled
from .native import sort32
from .placements import equal_neighbours, place_tied, place_untied
from .radix import bits_of

N = np.uint32
LINEAR_BELOW = 1 << 14  # cases: half of a 64-bit sort at 10^4, but at 20,000 too much to settle
MOVES = 4  # a case that settling may take before it is cheaper to start again with another map
SEEN_FROM = 1 << 12  # cases from which a look at a sample takes at most 2 % of the time
SLOTS = 4 * SAMPLE
CROWDED = SAMPLE // 10  # of 17 cases a prefix, which MOVES allow, a sample has as many that meet


@part
def ends_of(scores):
    """Return the smallest and the largest score, twice NaN if there is one.

    Even and odd ones apart, for each comparison waits for the one before: half the time.
    """
    low = high = low_odd = high_odd = scores[scores.size - 1]
    for i in range(0, scores.size - 1, 2):
        even, odd = scores[i], scores[i + 1]
        low = even if even < low else low
        high = even if even > high else high
        low_odd = odd if odd < low_odd else low_odd
        high_odd = odd if odd > high_odd else high_odd
    nan = False
    for i in range(scores.size):
        nan |= scores[i] != scores[i]
    if nan:
        return np.nan, np.nan
    return low if low < low_odd else low_odd, high if high > high_odd else high_odd


@part
def pack_narrow(scores, labels, low, scale, nbits, keys):
    """Pack ``(score - low) * scale``: monotone, since rounding only merges neighbours."""
    shift, one = N(nbits), N(1)
    for i in range(scores.size):
        prefix = N(np.int32((scores[i] - low) * scale))  # below 2^31: a number takes a bit
        keys[i] = (prefix << shift) | (N(i) << one) | N(labels[i] & 1)


@part
def is_spread(scores, low, scale):
    """Return whether few of a sample's scores share a prefix with another score.

    To see that no map of this kind fits takes a hundredth of what settling would.
    """
    last, met = np.full(SLOTS, low), 0
    for i in range(SAMPLE):
        score = scores[sampled(i, scores.size)]
        prefix = np.int32((score - low) * scale)
        slot = prefix & (SLOTS - 1)
        other = last[slot]
        met += np.int32((other - low) * scale) == prefix and other != score
        last[slot] = score
    return met <= CROWDED


@part
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


@part
def place_settled(keys, scores, tied, m, nbits, out):
    """Write the placements of keys that are in the order of their scores."""
    if tied:
        place_narrow_ties(keys, scores, m, nbits, out)
    else:
        place_untied(keys, ZERO, ZERO, m, nbits, out)


@part
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
def sort_narrow(scores, labels, keys):
    """Write the sorted keys of all cases, settled by their scores; `keys` are as many uint32.

    Returns the bits below the prefixes, whether there are ties, and whether there is a map that
    fits: NaN and infinities have none, nor do scores that are all equal.
    """
    nbits = bits_of(U(scores.size - 1)) + ONE
    low, high = ends_of(scores)
    scale = linear_scale(low, high, U(32) - nbits)
    if scale == 0.0 or (scores.size >= SEEN_FROM and not is_spread(scores, low, scale)):
        return nbits, False, False
    pack_narrow(scores, labels, low, scale, nbits, keys)
    sort32(keys)
    tied, settled = False, True
    if equal_neighbours(keys, nbits):
        tied, settled = settle_narrow(keys, scores, nbits)
    return nbits, tied, settled


@kernel
def placements_linear(scores, labels, m, keys, out):
    """Write the placement of every case to `out`, as all kernels do; False where no map fits.

    `m` counts positives; `keys` is scratch of as many uint32.
    """
    nbits, tied, settled = sort_narrow(scores, labels, keys)
    if settled:
        place_settled(keys, scores, tied, U(m), nbits, out)
    return settled
