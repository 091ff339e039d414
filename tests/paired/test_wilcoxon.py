"""Signed ranks against their definition, R, SciPy, and the worked examples."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from tests.reference import scores as reference
from tests.shared.golden_files import GOLDEN

R = json.loads((GOLDEN / "r_documented_examples.json").read_text())
W = [0, 0, 1, -2, 3, 4, -1, 5]
ALTERNATIVES = ("two-sided", "greater", "less")
ZEROS = ("wilcox", "pratt", "zsplit")
few = st.lists(st.integers(-4, 4), min_size=1, max_size=7)


@pytest.mark.parametrize(
    ("zeros", "statistic", "exact", "normal"),
    [
        ("pratt", 24.5, 0.3125, 0.256108),
        ("wilcox", 16.5, 0.25, 0.20716),
        ("zsplit", 26, None, None),
    ],
)
def test_worked_example_in_wilcoxon_test(zeros, statistic, exact, normal):
    """FORMULAS: signed rank."""
    for method, p in (("exact", exact), ("normal", normal)):
        result = fc.wilcoxon_test(W, zeros=zeros, method=method)
        assert result.statistic == statistic
        if p is not None:
            assert_allclose(result.pvalue, p, atol=5e-7)
        assert method in result.method
    assert (result.n, result.n_zero) == (8, 2)


def test_worked_example_of_the_estimate_in_wilcoxon_test():
    """FORMULAS: Hodges-Lehmann; the level .96875 is the least that six differences allow."""
    result = fc.wilcoxon_test([0.02, -0.01, 0.04, 0.03, 0.05, 0.015])
    assert_allclose(result.estimate, 0.025, rtol=1e-14)
    for level in (0.95, 0.96875):
        assert_allclose(result.confidence_interval(level), (-0.01, 0.05), rtol=1e-14)
    assert result.confidence_interval(0.97) == (-math.inf, math.inf)


def test_depression_agrees_with_r_in_wilcoxon_test():
    """R's help of wilcox.test: Hamilton's scale before and after tranquillisers."""
    case = R["wilcox_depression"]
    want = case["expected"]
    result = fc.wilcoxon_test(case["x"], case["y"])
    assert result.statistic == want["V"]
    assert_allclose(result.pvalue, want["p_two"], rtol=1e-12)
    assert_allclose(result.estimate, want["hodges_lehmann"], rtol=1e-12)
    assert_allclose(result.confidence_interval(), want["ci95"], rtol=1e-10)
    greater = fc.wilcoxon_test(case["x"], case["y"], alternative="greater")
    assert_allclose(greater.pvalue, want["p_greater"], rtol=1e-12)
    normal = fc.wilcoxon_test(case["x"], case["y"], method="normal")
    assert_allclose(normal.pvalue, want["p_two_normal"], rtol=1e-10)


def test_sleep_agrees_with_r_in_wilcoxon_test():
    """R's help of sleep: a tie of computed differences, and one that is 0."""
    case = R["sleep_paired"]
    result = fc.wilcoxon_test(case["x"], case["y"], method="normal")
    assert result.statistic == case["expected"]["wilcox_V"]
    assert_allclose(result.pvalue, case["expected"]["wilcox_p"], rtol=1e-10)
    assert result.effect_size == -1.0


@pytest.mark.slow
@given(d=few)
@settings(max_examples=50, deadline=None)
def test_exact_p_values_are_shares_of_all_signs_in_wilcoxon_test(d):
    for zeros in ZEROS:
        signed, _ = reference.rank_parts(d, zeros)
        for alternative in ALTERNATIVES:
            result = fc.wilcoxon_test(d, zeros=zeros, alternative=alternative)
            assert result.statistic == reference.w_plus(d, zeros)
            assert_allclose(
                result.pvalue, float(reference.sign_pvalue(signed, alternative)), rtol=1e-13
            )
        total = sum(abs(r) for r in signed)
        assert_allclose(result.effect_size, float(sum(signed) / total) if total else 0.0)
        assert result.status == ("ok" if any(d) else "no_difference")


