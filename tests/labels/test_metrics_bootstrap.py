"""Bootstrap of metrics against scikit-learn, definitions, index draws, and its laws."""

import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from sklearn import metrics

import fastcompare as fc
from fastcompare._inputs.predictions import as_predictions
from fastcompare._resampling.bootstrap import (
    as_draws,
    bca_acceleration,
    jackknife_influence,
    snap_to_points,
)
from fastcompare.labels._metrics import metric_on_cells, outcome_cells
from fastcompare.labels._metrics_bootstrap import (
    acceleration_by_jackknife,
    metric_differences,
    sampling_units,
)
from tests.reference import metrics as reference
from tests.reference.metrics import labelled
from tests.shared.executors import PicklingExecutor
from tests.shared.strategies import predicted_cases

NAMES = ("accuracy", "balanced-accuracy", "mcc", "cohen-kappa", "precision", "recall", "f1")
OF_A_CLASS = ("precision", "recall", "f1")
AVERAGED = [(name, average) for name in OF_A_CLASS for average in ("macro", "weighted")]
EVERY = [*((name, "binary") for name in NAMES), *AVERAGED]
DESIGNS = [{}, {"stratified": True}, {"groups": np.arange(60) // 4}]


Y, A, B = labelled(60, 2)
Y3, A3, B3 = labelled(60, 3, seed=1)


def sklearn_value(name, average):
    """The metric as scikit-learn computes it; None where that is another average."""
    functions = {
        "accuracy": metrics.accuracy_score,
        "balanced-accuracy": metrics.balanced_accuracy_score,
        "mcc": metrics.matthews_corrcoef,
        "cohen-kappa": metrics.cohen_kappa_score,
    }
    if name in functions:
        return functions[name]
    function = getattr(metrics, f"{name}_score")
    if average == "binary":
        return lambda y, p: function(y, p, average=average, zero_division=np.nan)
    return lambda y, p: function(y, p, average=average, zero_division=0.0)


def both_values(name, average, y, a, b):
    """The two values and nothing else."""
    found = fc.bootstrap_metric_test(
        y, a, b, metric=name, average=average, n_resamples=1, rng=0, on_undefined="ignore"
    )
    return found.values


@pytest.mark.slow
@pytest.mark.parametrize(("name", "average"), EVERY)
@settings(max_examples=15, deadline=None)
@given(data=st.data())
def test_values_are_those_of_the_definition_and_of_scikit_learn(name, average, data):
    y, a, b = data.draw(predicted_cases(classes=2 if average == "binary" else 4))
    found = both_values(name, average, y, a, b)
    for value, p in zip(found, (a, b), strict=True):
        want = reference.value(name, average, y, p)
        assert_allclose(value, np.nan if want is None else float(want), rtol=1e-13)
        if want is not None:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert_allclose(value, sklearn_value(name, average)(y, p), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize(("name", "average"), EVERY)
def test_replicates_are_those_of_a_function_of_resampled_labels(name, average, design):
    def metric(y, p):
        want = reference.value(name, average, y.tolist(), p.tolist())
        return np.nan if want is None else float(want)

    y, a, b = (Y, A, B) if average == "binary" else (Y3, A3, B3)
    kept = {"n_resamples": 70, "rng": 5, "keep": True, "on_undefined": "ignore"}
    found = fc.bootstrap_metric_test(y, a, b, metric=name, average=average, **kept, **design)
    called = fc.bootstrap_metric_test(y, a, b, metric=metric, **kept, **design)
    assert_allclose(found.distribution, called.distribution, rtol=0, atol=1e-14)
    assert_allclose(found.values, called.values, rtol=1e-13)
    assert_allclose(found.pvalue, called.pvalue, rtol=1e-12)


def drawn_by_index(y, a, b, function, strata, n_resamples=2000):
    """The obvious bootstrap: index draws within each stratum of units, each an array of cases."""
    rng = np.random.default_rng(9)
    found = []
    for _ in range(n_resamples):
        picked = [units[i] for units in strata for i in rng.integers(0, len(units), len(units))]
        cases = np.concatenate(picked)
        found.append(function(y[cases], a[cases]) - function(y[cases], b[cases]))
    return np.array(found)


@pytest.mark.parametrize("design", ["unstratified", "stratified", "whole groups"])
def test_replicates_have_the_distribution_of_index_draws(design, requires_jit):
    groups = np.arange(Y.size) // 5
    single = [np.array([i]) for i in range(Y.size)]
    strata, options = {
        "unstratified": ([single], {}),
        "stratified": (
            [[case for case in single if Y[case[0]] == label] for label in (0, 1)],
            {"stratified": True},
        ),
        "whole groups": ([np.split(np.arange(Y.size), Y.size // 5)], {"groups": groups}),
    }[design]

    def f1(y, p):
        return 2 * (y & p).sum() / (y.sum() + p.sum())

    want = drawn_by_index(Y, A, B, f1, strata)
    found = fc.bootstrap_metric_test(
        Y, A, B, metric="f1", n_resamples=20_000, keep=True, rng=1, **options
    )
    assert found.resampling == design
    assert stats.ks_2samp(found.distribution, want).pvalue > 1e-3
    assert_allclose(found.standard_error, want.std(ddof=1), rtol=0.06)


def test_stratified_replicates_keep_the_numbers_of_the_classes_in_bootstrap_metric_test():
    seen = set()

    def metric(y, p):
        seen.add(tuple(np.bincount(y).tolist()))
        return float((y == p).mean())

    fc.bootstrap_metric_test(Y3, A3, B3, metric=metric, stratified=True, n_resamples=64, rng=0)
    assert seen == {tuple(np.bincount(Y3).tolist())}


WORKERS = as_draws(n_resamples=9, rng=0).workers


@pytest.mark.parametrize("stratified", [False, True])
def test_the_acceleration_is_that_of_leaving_out_one_case_at_a_time(stratified):
    y, a, b = Y3, A3, B3
    cells = outcome_cells(as_predictions(y, y_pred_a=a, y_pred_b=b))
    values = metric_on_cells("f1", "macro", None, cells)
    found = acceleration_by_jackknife(
        values, cells, sampling_units(cells, None, stratified), WORKERS
    )

    def without(i):
        u, v, w = (np.delete(x, i) for x in (y, a, b))
        return float(
            reference.averaged("f1", u.tolist(), v.tolist(), "macro")
            - reference.averaged("f1", u.tolist(), w.tolist(), "macro")
        )

    left = np.array([without(i) for i in range(y.size)])
    strata = [left[y == c] for c in range(3)] if stratified else [left]
    assert_allclose(found, bca_acceleration(jackknife_influence(strata)), rtol=1e-9)


def test_many_kinds_of_cases_are_left_out_in_groups_with_the_same_result(monkeypatch):
    cells = outcome_cells(as_predictions(Y3, y_pred_a=A3, y_pred_b=B3))
    values = metric_on_cells("mcc", "binary", None, cells)
    drawn = sampling_units(cells, None, False)
    want = acceleration_by_jackknife(values, cells, drawn, WORKERS)
    monkeypatch.setattr("fastcompare.labels._metrics_bootstrap.MOST_JACKKNIFE_GROUPS", 1)
    assert_allclose(acceleration_by_jackknife(values, cells, drawn, WORKERS), want, rtol=1e-10)


def test_bca_of_whole_groups_leaves_out_groups_in_bootstrap_metric_test():
    groups = np.repeat(np.arange(12), 5)
    found = fc.bootstrap_metric_test(
        Y, A, B, groups=groups, method="bca", n_resamples=199, rng=0, metric="recall"
    )
    low, high = found.confidence_interval()
    assert low < found.estimate < high


@pytest.mark.slow
@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "normal"])
@pytest.mark.parametrize("name", ["mcc", "f1"])
def test_swapping_the_models_turns_the_sign_in_bootstrap_metric_test(method, name):
    options = {"metric": name, "method": method, "n_resamples": 299, "rng": 3, "keep": True}
    one = fc.bootstrap_metric_test(Y, A, B, alternative="greater", **options)
    other = fc.bootstrap_metric_test(Y, B, A, alternative="less", **options)
    assert_array_equal(one.distribution, -other.distribution)
    assert one.estimate == -other.estimate
    assert_allclose(one.pvalue, other.pvalue, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
def test_the_pvalue_is_at_most_alpha_exactly_when_0_is_outside_in_bootstrap_metric_test(method):
    y, a, b = labelled(40, 2, seed=8)
    for seed in range(5):
        found = fc.bootstrap_metric_test(
            y, a, b, metric="f1", method=method, n_resamples=199, rng=seed
        )
        for alpha in (0.02, 0.05, 0.1, 0.3):
            low, high = found.confidence_interval(1 - alpha)
            assert (found.pvalue <= alpha) == (low > 0.0 or high < 0.0)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bits_anywhere_in_bootstrap_metric_test():
    options = {"metric": "f1", "average": "macro", "n_resamples": 500, "rng": 2, "keep": True}
    want = fc.bootstrap_metric_test(Y3, A3, B3, **options)
    threads = fc.bootstrap_metric_test(Y3, A3, B3, n_jobs=2, **options)
    with ThreadPoolExecutor(2) as executor:
        others = fc.bootstrap_metric_test(Y3, A3, B3, executor=executor, **options)
    for found in (threads, others):
        assert_array_equal(found.distribution, want.distribution)
        assert found.pvalue == want.pvalue
    part = fc.bootstrap_metric_test(Y3, A3, B3, **{**options, "n_resamples": 70})
    assert_array_equal(part.distribution, want.distribution[:70])


@pytest.mark.parametrize("stratified", [False, True])
def test_bootstrap_metric_test_draws_the_same_replicates_in_other_processes(stratified):
    options = {"metric": "f1", "average": "macro", "stratified": stratified}
    options |= {"n_resamples": 99, "rng": 0, "keep": True}
    here = fc.bootstrap_metric_test(Y3, A3, B3, **options)
    there = fc.bootstrap_metric_test(Y3, A3, B3, **options, executor=PicklingExecutor())
    assert_array_equal(there.distribution, here.distribution)


@pytest.mark.slow
def test_margins_are_reached_exactly_in_bootstrap_metric_test():
    """Accuracies 0.9 and 0.8 differ by 0.1 less a rounding error, which tells of nothing."""
    assert 0.9 - 0.8 < 0.1
    values = np.array([0.9 - 0.8, 0.3 - 0.3, np.nan, 0.1 + 1e-10])
    assert_array_equal(snap_to_points(values, (0.1, -0.1), 1e-12), [0.1, 0.0, np.nan, 0.1 + 1e-10])
    assert metric_differences(np.array([[0.1 + 0.2], [0.3]]))[0] == 0.0
    y, a, b = [1] * 10, [1] * 9 + [0], [1] * 8 + [0] * 2
    options = {"n_resamples": 999, "rng": 0, "keep": True, "margin": 0.1, "alternative": "less"}
    found = fc.bootstrap_metric_test(y, a, b, **options)
    reached = np.count_nonzero(np.round(found.distribution * 10) >= 1)
    assert found.pvalue == (1 + reached) / 1000


@pytest.mark.parametrize("metric", ["f1", "mcc", "balanced-accuracy"])
@pytest.mark.usefixtures("requires_jit")
def test_a_difference_that_rests_on_few_cases_of_a_class_names_the_permutation_test(metric):
    y = np.repeat([1, 0], [14, 60])
    options = {"metric": metric, "n_resamples": 999, "rng": 0}

    def failing(k):
        return np.where(np.arange(74) < k, 0, y)

    with pytest.warns(fc.SmallSampleWarning, match="permutation_metric_test keeps its level"):
        found = fc.bootstrap_metric_test(y, y, failing(4), **options)
    assert found.status == "small_sample"
    assert 0.02 < found.pvalue <= 0.05
    assert fc.permutation_metric_test(y, y, failing(4), **options).status == "ok"
    evident, alike = (fc.bootstrap_metric_test(y, y, failing(k), **options) for k in (9, 2))
    assert (evident.status, evident.pvalue < 0.02) == ("ok", True)
    assert (alike.status, alike.pvalue > 0.05) == ("ok", True)
    more = (np.append(x, 1) for x in (y, y, failing(4)))
    enough = fc.bootstrap_metric_test(*more, **options)
    assert (enough.status, 0.02 < enough.pvalue <= 0.05) == ("ok", True)
