"""Net benefit and skill scores by definition, and inputs that mean nothing."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare.kernels.probabilities import REACHED_ROWS
from fastcompare.probabilities._net_benefit import FEW_THRESHOLDS, count_at_or_above
from tests.probabilities.test_calibration import F, Y, simulated


def test_skill_scores():
    y, p = simulated(200, 5)
    assert_allclose(
        fc.brier_skill_score(y, p),
        1 - np.square(p - y).mean() / (y.mean() * (1 - y.mean())),
        rtol=1e-12,
    )
    assert fc.brier_skill_score(y, p, reference=p) == 0.0
    assert_allclose(fc.brier_skill_score(y, np.full(200, y.mean())), 0.0, atol=1e-14)
    table = np.stack([1 - p, p / 2, p / 2], axis=1)
    labels = np.where(y == 1, 1 + np.arange(200) % 2, 0)
    shares = np.bincount(labels) / 200
    want = 1 - fc.brier_score(labels, table) / (1 - (shares**2).sum())
    assert_allclose(fc.brier_skill_score(labels, table), want, rtol=1e-12)
    with pytest.warns(fc.UndefinedResultWarning, match="perfect_reference"):
        assert math.isnan(fc.brier_skill_score([1, 1], [0.5, 0.5]))


def test_net_benefit_follows_the_definition():
    y, p = simulated(300, 6)
    cuts = [0.1, 0.25, p[7], 0.9]
    result = fc.net_benefit(y, p, cuts)
    for i, t in enumerate(cuts):
        odds = t / (1 - t)
        benefit = np.where(p >= t, np.where(y == 1, 1.0, -odds), 0.0)
        assert_allclose(result.estimate[i], benefit.mean(), atol=1e-14)
        assert_allclose(result.standard_error[i], benefit.std() / math.sqrt(300), rtol=1e-9)
        assert_allclose(result.treat_all[i], y.mean() - (1 - y.mean()) * odds, rtol=1e-12)
    assert result.prevalence == y.mean()
    assert_allclose(fc.net_benefit(y, np.ones(300), cuts).estimate, result.treat_all)
    assert fc.net_benefit(y, p).thresholds.tolist() == [0.5]


PROBABILITIES = [
    lambda z: 1 / (1 + np.exp(-z)),
    lambda z: (1 / (1 + np.exp(-z))).round(2),  # on the thresholds and beside them
    lambda z: np.where(z < 0, -0.0, 1.0),
    lambda z: 0.5 + (z > 0) * 2.0**-53,
    lambda z: np.where(z < 0, 5e-324, 1 - 2.0**-53),
]


@pytest.mark.slow
@pytest.mark.parametrize("spread", PROBABILITIES)
@pytest.mark.parametrize("n", [1, 2, 1000, 2 * REACHED_ROWS + 1])
def test_as_many_cases_reach_a_threshold_as_comparing_finds(spread, n):
    rng = np.random.default_rng(n)
    p, positive = spread(rng.normal(size=n)), rng.random(n) < 0.3
    edges = [5e-324, 0.5, np.nextafter(0.5, 1), 2.0**-12, 1 - 2.0**-53]
    many = np.r_[edges, p[:3].clip(1e-9, 0.9), np.linspace(0.01, 0.99, 99)]
    for cuts in (many, many[::-1], many[:1], many[:FEW_THRESHOLDS], many[: FEW_THRESHOLDS + 1]):
        found = count_at_or_above(positive, p, cuts)
        for at, cut in enumerate(cuts):
            reaches = p >= cut
            assert found[:, at].tolist() == [reaches[positive].sum(), reaches[~positive].sum()]


@pytest.mark.parametrize("test", [fc.net_benefit, fc.net_benefit_test])
def test_results_keep_their_thresholds(test):
    y, p = simulated(200, 5)
    cuts = np.array([0.25, 0.5])
    models = (p,) if test is fc.net_benefit else (p, p[::-1])
    found = test(y, *models, cuts)
    low, high = found.confidence_interval()
    cuts[:] = 0.75
    assert found.thresholds.tolist() == [0.25, 0.5]
    again = found.confidence_interval()
    assert again.low.tolist() == low.tolist()
    assert again.high.tolist() == high.tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fc.net_benefit(Y, F, [0.5, 1.0]), "`thresholds` must be between 0 and 1.*index 1"),
        (lambda: fc.net_benefit(Y, F, []), "`thresholds`"),
        (lambda: fc.brier_decomposition(Y, F, n_bins=0), "`n_bins` must be at least 1"),
        (lambda: fc.calibration_error(Y, F, n_bins=2.5), "`n_bins` must be an integer"),
        (lambda: fc.calibration_error(Y, F, method="bca"), "`method`"),
        (lambda: fc.calibration_error(Y, F, bins="equal"), "`bins`"),
        (lambda: fc.calibration_test(Y, F, clip=0), "`clip` must be between 0 and 0.5"),
        (lambda: fc.spiegelhalter_test(Y, [2, *F[1:]]), "`y_prob` must contain probabilities"),
        (lambda: fc.spiegelhalter_test(Y, np.ones((7, 3)) / 3), "`y_prob` must be 1-d"),
        (lambda: fc.brier_skill_score(Y, F, reference=[*F[:-1], -1]), "`reference`"),
    ],
)
def test_inputs_that_cannot_mean_anything(call, message):
    with pytest.raises((ValueError, TypeError), match=message) as caught:
        call()
    assert isinstance(caught.value, fc.FastCompareError)
