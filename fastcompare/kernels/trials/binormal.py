"""Binormal scores of two models, and their permutation and bootstrap tests, for many trials.

Negatives have standard normal scores, positives are shifted by `shift` of the model; the two
models' scores of a case are correlated. Positives come first.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..drawing.exchange import UNIT, add_exchanged_sums
from ..drawing.purposes import SCORES, SEEDS
from ..drawing.resampling import BATCH, draw_strata
from ..drawing.streams import LANES, WORDS, draw_normal_numbers, fill_words
from ..replicates import STEPS, sum_wins, write_walk
from ..sorting.keys import pack
from ..sorting.native import sort64
from ..sorting.placements import midranks, placements_midrank
from ..sums import U


@kernel
def draw_scores(shift, correlation, n_positive, first, seed, a, b):
    """Write the scores (B, n) of both models in the trials from `first` on."""
    n = a.shape[1]
    words = np.empty((4 * n + WORDS - 1) // WORDS * WORDS, np.uint32)
    z = np.empty(2 * n)
    independent = math.sqrt(1.0 - correlation * correlation)
    for r in range(a.shape[0]):
        fill_words(words, U(0), first + U(r), SCORES, seed)
        draw_normal_numbers(words, z)
        for i in range(n):
            positive = i < n_positive
            a[r, i] = z[2 * i] + shift[0] * positive
            b[r, i] = correlation * z[2 * i] + independent * z[2 * i + 1] + shift[1] * positive


@kernel
def trial_seed(trial, seed):
    """Return a seed for the replicates of a trial."""
    words = np.empty(WORDS, np.uint32)
    fill_words(words, U(0), trial, SEEDS, seed)
    return (U(words[0]) << U(32)) | U(words[1])


@kernel
def exchange_contributions(labels, a, b, t):
    """Write t of `auc._exchanges`, 4mn (AUC_a - AUC_b) by case, to `t` (int64), zeros behind."""
    n = labels.size
    both, placed = np.empty(2 * n, np.uint32), np.empty(2 * n, np.uint32)
    midranks(a, both[:n])
    midranks(b, both[n:])
    ranks, both_labels = both.astype(np.float64), np.empty(2 * n, np.uint8)
    for i in range(n):
        both_labels[i] = both_labels[n + i] = labels[i]
    placements_midrank(ranks, both_labels, placed)
    t[:] = 0
    for i in range(n):
        t[i] = np.int64(placed[i]) - np.int64(placed[n + i])


@kernel
def permutation_rows(labels, a, b, first, seed, n_resamples, out):
    """Write the two-sided p-value of Bandos' test of each trial, by random exchanges."""
    n = labels.size
    t = np.empty((n + UNIT - 1) // UNIT * UNIT, np.int64)
    sums = np.empty(((n_resamples + LANES - 1) // LANES, LANES), np.int64)
    for r in range(out.size):
        exchange_contributions(labels, a[r], b[r], t)
        observed = abs(t.sum())
        sums[:] = 0
        add_exchanged_sums(t, U(0), U(0), trial_seed(first + U(r), seed), sums)
        extreme = 0
        for i in range(n_resamples):
            extreme += abs(sums[i // LANES, i % LANES]) >= observed
        out[r] = (1 + extreme) / (1 + n_resamples)


@kernel
def bootstrap_rows(labels, a, b, first, seed, strata, levels, thresholds, gains):
    """Write 2mn times the difference of the AUCs in the replicates (B, blocks 64) of each trial.

    The arrays between seed and `gains` are those of `draw_strata`.
    """
    n, totals = labels.size, np.empty((2, LANES), np.uint32)
    rows, weights = np.arange(n).astype(np.uint32), np.empty((n, LANES), np.uint8)
    steps, ends = np.empty((2, 2 * n), np.uint32), np.empty((2, 2 * n), np.uint32)
    kinds, keys = np.empty((2, 2 * n), np.uint8), np.empty(n, np.uint64)
    stops, words = np.empty(2, np.int64), weights.view(np.uint64)
    bits = np.empty((BATCH + 1, WORDS), np.uint32)
    row_words = np.empty((STEPS, LANES // 8), np.uint64)
    draws, block_rows = bits.view(np.uint8), row_words.view(np.uint8)
    sums, inside = np.zeros((3, LANES), np.uint16), np.zeros(LANES, np.uint32)
    for r in range(gains.shape[0]):
        key = trial_seed(first + U(r), seed)
        for model in range(2):
            scores = b[r] if model else a[r]
            nbits, exact = pack(scores, labels, keys)
            sort64(keys)
            walk = steps[model], ends[model], kinds[model]
            stops[model], _ = write_walk(keys, scores, nbits, exact, rows, *walk)
        for block in range(gains.shape[1] // LANES):
            totals[:] = 0
            rates = strata, levels, thresholds
            draw_strata(weights, words.ravel(), 0, n, totals, *rates, U(block), key, bits, draws)
            wins = np.zeros((2, LANES), np.uint64)
            for model in range(2):
                below = np.zeros(LANES, np.uint64)
                walk = steps[model], ends[model], kinds[model]
                place = 0, words, 0, stops[model], below, wins[model], row_words, block_rows
                sum_wins(*walk, *place, sums[0], sums[1], sums[2], inside)
            for lane in range(LANES):
                difference = np.int64(wins[0, lane]) - np.int64(wins[1, lane])
                gains[r, block * LANES + lane] = difference
