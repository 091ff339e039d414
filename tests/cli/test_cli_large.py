"""Tables in several files, and in files that a command reads a piece at a time."""

import json
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

import fastcompare as fc
from tests.cli.test_cli_processes import PYTHON
from tests.shared.commandline import as_json, failure, run

pytestmark = pytest.mark.slow

OPTIONS = ["--label", "y", "--pos-label", "ill"]
CHOSEN = ["--model", "b", "--model", "c"]
VERBOSE = "--verbose"


@pytest.fixture
def folder(tmp_path):
    """A folder of three Parquet files of row groups of 90 cases, and the same as CSV."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 600)
    a, b, c = rng.normal(size=(3, 600)) + y
    words = np.where(y == 1, "ill", "well")
    table = pa.table({"y": words, "a": a.astype(np.float32), "b": b, "c": c.round(1), "id": words})
    for i, start in enumerate((0, 100, 350)):
        part = table.slice(start, (100, 250, 250)[i])
        parquet.write_table(part, tmp_path / f"{i}.parquet", row_group_size=90)
        csv.write_csv(part, tmp_path / f"{i}.csv")
    return tmp_path


def numbers(*arguments):
    """Return the AUCs, and the estimates and p-values of all pairs, of a command."""
    result = as_json("compare", *arguments, *OPTIONS)["result"]
    return {name: result[name] for name in ("auc", "estimate", "pvalue")}


@pytest.mark.filterwarnings("ignore")
def test_cases_that_are_read_in_pieces_give_the_numbers_of_memory(folder, monkeypatch):
    want = numbers(folder, "--kind", "scores")
    files = sorted(map(str, folder.glob("*.parquet")))
    assert numbers(*files, "--kind", "scores") == want
    text = numbers(*sorted(folder.glob("*.csv")), *CHOSEN, "--kind", "scores")
    one = as_json("compare", folder, *OPTIONS, "--model", "b", "--kind", "scores")
    monkeypatch.setattr("fastcompare._cli.large.STREAMED_FROM", 600)
    found = numbers(folder)
    assert found == {name: pytest.approx(want[name]) for name in want}
    done = run("compare", folder, *OPTIONS, "--n-jobs", 2, VERBOSE, "--format", "json")
    assert "The 600 cases are read in pieces" in done.stdout
    assert "Not used: 'id'" in " ".join(done.stdout.split())
    assert "GiB of memory" in done.stderr
    chosen = numbers(folder, *CHOSEN)
    assert chosen == {name: pytest.approx(text[name]) for name in text}
    alone = as_json("compare", folder, *OPTIONS, "--model", "b")
    assert alone["models"] == [{"name": "b", "value": pytest.approx(one["models"][0]["value"])}]
    assert alone["result"]["method"] == "score"


def test_few_cases_in_large_files_take_students_t(tmp_path, monkeypatch):
    monkeypatch.setattr("fastcompare._cli.large.STREAMED_FROM", 1)
    rng = np.random.default_rng(0)
    y, scores = (np.arange(90) < 10) * 1, rng.normal(size=(2, 90))
    table = pa.table({"y_true": y, "a": scores[0] + y, "b": scores[1]})
    parquet.write_table(table, tmp_path / "few.parquet")
    done = run("compare", "--kind", "scores", tmp_path / "few.parquet", "--format", "json")
    (pair,) = json.loads(done.stdout)["pairs"]
    want = fc.delong_test(y, table["a"], table["b"], reference="t", on_undefined="ignore")
    assert pair["pvalue"] == pytest.approx(want.pvalue)
    assert "warning" not in done.stderr


def test_labels_in_several_spellings_are_never_read_in_pieces(folder, monkeypatch):
    table = parquet.read_table(folder / "0.parquet")
    words = [
        "Ill" if j % 7 == 0 and x == "ill" else x for j, x in enumerate(table["y"].to_pylist())
    ]
    path = folder / "0.parquet"
    parquet.write_table(table.set_column(0, "y", pa.array(words)), path)
    expected = numbers(path)
    monkeypatch.setattr("fastcompare._cli.large.STREAMED_FROM", 1)
    assert numbers(path) == expected


def test_each_pass_is_shown_to_whoever_waits(folder):
    files, shown = sorted(folder.glob("*.parquet")), []
    scan = fc.scan_parquet(
        files, label="y", scores=["b", "c"], progress=lambda *done: shown.append(done)
    )
    plain = fc.scan_parquet(files, label="y", scores=["b", "c"])
    found = fc.delong_test(scan, pos_label="ill")
    assert found.pvalue == fc.delong_test(plain, pos_label="ill").pvalue
    assert shown.count((8, 8)) >= 2  # passes over all row groups
    assert {total for _, total in shown} == {8}


def test_rows_of_cases_and_models_are_never_read_in_pieces(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 40)
    table = {"case": [*range(40)] * 2, "model": ["a"] * 40 + ["b"] * 40, "y_true": [*y, *y]}
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({**table, "score": rng.random(80)}), path)
    expected = as_json("compare", "--kind", "scores", path)
    monkeypatch.setattr("fastcompare._cli.large.STREAMED_FROM", 1)
    assert as_json("compare", "--kind", "scores", path) == expected
    assert {model["name"] for model in expected["models"]} == {"a", "b"}


def test_files_that_are_no_table_together_say_why(folder, monkeypatch):
    files = [folder / f"{i}.parquet" for i in range(3)]
    assert "is read alone" in failure("compare", "--kind", "scores", "-", files[0])
    (folder / "empty").mkdir()
    assert "holds no" not in failure("compare", "--kind", "scores", folder / "missing.parquet")
    assert "contains no '*.parquet' file: name its files" in failure(
        "compare", "--kind", "scores", folder / "empty"
    )
    other = parquet.read_table(files[2]).drop_columns(["b"])
    for limit in (600, 10**9):
        monkeypatch.setattr("fastcompare._cli.large.STREAMED_FROM", limit)
        parquet.write_table(other, folder / "3.parquet")
        assert "'b'" in failure("compare", "--kind", "scores", folder, *OPTIONS, *CHOSEN)
        (folder / "3.parquet").unlink()
        assert "`--label`" in failure("compare", "--kind", "scores", folder, "--label", "z")
        assert "`--model`" in failure(
            "compare", "--kind", "scores", folder, *OPTIONS, "--model", "z"
        )
        options = ["--label", "y", *CHOSEN, "--pos-label", "7"]
        assert "`--pos-label`" in failure("compare", "--kind", "scores", folder, *options)


def test_a_process_reads_in_pieces(folder):
    code = (
        "import sys; from fastcompare._cli import large; large.STREAMED_FROM = 600\n"
        f"sys.argv[1:] = {['compare', str(folder), *OPTIONS, *CHOSEN, '--format', 'json']}\n"
        "from fastcompare.__main__ import main; main()"
    )
    done = subprocess.run([*PYTHON, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0
    assert "read in pieces" in done.stdout


MEMORY = """
import resource, sys, fastcompare as fc
fc.delong_test(fc.scan_parquet(sys.argv[1], label="y", scores=["a", "b"]), n_jobs=2)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems count in other units")
def test_memory_does_not_grow_with_the_rows(tmp_path, requires_jit):
    columns = pa.schema([("y", pa.bool_()), ("a", pa.float32()), ("b", pa.float32())])
    a, b, u = np.random.default_rng(0).random((3, 10**6), np.float32)
    table = pa.table([u < a, a, b], schema=columns)
    peaks = []
    for groups in (2, 8):
        path = tmp_path / f"{groups}.parquet"
        with parquet.ParquetWriter(path, columns, compression="none", use_dictionary=False) as file:
            for _ in range(groups):
                file.write_table(table)
        done = subprocess.run(
            [sys.executable, "-c", MEMORY, path], capture_output=True, text=True, check=True
        )
        peaks.append(int(done.stdout) / 1024)
    assert peaks[1] - peaks[0] < 96.0  # MiB; the columns alone are 52, in memory it takes 280
