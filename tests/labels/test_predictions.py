"""Predicted labels of any kind: what is accepted, what is refused, what equals what."""

import hashlib
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._inputs.predictions import as_predictions, as_several_predictions, codes, correct
from tests.reference import labels as reference

Y = ["cat", "dog", "dog", "cow", "cat"]
A = ["cat", "dog", "cat", "cow", "cow"]
B = ["cat", "cow", "dog", "cat", "cow"]
WANT = (1, 2, 1, 1)
NUMBERS = {"cat": 0, "dog": 1, "cow": 2}
CONTAINERS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "objects": lambda labels: np.array(labels, dtype=object),
    "bytes": lambda labels: np.array(labels).astype("S"),
    "StringDType": lambda labels: np.array(labels, dtype=np.dtypes.StringDType()),
    "column": lambda labels: np.array(labels)[:, None],
    "pandas": pd.Series,
    "pandas strings": lambda labels: pd.Series(labels, dtype="string"),
    "pandas categories": lambda labels: pd.Series(labels, dtype="category"),
    "polars": pl.Series,
    "polars categories": lambda labels: pl.Series(labels, dtype=pl.Categorical),
    "pyarrow": pa.array,
    "dictionary": lambda labels: pa.array(labels).dictionary_encode(),
    "int64": lambda labels: np.array([NUMBERS[label] for label in labels]),
    "int8": lambda labels: np.array([NUMBERS[label] for label in labels], np.int8),
    "uint64": lambda labels: np.array([2**64 - 1 - NUMBERS[x] for x in labels], np.uint64),
    "float": lambda labels: np.array([float(NUMBERS[label]) for label in labels]),
    "big-endian": lambda labels: np.array([NUMBERS[label] for label in labels], ">i4"),
    "strided": lambda labels: np.array([NUMBERS[label] for label in labels]).repeat(2)[::2],
}


def four(found):
    return found.n11, found.n10, found.n01, found.n00


@pytest.mark.parametrize("container", CONTAINERS)
def test_every_container_and_kind_of_label_counts_alike_in_contingency_table(container):
    make = CONTAINERS[container]
    assert (
        four(fc.contingency_table(make(Y), make(A), make(B))) == WANT == reference.counts(Y, A, B)
    )


@pytest.mark.parametrize("make", [bool, int, float, np.uint8])
def test_two_classes_may_be_booleans_or_numbers_and_mixed_in_contingency_table(make):
    y, a, b = [0, 1, 1, 0], [0, 0, 1, 1], [0, 1, 0, 1]
    as_type = [np.array(a, dtype=make), np.array(b, dtype=make)]
    assert four(fc.contingency_table(y, *as_type)) == reference.counts(y, a, b)
    assert four(fc.contingency_table(np.array(y, bool), *as_type)) == reference.counts(y, a, b)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(*[st.integers(-2, 3)] * 3), min_size=1, max_size=30))
def test_counts_and_codes_are_those_of_python_in_contingency_table(rows):
    y, a, b = (np.array(column) for column in zip(*rows, strict=True))
    assume({*y, *a, *b} != {-1, 0, 1})  # may be two codings of two classes
    assume(all({*y} & {*column} for column in (a, b)))  # else the classes never meet
    assert four(fc.contingency_table(y, a, b)) == reference.counts(y, a, b)
    found = codes(as_predictions(y, y_pred_a=a, y_pred_b=b))
    assert found.classes == tuple(sorted({*y.tolist(), *a.tolist(), *b.tolist()}))
    classes = np.array(found.classes)
    np.testing.assert_array_equal(classes[found.truth], y)
    np.testing.assert_array_equal(classes[found.predicted], [a, b])


@pytest.mark.parametrize("kind", ["strings", "floats", "far apart", "beyond 2^63"])
def test_codes_number_the_sorted_classes(kind):
    values = {
        "strings": np.array(["b", "a", "c"]),
        "floats": np.array([2.0, -1.0, 7.0]),
        "far apart": np.array([5, -(2**60), 2**60]),
        "beyond 2^63": np.array([2**63 + 1, 2**63, 2**64 - 1], np.uint64),
    }[kind]
    found = codes(as_predictions(values[[0, 1, 2]], table={"m": values[[1, 1, 0]]}))
    assert found.classes == tuple(np.sort(values).tolist())
    assert found.truth.tolist() == [1, 0, 2]
    assert found.predicted.tolist() == [[0, 0, 1]]


TABLES = {
    "array": lambda a, b: np.array([a, b]).T,
    "list": lambda a, b: [list(row) for row in zip(a, b, strict=True)],
    "mapping": lambda a, b: {"model 1": a, "model 2": b},
    "pandas": lambda a, b: pd.DataFrame({"model 1": a, "model 2": b}),
    "polars": lambda a, b: pl.DataFrame({"model 1": a, "model 2": b}),
    "pyarrow": lambda a, b: pa.table({"model 1": a, "model 2": b}),
}


