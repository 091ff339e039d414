"""Bradley and Terry's model against published figures, other programs and a general optimiser."""

import json
import math
import pickle
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.optimize import minimize

import fastcompare as fc
from tests.shared.golden_files import GOLDEN

pytestmark = pytest.mark.filterwarnings("ignore:one_order")

HELD = json.loads((GOLDEN / "items" / "bradley_terry.json").read_text())  # R, see its source
CASES = {case["id"]: case for case in HELD["cases"]}
FITTED = [(case, name) for case in CASES for name, held in CASES[case]["expected"].items()]
FITTED = [(case, name) for case, name in FITTED if "coef" in CASES[case]["expected"][name]]
WORDS = {"wins_first": "a", "wins_second": "b", "ties": "tie"}


def rows_of(inputs):
    """The columns of battles and how often each is meant, from counts of wins and ties."""
    kinds = [kind for kind in WORDS if kind in inputs]
    a, b = (np.tile(inputs[side], len(kinds)) for side in ("first", "second"))
    outcome = np.repeat([WORDS[kind] for kind in kinds], len(inputs["first"]))
    counts = np.concatenate([inputs[kind] for kind in kinds])
    groups = np.tile(inputs["cluster"], len(kinds)) if "cluster" in inputs else None
    return (a, b, outcome), counts, groups


def fitted(inputs, name, **options):
    rows, counts, groups = rows_of(inputs)
    ties = "half" if "half" in name else None if "dropped" in name else "davidson"
    if not options.pop("clustered", False):
        groups = None
    shared = {"models": inputs["models"], "anchor": inputs["models"][0], **options}
    return fc.bradley_terry(
        *rows,
        ties=ties,
        order_effect="order" in name,
        frequency_weight=counts,
        groups=groups,
        **shared,
    )


def coefficients(result):
    extra = [x for x in (result.log_tie, result.order_effect) if x is not None and math.isfinite(x)]
    return [*result.strengths[1:], *extra]


def errors(result):
    extra = [result.log_tie_standard_error, result.order_effect_standard_error]
    return [*result.standard_error[1:], *(x for x in extra if x is not None)]


@pytest.mark.parametrize(("case", "name"), FITTED)
def test_fits_agree_with_r_in_bradley_terry(case, name):
    inputs, held = CASES[case]["inputs"], CASES[case]["expected"][name]
    model = fitted(inputs, name, method="model")
    assert model.status in ("ok", "one_order")
    assert_allclose(coefficients(model), held["coef"], rtol=1e-9, atol=1e-12)
    if "loglik" in held:
        assert_allclose(model.log_likelihood, held["loglik"], rtol=1e-12)
    k = len(inputs["models"])
    options = {
        "vcov": {"method": "model"},
        "vcov_model": {"method": "model"},
        "vcov_row_HC0": {"method": "sandwich"},
        "vcov_cluster_CR1": {"clustered": True, "method": "cr1"},
    }
    for key in options.keys() & held.keys():
        found = fitted(inputs, name, **options[key])
        want = np.array(held[key])
        assert_allclose(found.covariance[1:, 1:], want[: k - 1, : k - 1], rtol=2e-7, atol=1e-11)
        assert_allclose(errors(found), np.sqrt(np.diag(want)), rtol=1e-7)
        clusters = len(set(inputs.get("cluster", [])))
        assert found.df == (clusters - 1 if "cluster" in key else math.inf)
    centred = fitted(inputs, name, method="model", anchor=None)
    assert_allclose(centred.strengths, held["centred"], rtol=1e-9, atol=1e-12)
    assert_allclose(centred.standard_error, held["centred_se"], rtol=1e-7)


@pytest.mark.parametrize("case", CASES)
def test_the_graph_says_whether_there_is_an_estimate_in_bradley_terry(case):
    inputs, graph = CASES[case]["inputs"], CASES[case]["expected"]["graph"]
    rows, counts, _ = rows_of(inputs)
    result = fc.bradley_terry(
        *rows, ties="half", frequency_weight=counts, models=inputs["models"], on_undefined="ignore"
    )
    assert [list(group) for group in result.components] == graph["strongly_connected_components"]
    assert {name: list(led) for name, led in result.reaches.items()} == graph["reaches"]
    assert (result.status in ("ok", "one_order")) == graph["estimate_exists"]
    assert bool(np.isnan(result.strengths).all()) != graph["estimate_exists"]


