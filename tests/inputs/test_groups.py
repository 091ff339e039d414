"""Clusters get the numbers that `np.unique` gives them, whatever their labels are."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._inputs import weights as groups
from fastcompare._inputs.weights import number_groups

FEW = st.integers(-3, 3)
WIDE = st.sampled_from([-(2**63), -(2**62), -1, 0, 1, 2**40, 2**63 - 1])
UNSIGNED = st.sampled_from([0, 1, 2**32, 2**63 - 1, 2**63, 2**64 - 1])
NUMBERS = st.sampled_from([0.0, -0.0, 1.0, -2.0, 0.5, 3e300, -3e300, np.inf, -np.inf, 2.0**63])
LETTERS = st.text(st.sampled_from("aAz09é\u4e2d\U0001f600\x00 "), max_size=12)
KINDS = {
    "bool": (st.booleans(), bool),
    "small": (FEW, np.int8),
    "integers": (FEW, np.int64),
    "far from 0": (st.integers(2**50, 2**50 + 20), np.int64),
    "sparse": (st.integers(0, 10**6), np.int32),
    "wide": (WIDE, np.int64),
    "unsigned": (UNSIGNED, np.uint64),
    "at the top": (st.integers(2**64 - 9, 2**64 - 1), np.uint64),
    "big-endian": (FEW, ">i4"),
    "floats": (NUMBERS, np.float64),
    "whole floats": (FEW, np.float64),
    "short floats": (st.floats(width=32, allow_nan=False), np.float32),
    "long floats": (NUMBERS, np.longdouble),
    "strings": (LETTERS, np.str_),
    "numbered": (st.integers(0, 10**5).map("patient {}".format), np.str_),
    "big-endian strings": (LETTERS, ">U12"),
    "bytes": (st.binary(max_size=9), np.bytes_),
    "strings of any length": (LETTERS, np.dtypes.StringDType()),
}


def same_as_numpy(labels):
    before = labels.copy()
    found, numbers = np.unique(labels, return_inverse=True)
    got = number_groups(labels)
    assert got.total == found.size
    assert got.numbers.dtype == np.int64
    assert got.numbers.flags.carray
    np.testing.assert_array_equal(got.numbers, numbers)
    np.testing.assert_array_equal(labels, before)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60)
@given(data=st.data())
def test_numbers_are_those_of_numpy(kind, data):
    elements, dtype = KINDS[kind]
    labels = np.array(data.draw(st.lists(elements, min_size=1, max_size=40)), dtype)
    same_as_numpy(labels)
    same_as_numpy(labels[::-1])
    labels.flags.writeable = False
    same_as_numpy(labels)


@pytest.mark.parametrize("kind", ["strings", "numbered", "bytes"])
@settings(max_examples=40)
@given(data=st.data())
def test_letters_that_fill_several_keys_and_blocks_give_the_same_numbers(kind, data):
    elements, dtype = KINDS[kind]
    labels = np.array(data.draw(st.lists(elements, min_size=1, max_size=40)), dtype)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "WORD", 16)
        patch.setattr(groups, "BLOCK", 7)
        same_as_numpy(labels)


def test_texts_longer_than_a_key_keep_the_groups_of_their_first_letters():
    rng = np.random.default_rng(0)
    heads, tails = (rng.integers(33, 127, (count, 8)).astype(np.uint32) for count in (500, 3))
    letters = np.hstack([heads[rng.integers(500, size=2000)], tails[rng.integers(3, size=2000)]])
    same_as_numpy(letters.view("<U16").ravel())


@pytest.mark.parametrize("span", [10**6, 2**44, 2**62])
def test_many_integers_are_sorted_with_and_without_their_case(span):
    rng = np.random.default_rng(0)
    same_as_numpy(rng.integers(-span, span, 5000)[rng.integers(0, 5000, 20_000)])


def test_empty_strings_are_one_cluster():
    assert number_groups(np.array(["", ""])).total == 1
    assert number_groups(np.zeros(2, "S0")).total == 1


def test_a_result_does_not_change_with_the_callers_clusters():
    y, numbers = np.arange(40) % 2, np.arange(40) // 4
    a, b = np.random.default_rng(0).normal(size=(2, 40))
    result = fc.delong_test(y, a, b, groups=numbers)
    want = (result.pvalue, result.confidence_interval())
    numbers[:] = 0
    assert (result.pvalue, result.confidence_interval()) == want
