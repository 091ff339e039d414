"""The jackknife, and the acceleration of the BCa method that comes from it."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import average_precision_score

import fastcompare as fc
from fastcompare._inputs.scores import as_cases
from fastcompare._resampling.bootstrap import bca_acceleration, jackknife_influence
from fastcompare._resampling.weights import MOST_JACKKNIFE_GROUPS, jackknife
from fastcompare.auc._bootstrap_walks import resampling_units
from fastcompare.auc._curve_statistics import PRECISION, curve_statistic
from tests.shared.curve_measures import example


@pytest.mark.slow
def test_the_jackknife_leaves_out_one_unit_at_a_time():
    labels, (scores,) = example(7, 70, k=1)
    for extra in ({}, {"groups": np.arange(77) % 20}):
        cases = as_cases(labels, scores=scores, **extra)
        units = resampling_units(cases, stratified=True)
        values = jackknife(curve_statistic(PRECISION, cases, units), units.sizes)
        assert [v.shape for v in values] == [(1, size) for size in units.sizes]
        for unit, value in enumerate(np.concatenate(values, axis=1)[0]):
            kept = units.rows != unit
            expected = average_precision_score(labels[kept], scores[kept])
            assert value == pytest.approx(expected, rel=1e-12)


def test_the_jackknife_of_many_units_leaves_out_groups(requires_jit):
    def mean_of_squares(weights, checkpoint):
        return (weights * squares[:, None]).sum(axis=0) / weights.sum(axis=0)

    squares = np.random.default_rng(0).normal(size=5000) ** 4
    values = jackknife(mean_of_squares, (5000,))
    assert values[0].shape == (1, MOST_JACKKNIFE_GROUPS)
    expected = bca_acceleration((squares - squares.mean()) / squares.size)
    found = bca_acceleration(jackknife_influence([values[0][0]]))
    assert found == pytest.approx(expected, rel=0.1)


def test_influences_on_a_sum_of_means_are_the_deviations_over_the_sizes():
    x, y = np.random.default_rng(1).normal(size=4), np.random.default_rng(2).normal(size=9)
    left = [(x.sum() - x) / 3 + y.mean(), x.mean() + (y.sum() - y) / 8]
    want = np.concatenate([(x - x.mean()) / 4, (y - y.mean()) / 9])
    assert_allclose(jackknife_influence(left), want, rtol=1e-12)


def test_influences_of_equal_values_are_none():
    shares = jackknife_influence([np.full(7, 0.1), np.array([np.nan, 0.3])])
    assert_array_equal(shares, np.zeros(8))
    assert bca_acceleration(shares) == 0.0


def test_the_acceleration_of_the_auc_is_that_of_its_components():
    labels, (a, b) = example(25, 10)
    options = {"method": "bca", "rng": 0, "n_resamples": 64}
    whole = fc.partial_auc_test(labels, a, b, fpr=(0, 1), **options)
    expected = fc.bootstrap_auc_test(labels, a, b, **options)
    assert whole._tails.acceleration == pytest.approx(expected._tails.acceleration, rel=1e-9)
