"""Numbers of labels and counts of their combinations, against dictionaries and counters."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._inputs.labels import BLOCK, FEW, count_few_labels, number_labels

INTEGERS = [np.int64, np.int8, np.uint8, np.uint64, ">i4", bool]


def columns_of(rows, dtype):
    return list(np.array(rows, np.int64).astype(dtype).T)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    rows=st.lists(st.tuples(*[st.integers(0, FEW - 1)] * 3), min_size=1, max_size=20),
    dtype=st.sampled_from(INTEGERS),
    width=st.sampled_from([2, 3]),
)
def test_cells_are_counted_like_tuples(rows, dtype, width):
    columns = columns_of(rows, dtype)[:width]
    classes, counts = count_few_labels(columns)
    want = Counter(zip(*(labels.tolist() for labels in columns), strict=True))
    assert classes == tuple(sorted({label for cell in want for label in cell}))
    found = {cell: n for cell, n in np.ndenumerate(counts) if n}
    assert {tuple(classes[i] for i in cell): n for cell, n in found.items()} == want


@pytest.mark.parametrize("other", [-1, FEW, -(2**60), 2**40])
@pytest.mark.parametrize("at", [0, BLOCK, 2 * BLOCK])
def test_other_labels_are_not_counted_as_few(other, at):
    columns = [np.arange(2 * BLOCK + 1) % FEW for _ in range(3)]
    assert count_few_labels(columns).counts.sum() == 2 * BLOCK + 1
    columns[1][at] = other
    assert count_few_labels(columns) is None


@pytest.mark.parametrize("kinds", [(float, float), (np.int64, np.uint64), ("U1", "U1")])
def test_other_kinds_are_not_counted_as_few(kinds):
    assert count_few_labels([np.array([0, 1]).astype(kind) for kind in kinds]) is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["U", "S"])
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(*[st.text("ab\u00e4\U0001f600", max_size=3)] * 2), min_size=1))
def test_strings_are_numbered_in_their_order(kind, rows):
    columns = [
        np.array([x.encode() if kind == "S" else x for x in xs]) for xs in zip(*rows, strict=True)
    ]
    classes, numbers = number_labels(columns)
    found, inverse = np.unique(np.concatenate(columns), return_inverse=True)
    assert classes == tuple(found.tolist())
    assert numbers.dtype == np.int64
    np.testing.assert_array_equal(numbers, inverse.reshape(2, -1))


@pytest.mark.parametrize("on", ["labels", "correct"])
@pytest.mark.parametrize("labels", [[0, 1, 2], [0, 15, 7], [16, 3, 0], [-2, 5, 9], [1, 0, 10**9]])
def test_kappa_does_not_depend_on_how_labels_are_written(on, labels):
    y, a, b = np.array(labels)[np.random.default_rng(0).integers(0, 3, (3, 50))]
    plain = fc.cohen_kappa(y, a, b, on=on)
    for make in (np.float64, str):
        same = fc.cohen_kappa(*(x.astype(make) for x in (y, a, b)), on=on)
        if on == "correct" or make is not str:  # strings have another order
            np.testing.assert_array_equal(same.table, plain.table)
        assert same.estimate == pytest.approx(plain.estimate, rel=1e-12)
    assert plain.classes == (tuple(sorted(labels)) if on == "labels" else ())
    assert fc.bowker_test(a, b).classes == tuple(sorted({*a.tolist(), *b.tolist()}))


def test_kappa_takes_classes_that_do_not_occur_in_any_order_in_cohen_kappa():
    y, a, b = np.random.default_rng(0).integers(0, 3, (3, 50))
    some = fc.cohen_kappa(y, a, b, on="labels", classes=[9, 2, 0, 1], weights="linear")
    slow = fc.cohen_kappa(
        *(100 * x for x in (y, a, b)), on="labels", classes=[900, 200, 0, 100], weights="linear"
    )
    assert some.classes == (9, 2, 0, 1)
    np.testing.assert_array_equal(some.table, slow.table)
    assert some.estimate == slow.estimate
