"""Shaffer's and Bergmann and Hommel's corrections against all sets of hypotheses, one by one."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm

import fastcompare as fc
from fastcompare import adjust_pvalues
from fastcompare._inference.corrections.pairs import MOST_MODELS, possible_true_counts
from fastcompare.kernels.partitions import fewest_models
from tests.reference import posthoc as reference

METHODS = ("shaffer", "bergmann-hommel")
every_method = pytest.mark.parametrize("method", METHODS)
some_pvalue = st.sampled_from([0.0, 1e-300, 0.001, 0.01, 0.0125, 0.02, 0.05, 0.3, 1.0])
any_pvalue = some_pvalue | st.floats(0, 1)


@st.composite
def families(draw, most=5):
    """P-values of all pairs of 2 to 5 models, and how many models."""
    k = draw(st.integers(2, most))
    size = k * (k - 1) // 2
    return draw(st.lists(any_pvalue, min_size=size, max_size=size)), k


def test_check_values():
    p = [0.001, 0.02, 0.04, 0.015, 0.3, 0.6]
    shaffer, bergmann = (adjust_pvalues(p, method=method) for method in METHODS)
    assert_allclose(shaffer, [0.006, 0.06, 0.12, 0.045, 0.6, 0.6], rtol=1e-14)
    assert_allclose(bergmann, [0.006, 0.06, 0.06, 0.045, 0.3, 0.6], rtol=1e-14)


def test_the_number_of_exhaustive_sets_is_that_of_partitions():
    assert [len(reference.exhaustive_sets(k)) for k in range(1, 6)] == [1, 2, 5, 15, 52]


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(family=families())
def test_bergmann_hommel_is_the_largest_product_of_all_exhaustive_sets(family):
    p, k = family
    expected = reference.bergmann_hommel(p, k)
    assert_allclose(adjust_pvalues(p, method="bergmann-hommel"), expected, rtol=1e-14)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given(family=families(4), level=st.floats(0.001, 0.999))
def test_comparing_with_a_level_is_the_decision_of_both_procedures(family, level):
    p, k = family
    # the products' rounding must not matter
    shaffer, bergmann = (adjust_pvalues(p, method=method) for method in METHODS)
    sure = np.abs(np.concatenate([shaffer, bergmann]) - level).min() > 1e-9
    if sure:
        assert_array_equal(shaffer <= level, reference.shaffer_rejects(p, k, level))
        kept = reference.bergmann_hommel_accepts(p, k, level)
        assert_array_equal(bergmann > level, kept)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(family=families(7))
def test_bergmann_hommel_beats_shaffer_and_shaffer_beats_holm(family):
    p, _ = family
    holm, shaffer, bergmann = (
        adjust_pvalues(p, method=method) for method in ("holm", "shaffer", "bergmann-hommel")
    )
    assert (shaffer <= holm * (1 + 1e-14)).all()
    assert (bergmann <= shaffer * (1 + 1e-14)).all()
    assert (bergmann >= np.array(p)).all()


@pytest.mark.slow
@every_method
@settings(max_examples=40, deadline=None)
@given(family=families(6), seed=st.integers(0, 2**32 - 1))
def test_the_order_of_the_models_does_not_matter(method, family, seed):
    p, k = family
    matrix = np.zeros((k, k))
    first, second = np.triu_indices(k, 1)
    matrix[first, second] = matrix[second, first] = p
    order = np.random.default_rng(seed).permutation(k)
    shuffled = matrix[np.ix_(order, order)][first, second]
    adjusted = np.zeros((k, k))
    adjusted[first, second] = adjust_pvalues(p, method=method)
    adjusted += adjusted.T
    expected = adjusted[np.ix_(order, order)][first, second]
    assert_array_equal(adjust_pvalues(shuffled, method=method), expected)


def test_bergmann_hommel_need_not_be_monotone():
    p = [0.04, 0.02, 0.012, 0.005, 0.01, 0.001]
    found = adjust_pvalues(p, method="bergmann-hommel")
    assert_allclose(found, [0.04, 0.02, 0.03, 0.015, 0.03, 0.006], rtol=1e-14)
    assert_allclose(found, reference.bergmann_hommel(p, 4), rtol=1e-14)


def test_the_numbers_of_pairs_that_can_be_equal_together():
    for k in range(1, 6):
        models = np.empty(k * (k - 1) // 2 + 1, np.int64)
        fewest_models(models)
        expected = {len(chosen) for chosen in reference.exhaustive_sets(k)}
        assert set(np.flatnonzero(models <= k).tolist()) == expected
    # Shaffer 1986, table 1, for 6 to 10 means by all sums of group sizes
    for k in range(6, 11):
        sums = {0: {0}}
        for n in range(1, k + 1):
            sums[n] = {j * (j - 1) // 2 + s for j in range(1, n + 1) for s in sums[n - j]}
        models = np.empty(k * (k - 1) // 2 + 1, np.int64)
        fewest_models(models)
        assert set(np.flatnonzero(models <= k).tolist()) == sums[k]


def test_the_numbers_that_can_be_equal_together_follow_from_few_of_them(requires_jit):
    models = np.empty(200 * 199 // 2 + 1, np.int64)
    fewest_models(models)
    for k in (*range(2, 80), 200):
        expected = np.flatnonzero(models[: k * (k - 1) // 2 + 1] <= k)
        assert possible_true_counts(k).tolist() == expected.tolist()


@pytest.mark.slow
def test_the_familywise_error_is_kept_where_two_groups_of_models_are_equal():
    rng = np.random.default_rng(3)
    errors = dict.fromkeys(METHODS, 0)
    z = rng.normal(size=(600, 4, 20)) + 9.0 * np.array([0, 0, 1, 1])[:, None]
    means = z.mean(axis=2) * np.sqrt(20 / 2)
    pairs = list(itertools.combinations(range(4), 2))
    true = [pairs.index((0, 1)), pairs.index((2, 3))]
    for mean in means:
        p = [2 * norm.sf(abs(mean[i] - mean[j])) for i, j in pairs]
        for method in METHODS:
            errors[method] += adjust_pvalues(p, method=method)[true].min() <= 0.1
    assert errors["bergmann-hommel"] / 600 == pytest.approx(1 - 0.95**2, abs=0.04)
    assert errors["shaffer"] <= errors["bergmann-hommel"]


@every_method
def test_few_pairs(method):
    assert adjust_pvalues([], method=method).shape == (0,)
    assert_array_equal(adjust_pvalues([0.3], method=method), [0.3])
    assert_allclose(adjust_pvalues([0.01, 0.04, 0.02], method=method), [0.03, 0.04, 0.03])
    assert not np.signbit(adjust_pvalues([-0.0, 0.5, 0.6], method=method)).any()


@every_method
def test_the_input_is_left_alone(method):
    p = np.array([0.03, 9.0, 0.01, 9.0, 0.5, 9.0])[::2]
    p.setflags(write=False)
    expected = adjust_pvalues([0.03, 0.01, 0.5], method=method)
    with np.errstate(all="raise"):
        assert_array_equal(adjust_pvalues(p, method=method), expected)
    assert_array_equal(p, [0.03, 0.01, 0.5])


@every_method
@pytest.mark.parametrize(
    ("pvalues", "words"),
    [
        ([0.1, 0.2], "got 2: 2 models have 1 pairs, 3 have 3"),
        ([0.1] * 5, "got 5: 3 models have 3 pairs, 4 have 6"),
        ([[0.1, 0.2, 0.3]], r"must be 1-d .* got shape \(1, 3\)"),
        ([0.1, 0.2, 1.5], r"must be in \[0, 1\]"),
    ],
    ids=["two", "five", "matrix", "outside"],
)
def test_other_families_are_refused(method, pvalues, words):
    with pytest.raises(fc.InvalidValueError, match=words):
        adjust_pvalues(pvalues, method=method)


def test_bergmann_hommel_needs_all_pairs():
    with pytest.raises(fc.InvalidValueError, match=r"must not be NaN .* got NaN at index 1"):
        adjust_pvalues([0.1, np.nan, 0.2], method="bergmann-hommel")


def test_too_many_models_are_refused_with_the_limit():
    k = MOST_MODELS + 1
    with pytest.raises(fc.InvalidValueError, match=r"at most 14 models .* Choose 'shaffer'"):
        adjust_pvalues(np.full(k * (k - 1) // 2, 0.1), method="bergmann-hommel")


def test_many_models(requires_jit):
    p = np.random.default_rng(0).uniform(size=66) ** 3
    bergmann, shaffer = (adjust_pvalues(p, method=method) for method in METHODS[::-1])
    assert (bergmann <= shaffer * (1 + 1e-14)).all()
    assert bergmann.min() == pytest.approx(66 * p.min())


@every_method
def test_all_tests_of_pairs_take_them_if_two_sided(method):
    rng = np.random.default_rng(0)
    y = np.arange(60) % 2
    scores = rng.normal(size=(60, 4)) + y[:, None] * [0.2, 0.9, 1.0, 2.0]
    result = fc.delong_pairwise_test(y, scores, correction=method)
    assert_array_equal(result.adjusted_pvalue, adjust_pvalues(result.pvalue, method=method))
    with pytest.raises(fc.InvalidValueError, match=r"two-sided .* Choose 'holm'"):
        fc.delong_pairwise_test(y, scores, correction=method, alternative="greater")
    right = fc.mcnemar_pairwise_test(y, scores > 0, correction=method)
    assert_array_equal(right.adjusted_pvalue, adjust_pvalues(right.pvalue, method=method))


def test_one_undefined_pair_makes_all_of_bergmann_hommel_undefined_in_delong_pairwise_test():
    y = np.array([0, 0, 0, 1, 1, 1])
    scores = np.array([[0, 1, 2, 3, 4, 5], [0, 0, 0, 0, 0, 0], [2, 1, 3, 0, 4, 5]]).T
    result = fc.delong_pairwise_test(y, scores, correction="bergmann-hommel", on_undefined="ignore")
    assert np.isnan(result.pvalue).any()
    assert np.isnan(result.adjusted_pvalue).all()
