import math
import pickle
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import roc_auc_score

import fastcompare as fc
from tests.reference import multiclass as reference
from tests.shared.several_classes import (
    AVERAGE,
    AVERAGES,
    P,
    Y,
    averages_by_counting,
    sample,
    several_classes,
)

SKLEARN = {
    "hand-till": {"multi_class": "ovo", "average": "macro"},
    "ovo-weighted": {"multi_class": "ovo", "average": "weighted"},
    "ovr": {"multi_class": "ovr", "average": "macro"},
    "ovr-weighted": {"multi_class": "ovr", "average": "weighted"},
}


def softmax(table):
    powers = np.exp(table - table.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def test_the_worked_example_in_multiclass_auc():
    """FORMULAS: Hand-Till M."""
    result = fc.multiclass_auc(Y, P)
    assert_allclose(result.estimate, 0.7847222, rtol=1e-7)
    assert_allclose(result.standard_error**2, 0.0269097, rtol=2e-6)
    assert result.classes == (0, 1, 2)
    assert_array_equal(result.n_per_class, [3, 2, 2])
    assert result.status == "small_sample"


@pytest.mark.slow
@AVERAGE
@settings(max_examples=25, deadline=None)
@given(case=several_classes())
def test_everything_equals_the_definition(average, case):
    y, tables = case
    labels, classes = y.tolist(), sorted(set(y.tolist()))
    result = fc.multiclass_auc_test(y, *tables, average=average, on_undefined="ignore")
    columns = [table.T.tolist() for table in tables]
    want = [reference.average_auc(labels, rows, classes, average) for rows in columns]
    a, b = (reference.values(labels, rows, classes, average) for rows in columns)
    d = [u - v for u, v in zip(a, b, strict=True)]
    assert_allclose(result.auc, [float(x) for x in want], rtol=1e-15)
    assert_allclose(result.estimate, float(want[0] - want[1]), rtol=1e-13, atol=1e-16)
    cov = [[float(reference.covariance(labels, u, v, classes)) for v in (a, b)] for u in (a, b)]
    assert_allclose(result.covariance, cov, rtol=1e-12, atol=1e-16)
    variance = float(reference.covariance(labels, d, d, classes))
    assert_allclose(result.standard_error**2, variance, rtol=1e-12)
    one = fc.multiclass_auc(y, tables[0], average=average, on_undefined="ignore")
    assert one.estimate == result.auc[0]
    assert_allclose(one.standard_error**2, cov[0][0], rtol=1e-12)


@AVERAGE
@pytest.mark.parametrize("decimals", [1, 12])
def test_estimates_agree_with_scikit_learn_in_multiclass_auc(average, decimals):
    y, (table,) = sample(np.random.default_rng(0), [40, 25, 60, 9, 31])
    rows = softmax(table.round(decimals))
    want = roc_auc_score(y, rows, **SKLEARN[average])
    assert_allclose(fc.multiclass_auc(y, rows, average=average).estimate, want, rtol=1e-14)


@pytest.mark.parametrize("average", ["ovr", "ovr-weighted"])
def test_aucs_by_class_are_those_against_the_rest(average):
    y, (table,) = sample(np.random.default_rng(1), [20, 30, 25])
    result = fc.multiclass_auc(y, table, average=average)
    assert_array_equal(result.per_class, [fc.roc_auc(y == i, table[:, i]) for i in range(3)])
    assert result.per_pair is None
    weights = [20, 30, 25] if average == "ovr-weighted" else None
    assert_allclose(result.estimate, np.average(result.per_class, weights=weights), rtol=1e-15)


def test_aucs_by_pair_have_the_positive_class_in_rows():
    y, (table,) = sample(np.random.default_rng(2), [20, 30, 25])
    result = fc.multiclass_auc(y, table)
    pair = np.isin(y, [0, 2])
    assert result.per_pair[2, 0] == fc.roc_auc(y[pair] == 2, table[pair, 2])
    assert np.isnan(np.diag(result.per_pair)).all()
    assert_allclose(result.per_class, np.nanmean(result.per_pair, axis=1), rtol=1e-15)
    assert_allclose(result.estimate, result.per_class.mean(), rtol=1e-15)


@AVERAGE
def test_two_mirrored_columns_are_the_binary_auc(average):
    y, (table,) = sample(np.random.default_rng(3), [30, 45])
    score = table[:, 1].round(1)
    binary = fc.roc_auc_interval(y, score, method="delong")
    result = fc.multiclass_auc(y, np.column_stack([-score, score]), average=average)
    assert_allclose(result.estimate, binary.estimate, rtol=1e-15)
    assert_allclose(result.standard_error, binary.standard_error, rtol=1e-13)
    assert_allclose(result.confidence_interval(), binary.confidence_interval(), rtol=1e-13)
    other = table[:, 0]
    paired = fc.multiclass_auc_test(
        y, np.column_stack([-score, score]), np.column_stack([-other, other]), average=average
    )
    assert_allclose(
        paired.pvalue, fc.delong_test(y, score, other, reference="normal").pvalue, rtol=1e-11
    )


@pytest.mark.slow
@pytest.mark.parametrize("average", ["hand-till", "ovr", "ovr-weighted"])
def test_standard_errors_agree_with_a_bootstrap_stratified_by_class(average):
    rng = np.random.default_rng(4)
    y, (a, b) = sample(rng, [40, 60, 90], models=2)
    members = [np.flatnonzero(y == i) for i in range(3)]
    draws = np.hstack([rng.choice(own, (800, own.size)) for own in members])
    labels = np.repeat([0, 1, 2], [40, 60, 90])
    one, two = (averages_by_counting(labels, t[draws], average) for t in (a, b))
    result = fc.multiclass_auc_test(y, a, b, average=average)
    # 800 draws: 2.5% of sampling error; the bootstrap is about 1% low (divisors n, not n - 1)
    assert_allclose((one - two).std(), result.standard_error, rtol=0.1)
    assert_allclose(np.cov(one, two), result.covariance, rtol=0.25)
    single = fc.multiclass_auc(y, a, average=average)
    assert_allclose(one.std(), single.standard_error, rtol=0.1)


@pytest.mark.slow
@AVERAGE
def test_the_test_holds_its_level_and_the_interval_its_coverage(average, requires_jit):
    rng = np.random.default_rng(5)
    rejected = covered = 0
    studies = 300
    truth = 0.7602499  # normal scores, 1 apart: Phi(1 / sqrt 2), for every pair and class
    for _ in range(studies):
        y, (common, one, two) = sample(rng, [30, 40, 50], models=3, signal=0.0)
        a, b = np.sqrt(0.5) * (common + one), np.sqrt(0.5) * (common + two)
        a[np.arange(y.size), y] += 1
        b[np.arange(y.size), y] += 1
        rejected += fc.multiclass_auc_test(y, a, b, average=average).pvalue < 0.05
        low, high = fc.multiclass_auc(y, a, average=average, method="logit").confidence_interval()
        covered += low < truth < high
    spread = math.sqrt(0.05 * 0.95 * studies)
    assert abs(rejected - 0.05 * studies) < 3 * spread
    assert abs(covered - 0.95 * studies) < 3 * spread


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(case=several_classes(), average=st.sampled_from(AVERAGES))
def test_swapping_the_models_negates_in_multiclass_auc_test(case, average):
    y, (a, b) = case
    options = {"average": average, "on_undefined": "ignore"}
    one, two = (
        fc.multiclass_auc_test(y, a, b, **options),
        fc.multiclass_auc_test(y, b, a, **options),
    )
    assert one.estimate == -two.estimate
    assert one.statistic == -two.statistic or math.isnan(one.statistic)
    assert one.standard_error == two.standard_error
    assert_array_equal(one.auc, two.auc[::-1])


@AVERAGE
def test_models_that_order_the_cases_alike_do_not_differ_in_multiclass_auc_test(average):
    y, (table,) = sample(np.random.default_rng(6), [20, 30, 25])
    result = fc.multiclass_auc_test(y, table, np.exp(table), average=average)
    assert (result.estimate, result.standard_error, result.statistic) == (0, 0, 0)
    assert (result.pvalue, result.log_pvalue, result.status) == (1, 0, "identical")


@AVERAGE
def test_multiclass_auc_weighs_classes_so_that_perfect_scores_have_one_and_equal_ones_half(average):
    y = np.repeat([0, 1, 2, 3], [3, 4, 5, 9])
    for scores, want in ((np.eye(4)[y], 1.0), (np.ones((21, 4)), 0.5)):
        found = fc.multiclass_auc(y, scores, average=average, on_undefined="ignore")
        assert_allclose(found.estimate, want, rtol=1e-15)


def test_margins_and_alternatives_are_those_of_every_test_in_multiclass_auc_test():
    y, (a, b) = sample(np.random.default_rng(8), [20, 30, 25], models=2)
    two = fc.multiclass_auc_test(y, a, b)
    assert_allclose(two.statistic, two.estimate / two.standard_error, rtol=1e-15)
    tails = [
        fc.multiclass_auc_test(y, a, b, alternative=side).pvalue for side in ("less", "greater")
    ]
    assert_allclose(sum(tails), 1, rtol=1e-14)
    shifted = fc.multiclass_auc_test(y, a, b, alternative="greater", margin=0.1)
    assert_allclose(shifted.statistic, (two.estimate + 0.1) / two.standard_error, rtol=1e-15)
    assert 0 < fc.multiclass_auc_test(y, a, b, alternative="equivalence", margin=0.2).pvalue < 1
    low, high = two.confidence_interval(1 - two.pvalue)
    assert min(abs(low), abs(high)) < 1e-12


@pytest.mark.parametrize("average", ["hand-till", "ovr"])
@pytest.mark.parametrize("counts", [[60_000, 30_000, 20_000], [20_000] * 5])
def test_threads_do_not_change_the_bits_in_multiclass_auc_test(
    monkeypatch, average, counts, requires_jit
):
    monkeypatch.setattr("fastcompare.auc._multiclass_walks.THREADS_FROM", 30_000)
    y, (a, b) = sample(np.random.default_rng(9), counts, models=2)
    test = partial(fc.multiclass_auc_test, y, a, b, average=average)
    assert test(n_jobs=2).to_dict() == test(n_jobs=5).to_dict() == test(n_jobs=1).to_dict()


def test_results_print_and_travel_in_multiclass_auc():
    result = fc.multiclass_auc(Y, P)
    assert result.summary() == (
        "Hand and Till's M of 3 classes is 0.7847 (95% CI 0.4632 to 1.0000, delong method; "
        "7 cases)."
    )
    assert result.confidence_interval().clipped
    assert result.confidence_interval(0.5)[0] > result.confidence_interval()[0]
    assert str(pickle.loads(pickle.dumps(result))) == str(result)
    low, high = fc.multiclass_auc(Y, P, method="logit", average="ovr").confidence_interval(0.9)
    assert 0 < low < high < 1


@pytest.mark.slow
def test_many_cases_of_twenty_classes_are_counted_exactly(requires_jit):
    y, (table,) = sample(np.random.default_rng(14), [10_000] * 20)
    result = fc.multiclass_auc(y, table.astype(np.float32), average="ovr")
    assert abs(result.estimate - 0.7602499) < 4 * result.standard_error
    assert result.per_class[7] == fc.roc_auc(y == 7, table[:, 7].astype(np.float32))
