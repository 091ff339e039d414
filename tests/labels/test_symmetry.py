"""Bowker's and the Stuart-Maxwell test against statsmodels, fractions and R's numbers."""

import json
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from statsmodels.stats.contingency_tables import SquareTable

import fastcompare as fc
from tests.reference import labels as reference
from tests.shared.golden_files import GOLDEN

K = reference.SQUARE
PUBLISHED = json.loads((GOLDEN / "contingency_tables.json").read_text())["cases"]
SQUARES = st.integers(2, 5).flatmap(
    lambda k: st.lists(
        st.lists(st.integers(0, 12), min_size=k, max_size=k), min_size=k, max_size=k
    ).filter(lambda rows: any(map(any, rows)))
)


def test_check_values():
    bowker, margins = fc.bowker_test(K), fc.stuart_maxwell_test(K)
    assert_allclose((bowker.statistic, bowker.pvalue), (13.7692, 0.00323671), rtol=3e-6)
    assert_allclose((margins.statistic, margins.pvalue), (13.7647, 0.00102573), rtol=3e-6)
    assert (bowker.df, margins.df) == (3, 2)


@pytest.mark.parametrize("case", [c for c in PUBLISHED if "Bowker" in c["call"]], ids=str)
def test_published_numbers_in_bowker_test(case):
    """R's mcnemar.test and statsmodels, which count also pairs of classes that never occur."""
    result, want = fc.bowker_test(case["table"]), case["expected"]
    assert_allclose(result.statistic, want["chi2"], rtol=1e-6)
    empty = sum(case["table"][i][j] + case["table"][j][i] == 0 for i in range(5) for j in range(i))
    assert result.df == want["df"] - empty
    assert_allclose(stats.chi2.sf(result.statistic, want["df"]), want["p"], rtol=1e-6)
    if not empty:
        assert_allclose(result.pvalue, want["p"], rtol=1e-6)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(SQUARES)
def test_bowkers_test_equals_its_definition_and_statsmodels_in_bowker_test(table):
    result = fc.bowker_test(table)
    pairs = [(table[i][j], table[j][i]) for i in range(len(table)) for j in range(i)]
    terms = [Fraction((u - v) ** 2, u + v) for u, v in pairs if u + v]
    assert_allclose(result.statistic, float(sum(terms)), rtol=1e-14)
    assert result.df == len(terms)
    if len(terms) == len(pairs):
        want = SquareTable(np.array(table, float), shift_zeros=False).symmetry()
        assert_allclose((result.statistic, result.pvalue), (want.statistic, want.pvalue), rtol=1e-9)
    if not terms:
        assert (result.statistic, result.pvalue, result.status) == (0.0, 1.0, "no_discordant")


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(SQUARES)
def test_the_stuart_maxwell_test_equals_its_definition(table):
    """By exact linear algebra: any solution of V x = d gives the same d' x."""
    result = fc.stuart_maxwell_test(table)
    rank, want = reference.stuart_maxwell(table)
    assert result.df == rank
    if rank:
        want = float(want)
        assert_allclose(result.statistic, want, rtol=1e-10, atol=1e-10)
        assert_allclose(result.pvalue, stats.chi2.sf(want, rank), rtol=1e-8)
    else:
        assert (result.statistic, result.pvalue, result.status) == (0.0, 1.0, "no_discordant")


@pytest.mark.parametrize("table", [K, [[4, 7, 2, 1], [1, 9, 3, 5], [6, 2, 8, 1], [2, 2, 5, 3]]])
def test_equal_margins_equal_statsmodels_in_stuart_maxwell_test(table):
    want = SquareTable(np.array(table, float), shift_zeros=False).homogeneity()
    result = fc.stuart_maxwell_test(table)
    assert_allclose((result.statistic, result.pvalue), (want.statistic, want.pvalue), rtol=1e-9)


@pytest.mark.parametrize("test", [fc.bowker_test, fc.stuart_maxwell_test])
def test_two_classes_are_mcnemars_test(test):
    table = [[30, 14], [15, 9]]
    want = fc.mcnemar_test(table, method="asymptotic")
    assert_allclose((test(table).statistic, test(table).pvalue), (want.statistic, want.pvalue))


@pytest.mark.parametrize("test", [fc.bowker_test, fc.stuart_maxwell_test])
def test_labels_and_their_table_give_the_same_result(test):
    a = [i for i, row in enumerate(K) for count in row for _ in range(count)]
    b = [j for row in K for j, count in enumerate(row) for _ in range(count)]
    want = test(K).to_dict()
    assert test(a, b).to_dict() == want
    names = np.array(["x", "y", "z"])
    named = test(names[a], names[b])
    assert named.classes == ("x", "y", "z")
    assert (named.statistic, named.pvalue, named.n) == (want["statistic"], want["pvalue"], 128)
    assert "agree on 90 of 128 cases with 3 classes" in named.summary()


def test_labels_that_cannot_be_compared_are_refused_in_bowker_test():
    for labels, message in (
        (([1, 2], [1, 2, 2]), "same cases"),
        (([], []), "at least one"),
        ((["1", "2"], [1, 2]), "`labels_b` contains numbers and `labels_a` strings"),
        (([1, 2], [1, None]), "`labels_b` has 1 missing"),
        (([1, 2], [1, 0.5]), "threshold"),
        (([[1, 2, 3], [4, 5, 6]],), "square"),
        (([[1, -2], [3, 4]],), "at least 0"),
    ):
        with pytest.raises(fc.InvalidValueError, match=message):
            fc.bowker_test(*labels)
    with pytest.warns(fc.DroppedCasesWarning) as record:
        result = fc.bowker_test([1, 2, 3], [2, 1, None], nan_policy="omit")
    assert (result.n, result.n_dropped, result.df) == (2, 1, 1)
    assert record[0].filename == __file__


@pytest.mark.slow
def test_p_values_are_uniform_under_the_null_hypothesis():
    rng = np.random.default_rng(5)
    shares = np.array([[4, 2, 1], [2, 5, 2], [1, 2, 6]]) / 25
    tables = rng.multinomial(400, shares.ravel(), size=800).reshape(-1, 3, 3)
    for test in (fc.bowker_test, fc.stuart_maxwell_test):
        p = np.array([test(table).pvalue for table in tables])
        for level in (0.05, 0.2):
            assert abs((p <= level).mean() - level) < 3.5 * (level / 800) ** 0.5
