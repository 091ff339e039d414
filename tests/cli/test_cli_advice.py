"""`recommend`, `simulate`, `info` and `warmup`: what they print is what the library returns."""

import csv
import inspect
import io
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest

import fastcompare as fc
from fastcompare.advice.kinds import KINDS
from tests.shared.commandline import as_json, failure, ok, run

FORMATS = ("text", "json", "csv", "markdown", "latex", "html")
FOLDS = ["recommend", "--kind", "folds", "--n-models", 3, "--n", 10, "--design", "kfold"]
RATES = ["simulate", "--kind", "folds", "--n", 20, "--n-models", 3, "--n-trials", 200]


def strict(result):
    """Return what JSON makes of a result."""
    return json.loads(result.to_json())


def test_recommend_prints_what_the_library_recommends():
    want = fc.recommend(kind="folds", n_models=3, n=10, design="kfold")
    assert as_json(*FOLDS) == strict(want)
    assert ok(*FOLDS) == f"{want}\n"
    options = ["--kind", "scores", "--unpaired", "--free", "--claim", "these models"]
    want = fc.recommend(kind="scores", paired=False, parametric=False, claim="these models")
    assert as_json("recommend", *options) == strict(want)


@pytest.mark.slow
def test_recommend_measures_the_right_and_the_wrong_test():
    options = ["--kind", "folds", "--n", 10, "--measure", "--n-trials", 300]
    found = as_json("recommend", *options)["error_rates"]
    want = fc.recommend(kind="folds", n=10, measure=True, n_trials=300, rng=0).error_rates
    assert found == strict(want)
    assert found["rate"][0] < found["rate"][1]


def test_recommend_reads_files(tmp_path):
    scores = np.random.default_rng(0).normal(size=(12, 3))
    path = tmp_path / "rounds.csv"
    path.write_text(
        "fold,a,b,c\n" + "".join(f"{i},{a},{b},{c}\n" for i, (a, b, c) in enumerate(scores))
    )
    want = fc.recommend(
        {"fold": np.arange(12), **dict(zip("abc", scores.T, strict=True))}, n_train=90, n_test=10
    )
    found = as_json("recommend", path, "--n-train", 90, "--n-test", 10)
    want = strict(want)
    assert found["tests"] == want["tests"]
    assert (found["n_models"], found["n"]) == (3, 12)


@pytest.mark.slow
def test_simulate_gives_error_rates_at_the_users_size():
    design = fc.simulate.CorrelatedFolds(n_rounds=20, n_models=3)
    want = fc.simulate_error_rates(None, design, n_trials=200, rng=0)
    assert as_json(*RATES) == strict(want)
    assert ok(*RATES) == f"{want}\n"
    low, high = want.confidence_interval()
    for name, rate, *ends in zip(want.tests, want.rate, low, high, strict=True):
        row = rf"^{name} +{rate:.4f} +{ends[0]:.4f} to {ends[1]:.4f} "
        assert re.search(row, str(want), re.MULTILINE)


@pytest.mark.parametrize("option", ["--effect", "--n"])
def test_simulate_gives_power_by_effect_or_size(option, requires_jit):
    points = {"--effect": [0.0, 0.2], "--n": [60, 120]}[option]
    fixed = ["--effect", 0.2] if option == "--n" else ["--n", 80]
    given = [word for point in points for word in (option, point)]
    options = ["--test", "delong", "--auc", 0.7, "--n-trials", 200]
    rows = list(
        csv.DictReader(io.StringIO(ok("simulate", *fixed, *given, *options, "--format", "csv")))
    )
    design = fc.simulate.BinormalScores(auc=0.7)
    varied = {"effects": points} if option == "--effect" else {"effects": 0.2, "sizes": points}
    design = design if option == "--n" else design.at(80)
    want = fc.simulate.simulate_power("delong", design, n_trials=200, rng=0, **varied)
    assert [float(row["rate"]) for row in rows] == want.rate[0].tolist()
    assert [float(row[option.strip("-").replace("n", "size")]) for row in rows] == points


def test_info_says_versions_threads_and_cache():
    found = as_json("info")
    assert found == {**fc.show_config(), "threads": found["threads"]}
    assert int(found["threads"]) >= 1
    assert f"fastcompare {fc.__version__} runs on Python" in ok("info")


