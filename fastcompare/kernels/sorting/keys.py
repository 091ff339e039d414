"""Scores as unsigned integers in the same order, packed with the number and label of their case.

A packed key is ``prefix | case number | label``: the label is bit 0, the case number fills the next
bits, and what is left on top holds as much of the score's order as fits. Sorting plain integers
that carry their case needs no argsort. Equal prefixes may hide different scores; `placements`
settles those by the scores themselves.
"""

import numpy as np

from ..._jit.kernel import kernel, part
from ..sums import ONE, ZERO, U
from .native import bit_length, sort64

SIGN = U(1 << 63)
FLOAT32_TAIL = U((1 << 29) - 1)  # bits of a double that a float32 leaves empty
SAMPLE = 128
GOLDEN = U(0x9E3779)  # of 2^24: steps by the golden ratio spread, and meet no pattern of the cases
TURN = U(24)  # bits of a turn, of which GOLDEN is the golden ratio
CROWDED = SAMPLE // 8  # gaps of the sample that may have more cases than prefixes
SAMPLE_BITS = U(7)  # of a key that say after which of the sample a score comes
BY_BITS, LINEAR, BETWEEN = range(3)
SAMPLED_FROM = 2048  # below, 52 bits of prefix hardly ever collide
SMALLEST_SPAN = 2.0**-900  # below, the scale of a linear map would overflow
WHOLE_BITS = U(52)  # of whole numbers that doubles distinguish even after rounding


@kernel
def ordered_integer(score):
    """Return an integer in the same order as doubles are; both zeros get the same one.

    A view of one number compiles in 0.4 of the time that a view of an array takes.
    """
    bits = np.float64(score).view(np.uint64)
    return bits + SIGN if bits < SIGN else ZERO - bits


@part
def case_number(key, nbits):
    """Return the case number in a packed key whose lowest `nbits` hold number and label."""
    return (key & ((ONE << nbits) - ONE)) >> ONE


@kernel
def key_range(scores):
    """Return the smallest and the largest ordered integer of the scores."""
    low, high = ~ZERO, ZERO
    for i in range(scores.size):
        key = ordered_integer(scores[i])
        low = key if key < low else low
        high = key if key > high else high
    return low, high


@part
def close_zero_gap(key, gap):
    """Return an ordered integer, moved towards that of 0 by `gap`, a number that no score has."""
    return key - gap if key > SIGN else key + gap if key < SIGN else key


@kernel
def zero_gap(scores):
    """Return the number of ordered integers between 0 and the binade of the score nearest to 0.

    Without them, scores of both signs take 6 bits less, and those that were float16 take 16.
    """
    least = ~ZERO
    for i in range(scores.size):
        size = np.float64(scores[i]).view(np.uint64) & ~SIGN
        least = size - ONE if size - ONE < least else least  # 0 becomes the largest
    binade = least >> U(52)
    return (binade - ONE) << U(52) if ZERO < binade < U(2047) else ZERO


@kernel
def double_from_integer(key):
    """Return the double whose ordered integer is `key`."""
    bits = key - SIGN if key >= SIGN else ZERO - key
    return U(bits).view(np.float64)


@kernel
def pack_bits(scores, labels, low, gap, shift, nbits, keys):
    """Write keys with the bits of each score above `low` as prefix; return whether all fit."""
    low_bits = (ONE << nbits) - ONE
    lost = ZERO
    for i in range(scores.size):
        key = (close_zero_gap(ordered_integer(scores[i]), gap) - low) << shift
        lost |= key & low_bits
        keys[i] = (key & ~low_bits) | (U(i) << ONE) | U(labels[i] & 1)
    return lost == ZERO


@kernel
def pack_linear(scores, labels, low, scale, nbits, keys):
    """Write keys with the prefix ``(score - low) * scale``, which is monotone in the score."""
    for i in range(scores.size):
        prefix = U((scores[i] - low) * scale)
        keys[i] = (prefix << nbits) | (U(i) << ONE) | U(labels[i] & 1)


@kernel
def pack_decimals(scores, labels, low, scale, nbits, keys):
    """Write keys with score * scale, a whole number, as prefix; return whether all are whole.

    A division in each step: 0.5 ns, where looking up a score to settle a tie takes 6 to 10.
    """
    first, exact = np.rint(low * scale), True
    for i in range(scores.size):
        rounded = np.rint(scores[i] * scale)
        exact &= rounded / scale == scores[i]
        keys[i] = (U(rounded - first) << nbits) | (U(i) << ONE) | U(labels[i] & 1)
    return exact


@part
def sample_place(i, n):
    """Return which of n scores is number `i` of a sample that is the same in every run."""
    return ((U(i) * GOLDEN & ((ONE << TURN) - ONE)) * U(n)) >> TURN


@kernel
def sorted_sample(scores):
    """Return the ordered integers of some scores, sorted."""
    sample = np.empty(SAMPLE, np.uint64)
    for i in range(SAMPLE):
        sample[i] = ordered_integer(scores[sample_place(i, scores.size)])
    sort64(sample)
    return sample


