"""Values of partial AUC, sensitivity, specificity and average precision, and their replicates."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

import fastcompare as fc
from fastcompare._base.parallel import no_checkpoint
from fastcompare._inputs.pictures import DEFAULT_RANGE
from fastcompare._inputs.scores import as_cases
from fastcompare._resampling.bootstrap import snap_to_points
from fastcompare.auc._bootstrap_walks import resampling_units
from fastcompare.auc._curve_statistics import (
    PRECISION,
    Measure,
    area_measure,
    curve_statistic,
    curve_values,
    difference_of_two,
    sensitivity_measure,
    specificity_measure,
)
from tests.reference import curves as reference
from tests.shared.curve_measures import MEASURES, options_of
from tests.shared.golden_files import PROC
from tests.shared.strategies import scored_cases

Y = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
B = [0.3, 0.6, 0.2, 0.1, 0.1, 0.9, 0.23, 0.7, 0.9, 0.4, 0.77, 0.3, 0.89]
RANGES = st.tuples(st.integers(0, 40), st.integers(0, 40)).filter(lambda r: r[0] < r[1])
THOUSANDTHS = RANGES.map(lambda r: (25 * r[0], 25 * r[1]))  # of 1/40: corners are often hit
BUILDERS = {
    "fpr": lambda low, high: area_measure((low, high), None, False),
    "tpr": lambda low, high: area_measure(DEFAULT_RANGE, (low, high), False),
    "sensitivity": lambda low, high: sensitivity_measure(high),
    "specificity": lambda low, high: specificity_measure(high),
    "precision": lambda low, high: PRECISION,
}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"fpr": (0, 0.2)}, 0.0309524),
        ({"fpr": (0, 0.2), "standardized": True}, 0.530423),
        ({"tpr": (0.8, 1)}, 0.101905),
        ({"tpr": (0.8, 1), "standardized": True}, 0.727513),
    ],
)
def test_partial_areas_are_those_of_the_formula_sheet_in_partial_auc(options, expected):
    assert fc.partial_auc(Y, B, **options) == pytest.approx(expected, rel=5e-6)


@pytest.mark.parametrize("name", PROC)
@pytest.mark.parametrize("corrected", [False, True])
@pytest.mark.parametrize(("focus", "axis"), [("spec", "fpr"), ("sens", "tpr")])
def test_partial_areas_are_those_of_proc_in_partial_auc(name, corrected, focus, axis):
    bounds = (0, 0.1) if axis == "fpr" else (0.9, 1)
    for model, single in PROC[name]["single"].items():
        expected = single[f"pauc_{focus}_100_90" + "_corrected" * corrected]
        scores = PROC[name]["scores"][model]
        found = fc.partial_auc(PROC[name]["y"], scores, **{axis: bounds}, standardized=corrected)
        if expected is None:  # pROC gives none below chance
            assert found < 0.5
        else:
            assert found == pytest.approx(expected, rel=1e-12, abs=1e-15)


@pytest.mark.slow
@settings(max_examples=80)
@given(case=scored_cases(k=1, smallest=1, largest=20), thousandths=THOUSANDTHS)
def test_values_are_those_of_the_definitions(case, thousandths):
    labels, (scores,) = case
    expected = reference.by_hand(labels, scores, thousandths)
    low, high = thousandths
    near = 1e-11 / (high - low)  # 1e-14 over the width of the range, which standardizing divides by
    for name, functions in MEASURES.items():
        found = functions.value(labels, scores, **options_of(name, thousandths))
        assert found == pytest.approx(float(expected[name]), rel=1e-12, abs=near), name


def test_scikit_learn_agrees_on_large_samples():
    rng = np.random.default_rng(5)
    for decimals in (1, 9):
        labels = rng.random(800) < 0.3
        scores = (rng.normal(size=800) + labels).round(decimals)
        for high in (0.05, 0.31, 1.0):
            found = fc.partial_auc(labels, scores, fpr=(0, high), standardized=high < 1.0)
            assert found == pytest.approx(roc_auc_score(labels, scores, max_fpr=high), rel=1e-12)
        assert fc.average_precision(labels, scores) == pytest.approx(
            average_precision_score(labels, scores), rel=1e-12
        )
        fpr, tpr, _ = roc_curve(labels, scores, drop_intermediate=False)
        found = fc.sensitivity_at_specificity(labels, scores, specificity=0.87654321)
        assert found == pytest.approx(np.interp(1 - 0.87654321, fpr, tpr), rel=1e-12)


@pytest.mark.slow
@settings(max_examples=50)
@given(case=scored_cases(k=1, smallest=1))
def test_the_whole_range_has_the_whole_area_to_the_bit(case):
    labels, (scores,) = case
    whole = fc.roc_auc(labels, scores)
    assert fc.partial_auc(labels, scores, fpr=(0, 1)) == whole
    assert fc.partial_auc(labels, scores, tpr=(0, 1)) == whole
    assert fc.partial_auc(labels, scores, fpr=(0, 1), standardized=True) == pytest.approx(whole)


def test_a_rate_that_means_a_whole_number_of_cases_finds_the_step():
    for count, ranks in ((10, range(1, 11)), (100, (1, 7, 14, 28, 29, 57, 58, 99))):
        labels, scores = np.r_[np.zeros(count), np.ones(count)], np.r_[0:count, 0:count] + 0.0
        scores[count:] += 0.5  # the curve is stairs, so that the wrong side of a step shows
        for rank in ranks:  # 0.29 of 100 negatives is below 29 in floating point
            rate, expected = rank / count, 1 - (rank - 1) / count
            found = fc.sensitivity_at_specificity(labels, scores, specificity=rate)
            assert found == pytest.approx(expected, abs=1e-12)
            found = fc.specificity_at_sensitivity(labels, scores, sensitivity=rate)
            assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    case=scored_cases(k=1, smallest=1, largest=12),
    thousandths=THOUSANDTHS,
    seed=st.integers(0, 1000),
)
def test_weighted_values_are_those_of_repeated_cases(case, thousandths, seed):
    labels, scores = case
    weights = np.random.default_rng(seed).poisson(1, (labels.size, 64)).astype(np.uint8)
    checked = as_cases(labels, scores=scores[0])
    for name, build in BUILDERS.items():
        measure = build(*(t / 1000 for t in thousandths))
        statistic = curve_statistic(measure, checked, resampling_units(checked, False))
        values = statistic(weights, no_checkpoint)
        wide = [curve._replace(rows=curve.rows.astype(np.int64)) for curve in statistic.curves]
        assert_array_equal(replace(statistic, curves=wide)(weights, no_checkpoint), values)
        for lane in range(0, 64, 9):
            drawn = np.repeat(labels, weights[:, lane])
            if set(drawn.tolist()) != {0, 1}:
                assert np.isnan(values[0, lane])
                continue
            repeated = np.repeat(scores[0], weights[:, lane])
            expected = reference.by_hand(drawn, repeated, thousandths)[name]
            assert_allclose(values[0, lane], float(expected), rtol=1e-12, atol=1e-14, err_msg=name)


def assert_same_bits(labels, scores, thousandths):
    """A value has the bits of the definition, summed in order; weights of 1 give it, too."""
    cases, rates = as_cases(labels, scores=scores), tuple(t / 1000 for t in thousandths)
    m, n = (int(np.count_nonzero(cases.labels == label)) for label in (1, 0))
    ones = np.ones((labels.size, 64), np.uint8)
    band = Measure("ROC curve", "height", (0.0, *rates, 1.0))
    for measure in (band, *(build(*rates) for build in BUILDERS.values())):
        walk = (1 - cases.labels, -cases.scores[0]) if measure.mirrored else (labels, scores)
        sums = reference.sums_in_doubles(measure.shape, measure.points, *walk)
        divisor = 2.0 * m * n if measure.shape == "area" else float(n if measure.mirrored else m)
        value = curve_values(measure, cases)
        assert_array_equal(value, measure.rescale(np.array(sums) / divisor), err_msg=measure.name)
        statistic = curve_statistic(measure, cases, resampling_units(cases, False))
        assert_array_equal(statistic.on_data(), value)
        weighted = statistic(ones, no_checkpoint)
        assert_allclose(weighted, np.tile(value[:, None], 64), rtol=1e-12, atol=1e-14)


@pytest.mark.slow
@settings(max_examples=60)
@given(case=scored_cases(k=1, smallest=1, largest=40), thousandths=THOUSANDTHS)
def test_values_are_those_of_the_definition_to_the_bit(case, thousandths):
    labels, (scores,) = case
    assert_same_bits(labels, scores, thousandths)


@pytest.mark.parametrize("n", [512, 3000])
@pytest.mark.parametrize(
    "spread",
    [
        lambda z: z,
        lambda z: z.round(2),
        lambda z: np.exp(30 * z),  # a linear map merges neighbours that their scores tell apart
        lambda z: 1 + z.round(1) * 1e-16,
        lambda z: z.astype(np.float32),
        lambda z: np.select([z < -1, z < 0, z < 1], [-np.inf, -0.0, 0.0], np.inf),
        lambda z: np.where(z < 0, z, 7),
    ],
)
def test_values_of_many_scores_are_those_of_the_definition(n, spread, requires_jit):
    rng = np.random.default_rng(n)
    labels = rng.random(n) < 0.3
    assert_same_bits(labels, spread(rng.normal(size=n) + labels), (130, 710))


def test_one_positive_or_one_negative_have_values_to_the_bit():
    scores = np.r_[0.5, 0.2:0.9:30j]
    for labels in (np.arange(31) == 0, np.arange(31) != 0):
        assert_same_bits(labels, scores, (0, 1000))


@settings(max_examples=30)
@given(case=scored_cases(k=1), name=st.sampled_from(sorted(MEASURES)))
def test_only_the_order_of_scores_matters(case, name):
    labels, (scores,) = case
    ranks = np.unique(scores, return_inverse=True)[1]
    value = MEASURES[name].value
    options = options_of(name, (0, 700))
    assert value(labels, scores, **options) == value(labels, ranks**3 - 7, **options)


@pytest.mark.slow
@settings(max_examples=30)
@given(case=scored_cases(k=1), thousandths=THOUSANDTHS)
def test_exchanged_classes_and_negated_scores_exchange_the_axes(case, thousandths):
    labels, (scores,) = case
    low, high = (t / 1000 for t in thousandths)
    mirrored = 1 - labels, -scores
    assert fc.partial_auc(labels, scores, tpr=(low, high)) == pytest.approx(
        fc.partial_auc(*mirrored, fpr=(1 - high, 1 - low)), rel=1e-12
    )
    assert fc.specificity_at_sensitivity(labels, scores, sensitivity=low) == (
        fc.sensitivity_at_specificity(*mirrored, specificity=low)
    )


@pytest.mark.parametrize("name", MEASURES)
def test_one_class_has_no_value(name):
    value, options = MEASURES[name].value, options_of(name)
    for labels in ([0, 0, 0], [1, 1, 1]):
        with pytest.warns(fc.UndefinedResultWarning, match="one_class"):
            assert np.isnan(value(labels, [1.0, 2.0, 3.0], **options))
        with pytest.raises(fc.UndefinedResultError):
            value(labels, [1.0, 2.0, 3.0], on_undefined="raise", **options)


def test_values_that_differ_by_rounding_are_equal():
    values = np.array([[0.3, 0.3, 1e-3], [0.1 + 0.2, 0.31, 1e-3 + 1e-14]])
    assert difference_of_two(values)[0] == 0.0
    assert_allclose(difference_of_two(values)[1:], [-0.01, -1e-14], rtol=1e-2)
    assert snap_to_points(np.array([0.1 + 0.2, 0.4]), (0.3,), 1e-12).tolist() == [0.3, 0.4]
