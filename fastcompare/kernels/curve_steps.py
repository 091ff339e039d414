"""One model's cases as steps along a curve, from its highest score down, from sorted packed keys.

A step has a mark: whether it goes up (a positive) and whether it is the last of its group of tied
scores. A mirrored walk goes from the lowest score up and has the classes exchanged.
"""

import numpy as np

from .._jit.kernel import kernel
from .sorting.keys import case_of
from .sorting.placements import BLOCK, equal_neighbours, run_end, settle
from .words import ONE, ZERO, U

UP, LAST = np.uint8(1), np.uint8(2)  # marks of a step


@kernel
def mark_steps(keys, nbits, mirrored, marks):
    """Write the marks of a walk on which equal prefixes are ties; return how many steps tie."""
    top, other = keys.size - 1, U(mirrored)
    j, on = (0, 1) if mirrored else (top, -1)
    key, tied = keys[j], 0
    for i in range(top):
        j += on
        last = (key ^ keys[j]) >> nbits != ZERO
        marks[i] = np.uint8((key & ONE) ^ other) | (np.uint8(last) << UP)
        tied += not last
        key = keys[j]
    marks[top] = np.uint8((key & ONE) ^ other) | LAST
    return tied


@kernel
def mark_block(keys, new, mirrored, marks):
    """Write the marks of keys to their place in the walk; `new` says where tied groups begin."""
    top, other = keys.size - 1, U(mirrored)
    for j in range(keys.size):
        up = np.uint8((keys[j] & ONE) ^ other)
        last = (j == top or new[j + 1]) if mirrored else new[j]
        marks[j if mirrored else top - j] = up | (np.uint8(last) << UP)


@kernel
def settle_steps(keys, scores, nbits, mirrored, marks):
    """Order equal prefixes by their scores, and write the marks of those steps anew."""
    n, start, new = U(keys.size), ZERO, np.empty(keys.size, np.bool_)
    while start < n:
        stop = min(start + BLOCK, n)
        if equal_neighbours(keys[start : min(stop + ONE, n)], nbits):
            stop = run_end(keys, stop, nbits)
            settle(keys[start:stop], scores, nbits, new[start:stop])
            out = marks[start:stop] if mirrored else marks[n - stop : n - start]
            mark_block(keys[start:stop], new[start:stop], mirrored, out)
        start = stop


@kernel
def step_rows(keys, nbits, mirrored, case_rows, rows):
    """Write the row of weights of every step of the walk."""
    top = keys.size - 1
    for j in range(keys.size):
        rows[j if mirrored else top - j] = case_rows[case_of(keys[j], nbits)]
