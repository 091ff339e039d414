"""The tests of many data sets in their order: what is run, and why."""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc
from tests.reference.ranks import D1, D2


def lower(test, table, **options):
    return test(table, higher_is_better=False, **options)


def test_pairs_are_compared_only_if_the_omnibus_test_rejects():
    rng = np.random.default_rng(0)
    same = fc.compare_datasets(rng.normal(size=(30, 4)))
    assert same.omnibus.pvalue > 0.05
    assert same.posthoc is None
    assert len(same.reasons) == 2
    assert "no pairwise comparisons follow" in same.summary()
    table = rng.normal(size=(30, 4)) + np.arange(4)
    other = fc.compare_datasets(table)
    assert_array_equal(other.posthoc.pvalue, fc.nemenyi_test(table).pvalue)
    assert other.omnibus.pvalue == fc.friedman_test(table).pvalue
    assert len(other.reasons) == 3
    assert other.to_dict()["posthoc"]["pvalue"] == other.posthoc.pvalue.tolist()
    assert other.to_dict()["omnibus"]["method"] == "iman-davenport"
    json.dumps(same.to_dict())


def test_small_tables_get_the_exact_friedman_test_in_compare_datasets():
    result = lower(fc.compare_datasets, D1)
    assert result.omnibus.method == "exact"
    assert_allclose(result.omnibus.pvalue, 0.0416667, rtol=1e-6)
    assert "Nemenyi" in result.posthoc.title


def test_the_level_decides_whether_pairs_are_compared_in_compare_datasets():
    assert lower(fc.compare_datasets, D1, alpha=0.04).posthoc is None
    assert lower(fc.compare_datasets, D1, alpha=0.05).posthoc.alpha == 0.05


@pytest.mark.parametrize("posthoc", ["shaffer", "bergmann-hommel", "holm"])
def test_other_tests_of_all_pairs(posthoc):
    result = lower(fc.compare_datasets, D2, posthoc=posthoc)
    expected = lower(fc.friedman_pairwise_test, D2, correction=posthoc)
    assert_array_equal(result.posthoc.adjusted_pvalue, expected.adjusted_pvalue)
    conover = lower(fc.compare_datasets, D2, posthoc="conover").posthoc
    assert_array_equal(conover.pvalue, lower(fc.conover_test, D2).pvalue)
    wilcoxon = lower(fc.compare_datasets, D2, posthoc="wilcoxon").posthoc
    assert_array_equal(wilcoxon.pvalue, fc.wilcoxon_pairwise_test(D2).pvalue)
    assert_array_equal(wilcoxon.average_ranks, expected.average_ranks)


def test_only_pairs_with_a_control_in_compare_datasets():
    table = dict(zip("abcd", np.transpose(D2), strict=True))
    result = lower(fc.compare_datasets, table, control="a")
    assert result.posthoc.control == "a"
    assert "control" in result.reasons[-1]
    assert lower(fc.compare_datasets, D2, control=3).posthoc.control == "model 4"
    with pytest.raises(fc.InvalidValueError, match="`control`"):
        lower(fc.compare_datasets, table, control="e", alpha=1e-9)


def test_two_models_are_compared_by_wilcoxon():
    a, b = np.random.default_rng(1).normal(size=(2, 12))
    result = fc.compare_datasets({"a": a, "b": b})
    expected = fc.wilcoxon_test(a, b)
    assert (result.omnibus.pvalue, result.omnibus.estimate) == (expected.pvalue, expected.estimate)
    assert result.posthoc is None
    assert len(result.reasons) == 1
    assert result.summary() == expected.summary()


def test_data_sets_with_missing_scores_are_mentioned_once_in_compare_datasets():
    table = np.random.default_rng(2).normal(size=(20, 3)) + np.arange(3)
    table[4, 1] = math.nan
    with pytest.raises(fc.InvalidValueError, match="missing"):
        fc.compare_datasets(table)
    with pytest.warns(fc.DroppedCasesWarning) as caught:
        result = fc.compare_datasets(table, nan_policy="omit")
    assert len(caught) == 1
    assert (result.n, result.n_dropped) == (19, 1)


def test_an_unknown_posthoc_test_gets_the_list_in_compare_datasets():
    with pytest.raises(fc.InvalidValueError, match=r"`posthoc` .* Did you mean 'nemenyi'"):
        fc.compare_datasets(D1, posthoc="nemeny")


