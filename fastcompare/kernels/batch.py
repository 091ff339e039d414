"""Many small problems at once: one call a block of them, which keeps its scratch in the cache.

Notation as in `pair`: variances come from differences of the components, case by case.
"""

import numpy as np

from .._jit.kernel import kernel
from .pair import squared_deviations, wins
from .sorting.narrow import placements_narrow
from .sorting.placements import count_positives


@kernel
def row_of(labels, r):
    """Return the labels of problem r; a single row serves all problems."""
    return labels[r if labels.shape[0] > 1 else 0]


@kernel
def unforeseen_deviations(a, b, labels, centre_positive, centre_negative):
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
def compare_placements(a, b, labels, m, foreseen, won, squares):
    """Write the doubled wins of both models, and the squares of their differences by class.

    `won` (2,) is 2 m n AUC. `squares` (2,) are the sums over positives and negatives of
    (a - b - mean)^2; NaN where a class has less than two cases. `m` counts positives; labels that
    are few and come again and again are `foreseen`.
    """
    n = labels.size - m
    won[0], won[1] = wins(a, labels), wins(b, labels)
    squares[:] = np.nan
    if m < 2 or n < 2:
        return
    gain = won[0] - won[1]
    if foreseen:
        squares[0], squares[1] = squared_deviations(a, b, labels, gain / m, gain / n)
    else:
        squares[0], squares[1] = unforeseen_deviations(a, b, labels, gain / m, gain / n)


@kernel
def compare_rows(a, b, labels, won, squares):
    """Write `compare_placements` of every row of two tables of scores to rows (B, 2)."""
    cases, foreseen = a.shape[1], labels.shape[0] == 1
    keys = np.empty(cases, np.uint32)
    placed_a, placed_b = np.empty(cases, np.uint32), np.empty(cases, np.uint32)
    m = count_positives(labels[0])
    for r in range(a.shape[0]):
        y = row_of(labels, r)
        if not foreseen:
            m = count_positives(y)
        placements_narrow(a[r], y, m, keys, placed_a)
        placements_narrow(b[r], y, m, keys, placed_b)
        compare_placements(placed_a, placed_b, y, m, foreseen, won[r], squares[r])
