"""Errors and warnings of the command line name its options, columns and lines of files."""

import json
import re
from pathlib import Path

import pytest

import fastcompare as fc
from fastcompare._base.documented import ORDER
from fastcompare._base.exceptions import HINTS
from fastcompare._cli.terminal import COMMAND_HINTS
from fastcompare._inputs.tables import models_among
from tests.shared.commandline import TOY, failure, run

FOLDS = "round,a,b\n" + "".join(f"{i},0.{i}1,0.{i % 3}7\n" for i in range(1, 9))
SIZES = ("--n-train", 90, "--n-test", 10)
FAULTS = {
    "missing score": (
        "compare --kind scores",
        TOY.replace("0.99", ""),
        [],
        "column 'a' has 1 .* line 11\\. .* omit",
    ),
    "missing label": (
        "compare --kind scores",
        TOY.replace("1,0.99", ",0.99"),
        [],
        "column 'y' has 1 .* line 11\\.",
    ),
    "jobs": ("compare --kind scores", TOY, ["--n-jobs", "0"], "`--n-jobs` must be -1"),
    "policy": (
        "compare --kind scores",
        TOY,
        ["--nan-policy", "drop"],
        "`--nan-policy` must be .* 'omit'",
    ),
    "rule": ("compare --kind probabilities", TOY, ["--rule", "x"], "`--rule` must be"),
    "scores": (
        "compare --kind labels",
        TOY,
        [],
        "column 'a' must contain labels.*: give --threshold.*--kind probabilities",
    ),
    "method": (
        "compare --kind labels",
        TOY,
        ["--threshold", "0.5", "--method", "x"],
        "`--method` must be",
    ),
    "round": (
        "compare --kind folds",
        FOLDS.replace("0.41", ""),
        SIZES,
        "of 'a' in line 5\\. .* --nan-policy omit",
    ),
    "sizes": (
        "compare --kind folds",
        FOLDS,
        ["--n-train", "90", "--n-test", "-1"],
        "`--n-test` must be",
    ),
    "data set": ("compare --kind datasets", FOLDS.replace("0.41", ""), [], "of 'a' in line 5\\."),
    "post-hoc": ("compare --kind datasets", FOLDS, ["--test", "x"], "`--test` must be"),
    "kind": (
        "compare",
        TOY.replace("0.99", "x"),
        ["--kind", "scores", "--model", "a", "--model", "b"],
        "column 'a' has 'x' in line 11",
    ),
    "separator": ("compare --kind scores", TOY, ["--sep", "::"], "`--sep` must be"),
}


@pytest.mark.parametrize(("command", "text", "options", "message"), FAULTS.values(), ids=FAULTS)
def test_messages_are_in_the_words_of_the_command_line(tmp_path, command, text, options, message):
    path = tmp_path / "toy.csv"
    path.write_text(text)
    label = ["--label", "y"] if text.startswith("y") else []
    said = run(*command.split(), path, *label, *options).stderr
    assert re.search(message, said), said
    last = said.splitlines()[-1].removeprefix("fastcompare: error: ")
    named = {word.partition("=")[0] for word in re.findall("`([^`]+)`", last)}
    assert named.isdisjoint({*ORDER, "y_true", "scores", "pos_label"})
    assert not re.search(r"\b\w+='\w+'", last)


def test_a_warning_of_several_tests_is_said_once(tmp_path):
    path = tmp_path / "folds.csv"
    path.write_text(FOLDS.replace("a,b", "a,b,c").replace("7\n", "7,0.5\n"))
    done = run(
        "compare", "--kind", "folds", path, "--n-train", 10, "--n-test", 90, "--format", "json"
    )
    assert len(json.loads(done.stdout)["models"]) == 3
    assert done.stderr.count("`--n-test` (90) is larger than `--n-train` (10)") == 1


def test_a_model_that_is_called_as_an_option_is_not_taken_for_it(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text(TOY.replace("y,a,b", "y,alpha,b").replace("0.99", ""))
    assert "column 'alpha' has 1 missing" in failure(
        *("compare", path, "--label", "y", "--kind", "scores")
    )
    path.write_text(TOY.replace("y,a,b", "y,alpha,b"))
    message = failure("compare", path, "--label", "y", "--kind", "scores", "--alpha", "2")
    assert "`--alpha` must be" in message


def test_sizes_that_are_simulated_are_named_as_they_are_given():
    assert "`--n` must be from 2" in failure("simulate", "--n", "0")


def test_each_way_to_go_on_has_words_of_the_command_line():
    package = Path(fc.__file__).parent
    texts = [path.read_text() for path in package.rglob("*.py")]
    found = [
        one for text in texts for one in re.findall(r"\bhint\((?:'([^']+)'|\"([^\"]+)\")", text)
    ]
    assert {single or double for single, double in found} == set(COMMAND_HINTS)


@pytest.mark.parametrize(("k", "way"), [(2, "--model for each of 'm0', 'm1'"), (4, "--model once")])
def test_the_models_of_a_doubtful_table_are_named_by_an_option(k, way):
    table = {f"m{j}": [0.5 + j / 10, 0.25] * 4 for j in range(k)} | {"seed": [*range(8)]}
    before = HINTS.set(COMMAND_HINTS)
    try:
        with pytest.raises(fc.FastCompareError, match=f"Name the models: {way}"):
            models_among(table, cases=False)
    finally:
        HINTS.reset(before)
    with pytest.raises(fc.FastCompareError, match=r"Name the models: models=\["):
        models_among(table, cases=False)
