import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from fastcompare._inference.pvalues import normal_quantile
from tests.shared.several_classes import (
    AVERAGE,
    AVERAGES,
    P,
    Y,
    mirrored,
    sample,
    several_classes,
)

METHODS = ["percentile", "basic", "bca", "normal"]
METHOD = pytest.mark.parametrize("method", METHODS)


@AVERAGE
@METHOD
def test_two_mirrored_columns_are_the_binary_bootstrap(average, method, requires_jit):
    y, tables = sample(np.random.default_rng(9), [17, 23])
    one, two = tables[0].round(1).T
    options = {"method": method, "n_resamples": 299, "rng": 10}
    want = fc.bootstrap_auc_test(y, one, two, keep=True, **options)
    # positives are drawn first there, so their class comes first here
    a, b = mirrored(one)[:, ::-1], mirrored(two)[:, ::-1]
    keywords = {"classes": [1, 0], "average": average}
    result = fc.multiclass_auc_test(y, a, b, keep=True, **keywords, **options)
    assert_array_equal(result.distribution, want.distribution)
    assert (result.estimate, result.standard_error) == (want.estimate, want.standard_error)
    assert_allclose(result.pvalue, want.pvalue, rtol=1e-12)
    assert_allclose(result.confidence_interval(), want.confidence_interval(), rtol=1e-15)
    options["method"] = "bootstrap"
    single = fc.multiclass_auc(y, a, **keywords, **options)
    binary = fc.roc_auc_interval(y, one, **options)
    assert single.confidence_interval() == binary.confidence_interval()
    assert single.standard_error == binary.standard_error


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(case=several_classes(), average=st.sampled_from(AVERAGES), method=st.sampled_from(METHODS))
def test_swapping_the_models_mirrors_everything_in_multiclass_auc_test(case, average, method):
    y, (a, b) = case
    options = {
        "average": average,
        "method": method,
        "n_resamples": 59,
        "rng": 11,
        "keep": True,
        "on_undefined": "ignore",
    }
    one, two = (fc.multiclass_auc_test(y, *pair, **options) for pair in ((a, b), (b, a)))
    assert_array_equal(one.distribution, -two.distribution)
    assert one.estimate == -two.estimate
    assert_allclose(one.pvalue, two.pvalue, rtol=1e-9)
    low, high = two.confidence_interval()
    assert_allclose(one.confidence_interval(), (-high, -low), rtol=1e-9, atol=1e-15)
    claims = [
        fc.multiclass_auc_test(y, *pair, alternative=side, **options).pvalue
        for pair, side in (((a, b), "greater"), ((b, a), "less"))
    ]
    assert_allclose(*claims, rtol=1e-9)


@pytest.mark.slow
@AVERAGE
@METHOD
def test_models_that_order_the_cases_alike_do_not_differ_in_multiclass_auc_test(average, method):
    y, (table,) = sample(np.random.default_rng(12), [13, 11, 17])
    options = {"average": average, "method": method, "n_resamples": 199, "rng": 13}
    result = fc.multiclass_auc_test(y, table, np.exp(table), keep=True, **options)
    assert not result.distribution.any()
    assert (result.estimate, result.standard_error, result.statistic) == (0, 0, 0)
    assert (result.pvalue, result.log_pvalue, result.status) == (1, 0, "identical")
    reach = 1 - 0.025 ** (1 / 11)  # of the 11 cases of the rarest class
    assert_allclose(result.confidence_interval(), (-reach, reach))


@pytest.mark.slow
def test_columns_that_make_up_for_one_another_tie_with_zero_exactly_in_multiclass_auc_test():
    # each model is perfect for one class and blind for the others: the averages are equal
    y = np.repeat([0, 1, 2], 10)
    a, b = np.zeros((2, 30, 3))
    a[y == 0, 0] = b[y == 1, 1] = 1.0
    for average in AVERAGES:
        options = {"average": average, "method": "percentile", "n_resamples": 99, "rng": 14}
        result = fc.multiclass_auc_test(y, a, b, keep=True, **options)
        assert not result.distribution.any()
        assert result.pvalue == 1


@pytest.mark.slow
@AVERAGE
def test_seeds_decide_and_workers_do_not(average):
    y, (a, b) = sample(np.random.default_rng(15), [8, 9, 10], models=2)

    def values(rng, **workers):
        options = {"average": average, "method": "bca", "n_resamples": 150, "rng": rng}
        return fc.multiclass_auc_test(y, a, b, keep=True, **options, **workers)

    one = values(16)
    assert values(16, n_jobs=2).to_dict() == one.to_dict()
    with ThreadPoolExecutor(2) as executor:
        assert values(16, executor=executor).to_dict() == one.to_dict()
    assert values(one.seed).to_dict() == one.to_dict()
    assert (values(17).distribution != one.distribution).any()
    calls = []
    assert values(16, progress=lambda *done: calls.append(done)).to_dict() == one.to_dict()
    assert calls[-1][0] == calls[-1][1]
    options = {"average": average, "method": "bootstrap", "n_resamples": 150, "rng": 18}
    single = [fc.multiclass_auc(y, a, n_jobs=jobs, **options) for jobs in (1, 2)]
    assert single[0].standard_error == single[1].standard_error
    assert single[0].confidence_interval() == single[1].confidence_interval()


