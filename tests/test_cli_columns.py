"""Which columns of a file the commands for labels and probabilities take, and what they refuse."""

import io
import json
import re

import numpy as np
import pytest

from .commandline import TOY, as_json, failure, ok, run, warned

LABELLED = """y,a,b,note
cat,cat,dog,cat
dog,dog,dog,cat
cow,cow,cat,cow
cat,dog,cat,cat
dog,dog,cat,dog
cow,cow,cow,cat
"""
COMMANDS = ("labels", "probabilities")


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.csv"
    path.write_text(TOY)
    return path


@pytest.fixture
def labelled(tmp_path):
    path = tmp_path / "labelled.csv"
    path.write_text(LABELLED)
    return path


def test_labels_of_a_file_may_be_of_any_kind(labelled):
    found = as_json("labels", labelled, "--label", "y", "--prediction", "b", "--prediction", "a")
    assert [(m["model"], m["n_correct"]) for m in found["models"]] == [("b", 3), ("a", 5)]
    assert [(p["n10"], p["n01"]) for p in found["pairs"]] == [(1, 3)]
    assert found["source"] == str(labelled)


def test_all_other_columns_are_taken_by_default(labelled, toy):
    models = as_json("labels", labelled, "--label", "y")["models"]
    assert [m["model"] for m in models] == ["a", "b", "note"]
    models = as_json("probabilities", toy, "--label", "y")["models"]
    assert [m["model"] for m in models] == ["a", "b", "c"]


def test_thresholds_are_reached_by_equal_scores(toy):
    found = as_json("labels", toy, "--label", "y", "--threshold", "0.6")
    y, a, b, c = np.loadtxt(io.StringIO(TOY), delimiter=",", skiprows=1).T
    right = [int(((scores >= 0.6) == (y == 1)).sum()) for scores in (a, b, c)]
    assert 0.6 in a
    assert [m["n_correct"] for m in found["models"]] == right


@pytest.mark.parametrize("command", [("labels", "--threshold", "0.5"), ("probabilities",)])
def test_positive_labels_of_any_kind(toy, command):
    command, *options = command
    want = ok(command, toy, *options, "--label", "y", "--format", "csv")
    named = {"0": "no", "1": "yes"}
    head, *lines = TOY.splitlines()
    toy.write_text("\n".join([head, *(named[line[0]] + line[1:] for line in lines)]))
    options += ["--label", "y", "--pos-label", "yes", "--format", "csv"]
    assert ok(command, toy, *options) == want


@pytest.mark.slow
@pytest.mark.parametrize("command", [("labels", "--threshold", "0.5"), ("probabilities",)])
def test_missing_scores_are_refused_or_left_out_of_all_models(toy, command):
    command, *options = command
    options += ["--label", "y"]
    kept = [line for line in TOY.splitlines() if "0.99" not in line]
    toy.write_text("\n".join(kept))
    want = as_json(command, toy, *options)
    toy.write_text(TOY.replace("0.99", "NA"))
    assert re.search(
        "missing .*, the first in line 1[12]. .* --nan-policy omit", failure(command, toy, *options)
    )
    result = run(command, toy, *options, "--nan-policy", "omit", "--format", "json")
    assert re.match(r"fastcompare: warning: 1 of 13 cases[^\n]+\n", result.stderr)
    assert json.loads(result.stdout) == {**want, "n_dropped": 1}


@pytest.mark.parametrize("word", ["", "NA"])
def test_missing_labels_are_refused_or_left_out(labelled, word):
    labelled.write_text(LABELLED.replace("cow,cow,cow,cat", f"{word},cow,cow,cat"))
    assert "--nan-policy omit" in failure("labels", labelled, "--label", "y")
    result = run("labels", labelled, "--label", "y", "--nan-policy", "omit", "--format", "json")
    found = json.loads(result.stdout)
    assert (found["n"], found["n_dropped"]) == (5, 1)
    assert re.fullmatch(r"fastcompare: warning: 1 of 6 cases[^\n]+\n", warned(result))


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_output_goes_to_a_file(tmp_path, command):
    path = tmp_path / "out.md"
    assert ok(command, "--format", "markdown", "-o", path) == ""
    assert path.read_text() == ok(command, "--format", "markdown")
    assert "--force" in failure(command, "-o", path)


