"""Intervals of one model's mean loss."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import special, stats

import fastcompare as fc
from fastcompare.probabilities._scoring import LARGEST_EXPONENTIAL_INTEGRAL
from tests.probabilities.test_calibration import simulated


def slow_interval(losses, greatest, level):
    """Fay and Feuer (1997), with Student's variance and one case more of the mean greatest loss."""
    n, tail = losses.size, (1 - level) / 2
    mean, variance = losses.mean(), losses.var(ddof=1) / n
    variance *= (stats.t.isf(tail, n - 1) / stats.norm.isf(tail)) ** 2
    w = greatest.mean() / n
    low = stats.gamma.ppf(tail, mean**2 / variance, scale=variance / mean)
    mean, variance = mean + w, variance + w**2
    return low, stats.gamma.isf(tail, mean**2 / variance, scale=variance / mean)


@pytest.mark.parametrize("rule", ["brier", "log"])
@pytest.mark.parametrize("level", [0.9, 0.95])
def test_interval_follows_the_definition_in_scoring_interval(rule, level):
    y, p = simulated(60, 3)
    result = fc.scoring_interval(y, p, rule=rule, confidence_level=level)
    true, false = (p, 1 - p) if rule == "log" else ((1 - p) ** 2, p**2)
    if rule == "log":
        true, false = -np.log(true), -np.log(false)
    losses = np.where(y == 1, true, false)
    want = slow_interval(losses, np.maximum(true, false), level)
    assert_allclose(result.confidence_interval(), want, rtol=1e-9)
    assert float(result) == getattr(fc, {"brier": "brier_score", "log": "log_loss"}[rule])(y, p)
    assert_allclose(result.standard_error, stats.sem(losses), rtol=1e-12)


def test_tables_and_functions_have_their_own_greatest_losses_in_scoring_interval():
    rng = np.random.default_rng(0)
    p, y = rng.dirichlet(np.ones(3), 80), rng.integers(0, 3, 80)
    losses = np.square(np.eye(3)[y] - p).sum(axis=1)
    greatest = np.square(np.eye(3)[p.argmin(axis=1)] - p).sum(axis=1)
    found = fc.scoring_interval(y, p).confidence_interval()
    assert_allclose(found, slow_interval(losses, greatest, 0.95), rtol=1e-9)
    y, q = simulated(50, 1)
    own = fc.scoring_interval(y, q, rule=lambda labels, p: np.square(p - labels))
    assert own.confidence_interval() == fc.scoring_interval(y, q).confidence_interval()


def test_the_other_class_has_the_same_interval_in_scoring_interval():
    y, p = simulated(70, 4)
    one, other = fc.scoring_interval(y, p), fc.scoring_interval(1 - y, 1 - p)
    assert_allclose(one.confidence_interval(), other.confidence_interval(), rtol=1e-12)


@pytest.mark.slow
@given(seed=st.integers(0, 99), n=st.integers(2, 60), rule=st.sampled_from(["brier", "spherical"]))
@settings(max_examples=40, deadline=None)
def test_intervals_hold_the_mean_and_widen_with_the_level_in_scoring_interval(seed, n, rule):
    y, p = simulated(n, seed)
    result = fc.scoring_interval(y, p, rule=rule)
    narrow, wide = (result.confidence_interval(level) for level in (0.8, 0.99))
    assert 0 <= wide.low <= narrow.low <= result.estimate <= narrow.high <= wide.high <= 1


def test_losses_of_zero_have_the_rule_of_three_in_scoring_interval():
    result = fc.scoring_interval([0, 1] * 50, [0.0, 1.0] * 50)
    low, high = result.confidence_interval(0.9)
    assert (result.estimate, low) == (0.0, 0.0)
    assert_allclose(high, -math.log(0.05) / 100, rtol=1e-12)
    infinite = fc.scoring_interval([0, 1] * 50, [0.0, 1.0] * 50, rule="log")
    assert infinite.confidence_interval() == (0.0, math.inf)


def test_many_cases_have_students_interval_in_scoring_interval():
    y, p = simulated(100_000, 5)
    result = fc.scoring_interval(y, p)
    reach = 1.96 * result.standard_error
    want = result.estimate - reach, result.estimate + reach
    assert_allclose(result.confidence_interval(), want, atol=0.02 * reach)


