"""Tables of one metric, a row a fold or data set and a column a model."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import fastcompare as fc
from fastcompare._inputs.models import as_model_table

ROWS = {"rows": "data sets"}
TABLE = [[1.0, 2.0], [3.0, 5.0], [4.0, 4.0]]


@pytest.mark.parametrize(
    "scores",
    [
        TABLE,
        np.asfortranarray(TABLE),
        np.array(TABLE, dtype=np.uint8),
        {"model 1": [1, 3, 4], "model 2": [2, 5, 4]},
        pd.DataFrame(TABLE, columns=["model 1", "model 2"]),
        pl.DataFrame(TABLE, schema=["model 1", "model 2"], orient="row"),
    ],
    ids=["list", "fortran", "uint8", "mapping", "pandas", "polars"],
)
def test_every_container_gives_the_same_table(scores):
    values, names, dropped, *_ = as_model_table(scores, **ROWS)
    assert values.tolist() == TABLE
    assert values.flags.c_contiguous
    assert (names, dropped) == (("model 1", "model 2"), 0)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1.0, 2.0], "must be a table with data sets in rows and models in columns"),
        ([[1.0, 2.0]], "at least 2 data sets without missing values, got 1"),
        ([[1.0], [2.0]], "at least 2 models"),
        ({"a": [1, 2], "b": [1, 2, 3]}, "a column of 2 numbers for each model"),
        ({"a": [[1, 2]], "b": [[1, 2]]}, "for each model"),
        ([[1.0, np.inf], [2.0, 3.0]], "finite numbers, got inf of 'model 2' in row 0"),
        ([[1.0, 2.0], [np.nan, 3.0]], r"\b1 missing value .* of 'model 1' in row 1"),
    ],
)
def test_a_table_that_cannot_be_meant_is_refused(scores, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        as_model_table(scores, **ROWS)


def test_rows_that_miss_a_value_are_left_out_for_all_models_on_request():
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 4 data sets dropped"):
        values, _, dropped, _ = as_model_table([[np.nan, 9.0], *TABLE], nan_policy="omit", **ROWS)
    assert (values.tolist(), dropped) == (TABLE, 1)


def test_missing_and_infinite_values_are_kept_where_the_test_can_use_them():
    given = [[np.nan, np.inf], *TABLE]
    values = as_model_table(given, keep_missing=True, finite=False, **ROWS).values
    np.testing.assert_array_equal(values, given)


def test_words_are_not_numbers():
    with pytest.raises(fc.InvalidTypeError, match="real numbers"):
        as_model_table([["a", "b"], ["c", "d"]], **ROWS)


@pytest.mark.parametrize("make", [np.array, pd.Series, pl.Series])
@pytest.mark.parametrize(
    "test",
    [
        fc.friedman_test,
        fc.rm_anova_test,
        fc.mean_omnibus_test,
        fc.leaderboard,
        lambda scores: fc.compare(scores, kind="items"),
        lambda correct: fc.cochran_q_test(correct=correct),
    ],
)
def test_a_list_of_arrays_is_refused_since_each_may_be_a_model(test, make):
    """NumPy takes each for a row: ten models on three data sets, say."""
    columns = np.random.default_rng(2).integers(0, 2, (3, 10)) * 1.0
    columns[:, 0] = 0, 1, 0
    with pytest.raises(fc.InvalidTypeError, match=r"got a list of 3 arrays\. If each is a model"):
        test([make(column) for column in columns])
    both = [test(np.column_stack([*columns])), test(dict(zip("abc", columns, strict=True)))]
    assert len({str(result.to_dict().get("pvalue")) for result in both}) == 1
    test(columns.T.tolist())  # lists of numbers are rows
