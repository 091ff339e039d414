import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import ks_2samp

import fastcompare as fc
from fastcompare._base.parallel import no_checkpoint
from fastcompare._inputs.probabilities import as_class_cases
from fastcompare.auc import _multiclass as multiclass_bootstrap
from fastcompare.auc._multiclass import EXACT_BELOW, average_statistic
from fastcompare.auc._multiclass_walks import compute_averages, scores_by_class
from tests.reference import multiclass as reference
from tests.shared.executors import PicklingExecutor
from tests.shared.several_classes import (
    AVERAGE,
    AVERAGES,
    averages_by_counting,
    mirrored,
    sample,
    several_classes,
)

METHODS = ["percentile", "basic", "bca", "normal"]
# FORMULAS: T2
Y2 = [0] * 6 + [1] * 7
A2 = [0.1, 0.2, 0.05, 0.3, 0.1, 0.6, 0.6, 0.7, 0.8, 0.99, 0.8, 0.67, 0.5]
B2 = [0.3, 0.6, 0.2, 0.1, 0.1, 0.9, 0.23, 0.7, 0.9, 0.4, 0.77, 0.3, 0.89]


def parts(y, tables, average):
    """The averages of the data, and the statistic of a replicate."""
    cases = as_class_cases(y, **{f"y_score_{i}": table for i, table in enumerate(tables)})
    blocks = scores_by_class(cases)
    averages = compute_averages(blocks, average)
    return averages, average_statistic(blocks, averages.walks)


@pytest.mark.slow
@AVERAGE
def test_replicates_are_exact_and_as_frequent_as_in_a_full_enumeration(average, requires_jit):
    y = np.array([0, 0, 1, 1, 1, 2, 2])
    a, b = np.random.default_rng(0).integers(5, size=(2, 7, 3)).astype(float)
    members = [np.flatnonzero(y == i) for i in range(3)]
    ways = [itertools.product(own.tolist(), repeat=own.size) for own in members]
    found = []
    for draw in itertools.product(*ways):
        drawn = [case for part in draw for case in part]
        one, two = (
            reference.average_auc(y.tolist(), table[drawn].T.tolist(), [0, 1, 2], average)
            for table in (a, b)
        )
        found.append(float(one - two))
    options = {"average": average, "method": "percentile", "n_resamples": 3000, "rng": 1}
    values = fc.multiclass_auc_test(y, a, b, **options, keep=True).distribution
    assert set(values) <= set(found)
    possible = np.unique(found)
    shares = [np.searchsorted(np.sort(v), possible, "right") / len(v) for v in (found, values)]
    assert abs(shares[0] - shares[1]).max() < 1.95 / math.sqrt(values.size)  # DKW, 0.1%


@pytest.mark.slow
@AVERAGE
@settings(max_examples=20, deadline=None)
@given(case=several_classes())
def test_weights_of_one_give_the_estimate_in_all_bits(average, case):
    y, tables = case
    for models in (tables, tables[:1]):
        averages, statistic = parts(y, models, average)
        found = statistic(np.ones((y.size, 64), np.uint8), no_checkpoint)
        want = averages.difference if len(models) == 2 else averages.estimate[0]
        assert_array_equal(found, np.full(64, want))
        classes, labels = sorted(set(y.tolist())), y.tolist()
        exact = [reference.average_auc(labels, t.T.tolist(), classes, average) for t in models]
        assert want == float(exact[0] - Fraction(exact[1] if len(models) == 2 else 0))


@pytest.mark.slow
@AVERAGE
def test_denominators_of_any_size_are_exact(average, monkeypatch):
    counts = [11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47]  # coprime
    y, tables = sample(np.random.default_rng(2), counts, models=2)
    averages, statistic = parts(y, tables, average)
    assert statistic.denominator > EXACT_BELOW
    found = statistic(np.ones((y.size, 64), np.uint8), no_checkpoint)
    assert_array_equal(found, np.full(64, averages.difference))
    y, tables = sample(np.random.default_rng(3), [5, 6, 7], models=2)
    _, statistic = parts(y, tables, average)
    weights = np.random.default_rng(4).integers(4, size=(y.size, 64), dtype=np.uint8)
    narrow = statistic(weights, no_checkpoint)
    monkeypatch.setattr(multiclass_bootstrap, "EXACT_BELOW", 0)
    assert_array_equal(statistic(weights, no_checkpoint), narrow)


@AVERAGE
def test_multiclass_auc_test_draws_the_same_replicates_in_other_processes(average):
    y, (a, b) = sample(np.random.default_rng(19), [5, 6, 7], models=2)
    options = {"average": average, "method": "percentile", "n_resamples": 99, "rng": 0}
    here = fc.multiclass_auc_test(y, a, b, **options, keep=True)
    there = fc.multiclass_auc_test(y, a, b, **options, keep=True, executor=PicklingExecutor())
    assert_array_equal(there.distribution, here.distribution)


