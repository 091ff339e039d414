"""Averages of two numbers below or between some values, without forming all of them."""

from .._jit.kernel import kernel


@kernel
def count_sums_to(halves, limit):
    """Return how many pairs i <= j of ascending numbers have halves[i] + halves[j] <= limit.

    Partners only leave as i grows, so all n (n + 1) / 2 sums are counted in O(n).
    """
    count, stop = 0, halves.size
    for i in range(halves.size):
        while stop > i and halves[i] + halves[stop - 1] > limit:
            stop -= 1
        if stop <= i:
            break
        count += stop - i
    return count


@kernel
def sums_between(halves, low, high, out):
    """Write to `out` the sums of pairs i <= j that are above `low` and at most `high`."""
    below, stop, used = halves.size, halves.size, 0
    for i in range(halves.size):
        while stop > i and halves[i] + halves[stop - 1] > high:
            stop -= 1
        while below > i and halves[i] + halves[below - 1] > low:
            below -= 1
        for j in range(max(below, i), stop):
            out[used] = halves[i] + halves[j]
            used += 1
