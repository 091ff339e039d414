"""Rates, ranges and grids that mean nothing are refused with a way out."""

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.curve_measures import MEASURES, options_of

Y, S = [0, 0, 1, 1], [1.0, 2.0, 3.0, 4.0]
RANGES = [
    ((0, 10), ValueError, r"`fpr\[1\]` must be from 0 to 1, got 10\. Did you mean 0\.1"),
    ((-0.1, 0.1), ValueError, r"`fpr\[0\]` must be from 0 to 1"),
    ((1, 0.9), ValueError, r"from a lower to a higher rate, got \(1, 0\.9\)\. A range of spec"),
    ((0.5, 0.5), ValueError, "from a lower to a higher rate"),
    ((1 - 2**-53, 1), ValueError, "`fpr` must be at least 1e-09 wide.*sensitivity_at_specificity"),
    ((0, float("nan")), ValueError, r"`fpr\[1\]` must be from 0 to 1, got nan"),
    ((0, 0.1, 0.2), ValueError, "two numbers.*got 3"),
    (0.1, TypeError, "`fpr` must be two numbers"),
    ("ab", TypeError, "`fpr` must be two numbers"),
    ((0, "1"), TypeError, r"`fpr\[1\]` must be a number"),
    ((False, True), TypeError, r"`fpr\[0\]` must be a number"),
    (None, TypeError, "`fpr` must be two numbers"),
]


