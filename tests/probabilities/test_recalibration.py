"""The sums behind the logistic recalibration, and what it finds where these are hard."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare.kernels.probabilities import (
    FACTORS,
    exp_minus_abs,
    likelihood_gains,
    log_ratio,
    newton_sums,
)


def definition(y, x, intercept, slope):
    """Each sum by `math.fsum`, of terms without cancellation."""
    terms = []
    for label, value in zip(y.tolist(), x.tolist(), strict=True):
        t = intercept + slope * value
        less = math.exp(-abs(t)) / (1 + math.exp(-abs(t)))
        m, rest = (1 - less, less) if t > 0 else (less, 1 - less)
        residual = rest if label else -m
        likelihood = min(t if label else -t, 0.0) - math.log1p(math.exp(-abs(t)))
        w = m * rest
        terms.append((likelihood, residual, residual * value, w, w * value, w * value * value))
    return list(map(math.fsum, zip(*terms, strict=True))), terms


@pytest.mark.slow
@given(
    n=st.sampled_from([1, 2, 30, FACTORS - 1, FACTORS, FACTORS + 1, 3 * FACTORS + 7]),
    seed=st.integers(0, 10**6),
    scale=st.sampled_from([0.0, 1e-8, 1.0, 30.0, 700.0]),
    slope=st.sampled_from([0.0, 1.0, -0.7, 1e-9]),
)
@settings(max_examples=60, deadline=None)
def test_sums_follow_the_definition(n, seed, scale, slope):
    rng = np.random.default_rng(seed)
    y, x = rng.integers(0, 2, n).astype(np.uint8), scale * rng.normal(size=n)
    out = np.empty((6, -(-n // FACTORS)))
    with np.errstate(under="ignore"):
        newton_sums(y, x, 0.25, slope, out)
        wants, terms = definition(y, x, 0.25, slope)
    for found, want, column in zip(out.sum(axis=1), wants, zip(*terms, strict=True), strict=True):
        size = math.fsum(map(abs, column))
        assert abs(found - want) <= 2e-13 * size + 1e-300
    gains = np.empty(-(-n // FACTORS))
    with np.errstate(under="ignore"):
        likelihood_gains(y, x, 0.25, slope, gains)
    assert_allclose(
        gains.sum(),
        wants[0] - definition(y, x, 0.0, 1.0)[0][0],
        atol=1e-12 * math.fsum(abs(t[0]) for t in terms) + 1e-13 * scale * n,
        rtol=1e-10,
    )


def test_many_confident_cases_keep_the_precision_of_their_likelihood():
    """Products of 1 + 1e-13 would have none left."""
    x = np.full(2 * FACTORS, 30.0)
    out = np.empty((6, 2))
    newton_sums(np.ones(x.size, np.uint8), x, 0.0, 1.0, out)
    assert_allclose(-out[0].sum(), x.size * math.log1p(math.exp(-30)), rtol=1e-14)


@pytest.mark.parametrize(("low", "high"), [(-20.0, -9.0), (3.0, 21.0), (-8.0, 9.0), (-1.0, 2.0)])
def test_the_intercept_of_two_cases_is_minus_their_mean_in_calibration_test(low, high):
    p = [1 / (1 + math.exp(-low)), 1 / (1 + math.exp(-high))]
    x = [math.log(v / (1 - v)) for v in p]
    result = fc.calibration_test([1, 0], p, on_undefined="ignore")
    assert_allclose(result.intercept_in_the_large, -sum(x) / 2, rtol=1e-8)


@pytest.mark.slow
@given(seed=st.integers(0, 10**6), n=st.integers(3, 40), scale=st.sampled_from([0.5, 2.0, 8.0]))
@settings(max_examples=80, deadline=None)
def test_the_fit_solves_its_equations_in_calibration_test(seed, n, scale):
    rng = np.random.default_rng(seed)
    p = 1 / (1 + np.exp(-scale * rng.normal(size=n)))
    y = (rng.random(n) < p).astype(np.uint8)
    result = fc.calibration_test(y, p, on_undefined="ignore")
    x = np.log(p) - np.log1p(-p)
    if result.status == "ok":
        sums, terms = definition(y, x, result.intercept, result.slope)
        sizes = [math.fsum(abs(term[j]) for term in terms) for j in (1, 2)]
        assert abs(sums[1]) <= 1e-9 * sizes[0]
        assert abs(sums[2]) <= 1e-9 * sizes[1]
        gain = sums[0] - definition(y, x, 0.0, 1.0)[0][0]
        assert_allclose(result.statistic, 2 * gain, rtol=1e-9, atol=1e-12 * n)
    if 0 < y.sum() < n:
        sums, terms = definition(y, x, result.intercept_in_the_large, 1.0)
        assert abs(sums[1]) <= 1e-9 * math.fsum(abs(term[1]) for term in terms)


@pytest.mark.slow
def test_log_odds_of_one_pass_are_as_precise_in_calibration_test(requires_jit):
    """x = log(p / (1 - p)) may move the fit by its own rounding alone."""
    rng = np.random.default_rng(5)
    z = rng.normal(size=100_003)
    p = 1 / (1 + np.exp(-z))
    y = (rng.random(z.size) < p).astype(int)
    result = fc.calibration_test(y, p)
    sums, terms = definition(y, np.log(p) - np.log1p(-p), result.intercept, result.slope)
    assert abs(sums[1]) <= 1e-12 * math.fsum(abs(term[1]) for term in terms)
    assert abs(sums[2]) <= 1e-12 * math.fsum(abs(term[2]) for term in terms)


def test_probabilities_near_the_least_number_are_fitted_in_silence_in_calibration_test():
    """Weights of 1e-306 have an inverse that overflows: the fit starts elsewhere."""
    y, p = [0, 1, 0, 1], [1e-306, 2e-306, 3e-306, 4e-306]
    with np.errstate(all="raise"):
        result = fc.calibration_test(y, p)
    assert result.status == "ok"
    sums, terms = definition(np.array(y), np.log(p), result.intercept, result.slope)
    assert abs(sums[1]) <= 1e-9 * math.fsum(abs(term[1]) for term in terms)


@pytest.mark.parametrize("positive", [0, 1])
def test_classes_that_meet_in_one_probability_have_no_finite_slope_in_calibration_test(positive):
    y = [1 - positive] * 2 + [positive] * 2
    result = fc.calibration_test(y, [0.2, 0.5, 0.5, 0.8], on_undefined="ignore")
    assert result.status == "separated"
    assert math.isnan(result.slope)


@pytest.mark.parametrize("scale", [1e-300, 1e-9, 0.3, 1.0, 40.0, 700.0])
def test_exponentials_are_right_to_a_unit_in_the_last_place(scale):
    t = scale * np.random.default_rng(0).uniform(-1.0, 1.0, 99)
    found = np.empty(99)
    exp_minus_abs(t, np.empty(99), found)
    assert_allclose(found, np.exp(-np.abs(t)), rtol=2.0**-51)


def test_exponentials_that_are_subnormal_count_as_0():
    t, found = np.array([-709.0, 746.0, 1e300, 708.0]), np.empty(4)
    exp_minus_abs(t, np.empty(4), found)
    assert found[:3].tolist() == [0.0, 0.0, 0.0]
    assert 0.0 < found[3] < 1e-307


@pytest.mark.parametrize("apart", [1.0, 1e-3, 1e-9, 1e-15])
def test_ratios_of_logarithms_keep_their_digits(apart):
    for a in np.random.default_rng(0).random(50).tolist():
        b = a * (1.0 - apart)
        want = math.log1p((a - b) / (1.0 + b))
        assert_allclose(log_ratio(a, b), want, rtol=1e-14)
