"""Rates of rejection with tests and designs of one's own, power curves, sample sizes."""

import math

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare.simulate import (
    BinormalScores,
    required_sample_size,
    simulate_error_rates,
    simulate_power,
)

FEW = BinormalScores(n_positive=8, n_negative=12, n_resamples=99)


def test_delong_is_that_of_the_library():
    trials = range(15)
    p = FEW.pvalues(["delong"], trials, seed=6, effect=0.1)[0]
    samples = [FEW.sample(trial, seed=6, effect=0.1) for trial in trials]
    normal = {"reference": "normal", "on_undefined": "ignore"}
    want = [fc.delong_test(*sample, **normal).pvalue for sample in samples]
    assert_allclose(p, want, rtol=1e-12)


@pytest.mark.slow
def test_replicates_agree_with_the_library_up_to_chance(requires_jit):
    design = BinormalScores(n_positive=15, n_negative=25, n_resamples=4999)
    names = ["permutation", "bootstrap_percentile", "bootstrap_normal"]
    p = design.pvalues(names, range(6), seed=6, effect=0.1)
    for trial in range(6):
        sample = design.sample(trial, seed=6, effect=0.1)
        options = {"n_resamples": 4999, "rng": trial}
        want = [
            fc.permutation_auc_test(*sample, exact=True).pvalue,
            fc.bootstrap_auc_test(*sample, method="percentile", **options).pvalue,
            fc.bootstrap_auc_test(*sample, method="normal", **options).pvalue,
        ]
        assert_allclose(p[:, trial], want, atol=0.035)


def test_scores_have_the_chosen_aucs_and_correlation(requires_jit):
    design = BinormalScores(n_positive=60_000, n_negative=40_000, auc=0.7, correlation=-0.4)
    y, a, b = design.sample(0, seed=1, effect=0.1)
    assert_allclose([fc.roc_auc(y, a), fc.roc_auc(y, b)], [0.75, 0.65], atol=0.006)
    for label in (0, 1):
        assert_allclose(np.corrcoef(a[y == label], b[y == label])[0, 1], -0.4, atol=0.02)
        assert_allclose(a[y == label].std(), 1.0, atol=0.02)


def test_own_tests_see_the_data_of_compiled_ones():
    found = simulate_error_rates(
        {"own": lambda *s: fc.delong_test(*s, on_undefined="ignore")}, FEW, n_trials=60, rng=2
    )
    compiled = simulate_error_rates("delong", FEW, n_trials=60, rng=2)
    assert found.tests == ("own",)
    assert found.n_rejected.tolist() == compiled.n_rejected.tolist()


def coin(rng, effect):
    return rng.random(20) < 0.5 + effect


def sign_p(heads):
    n, k = heads.size, min(heads.sum(), heads.size - heads.sum())
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2**n)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [coin, numba.njit(coin)], ids=["plain", "jitted"])
def test_a_function_can_be_the_design(draw):
    exact = 2 * sum(math.comb(20, i) for i in range(6)) / 2**20
    found = simulate_error_rates([sign_p], draw, n_trials=400, rng=0, n_jobs=2)
    assert found.tests == ("sign_p",)
    assert abs(found.rate[0] - exact) < 4 * math.sqrt(exact / 400)
    assert simulate_error_rates([sign_p], draw, n_trials=400, rng=0, effect=0.4).rate[0] > 0.9


def test_undefined_tests_do_not_reject_and_are_counted():
    found = simulate_error_rates([lambda heads: math.nan], coin, n_trials=10, rng=0)
    assert (found.rate[0], found.n_undefined[0]) == (0.0, 10)


def test_intervals_are_wilson_s():
    found = simulate_error_rates("delong", FEW, n_trials=80, rng=2)
    want = fc.accuracy_interval(correct=int(found.n_rejected[0]), n=80)
    assert_allclose(np.ravel(found.confidence_interval()), want.confidence_interval(), rtol=1e-12)
    assert "without a difference at the 5% level in 80 trials" in found.summary()


