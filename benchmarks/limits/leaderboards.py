"""What comparisons of many models on the same items may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..timing import Row, fresh_value, ratio_row
from .memory import memory

ALL_PAIRS = 3.0  # of one X.T @ X
RANK_SETS = 2.0  # of the adjusted p-values of all pairs; 10 to 100 by all directions in each step
SORTS = 1.5  # of a sort a model and one X @ X.T
BEYOND = 400.0  # MB beyond 400 MB of scores: placements take half of it
BOOTSTRAPS = 1.0  # of 1,000 draws of 10^4 items by NumPy's multinomial and their matrix product


def leaderboard_rows(quick):
    k = 200 if quick else 1000
    name = f"mean_pairwise_test, n = 10^4, k = {k}: X.T @ X"
    yield ratio_row(name, ALL_PAIRS, partial(pairs_and_product, k), seconds=4.0)
    yield ratio_row("leaderboard, n = 300, k = 10: mean_pairwise_test", RANK_SETS, ranks_and_pairs)
    yield ratio_row("leaderboard, 1,000 bootstraps, k = 100: NumPy's", BOOTSTRAPS, bootstraps)


def item_table(k):
    """Return scores (n, k) of models that share how hard each item is."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(10**4, 1)) + rng.normal(size=(10**4, k))


def pairs_and_product(k):
    """Return the tests of all pairs, and the product of the scores."""
    scores = item_table(k)
    return partial(fc.mean_pairwise_test, scores), lambda: scores.T @ scores


def ranks_and_pairs():
    """Return the ranks of ten models by right answers, and the tests of their pairs."""
    answers = (item_table(10)[:300] + np.linspace(0.3, 0.0, 10) > -0.7).astype(float)
    return partial(fc.leaderboard, answers), partial(fc.mean_pairwise_test, answers)


def bootstraps():
    """Return the ranks of 100 models by bootstraps, and NumPy's draws and product."""
    table = item_table(100)
    n = table.shape[0]
    equal = np.full(n, 1.0 / n)

    def drawn():
        return np.random.default_rng(0).multinomial(n, equal, 1000) @ table

    return partial(fc.leaderboard, table, method="bootstrap", n_resamples=1000, rng=0), drawn


def score_pairs_rows(quick):
    """Yield time and memory of DeLong's tests of all pairs of a thousand models."""
    n, k = 50_000, 200 if quick else 1000
    name = f"delong_pairwise_test, n = 50,000, k = {k}"
    calls = partial(tests_and_sorts, n, k)
    yield ratio_row(f"{name}: sorts, product", SORTS, calls, seconds=4.0, rounds=3)
    megabytes = partial(fresh_value, pairs_megabytes, n, k)
    yield Row(f"{name}, peak memory beyond the scores", BEYOND, megabytes, "MB")


def tests_and_sorts(n, k):
    """Return the tests of all pairs, and the sort of each model and the product."""
    labels, scores = score_table(n, k)

    def sorts_and_product():
        for row in scores.T:
            np.argsort(row)
        return scores.T @ scores

    return partial(fc.delong_pairwise_test, labels, scores), sorts_and_product


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
