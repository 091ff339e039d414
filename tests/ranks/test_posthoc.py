"""Tests of pairs of models on many data sets against definitions and published numbers."""

import json
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc
from tests.reference import posthoc as reference
from tests.reference.ranks import D1, D2, columns, table_ranks
from tests.shared.golden_files import GOLDEN

PMCMR = json.loads((GOLDEN / "friedman_posthoc_pmcmr.json").read_text())
BLOCKS = PMCMR["data_blocks_x_groups"]
ABOVE = np.triu_indices(7, 1)
PAIRWISE = [fc.friedman_pairwise_test, fc.conover_test, fc.friedman_exact_pairs_test]
every_test = pytest.mark.parametrize("test", PAIRWISE, ids=lambda test: test.__name__)


def lower(test, table, **options):
    return test(table, higher_is_better=False, **options)


def golden_above(name):
    return np.array(PMCMR["expected"][name], float)[ABOVE]


@st.composite
def tables(draw, ties=True):
    """Tables of few distinct numbers, or without any ties within a row."""
    n, k = draw(st.integers(2, 8)), draw(st.integers(2, 6))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    if ties:
        return rng.integers(0, 4, size=(n, k)).astype(float)
    return rng.permuted(np.tile(np.arange(float(k)), (n, 1)), axis=1)


def test_check_values():
    z = lower(fc.friedman_pairwise_test, D1)
    assert_allclose((z.statistic[1], z.pvalue[1]), (1.76777, 0.0770999), rtol=3e-6)
    t = lower(fc.conover_test, D1)
    assert_allclose((t.statistic[0], t.pvalue[0]), (4.94975, 0.0025786), rtol=3e-6)
    assert t.df == 6
    exact = lower(fc.friedman_exact_pairs_test, D1)
    assert_allclose((exact.statistic[0], exact.pvalue[0]), (7, 0.0138889), rtol=1e-5)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(table=tables())
def test_z_is_its_definition_in_friedman_pairwise_test(table):
    n, k = table.shape
    result = fc.friedman_pairwise_test(table, correction="none")
    mean = [total / n for total in columns(table_ranks(table.tolist()))]
    se2 = Fraction(k * (k + 1), 6 * n)
    for p, (i, j) in enumerate(reference.all_pairs(k)):
        z = float(mean[i] - mean[j]) / math.sqrt(se2)
        assert_allclose(result.estimate[p], float(mean[i] - mean[j]), rtol=1e-13, atol=1e-15)
        assert_allclose(result.statistic[p], z, rtol=1e-13, atol=1e-14)
        assert_allclose(result.pvalue[p], 2 * stats.norm.sf(abs(z)), rtol=1e-12)
    assert_allclose(result.standard_error, math.sqrt(se2), rtol=1e-14)
    assert_allclose(result.log_pvalue, np.log(result.pvalue), rtol=1e-12, atol=1e-15)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(table=tables())
def test_conovers_t_is_its_definition_in_conover_test(table):
    n, k = table.shape
    result = fc.conover_test(table, correction="none", on_undefined="ignore")
    ranks = table_ranks(table.tolist())
    sums, a = columns(ranks), sum(r * r for row in ranks for r in row)
    df = (n - 1) * (k - 1)
    variance = 2 * (n * a - sum(total * total for total in sums)) / df
    for p, (i, j) in enumerate(reference.all_pairs(k)):
        difference = sums[i] - sums[j]
        if not variance:
            expected = (0.0, 1.0) if not difference else (math.inf, math.nan)
            assert_array_equal((abs(result.statistic[p]), result.pvalue[p]), expected)
            continue
        t = float(difference) / math.sqrt(variance)
        assert_allclose(result.statistic[p], t, rtol=1e-12, atol=1e-14)
        assert_allclose(result.pvalue[p], 2 * stats.t.sf(abs(t), df), rtol=1e-11)


def test_z_of_pmcmr_in_friedman_pairwise_test():
    result = lower(fc.friedman_pairwise_test, BLOCKS, correction="none")
    assert_allclose(result.pvalue, golden_above("siegel_castellan_unadjusted"), atol=6e-8)


def test_conover_of_pmcmr_in_conover_test():
    # without missing scores, the test of pairs after Durbin's is Conover's
    result = lower(fc.conover_test, BLOCKS, correction="holm")
    assert_allclose(result.adjusted_pvalue, golden_above("durbin_holm"), atol=6e-7)


def test_conover_of_scikit_posthocs_in_conover_test():
    # posthoc_conover_friedman of scikit-posthocs 0.17.1
    expected = [2.578597523554e-3, 1.228512009747e-2, 0.20703125]
    assert_allclose(lower(fc.conover_test, D1).pvalue, expected, rtol=1e-12)
    expected = [
        *(4.767411133288822e-2, 3.498192344328381e-4, 1.055933763036083e-4),
        *(9.632286022394489e-3, 2.125968905437686e-3, 3.517685205863472e-1),
    ]
    assert_allclose(lower(fc.conover_test, D2).pvalue, expected, rtol=1e-12)


