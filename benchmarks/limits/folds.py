"""What tests of scores by round may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import fold_scores
from ..timing import interleaved, rows_together

SIZES = {"n_train": 90, "n_test": 10}
T, ANOVA = 60.0, 300.0  # microseconds of a t-test and of an analysis of variance
COMPARISONS = 10**5
MODELS = (2, 5)  # of an analysis of variance


def with_sphericity(table):
    """Run the analysis of variance, and the test of what it assumes."""
    return fc.rm_anova_test(table, **SIZES), fc.mauchly_test(table)


def two_models():
    """Return both models' scores of 100 rounds."""
    return fold_scores(100).T.copy()


def two_folds():
    """Return both models' scores of five rounds of two folds."""
    return [scores[:10].reshape(5, 2) for scores in two_models()]


def five_models():
    """Return the scores of five models in 100 rounds."""
    return [fold_scores(100, k=5)]


SINGLE = {  # the limit, the test, and what prepares its data
    "ttest_corrected, 100 rounds": (T, partial(fc.ttest_corrected, **SIZES), two_models),
    "ttest_resampled, 100 rounds": (T, fc.ttest_resampled, two_models),
    "ttest_kfold, 100 rounds": (T, fc.ttest_kfold, two_models),
    "ttest_unpaired, 100 rounds": (T, fc.ttest_unpaired, two_models),
    "ttest_5x2cv": (T, fc.ttest_5x2cv, two_folds),
    "ftest_5x2cv": (T, fc.ftest_5x2cv, two_folds),
    "bayes_correlated_ttest": (T, partial(fc.bayes_correlated_ttest, **SIZES), two_models),
    "rm_anova_test, 100 × 5": (ANOVA, partial(fc.rm_anova_test, **SIZES), five_models),
    "rm_anova_test and mauchly_test, 100 × 5": (ANOVA, with_sphericity, five_models),
}


def fold_rows(quick):
    """Yield a row for each test, and one for each batch."""
    rows = {name: limit for name, (limit, _, _) in SINGLE.items()}
    yield from rows_together(rows, single_times, "µs")
    count, limit = (COMPARISONS // 10, 0.02) if quick else (COMPARISONS, 0.2)
    names = ("ttest_corrected_batch", *(f"rm_anova_batch, {k} models" for k in MODELS))
    rows = {f"{name}, {count:,} comparisons of 100 rounds": limit for name in names}
    yield from rows_together(rows, partial(batch_times, count), "s")


def single_times():
    """Return the microseconds of each test."""
    calls = [partial(test, *prepare()) for _, test, prepare in SINGLE.values()]
    return 1e6 * np.median(interleaved(calls, seconds=4.0), axis=0)


def batch_times(count):
    """Return the seconds of each batch."""
    rng = np.random.default_rng(0)
    pairs = rng.normal(size=(2, count, 100))
    calls = [partial(fc.ttest_corrected_batch, *pairs, **SIZES)]
    for k in MODELS:
        calls.append(partial(fc.rm_anova_batch, rng.normal(size=(count, 100, k)), **SIZES))
    return np.median(interleaved(calls), axis=0)
