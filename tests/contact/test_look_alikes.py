"""Tables that look like counts of battles, or like rows of metrics, and are read as what they are.

Each has the options, and what must be in the answer's reasons or in the question.
"""

import io
import re

import numpy as np
import pandas as pd
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
WHICH_ROWS = "what the rows are"
BY_BATTLES = "can be tested only by battles"  # beside what never varies
EACH_ONCE = r"^(?!.*counts as often)(?=.*Battles|.*two models and an outcome)"
RNG = np.random.default_rng(5)
WINS = ("30,12", "20,22", "25,17")


def beside(header, rows):
    """Return a table with wins and losses beside the columns of a header."""
    cells = [f"{row},{counts}" for row, counts in zip(rows, WINS, strict=False)]
    return " / ".join([header, *cells])


def square(corner):
    """Return a table whose columns are called as its rows, with nothing on the diagonal."""
    return f"{corner},Bonn,Trier,Ulm / Bonn,0,31,20 / Trier,33,0,40 / Ulm,25,39,0"


COUNTS = {
    "tokens of battles": (
        "model_a,model_b,winner,total_tokens / x,y,x,210 / x,z,z,301 / y,z,tie,222 / z,x,x,150",
        EACH_ONCE,
    ),
    "numbers of matches": (
        "number,winner,loser / 1,x,y / 2,x,z / 3,y,z / 4,y,x / 5,z,x / 6,z,y / 7,w,x / 8,x,w",
        EACH_ONCE,
    ),
    "n, a running number": (
        "winner,loser,n / x,y,3 / y,x,1 / x,z,2 / z,x,4",
        EACH_ONCE,
    ),
    "each game of a pair": ("winner,loser,votes / x,y,7 / x,z,9 / z,y,5 / w,x,3", EACH_ONCE),
    "judges": (beside("model,judge,wins,losses", ["v,gpt", "l,gpt", "m,gpt"]), BY_BATTLES),
    "judges that are models": (
        beside("model,judge,wins,losses", ["v,l", "l,m", "m,v"]),
        WHICH_ROWS,
    ),
    "a benchmark": (beside("model,benchmark,wins,losses", ["v,ar", "l,ar", "m,ar"]), BY_BATTLES),
    "a division": (beside("team,division,wins,losses", ["v,east", "l,east", "m,east"]), BY_BATTLES),
    "one player of a league": (beside("player,league,wins,losses", ["v,east"]), "has one row"),
    "data sets of a model": (
        beside("dataset,model,wins,losses", ["v,gpt", "l,gpt", "m,gpt"]),
        "Rows: data sets",
    ),
    "categories": (beside("category,model,wins,losses", ["v,gpt", "l,gpt", "m,gpt"]), BY_BATTLES),
    "categories and a judge": (
        beside("category,judge,model_wins,baseline_wins", ["v,gpt", "l,gpt", "m,gpt"]),
        WHICH_ROWS,
    ),
    "models on a system": (
        beside("model,system,wins,losses", ["v,os", "l,os", "m,os"]),
        BY_BATTLES,
    ),
    "models against a baseline": (
        beside("model,baseline,wins,losses", ["v,gpt", "l,gpt", "m,gpt"]),
        "'model' against 'baseline'",
    ),
    "one pair": (beside("model_a,model_b,wins_a,wins_b", ["v,gpt"]), "'model_a' against 'model_b'"),
    "rates in percent": (
        "model_a,model_b,win_rate,loss_rate / x,y,60,40 / x,z,55,45",
        "must have a column with the result|It contains neither|has neither",
    ),
    "travel times": (square("city"), WHICH_ROWS),
    "transitions": (square("from"), WHICH_ROWS),
    "losers in rows": (square("loser vs winner"), WHICH_ROWS),
    "winners in rows": (square("winner vs loser"), "'Bonn' won 31"),
}


@pytest.mark.parametrize("name", COUNTS)
def test_numbers_are_counts_of_battles_only_where_names_say_so(name):
    text, says = COUNTS[name]
    found, said = by_python(pd.read_csv(io.StringIO(text.replace(" / ", "\n"))))
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons


@pytest.mark.parametrize(
    ("options", "repeated"),
    [({}, True), ({"sample_weight": "n"}, False), ({"groups": "n"}, False)],
)
def test_an_option_keeps_counts_of_battles_from_being_repeated(options, repeated):
    rows = {"model_a": list("xxyyx"), "model_b": list("yyzzz"), "winner": list("xyyzx")}
    found, said = by_python(rows | {"n": [30, 12, 9, 21, 5]}, **options)
    assert found is not None, said
    assert ("counts as often" in " ".join(found["decisions"])) is repeated


