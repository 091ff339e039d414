"""Sums of signed ranks of many rows of differences, from their sizes in order.

Ranks are doubled, so midranks are whole numbers.
"""

import numpy as np

from .._jit.kernel import kernel
from .ties import group_end
from .words import ONE

DROPPED, RANKED, SPLIT = 0, 1, 2  # what becomes of the ranks of zeros
UNSURE = -1  # number of zeros where only the room of each size tells what ties


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
        own, least, most = sizes[b], room[b, 0], room[b, 1]
        start = 0
        while start < n and own[start] == 0.0:
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
            while stop < n and own[stop] - own[stop - 1] <= most:
                below += np.int64(keys[b, stop] & ONE)
                stop += 1
            if own[stop - 1] - own[start] > least:
                n_zero = UNSURE
                break
            shared = start + stop + 1 - 2 * unranked
            plus += (stop - start - below) * shared
            minus += below * shared
            squared += np.float64(stop - start) * np.float64(shared * shared)
            groups += 1
            start = stop
        sums[b, 0], sums[b, 1], sums[b, 2], sums[b, 3] = plus, minus, n_zero, groups
        squares[b] = squared


@kernel
def sum_ordered_ranks(d, sizes, room, order, zeros, sums, squares):
    """Write the same where each size ties by its own `room`; all are (B, n), `order` sorts sizes.

    It takes two to three times as long: sorting must carry indices.
    """
    n = sizes.shape[1]
    own_sizes, own_room = np.empty(n), np.empty(n)
    for b in range(sizes.shape[0]):
        for i in range(n):
            own_sizes[i], own_room[i] = sizes[b, order[b, i]], room[b, order[b, i]]
        n_zero = 0
        while n_zero < n and own_sizes[n_zero] == 0.0:
            n_zero += 1
        unranked, start, groups = n_zero if zeros == DROPPED else 0, n_zero, 0
        plus = minus = np.int64(0)
        squared = 0.0
        if zeros == SPLIT:
            squared = np.float64(n_zero) * np.float64((n_zero + 1) * (n_zero + 1))
        while start < n:
            stop = group_end(own_sizes, own_room, start)
            shared = start + stop + 1 - 2 * unranked
            for i in range(start, stop):
                if d[b, order[b, i]] < 0.0:
                    minus += shared
                else:
                    plus += shared
            squared += np.float64(stop - start) * np.float64(shared * shared)
            start, groups = stop, groups + 1
        sums[b, 0], sums[b, 1], sums[b, 2], sums[b, 3] = plus, minus, n_zero, groups
        squares[b] = squared
