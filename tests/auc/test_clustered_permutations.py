"""Permutations of clustered cases exchange whole clusters: against all exchanges, one by one."""

import itertools
import math

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.stats import rankdata

import fastcompare as fc

QUIET = {"on_undefined": "ignore"}
ALTERNATIVES = ("two-sided", "greater", "less")
CASES = st.lists(
    st.tuples(st.integers(0, 1), st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)),
    min_size=4,
    max_size=16,
).filter(lambda rows: len({r[0] for r in rows}) == 2 and len({r[3] for r in rows}) > 1)


def columns(rows):
    return (np.array(column) for column in zip(*rows, strict=True))


def area(labels, ranks):
    """The AUC of ranks of cases, which may tie."""
    gaps = ranks[labels == 1][:, None] - ranks[labels == 0]
    return ((gaps > 0) + 0.5 * (gaps == 0)).mean()


def exchanges(a, b, groups):
    """Both columns after each exchange of whole clusters; the first is none."""
    names = np.unique(groups)
    for chosen in itertools.product((False, True), repeat=names.size):
        moved = np.isin(groups, names[np.array(chosen)])
        yield np.where(moved, b, a), np.where(moved, a, b)


def share(differences, alternative):
    """The share of differences that are as extreme as the first one."""
    turn = {"two-sided": abs, "greater": lambda x: x, "less": lambda x: -x}[alternative]
    found = [math.inf if math.isnan(x) else turn(x) for x in differences]
    return np.mean([x >= turn(differences[0]) - 1e-12 for x in found])


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="hundreds of tests")
@settings(max_examples=15, deadline=None)
@given(CASES)
def test_areas_are_compared_with_all_exchanges_of_clusters_in_permutation_auc_test(rows):
    labels, a, b, groups = columns(rows)
    ranks = rankdata(a), rankdata(b)
    every = [area(labels, one) - area(labels, other) for one, other in exchanges(*ranks, groups)]
    for alternative in ALTERNATIVES:
        options = {"groups": groups, "alternative": alternative} | QUIET
        found = fc.permutation_auc_test(labels, a, b, **options)
        assert_allclose(found.pvalue, share(every, alternative), rtol=1e-12)
        assert_allclose(found.estimate, every[0], atol=1e-15)
    assert found.method == f"Bandos' permutation test of {np.unique(groups).size} clusters"


def f1(truth, predicted):
    """The F1 of class 1, NaN for 0 / 0."""
    bottom = (truth == 1).sum() + (predicted == 1).sum()
    return 2 * ((truth == 1) & (predicted == 1)).sum() / bottom if bottom else math.nan


def right(truth, predicted):
    """The share of right predictions."""
    return (truth == predicted).mean()


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(CASES, st.sampled_from([("f1", f1), ("accuracy", right)]))
def test_metrics_are_compared_with_all_exchanges_of_clusters(rows, chosen):
    name, metric = chosen
    truth, a, b, groups = columns(rows)
    a, b = a % 2, b % 2
    every = [metric(truth, x) - metric(truth, y) for x, y in exchanges(a, b, groups)]
    if math.isnan(every[0]):
        return
    for alternative in ALTERNATIVES:
        options = {"groups": groups, "alternative": alternative, "metric": name} | QUIET
        found = fc.permutation_metric_test(truth, a, b, **options)
        assert_allclose(found.pvalue, share(every, alternative), rtol=1e-12)
        swapped = fc.permutation_metric_test(truth, b, a, groups=groups, metric=name, **QUIET)
        assert_allclose(swapped.estimate, -found.estimate)
    two_sided = fc.permutation_metric_test(truth, a, b, groups=groups, metric=name, **QUIET)
    assert_allclose(two_sided.pvalue, swapped.pvalue, rtol=1e-12)


