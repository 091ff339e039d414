"""Differences with random signs against all 2^n signs, one by one."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc
from fastcompare.kernels.drawing.exchange import (
    add_flipped_sums,
    add_flipped_sums_of_columns,
    add_weighted_sums,
)
from fastcompare.kernels.drawing.purposes import FLIPS
from fastcompare.kernels.drawing.streams import draw_row
from tests.reference import scores as reference

Y = [1, 0, 1, 0, 1, 0]
ALTERNATIVES = ("two-sided", "greater", "less")
U = np.uint64


def identity(y, p):
    """A rule that takes the differences themselves as losses."""
    return p


def flipped(d, **options):
    """The permutation test of losses with these differences, each below 64."""
    y, p = np.arange(len(d)) % 2, d / 64
    options = {"rule": times_64, "method": "permutation", "on_undefined": "ignore", **options}
    return fc.scoring_test(y, np.where(p > 0, p, 0.0), np.where(p < 0, -p, 0.0), **options)


def times_64(y, p):
    """A rule whose losses are 64 times the probabilities, without rounding."""
    return 64.0 * p


def test_sums_that_tie_count_as_extreme_in_scoring_test():
    """FORMULAS: sign flips; floats alone give 0.4375."""
    d = np.array([0.1, 0.2, 0.4, 0, -0.1, -0.2])
    signs = np.array([*itertools.product((1, -1), repeat=d.size)])
    naive = np.cumsum(signs * abs(d), axis=1)[:, -1]  # number by number, as `sum` until Python 3.11
    assert np.mean(abs(naive) >= abs(d.sum())) == 0.4375
    result = fc.scoring_test(Y, d * (d > 0), -d * (d < 0), rule=identity, method="permutation")
    assert result.pvalue == 0.625
    drawn = fc.scoring_test(
        Y, d * (d > 0), -d * (d < 0), rule=identity, method="permutation", keep=True, rng=4
    )
    assert abs(drawn.pvalue - 0.625) < 4 * math.sqrt(0.625 * 0.375 / 9999)


@pytest.mark.slow
@given(d=st.lists(st.integers(-5, 5), min_size=1, max_size=9), scale=st.sampled_from([1, 7, 100]))
@settings(max_examples=50, deadline=None)
def test_exact_flips_are_shares_of_all_signs_in_scoring_test(d, scale):
    x = np.array(d) / scale
    for alternative in ALTERNATIVES:
        p = flipped(x, alternative=alternative)
        assert p.pvalue == reference.sign_pvalue(d, alternative)
        assert p.log_pvalue == pytest.approx(math.log(p.pvalue))


@pytest.mark.parametrize("n", [2, 7, 12])
def test_scoring_test_counts_all_sums_of_two_halves(n):
    d = np.random.default_rng(n).integers(-20, 50, n).astype(float)
    sums = list(reference.all_signs(abs(d).tolist()))
    p = flipped(d, alternative="greater").pvalue
    assert p == sum(s >= d.sum() for s in sums) / len(sums)


def test_exact_ends_are_means_of_sets_in_scoring_test():
    """Hartigan (1969): the 2^n - 1 means cut the line into parts of equal chance."""
    d = np.random.default_rng(6).normal(0.5, 1, 9)
    bits = (np.arange(1, 512)[:, None] >> np.arange(9)) & 1
    means = np.sort((bits @ d) / bits.sum(axis=1))
    exact = flipped(d)
    for k in (1, 5, 100):  # p(x) = (1 + means at most x) / 2^n is at most k / 2^n up to means[k-1]
        low, high = exact.confidence_interval(1 - 2 * k / 512)
        assert_allclose((low, high), (means[k - 1], means[-k]), rtol=1e-11)
    assert exact.confidence_interval(1 - 1 / 512).low == -math.inf
    drawn = flipped(d, keep=True, n_resamples=50_000, rng=3)
    for alpha in (0.05, 0.3):
        rank = int(alpha * 512)
        ends = zip(*(r.confidence_interval(1 - 2 * alpha) for r in (drawn, exact)), strict=True)
        (low, low_exact), (high, high_exact) = ends
        assert abs(low - low_exact) < means[rank + 8] - means[rank - 8]
        assert abs(high - high_exact) < means[-rank + 8] - means[-rank - 8]


def test_sums_follow_the_random_bits():
    d, seed, block = np.random.default_rng(1).normal(size=(3, 48)), U(5), 7
    sums = np.zeros((3, 2, 64))
    add_flipped_sums(d[:, :32].copy(), U(0), U(block), seed, sums)
    add_flipped_sums(d[:, 32:].copy(), U(2), U(block), seed, sums)
    together = np.zeros((2, 64, 3))
    add_flipped_sums_of_columns(d.T[:32].copy(), U(0), U(block), seed, together)
    add_flipped_sums_of_columns(d.T[32:].copy(), U(2), U(block), seed, together)
    assert_array_equal(together, np.moveaxis(sums, 0, 2))
    for b in range(2):
        words = np.empty((3, 32), np.uint32)
        for unit in range(3):
            draw_row(U(unit), U(block + b), FLIPS, seed, words[unit])
        bits = (words.view(np.uint16)[:, None, :] >> np.arange(16)[None, :, None]) & 1
        want = d @ (1 - 2.0 * bits.reshape(48, 64))
        assert_allclose(sums[:, b], want, atol=1e-13)


def test_weighted_sums():
    rng = np.random.default_rng(2)
    weights = rng.integers(0, 9, (30, 64)).astype(np.uint8)
    d, sums = rng.normal(size=30), np.ones(64)
    add_weighted_sums(weights, d, sums)
    assert_allclose(sums, 1 + weights.T @ d, rtol=1e-13)


def test_random_flips_have_the_exact_distribution_in_scoring_test():
    d = [3, -5, 2, 2, -1, 7]
    exact = reference.sign_pvalue(d, "two-sided")
    drawn = flipped(np.array(d, float), keep=True, n_resamples=25_600, rng=3).distribution
    sums = np.rint(drawn * len(d))
    values, counts = np.unique(sums, return_counts=True)
    every = list(reference.all_signs(d))
    assert values.tolist() == sorted(set(every))
    want = np.array([every.count(v) for v in values]) / 64 * sums.size
    assert stats.chi2.sf(((counts - want) ** 2 / want).sum(), values.size - 1) > 1e-4
    assert abs((abs(sums) >= abs(sum(d))).mean() - exact) < 4 * math.sqrt(0.25 / sums.size)


def test_scoring_test_of_swapped_models_has_the_same_p_value():
    d = np.array([0.5, -2.0, 0.0, 1.0, -0.25])
    assert flipped(d).pvalue == flipped(-d).pvalue
    assert flipped(d, alternative="less").pvalue == flipped(-d, alternative="greater").pvalue


def test_monte_carlo_p_values_count_the_observed_signs_in_scoring_test():
    """Phipson and Smyth (2010): (b + 1) / (B + 1)."""
    rng = np.random.default_rng(3)
    y, p, q = rng.integers(0, 2, 40), *rng.random((2, 40))
    result = fc.scoring_test(y, p, q, method="permutation", n_resamples=99, keep=True, rng=0)
    b = (abs(result.distribution) >= abs(result.estimate)).sum()
    assert result.pvalue == (b + 1) / 100
