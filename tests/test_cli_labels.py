"""The commands for labels and probabilities print what the library returns."""

import csv
import io
import json
import math
import re

import pytest
from numpy.testing import assert_array_equal

import fastcompare as fc

from .commandline import TOY, as_json, ok, run

DATA = fc.load_predictions()
NAMES = list(DATA.scores)
PREDICTED = {name: scores >= 0.5 for name, scores in DATA.scores.items()}
COMMANDS = ("labels", "probabilities")


@pytest.fixture
def toy(tmp_path):
    path = tmp_path / "toy.csv"
    path.write_text(TOY)
    return path


@pytest.mark.slow
def test_labels_are_compared_as_by_mcnemar_pairwise_test():
    found = as_json("labels")
    want = fc.mcnemar_pairwise_test(DATA.y_true == 1, PREDICTED)
    low, high = want.confidence_interval(simultaneous=True)
    pairs, models = found["pairs"], found["models"]
    assert [(p["first"], p["second"]) for p in pairs] == list(want.pairs)
    columns = {
        "n10": want.n10,
        "n01": want.n01,
        "difference": want.estimate,
        "statistic": want.statistic,
        "method": want.method,
        "pvalue": want.pvalue,
        "adjusted_pvalue": want.adjusted_pvalue,
        "ci_low": low,
        "ci_high": high,
        "status": want.status,
    }
    for key, values in columns.items():
        assert_array_equal([p[key] for p in pairs], values, err_msg=key)
    for model in models:
        alone = fc.accuracy_interval(DATA.y_true == 1, PREDICTED[model["model"]])
        assert model["accuracy"] == alone.estimate
        assert model["n_correct"] == alone.n_correct
        assert (model["ci_low"], model["ci_high"]) == tuple(alone.confidence_interval())
    assert [m["model"] for m in models] == NAMES
    assert found["summary"] == want.summary()
    assert (found["n"], found["n_dropped"], found["method"]) == (399, 0, "asymptotic, midp")


def test_probabilities_are_compared_as_by_scoring_test():
    found = as_json("probabilities")
    tests = [
        fc.scoring_test(DATA.y_true, DATA.scores[p["first"]], DATA.scores[p["second"]])
        for p in found["pairs"]
    ]
    assert len(tests) == 10
    columns = {
        "difference": [t.estimate for t in tests],
        "t": [t.statistic for t in tests],
        "pvalue": [t.pvalue for t in tests],
        "loss_first": [t.losses[0] for t in tests],
        "loss_second": [t.losses[1] for t in tests],
        "adjusted_pvalue": fc.adjust_pvalues([t.pvalue for t in tests], method="shaffer"),
    }
    for key, values in columns.items():
        assert_array_equal([p[key] for p in found["pairs"]], values, err_msg=key)
    for pair, test in zip(found["pairs"], tests, strict=True):  # all cover simultaneously
        low, high = test.confidence_interval()
        assert pair["ci_low"] < low < high < pair["ci_high"]
    assert [m["model"] for m in found["models"]] == NAMES
    for model in found["models"]:
        p = DATA.scores[model["model"]]
        loss = fc.log_loss(DATA.y_true, p, on_undefined="ignore")
        error = fc.calibration_error(DATA.y_true, p, n_resamples=100, rng=0).estimate
        assert model["brier_score"] == fc.brier_score(DATA.y_true, p)
        assert model["log_loss"] == (None if math.isinf(loss) else loss)
        assert model["calibration_error"] == error
    assert (found["rule"], found["n_positive"], found["n_negative"]) == ("brier", 149, 250)


@pytest.mark.slow
def test_options_of_labels_reach_the_library():
    options = ["--alternative", "greater", "--correction", "bh", "--confidence-level", "0.9"]
    found = as_json("labels", *options, "--method", "exact", "--simultaneous", "--threshold", "0.3")
    predicted = {name: scores >= 0.3 for name, scores in DATA.scores.items()}
    want = fc.mcnemar_pairwise_test(
        DATA.y_true == 1, predicted, method="exact", alternative="greater", correction="bh"
    )
    low, high = want.confidence_interval(0.9, simultaneous=True)
    assert_array_equal([p["adjusted_pvalue"] for p in found["pairs"]], want.adjusted_pvalue)
    assert_array_equal([p["ci_low"] for p in found["pairs"]], low)
    assert_array_equal([p["ci_high"] for p in found["pairs"]], high)
    alone = fc.accuracy_interval(DATA.y_true == 1, predicted[NAMES[0]], confidence_level=0.9)
    assert found["models"][0]["ci_low"] == alone.confidence_interval().low


