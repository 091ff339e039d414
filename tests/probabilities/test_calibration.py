"""Calibration, decompositions and net benefit against definitions, statsmodels, simulation."""

import math
import warnings
from fractions import Fraction

import numba
import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from scipy.special import expit, logit

import fastcompare as fc
from tests.reference import scores as reference

F = [0.1, 0.1, 0.4, 0.4, 0.4, 0.8, 0.8]
Y = [0, 0, 0, 1, 1, 1, 1]
PARTS = ("reliability", "resolution", "uncertainty")
forecasts = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0, 0.125, 0.25, 0.5, 0.875, 1])),
    min_size=1,
    max_size=30,
)


def simulated(n, seed, slope=1.0, intercept=0.0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = rng.random(n) < expit(intercept + slope * x)
    return y.astype(int), expit(x)


def test_worked_example():
    """FORMULAS: Brier parts, ECE."""
    result = fc.brier_decomposition(Y, F)
    assert_allclose(result.brier_score, 0.14, rtol=1e-14)
    found = [getattr(result, part) for part in PARTS]
    assert_allclose(found, [0.0447619, 0.14966, 0.244898], rtol=4e-6)
    assert result.within_bin == 0.0
    assert_allclose(fc.calibration_error(Y, F, rng=0, n_resamples=99).estimate, 0.2, rtol=1e-14)
    assert_allclose(
        fc.brier_skill_score(Y, F), (found[1] - found[0]) / found[2], rtol=1e-12
    )  # Murphy (1973)


@pytest.mark.slow
@given(cases=forecasts)
@settings(max_examples=50, deadline=None)
def test_parts_follow_the_definition_and_add_up_in_brier_decomposition(cases):
    y, p = map(list, zip(*cases, strict=True))
    result = fc.brier_decomposition(y, p)
    want = [float(part) for part in reference.murphy(y, p)]
    assert_allclose([getattr(result, part) for part in PARTS], want, atol=1e-15)
    assert result.counts.sum() == len(y)


@given(
    seed=st.integers(0, 99),
    n_bins=st.integers(1, 20),
    bins=st.sampled_from(["uniform", "quantile"]),
)
@settings(max_examples=25, deadline=None)
def test_parts_of_bins_add_up_with_the_terms_within(seed, n_bins, bins):
    y, p = simulated(60, seed)
    result = fc.brier_decomposition(y, p, n_bins=n_bins, bins=bins)
    total = result.reliability - result.resolution + result.uncertainty + result.within_bin
    assert_allclose(total, np.square(p - y).mean(), rtol=1e-12)
    error = fc.calibration_error(y, p, n_bins=n_bins, bins=bins, n_resamples=9, rng=0)
    share = result.counts / 60
    assert_allclose(
        error.estimate, (share * abs(result.mean_probability - result.observed_rate)).sum()
    )
    assert result.counts.size <= n_bins


def test_bins_are_closed_on_the_left_and_the_last_on_both_sides_in_brier_decomposition():
    result = fc.brier_decomposition([0, 0, 1, 1], [0.0, 0.29, 0.3, 1.0], n_bins=100)
    assert_allclose(result.mean_probability, [0, 0.29, 0.3, 1])
    halves = fc.brier_decomposition([0, 0, 1, 1], [0.0, 0.49, 0.5, 1.0], n_bins=2)
    assert halves.counts.tolist() == [2, 2]
    equal = fc.brier_decomposition([0, 0, 1, 1], [0.0, 0.1, 0.11, 0.12], n_bins=2, bins="quantile")
    assert equal.counts.tolist() == [2, 2]


def test_replicates_of_the_error_have_its_distribution_in_calibration_error(requires_jit):
    """A plain bootstrap, one replicate at a time."""
    y, p = simulated(150, 1, slope=0.5)
    result = fc.calibration_error(y, p, method="percentile", rng=0)
    rng, numbers = np.random.default_rng(2), np.minimum((p * 10).astype(int), 9)
    drawn = [
        np.abs(np.bincount(numbers[i], (p - y)[i], 10)).sum() / 150
        for i in rng.integers(0, 150, (4000, 150))
    ]
    assert_allclose(result.confidence_interval(), np.quantile(drawn, [0.025, 0.975]), atol=0.006)
    assert_allclose(result.standard_error, np.std(drawn), rtol=0.05)
    basic = fc.calibration_error(y, p, rng=0, method="basic").confidence_interval()
    low, high = result.confidence_interval()
    assert_allclose(basic, (max(0, 2 * result.estimate - high), 2 * result.estimate - low))
    again = fc.calibration_error(y, p, rng=0, n_jobs=2, method="percentile")
    assert again.confidence_interval() == result.confidence_interval()


@pytest.mark.parametrize("seed", range(4))
def test_recalibration_equals_statsmodels_in_calibration_test(seed):
    y, p = simulated(300, seed, slope=0.6, intercept=-0.5)
    x = logit(p)
    fit = sm.Logit(y, sm.add_constant(x)).fit(disp=0, tol=1e-12)
    result = fc.calibration_test(y, p)
    assert_allclose((result.intercept, result.slope), fit.params, rtol=1e-8)
    assert_allclose(result.standard_error, fit.bse, rtol=1e-6)
    assert_allclose(result.covariance, fit.cov_params(), rtol=1e-6)
    low, high = result.confidence_interval()
    assert_allclose(np.stack([low, high], axis=1), fit.conf_int(), rtol=1e-6)
    large = sm.GLM(y, np.ones(300), family=sm.families.Binomial(), offset=x).fit(tol=1e-12)
    assert_allclose(result.intercept_in_the_large, large.params[0], rtol=1e-8)
    assert_allclose(result.standard_error_in_the_large, large.bse[0], rtol=1e-6)
    none = np.where(y == 1, np.log(p), np.log1p(-p)).sum()
    assert_allclose(result.statistic, 2 * (fit.llf - none), rtol=1e-9)
    assert_allclose(result.pvalue, math.exp(-result.statistic / 2), rtol=1e-12)  # 2 df


def test_far_probabilities_are_fitted_in_calibration_test():
    """Newton's full step from an intercept of 0 would go to -10,000 here."""
    y, p = [0, 1, 0, 1, 0, 1], expit(np.array([10.0, 11, 12, 10, 11, 12]))
    result = fc.calibration_test(y, p)
    x = logit(p)
    want = brentq(lambda a: (y - expit(a + x)).sum(), -50, 50, xtol=1e-13)
    assert_allclose(result.intercept_in_the_large, want, rtol=1e-9)
    assert_allclose(result.slope, sm.Logit(y, sm.add_constant(x)).fit(disp=0).params[1], atol=1e-7)


@pytest.mark.parametrize(
    ("y", "p", "status"),
    [
        ([0, 1, 0, 1], [0.1, 0.4, 0.6, 1.0], "infinite_logit"),
        ([0, 1, 0, 1], [0.5] * 4, "constant_probabilities"),
        ([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8], "separated"),
        ([1, 1, 0, 0], [0.1, 0.3, 0.4, 0.8], "separated"),
        ([1, 1, 1, 1], [0.1, 0.3, 0.4, 0.8], "separated"),
    ],
)
def test_no_finite_slope_in_calibration_test(y, p, status):
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        result = fc.calibration_test(y, p)
    assert result.status == status
    assert math.isnan(result.slope)
    assert math.isnan(result.pvalue)
    assert np.isnan(result.confidence_interval()).all()
    assert "undefined" in result.summary()


def test_spiegelhalter_follows_the_definition_in_spiegelhalter_test():
    y, p = simulated(100, 3)
    result = fc.spiegelhalter_test(y, p)
    score = sum((z - q) ** 2 for z, q in zip(y, p, strict=True))
    expected = sum(q * (1 - q) for q in p)
    variance = sum((1 - 2 * q) ** 2 * q * (1 - q) for q in p)
    assert_allclose(result.statistic, (score - expected) / math.sqrt(variance), rtol=1e-10)
    assert_allclose(result.estimate, (score - expected) / 100, rtol=1e-10)
    assert_allclose(result.brier_score, score / 100, rtol=1e-13)
    over = fc.spiegelhalter_test(*simulated(3000, 4, slope=0.4), alternative="greater")
    assert over.pvalue < 1e-6
    low, high = result.confidence_interval()
    assert low < result.estimate < high


@pytest.mark.parametrize(
    ("p", "alternative", "warns"),
    [
        ([0.002] * 50, "two-sided", True),  # 10% of these samples have an event: z is 3
        ([0.002] * 50, "less", False),
        ([0.2] * 100, "two-sided", False),
        ([0.2] * 16, "greater", True),
        ([0.2] * 400, "greater", False),
    ],
)
def test_spiegelhalter_warns_where_few_cases_determine_the_score(p, alternative, warns):
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="raise"):
        warnings.simplefilter("always")
        result = fc.spiegelhalter_test([0, 1] * (len(p) // 2), p, alternative=alternative)
    assert [one.category for one in caught] == [fc.SmallSampleWarning] * warns
    assert result.status == ("small_sample" if warns else "ok")
    q, w = Fraction(p[0]), 1 - 2 * Fraction(p[0])
    skewness = float(w**4 * q * (1 - q)) / float(w**2 * q * (1 - q)) ** 1.5 / math.sqrt(len(p))
    assert warns is (skewness > {"two-sided": 0.8, "greater": 0.35, "less": math.inf}[alternative])


def test_certain_probabilities_of_spiegelhalter_in_spiegelhalter_test():
    for y, q in (([0, 1, 1], [0, 1, 1]), (np.ones(100, int), np.full(100, 0.5))):
        with pytest.warns(fc.UndefinedResultWarning, match="certain_score"):
            unvaried = fc.spiegelhalter_test(y, q)  # z is 0 / 0
        undefined = (unvaried.statistic, unvaried.pvalue, *unvaried.confidence_interval())
        assert np.isnan(undefined).all()
        assert "(Spiegelhalter's test, z undefined, p undefined)" in unvaried.summary()
    with pytest.warns(fc.UndefinedResultWarning, match="certain_score"):
        wrong = fc.spiegelhalter_test([1, 1, 1], [0, 1, 1])
    assert (wrong.statistic, math.isnan(wrong.pvalue)) == (math.inf, True)


@pytest.mark.slow
def test_calibrated_probabilities_are_rejected_as_often_as_stated(requires_jit):
    p = np.array([[t(*simulated(300, 10_000 + s)).pvalue for t in TESTS] for s in range(800)])
    for alpha in (0.05, 0.2):
        rates = (p <= alpha).mean(axis=0)
        assert (abs(rates - alpha) < 4 * math.sqrt(alpha * (1 - alpha) / 800) + 0.005).all()


TESTS = (fc.spiegelhalter_test, fc.calibration_test)


def test_words():
    assert "ECE" not in fc.calibration_error(Y, F, rng=0, n_resamples=99).summary()
    assert "slope" in fc.calibration_test([0, 1, 0, 1], [0.1, 0.3, 0.6, 0.8]).summary()
    assert "within bins" in fc.brier_decomposition(Y, F, n_bins=2).summary()
    assert "z = " in fc.spiegelhalter_test(Y, F).summary()
    assert fc.calibration_error(Y, F, rng=0, n_resamples=99).to_dict()["n_bins"] == 3


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain kernels compute with NumPy's numbers")
def test_hosts_that_raise_on_every_floating_point_event():
    y, p = [0, 1, 0, 1, 0], [1e-300, 0.25, 0.5, 1 - 1e-16, 5e-324]
    with np.errstate(all="raise"):
        assert math.isfinite(fc.calibration_test(y, p).slope)
        assert math.isfinite(fc.spiegelhalter_test(y, p).pvalue)
        assert math.isfinite(fc.brier_decomposition(y, p).reliability)
        assert math.isfinite(
            fc.calibration_error(y, p, rng=0, n_resamples=99).confidence_interval().high
        )
        assert math.isfinite(fc.brier_skill_score(y, p))
        assert math.isfinite(fc.net_benefit(y, p, [1e-300, 0.5]).standard_error[0])
        assert fc.calibration_test(y, [0.0, *p[1:]], on_undefined="ignore").status != "ok"


def test_one_case_has_an_error_but_no_interval_in_calibration_error():
    with pytest.warns(fc.UndefinedResultWarning, match="one_case"):
        result = fc.calibration_error([1], [0.3], rng=0)
    assert_allclose(result.estimate, 0.7)
    assert np.isnan(result.confidence_interval()).all()


@pytest.mark.parametrize("n_bins", [0, -3, 10**400])
def test_impossible_numbers_of_bins_are_refused_in_calibration_error(n_bins):
    with pytest.raises(ValueError, match="`n_bins` must be at"):
        fc.calibration_error([0, 1, 1], [0.1, 0.5, 0.9], n_bins=n_bins)