def test_power_grows_with_effect_and_size_and_starts_at_the_level(requires_jit):
    design = BinormalScores(n_positive=60, n_negative=60)
    by_effect = simulate_power("delong", design, effects=[0, 0.05, 0.1, 0.2], rng=1)
    assert abs(by_effect.rate[0, 0] - 0.05) < 0.02
    assert (np.diff(by_effect.rate[0]) > 0.05).all()
    by_size = simulate_power(["delong"], design, effects=0.1, sizes=[60, 120, 400], rng=1)
    assert by_size.sizes.tolist() == [60, 120, 400]
    assert (np.diff(by_size.rate[0]) > 0.1).all()
    assert by_effect.rate[0, 2] == by_size.rate[0, 1]
    assert (by_effect.varied, by_size.varied) == ("effect", "size")
    assert "for size 60 to 400" in by_size.summary()


@pytest.mark.slow
def test_sample_size_has_the_power_that_normal_theory_gives(requires_jit):
    """Power is P(|z| > 1.96) with z normal, and the standard error is DeLong's of many cases."""
    found = required_sample_size("delong", BinormalScores(), effect=0.1, n_trials=4000, rng=0)
    many = BinormalScores(n_positive=50_000, n_negative=50_000).sample(0, seed=1, effect=0.1)
    error = fc.delong_test(*many).standard_error * math.sqrt(100_000 / found.size)
    theory = 0.5 * math.erfc((1.959964 - 0.1 / error) / math.sqrt(2))
    assert abs(theory - 0.8) < 0.025
    assert found.power >= 0.8 > found.tried[found.size - 1]
    low, high = found.confidence_interval()
    assert low < 0.8 < high
    assert "is needed for delong to detect an effect of 0.1" in found.summary()


def test_sample_size_by_the_closed_form_is_near(requires_jit):
    """Obuchowski's variance is for ratings, and errs to the safe side for continuous scores."""
    found = required_sample_size("delong", BinormalScores(), effect=0.1, rng=0)
    planned = fc.auc_sample_size(auc=(0.85, 0.75), power=0.8, ratio=1, correlation=0.5)
    assert found.size < planned.n_positive + planned.n_negative < 1.4 * found.size


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: simulate_error_rates("delog", FEW), "Did you mean 'delong'"),
        (lambda: simulate_error_rates([], FEW), "at least one test"),
        (lambda: simulate_error_rates(3, FEW), "`tests` must be names or functions"),
        (lambda: simulate_error_rates([4], FEW), "`tests` must be names or functions"),
        (lambda: simulate_error_rates({"x": "delong"}, FEW), r"`tests\['x'\]` must be a function"),
        (lambda: simulate_error_rates(["delong"] * 2, FEW), "names 'delong' twice"),
        (lambda: simulate_error_rates("delong", 7), "`design` must be a design"),
        (lambda: simulate_error_rates("delong", FEW, n_trials=0), "`n_trials` must be from 1"),
        (lambda: simulate_error_rates("delong", FEW, effect=0.5), "`effect` must leave AUCs"),
        (lambda: simulate_error_rates("delong", FEW, alpha=5), "Did you mean 0.05"),
        (lambda: simulate_power("delong", FEW, effects=[[0]]), "`effects` must be 1-d"),
        (lambda: simulate_power("delong", FEW, effects=[0, 0.1], sizes=[9]), "one number if"),
        (lambda: simulate_power([sign_p], coin, sizes=[9]), "sample size is unknown"),
        (lambda: required_sample_size(None, FEW, effect=0.1), "`test` must be one test"),
        (
            lambda: required_sample_size("delong", FEW, effect=0.01, most=30),
            "`power` is not reached up to `most`",
        ),
        (lambda: BinormalScores(auc=1.0), "`auc` must be between 0 and 1"),
        (lambda: BinormalScores(correlation=-1.0), "`correlation` must be between -1 and 1"),
        (lambda: BinormalScores(n_positive=0), "`n_positive` must be from 1"),
    ],
)
def test_what_cannot_be_meant_is_refused(call, message):
    with pytest.raises((fc.InvalidValueError, fc.InvalidTypeError), match=message):
        call()
