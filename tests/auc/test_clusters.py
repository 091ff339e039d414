"""Cases in clusters: CR2 and Obuchowski's variance of every AUC that takes `groups`."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import fastcompare as fc
from fastcompare.auc._delong.clustered import Clustered
from tests.reference import auc as reference
from tests.reference import clusters as reference_clusters
from tests.reference import weights as reference_weights
from tests.shared.strategies import scored_cases

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


def test_the_check_value_in_delong_test():
    result = fc.delong_test(Y, A, B, groups=G, reference="normal")
    assert result.standard_error**2 == pytest.approx(0.02386779, abs=5e-9)
    assert result.df == math.inf
    assert result.method == "Obuchowski's clustered DeLong test"


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(case=clustered_cases(k=3))
def test_moments_equal_obuchowski_s(case):
    labels, table, groups = case
    words = {"groups": groups, "reference": "normal", "on_undefined": "ignore"}
    result = fc.delong_covariance(labels, table.T, **words)
    auc, covariance = reference_weights.clustered(labels, table, groups.tolist())
    np.testing.assert_array_equal(result.auc, np.array(auc, float))
    np.testing.assert_allclose(
        result.covariance, np.array(covariance, float), rtol=1e-11, atol=1e-15
    )
    pairs = fc.delong_pairwise_test(labels, table.T, **words)
    want = [
        float(reference.difference_variance(covariance, i, j))
        for i, j in reference_weights.pairs(3)
    ]
    np.testing.assert_allclose(pairs.standard_error**2, want, rtol=1e-12, atol=0)


def slow_numbers(labels, one, other, groups):
    """Return the standard error and the degrees of freedom of a difference, by matrices."""
    labels, groups = np.asarray(labels, bool), np.asarray(groups)
    of_one, of_other = (
        fc.structural_components(labels, scores, on_undefined="ignore") for scores in (one, other)
    )
    v10, v01 = (a - b for a, b in zip(of_one, of_other, strict=True))
    found = [
        reference_clusters.auc_of_clusters(
            v10, v01, groups[labels], groups[~labels], by_cluster=by_cluster
        )
        for by_cluster in (False, True)
    ]
    return found[0][0], float(np.fmin(found[0][1], found[1][1]))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(case=clustered_cases(k=3))
def test_tests_equal_the_matrices_of_the_definition(case):
    labels, table, groups = case
    pairs = fc.delong_pairwise_test(labels, table.T, groups=groups, on_undefined="ignore")
    for p, (i, j) in enumerate(reference_weights.pairs(3)):
        error, df = slow_numbers(labels, table[i], table[j], groups)
        np.testing.assert_allclose(pairs.standard_error[p], error, rtol=1e-9, atol=1e-9)
        result = compared(labels, table[[i, j]], groups=groups)
        assert result.standard_error == pairs.standard_error[p]
        np.testing.assert_equal(result.df, pairs.df[p])
        if error > 1e-9:
            np.testing.assert_allclose(result.df, df, rtol=1e-6)
            p_value = 2 * stats.t.sf(abs(result.estimate) / error, df)
            np.testing.assert_allclose([result.pvalue, pairs.pvalue[p]], p_value, rtol=1e-5)
    error, df = slow_numbers(labels, table[0], np.zeros(labels.size), groups)
    words = {"groups": groups, "on_undefined": "ignore"}
    single = fc.roc_auc_interval(labels, table[0], method="delong", **words)
    np.testing.assert_allclose(single.standard_error, error, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(pairs.auc_standard_error[0], single.standard_error, rtol=1e-12)
    if error > 1e-9:
        np.testing.assert_allclose([single.df, pairs.auc_df[0]], df, rtol=1e-6)
        ends = stats.t.interval(0.95, df, single.estimate, error)
        np.testing.assert_allclose(single.confidence_interval(), np.clip(ends, 0, 1), atol=1e-6)
        low, high = (end[0] for end in pairs.auc_interval(method="delong"))
        np.testing.assert_allclose(
            (low, high), single.confidence_interval(), rtol=1e-12, atol=1e-15
        )


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(case=scored_cases())
def test_every_case_its_own_cluster_is_delong_s_method_in_delong_test(case):
    labels, table = case
    result = compared(labels, table, groups=np.arange(labels.size))
    plain = compared(labels, table, reference="t")
    np.testing.assert_allclose(numbers(result), numbers(plain), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(result.df, plain.df, rtol=1e-12)
    fewest = min(plain.n_positive, plain.n_negative)
    few = {"small_sample", "ok"} if fewest < 5 else set()
    assert result.status == ("few_clusters" if plain.status in few else plain.status)
    published = compared(labels, table, groups=np.arange(labels.size), reference="normal")
    np.testing.assert_allclose(numbers(published), numbers(plain), rtol=1e-12, atol=1e-15)


@pytest.mark.slow
def test_many_models_have_the_degrees_of_freedom_of_their_pairs():
    """Beyond eight models sums come from one product, except where they cancel."""
    rng = np.random.default_rng(3)
    y, groups = np.arange(60) % 3 == 0, np.arange(60) // 5
    table = rng.normal(size=(60, 10)) + y[:, None]
    table[:, -1] = table[:, -2]
    table[:, -3] = np.where(np.arange(60) == 7, 9.0, table[:, -2])
    words = {"groups": groups, "on_undefined": "ignore"}
    pairs = fc.delong_pairwise_test(y, table, **words)
    first, second = np.triu_indices(10, 1)
    for name in ("df", "standard_error", "pvalue"):
        alone = [
            getattr(fc.delong_test(y, table[:, i], table[:, j], **words), name)
            for i, j in zip(first, second, strict=True)
        ]
        np.testing.assert_allclose(getattr(pairs, name), alone, rtol=1e-9)


def test_delong_covariance_of_single_cases_as_clusters_has_the_signs_of_delongs():
    table, options = np.c_[A, B, A * B], {"reference": "normal", "on_undefined": "ignore"}
    clustered = fc.delong_covariance(Y, table, groups=np.arange(13), **options)
    plain = fc.delong_covariance(Y, table, **options)
    np.testing.assert_allclose(clustered.auc, plain.auc, rtol=1e-13)
    np.testing.assert_allclose(clustered.covariance, plain.covariance, rtol=1e-13, atol=1e-16)
    pairs = [
        fc.delong_pairwise_test(Y, table, groups=groups, **options)
        for groups in (np.arange(13), None)
    ]
    np.testing.assert_allclose(pairs[0].estimate, pairs[1].estimate, rtol=1e-13)


def test_clusters_of_one_class_only_are_fine():
    groups = Y * 10 + np.arange(13) % 3
    result = fc.delong_test(Y, A, B, groups=groups, reference="normal")
    _, covariance = reference_weights.clustered(Y, [A, B], groups.tolist())
    want = float(reference.difference_variance(covariance, 0, 1))
    assert result.standard_error**2 == pytest.approx(want, rel=1e-12)
    unbiased = compared(Y, [A, B], groups=groups)
    error, df = slow_numbers(Y, A, B, groups)
    np.testing.assert_allclose((unbiased.standard_error, unbiased.df), (error, df), rtol=1e-12)


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


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(case=clustered_cases(), data=st.data())
def test_swapping_negates_and_names_and_order_are_irrelevant_in_delong_test(case, data):
    labels, table, groups = case
    result = compared(labels, table, groups=groups)
    swapped = compared(labels, table[::-1], groups=groups)
    assert swapped.estimate == -result.estimate
    assert swapped.standard_error == result.standard_error
    order = np.array(data.draw(st.permutations(range(labels.size))))
    names = np.array(data.draw(st.permutations([f"patient {i}" for i in range(8)])))
    moved = compared(labels[order], table[:, order], groups=names[groups][order])
    np.testing.assert_allclose(numbers(moved), numbers(result), rtol=1e-12, atol=1e-16)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(case=clustered_cases())
def test_models_that_order_the_classes_alike_differ_by_exactly_nothing_in_delong_test(case):
    labels, table, groups = case
    result = compared(
        labels, [table[0], np.unique(table[0], return_inverse=True)[1]], groups=groups
    )
    assert (result.statistic, result.standard_error, result.pvalue) == (0.0, 0.0, 1.0)


def test_a_variance_that_vanishes_is_zero_and_nothing_else_in_roc_auc_interval():
    # in each cluster what the positive wins over the mean, the negative loses
    labels, scores, groups = [1, 0, 1, 0], [2, 1, 4, 3], [0, 0, 1, 1]
    _, ((want,),) = reference_weights.clustered(labels, [scores], groups)
    assert want == 0
    result = fc.roc_auc_interval(labels, scores, groups=groups, on_undefined="ignore")
    assert result.standard_error == 0.0


def test_a_sum_that_vanishes_beside_unequal_shares_is_zero():
    """A cluster with 1 of 4 positives and 2 of 3 negatives: 3 / sqrt(3/4) = 2 / sqrt(1/3)."""
    sizes = np.array([[1, 3, 0], [2, 0, 1]])
    clustered = Clustered(np.zeros(0, np.uint8), np.zeros(0, np.int64), sizes)
    assert clustered.cr2_influence(np.array([[3, -3, 0], [-2, 0, 2]])).errors[0] == 0.0
    assert clustered.cr2_influence(np.array([[3, -3, 0], [2, 0, -2]])).errors[0] > 0.0


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(case=clustered_cases())
def test_large_numerators_as_python_s_integers_give_the_same_bits_in_delong_test(case):
    labels, table, groups = case
    want = str(compared(labels, table, groups=groups).to_dict())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Clustered, "fits_two_words", False)
        assert str(compared(labels, table, groups=groups).to_dict()) == want


@pytest.mark.parametrize("half", [3, 19_484, 10**6, 1_276_901_416, 1_276_901_417])
def test_numerators_fit_their_integers_for_the_largest_differences(half):
    """With 2 half cases of each class: the last but one is the last size that fits 127 bits."""
    m = n = 2 * half
    sizes = np.full((2, 2), half)
    clustered = Clustered(np.zeros(0, np.uint8), np.zeros(0, np.int64), sizes)
    assert clustered.fits_two_words == (half < 1_276_901_417)
    for first in (1, -1):
        # all on one side
        wins = first * np.array([[2 * n * half, -2 * n * half], [2 * m * half, -2 * m * half]])
        mean, errors, _ = clustered.published_influence(wins)
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
        result = fc.roc_auc_interval(labels, scores, method="delong", groups=groups)
    assert result.status == status
    undefined = status in ("one_class", "too_few", "too_few_clusters")
    np.testing.assert_equal(result.standard_error, math.nan if undefined else 0.0)
    both = fc.delong_covariance(labels, np.c_[scores, B], groups=groups, on_undefined="ignore")
    assert math.isnan(both.covariance[0, 1]) == undefined


def test_few_clusters_are_warned_of_by_the_reference_in_delong_test():
    rng = np.random.default_rng(5)
    y, scores, groups = np.arange(60) % 2, rng.normal(size=(2, 60)), np.arange(60) // 4
    assert compared(y, scores, groups=groups).status == "ok"
    with pytest.warns(fc.SmallSampleWarning, match="^few_clusters"):
        fc.delong_test(y, *scores, groups=groups, reference="normal")
    large = np.where(np.arange(60) < 40, 0, groups)
    with pytest.warns(fc.SmallSampleWarning, match="^few_clusters"):
        fc.delong_test(y, *scores, groups=large)


@pytest.mark.slow
def test_clusters_keep_the_level_that_the_normal_distribution_breaks_in_delong_test(requires_jit):
    """400 data sets of 5 clusters of 10 cases, whose scores correlate within a cluster."""
    rng, groups, rejected = np.random.default_rng(8), np.arange(50) // 10, np.zeros(2)
    for _ in range(400):
        y = rng.permutation(np.arange(50) % 2)
        own = rng.normal(size=(2, 5))[:, groups]
        scores = y + 0.5 * own + rng.normal(size=(2, 50))
        found = [compared(y, scores, groups=groups, reference=r) for r in ("auto", "normal")]
        rejected += [one.pvalue <= 0.05 for one in found]
    assert 0.015 < rejected[0] / 400 < 0.075
    assert rejected[1] / 400 > 0.08


def test_a_pair_whose_positives_share_a_cluster_has_no_p_value():
    groups = np.where(Y, 0, G)
    with pytest.warns(fc.UndefinedResultWarning, match="^too_few_clusters"):
        result = fc.delong_test(Y, A, B, groups=groups)
    assert math.isnan(result.pvalue)
    assert not math.isnan(result.estimate)
    with pytest.warns(fc.UndefinedResultWarning, match="^too_few_clusters"):
        pairs = fc.delong_pairwise_test(Y, {"a": A, "b": B}, groups=groups)
    assert (pairs.status == "too_few_clusters").all()
