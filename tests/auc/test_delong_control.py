"""DeLong's tests against a control: Dunnett's tables, SciPy's integrals, Šidák, simulation."""

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal, norm

import fastcompare as fc
from fastcompare._inference.step_down import dunnett_pvalues
from fastcompare.kernels.normals import count_beyond

DATA = fc.load_predictions()
NAMES = tuple(DATA.scores)
ALIKE = ("identical", "no_difference")


def equicorrelated(m, r):
    return np.full((m, m), r) + (1.0 - r) * np.eye(m)


def drawn_correlation(m, seed):
    root = np.random.default_rng(seed).normal(size=(m, m + 2))
    covariance = root @ root.T
    error = np.sqrt(np.diag(covariance))
    return covariance / np.outer(error, error)


def single_step(p, correlation, alternative="two-sided"):
    return dunnett_pvalues(np.asarray(p), correlation, alternative, step_down=False)


@pytest.mark.parametrize(
    ("sides", "points"),
    [
        (2, [1.96, 2.21, 2.35, 2.44, 2.51, 2.57, 2.61, 2.65, 2.69]),
        (1, [1.64, 1.92, 2.06, 2.16, 2.23, 2.29, 2.34, 2.38, 2.42]),
    ],
    ids=["two-sided", "one-sided"],
)
def test_dunnetts_tables(sides, points, requires_jit):
    """Dunnett 1955 and 1964, infinite degrees of freedom, 5%, 1 to 9 treatments of equal size."""
    alternative = "two-sided" if sides == 2 else "greater"
    for m, point in enumerate(points, start=1):
        p = np.full(m, sides * norm.sf(point))
        found = single_step(p, equicorrelated(m, 0.5), alternative)
        assert_allclose(found, 0.05, atol=0.001)  # of a point in three digits


def test_a_point_with_four_digits(requires_jit):
    p = single_step(np.full(3, 2 * norm.sf(2.3490)), equicorrelated(3, 0.5))
    assert_allclose(p, 0.05, rtol=0.005)


@pytest.mark.parametrize("alternative", ["two-sided", "less", "greater"])
@pytest.mark.parametrize("m", [2, 4, 9])
def test_independent_differences_have_sidaks_pvalues(m, alternative, requires_jit):
    p = np.geomspace(1e-12, 0.6, m)
    found = single_step(p, np.eye(m), alternative)
    assert_allclose(found, fc.adjust_pvalues(p, method="sidak"), rtol=0.006)
    down = dunnett_pvalues(p, np.eye(m), alternative, step_down=True)
    assert_allclose(down, fc.adjust_pvalues(p, method="holland"), rtol=0.006)


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_correlated_differences_have_scipys_integrals(alternative, requires_jit):
    correlation = drawn_correlation(4, seed=2)
    sides = 2 if alternative == "two-sided" else 1
    for point in (0.5, 1.7, 2.6, 3.2):
        high = np.full(4, point)
        low = -high if sides == 2 else np.full(4, -np.inf)
        plane = multivariate_normal(np.zeros(4), correlation, seed=0, maxpts=400_000)
        want = 1.0 - plane.cdf(high, lower_limit=low)
        found = single_step(np.full(4, sides * norm.sf(point)), correlation, alternative)
        assert_allclose(found, want, rtol=0.005, atol=2e-5)


def test_differences_that_are_one_count_once(requires_jit):
    p = np.array([1e-5, 0.02, 0.4])
    assert_allclose(single_step(p, np.ones((3, 3))), p, rtol=1e-12)
    opposite = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert_allclose(single_step(p[:2], opposite), p[:2], rtol=1e-12)
    assert_allclose(single_step(p[:2], opposite, "greater"), 2 * p[:2], rtol=1e-12)


families = st.integers(2, 6).flatmap(
    lambda m: st.tuples(
        st.lists(st.sampled_from([0.0, 1e-300, np.nan]) | st.floats(0, 1), min_size=m, max_size=m),
        st.integers(0, 9),
    )
)


