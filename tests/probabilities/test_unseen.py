"""Losses of which a rare class decides: what a sample does not hold counts."""

import math

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare.advice.analyses.losses import losses_omnibus

QUIET = {"on_undefined": "ignore"}


def drawn(seed, n, prevalence):
    """Two models of equal expected Brier score: 1.8 times the risk, and 1 + or - 0.8 times."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prevalence).astype(int)
    return y, np.full(n, 1.8 * prevalence), prevalence * (1 + 0.8 * rng.choice([-1, 1], n))


def alike(y, groups):
    """The intraclass correlation of positives by all pairs within clusters, and one more."""
    same = (groups[:, None] == groups) & ~np.eye(len(y), dtype=bool)
    both = (same & (y[:, None] * y == 1)).sum() / max(1, (same & (y[:, None] == 1)).sum())
    hit = len(set(groups[y == 1]))
    return (hit * max(0.0, (both - y.mean()) / (1 - y.mean())) + 1) / (hit + 1)


def slow(y, p, q, null=0.0, groups=None, error=None):
    """The statistic by its formula, for two classes of which 1 is rare."""
    n, d = len(y), (p - y) ** 2 - (q - y) ** 2
    base = (p**2 - q**2).mean()
    jump = [(1 - b) * (1 - b) for b in (p, q)]
    jump = jump[0] - jump[1] - (p**2 - q**2)
    needed = null - base
    towards = np.maximum(jump * np.sign(needed), 0.0)
    squares = (towards**2).sum()
    if groups is not None:
        rho = alike(y, groups)
        sums = np.array([towards[groups == g].sum() for g in set(groups)])
        squares = rho * (sums**2).sum() + (1 - rho) * squares
    w = squares / towards.sum() if towards.any() else 0.0
    surprises = (y == 0).mean() * abs(needed) * w / n
    error = d.std(ddof=1) / math.sqrt(n) if error is None else error
    return (d.mean() - null) / max(error, math.sqrt(surprises))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("margin", [0.0, 0.01])
def test_the_statistic_is_the_definition_in_scoring_test(seed, margin):
    y, p, q = drawn(seed, 60, 0.05)
    alternative = "less" if margin else "two-sided"
    found = fc.scoring_test(y, p, q, margin=margin, alternative=alternative)
    t = slow(y, p, q, margin)
    assert_allclose(found.statistic, t, rtol=1e-9)
    want = stats.t.cdf(t, 59) if margin else 2 * stats.t.sf(abs(t), 59)
    assert_allclose(found.pvalue, want, rtol=1e-9)


def clustered(seed, sizes, prevalence):
    """Two models as in `drawn`, of cases whose labels correlate by one half within clusters."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    together, own = rng.random(len(sizes)) < prevalence, rng.random(groups.size) < prevalence
    y = np.where(rng.random(groups.size) < 0.5**0.5, together[groups], own).astype(int)
    return *drawn(seed, groups.size, prevalence)[1:], y, groups


@pytest.mark.parametrize("seed", range(8))
def test_the_statistic_of_clusters_is_the_definition_in_scoring_test(seed):
    p, q, y, groups = clustered(seed, np.arange(1, 13), 0.1)
    given = {"groups": groups, "pos_label": 1, **QUIET}
    found = fc.scoring_test(y, p, q, **given)
    error = fc.scoring_test(y, p, q, method="t", **given).standard_error
    assert_allclose(found.statistic, slow(y, p, q, 0.0, groups, error), rtol=1e-9)


def test_clusters_of_one_case_are_independent_cases_in_scoring_test():
    y, p, q = drawn(2, 50, 0.05)
    alone = fc.scoring_test(y, p, q, **QUIET)
    assert_allclose(
        fc.scoring_test(y, p, q, groups=np.arange(50), **QUIET).pvalue, alone.pvalue, rtol=1e-9
    )


@pytest.mark.slow
@pytest.mark.parametrize(("clusters", "prevalence"), [(50, 0.05), (200, 0.02)])
def test_the_level_holds_where_positives_come_together_in_scoring_test(clusters, prevalence):
    """Student's t rejects 22 and 31% of these."""
    p = []
    for seed in range(200):
        sizes = np.ceil(np.random.default_rng(seed).lognormal(1.6, 1.0, clusters)).astype(int)
        a, b, y, groups = clustered(seed, sizes, prevalence)
        p.append(fc.scoring_test(y, a, b, groups=groups, pos_label=1, **QUIET).pvalue)
    assert (np.array(p) <= 0.05).mean() <= 0.06


