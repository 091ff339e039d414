"""The command line knows reader studies: by names of columns, by options, by iMRMC's files."""

import csv
import functools
import json

import numpy as np
import pytest

import fastcompare as fc
from tests.shared.commandline import as_json, failure, ok

RNG = np.random.default_rng(9)
TRUTH = np.arange(40) % 2
SCORES = np.round(RNG.normal(size=(2, 3, 40)) + TRUTH, 2)
NAMES = ("with", "without")
USUAL = ("truth", "score", "treatment", "reader", "case")


@functools.cache
def wanted():
    """The test of the study as the library gives it."""
    return fc.reader_study_test(
        {
            name: dict(zip("xyz", scores, strict=True))
            for name, scores in zip(NAMES, SCORES, strict=True)
        },
        truth=TRUTH,
        on_undefined="ignore",
    )


@pytest.fixture
def rows():
    """A row for each score: truth, score, treatment, reader, case."""
    places = np.ndindex(*SCORES.shape)
    return [(TRUTH[k], SCORES[i, j, k], NAMES[i], "xyz"[j], f"c{k}") for i, j, k in places]


def write(path, head, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path


def pvalue(*arguments):
    found = as_json("compare", *arguments)
    assert found["kind"] == "readers"
    return found["result"]["pvalue"]


def test_a_study_is_recognised_by_its_columns(tmp_path, rows):
    file = write(tmp_path / "study.csv", USUAL, rows)
    assert pvalue(file) == wanted().pvalue
    text = ok("compare", file)
    assert "a reader study" in text
    assert "Cov2: same treatment" in text
    turned = as_json("compare", file, "--model", "without", "--model", "with")
    assert turned["result"]["estimate"] == -wanted().estimate


def test_options_name_the_columns(tmp_path, rows):
    words = [("ill" if row[0] else "well", *row[1:]) for row in rows]
    file = write(tmp_path / "study.csv", ("D", "S", "T", "R", "C"), words)
    named = ("--label", "D", "--score", "S", "--treatment", "T", "--reader", "R", "--case", "C")
    assert pvalue(file, *named, "--pos-label", "ill") == wanted().pvalue
    assert "`--reader` must be one of" in failure("compare", file, *named[:-3], "Q", *named[-2:])
    without = failure("compare", file, *named[:-4], *named[-2:])
    assert "`--reader` must be specified: no column is called 'reader' or 'readerID'." in without


def test_files_of_imrmc_are_read(tmp_path, rows):
    truth = [("truth", f"c{k}", "truth", label) for k, label in enumerate(TRUTH)]
    read = [(reader, case, treatment, score) for _, score, treatment, reader, case in rows]
    file = tmp_path / "study.imrmc"
    lines = [",".join(map(str, row)) for row in (*truth, *read)]
    file.write_text("NR: 3\nN0: 20\nN1: 20\nNM: 2\n\nBEGIN DATA:\n" + "\n".join(lines) + "\n")
    assert pvalue(file) == wanted().pvalue


def test_losses_of_seeds_need_no_truth(tmp_path, rows):
    head = ("loss", "algorithm", "seed", "item")
    file = write(tmp_path / "runs.csv", head, [row[1:] for row in rows])
    named = ("--score", "loss", "--treatment", "algorithm", "--reader", "seed", "--case", "item")
    found = as_json("compare", file, *named, "--lower-is-better")
    assert (found["quantity"], found["higher_is_better"]) == ("mean loss", False)


def test_what_is_missing_is_said(tmp_path, rows):
    file = write(tmp_path / "study.csv", USUAL, rows[1:])
    assert "1 scores are missing" in failure("compare", file)
    assert json.loads(json.dumps(wanted().to_dict()))["study"]["readers"] == ["x", "y", "z"]
