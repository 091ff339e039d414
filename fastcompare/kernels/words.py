"""Unsigned 64-bit words, and the constants that keep compiled arithmetic unsigned."""

import numpy as np

U = np.uint64
ZERO, ONE, TWO = U(0), U(1), U(2)
WORD = U(0xFFFFFFFF)  # the lower half of a word
HALF = U(32)
