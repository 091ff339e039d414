"""A sort of integers by their digits, where NumPy's cannot be had or is slow: see `native`.

Least significant digit first. Of many keys the digits' places leave the cache: these are split by
their highest bits first, in place, and sorted part after part. Numba's own sorts would take a
second each to compile.
"""

import numpy as np

from ..._jit.kernel import kernel, part
from ..words import ONE, ZERO, U

DIGIT = U(11)  # bits; with 8 to 10 and 12, 3,000 and more keys take up to 1.6 of the time
MANY = 1 << 17  # keys that are split first: of 10^6, half of the time
SPLIT, DIGIT_OF_PART = U(6), U(10)  # bits; 4 to 10 and 8 to 12 were tried
MAPPED = 1 << 22  # keys: room for these, 32 MiB, malloc gives back at once; what is below it keeps


@part
def bits_of(value):
    """Return how many bits the integer takes."""
    n = ZERO
    while n < U(64) and value >> n:  # a shift by 64 is undefined
        n += ONE
    return n


@kernel
def scatter(keys, out, shift, digit):
    """Sort `keys` into `out` by one digit, stably; return False when all share that digit."""
    mask = (ONE << digit) - ONE
    place = np.zeros(mask + ONE, np.int64)
    for i in range(keys.size):
        place[(keys[i] >> shift) & mask] += 1
    if place[(keys[0] >> shift) & mask] == keys.size:
        return False
    total = 0
    for b in range(place.size):
        place[b], total = total, total + place[b]
    for i in range(keys.size):
        bucket = (keys[i] >> shift) & mask
        out[place[bucket]] = keys[i]
        place[bucket] += 1
    return True


@kernel
def by_digits(keys, spare, digit, stop):
    """Sort keys in place by their lowest `stop` bits; `spare` is as many."""
    source, target, shift, elsewhere = keys, spare, ZERO, False
    while shift < stop:
        if scatter(source, target, shift, digit):
            source, target, elsewhere = target, source, not elsewhere
        shift += digit
    if elsewhere:
        for i in range(keys.size):
            keys[i] = source[i]


@kernel
def split(keys, shift, ends):
    """Bring keys in place into the order of their bits from `shift` on; write where each part ends.

    Each key that is taken from a place puts the next one there: the American flag sort of McIlroy,
    Bostic and McIlroy (1993), Engineering radix sort, Computing Systems 6, 5-27.
    """
    place = np.zeros(ends.size, np.int64)
    for i in range(keys.size):
        place[keys[i] >> shift] += 1
    total = 0
    for b in range(ends.size):
        place[b], total = total, total + place[b]
        ends[b] = total
    for b in range(ends.size):
        while place[b] < ends[b]:
            key = keys[place[b]]
            own = key >> shift
            while own != U(b):
                keys[place[own]], key = key, keys[place[own]]
                place[own] += 1
                own = key >> shift
            keys[place[b]] = key
            place[b] += 1


@kernel
def sort_parts(keys, stop, ends):
    """Sort many keys in place: split from bit `stop` on, then by digits below."""
    split(keys, stop, ends)
    largest = start = 0
    for b in range(ends.size):
        largest, start = max(largest, ends[b] - start), ends[b]
    room = max(largest, MAPPED) if keys.size >= MAPPED else largest
    spare, start = np.empty(room, keys.dtype), 0
    for b in range(ends.size):
        size = ends[b] - start
        if size:
            by_digits(keys[start : ends[b]], spare[:size], DIGIT_OF_PART, stop)
        start = ends[b]


@kernel
def radix_sort(keys):
    """Sort contiguous unsigned integers in place."""
    bits = U(8 * keys.itemsize)
    if keys.size >= MANY:
        sort_parts(keys, bits - SPLIT, np.empty(ONE << SPLIT, np.int64))
    elif keys.size:
        by_digits(keys, np.empty_like(keys), DIGIT, bits)