@pytest.mark.parametrize("rule", ["brier", "log", "spherical"])
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.parametrize("flip", [False, True])
def test_chunks_have_what_arrays_have_in_scoring_test(rule, grouped, flip):
    p, q, y, groups = clustered(4, np.arange(1, 13), 0.08)
    given = {"rule": rule, "pos_label": int(not flip), **QUIET}
    if flip:  # the rare class is the other one
        p, q = 1 - p, 1 - q
    whole = fc.scoring_test(y, p, q, groups=groups if grouped else None, **given)
    columns = (y, p, q, groups) if grouped else (y, p, q)
    found = []
    for parts in ([[0, 78]], [[0, 10], [10, 11], [11, 78]], [[30, 78], [0, 30]]):
        chunks = [tuple(column[slice(*part)] for column in columns) for part in parts]
        found.append(fc.scoring_test(chunks, **given))
    for one in found:
        assert_allclose(one.pvalue, whole.pvalue, rtol=1e-9)
        assert_allclose(one.statistic, whole.statistic, rtol=1e-9)
        assert_allclose(one.confidence_interval(), whole.confidence_interval(), rtol=1e-9)
        assert one.summary() == whole.summary()
        assert (one.pvalue, one.statistic) == (found[0].pvalue, found[0].statistic)
    assert fc.scoring_test(y, p, q, method="t", **given).pvalue < whole.pvalue


def test_chunks_of_one_class_tell_what_they_can_in_scoring_test():
    y, p, q = np.zeros(20, int), np.full(20, 0.09), np.full(20, 0.05)
    few = fc.scoring_test([(y[:7], p[:7], q[:7]), (y[7:], p[7:], q[7:])])
    assert few.pvalue == pytest.approx(fc.scoring_test(y, p, q).pvalue, rel=1e-12)
    assert few.status == "ok"


@pytest.mark.slow
@given(st.integers(0, 10**6), st.sampled_from([0.5, 0.8, 0.9, 0.95, 0.99]))
def test_intervals_hold_what_is_not_rejected_in_scoring_test(seed, level):
    y, p, q = drawn(seed, 40, 0.1)
    result = fc.scoring_test(y, p, q, **QUIET)
    for end in result.confidence_interval(level):
        if abs(end) < 1.0 and (y == 0).mean() > 0.7:
            t = abs(slow(y, p, q, end))
            assert_allclose(t, stats.t.ppf(0.5 + level / 2, 39), rtol=1e-6)


def test_swapping_models_negates_the_difference_in_scoring_test():
    y, p, q = drawn(3, 50, 0.05)
    one, other = fc.scoring_test(y, p, q), fc.scoring_test(y, q, p)
    assert_allclose(one.statistic, -other.statistic, rtol=1e-12)
    low, high = one.confidence_interval()
    assert_allclose(other.confidence_interval(), (-high, -low), rtol=1e-12)
    again = fc.scoring_test(1 - y, 1 - p, 1 - q)
    assert_allclose(again.pvalue, one.pvalue, rtol=1e-9)


def test_classes_that_are_not_rare_and_t_by_name_have_student_s_t_in_scoring_test():
    rng = np.random.default_rng(0)
    for n, prevalence in ((40, 0.5), (5000, 0.25)):
        y, p, q = (rng.random(n) < prevalence).astype(int), rng.random(n), rng.random(n)
        t = stats.ttest_rel((p - y) ** 2, (q - y) ** 2)
        assert_allclose(fc.scoring_test(y, p, q).pvalue, t.pvalue, rtol=1e-9)
    y, p, q = drawn(1, 50, 0.05)
    t = stats.ttest_rel((p - y) ** 2, (q - y) ** 2)
    assert_allclose(fc.scoring_test(y, p, q, method="t", **QUIET).pvalue, t.pvalue, rtol=1e-9)


def test_a_single_class_tells_what_it_can_in_scoring_test():
    y, p, q = np.zeros(20, int), np.full(20, 0.09), np.full(20, 0.05)
    few = fc.scoring_test(y, p, q)
    assert few.status == "ok"
    assert few.pvalue > 0.2  # 1.4 positive cases would make the models equal
    many = fc.scoring_test(np.zeros(2000, int), np.full(2000, 0.09), np.full(2000, 0.05))
    assert many.pvalue < 1e-9  # 140 of them would


