"""`compare` of two models on different cases, and of probabilities of several classes."""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc
from tests.shared.commandline import as_json, failure

RNG = np.random.default_rng(0)
Y = {"old": np.arange(60) % 2, "new": np.arange(50) % 2}
SCORES = {name: (y, RNG.normal(size=y.size) + y) for name, y in Y.items()}
LABELS = {name: (y, (s > 0.5).astype(int)) for name, (y, s) in SCORES.items()}
WORDS = np.array(["ill", "well"])
THREE = np.arange(60) % 3
P, Q = RNG.dirichlet(np.ones(3), size=(2, 60))
DIRECT = {"scores": fc.delong_unpaired_test, "labels": fc.two_proportions_unpaired_test}


@pytest.mark.parametrize("kind", DIRECT)
def test_pairs_of_labels_and_predictions_are_compared_as_unpaired(kind):
    given = {"scores": SCORES, "labels": LABELS}[kind]
    found = fc.compare(given, kind=kind)
    direct = DIRECT[kind](*given["old"], *given["new"])
    assert found.names == found.result.names == ("old", "new")
    assert (found.result.estimate, found.result.pvalue) == (direct.estimate, direct.pvalue)
    assert list(found.tests) == [DIRECT[kind].__name__]
    turned = fc.compare(given["new"], given["old"], kind=kind)
    assert turned.names == ("a", "b")
    assert turned.result.estimate == pytest.approx(-direct.estimate)
    gate = found.gate("worse", model="new")
    assert (gate.other, gate.passed) == ("old", direct.confidence_interval().low <= 0.0)
    with pytest.raises(fc.InvalidValueError, match="different cases"):
        found.trust(n_trials=10)


def test_options_are_those_of_the_one_test():
    ill = {name: (WORDS[1 - y], values) for name, (y, values) in SCORES.items()}
    known = fc.compare(SCORES, alternative="greater", margin=0.02)
    assert known.result.pvalue == fc.compare(ill, pos_label="ill", margin=0.02).result.pvalue
    cut = fc.compare(SCORES, threshold=0.5)
    assert cut.result.pvalue == fc.compare(LABELS, kind="labels").result.pvalue
    for options in ({"correction": "holm"}, {"control": "old"}, {"test": "delong"}):
        with pytest.raises(fc.InvalidValueError, match=next(iter(options))):
            fc.compare(SCORES, **options)
    with pytest.raises(fc.InvalidValueError, match="`groups` has no meaning"):
        fc.compare(SCORES, groups=Y["old"])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({**SCORES, "third": SCORES["old"]}, "must contain two models.*adjust_pvalues"),
        ({**SCORES, "new": (Y["new"], SCORES["old"][1])}, "for each of its labels, got 60 of 50"),
        ({"first": (Y["new"], SCORES["old"][1]), "new": SCORES["new"]}, "got 60 of 50"),
        ({**SCORES, "new": (WORDS[Y["new"]], WORDS[Y["new"]])}, "same kind of data"),
        ({"y": [0, 1], "a": [[0.1], [0.2, 0.3]]}, r"`data\['a'\]` cannot be converted"),
        ({"a": ([0, 1], [[0.1], [0.2, 0.3]]), "b": ([0, 1], [0, 1])}, "cannot be converted"),
    ],
)
def test_pairs_that_do_not_fit_are_refused(given, message):
    with pytest.raises(fc.InvalidValueError, match=message):
        fc.compare(given)


def test_models_of_other_lengths_are_told_to_come_with_their_labels():
    (y, a), (other, b) = SCORES.values()
    with pytest.raises(fc.InvalidValueError, match=r"compare\(\(labels_1, scores_1\), \(labels_2"):
        fc.compare(y, a, b)
    assert (
        fc.compare((y, a), (other, b)).result.title
        == "DeLong's test of two AUCs on different cases"
    )


def test_the_same_labels_twice_are_a_warning():
    (y, a), b = SCORES["old"], SCORES["old"][1][::-1]
    assert any("same labels in the same order" in x for x in fc.compare((y, a), (y, b)).checks)
    assert not any("same labels" in x for x in fc.compare(SCORES).checks)


def test_recommend_knows_unpaired_data():
    advice = fc.recommend(SCORES)
    assert (advice.paired, advice.n, advice.tests[0].test) == (False, 25, "delong_unpaired_test")
    assert fc.recommend(LABELS, kind="labels").tests[0].test == "two_proportions_unpaired_test"
    with pytest.raises(fc.InvalidValueError, match="contradicts"):
        fc.recommend(SCORES, paired=True)


