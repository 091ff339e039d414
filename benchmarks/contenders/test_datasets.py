"""pytest-benchmark: tests of many data sets beside what does the same elsewhere.

pytest benchmarks --benchmark-only --benchmark-group-by=group
"""

import numpy as np
import pytest
from scipy import stats

import fastcompare as fc
from fastcompare.ranks._ranks import as_ranks

from ..cases import data_set_scores

FRIEDMAN = {
    "fastcompare": lambda scores: fc.friedman_test(scores, method="chi2").pvalue,
    "SciPy": lambda scores: stats.friedmanchisquare(*scores.T).pvalue,
}


@pytest.mark.parametrize("name", FRIEDMAN)
def test_friedman(benchmark, name):
    benchmark.group = "Friedman's test, k = 5, N = 30"
    scores = data_set_scores(30, 5)
    found = benchmark(FRIEDMAN[name], scores)
    assert found == pytest.approx(FRIEDMAN["SciPy"](scores), rel=1e-9)


RANKS = {
    "fastcompare": lambda scores: as_ranks(scores, False).doubled / 2,
    "SciPy": lambda scores: stats.rankdata(scores, axis=1),
}


@pytest.mark.parametrize("k", [5, 100, 1000])
@pytest.mark.parametrize("name", RANKS)
def test_ranks(benchmark, name, k):
    benchmark.group = f"ranks of {k} models on {200_000 // k:,} data sets"
    scores = data_set_scores(200_000 // k, k)
    expected = RANKS["fastcompare"](scores)  # compiles before the clock starts
    assert np.array_equal(benchmark(RANKS[name], scores), expected)


def numpy_permutations(scores, draws):
    """Return the p-value of random permutations by NumPy."""
    ranks = stats.rankdata(-scores, axis=1)
    n, k = scores.shape
    rng = np.random.default_rng(0)
    drawn = rng.permuted(np.broadcast_to(ranks, (draws, n, k)), axis=2).sum(axis=1)
    size, observed = (drawn**2).sum(axis=1), (ranks.sum(axis=0) ** 2).sum()
    return (np.count_nonzero(size >= observed) + 1) / (draws + 1)


def our_permutations(scores, draws):
    return fc.friedman_test(scores, method="permutation", n_resamples=draws, rng=0).pvalue


PERMUTATIONS = {"fastcompare": our_permutations, "NumPy": numpy_permutations}


@pytest.mark.parametrize("name", PERMUTATIONS)
def test_permutations(benchmark, name):
    benchmark.group = "5,000 random permutations, k = 10, N = 30"
    scores = data_set_scores(30, 10)
    expected = our_permutations(scores, 5000)
    assert benchmark(PERMUTATIONS[name], scores, 5000) == pytest.approx(expected, abs=0.04)


def naive_quade(scores):
    """Return F by Conover's formula; these scores do not tie."""
    n, k = scores.shape
    weights = stats.rankdata(np.ptp(scores, axis=1))
    s = weights[:, None] * (stats.rankdata(-scores, axis=1) - (k + 1) / 2)
    a, b = (s**2).sum(), (s.sum(axis=0) ** 2).sum() / n
    return (n - 1) * b / (a - b)


QUADE = {"fastcompare": lambda scores: fc.quade_test(scores).statistic, "NumPy": naive_quade}


@pytest.mark.parametrize("name", QUADE)
def test_quade(benchmark, name):
    benchmark.group = "Quade's test, k = 20, N = 1,000"
    scores = data_set_scores(1000, 20)
    expected = naive_quade(scores)
    assert benchmark(QUADE[name], scores) == pytest.approx(expected, rel=1e-9)
