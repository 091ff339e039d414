"""Signed ranks of differences, sums of pairs of numbers, and which computed differences tie.

Ranks are doubled, so that midranks are whole numbers; their sums stay below 2^63 for n to 3e9.
Walsh averages are counted, or listed between two limits, without forming all of them.

Differences tie if rounding of their scores explains how much they differ. That is not transitive,
so sizes are taken in order, and each is compared with the most precise member of the group before
it: neither a chain of near neighbours nor one imprecise size unites two sizes that differ.
"""

import numpy as np

from .._jit.kernel import kernel

DROPPED, RANKED, SPLIT = 0, 1, 2  # treatment of zeros: dropped, ranked, or ranked and halved
UNSURE = -1  # number of zeros where ties depend on the rounding of each size


@kernel
def next_size(d, low, high):
    """Return the smaller of |d[low]| and |d[high]|, and 1 if it is that of d[low] < 0, else 0.

    No branch: which of both is smaller cannot be foreseen.
    """
    negative = -d[low] if low >= 0 else np.inf
    positive = d[high] if high < d.size else np.inf
    return min(negative, positive), np.int64(negative <= positive)


@kernel
def squared_ranks_of_zeros(n_zero, zeros):
    """Return the sum of squared doubled ranks of zeros if they are split, else 0."""
    if zeros == SPLIT:
        return np.float64(n_zero) * np.float64((n_zero + 1) * (n_zero + 1))
    return 0.0


@kernel
def next_tied_group(d, low, high, count, largest_gap):
    """Return how many of the next `count` magnitudes |d| tie, counted from the smallest one.

    A magnitude ties with the one before if it is at most `largest_gap` greater. Also return how
    many of these differences are negative, and the last magnitude less the first. d ascends; the
    next magnitudes are those of d[low] downwards and of d[high] upwards.
    """
    first, n_negative = next_size(d, low, high)
    low, high, last, n_tied = low - n_negative, high + 1 - n_negative, first, 1
    while n_tied < count:
        size, is_negative = next_size(d, low, high)
        if size - last > largest_gap:
            break
        n_negative += is_negative
        low, high, last, n_tied = low - is_negative, high + 1 - is_negative, size, n_tied + 1
    return n_tied, n_negative, last - first


@kernel
def sum_signed_ranks(d, rounding_bounds, zeros, sums, squares):
    """Write sums of doubled signed ranks of each row of differences d (B, n), which ascend.

    `sums` (B, 4) gets the sums of positive and of negative ranks, the number of zeros, and the
    number of distinct other ranks; `squares` (B) the sum of squared ranks. A row of
    `rounding_bounds` (B, 2) has the least and the greatest rounding error of a row's differences:
    magnitudes |d| that differ by at most the least tie, by more than the greatest do not; if others
    occur, the number of zeros is UNSURE.
    """
    n = d.shape[1]
    for b in range(d.shape[0]):
        row = d[b]
        high = 0
        while high < n and row[high] < 0.0:
            high += 1
        low = high - 1
        while high < n and row[high] == 0.0:
            high += 1
        start = n_zero = high - 1 - low
        unranked, groups = n_zero if zeros == DROPPED else 0, 0
        plus = minus = np.int64(0)
        squared = squared_ranks_of_zeros(n_zero, zeros)
        while start < n:
            least, greatest = rounding_bounds[b, 0], rounding_bounds[b, 1]
            count, n_negative, width = next_tied_group(row, low, high, n - start, greatest)
            if width > least:
                n_zero = UNSURE
                break
            shared = 2 * start + count + 1 - 2 * unranked
            plus += (count - n_negative) * shared
            minus += n_negative * shared
            squared += np.float64(count) * np.float64(shared * shared)
            low, high = low - n_negative, high + count - n_negative
            start, groups = start + count, groups + 1
        sums[b, 0], sums[b, 1], sums[b, 2], sums[b, 3] = plus, minus, n_zero, groups
        squares[b] = squared


@kernel
def tied_group_in_order(d, rounding, order, start):
    """Return how many |d| tie from order[start] on, and how many of these d are negative.

    Ties are those of `tie_group_end`.
    """
    case, stop = order[start], start + 1
    anchor, precise, n_negative = abs(d[case]), rounding[case], np.int64(d[case] < 0.0)
    while stop < d.size:
        case = order[stop]
        size = abs(d[case])
        if size - anchor > max(rounding[case], precise):
            break
        if rounding[case] < precise:
            anchor, precise = size, rounding[case]
        n_negative += np.int64(d[case] < 0.0)
        stop += 1
    return stop - start, n_negative


@kernel
def sum_signed_ranks_in_order(d, rounding, order, zeros, sums, squares):
    """Write the sums of `sum_signed_ranks` where each |d| has its own rounding error.

    d, its `rounding` and `order`, which sorts |d|, are (B, n). It takes two to three times as long:
    sorting must carry indices.
    """
    n = d.shape[1]
    for b in range(d.shape[0]):
        n_zero = 0
        while n_zero < n and d[b, order[b, n_zero]] == 0.0:
            n_zero += 1
        unranked, start, groups = n_zero if zeros == DROPPED else 0, n_zero, 0
        plus = minus = np.int64(0)
        squared = squared_ranks_of_zeros(n_zero, zeros)
        while start < n:
            count, n_negative = tied_group_in_order(d[b], rounding[b], order[b], start)
            shared = 2 * start + count + 1 - 2 * unranked
            plus += (count - n_negative) * shared
            minus += n_negative * shared
            squared += np.float64(count) * np.float64(shared * shared)
            start, groups = start + count, groups + 1
        sums[b, 0], sums[b, 1], sums[b, 2], sums[b, 3] = plus, minus, n_zero, groups
        squares[b] = squared


@kernel
def count_sums_to(ascending, limit):
    """Return how many pairs i <= j of ascending numbers have a sum of at most `limit`.

    As i grows, partners j only leave, so all n (n + 1) / 2 sums are counted in O(n).
    """
    count, stop = 0, ascending.size
    for i in range(ascending.size):
        while stop > i and ascending[i] + ascending[stop - 1] > limit:
            stop -= 1
        if stop <= i:
            break
        count += stop - i
    return count


@kernel
def sums_between(ascending, low, high, out):
    """Write to `out` the sums of pairs i <= j that are above `low` and at most `high`."""
    below, stop, used = ascending.size, ascending.size, 0
    for i in range(ascending.size):
        while stop > i and ascending[i] + ascending[stop - 1] > high:
            stop -= 1
        while below > i and ascending[i] + ascending[below - 1] > low:
            below -= 1
        for j in range(max(below, i), stop):
            out[used] = ascending[i] + ascending[j]
            used += 1


ROUNDING = 2.0**-50  # times a score: from 4 to 8 units in its last place


@kernel
def tie_group_end(magnitudes, rounding, start):
    """Return where the group of ties that begins at `start` ends; `magnitudes` ascend.

    rounding[i] is how far rounding may move magnitudes[i]; two magnitudes tie if they differ by no
    more than the larger of their rounding errors.
    """
    anchor, stop = start, start + 1
    while stop < magnitudes.size and magnitudes[stop] - magnitudes[anchor] <= max(
        rounding[stop], rounding[anchor]
    ):
        if rounding[stop] < rounding[anchor]:
            anchor = stop
        stop += 1
    return stop


@kernel
def tie_group_starts(magnitudes, rounding, starts):
    """Write where groups of tied `magnitudes` start to `starts`; return the number of groups."""
    start, count = 0, 0
    while start < magnitudes.size:
        starts[count] = start
        start, count = tie_group_end(magnitudes, rounding, start), count + 1
    return count
