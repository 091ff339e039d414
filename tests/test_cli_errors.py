"""What fails on the command line fails in one line, and leaves no half file."""

import os
import re
import stat
from pathlib import Path

import pytest

import fastcompare as fc

from .commandline import TOY, failure, ok, run


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.csv"
    path.write_text(TOY)
    return path


DISTINCT = ("--score", "random_forest", "--score", "decision_tree")  # no warning

ERRORS = {
    "missing file": (["auc", "missing.csv"], "No such file"),
    "directory": (["labels", "/"], "Is a directory"),
    "command": (["acu"], "No such command"),
    "option": (["auc", "--alternativ", "less"], "No such option"),
    "argument": (["labels", "a", "b"], "argument"),
    "no number": (["auc", "--confidence-level", "high"], "--confidence-level"),
    "format": (["auc", "--format", "jsno"], "Did you mean 'json'"),
    "label": (["auc", "--label", "y_treu"], "`--label` .* Did you mean 'y_true'"),
    "score": (["auc", "--score", "naive_baise"], "Did you mean 'naive_bayes'"),
    "label as score": (["auc", "--score", "y_true"], "`--score`"),
    "score twice": (["auc", "--score", "naive_bayes", "--score", "naive_bayes"], "twice"),
    "one score": (["auc", "--score", "naive_bayes"], "two models"),
    "alternative": (["auc", "--alternative", "two-tailed"], "Did you mean 'two-sided'"),
    "correction": (["auc", "--correction", "holmes"], "Did you mean 'holm'"),
    "level": (["auc", *DISTINCT, "--confidence-level", "95"], "Did you mean 0.95"),
    "jobs": (["auc", "--n-jobs", "0"], "`--n-jobs`"),
    "policy": (["auc", "--nan-policy", "drop"], "`--nan-policy`"),
    "positive label": (["auc", "--pos-label", "malignant"], "found 0, 1"),
    "separator": (["auc", "-", "--sep", "::"], "`--sep`"),
    "encoding": (["auc", "-", "--encoding", "klingon"], "`--encoding`"),
    "directory of output": (["auc", "--output", "/missing/out.txt"], "'/missing' is no directory"),
    "device as output": (["auc", "--output", os.devnull, "--force"], "not a regular file"),
}


@pytest.mark.parametrize(("arguments", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_are_one_line_and_exit_code_2(arguments, message):
    assert re.search(message, failure(*arguments))


def test_an_encoding_that_no_file_has():
    message = failure("auc", "-", "--encoding", "undefined", input=TOY)
    assert "'undefined' is not a text encoding" in message


def test_named_scores_that_are_no_numbers_are_an_error(toy):
    toy.write_text(TOY.replace(",0.99,", ',"0,99 \x1b[31m",'))
    message = failure("auc", toy, "--label", "y", "--score", "a", "--score", "b")
    assert "line 11 has '0,99" in message
    assert "\x1b" not in message


def test_no_numeric_column_at_all(toy):
    toy.write_text("y,a\n1,x\n0,y\n")
    result = run("auc", toy, "--label", "y")
    assert result.exit_code == 2
    assert "at least" in result.stderr


@pytest.mark.slow
def test_output_is_whole_and_never_replaced_unasked(tmp_path):
    path = tmp_path / "out.json"
    assert ok("auc", "--format", "json", "--output", path) == ""
    assert path.read_text() == ok("auc", "--format", "json") != ok("auc")
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.write_text("mine")
    assert "--force" in failure("auc", "--output", path)
    assert path.read_text() == "mine"
    ok("auc", "--output", path, "--force")
    assert path.read_text() == ok("auc", "--format", "json")
    assert os.listdir(tmp_path) == ["out.json"]


def test_failed_output_leaves_nothing(tmp_path, monkeypatch):
    path = tmp_path / "out.txt"
    path.write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)
    assert "No space left" in failure("auc", *DISTINCT, "--output", path, "--force")
    assert [path.name] == os.listdir(tmp_path)
    assert path.read_text() == "old"


def refuse(*_):
    raise OSError(28, "No space left on device")


def test_faults_of_ours_are_not_hidden(monkeypatch):
    monkeypatch.setattr(fc, "delong_pairwise_test", None)
    assert isinstance(run("auc").exception, TypeError)


def test_json_that_is_no_table_is_refused(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("[1, 2]")
    assert "this JSON is not a log of a known format" in failure(
        "compare", path, "--kind", "scores"
    )
