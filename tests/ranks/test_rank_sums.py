"""Rank tests of many rows: sums of ranks are those of each row's rank; the rest when it is read."""

import pickle
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_array_equal

import fastcompare as fc
from fastcompare._inputs.models import as_pairs
from fastcompare.paired._columns import signed_pairs, sized_pairs
from fastcompare.paired._wilcoxon import signed_rank_sums, signed_ranks
from tests.reference.ranks import moments_of_ranks

ZEROS = ("wilcox", "pratt", "zsplit")
ODD = [
    0.0,
    -0.0,
    0.1,
    0.2,
    0.3,
    0.7,
    -0.1,
    -0.7,
    5e-324,
    -5e-324,
    1e-300,
    1e12,
    1e12 + 2**-13,
    0.25,
]
TESTS = (fc.wilcoxon_test, fc.sign_test)
QUICK = settings(max_examples=100, deadline=None)


def assert_sums_are_those_of_each_row(pairs):
    for zeros in ZEROS:
        t = signed_ranks(sized_pairs(pairs), zeros)
        got = signed_rank_sums(*signed_pairs(pairs), lambda: sized_pairs(pairs), zeros)
        used = abs(t[t != 0])
        counts = used.size, np.unique(used).size
        n_zero = np.count_nonzero(pairs.differences == 0.0)
        variance = moments_of_ranks(t, n_zero, zeros)[1]
        assert got == (t[t > 0].sum(), -t[t < 0].sum(), *counts, variance)


@pytest.mark.slow
@given(
    rows=arrays(
        np.float64, st.tuples(st.just(2), st.integers(1, 30)), elements=st.sampled_from(ODD)
    )
)
@QUICK
def test_sums_of_two_columns_are_those_of_each_row(rows):
    assert_sums_are_those_of_each_row(as_pairs(*rows))


@pytest.mark.slow
@given(
    d=arrays(
        np.float64, st.integers(1, 30), elements=st.floats(-1e300, 1e300) | st.sampled_from(ODD)
    )
)
@QUICK
def test_sums_of_one_column_are_those_of_each_row(d):
    assert_sums_are_those_of_each_row(as_pairs(d))


@pytest.mark.slow
@given(
    rows=arrays(
        np.int64, st.tuples(st.just(2), st.integers(1, 20)), elements=st.integers(-(2**62), 2**62)
    )
)
@QUICK
def test_sums_of_wide_integers_are_those_of_each_row(rows):
    rows[:, ::2] //= 2**50
    assert_sums_are_those_of_each_row(as_pairs(*rows))


@pytest.mark.parametrize("decimals", [1, 3, None])
def test_sums_of_many_rows_are_those_of_each_row(decimals, requires_jit):
    a, b = np.random.default_rng(3).normal(0.1, 1.0, (2, 100_000))
    pairs = as_pairs(a, b) if decimals is None else as_pairs(a.round(decimals), b.round(decimals))
    assert_sums_are_those_of_each_row(pairs)


def test_integers_are_ranked_exactly_in_wilcoxon_test():
    a = [2**60, 2**60 + 1, 5, 2**61]
    sizes = sorted(Fraction(x) for x in a)
    found = fc.wilcoxon_test(np.array(a), method="normal")
    assert found.statistic == sum(sizes.index(x) + 1 for x in a)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("two", [True, False])
def test_what_is_read_compute_does_not_see_the_callers_changes(test, two):
    a, b = np.random.default_rng(0).normal(0.2, 1.0, (2, 300))
    arguments = (a, b) if two else (a,)
    want = test(*(x.copy() for x in arguments))
    expected = (want.estimate, want.confidence_interval(), want.summary())
    found = test(*arguments)
    assert "estimate" not in vars(found)
    a[:] = 7.0
    assert (found.estimate, found.confidence_interval(), found.summary()) == expected


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("read", [True, False])
def test_results_are_picklable_before_and_after_they_are_read(test, read):
    found = test(*np.random.default_rng(1).normal(size=(2, 50)))
    if read:
        found.summary()
    again = pickle.loads(pickle.dumps(found))
    assert again.to_dict() == found.to_dict()
    assert again.confidence_interval() == found.confidence_interval()
    assert not any(name.startswith("_") for name in found.to_dict())


def test_estimates_are_those_of_the_definitions():
    d = np.random.default_rng(5).normal(size=301).round(1)
    others = d[d != 0.0]
    i, j = np.triu_indices(others.size)
    assert others.size < d.size
    assert fc.wilcoxon_test(d).estimate == np.median((others[i] + others[j]) / 2.0)
    assert fc.sign_test(d).estimate == np.median(others)


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    "layout",
    [
        lambda x: x.astype(np.float32),
        lambda x: x.astype(np.int16),
        lambda x: np.repeat(x, 3)[::3],
        lambda x: x[::-1].copy()[::-1],
        lambda x: x[:, None],
        lambda x: x.tolist(),
        pd.Series,
    ],
)
def test_layouts_do_not_matter(test, layout):
    a, b = np.random.default_rng(2).integers(-9, 9, (2, 400)).astype(np.float64)
    a.flags.writeable = False
    found, want = test(layout(a), layout(b)), test(a, b)
    assert found.to_dict() == want.to_dict()


@pytest.mark.parametrize("test", TESTS)
def test_missing_and_infinite_scores(test):
    a, b = np.random.default_rng(4).normal(size=(2, 250))
    want = test(a[2:], b[2:])
    a[0] = b[1] = np.nan
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 250"):
        found = test(a, b, nan_policy="omit")
    assert (found.pvalue, found.estimate, found.n_dropped) == (want.pvalue, want.estimate, 2)
    with pytest.raises(fc.InvalidValueError, match="missing"):
        test(a, b)
    a[3] = b[3] = np.inf
    with pytest.raises(
        fc.InvalidValueError, match="`scores_a` must contain finite numbers; 1 are not"
    ):
        test(a, b, nan_policy="omit")
    with pytest.raises(fc.InvalidValueError, match="exceeds the range of float64"):
        test([1e308, 1.0], [-1e308, 2.0])


def test_pairs_are_subtracted_once():
    a, b = np.arange(5.0), np.ones(5)
    pairs = as_pairs(a, b)
    assert_array_equal(pairs.differences, a - b)
    assert pairs.n_dropped == 0
    assert as_pairs(a).differences is not a


def test_a_pseudomedian_of_losses_is_found_when_it_is_read():
    rng = np.random.default_rng(9)
    y, p, q = rng.integers(0, 2, 300), *rng.random((2, 300))
    result = fc.scoring_test(y, p, q, method="wilcoxon")
    assert "pseudomedian" not in vars(result)
    want = fc.wilcoxon_test((y - p) ** 2 - (y - q) ** 2).estimate
    for same in (pickle.loads(pickle.dumps(result)), result):
        assert same.pseudomedian == pytest.approx(want, rel=1e-12)
        assert same.to_dict()["pseudomedian"] == same.pseudomedian
    assert fc.scoring_test(y, p, q).pseudomedian is None
