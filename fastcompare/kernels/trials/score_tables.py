"""Tables of scores for the trials of a simulation; models are columns, rounds or data sets rows."""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..drawing.purposes import DATASETS, ROUNDS
from ..drawing.streams import fill_words, normals
from ..drawing.subsets import room
from ..tables.ranking import friedman, rank_rows
from ..words import U


@kernel
def draw_normals(trial, purpose, seed, words, z):
    """Write the standard normal numbers of a trial to z; `words` has two for each."""
    fill_words(words, U(0), trial, purpose, seed)
    normals(words, z)


@kernel
def draw_rounds(correlation, means, deviations, first, seed, scores):
    """Write scores (B, J, k) in the trials from `first` on.

    Those of a model correlate between rounds, since all share a part; models are independent.
    """
    trials, rounds, k = scores.shape
    z, words = np.empty((rounds + 1) * k), room(2 * (rounds + 1) * k)
    shared, rest = math.sqrt(correlation), math.sqrt(1.0 - correlation)
    for b in range(trials):
        draw_normals(first + U(b), ROUNDS, seed, words, z)
        for i in range(rounds):
            for j in range(k):
                score = shared * z[j] + rest * z[(i + 1) * k + j]
                scores[b, i, j] = means[j] + deviations[j] * score


@kernel
def draw_datasets(means, deviation, unit, first, seed, scores):
    """Write scores (B, N, k), all of a data set moved by its difficulty.

    They are multiples of 1 / `unit`, or not rounded if that is 0.
    """
    trials, n, k = scores.shape
    z, words = np.empty(n * (k + 1)), room(2 * n * (k + 1))
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
def rank_sums_rows(scores, sums):
    """Write the sums (B, k) of the doubled ranks of each table (B, N, k)."""
    doubled = np.empty(scores.shape[1:], np.int64)
    for b in range(sums.shape[0]):
        for j in range(sums.shape[1]):
            sums[b, j] = 0
        rank_rows(scores[b], False, doubled, sums[b])
