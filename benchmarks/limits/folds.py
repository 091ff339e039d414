"""What tests of scores by round may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import fold_scores
from ..timing import Row, interleaved

SIZES = {"n_train": 90, "n_test": 10}
T, ANOVA = 60.0, 300.0  # microseconds of a t-test and of an analysis of variance
COMPARISONS = 10**5


def fold_rows(quick):
    """Yield a row for each test, and one for each batch."""
    yield from single_rows()
    yield from batch_rows(COMPARISONS // 10 if quick else COMPARISONS, 0.02 if quick else 0.2)


def single_rows():
    a, b = fold_scores(100).T.copy()
    five, table = (a[:10].reshape(5, 2), b[:10].reshape(5, 2)), fold_scores(100, k=5)
    calls = {
        ("ttest_corrected, 100 rounds", T): partial(fc.ttest_corrected, a, b, **SIZES),
        ("ttest_resampled, 100 rounds", T): partial(fc.ttest_resampled, a, b),
        ("ttest_kfold, 100 rounds", T): partial(fc.ttest_kfold, a, b),
        ("ttest_unpaired, 100 rounds", T): partial(fc.ttest_unpaired, a, b),
        ("ttest_5x2cv", T): partial(fc.ttest_5x2cv, *five),
        ("ftest_5x2cv", T): partial(fc.ftest_5x2cv, *five),
        ("bayes_correlated_ttest", T): partial(fc.bayes_correlated_ttest, a, b, **SIZES),
        ("rm_anova_test, 100 × 5", ANOVA): partial(fc.rm_anova_test, table, **SIZES),
        ("rm_anova_test and mauchly_test, 100 × 5", ANOVA): partial(with_sphericity, table),
    }
    times = 1e6 * np.median(interleaved(list(calls.values()), seconds=4.0), axis=0)
    for (name, limit), value in zip(calls, times.tolist(), strict=True):
        yield Row(name, limit, value, "µs")


def batch_rows(count, limit):
    rng = np.random.default_rng(0)
    pairs = rng.normal(size=(2, count, 100))
    calls = {"ttest_corrected_batch": partial(fc.ttest_corrected_batch, *pairs, **SIZES)}
    for k in (2, 5):
        tables = rng.normal(size=(count, 100, k))
        calls[f"rm_anova_batch, {k} models"] = partial(fc.rm_anova_batch, tables, **SIZES)
    times = np.median(interleaved(list(calls.values())), axis=0)
    for name, value in zip(calls, times.tolist(), strict=True):
        yield Row(f"{name}, {count:,} comparisons of 100 rounds", limit, value, "s")


def with_sphericity(table):
    """Run the analysis of variance, and the test of what it assumes."""
    return fc.rm_anova_test(table, **SIZES), fc.mauchly_test(table)