@pytest.mark.slow
@given(d=st.lists(st.integers(-9, 9), min_size=5, max_size=60).filter(any))
@settings(max_examples=50, deadline=None)
def test_normal_p_values_equal_scipy_in_wilcoxon_test(d):
    for zeros in ZEROS:
        for alternative in ALTERNATIVES:
            want = stats.wilcoxon(
                d, zero_method=zeros, correction=False, method="asymptotic", alternative=alternative
            )
            got = fc.wilcoxon_test(d, zeros=zeros, method="normal", alternative=alternative)
            assert_allclose(got.pvalue, want.pvalue, rtol=1e-10)
            assert_allclose(got.log_pvalue, math.log(want.pvalue), atol=1e-9)


@pytest.mark.parametrize("n", [5, 20, 48])
def test_exact_p_values_equal_scipy_in_wilcoxon_test(n):
    d = np.random.default_rng(n).normal(0.3, 1, n)
    for alternative in ALTERNATIVES:
        want = stats.wilcoxon(d, method="exact", alternative=alternative).pvalue
        got = fc.wilcoxon_test(d, alternative=alternative)
        assert_allclose(got.pvalue, want, rtol=1e-12)
        assert got.method.endswith("exact")


def test_dividing_all_scores_by_100_changes_nothing_in_wilcoxon_test():
    """0.3 - 0.2 and 0.2 - 0.1 differ in floating point, but tie."""
    a, b = np.array([3, 2, 9, 4, 7, 5]), np.array([2, 1, 4, 4, 8, 1])
    want = fc.wilcoxon_test(a, b)
    assert len({0.03 - 0.02, 0.02 - 0.01}) == 2
    for scale in (10, 100, 1000, 1e-6):
        got = fc.wilcoxon_test(a / scale, b / scale)
        assert (got.statistic, got.pvalue, got.n_zero) == (want.statistic, want.pvalue, 1)
    assert fc.wilcoxon_test(a / 100, a / 100).status == "no_difference"


def test_intervals_invert_the_tests_in_wilcoxon_test():
    d = np.random.default_rng(3).normal(0.4, 1, 15)
    for method in ("exact", "normal"):
        for alternative in ALTERNATIVES:
            result = fc.wilcoxon_test(d, method=method, alternative=alternative)
            ends = result.confidence_interval(0.9)
            for end, outwards in zip(ends, (-1e-9, 1e-9), strict=True):
                if math.isinf(end):
                    continue
                args = {"method": method, "alternative": alternative}
                assert fc.wilcoxon_test(d - end - outwards, **args).pvalue <= 0.1
                assert fc.wilcoxon_test(d - end + outwards, **args).pvalue > 0.1


