"""Leaderboards: ranks of R's csranks, tasks of R's survey, resampling, laws, pictures, bad inputs.

Golden numbers: tests/golden/items/k_models.json and task_groups.json.
"""

import json
import pickle

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import pyplot as plt
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from tests.shared.golden_files import GOLDEN
from tests.shared.pictures import are_apart, closed_figures, extents

__all__ = ["closed_figures"]

CASES = json.loads((GOLDEN / "items" / "k_models.json").read_text())["cases"]
COMPLETE = [c for c in CASES if "rank_sets_minp" in c["expected"]]
TASKS = json.loads((GOLDEN / "items" / "task_groups.json").read_text())["cases"]
TASKS = [c for c in TASKS if "a_macro_stratified" in c["expected"]]
compiled = pytest.mark.skipif(numba.config.DISABLE_JIT, reason="many examples")
NAMES = ("tree", "forest", "boosting", "neighbours")


def drawn_scores(n=60, seed=1, gaps=(0.0, 0.3, 1.6, 1.0)):
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n, 1)) + rng.normal(size=(n, len(gaps))) + np.array(gaps)
    return dict(zip(NAMES, scores.T, strict=False))


def ranked(case, **options):
    table = np.array(case["inputs"]["scores"])
    named = {f"m{j}": column for j, column in enumerate(table.T)}
    options = {"method": "t", **options}
    result = fc.leaderboard(named, groups=case["inputs"]["cluster"], **options)
    return result, [result.names.index(name) for name in named]


@pytest.mark.slow
@pytest.mark.parametrize("case", COMPLETE, ids=lambda c: c["id"])
def test_rank_sets_are_those_of_csranks_in_leaderboard(case):
    result, order = ranked(case, correction="max-t")
    expected = case["expected"]["rank_sets_minp"]
    joint = expected["joint_two_sided_stepdown"]
    assert_array_equal(result.rank[order], expected["rank"])
    assert_array_equal(result.rank_low[order], joint["L"])
    assert_array_equal(result.rank_high[order], joint["U"])
    for tau in (1, 2):
        best = [f"m{j}" in result.best(tau) for j in range(len(order))]
        assert best == expected[f"tau_best_{tau}"]
    for alternative, side in (("two-sided", "two_sided"), ("less", "lower"), ("greater", "upper")):
        wanted = expected[f"marginal_{side}_stepdown"]
        one, _ = ranked(case, alternative=alternative, correction="max-t")
        sets = [one.rank_set(f"m{j}") for j in range(len(order))]
        assert sets == list(zip(wanted["L"], wanted["U"], strict=True))
        holm, _ = ranked(case, alternative=alternative, correction="holm")
        for low, high in map(holm.rank_set, holm.names):
            assert 1 <= low <= high <= len(order)


def test_few_clusters_are_judged_by_holms_tests_of_single_pairs():
    """The definition: claims in order of their p-values, against alpha / (claims that are left)."""
    rng = np.random.default_rng(4)
    table, groups = rng.normal([0.0, 0.6, 0.7, 1.4, 2.0], size=(40, 5)), np.arange(40) % 10
    result = fc.leaderboard(table, groups=groups)
    assert (result.correction, result.method) == ("holm", "Holm's t-tests of all pairs")
    columns = table[:, [int(name[-1]) - 1 for name in result.names]]
    claims = {
        (i, j): fc.paired_mean_test(
            columns[:, i], columns[:, j], groups=groups, alternative="greater"
        ).pvalue
        for i in range(5)
        for j in range(5)
        if i != j
    }
    wanted = np.zeros((5, 5), bool)
    for step, cell in enumerate(sorted(claims, key=claims.get)):
        if claims[cell] > 0.05 / (20 - step):
            break
        wanted[cell] = True
    assert 2 < wanted.sum() < 10
    assert_array_equal(result.above, wanted)
    pairs = fc.mean_pairwise_test(table, groups=groups)
    assert pairs.correction == "shaffer"
    assert_allclose(
        pairs.adjusted_pvalue, fc.adjust_pvalues(pairs.pvalue, method="shaffer"), rtol=1e-12
    )
    wide = fc.mean_pairwise_test(table, groups=groups).confidence_interval(simultaneous=True)
    assert_allclose(wide, pairs.confidence_interval(1 - 0.05 / 10), rtol=1e-9)
    wide = result.confidence_interval(simultaneous=True)
    assert_allclose(wide, result.confidence_interval(1 - 0.05 / 5), rtol=1e-9)


