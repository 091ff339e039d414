"""Sums of doubles, and of their squares, without any rounding: the same in any order.

A double is a whole number below 2^53 times a power of two. Whole numbers of the same power are
added up in words of 64 bits; Python's integers put the words together (Neal 2015,
arXiv:1505.05571, whose large superaccumulator this is).
"""

import numpy as np

from .._jit.kernel import kernel
from .words import HALF, WORD, ZERO, U

ROWS = 1 << 20  # numbers at most in a call: words get up to 43 bits of each, and have room for 63
POWERS = 1 << 11
SHIFT, SIGN = U(52), U(63)
FRACTION, HIDDEN, EXPONENT = U((1 << 52) - 1), U(1 << 52), U(POWERS - 1)


@kernel
def add_numbers(bits, words):
    """Add doubles, given by their bits, to `words` (2048, 2): a row a power, low bits first."""
    for i in range(bits.size):
        word = bits[i]
        power = np.int64((word >> SHIFT) & EXPONENT)
        whole = (word & FRACTION) + (HIDDEN if power else ZERO)
        sign = np.int64(1) - np.int64(2) * np.int64(word >> SIGN)
        words[power, 0] += sign * np.int64(whole & WORD)
        words[power, 1] += sign * np.int64(whole >> HALF)


@kernel
def add_squares(bits, words):
    """Add the squares of doubles to `words` (2048, 3): a row a power, 32 bits a word."""
    for i in range(bits.size):
        word = bits[i]
        power = np.int64((word >> SHIFT) & EXPONENT)
        whole = (word & FRACTION) + (HIDDEN if power else ZERO)
        low, high = whole & WORD, whole >> HALF
        square, cross = low * low, (low * high) << U(1)
        words[power, 0] += np.int64(square & WORD)
        words[power, 1] += np.int64(square >> HALF) + np.int64(cross & WORD)
        words[power, 2] += np.int64(cross >> HALF) + np.int64(high * high)
