"""Rank and sign tests of all pairs of models equal the tests of each pair, SciPy's and Demšar's."""

import dataclasses
import itertools
import json
import math
import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc
from fastcompare._inference.exact import SignedSumDistribution, signed_sum_pvalue
from fastcompare.paired._columns import Columns
from fastcompare.paired._wilcoxon import rank_sums, signed_ranks
from tests.reference import scores as reference
from tests.reference.ranks import moments_of_ranks
from tests.shared.golden_files import GOLDEN

DEMSAR = json.loads((GOLDEN / "demsar2006.json").read_text())
ALTERNATIVES = ("two-sided", "greater", "less")
ZEROS = ("wilcox", "pratt", "zsplit")
W = [0, 0, 1, -2, 3, 4, -1, 5]
TABLES = {
    "untied": lambda rng: rng.normal([0, 0, 0.3, 0.6, 0.6], 1, (40, 5)),
    "tied": lambda rng: rng.normal(size=(40, 5)).round(1),
    "accuracies": lambda rng: rng.integers(70, 80, (9, 5)) / 100,
    "many": lambda rng: rng.normal([0, 0.1, 0.2, 0.2], 1, (230, 4)),
    "many tied": lambda rng: rng.integers(0, 30, (260, 4)),
}
SHAPES = st.tuples(st.integers(2, 7), st.integers(2, 4))
small_tables = arrays(np.int64, SHAPES, elements=st.integers(-3, 3))


def table_of(name):
    """Return a table with a column that is there twice."""
    scores = TABLES[name](np.random.default_rng(0))
    return np.column_stack([scores, scores[:, 0]])


def by_pair(k):
    return list(enumerate(itertools.combinations(range(k), 2)))


def ways_of(found):
    """Return 'exact' or 'normal' for each pair."""
    return [method.rpartition(" ")[2] for method in found.method]


def assert_is_test(found, p, want, names):
    for name in names:
        assert getattr(found, name)[p] == getattr(want, name), name


@pytest.mark.slow
@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("name", TABLES)
def test_every_pair_is_wilcoxons_test(name, zeros):
    scores = table_of(name)
    for alternative in ALTERNATIVES:
        found = fc.wilcoxon_pairwise_test(scores, alternative=alternative, zeros=zeros)
        for p, (i, j) in by_pair(scores.shape[1]):
            want = fc.wilcoxon_test(*scores.T[[i, j]], alternative=alternative, zeros=zeros)
            names = ("statistic", "pvalue", "estimate", "effect_size", "n_zero", "status")
            assert_is_test(found, p, want, names)
            assert want.method == found.method[p]
        assert_array_equal(found.adjusted_pvalue, fc.adjust_pvalues(found.pvalue, method="holm"))
    assert found.status[scores.shape[1] - 2] == "no_difference"


@pytest.mark.parametrize("zeros", ["drop", "split"])
@pytest.mark.parametrize("name", TABLES)
def test_every_pair_is_the_sign_test(name, zeros):
    scores = table_of(name)
    for alternative in ALTERNATIVES:
        found = fc.sign_pairwise_test(scores, alternative=alternative, zeros=zeros)
        for p, (i, j) in by_pair(scores.shape[1]):
            want = fc.sign_test(*scores.T[[i, j]], alternative=alternative, zeros=zeros)
            names = ("statistic", "pvalue", "estimate", "effect_size", "n_zero", "status")
            assert_is_test(found, p, want, (*names, "n_positive", "n_negative"))
        assert_array_equal(found.adjusted_pvalue, fc.adjust_pvalues(found.pvalue, method="holm"))


@pytest.mark.parametrize("method", ["exact", "normal"])
def test_the_method_is_that_of_each_pair(method):
    scores = table_of("tied")
    found = fc.wilcoxon_pairwise_test(scores, method=method)
    assert set(found.method) == {f"Wilcoxon's signed rank test, {method}"}
    for p, (i, j) in by_pair(6):
        assert found.pvalue[p] == fc.wilcoxon_test(*scores.T[[i, j]], method=method).pvalue


def test_auto_is_exact_up_to_200_differences_that_are_not_0_in_wilcoxon_pairwise_test():
    scores = np.arange(201.0)[:, None] * [0, 1, -1]
    assert ways_of(fc.wilcoxon_pairwise_test(scores)) == ["exact"] * 3
    scores[0, 1] = 500
    assert ways_of(fc.wilcoxon_pairwise_test(scores)) == ["normal", "exact", "normal"]


