"""A sort of integers that compiled code can call where NumPy's cannot be had: see `native`.

Least significant digit first. Numba's own sorts would take a second each to compile.
"""

import numpy as np

from ..._jit.kernel import kernel, part
from ..words import ONE, ZERO, U

WIDE = U(11)  # bits of a digit


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
def by_digits(keys, spare, shift, digit):
    """Return the keys sorted by their bits from `shift` on, and the array that is scratch now."""
    while shift < U(64):
        if scatter(keys, spare, shift, digit):
            keys, spare = spare, keys
        shift += digit
    return keys, spare
