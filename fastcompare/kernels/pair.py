"""DeLong's paired test in compiled code: placements, wins and variances of two models.

Notation of DeLong et al. (1988): m positives X, n negatives Y; the placement of a case is twice the
number of cases of the other class that it outranks, V10 = placement / 2n, V01 = placement / 2m. The
variance of AUC_a - AUC_b is that of the differences of components, case by case, so it keeps its
digits however similar the models are:

    Var = s^2(V10_a - V10_b) / m + s^2(V01_a - V01_b) / n

Sums of placements and of their squares are whole numbers, so results do not depend on the order.
Kernels that check their input (`plain_sums`, `are_sound`) leave what needs care to slower code.
"""

import math

import numpy as np

from .._jit.kernel import kernel, part
from .sorting.linear import (
    LINEAR_BELOW,
    placements_linear,
    placements_narrow,
    placements_of_few_values,
)
from .sorting.placements import count_positives, placements_midrank
from .sums import HALF, WORD, ZERO, U
from .weights import sum_products, weigh_few

TABLE_FROM = 1 << 12  # cases that repay a look for few distinct values, see bench_kernels
MOST_SKEWED = 1000  # cases of both classes: of more, skewness moves levels by less than a point
SKEWED_BY_CHANCE = 24.0  # n times G^2: G is twice its standard error sqrt(6 / n) of normal scores


@kernel
def placements(scores, labels, out):
    """Write the placement of every case to `out` by the faster way for this size."""
    n = scores.size
    if n >= TABLE_FROM and placements_of_few_values(scores, labels, out):
        return
    if n < LINEAR_BELOW:
        keys = np.empty(n, np.uint32)
        if placements_linear(scores, labels, count_positives(labels), keys, out):
            return
    placements_midrank(scores, labels, out)


@kernel
def wins(placed, labels):
    """Return twice the number of pairs that the positives win, 2mn AUC, an integer.

    `placed` are the placements.
    """
    total = np.int64(0)
    for i in range(placed.size):
        total += np.int64(placed[i]) * np.int64(labels[i] & 1)
    return total


@kernel
def squared_deviations(a, b, labels, centre_positive, centre_negative):
    """Return the sums over positives, and over negatives, of (a - b - their centre)^2."""
    over_x = over_y = 0.0
    for i in range(a.size):
        d = np.float64(np.int64(a[i]) - np.int64(b[i]))
        if labels[i] & 1:
            over_x += (d - centre_positive) ** 2
        else:
            over_y += (d - centre_negative) ** 2
    return over_x, over_y


@part
def placement_skewness(a, b, labels, positives):
    """Return the skewness of AUC_a - AUC_b from the placements, for Hall's correction.

    It is the sum of third cumulants (Fisher's k-statistics) of both classes over their squared
    sizes, over SE^3; 0 if it is not significant, a class has less than 3 cases, or both have
    MOST_SKEWED and more.
    """
    m, n = np.float64(positives), np.float64(a.size - positives)
    if min(m, n) < 3.0 or min(m, n) >= MOST_SKEWED:
        return 0.0
    total = px = py = cx = cy = 0.0  # sums of d; of squares and cubes of positives, of negatives
    for i in range(a.size):
        d = np.float64(np.int64(a[i]) - np.int64(b[i]))
        dx = d * np.float64(labels[i] & 1)
        dd = d * d
        total += dx
        px += dx * d
        cx += dx * dd
        py += dd
        cy += dd * d
    x, y = total / m, total / n  # means of d: its sum over negatives is that over positives
    py, cy = py - px - y * total, cy - cx  # so far the loop's p and c of y are over all cases
    cy, cx = cy - y * (3.0 * py + y * total), cx - x * (3.0 * px - 2.0 * x * total)
    px -= x * total
    if not (px > 0.0 or py > 0.0):
        return 0.0
    # variances of both parts of the AUC, and their third cumulants
    px, py = px / (4.0 * n * n * m * (m - 1.0)), py / (4.0 * m * m * n * (n - 1.0))
    cx /= 8.0 * n**3 * m * (m - 1.0) * (m - 2.0)
    cy /= 8.0 * m**3 * n * (n - 1.0) * (n - 2.0)
    variance = px + py
    skewness = (cx + cy) / variance**1.5
    units = variance**2 / (px * px / (m - 1.0) + py * py / (n - 1.0)) + 1.0  # Satterthwaite's df
    return 0.0 if (skewness * units) ** 2 <= SKEWED_BY_CHANCE else skewness


