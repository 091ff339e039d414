"""Placements by other ways than a sort of 64-bit keys: narrow keys, tables of few values, float32.

A narrow key is ``prefix | case number | label`` in 32 bits, which sort twice as fast as 64. The
prefix is a linear map of the score (nearly all small problems), its upper bits, or its place in a
sample where scores form a few tight clusters. Scores themselves settle equal prefixes, so that any
map leads to the same placements.

Scores of few distinct values (rounded probabilities, leaves of a tree) are counted in a hash table
with open addressing: 100 values take a tenth of the time of sorting. Scores in single precision fit
into the prefix of a 64-bit key, without a copy as doubles.
"""

from typing import Any

import numpy as np

from ..._jit.kernel import kernel, part
from ..sums import HALF, ONE, ZERO, U
from .keys import (
    BETWEEN,
    SAMPLE,
    best_map,
    case_number,
    double_from_integer,
    key_range,
    linear_scale,
    ordered_integer,
    pack_between,
    sample_place,
    zero_gap,
)
from .native import bit_length, sort_keys, sort_packed32
from .placements import (
    count_positives,
    equal_neighbours,
    heap_sort_pairs,
    place_by_counts,
    place_tied,
    place_untied,
    placements_from_keys,
    sort_equal_prefixes,
)

N = np.uint32
LINEAR_BELOW = 1 << 14  # cases: half of a 64-bit sort at 10^4, but at 20,000 too much to settle
MOVES = 4  # a case that settling may take before it is cheaper to start again with another map
SEEN_FROM = 1 << 12  # cases from which a look at a sample takes at most 2% of the time
LINEAR_SLOTS = 4 * SAMPLE  # of a hash table of prefixes: a power of two
CROWDED = SAMPLE // 10  # with 17 cases a prefix, which MOVES allow, as many of a sample collide


@part
def score_range(scores):
    """Return the smallest and the largest score, NaN for both if any score is NaN.

    Even and odd cases are compared separately, as a comparison waits for the one before: half the
    time.
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
    """Write keys with the prefix ``(score - low) * scale``, which is monotone in the score."""
    shift, one = N(nbits), N(1)
    for i in range(scores.size):
        prefix = N(np.int32((scores[i] - low) * scale))  # below 2^31: a number takes a bit
        keys[i] = (prefix << shift) | (N(i) << one) | N(labels[i] & 1)


@part
def has_few_collisions(scores, low, scale):
    """Return whether few of a sample's scores share a linear prefix with a different score.

    This takes a hundredth of the time of sorting equal prefixes in vain.
    """
    last, collisions = np.full(LINEAR_SLOTS, low), 0  # the last score of each slot
    for i in range(SAMPLE):
        score = scores[sample_place(i, scores.size)]
        prefix = np.int32((score - low) * scale)
        slot = prefix & (LINEAR_SLOTS - 1)
        other = last[slot]
        collisions += np.int32((other - low) * scale) == prefix and other != score
        last[slot] = score
    return collisions <= CROWDED


@part
def sort_equal_narrow_prefixes(keys, scores, nbits):
    """Sort keys of equal prefixes by their scores, by insertion.

    Returns whether scores are tied, and whether all keys are sorted: after too many moves the sort
    stops before.
    """
    tied, moves = False, 0
    for j in range(1, keys.size):
        key, i = keys[j], j
        if (key ^ keys[j - 1]) >> nbits != ZERO:
            continue
        score = scores[case_number(key, nbits)]
        while i > 0 and (key ^ keys[i - 1]) >> nbits == ZERO:
            before = scores[case_number(keys[i - 1], nbits)]
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
def place_sorted_narrow(keys, scores, tied, m, nbits, out):
    """Write the placements of narrow keys that are sorted by their scores; `tied` if any are."""
    if tied:
        place_narrow_ties(keys, scores, m, nbits, out)
    else:
        place_untied(keys, ZERO, ZERO, m, nbits, out)


@part
def place_narrow_ties(keys, scores, m, nbits, out):
    """Write the placements of keys that are sorted by their scores, with ties."""
    new = np.empty(keys.size, np.bool_)  # whether a key begins a group of ties
    new[0] = True
    for q in range(1, keys.size):
        new[q] = (keys[q] ^ keys[q - 1]) >> nbits != ZERO or (
            scores[case_number(keys[q], nbits)] != scores[case_number(keys[q - 1], nbits)]
        )
    place_tied(keys, new, ZERO, ZERO, m, nbits, out)


@kernel
def sort_narrow(scores, labels, keys):
    """Write the 32-bit keys of all cases, sorted by their scores, to `keys`.

    Returns the bits below the prefixes, whether there are ties, and whether a linear map fits: none
    does for NaN, infinities, scores that are all equal, or too many equal prefixes. The keys are
    not sorted then.
    """
    nbits = bit_length(U(scores.size - 1)) + ONE
    low, high = score_range(scores)
    scale = linear_scale(low, high, U(32) - nbits)
    if scale == 0.0 or (scores.size >= SEEN_FROM and not has_few_collisions(scores, low, scale)):
        return nbits, False, False
    pack_narrow(scores, labels, low, scale, nbits, keys)
    sort_packed32(keys, nbits)
    tied, settled = False, True
    if equal_neighbours(keys, nbits):
        tied, settled = sort_equal_narrow_prefixes(keys, scores, nbits)
    return nbits, tied, settled


@kernel
def placements_linear(scores, labels, m, keys, out):
    """Write the placement of every case to `out` by linear 32-bit keys; return False if none fit.

    `m` is the number of positives; `keys` (n uint32) is scratch.
    """
    nbits, tied, settled = sort_narrow(scores, labels, keys)
    if settled:
        place_sorted_narrow(keys, scores, tied, U(m), nbits, out)
    return settled


NARROW_MOST = 4096  # cases up to which a 64-bit sort takes twice as long, with a linear map or not


@kernel
def pack_narrow_bits(scores, labels, nbits, keys):
    """Write 32-bit keys: the prefix is a score's upper bits, from the first that differs on."""
    low, high = key_range(scores)
    shift = U(64) - bit_length(max(high - low, ONE))
    low_bits = (ONE << nbits) - ONE
    for i in range(scores.size):
        key = ((ordered_integer(scores[i]) - low) << shift) >> HALF
        keys[i] = N((key & ~low_bits) | (U(i) << ONE) | U(labels[i] & 1))


