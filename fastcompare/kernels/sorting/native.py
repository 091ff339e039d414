"""Sorts of integers in place, for compiled code: NumPy's with SIMD, or the radix sort."""

import numpy as np

from ..._jit.kernel import kernel
from ..._jit.numpy_sort import native_sort
from ..words import ZERO
from .radix import WIDE, by_digits


@kernel
def radix_sort(keys):
    """Sort contiguous unsigned integers in place, where NumPy's sort cannot be called."""
    if keys.size:
        in_order, _ = by_digits(keys, np.empty_like(keys), ZERO, WIDE)
        keys[:] = in_order


sort64 = native_sort("uint64") or radix_sort
sort32 = native_sort("uint32") or radix_sort
