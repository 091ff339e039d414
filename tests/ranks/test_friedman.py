"""Friedman's test against its definition, SciPy, R and published numbers."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare import kernels
from tests.reference import ranks as reference
from tests.reference.ranks import D1, D2
from tests.shared.golden_files import GOLDEN

DEMSAR = json.loads((GOLDEN / "demsar2006.json").read_text())
PMCMR = json.loads((GOLDEN / "friedman_posthoc_pmcmr.json").read_text())
R = json.loads((GOLDEN / "r_documented_examples.json").read_text())
METHODS = ("iman-davenport", "chi2", "exact", "permutation")


def lowest_first(table, **options):
    return fc.friedman_test(table, higher_is_better=False, **options)


@st.composite
def tables(draw, rows=8, models=6):
    """Tables of few distinct numbers, so that ties abound."""
    n, k = draw(st.integers(2, rows)), draw(st.integers(3, models))
    row = st.lists(st.integers(-2, 3), min_size=k, max_size=k)
    return draw(st.lists(row, min_size=n, max_size=n))


def test_check_values_in_friedman_test():
    first, second = (lowest_first(d, method="iman-davenport") for d in (D1, D2))
    assert (first.chi2, first.statistic, first.df) == (6.5, 13.0, (2, 6))
    assert_allclose(first.pvalue, 0.0065918, rtol=1e-5)
    assert_allclose((second.chi2, second.statistic), (10.2973, 18.1429), rtol=1e-5)
    ignored = lowest_first(D2, ties="ignored", method="chi2")
    assert ignored.statistic == ignored.chi2 == 9.525
    assert ignored.df == 3
    assert_allclose(lowest_first(D1, method="exact").pvalue, 0.0416667, rtol=1e-6)


def test_numbers_of_demsar_in_friedman_test():
    """The ranks as printed: the row of 'voting' was ranked before it was rounded."""
    expected, again = DEMSAR["expected"], DEMSAR["recomputed"]
    table = dict(
        zip(DEMSAR["data"]["cols"], np.transpose(DEMSAR["data"]["ranks_printed"]), strict=True)
    )
    found = lowest_first(table, ties="ignored")
    assert_allclose(found.average_ranks, expected["avg_ranks"], atol=5e-4)
    assert_allclose((found.chi2, found.statistic), (9.28, 3.69), atol=5e-3)
    assert found.df == (3, 39)
    wanted = [again[name] for name in ("friedman_chi2", "iman_davenport_F", "iman_p")]
    assert_allclose((found.chi2, found.statistic, found.pvalue), wanted, rtol=1e-12)
    corrected = lowest_first(table)
    assert_allclose(corrected.chi2, again["friedman_chi2_tie_corrected"])
    assert_allclose(corrected.statistic, again["iman_davenport_F_from_tie_corrected"])
    chi2 = lowest_first(table, ties="ignored", method="chi2")
    assert_allclose(chi2.pvalue, again["friedman_p"])
    assert found.summary() == (
        "The 4 models differ significantly in average rank. "
        "Over 14 data sets the average ranks range from 1.964 (C4.5+m+cf, median 2, "
        "MAD 1) to 3.143 (C4.5, median 3.5, MAD 0.5); Friedman's test with Iman and Davenport's "
        "correction, F(3, 39) = 3.686, "
        f"p = 0.0198, Kendall's W = {found.kendall_w:.3f}."
    )


def test_highest_accuracy_has_rank_1_in_friedman_test():
    printed = DEMSAR["recomputed"]["from_rounded_table"]
    found = fc.friedman_test(DEMSAR["data"]["auc"], ties="ignored")
    assert_allclose(found.average_ranks, printed["avg_ranks"])
    assert_allclose((found.chi2, found.statistic), (printed["chi2"], printed["F"]))
    corrected = fc.friedman_test(DEMSAR["data"]["auc"], method="chi2")
    assert_allclose((corrected.statistic, corrected.pvalue), printed["scipy_friedmanchisquare"])


def test_numbers_of_r_in_friedman_test():
    rounding, frequencies = R["friedman_RoundingTimes"], R["quade_dataFreq"]
    found = fc.friedman_test(rounding["data"], method="chi2")
    wanted = rounding["expected"]
    assert found.df == wanted["df"]
    assert_allclose((found.statistic, found.pvalue), (wanted["chi2"], wanted["p"]), rtol=1e-12)
    found = fc.friedman_test(frequencies["data"], method="chi2")
    wanted = frequencies["friedman"]
    assert_allclose((found.statistic, found.pvalue), (wanted["statistic"], wanted["p"]), rtol=1e-12)
    assert found.df == wanted["parameter"]
    small = R["friedman_small_textbook"][0]
    assert fc.friedman_test(small["data"]).chi2 == small["expected_chi2"]
    stac = R["stac_unit_tests"]
    found = lowest_first({name: stac[name] for name in "ABC"}, ties="ignored")
    wanted = stac["recomputed"]
    assert_allclose(found.average_ranks, wanted["avg_ranks_A_B_C"], atol=5e-5)
    assert_allclose((found.statistic, found.pvalue), (wanted["F"], wanted["p"]))


def test_numbers_of_pmcmr_in_friedman_test():
    found = lowest_first(PMCMR["data_blocks_x_groups"], method="chi2")
    wanted = PMCMR["recomputed"]
    assert_allclose(found.average_ranks, wanted["avg_ranks"])
    assert_allclose((found.statistic, found.pvalue), wanted["friedman_scipy"])


@pytest.mark.slow
@settings(max_examples=60)
@given(table=tables(), ties=st.sampled_from(["corrected", "ignored"]))
def test_statistics_equal_the_definition_and_are_rounded_once_in_friedman_test(table, ties):
    found = fc.friedman_test(table, ties=ties)
    chi2, f, w = reference.friedman(table, ties)
    assert (found.chi2, found.kendall_w) == (float(chi2), float(w))
    assert found.iman_davenport == (math.inf if f is None else float(f))
    assert found.average_ranks.tolist() == [
        float(total / len(table)) for total in reference.columns(reference.table_ranks(table))
    ]


@pytest.mark.slow
@settings(max_examples=40)
@given(table=tables())
def test_chi2_and_its_p_value_equal_scipys_in_friedman_test(table):
    found = fc.friedman_test(table, method="chi2")
    if found.status == "no_difference":
        assert (found.statistic, found.pvalue) == (0.0, 1.0)
        return
    peer = stats.friedmanchisquare(*np.transpose(table))
    assert_allclose(found.statistic, peer.statistic, rtol=1e-9, atol=1e-9)
    assert_allclose(found.pvalue, peer.pvalue, rtol=1e-8)


def test_f_and_its_p_value_equal_scipys_tail_of_f_in_friedman_test():
    table = np.random.default_rng(0).normal([0, 0, 0.5, 1, 2], 1.0, (12, 5))
    found = fc.friedman_test(table)
    chi2 = stats.friedmanchisquare(*table.T).statistic
    f = 11 * chi2 / (12 * 4 - chi2)
    assert_allclose((found.statistic, found.pvalue), (f, stats.f.sf(f, 4, 44)), rtol=1e-11)
    assert_allclose(found.log_pvalue, math.log(found.pvalue), rtol=1e-12)
    assert_allclose(found.kendall_w, chi2 / (12 * 4), rtol=1e-12)


@settings(max_examples=30)
@given(table=tables(), data=st.data(), method=st.sampled_from(METHODS[:3]))
def test_laws_in_friedman_test(table, data, method):
    """Rows in any order, models in any order, any increasing function of each row's scores."""
    table = np.array(table, float)[:4, :4]
    found = fc.friedman_test(table, method=method)
    rows = data.draw(st.permutations(range(len(table))))
    models = data.draw(st.permutations(range(table.shape[1])))
    turned = fc.friedman_test(np.exp(table[rows][:, models]) / 100, method=method)
    assert (turned.statistic, turned.pvalue) == (found.statistic, found.pvalue)
    assert turned.average_ranks.tolist() == found.average_ranks[models].tolist()
    worst_first = fc.friedman_test(table, method=method, higher_is_better=False)
    assert (worst_first.statistic, worst_first.pvalue) == (found.statistic, found.pvalue)
    assert_allclose(worst_first.average_ranks, found.k + 1 - found.average_ranks, rtol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "n"), [(3, 2), (3, 5), (4, 3), (5, 4), (6, 3), (10, 30), (50, 200)])
