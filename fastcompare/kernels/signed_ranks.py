"""Sums of signed ranks of many rows of differences, from their sizes in order.

Ranks are doubled, so midranks are whole numbers.
"""

import numpy as np

from .._jit.kernel import kernel
from .words import ONE

DROPPED, RANKED, SPLIT = 0, 1, 2  # what becomes of the ranks of zeros


@kernel
def sum_signed_ranks(keys, sizes, near, zeros, sums, squares):
    """Write to `sums` (B, 4) the doubled ranks of positive and of negative differences, added up.

    And how many differences are 0, and how many ranks the others have; to `squares` (B) the sum of
    the squared ranks. `keys` (B, n), whose lowest bit is 1 for a negative difference, ascend in
    each row, and so do `sizes`. Sizes up to `near` (B) are 0; neighbours no further apart tie.
    """
    n = sizes.shape[1]
    for b in range(sizes.shape[0]):
        start = 0
        while start < n and sizes[b, start] <= near[b]:
            start += 1
        n_zero, groups = start, 0
        unranked = n_zero if zeros == DROPPED else 0
        plus = minus = np.int64(0)
        squared = 0.0
        if zeros == SPLIT:
            squared = np.float64(n_zero) * np.float64((n_zero + 1) * (n_zero + 1))
        while start < n:
            below = np.int64(keys[b, start] & ONE)
            stop = start + 1
            while stop < n and sizes[b, stop] - sizes[b, stop - 1] <= near[b]:
                below += np.int64(keys[b, stop] & ONE)
                stop += 1
            shared = start + stop + 1 - 2 * unranked
            plus += (stop - start - below) * shared
            minus += below * shared
            squared += np.float64(stop - start) * np.float64(shared * shared)
            groups += 1
            start = stop
        sums[b, 0], sums[b, 1], sums[b, 2], sums[b, 3] = plus, minus, n_zero, groups
        squares[b] = squared
