"""Weighted wins in whole numbers of two limbs, high / 2^bits + low / 4^bits, and moments of AUCs.

Sums of whole numbers do not depend on the order: models that rank positives against negatives
identically win equally often. One pass over the sorted keys of a model, ties together (Sun and Xu
2014).

The error of a case is how much its class adds to an AUC through it: its weight, or the root of
that, times the distance of its wins from the mean of its class, times a scale. Values come as rows
of a case: the wins of a model, or those of two models and their difference.
"""

import math

import numpy as np

from .._jit.kernel import kernel
from .sorting.keys import case_number, pack
from .sorting.linear import sort_narrow
from .sorting.native import sort_packed64
from .sorting.placements import BLOCK, equal_neighbours, mark_tie_starts, run_end
from .sums import ONE, ZERO, U

PART = 512  # cases whose sums are added up by themselves: rounding grows with the number of terms


@kernel
def weight_limbs(weight, factors, label, unit):
    """Return the limbs (high, low) of a weight times both `factors` of its label, below `unit`.

    `unit` is 2^bits. One factor might overflow; powers of 2 round nothing.
    """
    product = weight * factors[label, 0] * factors[label, 1]
    high = np.int64(product)
    return high, np.int64((product - high) * unit)


@kernel
def greatest_weights(weights, labels):
    """Return the greatest weights of negatives and of positives, and the number of positives."""
    below = above = 0.0
    m = np.int64(0)
    for i in range(weights.size):
        label = np.int64(labels[i] & 1)
        positive = weights[i] * label
        negative = weights[i] - positive
        above = positive if positive > above else above
        below = negative if negative > below else below
        m += label
    return (below, above), m


