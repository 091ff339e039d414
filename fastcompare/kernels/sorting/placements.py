"""Midranks and placements by sorted packed keys: the integers of which DeLong's method is made.

The placement of a case is twice the number of cases of the other class that it outranks, a tie
counting 1: for a positive, negatives below it; for a negative, positives above it. With m positives
and n negatives, V10 = placement / 2n and V01 = placement / 2m (DeLong et al. 1988), both exact
rationals, by midranks as in Sun and Xu (2014), which are doubled to be integers.

Runs of keys with equal prefixes are sorted by the scores: short ones as a heap, long ones by keys
of the upper bits of their values above the least, for the sort with SIMD; what those do not
distinguish differs in the last bits, and is sorted once more.
"""

from typing import Any

import numpy as np

from ..._jit.kernel import kernel, part
from ..sums import ONE, TWO, ZERO, U
from .keys import case_number, ordered_integer, pack
from .native import bit_length, sort64, sort_keys, sort_packed64

LONG = 16  # pairs up to which a heap takes no longer


@kernel
def sift_down(keys, values, root, size):
    """Move the pair at `root` down to its place in the heap of the first `size` pairs."""
    key, value = keys[root], values[root]
    child = 2 * root + 1
    while child < size:
        if child + 1 < size and values[child + 1] > values[child]:
            child += 1
        if values[child] <= value:
            break
        keys[root], values[root] = keys[child], values[child]
        root, child = child, 2 * child + 1
    keys[root], values[root] = key, value


