"""DeLong's paired test in compiled code, for loops of your own.

Notation of DeLong et al. (1988): m positives X, n negatives Y, V10 = placement / 2n,
V01 = placement / 2m. The variance of a difference comes from differences of components, case by
case, so it keeps its digits however alike the models are.
"""

import math

import numpy as np

from .._jit.kernel import kernel
from .sorting.few_values import placements_of_few_values
from .sorting.linear import LINEAR_BELOW, placements_linear
from .sorting.midrank import placements_midrank
from .sorting.placements import count_positives

TABLE_FROM = 1 << 12  # cases that repay a look for few distinct values, see bench_kernels


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
    """Return twice the number of pairs that the positives win, 2mn AUC, an integer."""
    total = np.int64(0)
    for i in range(placed.size):
        total += np.int64(placed[i]) * np.int64(labels[i] & 1)
    return total


@kernel
def squared_deviations(a, b, labels, centre_positive, centre_negative):
    """Return the sums over positives and negatives of (a - b - centre)^2."""
    over_x = over_y = 0.0
    for i in range(a.size):
        d = np.float64(np.int64(a[i]) - np.int64(b[i]))
        if labels[i] & 1:
            over_x += (d - centre_positive) ** 2
        else:
            over_y += (d - centre_negative) ** 2
    return over_x, over_y


@kernel
def difference_variance(a, b, labels, m):
    """Return DeLong's variance of AUC_a - AUC_b from the placements; NaN for m or n below 2."""
    n = a.size - m
    if m < 2 or n < 2:
        return np.nan
    gain = wins(a, labels) - wins(b, labels)
    over_x, over_y = squared_deviations(a, b, labels, gain / m, gain / n)
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
