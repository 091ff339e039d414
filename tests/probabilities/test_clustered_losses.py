"""Losses of clustered cases: all pairs, and signs of whole clusters."""

import itertools
import json
from fractions import Fraction

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from tests.reference.clusters import covariance_of_clusters
from tests.shared.golden_files import GOLDEN

QUIET = {"on_undefined": "ignore"}
D = [0.2, -0.1, 0.3, 0, 0.1, 0.4, -0.2, 0.1, 0, 0.2]
CLUSTERS = [1, 1, 1, 2, 2, 3, 3, 3, 3, 4]


FLIPS = json.loads((GOLDEN / "items" / "signflip_clusters.json").read_text())["cases"]


def identity(y, p):
    """A rule that takes numbers from 0 to 1 as losses."""
    return p


def flipped(d, groups, **options):
    """The test by signs of clusters of differences, as losses of two models."""
    d, labels = np.asarray(d), np.arange(len(d)) % 2
    losses = (np.maximum(d, 0.0), np.maximum(-d, 0.0))
    options = {"rule": identity, "method": "permutation", "groups": groups} | QUIET | options
    return fc.scoring_test(labels, *losses, **options)


def test_check_values_of_sign_flips_in_scoring_test():
    assert flipped(D, CLUSTERS).pvalue == 0.125
    assert flipped(D, CLUSTERS, alternative="greater").pvalue == 0.0625
    assert flipped(D, CLUSTERS).method == "sign-flip permutation test of 4 clusters, exact"


@pytest.mark.parametrize("case", FLIPS, ids=lambda case: case["what"])
def test_flips_equal_enumeration_in_fractions_in_scoring_test(case):
    """Exact rational arithmetic: see golden/items/signflip_clusters.json."""
    inputs, want = case["inputs"], case["expected"]
    if {"weights", "null"} & set(inputs) or want["clusters"] > 24:
        return
    d = np.array(inputs["a"]) - np.array(inputs["b"])
    d = d / max(1.0, abs(d).max())
    for word in ("two_sided", "greater", "less"):
        found = flipped(d, inputs["cluster"], alternative=word.replace("_", "-"))
        assert_allclose(found.pvalue, want[f"p_{word}"], rtol=1e-12)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 6)), min_size=2, max_size=20))
def test_flips_are_shares_of_all_signs_of_clusters_in_scoring_test(rows):
    whole, groups = (np.array(column) for column in zip(*rows, strict=True))
    found = np.unique(groups)
    if found.size < 2:
        return
    sums = [int(whole[groups == g].sum()) for g in found]
    every = [sum(s * x for s, x in zip(signs, sums, strict=True)) for signs in signs_of(sums)]
    for alternative in ("two-sided", "greater", "less"):
        turn = {"two-sided": abs, "greater": lambda s: s, "less": lambda s: -s}[alternative]
        want = Fraction(sum(turn(s) >= turn(sum(sums)) for s in every), len(every))
        assert flipped(whole / 7, groups, alternative=alternative).pvalue == float(want)


def signs_of(sums):
    return itertools.product((-1, 1), repeat=len(sums))


def test_intervals_hold_what_is_not_rejected_in_scoring_test():
    rng = np.random.default_rng(2)
    groups = np.repeat(np.arange(9), [1, 2, 3, 5, 2, 7, 4, 4, 9])
    d = rng.uniform(-0.3, 0.5, groups.size)
    result = flipped(d, groups)
    low, high = result.confidence_interval(0.9)
    sizes, sums = np.bincount(groups), np.bincount(groups, d)
    means = []
    for chosen in itertools.product((False, True), repeat=9):
        if any(chosen):
            own = np.array(chosen)
            means.append(sums[own].sum() / sizes[own].sum())
    means = np.sort(means)
    k = int(0.05 * 512)
    assert_allclose((low, high), (means[k - 1], means[-k]), rtol=1e-9)
    drawn = flipped(d, groups, keep=True, n_resamples=50_000, rng=1)
    assert_allclose(drawn.confidence_interval(0.9), (low, high), atol=0.01)
    assert abs(drawn.pvalue - result.pvalue) < 0.01


