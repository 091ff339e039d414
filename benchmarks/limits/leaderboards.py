"""What comparisons of many models on the same items may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..timing import Row, ratio, run_fresh
from .memory import memory

ALL_PAIRS = 3.0  # of one X.T @ X
RANK_SETS = 2.0  # of the adjusted p-values of all pairs; 10 to 100 by all directions in each step
SORTS = 1.5  # of a sort a model and one X @ X.T
BEYOND = 400.0  # MB beyond 400 MB of scores: placements take half of it
BOOTSTRAPS = 1.0  # of 1,000 draws of 10^4 items by NumPy's multinomial and their matrix product


def leaderboard_rows(quick):
    rng = np.random.default_rng(0)
    n, k = 10**4, 200 if quick else 1000
    scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, k))
    value = ratio(partial(fc.mean_pairwise_test, scores), lambda: scores.T @ scores, seconds=4.0)
    yield Row(f"mean_pairwise_test, n = 10^4, k = {k}: X.T @ X", ALL_PAIRS, value)

    answers = (scores[:300, :10] + np.linspace(0.3, 0.0, 10) > -0.7).astype(float)
    value = ratio(partial(fc.leaderboard, answers), partial(fc.mean_pairwise_test, answers))
    yield Row("leaderboard, n = 300, k = 10: mean_pairwise_test", RANK_SETS, value)

    table, equal = scores[:, :100].copy(), np.full(n, 1.0 / n)
    board = partial(fc.leaderboard, table, method="bootstrap", n_resamples=1000, rng=0)

    def drawn():
        return np.random.default_rng(0).multinomial(n, equal, 1000) @ table

    yield Row("leaderboard, 1,000 bootstraps, k = 100: NumPy's", BOOTSTRAPS, ratio(board, drawn))


def score_pairs_rows(quick):
    """Yield time and memory of DeLong's tests of all pairs of a thousand models."""
    n, k = 50_000, 200 if quick else 1000
    labels, scores = score_table(n, k)

    def sorts_and_product():
        for row in scores.T:
            np.argsort(row)
        return scores.T @ scores

    call = partial(fc.delong_pairwise_test, labels, scores)
    value = ratio(call, sorts_and_product, seconds=4.0, rounds=3)
    yield Row(f"delong_pairwise_test, n = 50,000, k = {k}: sorts, product", SORTS, value)
    code = f"from {__name__} import pairs_megabytes as f; print(f({n}, {k}))"
    yield Row("its peak memory beyond the scores", BEYOND, float(run_fresh(code)[1]), "MB")


def score_table(n, k):
    """Return labels and the scores of models that differ, written in place."""
    rng, labels = np.random.default_rng(0), np.arange(n) % 10 < 3
    case, scores = rng.normal(size=n) + labels, np.empty((n, k))
    for j in range(k):
        scores[:, j] = case + (0.3 + j / k) * rng.normal(size=n)
    return labels, scores


def pairs_megabytes(n, k):
    """Return the MB that the tests of all pairs take; for a process of its own."""
    labels, scores = score_table(n, k)
    fc.delong_pairwise_test(labels[:1000], scores[:1000, :20])
    before = memory("VmRSS")
    fc.delong_pairwise_test(labels, scores).summary()
    return (memory("VmHWM") - before) / 1e6