def test_baseball_of_1987_is_as_published_in_bradley_terry():
    inputs = CASES["bt01"]["inputs"]
    plain, home = (fitted(inputs, name) for name in ("bradley_terry", "bradley_terry_order"))
    strength = dict(zip(plain.names, plain.strengths, strict=True))
    assert_allclose(strength["Milwaukee"] - strength["Baltimore"], 1.581356, atol=5e-7)
    assert_allclose(home.order_effect, 0.3022607, atol=5e-8)
    # glm stops early: R without that, as in the golden file, has 0.13094371
    assert_allclose(home.order_effect_standard_error, 0.1309436, atol=2e-7)


def battles_of_b():
    """The battles of FORMULAS_ITEMS: wins first, wins second, ties of each pair, a row a game."""
    rows = []
    for a, b, won, tied, lost in (("a", "b", 3, 2, 1), ("b", "c", 2, 1, 2), ("a", "c", 4, 2, 1)):
        rows += [(a, b, "a")] * won + [(a, b, "b")] * lost + [(a, b, "tie")] * tied
    return [list(column) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize(
    ("options", "estimates", "standard_errors"),
    [
        ({}, [-1.107981, -1.222455, -0.1458282], [0.8776893, 0.8560773, 0.5449251]),
        ({"order_effect": True}, [-1.324045, -1.650093, -0.1443441, -0.3260478], None),
        ({"ties": "half", "method": "model"}, [-0.7684908, -0.8478653], [0.7118303]),
        ({"ties": "half"}, [-0.7684908, -0.8478653], [0.5830614]),
        (
            {"groups": np.arange(18) % 5, "method": "cr1"},
            [-1.107981, -1.222455, -0.1458282],
            [0.4198826, 0.7787116, 0.3995757],
        ),
    ],
)
def test_battles_of_three_models_give_the_check_values(options, estimates, standard_errors):
    result = fc.bradley_terry(*battles_of_b(), anchor="a", **options)
    assert_allclose(coefficients(result), estimates, atol=5e-7)
    if standard_errors:
        found = errors(result)[: len(standard_errors)]
        assert_allclose(found, standard_errors, atol=5e-7)


def drawn(n, k, seed, *, order=0.3, nu=0.6, log=1.0):
    rng = np.random.default_rng(seed)
    strengths = rng.normal(scale=log, size=k)
    i = rng.integers(k, size=n)
    j = (i + rng.integers(1, k, size=n)) % k
    x = strengths[i] - strengths[j] + order
    odds = np.stack([np.exp(x / 2), np.exp(-x / 2), np.full(n, nu)], axis=1)
    ends = np.cumsum(odds / odds.sum(axis=1, keepdims=True), axis=1)
    at = (rng.random(n)[:, None] > ends).sum(axis=1)
    return i, j, np.array([1.0, 0.0, 0.5])[at]


def davidson_likelihood(values, i, j, outcome, weights):
    """The definition, in one line of the paper: win : tie : loss."""
    strengths, log_nu, order = np.r_[0.0, values[:-2]], values[-2], values[-1]
    x = strengths[i] - strengths[j] + order
    odds = {1.0: x / 2, 0.0: -x / 2, 0.5: np.full(x.shape, log_nu)}
    total = np.logaddexp.reduce(list(odds.values()), axis=0)
    chosen = np.select([outcome == key for key in odds], list(odds.values()))
    return -float((weights * (chosen - total)).sum())


def test_a_general_optimiser_finds_the_same_estimate_in_bradley_terry():
    i, j, outcome = drawn(400, 5, seed=1)
    weights = np.random.default_rng(2).uniform(0.5, 2.0, 400)
    result = fc.bradley_terry(i, j, outcome, order_effect=True, anchor="0", sample_weight=weights)
    at = np.array([*result.strengths[1:], result.log_tie, result.order_effect])
    best = minimize(davidson_likelihood, 0.0 * at, (i, j, outcome, weights), tol=1e-12)
    assert_allclose(at, best.x, atol=1e-5)
    assert davidson_likelihood(at, i, j, outcome, weights) <= best.fun + 1e-9
    assert_allclose(result.log_likelihood, -best.fun, rtol=1e-9)


def test_the_sandwich_is_the_definition_in_bradley_terry():
    """H^-1 (sum_g S_g S_g') H^-1 G / (G - 1), each battle's score and information written out."""
    i, j, outcome = drawn(300, 4, seed=3)
    rng = np.random.default_rng(4)
    weights, groups = rng.uniform(0.5, 2.0, 300), rng.integers(25, size=300)
    options = {"order_effect": True, "anchor": "0", "sample_weight": weights}
    result = fc.bradley_terry(i, j, outcome, groups=groups, method="cr1", **options)
    rows = np.zeros((300, 6))  # what x is made of: strengths, log nu, order
    rows[np.arange(300), i], rows[np.arange(300), j], rows[:, 5] = 1.0, -1.0, 1.0
    x = rows @ [*result.strengths, 0.0, result.order_effect]
    odds = np.stack([np.exp(x / 2), np.exp(-x / 2), np.full(300, result.tie_parameter)])
    chances = odds / odds.sum(axis=0)
    tie = np.eye(6)[4]
    counted = np.stack([0.5 * rows, -0.5 * rows, np.tile(tie, (300, 1))])  # of each outcome
    expected = np.einsum("on,onp->np", chances, counted)
    away = counted - expected
    information = np.einsum("n,on,onp,onq->pq", weights, chances, away, away)[1:, 1:]
    observed = np.select([outcome[:, None] == o for o in (1.0, 0.0)], counted[:2], tie)
    scores = (weights[:, None] * (observed - expected))[:, 1:]
    sums = np.stack([scores[groups == g].sum(axis=0) for g in range(25)])
    inverse = np.linalg.inv(information)
    want = {"cluster": 25 / 24 * inverse @ sums.T @ sums @ inverse}
    want["battle"] = inverse @ scores.T @ scores @ inverse
    by_battle = fc.bradley_terry(i, j, outcome, **options)
    for found, kind in ((result, "cluster"), (by_battle, "battle")):
        assert_allclose(found.covariance[1:, 1:], want[kind][:3, :3], rtol=1e-9)
        assert_allclose(errors(found), np.sqrt(np.diag(want[kind])), rtol=1e-9)
        assert kind in found.method


def test_pairs_test_the_differences():
    i, j, outcome = drawn(500, 4, seed=5)
    result = fc.bradley_terry(i, j, outcome, groups=np.arange(500) % 20)
    pairs = result.pairwise(correction="holm")
    for p, (one, other) in enumerate(pairs.pairs):
        moved = fc.bradley_terry(i, j, outcome, groups=np.arange(500) % 20, anchor=other)
        at = moved.names.index(one)
        assert_allclose(pairs.estimate[p], moved.strengths[at], rtol=1e-10)
        assert_allclose(pairs.standard_error[p], moved.standard_error[at], rtol=1e-9)
        assert_allclose(pairs.df[p], moved.df[at], rtol=1e-9)
        low, high = moved.confidence_interval()
        assert_allclose([ends[p] for ends in pairs.confidence_interval()], [low[at], high[at]])
    assert_allclose(pairs.adjusted_pvalue, fc.adjust_pvalues(pairs.pvalue, method="holm"))
    best = result.names[int(np.argmax(result.strengths))]
    assert "a" in fc.compact_letters(pairs)[best]
    wide = pairs.confidence_interval(simultaneous=True)
    assert (wide.high > pairs.confidence_interval().high).all()


def slow_cr2(i, j, outcome, groups, result, contrast):
    """CR2 and its degrees of freedom with every row written out: two a battle, s and t."""
    k, n = len(result.names), len(i)
    table = np.zeros((n, 2, k + 1))  # d of the logits of s and t by strengths 1 .., log nu, order
    every = np.arange(n)
    rows = np.zeros((n, k))
    rows[every, i], rows[every, j] = 1.0, -1.0
    table[:, 0, : k - 1], table[:, 0, k], table[:, 1, k - 1] = rows[:, 1:], 1.0, 1.0
    x = rows @ result.strengths + result.order_effect
    odds = np.stack([np.exp(x / 2), np.exp(-x / 2), np.full(n, result.tie_parameter)])
    chances = (odds / odds.sum(axis=0)).T
    counted = np.array([[0.5, 0.0], [-0.5, 0.0], [0.0, 1.0]])  # s and t of each outcome
    mean = chances @ counted
    spread = np.einsum("no,oa,ob->nab", chances, counted, counted)
    values, vectors = np.linalg.eigh(spread - mean[:, :, None] * mean[:, None])
    roots = (vectors * np.sqrt(values)[:, None]) @ np.swapaxes(vectors, 1, 2)
    seen = counted[np.select([outcome == 1.0, outcome == 0.0], [0, 1], 2)]
    e = np.linalg.solve(roots, (seen - mean)[:, :, None]).reshape(-1)
    design, label = (roots @ table).reshape(2 * n, -1), np.repeat(groups, 2)
    inverse = np.linalg.inv(design.T @ design)
    rest = np.eye(2 * n) - design @ inverse @ design.T
    variance, columns = 0.0, []
    for g in np.unique(groups):
        own = np.flatnonzero(label == g)
        values, vectors = np.linalg.eigh(rest[np.ix_(own, own)])
        moved = vectors @ ((vectors.T @ (design[own] @ inverse @ contrast)) / np.sqrt(values))
        variance += (moved @ e[own]) ** 2
        columns.append(rest[:, own] @ moved)
    q = np.array(columns) @ np.array(columns).T
    return variance, np.trace(q) ** 2 / np.square(q).sum()


@pytest.mark.slow
def test_clusters_of_unequal_sizes_have_cr2_with_its_degrees_of_freedom_in_bradley_terry():
    i, j, outcome = drawn(150, 4, seed=12)
    groups = np.repeat(np.arange(7), [60, 5, 9, 16, 20, 10, 30])
    result = fc.bradley_terry(i, j, outcome, groups=groups, anchor="0", order_effect=True)
    pairs = result.pairwise(correction="none")
    for p, (one, other) in enumerate(((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))):
        contrast = (np.eye(5)[one - 1] if one else np.zeros(5)) - np.eye(5)[other - 1]
        variance, df = slow_cr2(i, j, outcome, groups, result, contrast)
        assert_allclose([pairs.standard_error[p] ** 2, pairs.df[p]], [variance, df], rtol=1e-8)
        t = pairs.estimate[p] / variance**0.5
        assert_allclose(pairs.pvalue[p], 2.0 * stats.t.sf(abs(t), df), rtol=1e-7)
    error, df = slow_cr2(i, j, outcome, groups, result, np.eye(5)[4])
    assert_allclose(result.order_effect_standard_error**2, error, rtol=1e-8)
    want = 2.0 * stats.t.sf(abs(result.order_effect) / error**0.5, df)
    assert_allclose(result.order_effect_pvalue, want, rtol=1e-7)
    reach = result.strengths - result.confidence_interval().low
    assert_allclose(reach[1:], stats.t.ppf(0.975, result.df[1:]) * result.standard_error[1:])
    assert (reach[0], result.df[0]) == (0.0, math.inf)  # the anchor's


def test_two_models_in_clusters_are_a_mean_of_wins():
    rng = np.random.default_rng(3)
    groups, won = np.repeat(np.arange(6), [30, 4, 8, 2, 10, 6]), rng.integers(2, size=60)
    result = fc.bradley_terry(["a"] * 60, ["b"] * 60, won, groups=groups, anchor="b")
    mean = fc.mean_interval(won + 0.0, groups=groups)
    slope = mean.estimate * (1.0 - mean.estimate)
    assert_allclose(result.standard_error[0], mean.standard_error / slope, rtol=1e-9)
    assert_allclose(result.df, mean.df, rtol=1e-9)


def test_what_one_cluster_alone_tells_has_no_error_in_bradley_terry():
    i, j, outcome = drawn(200, 3, seed=2)
    alone = np.tile([3, 0], 20), np.tile([0, 3], 20), np.tile([1.0, 1.0, 0.0], 14)[:40]
    i, j, outcome = (np.r_[one, more] for one, more in zip((i, j, outcome), alone, strict=True))
    groups = np.r_[np.arange(200) % 10, np.full(40, 10)]
    with pytest.warns(fc.UndefinedResultWarning, match="too_few_clusters"):
        result = fc.bradley_terry(i, j, outcome, groups=groups, ties=None)
    pairs = result.pairwise(correction="holm")
    third = np.array(["3" in pair for pair in pairs.pairs])
    assert (np.isnan(pairs.pvalue) == third).all()
    assert (np.isnan(pairs.standard_error) == third).all()


def falsely_apart(k, judges, trials):
    """How often any pair of equal models differs at 5%, in clusters of lognormal sizes."""
    rng, count = np.random.default_rng(k), 0
    for _ in range(trials):
        sizes = np.ceil(rng.lognormal(np.log(5), 1, judges)).astype(int)
        groups = np.repeat(np.arange(judges), sizes)
        i = rng.integers(k, size=groups.size)
        j = (i + rng.integers(1, k, size=groups.size)) % k
        taste = rng.normal(0.0, 0.7, (judges, k))
        won = rng.random(groups.size) * (1.0 + np.exp(taste[groups, j] - taste[groups, i])) < 1.0
        found = fc.bradley_terry(i, j, won, groups=groups, on_undefined="ignore")
        count += np.nanmin(found.pairwise().adjusted_pvalue, initial=1.0) < 0.05
    return count / trials


@pytest.mark.slow
@pytest.mark.parametrize(("k", "judges"), [(2, 30), (5, 30), (2, 8), (5, 8)])
def test_the_level_holds_in_unequal_clusters_in_bradley_terry(k, judges):
    assert falsely_apart(k, judges, 300) <= 0.05 + 2.5 * (0.05 * 0.95 / 300) ** 0.5


@pytest.mark.slow
def test_pairs_go_by_the_largest_statistic_in_bradley_terry():
    """The share of draws of normal strengths whose largest |z| is as large as that of a pair."""
    i, j, outcome = drawn(400, 4, seed=8, log=0.3)
    result = fc.bradley_terry(i, j, outcome)
    pairs = result.pairwise()
    first, second = np.triu_indices(4, 1)
    draws = np.random.default_rng(0).multivariate_normal(np.zeros(4), result.covariance, 200_000)
    largest = np.abs((draws[:, first] - draws[:, second]) / pairs.standard_error).max(axis=1)
    want = (largest[:, None] >= np.abs(pairs.statistic)).mean(axis=0)
    assert_allclose(pairs.adjusted_pvalue, want, atol=0.005)
    low, high = pairs.confidence_interval(simultaneous=True)
    width = (high - low) / 2 / pairs.standard_error
    assert_allclose(width, np.quantile(largest, 0.95), rtol=0.01)
    stepped = result.pairwise(correction="step-down").adjusted_pvalue
    assert (stepped <= pairs.adjusted_pvalue + 1e-4).all()


def test_ranks_are_sure_where_battles_are_many_in_bradley_terry():
    i, j, outcome = drawn(4000, 4, seed=9, log=2.0)
    result = fc.bradley_terry(i, j, outcome)
    ranks = 1 + (result.strengths[:, None] < result.strengths).sum(axis=1)
    assert_allclose(result.rank_sets(), [ranks, ranks])
    assert {ends.dtype.kind for ends in result.rank_sets()} == {"i"}
    few = fc.bradley_terry(i[:60], j[:60], outcome[:60], groups=np.arange(60) % 12)
    low, high = few.rank_sets(0.9)
    found = 1 + (few.strengths[:, None] < few.strengths).sum(axis=1)
    assert (low <= found).all()
    assert (found <= high).all()
    assert (high - low).sum() > 0
    assert (few.rank_sets(0.99).high >= high).all()


def test_chances_are_those_of_the_model_in_bradley_terry():
    i, j, outcome = drawn(500, 4, seed=6)
    result = fc.bradley_terry(i, j, outcome)
    gap = result.strengths[:, None] - result.strengths
    odds = np.exp(gap / 2), np.exp(-gap / 2), np.full(gap.shape, result.tie_parameter)
    assert_allclose(result.win_probability, odds[0] / sum(odds), rtol=1e-12)
    assert_allclose(result.tie_probability, odds[2] / sum(odds), rtol=1e-12)
    assert_allclose(result.elo, 400.0 / math.log(10.0) * result.strengths)
    low, high = result.confidence_interval(0.9, scale="elo")
    assert_allclose(
        (high - low) / 2 / 173.7177927613007, 1.6448536269514722 * result.standard_error
    )


def test_results_are_pickled_and_tell_themselves_in_bradley_terry():
    result = fc.bradley_terry(*battles_of_b(), order_effect=True)
    copied = pickle.loads(pickle.dumps(result))
    assert copied.to_dict() == result.to_dict()
    assert "Of 3 models in 18 battles (5 ties) a is the strongest" in result.summary()
    assert result.order_effect == pytest.approx(-0.3260, abs=5e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "one_order")
        left = fc.bradley_terry(*battles_of_b(), ties=None)
    assert (left.n, left.n_ties, left.n_dropped) == (13, 5, 0)
    nobody_tied = fc.bradley_terry(["x", "y"], ["y", "x"], ["a", "a"])
    assert nobody_tied.tie_parameter == 0.0
    assert "x beats y with probability 0.5000 (difference" in nobody_tied.summary()


def test_battles_in_one_order_only_are_warned_of_in_bradley_terry():
    won = np.arange(30) % 3 > 0
    with pytest.warns(fc.DesignWarning, match="one_order: the same model is shown first"):
        found = fc.bradley_terry(["x"] * 30, ["y"] * 30, won)
    assert "cannot be separated from an advantage of being shown first" in found.summary()
    turned = np.where(np.arange(30) % 2, "x", "y")
    both = fc.bradley_terry(turned, np.where(turned == "x", "y", "x"), won)
    few = fc.bradley_terry(["x", "y", "z", "x"], ["y", "z", "x", "y"], [1, 1, 1, 0])
    assert both.status == few.status == "ok"
