"""The command for scores on many data sets prints, and draws, what the library returns."""

import csv
import io
import json
import os
import re
import sys

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import fastcompare as fc

from .commandline import as_json, failure, ok, run, warned

DATA = fc.load_dataset_scores()
NAMES = list(DATA.names)
RANKS = """set,a,b,c
one,9,7,8
two,8,5,6
three,7,6,5
four,8,4,6
"""
PNG, SVG = b"\x89PNG\r\n\x1a\n", b"<?xml"


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text(RANKS)
    return path


@pytest.mark.slow
def test_the_bundled_table_is_compared_as_by_compare_datasets():
    found = as_json("datasets")
    want = fc.compare_datasets(DATA.scores)
    pairs = want.posthoc
    assert [(p["first"], p["second"]) for p in found["pairs"]] == list(pairs.pairs)
    columns = {
        "difference": pairs.estimate,
        "statistic": pairs.statistic,
        "pvalue": pairs.pvalue,
        "adjusted_pvalue": pairs.adjusted_pvalue,
    }
    for key, values in columns.items():
        assert_array_equal([p[key] for p in found["pairs"]], values, err_msg=key)
    assert [m["model"] for m in found["models"]] == [
        NAMES[j] for j in np.argsort(want.omnibus.average_ranks)
    ]
    letters = fc.compact_letters(want.posthoc)
    ranks = dict(zip(NAMES, want.omnibus.average_ranks.tolist(), strict=True))
    for model in found["models"]:
        assert model["average_rank"] == ranks[model["model"]]
        assert model["group"] == letters[model["model"]]
    for pair in found["pairs"]:
        assert pair["average_rank_first"] == ranks[pair["first"]]
        assert pair["average_rank_second"] == ranks[pair["second"]]
    assert found["cliques"] == list(map(list, want.posthoc.cliques))
    assert found["omnibus"]["pvalue"] == want.omnibus.pvalue
    assert found["critical_difference"] == want.posthoc.critical_difference
    assert (found["summary"], found["reasons"]) == (want.summary(), list(want.reasons))
    assert (found["n"], found["datasets"]) == (16, list(DATA.datasets))


def test_options_reach_the_library(table):
    options = ["--posthoc", "shaffer", "--alpha", "0.1", "--lower-is-better"]
    found = as_json("datasets", table, *options)
    scores = {"a": [9, 8, 7, 8], "b": [7, 5, 6, 4], "c": [8, 6, 5, 6]}
    want = fc.compare_datasets(scores, posthoc="shaffer", alpha=0.1, higher_is_better=False)
    assert_array_equal([p["adjusted_pvalue"] for p in found["pairs"]], want.posthoc.adjusted_pvalue)
    assert (found["correction"], found["alpha"]) == ("shaffer", 0.1)
    assert found["datasets"] == ["one", "two", "three", "four"]
    assert [m["model"] for m in found["models"]] == ["b", "c", "a"]
    assert found["source"] == str(table)


def test_pairs_may_be_compared_by_wilcoxon():
    found = as_json("datasets", "--posthoc", "wilcoxon")
    want = fc.wilcoxon_pairwise_test(DATA.scores)
    assert_array_equal([p["difference"] for p in found["pairs"]], want.estimate)
    assert found["method"].endswith("Wilcoxon's signed rank test, exact")
    shown = ok("datasets", "--posthoc", "wilcoxon", "--format", "markdown")
    assert "Hodges-Lehmann estimate of first minus second" in shown


def test_models_are_compared_with_a_control():
    found = as_json("datasets", "--control", "random_forest")
    want = fc.control_test(DATA.scores, "random_forest")
    assert_array_equal([p["pvalue"] for p in found["pairs"]], want.pvalue)
    assert {p["first"] for p in found["pairs"]} == {"random_forest"}
    assert {m["group"] for m in found["models"]} == {None}
    assert "`--control`" in failure("datasets", "--control", "iris")


def test_text_has_all_models_all_pairs_and_the_sentence():
    text = ok("datasets")
    assert "Bundled accuracies of scikit-learn's classifiers: 8 models, 16 data sets\n" in text
    assert re.search(r"^gradient_boosting +5\.2500  abc$", text, re.MULTILINE)
    found = r"^Friedman's test, Iman-Davenport +11\.394  1\.11e-10  7, 105$"
    assert re.search(found, text, re.MULTILINE)
    assert "8 more pairs are not shown: --format json has all" in text
    every = ok("datasets", "--format", "markdown")
    for i, first in enumerate(NAMES):
        for second in NAMES[i + 1 :]:
            assert len(re.findall(rf"^\| {first} \| {second} \| -?\d", every, re.MULTILINE)) == 1
    assert "adjusted" not in text  # Nemenyi's p-values need no correction
    assert "7 of 28 differences in average rank are significant" in " ".join(text.split())
    assert text.isascii()
    assert "(Holm-adjusted)" in ok("datasets", "--posthoc", "holm")