def test_pairs_equal_scipy():
    scores = table_of("many")[:, :4]
    found = fc.wilcoxon_pairwise_test(scores)
    tied = table_of("many tied")[:, :4]
    pratt = fc.wilcoxon_pairwise_test(tied, zeros="pratt", method="normal", alternative="less")
    signs = fc.sign_pairwise_test(scores, alternative="greater")
    for p, (i, j) in by_pair(4):
        want = stats.wilcoxon(scores[:, i], scores[:, j], method="asymptotic")
        assert_allclose(found.pvalue[p], want.pvalue, rtol=1e-10)
        want = stats.wilcoxon(
            tied[:, i], tied[:, j], zero_method="pratt", method="asymptotic", alternative="less"
        )
        assert_allclose(pratt.pvalue[p], want.pvalue, rtol=1e-10)
        wins = int((scores[:, i] > scores[:, j]).sum())
        want = stats.binomtest(wins, len(scores), alternative="greater")
        assert_allclose(signs.pvalue[p], want.pvalue, rtol=1e-12)
    few = scores[:48]
    for p, (i, j) in by_pair(4):
        want = stats.wilcoxon(few[:, i], few[:, j], method="exact").pvalue
        assert_allclose(fc.wilcoxon_pairwise_test(few).pvalue[p], want, rtol=1e-12)


def test_demsars_example():
    """Demšar (2006), section 3.1: R+ = 93 and R- = 12 for C4.5 against C4.5+m; 11 of 14 wins."""
    names = DEMSAR["data"]["cols"]
    scores = dict(zip(names, np.array(DEMSAR["data"]["auc"]).T, strict=True))
    found = fc.wilcoxon_pairwise_test(scores, zeros="zsplit", method="normal")
    assert found.pairs[0] == ("C4.5", "C4.5+m")
    want = DEMSAR["expected"]["wilcoxon_C45_vs_C45m"]
    assert (found.statistic[0], 105 - found.statistic[0]) == (want["R_minus"], want["R_plus"])
    assert_allclose(
        found.pvalue[0], DEMSAR["recomputed"]["scipy_wilcoxon_by_zero_method"]["zsplit"][1]
    )
    signs = fc.sign_pairwise_test(scores, zeros="split", alternative="less")
    wins = DEMSAR["expected"]["sign_test"]["wins_counting_half_of_ties"]
    assert 14 - signs.statistic[0] == wins


def test_worked_example():
    """FORMULAS: signed rank, and sign test on 4+, 2-, 2 zeros."""
    scores = np.column_stack([W, np.zeros(8)])
    for zeros, statistic, exact in (("pratt", 24.5, 0.3125), ("wilcox", 16.5, 0.25)):
        found = fc.wilcoxon_pairwise_test(scores, zeros=zeros)
        assert (found.statistic[0], found.pvalue[0]) == (statistic, exact)
    assert fc.wilcoxon_pairwise_test(scores, zeros="zsplit").statistic[0] == 26
    assert fc.sign_pairwise_test(scores).pvalue[0] == 0.6875
    assert fc.sign_pairwise_test(scores, zeros="split").pvalue[0] == 0.7265625


@pytest.mark.slow
@given(scores=small_tables)
@settings(max_examples=50, deadline=None)
def test_statistics_and_p_values_are_those_of_the_definition_in_wilcoxon_pairwise_test(scores):
    for zeros in ZEROS:
        found = fc.wilcoxon_pairwise_test(scores, zeros=zeros)
        for p, (i, j) in by_pair(scores.shape[1]):
            d = (scores[:, i] - scores[:, j]).tolist()
            assert found.statistic[p] == reference.w_plus(d, zeros)
            signed, _ = reference.rank_parts(d, zeros)
            assert found.pvalue[p] == reference.sign_pvalue(signed, "two-sided")


@pytest.mark.slow
@given(scores=small_tables, data=st.data())
@settings(max_examples=50, deadline=None)
def test_rows_and_models_may_come_in_any_order(scores, data):
    n, k = scores.shape
    rows, models = data.draw(st.permutations(range(n))), data.draw(st.permutations(range(k)))
    for test in (fc.wilcoxon_pairwise_test, fc.sign_pairwise_test):
        found, mixed = test(scores), test(scores[rows][:, models])
        place = {pair: p for p, pair in by_pair(k)}
        for p, (i, j) in by_pair(k):
            first, second = models[i], models[j]
            sign = 1 if first < second else -1
            q = place[min(first, second), max(first, second)]
            assert mixed.pvalue[p] == found.pvalue[q]
            assert mixed.estimate[p] == sign * found.estimate[q]
            assert mixed.effect_size[p] == sign * found.effect_size[q]


