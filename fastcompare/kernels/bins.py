"""Bins of probabilities: of equal width, or one for each distinct probability."""

import numpy as np

from .._jit.kernel import kernel
from .halves import BLOCK, block_sum, split_by_halves, sum_of_blocks
from .words import ONE


@kernel
def number_uniform_bins(p, edges, numbers):
    """Write to `numbers` how many of the ascending edges 1/c, 2/c, ..., (c - 1)/c are at most p.

    From the guess c p, which rounding may move by one: a binary search takes five times as long.
    """
    bins = edges.size + 1
    for i in range(p.size):
        number = min(int(p[i] * bins), edges.size)
        while number > 0 and edges[number - 1] > p[i]:
            number -= 1
        while number < edges.size and edges[number] <= p[i]:
            number += 1
        numbers[i] = number


@kernel
def count_distinct(keys):
    """Return how many distinct probabilities are among keys in order (see `tabulate`)."""
    count = min(keys.size, 1)
    for i in range(1, keys.size):
        count += keys[i] >> ONE != keys[i - 1] >> ONE
    return count


@kernel
def tabulate(keys, start, bits, values, sizes, rates):
    """Write the next distinct probabilities, their numbers of cases and rates of positives.

    `keys` are the bits of probabilities in order, one place to the left, with the labels as lowest
    bits; `bits` are those of `values`. Of equal numbers the mean is written, from a sum one by one.
    As many as there is room for, from keys[start] on; returns where the others start.
    """
    for b in range(values.size):
        value, positives = keys[start] >> ONE, np.int64(keys[start] & ONE)
        stop = start + 1
        while stop < keys.size and keys[stop] >> ONE == value:
            positives += np.int64(keys[stop] & ONE)
            stop += 1
        size = stop - start
        bits[b], sizes[b], rates[b] = value, size, positives / size
        if size > 1:
            total = 0.0
            for _ in range(size):
                total += values[b]
            values[b] = total / size
        start = stop
    return start


@kernel
def exact_parts(keys, base, out):
    """Write Murphy's reliability and resolution of n cases, times n, to `out`, by NumPy's sums.

    `base` is the rate of positives. Without arrays of as many bins as cases: half the time.
    """
    ends, depths = split_by_halves(count_distinct(keys))
    sums = np.empty((2, ends.size))
    forecast, rate, sizes = np.empty(BLOCK), np.empty(BLOCK), np.empty(BLOCK, np.int64)
    bits = forecast.view(np.uint64)
    start = at = 0
    for block in range(ends.size):
        n = ends[block] - start
        at = tabulate(keys, at, bits[:n], forecast[:n], sizes[:n], rate[:n])
        for i in range(n):
            apart, lift = forecast[i] - rate[i], rate[i] - base
            forecast[i] = sizes[i] * (apart * apart)
            rate[i] = sizes[i] * (lift * lift)
        sums[0, block], sums[1, block] = block_sum(forecast, n), block_sum(rate, n)
        start = ends[block]
    out[0], out[1] = sum_of_blocks(sums[0], depths), sum_of_blocks(sums[1], depths)
