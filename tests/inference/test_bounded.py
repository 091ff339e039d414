"""The score test of a mean of bounded differences: Tango's formula, the likelihood by SciPy."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.stats import norm

import fastcompare as fc
from fastcompare._inference.bounded import MOST_LOOPED, BoundedMean, is_below_multiplier

NULLS = (-0.2, -0.05, 0.0, 0.05, 0.2)
POINTS = np.linspace(-0.8, 0.9, MOST_LOOPED + 4)  # more values than the loop takes


def of_answers(b, c, n):
    """Differences of right answers, of which b favour the first model and c the second."""
    values = np.array([-1.0, 0.0, 1.0])
    return BoundedMean(values, np.array([c, n - b - c, b]) / n, 1.0, float(n))


def tango(b, c, n, null):
    """Tango's score (1998), by the formula of his appendix."""
    linear = -b - c + (2 * n - b + c) * null
    root = math.sqrt(linear**2 + 8 * n * c * null * (1.0 - null))
    rate = (root - linear) / (4 * n)
    return (b - c - n * null) / math.sqrt(n * (2.0 * rate + null * (1.0 - null)))


def likeliest(mean, null):
    """The score by the likeliest distribution on the values and both ends, found by SciPy."""
    values = np.concatenate([[-mean.most], mean.values, [mean.most]])
    shares = np.concatenate([[0.0], mean.shares, [0.0]])
    start = np.full(values.size, 1.0 / values.size)
    seen = shares > 0.0
    limits = [
        {"type": "eq", "fun": lambda q: q.sum() - 1.0},
        {"type": "eq", "fun": lambda q: q @ values - null},
    ]
    found = minimize(
        lambda q: -(shares[seen] @ np.log(np.maximum(q[seen], 1e-12))),
        start,
        bounds=[(0.0, 1.0)] * values.size,
        constraints=limits,
        options={"maxiter": 500, "ftol": 1e-12},
    )
    variance = found.x @ np.square(values - null)
    return math.sqrt(mean.n / variance) * float(mean.shares @ mean.values - null)


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize(("b", "c", "n"), [(7, 2, 30), (2, 7, 30), (4, 0, 20), (0, 3, 12)])
def test_the_score_of_answers_is_tango_s(b, c, n, null):
    assert_allclose(of_answers(b, c, n).statistic(null), tango(b, c, n, null), rtol=1e-9)


@pytest.mark.parametrize("null", NULLS)
@pytest.mark.parametrize("values", [[-0.5, 0.25, 0.75], POINTS], ids=["few", "many"])
def test_the_score_of_any_values_is_that_of_the_likeliest_distribution(values, null):
    shares = np.arange(1.0, len(values) + 1.0)
    mean = BoundedMean(np.array(values), shares / shares.sum(), 1.0, 25.0)
    assert_allclose(mean.statistic(null), likeliest(mean, null), rtol=2e-3)


@pytest.mark.parametrize("alpha", [0.005, 0.025, 0.2])
@pytest.mark.parametrize("values", [[-1.0, 0.0, 1.0], [-0.5, 0.25, 0.75], POINTS])
def test_the_ends_of_an_interval_are_the_means_with_that_score(values, alpha):
    shares = np.arange(1.0, len(values) + 1.0)
    mean = BoundedMean(np.array(values), shares / shares.sum(), 1.0, 25.0)
    z = norm.isf(alpha)
    assert_allclose(mean.statistic(mean.low(alpha)), z, rtol=1e-6)
    assert_allclose(mean.statistic(mean.high(alpha)), -z, rtol=1e-6)


@pytest.mark.parametrize("multiplier", [0.0, 0.3, 0.9, 1.2])
def test_a_loop_over_few_values_is_the_sum_of_many(multiplier):
    rng = np.random.default_rng(0)
    for _ in range(50):
        y, shares = rng.uniform(-0.8, 1.0, MOST_LOOPED), rng.dirichlet(np.ones(MOST_LOOPED))
        long = np.append(y, 0.0), np.append(shares, 0.0)
        assert is_below_multiplier(multiplier, y, shares) == is_below_multiplier(multiplier, *long)


@pytest.mark.parametrize("margin", [1.0, 1.5])
def test_the_score_of_a_mean_beyond_the_bound_is_infinite(margin):
    assert of_answers(3, 5, 20).statistic(-margin) == math.inf
    assert of_answers(3, 5, 20).statistic(margin) == -math.inf


def test_answers_have_the_score_test_of_mcnemar_s_table():
    a, b = (np.repeat(right, [9, 6, 2, 8]) for right in ([1.0, 1, 0, 0], [1.0, 0, 1, 0]))
    for claim in ({}, {"alternative": "greater", "margin": 0.1}):
        want = fc.mcnemar_test(correct_a=a, correct_b=b, method="asymptotic", **claim)
        found = fc.paired_mean_test(a, b, on_undefined="ignore", **claim)
        assert_allclose(found.pvalue, want.pvalue, rtol=1e-6)
        ends = np.clip(found.confidence_interval(), -1.0, 1.0)
        assert_allclose(ends, want.confidence_interval(), atol=1e-9)
