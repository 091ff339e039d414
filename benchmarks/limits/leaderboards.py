"""What comparisons of many models on the same items may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..timing import Row, ratio

ALL_PAIRS = 3.0  # of one X.T @ X
BOOTSTRAPS = 1.0  # of 1,000 draws of 10^4 items by NumPy's multinomial and their matrix product


def leaderboard_rows(quick):
    rng = np.random.default_rng(0)
    n, k = 10**4, 200 if quick else 1000
    scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, k))
    value = ratio(partial(fc.mean_pairwise_test, scores), lambda: scores.T @ scores, seconds=4.0)
    yield Row(f"mean_pairwise_test, n = 10^4, k = {k}: X.T @ X", ALL_PAIRS, value)

    table, equal = scores[:, :100].copy(), np.full(n, 1.0 / n)
    board = partial(fc.leaderboard, table, method="bootstrap", n_resamples=1000, rng=0)

    def drawn():
        return np.random.default_rng(0).multinomial(n, equal, 1000) @ table

    yield Row("leaderboard, 1,000 bootstraps, k = 100: NumPy's", BOOTSTRAPS, ratio(board, drawn))