@pytest.mark.slow
def test_options_of_probabilities_reach_the_library():
    options = ["--rule", "log", "--clip", "0.01", "--alternative", "less", "--correction", "none"]
    result = run("probabilities", *options, "--simultaneous", "--format", "json")
    found = json.loads(result.stdout)
    assert result.stderr == ""
    pair = found["pairs"][-1]
    want = fc.scoring_test(
        DATA.y_true,
        *(DATA.scores[name] for name in NAMES[-2:]),
        rule="log",
        clip=0.01,
        alternative="less",
    )
    assert (pair["first"], pair["second"]) == tuple(NAMES[-2:])
    assert (pair["pvalue"], pair["adjusted_pvalue"]) == (want.pvalue, want.pvalue)
    bonferroni = want.confidence_interval(1.0 - 0.05 / 10).high
    assert want.confidence_interval().high < pair["ci_high"] < bonferroni
    loss = fc.log_loss(DATA.y_true, DATA.scores[NAMES[-1]], clip=0.01)
    assert found["models"][-1]["log_loss"] == loss


@pytest.mark.slow
def test_infinite_log_losses_are_warned_of_once_and_named():
    message = run("probabilities").stderr
    assert re.fullmatch(r"fastcompare: warning: infinite_loss: [^\n]+\n", message)
    assert [name for name in NAMES if name in message] == NAMES[1:]
    assert run("probabilities", "--clip", "1e-6").stderr == ""


@pytest.mark.slow
def test_pairs_with_infinite_losses_are_named_and_undefined():
    result = run("probabilities", "--rule", "log", "--format", "json")
    assert {p["status"] for p in json.loads(result.stdout)["pairs"]} == {"infinite_loss"}
    text = run("probabilities", "--rule", "log", "--format", "markdown").stdout
    told = r"^\| naive_bayes \| random_forest \| .* n/a \| .* \| infinite_loss \|$"
    assert re.search(told, text, re.MULTILINE)
    assert "No p-value is defined for these data" in text


def test_equal_probabilities_have_a_status(toy):
    toy.write_text("y,a,b\n1,0.5,0.5\n0,0.2,0.2\n1,0.9,0.9\n")
    result = run("probabilities", toy, "--label", "y", "--format", "json")
    assert json.loads(result.stdout)["pairs"][0]["status"] == "no_difference"


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_text_names_every_model_and_pair(command):
    text, every = ok(command), ok(command, "--format", "markdown")
    mark = "*" if re.search(r"  \*$", text, re.MULTILINE) else "no difference is"
    assert f"{mark} significant at the 5% level (Shaffer-adjusted)" in text
    for name in NAMES:
        assert len(re.findall(rf"^{name} +\d", text, re.MULTILINE)) == 1
    for i, first in enumerate(NAMES):
        for second in NAMES[i + 1 :]:
            assert len(re.findall(rf"^\| {first} \| {second} \| -?0\.\d", every, re.M)) == 1
    assert "significant at the 5% level (Shaffer-adjusted)" in " ".join(text.split())
    assert text.isascii()


@pytest.mark.slow
def test_text_says_which_test_was_made_of_what():
    title = "McNemar's test of all pairs of models (asymptotic, midp): accuracy of the first minus"
    assert title in ok("labels", "--format", "markdown")
    title = "Paired t-test of all pairs of models: log loss of the first minus log loss of the"
    told = ok("probabilities", "--rule", "log", "--clip", "0.01", "--format", "markdown")
    assert title in told


def test_sentence_names_the_better_model_and_no_correction():
    text = " ".join(ok("probabilities", "--correction", "none").split())
    first = "logistic_regression is better than decision_tree by 0.0373 (p = 0.000606)"
    assert f"differences in Brier score are significant at the 5% level: {first} and" in text


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("format", "mark"), [("markdown", "| naive_bayes |"), ("latex", r"naive\_bayes &")]
)
def test_documents_hold_both_tables_and_the_sentence(command, format, mark):
    text = ok(command, "--format", format)
    assert text.count(mark) == 5  # once as a model, four times in a pair
    assert "significant at the 5" in text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "key", "of_model"),
    [("labels", "accuracy", "accuracy"), ("probabilities", "loss", "brier_score")],
)
def test_csv_is_one_tidy_table(command, key, of_model):
    rows = list(csv.DictReader(io.StringIO(ok(command, "--format", "csv"))))
    found = as_json(command)
    models = {m["model"]: m[of_model] for m in found["models"]}
    assert len(rows) == 10
    for row, pair in zip(rows, found["pairs"], strict=True):
        assert list(row) == list(pair)
        assert float(row["pvalue"]) == pair["pvalue"]
        assert float(row[f"{key}_first"]) == models[row["first"]]
        assert float(row[f"{key}_second"]) == models[row["second"]]