@pytest.mark.slow
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="too large without compilation")
@settings(max_examples=40, deadline=None)
@given(family=families, alternative=st.sampled_from(["two-sided", "less"]))
def test_laws_of_adjusted_pvalues_in_adjust_pvalues(family, alternative):
    p, correlation = np.array(family[0]), drawn_correlation(len(family[0]), family[1])
    known = ~np.isnan(p)
    single, down = (
        dunnett_pvalues(p, correlation, alternative, step_down=step) for step in (False, True)
    )
    for found in (single, down):
        assert_array_equal(np.isnan(found), ~known)
        assert (found[known] >= p[known] * (1 - 1e-12)).all()
        assert (found[known] <= 1.0).all()
        assert (np.diff(found[known][np.argsort(p[known], kind="stable")]) >= 0.0).all()
    assert (down[known] <= single[known] * 1.05).all()  # drawn, both
    if known.any():
        holm = fc.adjust_pvalues(p[known])
        assert (down[known] <= holm * (1 + 1e-12)).all()


@pytest.mark.parametrize("two_sided", [True, False])
def test_the_kernel_counts_as_numpy_does(two_sided):
    rng = np.random.default_rng(0)
    z, loadings, shift = rng.normal(size=(5, 50)), rng.normal(size=5), rng.normal(size=50)
    out = np.empty(50, np.int64)
    count_beyond(z, loadings, shift, 0.3, two_sided, out)
    moved = z + loadings[:, None] * shift
    assert_array_equal(out, ((abs(moved) if two_sided else moved) >= 0.3).sum(axis=0))


def test_two_models_are_delongs_test():
    a, b = (DATA.scores[name] for name in ("random_forest", "decision_tree"))
    for options in ({}, {"alternative": "greater"}, {"reference": "t"}):
        alone = fc.delong_test(DATA.y_true, a, b, **options)
        found = fc.delong_control_test(DATA.y_true, {"a": a, "b": b}, "a", **options)
        assert found.pvalue.tolist() == found.adjusted_pvalue.tolist() == [alone.pvalue]
        assert found.estimate.tolist() == [alone.estimate]
        ends = alone.confidence_interval()
        assert_allclose(np.ravel(found.confidence_interval(simultaneous=True)), ends, rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("control", NAMES)
def test_tests_are_those_of_all_pairs(control):
    found = fc.delong_control_test(DATA.y_true, DATA.scores, control)
    pairs = fc.delong_pairwise_test(DATA.y_true, DATA.scores)
    assert found.control == control
    for field in ("estimate", "pvalue", "statistic", "status"):
        mine, all_of_them = found.matrix(field), pairs.matrix(field)
        assert_array_equal(mine[NAMES.index(control)], all_of_them[NAMES.index(control)])
    by_index = fc.delong_control_test(DATA.y_true, DATA.scores, NAMES.index(control))
    assert_array_equal(by_index.adjusted_pvalue, found.adjusted_pvalue)
    assert found.cliques == ()
    mirrored = fc.delong_control_test(
        DATA.y_true, {name: -s for name, s in DATA.scores.items()}, control, alternative="less"
    )
    one_sided = fc.delong_control_test(DATA.y_true, DATA.scores, control, alternative="greater")
    assert_allclose(mirrored.adjusted_pvalue, one_sided.adjusted_pvalue, rtol=1e-12)


@pytest.mark.slow
def test_fewer_hypotheses_find_more_and_single_steps_agree_with_their_intervals(requires_jit):
    by = {
        correction: fc.delong_control_test(
            DATA.y_true, DATA.scores, "random_forest", correction=correction
        )
        for correction in ("auto", "dunnett", "holm", "bonferroni", "none")
    }
    adjusted = {name: result.adjusted_pvalue for name, result in by.items()}
    assert by["auto"].correction == "dunnett-stepdown"
    assert (adjusted["none"] <= adjusted["auto"]).all()
    assert (adjusted["auto"] <= adjusted["holm"]).all()
    assert (adjusted["dunnett"] <= adjusted["bonferroni"]).all()
    assert "(step-down Dunnett-adjusted)" in by["auto"].summary()
    for p, value in enumerate(adjusted["dunnett"]):
        for factor, excluded in ((1.05, True), (0.95, False)):
            level = 1 - factor * value
            if 0.01 < level < 0.999:
                low, high = by["dunnett"].confidence_interval(level, simultaneous=True)
                assert (low[p] > 0 or high[p] < 0) == excluded


def test_few_cases_do_not_tell_the_covariance_in_delong_control_test():
    labels = np.arange(399) < 40  # the other positives count as negatives
    scores = {name: s for name, s in DATA.scores.items() if name != "decision_tree"}
    y = np.where(labels, DATA.y_true, 0)
    few = fc.delong_control_test(y, scores, 0, on_undefined="ignore")
    assert few.n_positive < 40
    assert few.correction == "holm"
    asked = fc.delong_control_test(y, scores, 0, correction="dunnett", on_undefined="ignore")
    assert asked.correction == "dunnett"


def test_few_clusters_do_not_tell_the_covariance_in_delong_control_test():
    scores = dict(list(DATA.scores.items())[:3])
    few, many = (
        fc.delong_control_test(
            DATA.y_true, scores, 0, groups=np.arange(399) % clusters, on_undefined="ignore"
        )
        for clusters in (20, 200)
    )
    assert (few.correction, many.correction) == ("holm", "dunnett-stepdown")
    wide = few.confidence_interval(simultaneous=True)
    assert_allclose(wide, few.confidence_interval(1 - 0.05 / 2), rtol=1e-12)


def test_models_that_rank_alike_have_p_1_and_undefined_ones_stay_nan_in_delong_control_test():
    y = np.repeat([0, 1], 40)
    rng = np.random.default_rng(0)
    good, poor = y + 1e-3 * rng.random(80), rng.random(80)
    scores = {"good": good, "same": 3 * good, "poor": poor, "perfect": y.astype(float)}
    found = fc.delong_control_test(y, scores, "good", on_undefined="ignore")
    assert found.correction == "dunnett-stepdown"
    assert found.adjusted_pvalue[[0, 2]].tolist() == [1.0, 1.0]
    assert found.adjusted_pvalue[1] == found.pvalue[1] < 1e-6
    flat = {"flat": np.zeros(80), "good": good, "poor": poor}
    undefined = fc.delong_control_test(y, flat, "flat", on_undefined="ignore")
    assert_array_equal(np.isnan(undefined.adjusted_pvalue), [True, False])
    assert undefined.adjusted_pvalue[1] == undefined.pvalue[1]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"control": "forest"}, "`control` must be one of"),
        ({"control": 5}, "`control` must be an index from 0 to 4"),
        ({"correction": "shaffer"}, "`correction` must be one of 'auto', 'none', 'dunnett'"),
        ({"alternative": "equivalence"}, "`alternative` must be one of"),
        ({"alpha": 5}, "`alpha` must be between 0 and 1"),
    ],
    ids=str,
)
def test_bad_options_are_refused_in_delong_control_test(change, words):
    with pytest.raises(fc.InvalidValueError, match=words):
        fc.delong_control_test(DATA.y_true, DATA.scores, **{"control": 0, **change})


