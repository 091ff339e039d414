"""The sign test against binomial coefficients, SciPy, and the worked example."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from tests.reference import scores as reference

D = [1, 2, 3, 4, -1, -2, 0, 0]


@pytest.mark.parametrize(
    ("zeros", "p", "statistic"), [("drop", 0.6875, 4), ("split", 0.7265625, 5)]
)
def test_worked_example_in_sign_test(zeros, p, statistic):
    """FORMULAS: sign test."""
    result = fc.sign_test(D, zeros=zeros)
    assert_allclose(result.pvalue, p, rtol=1e-14)
    assert result.statistic == statistic
    assert (result.n_positive, result.n_negative, result.n_zero, result.n) == (4, 2, 2, 8)
    assert result.estimate == 1.5  # of those that are not 0


@pytest.mark.slow
@given(d=st.lists(st.integers(-2, 2), min_size=1, max_size=40))
@settings(max_examples=50, deadline=None)
def test_p_values_are_binomial_in_sign_test(d):
    up, down = sum(x > 0 for x in d), sum(x < 0 for x in d)
    for zeros, half in (("drop", 0), ("split", (len(d) - up - down) // 2)):
        x, n = up + half, up + down + 2 * half
        for alternative in ("two-sided", "greater", "less"):
            result = fc.sign_test(d, zeros=zeros, alternative=alternative)
            if n:
                want = stats.binomtest(x, n, alternative=alternative).pvalue
                assert_allclose(result.pvalue, want, rtol=1e-12)
            else:
                assert result.pvalue == 1.0
        greater = fc.sign_test(d, zeros=zeros, alternative="greater").pvalue
        assert_allclose(greater, float(reference.binomial_tail(x, n)), rtol=1e-13)
    assert result.status == ("ok" if any(d) else "no_difference")


def test_swapping_turns_the_sign_in_sign_test():
    a, b = np.random.default_rng(0).normal(size=(2, 31))
    one, other = fc.sign_test(a, b), fc.sign_test(b, a)
    assert one.pvalue == other.pvalue
    assert one.estimate == -other.estimate
    low, high = one.confidence_interval()
    assert other.confidence_interval() == (-high, -low)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_intervals_invert_the_test_in_sign_test(alternative):
    d = np.random.default_rng(1).normal(0.2, 1, 21)
    ends = fc.sign_test(d, alternative=alternative).confidence_interval(0.9)
    for end, outwards in zip(ends, (-1e-9, 1e-9), strict=True):
        if math.isfinite(end):
            assert fc.sign_test(d - end - outwards, alternative=alternative).pvalue <= 0.1
            assert fc.sign_test(d - end + outwards, alternative=alternative).pvalue > 0.1


@pytest.mark.parametrize("zeros", ["drop", "split"])
def test_zeros_widen_intervals_only_where_they_are_split_in_sign_test(zeros):
    d = np.arange(1.0, 13)
    ends = fc.sign_test(np.append(d, np.zeros(10)), zeros=zeros).confidence_interval()
    if zeros == "drop":
        assert ends == fc.sign_test(d).confidence_interval() == (3, 10)
    else:  # 22 throws, of which 5 count on either side of every median: ranks 6 and 17, less 5
        assert ends == (1, 12)


def test_intervals_have_the_binomial_level_in_sign_test():
    """Five differences allow the level 1 - 2/32 with their range, and no more."""
    d = [5, 1, 4, 2, 3]
    assert fc.sign_test(d).confidence_interval(1 - 2 / 32) == (1, 5)
    assert fc.sign_test(d).confidence_interval(0.95) == (-math.inf, math.inf)
    assert fc.sign_test(d).confidence_interval(1 - 12 / 32) == (2, 4)


def test_a_p_value_that_underflows_keeps_its_logarithm_in_sign_test():
    result = fc.sign_test(np.ones(3000), alternative="greater")
    assert result.pvalue == 0.0
    assert_allclose(result.log_pvalue, -3000 * math.log(2), rtol=1e-12)


def test_only_equal_scores_differ_by_zero_in_sign_test():
    assert fc.sign_test([0.3, 0.5], [0.1 + 0.2, 0.4]).n_zero == 0
    assert fc.sign_test([0.3, 0.5, 1e12], [0.3, 0.4, 2e12]).n_zero == 1


@pytest.mark.slow
def test_true_null_hypotheses_are_rejected_at_most_as_often_as_stated_in_sign_test():
    rng = np.random.default_rng(2)
    p = np.array([fc.sign_test(d).pvalue for d in rng.normal(size=(2000, 25))])
    level = 2 * float(reference.binomial_tail(18, 25))  # the largest that 5% allow
    assert level <= 0.05
    assert abs((p <= 0.05).mean() - level) < 4 * math.sqrt(level / 2000)


def test_words_in_sign_test():
    said = fc.sign_test(D).summary()
    assert "The median of 6 differences other than 0 (2 are 0) is 1.5 (95% CI -2 to 4" in said
    assert "The median of 3 differences is 2" in fc.sign_test([1, 2, 3]).summary()
    with pytest.raises(ValueError, match="`zeros` must be one of 'drop', 'split'"):
        fc.sign_test(D, zeros="pratt")
