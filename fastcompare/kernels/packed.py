"""Placements by NumPy's SIMD sort of packed keys: the fast way for very large problems.

Plain Python around kernels, because NumPy's sort cannot be called from compiled code.
"""

import numpy as np

from .few_values import placements_of_few_values
from .keys import pack
from .placements import placements_from_keys
from .radix import U


def placements_packed(scores, labels, out):
    """Write the placement of every case to `out`, an array of uint32 (uint64 from 2^31 cases)."""
    m = np.count_nonzero(labels)
    if placements_of_few_values(scores, labels, m, out):
        return
    keys = np.empty(scores.size, np.uint64)
    nbits, exact = pack(scores, labels, keys)
    keys.sort()
    placements_from_keys(keys, scores, U(m), U(nbits), exact, out)