def test_only_the_order_of_three_models_counts():
    wide = 2**53 + np.array([[0, 1, 2], [1, 0, 2], [1, 0, 3], [2, 1, 3], [1, 0, 2], [0, 1, 3]])
    for scores in (wide, np.where(wide % 2**53 > 1, math.inf, wide % 2**53)):
        expected = fc.friedman_test(scores, method="exact")
        assert fc.compare_datasets(scores).omnibus.pvalue == expected.pvalue
        assert expected.pvalue < 0.05


def test_wilcoxons_test_takes_finite_scores_alone_in_compare_datasets():
    table = {"a": [1.0, math.inf, 2.0], "b": [2.0, 3.0, 4.0], "c": [5.0, 6.0, 7.0]}
    with pytest.raises(fc.InvalidValueError, match="`scores` must contain finite numbers"):
        fc.compare_datasets(table, posthoc="wilcoxon")
    del table["c"]
    with pytest.raises(fc.InvalidValueError, match="`scores` must contain finite numbers"):
        fc.compare_datasets(table)


def holm(p):
    """Holm's adjustment by its definition."""
    order, found, worst = sorted(range(len(p)), key=p.__getitem__), [0.0] * len(p), 0.0
    for rank, j in enumerate(order):
        worst = max(worst, min(1.0, (len(p) - rank) * p[j]))
        found[j] = worst
    return found


@pytest.mark.parametrize("n", [8, 14])  # exact null distributions
def test_wilcoxon_against_a_control_is_scipys_with_holms_correction_in_compare_datasets(n):
    rng = np.random.default_rng(n)
    scores = dict(zip("abcdef", rng.normal(size=(6, n)) + 0.6 * np.arange(6)[:, None], strict=True))
    result = fc.compare_datasets(scores, control="c", posthoc="wilcoxon")
    others = [name for name in scores if name != "c"]
    want = [stats.wilcoxon(scores["c"], scores[o], method="exact").pvalue for o in others]
    assert result.posthoc.pairs == tuple(("c", other) for other in others)
    assert_allclose(result.posthoc.pvalue, want, rtol=1e-12)
    assert_allclose(result.posthoc.adjusted_pvalue, holm(want), rtol=1e-12)
    assert set(result.posthoc.method) == {"Wilcoxon's signed rank test, exact"}
    assert "does not depend on which other models" in result.reasons[-1]
    assert result.posthoc.title == "Wilcoxon's signed rank test of models against a control"
    table = result.posthoc.matrix("pvalue")
    assert np.isnan(table[0, 1])
    assert table[2, 0] == table[0, 2] == want[0]
    rows = {text.get_text() for text in result.posthoc.plot().texts}  # of a forest
    assert {f"c \N{MINUS SIGN} {other}" for other in others} <= rows


@pytest.mark.parametrize("test", [fc.wilcoxon_pairwise_test, fc.sign_pairwise_test])
def test_pairs_with_a_control_are_those_of_all_pairs(test):
    scores = np.random.default_rng(5).normal(size=(20, 5)).round(1)
    every = test(scores)
    for control in range(5):
        found = test(scores, control=control)
        others = [j for j in range(5) if j != control]
        assert_array_equal(found.pvalue, every.matrix("pvalue")[control, others])
        assert_array_equal(found.estimate, every.matrix("estimate")[control, others])
        assert_array_equal(found.average_ranks, every.average_ranks)
        assert found.control == f"model {control + 1}"
        assert found.cliques == ()
        assert_allclose(found.adjusted_pvalue, holm(found.pvalue.tolist()))
    with pytest.raises(fc.InvalidValueError, match="`correction` must be one of"):
        test(scores, control=0, correction="shaffer")
    with pytest.raises(fc.InvalidValueError, match="`control`"):
        test(scores, control="x")


def test_a_posthoc_test_is_never_another_than_was_asked_for():
    for posthoc in ("nemenyi", "shaffer", "bergmann-hommel", "conover"):
        with pytest.raises(fc.InvalidValueError, match="compares all pairs: omit `control`"):
            fc.compare_datasets(D2, control=0, posthoc=posthoc)
        fc.compare_datasets(D2, posthoc=posthoc)
    with pytest.raises(fc.InvalidValueError, match="compares models with one: name a `control`"):
        fc.compare_datasets(D2, posthoc="bonferroni-dunn")
    dunn = fc.compare_datasets(D2, control=0, posthoc="bonferroni-dunn", alpha=0.9).posthoc
    assert dunn.critical_difference is not None
    signs = fc.compare_datasets(D2, control=0, posthoc="sign", alpha=0.9).posthoc
    assert_array_equal(signs.pvalue, fc.sign_pairwise_test(D2, control=0).pvalue)
