"""The test that all mean scores are equal: repeated-measures ANOVA, and Hotelling's by CR2."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc

RNG = np.random.default_rng(5)
TABLE = RNG.normal(size=(24, 4)) + RNG.normal(size=(24, 1))
SIZES = np.array([1, 9, 2, 4, 1, 3, 4])
GROUPS = np.repeat(np.arange(7), SIZES)
QUIET = {"on_undefined": "ignore"}


def slow_anova(scores, groups):
    """Sums over clusters one by one: CR2, Box's epsilon, Huynh and Feldt's."""
    n, k = scores.shape
    e = scores - scores.mean(axis=0)
    e = e - e.mean(axis=1, keepdims=True)
    labels = np.unique(groups)
    covariance, shares = np.zeros((k, k)), []
    for label in labels:
        total, share = e[groups == label].sum(axis=0), (groups == label).mean()
        covariance += np.outer(total, total) / (n * n * (1 - share))
        shares.append(share)
    p, c = np.array(shares), 1 / (1 - np.array(shares))
    v = 1 / ((p**2).sum() + (c * p**2).sum() ** 2 - (c**2 * p**4).sum())
    q, means = k - 1, scores.mean(axis=0) - scores.mean()
    f = (means**2).sum() / np.trace(covariance)
    box = np.trace(covariance) ** 2 / (q * np.trace(covariance @ covariance))
    share = min(1.0, ((v + 1) * q * box - 2) / (q * (v - q * box)))
    return f, (share * q, share * q * v)


def test_clusters_are_as_in_the_definition_in_mean_omnibus_test():
    result = fc.mean_omnibus_test(TABLE, groups=GROUPS)
    f, df = slow_anova(TABLE, GROUPS)
    assert_allclose([result.statistic, *result.df], [f, *df], rtol=1e-12)
    assert_allclose(result.pvalue, stats.f.sf(f, *df), rtol=1e-12)


def test_independent_items_have_the_anova_of_rounds():
    ours = fc.mean_omnibus_test(TABLE)
    theirs = fc.rm_anova_test(TABLE, design="independent", sphericity="huynh-feldt")
    assert_allclose(ours.statistic, theirs.statistic, rtol=1e-12)
    assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-10)


@pytest.mark.parametrize("method", ["anova", "hotelling"])
@pytest.mark.parametrize("options", [{}, {"groups": GROUPS}, {"sample_weight": 1.0 + GROUPS}])
def test_two_models_have_the_square_of_t(method, options):
    ours = fc.mean_omnibus_test(TABLE[:, :2], method=method, **options)
    t = fc.paired_mean_test(TABLE[:, 0], TABLE[:, 1], method="t", **options)
    assert_allclose(ours.statistic, t.statistic**2, rtol=1e-10)
    assert_allclose(ours.pvalue, t.pvalue, rtol=1e-9)


def test_hotelling_s_test_of_right_and_wrong_answers_in_clusters_is_cochran_s():
    right = (TABLE > 0.2).astype(int)
    ours = fc.mean_omnibus_test(right, groups=GROUPS, method="hotelling", **QUIET)
    theirs = fc.cochran_q_test(correct=right, groups=GROUPS, **QUIET)
    assert_allclose(ours.statistic, theirs.statistic, rtol=1e-9)
    assert_allclose(ours.pvalue, theirs.pvalue, rtol=1e-9)
    assert_allclose(ours.df, theirs.df, rtol=1e-12)


@pytest.mark.slow
@given(st.permutations(range(24)), st.permutations(range(4)), st.floats(0.1, 9.0))
def test_order_and_scale_change_nothing_in_mean_omnibus_test(rows, models, scale):
    ours = fc.mean_omnibus_test(scale * TABLE[rows][:, models], groups=GROUPS[list(rows)])
    assert_allclose(ours.pvalue, fc.mean_omnibus_test(TABLE, groups=GROUPS).pvalue, rtol=1e-9)


def test_nothing_that_varies_is_told_from_nothing_that_differs_in_mean_omnibus_test():
    same = fc.mean_omnibus_test(TABLE[:, [0, 0, 0]])
    assert (same.pvalue, same.status) == (1.0, "no_difference")
    apart = fc.mean_omnibus_test(TABLE[:, [0, 0, 0]] + [0.0, 1.0, 2.0], **QUIET)
    assert np.isnan(apart.pvalue)
    assert apart.status == "zero_variance"


def rejected(draw, trials=300):
    """How often a true null hypothesis is rejected at 5%."""
    rng, count = np.random.default_rng(0), 0
    for _ in range(trials):
        scores, options = draw(rng)
        count += fc.mean_omnibus_test(scores, **options, **QUIET).pvalue <= 0.05
    return count / trials


def in_clusters(rng, k):
    sizes = np.ceil(rng.lognormal(np.log(5), 1, 20)).astype(int)
    groups = np.repeat(np.arange(20), sizes)
    return rng.normal(size=(20, k))[groups] + rng.normal(size=(groups.size, k)), {"groups": groups}


NULLS = {  # Hotelling's test by CR1 rejected 34, 51 and 46% of them
    "clusters": lambda rng: in_clusters(rng, 10),
    "weights": lambda rng: (rng.normal(size=(20, 10)), {"sample_weight": rng.lognormal(size=20)}),
    "answers": lambda rng: ((rng.random((50, 10)) < 0.95).astype(float), {}),
}


@pytest.mark.parametrize("draw", NULLS.values(), ids=NULLS)
def test_the_level_holds_in_mean_omnibus_test(draw):
    assert rejected(draw) <= 0.05 + 3.5 * (0.05 * 0.95 / 300) ** 0.5


@pytest.mark.parametrize("k", [3, 4, 7])
@pytest.mark.parametrize("grouped", [False, True])
def test_one_degree_of_freedom_has_the_lower_bound_of_the_epsilon(k, grouped):
    for seed in range(12):  # the rounding of Box's epsilon divided by 0 in a third of them
        scores = np.random.default_rng(seed).normal(size=(2 + 10 * grouped, k))
        options = {"groups": np.arange(12) // 6} if grouped else {}
        rows = scores.reshape(2, -1, k).mean(axis=1)
        expected = fc.rm_anova_test(rows, sphericity="lower-bound", on_undefined="ignore")
        for order in (np.arange(k), np.roll(np.arange(k), 1)):
            found = fc.mean_omnibus_test(scores[:, order], **options, **QUIET)
            assert_allclose(found.df, (1.0, 1.0), rtol=1e-9)
            assert_allclose([found.statistic, found.pvalue], [expected.statistic, expected.pvalue])


def test_clusters_of_two_kinds_keep_the_epsilon_between_its_bounds_in_mean_omnibus_test():
    for seed in range(40):
        rng = np.random.default_rng(seed)
        groups = rng.integers(0, 3, (18, 2))
        found = fc.mean_omnibus_test(rng.normal(size=(18, 5)), groups=groups, **QUIET)
        if found.status == "ok":
            assert 1.0 - 1e-12 <= found.df[0] <= 4.0


def answers_in_clusters(n_clusters=20, size=5):
    """Answers of three models to items in clusters; the third fails on two whole clusters only."""
    groups = np.repeat(np.arange(n_clusters), size)
    rng = np.random.default_rng(11)
    right = rng.random((groups.size, 3)) < 0.6
    right[:, 2] = groups > 1
    return right.astype(float), groups


def test_omnibus_of_two_models_is_the_test_of_the_pair_for_answers_in_clusters():
    scores, groups = answers_in_clusters()
    ours = fc.mean_omnibus_test(scores[:, :2], groups=groups, **QUIET)
    pair = fc.paired_mean_test(scores[:, 0], scores[:, 1], groups=groups, **QUIET)
    assert_allclose(ours.pvalue, pair.pvalue, rtol=1e-9)


@pytest.mark.parametrize("coding", [(0.0, 1.0), (1.0, 5.0), (-3.0, 4.0)])
def test_omnibus_does_not_depend_on_the_coding_of_answers_in_mean_omnibus_test(coding):
    scores, groups = answers_in_clusters()
    low, high = coding
    ours = fc.mean_omnibus_test(low + (high - low) * scores, groups=groups, **QUIET)
    plain = fc.mean_omnibus_test(scores, groups=groups, **QUIET)
    assert_allclose([ours.statistic, *ours.df], [plain.statistic, *plain.df], rtol=1e-9)
    assert ours.status == plain.status


def test_failures_that_clusters_lack_are_stated_where_they_explain_every_pair():
    scores = np.ones((60, 3))
    scores[::7, 0] = scores[3::9, 1] = 0.0  # c fails never: on no cluster of 12
    scores, groups = dict(zip("abc", scores.T, strict=True)), np.repeat(np.arange(12), 5)
    stated = "A failure of c in 15% of items, none of them among these 12 effective ones, would "
    stated += "explain its lead over a (probability 0.14)."
    with pytest.warns(UserWarning, match=rf"unseen_failures: .*{re.escape(stated[:-1])}"):
        result = fc.mean_omnibus_test(scores, groups=groups)
    assert result.status == "unseen_failures"
    assert result.summary().endswith(stated)
    pairs = fc.mean_pairwise_test(scores, groups=groups, correction="none", **QUIET)
    significant = pairs.pvalue <= 0.05
    assert significant.any()
    assert (pairs.status[significant] == "unseen_failures").all()


def test_a_difference_that_no_failures_explain_needs_no_caution_in_mean_omnibus_test():
    scores = np.ones((60, 3))
    scores[::2, 0] = scores[3::9, 1] = 0.0
    assert fc.mean_omnibus_test(scores, groups=np.repeat(np.arange(12), 5)).status == "ok"


def skewed_first(seed, n, k):
    """Normal scores, but those of the first model lognormal, and seldom as high as their mean."""
    scores = np.random.default_rng(seed).normal(size=(n, k))
    scores[:, 0] = np.random.default_rng(seed + 100).lognormal(0, 1.5, n) - np.exp(1.125)
    return scores


@pytest.mark.parametrize("seed", [16, 18, 32, 96])
def test_omnibus_of_two_models_corrects_skewness_where_that_makes_p_larger(seed):
    scores = skewed_first(seed, 20, 2)
    t, hall = (fc.paired_mean_test(*scores.T, method=way, **QUIET) for way in ("t", "auto"))
    assert hall.pvalue > t.pvalue
    assert_allclose(fc.mean_omnibus_test(scores, **QUIET).pvalue, hall.pvalue, rtol=1e-9)


@pytest.mark.parametrize("seed", [9, 30, 34])
def test_a_difference_that_may_be_skewness_is_one_of_a_small_sample(seed):
    scores = skewed_first(seed, 20, 3)
    pairs = fc.mean_pairwise_test(scores, correction="none", **QUIET)
    significant = pairs.pvalue <= 0.05
    assert set(pairs.status[significant]) == {"small_sample"}
    result = fc.mean_omnibus_test(scores, **QUIET)
    assert result.pvalue <= 0.05
    assert result.status == "small_sample"
    assert "Caution: " in result.summary()


@pytest.mark.parametrize("n", [12, 20, 50])
def test_omnibus_of_two_models_has_the_status_of_the_pair(n):
    words = set()
    for seed in range(40):
        scores = skewed_first(seed, n, 2)
        pair = fc.paired_mean_test(*scores.T, **QUIET)
        omnibus = fc.mean_omnibus_test(scores, **QUIET)
        assert omnibus.status == pair.status
        words.add(pair.status)
    assert words == {"ok", "small_sample"}
