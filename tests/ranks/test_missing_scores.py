"""Skillings and Mack's test and Durbin's against definitions, R and published numbers."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from tests.reference import ranks as reference
from tests.reference.ranks import D1, NAN

# Four methods of assembly, nine people: Hollander and Wolfe, in R's Skillings.Mack 1.10
ASSEMBLY = """
3.2 4.1 3.8 4.2, 3.1 3.9 3.4 4.0, 4.3 3.5 4.6 4.8, 3.5 3.6 3.9 4.0, 3.6 4.2 3.7 3.9,
4.5 4.7 3.7 nan, nan 4.2 3.4 nan, 4.3 4.6 4.4 4.9, 3.5 nan 3.7 3.9
"""
# Seven brands of ice cream, three each for seven people: Conover (1999), in R's agricolae 1.3
TASTED = "124 235 346 457 156 267 137"
LIKED = "231 312 213 123 312 312 312"
# Toxic doses of seven chemicals: Hollander and Wolfe, in R's agricolae 1.3
GIVEN = "124 135 347 167 236 257 456"
TOXIC = """
.465 .343 .396 .602 .873 .634 .875 .325 .330 .423 .987 .426 .652 1.142 .989 .536 .409 .309 .609
.417 .931
"""


def design(models, scores):
    table = np.full((7, 7), NAN)
    for row, chosen in enumerate(models.split()):
        for place, model in enumerate(chosen):
            table[row, int(model) - 1] = scores[3 * row + place]
    return table


ICE_CREAM = design(TASTED, [float(x) for x in LIKED.replace(" ", "")])
CHEMICALS = design(GIVEN, [float(x) for x in TOXIC.split()])


@st.composite
def holed_tables(draw):
    """Tables of few distinct numbers, with holes, and with two rows that are whole."""
    n, k = draw(st.integers(1, 8)), draw(st.integers(3, 5))
    cell = st.sampled_from([0.0, 1.0, 2.0, 3.0, 4.0, NAN])
    table = draw(st.lists(st.lists(cell, min_size=k, max_size=k), min_size=n, max_size=n))
    whole = draw(st.lists(st.integers(0, 9), min_size=k, max_size=k, unique=True))
    return [*table, [float(x) for x in whole], [float(x) for x in reversed(whole)]]


def mack(table, **options):
    """Return the result, whatever the table warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fc.DroppedCasesWarning)
        return fc.skillings_mack_test(table, on_undefined="ignore", **options)


def test_check_values_in_skillings_mack_test():
    holed = np.array(D1, float)
    holed[0, 1] = NAN
    found = fc.skillings_mack_test(holed, higher_is_better=False)
    assert_allclose((found.statistic, found.pvalue), (5.62331, 0.0601054), rtol=2e-6)
    assert (found.df, found.n_scores.tolist()) == (2, [4, 3, 4])


def test_numbers_of_r_with_missing_scores_in_skillings_mack_test():
    table = [[float(x) for x in row.split()] for row in ASSEMBLY.split(",")]
    found = fc.skillings_mack_test(table, higher_is_better=False)
    assert_allclose((found.statistic, found.pvalue), (15.493049, 0.001440296302), rtol=1e-7)
    assert found.df == 3


def test_numbers_of_r_for_balanced_designs_in_durbin_test():
    found = fc.durbin_test(ICE_CREAM, method="chi2", higher_is_better=False)
    assert (found.statistic, found.df) == (12.0, 6)
    assert_allclose(found.pvalue, 0.0619688, rtol=1e-6)
    assert (3 * found.average_ranks).tolist() == [8, 9, 4, 3, 5, 6, 7]
    assert (found.scores_per_set, found.scores_per_model, found.sets_per_pair) == (3, 3, 1)
    assert round(fc.durbin_test(CHEMICALS).chi2, 2) == 7.71
    by_f = fc.durbin_test(ICE_CREAM)  # Conover's T2
    assert (by_f.statistic, by_f.df) == (8.0, (6, 8))
    assert_allclose(by_f.pvalue, stats.f.sf(8, 6, 8), rtol=1e-12)


