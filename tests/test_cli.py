"""The command line: what it prints is what the library returns; what fails, fails in one line."""

import csv
import io
import json
import re

import numpy as np
import pytest
import typer
from numpy.testing import assert_array_equal

import fastcompare as fc
from fastcompare._cli.app import app

from .commandline import TOY, failure, ok, run, warned


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.csv"
    path.write_text(TOY)
    return path


def expected(**options):
    data = fc.load_predictions()
    return fc.delong_pairwise_test(data.y_true, data.scores, **options)


def test_json_holds_what_the_library_returns():
    found = json.loads(ok("auc", "--format", "json"))
    want = expected()
    low, high = want.confidence_interval(simultaneous=True)
    pairs, models = found["pairs"], found["models"]
    assert [(p["first"], p["second"]) for p in pairs] == list(want.pairs)
    columns = {
        "difference": want.estimate,
        "standard_error": want.standard_error,
        "z": want.statistic,
        "pvalue": want.pvalue,
        "adjusted_pvalue": want.adjusted_pvalue,
        "ci_low": low,
        "ci_high": high,
        "status": want.status,
    }
    for key, values in columns.items():
        assert_array_equal([p[key] for p in pairs], values, err_msg=key)
    low, high = want.auc_interval()
    assert [m["model"] for m in models] == list(want.names)
    assert_array_equal([m["auc"] for m in models], want.auc)
    assert_array_equal([m["standard_error"] for m in models], want.auc_standard_error)
    assert_array_equal([(m["ci_low"], m["ci_high"]) for m in models], np.transpose([low, high]))
    assert found["summary"] == want.summary()
    assert (found["n_positive"], found["n_negative"]) == (149, 250)


@pytest.mark.slow
def test_options_reach_the_library():
    options = ["--alternative", "greater", "--correction", "bh", "--confidence-level", "0.9"]
    found = json.loads(ok("auc", *options, "--simultaneous", "--format", "json"))
    want = expected(alternative="greater", correction="bh")
    low, high = want.confidence_interval(0.9, simultaneous=True)
    assert_array_equal([p["adjusted_pvalue"] for p in found["pairs"]], want.adjusted_pvalue)
    assert_array_equal([p["ci_low"] for p in found["pairs"]], low)
    assert_array_equal([p["ci_high"] for p in found["pairs"]], high)
    assert_array_equal([m["ci_low"] for m in found["models"]], want.auc_interval(0.9).low)
    assert (found["simultaneous"], found["confidence_level"]) == (True, 0.9)


def test_text_names_every_model_pair_and_number():
    text = ok("auc")
    assert "* significant at the 5% level (Shaffer-adjusted)" in text
    want = expected()
    assert str(want).partition("model ")[2] == text.partition("model ")[2].removesuffix("\n")
    every = ok("auc", "--format", "markdown")
    for name, auc in zip(want.names, want.auc, strict=True):
        assert re.search(rf"^{name} +{auc:.4f} ", text, re.MULTILINE)
        assert f"| {name} | {auc:.4f} |" in every
    for (first, second), z in zip(want.pairs, want.statistic, strict=True):
        assert re.search(rf"^\| {first} \| {second} \| .* \| {z:.3f} ", every, re.MULTILINE)
    assert " ".join(want.summary().split()) in " ".join(text.split())
    assert text.isascii()


def test_simultaneous_intervals_are_called_so():
    text = ok("auc", "--simultaneous", "--confidence-level", "0.9", "--correction", "by")
    assert "simultaneous 90% CI" in text
    assert "(BY-adjusted)" in text


def test_csv_is_one_tidy_table():
    rows = list(csv.DictReader(io.StringIO(ok("auc", "--format", "csv"))))
    want = expected()
    assert [(row["first"], row["second"]) for row in rows] == list(want.pairs)
    assert_array_equal([float(row["pvalue"]) for row in rows], want.pvalue)
    aucs = dict(zip(want.names, want.auc, strict=True))
    assert all(float(row["auc_first"]) == aucs[row["first"]] for row in rows)


@pytest.mark.parametrize(
    ("format", "mark"), [("markdown", "| naive_bayes |"), ("latex", r"naive\_bayes &")]
)
def test_documents_hold_both_tables_and_the_sentence(format, mark):
    text = ok("auc", "--format", format)
    assert text.count(mark) == 5  # once as a model, four times in a pair
    assert "significant at the 5" in text


