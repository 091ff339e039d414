"""The best model's estimate and interval, which allow for its having been selected."""

import math

import numba
import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq
from scipy.stats import norm, truncnorm

import fastcompare as fc
from fastcompare._inference import winners
from studies import winners as study

needs_speed = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="thousands of leaderboards")


def hybrid_limit(x, v, alpha):
    """Return the definition: x[0] is a truncated normal variable given what is independent of it.

    Where it may lie follows from trying: the best one stays so within an interval.
    """
    k, error = len(x), math.sqrt(v[0, 0])
    rest = x - v[:, 0] / v[0, 0] * x[0]

    def wins(value):
        return (value >= (rest + v[:, 0] / v[0, 0] * value)[1:] - 1e-13).all()

    def edge(step):
        inside, outside = x[0], x[0] + step
        if wins(outside):
            return outside
        for _ in range(100):
            middle = 0.5 * (inside + outside)
            inside, outside = (middle, outside) if wins(middle) else (inside, middle)
        return inside

    first, last = edge(-100.0 * error), edge(100.0 * error)
    widest = norm.isf(winners.PROJECTION_SHARE * alpha / k) * error
    share = alpha * (1 - winners.PROJECTION_SHARE) / (1 - alpha * winners.PROJECTION_SHARE)

    def missing(mean):
        low, high = max(first, mean - widest), min(last, mean + widest)
        ends = (low - mean) / error, (high - mean) / error
        return truncnorm.sf(x[0], *ends, loc=mean, scale=error) - share

    usual = x[0] - norm.isf(alpha) * error
    if missing(usual) <= 0:
        return usual
    return brentq(missing, x[0] - widest * (1 - 1e-9), usual, xtol=1e-13)


@pytest.mark.parametrize("seed", range(12))
def test_the_lower_limit_is_that_of_the_hybrid_confidence_set(seed):
    rng = np.random.default_rng(seed)
    k = int(rng.integers(2, 7))
    root = rng.normal(size=(k, k + 2))
    v = root @ root.T / 50
    x = np.sort(rng.normal(size=k) * rng.choice([0.1, 0.5, 2.0]))[::-1].copy()
    found = winners.infer_winner(
        x, v, lambda tail: (x - norm.isf(tail) * np.sqrt(np.diag(v)), x + 9.0), 0.95, "two-sided"
    )
    assert found.low == pytest.approx(hybrid_limit(x, v, 0.025), abs=1e-7)


def test_the_bias_is_that_of_the_largest_of_models_that_are_as_unequal_as_it_seems():
    v = np.diag([0.04, 0.04, 0.04])
    equal = winners.selection_bias(np.full(3, 0.7), v)
    assert equal == pytest.approx(0.2 * 3 / (2 * math.sqrt(math.pi)), rel=0.02)  # of three normals
    assert winners.selection_bias(np.array([9.0, 0.0, -9.0]), v) == pytest.approx(0.0, abs=0.005)
    x = np.array([0.6, 0.3, 0.0])
    share = 1 - 3 * 0.04 * (2 / 3) / np.sum((x - x.mean()) ** 2)
    noise = 0.2 * np.random.default_rng(0).normal(size=(400_000, 3))
    best = np.argmax(share * (x - x.mean()) + noise, axis=1)
    expected = np.take_along_axis(noise, best[:, None], axis=1).mean()
    assert winners.selection_bias(x, v) == pytest.approx(expected, abs=0.005)
    alike = v + 0.5  # what moves all models alike moves no difference
    assert winners.selection_bias(x, alike) == pytest.approx(winners.selection_bias(x, v), abs=0.02)


def table_of(seed=0, n=200, gaps=(0.0, 0.1, 0.2, 0.15)):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + rng.normal(size=(n, len(gaps))) + np.array(gaps)


