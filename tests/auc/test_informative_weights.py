"""Sampling weights that depend on the scores."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import ndtri

import fastcompare as fc
from fastcompare._inputs.scores import Cases
from fastcompare.auc._delong.informative import depend_on_scores, standard_ranks

QUIET = {"on_undefined": "ignore"}


def population(rng, n, auc=0.8, spread=3.0):
    """Labels and scores of models with equal AUCs, of which the second's positives vary more."""
    y = rng.integers(0, 2, n)
    first, other = rng.normal(size=(2, n))
    second = (0.5 * first + 0.75**0.5 * other) * np.where(y == 1, spread, 1.0)
    shifts = np.sqrt([2.0, 1.0 + spread**2])[:, None] * ndtri(auc) * y
    return y, first + shifts[0], second + shifts[1]


def sampled(rng, n, chance):
    """Cases that are sampled by a chance, with its inverse as weights."""
    y, a, b = population(rng, 40 * n)
    p = np.clip(chance(a, b), 1e-3, 1.0)
    chosen = np.flatnonzero(rng.random(y.size) < p)[:n]
    return y[chosen], a[chosen], b[chosen], 1.0 / p[chosen]


CHANCES = {
    "exponential": lambda _, b: np.exp(-b) / np.quantile(np.exp(-b), 0.99),
    "low scores": lambda _, b: np.where(b < np.quantile(b, 0.3), 0.2, 1.0),
    "high scores": lambda a, _: np.where(a > np.quantile(a, 0.7), 0.2, 1.0),
}


@pytest.mark.slow
@pytest.mark.parametrize("chance", CHANCES.values(), ids=CHANCES)
@pytest.mark.parametrize("n", [50, 200])
def test_equal_models_do_not_differ_in_silence_under_informative_weights(chance, n, requires_jit):
    """Up to 24% of these were found to differ without a warning."""
    rng = np.random.default_rng(n)
    wrong = 0
    for _ in range(300):
        y, a, b, w = sampled(rng, n, chance)
        result = fc.delong_test(y, a, b, sample_weight=w, **QUIET)
        wrong += result.pvalue <= 0.05 and result.status == "ok"
    assert wrong <= 0.06 * 300 + 3 * (300 * 0.06 * 0.94) ** 0.5


def test_standard_ranks_have_spearmans_correlation():
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 8, (2, 60)).astype(float)
    want = stats.spearmanr(x, y).statistic
    assert_allclose(standard_ranks(x) @ standard_ranks(y), want, rtol=1e-12)
    assert (standard_ranks(np.ones(5)) == 0.0).all()


@pytest.mark.parametrize(("slope", "depend"), [(0.0, False), (1.0, True), (-1.0, True)])
def test_weights_depend_on_scores_where_they_correlate(slope, depend):
    rng = np.random.default_rng(1)
    y, a, b = population(rng, 6000)
    weights = np.exp(0.5 * rng.normal(size=y.size) + slope * b)
    cases = Cases(y.astype(np.uint8), (a, b), ("a", "b"), 0, weights, "sampling")
    assert depend_on_scores(cases) is depend
    assert depend_on_scores(replace(cases, scores=(b, a))) is depend


def test_delong_tests_say_that_weights_depend_on_the_scores():
    rng = np.random.default_rng(4)
    y, a, b = population(rng, 400, spread=1.0)
    b = b + 2.0 * y
    weights = np.exp(-1.5 * a)
    with pytest.warns(fc.SmallSampleWarning, match="informative_weights"):
        two = fc.delong_test(y, a, b, sample_weight=weights)
    assert two.pvalue < 0.05
    pairs = fc.delong_pairwise_test(y, {"a": a, "b": b}, sample_weight=weights, **QUIET)
    control = fc.delong_control_test(y, {"a": a, "b": b}, "a", sample_weight=weights, **QUIET)
    assert {two.status, *pairs.status, *control.status} == {"informative_weights"}
    assert fc.delong_test(y, a, b, sample_weight=np.ones(400)).status == "ok"
