"""One AUC against a value: the laws, the exact distribution, peers and the level."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from numpy.testing import assert_allclose
from scipy.special import ndtri
from scipy.stats import mannwhitneyu, rankdata
from scipy.stats import t as student

import fastcompare as fc
from tests.shared.documents import T2
from tests.shared.strategies import scored_cases

RNG = np.random.default_rng(14)
Y = np.arange(40) % 3 == 0
A = RNG.normal(size=40) + Y
QUIET = {"on_undefined": "ignore"}
EACH = pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])


def slow_exact(labels, scores, alternative):
    """The p-value over all choices of the positives, from ranks in Python."""
    ranks, m = (2 * rankdata(scores)).astype(int).tolist(), int(sum(labels))
    observed = sum(r for r, y in zip(ranks, labels, strict=True) if y)
    sums = [sum(chosen) for chosen in itertools.combinations(ranks, m)]
    above = sum(s >= observed for s in sums) / len(sums)
    below = sum(s <= observed for s in sums) / len(sums)
    return {"greater": above, "less": below, "two-sided": min(1, 2 * min(above, below))}[
        alternative
    ]


@pytest.mark.slow
@EACH
@given(case=scored_cases(k=1, smallest=1))
def test_the_exact_pvalue_counts_all_choices_given_the_ties_in_roc_auc_test(alternative, case):
    labels, (scores,) = case
    assume(labels.size <= 11)
    result = fc.roc_auc_test(labels, scores, method="exact", alternative=alternative, **QUIET)
    assert_allclose(result.pvalue, slow_exact(labels, scores, alternative), rtol=1e-12)


@EACH
@pytest.mark.parametrize(("m", "n"), [(1, 9), (4, 4), (12, 7), (30, 25), (3, 200)])
def test_the_exact_test_without_ties_is_that_of_scipy_in_roc_auc_test(m, n, alternative):
    scores = np.random.default_rng(m).permutation(m + n)
    want = mannwhitneyu(scores[:m], scores[m:], alternative=alternative, method="exact")
    labels = np.arange(m + n) < m
    result = fc.roc_auc_test(labels, scores, method="exact", alternative=alternative, **QUIET)
    assert_allclose((result.statistic, result.pvalue), want, rtol=1e-10)


@EACH
def test_the_asymptotic_test_under_ties_is_that_of_scipy_in_roc_auc_test(alternative):
    scores = np.round(A, 1)
    words = {"alternative": alternative, "method": "asymptotic"}
    want = mannwhitneyu(scores[Y], scores[~Y], use_continuity=False, **words)
    result = fc.roc_auc_test(Y, scores, **words)
    assert_allclose(result.pvalue, want.pvalue, rtol=1e-12)
    assert result.df == math.inf


@EACH
@pytest.mark.parametrize("level", [0.3, 0.8, 0.95, 0.999])
def test_the_interval_ends_where_the_test_just_rejects_in_roc_auc_test(alternative, level):
    result = fc.roc_auc_test(Y, A, alternative=alternative)
    low, high = result.confidence_interval(level)
    for end, open_end in ((low, 0.0), (high, 1.0)):
        if end != open_end:
            against = fc.roc_auc_test(Y, A, null=end, alternative=alternative)
            assert_allclose(against.pvalue, 1 - level, rtol=1e-6)
    assert (low == 0.0, high == 1.0) == (alternative == "less", alternative == "greater")


@pytest.mark.slow
@given(case=scored_cases(k=1, smallest=1))
def test_the_interval_is_the_default_one_of_roc_auc_interval(case):
    labels, (scores,) = case
    test, interval = (f(labels, scores, **QUIET) for f in (fc.roc_auc_test, fc.roc_auc_interval))
    assert test.confidence_interval() == interval.confidence_interval()
    assert (test.estimate, test.status) == (interval.estimate, interval.status)


@EACH
@pytest.mark.parametrize("method", ["score", "exact", "asymptotic"])
def test_monotone_scores_agree_and_swapped_labels_mirror_in_roc_auc_test(alternative, method):
    words = {"method": method, "alternative": alternative}
    result = fc.roc_auc_test(Y, A, **words)
    assert fc.roc_auc_test(Y, np.exp(A), **words).pvalue == result.pvalue
    words["alternative"] = {"less": "greater", "greater": "less"}.get(alternative, alternative)
    mirrored = fc.roc_auc_test(~Y, A, **words)
    assert_allclose(mirrored.pvalue, result.pvalue, rtol=1e-10)
    assert_allclose(mirrored.estimate, 1 - result.estimate, rtol=1e-14)


def test_the_score_statistic_follows_its_definition_in_roc_auc_test():
    labels, scores, null = np.array(T2["y"]) == 1, np.array(T2["b"]), 0.6
    m, n = labels.sum(), (~labels).sum()
    wins = (scores[labels][:, None] > scores[~labels]) + 0.5 * (
        scores[labels][:, None] == scores[~labels]
    )
    t, variance = wins.mean(), wins.mean(1).var(ddof=1) / m + wins.mean(0).var(ddof=1) / n
    df = (1 / m + 1 / n) ** 2 / (1 / m**2 / (m - 1) + 1 / n**2 / (n - 1))

    def model(u):
        half = (m + n) / 2 - 1
        return u * (1 - u) / (m * n) * (1 + half * ((1 - u) / (2 - u) + u / (1 + u)))

    known = 2 * t * (1 - t) * df
    used = model(null) * (4 + known * variance / model(t)) / (4 + known)
    result = fc.roc_auc_test(T2["y"], T2["b"], null=null)
    assert_allclose(result.statistic, (t - null) / math.sqrt(used), rtol=1e-12)
    assert_allclose(result.df, 4 + 2 * null * (1 - null) * df, rtol=1e-12)
    assert_allclose(result.pvalue, 2 * student.sf(abs(result.statistic), result.df), rtol=1e-10)
    assert_allclose(result.log_pvalue, math.log(result.pvalue), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("null", "spread"), [(0.5, 1.0), (0.5, 2.0), (0.8, 1.0), (0.8, 0.5)])
def test_the_default_keeps_its_level_with_five_positives_of_sixty_in_roc_auc_test(null, spread):
    rng, y = np.random.default_rng(3), np.arange(60) < 5
    shift = ndtri(null) * math.sqrt(1 + spread**2)
    rejected = 0
    for _ in range(400):
        scores = rng.normal(size=60) * np.where(y, spread, 1.0) + shift * y
        rejected += fc.roc_auc_test(y, scores, null=null).pvalue <= 0.05
    assert rejected <= 36  # 9%: 4 standard errors above 5


def test_groups_and_weights_are_for_the_score_test():
    groups, weights = np.arange(40) // 2, 1.0 + np.arange(40) % 4
    for extra in ({"groups": groups}, {"sample_weight": weights}, {"frequency_weight": weights}):
        result = fc.roc_auc_test(Y, A, **extra, **QUIET)
        interval = fc.roc_auc_interval(Y, A, **extra, **QUIET)
        assert result.confidence_interval() == interval.confidence_interval()
        for method in ("exact", "asymptotic"):
            with pytest.raises(fc.InvalidValueError, match="neither weights nor `groups`"):
                fc.roc_auc_test(Y, A, method=method, **extra)


def test_only_the_score_test_knows_other_values_than_one_half_in_roc_auc_test():
    with pytest.raises(fc.InvalidValueError, match=r"`null=0\.5` only, got 0\.7: choose 'score'"):
        fc.roc_auc_test(Y, A, null=0.7, method="exact")
    with pytest.raises(fc.InvalidValueError, match="`null` must be between 0 and 1, got 1"):
        fc.roc_auc_test(Y, A, null=1.0)


def test_too_many_cases_for_the_exact_test_are_refused_with_the_way_out_in_roc_auc_test():
    with pytest.raises(fc.InvalidValueError, match=r"`method='exact'` .* 'asymptotic'"):
        fc.roc_auc_test(np.arange(3000) % 2, np.arange(3000), method="exact")


def test_degenerate_cases_have_a_status_in_roc_auc_test():
    one = fc.roc_auc_test(np.ones(5), A[:5], **QUIET)
    assert (one.status, math.isnan(one.pvalue)) == ("one_class", True)
    with pytest.warns(fc.UndefinedResultWarning, match="^constant_scores"):
        tied = fc.roc_auc_test(Y, np.zeros(40))
    assert (tied.estimate, tied.pvalue) == (0.5, 1.0)
    for method in ("exact", "asymptotic"):
        assert fc.roc_auc_test(Y, np.zeros(40), method=method, **QUIET).pvalue == 1.0
    perfect = fc.roc_auc_test(Y, Y)
    assert perfect.status == "ok"
    assert perfect.pvalue < 1e-4


def test_the_sentence_names_method_null_and_statistic_in_roc_auc_test():
    for method, words in (
        ("score", "score test against 0.5, t("),
        ("exact", "exact Mann-Whitney test against 0.5, U = "),
        ("asymptotic", "normal approximation against 0.5, z = "),
    ):
        assert words in fc.roc_auc_test(Y, A, method=method).summary()


def test_sentences_without_a_test_keep_the_letter_of_their_statistic_in_roc_auc_test():
    for method, letter in {"score": "t", "exact": "U", "asymptotic": "z"}.items():
        found = fc.roc_auc_test([0, 0], [1, 2], method=method, on_undefined="ignore")
        assert f", {letter} undefined, p undefined" in found.summary()