@pytest.mark.parametrize(
    ("format", "mark"), [("markdown", ", Iman-"), ("latex", ", Iman-Davenport")]
)
def test_documents_hold_three_tables(format, mark):
    text = ok("datasets", "--format", format)
    assert text.count(mark) == 1
    assert text.count("naive" + (r"\_" if format == "latex" else "_") + "bayes") == 9


def test_csv_is_one_table_of_pairs():
    rows = list(csv.DictReader(io.StringIO(ok("datasets", "--format", "csv"))))
    pairs = as_json("datasets")["pairs"]
    assert [list(row) for row in rows] == [list(pair) for pair in pairs]
    assert [float(row["pvalue"]) for row in rows] == [pair["pvalue"] for pair in pairs]


ALIKE = [
    "--score",
    "random_forest",
    "--score",
    "nearest_neighbours",
    "--score",
    "linear_discriminant",
]


def test_no_pairs_are_compared_where_the_models_may_be_equal(tmp_path):
    found = as_json("datasets", *ALIKE)
    assert (found["pairs"], found["cliques"], found["critical_difference"]) == ([], [], None)
    assert [m["group"] for m in found["models"]] == [None] * 3
    text = ok("datasets", *ALIKE)
    assert "so no pairwise comparisons follow" in " ".join(text.split())
    assert len(re.findall("^random_forest", text, re.MULTILINE)) == 1
    assert ok("datasets", *ALIKE, "--format", "csv").count("\n") == 1  # the header
    path = tmp_path / "cd.png"
    result = run("datasets", *ALIKE, "--plot", path)
    assert result.exit_code == 0
    assert re.fullmatch(r"fastcompare: warning: no diagram is drawn\. [^\n]+\n", warned(result))
    assert not path.exists()


def test_two_models_are_compared_by_wilcoxon():
    models = ["--score", "naive_bayes", "--score", "decision_tree"]
    found = as_json("datasets", *models)
    want = fc.wilcoxon_test(DATA.scores["naive_bayes"], DATA.scores["decision_tree"])
    assert found["omnibus"]["pvalue"] == want.pvalue
    assert (found["pairs"], found["models"][0]["average_rank"]) == ([], None)
    text = ok("datasets", *models)
    assert "differences, naive_bayes minus decision_tree, is" in " ".join(text.split())
    assert "average rank" not in text


@pytest.mark.slow
@pytest.mark.parametrize(("name", "magic"), [("cd.png", PNG), ("cd.SVG", SVG), ("cd.pdf", b"%PDF")])
def test_the_diagram_is_drawn(tmp_path, name, magic):
    path = tmp_path / name
    assert ok("datasets", "--plot", path) == ok("datasets")
    assert path.read_bytes().startswith(magic)
    assert os.listdir(tmp_path) == [name]


@pytest.mark.slow
def test_diagrams_are_whole_and_never_replaced_unasked(tmp_path, monkeypatch):
    path = tmp_path / "cd.png"
    path.write_text("mine")
    assert "--force" in failure("datasets", "--plot", path)
    assert path.read_text() == "mine"
    ok("datasets", "--plot", path, "--force")
    assert path.read_bytes().startswith(PNG)
    monkeypatch.setattr(type(path), "replace", refuse)
    old = path.read_bytes()
    assert "No space left" in failure("datasets", "--plot", path, "--force")
    assert path.read_bytes() == old
    assert os.listdir(tmp_path) == ["cd.png"]


def refuse(*_):
    raise OSError(28, "No space left on device")


def test_any_column_may_name_the_data_sets(table):
    want = as_json("datasets", table)
    head, *lines = RANKS.splitlines()
    moved = [",".join([*line.split(",")[1:], line.split(",")[0]]) for line in [head, *lines]]
    table.write_text("\n".join(moved))
    assert as_json("datasets", table, "--id", "set") == want
    numbered = [head, *(f"{i}{line[line.index(',') :]}" for i, line in enumerate(lines, 1))]
    table.write_text("\n".join(numbered))
    assert as_json("datasets", table) == {**want, "datasets": ["1", "2", "3", "4"]}


