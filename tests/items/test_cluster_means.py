"""Means of clustered cases: CR2 with Satterthwaite's degrees of freedom, wherever they occur."""

import json
import math
import warnings
from functools import partial

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare._inference.clusters import cluster_df, cluster_error, cluster_sizes, cluster_status
from fastcompare.labels._table import discordant_by_cluster
from tests.reference import clusters as reference_clusters
from tests.shared.golden_files import GOLDEN

needs_speed = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="hundreds of intervals")

MEANS = json.loads((GOLDEN / "clustered_mean.json").read_text())["cases"]
PROPORTIONS = json.loads((GOLDEN / "clustered_proportions.json").read_text())["cases"]
PLAIN = [c for c in MEANS if not {"weights", "cluster2"} & set(c["inputs"])]
D = np.array([0.2, -0.1, 0.3, 0, 0.1, 0.4, -0.2, 0.1, 0, 0.2])
CLUSTERS = np.array([1, 1, 1, 2, 2, 3, 3, 3, 3, 4])
A, B = np.array([1, 1, 1, 0, 1, 1, 1, 1, 0, 1]), np.array([1, 0, 1, 0, 1, 1, 0, 0, 0, 1])


def inferred(d, groups):
    """Return the mean, its standard error and its degrees of freedom."""
    d, groups = np.asarray(d, float), np.unique(groups, return_inverse=True)[1]
    sizes = cluster_sizes(groups)
    return d.mean(), cluster_error(np.bincount(groups, d - d.mean()), sizes), cluster_df(sizes)


def test_check_values_of_a_mean():
    mean, error, df = inferred(D, CLUSTERS)
    assert_allclose((error, df), (0.02335883, 2.392405), rtol=2e-7)
    assert_allclose(2 * stats.t.sf(mean / error, df), 0.03639698, rtol=2e-7)
    assert_allclose(stats.t.interval(0.95, df, mean, error), (0.01375121, 0.1862488), rtol=3e-7)


@pytest.mark.parametrize("case", PLAIN, ids=lambda case: case["what"])
def test_means_equal_club_sandwich_s(case):
    inputs, want = case["inputs"], case["expected"]
    d = np.array(inputs["a"], float) - np.array(inputs["b"], float)
    mean, error, df = inferred(d, inputs["cluster"])
    assert_allclose(error, want["club_se_CR2"], rtol=1e-12)
    assert_allclose(df, want["df_satterthwaite_CR2"], rtol=1e-12)
    ends = stats.t.interval(0.95, df, mean, error)
    assert_allclose(ends, want["interval_satterthwaite_CR2"], rtol=1e-9, atol=1e-15)


GROUPED = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(0, 5)), min_size=3, max_size=25
).filter(lambda rows: len({g for _, g in rows}) > 1)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(GROUPED)
def test_means_equal_the_matrices_of_the_definition(rows):
    d, groups = (np.array(column) for column in zip(*rows, strict=True))
    want = reference_clusters.mean_of_clusters(d, groups)
    assert_allclose(inferred(d, groups), want, rtol=1e-9, atol=1e-9)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 1000), min_size=2, max_size=30), st.randoms())
def test_degrees_of_freedom_do_not_depend_on_the_order_and_stay_in_their_range(sizes, random):
    df = cluster_df(np.array(sizes))
    random.shuffle(sizes)
    assert cluster_df(np.array(sizes)) == df
    assert 1.0 - 1e-9 <= df <= len(sizes) - 1 + 1e-9
    assert_allclose(cluster_df(7 * np.array(sizes)), df, rtol=1e-12)


def test_equal_sizes_have_one_degree_of_freedom_less_than_clusters():
    for total in (2, 3, 10, 1000):
        assert cluster_df(np.full(total, 6)) == total - 1


def test_one_cluster_with_nearly_all_cases_leaves_one_degree_of_freedom():
    assert_allclose(cluster_df(np.array([10**15, 1, 1, 1])), 1.0, rtol=1e-12)
    assert_allclose(cluster_df(np.array([100] + [5] * 9)), 1.921569, rtol=5e-7)