def drawn(seed, clusters=30):
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, clusters, 200)
    labels = rng.integers(0, 2, 200)
    scores = rng.normal(size=(2, 200)) + labels + 0.5 * rng.normal(size=(2, clusters))[:, groups]
    return labels, scores, groups


@pytest.mark.slow
def test_random_exchanges_are_near_to_all_and_do_not_depend_on_names():
    labels, (a, b), groups = drawn(1, 12)
    for test, one, other in (
        (fc.permutation_auc_test, a, b),
        (fc.permutation_metric_test, a > 0.5, b > 0.5),
    ):
        exact = test(labels, one, other, groups=groups)
        options = {"keep": True, "n_resamples": 5_000, "rng": 3}
        found = test(labels, one, other, groups=groups, **options)
        assert exact.exact
        assert not found.exact
        assert abs(found.pvalue - exact.pvalue) < 0.03
        renamed = test(labels, one, other, groups=11 - groups, **options)
        swapped = test(labels, other, one, groups=groups, **options)
        assert renamed.pvalue == found.pvalue == swapped.pvalue


def test_clusters_of_one_case_are_the_plain_test():
    labels, (a, b), _ = drawn(2)
    labels, a, b, groups = labels[:15], a[:15], b[:15], np.arange(15)
    plain = fc.permutation_auc_test(labels, a, b)
    found = fc.permutation_auc_test(labels, a, b, groups=groups)
    assert_allclose((found.pvalue, found.standard_error), (plain.pvalue, plain.standard_error))
    plain = fc.permutation_metric_test(labels, a > 0.5, b > 0.5, metric="f1")
    found = fc.permutation_metric_test(labels, a > 0.5, b > 0.5, metric="f1", groups=groups)
    assert_allclose(found.pvalue, plain.pvalue, rtol=1e-12)


def test_a_function_of_labels_knows_clusters_in_permutation_metric_test():
    labels, (a, b), groups = drawn(3, 8)
    options = {"groups": groups, "rng": 1}
    own = fc.permutation_metric_test(labels, a > 0.5, b > 0.5, metric=right, **options)
    named = fc.permutation_metric_test(labels, a > 0.5, b > 0.5, **options)
    assert_allclose(own.pvalue, named.pvalue)
    assert own.method == "permutation test of 8 clusters"


def test_few_clusters_are_told_and_other_tests_refuse_them():
    labels, (a, b), groups = drawn(4, 4)
    for test, one, other in (
        (fc.permutation_auc_test, a, b),
        (fc.permutation_metric_test, a > 0.5, b > 0.5),
    ):
        with pytest.warns(fc.SmallSampleWarning, match="^few_clusters"):
            assert test(labels, one, other, groups=groups).pvalue >= 0.125
    for method in ("studentized", "venkatraman"):
        with pytest.raises(fc.InvalidValueError, match="`method` must be 'auc' with `groups`"):
            fc.permutation_auc_test(labels, a, b, groups=groups, method=method)


@pytest.mark.slow
def test_levels_hold_where_one_cluster_holds_half(requires_jit):
    """300 data sets of 10 clusters; the plain test takes cases as independent."""
    sizes = np.array([90, *[10] * 9])
    groups, rejected = np.repeat(np.arange(10), sizes), np.zeros(3)
    for seed in range(200):
        rng = np.random.default_rng(seed)
        labels = rng.integers(0, 2, 180)
        of_clusters = rng.normal(size=(2, 2, 10))[:, :, groups]
        own = np.where(labels, *of_clusters) + rng.normal(size=(2, 180)) + labels
        found = fc.permutation_auc_test(labels, *own, groups=groups)
        metric = fc.permutation_metric_test(labels, *(own > 0.5), groups=groups)
        plain = fc.permutation_metric_test(labels, *(own > 0.5))
        rejected += [result.pvalue <= 0.05 for result in (found, metric, plain)]
    assert (rejected[:2] / 200 < 0.1).all()
    assert rejected[2] / 200 > 0.15