def test_clusters_of_equal_cases_count_once_in_scoring_interval():
    y, p = simulated(40, 6)
    one = fc.scoring_interval(y, p)
    five = fc.scoring_interval(np.repeat(y, 5), np.repeat(p, 5), groups=np.repeat(np.arange(40), 5))
    assert (five.design, five.df) == ("clusters", 39.0)
    assert_allclose(five.confidence_interval(), one.confidence_interval(), rtol=1e-9)
    with pytest.warns(fc.SmallSampleWarning, match="few_clusters"):
        fc.scoring_interval(y, p, groups=np.arange(40) // 10)


@pytest.mark.slow
def test_rare_positives_are_covered_where_student_fails_in_scoring_interval():
    """1% of positives, 100 cases: a third of the samples hold none of them."""
    rng, covered, student = np.random.default_rng(0), 0, 0
    for _ in range(400):
        p = stats.logistic.cdf(rng.normal(-5, 1.2, 100))
        y = (rng.random(100) < p).astype(int)
        result = fc.scoring_interval(y, p)
        truth, t = 0.0126, stats.t.isf(0.025, 99) * result.standard_error
        low, high = result.confidence_interval()
        covered += low <= truth <= high
        student += abs(result.estimate - truth) <= t
    assert covered >= 372
    assert student <= 330


def test_what_cannot_vary_has_no_interval_in_scoring_interval():
    with pytest.warns(fc.UndefinedResultWarning, match="one_case"):
        assert np.isnan(fc.scoring_interval([1], [0.3]).confidence_interval()).all()
    with pytest.warns(fc.UndefinedResultWarning, match="infinite_loss"):
        result = fc.scoring_interval([1, 0, 1], [0.0, 0.2, 0.7], rule="log")
    assert math.isinf(result.estimate)
    assert np.isnan(result.confidence_interval()).all()
    assert fc.scoring_interval([1, 0, 1], [0.0, 0.2, 0.7], rule="log", clip=1e-3).status == "ok"
    assert fc.scoring_interval([1, 0, 1], [0.1, 0.2, 0.7]).rule == "brier"


@pytest.mark.parametrize("least", [-1.0, -1e-300])
def test_negative_losses_are_refused_by_scoring_interval(least):
    """Their gamma distribution does not exist: the interval of losses -|y - p| was 0 to 0."""
    y, p = np.array([0, 1, 0, 1]), np.array([0.2, 0.8, 0.3, 0.6])

    def rule(labels, probabilities):
        losses = np.abs(labels - probabilities)
        return np.where(np.arange(losses.size) == 2, least, losses)

    with pytest.raises(
        fc.InvalidValueError, match=r"`rule` must return losses of at least 0.*at index 2"
    ):
        fc.scoring_interval(y, p, rule=rule)
    shifted = fc.scoring_interval(y, p, rule=lambda labels, q: rule(labels, q) - least)
    low, high = shifted.confidence_interval()
    assert low <= shifted.estimate <= high
    assert fc.scoring_test(y, p, 1.0 - p, rule=rule).n == 4


def test_skewed_differences_of_few_cases_are_warned_of():
    """A timid and a bold model, equal in expectation: one positive of 50 decides."""
    rng = np.random.default_rng(0)
    y = (np.arange(50) == 0).astype(int)
    timid, bold = np.full(50, 0.1), np.full(50, 0.002)
    timid += 0.02 * rng.random(50)
    d = np.square(timid - y) - np.square(bold - y)
    assert abs(stats.skew(d)) > 0.2 * math.sqrt(50)
    for method, status in [("t", "small_sample"), ("permutation", "ok")]:
        result = fc.scoring_test(y, timid, bold, method=method, rng=0)
        assert result.status == status
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        pairs = fc.scoring_pairwise_test(y, {"timid": timid, "bold": bold})
    assert pairs.status.tolist() == ["small_sample"]
    even = np.array([0, 1] * 100)
    p, q = 0.3 + 0.4 * rng.random((2, 200))
    assert abs(stats.skew(np.square(p - even) - np.square(q - even))) < 0.2 * math.sqrt(200)
    assert fc.scoring_test(even, p, q).status == "ok"


@pytest.mark.parametrize("rule", ["brier", "log"])
@pytest.mark.parametrize("n", [2, 3, 6])
def test_intervals_of_few_cases_widen_up_to_extreme_levels_in_scoring_interval(rule, n):
    y, p = np.arange(n) % 2, np.linspace(0.3, 0.6, n)
    levels = (0.5, 0.9, 0.99, 0.999, 0.9999, 0.999999, 1 - 1e-12)
    found = [fc.scoring_interval(y, p, rule=rule, confidence_level=level) for level in levels]
    lows, highs = np.array([result.confidence_interval() for result in found]).T
    assert (np.diff(lows) <= 0).all()
    assert (np.diff(highs) >= 0).all()
    assert lows[0] < found[0].estimate < highs[0]


def test_the_least_shape_is_that_of_the_greatest_quantile_over_it():
    for tail in (1e-3, 1e-6):
        least = tail / LARGEST_EXPONENTIAL_INTEGRAL
        quantiles = [special.gammainccinv(least * x, tail) / (least * x) for x in (0.9, 1.0, 1.1)]
        assert max(quantiles) == quantiles[1]
