"""Several models on clustered cases: all pairs, and Cochran's test by Hotelling's F."""

import itertools
import pickle

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare._inference.infer import hotelling_f, quadratic_form
from fastcompare._inference.max_t import level_of_each
from tests.reference.clusters import covariance_of_clusters, mean_of_clusters

QUIET = {"on_undefined": "ignore"}


def clustered(seed, sizes, k, *, spread=0.5):
    """Right answers (n, k) of equally good models, and their clusters."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    of_clusters = spread * rng.normal(size=(k, len(sizes)))[:, groups]
    shared = rng.normal(size=groups.size)
    return (of_clusters + shared + rng.normal(size=(k, groups.size)) > -1).T, groups


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_every_pair_is_mcnemar_s_test_of_clusters(alternative):
    right, groups = clustered(1, 300 * np.array([1, 2, 3, 5, 8, 13, 21, 9, 9, 9]), 5)
    right[:, 1] = right[:, 0]
    right[0, 3], right[1:, 3] = ~right[0, 2], right[1:, 2]  # their variances would cancel
    options = {"groups": groups, "alternative": alternative}
    found = fc.mcnemar_pairwise_test(correct=right, **options)
    low, high = found.confidence_interval(0.9)
    for p, (i, j) in enumerate(itertools.combinations(range(5), 2)):
        want = fc.mcnemar_test(correct_a=right[:, i], correct_b=right[:, j], **options)
        for name in ("statistic", "pvalue", "log_pvalue", "estimate", "standard_error"):
            assert_allclose(getattr(found, name)[p], getattr(want, name), rtol=1e-10, err_msg=name)
        assert (found.method[p], found.status[p]) == (want.method, want.status)
        assert_allclose((low[p], high[p]), want.confidence_interval(0.9), rtol=1e-10, atol=1e-15)
    assert (found.df, found.design) == (want.df, "clusters")
    assert found.status[0] == "no_discordant"
    assert pickle.loads(pickle.dumps(found)).to_dict() == found.to_dict()


def test_pairs_whose_clusters_do_not_vary_but_differ_have_a_p_value_by_failures_of_the_better():
    groups = np.repeat(np.arange(6), 2)
    right = np.c_[np.ones(12), np.tile([1, 0], 6), np.arange(12) % 3 == 0]
    found = fc.mcnemar_pairwise_test(correct=right, groups=groups)
    assert found.standard_error[0] == 0
    variance = 0.5 * 0.5 / 12  # half of the discordant cases, or those of independent cases
    assert_allclose(found.statistic[0], 0.5**2 / variance, rtol=1e-12)
    low, high = found.confidence_interval()
    assert 0 < low[0] < 0.5 < high[0]


@pytest.mark.slow
def test_simultaneous_intervals_take_each_level_through_its_own_t_in_mcnemar_pairwise_test():
    right, groups = clustered(2, [5, 9, 2, 7, 7, 30, 4, 4, 8, 12], 4)
    found = fc.mcnemar_pairwise_test(correct=right, groups=groups)
    low, high = found.confidence_interval(simultaneous=True)
    covariance = covariance_of_clusters(right, groups)
    level = level_of_each(covariance, np.triu_indices(4, 1), 0.95, "two-sided")
    radius = stats.t.isf((1 - level) / 2, found.df) * found.standard_error
    assert_allclose(high - low, 2 * radius, rtol=1e-9)
    assert level > 0.95


def test_few_clusters_are_told_by_degrees_of_freedom_in_mcnemar_pairwise_test():
    right, groups = clustered(3, [100, *[5] * 9], 3)
    with pytest.warns(fc.SmallSampleWarning, match="^few_clusters"):
        found = fc.mcnemar_pairwise_test(correct=right, groups=groups)
    assert_allclose(found.df, 1.921569, rtol=5e-7)
    with pytest.raises(fc.InvalidValueError, match="`method` must be 'asymptotic' with `groups`"):
        fc.mcnemar_pairwise_test(correct=right, groups=groups, method="midp")


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000), st.lists(st.integers(1, 6), min_size=5, max_size=9), st.randoms())
def test_covariances_equal_the_matrices_of_the_definition(seed, sizes, random):
    right, groups = clustered(seed, sizes, 3)
    k, gaps = 3, right.mean(axis=0)[:2] - right.mean(axis=0)[2]
    contrast = np.array([[1.0, 0, -1], [0, 1, -1]])
    covariance = contrast @ covariance_of_clusters(right, groups) @ contrast.T
    found = fc.cochran_q_test(correct=right, groups=groups, **QUIET)
    order = random.sample(range(k), k)
    again = fc.cochran_q_test(correct=right[:, order], groups=groups, **QUIET)
    assert again.status == found.status
    if np.linalg.cond(covariance) > 1e6 or found.status == "too_many_models":
        return
    df = fc.mcnemar_test(correct_a=right[:, 0], correct_b=right[:, 1], groups=groups, **QUIET).df
    f = gaps @ np.linalg.solve(covariance, gaps) * (df - 1) / (2 * df)
    assert_allclose(found.statistic, f, rtol=1e-7, atol=1e-12)
    assert_allclose(found.df, (2, df - 1), rtol=1e-12)
    assert_allclose(found.pvalue, stats.f.sf(f, 2, df - 1), rtol=1e-6)
    assert_allclose(again.pvalue, found.pvalue, rtol=1e-7)


def test_equal_clusters_have_hotelling_s_test_of_their_means_in_cochran_q_test():
    right, groups = clustered(4, [6] * 15, 4)
    found = fc.cochran_q_test(correct=right, groups=groups)
    sums = np.array([right[groups == g].mean(axis=0) for g in range(15)])
    gaps = sums[:, 1:] - sums[:, :1]
    mean = gaps.mean(axis=0)
    t2 = 15 * mean @ np.linalg.solve(np.cov(gaps.T), mean)
    assert_allclose(found.statistic, t2 * 12 / (3 * 14), rtol=1e-10)
    assert found.df == (3, 12.0)
    assert_allclose(found.pvalue, stats.f.sf(found.statistic, 3, 12), rtol=1e-10)
    assert found.design == "clusters"


def test_two_models_of_cochran_s_test_are_mcnemar_s():
    right, groups = clustered(5, [3, 9, 4, 1, 7, 7, 2], 2)
    found = fc.cochran_q_test(correct=right, groups=groups)
    want = fc.mcnemar_test(correct_a=right[:, 0], correct_b=right[:, 1], groups=groups)
    assert_allclose(found.statistic, want.statistic, rtol=1e-12)
    assert_allclose(found.pvalue, want.pvalue, rtol=1e-12)


def test_more_models_than_clusters_can_carry_have_no_p_value_in_cochran_q_test():
    right, groups = clustered(6, [9] * 4, 6)
    with pytest.warns(fc.UndefinedResultWarning, match="^too_many_models"):
        found = fc.cochran_q_test(correct=right, groups=groups)
    assert np.isnan(found.pvalue)


def test_models_that_differ_alike_in_every_case_have_no_p_value_in_cochran_q_test():
    right = np.repeat([[True, False, False]], 12, axis=0)
    with pytest.warns(fc.UndefinedResultWarning, match="^zero_variance"):
        found = fc.cochran_q_test(correct=right, groups=np.arange(12) // 3)
    assert np.isnan([found.statistic, found.pvalue]).all()
    assert found.df == (0, 4.0)


def test_models_that_judge_alike_do_not_differ():
    right, groups = clustered(7, [4] * 8, 1)
    found = fc.cochran_q_test(correct=np.repeat(right, 3, axis=1), groups=groups)
    assert (found.statistic, found.pvalue, found.status) == (0.0, 1.0, "no_discordant")
    three = np.c_[clustered(8, [4] * 8, 2)[0], clustered(8, [4] * 8, 2)[0][:, :1]]
    found = fc.cochran_q_test(correct=three, groups=groups)
    want = fc.mcnemar_test(correct_a=three[:, 0], correct_b=three[:, 1], groups=groups)
    assert_allclose(found.pvalue, want.pvalue, rtol=1e-9)  # the third model repeats the first
    with pytest.raises(fc.InvalidValueError, match="`method` must be 'asymptotic' with `groups`"):
        fc.cochran_q_test(correct=three, groups=groups, method="exact")


def test_check_values_of_hotelling_s_test():
    """Three models on four clusters, with G - 1 = 3 degrees of freedom of the covariance."""
    x = ".9 .6 .5/.7 .8 .4/.8 .5 .6/.6 .7 .3/.9 .4 .4/.5 .6 .2/1 .7 .6/.8 .6 .5"
    scores = np.array([[float(v) for v in row.split()] for row in x.split("/")])
    covariance = covariance_of_clusters(scores, [1, 1, 1, 2, 2, 3, 4, 4])
    assert_allclose(covariance[0], (0.002845238, 0.0006994048, 0.002872024), rtol=5e-7)
    contrast = np.array([[1.0, -1, 0], [0, 1, -1]])
    gaps = contrast @ scores.mean(axis=0)
    form = quadratic_form(gaps, contrast @ covariance @ contrast.T, 0.0, 0.0)
    f, degrees = hotelling_f(form.statistic, form.rank, 3)
    assert degrees == (2, 2.0)
    assert_allclose(stats.f.sf(f, *degrees), 1 / (1 + f))


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="a thousand tests")
@pytest.mark.parametrize("sizes", [[10] * 10, [90, *[10] * 9]])
def test_levels_hold_whatever_the_sizes(sizes):
    """400 data sets; F with G - 1 rejects 21% where one cluster of ten holds half the cases."""
    rejected = np.zeros(2)
    for seed in range(400):
        right, groups = clustered(seed, sizes, 3)
        omnibus = fc.cochran_q_test(correct=right, groups=groups, **QUIET)
        pairs = fc.mcnemar_pairwise_test(correct=right, groups=groups, **QUIET)
        rejected += omnibus.pvalue <= 0.05, pairs.adjusted_pvalue.min() <= 0.05
    assert (rejected / 400 < 0.085).all()


def reference_t(one, two):
    """Welch's t of two means by CR2, from (d, groups) of each."""
    (m1, s1, df1), (m2, s2, df2) = mean_of_clusters(*one), mean_of_clusters(*two)
    error = np.hypot(s1, s2)
    df = error**4 / (s1**4 / df1 + s2**4 / df2)
    return m1 - m2, error, df, 2 * stats.t.sf(abs(m1 - m2) / error, df)


