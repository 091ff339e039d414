"""What fails on the command line fails in one line, and leaves no half file."""

import os
import re
import stat
from pathlib import Path

import pytest

import fastcompare as fc
from tests.shared.commandline import TOY, failure, ok, run


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.csv"
    path.write_text(TOY)
    return path


DISTINCT = ("--model", "random_forest", "--model", "decision_tree")  # no warning

ERRORS = {
    "missing file": (["compare", "--kind", "scores", "missing.csv"], "No such file"),
    "command": (["acu"], "No such command"),
    "option": (["compare", "--kind", "scores", "--alternativ", "less"], "No such option"),
    "no number": (
        ["compare", "--kind", "scores", "--confidence-level", "high"],
        "--confidence-level",
    ),
    "format": (["compare", "--kind", "scores", "--format", "jsno"], "Did you mean 'json'"),
    "score": (
        ["compare", "--kind", "scores", "--model", "naive_baise"],
        "Did you mean 'naive_bayes'",
    ),
    "label as score": (["compare", "--kind", "scores", "--model", "y_true"], "`--model`"),
    "alternative": (
        ["compare", "--kind", "scores", "--alternative", "two-tailed"],
        "Did you mean 'two-sided'",
    ),
    "correction": (
        ["compare", "--kind", "scores", "--correction", "holmes"],
        "Did you mean 'holm'",
    ),
    "level": (
        ["compare", "--kind", "scores", *DISTINCT, "--confidence-level", "95"],
        "Did you mean 0.95",
    ),
    "jobs": (["compare", "--kind", "scores", "--n-jobs", "0"], "`--n-jobs`"),
    "policy": (["compare", "--kind", "scores", "--nan-policy", "drop"], "`--nan-policy`"),
    "separator": (["compare", "--kind", "scores", "-", "--sep", "::"], "`--sep`"),
    "encoding": (["compare", "--kind", "scores", "-", "--encoding", "klingon"], "`--encoding`"),
    "directory of output": (
        ["compare", "--kind", "scores", "--output", "/missing/out.txt"],
        "'/missing' is no directory",
    ),
    "device as output": (
        ["compare", "--kind", "scores", "--output", os.devnull, "--force"],
        "not a regular file",
    ),
}


@pytest.mark.parametrize(("arguments", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_are_one_line_and_exit_code_2(arguments, message):
    assert re.search(message, failure(*arguments))


def test_an_encoding_that_no_file_has():
    message = failure("compare", "--kind", "scores", "-", "--encoding", "undefined", input=TOY)
    assert "'undefined' is not a text encoding" in message


def test_no_numeric_column_at_all(toy):
    toy.write_text("y,a\n1,x\n0,y\n")
    result = run("compare", "--kind", "scores", toy, "--label", "y")
    assert result.exit_code == 2
    assert "at least" in result.stderr


@pytest.mark.slow
def test_output_is_whole_and_never_replaced_unasked(tmp_path):
    path = tmp_path / "out.json"
    assert ok("compare", "--kind", "scores", "--format", "json", "--output", path) == ""
    assert (
        path.read_text()
        == ok("compare", "--kind", "scores", "--format", "json")
        != ok("compare", "--kind", "scores")
    )
    umask = os.umask(0)
    os.umask(umask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~umask
    path.write_text("mine")
    assert "--force" in failure("compare", "--kind", "scores", "--output", path)
    assert path.read_text() == "mine"
    ok("compare", "--kind", "scores", "--output", path, "--force")
    assert path.read_text() == ok("compare", "--kind", "scores", "--format", "json")
    assert os.listdir(tmp_path) == ["out.json"]


def test_failed_output_leaves_nothing(tmp_path, monkeypatch):
    path = tmp_path / "out.txt"
    path.write_text("old")
    monkeypatch.setattr(Path, "replace", refuse)
    assert "No space left" in failure(
        "compare", "--kind", "scores", *DISTINCT, "--output", path, "--force"
    )
    assert [path.name] == os.listdir(tmp_path)
    assert path.read_text() == "old"


def refuse(*_):
    raise OSError(28, "No space left on device")


def test_faults_of_ours_are_not_hidden(monkeypatch):
    monkeypatch.setattr(fc, "compare", None)
    assert isinstance(run("compare", "--kind", "scores").exception, TypeError)