@kernel
def order_by_scores(keys, scores, nbits):
    """Sort keys of equal prefixes by their scores, in O(n log n) for any number of them."""
    values = np.empty(keys.size)
    for q in range(keys.size):
        values[q] = scores[case_number(keys[q], nbits)]
    sort_equal_prefixes(keys, values, nbits)


@kernel
def placements_narrow(scores, labels, m, keys, out):
    """Write the placement of every case to `out` by 32-bit keys.

    `scores` are 1 to 2^20 float64 without NaN; `labels` (uint8) are 0 and 1, `m` of them 1. `keys`
    (scratch) and `out` are as many uint32. All are contiguous. Up to `NARROW_MOST` scores take half
    the time of 64-bit keys.
    """
    if placements_linear(scores, labels, m, keys, out):
        return
    nbits = bit_length(U(scores.size - 1)) + ONE
    pack_narrow_bits(scores, labels, nbits, keys)
    sort_packed32(keys, nbits)
    _, settled = sort_equal_narrow_prefixes(keys, scores, nbits)
    if not settled:
        order_by_scores(keys, scores, nbits)
    place_narrow_ties(keys, scores, U(m), nbits, out)


@kernel
def placements_between(scores, labels, m, keys, out):
    """Write the placement of every case to `out` by keys between the scores of a sample.

    Returns False, without placements, if plain bits separate the scores better or too many prefixes
    are equal. `keys` (n uint32) is scratch; n is below 2^24 and at least the sample's size.
    """
    nbits = bit_length(U(scores.size - 1)) + ONE
    low, high = key_range(scores)
    shift = U(64) - bit_length(max(high - low, ONE))
    if best_map(scores, 0.0, ZERO, shift, nbits) != BETWEEN:
        return False
    pack_between(scores, labels, low, high, nbits, keys)
    sort_packed32(keys, nbits)
    tied, settled = sort_equal_narrow_prefixes(keys, scores, nbits)
    if settled:
        place_sorted_narrow(keys, scores, tied, U(m), nbits, out)
    return settled


SLOT_BITS = 11
SLOTS = 1 << SLOT_BITS
MOST = 512  # distinct values: a quarter of the slots, so that probes stay short
CASES_PER_VALUE = 16  # fewer cases a value are sorted sooner, and giving up must cost little
FIBONACCI = U(0x9E3779B97F4A7C15)  # Knuth's multiplicative hashing


@kernel
def find_slot(values, value):
    """Return the hash table's slot that contains `value`, or the empty slot where it belongs."""
    slot = (value * FIBONACCI) >> U(64 - SLOT_BITS)
    while values[slot] != value and values[slot] != ZERO:
        slot = (slot + ONE) & U(SLOTS - 1)
    return slot