@pytest.mark.parametrize(("bounds", "error", "message"), RANGES)
def test_ranges_are_checked(bounds, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.partial_auc(Y, S, fpr=bounds)
    assert isinstance(caught.value, fc.FastCompareError)
    if bounds is not None:
        with pytest.raises(error, match=message.replace("fpr", "tpr", 1)):
            fc.partial_auc_interval(Y, S, tpr=bounds)


def test_one_range_is_enough():
    for both in ((0.0, 0.5), (0.0, 0.1)):
        with pytest.raises(fc.InvalidValueError, match="cannot both be specified"):
            fc.partial_auc_test(Y, S, S, fpr=both, tpr=(0.9, 1))
    assert fc.partial_auc(Y, S, tpr=np.array([0.5, 1.0])) == 0.5
    assert fc.partial_auc(Y, S, fpr=[0, 1]) == 1.0


@pytest.mark.parametrize(
    ("rate", "error", "message"),
    [
        (90, ValueError, r"must be from 0 to 1, got 90\. Did you mean 0\.9\?"),
        (-0.5, ValueError, "must be from 0 to 1, got -0.5"),
        (float("nan"), ValueError, "must be from 0 to 1, got nan"),
        ("0.9", TypeError, "must be a number, got '0.9'"),
        ([0.9], TypeError, "must be a number"),
        (True, TypeError, "must be a number"),
    ],
)
def test_rates_are_checked(rate, error, message):
    with pytest.raises(error, match="`specificity` " + message):
        fc.sensitivity_at_specificity(Y, S, specificity=rate)
    with pytest.raises(error, match="`sensitivity` " + message):
        fc.specificity_at_sensitivity_test(Y, S, S, sensitivity=rate)


@pytest.mark.parametrize(
    ("grid", "error", "message"),
    [
        (1, ValueError, "at least 2 points, got 1"),
        (0.5, ValueError, "number of points or a 1-d array"),
        ([], ValueError, "number of points or a 1-d array"),
        ([[0.1]], ValueError, "number of points or a 1-d array"),
        ([0.1, 1.5], ValueError, "from 0 to 1, got 1.5 at index 1"),
        ([0.1, np.nan], ValueError, "from 0 to 1, got nan at index 1"),
        ([0.1, 0.3, 0.2], ValueError, "must be increasing, but is not at index 2.*numpy.unique"),
        ([0.1, 0.1], ValueError, "must be increasing, but is not at index 1"),
        (["a"], TypeError, "real numbers"),
    ],
)
def test_grids_are_checked_in_roc_curve_band(grid, error, message):
    with pytest.raises(error, match=message):
        fc.roc_curve_band(Y, S, fpr=grid)


@pytest.mark.parametrize("name", MEASURES)
def test_other_options_are_checked(name):
    functions, options = MEASURES[name], options_of(name)
    for wrong, message in (
        ({"method": "studentized"}, "`method` must be one of"),
        ({"n_resamples": 0}, "`n_resamples` must be at least 1"),
        ({"rng": -1}, "`rng` must be at least 0"),
        ({"groups": [1, 1, 1, 1]}, "`groups` must name >= 2 clusters"),
    ):
        with pytest.raises(fc.InvalidValueError, match=message):
            functions.interval(Y, S, **options, **wrong)
        with pytest.raises(fc.InvalidValueError, match=message):
            functions.test(Y, S, S, **options, **wrong)
    with pytest.raises(fc.InvalidValueError, match="`margin` needs a direction"):
        functions.test(Y, S, S, margin=0.1, **options)
    with pytest.raises(fc.InvalidValueError, match="`confidence_level`"):
        functions.interval(Y, S, confidence_level=95, **options)
    with pytest.raises(fc.InvalidValueError, match="`y_score_b` has 1 missing"):
        functions.test(Y, S, [np.nan, 1.0, 2.0, 3.0], **options)


def test_nothing_of_the_callers_changes():
    rng = np.random.default_rng(0)
    labels, scores, grid = rng.integers(0, 2, 40), rng.normal(size=40), np.array([0.1, 0.5])
    for array in (labels, scores, grid):
        array.flags.writeable = False
    state = np.random.get_state()[1].copy()  # noqa: NPY002
    fc.roc_curve_band(labels, scores, fpr=grid, n_resamples=64)
    fc.specificity_at_sensitivity_interval(labels, scores, sensitivity=0.5, n_resamples=64)
    assert (np.random.get_state()[1] == state).all()  # noqa: NPY002


def test_cases_with_missing_values_are_left_out_on_request_in_average_precision_interval():
    scores = [1.0, np.nan, 2.0, 3.0, 4.0, 2.5]
    labels = [0, 0, 0, 1, 1, 0]
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 6") as caught:
        result = fc.average_precision_interval(
            labels, scores, nan_policy="omit", n_resamples=64, rng=0, on_undefined="ignore"
        )
    assert caught[0].filename == __file__
    assert result.n_dropped == 1
    assert result.estimate == 1.0


def test_warnings_name_the_callers_line():
    for call in (
        lambda: fc.partial_auc([1, 1], [1.0, 2.0]),
        lambda: fc.average_precision_test([1, 1], [1.0, 2.0], [2.0, 1.0], rng=0),
        lambda: fc.roc_curve_band([1, 1], [1.0, 2.0], rng=0),
    ):
        with pytest.warns(fc.UndefinedResultWarning) as caught:
            call()
        assert caught[0].filename == __file__


@pytest.mark.parametrize(
    ("call", "option"),
    [("partial_auc", "standardized"), ("roc_curve_band", "simultaneous")],
)
def test_flags_are_true_or_false(call, option):
    with pytest.raises(TypeError, match=f"`{option}` must be True or False, got 'no'"):
        getattr(fc, call)(Y, S, **{option: "no"})


def test_a_grid_of_too_many_points_has_no_room_in_roc_curve_band():
    with pytest.raises(MemoryError, match="ask for fewer points"):
        fc.roc_curve_band(Y, S, fpr=10**30)


@pytest.mark.slow
def test_margins_are_below_the_greatest_difference_of_areas_in_partial_auc_test():
    y, scores = np.tile([0, 1], 20), np.random.default_rng(0).random((2, 40))
    claim = {"alternative": "greater", "rng": 0, "n_resamples": 99}
    for fpr, standardized, most in (((0, 0.2), False, "0.2"), ((0, 0.2), True, "0.555556")):
        options = {"fpr": fpr, "standardized": standardized, **claim}
        assert fc.partial_auc_test(y, *scores, margin=0.1, **options).margin == 0.1
        with pytest.raises(fc.FastCompareError, match=f"`margin` must be .* below {most}, got 0.6"):
            fc.partial_auc_test(y, *scores, margin=0.6, **options)