TRUTH = RNG.integers(0, 2, 60)
GUESSES = [np.where(RNG.random(60) < 0.3, 1 - TRUTH, TRUTH) for _ in "ab"]
WORDS = np.array(["error", "correct"])
NUMBERS = {name: TRUTH + RNG.normal(size=60) for name in "ab"}
LABELS = {"truth": WORDS[TRUTH], "a": WORDS[GUESSES[0]], "b": WORDS[GUESSES[1]]}
MEASURED = {"y": TRUTH, "measure": np.resize(["bmi", "bp", "hr"], 60), **NUMBERS}
ITEMS = np.repeat([f"q{j}" for j in range(30)], 2)
METRICS = {"item": ITEMS, "metric": np.resize(["acc", "f1"], 60), **NUMBERS}
BY_OPTION = [{}, {"label": "truth"}, {"pos_label": "correct"}, {"kind": "labels"}]
ROWS = [
    *[(LABELS, options, "True labels: 'truth'") for options in BY_OPTION],
    (MEASURED, {}, "True labels: 'y'.*Not used: 'measure'"),
    (MEASURED, {"label": "y"}, "Not used: 'measure'"),
    ({"item": ITEMS, "type": np.resize(["loss", "value"], 60), **NUMBERS}, {}, "positive class"),
    ({"item": ITEMS, "scorer": np.resize(["ann", "bob"], 60), **NUMBERS}, {}, "positive class"),
    (METRICS, {}, "which metric"),
    (METRICS, {"scoring": "f1"}, "30 of 60 where 'metric' is 'f1'"),
    (METRICS, {"scoring": "f1", "kind": "items"}, "30 of 60 where 'metric' is 'f1'"),
    (METRICS, {"models": ["a", "b"]}, "positive class"),
]


@pytest.mark.parametrize("case", range(len(ROWS)))
def test_metrics_are_asked_of_only_where_a_column_is_called_so(case):
    table, options, says = ROWS[case]
    found, said = by_python(table, **options)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons


def test_an_option_keeps_groups_from_being_refused():
    table = {"group": np.resize(["control", "treated"], 60), "won": TRUTH}
    assert "different cases" in by_python(table)[1]
    assert "different cases" not in by_python(table, pos_label=1)[1]


ACCURACIES = {
    "dataset": [*"abcdefgh"],
    "rf": np.array([0.90, 0.80, 0.95, 0.70, 0.85, 0.62, 0.77, 0.88]),
    "svm": np.array([0.80, 0.90, 0.85, 0.80, 0.70, 0.66, 0.72, 0.91]),
}
BETTER = np.maximum(ACCURACIES["rf"], ACCURACIES["svm"]) + 0.01
GRADES = np.resize(["ok", "failed", "unknown", "ok", "ok"], 60)
TURNED = np.where(GRADES == "failed", "unknown", np.where(GRADES == "unknown", "failed", "ok"))
DEVICES = {"device": np.arange(60), "status": GRADES, "rf": TURNED, "svm": np.roll(GRADES, 5)}
STAGES = np.resize(["dev", "test", "test"], 60)
SERVERS = {"env": STAGES, "failed": TRUTH, **NUMBERS}
SPLIT = {"split": STAGES, "y": TRUTH, **NUMBERS}
KEPT = [
    ({**ACCURACIES, "ours": BETTER}, {}, ("rf", "svm", "ours")),
    ({**ACCURACIES, "stack": BETTER - 0.01}, {}, ("rf", "svm", "stack")),
    ({**ACCURACIES, "mlp": (ACCURACIES["rf"] + ACCURACIES["svm"]) / 2}, {}, ("rf", "svm", "mlp")),
    ({**ACCURACIES, "max": BETTER - 0.01}, {}, ("rf", "svm")),
    (DEVICES, {}, ("rf", "svm")),
    (SERVERS, {}, ("a", "b")),
    (SERVERS, {"groups": "env"}, ("a", "b")),
    (SERVERS, {"label": "env", "pos_label": "test"}, ("a", "b")),
    ({"label": TRUTH, "smoking": GUESSES[0], "nlp": GUESSES[1]}, {}, ("smoking", "nlp")),
    (
        {"dataset": ACCURACIES["dataset"], "cnn_test": BETTER, "vit_eval": BETTER - 0.1},
        {},
        ("cnn_test", "vit_eval"),
    ),
]


@pytest.mark.parametrize("case", range(len(KEPT)))
def test_models_and_rows_are_kept_that_only_look_like_others(case):
    table, options, names = KEPT[case]
    found, said = by_python(table, **options)
    assert found is not None, said
    assert tuple(found["names"]) == names
    assert not any("Rows: the" in line for line in found["decisions"])


def test_confused_classes_are_no_grades():
    found, said = by_python(DEVICES)
    assert found["kind"] == "labels", said
    assert found["values"]["rf"] == pytest.approx(np.mean(GRADES == TURNED))


