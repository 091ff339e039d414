"""Placements by NumPy's SIMD sort of packed keys: the fast way for very large problems.

Plain Python around kernels, because NumPy's sort cannot be called from compiled code.
"""

from typing import Any

import numpy as np

from .keys import pack
from .placements import count_positives, placements_from_keys
from .radix import U


def placements_packed(scores: Any, labels: Any, out: Any) -> None:
    """Write the placement of every case to `out`, an array of uint32 (uint64 from 2^31 cases)."""
    keys = np.empty(scores.size, np.uint64)
    nbits, exact = pack(scores, labels, keys)
    keys.sort()
    placements_from_keys(keys, scores, U(count_positives(labels)), U(nbits), exact, out)
