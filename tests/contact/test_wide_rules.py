"""Ordinary tables that rules of reading once took for others: each is read or asked about rightly.

Each has a pattern of the lines that say how its columns were read, or of the question.
"""

import re

import numpy as np
import pytest

from .doors import by_command, by_python, ways_of_command, ways_of_python
from .wanted import Answer, shortfall

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(11)
N = 60
Y = RNG.integers(0, 2, N)
IDS = np.arange(N) + 1001


def shares(n=N):
    """Return n numbers from 0 to 1 with three decimals."""
    return RNG.random(n).round(3)


def guess(truth=Y, rate=0.2):
    """Return labels of 0 and 1, some of which differ from the truth."""
    return np.where(RNG.random(len(truth)) < rate, 1 - truth, truth)


def words(labels, pair=("no", "yes")):
    """Return labels of 0 and 1 as words."""
    return np.array(pair)[labels]


def predicted(values, error):
    """Return values with an error of this size."""
    return (values + RNG.normal(0, error, N)).round(1)


AGE = RNG.integers(40, 90, N)
CLASS = RNG.integers(0, 3, N)
FIRST = RNG.choice(["cat", "dog"], N)  # two models that never agree
SECOND = np.where(FIRST == "cat", "dog", "cat")
RIGHT = np.where(Y, FIRST, SECOND)
SCORES = {"a": shares(), "b": shares()}
DATASETS = {"dataset": [f"d{i:02d}" for i in range(14)], "rf": 60 + 30 * shares(14)}
DATASETS["svm"] = 60 + 30 * shares(14)
CASES = [f"q{i:02d}" for i in range(20)]
LONG = {
    "case": np.tile(CASES, 3),
    "model": np.repeat(["svm", "rf", "knn"], 20),
    "split": np.tile(np.repeat(["train", "test"], 10), 3),
    "score": shares(),
}
LONG_BY_TASK = {
    "task": np.tile(np.repeat(CASES[:10], 2), 3),
    "model": LONG["model"],
    "score": LONG["score"],
}
GRID = {f"{model}_{metric}": shares(14) for model in ("rf", "svm") for metric in ("acc", "f1")}
TABLES = {
    # roles
    "subjects s00, s01, ...": (
        {"subject": [f"s{i // 3:02d}" for i in range(N)], "y": Y, **SCORES},
        "Not used: 'subject' .text",
    ),
    "texts of the rows that are left": (LONG, "Rows: the 30 of 60.*Models: 'knn', 'rf' and 'svm'"),
    "age beside risks in percent": (
        {"id": IDS, "age": AGE, "pred_a": 100 * shares(), "pred_b": 100 * shares()},
        "such as 'age'",
    ),
    "age beside its predictions": (
        {"id": IDS, "age": AGE, "pred_a": predicted(AGE, 4), "pred_b": predicted(AGE, 6)},
        "True values: 'age'",
    ),
    "coordinates beside a truth": (
        {"x": RNG.integers(0, 50, N), "y": RNG.integers(0, 50, N), "malig": Y, **SCORES},
        "True labels: 'malig'.*Not used: 'x' and 'y' .coordinates",
    ),
    "a quantity beside an attribute": (
        {"y": AGE, "urban": Y, "pred_a": predicted(AGE, 4), "pred_b": predicted(AGE, 6)},
        "True values: 'y'",
    ),
    "predictions without labels": (
        {"case_id": IDS, "prob_a": shares(), "prob_b": shares()},
        "Labels in another file",
    ),
    "scores of items": ({"case_id": IDS, **SCORES}, "Rows: items"),
    "one model beside numbers of teachers": (
        {"student": IDS.astype(str), "teacher": RNG.integers(0, 20, N), "ai": shares()},
        "at least two models",
    ),
    # battles
    "labels of models that never agree": (
        {"id": IDS, "truth": RIGHT, "pred_a": FIRST, "pred_b": SECOND},
        "True labels: 'truth'",
    ),
    "the same under names of models": (
        {"label": RIGHT, "gpt4": FIRST, "llama": SECOND},
        "True labels: 'label'",
    ),
    "readers and a consensus": (
        {"id": IDS, "reader1": FIRST, "reader2": SECOND, "consensus": RIGHT},
        "which column has the true labels",
    ),
    "battles whose winner is a label": (
        {"model 1": FIRST, "model 2": SECOND, "label": RIGHT},
        "Battles: 'model 1' against 'model 2'",
    ),
    "a preference beside labels": (
        {"preference": words(guess(), ("mail", "phone")), "y": Y, "cnn": guess(), "svm": guess()},
        "True labels: 'y'",
    ),
    "a preference alone": (
        {"user": IDS, "preference": words(guess(), ("mail", "phone"))},
        "Battles: 'mail' against 'phone'",
    ),
    # attributes beside predicted labels
    "sex beside labels": (
        {"y": Y, "cnn": guess(), "svm": guess(), "male": guess(rate=0.5)},
        "Models: 'cnn' and 'svm'.*Not used: 'male' .an attribute",
    ),
    "smokers beside words": (
        {"disease": words(Y), "cnn": words(guess()), "svm": words(guess()), "smoker": words(1 - Y)},
        "Models: 'cnn' and 'svm'",
    ),
    "an unknown attribute": (
        {"y": Y, "cnn": guess(), "svm": guess(), "inpatient": np.tile([0, 1], 30)},
        "'inpatient' may be no predictions",
    ),
    "a weak model among good ones": (
        {"y": Y, "cnn": guess(), "svm": guess(), "knn": guess(rate=0.35)},
        "Models: 'cnn', 'svm' and 'knn'",
    ),
    "tests of a diagnosis": ({"y": Y, "test": guess(), "reader": guess()}, "'test' and 'reader'"),
    "numbers beside words": (
        {
            "class": np.array(["cat", "dog", "owl"])[CLASS],
            "cnn": np.array(["cat", "dog", "owl"])[np.where(guess() == Y, CLASS, 0)],
            "svm": np.array(["cat", "dog", "owl"])[np.where(guess() == Y, CLASS, 1)],
            "site": RNG.integers(0, 4, N),
        },
        "Models: 'cnn' and 'svm'.*Not used: 'site'",
    ),
    "classes beside predictions and batches": (
        {"species": CLASS, "pred_a": CLASS[::-1], "pred_b": 2 - CLASS, "batch": CLASS[::-1]},
        "'species' and 'batch' may be",
    ),
    "another disease beside a score": (
        {"y": Y, "prob": shares(), "hypertension": guess()},
        "'hypertension' may be another outcome",
    ),
    # rows and columns of parts, conditions and metrics
    "cases of validation and test": (
        {"split": np.tile(["val", "test"], 30), "y": Y, **SCORES},
        "Rows: the 30 of 60 where 'split' is 'test'.*True labels: 'y'",
    ),
    "validation and test of each model": (
        {"dataset": CASES, **{f"{m}_{s}": shares(20) for m in "ab" for s in ("val", "test")}},
        "2 parts of the data of each model",
    ),
    "scores of two conditions": (
        {**LONG_BY_TASK, "shots": np.tile([0, 5], 30)},
        "are means over 'shots' .'0' and '5'. in each 'task'",
    ),
    "scores of two metrics": (
        {**LONG_BY_TASK, "type": np.tile(["precision", "recall"], 30)},
        "are means over 'type'",
    ),
    "scores of two seeds": (
        {**LONG_BY_TASK, "seed": np.tile([0, 1], 30)},
        "Scores are the means over 'seed'",
    ),
    "points of so many": (
        {
            "item": CASES,
            "max_points": np.resize([5, 8, 10], 20),
            "a": np.resize([5, 3, 4], 20),
            "b": np.resize([2, 4, 1], 20),
        },
        "Models: 'a' and 'b'.*Not used: 'max_points'",
    ),
    # columns of tables of scores
    "metrics of models beside a number": (
        {"dataset": DATASETS["dataset"], **GRID, "difficulty": shares(14)},
        "2 metrics of each model",
    ),
    "sizes beside percentages": (
        {**DATASETS, "rows": RNG.integers(100, 900, 14), "cols": RNG.integers(4, 30, 14)},
        "Models: 'rf' and 'svm'.*Not used: 'rows' and 'cols' .a whole number of each data set",
    ),
    "the difference and the mean of models": (
        {**DATASETS, "gain": DATASETS["rf"] - DATASETS["svm"]},
        "Models: 'rf' and 'svm'.*Not used: 'gain' .the difference of 'rf' and 'svm'",
    ),
    "the mean of models": (
        {**DATASETS, "both": ((DATASETS["rf"] + DATASETS["svm"]) / 2).round(2)},
        "Models: 'rf' and 'svm'.*Not used: 'both' .the mean of the others",
    ),
    "the best of models": (
        {**DATASETS, "best": np.maximum(DATASETS["rf"], DATASETS["svm"])},
        "Models: 'rf' and 'svm'.*Not used: 'best' .the largest of the others",
    ),
    "a model that is always first": (
        {**DATASETS, "knn": DATASETS["rf"] + 1 + shares(14)},
        "Models: 'rf', 'svm' and 'knn'",
    ),
    "tasks called sum and median": (
        {
            "task": ["add", "max", "median", "min", "sort", "sum", "zip"],
            "a": shares(7),
            "b": shares(7),
        },
        "^(?!.*summarize the others).*Models: 'a' and 'b'",
    ),
    "a mean below data sets": (
        {"task": ["add", "max", "min", "sort", "zip", "mean"], "a": shares(6), "b": shares(6)},
        "'mean', which summarize the others",
    ),
    "blood pressure beside whole risks": (
        {
            "y": Y,
            "risk_a": RNG.integers(0, 30, N),
            "risk_b": RNG.integers(0, 30, N),
            "sbp": RNG.integers(90, 180, N),
        },
        "'sbp' may be measurements",
    ),
    "whole percentages": ({**DATASETS, "knn": RNG.integers(70, 85, 14)}, "'rf', 'svm' and 'knn'"),
    "limits of an interval": (
        {
            "y": Y,
            **SCORES,
            "a_lower": SCORES["a"] - shares() / 9,
            "a_upper": SCORES["a"] + shares() / 9,
        },
        "Models: 'a' and 'b'.*Not used: 'a_lower' and 'a_upper'",
    ),
    "answers beside a difficulty": (
        {"item": CASES * 3, "difficulty": RNG.integers(1, 6, N), "gpt": guess(), "llama": guess()},
        "right and wrong answers to items",
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_an_ordinary_table_is_read_as_what_it_is_or_asked_about(name):
    table, says = TABLES[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, (way, by_python(table, **way)[1])


DRAWN = np.random.default_rng(17)  # for these, so that the numbers above stay the same
CALLED = {name: DRAWN.random(N).round(3) for name in ("o3", "o3_low", "o3_high", "gpt4")}
TASKS = {"task": CASES[:8], **{name: x[:8] for name, x in CALLED.items()}}
ENDS = {"low_o3": CALLED["o3"] - 0.01, "high_o3": CALLED["o3"]}
POINTS = {"item": CASES, "mini": np.resize([1, 2, 0], 20), "pro": np.resize([0, 2, 2, 1], 20)}
MOST = np.resize([3, 3, 2, 4], 20)
FLIPPED = {name: np.where(DRAWN.random(N) < 0.2, 1 - Y, Y) for name in ("cnn", "svm", "rule")}
WORDED = {name: words(labels, ("cat", "dog")) for name, labels in {"truth": Y, **FLIPPED}.items()}
LONG_WORDS = {
    "case": np.tile(IDS, 2),
    "model": np.repeat(["cnn", "svm"], N),
    "pred": np.concatenate([WORDED["cnn"], WORDED["svm"]]),
}
GOOD = {"task": CASES[:8], "a": 0.9 + TASKS["o3"] / 20, "b": 0.8 + TASKS["gpt4"] / 20}
NARROWER = {
    "efforts of a model": (TASKS, "Models: 'o3', 'o3_low', 'o3_high' and 'gpt4'"),
    "nets of three sizes": (
        {"y": Y, "net": CALLED["o3"], "net_low": CALLED["gpt4"], "net_high": CALLED["o3_low"]},
        "Models: 'net', 'net_low' and 'net_high'",
    ),
    "a limit without the other": (
        {"y": Y, "net": CALLED["o3"], "net_upper": CALLED["o3"] + 0.01},
        "Models: 'net' and 'net_upper'",
    ),
    "limits before their model": ({**TASKS, **{n: x[:8] for n, x in ENDS.items()}}, "'low_o3' and"),
    "answers that efforts enclose": (
        {"item": CASES, "o3": Y[:20], "o3_low": Y[:20] * Y[20:40], "o3_high": Y[:20] | Y[40:]},
        "Models: 'o3', 'o3_low' and 'o3_high'",
    ),
    "a model called max": ({**POINTS, "max": MOST}, "'max' is at least as large"),
    "a model called total": ({**POINTS, "Total": MOST}, "'Total' is at least as large"),
    "a max below another": ({**POINTS, "max": MOST - 2}, "Models: 'mini', 'pro' and 'max'"),
    "the most points": ({**POINTS, "max_score": MOST}, "Models: 'mini' and 'pro'"),
    "as many points in total": ({**POINTS, "total_points": MOST}, "Models: 'mini' and 'pro'"),
    "the same total": ({**POINTS, "total": 5 + 0 * MOST}, "Models: 'mini' and 'pro'"),
    "truth values beside 0 and 1": (
        {"y": Y, **FLIPPED, "rule": FLIPPED["rule"].astype(bool)},
        "Models: 'cnn', 'svm' and 'rule'",
    ),
    "-1 and 1 beside 0 and 1": ({"y": Y, **FLIPPED, "rule": 2 * FLIPPED["rule"] - 1}, "one coding"),
    "an attribute of truth values": (
        {"y": Y, **FLIPPED, "inpatient": np.tile([False, True], N // 2)},
        "'inpatient' may be no predictions",
    ),
    "a truth in words": ({**LONG_WORDS, "truth": np.tile(WORDED["truth"], 2)}, "'truth' .by its n"),
    "another truth in words": (
        {**LONG_WORDS, "animal": np.tile(WORDED["truth"], 2)},
        "'animal' .the only column that has values of 'pred'; label= names another",
    ),
    "a perfect model": ({**GOOD, "c": np.ones(8)}, "Models: 'a', 'b' and 'c'"),
    "a model that solves nothing": ({**GOOD, "c": np.zeros(8)}, "Models: 'a', 'b' and 'c'"),
    "1 beside percentages": (
        {"task": CASES[:8], "a": 100 * GOOD["a"], "b": 100 * GOOD["b"], "c": np.ones(8)},
        "which are the models",
    ),
}


@pytest.mark.parametrize("name", NARROWER)
def test_a_rule_takes_only_what_its_values_show(name):
    table, says = NARROWER[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons


@pytest.mark.parametrize("unit", ["subject", "session", "site", "patient", "speaker", "seed"])
def test_few_clusters_called_s1_are_dependent(unit):
    found, said = by_python({unit: np.repeat(["S1", "S2", "S3", "S4", "S5"], 12), "y": Y, **SCORES})
    assert found is not None, said
    assert f"5 values of {unit!r}" in str(found)


@pytest.mark.parametrize("unit", ["site", "group"])
def test_few_categories_in_words_are_no_clusters(unit):
    found, said = by_python({unit: np.repeat(["Bonn", "Ulm", "Kiel"], 20), "y": Y, **SCORES})
    assert found is not None, said
    assert f"3 values of {unit!r}" not in str(found)


POSITIVE = {  # by pairs of labels, '' where it is asked
    ("M", "F"): "",
    ("A", "N"): "",
    ("T", "N"): "",
    ("Y", "X"): "",
    ("Y", "N"): "Y",
    ("T", "F"): "T",
    ("P", "N"): "P",
    ("+", "-"): "+",
    ("unsafe", "safe"): "unsafe",
    ("unhealthy", "healthy"): "unhealthy",
    ("unstable", "stable"): "unstable",
    ("uncensored", "censored"): "uncensored",
    ("infected", "uninfected"): "infected",
    ("active", "inactive"): "active",
    ("correct", "incorrect"): "correct",
    ("responder", "non-responder"): "responder",
    ("not normal", "normal"): "not normal",
    ("fraud", "not fraud"): "fraud",
    ("invalid", "valid"): "",
    ("unemployed", "employed"): "",
    ("unknown", "known"): "",
}


@pytest.mark.parametrize("pair", POSITIVE)
def test_a_label_is_positive_only_where_words_say_so(pair):
    for labels in (pair, pair[::-1]):
        found, said = by_python({"outcome": words(Y, labels), **SCORES})
        reasons = said if found is None else " ".join(found["decisions"])
        says = f"positive: {POSITIVE[pair]!r}" if POSITIVE[pair] else "is the positive class"
        assert says in reasons, reasons


def test_decimal_commas_before_three_digits_are_no_separators_of_thousands():
    texts = {name: [f"{x:.3f}".replace(".", ",") for x in SCORES[name]] for name in SCORES}
    found, said = by_python({"case_id": IDS, **texts}, kind="items")
    assert found is not None, said
    assert not shortfall(found, Answer(((SCORES["a"] - SCORES["b"]).mean(),)))


@pytest.mark.parametrize("is_sorted", [True, False])
def test_files_without_ids_are_paired_only_if_their_labels_show_it(tmp_path, is_sorted):
    labels = np.sort(Y) if is_sorted else Y
    paths = []
    for name, values in SCORES.items():
        paths.append(tmp_path / f"{name}.csv")
        rows = [f"{label},{value}" for label, value in zip(labels, values, strict=True)]
        paths[-1].write_text("\n".join(["y,prob", *rows]), "utf-8")
    found, said = by_command(paths)
    assert (found is None) is is_sorted, said
    for way in ways_of_command(said):
        assert by_command(paths, *way)[0] is not None
    assert is_sorted is (ways_of_command(said) == [["--paired"], ["--unpaired"]])