TIED = [0, 0.1, 0.2, 0.3, 0.7, 1e-14, 1e-300, 1e12, 1e12 + 2**-13]


@pytest.mark.slow
@given(rows=arrays(np.float64, (6, 9), elements=st.sampled_from(TIED)))
@settings(max_examples=50, deadline=None)
def test_ranks_of_many_rows_are_those_of_one(rows):
    """Among the differences are 0.3 - 0.2 and 0.2 - 0.1, which tie, 1e-14, and 1e12's rounding."""
    columns = Columns.of(rows)
    for zeros in ZEROS:
        found = rank_sums(columns, zeros)
        for p in range(columns.first.size):
            t = signed_ranks(columns.sized_pair(p), zeros)
            n_zero = 9 - (t != 0).sum()
            w_plus, variance = moments_of_ranks(t, n_zero, zeros)
            assert (found.plus[p], found.minus[p]) == (t[t > 0].sum(), -t[t < 0].sum())
            assert found.w_plus(zeros)[p] == w_plus
            assert found.variance[p] == variance
            assert found.n_zero[p] == n_zero
            assert found.n_ranks[p] == len(set(abs(t[t != 0])))


def test_variances_beyond_2_to_the_53_are_the_same_bits(requires_jit):
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 10**7, (2, 400_000)).astype(np.float64)
    columns = Columns.of(rows)
    found = rank_sums(columns, "zsplit")
    t = signed_ranks(columns.sized_pair(0), "zsplit")
    w_plus, variance = moments_of_ranks(t, np.count_nonzero(t == 0), "zsplit")
    assert variance > 2**53
    assert (found.variance[0], found.w_plus("zsplit")[0]) == (variance, w_plus)


def test_blocks_of_pairs_do_not_matter_in_wilcoxon_pairwise_test(monkeypatch):
    scores = table_of("many tied")
    want = fc.wilcoxon_pairwise_test(scores).pvalue
    for block in (1, 700, 10**6):
        monkeypatch.setattr("fastcompare.paired._columns.BLOCK_DIFFERENCES", block)
        assert_array_equal(fc.wilcoxon_pairwise_test(scores).pvalue, want)


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 2, 30, 200, 499])
def test_a_shared_distribution_gives_the_p_values_of_each_sum(n):
    sizes = 2 * np.arange(4, 4 + n)
    null = SignedSumDistribution.of(sizes)
    for seed in range(10):
        t = sizes * np.where(np.random.default_rng(seed).random(n) < 0.1 * seed, 1, -1)
        for alternative in ALTERNATIVES:
            assert null.pvalue(int(t.sum()), alternative) == signed_sum_pvalue(t, alternative)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_intervals_are_those_of_each_pair(alternative):
    scores = table_of("tied")
    for many, one in (
        (fc.wilcoxon_pairwise_test, fc.wilcoxon_test),
        (fc.sign_pairwise_test, fc.sign_test),
    ):
        found = many(scores, alternative=alternative)
        for level, options in ((0.9, {}), (1 - 0.1 / 15, {"simultaneous": True})):
            low, high = found.confidence_interval(0.9, **options)
            for p, (i, j) in by_pair(6):
                want = one(*scores.T[[i, j]], alternative=alternative)
                assert (low[p], high[p]) == want.confidence_interval(level)


def test_estimates_wait_until_they_are_asked_for_in_wilcoxon_pairwise_test():
    found = fc.wilcoxon_pairwise_test(table_of("untied"))
    text = found.summary()
    assert "estimate" not in vars(found)
    kept = pickle.loads(pickle.dumps(found))
    other = dataclasses.replace(found, correction="none")
    assert found.to_dict()["estimate"] == found.estimate.tolist() == kept.estimate.tolist()
    assert_array_equal(other.estimate, found.estimate)
    assert f"model 5 scores higher than model 1 by {abs(found.estimate[3]):.4g}" in text
    assert "differences in scores are significant at the 5% level (Wilcoxon's signed" in text


def test_equal_models_have_p_value_1_in_wilcoxon_pairwise_test():
    found = fc.wilcoxon_pairwise_test(np.ones((7, 3)), alternative="greater")
    assert (found.pvalue == 1).all()
    assert set(found.status) == {"no_difference"}
    assert (found.estimate == 0).all()