@pytest.mark.parametrize("kind", TABLES)
def test_tables_of_models_are_read_by_column(kind):
    found = as_predictions(Y, table=TABLES[kind](A, B))
    assert found.names == ("model 1", "model 2")
    assert correct(found).tolist() == [[1, 1, 0, 1, 0], [1, 0, 1, 0, 0]]


REFUSED = {
    "probabilities": ([0, 1, 1], [0.2, 0.9, 0.4], [0, 1, 1], "threshold them first"),
    "continuous truth": ([0.5, 1, 0], [1, 1, 0], [0, 1, 1], "`y_true` must contain labels"),
    "infinite": ([0, 1, 1], [0, np.inf, 1], [0, 1, 1], "infinite"),
    "strings against numbers": (["1", "0"], [1, 0], [0, 1], "strings"),
    "bytes against strings": (["a", "b"], [b"a", b"b"], ["a", "b"], "bytes"),
    "a string that looks like a number": ([1, 0], ["1", "0"], [1, 0], "contains strings"),
    "two codings": ([0, 1, 1], [-1, 1, 1], [0, 1, 1], "coded in different ways"),
    "booleans and more": ([True, False], [1, 2], [1, 0], "coded in different ways"),
    "a shorter column": ([0, 1, 1], [0, 1], [0, 1, 1], "`y_pred_a` must have one value"),
    "one-hot": ([0, 1], [[1, 0], [0, 1]], [0, 1], "one-hot"),
    "empty": ([], [], [], "0 samples"),
    "None": ([0, 1, 1], [0, None, 1], [0, 1, 1], r"\b1 missing value .* index 1"),
    "NaN": ([0, 1, np.nan], [0, 1, 1], [0, 1, 1], "`y_true` has 1 missing"),
    "wide integers and floats": ([2**53 + 1, 1], [float(2**53), 1], [1, 1], "beyond 2\\^53"),
    "other indexes": (
        pd.Series([0, 1]),
        pd.Series([0, 1], index=[1, 0]),
        pd.Series([0, 1]),
        "different indexes",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_meaningless_labels_are_refused(what):
    y, a, b, message = REFUSED[what]
    for call in (fc.contingency_table, fc.mcnemar_test):
        with pytest.raises(fc.InvalidValueError, match=message):
            call(y, a, b)


@pytest.mark.parametrize("labels", [[1, "1"], np.array([True, 1], dtype=object), {0, 1}, [1j, 0]])
def test_other_objects_are_no_labels_in_contingency_table(labels):
    with pytest.raises(fc.InvalidTypeError, match="y_pred_a"):
        fc.contingency_table([1, 0], labels, [1, 0])


def test_three_classes_may_include_minus_one_in_contingency_table():
    y, a, b = [-1, 0, 1, 0], [-1, 1, 1, 0], [0, 0, 1, 1]
    assert four(fc.contingency_table(y, a, b)) == reference.counts(y, a, b)


@pytest.mark.parametrize("kind", ["list", "float", "pandas", "polars"])
def test_missing_labels_leave_out_whole_cases_in_mcnemar_test(kind):
    y, a, b = [0, 1, 1, 0, None], [0, 1, None, 1, 1], [0, 0, 1, 0, 1]
    make = {
        "list": list,
        "float": lambda x: np.array(x, dtype=float),
        "pandas": lambda x: pd.Series(x, dtype="Int64"),
        "polars": pl.Series,
    }[kind]
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 5") as record:
        found = fc.mcnemar_test(make(y), make(a), make(b), nan_policy="omit")
    assert record[0].filename == __file__
    assert (found.n11, found.n10, found.n01, found.n00) == (1, 1, 1, 0)
    assert found.n_dropped == 2


def test_missing_labels_leave_out_the_cases_of_all_models():
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 3"):
        found = as_predictions(
            [0, 1, 1],
            table={"a": [0, None, 1], "b": [0, 1, 1]},
            nan_policy="omit",
            groups=[1, 2, 3],
        )
    assert found.n_dropped == 1
    assert found.groups.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.eye(3), "square"),
        (np.zeros((2, 3)), "transpose"),
        ({"a": [0, 1, 0.5], "b": [0, 1, 1]}, r"predictions\['a'\].*threshold"),
        (np.array([[0, 0.3], [1, 1], [1, 1]]), r"predictions\[:, 1\].*threshold"),
        ({"a": [0, 1]}, r"predictions\['a'\]"),
        ({}, "at least one model"),
    ],
)
def test_meaningless_tables_are_refused(table, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        as_predictions([0, 1, 1], table=table)


def test_nothing_of_the_callers_changes():
    columns = [np.array(labels) for labels in (Y, A, B)]
    before = [hashlib.sha256(column.tobytes()).hexdigest() for column in columns]
    for column in columns:
        column.setflags(write=False)
    fc.mcnemar_test(*columns)
    fc.bowker_test(*columns[1:])
    assert [hashlib.sha256(column.tobytes()).hexdigest() for column in columns] == before


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint16, ">i4", bool])
@settings(max_examples=40, deadline=None)
@given(rows=st.lists(st.tuples(*[st.sampled_from([-2, -1, 0, 1, 255])] * 3), max_size=8))
def test_arrays_of_one_integer_type_are_read_like_any_labels_in_contingency_table(dtype, rows):
    columns = np.array(rows, np.int64).reshape(-1, 3).astype(dtype).T
    assert outcome_of(*columns) == outcome_of(*map(np.ndarray.tolist, columns))
    if len(rows):
        held = [np.repeat(labels, 2)[::2] for labels in columns]
        assert outcome_of(*held) == outcome_of(*columns)


