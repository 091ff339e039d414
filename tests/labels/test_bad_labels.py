"""Labels that cannot mean anything are refused; those that can mean only one thing are taken."""

from datetime import date
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

Y = np.array([0, 1, 0, 1, 1, 0])
A = np.array([0.1, 0.9, 0.3, 0.2, 0.8, 0.5])
B = np.array([0.2, 0.1, 0.5, 0.6, 0.7, 0.8])
WORDS = np.array(["benign", "malignant"])[Y]
BIG = np.array([2**53, 2**53 + 1])[Y]  # one and the same as float64

REFUSED = [
    ("{1,2}", Y + 1, ValueError, r"found 1, 2\. .*`pos_label`"),
    ("{0,2}", 2 * Y, ValueError, r"found 0, 2\. .*`pos_label`"),
    ("{0,255}", (255 * Y).astype("u1"), ValueError, r"found 0, 255\. .*`pos_label`"),
    ("{-1,0}", Y - 1, ValueError, r"found -1, 0\. .*`pos_label`"),
    ("strings", WORDS, ValueError, "found 'benign', 'malignant'. .*`pos_label`"),
    ("strings in a list", WORDS.tolist(), ValueError, "found 'benign', 'malignant'"),
    ("strings as objects", WORDS.astype(object), ValueError, "found 'benign', 'malignant'"),
    ("bytes", WORDS.astype("S"), ValueError, "found b'benign', b'malignant'"),
    ("categorical", pd.Series(WORDS, dtype="category"), ValueError, "found 'benign', 'malignant'"),
    ("strings '0'/'1'", Y.astype(str), ValueError, "found '0', '1'"),
    ("strings 'True'/'False'", Y.astype(bool).astype(str), ValueError, "found 'False', 'True'"),
    ("floats 0.0, 0.5, 1.0", [0, 0.5, 1, 0, 1, 1], ValueError, "continuous .*swapped"),
    ("probabilities passed as labels", A, ValueError, "continuous .*swapped"),
    ("infinite labels", [0, 1, np.inf, 0, 1, 1], ValueError, "continuous .*swapped"),
    ("three classes", [0, 1, 2, 0, 1, 2], ValueError, r"found 3: 0, 1, 2\. .*y_true == label"),
    ("{-1,0,1}", [-1, 0, 1, -1, 0, 1], ValueError, "found 3: -1, 0, 1"),
    ("NaN", [0, 1, np.nan, 1, np.nan, 0], ValueError, "2 missing .*first at index 2.*omit"),
    ("None", [0, None, 0, 1, 1, 0], ValueError, "1 missing .*index 1"),
    ("all None", [None] * 6, ValueError, "6 missing .*index 0"),
    ("pd.NA", pd.Series([0, 1, None, 1, 1, 0], dtype="Int64"), ValueError, "1 missing .*index 2"),
    ("pd.NA objects", np.array([0, 1, 0, pd.NA, 1, 0], object), ValueError, "1 missing .*index 3"),
    ("NaT objects", np.array([0, 1, 0, pd.NaT, 1, 0], object), ValueError, "1 missing .*index 3"),
    (
        "object array mixing 1, '1', True",
        np.array([0, 1, "1", True, 1, 0], object),
        TypeError,
        "of ",
    ),
    ("list mixing 1 and '1'", [0, 1, "1", 0, 1, 0], TypeError, "objects of type int, str"),
    ("mixed str and bytes", ["a", b"a", "a", "b", "b", "b"], TypeError, "bytes, str"),
    ("Decimal", [Decimal(int(y)) for y in Y], TypeError, "Decimal"),
    ("Fraction", [Fraction(int(y)) for y in Y], TypeError, "Fraction"),
    ("dates", [date(2020, 1, 1 + y) for y in Y.tolist()], TypeError, "date"),
    ("complex", Y + 0j, TypeError, "complex128"),
    ("datetime64", Y.astype("M8[s]"), TypeError, "datetime64"),
    ("structured", np.zeros(6, [("y", "i4")]), TypeError, "dtype"),
    ("empty", [], ValueError, "0 samples"),
    (
        "one-hot (n,2) label matrix",
        np.eye(2)[Y],
        ValueError,
        r"one-hot, shape \(6, 2\).*one column",
    ),
    ("(n,3) label matrix", np.eye(3)[Y], ValueError, r"1-d, got shape \(6, 3\)"),
    ("(1,n)", Y[None], ValueError, r"1-d, got shape \(1, 6\)"),
    ("scalar", 1, ValueError, r"1-d, got shape \(\)"),
    ("one string", "010110", ValueError, r"1-d, got shape \(\)"),
    ("masked", np.ma.masked_array(Y, Y == 1), ValueError, "3 masked values, the first at index 1"),
    ("set", {0, 1}, TypeError, "ordered"),
    ("generator", (y for y in Y), TypeError, r"list\(\.\.\.\)"),
]

