"""Tests of losses of all pairs of models equal the tests of each pair, to the last bit."""

import itertools
import math
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numba
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

import fastcompare as fc

Y6 = [1, 0, 1, 0, 1, 0]
P6 = {"p": [0.9, 0.2, 0.7, 0.3, 0.6, 0.15], "q": [0.75, 0.1, 0.85, 0.4, 0.8, 0.25]}
METHODS = ("t", "wilcoxon", "permutation", "bootstrap")
ALTERNATIVES = ("two-sided", "greater", "less")
NUMBERS = ("estimate", "standard_error", "statistic", "pvalue")
WORDS = ("method", "status", "n_resamples")


def forecasts(n, seed=0):
    """Return labels and probabilities: of four models, one twice, one that is sure and wrong."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    given = {f"m{j}": rng.beta(1 + j * y, 1 + j * (1 - y)) for j in range(4)}
    sure = np.where(rng.random(n) < 0.3, y, given["m1"])
    sure[0] = 1 - y[0]
    return y, {**given, "again": given["m0"].copy(), "sure": sure}


def assert_each_pair_is_its_test(found, y, given, **options):
    low, high = found.confidence_interval(0.9)
    for p, (first, second) in enumerate(itertools.combinations(given, 2)):
        want = fc.scoring_test(y, given[first], given[second], on_undefined="ignore", **options)
        for name in NUMBERS:
            assert_array_equal(getattr(found, name)[p], getattr(want, name), err_msg=name)
        for name in WORDS:
            assert getattr(found, name)[p] == getattr(want, name), name
        assert_array_equal((low[p], high[p]), want.confidence_interval(0.9))
        places = [found.names.index(name) for name in (first, second)]
        assert_array_equal(found.losses[places], want.losses)


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", METHODS)
def test_every_pair_is_the_scoring_test(method, alternative, requires_jit):
    for n, rule in ((70, "brier"), (30, "log"), (9, "spherical"), (1, "brier")):
        y, given = forecasts(n)
        options = {
            "rule": rule,
            "method": method,
            "alternative": alternative,
            "n_resamples": 70,
            "rng": 5,
            "zeros": "pratt",
        }
        words = {"correction": "holm", "on_undefined": "ignore"}
        found = fc.scoring_pairwise_test(y, given, **words, **options)
        assert_each_pair_is_its_test(found, y, given, **options)
        known = ~np.isnan(found.pvalue)
        adjusted = fc.adjust_pvalues(found.pvalue[known], method="holm") if known.any() else []
        assert_array_equal(found.adjusted_pvalue[known], adjusted)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_several_classes(method):
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, 40)
    given = {name: rng.dirichlet([1, 1, 1], 40) for name in "abc"}
    options = {"rule": "log", "method": method, "n_resamples": 70, "rng": 5, "clip": 0.01}
    found = fc.scoring_pairwise_test(y, given, **options)
    assert_each_pair_is_its_test(found, y, given, **options)


def test_the_six_cases_in_scoring_pairwise_test():
    """FORMULAS: scores, paired t on them, sign flips."""
    t = fc.scoring_pairwise_test(Y6, P6)
    assert_allclose((t.estimate[0], t.statistic[0]), (0.00916667, 0.2968423), rtol=5e-6)
    assert_allclose(t.pvalue[0], 0.7785227, rtol=3e-7)
    assert fc.scoring_pairwise_test(Y6, P6, method="wilcoxon").pvalue[0] == 1.0
    flips = fc.scoring_pairwise_test(Y6, P6, method="permutation")
    assert (flips.pvalue[0], flips.n_resamples[0], flips.seed) == (0.8125, 0, None)


def test_t_and_ranks_equal_scipy_in_scoring_pairwise_test():
    y, given = forecasts(300)
    losses = {name: (p - y) ** 2 for name, p in given.items()}
    t = fc.scoring_pairwise_test(y, given, on_undefined="ignore")
    ranks = fc.scoring_pairwise_test(y, given, method="wilcoxon")
    for p, (first, second) in enumerate(t.pairs):
        both = losses[first], losses[second]
        if (first, second) == ("m0", "again"):
            continue
        assert_allclose(t.pvalue[p], stats.ttest_rel(*both).pvalue, rtol=1e-9)
        if (first, second) == ("m1", "sure"):  # 200 differences are left: SciPy's exact p is 0
            assert "exact" in ranks.method[p]
            continue
        want = stats.wilcoxon(*both, method="asymptotic").pvalue
        assert_allclose(ranks.pvalue[p], want, rtol=1e-9)


def test_a_typical_case_that_opposes_the_mean_is_said_by_both_tests_of_losses():
    y = np.array([0, 1] * 30)
    near = np.where(y == 1, 0.55, 0.45)
    near[:8] = np.where(y[:8] == 1, 0.02, 0.98)  # some cases far off: the mean is worse
    flat = np.full(60, 0.5)
    pair = fc.scoring_test(y, near, flat, method="wilcoxon")
    family = fc.scoring_pairwise_test(y, {"a": near, "b": flat}, method="wilcoxon")
    assert pair.estimate == family.estimate[0] < 0.0 < pair.losses[0] - pair.losses[1]
    for text in (str(pair), str(family)):
        assert "pseudomedian difference" in text
        assert "of a typical case  " not in text  # no head: the values are means
    assert "in the other direction" in pair.summary()
    assert "in the other direction between a and b" in family.summary()
    mean = fc.scoring_pairwise_test(y, {"a": near, "b": flat})
    assert "typical" not in mean.summary()
    assert "pseudomedian" not in str(mean)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_models_may_come_in_any_order_in_scoring_pairwise_test(method):
    y, given = forecasts(60)
    options = {"method": method, "n_resamples": 70, "rng": 5, "on_undefined": "ignore"}
    found = fc.scoring_pairwise_test(y, given, **options)
    turned = fc.scoring_pairwise_test(y, dict(reversed(given.items())), **options)
    assert_array_equal(turned.losses, found.losses[::-1])
    place = {pair: p for p, pair in enumerate(found.pairs)}
    for p, (first, second) in enumerate(turned.pairs):
        q = place[second, first]
        assert turned.estimate[p] == -found.estimate[q]
        assert turned.pvalue[p] == found.pvalue[q]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["permutation", "bootstrap"])
def test_who_does_the_work_does_not_matter_in_scoring_pairwise_test(method):
    y, given = forecasts(50)
    options = {"method": method, "n_resamples": 130, "rng": 2, "on_undefined": "ignore"}
    want = fc.scoring_pairwise_test(y, given, **options)
    seen = []
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(1) as process:
        for who in ({"n_jobs": 2}, {"executor": threads}, {"executor": process}):
            how = {**who, "progress": lambda *done: seen.append(done)}
            found = fc.scoring_pairwise_test(y, given, **options, **how)
            assert_array_equal(found.pvalue, want.pvalue)
            assert found.seed == want.seed == 2
    groups = {"permutation": 1, "bootstrap": 2}[method]  # 15 pairs, 16 or 8 of which share draws
    assert seen[-1] == (groups, groups)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_groups_and_blocks_of_pairs_do_not_matter_in_scoring_pairwise_test(method, monkeypatch):
    y, given = forecasts(40)
    options = {"method": method, "n_resamples": 70, "rng": 5, "on_undefined": "ignore"}
    want = fc.scoring_pairwise_test(y, given, **options)
    monkeypatch.setattr("fastcompare.probabilities._scoring_pairwise.PAIRS_SHARING_DRAWS", 2)
    monkeypatch.setattr("fastcompare.probabilities._scoring_pairwise.PAIRS_SHARING_SIGNS", 2)
    monkeypatch.setattr("fastcompare.paired._columns.BLOCK_DIFFERENCES", 100)
    found = fc.scoring_pairwise_test(y, given, **options)
    for name in NUMBERS:
        assert_array_equal(getattr(found, name), getattr(want, name))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_infinite_losses_concern_their_pairs_alone_in_scoring_pairwise_test(method):
    y, given = forecasts(40)
    options = {"rule": "log", "method": method, "n_resamples": 70, "rng": 5}
    with pytest.warns(fc.UndefinedResultWarning, match=r"infinite_loss.*\(m0 and sure, m1 and"):
        found = fc.scoring_pairwise_test(y, given, **options)
    infinite = np.array(["sure" in pair for pair in found.pairs])
    assert_array_equal(found.status == "infinite_loss", infinite)
    assert_array_equal(np.isnan(found.pvalue), infinite)
    assert_array_equal(found.estimate[infinite], -math.inf)
    assert np.isnan(found.confidence_interval().low[infinite]).all()
    one_pair = dict.fromkeys(("a", "b"), given["sure"])
    both = fc.scoring_pairwise_test(y, one_pair, on_undefined="ignore", **options)
    assert np.isnan(both.estimate[0])
    assert both.summary().startswith("No p-value is defined")
    with pytest.raises(fc.UndefinedResultError, match="infinite_loss"):
        fc.scoring_pairwise_test(y, given, on_undefined="raise", **options)


def test_differences_that_do_not_vary_are_said_to_be_so_in_scoring_pairwise_test():
    p = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    given = {"p": p, "q": p + 0.1, "r": p}

    def itself(y, p):
        return p

    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance.*p and q, q and r"):
        found = fc.scoring_pairwise_test(Y6, given, rule=itself)
    assert found.status.tolist() == ["zero_variance", "no_difference", "zero_variance"]
    assert_array_equal(found.pvalue, [math.nan, 1.0, math.nan])
    assert_array_equal(found.statistic, [-math.inf, 0.0, math.inf])
    assert_array_equal(found.confidence_interval(), [[math.nan, 0.0, math.nan]] * 2)
    assert (found.rule, found.quantity) == ("itself", "loss")


def test_every_container_gives_the_same_result_in_scoring_pairwise_test():
    y, given = forecasts(20)
    given = {f"model {j + 1}": given[f"m{j}"] for j in range(4)}
    array = np.column_stack(list(given.values()))
    want = fc.scoring_pairwise_test(y, given)
    for table in (array, array.tolist(), pd.DataFrame(given), pl.DataFrame(given)):
        found = fc.scoring_pairwise_test(y, table)
        assert found.names == want.names
        assert_array_equal(found.pvalue, want.pvalue)


def test_cases_that_miss_anything_are_left_out_for_all_models_in_scoring_pairwise_test():
    y, given = forecasts(30)
    given = {name: p.copy() for name, p in given.items()}
    given["m1"][3] = given["m2"][7] = math.nan
    with pytest.raises(fc.InvalidValueError, match=r"`probabilities\['m1'\]` has 1 missing"):
        fc.scoring_pairwise_test(y, given)
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 30"):
        found = fc.scoring_pairwise_test(y, given, nan_policy="omit")
    kept = np.delete(np.arange(30), [3, 7])
    want = fc.scoring_pairwise_test(y[kept], {name: p[kept] for name, p in given.items()})
    assert (found.n, found.n_dropped) == (28, 2)
    assert_array_equal(found.pvalue, want.pvalue)


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ({"p": P6["p"]}, {}, "at least two models, got 1"),
        (np.array(P6["p"]), {}, "at least two models, got 1"),
        (np.full((6, 6), 0.5), {}, "square"),
        (np.full((2, 6), 0.5), {}, "transpose"),
        ({"p": P6["p"], "q": [0.5] * 5}, {}, r"`probabilities\['q'\]` must have one score"),
        ({"p": P6["p"], "q": [1.5] * 6}, {}, r"`probabilities\['q'\]` .* from 0 to 1"),
        (np.full((6, 2), -1.0), {}, r"`probabilities\[:, 0\]` .* from 0 to 1"),
        (P6, {"rule": "briar"}, "`rule`.*Did you mean 'brier'"),
        (P6, {"method": "z"}, "`method`"),
        (P6, {"correction": "holmes"}, "`correction`"),
        (P6, {"zeros": "drop"}, "`zeros`"),
        (P6, {"clip": 0.1}, "`clip`"),
        (P6, {"n_resamples": 0}, "`n_resamples`"),
        (P6, {"nan_policy": "keep"}, "`nan_policy`"),
        (P6, {"alternative": "equivalence"}, "`alternative`"),
    ],
)
def test_inputs_that_cannot_mean_anything_in_scoring_pairwise_test(given, options, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.scoring_pairwise_test(Y6, given, **options)


@pytest.mark.parametrize(("method", "n"), [("t", 30), ("wilcoxon", 30), ("wilcoxon", 100)])
def test_simultaneous_intervals_are_bonferronis_in_scoring_pairwise_test(method, n):
    """Of ranks, and of t where cases are too few for a joint distribution of own variances."""
    y, given = forecasts(n)
    found = fc.scoring_pairwise_test(y, given, method=method)
    wide = found.confidence_interval(0.9, simultaneous=True)
    assert_array_equal(wide, found.confidence_interval(1 - (1 - 0.9) / 15))


@pytest.mark.slow
def test_simultaneous_intervals_of_t_tests_cover_together_in_scoring_pairwise_test():
    """The largest |t| of normal losses, in 2,000 samples, is as often within the intervals."""
    rng, n, scale = np.random.default_rng(5), 100, np.array([1.0, 2.0, 3.0, 4.0])
    drawn = 0.5 + 0.01 * rng.normal(size=(n, 4)) * scale
    found = fc.scoring_pairwise_test(np.arange(n) % 2, drawn, rule=lambda labels, p: p)
    low, high = found.confidence_interval(simultaneous=True)
    reach = (high - low) / 2 / found.standard_error
    assert_allclose(reach, reach[0], rtol=1e-9)
    bonferroni = found.confidence_interval(1 - 0.05 / 6)
    assert (low > bonferroni.low).all()
    assert (high < bonferroni.high).all()

    losses = rng.normal(size=(2000, n, 4)) * scale
    first, second = np.triu_indices(4, 1)
    d = losses[:, :, first] - losses[:, :, second]
    t = d.mean(axis=1) / (d.std(axis=1, ddof=1) / np.sqrt(n))
    assert abs((np.abs(t).max(axis=1) <= reach[0]).mean() - 0.95) < 0.015  # 3 standard errors


def test_cliques_hold_names_the_best_model_first_in_scoring_pairwise_test():
    y, given = forecasts(200)
    found = fc.scoring_pairwise_test(y, given)
    best = found.names[int(np.argmin(found.losses))]
    assert found.cliques[0][0] == best
    assert_array_equal(found.matrix("estimate"), -found.matrix("estimate").T)
    assert_allclose(np.exp(found.log_pvalue), found.pvalue, rtol=1e-12)


@pytest.mark.slow
def test_the_sentence_names_the_better_model_in_scoring_pairwise_test():
    y, given = forecasts(200)
    found = fc.scoring_pairwise_test(y, given, correction="bonferroni")
    gap = found.losses[0] - found.losses[3]
    assert f"m3 has a lower Brier score than m0 by {gap:.4f} (adjusted p" in found.summary()
    assert "differences in Brier score are significant" in found.summary()
    assert str(found).startswith("Paired t-test of all pairs of models")
    flips = fc.scoring_pairwise_test(y, given, method="permutation", n_resamples=70, rng=0)
    assert str(flips).startswith("Sign-flip permutation test of all pairs")
    assert set(flips.n_resamples) == {0, 70}  # the equal models need none
    kept = pickle.loads(pickle.dumps(flips))
    assert_array_equal(kept.confidence_interval(), flips.confidence_interval())
    assert "_tests" not in flips.to_dict()


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="plain kernels compute with NumPy's numbers")
def test_hosts_that_raise_on_every_floating_point_event_in_scoring_pairwise_test():
    tiny = {"p": [1e-300, 1.0, 0.5, 5e-324, 1 - 1e-16, 0.25], **P6}
    y = [0, 1, 1, 0, 1, 0]
    with np.errstate(all="raise"):
        for method in METHODS:
            options = {"method": method, "n_resamples": 70, "rng": 0}
            found = fc.scoring_pairwise_test(y, {**tiny, "r": [0.5] * 6}, **options)
            assert np.isfinite(found.pvalue).all()
            found.confidence_interval()


def test_equal_losses_of_few_cases_have_the_interval_of_ranks_not_one_of_no_width():
    y, p = [0, 1, 1], [0.2, 0.7, 0.6]
    quiet = {"method": "wilcoxon", "on_undefined": "ignore"}
    assert fc.scoring_test(y, p, p, **quiet).confidence_interval() == (-1.0, 1.0)
    family = fc.scoring_pairwise_test(y, {"a": p, "b": p, "c": [0.4, 0.6, 0.9]}, **quiet)
    low, high = family.confidence_interval()
    assert (low[0], high[0]) == (-1.0, 1.0)
