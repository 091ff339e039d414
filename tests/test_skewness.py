"""Student's t of skewed scores: Hall's cubic, its inverse, and what they hold."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from scipy.optimize import brentq

from fastcompare._inference.means import is_doubtful, skewed_reach, skewed_t, skewness_of

SKEWNESS = st.floats(-2.0, 2.0)


def cubic(t, a):
    """Hall's (1992) transformation, with a = skewness / sqrt(n) and t = sqrt(n) S."""
    return t + a * t**2 / 3 + a**2 * t**3 / 27 + a / 6


@given(SKEWNESS, st.floats(0.01, 4.0))
def test_ends_are_where_t_and_hall_s_cubic_both_reach_the_quantile(a, q):
    low, high = skewed_reach(q, a)
    roots = [brentq(lambda t, to=to: cubic(t, a) - to, -1e4, 1e4, xtol=1e-13) for to in (q, -q)]
    assert_allclose(low, max(q, roots[0]), rtol=1e-7, atol=1e-9)
    assert_allclose(high, max(q, -roots[1]), rtol=1e-7, atol=1e-9)


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
    assert_allclose(skewness_of(roots, 39.0), want, rtol=1e-12)
    assert_allclose([skewness_of(u, 39.0) for u in roots.T], want, rtol=1e-12)
    assert want[0] > 0 > want[1]
    assert want[2] == 0
    assert (skewness_of(np.zeros((5, 2)), 4.0) == 0).all()


def test_a_claim_against_the_long_tail_of_few_scores_is_doubtful():
    assert is_doubtful(-3.0, 0.4, 14.0, 0.01, "two-sided")
    assert not is_doubtful(3.0, 0.4, 14.0, 0.01, "two-sided")
    assert not is_doubtful(-3.0, 0.4, 14.0, 0.2, "two-sided")
    assert not is_doubtful(-3.0, 0.4, 49.0, 0.01, "two-sided")
    assert is_doubtful(-3.0, 0.4, 49.0, 0.01, "less")
