"""What tests of probabilities and of rounds may take, for `benchmarks.limits`."""

from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import fold_scores, forecasts
from ..timing import Row, interleaved, ratio

SORTS = 40  # of 1,000 scores: some 300 µs where a comparison of pure Python takes as long


def probability_rows(quick):
    """Yield a row for each score of probabilities, each test, and each report of rounds."""
    yield from loss_rows()
    yield from calibration_rows()
    yield from flip_rows()
    yield from round_rows()


def loss_rows():
    y, p, q = forecasts(10**6)
    losses = np.square(p - y), np.square(q - y)
    ours = partial(fc.scoring_test, y, p, q)
    value = ratio(ours, partial(stats.ttest_rel, *losses), seconds=2.0)
    yield Row("scoring_test, n = 10^6: SciPy's paired t of the losses", 0.6, value)
    value = ratio(partial(fc.brier_score, y, p), lambda: ((p - y) ** 2).mean(), seconds=2.0)
    yield Row("brier_score, n = 10^6: one NumPy pass", 1.1, value)
    value = ratio(partial(fc.brier_decomposition, y, p), partial(np.argsort, p), seconds=2.0)
    yield Row("brier_decomposition, n = 10^6: argsort", 1.3, value)


def calibration_rows():
    y, p, _ = forecasts(10**6)
    ours = partial(error_with_interval, y, p)
    value = ratio(ours, partial(np.argsort, p), seconds=2.0)
    yield Row("calibration_error with its interval, n = 10^6: argsort", 40.0, value)
    value = ratio(partial(fc.calibration_test, y, p), partial(np.log, p), seconds=2.0)
    yield Row("calibration_test, n = 10^6: np.log", 50.0, value)
    y, p, _ = forecasts(1000)
    value = ratio(partial(error_with_interval, y, p), partial(np.argsort, p)) / SORTS
    yield Row(f"calibration_error with its interval, n = 1,000: {SORTS} argsorts", 5.0, value)


def error_with_interval(y, p):
    """Return the expected calibration error's default interval."""
    return fc.calibration_error(y, p).confidence_interval()


def flip_rows():
    y, p, _ = forecasts(1000)
    noise = 0.1 * np.random.default_rng(0).normal(size=(10, 1000))
    table = np.clip(p + noise, 0.0, 1.0).T
    options = {"method": "permutation", "rng": 0}
    pairs = partial(fc.scoring_pairwise_test, y, table, **options)
    one = partial(fc.scoring_test, y, table[:, 0], table[:, 1], **options)
    value = ratio(pairs, one, seconds=2.0) / 9.0
    yield Row("scoring_pairwise_test, sign flips, k = 10: 9 pairs one by one", 1.0, value)


def round_rows():
    table = fold_scores(5000, k=5)
    differences = [a - b for a, b in combinations(table.T, 2)]
    value = ratio(partial(fc.normality_report, table), lambda: [*map(stats.shapiro, differences)])
    yield Row("normality_report, 5,000 × 5: SciPy's shapiro", 1.0, value)

    columns = list(fold_scores(30, k=3).T.copy())
    peers = {
        "kruskal-wallis": (columns, stats.kruskal),
        "anova": (columns, stats.f_oneway),
        "mann-whitney": (columns[:2], stats.mannwhitneyu),
    }
    for method, (scores, peer) in peers.items():
        value = ratio(
            partial(fc.folds_unpaired_test, scores, method=method), partial(peer, *scores)
        )
        yield Row(f"folds_unpaired_test, {method}, 30 rounds: SciPy's", 1.0, value)

    table = fold_scores(10**5, k=10)
    times = interleaved([partial(fc.mauchly_test, table), partial(np.cov, table.T)])
    value = float(np.median(times[:, 0] / times[:, 1]))
    yield Row("mauchly_test, 10^5 × 10: np.cov", 6.0, value)