@kernel
def placement_skewnesses(placed, labels, positives, first, second, out):
    """Write `placement_skewness` of rows first[p] and second[p] of `placed` (k, n) to out[p]."""
    for p in range(out.size):
        out[p] = placement_skewness(placed[first[p]], placed[second[p]], labels, positives)


@kernel
def difference_variance(a, b, labels, m):
    """Return DeLong's variance of AUC_a - AUC_b from the placements; NaN for m or n below 2."""
    n = a.size - m
    if m < 2 or n < 2:
        return np.nan
    difference = wins(a, labels) - wins(b, labels)
    over_x, over_y = squared_deviations(a, b, labels, difference / m, difference / n)
    s10 = over_x / (4.0 * n * n * (m - 1))
    s01 = over_y / (4.0 * m * m * (n - 1))
    return s10 / m + s01 / n


@kernel
def delong(labels, a, b):
    """Return AUC_a, AUC_b and the variance of their difference.

    `labels` are 0 and 1 (uint8), `a` and `b` float64 scores without NaN, all C-contiguous.
    """
    placed_a, placed_b = np.empty(a.size, np.uint32), np.empty(b.size, np.uint32)
    placements(a, labels, placed_a)
    placements(b, labels, placed_b)
    m = count_positives(labels)
    pairs = 2.0 * m * (labels.size - m)
    variance = difference_variance(placed_a, placed_b, labels, m)
    return wins(placed_a, labels) / pairs, wins(placed_b, labels) / pairs, variance


@kernel
def delong_z(labels, a, b):
    """Return DeLong's z for AUC_a - AUC_b: 0 for identical models, NaN where undefined."""
    auc_a, auc_b, variance = delong(labels, a, b)
    if variance == 0.0 and auc_a == auc_b:
        return 0.0
    return (auc_a - auc_b) / math.sqrt(variance)


@kernel
def standardize(placed, labels, centre, scale, out):
    """Write ``(placement - centre) * scale`` to `out`; `centre` is (k, 2), `scale` (2,) by label.

    With scale_l = 1 / (2 * other * sqrt(own * (own - 1))), out @ out.T is DeLong's covariance.
    """
    for r in range(placed.shape[0]):
        for i in range(placed.shape[1]):
            label = labels[i] & 1
            out[r, i] = (np.float64(placed[r, i]) - centre[r, label]) * scale[label]


MOST = 1 << 20  # cases: a placement is below 2n, so the sum of all squares is below 4 n^3 < 2^63


@part
def write_binary_labels(y, labels):
    """Write y as bytes to `labels`; return the number of ones, or -1 unless all are 0 or 1."""
    m = others = np.int64(0)
    for i in range(y.size):
        label = np.int64(y[i])
        others |= label & ~1
        labels[i] = label & 1
        m += label & 1
    return -1 if others else m


@part
def sum_squares(a, b, labels, out):
    """Write to `out` (8) 2mn AUC of a and b, and sums of a^2, b^2 and (a - b)^2 by class.

    a and b are two models' placements. Sums over positives come before those over negatives. For
    less than MOST cases.
    """
    wa = wb = pa = pb = pd = ta = tb = td = ZERO
    for i in range(a.size):
        positive = ZERO - U(labels[i])
        x, y = U(a[i]), U(b[i])
        d = x - y if x > y else y - x
        xx, yy, dd = x * x, y * y, d * d
        wa += x & positive
        wb += y & positive
        pa += xx & positive
        pb += yy & positive
        pd += dd & positive
        ta += xx
        tb += yy
        td += dd
    sums = (wa, wb, pa, ta - pa, pb, tb - pb, pd, td - pd)
    for c in range(8):
        out[c] = sums[c]