def outcome_of(*columns):
    try:
        found = fc.contingency_table(*columns)
    except fc.InvalidValueError as error:
        return str(error)
    return four(found), found.names, found.n_dropped


@pytest.mark.parametrize("n", [10, 4_000, 100_000])
def test_codings_that_clash_are_found_in_samples_in_contingency_table(n):
    y = np.random.default_rng(0).integers(0, 2, n)
    for columns in ((y, 2 * y - 1, y), (2 * y - 1, y, y), (y, y, 2 * y - 1)):
        with pytest.raises(fc.InvalidValueError, match="coded in different ways"):
            fc.contingency_table(*columns)
        with pytest.raises(fc.InvalidValueError, match="coded in different ways"):
            fc.contingency_table(*(labels.astype(float) for labels in columns))


def test_a_single_label_shows_how_a_short_column_is_coded_in_contingency_table():
    y, a = np.arange(2_000) % 2, np.ones(2_000, int)
    a[777] = -1
    with pytest.raises(fc.InvalidValueError, match="coded in different ways"):
        fc.contingency_table(y, a, y)


def test_the_way_to_one_coding_is_stated_and_works_in_mcnemar_test():
    """-1 is the negative class, or that of outliers, or no vote: it is not guessed which."""
    y, a, b = np.array([[0, 1, 1, 0, 1, 0], [1, 1, 1, 0, 1, 0], [-1, -1, 1, -1, 1, 1]])
    says = "use one coding, 0 for -1, or 1 for -1 and 0 for 1 where -1 is the positive class"
    with pytest.raises(fc.InvalidValueError, match=says):
        fc.mcnemar_test(y, a, b)
    for recoded in (np.where(b == -1, 0, b), np.where(b == -1, 1, 0)):
        result = fc.mcnemar_test(y, a, recoded)
        assert result.n11 + result.n10 + result.n01 + result.n00 == 6
    answered = b == 1
    assert np.isfinite(fc.mcnemar_test(y[answered], a[answered], b[answered]).pvalue)


def test_three_classes_may_have_negative_labels_in_contingency_table():
    y, a = np.array([0, 1, 2, 1]), np.array([-1, 1, 2, 1])
    assert four(fc.contingency_table(y, a, y)) == (3, 0, 1, 0)


def test_results_know_their_accuracies_when_asked():
    y, a, b = np.array([0, 1, 1, 0]), np.array([0, 1, 0, 0]), np.array([1, 1, 0, 1])
    for test in (fc.mcnemar_test, fc.contingency_table):
        found = test(y, a, b)
        y_before = y.copy()
        y[:] = 7
        assert found.accuracy.tolist() == [0.75, 0.25]
        assert found.to_dict()["accuracy"] == [0.75, 0.25]
        assert pickle.loads(pickle.dumps(test(y_before, a, b))).accuracy.tolist() == [0.75, 0.25]
        y[:] = y_before


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint8, bool])
@settings(max_examples=40, deadline=None)
@given(
    rows=st.lists(st.lists(st.sampled_from([-1, 0, 1, 255]), min_size=5, max_size=5), max_size=8),
    width=st.integers(2, 5),
)
def test_tables_of_one_integer_type_are_read_like_any_table(dtype, rows, width):
    table = np.array(rows, np.int64).reshape(-1, 5).astype(dtype)[:, :width]
    y, predictions = table[:, 0], table[:, 1:]
    named = {f"model {j + 1}": predictions[:, j] for j in range(width - 1)}
    lists = {name: labels.tolist() for name, labels in named.items()}
    want = table_outcome(y.tolist(), lists)
    square = len(rows) == width - 1 and width > 2  # an array tells no names, so it is ambiguous
    assert table_outcome(y, named) == want
    for held in (predictions, np.asfortranarray(predictions), predictions.repeat(2, 0)[::2]):
        found = table_outcome(y, held)
        assert "square" in found if square else comparable(found) == comparable(want)


def table_outcome(y, predictions):
    try:
        found = as_several_predictions(y, predictions, "raise")
    except fc.InvalidValueError as error:
        return str(error)
    return correct(found).tolist(), found.names


def comparable(outcome):
    """Return the outcome without what errors call a column."""
    if isinstance(outcome, str):
        return re.sub(r"predictions\[[^]]*\]", "a column", outcome)
    return outcome
