"""Intervals and paired tests of partial AUC, sensitivity, specificity and average precision."""

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from tests.shared.curve_measures import MEASURES, example, options_of
from tests.shared.executors import PicklingExecutor
from tests.shared.golden_files import PROC_PAIRS
from tests.shared.strategies import scored_cases

PROC_BOOTSTRAPS = [pair for pair in PROC_PAIRS if "pauc_bootstrap_spec" in pair.expected]


@pytest.mark.parametrize("pair", PROC_BOOTSTRAPS, ids=str)
@pytest.mark.parametrize(("focus", "axis"), [("spec", "fpr"), ("sens", "tpr")])
def test_the_test_of_partial_aucs_is_that_of_proc(pair, focus, axis, requires_jit):
    expected = pair.expected[f"pauc_bootstrap_{focus}"]
    bounds = {axis: (0, 0.1) if axis == "fpr" else (0.9, 1)}
    result = fc.partial_auc_test(pair.y, pair.a, pair.b, method="normal", rng=1, **bounds)
    # pROC's standard deviation of 2000 replicates is itself uncertain by 1.6%
    assert result.statistic == pytest.approx(expected["d"], rel=0.06)
    assert result.pvalue == pytest.approx(expected["p"], abs=0.03)


def test_proc_made_some_of_those_tests():
    assert len(PROC_BOOTSTRAPS) >= 1


