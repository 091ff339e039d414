"""Which columns of a file the commands for labels and probabilities take, and what they refuse."""

import json
import re

import pytest

from tests.shared.commandline import LABELLED, TOY, as_json, failure, ok, run


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


@pytest.mark.slow
@pytest.mark.parametrize("command", [("labels", "--threshold", "0.5"), ("probabilities",)])
def test_missing_scores_are_refused_or_left_out_of_all_models(toy, command):
    kind, *options = command
    command, options = "compare", ["--kind", kind, *options, "--label", "y"]
    kept = [line for line in TOY.splitlines() if "0.99" not in line]
    toy.write_text("\n".join(kept))
    want = as_json(command, toy, *options)
    toy.write_text(TOY.replace("0.99", "NA"))
    assert re.search(
        "missing .*, the first in line 1[12]. .* --nan-policy omit", failure(command, toy, *options)
    )
    result = run(command, toy, *options, "--nan-policy", "omit", "--format", "json")
    assert re.match(r"fastcompare: warning: 1 of 13 cases[^\n]+\n", result.stderr)
    found = json.loads(result.stdout)
    assert (found["pairs"], found["values"]) == (want["pairs"], want["values"])


@pytest.mark.slow
def test_output_goes_to_a_file(tmp_path):
    path = tmp_path / "out.md"
    assert ok("compare", "--format", "markdown", "-o", path) == ""
    assert path.read_text() == ok("compare", "--format", "markdown")
    assert "--force" in failure("compare", "-o", path)


def last_line(result):
    """Return the one line of error of a failed command."""
    assert (result.exit_code, result.stdout) == (2, "")
    *warnings, line = result.stderr.splitlines()
    assert all(text.startswith("fastcompare: warning: ") for text in warnings)
    assert line.startswith("fastcompare: error: ")
    return line


def test_scores_without_a_threshold_are_no_labels(toy):
    assert "column 'a' must contain labels" in failure(
        "compare", "--kind", "labels", toy, "--label", "y"
    )


def test_scores_beyond_0_and_1_are_no_probabilities(toy):
    toy.write_text(TOY.replace("0.99", "1.99"))
    message = failure("compare", "--kind", "probabilities", toy, "--label", "y")
    assert "column 'a' must contain probabilities from 0 to 1" in message


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


def test_items_that_are_true_or_false_are_right_or_wrong(tmp_path):
    path, other = tmp_path / "a.csv", tmp_path / "b.csv"
    rows = [(f"q{j}", j % 3 > 0, j % 5 > 0) for j in range(30)]
    path.write_text("question,a,b\n" + "".join(f"{q},{x},{y}\n" for q, x, y in rows))
    other.write_text("question,a,b\n" + "".join(f"{q},{x:d},{y:d}\n" for q, x, y in rows))
    assert ok("leaderboard", path) == ok("leaderboard", other)
    one, two = (as_json("compare", file)["models"] for file in (path, other))
    assert one == two