@pytest.mark.slow
@AVERAGE
def test_spreads_are_those_of_the_ideal_bootstrap(average, requires_jit):
    y, (a, b) = sample(np.random.default_rng(5), [6, 9, 13], models=2)
    options = {"average": average, "n_resamples": 30_000, "rng": 6}
    result = fc.multiclass_auc_test(y, a, b, method="normal", **options)
    # 0.4% of sampling error
    assert_allclose(result.standard_error, reference.ideal_spread(y, a, b, average), rtol=0.016)
    single = fc.multiclass_auc(y, a, method="bootstrap", **options)
    want = reference.ideal_spread(y, a, np.zeros_like(a), average)
    assert_allclose(single.standard_error, want, rtol=0.016)


def test_the_worked_example_of_two_classes():
    """FORMULAS: ideal stratified bootstrap, BCa."""
    a, b = mirrored(A2), mirrored(B2)
    for average in AVERAGES:
        assert_allclose(reference.ideal_spread(np.array(Y2), a, b, average), 0.1296706, rtol=1e-6)
        averages, _ = parts(Y2, [a, b], average)
        acceleration = multiclass_bootstrap.bca_acceleration(averages.influence[-1])
        assert_allclose(acceleration, 0.0365158, rtol=2e-6)


@pytest.mark.parametrize("average", ["hand-till", "ovr", "ovr-weighted"])
def test_replicates_are_distributed_as_those_of_drawn_indices(average, requires_jit):
    rng = np.random.default_rng(7)
    y, (a, b) = sample(rng, [12, 9, 15], models=2)
    a, b = a.round(1), b.round(1)
    members = [np.flatnonzero(y == i) for i in range(3)]
    draws = np.hstack([rng.choice(own, (4000, own.size)) for own in members])
    labels = np.repeat([0, 1, 2], [12, 9, 15])
    one, two = (averages_by_counting(labels, table[draws], average) for table in (a, b))
    options = {"average": average, "n_resamples": 4000, "rng": 8}
    result = fc.multiclass_auc_test(y, a, b, method="percentile", keep=True, **options)
    assert ks_2samp(result.distribution, one - two).pvalue > 0.001
    assert_allclose(result.standard_error, (one - two).std(), rtol=0.07)  # 1.6% of sampling error
    interval = fc.multiclass_auc(y, a, method="bootstrap", **options).confidence_interval()
    assert_allclose(interval, np.quantile(one, [0.025, 0.975]), atol=0.02)


@pytest.mark.slow
def test_large_samples_agree_with_the_closed_form_in_multiclass_auc_test(requires_jit):
    y, (a, b) = sample(np.random.default_rng(23), [400, 300, 500], models=2)
    b = 0.6 * a + 0.8 * b
    for average in AVERAGES:
        closed = fc.multiclass_auc_test(y, a, b, average=average)
        for method in METHODS:
            options = {"average": average, "method": method, "n_resamples": 2000, "rng": 24}
            result = fc.multiclass_auc_test(y, a, b, **options)
            assert result.estimate == closed.estimate
            assert_array_equal(result.covariance, closed.covariance)
            assert_allclose(result.standard_error, closed.standard_error, rtol=0.07)
            assert_allclose(
                result.confidence_interval(),
                closed.confidence_interval(),
                atol=0.3 * closed.standard_error,
            )


@pytest.mark.slow
def test_intervals_cover_and_tests_hold_their_level(requires_jit):
    rng = np.random.default_rng(25)
    studies, covered, rejected = 300, 0, 0
    truth = 0.7602499  # normal scores, 1 apart: Phi(1 / sqrt 2)
    for seed in range(studies):
        y, (common, one, two) = sample(rng, [30, 40, 50], models=3, signal=0.0)
        a, b = np.sqrt(0.5) * (common + one), np.sqrt(0.5) * (common + two)
        a[np.arange(y.size), y] += 1
        b[np.arange(y.size), y] += 1
        options = {"n_resamples": 399, "rng": seed}
        low, high = fc.multiclass_auc(y, a, method="bootstrap", **options).confidence_interval()
        covered += low < truth < high
        rejected += fc.multiclass_auc_test(y, a, b, method="percentile", **options).pvalue <= 0.05
    spread = math.sqrt(0.05 * 0.95 * studies)
    assert abs(covered - 0.95 * studies) < 3 * spread
    assert abs(rejected - 0.05 * studies) < 3 * spread
