"""Student's t of skewed scores: Hall's cubic, its inverse, and what they hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from scipy.optimize import brentq

from fastcompare._inference.skewness import (
    has_long_tail,
    skewed_reach,
    skewed_t,
    skewness_of,
    sums_skewness,
)

SKEWNESS = st.floats(-2.0, 2.0)


def cubic(t, a):
    """Hall's (1992) transformation, with a = skewness / sqrt(n) and t = sqrt(n) S."""
    return t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6


@pytest.mark.slow
@given(SKEWNESS, st.floats(0.01, 4.0))
def test_ends_are_where_t_and_hall_s_cubic_both_reach_the_quantile(a, q):
    low, high = skewed_reach(q, a)
    roots = [brentq(lambda t, to=to: cubic(t, a) - to, -1e4, 1e4, xtol=1e-13) for to in (q, -q)]
    assert_allclose(low, max(q, roots[0]), rtol=1e-7, atol=1e-9)
    assert_allclose(high, max(q, -roots[1]), rtol=1e-7, atol=1e-9)


@pytest.mark.slow
@given(SKEWNESS, st.floats(0.5, 4.0), st.floats(-9.0, 9.0))
def test_a_mean_is_refuted_where_the_interval_ends(a, q, t):
    low, high = skewed_reach(q, a)
    two = skewed_t(t, a, "two-sided")
    if min(abs(t - low), abs(t + high)) > 1e-9:
        assert (skewed_t(t, a, "greater") > q) == (t > low)
        assert (skewed_t(t, a, "less") < -q) == (t < -high)
        assert (abs(two) > q) == (t > low or t < -high)


def test_scores_without_skewness_have_student_s_t():
    t = np.linspace(-4, 4, 9)
    for alternative in ("two-sided", "greater", "less"):
        assert_allclose(skewed_t(t, 0.0, alternative), t, rtol=0)
    assert skewed_reach(2.1, 0.0) == pytest.approx((2.1, 2.1), rel=1e-15)


def test_skewness_is_that_of_scipy_less_chance_times_what_is_unseen():
    rng = np.random.default_rng(0)
    d = rng.lognormal(size=(40, 3)) * [1.0, -1.0, 1.0]
    d[:, 2] = rng.uniform(size=40)
    g = stats.skew(d, bias=False)
    want = (1 + 20 / 40) * np.sign(g) * np.maximum(np.abs(g) - 4 / (40 * np.abs(g)), 0) / 40**0.5
    roots = d - d.mean(axis=0)
    found = skewness_of(roots, 39.0)
    assert_allclose(found.told, want, rtol=1e-12)
    assert_allclose(found.seen, stats.skew(d) / 40**0.5, rtol=1e-12)
    assert_allclose([skewness_of(u, 39.0).told for u in roots.T], want, rtol=1e-12)
    square = np.square(roots).sum(axis=0)
    assert_allclose(sums_skewness(roots, np.ones(40, int), square, 39.0), found, rtol=1e-12)
    assert want[0] > 0 > want[1]
    assert want[2] == 0
    assert (skewness_of(np.zeros((5, 2)), 4.0).told == 0).all()


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
    seen, df = (z**3).sum() / (z**2).sum() ** 1.5, 6.0
    found = sums_skewness(np.bincount(groups, e), sizes, e @ e, df)
    assert_allclose(found.seen, seen * 7 / 10, rtol=1e-12)
    unbiased = seen * np.sqrt(7 * 6) / 5
    rest = abs(unbiased) - 4 * (10 / 7) / (49 * abs(unbiased))
    stretch = 10**0.5 * (v**1.5).sum() / v.sum() ** 1.5
    assert rest > 0.1
    assert stretch > 1.1
    assert_allclose(found.told, (1 + 0.4 * 20 / 7) * rest * stretch, rtol=1e-12)


def test_a_claim_against_the_long_tail_of_few_scores_is_doubtful():
    for seen, df, alternative, doubtful in (
        (0.4, 14.0, "two-sided", True),
        (-0.4, 14.0, "two-sided", False),
        (0.4, 49.0, "two-sided", False),
        (0.4, 49.0, "less", True),
        (0.07, 9.0, "two-sided", True),  # a skewness of .2: ten scores seldom show more
        (0.07, 19.0, "two-sided", False),
    ):
        assert has_long_tail(-3.0, seen, df, alternative) == doubtful
