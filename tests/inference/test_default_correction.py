"""All pairs of AUCs, accuracies, means and losses go by Shaffer's correction, by default."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import norm

import fastcompare as fc
from fastcompare._inference.corrections.adjust import adjusted_family
from tests.reference import posthoc as reference

RNG = np.random.default_rng(2)
Y = np.arange(120) % 2
SCORES = RNG.normal(size=(120, 4)) + Y[:, None] * np.array([0.0, 0.5, 0.9, 1.6])
PROBABILITIES = 1 / (1 + np.exp(0.6 - SCORES))
ROUNDS = 0.8 + 0.01 * RNG.normal(size=(12, 4)) + np.array([0.0, 0.01, 0.03, 0.08])
SIZES = {"n_train": 90, "n_test": 10}
TESTS = {
    "delong": lambda **o: fc.delong_pairwise_test(Y, SCORES, **o),
    "bootstrap": lambda **o: fc.bootstrap_auc(
        Y, SCORES, method="normal", n_resamples=199, rng=0, **o
    ),
    "mcnemar": lambda **o: fc.mcnemar_pairwise_test(Y, (SCORES > 0.5).astype(int), **o),
    "losses": lambda **o: fc.scoring_pairwise_test(Y, PROBABILITIES, **o),
    "means": lambda **o: fc.ttest_corrected_pairwise_test(ROUNDS, **SIZES, **o),
}
every_test = pytest.mark.parametrize("name", TESTS)


@pytest.mark.slow
@every_test
def test_two_sided_tests_take_shaffer_and_one_sided_ones_holm(name):
    for alternative, correction in (("two-sided", "shaffer"), ("less", "holm")):
        found = TESTS[name](alternative=alternative)
        assert found.correction == correction
        expected = fc.adjust_pvalues(found.pvalue, method=correction)
        assert_array_equal(found.adjusted_pvalue, expected)
        named = TESTS[name](alternative=alternative, correction=correction)
        assert_array_equal(named.adjusted_pvalue, expected)


@pytest.mark.slow
@every_test
def test_the_default_is_never_worse_than_holm_and_sometimes_better(name):
    default, holm = TESTS[name](), TESTS[name](correction="holm")
    assert (default.adjusted_pvalue <= holm.adjusted_pvalue).all()
    assert (default.adjusted_pvalue < holm.adjusted_pvalue).any()


def test_tests_of_medians_stay_with_holm():
    losses = fc.scoring_pairwise_test(Y, PROBABILITIES, method="wilcoxon")
    assert losses.correction == "holm"
    for test in (fc.wilcoxon_pairwise_test, fc.sign_pairwise_test):
        assert test(SCORES).correction == "holm"
        with pytest.raises(fc.InvalidValueError, match="`correction` must be one of 'none', "):
            test(SCORES, correction="auto")


def test_medians_of_differences_are_not_transitive():
    """Shaffer counts on never just one of three hypotheses being false; of signs it may be."""
    a, b, c = np.array([3, 2]), np.array([1, 3]), np.array([2, 1])
    assert [(x > y).mean() for x, y in ((a, b), (b, c), (a, c))] == [0.5, 0.5, 1.0]


def test_searches_and_estimators_hand_the_default_on():
    cv_results = {"params": [{"c": j} for j in range(4)]}
    splits = {f"split{i}_test_score": ROUNDS[i] for i in range(12)}
    for alternative, correction in (("two-sided", "shaffer"), ("less", "holm")):
        found = fc.from_cv_results(cv_results | splits, alternative=alternative, **SIZES)
        assert found.tests["ttest_corrected_pairwise_test"].correction == correction
    with pytest.raises(fc.InvalidValueError, match=r"'auto', 'none', .*Did you mean 'auto'"):
        fc.from_cv_results(cv_results | splits, correction="outo", **SIZES)


some_pvalue = st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.05, 0.3, 1.0, np.nan]) | st.floats(0, 1)


@st.composite
def families(draw):
    """P-values of all pairs of 2 to 5 models, some undefined, and how many models."""
    k = draw(st.integers(2, 5))
    size = k * (k - 1) // 2
    return np.array(draw(st.lists(some_pvalue, min_size=size, max_size=size))), k


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(family=families())
def test_undefined_pairs_leave_the_others_defined_and_never_worse_than_holm(family):
    p, k = family
    defined = ~np.isnan(p)
    found = adjusted_family(p, "shaffer")
    assert_array_equal(np.isnan(found), ~defined)
    holm = adjusted_family(p[defined], "holm")
    assert (found[defined] <= holm).all()
    as_last = adjusted_family(np.where(defined, p, 1.0), "shaffer")
    assert (found[defined] <= as_last[defined]).all()
    # the most hypotheses of defined pairs that can be true, of all sets that can be true together
    sizes = {len(chosen) for chosen in reference.exhaustive_sets(k)}
    largest = 0.0
    for i, j in enumerate(np.flatnonzero(defined)[np.argsort(p[defined], kind="stable")]):
        true = max(size for size in sizes if size <= p.size - i)
        largest = max(largest, min(true, defined.sum() - i) * p[j])
        assert_allclose(found[j], min(largest, 1.0), rtol=1e-14)


def test_an_infinite_loss_leaves_the_other_pairs_their_adjusted_pvalues():
    sure = np.where(Y == 1, PROBABILITIES[:, 0], 0.0)
    sure[1] = 0.0  # a positive that the model excludes
    given = np.c_[PROBABILITIES[:, :3], sure]
    found = fc.scoring_pairwise_test(Y, given, rule="log", on_undefined="ignore")
    undefined = np.array([3 in pair for pair in combinations(range(4), 2)])
    assert found.correction == "shaffer"
    assert_array_equal(np.isnan(found.adjusted_pvalue), undefined)
    alone = fc.scoring_pairwise_test(Y, PROBABILITIES[:, :3], rule="log", correction="holm")
    assert_allclose(found.pvalue[~undefined], alone.pvalue, rtol=1e-12)
    assert (found.adjusted_pvalue[~undefined] <= alone.adjusted_pvalue * (1 + 1e-12)).all()


def partitions(k):
    """The sizes of groups of equal models, largest first."""
    if k == 0:
        yield ()
    for size in range(k, 0, -1):
        yield from ((size, *rest) for rest in partitions(k - size) if not rest or rest[0] <= size)


TRUE = [groups for k in (3, 4, 5) for groups in partitions(k) if groups[0] > 1]


@pytest.mark.parametrize("missing", [0, 2], ids=["all", "two undefined"])
@pytest.mark.parametrize("groups", TRUE, ids=str)
def test_the_familywise_error_is_kept_whichever_models_are_equal(groups, missing):
    trials, level = 1500, 0.1
    k = sum(groups)
    rng = np.random.default_rng([k, missing, *groups])
    group = np.repeat(np.arange(len(groups)), groups)
    first, second = np.triu_indices(k, 1)
    # the groups lie apart so far that a step down does come to the true hypotheses
    means = rng.normal(size=(trials, k)) + 6.0 * group
    p = 2.0 * norm.sf(abs(means[:, first] - means[:, second]) / np.sqrt(2.0))
    p[:, rng.permutation(first.size)[:missing]] = np.nan
    true = group[first] == group[second]
    errors = [(adjusted_family(row, "shaffer")[true] <= level).any() for row in p]
    assert np.mean(errors) < level + 4 * np.sqrt(level * (1 - level) / trials)


def test_a_correction_by_fewer_hypotheses_would_break_its_promise():
    """The simulation above can fail: it would, if two pairs of four models were taken as one."""
    rng = np.random.default_rng(0)
    means = rng.normal(size=(4000, 4)) + np.array([0.0, 0.0, 30.0, 30.0])
    p = 2.0 * norm.sf(abs(means[:, [0, 2]] - means[:, [1, 3]]) / np.sqrt(2.0))
    assert ((p <= 0.1).any(axis=1)).mean() > 0.15
    assert ((2 * p <= 0.1).any(axis=1)).mean() < 0.12
