"""Scores as unsigned integers in the same order, packed with the number and label of their case.

A packed key is ``prefix | case number | label``: the label is bit 0, the case number fills the next
bits, and what is left on top holds as much of the score's order as fits. Sorting plain integers
that carry their case needs no argsort. Equal prefixes may hide different scores; `placements`
settles those by the scores themselves.
"""

import numpy as np

from ..._jit.kernel import kernel, part
from ..words import ONE, ZERO, U
from .native import sort64
from .radix import bits_of

SIGN = U(1 << 63)
FLOAT32_TAIL = U((1 << 29) - 1)  # bits of a double that a float32 leaves empty
SAMPLE = 128
SAMPLED_FROM = 2048  # below, 52 bits of prefix hardly ever collide
SMALLEST_SPAN = 2.0**-900  # below, the scale of a linear map would overflow
EXACT_FROM = 1 << 18  # from here on settling equal prefixes waits for memory: exact ones save it


@kernel
def ordered(score):
    """Return the integer that stands for a double in the same order; both zeros get one.

    A view of one number compiles in 0.4 of the time that a view of an array takes.
    """
    bits = np.float64(score).view(np.uint64)
    return bits + SIGN if bits < SIGN else ZERO - bits


@part
def case_of(key, nbits):
    """Return the case number in a packed key whose lowest `nbits` hold number and label."""
    return (key & ((ONE << nbits) - ONE)) >> ONE


@kernel
def key_range(scores):
    """Return the smallest and the largest ordered integer of the scores."""
    low, high = ~ZERO, ZERO
    for i in range(scores.size):
        key = ordered(scores[i])
        low = key if key < low else low
        high = key if key > high else high
    return low, high


@kernel
def double_of(key):
    """Return the double whose ordered integer is `key`."""
    bits = key - SIGN if key >= SIGN else ZERO - key
    return U(bits).view(np.float64)


@kernel
def pack_bits(scores, labels, low, shift, nbits, keys):
    """Pack the bits of each score above `low`; return whether no bit that differs was lost."""
    room = (ONE << nbits) - ONE
    lost = ZERO
    for i in range(scores.size):
        key = (ordered(scores[i]) - low) << shift
        lost |= key & room
        keys[i] = (key & ~room) | (U(i) << ONE) | U(labels[i] & 1)
    return lost == ZERO


@kernel
def pack_linear(scores, labels, low, scale, nbits, keys):
    """Pack ``(score - low) * scale``: monotone, since rounding only merges neighbours."""
    for i in range(scores.size):
        prefix = U((scores[i] - low) * scale)
        keys[i] = (prefix << nbits) | (U(i) << ONE) | U(labels[i] & 1)


@kernel
def sample_of(scores):
    """Return the ordered integers of some scores, sorted."""
    step = scores.size // SAMPLE
    sample = np.empty(SAMPLE, np.uint64)
    for i in range(SAMPLE):
        sample[i] = ordered(scores[i * step])
    sort64(sample)
    return sample


@kernel
def prefers_linear(scores, low, high):
    """Say whether a linear map spreads the scores' prefixes better than their bits do.

    Neighbours share a prefix with a chance inverse to their gap, so a sample's mean inverse gap,
    in units of the whole range, tells. The bits of scores born as float32 are few, hence exact.
    """
    if scores.size < SAMPLED_FROM or low == high:
        return False
    span = double_of(high) - double_of(low)
    if not SMALLEST_SPAN < span < np.inf:
        return False
    sample = sample_of(scores)
    linear = by_bits = 0.0
    tail = ZERO
    for i in range(1, sample.size):
        tail |= sample[i] & FLOAT32_TAIL
        gap = sample[i] - sample[i - 1]
        if gap:
            linear += span / (double_of(sample[i]) - double_of(sample[i - 1]))
            by_bits += np.float64(high - low) / np.float64(gap)
    exact_bits = tail == ZERO and scores.size >= EXACT_FROM
    return not exact_bits and linear < 0.5 * by_bits


@kernel
def pack(scores, labels, keys):
    """Pack by the better map; return the bits below the prefix, and whether prefixes are exact.

    Exact means that equal prefixes are equal scores.
    """
    nbits = bits_of(U(max(scores.size - 1, 0))) + ONE
    low, high = key_range(scores)
    if prefers_linear(scores, low, high):
        first = double_of(low)
        # 2^-40 of slack: the largest score must not round up to one prefix too many
        scale = 2.0 ** (64.0 - np.float64(nbits)) * (1.0 - 2.0**-40) / (double_of(high) - first)
        pack_linear(scores, labels, first, scale, nbits, keys)
        return nbits, False
    shift = U(64) - bits_of(max(high - low, ONE))
    return nbits, pack_bits(scores, labels, low, shift, nbits, keys)