@pytest.mark.slow
@settings(max_examples=50)
@given(table=holed_tables(), ties=st.sampled_from(["corrected", "ignored"]))
def test_skillings_mack_equals_the_definition_in_skillings_mack_test(table, ties):
    found = mack(table, ties=ties)
    assert_allclose(found.statistic, reference.skillings_mack(table, ties), rtol=1e-9, atol=1e-9)
    assert found.df == found.k - 1
    assert_allclose(found.pvalue, stats.chi2.sf(found.statistic, found.df), rtol=1e-9)
    assert found.n + found.n_dropped == len(table)


@pytest.mark.slow
@settings(max_examples=30)
@given(table=holed_tables(), data=st.data())
def test_laws_in_skillings_mack_test(table, data):
    table = np.array(table)
    found = mack(table)
    rows = data.draw(st.permutations(range(len(table))))
    models = data.draw(st.permutations(range(table.shape[1])))
    turned = mack(-np.exp(table[rows][:, models]), higher_is_better=False)
    assert_allclose(turned.statistic, found.statistic, rtol=1e-9, atol=1e-9)
    assert_allclose(turned.adjusted_sums, found.adjusted_sums[models], rtol=1e-9, atol=1e-9)
    assert_allclose(turned.average_ranks, found.average_ranks[models], rtol=1e-14)


@pytest.mark.slow
@settings(max_examples=40)
@given(
    st.integers(3, 5).flatmap(
        lambda k: st.lists(
            st.lists(st.integers(0, 3), min_size=k, max_size=k), min_size=2, max_size=7
        )
    ),
    st.sampled_from(["corrected", "ignored"]),
)
def test_complete_tables_are_friedmans(table, ties):
    wanted = fc.friedman_test(table, method="chi2", ties=ties)
    found = fc.skillings_mack_test(table, ties=ties)
    assert_allclose(found.statistic, wanted.statistic, rtol=1e-9, atol=1e-9)
    assert_allclose(found.pvalue, wanted.pvalue, rtol=1e-8)
    assert (found.df, found.status) == (wanted.df, wanted.status)
    assert found.average_ranks.tolist() == wanted.average_ranks.tolist()
    if ties == "corrected":
        durbin = fc.durbin_test(table)
        by_f = fc.friedman_test(table, method="iman-davenport")
        assert (durbin.chi2, durbin.f, durbin.df) == (wanted.chi2, by_f.statistic, by_f.df)
        assert (durbin.pvalue, durbin.status) == (by_f.pvalue, by_f.status)


@pytest.mark.slow
@settings(max_examples=40)
@given(st.lists(st.integers(0, 5), min_size=21, max_size=21))
def test_durbin_equals_the_definition_and_is_rounded_once(scores):
    table = design(TASTED, scores)
    found = fc.durbin_test(table, on_undefined="ignore")
    chi2, f = reference.durbin(table.tolist())
    assert (found.chi2, found.f) == (float(chi2), math.inf if f is None else float(f))
    again = fc.skillings_mack_test(table, ties="ignored", on_undefined="ignore")
    untied = all(len(set(row[~np.isnan(row)])) == 3 for row in table)
    if untied:  # Skillings and Mack's is Durbin's in a balanced design
        assert_allclose(again.statistic, found.chi2, rtol=1e-9, atol=1e-9)


def test_models_that_tie_everywhere_do_not_differ():
    table = np.where(np.isnan(ICE_CREAM), NAN, 1.0)
    for test in (fc.skillings_mack_test, fc.durbin_test):
        found = test(table)
        assert (found.statistic, found.pvalue, found.status) == (0.0, 1.0, "no_difference")


