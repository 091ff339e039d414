"""Corrected t-tests of all pairs, their gate, and models on rounds of their own."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc

R = np.array([[80, 78, 75], [82, 79, 80], [79, 80, 74], [85, 81, 79], [81, 78, 78]]) / 100
SIZES = {"n_train": 80, "n_test": 20}
IGNORE = {"on_undefined": "ignore"}
TABLES = st.tuples(st.integers(2, 12), st.integers(2, 5)).flatmap(
    lambda shape: arrays(float, shape, elements=st.integers(0, 50).map(lambda i: i / 50))
)


@pytest.mark.slow
@settings(max_examples=50)
@given(TABLES, st.sampled_from(["two-sided", "greater", "less"]))
def test_pairs_are_single_tests_with_adjusted_p_values(table, alternative):
    words = {"alternative": alternative, "on_undefined": "ignore", **SIZES}
    found = fc.ttest_corrected_pairwise_test(table, **words)
    k = table.shape[1]
    pairs = [(i, j) for i in range(k) for j in range(i + 1, k)]
    for p, (i, j) in enumerate(pairs):
        one = fc.ttest_corrected(table[:, i], table[:, j], **words)
        assert found.statistic[p] == one.statistic
        assert found.status[p] == one.status
        for name in ("pvalue", "effect_size", "standard_error", "estimate"):
            expected = getattr(one, name)
            assert_allclose(getattr(found, name)[p], expected, rtol=1e-12, equal_nan=True)
        ends = [end[p] for end in found.confidence_interval(0.9)]
        assert_allclose(ends, one.confidence_interval(0.9), rtol=1e-9, atol=1e-12, equal_nan=True)
    known = ~np.isnan(found.pvalue)
    if known.any():
        holm = fc.ttest_corrected_pairwise_test(table, correction="holm", **words)
        expected = fc.adjust_pvalues(found.pvalue[known], method="holm")
        assert_array_equal(holm.adjusted_pvalue[known], expected)
        assert (found.adjusted_pvalue[known] <= expected).all()


@settings(max_examples=30)
@given(TABLES, st.integers(0, 99))
def test_models_in_another_order_give_the_same_pairs_in_ttest_corrected_pairwise_test(table, seed):
    order = np.random.default_rng(seed).permutation(table.shape[1])
    words = {"on_undefined": "ignore", **SIZES}
    names = [f"m{j}" for j in range(table.shape[1])]
    one = fc.ttest_corrected_pairwise_test(dict(zip(names, table.T, strict=True)), **words)
    other = fc.ttest_corrected_pairwise_test({names[j]: table[:, j] for j in order}, **words)
    found = {frozenset(pair): t for pair, t in zip(other.pairs, other.statistic, strict=True)}
    for pair, t in zip(one.pairs, one.statistic, strict=True):
        assert abs(found[frozenset(pair)]) == abs(t)


def test_a_frame_brings_names_and_the_sentence_in_ttest_corrected_pairwise_test():
    frame = pd.DataFrame(R, columns=["tree", "forest", "bayes"])
    frame["best"] = R[:, 0] + [0.1, 0.11, 0.1, 0.09, 0.1]
    found = fc.ttest_corrected_pairwise_test(frame, design="kfold", **SIZES)
    assert found.names == ("tree", "forest", "bayes", "best")
    assert found.summary().startswith(
        "3 of 6 differences in mean score are significant at the 5% level (corrected resampled "
        "t-test, Shaffer-adjusted): best scores higher than tree by 0.1000"
    )
    assert_allclose(found.means, frame.to_numpy().mean(axis=0))
    wide, narrow = found.confidence_interval(simultaneous=True), found.confidence_interval()
    assert (wide.low < narrow.low).all()
    assert found.omnibus is None
    assert found.to_dict()["omnibus"] is None
    assert_allclose(found.log_pvalue, np.log(found.pvalue))


def test_pairs_can_be_read_as_a_table_and_cliques_in_ttest_corrected_pairwise_test():
    found = fc.ttest_corrected_pairwise_test(
        np.c_[R, R[:, 0] + [0.1, 0.11, 0.1, 0.09, 0.1]], **SIZES
    )
    assert found.cliques == (("model 1", "model 2", "model 3"),)
    estimate = found.matrix("estimate")
    assert_array_equal(estimate, -estimate.T)
    assert_allclose(estimate, found.means[:, None] - found.means, atol=1e-15)
    assert set(found.method) == {"corrected resampled t-test"}
    assert found.matrix("status")[0, 1] == "ok"


@pytest.mark.parametrize("alternative", ["two-sided", "less"])
def test_intervals_of_all_pairs_are_those_of_bonferroni(alternative):
    found = fc.ttest_corrected_pairwise_test(R, alternative=alternative, **SIZES)
    together = found.confidence_interval(simultaneous=True)
    assert_allclose(together, found.confidence_interval(1 - 0.05 / 3), rtol=1e-12)
    two = fc.ttest_corrected_pairwise_test(R[:, :2], alternative=alternative, **SIZES)
    assert two.confidence_interval(simultaneous=True) == two.confidence_interval()


def test_missing_rounds_are_left_out_for_all_models_in_ttest_corrected_pairwise_test():
    table = np.vstack([R, [0.5, np.nan, 0.6]])
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 6 rounds") as caught:
        found = fc.ttest_corrected_pairwise_test(table, nan_policy="omit", **SIZES)
    assert caught[0].filename == __file__
    assert (found.n, found.n_dropped) == (5, 1)
    assert_array_equal(found.statistic, fc.ttest_corrected_pairwise_test(R, **SIZES).statistic)
    with pytest.raises(ValueError, match="row 5"):
        fc.ttest_corrected_pairwise_test(table, **SIZES)


def test_the_gate_opens_only_after_a_significant_omnibus_test_in_ttest_corrected_pairwise_test():
    closed = fc.ttest_corrected_pairwise_test(R, gate=True, **SIZES)
    assert closed.omnibus.pvalue > 0.05
    assert np.isnan(closed.pvalue).all()
    assert np.isnan(closed.adjusted_pvalue).all()
    assert set(closed.status) == {"gated"}
    assert closed.summary().endswith("No pairwise comparisons follow.")
    assert closed.to_dict()["omnibus"]["statistic"] == closed.omnibus.statistic

    plain = fc.ttest_corrected_pairwise_test(R, alpha=0.1, **SIZES)
    assert plain.alpha == 0.1
    opened = fc.ttest_corrected_pairwise_test(R, gate=True, alpha=0.1, **SIZES)
    assert_array_equal(opened.pvalue, plain.pvalue)
    findings = plain.summary().removesuffix(" There were 5 rounds.")
    assert opened.summary() == f"{opened.omnibus.summary()} {findings}"
    assert_array_equal(closed.statistic, plain.statistic)


def test_the_gate_of_two_models_is_their_own_test_in_ttest_corrected_pairwise_test():
    """F = t^2 with the same p-value, corrected."""
    found = fc.ttest_corrected_pairwise_test(R[:, :2], gate=True, alpha=0.2, **SIZES)
    assert_allclose(found.omnibus.statistic, found.statistic[0] ** 2, rtol=1e-12)
    assert_allclose(found.omnibus.pvalue, found.pvalue[0], rtol=1e-10)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_pairs_without_variance_have_the_results_of_single_tests(alternative):
    """A difference of -0.1 throughout is -inf, and of 0 is 0, in a table as alone."""
    words = {"alternative": alternative, "on_undefined": "ignore", **SIZES}
    table = np.array([[0.1, 0.2, 0.1], [0.3, 0.4, 0.3]])
    found = fc.ttest_corrected_pairwise_test(table, **words)
    batch = fc.ttest_corrected_batch(table.T[[0, 0, 1]], table.T[[1, 2, 2]], **words)
    assert found.statistic.tolist() == batch.statistic.tolist() == [-math.inf, 0.0, math.inf]
    assert_array_equal(found.pvalue, [math.nan, 1.0, math.nan])
    assert_array_equal(batch.pvalue, found.pvalue)
    low, high = found.confidence_interval()
    assert_array_equal(high, [math.nan, math.inf, math.nan])  # two rounds tell nothing of it
    assert_array_equal(low, -high)


def test_the_gate_leaves_undefined_pairs_their_status_in_ttest_corrected_pairwise_test():
    table = np.array([[0.1, 0.2, 0.2], [0.3, 0.4, 0.4], [0.2, 0.3, 0.3]])
    for gate in (False, True):
        with pytest.warns(fc.UndefinedResultWarning, match="zero_variance.*model 1 and model 2"):
            found = fc.ttest_corrected_pairwise_test(table, gate=gate, **SIZES)
        assert found.status.tolist() == ["zero_variance", "zero_variance", "no_difference"]
        assert_array_equal(found.pvalue, [np.nan, np.nan, 1.0])
        assert np.isnan(found.confidence_interval().low[:2]).all()


@pytest.mark.parametrize(
    ("words", "kind", "message"),
    [
        ({"correction": "holms"}, ValueError, "Did you mean 'holm'"),
        ({"alternative": "equivalence"}, ValueError, "`alternative` must be one of"),
        ({"gate": "yes"}, TypeError, "`gate` must be True or False"),
        ({"alpha": 5}, ValueError, "Did you mean 0.05"),
    ],
    ids=str,
)
def test_words_that_pairs_do_not_know_in_ttest_corrected_pairwise_test(words, kind, message):
    with pytest.raises(kind, match=message):
        fc.ttest_corrected_pairwise_test(R, **SIZES, **words)
    with pytest.raises(ValueError, match="at least 2 models"):
        fc.ttest_corrected_pairwise_test(R[:, :1], **SIZES)
    with pytest.raises(ValueError, match="at least 2 rounds"):
        fc.ttest_corrected_pairwise_test(R[:1], **SIZES)
    with pytest.raises(ValueError, match="too large or too small for float64"):
        fc.ttest_corrected_pairwise_test(R * [1e200, 1, 1], **SIZES)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_unpaired_t_is_welchs_in_ttest_unpaired(alternative):
    rng = np.random.default_rng(4)
    a, b = rng.normal(0.3, 1, 12), rng.normal(0, 3, 30)
    found = fc.ttest_unpaired(a, b, alternative=alternative)
    expected = stats.ttest_ind(a, b, equal_var=False, alternative=alternative)
    assert_allclose((found.statistic, found.pvalue, found.df), (*expected, expected.df), rtol=1e-12)
    ends = expected.confidence_interval(0.9)
    assert_allclose(found.confidence_interval(0.9), ends, rtol=1e-11)
    assert found.n == (12, 30)
    other = {"greater": "less", "less": "greater"}.get(alternative, alternative)
    assert fc.ttest_unpaired(b, a, alternative=other).pvalue == found.pvalue


def test_unpaired_models_without_variance():
    same = fc.ttest_unpaired([0.1] * 5, [0.1] * 7)
    assert (same.statistic, same.pvalue, same.status) == (0.0, 1.0, "no_difference")
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        stuck = fc.ttest_unpaired([0.1] * 5, [0.2] * 7)
    assert (stuck.statistic, stuck.standard_error) == (-math.inf, 0.0)
    assert math.isnan(stuck.pvalue)
    one = fc.ttest_unpaired([0.1] * 5, [0.2, 0.3, 0.25])
    assert one.df == 2

    for method in ("anova", "kruskal-wallis", "mann-whitney"):
        with pytest.warns(fc.UndefinedResultWarning, match="constant_scores"):
            flat = fc.folds_unpaired_test([[0.1] * 3, [0.1] * 4], method=method)
        ties = 6.0 if method == "mann-whitney" else 0.0  # half of all pairs
        assert (flat.statistic, flat.pvalue) == (ties, 1.0)
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        stuck = fc.folds_unpaired_test([[0.1] * 3, [0.2] * 4], method="anova")
    assert stuck.statistic == math.inf
    assert math.isnan(stuck.pvalue)


def test_several_unpaired_models_are_scipys_in_folds_unpaired_test():
    rng = np.random.default_rng(6)
    scores = {
        name: rng.normal(shift, 1, n) for name, shift, n in (("x", 0, 9), ("y", 1, 12), ("z", 0, 7))
    }
    columns = list(scores.values())
    for method, expected in (
        ("anova", stats.f_oneway(*columns)),
        ("kruskal-wallis", stats.kruskal(*columns)),
    ):
        found = fc.folds_unpaired_test(scores, method=method)
        assert_allclose((found.statistic, found.pvalue), expected, rtol=1e-11)
        assert found.names == ("x", "y", "z")
        assert found.n == (9, 12, 7)
        assert 0 < found.effect_size < 1
    f = fc.folds_unpaired_test(scores, method="anova")
    pooled = np.concatenate(columns)
    within = sum(((column - column.mean()) ** 2).sum() for column in columns)
    assert_allclose(f.effect_size, 1 - within / ((pooled - pooled.mean()) ** 2).sum(), rtol=1e-12)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize(
    ("sizes", "method"),
    [
        ((6, 9), "exact"),
        ((60, 8), "exact"),
        ((12, 20), "asymptotic"),
        ((8, 4000), "asymptotic"),  # whose exact distribution takes half a minute
    ],
)
def test_ranks_of_two_unpaired_models_are_scipys_in_folds_unpaired_test(alternative, sizes, method):
    rng = np.random.default_rng(7)
    a, b = rng.normal(0.5, 1, sizes[0]), rng.normal(size=sizes[1])
    found = fc.folds_unpaired_test([a, b], method="mann-whitney", alternative=alternative)
    expected = stats.mannwhitneyu(a, b, alternative=alternative, method=method)
    assert found.statistic == expected.statistic
    assert_allclose(found.pvalue, expected.pvalue, rtol=1e-14)
    wins = (a[:, None] > b).mean()
    assert_allclose(found.effect_size, wins)


def test_missing_scores_of_unpaired_models():
    with pytest.warns(fc.DroppedCasesWarning, match="2 rounds dropped") as caught:
        found = fc.ttest_unpaired([0.1, 0.2, np.nan, 0.4], [np.nan, 0.5, 0.7], nan_policy="omit")
    assert (found.n, found.n_dropped) == ((3, 2), 2)
    assert caught[0].filename == __file__
    with pytest.warns(fc.DroppedCasesWarning) as caught:
        fc.folds_unpaired_test({"a": [0.1, np.nan, 0.3], "b": [0.5, 0.7]}, nan_policy="omit")
    assert caught[0].filename == __file__
    with pytest.raises(ValueError, match=r"`scores_2` has 1 missing value .* index 0"):
        fc.ttest_unpaired([0.1, 0.2], [np.nan, 0.5, 0.7])


@pytest.mark.parametrize(
    ("scores", "words", "kind", "message"),
    [
        ([[0.1, 0.2]], {}, ValueError, "at least two models, got 1"),
        ({0.1, 0.2}, {}, TypeError, "`scores` must be a mapping, or a list"),
        ([[0.1, 0.2], [0.3]], {}, ValueError, "at least two scores, got 1"),
        ([[0.1, 0.2], "ab"], {}, (TypeError, ValueError), "model 2"),
        ([[1, 2], [3, 4]], {"alternative": "less"}, ValueError, "must be 'two-sided'"),
        ([[1, 2]] * 3, {"method": "mann-whitney"}, ValueError, "takes two models, got 3"),
        ([[1, 2]] * 2, {"method": "welch"}, ValueError, "`method` must be one of"),
    ],
    ids=str,
)
def test_what_cannot_be_unpaired_models_in_folds_unpaired_test(scores, words, kind, message):
    with pytest.raises(kind, match=message):
        fc.folds_unpaired_test(scores, **words)


@pytest.mark.parametrize("unit", [1e-170, 1e-100, 1e100])
def test_the_unit_of_unpaired_scores_does_not_matter(unit):
    a, b = np.array([0.8, 0.7, 0.75, 0.9]), np.array([0.6, 0.72, 0.65])
    one, other = (fc.folds_unpaired_test([a * u, b * u], method="anova") for u in (1.0, unit))
    assert_allclose(other.statistic, one.statistic, rtol=1e-9)
    assert_allclose((other.pvalue, other.effect_size), (one.pvalue, one.effect_size), rtol=1e-9)
    if unit > 1e-150:
        t, same = fc.ttest_unpaired(a, b), fc.ttest_unpaired(a * unit, b * unit)
        assert_allclose((same.statistic, same.df), (t.statistic, t.df), rtol=1e-9)
        assert_allclose(t.df, stats.ttest_ind(a, b, equal_var=False).df)


def test_an_anova_of_models_far_apart_keeps_the_variance_within_in_folds_unpaired_test():
    a, b = np.arange(8.0), 2.0**50 + np.arange(8.0)
    found = fc.folds_unpaired_test([a, b], method="anova")
    assert_allclose(found.statistic, 4 * 2.0**100 / 6.0, rtol=1e-12)  # SciPy: infinite
    assert found.effect_size == 1.0
    with pytest.raises(ValueError, match="`scores` have differences"):
        fc.folds_unpaired_test([[1e-200, 2e-200], [0.5, 0.5]], method="anova")


def test_the_chance_to_exceed_is_a_half_where_all_scores_are_equal_in_folds_unpaired_test():
    found = fc.folds_unpaired_test([[0.5] * 3, [0.5] * 4], method="mann-whitney", **IGNORE)
    assert (found.statistic, found.pvalue, found.effect_size) == (6.0, 1.0, 0.5)


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_far_tails_of_ranks_have_logarithms_in_folds_unpaired_test(alternative):
    low = np.repeat(np.arange(1000.0), 3)
    pair = [low, low + 5000] if alternative == "less" else [low + 5000, low]
    words = {"method": "mann-whitney", "alternative": alternative}
    found = fc.folds_unpaired_test(pair, **words)
    ties = 2 * 1000 * (27 - 3) / (6000 * 5999)
    z = (0.5 * 3000**2 - 0.5) / math.sqrt(3000**2 / 12 * (6001 - ties))
    expected = stats.norm.logsf(z) + (math.log(2) if alternative == "two-sided" else 0)
    assert_allclose(found.log_pvalue, expected, rtol=1e-12)
    assert found.pvalue == 0.0
    near = fc.folds_unpaired_test([pair[0][:9], pair[1][:9]], **words)
    assert_allclose(near.log_pvalue, math.log(near.pvalue))


def test_a_frame_of_unpaired_models_brings_names_in_folds_unpaired_test():
    frame = pd.DataFrame({"a": [0.1, 0.2, 0.3], "b": [0.4, 0.6, np.nan]})
    with pytest.warns(fc.DroppedCasesWarning):
        found = fc.folds_unpaired_test(frame, nan_policy="omit")
    assert (found.names, found.n) == (("a", "b"), (3, 2))
    with pytest.raises(ValueError, match=r"`scores\['b'\]` has 1 missing value\b"):
        fc.folds_unpaired_test(frame)
