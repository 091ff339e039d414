"""Midranks and placements by sorting, in one kernel that compiled code can call.

Ranks are doubled, so they are integers: a case's midrank is ``out[i] / 2``. `packed` does the same
from Python with NumPy's SIMD sort, which is faster for very many cases.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import U
from .keys import case_of, pack
from .placements import count_positives, mark_groups, placements_from_keys
from .radix import sort_keys


@kernel
def sorted_keys(scores, labels, scratch):
    """Return the sorted packed keys, the bits below their prefix, and whether they are exact.

    `scratch` has room for twice as many keys as there are scores.
    """
    n = scores.size
    nbits, exact = pack(scores, labels, scratch[:n])
    return sort_keys(scratch[:n], scratch[n:], nbits), nbits, exact


@kernel
def placements_radix(scores, labels, scratch, out):
    """Write the placement of every case to `out`, with `scratch` of twice as many uint64."""
    keys, nbits, exact = sorted_keys(scores, labels, scratch)
    placements_from_keys(keys, scores, U(count_positives(labels)), nbits, exact, out)


@kernel
def placements_midrank(scores, labels, out):
    """Write the placement of every case to `out`."""
    placements_radix(scores, labels, np.empty(2 * scores.size, np.uint64), out)


@kernel
def midranks(scores, out):
    """Write twice the midrank of every score to `out`: ties share the mean of their ranks."""
    n = scores.size
    labels, scratch = np.zeros(n, np.uint8), np.empty(2 * n, np.uint64)
    keys, nbits, exact = sorted_keys(scores, labels, scratch)
    new = mark_groups(keys, scores, nbits, exact)
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and not new[stop]:
            stop += 1
        for j in range(start, stop):
            out[case_of(keys[j], nbits)] = start + stop + 1  # ranks start+1 … stop, doubled mean
        start = stop
