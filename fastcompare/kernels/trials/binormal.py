"""Binormal scores of two models, and their permutation and bootstrap tests, for many trials.

Negatives have standard normal scores, positives are shifted by `shift` of the model; the two
models' scores of a case are correlated. Positives come first.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..drawing.exchange import UNIT, add_exchanges
from ..drawing.philox import LANES, WORDS
from ..drawing.purposes import SCORES, SEEDS
from ..drawing.resampling import correct_totals, draw_counts
from ..drawing.streams import fill_words, normals
from ..replicates import win_steps
from ..sorting.midrank import midranks, placements_midrank
from ..walks import walk_steps
from ..words import U


@kernel
def draw_scores(shift, correlation, n_positive, first, seed, a, b):
    """Write the scores (B, n) of both models in the trials from `first` on."""
    n = a.shape[1]
    words = np.empty((4 * n + WORDS - 1) // WORDS * WORDS, np.uint32)
    z = np.empty(2 * n)
    rest = math.sqrt(1.0 - correlation * correlation)
    for r in range(a.shape[0]):
        fill_words(words, U(0), first + U(r), SCORES, seed)
        normals(words, z)
        for i in range(n):
            positive = i < n_positive
            a[r, i] = z[2 * i] + shift[0] * positive
            b[r, i] = correlation * z[2 * i] + rest * z[2 * i + 1] + shift[1] * positive


@kernel
def trial_seed(trial, seed):
    """Return a seed for the replicates of a trial."""
    words = np.empty(WORDS, np.uint32)
    fill_words(words, U(0), trial, SEEDS, seed)
    return (U(words[0]) << U(32)) | U(words[1])


@kernel
def exchange_steps(labels, a, b, t):
    """Write t of `_compare.auc.permutation.sums` to `t` (int64), zeros behind the cases."""
    n = labels.size
    both, placed = np.empty(2 * n, np.uint32), np.empty(2 * n, np.uint32)
    midranks(a, both[:n])
    midranks(b, both[n:])
    ranks, twice = both.astype(np.float64), np.empty(2 * n, np.uint8)
    for i in range(n):
        twice[i] = twice[n + i] = labels[i]
    placements_midrank(ranks, twice, placed)
    t[:] = 0
    for i in range(n):
        t[i] = np.int64(placed[i]) - np.int64(placed[n + i])


@kernel
def permutation_rows(labels, a, b, first, seed, n_resamples, out):
    """Write the p-value of Bandos' test of each trial, two-sided, by random exchanges."""
    n = labels.size
    t = np.empty((n + UNIT - 1) // UNIT * UNIT, np.int64)
    sums = np.empty(((n_resamples + LANES - 1) // LANES, LANES), np.int64)
    for r in range(out.size):
        exchange_steps(labels, a[r], b[r], t)
        observed = abs(t.sum())
        sums[:] = 0
        add_exchanges(t, U(0), U(0), trial_seed(first + U(r), seed), sums)
        extreme = 0
        for i in range(n_resamples):
            extreme += abs(sums[i // LANES, i % LANES]) >= observed
        out[r] = (1 + extreme) / (1 + n_resamples)


@kernel
def draw_weights(weights, n_positive, block, levels, thresholds, seed):
    """Write stratified bootstrap weights (n, 64); levels and thresholds are by class (2, ...)."""
    for stratum in range(2):
        first, stop = (n_positive, weights.shape[0]) if stratum else (0, n_positive)
        totals = np.zeros(LANES, np.uint32)
        draw_counts(
            weights[first:stop], totals, first, block, levels[stratum], thresholds[stratum], seed
        )
        correct_totals(weights[first:stop], totals, block, U(stratum), seed)


@kernel
def bootstrap_rows(labels, a, b, first, seed, levels, thresholds, gains):
    """Write 2mn times the difference of the AUCs in the replicates (B, blocks 64) of each trial."""
    n, n_positive = labels.size, np.int64(labels.sum())
    rows, weights = np.arange(n), np.empty((n, LANES), np.uint8)
    steps, runs = np.empty((2, 2 * n), np.int64), np.empty((2, 2 * n, 2), np.int64)
    scratch, ends = np.empty(2 * n, np.uint64), np.empty(2, np.int64)
    for r in range(gains.shape[0]):
        own = trial_seed(first + U(r), seed)
        ends[0], _ = walk_steps(a[r], labels, rows, scratch, steps[0], runs[0])
        ends[1], _ = walk_steps(b[r], labels, rows, scratch, steps[1], runs[1])
        for block in range(gains.shape[1] // LANES):
            draw_weights(weights, n_positive, U(block), levels, thresholds, own)
            won = np.zeros((2, LANES), np.uint64)
            for model in range(2):
                below = np.zeros(LANES, np.uint64)
                win_steps(steps[model], runs[model], 0, weights, 0, ends[model], below, won[model])
            for lane in range(LANES):
                gain = np.int64(won[0, lane]) - np.int64(won[1, lane])
                gains[r, block * LANES + lane] = gain