@kernel
def heap_sort_pairs(keys, values):
    """Sort `values` in place and bring `keys` into the same order, in O(n log n) at worst."""
    for root in range(keys.size // 2 - 1, -1, -1):
        sift_down(keys, values, root, keys.size)
    for last in range(keys.size - 1, 0, -1):
        keys[0], keys[last] = keys[last], keys[0]
        values[0], values[last] = values[last], values[0]
        sift_down(keys, values, 0, last)


@kernel
def sort_pairs_by_bits(keys, values):
    """Sort pairs by the upper bits of (value - least value), as many as fit into a packed key.

    Pairs of the same upper bits keep their order. Returns the ordered integer of the least value,
    and the number of lower bits that were ignored.
    """
    low, high = ~ZERO, ZERO
    for i in range(values.size):
        bits = ordered_integer(values[i])
        low = bits if bits < low else low
        high = bits if bits > high else high
    value_bits, index_bits = bit_length(max(high - low, ONE)), bit_length(U(values.size - 1))
    index_mask = (ONE << index_bits) - ONE
    packed = np.empty(values.size, np.uint64)  # upper bits of the value | index
    for i in range(values.size):
        above = (ordered_integer(values[i]) - low) << (U(64) - value_bits)
        packed[i] = (above & ~index_mask) | U(i)
    sort64(packed)
    old_keys, old_values = keys.copy(), values.copy()
    for i in range(values.size):
        keys[i], values[i] = old_keys[packed[i] & index_mask], old_values[packed[i] & index_mask]
    both = value_bits + index_bits
    return low, both - U(64) if both > U(64) else ZERO


@kernel
def sort_many_pairs(keys, values):
    """Sort `values` in place, and `keys` along with them: 10^6 in a seventh of a heap's time."""
    low, ignored_bits = sort_pairs_by_bits(keys, values)
    start = 0
    for q in range(1, values.size + 1):
        if ignored_bits == ZERO:  # all are in order
            break
        if q == values.size or (ordered_integer(values[q]) - low) >> ignored_bits != (
            (ordered_integer(values[start]) - low) >> ignored_bits
        ):  # the pairs from `start` to q - 1 have the same upper bits
            if q - start > LONG:
                sort_pairs_by_bits(keys[start:q], values[start:q])
            elif q - start > 1:
                heap_sort_pairs(keys[start:q], values[start:q])
            start = q


BLOCK = U(512)  # keys that are looked through for ties at once
MANY_TIES = U(32)  # in a block; with fewer most groups are single cases, and branches cost little


@kernel
def count_positives(labels):
    """Return m, the number of labels that are 1."""
    m = np.int64(0)
    for label in labels:
        m += np.int64(label & 1)
    return m


@part
def equal_neighbours(keys, nbits):
    """Return the number of keys with the same prefix as the next key."""
    equal = ZERO
    for j in range(keys.size - 1):
        equal += U(((keys[j] ^ keys[j + 1]) >> nbits) == ZERO)
    return equal


@part
def run_end(keys, stop, nbits):
    """Return the end of the run of equal prefixes that contains ``keys[stop - 1]``."""
    while stop < U(keys.size) and (keys[stop] ^ keys[stop - ONE]) >> nbits == ZERO:
        stop += ONE
    return stop


@kernel
def count_inversions(keys, values, nbits):
    """Return how many keys have the prefix of the key before, but a smaller value."""
    wrong = ZERO
    for q in range(1, keys.size):
        equal = U(((keys[q] ^ keys[q - 1]) >> nbits) == ZERO)
        wrong += equal & U(values[q - 1] > values[q])
    return wrong


@kernel
def sort_equal_prefixes(keys, values, nbits):
    """Sort every run of keys with equal prefixes by their values."""
    start = 0
    for q in range(1, keys.size + 1):
        if q == keys.size or (keys[q] ^ keys[start]) >> nbits != ZERO:
            if q - start > LONG:
                sort_many_pairs(keys[start:q], values[start:q])
            elif q - start > 1:
                heap_sort_pairs(keys[start:q], values[start:q])
            start = q


@kernel
def sort_and_mark_ties(keys, scores, nbits, new):
    """Sort keys of equal prefixes by their scores; write to `new` where a new score begins."""
    values = np.empty(keys.size)
    for q in range(keys.size):  # all loads first: they overlap in the memory system
        values[q] = scores[case_number(keys[q], nbits)]
    if count_inversions(keys, values, nbits):
        sort_equal_prefixes(keys, values, nbits)
    new[0] = True
    for q in range(1, keys.size):
        new[q] = values[q] != values[q - 1]


@kernel
def mark_tie_starts(keys, scores, nbits, exact):
    """Return where groups of tied scores begin, sorting keys of equal prefixes unless `exact`."""
    new = np.empty(keys.size, np.bool_)
    if exact:
        new[0] = True
        for q in range(1, keys.size):
            new[q] = (keys[q] ^ keys[q - 1]) >> nbits != ZERO
    else:
        sort_and_mark_ties(keys, scores, nbits, new)
    return new


@part
def place_untied(keys, first, below, m, nbits, out):
    """Write the placements of keys without ties; return the number of negatives up to their end.

    `first` cases, `below` of them negative, come before; m is the number of positives.
    """
    for j in range(keys.size):
        key = keys[j]
        negative = (key & ONE) - ONE  # all ones for a negative: a mask, not a branch
        # a negative's is m less the (first + j - below) positives before
        out[case_number(key, nbits)] = (below + ((m - first - U(j)) & negative)) << ONE
        below -= negative  # all ones are -1
    return below


@part
def place_tied(keys, new, first, below, m, nbits, out):
    """Write the placements of groups of ties; return the number of negatives up to their end.

    `new` marks where groups begin; `first`, `below` and `m` are as in `place_untied`.
    """
    start, n = 0, keys.size
    while start < n:
        stop, positives = start + 1, keys[start] & ONE
        while stop < n and not new[stop]:
            positives += keys[stop] & ONE
            stop += 1
        negatives = U(stop - start) - positives
        above = m - (first + U(start) - below) - positives
        beats_n, beats_p = TWO * below + negatives, TWO * above + positives
        for j in range(start, stop):
            out[case_number(keys[j], nbits)] = beats_n if keys[j] & ONE else beats_p
        below += negatives
        start = stop
    return below


@kernel
def place_many_ties(keys, new, first, below, m, nbits, out):
    """Write and return the same as `place_tied` without branches, for unpredictable group sizes.

    A group's placements are sums of counts before and after it, from one pass up and one pass down:
    0.7 of the time for 10^5 scores of 5 decimals. A mask is all ones or 0, and a ^ ((a ^ b) & mask)
    is b or a.
    """
    n, before = keys.size, np.empty(keys.size, out.dtype)  # of the other class
    start, under = first, below
    for j in range(n):
        negative, begins = (keys[j] & ONE) - ONE, ZERO - U(new[j])  # masks
        start ^= (start ^ (first + U(j))) & begins
        under ^= (under ^ below) & begins
        before[j] = under ^ ((under ^ (start - under)) & negative)
        below -= negative
    stop, over, passed = first + U(n), below, below
    for j in range(n - 1, -1, -1):
        negative, begins = (keys[j] & ONE) - ONE, ZERO - U(new[j])
        both = U(before[j]) + (over ^ ((over ^ (stop - over)) & negative))
        out[case_number(keys[j], nbits)] = both ^ ((both ^ (TWO * m - both)) & negative)
        passed += negative
        stop ^= (stop ^ (first + U(j))) & begins
        over ^= (over ^ passed) & begins
    return below


@kernel
def place_keys(keys, first, below, scores, m, nbits, exact, out):
    """Write the placements of sorted keys; `first` cases, `below` of them negative, come before.

    No key before or after these keys has a prefix of theirs.
    """
    n, start = U(keys.size), ZERO
    while start < n:
        stop = min(start + BLOCK, n)
        block = keys[start : min(stop + ONE, n)]
        equal = equal_neighbours(block, nbits)
        if equal == ZERO:
            below = place_untied(keys[start:stop], first + start, below, m, nbits, out)
        else:
            stop = run_end(keys, stop, nbits)
            tied = keys[start:stop]
            new = mark_tie_starts(tied, scores, nbits, exact)
            if exact and equal > MANY_TIES:
                below = place_many_ties(tied, new, first + start, below, m, nbits, out)
            else:
                below = place_tied(tied, new, first + start, below, m, nbits, out)
        start = stop


@kernel
def placements_from_keys(keys, scores, m, nbits, exact, out):
    """Write the placement of every case to `out`; `keys` are sorted, `m` counts positives.

    `exact` says that equal prefixes mean equal scores. A block without equal neighbours, the
    usual case for continuous scores, runs without a branch.
    """
    place_keys(keys, ZERO, ZERO, scores, m, nbits, exact, out)


FEW_CODES = 1 << 21  # whose counts by label take 16 MiB, of which scores touch a part
PROBED_SHARE = 64  # the range of a 64th of the keys shows soon if codes are many


@kernel
def code_range(keys, nbits):
    """Return the lowest bit in which prefixes differ, the least code, and the number of codes.

    A code is a prefix from that bit on.
    """
    low = high = keys[0]
    differing = ZERO
    for key in keys:
        low = key if key < low else low
        high = key if key > high else high
        differing |= key ^ keys[0]
    shift = nbits
    while shift < U(63) and (differing >> shift) & ONE == ZERO:
        shift += ONE
    return shift, low >> shift, (high >> shift) - (low >> shift) + ONE


@kernel
def place_by_counts(keys, nbits, m, out):
    """Write the placements of exact keys, in any order, by counting codes; False if codes are many.

    A code is a prefix without the bits that are the same in all of them.
    """
    most = U(min(FEW_CODES, keys.size))
    shift, low, codes = code_range(keys[: max(keys.size // PROBED_SHARE, 1)], nbits)
    if codes <= most:
        shift, low, codes = code_range(keys, nbits)
    if codes > most:
        return False
    counts = np.zeros(TWO * codes, out.dtype)  # by code and label, then replaced by placements
    for key in keys:
        counts[(((key >> shift) - low) << ONE) | (key & ONE)] += 1
    below, above = ZERO, m
    for code in range(0, counts.size, 2):
        negatives, positives = U(counts[code]), U(counts[code + 1])
        above -= positives
        counts[code] = TWO * above + positives
        counts[code + 1] = TWO * below + negatives
        below += negatives
    for i in range(keys.size):
        out[i] = counts[(((keys[i] >> shift) - low) << ONE) | (keys[i] & ONE)]
    return True


def placements_simd(scores: Any, labels: Any, scratch: Any, out: Any) -> None:
    """Write the placement of every case to `out` by NumPy's sort.

    `scratch` has at least as many uint64 as there are scores.
    """
    keys = scratch[: scores.size]
    (nbits, exact), m = pack(scores, labels, keys), U(count_positives(labels))
    if exact and place_by_counts(keys, U(nbits), m, out):
        return
    sort_keys(keys, nbits)
    placements_from_keys(keys, scores, m, U(nbits), exact, out)


def placements_packed(scores: Any, labels: Any, out: Any) -> None:
    """Write the placement of every case to `out`, an array of uint32 (uint64 from 2^31 cases)."""
    placements_simd(scores, labels, np.empty(scores.size, np.uint64), out)


@kernel
def sorted_keys(scores, labels, scratch):
    """Return the sorted packed keys, the bits below their prefix, and whether they are exact.

    Exact means that equal prefixes are equal scores; others are still to be sorted. The keys lie in
    `scratch`, which has space for as many uint64 as there are scores.
    """
    keys = scratch[: scores.size]
    nbits, exact = pack(scores, labels, keys)
    sort_packed64(keys, nbits)
    return keys, nbits, exact


@kernel
def placements_midrank(scores, labels, out):
    """Write the placement of every case to `out`, by one sort of 64-bit keys or by counts."""
    keys, m = np.empty(scores.size, np.uint64), U(count_positives(labels))
    nbits, exact = pack(scores, labels, keys)
    if exact and place_by_counts(keys, nbits, m, out):
        return
    sort_packed64(keys, nbits)
    placements_from_keys(keys, scores, m, nbits, exact, out)


@kernel
def midranks(scores, out):
    """Write twice the midrank of every score to `out`: ties share the mean of their ranks."""
    n = scores.size
    keys, nbits, exact = sorted_keys(scores, np.zeros(n, np.uint8), np.empty(n, np.uint64))
    new = mark_tie_starts(keys, scores, nbits, exact)
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and not new[stop]:
            stop += 1
        doubled = start + stop + 1  # twice the mean of the ranks start + 1, ..., stop
        for j in range(start, stop):
            out[case_number(keys[j], nbits)] = doubled
        start = stop
