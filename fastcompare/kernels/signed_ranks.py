"""Sums of signed ranks of many rows of differences, from their sizes in order.

Ranks are doubled, so midranks are whole numbers.
"""

import numpy as np

from .._jit.kernel import kernel
from .words import ONE

DROPPED, RANKED, SPLIT = 0, 1, 2  # what becomes of the ranks of zeros
UNSURE = -1  # number of zeros where only the room of each size tells what ties


@kernel
def end_of_ties(sizes, start, least, most):
    """Return where the ties of sizes[start] end, or UNSURE.

    Sizes with more room than `most` between them do not tie; those within `least` do.
    """
    stop = start + 1
    while stop < sizes.size and sizes[stop] - sizes[stop - 1] <= most:
        stop += 1
    return stop if sizes[stop - 1] - sizes[start] <= least else UNSURE


@kernel
def sum_signed_ranks(keys, sizes, room, zeros, sums, squares):
    """Write to `sums` (B, 4) the doubled ranks of positive and of negative differences, added up.

    And how many differences are 0, and how many ranks the others have; to `squares` (B) the sum of
    the squared ranks. `keys` (B, n), whose lowest bit is 1 for a negative difference, ascend in
    each row, and so do `sizes`. `room` (B, 2) is the least and the greatest that sizes of a row may
    lie apart and tie; where that does not settle all ties, the number of zeros is UNSURE.
    """
    n = sizes.shape[1]
    for b in range(sizes.shape[0]):
        start = 0
        while start < n and sizes[b, start] == 0.0:
            start += 1
        n_zero, groups = start, 0
        unranked = n_zero if zeros == DROPPED else 0
        plus = minus = np.int64(0)
        squared = 0.0
        if zeros == SPLIT:
            squared = np.float64(n_zero) * np.float64((n_zero + 1) * (n_zero + 1))
        while start < n:
            stop = end_of_ties(sizes[b], start, room[b, 0], room[b, 1])
            if stop == UNSURE:
                n_zero = UNSURE
                break
            below = np.int64(0)
            for i in range(start, stop):
                below += np.int64(keys[b, i] & ONE)
            shared = start + stop + 1 - 2 * unranked
            plus += (stop - start - below) * shared
            minus += below * shared
            squared += np.float64(stop - start) * np.float64(shared * shared)
            groups += 1
            start = stop
        sums[b, 0], sums[b, 1], sums[b, 2], sums[b, 3] = plus, minus, n_zero, groups
        squares[b] = squared
