"""Tables of counts in data frames are read by their labels, and arrays by their order."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

import fastcompare as fc
from tests.reference import labels as reference

T = reference.TABLE
RIGHT_A, RIGHT_B = (np.array(x, bool) for x in reference.cases_of(T)[1:])
OF_FOUR = [
    fc.mcnemar_test,
    fc.two_proportions_test,
    fc.disagreement,
    fc.cohen_kappa,
    fc.yule_q,
    fc.error_correlation,
    fc.double_fault,
    fc.agreement,
]


def crosstab(a=RIGHT_A, b=RIGHT_B):
    return pd.crosstab(pd.Series(a), pd.Series(b))


def pivoted():
    cases = pl.DataFrame({"a": RIGHT_A, "b": RIGHT_B})
    return cases.group_by("a", "b").len().pivot("b", index="a", values="len")


SIGNS = {
    "bool": lambda x: x,
    "int": lambda x: x.astype(int),
    "float": lambda x: x.astype(float),
    "words": lambda x: np.where(x, "right", "wrong"),
    "others": lambda x: np.where(x, "Correct", "Error"),
    "names of models": lambda x: np.where(x, "forest_true", "forest_false"),
}


@pytest.mark.parametrize("sign", SIGNS)
@pytest.mark.parametrize("test", OF_FOUR)
def test_crosstabs_mean_what_the_labels_say(test, sign):
    table = crosstab(*(SIGNS[sign](x) for x in (RIGHT_A, RIGHT_B)))
    assert test(table).to_dict() == test(T).to_dict()
    assert test(table.iloc[::-1]).to_dict() == test(T).to_dict()
    assert test(table.iloc[:, ::-1]).to_dict() == test(T).to_dict()


def test_the_sign_of_the_difference_is_that_of_the_cases_in_mcnemar_test():
    want = fc.mcnemar_test(np.ones(200), RIGHT_A, RIGHT_B)
    assert fc.mcnemar_test(crosstab()).estimate == want.estimate == 0.05


@pytest.mark.parametrize(
    "table",
    [
        pivoted(),
        pivoted().to_arrow(),
        pivoted().sort("a"),
        crosstab().reset_index(),
        pd.DataFrame(T),
        pl.DataFrame(T, orient="row"),
        pd.DataFrame(T, columns=[True, False]),
        pa.table({"right": [150, 15], "wrong": [25, 10]}),
        crosstab().rename_axis(index="forest", columns="tree"),
        np.array(T),
    ],
)
def test_frames_with_labels_in_a_column_or_without_labels_in_mcnemar_test(table):
    assert fc.mcnemar_test(table).to_dict() == fc.mcnemar_test(T).to_dict()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pd.DataFrame(T, ["x", "y"], ["x", "y"]), "rename them, or pass its values as an array"),
        (pd.DataFrame(T, [True, True], [True, False]), "got True, True"),
        (pa.table({"wrong": [10, 25], "right": [15, 150]}), "no labels for the other"),
        (pa.table({"0": [10, 25], "1": [15, 150]}), "no labels for the other"),
        (pa.table({"a": [10, 25], "b": [15, 150]}), "got 'a', 'b'"),
        (np.ones((3, 3), int), "right answers first, got 3 rows"),
        (pd.crosstab(RIGHT_A, RIGHT_B, margins=True), "got 3 rows"),
    ],
)
def test_labels_that_do_not_say_which_answers_are_right_are_refused_in_mcnemar_test(table, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.mcnemar_test(table)


CLASSES = ["cat", "cow", "dog"]
SQUARE = pd.DataFrame(reference.SQUARE, CLASSES, CLASSES)
OF_LABELS = {
    "cohen_kappa": lambda table: fc.cohen_kappa(table, on="labels"),
    "bowker_test": fc.bowker_test,
    "stuart_maxwell_test": fc.stuart_maxwell_test,
}


@pytest.mark.parametrize("test", OF_LABELS)
def test_rows_and_columns_of_labels_are_joined_by_name(test):
    found, want = (OF_LABELS[test](x) for x in (SQUARE[["dog", "cat", "cow"]], reference.SQUARE))
    assert found.classes == tuple(CLASSES)
    assert found.statistic == want.statistic
    assert_array_equal(found.table, reference.SQUARE)
    assert OF_LABELS[test](SQUARE.reset_index()).classes == tuple(CLASSES)
    numbered = pl.DataFrame({"label": [1, 2, 3]}).hstack(
        pl.DataFrame(reference.SQUARE, schema=["1", "2", "3"], orient="row")
    )
    assert OF_LABELS[test](numbered).classes == (1, 2, 3)
    assert OF_LABELS[test](pd.DataFrame(reference.SQUARE)).classes == (0, 1, 2)


@pytest.mark.parametrize("test", OF_LABELS)
def test_rows_and_columns_of_different_labels_are_refused(test):
    with pytest.raises(fc.InvalidValueError, match="same labels in rows and columns, each once"):
        OF_LABELS[test](SQUARE.rename(columns={"dog": "hen"}))


def test_classes_order_the_labels_of_a_frame_in_cohen_kappa():
    order = ["dog", "cat", "cow"]
    found = fc.cohen_kappa(SQUARE, on="labels", weights="linear", classes=order)
    want = fc.cohen_kappa(SQUARE.loc[order, order].to_numpy(), on="labels", weights="linear")
    assert found.estimate == want.estimate
    assert found.classes == tuple(order)
    with pytest.raises(fc.InvalidValueError, match="`classes` must contain every label"):
        fc.cohen_kappa(SQUARE, on="labels", classes=["cat", "cow", "hen"])
