"""Nemenyi's test and critical differences against published numbers, mpmath and simulation."""

import json
import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc
from fastcompare._inference.step_down import log_range_tail, range_quantile, range_tail
from tests.reference import posthoc as reference
from tests.reference.ranks import D1
from tests.shared.golden_files import GOLDEN

DEMSAR = json.loads((GOLDEN / "demsar2006.json").read_text())
PMCMR = json.loads((GOLDEN / "friedman_posthoc_pmcmr.json").read_text())
TABLES = DEMSAR["tables"]


def printed_ranks():
    data = DEMSAR["data"]
    return dict(zip(data["cols"], np.transpose(data["ranks_printed"]), strict=True))


def nemenyi(table, **options):
    return fc.nemenyi_test(table, higher_is_better=False, **options)


def test_check_values():
    result = nemenyi(D1)
    assert_allclose(result.statistic[0], 3.5, rtol=1e-15)
    assert_allclose(result.pvalue[0], 0.035557, rtol=2e-5)
    assert_allclose(fc.critical_difference(4, 14), 1.253559, rtol=1e-6)
    dunn = fc.critical_difference(4, 14, test="bonferroni-dunn")
    assert_allclose(dunn, 1.16814, rtol=1e-5)
    assert_allclose(range_tail(np.array([12.0]), 10), 9.683826e-16, rtol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("q", "k"),
    [(0.01, 2), (1.0, 3), (3.5, 3), (4.474, 10), (12.0, 10), (20.0, 10), (30.0, 100), (6.0, 1000)],
)
def test_tails_have_thirteen_digits(q, k):
    expected = reference.range_tail(q, k)
    assert_allclose(range_tail(np.array([q]), k)[0], float(expected), rtol=1e-13)
    log_tail = log_range_tail(np.array([q]), k)[0]
    assert_allclose(log_tail, float(mpmath.log(expected)), rtol=1e-13, atol=1e-14)


def test_tails_of_many_are_those_of_each():
    for k in (2, 5, 100, 3000):
        q = np.random.default_rng(k).uniform(0, 72, size=4000)
        assert_allclose(range_tail(q, k), np.exp(log_range_tail(q, k)), rtol=4e-13)


def test_tails_that_underflow_have_a_logarithm():
    q = np.array([60.0, 100.0, 1e4])
    assert_array_equal(range_tail(q, 5)[1:], 0.0)
    # of the k (k - 1) / 2 differences, of variance 2, only one is ever so large
    expected = math.log(20) + stats.norm.logsf(q / math.sqrt(2))
    assert_allclose(log_range_tail(q, 5), expected, rtol=1e-12)


def test_the_tail_is_one_at_zero_and_falls():
    q = np.linspace(0, 60, 4001)
    for k in (2, 7, 50):
        tail = range_tail(q, k)
        assert tail[0] == 1.0
        assert (tail[1:] <= tail[:-1] * (1 + 1e-13)).all()
        assert (np.diff(log_range_tail(q, k)) <= 1e-15).all()


def test_two_models_make_it_a_normal_tail():
    q = np.array([0.3, 2.0, 9.0, 30.0])
    assert_allclose(range_tail(q, 2), 2 * stats.norm.sf(q / math.sqrt(2)), rtol=1e-13)


def test_moderate_tails_are_scipys():
    for k, q in [(3, 3.3), (5, 2.0), (10, 4.5)]:
        expected = stats.studentized_range.sf(q, k, np.inf)
        assert_allclose(range_tail(np.array([q]), k)[0], expected, rtol=1e-8)


def test_the_range_of_normal_variables_has_these_tails():
    drawn = np.ptp(np.random.default_rng(1).normal(size=(100_000, 6)), axis=1)
    for q in (1.5, 2.5, 4.0):
        p = range_tail(np.array([q]), 6)[0]
        assert np.mean(drawn > q) == pytest.approx(p, abs=4 * math.sqrt(p * (1 - p) / 100_000))