def test_columns_can_be_chosen(toy):
    found = json.loads(
        ok("auc", toy, "--label", "y", "--score", "c", "--score", "a", "--format", "json")
    )
    assert [m["model"] for m in found["models"]] == ["c", "a"]
    assert found["source"] == str(toy)


def test_all_numeric_columns_are_taken_by_default_and_others_named(toy):
    toy.write_text("".join(f"{line},id\n" for line in TOY.splitlines()))
    result = run("auc", toy, "--label", "y", "--format", "json")
    assert [m["model"] for m in json.loads(result.stdout)["models"]] == ["a", "b", "c"]
    left_out, few, note = result.stderr.splitlines()
    assert left_out == (
        "fastcompare: warning: column 'id' is ignored because it is not numeric: line 2 has 'id'."
    )
    assert few.startswith("fastcompare: warning: small_sample")  # pairs of three models
    assert note == (
        "fastcompare: note: the models are all other numeric columns: a, b, c; --score chooses."
    )


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (("no", "yes"), "yes"),
        (("1", "2"), "2"),
        (("0.5", "1.5"), "1.5"),
        (("False", "True"), "true"),
    ],
)
def test_positive_labels_of_any_kind(toy, labels, positive):
    want = ok("auc", toy, "--label", "y", "--format", "csv")
    relabelled = "\n".join(
        labels[int(line[0])] + line[1:] if line[0] in "01" else line for line in TOY.splitlines()
    )
    toy.write_text(relabelled)
    options = ("--label", "y", "--pos-label", positive, "--format", "csv")
    assert ok("auc", toy, *options) == want


@pytest.mark.slow
def test_standard_input(toy):
    want = ok("auc", toy, "--label", "y", "--format", "csv")
    assert ok("auc", "-", "--label", "y", "--format", "csv", input=TOY) == want
    tabbed = TOY.replace(",", "\t").encode("utf-16")
    options = ("--label", "y", "--format", "csv", "--sep", "tab", "--encoding", "utf-16")
    assert ok("auc", "-", *options, input=tabbed) == want
    assert "\nStandard input: 3 models, 7 pos" in ok("auc", "-", "--label", "y", input=TOY)


def test_missing_scores_are_refused_or_left_out(toy):
    toy.write_text(TOY.replace("0.99", "NA"))
    assert re.search(
        "missing .*, the first in line 1[12]. .* --nan-policy omit",
        failure("auc", toy, "--label", "y"),
    )
    result = run("auc", toy, "--label", "y", "--nan-policy", "omit", "--format", "json")
    assert json.loads(result.stdout)["n_dropped"] == 1
    dropped, few = warned(result).splitlines()
    assert dropped.startswith("fastcompare: warning: 1 of 13 cases")
    assert few.startswith("fastcompare: warning: small_sample")  # pairs of three models


def test_undefined_results_warn_in_a_line_and_are_null_in_json(toy):
    toy.write_text("y,a,b\n1,1,2\n1,2,1\n1,3,3\n")
    result = run("auc", toy, "--label", "y", "--format", "json")
    assert result.exit_code == 0
    pair = json.loads(result.stdout)["pairs"][0]
    assert (pair["status"], pair["pvalue"], pair["difference"]) == ("one_class", None, None)
    assert result.stderr.startswith("fastcompare: warning: one_class")
    assert warned(result).count("\n") == 1
    text = run("auc", toy, "--label", "y").stdout
    assert re.search(r"^difference +n/a .* n/a +one_class$", text, re.MULTILINE)


def commands():
    """Yield every command with its parameters."""
    group = typer.main.get_command(app)
    yield group
    yield from group.commands.values()


def test_every_parameter_has_help():
    for command in commands():
        assert command.help
        for parameter in command.params:
            assert parameter.help, f"{command.name} {parameter.name}"


def test_help_and_version():
    assert "auc" in ok()
    assert "--simultaneous" in ok("auc", "--help")
    assert "holm" in ok("auc", "--help")
    assert ok("--version") == f"fastcompare {fc.__version__}\n"


def test_the_head_of_a_table_of_clustered_cases_has_the_number_of_clusters(tmp_path):
    rows = TOY.splitlines()
    path = tmp_path / "cases.csv"
    path.write_text(
        "\n".join([f"{rows[0]},who", *[f"{x},{j // 2}" for j, x in enumerate(rows[1:])]])
    )
    told = ok("auc", path, "--label", "y", "--groups", "who").split()
    assert "3 models, 7 positive and 6 negative cases in 7 clusters" in " ".join(told)
    assert "clusters" not in ok("auc", path, "--label", "y", "--score", "a", "--score", "b")