def written(tmp_path, ids=None, first="y"):
    """Two files of one model each; `ids` are those of the second, the first counts from 0."""
    paths = []
    for name, (y, values) in SCORES.items():
        rows = None if ids is None else np.arange(len(y)) + (ids if name == "new" else 0)
        columns = {first: y, "score": values.round(6)}
        columns = columns if rows is None else {"case": [f"c{i}" for i in rows]} | columns
        paths.append(str(tmp_path / f"{name}.csv"))
        pd.DataFrame(columns).to_csv(paths[-1], index=False)
    return paths


def test_files_of_different_cases_are_unpaired_by_evidence_or_by_option(tmp_path):
    expected = fc.compare(SCORES).result.pvalue
    for ids, options in ((None, ()), (1000, ()), (None, ["--unpaired"]), (0, ["--unpaired"])):
        found = as_json("compare", *written(tmp_path, ids), *options)
        assert found["result"]["pvalue"] == pytest.approx(expected, rel=1e-3)
        assert found["names"] == ["old", "new"]
    assert "--unpaired" in failure("compare", *written(tmp_path), "--paired")
    assert "need two files" in failure("compare", written(tmp_path)[0], "--unpaired")


CLASSES = {
    "two arrays": lambda: (THREE, P, Q),
    "by name": lambda: (THREE, {"a": P, "b": Q}),
    "lists": lambda: (THREE.tolist(), P.tolist(), Q.tolist()),
    "frames": lambda: (
        np.array(list("xyz"))[THREE],
        {
            "a": pd.DataFrame(P, columns=list("xyz")),
            "b": pd.DataFrame(Q, columns=list("xyz"))[["z", "x", "y"]],
        },
    ),
}


@pytest.mark.parametrize("form", CLASSES)
def test_probabilities_of_several_classes_beside_labels_are_compared(form):
    direct = fc.multiclass_auc_test(THREE, P, Q)
    found = fc.compare(*CLASSES[form]())
    assert found.result.pvalue == pytest.approx(direct.pvalue, rel=1e-12)
    assert found.design == "multiclass"
    labels = fc.compare(*CLASSES[form](), kind="labels")
    right = fc.mcnemar_test(THREE, P.argmax(axis=1), Q.argmax(axis=1))
    assert labels.result.pvalue == right.pvalue
    assert fc.recommend(*CLASSES[form]()).tests[0].test == "multiclass_auc_test"


def test_one_model_of_several_classes_has_its_measure_and_three_their_brier_scores():
    one = fc.compare(THREE, P)
    assert one.values["model"] == fc.multiclass_auc(THREE, P).estimate
    several = fc.compare(THREE, {"a": P, "b": Q, "c": P[::-1]})
    direct = fc.scoring_pairwise_test(THREE, {"a": P, "b": Q, "c": P[::-1]})
    assert several.kind == "probabilities"
    assert several.result.pvalue.tolist() == direct.pvalue.tolist()


def test_columns_that_are_not_the_classes_are_refused():
    with pytest.raises(fc.InvalidValueError, match="each of the 3 classes in `data`, got 4"):
        fc.compare(THREE, np.c_[P, P[:, 0]], np.c_[Q, Q[:, 0]])
    more = pd.DataFrame(np.c_[P, 0 * P[:, 0]], columns=[0, 1, 2, 3])
    rare = fc.compare(
        THREE, {"a": more, "b": more}, on_undefined="ignore"
    )  # no case of the class 3: its name tells
    assert rare._data.classes == (0, 1, 2, 3)


@pytest.mark.parametrize("kind", DIRECT)
def test_the_rule_for_models_on_different_cases_names_compare_and_it_runs(kind):
    given = {"scores": SCORES, "labels": LABELS}[kind]
    advice = fc.recommend(kind=kind, paired=False, n=200)
    call = re.search(r"compare(\(\(.*?\), \(.*?\)\))", advice.tests[0].reason)[0]
    stem = "score" if kind == "scores" else "pred"
    known = {f"y_true_{j}": y for j, (y, _) in enumerate(given.values(), 1)}
    known |= {f"y_{stem}_{j}": values for j, (_, values) in enumerate(given.values(), 1)}
    call = call if kind == "scores" else f"{call[:-1]}, kind='labels')"  # 0 and 1 may be scores
    found = eval(f"fc.{call}", {"fc": fc, **known})
    assert list(found.tests) == [advice.tests[0].test]
