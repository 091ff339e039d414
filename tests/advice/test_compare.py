"""One call for what is held: its kind is told, or asked for; the right tests run in their order."""

import copy
import json
import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.stats import rankdata

import fastcompare as fc

DATA = fc.load_predictions()
TWO = {name: DATA.scores[name] for name in ("random_forest", "decision_tree")}
ROUNDS = fc.load_fold_scores()
SIZES = {"n_train": ROUNDS.n_train, "n_test": ROUNDS.n_test}
TASKS = fc.load_dataset_scores()
RNG = np.random.default_rng(7)
ITEMS = RNG.integers(0, 2, (60, 1)) * 0.5 + RNG.random((60, 3)) * [0.4, 0.5, 0.9]
HELD = {  # what is handed over, the kind, and the tests by the functions of which they are results
    "scores": (
        (DATA.y_true, TWO),
        {"kind": "scores"},
        lambda: [fc.delong_test(DATA.y_true, TWO)],
    ),
    "scores of several": (
        (DATA.y_true, DATA.scores),
        {"kind": "scores"},
        lambda: [
            fc.delong_omnibus_test(DATA.y_true, DATA.scores),
            fc.delong_pairwise_test(DATA.y_true, DATA.scores),
        ],
    ),
    "labels": (
        (DATA.y_true, *(score > 0.5 for score in TWO.values())),
        {},
        lambda: [fc.mcnemar_test(DATA.y_true, *(score > 0.5 for score in TWO.values()))],
    ),
    "labels of several": (
        (DATA.y_true, {name: score > 0.5 for name, score in DATA.scores.items()}),
        {},
        lambda: [
            test(DATA.y_true, {name: score > 0.5 for name, score in DATA.scores.items()})
            for test in (fc.cochran_q_test, fc.mcnemar_pairwise_test)
        ],
    ),
    "probabilities": (
        (DATA.y_true, TWO),
        {"kind": "probabilities"},
        lambda: [fc.scoring_test(DATA.y_true, TWO)],
    ),
    "probabilities of several": (
        (DATA.y_true, DATA.scores),
        {"kind": "probabilities"},
        lambda: [
            fc.mean_omnibus_test({n: (p - DATA.y_true) ** 2 for n, p in DATA.scores.items()}),
            fc.scoring_pairwise_test(DATA.y_true, DATA.scores),
        ],
    ),
    "folds": (
        (ROUNDS,),
        {},
        lambda: [
            fc.rm_anova_test(ROUNDS.scores, **SIZES),
            fc.ttest_corrected_pairwise_test(ROUNDS.scores, **SIZES),
        ],
    ),
    "independent rounds": (
        ({name: TASKS.scores[name] for name in TASKS.names[:2]},),
        {"kind": "folds", "design": "independent"},
        lambda: [fc.ttest_resampled({name: TASKS.scores[name] for name in TASKS.names[:2]})],
    ),
    "independent rounds of several": (
        (ITEMS,),
        {"kind": "folds", "design": "independent"},
        lambda: [fc.rm_anova_test(ITEMS), fc.mean_pairwise_test(ITEMS)],
    ),
    "datasets": (
        (TASKS,),
        {},
        lambda: [fc.friedman_test(TASKS.scores), fc.nemenyi_test(TASKS.scores)],
    ),
    "two on data sets": (
        ({name: TASKS.scores[name] for name in TASKS.names[:2]},),
        {"kind": "datasets"},
        lambda: [fc.wilcoxon_test(*(TASKS.scores[name] for name in TASKS.names[:2]))],
    ),
    "items": (
        (ITEMS,),
        {"kind": "items"},
        lambda: [fc.mean_omnibus_test(ITEMS), fc.mean_pairwise_test(ITEMS)],
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HELD)
def test_the_tests_are_those_that_the_rules_name(name):
    given, options, direct = HELD[name]
    found = fc.compare(*given, **options)
    for test, truth in zip(found.tests.values(), direct(), strict=True):
        assert type(test) is type(truth)
        np.testing.assert_allclose(test.pvalue, truth.pvalue, rtol=1e-9)
    advised = fc.recommend(kind=found.kind, n_models=len(found.names), design=found.design).tests
    run = {"test", "omnibus", "post-hoc"}
    kinds = [type(test).__name__.removesuffix("Result").lower() for test in found.tests.values()]
    named = [
        test.test.replace("_", "").removesuffix("test") for test in advised if test.role in run
    ]
    assert len(kinds) == len(named)
    json.dumps(found.to_dict())
    assert max(map(len, str(found).splitlines())) <= 80
    assert found.summary().count(".") > 0
    again = pickle.loads(pickle.dumps(found))
    assert again.to_dict() == copy.deepcopy(found).to_dict() == found.to_dict()
    values = [model.value for model in found.models]
    assert values == sorted(values, reverse=found.higher_is_better)
    assert "<li>" in found._repr_html_()


def test_pairs_stand_beside_the_test_of_all_unless_a_gate_is_asked_for():
    scores = np.random.default_rng(1).normal(size=(40, 3))
    for kind, more in (("items", {}), ("datasets", {}), ("folds", {"design": "independent"})):
        found = fc.compare(scores, kind=kind, **more)
        assert found.omnibus.pvalue > 0.05
        assert len(found.pairs) == 3
        assert not any(pair.differ for pair in found.pairs)
        assert (
            "the adjustment for multiplicity alone controls the family-wise error rate"
            in found.reasons[-1]
        )
        assert found.summary().startswith(found.omnibus.summary())
        kept = fc.compare(scores, kind=kind, gate=True, **more)
        assert kept.result is kept.omnibus
        assert kept.pairs == ()
        assert "pairs are not compared" in kept.summary()
        bare = {} if kind == "datasets" else {"correction": "none"}
        told = fc.compare(scores, kind=kind, **more, **bare).reasons[-1]
        assert ("controls the family-wise" in told) == (kind == "datasets")
    kept = fc.compare(scores, kind="folds", n_train=90, n_test=10, gate=True)
    assert list(kept.tests) == ["rm_anova_test"]
    assert len(fc.compare(scores, kind="folds", n_train=90, n_test=10).tests) == 2


def test_where_all_and_pairs_tell_different_things_a_sentence_says_so():
    few, noise = (np.random.default_rng(s).normal(size=n) for s, n in ((3, (30, 10)), (0, (60, 8))))
    one = few - few.mean(axis=0) + 0.72 * (np.arange(10) == 0)
    found = fc.compare(one, kind="items")
    assert found.omnibus.pvalue > 0.05 > min(pair.adjusted_pvalue for pair in found.pairs)
    assert "of 45 pairwise tests do: it has less power when few models differ" in found.summary()
    assert found.reasons[-1] in found.summary()
    assert found.reasons[-1] in found.to_dict()["reasons"]
    found = fc.compare(noise - noise.mean(axis=0) + 0.42 * (np.arange(8) % 2), kind="items")
    assert found.omnibus.pvalue < 0.05 < min(pair.adjusted_pvalue for pair in found.pairs)
    assert "no single pair reaches significance" in found.summary()
    bare = fc.compare(one, kind="items", correction="none")
    assert "are not adjusted" in bare.summary()


def test_an_undefined_test_of_all_is_not_said_to_keep_anything():
    scores = dict(zip("abc", np.random.default_rng(1).normal(size=(3, 40)), strict=True))
    found = fc.compare(np.ones(40, int), scores, kind="scores", gate=True, on_undefined="ignore")
    assert "does not reject" not in found.summary()
    assert "omnibus test is undefined" in found.summary()
    assert "nan" not in found.summary()


def test_few_cases_are_tested_by_student_and_that_is_said():
    few = slice(0, 40)
    y, scores = DATA.y_true[few], {name: score[few] for name, score in TWO.items()}
    found = fc.compare(y, scores, kind="scores")
    assert found.result.pvalue == fc.delong_test(y, scores, reference="t").pvalue
    assert any("Student's t" in reason for reason in found.reasons)


def test_rows_are_told_by_the_name_of_the_index():
    for name, kind in (("dataset", "datasets"), ("Fold", "folds"), ("item", "items")):
        frame = pd.DataFrame(ITEMS, columns=list("abc")).rename_axis(name)
        more = {"n_train": 9, "n_test": 1} if kind == "folds" else {}
        found = fc.compare(frame, **more)
        assert found.kind == kind
        assert found.names == ("a", "b", "c")
    assert "the column 'item' names them" in found.decisions[0]


def test_values_tell_the_kind_where_they_can():
    y, forest = DATA.y_true, TWO["random_forest"]
    tree = TWO["decision_tree"]
    words = np.where(y, "ill", "well")
    assert fc.compare(y, np.log(forest + 0.01), tree).kind == "scores"
    assert fc.compare(words, words, np.where(tree > 0.5, "ill", "well")).kind == "labels"
    assert fc.compare(RNG.integers(0, 3, 90), *RNG.integers(0, 3, (2, 90))).kind == "labels"
    frame = pl.DataFrame({"a": forest > 0.5, "b": tree > 0.5})
    assert fc.compare(y, frame).names == ("a", "b")


def test_clusters_and_weights_reach_the_tests():
    groups = np.arange(DATA.y_true.size) // 4
    found = fc.compare(DATA.y_true, TWO, kind="scores", groups=groups)
    assert found.design == "clusters"
    assert found.result.pvalue == fc.delong_test(DATA.y_true, TWO, groups=groups).pvalue
    scores = {"a": ITEMS[:, 0], "b": ITEMS[:, 1]}
    weights = np.arange(1.0, 61.0)
    weighted = fc.compare(scores, kind="items", sample_weight=weights)
    truth = fc.paired_mean_test(scores, sample_weight=weights)
    assert weighted.result.pvalue == truth.pvalue
    weights = np.arange(float(DATA.y_true.size))
    several = fc.compare(DATA.y_true, DATA.scores, kind="scores", sample_weight=weights)
    pairs = fc.delong_pairwise_test(DATA.y_true, DATA.scores, sample_weight=weights)
    assert several.omnibus is None  # which knows no weights
    assert list(several.values.values()) == pairs.auc.tolist()
    assert several.result.adjusted_pvalue.tolist() == pairs.adjusted_pvalue.tolist()


def test_logs_of_evaluations_are_compared_as_they_are_read(tmp_path):
    for name, right in (("a", "101101110"), ("b", "001100100"), ("c", "001100010")):
        rows = "".join(f"q{i},{r}\n" for i, r in enumerate(right))
        (tmp_path / f"{name}.csv").write_text("item,score\n" + rows)
    runs = fc.read_evals(*(tmp_path / f"{name}.csv" for name in "ab"))
    found = fc.compare(runs, on_undefined="ignore")
    assert found.kind == "items"
    assert found.result.pvalue == fc.paired_mean_test(runs.by_model(), on_undefined="ignore").pvalue
    long = pd.DataFrame({"m": ["a", "b"] * 9, "i": np.repeat(range(9), 2), "s": RNG.random(18)})
    items = fc.from_long(long, model="m", item="i", score="s")
    assert fc.compare(items, on_undefined="ignore").kind == "items"


def test_five_by_two_rounds_take_the_combined_test():
    scores = {name: column[:10] for name, column in list(ROUNDS.scores.items())[:2]}
    found = fc.compare(scores, kind="folds", n_train=50, n_test=50, design="5x2cv")
    assert list(found.tests) == ["ftest_5x2cv", "ttest_5x2cv"]
    assert found.pairs[0].pvalue == found.tests["ftest_5x2cv"].pvalue
    values = [model.value for model in found.models]
    assert abs(found.pairs[0].estimate) == pytest.approx(values[0] - values[1])
    assert found.tests["ttest_5x2cv"].names == tuple(scores)
    shown = str(found)  # no difference of the test that is not reported
    assert all(name in shown for name in scores)
    assert f"{found.tests['ttest_5x2cv'].pvalue:.4f}" not in shown
    on_data = fc.compare(scores, kind="datasets", on_undefined="ignore")
    assert on_data.result.names == tuple(scores)
    assert f"{' minus '.join(scores)}" in on_data.summary().replace("\n", " ")


def test_rounds_that_are_not_normal_are_told_and_keep_their_test():
    scores = np.random.default_rng(2).normal(size=(50, 2))
    scores[7, 0] = 40.0
    found = fc.compare(scores, kind="folds", n_train=90, n_test=10)
    assert "depart from normality" in found.checks[-1]
    assert "The t-test is kept" in found.checks[-1]
    assert list(found.tests) == ["ttest_corrected"]


def test_long_names_fit_the_width():
    names = [f"a model of {'very ' * 5}great size, {i:03}" for i in range(3)]
    found = fc.compare(dict(zip(names, ITEMS.T, strict=True)), kind="items")
    assert max(map(len, str(found).splitlines())) <= 80


def test_arguments_stay_as_they_are():
    y, scores = DATA.y_true.copy(), {name: column.copy() for name, column in TWO.items()}
    fc.compare(y, scores, kind="scores")
    assert (y == DATA.y_true).all()
    assert all((scores[name] == TWO[name]).all() for name in TWO)


def test_values_from_0_to_1_are_compared_by_auc_and_calibration_is_named():
    found = fc.compare(DATA.y_true, TWO)
    want = fc.compare(DATA.y_true, TWO, kind="scores")
    assert found.kind == "scores"
    assert found.result.pvalue == want.result.pvalue
    assert "from 0 to 1: they are compared by AUC" in found.decisions[0]
    assert [check for check in found.checks if "kind='probabilities'" in check]
    assert not [check for check in want.checks if "kind='probabilities'" in check]


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ((np.arange(60) % 3, {"a": np.arange(60) % 4}), {}, "may be labels .* or scores"),
        ((DATA.y_true, TWO["random_forest"] > 0.5, TWO["decision_tree"]), {}, "same kind of data"),
        (({"a": TWO["random_forest"]},), {"kind": "datasets"}, "at least two models"),
        ((ITEMS,), {}, "`kind` must be specified for a table of scores alone"),
        ((ITEMS[:, :1],), {"kind": "folds", "cv": 5}, "`data` must contain at least two models"),
        ((DATA.y_true, None, TWO["random_forest"]), {}, "`a` must be specified with `b`"),
        ((ITEMS,), {"kind": "folds"}, "`n_train` and `n_test` must be specified"),
        ((ITEMS,), {"kind": "scores"}, "`kind` must be one of 'folds', 'datasets', 'items'"),
        ((DATA.y_true, TWO), {"kind": "folds"}, "`kind` must be one of 'scores', 'labels'"),
        ((DATA.y_true, TWO), {"kind": "score"}, "Did you mean 'scores'"),
        (
            (DATA.y_true, TWO),
            {"kind": "scores", "n_train": 9},
            "`n_train` has no meaning for kind='scores'",
        ),
        ((3,), {}, "`data` must be the true labels of cases"),
        ((DATA.y_true, TWO), {"kind": "scores", "alternative": "more"}, "`alternative` must be"),
        ((DATA.y_true, TWO), {"kind": "scores", "design": "kfold"}, "is for kind='folds'"),
        ((DATA.y_true, TWO), {"kind": "scores", "gate": "no"}, "`gate` must be True or False"),
        ((DATA.y_true, TWO), {"kind": "probabilities", "higher_is_better": False}, "true labels"),
        ((ITEMS,), {"kind": "datasets", "correction": "holm"}, "friedman_pairwise_test takes one"),
        ((ITEMS,), {"kind": "datasets", "alternative": "less"}, "has no direction, got 'less'"),
    ],
)
def test_what_could_mean_two_things_is_asked(given, options, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.compare(*given, **options)


def test_sentences_name_the_loss_and_know_that_lower_is_better():
    rng = np.random.default_rng(3)
    y, table = np.arange(60) % 2, rng.uniform(0.05, 0.95, (60, 3))
    told = fc.compare(y, table, kind="probabilities").summary()
    assert "The Brier scores range from" in told
    assert "; 60 cases)" in told
    base = rng.normal(size=60)
    errors = {"poor": base + 1.0 + 0.1 * table[:, 0], "good": base, "bad": base + table[:, 1]}
    for kind, options in (("items", {}), ("folds", {"design": "independent"})):
        found = fc.compare(errors, kind=kind, higher_is_better=False, **options)
        assert ": good scores better (lower) than poor by " in found.summary()
        assert found.summary().endswith(" Lower is better.")
        assert found.models[0].name == "good"
    two = {name: errors[name] for name in ("poor", "good")}
    assert "Lower is better." in fc.compare(two, kind="items", higher_is_better=False).summary()
    assert "Lower" not in fc.compare(two, kind="items").summary()


@pytest.mark.parametrize(
    ("k", "shape"),
    [(3, (10, 5)), (3, (10,)), (2, (10,)), (2, (10, 5))],
)
@pytest.mark.parametrize("value", [1.0, 0.0, 0.7])
def test_models_whose_every_sample_is_the_same_are_compared_and_do_not_differ(k, shape, value):
    models = {name: np.full(shape, value) for name in "abc"[:k]}
    found = fc.compare(models, kind="items", on_undefined="ignore")
    assert not any(pair.differ for pair in found.pairs)
    assert [model.value for model in found.models] == pytest.approx([value] * k)
    assert found.summary()
    assert "their variance cannot be estimated" in found.trust(n_trials=5, rng=0).summary()


@pytest.mark.parametrize("midranks", [False, True])
def test_rows_of_ranks_are_doubted_where_higher_is_better(midranks):
    scores = np.random.default_rng(0).integers(0, 3 if midranks else 1000, (12, 4))
    ranks = dict(zip("abcd", rankdata(scores, axis=1).T, strict=True))
    (doubt,) = fc.compare(ranks, kind="datasets").checks
    assert doubt.startswith("Ranks from 1 in each row suggest that lower is better")
    assert doubt in fc.compare(ranks, kind="datasets").summary()
    assert not fc.compare(ranks, kind="datasets", higher_is_better=False).checks


@pytest.mark.parametrize("highest", [3, 4, 5])
def test_ratings_are_no_ranks(highest):
    ratings = np.random.default_rng(1).integers(1, highest + 1, (12, 4))
    assert not fc.compare(dict(zip("abcd", ratings.T, strict=True)), kind="items").checks
