"""What newcomers hand over: each shape gets an answer, or an error that says how to go on."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fastcompare as fc
from tests.shared.commandline import ok

RNG = np.random.default_rng(11)
X, Y = load_iris(return_X_y=True)
TABLE = pd.DataFrame(RNG.random((30, 3)), columns=["a", "b", "c"])
RESULTS = [
    cross_validate(model, X, Y, cv=5, return_indices=True)
    for model in (GaussianNB(), KNeighborsClassifier(60))
]


def test_results_without_names_are_numbered():
    found = fc.compare(RESULTS)
    assert found.names == ("model 1", "model 2")
    named = fc.compare(dict(zip(found.names, RESULTS, strict=True)))
    assert found.to_dict() == named.to_dict()


@pytest.mark.slow
def test_estimators_without_names_are_called_by_their_classes():
    models = [GaussianNB(), KNeighborsClassifier(1), KNeighborsClassifier(60)]
    found = fc.compare(models, X, Y, cv=4, gate=False)
    names = ("GaussianNB", "KNeighborsClassifier 1", "KNeighborsClassifier 2")
    assert found.names == names
    again = fc.compare(dict(zip(names, models, strict=True)), X, Y, cv=4, gate=False)
    assert found.to_dict() == again.to_dict()


@pytest.mark.parametrize(
    ("column", "kind", "more"),
    [
        ("item", "items", {}),
        ("Data set", "datasets", {}),
        ("fold", "folds", {"n_train": 9, "n_test": 1}),
        ("Unnamed: 0", "items", {"kind": "items"}),
    ],
)
def test_a_column_that_names_the_rows_is_no_model_and_tells_the_kind(column, kind, more):
    found = fc.compare(TABLE.assign(**{column: range(30)}), **more)
    assert found.kind == kind
    assert found.names == ("a", "b", "c")
    assert found.values == fc.compare(TABLE, **({"kind": kind} | more)).values


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((RESULTS[0],), "one result of cross_validate is one model: pass a list of them"),
        ((GaussianNB(), X, Y), "one estimator is one model: pass a list of them"),
        (([GaussianNB, KNeighborsClassifier], X, Y), "got the class GaussianNB: call it"),
        ((TABLE.assign(label="ill"),), "labels of both classes, got 'ill' in all 30 rows"),
        (("scores.csv",), "got a path or a name, 'scores.csv'. Read the file first"),
        ((TABLE[["a"]].assign(dataset=range(30)),), "at least two models are needed"),
    ],
)
def test_what_lacks_something_is_refused_with_the_way_on(given, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.compare(*given)


BATTLES = pd.DataFrame(
    {
        "model_a": list("xxxxyyyyzzzz") * 3,
        "model_b": list("yyyyzzzzxxxx") * 3,
        "winner": ["a", "a", "tie", "b", "a", "a", "tie", "a", "b", "b", "a", "b"] * 3,
    }
)


@pytest.mark.filterwarnings("ignore:one_order")
def test_battles_are_told_by_their_shape_and_tested_by_strengths():
    a, b, won = (BATTLES[name].tolist() for name in BATTLES)
    truth = fc.bradley_terry(a, b, won)
    names = [{"a": x, "b": z}.get(end, "tie") for x, z, end in zip(a, b, won, strict=True)]
    shapes = {
        "frame": (BATTLES,),
        "outcome": ({"model_a": a, "model_b": b, "outcome": won},),
        "winners' names": (BATTLES.assign(winner=names),),
        "rows": (list(zip(a, b, won, strict=True)),),
        "array": (BATTLES.to_numpy(),),
        "columns": (a, b, won),
    }
    for shape, given in shapes.items():
        found = fc.compare(*given, **({"kind": "battles"} if len(given) == 3 else {}))
        assert (found.kind, found.names, found.design) == ("battles", tuple("xyz"), "independent")
        assert found.values == dict(zip("xyz", truth.strengths.tolist(), strict=True)), shape
        assert found.result.adjusted_pvalue.tolist() == truth.pairwise().adjusted_pvalue.tolist()
        assert found.models[0].name == "x"
        assert len(found.pairs) == 3
    told = fc.recommend(kind="battles", n_models=3)
    assert told.tests[0].test == "bradley_terry"
    assert "met in battles" in told.decisions[2]


@pytest.mark.filterwarnings("ignore:one_order")
def test_battles_of_judges_are_clusters_and_missing_ones_are_left_out():
    judges, lost = (
        np.arange(36) // 4,
        BATTLES.assign(winner=BATTLES.winner.where(np.arange(36) > 1)),
    )
    found = fc.compare(BATTLES, groups=judges, correction="holm", alternative="greater")
    want = fc.bradley_terry(*(BATTLES[name] for name in BATTLES), groups=judges)
    pairs = want.pairwise(correction="holm", alternative="greater")
    assert found.design == "clusters"
    assert [pair.pvalue for pair in found.pairs] == sorted(pairs.pvalue.tolist())
    with pytest.raises(fc.InvalidValueError, match="missing"):
        fc.compare(lost)
    with pytest.warns(fc.DroppedCasesWarning):
        fewer = fc.compare(lost, nan_policy="omit")
    want = fc.compare(BATTLES.iloc[2:])
    assert fewer.values == want.values
    two = fc.compare(BATTLES[BATTLES.model_a == "x"])
    assert two.names == ("x", "y")
    assert len(two.reasons) == 1


@pytest.mark.parametrize(
    ("battles", "options", "said"),
    [
        (BATTLES.drop(columns="winner"), {}, "'outcome' or 'winner'. It has neither"),
        (BATTLES.assign(outcome=1), {}, "It has outcome and winner"),
        (BATTLES.replace({"winner": {"a": "won"}}), {}, "The winner's name goes in"),
        (
            BATTLES[BATTLES.model_a == "x"].assign(model_a="b", model_b="a"),
            {},
            "could be names of winners or sides",
        ),
        (BATTLES, {"higher_is_better": False}, "outcomes say who won"),
        (BATTLES, {"n_train": 3}, "`n_train` has no meaning for kind='battles'"),
        (TABLE, {"kind": "battles"}, "`data` must be a table with the columns 'model_a'"),
    ],
)
def test_battles_that_lack_something_are_refused_with_the_way_on(battles, options, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.compare(battles, **options)


@pytest.mark.filterwarnings("ignore:one_order")
def test_compare_says_when_the_order_of_battles_passes_for_strength():
    rng = np.random.default_rng(0)
    outcome = np.where(rng.random(100) < 0.69, "model_a", "model_b")
    one_order = {"model_a": ["x"] * 100, "model_b": ["y"] * 100, "winner": outcome}
    found = fc.compare(one_order, kind="battles")
    assert any("cannot be separated from an advantage" in check for check in found.checks)
    turned = rng.random(100) < 0.5
    both = {
        "model_a": np.where(turned, "x", "y"),
        "model_b": np.where(turned, "y", "x"),
        "winner": np.where(rng.random(100) < 0.8, "model_a", "model_b"),
    }
    (check,) = fc.compare(both, kind="battles").checks
    assert check.startswith("Being shown first adds 1.25 to the log odds")
    assert "order_effect=True" in check
    assert fc.compare(both, kind="battles", order_effect=True).checks == ()


@pytest.mark.filterwarnings("ignore:one_order")
def test_columns_beside_battles_are_used_or_named():
    judged = BATTLES.assign(judge=np.arange(36) // 4, turn=1)
    unused, *_ = [line for line in fc.compare(judged).decisions if line.startswith("Not used")]
    assert unused.startswith("Not used: 'judge' and 'turn'. Battles that share a judge")
    clustered = fc.compare(judged, groups="judge")
    assert clustered.design == "clusters"
    assert "Not used: 'turn'." in clustered.decisions
    for option, name, want in (
        ("groups", "judge", judged.judge),
        ("sample_weight", "weight", judged.turn),
    ):
        by_name = fc.compare(judged.assign(weight=judged.turn), **{option: name})
        by_values = fc.compare(BATTLES, **{option: want})
        assert by_name.to_dict()["pairs"] == by_values.to_dict()["pairs"]
    with pytest.raises(fc.InvalidValueError, match="judge"):
        fc.compare(judged, groups="juge")


def test_the_command_uses_or_names_columns_beside_battles(tmp_path):
    path = tmp_path / "battles.csv"
    BATTLES.assign(judge=np.arange(36) // 4).to_csv(path, index=False)
    assert "Not used: 'judge'." in ok("compare", path)
    clustered = ok("compare", path, "--cluster", "judge")
    assert "Design: 'clusters': rows of one cluster depend on each other." in clustered
    assert "Not used" not in clustered


STEPS = np.array([0.03, 0.01, 0.02, 0.03, 0.01, 0.02, 0.02, 0.01, 0.03, 0.02])
ROUNDS = {"design": "repeated-kfold", "n_train": 90, "n_test": 10}


@pytest.mark.parametrize(
    ("noise", "options", "doubtful"),
    [
        (1.4, ROUNDS, True),
        (1.7, ROUNDS | {"alternative": "greater"}, True),
        (1.0, ROUNDS, False),  # p = .0008 is beyond that doubt
        (3.0, ROUNDS, False),  # not significant
        (1.4, {"design": "kfold"}, False),  # whose level holds
    ],
)
def test_compare_says_where_a_claim_rests_on_how_rounds_are_correlated(noise, options, doubtful):
    first = 0.8 + np.linspace(0.0, 0.02, 10)
    second = first - STEPS.mean() - noise * 1.5 * (STEPS - STEPS.mean())
    found = fc.compare({"a": first, "b": second}, kind="folds", **options)
    said = [check for check in found.checks if "nearest neighbours" in check]
    assert bool(said) == doubtful
    if doubtful:
        t = fc.ttest_corrected(first, second, n_train=90, n_test=10).statistic / np.sqrt(1.5)
        sides = 1 if "alternative" in options else 2
        assert said[0].endswith(
            f"with 1.5 times the variance p would be {sides * stats.t.sf(t, 9):.2g}."
        )


@pytest.mark.parametrize("n", [3, 12])
def test_compare_asks_whether_two_short_lists_are_of_two_models(n):
    """A few fractions may be labels, or what another model reached by fold."""
    accuracies = np.random.default_rng(4).uniform(0.8, 0.9, (2, n))
    with pytest.raises(fc.InvalidValueError, match=r"compares two lists of scores") as error:
        fc.compare(*accuracies)
    assert error.value.parameter == "data"
    assert "compare({'a': ..., 'b': ...}, kind='items')" in str(error.value)
    assert fc.compare(dict(zip("ab", accuracies, strict=True)), kind="items").kind == "items"
    assert fc.compare(*accuracies.round(1).astype(str)).kind == "labels"  # the other way


def test_compare_names_the_loss_of_one_model_of_a_quantity():
    rng = np.random.default_rng(5)
    price = rng.normal(size=400)
    comparison = fc.compare(price, price + rng.normal(size=400))
    assert comparison.quantity == "mean squared error"
    assert "two lists of scores" in comparison.decisions[1]
    assert comparison.reasons == ("One model on items: mean squared error.",)
    assert comparison.result.summary().startswith("The mean squared error of model 1 is ")


def test_compare_names_the_loss_of_two_models_of_a_quantity():
    rng = np.random.default_rng(5)
    price = rng.normal(size=400)
    comparison = fc.compare(price, price + rng.normal(size=400), price)
    assert comparison.reasons[0].endswith("a paired test of their mean squared errors.")


@pytest.mark.parametrize(
    ("labels", "has_order"),
    [([0, 1], True), ([-1, 1], True), ([0.0, 1.0], True), ([1.0, 2.0, 3.0], False)],
)
def test_values_of_all_models_that_occur_as_true_labels_are_predicted_labels(labels, has_order):
    """As in a table with these columns; that of a constant model is one, too."""
    rng = np.random.default_rng(6)
    truth = np.repeat(labels, 20)
    models = {"a": rng.permutation(truth), "b": np.full(truth.size, labels[0])}
    comparison = fc.compare(truth, models)
    assert comparison.kind == fc.compare(pd.DataFrame({"y": truth, **models})).kind == "labels"
    assert comparison.result.pvalue == fc.mcnemar_test(truth, *models.values()).pvalue
    assert any("kind='scores'" in check for check in comparison.checks) == has_order
    probabilities = rng.uniform(size=truth.size)
    if has_order and min(labels) == 0:
        assert fc.compare(truth, {**models, "b": probabilities}).kind == "scores"


def test_compare_names_the_call_for_columns_of_a_frame():
    scores = np.random.default_rng(7).normal(size=(2, 40))
    frame = pd.DataFrame({"y": [0, 1] * 20, "a": scores[0], "b": scores[1]})
    with pytest.raises(fc.InvalidTypeError, match="columns of a data frame are named") as error:
        fc.compare(frame, "y", ["a", "b"])
    call = "compare(data, label='y', models=['a', 'b'])"
    assert call in str(error.value)
    assert fc.compare(frame, label="y", models=["a", "b"]).kind == "scores"
    with pytest.raises(fc.InvalidTypeError, match="must be one column, the true labels"):
        fc.compare(frame, np.arange(40))
    one = fc.compare(frame[["y"]], frame["a"], frame["b"])  # a frame of one column is one
    assert one.result.pvalue == fc.compare(frame).result.pvalue