def test_a_clear_winner_keeps_its_mean_and_nearly_its_interval_in_leaderboard():
    result = fc.leaderboard(table_of(gaps=(0.0, 0.1, 3.0)), method="t")
    low, high = result.winner_interval()
    (own_low, *_), (own_high, *_) = result.confidence_interval()
    assert result.winner_estimate == pytest.approx(result.means[0], abs=1e-6)
    beyond = 0.025 * winners.PROJECTION_SHARE / 3  # each side of the simultaneous interval
    share = (0.025 - 0.0125) / (1 - 0.0125)
    tail = 1 - beyond - (1 - share) * (1 - 2 * beyond)
    assert low == pytest.approx(result.confidence_interval(1 - 2 * tail).low[0], abs=1e-6)
    assert low < own_low
    assert own_high <= high
    assert high == pytest.approx(own_high, abs=0.02)


@pytest.mark.usefixtures("requires_jit")
def test_winners_of_equal_models_lose_what_selection_gave_them_in_leaderboard():
    result = fc.leaderboard(table_of(gaps=(0.0,) * 12))
    low, high = result.winner_interval()
    simultaneous = result.confidence_interval(simultaneous=True)
    assert low < result.winner_estimate < result.means[0] < high
    assert low < result.confidence_interval().low[0]
    assert low > simultaneous.low[0] - 0.3 * (result.means[0] - simultaneous.low[0])
    assert "allowing for its selection by these scores" in result.summary()
    assert f"{result.winner_estimate:.4g} (95% CI {low:.4g} to {high:.4g})" in result.summary()
    assert result.to_dict()["winner_interval"] == [low, high]


@pytest.mark.parametrize("method", ["auto", "bootstrap"])
@pytest.mark.usefixtures("requires_jit")
def test_the_lowest_of_losses_is_the_highest_of_their_negatives_in_leaderboard(method):
    table = table_of(3)
    options = {"method": method, "rng": 0, "n_resamples": 499}
    best = fc.leaderboard(table, **options)
    least = fc.leaderboard(-table, higher_is_better=False, **options)
    assert least.names == best.names
    assert least.winner_estimate == pytest.approx(-best.winner_estimate)
    low, high = best.winner_interval(0.9)
    assert_allclose(least.winner_interval(0.9), (-high, -low), rtol=1e-9)
    narrow = best.winner_interval(0.5)
    assert low < narrow.low < narrow.high < high


def test_one_sided_winners_have_one_limit_in_leaderboard():
    result = fc.leaderboard(table_of(4), alternative="greater")
    both = fc.leaderboard(table_of(4)).winner_interval(0.9)
    assert result.winner_interval().high == math.inf
    assert result.winner_interval().low == pytest.approx(both.low)


@pytest.mark.parametrize("method", ["auto", "bootstrap"])
@pytest.mark.usefixtures("requires_jit")
def test_winners_whose_answers_are_all_right_have_wilsons_interval_of_all_models(method):
    scores = np.ones((40, 3))
    scores[:6, 1] = scores[3:12, 2] = 0.0
    result = fc.leaderboard(scores, method=method, rng=0, on_undefined="ignore")
    low, high = result.winner_interval()
    z = norm.isf(0.025 * winners.PROJECTION_SHARE / 3)
    assert result.names[0] == "model 1"
    assert low == pytest.approx(40 / (40 + z * z), rel=1e-6)
    assert high == 1.0
    assert low <= result.winner_estimate <= high


def test_leaderboards_of_too_few_items_have_no_winner_to_estimate():
    result = fc.leaderboard([[1.0, 2.0]], on_undefined="ignore")
    assert np.isnan(result.winner_interval()).all()
    assert math.isnan(result.winner_estimate)
    assert "allowing" not in result.summary()


@pytest.mark.slow
@needs_speed
@pytest.mark.parametrize(
    "cell",
    [
        study.Cell("0.7", 300, False, 20, "equal"),
        study.Cell("normal", 50, False, 10, "equal"),
        study.Cell("0.7", 300, False, 10, "two nearly"),
        study.Cell("normal", 50, True, 3, "one is the best"),
    ],
    ids=str,
)
def test_intervals_of_winners_cover(cell):
    found = study.measure(cell, trials=300)
    assert found.allowing >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 300)
    assert abs(found.left) < 0.45
