"""Tables of normal scores for the trials of a simulation, and the statistics of each table.

Models are columns, rounds or data sets are rows. `wilcoxon_rows` returns the p-values of
`wilcoxon_test`: zeros are dropped, ranks doubled, and the null distribution is exact, ties
included, up to `MOST` differences.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..drawing.exchange import empty_words
from ..drawing.purposes import DATASETS, ROUNDS
from ..drawing.streams import draw_normal_numbers, fill_words
from ..signed_ranks import tie_group_end
from ..sums import U
from ..tables.folds import corrected_t, f_5x2cv, t_5x2cv
from ..tables.ranking import friedman, rank_rows


@kernel
def draw_normals(trial, purpose, seed, words, z):
    """Write the standard normal numbers of a trial to z; `words` has two for each."""
    fill_words(words, U(0), trial, purpose, seed)
    draw_normal_numbers(words, z)


@kernel
def draw_rounds(correlation, means, deviations, first, seed, scores):
    """Write normal scores (B, J, k) of k models in J rounds of the trials from `first` on.

    A model's scores have this correlation between rounds; models are independent.
    """
    trials, rounds, k = scores.shape
    z, words = np.empty((rounds + 1) * k), empty_words(2 * (rounds + 1) * k)
    shared, independent = math.sqrt(correlation), math.sqrt(1.0 - correlation)
    for b in range(trials):
        draw_normals(first + U(b), ROUNDS, seed, words, z)
        for i in range(rounds):
            for j in range(k):
                score = shared * z[j] + independent * z[(i + 1) * k + j]
                scores[b, i, j] = means[j] + deviations[j] * score


@kernel
def draw_datasets(means, deviation, unit, first, seed, scores):
    """Write normal scores (B, N, k) of k models on N data sets, shifted by a data set's difficulty.

    They are multiples of 1 / `unit`, or not rounded if that is 0.
    """
    trials, n, k = scores.shape
    z, words = np.empty(n * (k + 1)), empty_words(2 * n * (k + 1))
    for b in range(trials):
        draw_normals(first + U(b), DATASETS, seed, words, z)
        for i in range(n):
            for j in range(k):
                score = means[j] + deviation * z[n * k + i] + z[i * k + j]
                scores[b, i, j] = np.rint(score * unit) / unit if unit > 0.0 else score


@kernel
def friedman_rows(scores, chi2, f):
    """Write `friedman` of each table (B, N, k)."""
    for b in range(chi2.size):
        chi2[b], f[b] = friedman(scores[b])


@kernel
def rank_sums_rows(scores, rank_sums):
    """Write the sums (B, k) of the doubled ranks of each table (B, N, k)."""
    doubled = np.empty(scores.shape[1:], np.int64)
    for b in range(rank_sums.shape[0]):
        for j in range(rank_sums.shape[1]):
            rank_sums[b, j] = 0
        rank_rows(scores[b], False, doubled, rank_sums[b])


NEAR = 1e-12  # differences of shares of some hundred cases that rounding can make


@kernel
def corrected_rows(d, ratio, out):
    """Write the t of Nadeau and Bengio of each row of differences (B, J)."""
    for b in range(out.size):
        out[b] = corrected_t(d[b], ratio, NEAR)


@kernel
def t_5x2cv_rows(d, out):
    """Write Dietterich's 5x2cv t of each row of differences d (B, 5, 2)."""
    for b in range(out.size):
        out[b] = t_5x2cv(d[b], NEAR)


@kernel
def f_5x2cv_rows(d, out):
    """Write Alpaydin's 5x2cv F of each row of differences d (B, 5, 2)."""
    for b in range(out.size):
        out[b] = f_5x2cv(d[b], NEAR)


MOST = 200  # differences up to which the distribution is exact, as in `wilcoxon_test`
SQRT2 = math.sqrt(2.0)


@kernel
def signed_ranks(d, magnitudes, rounding, ranks):
    """Write the doubled ranks of the differences to `ranks`, negative ones with their sign.

    The differences that are not 0 are in order of their `magnitudes` |d|, which tie if they differ
    by no more than their `rounding` errors.
    """
    start = 0
    while start < d.size:
        stop = tie_group_end(magnitudes, rounding, start)
        shared = np.int64(start + stop + 1)
        for i in range(start, stop):
            ranks[i] = -shared if d[i] < 0.0 else shared
        start = stop


@kernel
def exact_tail(ranks, largest_sum, divisor):
    """Return the proportion of subsets of the ranks whose sum is at most `largest_sum`.

    All ranks are multiples of `divisor`; their signs do not matter.
    """
    last = largest_sum // divisor
    counts = np.zeros(last + 1)
    counts[0] = 1.0
    for rank in ranks:
        step = abs(rank) // divisor
        for total in range(last, step - 1, -1):
            counts[total] += counts[total - step]
    share = 0.0
    for count in counts:
        share += count
    return math.ldexp(share, -ranks.size)


@kernel
def wilcoxon_pvalue(ranks):
    """Return Wilcoxon's two-sided p-value from doubled signed ranks."""
    plus = minus = odd = np.int64(0)
    squares = 0.0
    for rank in ranks:
        plus, minus = plus + max(rank, 0), minus + max(-rank, 0)
        odd, squares = odd | (rank & 1), squares + np.float64(rank) * np.float64(rank)
    if ranks.size > MOST:
        return math.erfc(abs(plus - minus) / math.sqrt(squares) / SQRT2)
    divisor = 1 if odd else 2  # without ties, and mostly with them, all ranks are whole
    return min(1.0, 2.0 * exact_tail(ranks, min(plus, minus), divisor))


@kernel
def wilcoxon_rows(d, rounding, orders, pvalue):
    """Write the p-value of each trial's differences (B, n), of rounding errors `rounding` (B, n).

    A row of `orders` (B, n) sorts a trial's differences by |d|.
    """
    ranks = np.empty(d.shape[1], np.int64)
    for b in range(pvalue.size):
        order = orders[b]
        differences, magnitudes = d[b][order], np.abs(d[b][order])
        zeros = np.searchsorted(magnitudes, 0.0, side="right")
        signed_ranks(differences[zeros:], magnitudes[zeros:], rounding[b][order][zeros:], ranks)
        pvalue[b] = wilcoxon_pvalue(ranks[: d.shape[1] - zeros])
