"""Ranks, powers and products of scores by round against SciPy's functions and exact numbers."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc

ALTERNATIVES = ("two-sided", "less", "greater")
tied = st.lists(st.sampled_from([-1.5, -0.0, 0.0, 0.25, 1e300, 5e-324]), min_size=2, max_size=30)
several = st.lists(tied, min_size=2, max_size=5)


def columns(sizes, seed):
    rng = np.random.default_rng(seed)
    return [rng.normal(size=size) for size in sizes]


@pytest.mark.slow
@given(scores=several)
@settings(max_examples=100, deadline=None)
def test_tied_ranks_have_the_bits_of_scipy_in_folds_unpaired_test(scores):
    result = fc.folds_unpaired_test(scores, on_undefined="ignore")
    if result.status == "ok":
        assert result.statistic == float(stats.kruskal(*scores).statistic)
        for alternative in ALTERNATIVES:
            two = fc.folds_unpaired_test(
                scores[:2], method="mann-whitney", alternative=alternative, on_undefined="ignore"
            )
            if two.status == "ok" and len(set(scores[0] + scores[1])) < len(scores[0] + scores[1]):
                u, p = stats.mannwhitneyu(*scores[:2], alternative=alternative, method="asymptotic")
                assert (two.statistic, two.pvalue) == (u, p)


@pytest.mark.parametrize("sizes", [(30, 40), (9, 9), (300, 10, 20), (5000, 4000)])
def test_continuous_ranks_have_the_bits_of_scipy_in_folds_unpaired_test(sizes):
    scores = columns(sizes, 1)
    assert fc.folds_unpaired_test(scores).statistic == float(stats.kruskal(*scores).statistic)
    for alternative in ALTERNATIVES:
        one = fc.folds_unpaired_test(scores[:2], method="mann-whitney", alternative=alternative)
        u, p = stats.mannwhitneyu(*scores[:2], alternative=alternative, method="asymptotic")
        assert (one.statistic, one.pvalue, one.log_pvalue) == (u, p, math.log(p))


def test_moments_far_from_0_are_as_right_as_exact_ones_in_normality_report():
    d = 2.0**30 + np.random.default_rng(2).integers(-999, 999, 500)
    result = fc.normality_report(d)
    exact = [Fraction(v) for v in d.tolist()]
    mean = sum(exact) / 500
    second, third, fourth = (sum((v - mean) ** k for v in exact) / 500 for k in (2, 3, 4))
    assert_allclose(result.skewness[0], float(third) / float(second) ** 1.5, atol=1e-8)
    assert_allclose(result.excess_kurtosis[0], float(fourth / second**2) - 3.0, atol=1e-8)


def both_ways(scores, monkeypatch):
    found = []
    for least in (1, math.inf):
        monkeypatch.setattr("fastcompare.folds._assumptions.PRODUCTS_FROM", least)
        result = fc.mauchly_test(scores, on_undefined="ignore")
        found.append((result.statistic, result.log_pvalue, result.status))
    return found


@pytest.mark.slow
@given(
    seed=st.integers(0, 10**6),
    shape=st.tuples(st.integers(2, 60), st.integers(3, 9)),
    common=st.sampled_from([0.0, 1.0, 1e6]),
    rank=st.sampled_from([1, 2, 9]),
    spread=st.sampled_from([1.0, 1e-3, 1e-9]),
)
@settings(max_examples=120, deadline=None)
def test_products_of_contrasts_and_singular_values_agree(seed, shape, common, rank, spread):
    """Where a contrast hardly varies, or the last ones do not, the singular values decide."""
    (n, k), rng = shape, np.random.default_rng(seed)
    scores = rng.normal(size=(n, min(rank, k))) @ rng.normal(size=(min(rank, k), k))
    scores[:, 0] *= spread
    scores += common * rng.normal(size=(n, 1))
    with pytest.MonkeyPatch.context() as patch:
        one, other = both_ways(scores, patch)
    assert one[2] == other[2]
    assert_allclose(one[:2], other[:2], rtol=1e-9, atol=1e-9)


def test_many_rounds_take_products_in_mauchly_test(monkeypatch):
    scores = np.random.default_rng(0).normal(size=(5000, 5)) + 1e6
    one, other = both_ways(scores, monkeypatch)
    assert_allclose(one[:2], other[:2], rtol=1e-10)
    monkeypatch.setattr("fastcompare.folds._assumptions.PRODUCTS_FROM", 1 << 14)
    monkeypatch.setattr(np.linalg, "svd", None)
    assert fc.mauchly_test(scores).statistic == one[0]
