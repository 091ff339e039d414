"""pytest-benchmark: tests of scores by round beside what does the same elsewhere.

pytest benchmarks --benchmark-only --benchmark-group-by=group
"""

import math

import numpy as np
import pytest
from scipy import stats

import fastcompare as fc

from ..cases import fold_scores

SIZES = {"n_train": 90, "n_test": 10}


def naive_corrected(a, b):
    """Return the corrected p-value as it is written from the paper, by NumPy and SciPy."""
    d = np.subtract(a, b)
    t = d.mean() / math.sqrt(d.var(ddof=1) * (1 / d.size + 1 / 9))
    return 2 * stats.t.sf(abs(t), d.size - 1)


PAIRED = {
    "ttest_corrected": lambda a, b: fc.ttest_corrected(a, b, **SIZES).pvalue,
    "naive corrected t": naive_corrected,
    "ttest_resampled": lambda a, b: fc.ttest_resampled(a, b).pvalue,
    "SciPy, uncorrected": lambda a, b: stats.ttest_rel(a, b).pvalue,
}
SAME = {"naive corrected t": "ttest_corrected", "SciPy, uncorrected": "ttest_resampled"}


@pytest.mark.parametrize("name", PAIRED)
def test_paired_t_of_100_rounds(benchmark, name):
    benchmark.group = "t-test of 100 rounds"
    a, b = fold_scores(100).T.copy()
    expected = PAIRED[SAME.get(name, name)](a, b)  # compiles before the clock starts
    assert benchmark(PAIRED[name], a, b) == pytest.approx(expected, rel=1e-9)


def naive_5x2cv(a, b):
    """Return Dietterich's p-value by loops over the rounds, as peers do."""
    variances = []
    for first, second in a - b:
        mean = (first + second) / 2
        variances.append((first - mean) ** 2 + (second - mean) ** 2)
    t = (a - b)[0, 0] / math.sqrt(sum(variances) / 5)
    return 2 * stats.t.sf(abs(t), 5)


HALVES = {"fastcompare": lambda a, b: fc.ttest_5x2cv(a, b).pvalue, "naive": naive_5x2cv}


@pytest.mark.parametrize("name", HALVES)
def test_five_by_two(benchmark, name):
    benchmark.group = "5x2cv t-test"
    a, b = (column.reshape(5, 2) for column in fold_scores(10).T.copy())
    expected = HALVES["fastcompare"](a, b)
    assert benchmark(HALVES[name], a, b) == pytest.approx(expected, rel=1e-9)


BATCHES = {
    "fastcompare": lambda a, b: fc.ttest_corrected_batch(a, b, **SIZES).statistic,
    "SciPy, uncorrected": lambda a, b: stats.ttest_rel(a, b, axis=1).statistic,
}


@pytest.mark.parametrize("name", BATCHES)
def test_many_comparisons(benchmark, name):
    benchmark.group = "10^4 t-tests of 100 rounds"
    a, b = np.random.default_rng(0).normal(size=(2, 10**4, 100))
    found = benchmark(BATCHES[name], a, b)
    factor = math.sqrt(1 + 100 / 9) if name == "fastcompare" else 1.0
    assert found * factor == pytest.approx(stats.ttest_rel(a, b, axis=1).statistic, rel=1e-9)