@pytest.mark.slow
def test_intervals_and_pvalues_are_order_statistics_of_the_replicates():
    y, (a, _) = sample(np.random.default_rng(21), [9, 12, 10], models=2)
    blind = np.zeros_like(a)
    options = {"n_resamples": 399, "rng": 22}
    single = fc.multiclass_auc(y, a, method="bootstrap", **options)
    result = fc.multiclass_auc_test(y, a, blind, method="percentile", keep=True, **options)
    replicates = np.sort(result.distribution)
    assert_allclose(result.confidence_interval(), replicates[[9, 389]], rtol=0)
    assert_allclose(single.confidence_interval(), replicates[[9, 389]] + 0.5, rtol=1e-15)
    assert_allclose(single.confidence_interval(0.9), replicates[[19, 379]] + 0.5, rtol=1e-15)
    assert_allclose(single.standard_error, result.standard_error, rtol=1e-12)
    below, above = np.count_nonzero(replicates <= 0), np.count_nonzero(replicates >= 0)
    assert result.pvalue == 2 * (1 + min(below, above)) / 400
    near = fc.multiclass_auc_test(
        y, a, blind, method="percentile", alternative="equivalence", margin=0.3, **options
    )
    assert near.pvalue == (1 + np.count_nonzero(replicates >= 0.3)) / 400
    normal = fc.multiclass_auc_test(y, a, blind, method="normal", **options)
    radius = normal_quantile(0.025) * replicates.std(ddof=1)
    ends = normal.estimate + np.array([-radius, radius])
    assert_allclose(normal.confidence_interval(), ends, rtol=1e-12)


UNDEFINED = {
    "missing_class": ([0, 0, 0, 1, 1, 1], [0, 1, 2]),
    "too_few": ([0, 0, 0, 1, 1, 2], [0, 1, 2]),
}


@AVERAGE
@pytest.mark.parametrize("status", UNDEFINED)
def test_a_class_with_too_few_cases_is_a_status(average, status):
    y, classes = UNDEFINED[status]
    a, b = np.random.default_rng(26).normal(size=(2, 6, 3))
    options = {"classes": classes, "average": average, "n_resamples": 19, "rng": 27}
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        single = fc.multiclass_auc(y, a, method="bootstrap", **options)
    assert single.status == status
    assert math.isnan(single.standard_error)
    assert np.isnan(single.confidence_interval()).all()
    assert math.isnan(single.estimate) == (status == "missing_class")
    for method in METHODS:
        with pytest.warns(fc.UndefinedResultWarning, match=status):
            result = fc.multiclass_auc_test(y, a, b, method=method, **options)
        assert (result.status, result.n_resamples) == (status, 0)
        assert math.isnan(result.pvalue)
        assert np.isnan(result.confidence_interval()).all()
    with pytest.raises(fc.UndefinedResultError, match=status):
        fc.multiclass_auc_test(y, a, b, method="bca", on_undefined="raise", **options)


@pytest.mark.slow
@AVERAGE
def test_degenerate_scores_are_a_status(average):
    y = np.repeat([0, 1, 2], [12, 11, 10])
    perfect, constant = np.eye(3)[y], np.zeros((33, 3))
    options = {"average": average, "n_resamples": 99, "rng": 28}
    cases = {"perfect_separation": (perfect, 1.0), "constant_scores": (constant, 0.5)}
    for status, (table, estimate) in cases.items():
        with pytest.warns(fc.UndefinedResultWarning, match=status):
            single = fc.multiclass_auc(y, table, method="bootstrap", **options)
        assert (single.estimate, single.standard_error) == (estimate, 0.0)
        assert np.isnan(single.confidence_interval()).all()
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        result = fc.multiclass_auc_test(y, perfect, constant, method="percentile", **options)
    assert result.statistic == math.inf
    assert math.isnan(result.pvalue)


def test_results_print_and_travel():
    single = fc.multiclass_auc(Y, P, method="bootstrap", n_resamples=199, rng=29)
    assert single.method == "bootstrap"
    assert "_tails" not in single.to_dict()
    result = fc.multiclass_auc_test(
        Y, P, np.array(P)[::-1], method="bca", average="ovr", n_resamples=199, rng=29
    )
    assert result.method == "BCa bootstrap of the one-vs-rest AUC"
    assert result.n_resamples == 199
    assert result.distribution is None
    for record in (single, result):
        assert str(pickle.loads(pickle.dumps(record))) == str(record)


BAD = [
    ({"method": "studentized"}, ValueError, "`method` must be one of 'delong', 'percentile'"),
    ({"n_resamples": 0}, ValueError, "`n_resamples` must be at least 1"),
    ({"rng": "0"}, TypeError, "`rng` must be None, an integer"),
    ({"executor": 2}, TypeError, "`executor` must have"),
    ({"progress": 2}, TypeError, "`progress` must be True, False or a function"),
    ({"margin": 0.1}, ValueError, "margin"),
]


@pytest.mark.parametrize(("change", "error", "message"), BAD, ids=lambda x: str(x)[:40])
def test_bad_inputs_are_refused_with_a_reason_in_multiclass_auc_test(change, error, message):
    with pytest.raises(error, match=message):
        fc.multiclass_auc_test(Y, P, P, **{"method": "percentile", **change})