@pytest.mark.parametrize("options", [{}, {"groups": np.arange(60) // 3}])
def test_pairs_are_single_tests(options):
    y, p, q = drawn(5, 60, 0.08)
    table = {"a": p, "b": q, "c": 0.5 * p}
    pairs = fc.scoring_pairwise_test(y, table, correction="none", **options, **QUIET)
    low, high = pairs.confidence_interval()
    for place, (a, b) in enumerate(pairs.pairs):
        one = fc.scoring_test(y, table[a], table[b], **options, **QUIET)
        assert_allclose(pairs.statistic[place], one.statistic, rtol=1e-12)
        assert_allclose(pairs.pvalue[place], one.pvalue, rtol=1e-12)
        assert_allclose((low[place], high[place]), one.confidence_interval(), rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "prevalence"), [(20, 0.05), (50, 0.02), (50, 0.05), (200, 0.01)])
def test_the_level_holds_where_positives_are_rare_in_scoring_test(n, prevalence):
    """Student's t rejects 60, 60, 28 and 37% of these."""
    p = np.array([fc.scoring_test(*drawn(i, n, prevalence), **QUIET).pvalue for i in range(200)])
    assert (p <= 0.05).mean() <= 0.05


def three_classes(seed, n, prevalence):
    """Two frequent classes that share the rest, and a rare one as in `drawn`."""
    rng = np.random.default_rng(seed)
    y, p, q = drawn(seed, n, prevalence)
    y = np.where(y == 1, 2, rng.integers(0, 2, n))
    return y, *(np.stack([(1 - r) / 2, (1 - r) / 2, r], axis=1) for r in (p, q))


@pytest.mark.slow
def test_a_rare_class_among_several_counts_so_in_scoring_test():
    """Student's t rejects 36% of these."""
    given = {"classes": [0, 1, 2], **QUIET}
    p = [fc.scoring_test(*three_classes(i, 200, 0.01), **given).pvalue for i in range(150)]
    assert (np.array(p) <= 0.05).mean() <= 0.05


def test_a_sentence_names_the_variance_that_is_not_the_sample_s_in_scoring_test():
    y, p, q = np.zeros(20, int), np.full(20, 0.09), np.full(20, 0.05)
    assert "with the variance of unseen cases" in fc.scoring_test(y, p, q).method


def test_clear_differences_are_found_in_scoring_test():
    rng = np.random.default_rng(1)
    risk = rng.beta(0.5, 6.0, 400)
    y = (rng.random(400) < risk).astype(int)
    poor = np.clip(risk + rng.normal(0, 0.3, 400), 0.0, 1.0)
    assert fc.scoring_test(y, risk, poor).pvalue < 1e-4


@pytest.mark.parametrize("options", [{}, {"groups": np.repeat(np.arange(20), 3)}])
@pytest.mark.parametrize("seed", range(4))
def test_the_omnibus_test_of_two_models_is_their_pair_s_in_scoring_test(seed, options):
    y, p, q = drawn(seed, 60, 0.05)
    one = fc.scoring_test(y, p, q, pos_label=1, **options, **QUIET)
    both = losses_omnibus(y, {"a": p, "b": q}, pos_label=1, **options, **QUIET)
    assert_allclose(both.statistic, one.statistic**2, rtol=1e-9)
    assert_allclose(both.pvalue, one.pvalue, rtol=1e-9)


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="400 tests take 3 s uncompiled")
@pytest.mark.parametrize(("n", "prevalence"), [(20, 0.05), (50, 0.02), (200, 0.02), (50, 0.28)])
def test_the_omnibus_test_holds_its_level_where_positives_are_rare(n, prevalence):
    """By the sample's variance alone it rejects 36 to 39% of those with one expected positive."""
    p = []
    for seed in range(100):
        y, high, either = drawn(seed, n, prevalence)
        table = {
            "a": high,
            "b": either,
            "c": np.random.default_rng(-seed % 997).permutation(either),
        }
        p.append(losses_omnibus(y, table, pos_label=1, **QUIET).pvalue)
    assert (np.array(p) <= 0.05).mean() <= 0.06