def test_models_in_a_chain_are_all_compared_in_skillings_mack_test():
    """The first and the last of six models share no data set with any but their neighbour."""
    table = np.full((10, 6), NAN)
    for row in range(10):
        table[row, row % 5 : row % 5 + 2] = (1, 2) if row < 5 or row % 2 else (2, 1)
    found = fc.skillings_mack_test(table)
    assert (found.df, found.status) == (5, "ok")
    assert_allclose(found.statistic, reference.skillings_mack(table), rtol=1e-12)


def test_groups_of_models_that_nothing_compares_are_named_in_skillings_mack_test():
    table = [[1, 2, NAN, NAN], [1, 2, NAN, NAN], [NAN, NAN, 2, 1], [NAN, NAN, 1, 2]]
    with pytest.warns(fc.UndefinedResultWarning, match="disconnected") as record:
        found = fc.skillings_mack_test(table)
    assert record[0].filename == __file__
    assert (found.df, found.status) == (2, "disconnected")
    assert_allclose(found.statistic, reference.skillings_mack(table), rtol=1e-12)
    with pytest.raises(fc.UndefinedResultError):
        fc.skillings_mack_test(table, on_undefined="raise")


def test_a_balanced_design_without_a_rest_has_no_p_value_by_f_in_durbin_test():
    """Two models tie as the best everywhere, the other two as the worst."""
    table = [[1, 1, 0, NAN], [1, 1, NAN, 0], [1, NAN, 0, 0], [NAN, 1, 0, 0]]
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        found = fc.durbin_test(table)
    assert found.statistic == math.inf
    assert math.isnan(found.pvalue)
    chi2 = fc.durbin_test(table, method="chi2")
    assert chi2.status == "ok"
    assert_allclose(chi2.pvalue, stats.chi2.sf(8, 3), rtol=1e-12)


def test_data_sets_that_compare_nothing_are_left_out_aloud_in_skillings_mack_test():
    table = [*D1, [1, NAN, NAN], [NAN, NAN, NAN]]
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 6 data sets") as record:
        found = fc.skillings_mack_test(table, higher_is_better=False)
    assert record[0].filename == __file__
    assert (found.statistic, found.n, found.n_dropped) == (6.5, 4, 2)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2], [2, NAN], [3, 1]], "wilcoxon_test"),
        ([[1, 2, NAN], [2, 1, NAN], [NAN, NAN, 1]], "'model 3' has none"),
        ([[1, 2, NAN], [2, NAN, NAN], [NAN, NAN, 1]], "at least 2 data sets with two scores"),
    ],
)
def test_tables_that_cannot_be_compared_are_refused_in_skillings_mack_test(table, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.skillings_mack_test(table)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([[1, 2, 3], [2, 1, NAN]], "every row; row 0 has 3 and row 1 has 2"),
        ([[1, 2, NAN], [2, 1, NAN], [NAN, 3, 1]], "every model; 'model 1' has 2 and 'model 2' has"),
        (
            [[1, 2, NAN, NAN], [NAN, 1, 2, NAN], [NAN, NAN, 1, 2], [2, NAN, NAN, 1]],
            "every pair of models; the pair 'model 1' and 'model 2' has 1 and the pair 'model 1'",
        ),
        ([[1, NAN, NAN], [NAN, 1, NAN], [NAN, NAN, 1]], "at least two scores in every row"),
        ([[1, 2], [2, 1]], "wilcoxon_test"),
    ],
)
def test_designs_that_are_not_balanced_are_refused_in_durbin_test(table, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.durbin_test(table)


@pytest.mark.slow
def test_p_values_hold_their_level_under_the_null_hypothesis_in_skillings_mack_test():
    rng = np.random.default_rng(12)
    p = []
    for _ in range(500):
        table = rng.normal(size=(20, 4))
        table[np.arange(15), rng.integers(0, 4, 15)] = NAN
        p.append(fc.skillings_mack_test(table).pvalue)
    for level in (0.05, 0.2):
        assert abs(np.mean(np.array(p) <= level) - level) < 4 * (level / 500) ** 0.5