@pytest.mark.slow
@given(d=few.filter(any), alpha=st.sampled_from([0.03, 0.05, 0.1, 0.2, 0.4]))
@settings(max_examples=60, deadline=None)
def test_ends_with_ties_and_zeros_are_those_of_the_definition_in_wilcoxon_test(d, alpha):
    for zeros in ZEROS:
        result = fc.wilcoxon_test(d, zeros=zeros, alternative="greater")
        low, high = result.confidence_interval(1 - alpha)
        assert (low, high) == (reference.lower_end(d, zeros, alpha), math.inf)
        assert (low > 0) == (result.pvalue <= alpha)
        averages = reference.ranked_averages(d, zeros)
        middle = (averages[(len(averages) - 1) // 2], averages[len(averages) // 2])
        assert result.estimate == sum(middle) / 2


def test_the_estimate_and_the_interval_leave_zeros_out_as_the_test_does_in_wilcoxon_test():
    """As R's wilcox.test: 20 zeros say nothing of where 12 gains are."""
    gains = np.arange(1.0, 13)
    want = fc.wilcoxon_test(gains)
    result = fc.wilcoxon_test(np.append(gains, np.zeros(20)))
    assert (result.pvalue, result.estimate) == (want.pvalue, want.estimate) == (2 / 2**12, 6.5)
    assert result.confidence_interval() == want.confidence_interval() == (4, 9)
    assert "of 12 differences other than 0 (20 are 0) is 6.5 (95% CI 4 to 9" in result.summary()


@pytest.mark.slow
@given(d=few, data=st.data())
@settings(max_examples=50, deadline=None)
def test_order_does_not_matter_and_swapping_turns_the_sign_in_wilcoxon_test(d, data):
    mixed = data.draw(st.permutations(d))
    result, other = fc.wilcoxon_test(d), fc.wilcoxon_test(np.zeros(len(d)), mixed)
    assert result.pvalue == other.pvalue
    assert result.estimate == -other.estimate
    assert result.effect_size == -other.effect_size
    low, high = result.confidence_interval(0.8)
    assert other.confidence_interval(0.8) == (-high, -low)
    assert fc.wilcoxon_test(d, alternative="less").pvalue == pytest.approx(
        fc.wilcoxon_test(-np.array(d), alternative="greater").pvalue, rel=1e-14
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["exact", "normal"])
def test_true_null_hypotheses_are_rejected_as_often_as_stated(method, requires_jit):
    rng = np.random.default_rng(5)
    p = np.array([fc.wilcoxon_test(d, method=method).pvalue for d in rng.normal(size=(2000, 20))])
    for alpha in (0.05, 0.2):
        rate = (p <= alpha).mean()
        assert abs(rate - alpha) < 4 * math.sqrt(alpha * (1 - alpha) / 2000) + 0.003


def test_exact_and_normal_agree_for_many_in_wilcoxon_test():
    d = np.random.default_rng(7).normal(0.05, 1, 500)
    exact, normal = (fc.wilcoxon_test(d, method=m) for m in ("exact", "normal"))
    assert_allclose(exact.pvalue, normal.pvalue, rtol=0.01)
    assert_allclose(exact.confidence_interval(), normal.confidence_interval(), atol=1e-3)
    assert fc.wilcoxon_test(d).method.endswith("normal")


def test_missing_pairs_in_wilcoxon_test():
    a, b = [3.0, math.nan, 1, 2], [1, 2, 3, None]
    with pytest.raises(fc.InvalidValueError, match=r"`scores_a` has 1 missing value\b.*index 1"):
        fc.wilcoxon_test(a, b)
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 4"):
        result = fc.wilcoxon_test(a, b, nan_policy="omit")
    assert (result.n, result.n_dropped) == (2, 2)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"scores_a": [1, 2], "scores_b": [1]},
            ValueError,
            "`scores_a` and `scores_b` must be equally long, got 2 and 1",
        ),
        ({"scores_a": []}, ValueError, "`scores_a` must contain at least one number"),
        (
            {"scores_a": [1, math.inf]},
            ValueError,
            "`scores_a` must contain finite numbers.*inf at index 1",
        ),
        ({"scores_a": [[1, 2]]}, ValueError, "`scores_a` must be 1-d"),
        ({"scores_a": ["x"]}, TypeError, "`scores_a` must contain real numbers"),
        ({"scores_a": [1e308], "scores_b": [-1e308]}, ValueError, "exceeds"),
        ({"scores_a": [1], "zeros": "prat"}, ValueError, "`zeros`.*Did you mean 'pratt'"),
        ({"scores_a": [1], "method": "asymptotic"}, ValueError, "`method`"),
        ({"scores_a": [1], "alternative": "equivalence"}, ValueError, "`alternative`"),
        ({"scores_a": np.arange(3002.0), "method": "exact"}, ValueError, "at most 3000.*got 3001"),
    ],
)
def test_inputs_that_cannot_mean_anything_in_wilcoxon_test(arguments, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.wilcoxon_test(**arguments)
    assert isinstance(caught.value, fc.FastCompareError)


def test_the_callers_numbers_stay_in_wilcoxon_test():
    d = np.array([0.5, -0.25, 0.0])
    kept = d.copy()
    result = fc.wilcoxon_test(d)
    d[:] = 9
    assert result.confidence_interval(0.2).high <= 0.5
    assert (kept == [0.5, -0.25, 0.0]).all()
    assert "W+ = 2" in result.summary()
    assert result.to_dict()["standard_error"] is None


def test_hosts_that_raise_on_every_floating_point_event():
    with np.errstate(all="raise"):
        for method in ("exact", "normal"):
            result = fc.wilcoxon_test([5e-324, -1e-310, 1e308, 3.0], method=method)
            assert math.isfinite(result.estimate)
            result.confidence_interval(0.5)
        assert fc.wilcoxon_test(np.arange(1.0, 1200), method="exact").log_pvalue < -800
        assert math.isfinite(fc.sign_test([5e-324, 1e308, -1e308]).estimate)