@kernel
def plain_sums(y, a, b, out):
    """Write `sum_squares` and m of two models' scores to `out` (9); return `placement_skewness`.

    Return NaN, with nothing written, if labels are not 0 and 1, a class is missing, or scores need
    another kernel (those with NaN, say).
    """
    labels, scratch = np.empty(y.size, np.uint8), np.empty((3, y.size), np.uint32)
    m = write_binary_labels(y, labels)
    keys, placed_a, placed_b = scratch[0], scratch[1], scratch[2]
    if not 0 < m < y.size:
        return np.nan
    if not placements_linear(a, labels, m, keys, placed_a):
        return np.nan
    if not placements_linear(b, labels, m, keys, placed_b):
        return np.nan
    sum_squares(placed_a, placed_b, labels, out)
    out[8] = m
    return placement_skewness(placed_a, placed_b, labels, m)


@kernel
def plain_wins(y, scores):
    """Return 2mn AUC and m of one model; -1 in place of 2mn AUC where `plain_sums` gives NaN.

    m is -1 if labels are not 0 and 1.
    """
    labels, keys = np.empty(y.size, np.uint8), np.empty(y.size, np.uint32)
    m, placed = write_binary_labels(y, labels), np.empty(y.size, np.uint32)
    if not (0 < m < y.size and placements_linear(scores, labels, m, keys, placed)):
        return -1, m
    return wins(placed, labels), m


@kernel
def are_sound(y, a, b, weights, need_integers, labels):
    """Write labels as bytes; return whether labels, scores and weights are valid and plain.

    They are if both classes occur, no score is NaN, and weights are positive and finite, and with
    `need_integers` whole and below 2^53.
    """
    m = write_binary_labels(y, labels)
    sound = 0 < m < y.size
    for i in range(y.size):
        weight = weights[i]
        sound &= (a[i] == a[i]) & (b[i] == b[i]) & (weight > 0.0) & (weight < np.inf)
        if need_integers:
            sound &= (weight == np.floor(weight)) & (weight < 2.0**53)
    return sound


@kernel
def problem_labels(labels, r):
    """Return the labels of problem r; a single row serves all problems."""
    return labels[r if labels.shape[0] > 1 else 0]


@kernel
def branchless_squared_deviations(a, b, labels, centre_positive, centre_negative):
    """Return `squared_deviations`, the same bits, without a branch.

    Labels that a CPU has not learned by heart take half the time so, others twice as long.
    """
    over_x = over_y = 0.0
    for i in range(a.size):
        d = np.float64(np.int64(a[i]) - np.int64(b[i]))
        positive = np.float64(labels[i] & 1)
        over_x += (d - centre_positive) ** 2 * positive
        over_y += (d - centre_negative) ** 2 * (1.0 - positive)
    return over_x, over_y


@kernel
def compare_placements(a, b, labels, m, foreseen, doubled_wins, squares):
    """Write 2mn AUC of both models, and the squared deviations of their difference by class.

    `squares` (2,) are the sums over positives and negatives of (a - b - mean)^2, a and b being
    placements; NaN where a class has less than two cases. `m` is the number of positives. With
    `foreseen` the CPU can predict the labels: they are few and recur.
    """
    n = labels.size - m
    doubled_wins[0], doubled_wins[1] = wins(a, labels), wins(b, labels)
    squares[:] = np.nan
    if m < 2 or n < 2:
        return
    difference = doubled_wins[0] - doubled_wins[1]
    mean_x, mean_y = difference / m, difference / n
    if foreseen:
        squares[0], squares[1] = squared_deviations(a, b, labels, mean_x, mean_y)
    else:
        squares[0], squares[1] = branchless_squared_deviations(a, b, labels, mean_x, mean_y)


