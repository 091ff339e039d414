"""Quade's test and the aligned-ranks test against definitions, R and published numbers."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from tests.reference import ranks as reference
from tests.reference.ranks import D1
from tests.shared.golden_files import GOLDEN

R = json.loads((GOLDEN / "r_documented_examples.json").read_text())
STAC = {name: R["stac_unit_tests"][name] for name in "ABC"}
TESTS = [fc.quade_test, fc.friedman_aligned_ranks_test]
BOTH = pytest.mark.parametrize("test", TESTS, ids=["quade", "aligned"])


@st.composite
def tables(draw):
    """Tables of few distinct numbers, so that scores, ranges and aligned scores tie."""
    n, k = draw(st.integers(2, 7)), draw(st.integers(3, 5))
    row = st.lists(st.integers(-2, 3), min_size=k, max_size=k)
    return draw(st.lists(row, min_size=n, max_size=n))


def test_check_values():
    quade = fc.quade_test(D1, higher_is_better=False)
    assert_allclose((quade.statistic, quade.pvalue), (8.512195, 0.0176966), rtol=1e-5)
    assert quade.df == (2, 6)
    aligned = fc.friedman_aligned_ranks_test(D1, higher_is_better=False)
    assert_allclose((aligned.statistic, aligned.pvalue), (5.978873, 0.0503158), rtol=1e-6)
    assert aligned.df == 2


@BOTH
@pytest.mark.parametrize("factor", [0.01, 1 / 3, 1e-200, 1e300])
def test_a_factor_changes_nothing(test, factor):
    """Floats untie the ranges of D1 / 100, and Quade's F falls from 8.5 to 7."""
    table = np.array(D1, float)
    scaled = test(table * factor)
    assert (scaled.statistic, scaled.pvalue) == (test(table).statistic, test(table).pvalue)
    if factor == 0.01:
        ranges = np.ptp(table / 100, axis=1)
        assert ranges[0] != ranges[2]
        assert test(table / 100).statistic == test(table).statistic


def test_the_largest_numbers_do_not_overflow():
    table = np.array([[-1.7e308, 1.7e308, 1e308], [0, 1, 2], [1, 0, 5e-324]])
    assert fc.quade_test(table).statistic >= 0
    ranks = fc.friedman_aligned_ranks_test(table).average_ranks
    assert_allclose(3 * ranks, [21, 12.5, 11.5])


def test_numbers_of_r_in_quade_test():
    wanted = R["quade_dataFreq"]["expected"]
    found = fc.quade_test(R["quade_dataFreq"]["data"])
    assert_allclose((found.statistic, found.pvalue), (wanted["statistic"], wanted["p"]), rtol=1e-9)
    assert list(found.df) == wanted["parameter"]


def test_ranges_tie_that_floats_untie_in_r_in_quade_test():
    """R 4.2.2 finds 7.04 for times in hundredths, and 6.37 once they are multiplied by 100."""
    times = np.array(R["friedman_RoundingTimes"]["data"])
    found = fc.quade_test(times)
    exact = [[Fraction(str(x)) for x in row] for row in times.tolist()]
    assert found.statistic == float(reference.quade(exact))
    assert_allclose(found.statistic, 6.37041374989786, rtol=1e-14)
    naive = reference.quade([[Fraction(x) for x in row] for row in times.tolist()])
    assert abs(float(naive) - found.statistic) > 0.5


def test_numbers_of_stac():
    wanted = R["stac_unit_tests"]["expected"]
    aligned = fc.friedman_aligned_ranks_test(STAC, higher_is_better=False)
    assert_allclose(aligned.statistic, wanted["aligned_T"], rtol=1e-12)
    assert_allclose(aligned.pvalue, wanted["aligned_p"], atol=5e-4)
    ranks = dict(zip("ACB", wanted["aligned_ranks"], strict=True))  # printed in this order
    assert_allclose(aligned.average_ranks, [ranks[name] for name in "ABC"], atol=5e-5)
    quade = fc.quade_test(STAC, higher_is_better=False)
    assert_allclose(quade.statistic, wanted["quade"], rtol=1e-11)
    assert_allclose(quade.pvalue, wanted["quade_p"], atol=5e-5)


@pytest.mark.slow
@settings(max_examples=50)
@given(table=tables())
def test_quades_f_equals_the_definition_and_is_rounded_once_in_quade_test(table):
    wanted = reference.quade(table)
    found = fc.quade_test(table)
    assert found.statistic == (math.inf if wanted is None else float(wanted))
    if found.status == "ok":
        k, n = len(table[0]), len(table)
        wanted_p = stats.f.sf(found.statistic, k - 1, (k - 1) * (n - 1))
        assert_allclose(found.pvalue, wanted_p, rtol=1e-9)