ERRORS = {
    "format": (["labels", "--format", "jsno"], "Did you mean 'json'"),
    "label": (["labels", "--label", "y_treu"], "`--label` .* Did you mean 'y_true'"),
    "prediction": (["labels", "--prediction", "naive_baise"], "`--prediction` .*'naive_bayes'"),
    "prediction twice": (["labels", *["--prediction", "naive_bayes"] * 2], "twice"),
    "one prediction": (["labels", "--prediction", "naive_bayes"], "two models"),
    "method": (["labels", "--method", "mid-pp"], "`--method` .* Did you mean 'midp'"),
    "threshold": (["labels", "--threshold", "nan"], "`--threshold` must be finite"),
    "correction": (["labels", "--correction", "holmes"], "Did you mean 'holm'"),
    "probability": (["probabilities", "--probability", "y_true"], "`--probability`"),
    "one probability": (["probabilities", "--probability", "naive_bayes"], "two models, got 1"),
    "rule": (["probabilities", "--rule", "brior"], "`--rule` .* Did you mean 'brier'"),
    "clip": (["probabilities", "--clip", "2"], "`--clip`"),
    "correction of losses": (["probabilities", "--correction", "holmes"], "`--correction`"),
    "alternative": (["probabilities", "--alternative", "two-tailed"], "Did you mean 'two-sided'"),
    "level": (["probabilities", "--confidence-level", "95"], "Did you mean 0.95"),
    "policy": (["probabilities", "--nan-policy", "drop"], "`--nan-policy`"),
    "positive label": (["probabilities", "--pos-label", "malignant"], "found 0, 1"),
}


