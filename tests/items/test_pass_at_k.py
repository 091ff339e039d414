"""Chances of right answers among k samples, against fractions that nobody here computed."""

import json
import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from tests.shared.golden_files import GOLDEN

HELD = json.loads((GOLDEN / "items" / "pass_at_k.json").read_text())  # exact fractions
KINDS = {
    "pass_at_k": lambda n, c, k: fc.pass_at_k(n, c, k),
    "pass_hat_k": lambda n, c, k: fc.pass_all_k(n, c, k),
    "at_least_half": lambda n, c, k: fc.pass_at_k(n, c, k, at_least=math.ceil(k / 2)),
}
GIVEN = [
    (case, int(key[1:]), kind, held)
    for case in HELD["cases"]
    for key, kinds in case["expected"].items()
    for kind, held in kinds.items()
]


@pytest.mark.parametrize(("case", "k", "kind", "held"), GIVEN, ids=lambda v: str(v)[:12])
def test_scores_of_items_are_the_fractions(case, k, kind, held):
    inputs = case["inputs"]
    if "status" in held:
        with pytest.warns(fc.UndefinedResultWarning, match="too_few_samples"):
            found = KINDS[kind](inputs["samples_a"], inputs["correct_a"], k)
        assert_array_equal(~np.isnan(found), held["items_defined"])
        return
    for model in {"a", "b"} & held.keys():
        found = KINDS[kind](inputs[f"samples_{model}"], inputs[f"correct_{model}"], k)
        want = held[model]
        assert_allclose(found, want["items"], rtol=1e-15, atol=0.0)
        if "items_fraction" in want:
            assert found.tolist() == [float(Fraction(text)) for text in want["items_fraction"]]
        assert_allclose(found.mean(), want["mean"], rtol=1e-14)
        error = fc.mean_interval(found, on_undefined="ignore").standard_error
        assert_allclose(error, want["se"], rtol=1e-12)
    if "difference" in held:
        check_difference(inputs, k, kind, held)


def check_difference(inputs, k, kind, held):
    """Check the paired test, which these scores feed."""
    a, b = (KINDS[kind](inputs[f"samples_{m}"], inputs[f"correct_{m}"], k) for m in "ab")
    want = held["difference"]
    result = fc.paired_mean_test(a, b, method="t", on_undefined="ignore")
    assert_allclose(result.estimate, want["mean"], rtol=1e-12, atol=1e-15)
    assert_allclose(result.standard_error, want["se"], rtol=1e-12)
    if "t" in want:
        assert_allclose(result.pvalue, want["p_two_sided"], rtol=1e-9)
        assert_allclose(result.confidence_interval(), want["interval"], rtol=1e-9)


def test_check_values():
    assert fc.pass_at_k(10, 3, 3).tolist() == [17 / 24]
    assert fc.pass_all_k(10, 3, 3).tolist() == [1 / 120]
    assert fc.pass_at_k(10, 3, 3, at_least=2).tolist() == [11 / 60]


@pytest.mark.slow
@given(
    st.integers(1, 7).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n), st.integers(1, n)))
)
def test_it_is_the_share_of_all_choices(drawn):
    n, c, k = drawn
    right = [1] * c + [0] * (n - c)
    sums = [sum(some) for some in combinations(right, k)]
    for least in range(1, k + 1):
        share = Fraction(sum(one >= least for one in sums), len(sums))
        assert fc.pass_at_k(n, c, k, at_least=least).tolist() == [float(share)]
    assert fc.pass_all_k(n, c, k) == fc.pass_at_k(n, c, k, at_least=k)


@pytest.mark.slow
def test_large_numbers_neither_overflow_nor_cancel():
    n, k = 100_000, 50_000
    assert fc.pass_at_k(n, 1, k).tolist() == [0.5]
    assert fc.pass_all_k(n, n - 1, k).tolist() == [0.5]
    assert fc.pass_at_k(10**6, 1, 1).tolist() == [1e-6]
    assert 0.0 < fc.pass_all_k(400, 200, 150)[0] < 1e-60


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ([5, 5], [6, 1], 2),
            "`n_correct` must be at most `n_samples`; 1 are not, .* 6 of 5",
        ),
        (([5, 5], [1, 1, 1], 2), "`n_correct` must have a number for each of the 2 items"),
        (([5, 5], [1.5, 1], 2), "`n_correct` must contain whole numbers of at least 0; 1 are not"),
        (([5, math.nan], [1, 1], 2), "`n_samples` must contain whole numbers .* index 1"),
        (([5, 5], [True, False], 2), "`n_correct` must contain numbers of samples, got bool"),
        (([5, 5], [1, 1], 0), "`k` must be at least 1"),
        (([5, 5], [1, 1], 2.0), "`k` must be an integer"),
        (([[5], [5]], [1, 1], 2), "`n_samples` must be 1-d"),
    ],
)
def test_senseless_counts_are_refused(given, message):
    for function in (fc.pass_at_k, fc.pass_all_k):
        with pytest.raises(fc.FastCompareError, match=message):
            function(*given)
    with pytest.raises(fc.InvalidValueError, match="`at_least` must be at most `k`, 2, got 3"):
        fc.pass_at_k(5, 1, 2, at_least=3)


def test_a_matrix_of_outcomes_counts_the_samples_of_pass_at_k():
    outcomes = np.random.default_rng(3).random((7, 6)) < 0.4
    n, c = np.full(7, 6), outcomes.sum(axis=1)
    assert_array_equal(fc.pass_at_k(outcomes, 3), fc.pass_at_k(n, c, 3))
    assert_array_equal(fc.pass_at_k(outcomes, 3, at_least=2), fc.pass_at_k(n, c, 3, at_least=2))
    assert_array_equal(fc.pass_all_k(outcomes, 2), fc.pass_all_k(n, c, 2))
    fewer = outcomes.astype(float)
    fewer[:4, 5], n = np.nan, np.repeat([5, 6], [4, 3])
    assert_array_equal(fc.pass_at_k(fewer, 3), fc.pass_at_k(n, np.nansum(fewer, axis=1), 3))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (([5, 5], [1, 2]), "`k` must be specified"),
        (([[0, 1], [2, 0]], 1), "must contain 0 and 1 .*got 2"),
        (([["a", "b"]], 1), "must contain 0 and 1, got dtype"),
    ],
)
def test_pass_at_k_says_what_a_matrix_must_contain(data, message):
    with pytest.raises((TypeError, ValueError), match=message):
        fc.pass_at_k(*data)