@pytest.mark.slow
@settings(max_examples=50)
@given(table=tables(), ties=st.sampled_from(["ignored", "corrected"]))
def test_aligned_chi2_equals_the_definition_and_is_rounded_once(table, ties):
    found = fc.friedman_aligned_ranks_test(table, ties=ties)
    assert found.statistic == float(reference.aligned(table, ties))
    if found.status == "ok":
        assert_allclose(found.pvalue, stats.chi2.sf(found.statistic, found.k - 1), rtol=1e-9)


@BOTH
@settings(max_examples=25)
@given(table=tables(), data=st.data())
def test_laws(test, table, data):
    """Any order of rows and models, a shift of each row, a common positive factor."""
    table = np.array(table, float)
    found = test(table)
    rows = data.draw(st.permutations(range(len(table))))
    models = data.draw(st.permutations(range(table.shape[1])))
    shifts = data.draw(st.lists(st.integers(-9, 9), min_size=len(table), max_size=len(table)))
    turned = test((table[rows][:, models] + np.array(shifts)[:, None]) / 7)
    assert (turned.statistic, turned.pvalue) == (found.statistic, found.pvalue)
    assert_allclose(turned.average_ranks, found.average_ranks[models], rtol=1e-14)
    reversed_ = test(-table, higher_is_better=False)
    of_scores = {"medians": (-found.medians).tolist()}
    assert reversed_.to_dict() == found.to_dict() | of_scores


def test_ranks_weighted_by_ranges_in_quade_test():
    found = fc.quade_test([[1, 2, 3], [10, 30, 20], [1, 1.5, 1.2]])
    wanted = (2 * np.array([3, 2, 1]) + 3 * np.array([3, 1, 2]) + 1 * np.array([3, 1, 2])) / 6
    assert_allclose(found.weighted_ranks, wanted, rtol=1e-15)
    assert found.average_ranks.tolist() == [3, 4 / 3, 5 / 3]


@BOTH
def test_models_that_tie_everywhere_do_not_differ(test):
    found = test(np.arange(4.0)[:, None] * np.ones((4, 3)) + 0.1)
    assert (found.statistic, found.pvalue, found.status) == (0.0, 1.0, "no_difference")


def test_data_sets_alike_in_ranks_and_ranges_have_the_chance_of_that_in_quade_test():
    table = np.tile([0.1, 0.2, 0.4], (5, 1)) + np.arange(5)[:, None]
    found = fc.quade_test(table)
    assert (found.statistic, found.status) == (math.inf, "same_ranks")
    assert_allclose(found.pvalue, 6.0**-4, rtol=1e-14)
    assert fc.quade_test(table * np.arange(1, 6)[:, None]).statistic < math.inf


@BOTH
def test_bad_tables_are_refused(test):
    with pytest.raises(fc.InvalidValueError, match="wilcoxon_test"):
        test(np.array(D1)[:, :2])
    with pytest.raises(fc.InvalidValueError, match="at least 2 data sets"):
        test(D1[:1])
    with pytest.raises(fc.InvalidValueError, match="finite numbers, got inf"):
        test([[1, 2, math.inf], [1, 2, 3]])
    with pytest.raises(fc.InvalidValueError, match=r"\b1 missing value\b"):
        test([*D1, [1, None, 2]])
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 5 data sets") as record:
        found = test([*D1, [1, None, 2]], nan_policy="omit")
    assert record[0].filename == __file__
    assert (found.statistic, found.n, found.n_dropped) == (test(D1).statistic, 4, 1)


@pytest.mark.slow
@BOTH
def test_p_values_hold_their_level_under_the_null_hypothesis(test):
    rng = np.random.default_rng(11)
    p = [test(rng.normal(size=(15, 4)) * rng.uniform(1, 2, (15, 1))).pvalue for _ in range(800)]
    for level in (0.05, 0.2):
        assert abs(np.mean(np.array(p) <= level) - level) < 4 * (level / 800) ** 0.5


def test_summaries_name_the_test():
    scores = {name: np.asarray(column, float) for name, column in STAC.items()}
    at = {
        name: f"median {np.median(x):.4g}, MAD {stats.median_abs_deviation(x):.4g}"
        for name, x in scores.items()
    }
    assert fc.quade_test(STAC, higher_is_better=False).summary() == (
        "The 3 models do not differ significantly in average rank. Over 6 data sets the average "
        f"ranks range from 1.667 (B, {at['B']}) to 2.5 (C, {at['C']}); Quade's test, "
        "F(2, 10) = 2.314, p = 0.1493."
    )
    assert f"average aligned ranks range from 6.167 (B, {at['B']}) to 13 (C, {at['C']});" in (
        fc.friedman_aligned_ranks_test(STAC, higher_is_better=False).summary()
    )


@pytest.mark.parametrize("test", TESTS)
def test_directions_are_no_words(test):
    with pytest.raises(fc.InvalidTypeError, match="`higher_is_better` must be True or False"):
        test([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0]], higher_is_better="no")