@pytest.mark.slow
def test_the_whole_range_has_the_replicates_of_the_auc():
    labels, (a, b) = example()
    for options in ({"stratified": True}, {"stratified": False}, {"groups": np.arange(100) // 4}):
        for method in ("percentile", "basic", "bca", "normal"):
            same = {"n_resamples": 99, "rng": 5, "method": method, "keep": True, **options}
            whole = fc.partial_auc_test(labels, a, b, fpr=(0, 1), **same)
            expected = fc.bootstrap_auc_test(labels, a, b, **same)
            assert_allclose(whole.distribution, expected.distribution, rtol=1e-12, atol=1e-15)
            assert whole.estimate == pytest.approx(expected.estimate, rel=1e-12)
            assert whole.pvalue == pytest.approx(expected.pvalue, rel=1e-3)
            assert_allclose(whole.confidence_interval(), expected.confidence_interval(), atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
def test_exchanged_models_negate_the_difference(name):
    labels, (a, b) = example(12, 15)
    options = {"n_resamples": 199, "rng": 1, **options_of(name)}
    test = MEASURES[name].test
    one, other = test(labels, a, b, **options), test(labels, b, a, **options)
    assert (one.estimate, one.pvalue) == (-other.estimate, other.pvalue)
    low, high = other.confidence_interval()
    assert tuple(one.confidence_interval()) == (-high, -low)
    one = test(labels, a, b, alternative="greater", margin=0.01, **options)
    other = test(labels, b, a, alternative="less", margin=0.01, **options)
    assert one.pvalue == other.pvalue


@pytest.mark.slow
@settings(max_examples=25)
@given(case=scored_cases(k=2), name=st.sampled_from(sorted(MEASURES)), seed=st.integers(0, 99))
def test_only_the_order_of_scores_matters(case, name, seed):
    labels, (a, b) = case
    ranks = [np.unique(scores, return_inverse=True)[1] for scores in (a, b)]
    options = {"n_resamples": 64, "rng": seed, "on_undefined": "ignore", "keep": True}
    options |= options_of(name)
    one = MEASURES[name].test(labels, a, b, **options)
    other = MEASURES[name].test(labels, np.exp(ranks[0] / 9), ranks[1], **options)
    assert_array_equal(one.distribution, other.distribution)
    assert_array_equal([one.estimate, one.pvalue], [other.estimate, other.pvalue])


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "normal"])
def test_models_that_order_alike_do_not_differ(name, method):
    labels, (a, _) = example(8, 9)
    options = {"n_resamples": 65, "rng": 0, "method": method, **options_of(name)}
    result = MEASURES[name].test(labels, a, 3 * a, **options)
    assert (result.estimate, result.pvalue, result.status) == (0.0, 1.0, "identical")
    low, high = result.confidence_interval()
    assert -low == high > 0.0


@pytest.mark.slow
@pytest.mark.parametrize("name", MEASURES)
def test_the_same_seed_gives_the_same_bits_for_any_workers(name):
    labels, (a, b) = example(20, 20)
    options = {"n_resamples": 300, "method": "bca", "rng": 7, "keep": True, **options_of(name)}
    one = MEASURES[name].test(labels, a, b, **options)
    with ThreadPoolExecutor(2) as pool:
        others = [
            MEASURES[name].test(labels, a, b, n_jobs=2, **options),
            MEASURES[name].test(labels, a, b, executor=pool, **options),
        ]
    for other in others:
        assert_array_equal(one.distribution, other.distribution)
        assert one.to_dict() == other.to_dict()
    fewer = MEASURES[name].test(labels, a, b, **{**options, "n_resamples": 70})
    assert_array_equal(fewer.distribution, one.distribution[:70])


@pytest.mark.parametrize("name", MEASURES)
def test_tests_of_curves_draw_the_same_replicates_in_other_processes(name):
    labels, (a, b) = example(5, 6)
    options = {"n_resamples": 99, "rng": 0, "keep": True, **options_of(name)}
    here = MEASURES[name].test(labels, a, b, **options)
    there = MEASURES[name].test(labels, a, b, **options, executor=PicklingExecutor())
    assert_array_equal(there.distribution, here.distribution)


@pytest.mark.slow
def test_interval_and_pvalue_agree():
    labels, (a, b) = example(7, 8)
    for name, functions in MEASURES.items():
        for method in ("percentile", "basic", "bca", "normal"):
            options = {"n_resamples": 199, "rng": 3, "method": method, **options_of(name)}
            result = functions.test(labels, a, 0.3 * a + b, **options)
            for alpha in (0.01, 0.05, 0.2, 0.5):
                low, high = result.confidence_interval(1 - alpha)
                assert (result.pvalue <= alpha) == (not low <= 0.0 <= high), (name, method, alpha)


@pytest.mark.slow
def test_replicates_tie_with_the_margin_as_fractions_do_in_sensitivity_at_specificity_test():
    labels, (a, b) = example(10, 10, seed=2)
    options = {"specificity": 0.7, "rng": 0, "n_resamples": 499, "keep": True}
    for alternative, sign in (("less", 1), ("greater", -1)):
        for margin in (0.1, 0.2, 0.3):
            result = fc.sensitivity_at_specificity_test(
                labels, a, b, alternative=alternative, margin=margin, **options
            )
            tenths = np.round(10 * result.distribution)
            assert_allclose(result.distribution, tenths / 10, atol=1e-12)
            beyond = np.count_nonzero(sign * tenths >= round(10 * margin))
            assert result.pvalue == (1 + beyond) / 500


@pytest.mark.slow
def test_values_stay_within_their_bounds():
    labels, (a, b) = example(6, 7)
    width = fc.partial_auc_test(
        labels, a, -a, fpr=(0.2, 0.5), rng=0, n_resamples=99, method="normal"
    )
    assert width.bounds == pytest.approx((-0.3, 0.3))
    scaled = fc.partial_auc_interval(
        labels, a, fpr=(0.2, 0.5), standardized=True, rng=0, n_resamples=99
    )
    assert scaled.bounds[1] == 1.0
    assert scaled.bounds[0] == pytest.approx((1 - 0.105 / 0.195) / 2)
    for name, functions in MEASURES.items():
        result = functions.interval(
            labels, b, rng=0, n_resamples=99, method="normal", **options_of(name)
        )
        low, high = result.confidence_interval(0.9999)
        assert result.bounds[0] <= low <= result.estimate <= high <= result.bounds[1]
        assert tuple(result.confidence_interval(0.5)) != (low, high)


@pytest.mark.parametrize(
    ("labels", "status"),
    [([0, 0, 0, 0], "one_class"), ([1, 0, 0, 0], "too_few"), ([1, 1, 0, 1], "too_few")],
)
@pytest.mark.parametrize("name", MEASURES)
def test_too_few_cases_have_neither_interval_nor_pvalue(name, labels, status):
    functions, options = MEASURES[name], {"rng": 0, "n_resamples": 99, **options_of(name)}
    a, b = [1.0, 2.0, 3.0, 4.0], [1.0, 3.0, 2.0, 0.0]
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        interval = functions.interval(labels, a, **options)
    assert np.isnan(interval.confidence_interval()).all()
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        result = functions.test(labels, a, b, **options)
    assert math.isnan(result.pvalue)
    assert np.isnan(result.confidence_interval()).all()
    assert interval.status == result.status == status
    with pytest.raises(fc.UndefinedResultError):
        functions.test(labels, a, b, on_undefined="raise", **options)


def test_replicates_that_do_not_vary_are_told():
    labels = np.repeat([0, 1], 20)
    with pytest.warns(fc.UndefinedResultWarning, match="no_variation"):
        interval = fc.average_precision_interval(
            labels, labels, rng=0, n_resamples=99, method="bca"
        )
    assert np.isnan(interval.confidence_interval()).all()
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        result = fc.partial_auc_test(labels, labels, -labels, rng=0, n_resamples=99)
    assert result.estimate == pytest.approx(0.1)
    assert math.isnan(result.pvalue)
    with pytest.warns(fc.UndefinedResultWarning, match="too_few_resamples"):
        fc.average_precision_interval(labels, np.arange(40) % 7, rng=0, n_resamples=1, method="bca")


@pytest.mark.slow
def test_replicates_without_a_class_are_left_out_in_average_precision_interval():
    labels, (a, _) = example(2, 4)
    result = fc.average_precision_interval(
        labels, a, stratified=False, rng=0, n_resamples=2000, keep=True
    )
    absent = (4 / 6) ** 6 + (2 / 6) ** 6
    assert result.n_left_out == pytest.approx(2000 * absent, rel=0.3)
    assert result.distribution.size == result.n_resamples == 2000 - result.n_left_out


def test_results_tell_what_was_measured():
    labels, (a, b) = example(10, 10)
    result = fc.partial_auc_test(
        labels, a, b, tpr=(0.9, 1), rng=0, n_resamples=99, standardized=True
    )
    assert "standardized partial AUC for TPR from 0.9 to 1" in result.summary()
    assert f"p = {result.pvalue:.4f}" in result.summary()
    claim = fc.average_precision_test(
        labels, a, b, alternative="equivalence", margin=0.2, rng=0, n_resamples=99
    ).summary()
    assert "90% CI" in claim
    assert "|difference| < 0.2" in claim
    interval = fc.sensitivity_at_specificity_interval(
        labels, a, specificity=0.8, rng=0, n_resamples=99
    )
    assert interval.summary().startswith("The sensitivity at specificity 0.8 is ")
    assert interval.to_dict()["confidence_interval"] == list(interval.confidence_interval())
    assert "_tails" not in str(interval) + str(interval.to_dict())


def test_no_replicate_is_a_negative_zero_in_sensitivity_at_specificity_interval():
    labels, scores = [0, 0, 1, 1], [1.0, 3.0, 2.0, 4.0]
    result = fc.sensitivity_at_specificity_interval(
        labels, scores, specificity=1, n_resamples=99, rng=0, keep=True, method="percentile"
    )
    zeros = result.distribution[result.distribution == 0.0]
    assert zeros.size > 0
    assert not np.signbit(zeros).any()


def test_intervals_of_clusters_are_bca_for_areas_and_percentiles_for_points(requires_jit):
    labels, (scores,) = example(k=1)
    options = {"n_resamples": 199, "rng": 0, "groups": np.arange(100) // 2}
    for interval, own, method in (
        (fc.average_precision_interval, {}, "bca"),
        (fc.partial_auc_interval, {"tpr": (0.5, 1)}, "bca"),
        (fc.sensitivity_at_specificity_interval, {"specificity": 0.8}, "percentile"),
    ):
        found = interval(labels, scores, **own, **options)
        named = interval(labels, scores, method=method, **own, **options)
        assert found.method == named.method
        assert found.confidence_interval() == named.confidence_interval()