@pytest.mark.parametrize("k", [2, 3, 10, 100, 1000])
@pytest.mark.parametrize("upper", [1e-200, 1e-6, 0.05, 0.5, 0.999])
def test_quantiles_invert_tails(k, upper):
    q = range_quantile(upper, k)
    assert_allclose(log_range_tail(np.array([q]), k)[0], math.log(upper), rtol=3e-14, atol=1e-15)


@pytest.mark.parametrize("k", [2, 3, 1000, 2**70])
def test_quantiles_of_any_level_are_numbers(k):
    found = [range_quantile(upper, k) for upper in (5e-324, 1e-300, 0.05, 1 - 2e-16)]
    assert np.isfinite(found).all()
    assert (np.diff(found) < 0.0).all()
    assert found[-1] >= 0.0


def test_critical_differences_are_those_of_the_tables():
    for name, test, level in [
        ("nemenyi_q05", "nemenyi", 0.05),
        ("nemenyi_q10", "nemenyi", 0.10),
        ("bd_q05", "bonferroni-dunn", 0.05),
        ("bd_q10", "bonferroni-dunn", 0.10),
    ]:
        for k, printed in enumerate(TABLES[name], start=2):
            if (name, k) == ("bd_q05", 9):  # Table 5(b) misprints it
                assert printed == 2.724
                printed = 2.734
            quantile = fc.critical_difference(k, 6 * k * (k + 1), alpha=level, test=test) * 6
            assert quantile == pytest.approx(printed, abs=1.1e-3)


def test_critical_differences_of_demsar():
    found = [
        fc.critical_difference(4, 14),
        fc.critical_difference(4, 14, alpha=0.1),
        fc.critical_difference(4, 14, test="bonferroni-dunn"),
    ]
    assert_allclose(found, DEMSAR["recomputed"]["CD"], rtol=1e-7)
    assert_allclose(found, [1.25, 1.12, 1.16], atol=0.01)


@pytest.mark.parametrize(("level", "wanted"), [(0.05, "at_05"), (0.1, "at_10")])
def test_pairs_that_differ_are_those_of_demsar_in_nemenyi_test(level, wanted):
    result = nemenyi(printed_ranks(), alpha=level)
    found = [list(pair) for pair, p in zip(result.pairs, result.pvalue, strict=True) if p <= level]
    assert found == DEMSAR["expected"][f"nemenyi_significant_{wanted}"]


def test_cliques_of_demsar_in_nemenyi_test():
    result = nemenyi(printed_ranks(), alpha=0.1)
    assert list(map(list, result.cliques)) == [
        ["C4.5+m+cf", "C4.5+m", "C4.5+cf"],
        ["C4.5+cf", "C4.5"],
    ]
    assert len(nemenyi(printed_ranks()).cliques) == 1


def test_pvalues_of_scikit_posthocs_in_nemenyi_test():
    expected = DEMSAR["recomputed"]["from_rounded_table"]["nemenyi_p_scikit_posthocs"]
    result = fc.nemenyi_test(DEMSAR["data"]["auc"])
    assert_allclose(result.matrix("pvalue"), expected, rtol=1e-6)


def test_pvalues_of_pmcmr_in_nemenyi_test():
    result = nemenyi(PMCMR["data_blocks_x_groups"])
    expected = np.array(PMCMR["expected"]["nemenyi"], float)
    known = ~np.isnan(expected)
    assert_allclose(result.matrix("pvalue")[known], expected[known], atol=6e-8)
    assert_allclose(result.average_ranks, PMCMR["recomputed"]["avg_ranks"], rtol=1e-15)


