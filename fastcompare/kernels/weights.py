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
def as_float(high, low, unit, whole):
    """Return the number that limbs stand for, as a share of the `whole`."""
    return (high * (1.0 / unit) + low * (1.0 / unit / unit)) / whole


@kernel
def weigh_untied(keys, nbits, weights, factors, unit, passed, won):
    """Write to `won` what the cases of keys without ties win, in limbs, and count them in `passed`.

    `passed` are twice the limbs (2, 2) of the negatives below and of the positives not below; a
    look there in place of a branch on the label halves the time.
    """
    for j in range(keys.size):
        label = keys[j] & ONE
        high, low = limbs_of(weights[case_of(keys[j], nbits)], factors, label, unit)
        twice = 2 - 4 * np.int64(label)  # positives leave what is above
        won[j, 0], won[j, 1] = passed[ONE - label, 0], passed[ONE - label, 1]
        passed[label, 0] += twice * high
        passed[label, 1] += twice * low


@kernel
def weigh_tied(keys, new, nbits, weights, factors, unit, passed, won):
    """Do the same for keys with ties, which count once."""
    start, n, run = 0, keys.size, np.empty((2, 2), np.int64)
    while start < n:
        stop = start
        run[:] = 0
        while stop == start or (stop < n and not new[stop]):
            label = keys[stop] & ONE
            high, low = limbs_of(weights[case_of(keys[stop], nbits)], factors, label, unit)
            once = 1 - 2 * np.int64(label)
            run[label, 0] += once * high
            run[label, 1] += once * low
            stop += 1
        for j in range(start, stop):
            won[j] = passed[ONE - (keys[j] & ONE)] + run[ONE - (keys[j] & ONE)]
        passed += 2 * run
        start = stop


@kernel
def keep(keys, nbits, won, wins):
    """Write what the cases of some keys win to `wins`, (2, n) in the order of the cases."""
    for j in range(keys.size):
        case = case_of(keys[j], nbits)
        wins[0, case], wins[1, case] = won[j, 0], won[j, 1]


@kernel
def compare(keys, nbits, won, unit, whole, wins, gained):
    """Write the shares of two models and, to `gained`, their exact difference, rounded once.

    `wins` hold what the first wins, in limbs, and take both shares as floats: three numbers in the
    place of four limbs.
    """
    shares = wins.view(np.float64)
    for j in range(keys.size):
        case, label = case_of(keys[j], nbits), keys[j] & ONE
        high, low, other = wins[0, case], wins[1, case], whole[label]
        shares[0, case] = as_float(high, low, unit, other)
        shares[1, case] = as_float(won[j, 0], won[j, 1], unit, other)
        gained[case] = as_float(high - won[j, 0], low - won[j, 1], unit, other)


@kernel
def weigh_keys(keys, scores, nbits, exact, weights, factors, unit, totals, whole, wins, gained):
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
            weigh_untied(part, nbits, weights, factors, unit, passed, won)
        else:
            new = mark_groups(part, scores, nbits, exact)
            weigh_tied(part, new, nbits, weights, factors, unit, passed, won)
        if gained.size:
            compare(part, nbits, won, unit, whole, wins, gained)
        else:
            keep(part, nbits, won, wins)
        start = stop


@kernel
def shares_by_class(wins, labels, unit, whole, out):
    """Write the shares of wins (2, n) to `out`, those of negatives before those of positives."""
    positive = labels.size - count_positives(labels)
    negative = 0
    for i in range(labels.size):
        value = as_float(wins[0, i], wins[1, i], unit, whole[labels[i] & 1])
        if labels[i] & 1:
            out[positive] = value
            positive += 1
        else:
            out[negative] = value
            negative += 1


@kernel
def by_class(values, labels, out):
    """Write the values of negatives, then of positives, to `out`, each in their order."""
    positive = labels.size - count_positives(labels)
    negative = 0
    for i in range(labels.size):
        if labels[i] & 1:
            out[positive] = values[i]
            positive += 1
        else:
            out[negative] = values[i]
            negative += 1
