"""Tests of all pairs of columns say of each pair what the test of one pair says."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc

DIRECTIONS = ["two-sided", "less", "greater"]
small_tables = st.tuples(st.integers(2, 9), st.integers(2, 4)).flatmap(
    lambda shape: st.lists(
        st.lists(st.integers(0, 4), min_size=shape[1], max_size=shape[1]),
        min_size=shape[0],
        max_size=shape[0],
    )
)


def pairs(table):
    return list(combinations(range(table.shape[1]), 2))


@pytest.mark.slow
@given(table=small_tables, zeros=st.sampled_from(["wilcox", "pratt", "zsplit"]))
@settings(max_examples=40, deadline=None)
def test_wilcoxon_of_tied_columns(table, zeros):
    table = np.array(table) / 10  # differences tie but for rounding
    for alternative in DIRECTIONS:
        found = fc.wilcoxon_pairwise_test(table, zeros=zeros, alternative=alternative)
        for p, (i, j) in enumerate(pairs(table)):
            one = fc.wilcoxon_test(table[:, i], table[:, j], zeros=zeros, alternative=alternative)
            assert found.statistic[p] == one.statistic
            assert_allclose(found.pvalue[p], one.pvalue, rtol=1e-12)
            assert found.status[p] == one.status


@pytest.mark.parametrize("method", ["exact", "normal"])
@pytest.mark.parametrize("n", [12, 60, 300])
def test_wilcoxon_of_continuous_columns(method, n):
    table = np.random.default_rng(n).normal(size=(n, 4)) + 0.1 * np.arange(4)
    found = fc.wilcoxon_pairwise_test(table, method=method)
    ones = [fc.wilcoxon_test(table[:, i], table[:, j], method=method) for i, j in pairs(table)]
    assert_array_equal(found.statistic, [one.statistic for one in ones])
    assert_allclose(found.pvalue, [one.pvalue for one in ones], rtol=1e-12)
    assert_allclose(found.estimate, [one.estimate for one in ones], rtol=1e-12)
    assert_array_equal(found.adjusted_pvalue, fc.adjust_pvalues(found.pvalue))


@pytest.mark.slow
@given(table=small_tables)
@settings(max_examples=40, deadline=None)
def test_signs_of_tied_columns(table):
    table = np.array(table) / 10
    for alternative in DIRECTIONS:
        found = fc.sign_pairwise_test(table, alternative=alternative)
        for p, (i, j) in enumerate(pairs(table)):
            one = fc.sign_test(table[:, i], table[:, j], alternative=alternative)
            assert_allclose(found.pvalue[p], one.pvalue, rtol=1e-12)
            assert (found.n_positive[p], found.n_negative[p]) == (one.n_positive, one.n_negative)


@pytest.mark.parametrize("rule", ["brier", "log", "spherical"])
@pytest.mark.parametrize("method", ["t", "wilcoxon", "permutation", "bootstrap"])
def test_losses(rule, method, requires_jit):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 40)
    p = np.clip(0.3 + 0.4 * y[:, None] + rng.normal(0, 0.2, (40, 4)), 0.01, 0.99)
    options = {"rule": rule, "method": method, "n_resamples": 99, "rng": 5}
    for alternative in DIRECTIONS:
        found = fc.scoring_pairwise_test(y, p, alternative=alternative, **options)
        for k, (i, j) in enumerate(pairs(p)):
            one = fc.scoring_test(y, p[:, i], p[:, j], alternative=alternative, **options)
            assert_allclose(found.estimate[k], one.estimate, rtol=1e-9)
            assert_allclose(found.pvalue[k], one.pvalue, rtol=1e-9)
            if method == "t":
                assert_allclose(found.standard_error[k], one.standard_error, rtol=1e-9)


def test_names_reach_the_result_and_the_sentence():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    table = {
        "good": 0.2 + 0.5 * y + 0.1 * rng.random(200),
        "poor": np.full(200, 0.5),
        "random": rng.random(200),
    }
    found = fc.scoring_pairwise_test(y, table)
    assert found.pairs == (("good", "poor"), ("good", "random"), ("poor", "random"))
    assert "good has a lower Brier score than poor by" in found.summary()
    assert " and than random by" in found.summary()


def test_swapping_two_columns_turns_their_difference():
    table = np.random.default_rng(1).normal(size=(20, 2))
    one, two = (fc.wilcoxon_pairwise_test(t) for t in (table, table[:, ::-1]))
    assert_allclose(one.estimate, -two.estimate, rtol=1e-12)
    assert_allclose(one.pvalue, two.pvalue, rtol=1e-12)


def test_equal_columns_have_p_1():
    column = np.random.default_rng(1).normal(size=(20, 1))
    for test in (fc.wilcoxon_pairwise_test, fc.sign_pairwise_test):
        assert test(np.repeat(column, 3, axis=1)).pvalue.tolist() == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("design", ["sampling", "frequency", "clusters", "Obuchowski's clusters"])
def test_products_of_many_models_give_what_pairs_of_them_give(design):
    """Also where models rank alike but for one case, so that their variances cancel."""
    rng, n, k = np.random.default_rng(0), 300, 11
    y = rng.permutation(np.arange(n) % 3 == 0)
    table = (rng.normal(size=n) + y)[:, None] + rng.normal(size=(n, k)) * np.linspace(0.1, 2, k)
    table[:, 3] = np.exp(table[:, 0])
    table[:, 7] = table[:, 0]
    table[4, 7] -= 0.1
    options = {
        "sampling": {"sample_weight": rng.random(n) ** 2},
        "frequency": {"frequency_weight": rng.integers(0, 4, n)},
        "clusters": {"groups": rng.integers(0, 90, n)},
        "Obuchowski's clusters": {"groups": rng.integers(0, 90, n), "reference": "normal"},
    }[design]
    found = fc.delong_pairwise_test(y, table, correction="holm", **options)
    for p, (i, j) in enumerate(combinations(range(k), 2)):
        alone = fc.delong_test(y, table[:, i], table[:, j], on_undefined="ignore", **options)
        want = alone.estimate, alone.standard_error
        got = found.estimate[p], found.standard_error[p]
        assert_allclose(got, want, rtol=1e-11, atol=1e-15)
        if (i, j) == (0, 3):
            assert got == want == (0.0, 0.0)
        else:
            assert_allclose(found.df[p], alone.df, rtol=1e-11)
        assert_allclose(found.covariance[[i, j], [i, j]], np.diag(alone.covariance), rtol=1e-12)