@pytest.mark.parametrize(
    ("n", "k", "word"), [(51, 3, "max-t"), (50, 3, "holm"), (60, 20, "holm"), (3, 2, "max-t")]
)
def test_correlations_count_where_they_are_known(n, k, word):
    table = np.random.default_rng(0).normal(size=(n, k))
    assert fc.leaderboard(table, on_undefined="ignore").correction == word
    one_sided = fc.mean_pairwise_test(table, alternative="less", on_undefined="ignore")
    assert one_sided.correction == word
    assert fc.mean_pairwise_test(table, method="mvt", on_undefined="ignore").correction == "max-t"


@pytest.mark.parametrize("case", TASKS, ids=lambda c: c["id"])
@pytest.mark.parametrize(("weight", "word"), [(None, "macro"), ("items", "micro")])
def test_means_over_tasks_are_those_of_survey_in_leaderboard(case, weight, word):
    given = case["inputs"]
    groups = {"groups": given["cluster"]} if "cluster" in given else {}
    table = {"a": given["a"], "b": given["b"]}
    result = fc.leaderboard(table, task=given["task"], task_weight=weight, **groups)
    wanted, j = case["expected"][f"a_{word}_stratified"], result.names.index("a")
    assert_allclose(result.means[j], wanted["estimate"], rtol=1e-12)
    assert_allclose(result.standard_error[j], wanted["se"], rtol=1e-10)
    assert result.df == wanted["df"]
    assert result.average == ("tasks" if word == "macro" else "items")
    assert result.n_tasks == len({*given["task"]})


def test_check_values_of_means_over_tasks_in_leaderboard():
    d = [0.2, -0.1, 0.3, 0.0, 0.1, 0.4, -0.2, 0.1, 0.0, 0.2]
    task = ["first"] * 6 + ["last"] * 4
    for weight, mean, error in (("items", 0.1, 0.05715476), (None, 0.0875, 0.05728220)):
        result = fc.leaderboard({"d": d, "zero": np.zeros(10)}, task=task, task_weight=weight)
        assert_allclose((result.means[0], result.standard_error[0]), (mean, error), rtol=1e-6)
    weights = {"first": 6, "last": 4}
    pooled = fc.leaderboard({"d": d, "zero": np.zeros(10)}, task=task, task_weight=weights)
    assert_allclose(pooled.means[0], 0.1, rtol=1e-12)


def test_a_leaderboard_says_what_its_pairs_say():
    scores = drawn_scores()
    result = fc.leaderboard(scores)
    pairs = fc.mean_pairwise_test({name: scores[name] for name in result.names})
    assert (result.names[0], result.rank.tolist()) == ("boosting", [1, 2, 3, 4])
    apart = pairs.matrix("adjusted_pvalue") <= 0.05
    assert (result.above | result.above.T)[apart].all()  # step-down tells at least as many
    assert_array_equal(result.rank_low, 1 + result.above.sum(axis=0))
    assert_array_equal(result.rank_high, 4 - result.above.sum(axis=1))
    together = {frozenset(pair) for group in result.groups for pair in np.array(group)[:, None]}
    assert together == {frozenset([name]) for name in NAMES}
    for i, one in enumerate(result.letters):
        for j, other in enumerate(result.letters):
            differ = result.above[i, j] or result.above[j, i]
            assert differ == (not set(one) & set(other))
    low, high = result.confidence_interval()
    wide_low, wide_high = result.confidence_interval(simultaneous=True)
    assert ((wide_low < low) & (low < result.means)).all()
    assert ((wide_high > high) & (high > result.means)).all()
    found = json.loads(json.dumps(result.to_dict()))
    assert found["rank_low"] == result.rank_low.tolist()
    assert len(found["confidence_interval"][0]) == 4
    assert_array_equal(pickle.loads(pickle.dumps(result)).rank_high, result.rank_high)
    assert "boosting has the highest mean score of 4 models" in result.summary()


