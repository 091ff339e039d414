"""Sorts of integers in place: NumPy's with SIMD, or by digits where that is missing or slow."""

from typing import Any

import numpy as np

from ..._jit.kernel import kernel
from ..._jit.numpy_sort import is_slow, native_sort
from ..words import HALF
from .radix import DIGIT, by_digits, radix_sort

FEWEST_DIGITS = 1500  # keys from which digits win where NumPy's sort is slow
SLOW = is_slow()
numpys_sort64, numpys_sort32 = (native_sort(own) or radix_sort for own in ("uint64", "uint32"))


@kernel
def quicker_sort64(keys):
    """Sort keys of 64 bits where NumPy's sort is slow: of 10^6, in a third of the time."""
    if keys.size < FEWEST_DIGITS:
        numpys_sort64(keys)
    else:
        radix_sort(keys)


@kernel
def quicker_sort32(keys):
    """Sort keys of 32 bits where NumPy's sort is slow: of 10^4, in 0.4 of the time."""
    if keys.size < FEWEST_DIGITS:
        numpys_sort32(keys)
    else:
        by_digits(keys, np.empty_like(keys), DIGIT, HALF)


sort64 = quicker_sort64 if SLOW else numpys_sort64
sort32 = quicker_sort32 if SLOW else numpys_sort32


def sort_keys(keys: Any) -> None:
    """Sort contiguous uint32 or uint64 in place, from Python."""
    if SLOW and keys.size >= FEWEST_DIGITS:
        radix_sort(keys)
    else:
        keys.sort()