def test_accuracies_of_two_sets_of_clusters_are_welch_s_t_in_two_proportions_unpaired_test():
    (right, groups), (other, labels) = (
        clustered(9, [3, 9, 4, 1, 7, 2], 1),
        clustered(10, [6] * 9, 1),
    )
    a, b = right[:, 0], other[:, 0]
    samples = (np.ones(a.size), a * 1, np.ones(b.size), b * 1)
    found = fc.two_proportions_unpaired_test(*samples, groups_1=groups, groups_2=labels)
    want = reference_t((a, groups), (b, labels))
    got = (found.estimate, found.standard_error, found.df, found.pvalue)
    assert_allclose(got, want, rtol=1e-10)
    ends = stats.t.interval(0.95, want[2], want[0], want[1])
    assert_allclose(found.confidence_interval(), ends, rtol=1e-9)
    assert (found.design, found.variance) == ("clusters", "unpooled")
    swapped = fc.two_proportions_unpaired_test(
        *samples[2:], *samples[:2], groups_1=labels, groups_2=groups
    )
    assert_allclose(swapped.pvalue, found.pvalue, rtol=1e-12)


def test_two_proportions_of_the_same_clusters_ignore_only_the_pairing():
    right, groups = clustered(11, [3, 9, 4, 1, 7, 2, 8, 8], 2)
    a, b = right.T
    found = fc.two_proportions_test(np.ones(a.size), a * 1, b * 1, groups=groups)
    want = reference_t((a, groups), (b, groups))
    got = (found.estimate, found.standard_error, found.df, found.pvalue)
    assert_allclose(got, want, rtol=1e-10)
    assert found.pvalue > fc.mcnemar_test(correct_a=a, correct_b=b, groups=groups).pvalue