def test_missing_scores_are_refused_or_left_out(table):
    table.write_text(RANKS.replace("three,7", "three,"))
    assert re.search("missing .* line 4.*--nan-policy omit", failure("datasets", table))
    result = run("datasets", table, "--nan-policy", "omit", "--format", "json")
    assert re.fullmatch(r"fastcompare: warning: 1 of 4 data sets[^\n]+\n", warned(result))
    found = json.loads(result.stdout)
    assert (found["n"], found["n_dropped"]) == (3, 1)
    assert found["datasets"] == ["one", "two", "four"]


def test_columns_without_numbers_are_left_out_aloud(table):
    head, *lines = RANKS.splitlines()
    table.write_text("\n".join([f"{head},note", *(f"{line},x" for line in lines)]))
    result = run("datasets", table, "--format", "json")
    assert "column 'note' is ignored" in result.stderr
    assert len(json.loads(result.stdout)["models"]) == 3


def test_repeated_data_sets_and_scores_as_names_are_refused(table):
    table.write_text(RANKS.replace("two", "one"))
    assert "several rows 'one': each data set must be one row" in failure("datasets", table)
    table.write_text("a,b,c\n0.5,0.4,0.3\n0.6,0.3,0.1\n")
    assert "`--id` 'a' holds numbers with decimals" in failure("datasets", table)


ERRORS = {
    "missing file": (["missing.csv"], "No such file"),
    "id": (["--id", "data"], "`--id` .* Did you mean 'dataset'"),
    "score": (["--score", "naive_baise"], "`--score` .* Did you mean 'naive_bayes'"),
    "id as score": (["--score", "dataset"], "`--score`"),
    "one model": (["--score", "naive_bayes"], "at least 2 models"),
    "posthoc": (["--posthoc", "nemeny"], "`--posthoc` .* Did you mean 'nemenyi'"),
    "alpha": (["--alpha", "5"], "Did you mean 0.05"),
    "policy": (["--nan-policy", "drop"], "`--nan-policy`"),
    "format": (["--format", "jsno"], "Did you mean 'json'"),
    "kind of plot": (["--plot", "cd.txt"], "`--plot` must end in one of .*, .png, .* 'cd.txt'"),
    "plot without kind": (["--plot", "cd"], "`--plot` must end in"),
    "directory of plot": (["--plot", "/missing/cd.png"], "'/missing' is no directory"),
    "no numbers": (["--score", "naive_bayes", "--score", "dataset"], "`--score`"),
}


@pytest.mark.parametrize(("arguments", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_are_one_line_and_exit_code_2(arguments, message):
    assert re.search(message, failure("datasets", *arguments))


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'fastcompare[plot]'" in failure("datasets", "--plot", tmp_path / "cd.png")
    ok("datasets")


def test_undefined_pvalues_leave_out_groups_and_diagram_alone(tmp_path):
    path, picture = tmp_path / "alike.csv", tmp_path / "cd.png"
    path.write_text("set,a,b,c\n" + "".join(f"s{i},1,2,3\n" for i in range(5)))
    options = ("--posthoc", "conover", "--plot", picture, "--format", "json")
    result = run("datasets", path, *options)
    assert result.exit_code == 0
    assert "no diagram is drawn. `result` must have p-values for all pairs" in result.stderr
    assert not picture.exists()
    found = json.loads(result.stdout)
    assert [pair["pvalue"] for pair in found["pairs"]] == [None] * 3
    assert [model["group"] for model in found["models"]] == [None] * 3
    assert found["cliques"] == []


def test_too_many_groups_are_left_out_alone(table, monkeypatch):
    monkeypatch.setattr("fastcompare._results.pairs.MOST", 0)
    monkeypatch.setattr("fastcompare._results.pairs.intervals", lambda ordered: None)
    found = as_json("datasets", table, "--posthoc", "holm", "--lower-is-better")
    assert found["cliques"] is None
    assert len(found["pairs"]) == 3


def test_a_first_column_of_numbers_is_said_to_name_the_data_sets(tmp_path):
    path = tmp_path / "numbers.csv"
    path.write_text("a,b,c\n1,2,3\n4,5,9\n7,1,2\n")
    assert "column 'a' is taken for the names of the data sets" in run("datasets", path).stderr
    assert warned(run("datasets", path, "--id", "a")) == ""