@pytest.mark.parametrize(("arguments", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_are_one_line_and_exit_code_2(arguments, message):
    assert re.search(message, last_line(run(*arguments)))


def last_line(result):
    """Return the one line of error of a failed command."""
    assert (result.exit_code, result.stdout) == (2, "")
    *warnings, line = result.stderr.splitlines()
    assert all(text.startswith("fastcompare: warning: ") for text in warnings)
    assert line.startswith("fastcompare: error: ")
    return line


def test_scores_without_a_threshold_are_no_labels(toy):
    assert "column 'a' must contain labels" in failure("labels", toy, "--label", "y")


def test_predicted_labels_need_no_positive_one(labelled):
    message = failure("labels", labelled, "--label", "y", "--pos-label", "cat")
    assert "`--pos-label` is for scores" in message


def test_scores_beyond_0_and_1_are_no_probabilities(toy):
    toy.write_text(TOY.replace("0.99", "1.99"))
    message = failure("probabilities", toy, "--label", "y")
    assert "column 'a' must contain probabilities from 0 to 1" in message


def test_one_class_and_one_case_are_said_to_be_undefined(toy):
    toy.write_text("y,a,b\n1,0.5,0.4\n")
    result = run("probabilities", toy, "--label", "y", "--format", "json")
    assert json.loads(result.stdout)["pairs"][0]["status"] == "one_case"
    assert "one_case" in result.stderr


RANKED = "y,a,b,c\n" + "".join(
    f"{i % 2},{0.1 + 0.004 * (i * 37 % 200)},{0.9 - 0.004 * (i * 53 % 200)},{i % 7 / 7}\n"
    for i in range(40)
)


def changed_column(text, name, change):
    """Return the text with a column whose fields are changed by row, from 0."""
    head, *rows = text.splitlines()
    at = head.split(",").index(name)
    fields = [row.split(",") for row in rows]
    for j, row in enumerate(fields):
        row[at] = str(change(j, row[at]))
    return "\n".join([head, *map(",".join, fields)]) + "\n"


@pytest.mark.parametrize("command", ["auc", "labels --threshold 0.5"])
def test_codes_for_missing_values_are_noted_whatever_the_command(tmp_path, command):
    path = tmp_path / "a.csv"
    path.write_text(changed_column(RANKED, "a", lambda j, x: -1 if j in (3, 9) else x))
    told = run(*command.split(), path, "--label", "y").stderr
    assert "'a' is -1 in 2 rows, otherwise from 0.1" in told
    path.write_text(RANKED)
    assert "code for missing" not in run(*command.split(), path, "--label", "y").stderr


def test_aucs_below_one_half_and_labels_among_scores_are_noted(tmp_path):
    path = tmp_path / "a.csv"
    y = [row.split(",")[0] for row in RANKED.splitlines()[1:]]
    text = changed_column(RANKED, "a", lambda j, x: float(x) - int(y[j]))
    text = changed_column(text, "b", lambda j, x: float(x) + int(y[j]))
    path.write_text(changed_column(text, "c", lambda j, x: j % 3 // 2))
    models = (f"--score={name}" for name in "abc")
    told = run("auc", path, "--label", "y", *models).stderr
    assert "AUC of 'a' is below 0.5" in told
    assert "AUC of 'b'" not in told
    assert "'c' has two values, as predicted labels have" in told


@pytest.mark.parametrize("command", ["auc", "compare", "labels --threshold 0.5", "probabilities"])
def test_both_columns_of_one_model_are_refused_whatever_the_command(tmp_path, command):
    path = tmp_path / "a.csv"
    path.write_text(changed_column(RANKED, "b", lambda j, _: 1.0 - (0.1 + 0.004 * (j * 37 % 200))))
    told = failure(*command.split(), path, "--label", "y")
    assert "there must be one column per model; its columns 'a' and 'b' sum" in told
    assert told.endswith("Name the second of each model.\n")


@pytest.mark.parametrize("command", ["auc", "labels --threshold 0.5", "probabilities"])
def test_training_cases_are_refused(tmp_path, command):
    path = tmp_path / "a.csv"
    head, *rows = RANKED.splitlines()
    for words in (("train", "test"), ("Training", "")):
        split = [f"{row},{words[j % 2]}" for j, row in enumerate(rows)]
        path.write_text("\n".join([f"{head},split", *split]))
        told = failure(*command.split(), path, "--label", "y")
        assert f"'split' says that rows are of training ('{words[0].lower()}')" in told
    path.write_text("\n".join([f"{head},split", *(f"{row},test" for row in rows)]))
    assert "'split' is ignored" in run(*command.split(), path, "--label", "y").stderr


def test_a_line_that_names_the_separator_is_none_of_the_table(tmp_path):
    path, plain = tmp_path / "a.csv", tmp_path / "b.csv"
    plain.write_text(RANKED)
    path.write_bytes(b"sep=;\r\n" + RANKED.replace(",", ";").replace("\n", "\r\n").encode())
    one, other = (as_json("auc", file, "--label", "y") for file in (path, plain))
    assert one["pairs"] == other["pairs"]
    path.write_text("sep=;\n" + RANKED.replace(",", ";").replace("0.1;", "x;", 1))
    assert "line 3 has 'x'" in failure("auc", path, "--label", "y")


@pytest.mark.parametrize("command", ["folds"])
def test_measures_of_models_in_rows_are_no_models(tmp_path, command):
    path = tmp_path / "a.csv"
    rows = (f"{fold},{model},0.{80 + fold},0.{70 + fold}\n" for fold in range(10) for model in "ab")
    path.write_text("fold,model,accuracy,f1\n" + "".join(rows))
    words = [*command.split(), path, "--n-train", "90", "--n-test", "10"]
    assert "has a row for each model and fold" in failure(*words)
    path.write_text(path.read_text().replace("model", "system"))
    assert "has a row for each system and fold" in failure(*words)


def test_items_that_are_true_or_false_are_right_or_wrong(tmp_path):
    path, other = tmp_path / "a.csv", tmp_path / "b.csv"
    rows = [(f"q{j}", j % 3 > 0, j % 5 > 0) for j in range(30)]
    path.write_text("question,a,b\n" + "".join(f"{q},{x},{y}\n" for q, x, y in rows))
    other.write_text("question,a,b\n" + "".join(f"{q},{x:d},{y:d}\n" for q, x, y in rows))
    assert ok("leaderboard", path) == ok("leaderboard", other)
    one, two = (as_json("compare", file)["models"] for file in (path, other))
    assert one == two
