"""Exchanges of ranks against their definitions, pROC, and the worked examples."""

import json
import math
import pickle
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare._inference.exact import count_subset_sums
from fastcompare._inference.pvalues import normal_pvalue
from fastcompare._inputs.scores import as_cases
from fastcompare.auc._exchanges import model_ranks
from fastcompare.auc._permutation import UntiedDistances, curve_distance_null, tied_curve_null
from fastcompare.kernels.drawing.exchange import add_exchanged_sums, curve_distances, draw_signs
from fastcompare.kernels.drawing.purposes import SIGNS
from fastcompare.kernels.drawing.streams import draw_row
from tests.reference import permutation as reference
from tests.shared.documents import T2
from tests.shared.golden_files import GOLDEN
from tests.shared.strategies import scored_cases

U = np.uint64
PROC = json.loads((GOLDEN / "proc_venkatraman.json").read_text())["cases"]
ALTERNATIVES = ("two-sided", "greater", "less")


@pytest.fixture(scope="module")
def t2_values():
    """The differences after all exchanges; no module-level work, which each worker would do."""
    return reference.differences(*T2.values())


def idle():
    pass


@pytest.mark.slow
@pytest.mark.parametrize(("alternative", "p"), [("two-sided", 0.078125), ("greater", 0.0390625)])
def test_the_second_worked_example(alternative, p, t2_values):
    """FORMULAS: permutation, AUC."""
    result = fc.permutation_auc_test(*T2.values(), alternative=alternative)
    assert (result.pvalue, result.log_pvalue) == (p, math.log(p))
    assert result.exact
    assert result.estimate == result.statistic == fc.delong_test(*T2.values()).estimate
    assert p == reference.pvalue(t2_values, alternative)


@pytest.mark.slow
def test_the_second_worked_example_for_curves_in_permutation_auc_test():
    """FORMULAS: permutation, curves."""
    result = fc.permutation_auc_test(*T2.values(), method="venkatraman")
    assert (result.statistic, result.pvalue, result.exact) == (19.0, 0.09765625, True)
    assert result.estimate is result.standard_error is None


@pytest.mark.slow
@given(case=scored_cases(smallest=1, largest=8))
@settings(max_examples=40)
def test_exact_p_values_are_shares_of_all_exchanges_in_permutation_auc_test(case):
    labels, (a, b) = case
    values = reference.differences(labels, a, b)
    for alternative in ALTERNATIVES:
        result = fc.permutation_auc_test(labels, a, b, alternative=alternative)
        assert result.pvalue == reference.pvalue(values, alternative)
        assert result.estimate == float(values[0])
        assert result.auc.tolist() == [float(reference.area(labels, s)) for s in (a, b)]
    variance = sum(v * v for v in values) / len(values)
    assert_allclose(result.standard_error, math.sqrt(variance), rtol=1e-14)


@pytest.mark.slow
@given(case=scored_cases(smallest=1, largest=7))
@settings(max_examples=40)
def test_exact_p_values_of_curves_are_shares_of_all_exchanges_in_permutation_auc_test(case):
    labels, (a, b) = case
    values = reference.distances(labels, a, b)
    result = fc.permutation_auc_test(labels, a, b, method="venkatraman")
    assert_allclose(result.statistic, float(values[0]), rtol=1e-13, atol=1e-13)
    assert result.pvalue == reference.pvalue(values, "two-sided")


@pytest.mark.parametrize("case", PROC, ids=lambda case: case["name"])
def test_curves_agree_with_proc_in_permutation_auc_test(case, requires_jit):
    """R's pROC breaks the ties of exchanged ranks at random; the p-values differ by 0.002."""
    y, a, b, e, p = (case[key] for key in ("y", "a", "b", "e", "p"))
    result = fc.permutation_auc_test(y, a, b, method="venkatraman", rng=0, n_resamples=1999)
    assert result.statistic == e
    noise = math.sqrt(max(p, 1e-3) * (1 - p) * (1 / case["boot_n"] + 1 / 1999))
    assert abs(result.pvalue - p) < 4 * noise + 0.002


@pytest.mark.slow
def test_sums_follow_the_random_bits():
    t, seed, block = np.arange(-24, 24) ** 3, U(5), 7
    sums = np.zeros((2, 64), np.int64)
    add_exchanged_sums(t[:32], U(0), U(block), seed, sums)
    add_exchanged_sums(t[32:], U(2), U(block), seed, sums)
    signs, words = np.empty((3, 64), np.uint16), np.empty(32, np.uint32)
    for row in range(2):
        draw_signs(U(block + row), seed, signs)
        bits = (signs[:, None, :] >> np.arange(16)[None, :, None]) & 1
        want = (1 - 2 * bits.reshape(48, 64).astype(np.int64)).T @ t
        assert sums[row].tolist() == want.tolist()
    draw_row(U(2), U(block + 1), SIGNS, seed, words)
    assert (words.view(np.uint16) == signs[2]).all()


