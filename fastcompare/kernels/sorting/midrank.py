"""Midranks and placements by sorting, in one kernel that compiled code can call.

Ranks are doubled, so they are integers: a case's midrank is ``out[i] / 2``.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import U
from .keys import case_of, pack
from .native import sort64
from .placements import count_positives, mark_groups, placements_from_keys


@kernel
def sorted_keys(scores, labels, scratch):
    """Return the sorted packed keys, the bits below their prefix, and whether they are exact.

    The keys lie in `scratch`, which has room for as many uint64 as there are scores.
    """
    keys = scratch[: scores.size]
    nbits, exact = pack(scores, labels, keys)
    sort64(keys)
    return keys, nbits, exact


@kernel
def placements_midrank(scores, labels, out):
    """Write the placement of every case to `out`."""
    keys, nbits, exact = sorted_keys(scores, labels, np.empty(scores.size, np.uint64))
    placements_from_keys(keys, scores, U(count_positives(labels)), nbits, exact, out)


@kernel
def midranks(scores, out):
    """Write twice the midrank of every score to `out`: ties share the mean of their ranks."""
    n = scores.size
    keys, nbits, exact = sorted_keys(scores, np.zeros(n, np.uint8), np.empty(n, np.uint64))
    new = mark_groups(keys, scores, nbits, exact)
    start = 0
    while start < n:
        stop = start + 1
        while stop < n and not new[stop]:
            stop += 1
        for j in range(start, stop):
            out[case_of(keys[j], nbits)] = start + stop + 1  # ranks start+1 … stop, doubled mean
        start = stop