def test_rows_of_a_split_are_left_out_unless_it_has_a_role():
    assert "Rows: the 40 of 60 where 'split' is 'test'" in " ".join(
        by_python(SPLIT)[0]["decisions"]
    )
    decisions = " ".join(by_python(SPLIT, groups="split")[0]["decisions"])
    assert "Rows: the" not in decisions


@pytest.mark.parametrize("other", ["cancelled", "terminated", "closed", "suspended"])
def test_active_is_positive_only_beside_inactive(other):
    labels = np.array(["active", other])[TRUTH]
    assert (
        "which label of 'status' is the positive class"
        in by_python({"status": labels, **NUMBERS})[1]
    )


def test_the_held_out_part_of_the_data_is_compared():
    table = {"dataset": ACCURACIES["dataset"]}
    table |= {
        f"{m}_{p}": ACCURACIES[m] + 0.01 * (p == "train")
        for p in ("train", "test")
        for m in ("rf", "svm")
    }
    found, said = by_python(table)
    assert found is not None, said
    assert found["names"] == ["rf_test", "svm_test"]


@pytest.mark.parametrize("word", ["run", "seed", "trial", "rep", "fold"])
def test_right_and_wrong_answers_of_numbered_runs_are_of_models(word):
    answers = np.random.default_rng(3).integers(0, 2, (4, 40))
    names = [f"{model}_{word}{run}" for model in ("gpt", "llama") for run in (1, 2)]
    found, _ = by_python({"question": np.arange(40), **dict(zip(names, answers, strict=True))})
    assert f"Models: {', '.join(map(repr, names[:-1]))} and" in " ".join(found["decisions"])


@pytest.mark.parametrize(
    ("topic", "number", "sizes", "dependent"),
    [
        ("subject", "question_id", (20, 14, 31), False),  # as MMLU numbers its questions
        ("category", "id", (25, 24), False),
        ("subject", "item", (20, 20, 20), True),  # people may rate the same items
        ("prompt_style", "question_id", (25, 24), True),  # the same questions, asked twice
        ("subject", "patient_id", (25, 24), True),
    ],
)
def test_numbers_that_begin_anew_in_each_topic_are_of_different_questions(
    topic, number, sizes, dependent
):
    rows = np.concatenate([np.arange(size) for size in sizes])
    topics = np.repeat(["law", "biology", "history"][: len(sizes)], sizes)
    answers = np.random.default_rng(3).integers(0, 2, (2, rows.size))
    table = {topic: topics, number: rows, "gpt": answers[0], "llama": answers[1]}
    found, said = by_python(table, kind="items")
    assert found is not None, said
    assert ("are not independent" in str(found)) == dependent


@pytest.mark.parametrize(
    "name", ["outer_fold_1", "stratified_fold_5", "group_kfold_5", "data_split_2", "site_fold_1"]
)
def test_a_number_after_fold_makes_no_model(name):
    scores = np.random.default_rng(3).random((2, 60)).round(3)
    y, folds = np.arange(60) % 2, np.arange(60) % 5 + 1
    found, said = by_python({"y": y, name: folds, "svm": scores[0], "knn": scores[1]})
    assert found is not None, said
    assert "'svm' and 'knn'" in " ".join(found["decisions"])
    assert f"5 values of '{name}'" in str(found)


def test_one_column_called_a_rating_may_be_the_truth():
    stars = np.random.default_rng(3).integers(1, 6, (3, 60))
    found, said = by_python(dict(zip(("rating", "bert", "roberta"), stars, strict=True)))
    assert found is None
    assert "'rating', 'bert' and 'roberta' may be" in said
    table = dict(zip(("rating", "bert", "roberta"), stars, strict=True))
    assert all(by_python(table, **way)[0] is not None for way in ways_of_python(said))


@pytest.mark.parametrize(
    ("name", "low", "high", "says"),
    [
        ("turnover", 20.0, 90.0, "'turnover' may be measurements"),
        ("xgboost", -3.0, 3.0, "Models: 'model_a', 'model_b' and 'xgboost'"),
    ],
)
def test_numbers_beside_columns_called_models(name, low, high, says):
    """Those on another scale may be measurements; those on the same scale are a model's."""
    rng = np.random.default_rng(11)
    y = np.arange(60) % 2
    table = {"y": y, "model_a": rng.normal(size=60) + y, "model_b": rng.normal(size=60) + y}
    table |= {name: rng.uniform(low, high, 60).round(1) + y}
    found, said = by_python(table)
    assert re.search(says, said if found is None else " ".join(found["decisions"]))
    assert all(by_python(table, **way)[0] is not None for way in ways_of_python(said))


def test_a_row_without_the_name_of_its_model_is_an_error():
    table = {"model": ["A", "B", None], **{f"fold{j}": [0.8, 0.7, 0.1 + j / 20] for j in (1, 2, 3)}}
    found, said = by_python(table, design="kfold")
    assert found is None
    assert "column 'model' is empty in row 2: it must name a model" in said