def test_perfect_agreement_has_the_chance_of_one_order_in_friedman_test(k, n):
    scores = np.tile(np.arange(k, dtype=float), (n, 1))
    found = fc.friedman_test(scores, method="iman-davenport")
    assert (found.statistic, found.status, found.kendall_w) == (math.inf, "same_ranks", 1.0)
    log_p = (1 - n) * math.log(math.factorial(k))
    assert_allclose(found.log_pvalue, log_p, rtol=1e-14)
    assert_allclose(found.pvalue, math.exp(log_p), rtol=1e-12)
    chi2 = fc.friedman_test(scores, method="chi2")
    assert (chi2.statistic, chi2.status) == (n * (k - 1), "ok")
    assert_allclose(chi2.pvalue, stats.chi2.sf(n * (k - 1), k - 1), rtol=1e-9)


def test_perfect_agreement_with_ties_has_the_exact_chance_in_friedman_test():
    table = [[1, 1, 2, 3]] * 3
    found = fc.friedman_test(table, method="iman-davenport")
    assert found.statistic == math.inf
    assert_allclose(found.pvalue, 12.0**-2, rtol=1e-14)
    assert_allclose(fc.friedman_test(table, method="exact").pvalue, 12.0**-2, rtol=1e-14)
    ignored = fc.friedman_test(table, ties="ignored")
    assert ignored.status == "ok"
    assert ignored.statistic < math.inf


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("ties", ["corrected", "ignored"])
def test_models_that_tie_everywhere_do_not_differ_in_friedman_test(method, ties):
    found = fc.friedman_test(np.ones((5, 4)), method=method, ties=ties, rng=0)
    assert (found.statistic, found.pvalue, found.log_pvalue) == (0.0, 1.0, 0.0)
    assert (found.status, found.kendall_w) == ("no_difference", 0.0)
    assert found.average_ranks.tolist() == [2.5] * 4


@pytest.mark.slow
@settings(max_examples=40)
@given(table=tables())
def test_the_kernel_for_compiled_code_gives_the_same_statistics_in_friedman_test(table):
    chi2, f = kernels.friedman(np.array(table, float))
    found = fc.friedman_test(table)
    assert_allclose((chi2, f), (found.chi2, found.iman_davenport), rtol=1e-14)


@pytest.mark.slow
def test_p_values_hold_their_level_under_the_null_hypothesis():
    """F is near its level where chi-squared is conservative: why F is the default."""
    rng = np.random.default_rng(5)
    n, k, trials = 10, 4, 2000
    f_level, chi2_level = stats.f.isf(0.05, k - 1, (k - 1) * (n - 1)), stats.chi2.isf(0.05, k - 1)
    found = np.array([kernels.friedman(rng.normal(size=(n, k))) for _ in range(trials)])
    by_chi2, by_f = (found > (chi2_level, f_level)).mean(axis=0)
    assert abs(by_f - 0.05) < 0.015
    assert by_chi2 < by_f