@pytest.mark.slow
@given(case=scored_cases(largest=24), seed=st.integers(0, 2**64 - 1))
@settings(max_examples=20)
def test_distances_follow_the_random_bits(case, seed):
    labels, scores = case
    cases = as_cases(labels, a=scores[0], b=scores[1])
    null = tied_curve_null(cases.labels, model_ranks(cases), seed)
    signs, out = np.empty((2, 64), np.uint16), np.empty(2)
    draw_signs(U(3), U(seed), signs)
    curve_distances(null.ranks, null.steps, null.cells, signs, 40, out)
    ranks = np.array([reference.midranks(s.tolist()) for s in scores])
    moved = np.flatnonzero(ranks[0] != ranks[1])
    for lane, got in enumerate(out, 40):
        bits = (signs[:, lane][:, None] >> np.arange(16)) & 1
        chosen = moved[bits.ravel()[: moved.size] == 1]
        x, y = ranks.copy()
        x[chosen], y[chosen] = ranks[1, chosen], ranks[0, chosen]
        want = reference.distance(labels.tolist(), x.tolist(), y.tolist())
        assert_allclose(got, float(want), rtol=1e-13, atol=1e-13)
    again = pickle.loads(pickle.dumps(null))
    assert (again(range(3, 4), idle)[0, 40:42] == out).all()


@pytest.mark.slow
@given(n=st.integers(2, 70), moves=st.integers(0, 70), seed=st.integers(0, 2**32))
@settings(max_examples=30, deadline=None)
def test_distances_without_ties_have_the_same_bits(n, moves, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n).astype(np.uint8)
    a = rng.permutation(n)
    b, some = a.copy(), rng.permutation(n)[:moves]
    b[some] = rng.permutation(b[some])  # the other cases have one rank by both models
    ranks = [(2 * (own + 1)).astype(np.uint32) for own in (a, b)]
    fast, general = curve_distance_null(labels, ranks, seed), tied_curve_null(labels, ranks, seed)
    assert isinstance(fast, UntiedDistances)
    assert (fast.n_moved, fast.n) == (general.n_moved, general.n)
    np.testing.assert_array_equal(fast(range(2), idle), general(range(2), idle))
    assert fast.observed_statistic() == general.observed_statistic()
    every = [replace(null, seed=None)(range(1), idle) for null in (fast, general)]
    np.testing.assert_array_equal(*every)
    tied = [ranks[0], np.full(n, n + 1, np.uint32)]
    assert not isinstance(curve_distance_null(labels, tied, seed), UntiedDistances)


def test_random_exchanges_have_the_exact_distribution_in_permutation_auc_test(t2_values):
    values = np.array([float(v) for v in t2_values])
    kept = fc.permutation_auc_test(*T2.values(), keep=True, rng=3, n_resamples=20_000)
    units = np.round(values * 84).astype(int), np.round(kept.distribution * 84).astype(int)
    levels = np.unique(units[0])
    want, got = ((u[:, None] == levels).sum(axis=0) / u.size for u in units)
    assert set(units[1]) <= set(levels)
    common = want > 5e-4
    chi2 = 20_000 * ((got - want) ** 2 / want)[common].sum()
    assert abs(chi2 - common.sum()) < 4 * math.sqrt(2 * common.sum())


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auc", "venkatraman"])
def test_random_exchanges_estimate_the_exact_p_value_in_permutation_auc_test(method):
    exact = fc.permutation_auc_test(*T2.values(), method=method).pvalue
    drawn = fc.permutation_auc_test(*T2.values(), method=method, keep=True, rng=8)
    assert not drawn.exact
    assert abs(drawn.pvalue - exact) < 4 * math.sqrt(exact * (1 - exact) / 9999)
    extreme = (abs(drawn.distribution) >= abs(drawn.statistic) * (1 - 1e-12)).sum()
    assert drawn.pvalue == (1 + extreme) / 10_000


@pytest.mark.slow
def test_counts_of_subset_sums_equal_those_of_whole_numbers():
    """1,100 numbers: counts near 2^1100, beyond the largest double."""
    sizes = np.sort(np.random.default_rng(0).integers(1, 20, 1100))
    most = int(sizes.sum()) // 2
    counts, exponent = count_subset_sums(sizes, most)
    want = 1
    for size in sizes.tolist():  # a polynomial, 1,200 bits a coefficient
        want += want << (1200 * size)
    mask = (1 << 1200) - 1
    for k in (most, most - 1, most * 9 // 10):
        coefficient = (want >> (1200 * k)) & mask
        assert_allclose(float(Fraction(coefficient, 1 << exponent)), counts[k], rtol=1e-12)


def test_a_p_value_that_underflows_keeps_its_logarithm_in_permutation_auc_test():
    scores = np.arange(1600)
    result = fc.permutation_auc_test(scores >= 800, scores, -scores, exact=True)
    assert result.pvalue == 0.0
    assert_allclose(result.log_pvalue, -1599 * math.log(2), rtol=1e-14)
    assert "p < 1e-300" in result.summary()


def test_many_cases_agree_with_the_normal_distribution_and_delong():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 700)
    a, b = (scale * y + rng.normal(size=700) for scale in (1, 0.8))
    result, delong = fc.permutation_auc_test(y, a, b), fc.delong_test(y, a, b)
    assert result.exact
    z = result.estimate / result.standard_error
    assert_allclose(result.pvalue, normal_pvalue(z, "two-sided").pvalue, rtol=0.02)
    assert_allclose(result.standard_error, delong.standard_error, rtol=0.05)