def test_warmup_says_how_long_it_took(monkeypatch):
    heard = []

    def warmed(*families, progress):
        heard.append((families, progress))
        return 1.25

    monkeypatch.setattr(fc, "warmup", warmed)
    assert ok("warmup") == "compiled or loaded in 1.2 s\n"
    assert ok("warmup", "auc", "items", "--progress") == "compiled or loaded in 1.2 s\n"
    assert heard == [((), False), (("auc", "items"), True)]
    monkeypatch.undo()
    assert "got 'label'. Did you mean 'labels'?" in run("warmup", "auc", "label").stderr


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [FOLDS, RATES, ["info"]], ids=lambda words: words[0])
def test_every_format_of_every_command(arguments):
    shown = {name: ok(*arguments, "--format", name) for name in FORMATS}
    header, *rows = csv.reader(io.StringIO(shown["csv"]))
    assert rows
    assert all(len(row) == len(header) for row in rows)
    assert json.loads(shown["json"])
    assert "\n| " in shown["markdown"]
    assert shown["latex"].count(r"\begin{tabular}") == shown["latex"].count(r"\end{tabular}") > 0
    assert shown["html"].startswith("<!DOCTYPE html>")
    assert max(map(len, shown["text"].split("\n"))) <= 80


ERRORS = {
    "no kind": (["recommend"], "`--kind` must be specified .* name a file"),
    "claim": (["recommend", "--kind", "folds", "--claim", "training"], "this way of training"),
    "simulated kind": (["simulate", "--kind", "items"], "`--kind` must be one of 'scores'"),
    "not of the kind": (["simulate", "--kind", "folds", "--auc", 0.7], "`--auc` has no meaning"),
    "test": (["simulate", "--test", "delog"], "`--test` must be one of .* Did you mean 'delong'"),
    "both": (
        ["simulate", *["--n", "20", "--n", "30", "--effect", "0", "--effect", "1"]],
        "`--effect`",
    ),
    "format": (["info", "--format", "jsno"], "Did you mean 'json'"),
}


@pytest.mark.parametrize(("arguments", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_are_one_line_and_exit_code_2(arguments, message):
    assert re.search(message, failure(*arguments))


@pytest.mark.slow
def test_compare_of_scores_imports_no_other_kind_of_data(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("diseased,old,new\n0,.1,.2\n1,.4,.9\n0,.5,.3\n1,.7,.8\n1,.35,.6\n0,.2,.55\n")
    code = (
        f"import sys; sys.argv[1:] = ['compare', {str(path)!r}]\n"
        "try:\n    from fastcompare.__main__ import main; main()\n"
        "except SystemExit as done: assert not done.code\n"
        "rooms = 'folds items labels paired probabilities ranks raters readers simulate'.split()\n"
        "rooms += ['survival', 'plots', '_adapters.evals.formats']\n"
        "rooms = [f'fastcompare.{x}.' for x in rooms]\n"
        "loaded = {name for name in sys.modules if name.startswith((*rooms, 'matplotlib'))}\n"
        "print(*sorted(loaded), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0
    assert "AUC" in done.stdout
    assert done.stderr.split() == ["fastcompare.ranks._posthoc"]  # names of tests, and no test


@pytest.mark.slow
def test_a_process_writes_results_on_standard_output_and_notes_beside_it(tmp_path):
    command = [sys.executable, "-W", "ignore", "-m", "fastcompare"]
    path = tmp_path / "rates.json"
    words = [*map(str, RATES), "-o", str(path)]
    done = subprocess.run([*command, *words], capture_output=True, text=True, env=os.environ)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert json.loads(path.read_text()) == as_json(*RATES)
    assert run("simulate", "--kind", "itmes").exit_code == 2


def test_recommend_says_the_command_that_runs_its_tests(tmp_path):
    said = run("recommend", "--kind", "scores", "--n-models", "3").stderr
    assert "run these tests by `fastcompare compare FILE --kind scores`" in said


def test_kinds_are_those_of_one_table_wherever_they_are_listed():
    for function in (fc.compare, fc.recommend):
        line = re.search(r"^kind : \{(.*)\}", inspect.getdoc(function), re.MULTILINE)[1]
        assert re.findall(r"'(\w+)'", line) == list(KINDS)
        shown = " ".join(run(function.__name__, "--help").stdout.split())
        words = re.search(r"--kind <str> (.*?): kind of data", shown)[1]
        assert re.findall(r"(?!or\b)\b\w+", words) == list(KINDS)