@kernel
def sum_weights_by_class(weights, labels, bits, factors, limbs, moments):
    """Write sums of the weights of negatives and of positives.

    `factors` (2, 2) are those of `weight_limbs`, `limbs` (2, 2) the sums of limbs. `moments` (2, 5)
    has the number of weights, their sum, the sums of their ratios to the largest and of squared
    ratios, and the sum of limbs as a float.
    """
    most, m = greatest_weights(weights, labels)
    unit = 2.0**bits
    limbs[:], moments[:] = 0, 0.0
    for label in range(2):
        power = np.int64(bits) - np.int64(math.frexp(most[label])[1])
        factors[label, 0], factors[label, 1] = 2.0 ** (power // 2), 2.0 ** (power - power // 2)
    for start in range(0, weights.size, PART):
        part = slice(start, start + PART)
        add_weights(weights[part], labels[part], most, factors, unit, limbs, moments)
    for limb in range(2):  # rows at once compile in 2.5 s: with an error that names their shapes
        limbs[0, limb] -= limbs[1, limb]
    for label in range(2):
        total = float_from_limbs(limbs[label, 0], limbs[label, 1], unit)
        moments[label, 0] = m if label else weights.size - m
        moments[label, 1] = total / factors[label, 0] / factors[label, 1]
        moments[label, 4] = total


@kernel
def add_weights(weights, labels, most, factors, unit, limbs, moments):
    """Add the ratios and limbs of some cases; row 0 of `limbs` gets those of both classes."""
    high_sum = low_sum = above_high = above_low = np.int64(0)
    below = above = below_squares = above_squares = 0.0
    for i in range(weights.size):
        label = U(labels[i] & 1)
        ratio = weights[i] / most[label]
        positive = ratio * np.float64(label)
        negative = ratio - positive
        below += negative
        below_squares += negative * negative
        above += positive
        above_squares += positive * positive
        high, low = weight_limbs(weights[i], factors, label, unit)
        high_sum += high
        low_sum += low
        above_high += np.int64(label) * high
        above_low += np.int64(label) * low
    limbs[0, 0] += high_sum
    limbs[0, 1] += low_sum
    limbs[1, 0] += above_high
    limbs[1, 1] += above_low
    moments[0, 2] += below
    moments[0, 3] += below_squares
    moments[1, 2] += above
    moments[1, 3] += above_squares


@kernel
def float_from_limbs(high, low, unit):
    """Return high + low / unit, the number of two limbs, in units of the high one."""
    return high + low * (1.0 / unit)


@kernel
def gather_limbs(keys, nbits, weights, factors, unit, limbs):
    """Write the limbs (n, 2) of the weights of the cases of some keys."""
    for j in range(keys.size):  # by itself: loads overlap, and the whole takes half the time
        weight = weights[case_number(keys[j], nbits)]
        limbs[j, 0], limbs[j, 1] = weight_limbs(weight, factors, keys[j] & ONE, unit)


@kernel
def wins_of_untied_keys(keys, passed, limbs):
    """Replace the limbs of weights of keys without ties by those of the cases' wins.

    `passed` are twice the limbs (2, 2) of the negatives below and of the positives not below, and
    are moved on.
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
def wins_of_tied_keys(keys, new, passed, limbs):
    """Replace the limbs of weights of keys with ties by those of wins, a tie counting half.

    `new` is where groups of ties begin; `passed` is as in `wins_of_untied_keys`.
    """
    start, n, run = 0, keys.size, np.empty((2, 2), np.int64)  # the limbs of a group, by label
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
        for limb in range(2):
            passed[0, limb] += 2 * run[0, limb]
            passed[1, limb] += 2 * run[1, limb]
        start = stop


@kernel
def write_wins(keys, nbits, limbs, unit, wins):
    """Write the wins of the cases of some keys to their rows of `wins`: two limbs, or one float."""
    floats = wins.view(np.float64)
    for j in range(keys.size):
        case = case_number(keys[j], nbits)
        if wins.shape[1] == 1:
            floats[case, 0] = float_from_limbs(limbs[j, 0], limbs[j, 1], unit)
        else:
            wins[case, 0], wins[case, 1] = limbs[j, 0], limbs[j, 1]


@kernel
def wins_and_difference(high, low, other_high, other_low, unit):
    """Return a case's wins by two models and their difference as floats, each rounded once."""
    difference = float_from_limbs(high - other_high, low - other_low, unit)
    return (
        float_from_limbs(high, low, unit),
        float_from_limbs(other_high, other_low, unit),
        difference,
    )


@kernel
def write_wins_and_differences(keys, nbits, limbs, unit, wins):
    """Write both models' wins and their difference to `wins` (n, 3), for the cases of some keys.

    `wins` has the limbs of the first model, `limbs` are those of the second; three floats replace
    them.
    """
    floats = wins.view(np.float64)
    for j in range(keys.size):
        case = case_number(keys[j], nbits)
        both = wins_and_difference(wins[case, 0], wins[case, 1], limbs[j, 0], limbs[j, 1], unit)
        floats[case, 0], floats[case, 1], floats[case, 2] = both


@kernel
def compare_wins(first, second, unit, out):
    """Write both models' wins and their difference to `out` (n, 3), from limbs (n, 2) of both."""
    for i in range(len(first)):
        both = wins_and_difference(first[i, 0], first[i, 1], second[i, 0], second[i, 1], unit)
        out[i, 0], out[i, 1], out[i, 2] = both


@kernel
def write_weighted_wins(
    keys, scores, nbits, tied, exact, weights, factors, unit, totals, wins, second
):
    """Write the weighted wins of each case from its model's sorted keys, as `weigh_scores`.

    `tied` says that prefixes may be equal; then, if they are `exact`, so are the scores.
    """
    n, start = U(keys.size), ZERO
    passed = np.zeros((2, 2), np.int64)
    passed[1, 0], passed[1, 1] = 2 * totals[1, 0], 2 * totals[1, 1]  # no positive is below yet
    while start < n:
        stop = min(start + BLOCK, n)
        block = keys[start : min(stop + ONE, n)]
        untied = not tied or equal_neighbours(block, nbits) == ZERO
        stop = stop if untied else run_end(keys, stop, nbits)
        part, limbs = keys[start:stop], np.empty((stop - start, 2), np.int64)
        if untied:
            gather_limbs(part, nbits, weights, factors, unit, limbs)
            wins_of_untied_keys(part, passed, limbs)
        else:
            new = mark_tie_starts(part, scores, nbits, exact)  # this also sorts the keys
            gather_limbs(part, nbits, weights, factors, unit, limbs)
            wins_of_tied_keys(part, new, passed, limbs)
        if second:
            write_wins_and_differences(part, nbits, limbs, unit, wins)
        else:
            write_wins(part, nbits, limbs, unit, wins)
        start = stop


@kernel
def weigh_scores(scores, labels, weights, factors, unit, totals, wins, second):
    """Write the weighted wins of each case to `wins`: limbs (n, 2), or floats (n, 1).

    `wins` (n, 3) gets the limbs of a first model, and by another call with `second` the wins of
    both models and their difference as floats. `totals` are the limbs of each class's weights.
    """
    keys = np.empty(scores.size, np.uint64)
    nbits, exact = pack(scores, labels, keys)
    sort_packed64(keys, nbits)
    write_weighted_wins(
        keys, scores, nbits, True, exact, weights, factors, unit, totals, wins, second
    )


@kernel
def weigh_few(scores, labels, weights, factors, unit, totals, wins, second):
    """Write `weigh_scores` by 32-bit keys, which sort twice as fast; return whether these fit."""
    keys = np.empty(scores.size, np.uint32)
    nbits, tied, fits = sort_narrow(scores, labels, keys)
    if fits:
        write_weighted_wins(
            keys, scores, nbits, tied, False, weights, factors, unit, totals, wins, second
        )
    return fits


@kernel
def scaled_weight(weight, label, factors, by_root):
    """Return a weight times both factors of its label, or the square root of that."""
    product = weight * factors[label, 0] * factors[label, 1]
    return np.sqrt(product) if by_root else product


@kernel
def add_distances(values, labels, weights, factors, means, sums):
    """Add weighted distances of some cases from the `means` (2, 3) of their classes to `sums`.

    Columns are the first, second and last of `values`.
    """
    u, v, w = means[0, 0], means[0, 1], means[0, 2]
    x, y, z = means[1, 0], means[1, 1], means[1, 2]
    su = sv = sw = sx = sy = sz = 0.0
    last = values.shape[1] - 1
    second = min(1, last)
    for i in range(labels.size):
        label = labels[i] & 1
        weight = scaled_weight(weights[i], label, factors, False)
        above = weight * np.float64(label)
        below = weight - above
        a, b, d = values[i, 0], values[i, second], values[i, last]
        su += below * (a - u)
        sv += below * (b - v)
        sw += below * (d - w)
        sx += above * (a - x)
        sy += above * (b - y)
        sz += above * (d - z)
    negatives, positives = (su, sv, sw), (sx, sy, sz)
    for c in range(3):
        sums[0, c] += negatives[c]
        sums[1, c] += positives[c]


@kernel
def class_means(values, labels, weights, factors, totals, means):
    """Write to `means` (2, 3) the weighted means of columns over negatives and positives.

    A single column is written thrice. `totals` are the sums of the scaled weights. The mean of
    equal values is that value, to the last bit.
    """
    last = values.shape[1] - 1
    for label in range(2):
        i = 0  # the means begin as the first values of the class, and distances are added
        while labels[i] & 1 != label:
            i += 1
        for c in range(3):
            means[label, c] = values[i, min(c, last)]
    sums = np.zeros((2, 3))
    for start in range(0, labels.size, PART):
        part = slice(start, start + PART)
        add_distances(values[part], labels[part], weights[part], factors, means, sums)
    for label in range(2):
        for c in range(3):
            means[label, c] += sums[label, c] / totals[label]


@kernel
def write_errors(values, labels, weights, factors, totals, scales, by_root, means):
    """Replace a model's wins, values (n, 1), by errors: scaled weighted distances from `means`."""
    class_means(values, labels, weights, factors, totals, means)
    for i in range(labels.size):
        label = labels[i] & 1
        weight = scales[label] * scaled_weight(weights[i], label, factors, by_root)
        values[i, 0] = weight * (values[i, 0] - means[label, 0])


@kernel
def add_products(values, labels, weights, factors, scales, by_root, means, out):
    """Add the products of errors of some cases to `out` (2, 4), see `sum_products`."""
    u, v, w = means[0, 0], means[0, 1], means[0, 2]
    x, y, z = means[1, 0], means[1, 1], means[1, 2]
    uu = uv = vv = ww = xx = xy = yy = zz = 0.0
    last = values.shape[1] - 1
    second = min(1, last)
    for i in range(labels.size):
        label = labels[i] & 1
        weight = scales[label] * scaled_weight(weights[i], label, factors, by_root)
        above = weight * np.float64(label)
        below = weight - above
        a, b, d = values[i, 0], values[i, second], values[i, last]
        au, bv, dw = below * (a - u), below * (b - v), below * (d - w)
        ax, by, dz = above * (a - x), above * (b - y), above * (d - z)
        uu += au * au
        uv += au * bv
        vv += bv * bv
        ww += dw * dw
        xx += ax * ax
        xy += ax * by
        yy += by * by
        zz += dz * dz
    negatives, positives = (uu, uv, vv, ww), (xx, xy, yy, zz)
    for c in range(4):
        out[0, c] += negatives[c]
        out[1, c] += positives[c]


@kernel
def sum_products(values, labels, weights, factors, totals, scales, by_root, means, out):
    """Write the `means` of columns of wins, and sums of products of their errors to `out` (2, 4).

    The products are a^2, a b, b^2 and d^2 for the first, second and last column a, b, d.
    """
    class_means(values, labels, weights, factors, totals, means)
    out[:] = 0.0
    for start in range(0, labels.size, PART):
        part = slice(start, start + PART)
        arguments = values[part], labels[part], weights[part], factors, scales, by_root, means
        add_products(*arguments, out)
