"""Ranks of k models on each of N data sets, and Friedman's statistics of them.

Ranks are doubled, so midranks are integers: 2 to 2k where nothing ties. Notation of Conover (1999):
R_j is the sum of the ranks of model j, A the sum of all squared ranks, C = N k (k + 1)^2 / 4.
Where scores are missing, `rank_present_scores` ranks the models that a data set has.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..sorting.placements import midranks

MOST_COUNTED = 250  # models up to which counting takes less time than sorting; see bench_datasets


@kernel
def add_below(scores, sign, out):
    """Add to `out` (int64) the number of scores below each; for `sign` -1, subtract those above.

    No branch, vectors of scores at a time, and four scores to compare with: half the time of one.
    """
    vector_end = out.size - out.size % 4
    for i in range(0, vector_end, 4):
        a, b = sign * scores[i], sign * scores[i + 1]
        c, d = sign * scores[i + 2], sign * scores[i + 3]
        for j in range(out.size):
            x = sign * scores[j]
            below = np.int64(a < x) + np.int64(b < x) + np.int64(c < x) + np.int64(d < x)
            out[j] += sign * below
    for i in range(vector_end, out.size):
        for j in range(out.size):
            out[j] += sign * np.int64(sign * scores[i] < sign * scores[j])


@kernel
def count_ranks(scores, out):
    """Write twice the midrank of every score to `out` (int64), the lowest score first."""
    k, pairs = out.size, 0
    for j in range(k):
        out[j] = 0
    add_below(scores, 1, out)
    for below in out:
        pairs += below
    if pairs == k * (k - 1) // 2:  # nothing ties
        for j in range(k):
            out[j] = 2 * out[j] + 2
        return
    add_below(scores, -1, out)
    for j in range(k):
        out[j] += k + 1  # those below less those above: 0 is the middle


@kernel
def add_ranks(ranks, descending, sums):
    """Add doubled ranks, reversed if `descending`, to `sums`; return the sum of their squares."""
    if descending:
        both_ends = 2 * (ranks.size + 1)
        for j in range(ranks.size):
            ranks[j] = both_ends - ranks[j]
    squares = np.int64(0)
    for j in range(ranks.size):
        sums[j] += ranks[j]
        squares += ranks[j] * ranks[j]
    return squares


@kernel
def rank_rows(scores, descending, doubled, sums):
    """Write the doubled ranks of every row of scores (N, k) to `doubled` and add them to `sums`.

    Both are int64; `descending` gives the highest score rank 1. Returns 4 A, the sum of squared
    doubled ranks. If `doubled` has fewer rows than scores, they are reused in turn. For more than
    `MOST_COUNTED` models `rank_wide_rows` is faster; in one kernel, each first call would wait for
    its compilation.
    """
    squares = np.int64(0)
    for i in range(scores.shape[0]):
        ranks = doubled[i % doubled.shape[0]]
        count_ranks(scores[i], ranks)
        squares += add_ranks(ranks, descending, sums)
    return squares


@kernel
def count_column_wins(columns, first, second, wins):
    """Write to `wins` (2, P) the numbers of rows where one of two columns is above, and below.

    `columns` is (k, N); pair p compares columns first[p] and second[p]. It is faster than ranks of
    all rows, and than arrays.
    """
    for p in range(first.size):
        a, b = columns[first[p]], columns[second[p]]
        above = below = np.int64(0)
        for i in range(a.size):
            above += np.int64(a[i] > b[i])
            below += np.int64(a[i] < b[i])
        wins[0, p], wins[1, p] = above, below


@kernel
def rank_wide_rows(scores, descending, doubled, sums):
    """Write the ranks of `rank_rows` by sorting, which takes five times as long to compile."""
    k, squares = scores.shape[1], np.int64(0)
    ranks = np.empty(k, np.uint32)
    for i in range(scores.shape[0]):
        midranks(scores[i], ranks)
        row = doubled[i % doubled.shape[0]]
        for j in range(k):
            row[j] = ranks[j]
        squares += add_ranks(row, descending, sums)
    return squares


@kernel
def friedman(scores):
    """Return Friedman's chi-squared with ties, and the F of Iman and Davenport, of scores (N, k).

    chi2 = (k - 1) sum (R_j - N (k + 1) / 2)^2 / (A - C), and F = (N - 1) chi2 / (N (k - 1) - chi2).
    Where all scores tie, both are 0; where all rows have the same ranks, F is infinite.
    """
    n, k = scores.shape
    ranks, sums = np.empty(k, np.int64), np.zeros(k, np.int64)
    squares = np.int64(0)
    for i in range(n):
        count_ranks(scores[i], ranks)
        squares += add_ranks(ranks, False, sums)
    within = squares - n * k * (k + 1) * (k + 1)  # 4 (A - C)
    if within == 0:
        return 0.0, 0.0
    between = 0.0
    for total in sums:
        between += np.float64(total - n * (k + 1)) ** 2
    chi2 = (k - 1) * between / within
    error = n * within - between  # integers: 0 exactly where all rows are identical
    return chi2, (n - 1) * between / error if error > 0.0 else np.inf


@kernel
def rank_present_scores(scores, descending, centred, rows, models):
    """Write twice (rank - mean rank) among the scores of a row without NaN to `centred` (N, k).

    That is the number of scores below less the number above; NaN gets 0. `rows` (N, 2) gets the
    number of scores of a row, and the sum of squares of what is written. To `models` (3, k) the
    number of scores of a model, the sum of what is written, and twice the mean ranks are added.
    """
    present = np.empty(scores.shape[1], np.int64)
    for i in range(scores.shape[0]):
        values, row = scores[i], centred[i]
        for j in range(row.size):
            row[j], present[j] = 0, np.int64(values[j] == values[j])
        add_below(values, 1, row)
        size, below = present.sum(), row.sum()
        if below == size * (size - 1) // 2:  # nothing ties: above are all that are not below
            for j in range(row.size):
                row[j] = (2 * row[j] + 1 - size) * present[j]
        else:
            add_below(values, -1, row)
        squares = np.int64(0)
        for j in range(row.size):
            row[j] = -row[j] if descending else row[j]
            squares += row[j] * row[j]
            models[0, j] += present[j]
            models[1, j] += row[j]
            models[2, j] += present[j] * (size + 1)
        rows[i, 0], rows[i, 1] = size, squares