def test_two_proportions_of_clusters_that_do_not_vary_in_two_proportions_unpaired_test():
    ones, groups = np.ones(12), np.repeat(np.arange(6), 2)
    options = {"groups_1": groups, "groups_2": groups}
    same = fc.two_proportions_unpaired_test(ones, ones, ones, ones, **options)
    assert (same.pvalue, same.status) == (1.0, "all_alike")
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        fc.two_proportions_unpaired_test(ones, ones, ones, 0 * ones, **options)
    bound = fc.two_proportions_unpaired_test(
        ones, ones, ones, ones, **options, alternative="greater", margin=0.5
    )
    assert_allclose(bound.pvalue, 0.5**6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"groups_1": [1, 2]}, "`groups_1` must be passed with the clusters of the other set"),
        ({"groups_1": [1, 2], "groups_2": [1, 2], "method": "boschloo"}, "`method` must be 'asym"),
        ({"groups_1": [1, 1], "groups_2": [1, 2]}, "`groups` must name >= 2"),
    ],
)
def test_clusters_of_two_sets_that_mean_nothing_are_refused(options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.two_proportions_unpaired_test([1, 0], [1, 1], [1, 0], [0, 0], **options)
    with pytest.raises(fc.InvalidValueError, match="must be passed with"):
        fc.two_proportions_unpaired_test(correct=(1, 2), n=(3, 3), groups_1=[1, 2], groups_2=[1, 2])
    with pytest.raises(fc.InvalidTypeError, match="clusters need the labels"):
        fc.two_proportions_test([[1, 2], [3, 4]], groups=[1, 2])