@pytest.mark.slow
def test_weights_and_clusters_are_counted_in_delong_control_test():
    counts = np.arange(399) % 3 + 1
    found = fc.delong_control_test(DATA.y_true, DATA.scores, 0, frequency_weight=counts)
    rows = np.repeat(np.arange(399), counts)
    scores = {name: s[rows] for name, s in DATA.scores.items()}
    want = fc.delong_control_test(np.asarray(DATA.y_true)[rows], scores, 0)
    assert_allclose(found.adjusted_pvalue, want.adjusted_pvalue, rtol=1e-9)
    clusters = fc.delong_control_test(DATA.y_true, DATA.scores, 0, groups=np.arange(399) // 2)
    assert clusters.method[0] != found.method[0]


@pytest.mark.slow
@pytest.mark.parametrize("n_better", [0, 2], ids=["all equal", "two better"])
def test_the_familywise_error_is_kept_in_delong_control_test(n_better, monkeypatch, requires_jit):
    monkeypatch.setattr("fastcompare._inference.step_down.MOST_DRAWS", 1 << 11)
    rng, trials, level = np.random.default_rng(n_better), 500, 0.1
    y = np.arange(160) % 2
    shift = np.where(np.arange(5) < n_better, 3.0, 1.2)  # the control comes last
    wrong = {"dunnett": 0, "dunnett-stepdown": 0, "none": 0}
    for _ in range(trials):
        shared = rng.normal(size=(160, 1))
        scores = shared + rng.normal(size=(160, 5)) + y[:, None] * shift
        for correction in wrong:
            found = fc.delong_control_test(y, scores, 4, correction=correction)
            wrong[correction] += found.adjusted_pvalue[n_better:].min() <= level
    most = level + 4 * np.sqrt(level * (1 - level) / trials)
    assert wrong["dunnett"] <= wrong["dunnett-stepdown"] < most * trials
    assert wrong["dunnett-stepdown"] > 0.05 * trials  # and is used up
    assert wrong["none"] > (0.2 if n_better == 0 else 0.13) * trials
