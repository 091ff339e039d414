"""How items are read, and the standard error of their means: weights, clusters, strata, models."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from fastcompare._inference.means import item_mean, mean_design
from fastcompare._inputs.items import as_many_models, as_one_model, as_two_models
from tests.reference import clusters as reference_clusters
from tests.shared.golden_files import GOLDEN

MEANS = json.loads((GOLDEN / "clustered_mean.json").read_text())["cases"]
TASKS = json.loads((GOLDEN / "items" / "task_groups.json").read_text())["cases"][:2]
D = np.array([0.2, -0.1, 0.3, 0, 0.1, 0.4, -0.2, 0.1, 0, 0.2])
CLUSTERS, OTHERS = [1, 1, 1, 2, 2, 3, 3, 3, 3, 4], [1, 2, 3, 1, 2, 3, 1, 2, 3, 1]
WEIGHTS, STRATA = [2, 1, 1, 3, 1, 1, 2, 1, 1, 2], [1] * 6 + [2] * 4
X = """.9 .6 .5/.7 .8 .4/.8 .5 .6/.6 .7 .3/.9 .4 .4/.5 .6 .2/1 .7 .6/.8 .6 .5"""
X = np.array([row.split() for row in X.split("/")], float)


def mean_of(scores, **linking):
    """Return the mean of one vector with its standard error, degrees of freedom and status."""
    items = as_one_model(scores, **linking)
    return item_mean(items.scores[:, 0], mean_design(items.links), 1.0)


def numbers(labels):
    """Return labels as numbers from 0."""
    return np.unique(labels, return_inverse=True)[1]


def test_check_values_of_means():
    assert_allclose(mean_of(D)[:3], (0.1, 0.05773503, 9), rtol=1e-7)
    assert_allclose(mean_of(D, groups=CLUSTERS)[:3], (0.1, 0.02335883, 2.392405), rtol=2e-7)
    weighted = mean_of(D, groups=CLUSTERS, sample_weight=WEIGHTS)
    assert_allclose(weighted[:3], (0.08, 0.04048091, 2.661914), rtol=2e-7)
    two_way = mean_of(D, groups=np.stack([CLUSTERS, OTHERS], axis=1))
    assert_allclose((two_way.standard_error**2, two_way.df), (0.001433333, 2), rtol=3e-7)
    assert_allclose(mean_of(D, strata=STRATA)[:3], (0.1, 0.05715476, 8), rtol=1e-7)
    macro = mean_of(D, strata=STRATA, sample_weight=1 / np.bincount(STRATA)[STRATA])
    assert_allclose(macro[:3], (0.0875, 0.05728220, 8), rtol=1e-7)


def test_check_values_of_several_models():
    items = as_many_models(X, groups=[1, 1, 1, 2, 2, 3, 4, 4])
    design = mean_design(items.links)
    found = design.covariance(items.scores - design.means(items.scores))
    want = 0.002845238, 0.0006994048, 0.002872024, 0.0005431548, 0.001153274, 0.003578869
    assert_allclose(found[np.triu_indices(3)], want, rtol=3e-7)
    assert_allclose(design.df, 2.603306, rtol=2e-7)
    assert_array_equal(found, found.T)


@pytest.mark.parametrize("case", MEANS, ids=lambda case: case["what"])
def test_means_equal_club_sandwich_s_and_sandwich_s(case):
    inputs, want = case["inputs"], case["expected"]
    items = as_two_models(
        inputs["a"],
        inputs["b"],
        groups=list(zip(inputs["cluster"], inputs["cluster2"], strict=True))
        if "cluster2" in inputs
        else inputs["cluster"],
        sample_weight=inputs.get("weights"),
    )
    assert items.links.n == want["n"]
    d = items.scores[:, 0] - items.scores[:, 1]
    found = item_mean(d, mean_design(items.links), 1.0)
    assert_allclose(found.estimate, want["estimate"], rtol=1e-12, atol=1e-15)
    if "cluster2" in inputs:
        assert_allclose(found.standard_error**2, want["var_twoway_CR1"], rtol=1e-12)
        fewest = min(len(set(inputs["cluster"])), len(set(inputs["cluster2"])))
        assert found.df == fewest - 1
        return
    assert_allclose(found.standard_error, want["club_se_CR2"], rtol=1e-12)
    assert_allclose(found.df, want["df_satterthwaite_CR2"], rtol=1e-12)


@pytest.mark.parametrize("case", TASKS, ids=lambda case: case["id"])
def test_means_over_fixed_tasks_equal_the_survey_package_s(case):
    inputs, want = case["inputs"], case["expected"]
    a, task = np.array(inputs["a"], float), numbers(inputs["task"])
    given = {"strata": inputs["task"], "groups": inputs.get("cluster")}
    for scores, prefix in ((a - inputs["b"], ""), (a, "a_")):
        for name, weight in (("micro", None), ("macro", 1 / np.bincount(task)[task])):
            expected = want[f"{prefix}{name}_stratified"]
            found = mean_of(scores, sample_weight=weight, **given)
            assert_allclose(
                found[:3], (expected["estimate"], expected["se"], expected["df"]), rtol=1e-12
            )


ROWS = st.lists(
    st.tuples(st.integers(-4, 4), st.integers(0, 5), st.sampled_from([0.25, 1, 2, 7.5])),
    min_size=3,
    max_size=20,
).filter(lambda rows: len({g for _, g, _ in rows}) > 1)


@pytest.mark.slow
@settings(max_examples=100, deadline=None)
@given(ROWS)
def test_weighted_means_equal_the_matrices_of_the_definition(rows):
    d, groups, weights = (np.array(column, float) for column in zip(*rows, strict=True))
    want = reference_clusters.weighted_mean_of_clusters(d, groups, weights)
    found = mean_of(d, groups=groups, sample_weight=weights)
    assert_allclose(found[:3], want, rtol=1e-8, atol=1e-9)
    alone = reference_clusters.weighted_mean_of_clusters(d, np.arange(d.size), weights)
    assert_allclose(mean_of(d, sample_weight=weights)[:3], alone, rtol=1e-8, atol=1e-9)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(ROWS, st.randoms(use_true_random=False))
def test_equal_weights_and_clusters_of_one_change_nothing_and_order_does_not_count(rows, random):
    d, groups, weights = (np.array(column, float) for column in zip(*rows, strict=True))
    ones = np.full(d.size, 3.0)
    assert mean_of(d, groups=groups, sample_weight=ones) == mean_of(d, groups=groups)
    assert_allclose(mean_of(d, groups=np.arange(d.size))[:3], mean_of(d)[:3], rtol=1e-12)
    assert mean_of(d, strata=np.zeros(d.size))[2] == mean_of(d).df
    order = random.sample(range(d.size), d.size)
    want = mean_of(d, groups=groups, sample_weight=weights)
    found = mean_of(d[order], groups=groups[order], sample_weight=weights[order])
    assert_allclose(found[:3], want[:3], rtol=1e-7, atol=1e-15)  # df of 1.0001 has 9 digits
    for size in (2.0**-1000, 2.0**1020):
        assert mean_of(d, groups=groups, sample_weight=size * weights) == want


def test_covariance_of_several_models_is_that_of_each_contrast_in_all_designs():
    rng = np.random.default_rng(5)
    scores, groups = rng.normal(size=(60, 4)), rng.integers(0, 9, 60)
    weights, strata = rng.uniform(0.5, 3, 60), rng.integers(0, 3, 60)
    contrast = np.array([1.0, -1.0, 0.5, 0.0])
    for linking in (
        {},
        {"groups": groups},
        {"groups": groups, "sample_weight": weights},
        {"strata": strata, "groups": groups, "sample_weight": weights},
        {"groups": np.stack([groups, rng.integers(0, 5, 60)], axis=1)},
    ):
        items = as_many_models(scores, **linking)
        design = mean_design(items.links)
        covariance = design.covariance(scores - design.means(scores))
        alone = item_mean(scores @ contrast, design, 1.0)
        assert_allclose(contrast @ covariance @ contrast, alone.standard_error**2, rtol=1e-10)
        assert_allclose(design.means(scores) @ contrast, alone.estimate, rtol=1e-12)


@pytest.mark.parametrize("n", [2, 3, 10, 1000])
def test_equal_scores_have_no_standard_error_whatever_their_sums_round_to(n):
    rng = np.random.default_rng(n)
    a = rng.normal(size=n)
    groups, weights = np.arange(n) % max(2, n // 3), rng.uniform(1, 2, n)
    for linking in ({}, {"groups": groups}, {"sample_weight": weights}):
        assert mean_of(np.full(n, 0.1), **linking).standard_error == 0.0
        items = as_two_models(a, a - 0.1, **linking)
        d = items.scores[:, 0] - items.scores[:, 1]
        largest = float(np.abs(items.scores).max())
        assert item_mean(d, mean_design(items.links), largest).standard_error == 0.0


def test_too_few_clusters_have_no_standard_error_and_a_status():
    cases = {
        "one_case": ([0.5], {}),
        "too_few_clusters": ([0.5, 0.6], {"groups": ["x", "x"]}),
        "single_cluster": (D, {"strata": [0] * 9 + [1]}),
        "negative_variance": ([1, -1, -1, 1.0], {"groups": [[0, 0], [0, 1], [1, 0], [1, 1]]}),
    }
    for status, (scores, linking) in cases.items():
        found = mean_of(scores, **linking)
        assert found.status == status
        assert math.isnan(found.standard_error)
        assert math.isnan(found.df)


def test_samples_count_once_an_item():
    rows = [[1, 1, 1], [0, 1, None], [1, 1, 0, 1], [0, 0], [1, 0, 1.0]]
    table = np.full((5, 4), np.nan)
    for i, row in enumerate(rows):
        table[i, : len(row)] = [math.nan if x is None else x for x in row]
    for given_as in (rows, table, pd.DataFrame(table), pd.Series(rows), tuple(map(tuple, rows))):
        items = as_one_model(given_as)
        assert_allclose(items.scores[:, 0], [1, 0.5, 0.75, 0, 2 / 3])
        assert_allclose(items.samples[0], table)
    assert as_one_model(table[:, :1]).samples is None


def test_many_models_come_as_tables_mappings_and_frames():
    cube = np.stack([X, X + 0.25], axis=2)
    frame = pd.DataFrame(X, columns=["p", "q", "r"])
    for given_as, names in (
        (X, ("model 1", "model 2", "model 3")),
        (frame, ("p", "q", "r")),
        ({"p": X[:, 0], "q": X[:, 1].tolist(), "r": frame["r"]}, ("p", "q", "r")),
    ):
        items = as_many_models(given_as)
        assert_array_equal(items.scores, X)
        assert items.names == names
        assert items.samples is None
    items = as_many_models(cube)
    assert_allclose(items.scores, X + 0.125)
    assert_array_equal(items.samples[1], cube[:, 1])
    ragged = as_many_models({"p": [[1, 0], [1]], "q": [0.5, 1]})
    assert_allclose(ragged.scores, [[0.5, 0.5], [1, 1]])


def test_items_of_weight_0_are_dropped_before_missing_ones_are_looked_for():
    scores, weights = [math.nan, 1, 0, 1], [0, 1, 2, 1]
    items = as_one_model(scores, sample_weight=weights, groups=[None, "x", "x", "y"])
    assert (items.links.n, items.n_dropped) == (3, 0)
    assert_array_equal(items.links.groups, [0, 0, 1])
    with pytest.warns(fc.DroppedCasesWarning, match="^1 of 4 items dropped"):
        items = as_two_models(scores, [1, 0, 0, 1], nan_policy="omit")
    assert (items.links.n, items.n_dropped) == (3, 1)
    kept = as_many_models({"p": scores, "q": [1, 0, 0, 1]}, keep_missing=True)
    assert kept.links.n == 4


@pytest.mark.parametrize(
    ("given_as", "linking", "message"),
    [
        ([1, math.inf], {}, "`scores` must contain finite scores; 1 are not, the first is inf"),
        ([1, math.nan], {}, r"`scores` has 1 missing value\b"),
        ([[1], [0, 1], 0.5], {}, "`scores` must contain a list of samples for every item, got 0.5"),
        (np.zeros((2, 2, 2)), {}, "`scores` must have a number for each item"),
        ([], {}, "`scores` must have a number for each item"),
        ({"p": [1, 0], "q": [1, 0]}, {}, "`scores` must contain one model, got a mapping of 2"),
        ([1, 0], {"groups": [1]}, "`groups` must have one value for each of the 2 items"),
        ([1, 0], {"groups": np.zeros((2, 3))}, "for clusters of two kinds, got 3 columns"),
        ([1, 0], {"sample_weight": [0, 0]}, "`sample_weight` must be above 0 for some item"),
        ([1, 0], {"sample_weight": [1, -1]}, "`sample_weight` must contain finite weights"),
        ([1, 0], {"strata": [1, None]}, r"`strata` has 1 missing value\b"),
        ([1, 0], {"nan_policy": "zero"}, "`nan_policy` must be one of"),
        (["x", "y"], {}, "`scores` must contain real numbers"),
        (pd.Series([1, 0]), {"groups": pd.Series([1, 2], [3, 4])}, "different indexes"),
    ],
)
def test_bad_items_are_refused(given_as, linking, message):
    with pytest.raises(fc.FastCompareError, match=message):
        as_one_model(given_as, **linking)


def test_bad_pairs_and_tables_are_refused():
    with pytest.raises(ValueError, match="`scores_b` must have a score for each of the 2 items"):
        as_two_models([1, 0], [1])
    with pytest.raises(ValueError, match="`scores_a` must be 1-d, the differences"):
        as_two_models([[1, 0], [0, 1]])
    with pytest.raises(ValueError, match="`scores` must be a table with items in rows"):
        as_many_models([1, 0])
    with pytest.raises(ValueError, match=r"`scores\[:, 1\]` has 1 missing value\b"):
        as_many_models([[1, math.nan], [0, 1]])


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(ROWS, st.sampled_from([None, 0, -7, 10**15, -(2**62)]))
def test_plain_arrays_in_clusters_give_what_lists_do_in_paired_mean_test(rows, shift):
    a, groups, b = (np.array(column, float) for column in zip(*rows, strict=True))
    labels = None if shift is None else groups.astype(np.int64) + shift
    given_as = None if shift is None else labels.tolist()
    plain = fc.paired_mean_test(a, b, groups=labels, on_undefined="ignore")
    listed = fc.paired_mean_test(a.tolist(), b.tolist(), groups=given_as, on_undefined="ignore")
    assert plain.to_dict().keys() == listed.to_dict().keys()
    for name, value in listed.to_dict().items():
        found = plain.to_dict()[name]
        if isinstance(value, float) or name in ("means", "confidence_interval"):
            assert_allclose(found, value, rtol=1e-9, atol=1e-15)
        else:
            assert found == value
    assert plain.summary() == listed.summary()
    assert plain.planning(50).summary() == listed.planning(50).summary()


@pytest.mark.parametrize(
    ("scores", "groups", "status"),
    [
        ([0.1, 0.2, 0.3], [4, 4, 4], "too_few_clusters"),
        ([0.1, 0.1, 0.1], [1, 2, 2], "zero_variance"),
        ([0.0, 0.0, 0.0], [1, 2, 2], "no_difference"),
        ([0.1, 0.2, 0.4], [1, 10**9, -(2**63)], "few_clusters"),
    ],
)
def test_plain_arrays_that_need_a_closer_look_get_it_in_paired_mean_test(scores, groups, status):
    a, groups = np.array(scores) + 0.5, np.array(groups)
    result = fc.paired_mean_test(a, np.full(3, 0.5), groups=groups, on_undefined="ignore")
    assert result.status == status
    a[1] = math.nan
    with pytest.raises(ValueError, match=r"`scores_a` has 1 missing value\b"):
        fc.paired_mean_test(a, a, groups=groups)
    with pytest.raises(ValueError, match="`groups` must have one value for each of the 3 items"):
        fc.paired_mean_test(a, a, groups=groups[1:])


def test_differences_alone_tell_no_means_in_paired_mean_test():
    result = fc.paired_mean_test([0.2, -0.1, 0.3, 0.1, 0.0])
    assert result.means is None
    assert result.estimate == pytest.approx(0.1)