def test_status_looks_at_degrees_of_freedom():
    assert cluster_status(cluster_df(np.array([500] + [10] * 50))) == "few_clusters"
    assert cluster_status(cluster_df(np.full(4, 3))) == "few_clusters"
    assert cluster_status(cluster_df(np.full(5, 3))) == "ok"
    assert cluster_status(cluster_df(np.full(5, 3)), "small_sample") == "small_sample"


def test_one_cluster_tells_of_no_variance():
    sizes = np.array([5])
    assert math.isnan(cluster_error(np.zeros(1), sizes))
    assert math.isnan(cluster_df(sizes))
    assert cluster_status(cluster_df(sizes)) == "too_few_clusters"


def test_clusters_keep_the_level_where_sizes_differ():
    """400 data sets of 10 clusters, one with half the cases; the normal reference rejects 23%."""
    rng = np.random.default_rng(4)
    groups = np.repeat(np.arange(10), [45] + [5] * 9)
    sizes, rejected = cluster_sizes(groups), 0
    for _ in range(400):
        d = rng.normal(size=90) + 0.5 * rng.normal(size=10)[groups]
        error = cluster_error(np.bincount(groups, d - d.mean()), sizes)
        rejected += 2 * stats.t.sf(abs(d.mean()) / error, cluster_df(sizes)) <= 0.05
    assert 0.025 < rejected / 400 < 0.085


def test_check_values_of_mcnemar_s_test_in_mcnemar_test():
    result = fc.mcnemar_test(np.ones(10), A, B, groups=CLUSTERS, on_undefined="ignore")
    assert_allclose(result.estimate, 0.3)
    found = (result.standard_error, result.pvalue, result.df)
    assert_allclose(found, (0.1277087, 0.1223843, 2.392405), rtol=5e-7)
    assert result.status == "few_clusters"
    with pytest.warns(fc.SmallSampleWarning, match="^few_clusters"):
        fc.mcnemar_test(np.ones(10), A, B, groups=CLUSTERS)


@pytest.mark.parametrize("case", PROPORTIONS, ids=lambda case: case["what"])
def test_mcnemar_s_test_equals_club_sandwich_s(case):
    inputs, want = case["inputs"], case["expected"]["difference"]
    a, b = np.array(inputs["a"]), np.array(inputs["b"])
    groups = inputs["cluster"]
    result = fc.mcnemar_test(np.ones(a.size), a, b, groups=groups, on_undefined="ignore")
    assert_allclose(result.estimate, want["estimate"], rtol=1e-12, atol=1e-15)
    if not result.standard_error:
        assert result.status == "no_discordant"
        return
    assert_allclose(result.standard_error, want["se_CR2"], rtol=1e-10)
    assert_allclose(result.df, want["df_satterthwaite_CR2"], rtol=1e-10)
    by_t = fc.paired_mean_test(a, b, groups=groups, method="t", on_undefined="ignore")
    assert_allclose(by_t.pvalue, want["p_satterthwaite_CR2"], rtol=1e-9)
    assert result.pvalue >= by_t.pvalue * (1 - 1e-9)
    if case["what"] not in ("near 1", "all correct in a"):  # few failures, of which more may come
        assert_allclose(result.pvalue, by_t.pvalue, rtol=1e-9)
    ends = np.clip(want["interval_satterthwaite_CR2"], -1, 1)
    wald = fc.mcnemar_test(
        np.ones(a.size), a, b, groups=groups, interval="wald", on_undefined="ignore"
    )
    assert_allclose(wald.confidence_interval(), ends, rtol=1e-9)


@pytest.mark.parametrize("case", PROPORTIONS, ids=lambda case: case["what"])
@pytest.mark.parametrize("model", ["a", "b"])
def test_intervals_of_a_clustered_accuracy_equal_wilson_s_with_effective_sizes(case, model):
    right, want = np.array(case["inputs"][model]), case["expected"][model]
    groups = case["inputs"]["cluster"]
    result = fc.accuracy_interval(np.ones(right.size), right, groups=groups, on_undefined="ignore")
    assert_allclose(result.estimate, want["estimate"], rtol=1e-12)
    if "effective_n" in want:
        ends = want["interval_wilson_CR2_satterthwaite"]
        assert_allclose(result.confidence_interval(), ends, rtol=1e-9)
        assert_allclose(result.df, want["df_satterthwaite_CR2"], rtol=1e-10)
        assert_allclose(
            result.effective_n * want["se_CR2"] ** 2, want["estimate"] * (1 - want["estimate"])
        )