POSITIVE_LABELS = [
    ("absent", Y + 1, 3, ValueError, r"one of the labels in `y_true`, got 3; found 1, 2"),
    ("NaN", Y, np.nan, ValueError, "got nan; found 0, 1"),
    ("three classes", [0, 1, 2, 0, 1, 2], 1, ValueError, "two classes, found 0, 1, 2"),
    ("many classes", np.arange(6) % 3 + Y * 9, 9, ValueError, "two classes"),
    ("a string for integers", Y, "1", ValueError, "got '1'; found 0, 1"),
    ("bytes for strings", WORDS, b"benign", ValueError, "found 'benign', 'malignant'"),
    ("'True' for bools", Y == 1, "True", ValueError, "found False, True"),
    ("out of the dtype's range", Y.astype("u1"), 256, ValueError, "got 256"),
    ("beyond 64 bits", Y, 10**30, ValueError, "found 0, 1"),
    ("a float32's double", np.float32([0.1, 0.2])[Y], 0.1, ValueError, "found 0.1000000014"),
    ("an array", Y, np.array([0, 1]), TypeError, "one label"),
    ("an array of one", Y, np.array([1]), TypeError, "one label"),
    ("a list", Y, [1], TypeError, "one label"),
    ("pd.NA", Y, pd.NA, TypeError, "one label"),
    ("a type", Y, int, TypeError, "one label"),
]

ACCEPTED = [
    ("bool", Y == 1, None),
    ("{0,1} ints", Y, None),
    ("{0.0,1.0} floats", Y.astype(float), None),
    ("np.bool_ objects", np.array([np.bool_(y) for y in Y], object), None),
    ("uint8", Y.astype("u1"), None),
    ("{-1,1}", 2 * Y - 1, None),
    ("{-1,1} int8", (2 * Y - 1).astype("i1"), None),
    ("uint64", Y.astype("u8"), None),
    ("float16", Y.astype("f2"), None),
    ("longdouble", Y.astype("g"), None),
    ("big-endian", Y.astype(">i2"), None),
    ("list of bools and ints", [0, True, 0, 1, True, False], None),
    ("(n,1) column", Y[:, None], None),
    ("read-only, reversed", np.flip(np.broadcast_to(Y[::-1], 6)), None),
    ("{1,2} with pos_label", Y + 1, 2),
    ("strings with pos_label", WORDS, "malignant"),
    ("string objects with pos_label", WORDS.astype(object), np.str_("malignant")),
    ("StringDType with pos_label", WORDS.astype(np.dtypes.StringDType()), "malignant"),
    ("bytes with pos_label", WORDS.astype("S"), b"malignant"),
    ("byte objects with pos_label", WORDS.astype("S").astype(object), b"malignant"),
    ("categorical with pos_label", pd.Categorical(WORDS), "malignant"),
    ("integer categories", pd.Series(Y, dtype="category"), 1),
    ("wide integers with pos_label", BIG, 2**53 + 1),
    ("pos_label of another number type", Y, np.float32(1)),
]


def ids(table):
    return [row[0] for row in table]


@pytest.mark.parametrize(("_", "labels", "error", "message"), REFUSED, ids=ids(REFUSED))
def test_labels_that_cannot_mean_anything_are_refused_in_delong_test(_, labels, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.delong_test(labels, A, B)
    assert isinstance(caught.value, fc.FastCompareError)
    assert "`y_true`" in str(caught.value)


@pytest.mark.parametrize(
    ("_", "labels", "pos_label", "error", "message"), POSITIVE_LABELS, ids=ids(POSITIVE_LABELS)
)
def test_a_positive_label_must_be_one_of_two_labels(_, labels, pos_label, error, message):
    with pytest.raises(error, match=message) as caught:
        fc.delong_test(labels, A, B, pos_label=pos_label)
    assert isinstance(caught.value, fc.FastCompareError)
    assert str(caught.value).startswith(("`pos_label`", "`y_true`"))


@pytest.mark.parametrize(("_", "labels", "pos_label"), ACCEPTED, ids=ids(ACCEPTED))
def test_labels_that_can_mean_one_thing_give_identical_results_for_all(_, labels, pos_label):
    result = fc.delong_test(labels, A, B, pos_label=pos_label)
    assert result.to_dict() == fc.delong_test(Y, A, B).to_dict()


def test_a_float_label_does_not_swallow_two_wide_integers_in_roc_auc():
    flipped = fc.roc_auc(BIG, A, pos_label=float(2**53))
    assert flipped == fc.roc_auc(1 - Y, A)


def test_labels_and_scores_swapped_give_that_hint_in_roc_auc():
    with pytest.raises(ValueError, match="were labels and scores swapped"):
        fc.roc_auc(A, Y)


@pytest.mark.parametrize("labels", [[0, None, 0, 1, 1, 0], ["a", None, "a", "b", "b", "a"]])
def test_missing_labels_are_left_out_only_on_request_in_delong_test(labels):
    pos_label = "b" if "b" in labels else None
    with pytest.warns(fc.DroppedCasesWarning, match="^1 of 6 cases"):
        result = fc.delong_test(labels, A, B, pos_label=pos_label, nan_policy="omit")
    assert result.n_dropped == 1
    kept = np.arange(6) != 1
    assert result.estimate == fc.delong_test(Y[kept], A[kept], B[kept]).estimate


def test_cases_that_all_miss_something_leave_0_samples_in_roc_auc():
    with pytest.raises(ValueError, match="0 samples are left"):
        fc.roc_auc([None] * 6, A, nan_policy="omit")


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1, None, 1, 1, 0], "missing labels"),
        ([0, 1, np.nan, 1, 1, 0], "missing labels"),
        (np.tile(Y, (3, 1)), r"shape \(6,\) or \(2, 6\)"),
        (np.stack([Y, 2 * Y - 1]), "found 3: -1, 0, 1"),
        (WORDS, "pos_label"),
    ],
    ids=["None", "NaN", "one row too many", "rows of different codes", "strings"],
)
def test_labels_of_a_batch_follow_the_same_rules_in_delong_batch(labels, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.delong_batch(labels, [A, B], [B, A])
