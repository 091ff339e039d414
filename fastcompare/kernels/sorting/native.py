"""Sorts of unsigned integers in place: NumPy's with SIMD, or by digits where it is slow or absent.

A sort by digits takes the least significant first. The counts of many keys' digits leave the cache,
so these keys are first split by their highest bits, in place, and sorted part by part. Numba's
sorts would take a second each to compile.
"""

from typing import Any

import numpy as np

from ..._jit.kernel import kernel, part
from ..._jit.numpy_sort import native_sort, sorts_by_microcode
from ..sums import HALF, ONE, ZERO, U

DIGIT = U(11)  # bits; with 8 to 10 and 12, 3,000 and more keys take up to 1.6 of the time
MANY = 1 << 19  # keys that are split first: of 10^6, in half of the time, and with little room
SPLIT, DIGIT_OF_PART = U(6), U(10)  # bits; 4 to 10 and 8 to 12 were tried
FEW_PARTS = 8  # a part that is more of the keys is split again: of float32, two hold nearly all


@part
def bit_length(value):
    """Return the number of bits of an integer: 0 for 0, 1 for 1, 2 for 2 and 3."""
    n = ZERO
    while n < U(64) and value >> n:  # a shift by 64 is undefined
        n += ONE
    return n


@kernel
def counting_sort(keys, out, shift, n_bits):
    """Write `keys` to `out`, sorted stably by one digit: the `n_bits` bits from bit `shift` on.

    Return whether this was done: False, with nothing written, if all keys share the digit.
    """
    mask = (ONE << n_bits) - ONE
    place = np.zeros(mask + ONE, np.int64)  # counts first, then where each next key goes
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
def radix_sort_bits(keys, spare, most, first, stop):
    """Sort keys in place, stably, by their bits from `first` up to `stop`, with scratch `spare`.

    The passes are as few as digits of at most `most` bits allow.
    """
    if keys.size < 2 or first >= stop:
        return
    digits = (stop - first + most - ONE) // most
    digit = (stop - first + digits - ONE) // digits
    source, target, shift, elsewhere = keys, spare, first, False
    while shift < stop:
        if counting_sort(source, target, shift, digit):
            source, target, elsewhere = target, source, not elsewhere
        shift += digit
    if elsewhere:
        for i in range(keys.size):
            keys[i] = source[i]


@kernel
def american_flag_sort(keys, shift, ends):
    """Sort keys in place by one digit, from bit `shift` on; write where each digit's part ends.

    McIlroy, Bostic and McIlroy (1993), Engineering radix sort, Computing Systems 6, 5-27: a key
    goes to its part and the key there is taken on, until one belongs to the first place. The number
    of digits, a power of two, is the size of `ends`.
    """
    place = np.zeros(ends.size, np.int64)  # counts first, then where each next key goes
    mask = U(ends.size - 1)
    for i in range(keys.size):
        place[(keys[i] >> shift) & mask] += 1
    total = 0
    for b in range(ends.size):
        place[b], total = total, total + place[b]
        ends[b] = total
    for b in range(ends.size):
        while place[b] < ends[b]:
            key = keys[place[b]]
            bucket = (key >> shift) & mask
            while bucket != U(b):
                keys[place[bucket]], key = key, keys[place[bucket]]
                place[bucket] += 1
                bucket = (key >> shift) & mask
            keys[place[b]] = key
            place[b] += 1


@kernel
def split_highest(keys, ends):
    """Sort keys by the highest bits in which they differ; return the number of bits below these."""
    differing = ZERO
    for i in range(keys.size):
        differing |= U(keys[i] ^ keys[0])
    stop = max(bit_length(differing), SPLIT) - SPLIT
    american_flag_sort(keys, stop, ends)
    return stop


@kernel
def sort_large_part(keys, ends, spare, first):
    """Sort in place, by the bits from `first` on, a part that has many of all keys.

    It is split by its highest bits, and the parts are sorted by digits.
    """
    stop = split_highest(keys, ends)
    start = 0
    for b in range(ends.size):
        size = ends[b] - start
        radix_sort_bits(keys[start : ends[b]], spare[:size], DIGIT_OF_PART, first, stop)
        start = ends[b]


@kernel
def sort_by_parts(keys, ends, spare, first):
    """Sort many keys in place, by their bits from `first` on.

    They are split by their highest bits, and each part is sorted by digits. `ends` and `spare` are
    scratch; as much of `spare` is used as the largest part takes.
    """
    stop = split_highest(keys, ends)
    start = 0
    for b in range(ends.size):
        size = ends[b] - start
        if size > keys.size // FEW_PARTS:
            sort_large_part(keys[start : ends[b]], np.empty_like(ends), spare, first)
        else:
            radix_sort_bits(keys[start : ends[b]], spare[:size], DIGIT_OF_PART, first, stop)
        start = ends[b]


@kernel
def radix_sort_from(keys, first):
    """Sort contiguous unsigned integers in place by their bits from `first` on.

    Fewer than `MANY` keys that share these bits keep their order. Scratch memory is mapped only
    where it is written.
    """
    spare = np.empty_like(keys)
    if keys.size >= MANY:
        sort_by_parts(keys, np.empty(ONE << SPLIT, np.int64), spare, first)
    else:
        radix_sort_bits(keys, spare, DIGIT, first, U(8 * keys.itemsize))


@kernel
def radix_sort(keys):
    """Sort contiguous unsigned integers in place."""
    radix_sort_from(keys, ZERO)


FEWEST_DIGITS = 1500  # keys from which digits win where NumPy's sort is slow
SLOW = sorts_by_microcode()
numpys_sort64, numpys_sort32 = (native_sort(dtype) or radix_sort for dtype in ("uint64", "uint32"))


@kernel
def digit_sort_from64(keys, first):
    """Sort 64-bit keys by digits where NumPy's sort is slow: 10^6 in a third of the time."""
    if keys.size < FEWEST_DIGITS:
        numpys_sort64(keys)
    else:
        radix_sort_from(keys, first)


@kernel
def digit_sort_from32(keys, first):
    """Sort 32-bit keys by digits where NumPy's sort is slow: 10^4 in 0.4 of the time."""
    if keys.size < FEWEST_DIGITS:
        numpys_sort32(keys)
    else:
        radix_sort_bits(keys, np.empty_like(keys), DIGIT, first, HALF)


@kernel
def numpy_or_radix_sort64(keys, first):
    """Sort 64-bit keys by NumPy's sort, whatever the bits below `first`."""
    numpys_sort64(keys)


@kernel
def numpy_or_radix_sort32(keys, first):
    """Sort 32-bit keys by NumPy's sort, whatever the bits below `first`."""
    numpys_sort32(keys)


# sorts of packed keys, which come in the order of their bits below `first`: these may be left out
sort_packed64 = digit_sort_from64 if SLOW else numpy_or_radix_sort64
sort_packed32 = digit_sort_from32 if SLOW else numpy_or_radix_sort32


@kernel
def sort64(keys):
    """Sort 64-bit keys in place by all their bits."""
    sort_packed64(keys, ZERO)


def sort_keys(keys: Any, first: Any = ZERO) -> None:
    """Sort contiguous uint32 or uint64 in place, packed keys by their bits from `first`."""
    if SLOW and keys.size >= FEWEST_DIGITS:
        radix_sort_from(keys, U(first))
    else:
        keys.sort()
