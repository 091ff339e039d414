"""Python objects as labels: what they become, what they are refused for, and what equals what."""

import enum
from decimal import Decimal
from fractions import Fraction
from numbers import Integral

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._inputs.arrays import as_column, index_recurring_objects

NAN = float("nan")
MISSING = [None, NAN, np.float64("nan"), np.float32("nan"), pd.NA, pd.NaT]
TEXTS = ["", "a", "bb", "a\0", "\ud800", "ä" * 9, np.str_("bb")]
NUMBERS = [0, 1, -1, 2**53 + 1, 2**64, 1.0, 2.5, float("inf"), np.int8(1), np.float32(2.5)]
OTHERS = [True, np.False_, b"a", b"bb", Decimal(1), Fraction(1, 2), 1j, ("a",), ["a"]]


class Animal(str, enum.Enum):  # noqa: UP042 - its str() is not its value
    RAT = "rat"
    RED = "red panda"


class Tag(str):
    __slots__ = ()


def slowly(values):
    """Return the values as an array, and which are missing, by looking at one after the other."""
    missing = np.array([any(value is one for one in MISSING) for value in values], bool)
    kept = [value for value, absent in zip(values, missing, strict=True) if not absent]
    if any(isinstance(value, list) for value in kept) or len({kind_of(x) for x in kept}) > 1:
        return None
    if kept and kind_of(kept[0]) not in ("number", "bool", "text", "bytes"):
        return None
    plain = np.asarray(kept)
    whole = [value for value in kept if isinstance(value, Integral)]
    if plain.dtype.kind == "f" and any(int(float(value)) != int(value) for value in whole):
        return None
    filled = np.zeros(missing.size, plain.dtype)
    filled[~missing] = plain
    return filled, missing


def kind_of(value):
    kinds = {"text": str, "bytes": bytes, "bool": bool | np.bool_}
    for kind, types in kinds.items():
        if isinstance(value, types):
            return kind
    number = isinstance(value, int | float | np.number)
    return "number" if number and not isinstance(value, complex) else type(value).__name__


def as_objects(values):
    array = np.empty(len(values), object)
    array[:] = values
    return array


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from([TEXTS, NUMBERS, [*TEXTS, *NUMBERS], [*TEXTS, *NUMBERS, *OTHERS]]).flatmap(
        lambda pool: st.lists(st.sampled_from([*pool, *MISSING]), min_size=1, max_size=12)
    )
)
def test_objects_become_what_looking_at_each_makes_of_them(values):
    array, want = as_objects(values), slowly(values)
    if want is None:
        with pytest.raises(fc.FastCompareError, match="`x`"):
            as_column("x", array)
        return
    found, missing = as_column("x", array)
    missing = np.zeros(len(values), bool) if missing is None else missing
    assert found.dtype == want[0].dtype
    assert missing.tolist() == want[1].tolist()
    np.testing.assert_array_equal(found, want[0])


@pytest.mark.parametrize("shape", [(6,), (6, 1), (3, 2)])
def test_tables_of_strings_keep_their_shape(shape):
    values = as_objects(["a", "b", None, "ccc", "a", NAN])
    found, missing = as_column("x", values.reshape(shape))
    assert found.tolist() == np.array(["a", "b", "", "ccc", "a", ""]).reshape(shape).tolist()
    assert missing.tolist() == (np.arange(6) % 3 == 2).reshape(shape).tolist()


@pytest.mark.parametrize("words", [1, 2, 255, 256, 1000])
@pytest.mark.parametrize("make", [as_objects, list, tuple, pd.Series, pd.Categorical])
def test_any_number_of_words_is_read(words, make):
    values = [f"word {i * 7 % words}" for i in range(2 * words)]
    assert as_column("x", make(values)).values.tolist() == values


@pytest.mark.parametrize("values", [["a", 1], ["a", ["b"]], ["a", True], ["a", b"a"], ["a", 1.5]])
def test_strings_and_others_are_refused_as_ever(values):
    for container in (values, as_objects(values), pd.Series(values, dtype=object)):
        with pytest.raises(fc.FastCompareError, match=r"got objects of type|cannot be converted"):
            as_column("x", container)


@pytest.mark.parametrize("dtype", [object, "str", "string", "category", "string[python]"])
def test_pandas_strings_are_those_of_lists(dtype):
    values = ["b", None, "a", "b", NAN, "ccc"]
    found, missing = as_column("x", pd.Series(values, dtype=dtype))
    want, absent = as_column("x", values)
    assert found.dtype == want.dtype
    assert found.tolist() == want.tolist() == ["b", "", "a", "b", "", "ccc"]
    assert missing.tolist() == absent.tolist()


@pytest.mark.parametrize("make", [list, as_objects, lambda x: pd.Series(x, dtype=object)])
def test_strings_of_other_classes_are_compared_by_their_characters_in_contingency_table(make):
    y, a = [Animal.RAT, Animal.RED], [Animal.RED, Animal.RAT]
    assert fc.contingency_table(make(y), make(a), make(y)).table.tolist() == [[0, 0], [2, 0]]
    plain = ["rat", "red panda"]
    found = fc.contingency_table(make(y), make(plain), make([Tag("rat"), "rat"]))
    assert found.table.tolist() == [[1, 1], [0, 0]]


def test_strings_of_callers_stay_as_they_are():
    values = as_objects(["a", None, "b"])
    found, _ = as_column("x", values)
    found[0] = "z"
    assert values.tolist() == ["a", None, "b"]


def fresh(word):
    """Return an equal string that is another object."""
    return "".join(list(word))


@pytest.mark.parametrize("late", [[], [f"late {i}" for i in range(40)], [NAN, None, "cat"]])
@pytest.mark.parametrize("same", [True, False], ids=["the same objects", "equal ones"])
def test_objects_that_recur_are_read_as_their_words(late, same):
    words = ["cat", None, "horse", fresh("cat"), NAN]
    values = [*(words * 300), *late]
    if not same:
        values = [fresh(word) if isinstance(word, str) else word for word in values]
    assert (index_recurring_objects(as_objects(values)) is not None) == (same and len(late) < 40)
    found, missing = as_column("x", as_objects(values))
    absent = [not isinstance(word, str) for word in values]
    assert missing.tolist() == absent
    assert found.tolist() == ["" if gone else w for w, gone in zip(values, absent, strict=True)]


def test_numbers_and_words_among_objects_that_recur_are_refused():
    with pytest.raises(fc.InvalidTypeError, match="got objects of type int, str"):
        as_column("x", as_objects(["cat", 1] * 1000))
    assert index_recurring_objects(as_objects(["cat"] * 10)) is None
