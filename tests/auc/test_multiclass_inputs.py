import math

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc
from tests.shared.several_classes import AVERAGE, P, Y, sample


def test_renaming_and_reordering_the_classes_changes_nothing_in_multiclass_auc():
    y, (table,) = sample(np.random.default_rng(7), [20, 30, 25])
    want = fc.multiclass_auc(y, table)
    names = np.array(["lynx", "ant", "bee"])
    named = dict(zip(names.tolist(), table.T, strict=True))
    frame = pd.DataFrame(named)
    by_name = [
        fc.multiclass_auc(names[y], named),
        fc.multiclass_auc(names[y], frame),
        fc.multiclass_auc(names[y], pl.DataFrame(named)),
        fc.multiclass_auc(pd.Series(names[y], dtype="category"), frame[["bee", "ant", "lynx"]]),
        fc.multiclass_auc(names[y], table, classes=names),
        fc.multiclass_auc(names[y], table[:, [1, 2, 0]]),  # sorted: ant, bee, lynx
        fc.multiclass_auc(names[y], frame, classes=["bee", "lynx", "ant"]),
        fc.multiclass_auc(y.astype(float), {2: table[:, 2], 0: table[:, 0], "1": table[:, 1]}),
        fc.multiclass_auc(y, pd.DataFrame(table)),
    ]
    for result in by_name:
        assert_allclose(result.estimate, want.estimate, rtol=1e-15)
        assert_allclose(result.standard_error, want.standard_error, rtol=1e-13)
    assert by_name[0].classes == ("lynx", "ant", "bee")
    assert by_name[6].classes == ("bee", "lynx", "ant")
    assert_array_equal(by_name[6].n_per_class, [25, 20, 30])


def test_missing_values_leave_out_cases_in_both_models_in_multiclass_auc_test():
    y, (a, b) = sample(np.random.default_rng(10), [20, 30, 25], models=2)
    labels = [None if i == 3 else int(label) for i, label in enumerate(y)]
    a[5, 1] = math.nan
    b[70, 0] = math.nan
    kept = np.setdiff1d(np.arange(75), [3, 5, 70])
    want = fc.multiclass_auc_test(y[kept], a[kept], b[kept])
    with pytest.warns(fc.DroppedCasesWarning, match="3 of 75 cases dropped"):
        result = fc.multiclass_auc_test(labels, a, b, nan_policy="omit")
    assert (result.n_dropped, result.statistic) == (3, want.statistic)
    with pytest.raises(ValueError, match=r"`y_score_a\[:, 1\]` has 1 missing .* index 5"):
        fc.multiclass_auc_test(y, a, b)


def test_inputs_are_not_changed_in_multiclass_auc():
    y, (table,) = sample(np.random.default_rng(11), [5, 6, 7])
    before = y.copy(), table.copy()
    y.setflags(write=False)
    table.setflags(write=False)
    fc.multiclass_auc(y, table)
    assert_array_equal(y, before[0])
    assert_array_equal(table, before[1])


UNDEFINED = {
    "missing_class": ([0, 0, 0, 1, 1, 1], [0, 1, 2]),
    "too_few": ([0, 0, 0, 1, 1, 2], [0, 1, 2]),
}


@AVERAGE
@pytest.mark.parametrize("status", UNDEFINED)
def test_a_class_with_too_few_cases_is_a_status(average, status):
    y, classes = UNDEFINED[status]
    a, b = np.random.default_rng(12).normal(size=(2, 6, 3))
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        result = fc.multiclass_auc(y, a, classes=classes, average=average)
    assert result.status == status
    assert math.isnan(result.standard_error)
    assert np.isnan(result.confidence_interval()).all()
    assert math.isnan(result.estimate) == (status == "missing_class")
    assert np.isfinite(result.per_class).any() == (status != "missing_class" or "ovr" in average)
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        paired = fc.multiclass_auc_test(y, a, b, classes=classes, average=average)
    assert paired.status == status
    assert math.isnan(paired.pvalue)
    with pytest.raises(fc.UndefinedResultError, match=status):
        fc.multiclass_auc(y, a, classes=classes, average=average, on_undefined="raise")


def test_pairs_of_the_classes_that_occur_are_returned_in_multiclass_auc():
    scores = np.random.default_rng(13).normal(size=(6, 3))
    result = fc.multiclass_auc([0, 0, 0, 1, 1, 1], scores, classes=[0, 1, 2], on_undefined="ignore")
    assert_array_equal(np.isfinite(result.per_pair), [[0, 1, 0], [1, 0, 0], [0, 0, 0]])


@AVERAGE
def test_degenerate_scores_are_a_status(average):
    y = np.repeat([0, 1, 2], [12, 11, 10])
    perfect, constant = np.eye(3)[y], np.zeros((33, 3))
    cases = {"perfect_separation": (perfect, 1.0), "constant_scores": (constant, 0.5)}
    for status, (table, estimate) in cases.items():
        with pytest.warns(fc.UndefinedResultWarning, match=status):
            result = fc.multiclass_auc(y, table, average=average)
        assert (result.estimate, result.standard_error) == (estimate, 0.0)
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        result = fc.multiclass_auc_test(y, perfect, constant, average=average)
    assert result.statistic == math.inf
    assert math.isnan(result.pvalue)
    with pytest.warns(fc.UndefinedResultWarning, match="perfect_separation"):
        assert fc.multiclass_auc_test(y, perfect, 2 * perfect, average=average).pvalue == 1
    mixed = np.column_stack([perfect[:, 0], constant[:, 1:]])
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        assert fc.multiclass_auc(y, mixed, average=average).standard_error == 0