def test_lower_scores_may_be_better_in_leaderboard():
    scores = drawn_scores()
    losses = {name: -column for name, column in scores.items()}
    result, turned = fc.leaderboard(scores), fc.leaderboard(losses, higher_is_better=False)
    assert turned.names == result.names
    assert_allclose(turned.means, -result.means, rtol=1e-12)
    for field in ("rank", "rank_low", "rank_high", "above"):
        assert_array_equal(getattr(turned, field), getattr(result, field))
    assert turned.rank_set(0) == result.rank_set(0)
    assert "lowest" in turned.summary()


def test_one_sided_leaderboards_bound_ranks_on_one_side():
    scores = drawn_scores()
    both = fc.leaderboard(scores)
    greater = fc.leaderboard(scores, alternative="greater")
    less = fc.leaderboard(scores, alternative="less")
    assert_array_equal(greater.rank_low, 1)
    assert_array_equal(greater.rank_high, both.rank_high)
    assert_array_equal(less.rank_high, 4)
    assert_array_equal(less.rank_low, both.rank_low)
    assert (greater.confidence_interval().high == np.inf).all()
    assert_allclose(less.confidence_interval().high, both.confidence_interval(0.9).high)


@pytest.mark.parametrize(
    "linked", [{}, {"groups": np.arange(200) // 4}, {"task": np.arange(200) % 2}]
)
def test_bootstraps_agree_with_formulas_for_many_clusters_in_leaderboard(linked, requires_jit):
    scores = drawn_scores(200)
    drawn = fc.leaderboard(scores, method="bootstrap", n_resamples=1999, rng=1, **linked)
    found = fc.leaderboard(scores, **linked)
    assert_allclose(drawn.standard_error, found.standard_error, rtol=0.1)
    assert_allclose(drawn.confidence_interval(), found.confidence_interval(), atol=0.03)
    wide, wider = (one.confidence_interval(simultaneous=True) for one in (drawn, found))
    assert_allclose(wide, wider, atol=0.05)
    assert_array_equal(drawn.rank_low, found.rank_low)
    assert_array_equal(drawn.rank_high, found.rank_high)
    assert (drawn.rank_set(0), drawn.n_resamples) == (found.rank_set(0), 1999)
    again = fc.leaderboard(scores, method="bootstrap", n_resamples=1999, rng=1, n_jobs=2, **linked)
    assert_array_equal(again.standard_error, drawn.standard_error)


def test_replicates_are_means_of_the_draws_of_one_model():
    scores = drawn_scores(20)
    few = {"method": "bootstrap", "n_resamples": 99, "rng": 3}
    table = fc.leaderboard(scores, **few)
    one = fc.paired_mean_test(scores["boosting"], keep=True, **few)
    draws = table._model_means.draws[0] + table.means[0]
    assert_allclose(np.sort(draws), np.sort(one.distribution), rtol=1e-12)


@compiled
@settings(deadline=None, max_examples=10)
@given(seed=st.integers(0, 999))
def test_laws_of_leaderboards(seed):
    rng = np.random.default_rng(seed)
    table, groups = rng.normal(size=(30, 4)) + rng.normal(size=4), rng.integers(0, 9, 30)
    quiet = {"on_undefined": "ignore"}
    result = fc.leaderboard(table, groups=groups, **quiet)
    models, items = rng.permutation(4), rng.permutation(30)
    names = [f"model {j + 1}" for j in models]
    shuffled = dict(zip(names, table[items][:, models].T, strict=True))
    again = fc.leaderboard(shuffled, groups=groups[items], **quiet)
    assert again.names == result.names
    assert_array_equal(again.rank_low, result.rank_low)
    assert_array_equal(again.rank_high, result.rank_high)
    assert ((result.rank_low <= result.rank) & (result.rank <= result.rank_high)).all()
    for alpha in (0.01, 0.2):
        other = fc.leaderboard(table, groups=groups, alpha=alpha, **quiet)
        assert (
            (other.rank_high - other.rank_low >= result.rank_high - result.rank_low).all()
            if alpha < 0.05
            else (other.above >= result.above).all()
        )


@pytest.mark.slow
@compiled
def test_few_of_many_leaderboards_of_equal_models_are_wrong():
    rng, wrong, trials = np.random.default_rng(11), 0, 150
    groups = np.repeat(np.arange(10), 5)
    for _ in range(trials):
        cluster = rng.normal(size=(10, 5))[groups]
        scores = np.sqrt(0.3) * cluster + np.sqrt(0.7) * rng.normal(size=(50, 5))
        wrong += fc.leaderboard(scores, groups=groups).above.any()
    assert wrong <= 0.05 * trials + 3 * np.sqrt(0.05 * 0.95 * trials)


def test_equal_models_share_a_rank_and_are_never_told_apart_in_leaderboard():
    column = [1.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    result = fc.leaderboard({"a": column, "b": column, "c": np.zeros(6)})
    assert result.rank.tolist() == [1, 1, 3]
    assert not result.above[0, 1]
    assert not result.above[1, 0]
    with pytest.warns(fc.UndefinedResultWarning, match="too_few_clusters"):
        none = fc.leaderboard({"a": column, "b": np.zeros(6)}, groups=np.zeros(6))
    assert none.rank_high.tolist() == [2, 2]
    assert np.isnan(none.confidence_interval()).all()


@pytest.mark.parametrize("size", [None, (3.4, 1.6)])
def test_pictures_hold_long_names_ranks_and_letters(size):
    names = [f"{name}-with-a-name-of-forty-three-characters"[:43] for name in NAMES]
    result = fc.leaderboard(dict(zip(names, drawn_scores().values(), strict=True)))
    ax = None
    if size is not None:
        figure = plt.figure(figsize=size)
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax = result.plot(ax=ax)
    words = [text.get_text() for text in ax.texts]
    assert set(names) < set(words)
    assert "1\u20132" in words
    boxes = extents([text for text in ax.texts if text.get_text()])
    assert are_apart(boxes)
    frame = ax.get_window_extent()
    assert (boxes[:, 0] >= frame.x0).all()
    assert (boxes[:, 2] <= frame.x1 + 1).all()
    assert sum((line.get_gid() or "").startswith("model") for line in ax.lines) == 4
    with pytest.raises(fc.InvalidTypeError, match="Pass the result of leaderboard"):
        fc.plots.leaderboard(fc.mean_covariance(drawn_scores()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"task_weight": "items"}, "`task_weight` needs `task`"),
        ({"task": ["x"] * 60, "task_weight": {"y": 1.0}}, "'x' is in only one of the two"),
        (
            {"task": ["x"] * 60, "task_weight": {"x": 0.0}},
            "`task_weight` must contain finite weights",
        ),
        ({"task": ["x"] * 60, "task_weight": "tasks"}, "`task_weight`"),
        ({"task": ["x"] * 60, "task_weight": [1.0]}, "`task_weight` must be a mapping"),
        ({"task": ["x"] * 3}, "`task` must have one value for each of the 60"),
        ({"nan_policy": "pairwise"}, "`nan_policy`"),
        ({"method": "bca"}, "`method`"),
        ({"correction": "shaffer"}, "`correction` must be one of 'auto', 'max-t', 'holm'"),
        ({"correction": "holm", "method": "bootstrap"}, "`correction` must be 'auto' or 'max-t'"),
        ({"groups": np.ones((60, 2)), "method": "bootstrap"}, "`groups` must be 1-d"),
        ({"groups": np.ones((60, 2)), "task": ["x"] * 60}, "`groups` must be 1-d with strata"),
    ],
)
def test_bad_options_are_named_in_leaderboard(options, message):
    with pytest.raises(fc.FastCompareError, match=message):
        fc.leaderboard(drawn_scores(), **options)


def test_a_task_without_items_is_named_in_leaderboard():
    scores = {"a": [1.0, np.nan, 1.0], "b": [0.0, 1.0, 0.0]}
    with (
        pytest.warns(fc.DroppedCasesWarning),
        pytest.raises(fc.InvalidValueError, match="`task` must have an item of each task"),
    ):
        fc.leaderboard(scores, task=["x", "y", "x"], nan_policy="omit")
    with pytest.raises(fc.InvalidValueError, match="`tau`"):
        fc.leaderboard(drawn_scores()).best(0)


ANSWERS = {
    "a": [1, 0, 1, 1, 0, 1, 1, 1],
    "b": [1, 1, 1, 1, 1, 1, 1, 1],
    "c": [0, 0, 1, 0, 1, 0, 0, 0],
}
LINKED = {
    "items": {},
    "clusters": {"groups": [1, 1, 1, 2, 2, 3, 3, 4]},
    "samples": {"groups": None},
    "weights": {"sample_weight": [1, 2, 3, 1, 2, 3, 1, 2]},
    "tasks": {"task": [1, 1, 1, 2, 2, 2, 2, 2]},
    "bootstrap": {"method": "bootstrap", "n_resamples": 99, "rng": 1},
}


@pytest.mark.parametrize("kind", LINKED)
def test_intervals_of_right_and_wrong_answers_stay_inside(kind):
    quiet = {**LINKED[kind], "on_undefined": "ignore"}
    given = {name: np.array(own, float) for name, own in ANSWERS.items()}
    if kind == "samples":  # an item with two samples is a cluster of two answers
        given = {name: own.reshape(4, 2) for name, own in given.items()}
    result = fc.leaderboard(given, **quiet)
    for together in (False, True):
        low, high = result.confidence_interval(simultaneous=together)
        assert low.min() >= 0.0
        assert high.max() <= 1.0
        assert low[0] < high[0] == 1.0
    greater = fc.leaderboard(given, alternative="greater", **quiet).confidence_interval()
    assert (greater.high == 1.0).all()
    turned = {name: 1.0 - own for name, own in given.items()}
    other = fc.leaderboard(turned, **quiet, higher_is_better=False).confidence_interval()
    if kind != "bootstrap":
        assert_allclose(other.low, 1.0 - result.confidence_interval().high, atol=1e-12)
    if kind in ("items", "clusters", "samples"):
        groups = np.repeat(np.arange(4), 2) if kind == "samples" else quiet.get("groups")
        for j, name in enumerate(result.names):
            if kind == "samples" and name == "b":  # all alike: as many as there are items
                continue
            own = fc.accuracy_interval(correct=ANSWERS[name], groups=groups, on_undefined="ignore")
            ends = [end[j] for end in result.confidence_interval()]
            assert_allclose(ends, own.confidence_interval(), rtol=1e-12)


def test_intervals_of_pairs_and_covariances_are_those_of_leaderboards():
    table = np.array(list(ANSWERS.values()), float).T
    low, high = fc.leaderboard(table).confidence_interval()
    for result in (fc.mean_pairwise_test(table), fc.mean_covariance(table)):
        own = result.to_frame("pandas", of="models").sort_values("ci_high", ascending=False)
        assert_allclose(own[["ci_low", "ci_high"]], np.transpose([low, high]))
    other = fc.leaderboard(table + 1.0).confidence_interval()
    assert np.isnan([other.low[0], other.high[0]]).all()  # equal scores, no shares of answers
    assert other.high[1] > 2.0
    half = fc.leaderboard(np.tile([[[1.0, 0.0], [1.0, 1.0]]], (6, 1, 1)), on_undefined="ignore")
    assert_array_equal(np.isnan(half.confidence_interval().low), [False, True])
    apart = fc.leaderboard(
        {"a": [1, 0, 1, 0], "b": [1, 0, 0, 0]}, groups=[1, 1, 2, 2], on_undefined="ignore"
    )
    assert np.isnan(apart.confidence_interval().low[0])
    assert "CI" not in apart.summary()


@pytest.mark.parametrize("method", ["t", "bootstrap"])
@pytest.mark.parametrize("k", [2, 10])
@pytest.mark.usefixtures("requires_jit")
def test_models_that_are_always_right_count_among_simultaneous_intervals(method, k):
    table = np.ones((100, k))
    table[:, -1] = np.arange(100) % 9 > 0
    drawn = {"method": method, "n_resamples": 99, "rng": 1} if method == "bootstrap" else {}
    result = fc.leaderboard(table, **drawn, on_undefined="ignore")
    together = result.confidence_interval(simultaneous=True)
    own = fc.accuracy_interval(correct=np.ones(100))
    assert_allclose(together.low[:-1], own.confidence_interval(1 - 0.05 / k).low, rtol=1e-12)
    assert_allclose(result.confidence_interval().low[:-1], own.confidence_interval().low)
    assert "Wilson's method" in result.summary()
