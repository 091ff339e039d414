"""What cases win under weights, in whole numbers of two limbs, high / 2^bits + low / 4^bits.

Sums of whole numbers do not depend on the order: models that rank positives against negatives alike
win the same. One pass over the sorted keys of a model, ties together (Sun and Xu 2014).
"""

import numpy as np

from .._jit.kernel import kernel
from .sorting.keys import case_of
from .sorting.placements import BLOCK, count_positives, equal_neighbours, mark_groups, run_end
from .words import ONE, ZERO, U


@kernel
def limbs_of(weight, factors, label, unit):
    """Return the limbs of a weight; `unit` is 2^bits, and two factors make it one below that.

    One factor might overflow; powers of 2 round nothing.
    """
    scaled = weight * factors[label, 0] * factors[label, 1]
    high = np.int64(scaled)
    return high, np.int64((scaled - high) * unit)


@kernel
def sum_limbs(weights, labels, factors, unit, totals):
    """Add the limbs of all weights to `totals`, (2, 2) by label."""
    for i in range(weights.size):
        label = labels[i] & 1
        high, low = limbs_of(weights[i], factors, label, unit)
        totals[label, 0] += high
        totals[label, 1] += low


@kernel
def as_float(high, low, unit):
    """Return the number that limbs stand for."""
    return high * (1.0 / unit) + low * (1.0 / unit / unit)


@kernel
def gather_limbs(keys, nbits, weights, factors, unit, limbs):
    """Write the limbs of the cases of some keys to `limbs`."""
    for j in range(keys.size):  # by itself: loads overlap, and the whole takes half the time
        weight = weights[case_of(keys[j], nbits)]
        limbs[j, 0], limbs[j, 1] = limbs_of(weight, factors, keys[j] & ONE, unit)


@kernel
def weigh_untied(keys, passed, limbs):
    """Turn the limbs of keys without ties into what their cases win, and count them in `passed`.

    `passed` are twice the limbs (2, 2) of the negatives below and of the positives not below.
    """
    below_high, below_low = passed[0, 0], passed[0, 1]
    above_high, above_low = passed[1, 0], passed[1, 1]
    for j in range(keys.size):
        label = np.int64(keys[j] & ONE)  # multiplied by: a branch on it is taken at random
        high, low = 2 * limbs[j, 0], 2 * limbs[j, 1]
        limbs[j, 0] = above_high + label * (below_high - above_high)
        limbs[j, 1] = above_low + label * (below_low - above_low)
        above_high, above_low = above_high - label * high, above_low - label * low
        below_high, below_low = below_high + (1 - label) * high, below_low + (1 - label) * low
    passed[0, 0], passed[0, 1] = below_high, below_low
    passed[1, 0], passed[1, 1] = above_high, above_low


@kernel
def weigh_tied(keys, new, passed, limbs):
    """Do the same for keys with ties, which count once."""
    start, n, run = 0, keys.size, np.empty((2, 2), np.int64)
    while start < n:
        stop = start
        run[:] = 0
        while stop == start or (stop < n and not new[stop]):
            label = np.int64(keys[stop] & ONE)
            run[label, 0] += (1 - 2 * label) * limbs[stop, 0]  # positives leave what is above
            run[label, 1] += (1 - 2 * label) * limbs[stop, 1]
            stop += 1
        for j in range(start, stop):
            other = ONE - (keys[j] & ONE)
            limbs[j, 0] = passed[other, 0] + run[other, 0]
            limbs[j, 1] = passed[other, 1] + run[other, 1]
        passed += 2 * run
        start = stop


@kernel
def keep(keys, nbits, won, wins):
    """Write what the cases of some keys win to `wins`, (2, n) in the order of the cases."""
    for j in range(keys.size):
        case = case_of(keys[j], nbits)
        wins[0, case], wins[1, case] = won[j, 0], won[j, 1]


@kernel
def compare(keys, nbits, won, unit, wins, gained):
    """Write the wins of two models as floats, and to `gained` their exact difference, rounded once.

    `wins` hold what the first wins, in limbs, and take both numbers: three in the place of four.
    """
    floats = wins.view(np.float64)
    for j in range(keys.size):
        case = case_of(keys[j], nbits)
        high, low = wins[0, case], wins[1, case]
        floats[0, case] = as_float(high, low, unit)
        floats[1, case] = as_float(won[j, 0], won[j, 1], unit)
        gained[case] = as_float(high - won[j, 0], low - won[j, 1], unit)


@kernel
def weigh_keys(keys, scores, nbits, exact, weights, factors, unit, totals, wins, gained):
    """Write what each case wins in limbs to `wins` (2, n), or go on as `compare` does.

    That is for a second model: where `gained` has room. `keys` are sorted; `exact` says that equal
    prefixes mean equal scores.
    """
    n, start = U(keys.size), ZERO
    passed = np.zeros((2, 2), np.int64)
    passed[1] = 2 * totals[1]
    while start < n:
        stop = min(start + BLOCK, n)
        untied = equal_neighbours(keys[start : min(stop + ONE, n)], nbits) == ZERO
        stop = stop if untied else run_end(keys, stop, nbits)
        part, won = keys[start:stop], np.empty((stop - start, 2), np.int64)
        if untied:
            gather_limbs(part, nbits, weights, factors, unit, won)
            weigh_untied(part, passed, won)
        else:  # which orders the keys
            new = mark_groups(part, scores, nbits, exact)
            gather_limbs(part, nbits, weights, factors, unit, won)
            weigh_tied(part, new, passed, won)
        if gained.size:
            compare(part, nbits, won, unit, wins, gained)
        else:
            keep(part, nbits, won, wins)
        start = stop


@kernel
def floats_by_class(wins, labels, unit, out):
    """Write wins (2, n) as floats to `out`, those of negatives before those of positives."""
    place = np.array((0, labels.size - count_positives(labels)))
    for i in range(labels.size):
        label = labels[i] & 1
        out[place[label]] = as_float(wins[0, i], wins[1, i], unit)
        place[label] += 1


@kernel
def by_class(values, labels, out):
    """Write the values of negatives, then of positives, to `out`, each in their order."""
    place = np.array((0, labels.size - count_positives(labels)))
    for i in range(labels.size):
        label = labels[i] & 1
        out[place[label]] = values[i]
        place[label] += 1