@AVERAGE
def test_limits_of_perfect_classes_are_those_of_a_share_without_failures_in_multiclass_auc(average):
    y = np.repeat([0, 1, 2], [12, 11, 10])
    perfect = np.eye(3)[y]
    for scores, ends in ((perfect, (10, 1)), (-perfect, (1, 10))):
        result = fc.multiclass_auc(y, scores, average=average, on_undefined="ignore")
        low, high = result.confidence_interval(0.9)
        beta = stats.beta(*ends)  # Clopper and Pearson's limit of 10 of 10, or 0 of 10
        exact = (beta.ppf(0.05), 1.0) if result.estimate else (0.0, beta.ppf(0.95))
        assert_allclose((low, high), exact, rtol=1e-12)


def test_failures_of_several_classes_are_counted_in_effective_cases_in_multiclass_auc_test():
    y = np.repeat([0, 1, 2], [30, 20, 16])
    close = np.eye(3)[y]
    close[::9] = close[::9, ::-1]
    with pytest.warns(fc.SmallSampleWarning, match="among these 24 effective ones"):
        fc.multiclass_auc_test(y, np.eye(3)[y], close)


COLUMNS = {0: [1] * 7, 1: [2] * 7, 3: [3] * 7}
BAD = [
    ({"y_true": []}, ValueError, "`y_true` must contain at least one case"),
    ({"y_true": P}, ValueError, "`y_true` must be 1-d"),
    ({"y_true": [0.1, 0.2, 0.3, 0.1, 0.5, 0.6, 0.7]}, ValueError, "labels and scores swapped"),
    ({"y_true": [0, 1, "a", 0, 1, 2, 2]}, TypeError, "`y_true` must contain numbers, or strings"),
    ({"y_true": Y[:6]}, ValueError, r"`y_score` must have shape \(6, c\).*got \(7, 3\)"),
    ({"y_true": [0] * 7}, ValueError, "`y_true` must contain two classes or more, found 0"),
    ({"y_score": np.transpose(P)}, ValueError, "Pass its transpose"),
    ({"y_score": [0.5] * 7}, ValueError, r"must have shape \(7, c\).*got \(7,\)"),
    ({"y_score": np.zeros((7, 4))}, ValueError, "column for each of the 3 classes 0, 1, 2, got 4"),
    ({"y_score": np.array(P, complex)}, TypeError, "real numbers"),
    ({"y_score": {0: [1] * 7, 1: [2] * 7}}, ValueError, "not in the columns of `y_score`: 2"),
    ({"y_score": {0: [1] * 7, "0": [2] * 7}}, ValueError, "columns of the same name: 0"),
    ({"y_score": {0: [1] * 7, 1: [2] * 7, 2: [3] * 6}}, ValueError, r"`y_score\[2\]`.* 7 labels"),
    ({"y_score": COLUMNS, "classes": [0, 1, 2]}, ValueError, "`y_score` has no column for 2"),
    ({"y_score": pl.DataFrame(np.array(P)).lazy()}, TypeError, "lazy LazyFrame"),
    ({"classes": [0, 1, 1]}, ValueError, "`classes` must contain every label once, got 0, 1, 1"),
    ({"classes": [0, 1]}, ValueError, "labels that are not in `classes`: 2"),
    ({"classes": ["0", "1", "2"]}, ValueError, "labels that are not in `classes`: 0, 1, 2"),
    ({"classes": "012"}, TypeError, "`classes` must be a list of labels"),
    ({"classes": {0, 1, 2}}, TypeError, "`classes` must be ordered"),
    ({"average": "macro"}, ValueError, "`average` must be one of 'hand-till'"),
    ({"method": "newcombe"}, ValueError, "`method` must be one of 'delong', 'logit'"),
    ({"confidence_level": 95}, ValueError, "Did you mean 0.95"),
    ({"nan_policy": "drop"}, ValueError, "`nan_policy`"),
]


@pytest.mark.parametrize(
    ("change", "error", "message"), BAD, ids=[message[:40] for *_, message in BAD]
)
def test_bad_inputs_are_refused_with_a_reason_in_multiclass_auc(change, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.multiclass_auc(**{"y_true": Y, "y_score": P, **change})
    assert isinstance(caught.value, fc.FastCompareError)


def test_the_second_model_needs_the_same_classes_in_multiclass_auc_test():
    b = {0: [1.0] * 7, 1: [2.0] * 7, 5: [3.0] * 7}
    with pytest.raises(ValueError, match="`y_score_b` has no column for 2"):
        fc.multiclass_auc_test(Y, P, b)


def test_rows_are_not_aligned_by_index_in_multiclass_auc():
    frame = pd.DataFrame(P, index=range(1, 8))
    with pytest.raises(ValueError, match="different indexes"):
        fc.multiclass_auc(pd.Series(Y), frame)
    with pytest.raises(ValueError, match=r"`y_score\[0\]` .*different indexes"):
        fc.multiclass_auc(pd.Series(Y), {i: frame[i] for i in range(3)})