def test_names_reach_the_result_and_rows_that_miss_a_score_are_left_out():
    scores = pd.DataFrame({"tree": [0.7, 0.8, None, 0.6], "forest": [0.8, 0.9, 0.9, 0.5]})
    for test in (fc.wilcoxon_pairwise_test, fc.sign_pairwise_test):
        with pytest.raises(fc.InvalidValueError, match="of 'tree' in row 2"):
            test(scores)
        with pytest.warns(fc.DroppedCasesWarning, match="1 of 4 data sets"):
            found = test(scores, nan_policy="omit")
        assert (found.names, found.n, found.n_dropped) == (("tree", "forest"), 3, 1)
        assert found.pairs == (("tree", "forest"),)
        with pytest.raises(fc.InvalidValueError, match="`nan_policy`"):
            test(scores, nan_policy="keep")


BOTH = (fc.wilcoxon_pairwise_test, fc.sign_pairwise_test)
GOOD = [[1.0, 2.0], [3.0, 4.0], [5.0, 5.0]]


@pytest.mark.parametrize("test", BOTH, ids=["wilcoxon", "sign"])
@pytest.mark.parametrize(
    ("scores", "options", "message"),
    [
        ([[1.0], [2.0]], {}, "at least 2 models"),
        ([[1.0, 2.0]], {}, "at least 2 data sets"),
        ([1.0, 2.0], {}, "data sets in rows and models in columns"),
        ([[1.0, math.inf], [1.0, 2.0]], {}, "finite numbers, got inf of 'model 2' in row 0"),
        ([[1e308, -1e308], [1.0, 2.0]], {}, "differences of `scores` exceed"),
        (GOOD, {"zeros": "prat"}, "`zeros`"),
        (GOOD, {"correction": "holmes"}, "`correction`.*Did you mean 'holm'"),
        (GOOD, {"alternative": "equivalence"}, "`alternative`"),
    ],
)
def test_inputs_that_cannot_mean_anything(test, scores, options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        test(scores, **options)


def test_exact_ranks_of_too_many_data_sets_are_refused_in_wilcoxon_pairwise_test():
    with pytest.raises(fc.InvalidValueError, match=r"at most 3000.*got 3001"):
        fc.wilcoxon_pairwise_test(np.arange(3002.0)[:, None] * [1, 2], method="exact")
    with pytest.raises(fc.InvalidValueError, match="`method`"):
        fc.wilcoxon_pairwise_test(GOOD, method="asymptotic")


def test_the_callers_scores_stay_in_wilcoxon_pairwise_test():
    scores = np.asfortranarray(table_of("untied"))
    kept = scores.copy()
    found = fc.wilcoxon_pairwise_test(scores)
    scores[:] = 0.0
    want = fc.wilcoxon_pairwise_test(kept)
    assert_array_equal(found.estimate, want.estimate)
    assert_array_equal(found.confidence_interval(), want.confidence_interval())


def test_hosts_that_raise_on_every_floating_point_event():
    scores = [[5e-324, 0.0, 1.0], [1e-310, 2.0, -1e308], [3.0, 3.0, 0.0]]
    with np.errstate(all="raise"):
        for test in BOTH:
            found = test(scores)
            assert np.isfinite(found.estimate).all()
            found.confidence_interval(0.5)
            assert np.isfinite(test([[5e-324, 1e-310], [0.0, 5e-324]]).pvalue).all()


def test_average_ranks_cliques_and_the_matrix_are_there_to_draw():
    scores = np.array([[1, 2, 3, 9], [2, 1, 3, 9]] * 6 + [[3, 1, 2, 9]])
    found = fc.wilcoxon_pairwise_test(scores, alpha=0.03)
    ranks = fc.friedman_test(scores).average_ranks
    assert_array_equal(found.average_ranks, ranks)
    turned = fc.sign_pairwise_test(scores, higher_is_better=False)
    assert_allclose(turned.average_ranks, 5 - ranks, rtol=1e-14)
    assert_array_equal(
        found.matrix("adjusted_pvalue")[np.triu_indices(4, 1)], found.adjusted_pvalue
    )
    assert list(map(set, found.cliques)) == [{"model 1", "model 2"}]


@pytest.mark.parametrize("test", [fc.wilcoxon_pairwise_test, fc.sign_pairwise_test])
def test_tables_of_p_values_compute_no_estimates(test):
    result = test(np.random.default_rng(0).normal(size=(9, 3)))
    assert result.matrix("pvalue").shape == (3, 3)
    assert "estimate" not in vars(result)
    assert result.matrix("estimate")[0, 1] == result.estimate[0]