@settings(max_examples=30, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 12),
    k=st.integers(2, 7),
    levels=st.sampled_from([3, 100]),
)
def test_laws_of_models_data_sets_and_units_in_nemenyi_test(seed, n, k, levels):
    rng = np.random.default_rng(seed)
    table = rng.integers(0, levels, size=(n, k)).astype(float)
    result = fc.nemenyi_test(table)
    models, rows = rng.permutation(k), rng.permutation(n)
    shuffled = fc.nemenyi_test(table[rows][:, models])
    matrix = result.matrix("pvalue")
    assert_array_equal(shuffled.matrix("pvalue"), matrix[np.ix_(models, models)])
    assert_array_equal(fc.nemenyi_test(-table, higher_is_better=False).pvalue, result.pvalue)
    assert_array_equal(fc.nemenyi_test(table / 100).pvalue, result.pvalue)
    assert_array_equal(matrix, matrix.T)
    assert_array_equal(np.diag(matrix), 1.0)
    assert_array_equal(result.matrix("estimate"), -result.matrix("estimate").T)
    assert_array_equal(result.matrix("statistic"), result.matrix("statistic").T)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), n=st.integers(2, 40), k=st.integers(2, 12))
def test_models_differ_exactly_from_the_critical_difference_on_in_nemenyi_test(seed, n, k):
    table = np.random.default_rng(seed).normal(size=(n, k)) + 0.4 * np.arange(k)
    result = fc.nemenyi_test(table)
    far = np.abs(result.estimate) >= result.critical_difference
    assert_array_equal(result.pvalue <= result.alpha, far)
    matrix = np.abs(result.matrix("estimate")) >= result.critical_difference
    groups = {group for group in reference.maximal_groups(matrix) if len(group) > 1}
    assert {frozenset(map(result.names.index, clique)) for clique in result.cliques} == groups


def test_the_result_of_three_models_in_nemenyi_test():
    result = nemenyi({"a": [3, 3, 3, 3], "b": [1, 1, 2, 1], "c": [2, 2, 1, 2]})
    assert result.pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    assert_array_equal(result.estimate, [1.75, 1.25, -0.5])
    assert_array_equal(result.adjusted_pvalue, result.pvalue)
    assert result.cliques == (("b", "c"), ("c", "a"))
    assert_allclose(np.exp(result.log_pvalue), result.pvalue, rtol=1e-12)
    assert result.summary() == (
        "1 of 3 differences in average rank is significant at the 5% level (Nemenyi's test, "
        "critical difference 1.657): b ranks better than a by 1.7500 (p = 0.0356); it does not "
        "differ significantly from c. There were 4 data sets."
    )
    assert result.to_dict()["cliques"] == [["b", "c"], ["c", "a"]]


def test_models_that_always_tie_do_not_differ_in_nemenyi_test():
    result = fc.nemenyi_test(np.ones((5, 3)))
    assert_array_equal(result.pvalue, 1.0)
    assert_array_equal(result.status, "no_difference")
    assert result.cliques == (("model 1", "model 2", "model 3"),)


def test_missing_scores_are_refused_or_their_data_sets_left_out_in_nemenyi_test():
    table = [[1.0, 2.0, 3.0], [2.0, math.nan, 1.0], [1.0, 3.0, 2.0]]
    with pytest.raises(fc.InvalidValueError, match="missing"):
        fc.nemenyi_test(table)
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 3 data sets") as caught:
        result = fc.nemenyi_test(table, nan_policy="omit")
    assert caught[0].filename == __file__
    assert (result.n, result.n_dropped) == (2, 1)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"k": 1, "n": 10}, ValueError, "`k` must be a whole number of at least 2, got 1"),
        ({"k": 3, "n": 0}, ValueError, "`n` must be a whole number of at least 1, got 0"),
        ({"k": 3.5, "n": 4}, ValueError, "`k`"),
        ({"k": "3", "n": 4}, TypeError, "`k`"),
        ({"k": 3, "n": 4, "alpha": 5}, ValueError, "Did you mean 0.05"),
        ({"k": 3, "n": 4, "test": "nemeny"}, ValueError, "Did you mean 'nemenyi'"),
    ],
    ids=["k1", "n0", "half", "text", "percent", "test"],
)
def test_bad_parameters_of_a_critical_difference(options, error, words):
    with pytest.raises(error, match=words) as caught:
        fc.critical_difference(**options)
    assert isinstance(caught.value, fc.FastCompareError)