def test_check_values_of_a_clustered_accuracy_in_accuracy_interval():
    words = {"groups": CLUSTERS, "on_undefined": "ignore"}
    for right, want in ((A, (0.3449640, 0.9681342)), (B, (0.1269826, 0.8730174))):
        result = fc.accuracy_interval(np.ones(10), right, **words)
        assert_allclose(result.confidence_interval(), want, rtol=5e-7)
        assert (result.design, result.status) == ("clusters", "few_clusters")


def korn_graubard(right, groups, level=0.95):
    """The interval by its formulas: effective size, no more than pairs within clusters allow."""
    right, groups = np.asarray(right), np.asarray(groups)
    n, p = right.size, right.mean()
    wilson = fc.accuracy_interval(correct=right, groups=groups, on_undefined="ignore")
    odd = right if p < 0.5 else 1 - right
    same = (groups[:, None] == groups) & ~np.eye(n, dtype=bool)
    both = (same & (odd[:, None] * odd == 1)).sum() / max(1, (same & (odd[:, None] == 1)).sum())
    rho, hit = max(0.0, (both - odd.mean()) / (1 - odd.mean())), len(set(groups[odd == 1]))
    rho = (hit * rho + 1) / (hit + 1)
    most = n / (1 + rho * (np.square(np.bincount(groups)).sum() / n - 1))
    size = min(most, p * (1 - p) / wilson.standard_error**2) if 0 < p < 1 else most
    tail = 0.5 * (1 - level)
    size *= (stats.norm.isf(tail) / stats.t.isf(tail, wilson.df)) ** 2
    low = stats.beta.ppf(tail, p * size, size - p * size + 1) if p else 0.0
    return low, stats.beta.isf(tail, p * size + 1, size - p * size) if p < 1 else 1.0


@pytest.mark.parametrize("shares", [0.9, 0.3, 1.0, 0.0])
def test_clopper_and_pearson_s_interval_of_clusters_is_korn_and_graubard_s(shares):
    rng = np.random.default_rng(8)
    groups = np.repeat(np.arange(9), [1, 2, 3, 4, 4, 5, 6, 9, 20])
    right = (rng.random(groups.size) < shares).astype(int)
    result = fc.accuracy_interval(correct=right, groups=groups, method="clopper-pearson")
    assert result.status == "ok"
    for level in (0.95, 0.8):
        want = korn_graubard(right, groups, level)
        assert_allclose(result.confidence_interval(level), want, rtol=1e-9)


@pytest.mark.slow
@needs_speed
def test_shares_near_1_in_clusters_are_covered_or_warned_of():
    """Wilson's interval misses 20% of these."""
    missed = {"wilson": [], "clopper-pearson": []}
    for seed in range(300):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(30), np.ceil(rng.lognormal(1.6, 1.0, 30)).astype(int))
        together, own = rng.random(30) < 0.95, rng.random(groups.size) < 0.95
        right = np.where(rng.random(groups.size) < 0.5**0.5, together[groups], own) * 1
        for method, found in missed.items():
            given = {"groups": groups, "method": method, "on_undefined": "ignore"}
            one = fc.accuracy_interval(correct=right, **given)
            low, high = one.confidence_interval()
            found.append((not low <= 0.95 <= high, one.status == "ok"))
            if method == "wilson":
                assert fc.mean_interval(right, groups=groups, on_undefined="ignore").status == (
                    one.status
                )
    missed = {method: np.array(found) for method, found in missed.items()}
    assert missed["wilson"][:, 0].mean() > 0.12
    assert missed["wilson"].all(axis=1).mean() <= 0.05
    assert missed["clopper-pearson"][:, 0].mean() <= 0.05