@kernel
def compare_rows(a, b, labels, doubled_wins, squares, skewness):
    """Write `compare_placements` of every row of two tables of scores (B, n) to rows (B, 2).

    `placement_skewness` goes to `skewness` (B,), unless that is empty.
    """
    cases, foreseen = a.shape[1], labels.shape[0] == 1
    keys = np.empty(cases, np.uint32)
    placed_a, placed_b = np.empty(cases, np.uint32), np.empty(cases, np.uint32)
    m = count_positives(labels[0])
    for r in range(a.shape[0]):
        y = problem_labels(labels, r)
        if not foreseen:
            m = count_positives(y)
        placements_narrow(a[r], y, m, keys, placed_a)
        placements_narrow(b[r], y, m, keys, placed_b)
        compare_placements(placed_a, placed_b, y, m, foreseen, doubled_wins[r], squares[r])
        if skewness.size:
            skewness[r] = placement_skewness(placed_a, placed_b, y, m)


@kernel
def scores_of_negatives(scores, labels):
    """Return the scores of the negatives, in the order of the cases."""
    y = np.empty(scores.size - count_positives(labels))
    j = 0
    for i in range(scores.size):
        if not labels[i] & 1:
            y[j] = scores[i]
            j += 1
    return y


@kernel
def placements_heaviside(scores, labels, out):
    """Write the placement of every case to `out`, by comparing all pairs: the definition."""
    y = scores_of_negatives(scores, labels)
    placed_y = np.zeros(y.size, np.int64)
    for i in range(scores.size):
        if not labels[i] & 1:
            continue
        x = scores[i]
        beats = np.int64(0)
        for j in range(y.size):
            twice_psi = np.int64(x > y[j]) + np.int64(x >= y[j])
            beats += twice_psi
            placed_y[j] += twice_psi
        out[i] = beats
    j = 0
    for i in range(scores.size):
        if not labels[i] & 1:
            out[i] = placed_y[j]
            j += 1


@kernel
def sum_few(a, b, labels, weights, factors, unit, limbs, totals, scales, by_root, means, sums):
    """Write `means` and `sums` of two models as `sum_products` does.

    Return False, with nothing written, if the scores of a model do not fit `weigh_few`.
    """
    values = np.empty((labels.size, 3))
    wins = values.view(np.int64)
    if not weigh_few(a, labels, weights, factors, unit, limbs, wins, False):
        return False
    if not weigh_few(b, labels, weights, factors, unit, limbs, wins, True):
        return False
    sum_products(values, labels, weights, factors, totals, scales, by_root, means, sums)
    return True


@kernel
def moment_sums(a, b, labels, out):
    """Write the sums of a, b, a^2, b^2 and (a - b)^2 to `out`.

    `out` is (2, 8) uint64: row 0 over all cases, row 1 over the positives; each sum of squares
    takes two columns, the sums of the lower and of the upper 32 bits. Needs a, b < 2^32.
    """
    sa = sb = al = ah = bl = bh = dl = dh = ZERO
    pa = pb = pal = pah = pbl = pbh = pdl = pdh = ZERO
    for i in range(a.size):
        positive = ZERO - U(labels[i] & 1)
        x, y = U(a[i]), U(b[i])
        d = (max(x, y) - min(x, y)) & WORD  # the mask tells LLVM that a 32-bit product will do
        xx, yy, dd = x * x, y * y, d * d
        sa += x
        sb += y
        al += xx & WORD
        ah += xx >> HALF
        bl += yy & WORD
        bh += yy >> HALF
        dl += dd & WORD
        dh += dd >> HALF
        pa += x & positive
        pb += y & positive
        pal += xx & WORD & positive
        pah += (xx >> HALF) & positive
        pbl += yy & WORD & positive
        pbh += (yy >> HALF) & positive
        pdl += dd & WORD & positive
        pdh += (dd >> HALF) & positive
    everyone = (sa, sb, al, ah, bl, bh, dl, dh)
    positives = (pa, pb, pal, pah, pbl, pbh, pdl, pdh)
    for c in range(8):
        out[0, c], out[1, c] = everyone[c], positives[c]
