"""Student's t of skewed scores: Hall's cubic, its inverse, and what they hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from scipy.optimize import brentq

from fastcompare._inference.mean_pairs import skewness_by_product
from fastcompare._inference.skewness import (
    influence_skewness,
    skewed_radii,
    skewed_t,
    sums_skewness,
)

SKEWNESS = st.floats(-2.0, 2.0)


def cubic(t, a):
    """Hall's (1992) transformation, with a = skewness / sqrt(n) and t = sqrt(n) S."""
    return t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6


@pytest.mark.slow
@given(SKEWNESS, st.floats(0.01, 4.0))
def test_ends_are_where_t_and_hall_s_cubic_both_reach_the_quantile(a, q):
    low, high = skewed_radii(q, a)
    roots = [brentq(lambda t, to=to: cubic(t, a) - to, -1e4, 1e4, xtol=1e-13) for to in (q, -q)]
    assert_allclose(low, max(q, roots[0]), rtol=1e-7, atol=1e-9)
    assert_allclose(high, max(q, -roots[1]), rtol=1e-7, atol=1e-9)


@pytest.mark.slow
@given(SKEWNESS, st.floats(0.5, 4.0), st.floats(-9.0, 9.0))
def test_a_mean_is_refuted_where_the_interval_ends(a, q, t):
    low, high = skewed_radii(q, a)
    two = skewed_t(t, a, "two-sided")
    if min(abs(t - low), abs(t + high)) > 1e-9:
        assert (skewed_t(t, a, "greater") > q) == (t > low)
        assert (skewed_t(t, a, "less") < -q) == (t < -high)
        assert (abs(two) > q) == (t > low or t < -high)


def test_scores_without_skewness_have_student_s_t():
    t = np.linspace(-4, 4, 9)
    for alternative in ("two-sided", "greater", "less"):
        assert_allclose(skewed_t(t, 0.0, alternative), t, rtol=0)
    assert skewed_radii(2.1, 0.0) == pytest.approx((2.1, 2.1), rel=1e-15)


def test_skewness_is_that_of_scipy_and_more_where_it_is_evident():
    rng = np.random.default_rng(0)
    d = rng.lognormal(size=(40, 3)) * [1.0, -1.0, 1.0]
    d[:, 2] = rng.uniform(size=40)
    g = stats.skew(d, bias=False) / 40**0.5
    roots = d - d.mean(axis=0)
    evident = np.abs((roots**3).sum(axis=0)) > 1.2 * np.sqrt((roots**6).sum(axis=0))
    assert evident.tolist() == [True, True, False]
    found = influence_skewness(roots, 40)
    assert_allclose(found.from_sample, g, rtol=1e-12)
    assert_allclose(found.used, (1 + 10 / 40) * g * evident, rtol=1e-12)
    assert_allclose(found.suspected("less"), (1 + 30 / 40) * g, rtol=1e-12)
    assert_allclose([influence_skewness(u, 40).used for u in roots.T], found.used, rtol=1e-12)
    square = np.square(roots).sum(axis=0)
    of_clusters = sums_skewness(roots, np.ones(40, int), square)
    assert_allclose(of_clusters.from_sample, found.from_sample, rtol=1e-12)
    assert (influence_skewness(np.zeros((5, 2)), 5).used == 0).all()
    assert (influence_skewness(roots[:3], 3).from_sample == 0).all()


def test_an_outlier_is_no_evident_skewness():
    u = np.r_[np.full(30, -1.0), 30.0]
    assert not influence_skewness(u, 31).evident


def test_skewness_of_unequal_clusters_is_that_of_sums_over_what_their_sizes_let_them_vary():
    rng = np.random.default_rng(1)
    sizes = np.array([1, 2, 3, 5, 8, 13, 1, 4, 6, 7])
    groups, n = np.repeat(np.arange(10), sizes), sizes.sum()
    d = 2.0 * (groups == 3) + 0.1 * rng.normal(size=n)
    e = d - d.mean()
    pairs = sum(np.outer(e[groups == g], e[groups == g]).sum() for g in range(10)) - e @ e
    rho = pairs / (sizes @ (sizes - 1)) / (e @ e / n)
    assert 0 < rho < 1
    v = sizes * (1 + (sizes - 1) * rho) / (n - sizes)
    z = np.bincount(groups, e) / np.sqrt(n - sizes) / np.sqrt(v)
    seen = (z**3).sum() / (z**2).sum() ** 1.5
    stretch = 10**0.5 * (v**1.5).sum() / v.sum() ** 1.5
    assert stretch > 1.1
    found = sums_skewness(np.bincount(groups, e), sizes, e @ e)
    assert_allclose(found.from_sample, seen * np.sqrt(10 * 9) / 8 * stretch, rtol=1e-12)
    assert found.n == 10


@given(st.integers(0, 2**32 - 1))
def test_skewness_of_pairs_by_products_is_that_of_their_differences(seed):
    rng = np.random.default_rng(seed)
    scores = rng.lognormal(size=(30, 4)) - 0.7 * rng.normal(size=(30, 1))
    cells = np.triu_indices(4, 1)
    found = skewness_by_product(scores - scores.mean(axis=0), cells, 30.0)
    d = scores[:, cells[0]] - scores[:, cells[1]]
    want = influence_skewness(d - d.mean(axis=0), 30.0)
    assert_allclose(found.from_sample, want.from_sample, rtol=1e-8, atol=1e-10)
    assert (found.evident == want.evident).all()
