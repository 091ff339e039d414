"""From logs to a paragraph on the command line, and a gate for continuous integration."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

import fastcompare as fc
from tests.shared.commandline import as_json, failure, ok, run
from tests.shared.evaluation_logs import LOGS, lm_eval, long_csv

READING = [LOGS / "inspect" / f"reading_{name}" for name in ("alpha.eval", "beta.eval")]
THREE = [*READING, LOGS / "inspect" / "reading_gamma.json"]
PASSAGE = ["--cluster", "metadata.passage"]


@pytest.fixture
def pair(tmp_path):
    """Two logs: a is right on 60 of 80 items, b on 40 of them and on none of the others."""
    paths = []
    for name, right in (("a", 60), ("b", 40)):
        rows = [(name, i, int(i < right)) for i in range(80)]
        paths.append(long_csv(tmp_path / f"{name}.csv", rows))
    return paths


def test_two_logs_give_what_the_library_returns():
    found = as_json("evals", *READING, *PASSAGE)
    runs = fc.read_evals(*READING, cluster="metadata.passage")
    want = fc.paired_mean_test(runs.by_model(), groups=runs.groups)
    (pair,) = found["pairs"]
    assert (pair["first"], pair["second"]) == want.names == ("mockllm/alpha", "mockllm/beta")
    low, high = want.confidence_interval()
    known = {"difference": want.estimate, "standard_error": want.standard_error, "df": want.df}
    known |= {"t": want.statistic, "pvalue": want.pvalue, "adjusted_pvalue": want.pvalue}
    known |= {"ci_low": low, "ci_high": high, "status": want.status}
    assert {key: pair[key] for key in known} == known
    for j, model in enumerate(found["models"]):
        right = runs.scores[:, j, 0] == 1.0  # an accuracy, whose interval stays below 1
        one = fc.accuracy_interval(correct=right, groups=runs.groups)
        assert model["mean"] == one.estimate == pytest.approx([0.8, 0.4666666666666667][j])
        assert (model["ci_low"], model["ci_high"]) == pytest.approx(one.confidence_interval())
        same = fc.mean_interval(right * 1.0, groups=runs.groups)
        assert (model["ci_low"], model["ci_high"]) == same.confidence_interval()
        assert 0.0 < model["ci_low"] < model["ci_high"] < 1.0
    assert found["summary"].startswith(want.summary())
    assert (found["n"], found["n_clusters"], found["metric"]) == (30, 8, "graded")


def test_table_and_paragraph_have_the_level_that_was_asked_for():
    text = ok("evals", *READING, "--confidence-level", "0.9")
    runs = fc.read_evals(*READING)
    low, high = fc.paired_mean_test(runs.by_model()).confidence_interval(0.9)
    assert f"{low:.4f} to {high:.4f}" in text
    assert f"(90% CI {low:.4g} to {high:.4g}" in " ".join(text.split())
    assert "95%" not in text


def test_the_paragraph_says_items_clusters_samples_and_what_is_missing():
    text = " ".join(ok("evals", *READING, *PASSAGE).split())
    assert "30 items in 8 clusters" in text
    assert "The metric is graded of reading; no score is missing." in text
    folder = LOGS / "inspect"
    options = ["--metric", "graded", "--missing", "drop"]
    logs = [folder / "reading_alpha.eval", folder / "reading_zeta_failed.eval"]
    result = run("evals", *logs, *options)
    text = " ".join(result.stdout.split())
    assert "a score was missing of mockllm/zeta for 18, and 18 were left out." in text
    assert "The run of mockllm/zeta did not finish (status error)." in text
    text = ok("evals", folder / "grading_alpha.eval", folder / "grading_beta.eval", *options)
    assert "20 items, up to 4 samples an item" in text
    assert "80" in " ".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("format", ["text", "csv", "markdown", "latex"])
def test_three_logs_give_all_pairs_in_every_format(format):
    text = ok("evals", *THREE, *PASSAGE, "--format", format)
    assert "gamma" in text
    found = as_json("evals", *THREE, *PASSAGE)
    runs = fc.read_evals(*THREE, cluster="metadata.passage")
    want = fc.mean_pairwise_test(runs.by_model(), groups=runs.groups)
    assert_array_equal([pair["adjusted_pvalue"] for pair in found["pairs"]], want.adjusted_pvalue)
    assert_array_equal([pair["difference"] for pair in found["pairs"]], want.estimate)


GATES = {  # of the first log against the second: the options, and the exit code
    "better is not worse": (["a", "b"], "worse", [], 0),
    "worse": (["b", "a"], "worse", [], 3),
    "better": (["a", "b"], "not-better", [], 0),
    "not better": (["b", "a"], "not-better", [], 3),
    "within": (["a", "b"], "not-noninferior", ["--margin", "0.02"], 0),
    "not within": (["b", "a"], "not-noninferior", ["--margin", "0.02"], 3),
    "within much": (["b", "a"], "not-noninferior", ["--margin", "0.5"], 0),
    "lower": (["b", "a"], "not-better", ["--lower-is-better"], 0),
    "lower is worse": (["a", "b"], "worse", ["--lower-is-better"], 3),
    "both options": (["a", "b"], "not-better", ["--alternative", "greater"], 0),
}


@pytest.mark.parametrize(("order", "gate", "options", "code"), GATES.values(), ids=GATES)
def test_gates_fail_with_exit_code_3(pair, order, gate, options, code):
    paths = dict(zip("ab", pair, strict=True))
    result = run("evals", *(paths[name] for name in order), "--fail-if", gate, *options)
    assert result.exit_code == code, result.stderr
    assert "mean score" in result.stdout
    assert ("fastcompare: failed:" in result.stderr) == (code == 3)


def test_a_gate_says_which_pair_decided(pair):
    passed = run("evals", *pair, "--fail-if", "worse").stderr
    assert "fastcompare: passed: " in passed
    assert "is not significantly worse than" in passed
    names = [name.strip("'") for name in passed.split("passed: ")[1].split() if "'" in name]
    swapped = run("evals", *pair, "--fail-if", "worse", "--candidate", names[1])
    assert swapped.exit_code == 3
    assert f"failed: '{names[1]}' is worse than '{names[0]}' (difference -" in swapped.stderr
    by_baseline = run("evals", *pair, "--fail-if", "worse", "--baseline", names[0])
    assert (by_baseline.stdout, by_baseline.exit_code) == (swapped.stdout, 3)


def test_a_baseline_leaves_the_other_models_out():
    first, _, third = (model["model"] for model in as_json("evals", *THREE)["models"])
    options = ["--candidate", third, "--baseline", first]
    two = as_json("evals", *THREE, *options)
    assert [model["model"] for model in two["models"]] == [third, first]
    assert "--candidate" in run("evals", *THREE, "--baseline", first).stderr
    assert "must be one of" in run("evals", *THREE, "--candidate", "nobody").stderr
    assert "must differ" in run("evals", *THREE, *options[:3], third).stderr


@pytest.mark.slow
def test_a_gate_of_several_models_is_that_of_the_first():
    assert run("evals", *THREE, "--fail-if", "worse").exit_code == 0
    last_first = [THREE[2], *THREE[:2]]
    assert run("evals", *last_first, "--fail-if", "worse").exit_code == 3
    assert run("evals", *last_first, "--fail-if", "not-better").exit_code == 3


def test_a_gate_that_cannot_be_judged_fails(tmp_path):
    paths = [long_csv(tmp_path / f"{m}.csv", [(m, 1, int(m == "a"))]) for m in "ab"]
    for gate in ("worse", "not-better"):
        assert run("evals", *paths, "--fail-if", gate).exit_code == 3


ERRORS = {
    "margin": (["--fail-if", "not-noninferior"], "needs `--margin`"),
    "negative margin": (["--margin", "-1"], "`--margin` must be at least 0"),
    "gate": (["--fail-if", "wrose"], "Did you mean 'worse'"),
    "blind": (["--fail-if", "worse", "--alternative", "greater"], "leaves open"),
    "missing": (["--missing", "omit"], "`--missing` must be one of"),
    "task": (["--task", "readnig"], "Did you mean 'reading'"),
    "metric": (["--metric", "grade"], "Did you mean 'graded'"),
    "cluster": (["--cluster", "metadata.page"], "`--groups` 'metadata.page' is not in the logs"),
    "level": (["--confidence-level", "95"], "Did you mean 0.95"),
    "format": (["--format", "jsno"], "Did you mean 'json'"),
}


@pytest.mark.parametrize(("options", "message"), ERRORS.values(), ids=ERRORS)
def test_errors_are_one_line_and_exit_code_2(options, message):
    assert re.search(message, failure("evals", *READING, *options))


def test_one_model_is_too_few():
    assert "at least two models" in failure("evals", READING[0])
    assert "misses" in failure("evals", READING[0], LOGS / "inspect" / "reading_nu_part.eval")
    assert "No such file" in failure("evals", "missing.eval")


def test_leaderboards_take_logs_tables_and_battles(tmp_path):
    runs = fc.read_evals(*THREE)
    whole = fc.leaderboard(runs)
    by_hand = fc.leaderboard(runs.by_model(), groups=runs.groups, sample_weight=runs.weights)
    assert_array_equal(whole.above, by_hand.above)
    assert as_json("leaderboard", *THREE)["names"] == list(whole.names)

    wide = tmp_path / "wide.csv"
    rows = [f"q{j},{int(j % 9 > 0)},{int(j % 3 > 0)}" for j in range(60)]
    wide.write_text("\n".join(["item,large,small", *rows]))
    assert as_json("leaderboard", wide)["names"] == ["large", "small"]
    assert as_json("leaderboard", wide, "--lower-is-better")["names"] == ["small", "large"]

    battles = tmp_path / "battles.csv"
    met = [f"x,y,{'model_a' if j % 3 else 'model_b'}" for j in range(30)]
    battles.write_text("\n".join(["model_a,model_b,winner", *met]))
    found = as_json("leaderboard", battles)
    strengths = dict(zip(found["names"], found["strengths"], strict=True))
    assert strengths["x"] > strengths["y"]


def test_several_tasks_have_a_table_of_their_own_beside_the_pooled_one(tmp_path):
    right = np.random.default_rng(2).integers(0, 2, (2, 2, 30))
    for model, tasks in zip(("one", "two"), right.tolist(), strict=True):
        for task, answers in zip(("prose", "sums"), tasks, strict=True):
            lm_eval(tmp_path / model, [(i, x, f"{task}{i}") for i, x in enumerate(answers)], task)
    found = as_json("evals", tmp_path, "--task", "all")
    rows = {(row["task"], row["model"]): row for row in found["by_task"]}
    assert len(rows) == 4
    for (j, model), (t, task) in product(enumerate(("one", "two")), enumerate(("prose", "sums"))):
        want = fc.mean_interval(right[j, t] * 1.0)
        row = rows[task, model]
        assert row["mean"] == want.estimate
        assert (row["ci_low"], row["ci_high"]) == want.confidence_interval()
    text = ok("evals", tmp_path, "--task", "prose", "--task", "sums")
    assert re.search(r"^task +model +mean accuracy", text, re.MULTILINE)
    assert "difference" in text
    assert "in mean accuracy" in " ".join(text.split())


def test_leaderboards_of_logs_know_tasks_and_direction():
    runs = fc.read_evals(*THREE)
    runs = replace(runs, tasks=np.resize(["s", "t"], len(runs.items)))
    assert fc.leaderboard(runs).n_tasks == 2
    lower = replace(runs, metadata={**runs.metadata, "higher_is_better": False})
    assert fc.leaderboard(lower).names == fc.leaderboard(runs, higher_is_better=False).names


def test_clusters_of_several_tasks_are_counted_in_each(tmp_path):
    for model, shift in (("a", 0), ("b", 1)):
        for task in ("sums", "products"):
            rows = [(i, float((i + shift) % 3 > 0), "h") for i in range(40)]
            lm_eval(tmp_path / model, rows, task, results={}, configs={})
    options = ["--task", "all", "--cluster", "doc.passage"]
    done = run("evals", tmp_path / "a", tmp_path / "b", *options)
    text = " ".join(done.stdout.split())
    assert "80 items, 20 clusters" in text
    assert "80 items in 20 clusters of 2 strata" in text
    assert "skipped" not in done.stderr  # the harness's means, which lie beside its samples
    runs = fc.read_evals(tmp_path / "a", tmp_path / "b", task="all", cluster="doc.passage")
    assert "80 items of 2 tasks, 20 clusters" in runs.summary()
    assert "'sums' (1 model)" in failure("evals", tmp_path / "a")


ROUNDS = {
    "folds": ("fold,a,b", lambda j: f"{j},"),
    "repeated": ("rep,fold,a,b", lambda j: f"{j // 5},{j % 5},"),
}


@pytest.mark.parametrize("rounds", ROUNDS)
def test_leaderboards_refuse_rounds_which_share_training_cases(rounds, tmp_path):
    head, row = ROUNDS[rounds]
    path = tmp_path / "rounds.csv"
    rows = [f"{row(j)}0.8{j * j % 7}1,0.7{j * 3 % 8}2" for j in range(10)]
    path.write_text("\n".join([head, *rows]))
    message = failure("leaderboard", path)
    assert "look like 10 rounds" in message
    assert "`--kind items`" in message
    assert as_json("leaderboard", path, "--kind", "items")["n"] == 10
    assert "describes rounds" in failure("leaderboard", path, "--design", "kfold")
    table = pd.read_csv(path)
    with pytest.raises(fc.InvalidValueError, match="look like 10 rounds"):
        fc.leaderboard(table)
    assert fc.leaderboard({name: table[name] for name in "ab"}).n == 10


LOOK_ALIKES = {
    "a fold of each item": ("item,fold,a,b", lambda j: f"q{j},{j % 5},"),
    "a seed of each item": ("item,seed,a,b", lambda j: f"q{j},{j},"),
    "folds of several rows": ("fold,a,b", lambda j: f"{j % 5},"),
    "numbered questions": ("question,a,b", lambda j: f"{j},"),
}


@pytest.mark.parametrize("rows", LOOK_ALIKES)
def test_leaderboards_take_items_beside_folds(rows, tmp_path):
    head, row = LOOK_ALIKES[rows]
    path = tmp_path / "items.csv"
    lines = [f"{row(j)}{int(j % 3 > 0)},{int(j % 4 > 1)}" for j in range(20)]
    path.write_text("\n".join([head, *lines]))
    assert as_json("leaderboard", path)["n"] == 20
