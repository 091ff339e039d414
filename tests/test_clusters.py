"""Cases in clusters: Obuchowski's variance in every function that takes `groups`."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare._compare.auc.components import as_components
from fastcompare._compare.auc.delong.clustered import Clustered
from fastcompare._compare.auc.delong.design import moments_of_cases
from fastcompare._compare.auc.product import all_moments
from fastcompare._inputs.cases import as_cases

from . import reference, reference_weights
from .strategies import scored_cases

Y = np.array([0] * 6 + [1] * 7)
A = np.array([0.1, 0.2, 0.05, 0.3, 0.1, 0.6, 0.6, 0.7, 0.8, 0.99, 0.8, 0.67, 0.5])
B = np.array([0.3, 0.6, 0.2, 0.1, 0.1, 0.9, 0.23, 0.7, 0.9, 0.4, 0.77, 0.3, 0.89])
G = np.array([0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 6])


@st.composite
def clustered_cases(draw, k=2):
    """Labels, (k, n) scores and clusters; each class occurs in two of them at least."""
    labels, table = draw(scored_cases(k=k, largest=16))
    n = labels.size
    groups = np.array(draw(st.lists(st.integers(0, 7), min_size=n, max_size=n)))
    assume(all(np.unique(groups[labels == c]).size > 1 for c in (0, 1)))
    return labels, table, groups


def compared(labels, table, **words):
    return fc.delong_test(labels, *table, on_undefined="ignore", **words)


def numbers(result):
    return [result.estimate, result.standard_error, *result.auc, *result.covariance.ravel()]


def test_the_check_value():
    result = fc.delong_test(Y, A, B, groups=G)
    assert result.standard_error**2 == pytest.approx(0.02386779, abs=5e-9)
    assert result.method == "Obuchowski's clustered DeLong test"


@settings(max_examples=60, deadline=None)
@given(case=clustered_cases(k=3))
def test_moments_equal_obuchowski_s(case):
    labels, table, groups = case
    result = fc.delong_covariance(labels, table.T, groups=groups, on_undefined="ignore")
    auc, covariance = reference_weights.clustered(labels, table, groups.tolist())
    np.testing.assert_array_equal(result.auc, np.array(auc, float))
    np.testing.assert_allclose(
        result.covariance, np.array(covariance, float), rtol=1e-11, atol=1e-15
    )
    pairs = fc.delong_pairwise_test(labels, table.T, groups=groups, on_undefined="ignore")
    want = [
        float(reference.difference_variance(covariance, i, j))
        for i, j in reference_weights.pairs(3)
    ]
    np.testing.assert_allclose(pairs.standard_error**2, want, rtol=1e-12, atol=0)


@settings(max_examples=40, deadline=None)
@given(case=scored_cases())
def test_every_case_its_own_cluster_is_delong_s_method(case):
    labels, table = case
    result = compared(labels, table, groups=np.arange(labels.size))
    plain = compared(labels, table)
    np.testing.assert_allclose(numbers(result), numbers(plain), rtol=1e-12, atol=1e-15)
    words = {"small_sample": "few_clusters"}
    assert result.status == words.get(plain.status, plain.status)


def test_moments_for_other_functions_have_the_signs_of_delong_s():
    cases = as_cases(Y, table=np.c_[A, B, A * B])
    own = moments_of_cases(replace(cases, groups=np.arange(13)))
    for got, want in zip(own.moments, all_moments(as_components(cases)), strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-13, atol=1e-16)


def test_clusters_of_one_class_only_are_fine():
    groups = Y * 10 + np.arange(13) % 3
    result = fc.delong_test(Y, A, B, groups=groups)
    _, covariance = reference_weights.clustered(Y, [A, B], groups.tolist())
    want = float(reference.difference_variance(covariance, 0, 1))
    assert result.standard_error**2 == pytest.approx(want, rel=1e-12)


def test_the_variance_is_that_of_the_infinitesimal_jackknife_over_clusters():
    rng = np.random.default_rng(7)
    labels, scores, groups = np.arange(40) % 2, rng.normal(size=40), np.arange(40) // 4
    step = 1e-4

    def auc(g, change):
        return fc.roc_auc(labels, scores, sample_weight=1 + change * (groups == g))

    slopes = np.array([(auc(g, step) - auc(g, -step)) / (2 * step) for g in range(10)])
    result = fc.roc_auc_interval(labels, scores, groups=groups)
    assert result.standard_error**2 == pytest.approx(10 / 9 * (slopes**2).sum(), rel=1e-6)
    assert (result.design, result.status) == ("clusters", "ok")
    assert "clusters" in result.summary()


@settings(max_examples=30, deadline=None)
@given(case=clustered_cases(), data=st.data())
def test_swapping_negates_and_names_and_order_are_irrelevant(case, data):
    labels, table, groups = case
    result = compared(labels, table, groups=groups)
    swapped = compared(labels, table[::-1], groups=groups)
    assert swapped.estimate == -result.estimate
    assert swapped.standard_error == result.standard_error
    order = np.array(data.draw(st.permutations(range(labels.size))))
    names = np.array(data.draw(st.permutations([f"patient {i}" for i in range(8)])))
    moved = compared(labels[order], table[:, order], groups=names[groups][order])
    np.testing.assert_allclose(numbers(moved), numbers(result), rtol=1e-12, atol=1e-16)


@settings(max_examples=30, deadline=None)
@given(case=clustered_cases())
def test_models_that_order_the_classes_alike_differ_by_exactly_nothing(case):
    labels, table, groups = case
    result = compared(
        labels, [table[0], np.unique(table[0], return_inverse=True)[1]], groups=groups
    )
    assert (result.statistic, result.standard_error, result.pvalue) == (0.0, 0.0, 1.0)


def test_a_variance_that_vanishes_is_zero_and_nothing_else():
    # in each cluster what the positive wins over the mean, the negative loses
    labels, scores, groups = [1, 0, 1, 0], [2, 1, 4, 3], [0, 0, 1, 1]
    _, ((want,),) = reference_weights.clustered(labels, [scores], groups)
    assert want == 0
    result = fc.roc_auc_interval(labels, scores, groups=groups, on_undefined="ignore")
    assert result.standard_error == 0.0


@settings(max_examples=30, deadline=None)
@given(case=clustered_cases())
def test_large_numerators_as_python_s_integers_give_the_same_bits(case):
    labels, table, groups = case
    want = str(compared(labels, table, groups=groups).to_dict())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Clustered, "integers", lambda self, m, n: object)
        assert str(compared(labels, table, groups=groups).to_dict()) == want


@pytest.mark.parametrize("half", [19_483, 19_484, 10**6])
def test_numerators_fit_their_integers_for_the_largest_differences(half):
    """With 2 half cases of each class: the first is the last size that fits 64 bits."""
    m = n = 2 * half
    sizes = np.full((2, 2), half)
    clustered = Clustered(np.zeros(0, np.uint8), np.zeros(0, np.int64), sizes)
    assert (clustered.integers(m, n) is np.int64) == (half < 19_484)
    for first in (1, -1):
        wins = first * np.array([[2 * n * half, -2 * n * half], [-2 * m * half, 2 * m * half]])
        wins[1] += first * np.array([4 * m * half, -4 * m * half])  # all on one side
        mean, errors = clustered.evaluate(wins)
        t = Fraction(int(wins[0].sum()), 2 * m * n)
        a = [Fraction(int(v), 2 * n * m) - half * t / m for v in wins[0]]
        b = [Fraction(int(v), 2 * n * m) - half * t / n for v in wins[1]]
        want = 2 * sum((p + q) ** 2 for p, q in zip(a, b, strict=True))
        assert mean == float(t)
        assert errors @ errors == pytest.approx(float(want), rel=1e-14)


DEGENERATE = [
    ("positives in one cluster", Y, A, np.where(Y, 0, G), "too_few_clusters"),
    ("negatives in one cluster", Y, A, np.where(Y, G, 9), "too_few_clusters"),
    ("constant scores, one cluster", Y, 0 * A, np.where(Y, 0, G), "too_few_clusters"),
    ("one class", 0 * Y, A, G, "one_class"),
    ("one positive", np.arange(13) == 0, A, G, "too_few"),
    ("constant scores", Y, 0 * A, G, "constant_scores"),
    ("AUC = 1", Y, Y, G, "perfect_separation"),
]


@pytest.mark.parametrize("row", DEGENERATE, ids=lambda row: row[0])
def test_degenerate_clusters_have_a_status(row):
    _, labels, scores, groups, status = row
    with pytest.warns(fc.UndefinedResultWarning, match=f"^{status}"):
        result = fc.roc_auc_interval(labels, scores, groups=groups)
    assert result.status == status
    undefined = status in ("one_class", "too_few", "too_few_clusters")
    np.testing.assert_equal(result.standard_error, math.nan if undefined else 0.0)
    both = fc.delong_covariance(labels, np.c_[scores, B], groups=groups, on_undefined="ignore")
    assert math.isnan(both.covariance[0, 1]) == undefined


def test_a_pair_whose_positives_share_a_cluster_has_no_p_value():
    groups = np.where(Y, 0, G)
    with pytest.warns(fc.UndefinedResultWarning, match="^too_few_clusters"):
        result = fc.delong_test(Y, A, B, groups=groups)
    assert math.isnan(result.pvalue)
    assert not math.isnan(result.estimate)
    with pytest.warns(fc.UndefinedResultWarning, match="^too_few_clusters"):
        pairs = fc.delong_pairwise_test(Y, {"a": A, "b": B}, groups=groups)
    assert (pairs.status == "too_few_clusters").all()
