"""Long tables: a row an answer, joined by the labels of items, whatever the package."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import fastcompare as fc

ROWS = {
    "who": ["a", "b", "a", "b", "b", "a"],
    "id": [10, 10, 20, 30, 20, 30],
    "right": [1, 0, 1, 1, 0, 0],
    "passage": ["x", "x", "x", "y", "x", "y"],
    "counts": [1.0, 1.0, 2.0, 0.5, 2.0, 0.5],
    "kind": ["t", "t", "t", "u", "t", "u"],
}
ROLES = {"model": "who", "item": "id", "score": "right"}
EVERY = {**ROLES, "group": "passage", "weight": "counts", "task": "kind"}


@pytest.mark.parametrize("kind", [dict, pd.DataFrame, pl.DataFrame, pa.table])
def test_rows_become_a_column_a_model_in_from_long(kind):
    found = fc.from_long(kind(ROWS), **EVERY)
    assert (found.models, found.items) == (("a", "b"), (10, 20, 30))
    assert_array_equal(found.scores["a"], [1.0, 1.0, 0.0])
    assert_array_equal(found.scores["b"], [0.0, 0.0, 1.0])
    assert_array_equal(found.groups, ["x", "x", "y"])
    assert_array_equal(found.sample_weight, [1.0, 2.0, 0.5])
    assert_array_equal(found.task, ["t", "t", "u"])
    assert (found.n_missing, found.summary()) == ({"a": 0, "b": 0}, "2 models on 3 items.")
    assert json.loads(json.dumps(found.to_dict()))["scores"]["a"] == [1.0, 1.0, 0.0]


@pytest.mark.slow
@given(order=st.permutations(range(6)))
def test_the_order_of_rows_changes_the_order_of_items_alone_in_from_long(order):
    shuffled = {name: [values[row] for row in order] for name, values in ROWS.items()}
    found, wanted = fc.from_long(shuffled, **EVERY), fc.from_long(ROWS, **EVERY)
    place = [found.items.index(item) for item in wanted.items]
    for model in wanted.models:
        assert_array_equal(found.scores[model][place], wanted.scores[model])
    assert_array_equal(found.groups[place], wanted.groups)
    assert_array_equal(found.sample_weight[place], wanted.sample_weight)


def test_several_samples_and_missing_answers():
    rows = {
        "who": ["a", "a", "a", "b", "b"],
        "id": ["q1", "q1", "q2", "q1", "q2"],
        "try": [1, 2, 1, 1, 1],
        "right": [1, 0, 1, 0, np.nan],
    }
    found = fc.from_long(rows, **ROLES, sample="try")
    assert_array_equal(found.scores["a"], [[1.0, 0.0], [1.0, np.nan]])
    assert_array_equal(found.scores["b"], [[0.0, np.nan], [np.nan, np.nan]])
    assert found.n_missing == {"a": 0, "b": 1}
    assert found.summary() == (
        "2 models on 2 items, up to 2 samples of each; 1 answers are missing."
    )
    means = fc.mean_pairwise_test(found.scores, nan_policy="zero").means
    assert_array_equal(means, [0.75, 0.0])


def test_what_comes_back_is_what_functions_take():
    rng = np.random.default_rng(0)
    table, groups = rng.normal(size=(30, 3)), np.arange(30) // 3
    place = rng.permutation(90)
    item, model = np.divmod(place, 3)
    rows = {
        "who": np.array(["u", "v", "w"])[model],
        "id": item,
        "right": table[item, model],
        "passage": groups[item],
    }
    found = fc.from_long(rows, **ROLES, group="passage")
    named = dict(zip("uvw", table.T, strict=True))
    result = fc.leaderboard(found.scores, **found.given)
    wanted = fc.leaderboard(named, groups=groups)
    assert result.names == wanted.names
    np.testing.assert_allclose(result.means, wanted.means, rtol=1e-12)
    np.testing.assert_allclose(result.standard_error, wanted.standard_error, rtol=1e-12)


def changed(**columns):
    return {**ROWS, **columns}


@pytest.mark.parametrize(
    ("frame", "roles", "message"),
    [
        (
            changed(id=[10, 10, 10, 30, 20, 30]),
            ROLES,
            r"item 10, model 'a' in row 2.*`sample`",
        ),
        (
            changed(passage=["x", "y", "x", "y", "x", "y"]),
            EVERY,
            "item 10 has 'x' and, in row 1",
        ),
        (
            changed(id=["q", None, "q", "r", "s", "t"]),
            ROLES,
            "must name the item of every row",
        ),
        (changed(right=[1, 0, 1, 1, 0, np.inf]), ROLES, "finite"),
        (changed(right=[1, 0]), ROLES, "a value for each of the 6 rows, got 2"),
        (ROWS, {**ROLES, "score": "rigth"}, "Did you mean 'right'"),
        (ROWS, {**ROLES, "group": "id"}, "one column for two roles: 'id'"),
        (np.ones((3, 3)), ROLES, "`frame` must be a data frame or a mapping"),
        (
            changed(counts=[1.0, 1.0, 2.0, 0.5, 3.0, 0.5]),
            EVERY,
            "item 20 has 2.0 and, in row 4",
        ),
    ],
)
def test_tables_that_cannot_be_joined_are_refused_in_from_long(frame, roles, message):
    with pytest.raises(fc.FastCompareError, match=message):
        fc.from_long(frame, **roles)
