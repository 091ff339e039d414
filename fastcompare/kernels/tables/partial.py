"""Ranks of the models that each data set has, where others are missing."""

import numpy as np

from ..._jit.kernel import kernel
from .ranking import add_below


@kernel
def rank_known(scores, descending, centred, rows, models):
    """Write twice the ranks less their mean, among the known scores of each row of scores (N, k).

    That is how many are below less how many are above, and 0 where a score is NaN: nothing is below
    or above that. To `rows` (N, 2) how many scores a row has, and the sum of the squares; to
    `models` (3, k), which begins with 0, how many scores a model has, the sum of what is written,
    and that of the means, doubled.
    """
    known = np.empty(scores.shape[1], np.int64)
    for i in range(scores.shape[0]):
        own, row = scores[i], centred[i]
        for j in range(row.size):
            row[j], known[j] = 0, np.int64(own[j] == own[j])
        add_below(own, 1, row)
        size, below = known.sum(), row.sum()
        if below == size * (size - 1) // 2:  # nothing ties: above are all that are not below
            for j in range(row.size):
                row[j] = (2 * row[j] + 1 - size) * known[j]
        else:
            add_below(own, -1, row)
        squares = np.int64(0)
        for j in range(row.size):
            row[j] = -row[j] if descending else row[j]
            squares += row[j] * row[j]
            models[0, j] += known[j]
            models[1, j] += row[j]
            models[2, j] += known[j] * (size + 1)
        rows[i, 0], rows[i, 1] = size, squares