@kernel
def pack_between(scores, labels, low, high, nbits, keys):
    """Write keys whose prefix is j, the last sorted sample score not above, and the bits above it.

    The keys may have 32 bits or 64. Returns whether equal prefixes mean equal scores: no differing
    bit was dropped.
    """
    start, j_shift = sorted_sample(scores), U(8 * keys.itemsize) - SAMPLE_BITS
    start[0] = low  # scores below the whole sample belong to its first interval
    dropped, most = np.empty(SAMPLE, np.uint64), ZERO  # bits of each interval
    for j in range(SAMPLE):
        span = (start[j + 1] if j + 1 < SAMPLE else high) - start[j]
        dropped[j] = max(bit_length(span) + nbits, j_shift) - j_shift
        most = max(most, dropped[j])  # dropped.max() compiles as long as all the rest here
    for i in range(scores.size):
        key, j, step = ordered_integer(scores[i]), 0, SAMPLE >> 1
        while step:  # binary search without a branch
            j += step * int(start[j + step] <= key)
            step >>= 1
        above = ((key - start[j]) >> dropped[j]) << nbits
        keys[i] = (U(j) << j_shift) | above | (U(i) << ONE) | U(labels[i] & 1)
    return most == ZERO


@part
def linear_scale(low, high, bits):
    """Return the scale of prefixes ``(score - low) * scale`` of `bits` bits, 0 if there is none.

    There is none for ends that are NaN, infinite, or as good as equal.
    """
    span = high - low if -np.inf < low < high < np.inf else 0.0
    if not SMALLEST_SPAN < span < np.inf:
        return 0.0
    # 2^-40 of slack: the largest score must not round up to one prefix too many
    return 2.0 ** np.float64(bits) * (1.0 - 2.0**-40) / span


@kernel
def decimal_scale(scores, low, high, bits):
    """Return the power of ten that makes a sample of the scores whole numbers, 0 if there is none.

    There is none, either, if `bits` bits do not hold the range of these whole numbers.
    """
    scale, most = 1.0, 2.0 ** np.float64(min(bits, WHOLE_BITS))
    while (high - low) * scale < most and max(abs(low), abs(high)) * scale < most:
        i = 0
        while i < SAMPLE:
            score = scores[sample_place(i, scores.size)]
            if np.rint(score * scale) / scale != score:
                break
            i += 1
        if i == SAMPLE:
            return scale
        scale *= 10.0
    return 0.0


@kernel
def best_map(scores, scale, gap, shift, nbits):
    """Return the map (bits, linear or between) by which fewest scores share a prefix.

    Neighbours share a prefix with a chance inverse to their gap in prefixes, so a sample's mean
    inverse gap estimates it. Scores that were float32 (`tail` is 0) have few bits, so that a map by
    bits is exact. Where many gaps have more cases than prefixes by both maps, the sample makes one.
    """
    sample = sorted_sample(scores)
    linear = by_bits = 0.0  # sums of inverse gaps
    tail, crowded = ZERO, 0
    for i in range(1, SAMPLE):
        tail |= sample[i] & FLOAT32_TAIL
        if sample[i] != sample[i - 1]:
            distance = close_zero_gap(sample[i], gap) - close_zero_gap(sample[i - 1], gap)
            bits_gap = np.float64(distance << shift) * 0.5 ** np.float64(nbits)
            difference = double_from_integer(sample[i]) - double_from_integer(sample[i - 1])
            linear_gap = difference * scale
            by_bits += 1.0 / bits_gap
            linear += 1.0 / linear_gap if linear_gap else np.inf
            crowded += max(bits_gap, linear_gap) * SAMPLE < scores.size
    if crowded > CROWDED:
        return BETWEEN
    return LINEAR if tail and linear < 0.5 * by_bits else BY_BITS


@kernel
def pack(scores, labels, keys):
    """Pack by the best map; return the bits below the prefix, and whether prefixes are exact.

    Exact means that equal prefixes are equal scores.
    """
    nbits = bit_length(U(max(scores.size - 1, 0))) + ONE
    (low, high), gap = key_range(scores), zero_gap(scores)
    start = close_zero_gap(low, gap)
    shift = U(64) - bit_length(max(close_zero_gap(high, gap) - start, ONE))
    chosen = BY_BITS
    if scores.size >= SAMPLED_FROM:
        least, most = double_from_integer(low), double_from_integer(high)
        scale = decimal_scale(scores, least, most, U(64) - nbits)
        if scale > 0.0 and pack_decimals(scores, labels, least, scale, nbits, keys):
            return nbits, True
        scale = linear_scale(least, most, U(64) - nbits)
        chosen = best_map(scores, scale, gap, shift, nbits)
    if chosen == BETWEEN:
        return nbits, pack_between(scores, labels, low, high, nbits, keys)
    if chosen == LINEAR:
        pack_linear(scores, labels, double_from_integer(low), scale, nbits, keys)
        return nbits, False
    return nbits, pack_bits(scores, labels, start, gap, shift, nbits, keys)
