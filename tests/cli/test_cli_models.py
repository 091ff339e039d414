"""Columns that nobody named are models only where they look like some, and are listed."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet

from fastcompare._inputs.tables import doubtful_numbers
from tests.shared.commandline import TOY, as_json, failure, run

ROWS = TOY.splitlines()[1:]


def table(tmp_path, name, values, rows=ROWS):
    """Return a file of the toy data with one more column in front."""
    path = tmp_path / "table.csv"
    lines = [f"{value},{row}" for value, row in zip(values, rows, strict=True)]
    path.write_text("\n".join([f"{name},y,a,b,c", *lines]))
    return path


def models_of(*arguments):
    return [model["model"] for model in as_json(*arguments)["models"]]


IDS = {
    "numbers of rows": (range(13), "has 13 whole numbers that all differ"),
    "ids": ([7 * i % 90 + 10**15 for i in range(13)], "all differ"),
    "ids beyond doubles": ([2**62 + i for i in range(13)], "all differ"),
    "some missing": ([*range(40, 52), ""], "has 12 whole numbers that all differ"),
    "written with decimals": ([f"{i}.0" for i in range(13)], "all differ"),
    "dates": ([20260101, 20260102] * 6 + [20260103], "from 2.02601e\\+07 to .* more than 10 times"),
    "ages": (range(40, 66, 2), "all differ"),
    "ages with ties": ([40.5, 51] * 6 + [60], "from 40.5 to 60, all more than 10 times"),
}


def test_scores_of_other_kinds_are_none():
    ranks = np.random.default_rng(0).permutation([np.arange(50.0)] * 3, axis=1)
    assert doubtful_numbers(dict(zip("abc", ranks, strict=True))) == {}
    points = {"a": np.arange(50) // 2, "b": np.arange(0, 100, 2), "c": np.arange(50) // 3}
    assert doubtful_numbers(points) == {}
    mixed = {"logit": np.linspace(-8, 8, 50), "p": np.linspace(0, 1, 50), "none": np.zeros(50)}
    assert doubtful_numbers(mixed) == {}
    assert doubtful_numbers({**points, "row": np.arange(50)}).keys() == {"row"}
    assert doubtful_numbers({**mixed, "row": np.arange(50)}).keys() == {"row"}


@pytest.mark.slow
@given(st.lists(st.floats(-1, 1), min_size=5), st.floats(0.1, 9.9))
def test_scores_of_like_sizes_are_never_refused(values, factor):
    scores = np.array([1.0, *values])
    assert doubtful_numbers({"a": scores + 0.5, "b": factor * (scores + 0.5)}) == {}


@pytest.mark.slow
def test_ids_in_large_files_are_left_out_with_a_line(tmp_path, monkeypatch):
    monkeypatch.setattr("fastcompare._cli.large.STREAMED_FROM", 1)
    y, a = np.arange(90) % 2, np.random.default_rng(0).normal(size=(2, 90))
    path = tmp_path / "large.parquet"
    parquet.write_table(pa.table({"y": y, "no": np.arange(90), "a": a[0], "b": a[1]}), path)
    done = run("compare", path, "--format", "json")
    assert "Not used: 'no' (all values differ)" in done.stdout
    assert json.loads(done.stdout)["names"] == ["a", "b"]
    chosen = run("compare", path, "--label", "y", "--model", "a", "--model", "b")
    assert chosen.exit_code == 0


def test_scores_among_predicted_labels_lead_to_a_threshold(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("y,a,b\n" + "".join(f"{i % 2},0.{i}7,1.{i}9\n" for i in range(1, 9)))
    assert "give --threshold" in failure("compare", "--kind", "labels", path, "--label", "y")


def test_the_separator_of_each_file_is_found(tmp_path):
    one, two = tmp_path / "first.csv", tmp_path / "second.csv"
    for path, mark in ((one, ";"), (two, ",")):
        path.write_text(TOY.replace(",", mark))
    models = [as_json("compare", path)["models"] for path in (one, two)]
    assert models[0] == models[1]


def test_compare_uses_a_named_column_even_if_it_is_doubtful(tmp_path):
    path = table(tmp_path, "age", range(30, 56, 2))
    assert "age" not in as_json("compare", path, "--label", "y")["names"]
    found = as_json("compare", path, "--label", "y", "--model", "age", "--model", "a")
    assert {model["name"] for model in found["models"]} == {"age", "a"}
