"""From sorted packed keys to placements, the integers that all of DeLong's method is made of.

The placement of a case is twice the number of cases of the other class that it beats, a tie
counting one: for a positive, negatives below it; for a negative, positives above it. With m
positives and n negatives, V10 = placement / 2n and V01 = placement / 2m (DeLong et al. 1988), both
exact rationals, by midranks as in Sun and Xu (2014) without any floating-point rank.
"""

import numpy as np

from ..._jit.kernel import kernel, part
from ..words import ONE, TWO, ZERO, U
from .keys import case_of
from .runs import LONG, order_long_run, order_run

BLOCK = U(512)


@kernel
def count_positives(labels):
    """Return m, how many labels are 1."""
    m = np.int64(0)
    for label in labels:
        m += np.int64(label & 1)
    return m


@part
def equal_neighbours(keys, nbits):
    """Return how many keys have the same prefix as the next one."""
    equal = ZERO
    for j in range(keys.size - 1):
        equal += U(((keys[j] ^ keys[j + 1]) >> nbits) == ZERO)
    return equal


@part
def run_end(keys, stop, nbits):
    """Return the end of the run of equal prefixes that holds ``keys[stop - 1]``."""
    while stop < U(keys.size) and (keys[stop] ^ keys[stop - ONE]) >> nbits == ZERO:
        stop += ONE
    return stop


@kernel
def out_of_order(keys, values, nbits):
    """Return how many neighbours of equal prefix have their values the wrong way round."""
    wrong = ZERO
    for q in range(1, keys.size):
        equal = U(((keys[q] ^ keys[q - 1]) >> nbits) == ZERO)
        wrong += equal & U(values[q - 1] > values[q])
    return wrong


@kernel
def order_runs(keys, values, nbits):
    """Sort every run of equal prefixes by its values."""
    start = 0
    for q in range(1, keys.size + 1):
        if q == keys.size or (keys[q] ^ keys[start]) >> nbits != ZERO:
            if q - start > LONG:
                order_long_run(keys[start:q], values[start:q])
            elif q - start > 1:
                order_run(keys[start:q], values[start:q])
            start = q


@kernel
def settle(keys, scores, nbits, new):
    """Order equal prefixes by their scores; write to `new` where a new score begins."""
    values = np.empty(keys.size)
    for q in range(keys.size):  # all loads first: they overlap in the memory system
        values[q] = scores[case_of(keys[q], nbits)]
    if out_of_order(keys, values, nbits):
        order_runs(keys, values, nbits)
    new[0] = True
    for q in range(1, keys.size):
        new[q] = values[q] != values[q - 1]


@kernel
def mark_groups(keys, scores, nbits, exact):
    """Return where a group of tied scores begins, after settling the prefixes unless `exact`."""
    new = np.empty(keys.size, np.bool_)
    if exact:
        new[0] = True
        for q in range(1, keys.size):
            new[q] = (keys[q] ^ keys[q - 1]) >> nbits != ZERO
    else:
        settle(keys, scores, nbits, new)
    return new


@part
def place_untied(keys, first, below, m, nbits, out):
    """Write the placements of keys without ties; return the number of negatives passed."""
    for j in range(keys.size):
        key = keys[j]
        negative = (key & ONE) - ONE  # all ones for a negative: a mask, not a branch
        out[case_of(key, nbits)] = (below + ((m - first - U(j)) & negative)) << ONE
        below -= negative
    return below


@part
def place_tied(keys, new, first, below, m, nbits, out):
    """Write the placements of groups of ties; return the number of negatives passed."""
    start, n = 0, keys.size
    while start < n:
        stop, positives = start + 1, keys[start] & ONE
        while stop < n and not new[stop]:
            positives += keys[stop] & ONE
            stop += 1
        negatives = U(stop - start) - positives
        above = m - (first + U(start) - below) - positives
        beats_n, beats_p = TWO * below + negatives, TWO * above + positives
        for j in range(start, stop):
            out[case_of(keys[j], nbits)] = beats_n if keys[j] & ONE else beats_p
        below += negatives
        start = stop
    return below


@kernel
def placements_from_keys(keys, scores, m, nbits, exact, out):
    """Write the placement of every case to `out`; `keys` are sorted, `m` counts positives.

    `exact` says that equal prefixes mean equal scores. A block without equal neighbours, the
    usual case for continuous scores, runs without a branch.
    """
    n, start, below = U(keys.size), ZERO, ZERO
    while start < n:
        stop = min(start + BLOCK, n)
        block = keys[start : min(stop + ONE, n)]
        if equal_neighbours(block, nbits) == ZERO:
            below = place_untied(keys[start:stop], start, below, m, nbits, out)
        else:
            stop = run_end(keys, stop, nbits)
            tied = keys[start:stop]
            new = mark_groups(tied, scores, nbits, exact)
            below = place_tied(tied, new, start, below, m, nbits, out)
        start = stop