def test_clusters_of_one_case_give_the_plain_test_in_scoring_test():
    d = np.random.default_rng(3).uniform(-0.4, 0.6, 15)
    one, plain = flipped(d, np.arange(15)), flipped(d, None)
    assert one.pvalue == plain.pvalue
    assert one.confidence_interval() == plain.confidence_interval()


@pytest.mark.parametrize("method", ["t", "permutation"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_every_pair_is_the_test_of_one(method, alternative):
    rng = np.random.default_rng(5)
    groups = np.repeat(np.arange(30), rng.integers(1, 9, 30))
    y = rng.integers(0, 2, groups.size)
    p = np.clip(0.3 + 0.4 * y[:, None] + 0.2 * rng.normal(size=(y.size, 4)), 0.01, 0.99)
    p[:, 3] = p[:, 0]
    options = {"method": method, "groups": groups, "n_resamples": 99, "rng": 5}
    found = fc.scoring_pairwise_test(y, p, alternative=alternative, **options)
    low, high = found.confidence_interval(0.9)
    for k, (i, j) in enumerate(itertools.combinations(range(4), 2)):
        one = fc.scoring_test(y, p[:, i], p[:, j], alternative=alternative, **options)
        for name in ("estimate", "standard_error", "statistic", "pvalue", "log_pvalue"):
            assert_array_equal(getattr(found, name)[k], getattr(one, name), err_msg=name)
        assert (found.status[k], found.method[k]) == (one.status, one.method)
        if one.standard_error:
            assert_allclose((low[k], high[k]), one.confidence_interval(0.9), rtol=1e-12)
    assert (found.design, found.df) == ("clusters", one.df)


def test_simultaneous_intervals_know_the_clusters_in_scoring_pairwise_test():
    rng = np.random.default_rng(6)
    groups = np.repeat(np.arange(12), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    y = rng.integers(0, 2, groups.size)
    p = rng.uniform(size=(y.size, 3))
    found = fc.scoring_pairwise_test(y, p, groups=groups)
    want = covariance_of_clusters(np.square(p - y[:, None]), groups)
    assert_allclose(found._joint_covariance().covariance, want, rtol=1e-9)
    each, wide = found.confidence_interval(), found.confidence_interval(simultaneous=True)
    assert (np.subtract(*wide[::-1]) > np.subtract(*each[::-1])).all()


def test_methods_that_take_cases_as_independent_refuse_clusters():
    y, p = [0, 1, 0, 1], np.c_[[0.1, 0.2, 0.3, 0.4], [0.2, 0.3, 0.4, 0.6]]
    for method in ("wilcoxon", "bootstrap"):
        with pytest.raises(fc.InvalidValueError, match="`method` must be 't' or 'permutation'"):
            fc.scoring_pairwise_test(y, p, groups=[0, 0, 1, 1], method=method)
        with pytest.raises(fc.InvalidValueError, match="`method` must be 't' or 'permutation'"):
            fc.scoring_test(y, *p.T, groups=[0, 0, 1, 1], method=method)
    with pytest.warns(fc.SmallSampleWarning, match="^few_clusters"):
        fc.scoring_pairwise_test(y, p, groups=[0, 0, 1, 1])


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="hundreds of tests")
@pytest.mark.parametrize("sizes", [[10] * 10, [90, *[10] * 9]])
def test_levels_hold_whatever_the_sizes(sizes):
    groups, rejected = np.repeat(np.arange(10), sizes), np.zeros(2)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        losses = 0.5 + 0.1 * rng.normal(size=(groups.size, 3))
        losses += 0.07 * rng.normal(size=(10, 3))[groups]
        losses = losses.clip(0, 1)
        options = {"rule": identity, "groups": groups} | QUIET
        y = np.arange(groups.size) % 2
        pairs = fc.scoring_pairwise_test(y, losses, **options)
        signs = fc.scoring_test(y, *losses.T[:2], method="permutation", **options)
        rejected += pairs.adjusted_pvalue.min() <= 0.05, signs.pvalue <= 0.05
    assert (rejected / 200 < 0.1).all()