def test_a_warning_of_answers_in_clusters_names_what_holds():
    groups = np.repeat(np.arange(12), 4)
    right = np.ones(48, int)
    right[:5] = 0
    for call in (
        partial(fc.accuracy_interval, correct=right, groups=groups),
        partial(fc.mean_interval, right, groups=groups),
        partial(fc.mean_interval, [(right, groups)]),
    ):
        with pytest.warns(fc.SmallSampleWarning, match=r"^low_coverage: .*clopper-pearson"):
            assert call().status == "low_coverage"
    alone = fc.accuracy_interval(correct=right, groups=np.arange(48))
    assert alone.status == "ok"


def test_an_accuracy_of_0_or_1_has_an_interval_from_all_cases_in_accuracy_interval():
    groups = np.repeat(np.arange(8), 3)
    for right, end in ((np.ones(24), 1.0), (np.zeros(24), 0.0)):
        result = fc.accuracy_interval(np.ones(24), right, groups=groups)
        low, high = result.confidence_interval()
        assert result.effective_n == 24
        t = stats.t.isf(0.025, 7)
        assert (low, high)[int(end)] == end
        assert_allclose(high - low, t * t / (24 + t * t), rtol=1e-9)


def test_equally_accurate_clusters_have_no_interval_in_accuracy_interval():
    right, groups = [1, 0] * 5, np.repeat(np.arange(5), 2)
    with pytest.warns(fc.UndefinedResultWarning, match="^zero_variance"):
        result = fc.accuracy_interval([1] * 10, right, groups=groups)
    assert np.isnan(result.confidence_interval()).all()
    assert result.standard_error == 0.0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"y_true": [1, 0], "y_pred": [1, 1], "method": "jeffreys"},
            "`method` must be 'wilson' or",
        ),
        ({"correct": 1, "n": 2}, "`groups` must come with `y_true`"),
    ],
)
def test_accuracies_with_clusters_that_mean_nothing_are_refused(options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.accuracy_interval(**options, groups=[1, 2])


def test_losses_of_unequal_clusters_equal_the_definition_in_scoring_test():
    rng = np.random.default_rng(6)
    groups = np.repeat(np.arange(7), [1, 2, 3, 5, 8, 13, 21])
    y, p, q = rng.integers(0, 2, 53), rng.uniform(size=53), rng.uniform(size=53)
    d = (p - y) ** 2 - (q - y) ** 2
    mean, error, df = reference_clusters.mean_of_clusters(d, groups)
    result = fc.scoring_test(y, p, q, groups=groups, on_undefined="ignore")
    assert_allclose((result.standard_error, result.df), (error, df), rtol=1e-10)
    assert_allclose(result.pvalue, 2 * stats.t.sf(abs(mean / error), df), rtol=1e-9)
    assert_allclose(result.confidence_interval(), stats.t.interval(0.95, df, mean, error))
    assert result.status == "few_clusters"  # 3.1 degrees of freedom of 7 clusters


@pytest.mark.parametrize(("groups", "status"), [(26, "ok"), (25, "few_clusters")])
def test_bootstraps_of_groups_warn_by_degrees_of_freedom(groups, status):
    rng = np.random.default_rng(1)
    y = np.tile([0, 1], 2 * groups)
    a, b = rng.normal(size=(2, y.size)) + y
    words = {"groups": np.arange(y.size) // 4, "n_resamples": 99, "rng": 0}
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        pair = fc.bootstrap_auc_test(y, a, b, **words)
        pairs = fc.bootstrap_auc(y, np.c_[a, b], **words)
        metric = fc.bootstrap_metric_test(y, a > 0.5, b > 0.5, metric="accuracy", **words)
    assert [pair.status, *pairs.status.tolist(), metric.status] == 3 * [status]
    told = [one for one in seen if one.category is fc.SmallSampleWarning]  # uncompiled, NumPy warns
    assert len(told) == (3 if status == "few_clusters" else 0)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 4), st.booleans(), st.booleans()), min_size=1))
def test_gains_of_clusters_are_counted_case_by_case(rows):
    groups, right_a, right_b = (np.array(column) for column in zip(*rows, strict=True))
    first, second = discordant_by_cluster(groups, right_a, right_b, 5)
    for wanted in range(5):
        own = [(a, b) for group, a, b in rows if group == wanted]
        assert first[wanted] == own.count((True, False))
        assert second[wanted] == own.count((False, True))
