"""What is written by the command line: the format that a file's name ends in, and no other."""

import csv
import io
import json
import os
import re
from pathlib import Path

import pytest

import fastcompare as fc
from tests.shared.commandline import TOY, failure, ok

MARKS = {
    ".txt": r"\nmodel +AUC",
    ".md": r"\| model \| AUC \|",
    ".markdown": r"\| model \| AUC \|",
    ".tex": r"\\begin\{table\}",
    ".csv": r"^first,second,auc_first,",
    ".json": r"^\{\n",
    ".html": r"^<!DOCTYPE html>",
    ".htm": r"^<!DOCTYPE html>",
    "": r"\nmodel +AUC",
}
NAMES = '=cmd("x")', "<script>alert(1)</script>", "\ta & b_c%"


@pytest.fixture
def hostile(tmp_path):
    """A file whose models have names that other programs would run."""
    path = tmp_path / "hostile.csv"
    rows = list(csv.reader(io.StringIO(TOY)))
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([["y", *NAMES], *rows[1:]])
    return path


@pytest.mark.slow
@pytest.mark.parametrize("extension", MARKS)
def test_the_extension_of_the_output_decides_the_format(tmp_path, extension):
    path = tmp_path / f"result{extension}"
    assert ok("compare", "--kind", "scores", "-o", path) == ""
    assert re.search(MARKS[extension], path.read_text())


def test_a_text_file_is_as_wide_wherever_it_is_written(tmp_path, monkeypatch):
    texts = []
    for columns in ("40", "200"):
        monkeypatch.setenv("COLUMNS", columns)
        monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
        ok("compare", "--kind", "scores", "-o", tmp_path / f"{columns}.txt")
        texts.append((tmp_path / f"{columns}.txt").read_text())
    assert texts[0] == texts[1]
    assert 70 < max(map(len, texts[0].splitlines())) <= 80


def test_a_format_that_contradicts_the_extension_is_an_error_that_says_both(tmp_path):
    message = failure(
        "compare", "--kind", "scores", "--format", "csv", "-o", tmp_path / "result.json"
    )
    assert "`--format csv`" in message
    assert "which is json" in message
    assert "must end in one of .txt, .md" in failure(
        "compare", "--kind", "scores", "-o", tmp_path / "result.xlsx"
    )
    ok("compare", "--kind", "scores", "--format", "csv", "-o", tmp_path / "result.xlsx")
    ok("compare", "--kind", "scores", "--format", "json", "-o", tmp_path / "result.JSON")


def test_a_dash_is_standard_output(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text(TOY)
    compared = ("compare", "--kind", "scores", "in.csv", "--label", "y")
    usual = ok(*compared)
    assert ok(*compared, "-o", "-") == usual
    assert ok(*compared, "-o", "-", "-o", "result.txt") == usual
    assert ok(*compared, "--format", "csv", "-o", "-") == ok(*compared, "--format", "csv")
    assert sorted(os.listdir()) == ["in.csv", "result.txt"]
    assert "names a file twice" in failure(*compared, "-o", "-", "-o", "-")


def test_a_tilde_of_an_output_is_the_home_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    ok("info", "--output=~/info.json")
    result = fc.accuracy_interval([0, 1] * 9, [0, 1, 1] * 6)
    with pytest.raises(fc.FastCompareError, match=f"{tmp_path.name}/none' is no directory"):
        fc.report(result, "~/none/page.html")
    assert [path.name for path in tmp_path.glob("[!.]*")] == ["info.json"]
    assert "is no directory" in failure("info", "-o", "~nobody-of-this-name/info.json")


def replacing(folder):
    """Yield calls whose output is what they read."""
    yield ("compare", "in.csv", "-o", "in.csv")
    yield ("compare", "other.csv", "in.csv", "-o", f"{folder}/./in.csv")
    yield ("compare", "linked.csv", "-o", "in.csv")
    yield ("report", "in.csv", "-o", "in.html")
    yield ("evals", "logs", "-o", "logs/samples.json")
    yield ("leaderboard", "logs", "--format", "json", "-o", "logs/deep/samples.jsonl")


def test_no_output_replaces_an_input_even_by_force(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("logs/deep").mkdir(parents=True)
    Path("linked.csv").symlink_to("in.csv")
    Path("in.html").symlink_to("in.csv")
    for name in ("in.csv", "other.csv", "logs/samples.json", "logs/deep/samples.jsonl"):
        Path(name).write_text(TOY)
    for call in replacing(tmp_path):
        for force in ((), ("--force",)):
            assert "is an input, which it would replace" in failure(*call, *force)
    assert Path("in.csv").read_text() == TOY


@pytest.mark.slow
def test_hostile_names_stay_text_in_every_format(hostile):
    shown = {
        format: ok("compare", "--kind", "scores", hostile, "--label", "y", "--format", format)
        for format in ("text", "markdown", "latex", "csv", "json", "html")
    }
    rows = list(csv.DictReader(io.StringIO(shown["csv"])))
    assert {row["first"] for row in rows} == {'\'=cmd("x")', "<script>alert(1)</script>"}
    assert rows[1]["second"] == "a & b_c%"
    assert {model["name"] for model in json.loads(shown["json"])["models"]} == {
        x.strip() for x in NAMES
    }
    for format in ("markdown", "html"):
        assert "<script>" not in shown[format]
        assert "&lt;script&gt;" in shown[format]
    assert r"a \& b\_c\%" in shown["latex"]
    assert "\t" not in "".join(shown.values())


@pytest.mark.slow
def test_the_page_has_the_level_that_was_asked_for():
    page = ok(
        "compare",
        "--kind",
        "scores",
        "--confidence-level",
        "0.9",
        "--format",
        "html",
    )
    assert "simultaneous 90% CI" in page
    usual = ok("compare", "--kind", "scores", "--format", "html")
    assert "simultaneous 90% CI" not in usual
    pictures = [text.partition("<svg")[2].partition("</svg>")[0] for text in (page, usual)]
    assert all(pictures)
    assert pictures[0] != pictures[1]
    assert "149" in page


FILES = {
    "lines": "a\nb\r.csv",
    "terminal": "\x1b[31m\x07\t.csv",
    "braces": "{{ 7*7 }}%s$(x).csv",
    "markup": "<script>alert(1)&[red].csv",
    "direction": "\u202evsc.exe.csv",
    "formula": "=1+1.csv",
    "option": "--label.csv",
    "long": f"{'a' * 246}.csv",
    "bytes": os.fsdecode(b"\xff\xfe.csv"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES.values(), ids=FILES)
def test_hostile_names_of_files_are_read_written_and_shown_as_text(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    table, result = Path(name), Path(name).with_suffix(".json")
    table.write_text(TOY)
    ok("compare", "--kind", "scores", "--label", "y", "--output", result, "--", name)
    told = [failure("compare", "--kind", "scores", "--label", "y", "--output", result, "--", name)]
    told.append(failure("compare", "--kind", "scores", f"./{name[1:]}"))
    with pytest.raises(fc.FastCompareError) as refused:
        fc.read_evals(name)
    told.append(str(refused.value))
    rows = (f"{model},{item},{item % 2}" for model in "ab" for item in range(9))
    table.write_text("\n".join(["model,item,score", *rows]))
    assert fc.read_evals(name).models == ("a", "b")
    assert not set("".join(told)) & set("\x1b\x07\t\r\u202e\udcff")
    assert sorted(os.listdir()) == sorted([name, result.name])
