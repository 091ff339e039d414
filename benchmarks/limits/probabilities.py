"""What tests of probabilities and of rounds may take, for `benchmarks.limits`."""

from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import fold_scores, forecasts
from ..timing import Row, ratio, ratio_row

SORTS = 40  # of 1,000 scores: some 300 µs where a comparison of pure Python takes as long
UNPAIRED = {  # models of each test, and SciPy's test
    "kruskal-wallis": (3, stats.kruskal),
    "anova": (3, stats.f_oneway),
    "mann-whitney": (2, stats.mannwhitneyu),
}


def probability_rows(quick):
    """Yield a row for each score of probabilities, each test, and each report of rounds."""
    yield from loss_rows()
    yield from calibration_rows()
    yield from flip_rows()
    yield from round_rows()


def loss_rows():
    name = "scoring_test, n = 10^6: SciPy's paired t of the losses"
    yield ratio_row(name, 0.6, scores_and_losses, seconds=2.0)
    yield ratio_row("brier_score, n = 10^6: one NumPy pass", 1.1, score_and_pass, seconds=2.0)
    name = "brier_decomposition, n = 10^6: argsort"
    yield ratio_row(name, 1.3, partial(beside, np.argsort, fc.brier_decomposition), seconds=2.0)


def scores_and_losses():
    """Return the test, and SciPy's of ready losses."""
    y, p, q = forecasts(10**6)
    losses = np.square(p - y), np.square(q - y)
    return partial(fc.scoring_test, y, p, q), partial(stats.ttest_rel, *losses)


def score_and_pass():
    """Return the mean loss, and NumPy's."""
    y, p, _ = forecasts(10**6)
    return partial(fc.brier_score, y, p), lambda: ((p - y) ** 2).mean()


def beside(base, call, n=10**6):
    """Return a call of labels and probabilities, and one of the probabilities alone."""
    y, p, _ = forecasts(n)
    return partial(call, y, p), partial(base, p)


def calibration_rows():
    with_interval = partial(beside, np.argsort, error_with_interval)
    name = "calibration_error with its interval, n = 10^6: argsort"
    yield ratio_row(name, 40.0, with_interval, seconds=2.0)
    by_logs = partial(beside, np.log, fc.calibration_test)
    yield ratio_row("calibration_test, n = 10^6: np.log", 50.0, by_logs, seconds=2.0)
    name = f"calibration_error with its interval, n = 1,000: {SORTS} argsorts"
    yield Row(name, 5.0, lambda: ratio(*with_interval(1000)) / SORTS)


def error_with_interval(y, p):
    """Return the expected calibration error's default interval."""
    return fc.calibration_error(y, p).confidence_interval()


def flip_rows():
    name = "scoring_pairwise_test, sign flips, k = 10: 9 pairs one by one"
    yield Row(name, 1.0, lambda: ratio(*all_and_one(), seconds=2.0) / 9.0)


def all_and_one():
    """Return the tests of all pairs of ten models, and the test of one pair."""
    y, p, _ = forecasts(1000)
    noise = 0.1 * np.random.default_rng(0).normal(size=(10, 1000))
    table = np.clip(p + noise, 0.0, 1.0).T
    options = {"method": "permutation", "rng": 0}
    pairs = partial(fc.scoring_pairwise_test, y, table, **options)
    return pairs, partial(fc.scoring_test, y, table[:, 0], table[:, 1], **options)


def round_rows():
    yield ratio_row("normality_report, 5,000 × 5: SciPy's shapiro", 1.0, reports)
    for method in UNPAIRED:
        name = f"folds_unpaired_test, {method}, 30 rounds: SciPy's"
        yield ratio_row(name, 1.0, partial(unpaired, method))
    yield ratio_row("mauchly_test, 10^5 × 10: np.cov", 6.0, sphericity)


def reports():
    """Return the report of all pairs, and SciPy's tests of them."""
    table = fold_scores(5000, k=5)
    differences = [a - b for a, b in combinations(table.T, 2)]
    return partial(fc.normality_report, table), lambda: [*map(stats.shapiro, differences)]


def unpaired(method):
    """Return the test of models with rounds of their own, and SciPy's."""
    models, peer = UNPAIRED[method]
    columns = list(fold_scores(30, k=3).T.copy())[:models]
    return partial(fc.folds_unpaired_test, columns, method=method), partial(peer, *columns)


def sphericity():
    """Return the test, and the covariance that it needs."""
    table = fold_scores(10**5, k=10)
    return partial(fc.mauchly_test, table), partial(np.cov, table.T)
