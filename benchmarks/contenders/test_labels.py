"""pytest-benchmark: tests of labels and losses beside what does the same, or the least, elsewhere.

pytest benchmarks --benchmark-only --benchmark-group-by=group
"""

import numpy as np
import pytest
from scipy import stats

import fastcompare as fc
from fastcompare.labels._mcnemar_pairwise import joint_counts

from ..cases import correct_table, forecasts, predicted_labels
from ..timing import one_blas_thread

TABLE = [[340, 14], [6, 40]]


def scipy_mcnemar(table):
    """Return the exact p-value from the discordant counts."""
    (_, b), (c, _) = table
    return stats.binomtest(b, b + c).pvalue


COUNTED = {
    "fastcompare": lambda table: fc.mcnemar_test(table, method="exact").pvalue,
    "SciPy": scipy_mcnemar,
}


@pytest.mark.parametrize("name", COUNTED)
def test_mcnemar_of_counts(benchmark, name):
    benchmark.group = "exact McNemar's test of counts"
    found = benchmark(COUNTED[name], TABLE)
    assert found == pytest.approx(COUNTED["fastcompare"](TABLE), rel=1e-12)


def numpy_discordant(y, a, b):
    """Return n10 and n01 by NumPy."""
    right_a, right_b = y == a, y == b
    return int((right_a & ~right_b).sum()), int((right_b & ~right_a).sum())


def our_discordant(y, a, b):
    found = fc.mcnemar_test(y, a, b)
    return found.n10, found.n01


PREDICTED = {"fastcompare": our_discordant, "NumPy, counts alone": numpy_discordant}


@pytest.mark.parametrize("name", PREDICTED)
def test_mcnemar_of_predictions(benchmark, name):
    benchmark.group = "McNemar's test of n = 10^6 predictions"
    case = predicted_labels(10**6)
    expected = our_discordant(*case)  # compiles before the clock starts
    assert benchmark(PREDICTED[name], *case) == expected


def one_pass(y, a, _):
    return (y == a).sum()


def test_one_pass_over_predictions(benchmark):
    benchmark.group = "McNemar's test of n = 10^6 predictions"
    y, a, b = predicted_labels(10**6)
    assert benchmark(one_pass, y, a, b) == np.count_nonzero(y == a)


def product(correct):
    """Return n11 by a float32 matrix product, exact below 2^24 cases."""
    floats = correct.astype(np.float32)
    return floats @ floats.T


JOINT = {"fastcompare": joint_counts, "float32 product": product}


@pytest.mark.parametrize("name", JOINT)
def test_joint_tables(benchmark, name):
    benchmark.group = "joint tables of 200 models, n = 20,000"
    correct = correct_table(200, 20_000)
    expected = joint_counts(correct)
    with one_blas_thread():
        found = benchmark(JOINT[name], correct)
    assert np.array_equal(found, expected)


def numpy_flips(y, p, q):
    """Return the p-value of 999 sign flips in one matrix product."""
    rng = np.random.default_rng(0)
    d = (p - y) ** 2 - (q - y) ** 2
    signs = 1.0 - 2.0 * rng.integers(0, 2, size=(999, d.size), dtype=np.uint8)
    return (np.count_nonzero(abs(signs @ d) >= abs(d.sum())) + 1) / 1000


FLIPS = {
    "fastcompare": lambda *case: (
        fc.scoring_test(*case, method="permutation", n_resamples=999, rng=0).pvalue
    ),
    "NumPy": numpy_flips,
}


@pytest.mark.parametrize("name", FLIPS)
def test_sign_flips(benchmark, name):
    benchmark.group = "999 sign flips of n = 10,000 differences of losses"
    case = forecasts(10_000)
    expected = FLIPS["fastcompare"](*case)
    assert benchmark(FLIPS[name], *case) == pytest.approx(expected, abs=0.1)  # 4.5 standard errors


WILCOXON = {
    "fastcompare": lambda a, b: fc.wilcoxon_test(a, b).pvalue,
    "SciPy": lambda a, b: stats.wilcoxon(a, b, method="asymptotic").pvalue,
}


@pytest.mark.parametrize("name", WILCOXON)
def test_wilcoxon(benchmark, name):
    benchmark.group = "Wilcoxon's signed rank test, n = 10^5"
    pair = np.random.default_rng(0).standard_normal((2, 10**5))
    expected = WILCOXON["fastcompare"](*pair)
    assert benchmark(WILCOXON[name], *pair) == pytest.approx(expected, rel=1e-9)