@kernel
def count_distinct_values(scores, labels, most, values, counts, codes):
    """Count each distinct value by class and write ``2 slot + label`` of every case to `codes`.

    `values`, the hash table of ordered integers, comes as 0, and `counts`, by code, too. Returns
    the number of distinct values, or 0 as soon as there are more than `most`.
    """
    distinct = 0
    for i in range(scores.size):
        value = ordered_integer(scores[i])
        slot = (value * FIBONACCI) >> U(64 - SLOT_BITS)
        if values[slot] != value:  # seldom: a sixth of the time saved by looking here first
            slot = find_slot(values, value)
            if values[slot] == ZERO:  # an empty slot: no score has the ordered integer 0
                distinct += 1
                if distinct > most:
                    return 0
                values[slot] = value
        code = (slot << ONE) | U(labels[i] & 1)
        counts[code] += 1
        codes[i] = code
    return distinct


@kernel
def slots_in_order(values, distinct):
    """Return the used slots of the hash table in the order of their values."""
    slots, doubles = np.empty(distinct, np.uint64), np.empty(distinct)
    filled = 0
    for slot in range(SLOTS):
        if values[slot]:
            slots[filled], doubles[filled] = U(slot), double_from_integer(values[slot])
            filled += 1
    heap_sort_pairs(slots, doubles)
    return slots


@kernel
def placements_by_slot(values, counts, distinct, m, placement):
    """Write to `placement`, by ``2 slot + label``, the placement of cases of a value and a label.

    `counts` are by the same code; m is the number of positives.
    """
    below, above = np.int64(0), np.int64(m)
    for slot in slots_in_order(values, distinct):
        code = slot << ONE
        negatives, positives = counts[code], counts[code | ONE]
        above -= positives
        placement[code] = 2 * above + positives
        placement[code | ONE] = 2 * below + negatives
        below += negatives


@kernel
def placements_of_few_values(scores, labels, out):
    """Write the placements to `out`; return False, with `out` spoilt, if the values are many."""
    most = min(MOST, out.size // CASES_PER_VALUE)
    if most == 0:
        return False
    values = np.zeros(SLOTS, np.uint64)
    counts = np.zeros(2 * SLOTS, np.int64)
    distinct = count_distinct_values(scores, labels, most, values, counts, out)  # codes to `out`
    if distinct == 0:
        return False
    placement = np.empty(2 * SLOTS, np.uint64)
    placements_by_slot(values, counts, distinct, count_positives(labels), placement)
    for i in range(out.size):
        out[i] = placement[out[i]]
    return True


SIGN = U(1 << 31)
LEAST_BINADE = U(1023 - 127)  # of doubles, where those of single precision begin
PROBED = 1 << 13  # cases whose values tell whether all values may be few
NO_SCORES = np.empty(0)  # exact keys leave nothing to settle by the scores


@kernel
def pack_single(scores, labels, keys):
    """Write keys with the ordered bits of float32 scores as prefix; both zeros get the same."""
    bits, binades = scores.view(np.uint32), zero_gap(scores) >> U(52)
    gap = (max(binades, LEAST_BINADE) - LEAST_BINADE) << U(23)  # no scores are so close to 0
    for i in range(bits.size):
        word = U(bits[i])
        size = word & (SIGN - ONE)  # the bits of |score|
        size -= gap if size else ZERO
        prefix = SIGN + size if word < SIGN else SIGN - size
        keys[i] = (prefix << HALF) | (U(i) << ONE) | U(labels[i] & 1)


def placements_single(scores: Any, labels: Any, scratch: Any, out: Any) -> None:
    """Write the placement of every case to `out`, with `scratch` of as many uint64.

    `scores` are float32 without NaN, fewer than 2^31. If the first of them have few values, all are
    copied to `scratch` as doubles, and counted in a hash table.
    """
    n, probed = scores.size, slice(PROBED)
    keys = scratch[:n]
    if placements_of_few_values(scores[probed].astype(np.float64), labels[probed], out[probed]):
        doubles = keys.view(np.float64)
        doubles[:] = scores
        if placements_of_few_values(doubles, labels, out):
            return
    pack_single(scores, labels, keys)
    m = U(count_positives(labels))
    if place_by_counts(keys, HALF, m, out):
        return
    sort_keys(keys, HALF)
    placements_from_keys(keys, NO_SCORES, m, HALF, True, out)