@pytest.mark.slow
@every_test
@settings(max_examples=25, deadline=None)
@given(table=tables(ties=False), seed=st.integers(0, 1000))
def test_laws_of_models_and_data_sets_in_conover_test(test, table, seed):
    options = {"correction": "none"}
    if test is fc.conover_test:
        options["on_undefined"] = "ignore"
    n, k = table.shape
    result = test(table, **options)
    rng = np.random.default_rng(seed)
    rows, models = rng.permutation(n), rng.permutation(k)
    shuffled = test(table[rows][:, models], **options)
    matrix = result.matrix("pvalue")
    assert_array_equal(shuffled.matrix("pvalue"), matrix[np.ix_(models, models)])
    assert_array_equal(test(table[:, ::-1], **options).statistic[::-1], -_reordered(result, k))
    assert_array_equal(test(-table, higher_is_better=False, **options).pvalue, result.pvalue)
    assert_array_equal(test(table / 100, **options).statistic, result.statistic)


def _reordered(result, k):
    """The statistics in the order of the pairs (j, i) of models counted from the last one."""
    pairs = reference.all_pairs(k)
    place = {pair: p for p, pair in enumerate(pairs)}
    order = [place[(k - 1 - j, k - 1 - i)] for i, j in reversed(pairs)]
    return result.statistic[order]


@every_test
@pytest.mark.parametrize("correction", ["none", "holm", "bh", "shaffer", "bergmann-hommel"])
def test_every_correction_is_that_of_adjust_pvalues(test, correction):
    table = np.random.default_rng(4).normal(size=(12, 5)) + 0.5 * np.arange(5)
    result = test(table, correction=correction)
    expected = result.pvalue
    if correction != "none":
        expected = fc.adjust_pvalues(expected, method=correction)
    assert_array_equal(result.adjusted_pvalue, expected)
    matrix = result.matrix("adjusted_pvalue")
    assert_array_equal(matrix[np.triu_indices(5, 1)], expected)
    assert_array_equal(np.diag(matrix), 1.0)
    apart = matrix <= result.alpha
    groups = {group for group in reference.maximal_groups(apart) if len(group) > 1}
    assert by_index(result) == groups
    assert result.critical_difference is None


def by_index(result):
    """The cliques as sets of the models' indices."""
    return {frozenset(map(result.names.index, clique)) for clique in result.cliques}


def test_names_and_sentences_in_friedman_pairwise_test():
    table = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    result = lower(fc.friedman_pairwise_test, table, alpha=0.1, correction="bergmann-hommel")
    assert result.pairs == (("a", "b"), ("a", "c"), ("b", "c"))
    assert result.summary() == (
        "2 of 3 differences in average rank are significant at the 10% level (z tests of average "
        "ranks, Bergmann-Hommel-adjusted): b ranks better than a by 1.7500 (adjusted p = 0.0400); "
        "it does not differ significantly from c; c ranks better than a by 1.2500 (adjusted p = "
        "0.0771). There were 4 data sets."
    )
    assert result.cliques == (("b", "c"),)
    assert result.to_dict()["alpha"] == 0.1


def test_perfect_agreement_leaves_conover_undefined_in_conover_test():
    table = np.tile([1.0, 2.0, 3.0], (5, 1))
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance") as caught:
        result = fc.conover_test(table)
    assert caught[0].filename == __file__
    assert_array_equal(result.status, "zero_variance")
    assert_array_equal(result.statistic, [math.inf] * 3)
    assert np.isnan(result.pvalue).all()
    assert result.cliques == ()  # what is undefined joins nothing
    with pytest.raises(fc.UndefinedResultError):
        fc.conover_test(table, on_undefined="raise")


def test_models_that_always_tie_do_not_differ():
    for test in (fc.friedman_pairwise_test, fc.conover_test):
        result = test(np.ones((4, 3)))
        assert_array_equal(result.statistic, 0.0)
        assert_array_equal(result.pvalue, 1.0)
        assert_array_equal(result.status, "no_difference")


@every_test
def test_bad_input_is_refused(test):
    table = [[1.0, 2.0, 3.0], [2.0, 3.0, 1.0]]
    with pytest.raises(fc.InvalidValueError, match=r"`correction` .* Did you mean 'shaffer'"):
        test(table, correction="schaffer")
    with pytest.raises(fc.InvalidValueError, match="`alpha`"):
        test(table, alpha=0.0)
    with pytest.raises(fc.InvalidTypeError, match="`higher_is_better`"):
        test(table, higher_is_better="no")
    with pytest.raises(fc.InvalidValueError, match="at least 2 data sets"):
        test(table[:1])
    with pytest.raises(fc.InvalidValueError, match="missing"):
        test([[1.0, math.nan], [2.0, 1.0]])
