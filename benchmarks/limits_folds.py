"""What tests of scores by round may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from .cases import fold_scores
from .timing import interleaved

SIZES = {"n_train": 90, "n_test": 10}
LIMIT = 60.0  # microseconds of a t-test of 100 rounds
COMPARISONS = 10**5


def fold_rows(quick):
    """Yield a row for each test, and one for each batch."""
    from .limits import Row

    a, b = fold_scores(100).T.copy()
    five = a[:10].reshape(5, 2), b[:10].reshape(5, 2)
    calls = {
        "ttest_corrected, 100 rounds": partial(fc.ttest_corrected, a, b, **SIZES),
        "ttest_resampled, 100 rounds": partial(fc.ttest_resampled, a, b),
        "ttest_kfold, 100 rounds": partial(fc.ttest_kfold, a, b),
        "ttest_5x2cv": partial(fc.ttest_5x2cv, *five),
        "ftest_5x2cv": partial(fc.ftest_5x2cv, *five),
    }
    times = 1e6 * np.median(interleaved(list(calls.values()), seconds=2.0), axis=0)
    for name, value in zip(calls, times.tolist(), strict=True):
        yield Row(name, LIMIT, value, "µs")

    table = fold_scores(100, k=5)
    both = partial(with_sphericity, table)
    value = 1e6 * float(np.median(interleaved([both], seconds=1.0)))
    yield Row("rm_anova_test and mauchly_test, 100 rounds, 5 models", 300.0, value, "µs")

    rows = np.random.default_rng(0).normal(size=(2, COMPARISONS // (10 if quick else 1), 100))
    batch = partial(fc.ttest_corrected_batch, *rows, **SIZES)
    value = float(np.median(interleaved([batch])))
    name = f"ttest_corrected_batch, {rows.shape[1]:,} comparisons of 100 rounds"
    yield Row(name, 0.02 if quick else 0.2, value, "s")

    for k in (2, 5):
        tables = np.random.default_rng(0).normal(size=(rows.shape[1], 100, k))
        value = float(np.median(interleaved([partial(fc.rm_anova_batch, tables, **SIZES)])))
        name = f"rm_anova_batch, {rows.shape[1]:,} tables of 100 rounds, {k} models"
        yield Row(name, 0.02 if quick else 0.2, value, "s")


def with_sphericity(table):
    """Run the analysis of variance, and the test of what it assumes."""
    return fc.rm_anova_test(table, **SIZES), fc.mauchly_test(table)
