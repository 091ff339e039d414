"""Names that say that lower is better, and names that resemble them.

The right model is the better one: its errors are lower, or its scores higher.
"""

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_command, by_python, ways_of_command, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(17)
SETS = [f"d{j:02}" for j in range(18)]
LOW = (RNG.uniform(0.1, 0.2, 18) + np.array([[0.1], [0.03], [0.0]])).round(4)  # error rates
HIGH = (1.0 - LOW).round(4)


def table(names, values, row="dataset"):
    """Return a table with a row for each data set, and a column for each model."""
    return {row: SETS, **dict(zip(names, values, strict=True))}


ANSWERS = {  # names of models, their values, and whether lower is better by their names
    "error rates": (("error_knn", "error_svm", "error_rf"), LOW, True),
    "in percent, behind models": (("knn error (%)", "svm error (%)"), 100 * LOW[:2], True),
    "root mean squared errors": (("RMSE_rf", "RMSE_xgb"), 60 + 90 * LOW[:2], True),
    "losses": (("rf_loss", "xgb_loss", "knn_loss"), LOW, True),
    "logarithmic losses above one": (("logloss_a", "logloss_b"), 1.0 + LOW[:2], True),
    "seconds": (("seconds_a", "seconds_b"), 300 * LOW[:2], True),
    "times below one": (("time_gpt", "time_llama"), HIGH[:2], True),
    "seconds above a half": (("seconds_a", "seconds_b"), HIGH[:2], True),
    "absolute errors": (("MAE_rf", "MAE_xgb"), LOW[:2], True),
    "absolute errors in units": (("rf_mae", "xgb_mae"), 500 * HIGH[:2], True),
    "wrong answers": (("error_a", "error_b"), 1.0 * (LOW[:2] > 0.2), True),
    "one name of a loss alone": (("error_knn", "svm", "rf"), HIGH, False),
    "less of an error": (("error_reduction_a", "error_reduction_b"), LOW[:2], False),
    "negated errors": (("neg_mse_a", "neg_mse_b"), -LOW[:2], False),
    "one minus an error": (("1-error a", "1-error b"), HIGH[:2], False),
    "models of time series": (("time_series_lstm", "time_series_tcn"), HIGH[:2], False),
    "models that costs make": (("cost_sensitive_svm", "cost_sensitive_rf"), HIGH[:2], False),
    "survival": (("survival_time_a", "survival_time_b"), 100 * HIGH[:2], False),
}
QUESTIONS = {  # names and values of which higher may be better, too
    "models called after their losses": (("ce_loss", "dice_loss", "focal_loss"), HIGH),
    "also where they are bad": (("ce_loss", "dice_loss", "focal_loss"), LOW),
    "masked autoencoders": (("MAE-B", "MAE-L"), HIGH[:2]),
    "masked autoencoders in percent": (("ViT-MAE", "Swin-MAE"), 100 * HIGH[:2]),
    "German articles": (("der_alte", "der_neue"), HIGH[:2]),
    "right answers": (("mse_net", "mse_tree"), 1.0 * (LOW[:2] > 0.2)),
    "models of time series": (("time_llm", "time_mixer"), HIGH[:2]),
    "errors that are found": (("errors_detected_a", "errors_detected_b"), 20 * LOW[:2]),
    "times that are watched": (("watch_time_a", "watch_time_b"), 900 * HIGH[:2]),
    "times to failure": (("time_to_failure_a", "time_to_failure_b"), 900 * HIGH[:2]),
    "errors of most cases": (("error_knn", "error_svm"), HIGH[:2]),
    "errors of most cases in percent": (("error_knn", "error_svm"), 100 * HIGH[:2]),
}


@pytest.mark.parametrize("row", ["dataset", "item"])
@pytest.mark.parametrize("name", ANSWERS)
def test_lower_is_better_where_all_names_say_so(name, row):
    names, values, is_loss = ANSWERS[name]
    found, said = by_python(table(names, values, row))
    assert found is not None, said
    line = "Lower is better, as the names say"
    assert any(check.startswith(line) for check in found["checks"]) is is_loss
    best = np.argmin(values.mean(1)) if is_loss else np.argmax(values.mean(1))
    assert found["models"][0]["name"] == names[best]


@pytest.mark.parametrize("name", QUESTIONS)
def test_losses_that_may_be_words_of_models_are_asked_about(name, tmp_path):
    names, values = QUESTIONS[name]
    pd.DataFrame(table(names, values)).to_csv(tmp_path / "t.csv", index=False)
    found, said = by_python(table(names, values))
    assert found is None
    assert ways_of_python(said) == [{"higher_is_better": False}, {"higher_is_better": True}]
    _, asked = by_command([tmp_path / "t.csv"])
    assert ways_of_command(asked) == [["--lower-is-better"], ["--higher-is-better"]]
    for way, best in (("--lower-is-better", np.argmin), ("--higher-is-better", np.argmax)):
        found, said = by_command([tmp_path / "t.csv"], way)
        assert found is not None, said
        assert found["models"][0]["name"] == names[best(values.mean(1))]


def test_scores_in_a_column_of_gains_are_asked_about():
    table = {"dataset": np.repeat(SETS, 2), "model": ["a", "b"] * 18}
    found, said = by_python(table | {"watch_time": 900 * HIGH[:2].T.ravel()})
    assert found is None
    assert ways_of_python(said) == [{"higher_is_better": False}, {"higher_is_better": True}]


@pytest.mark.parametrize(("score", "is_loss"), [("time", True), ("loss", True), ("dice", False)])
def test_the_score_of_two_files_says_what_is_better(tmp_path, score, is_loss):
    for name, values in zip(("gpt", "llama"), HIGH, strict=False):
        table = pd.DataFrame({"case": SETS, score: values})
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    found, said = by_command([tmp_path / "gpt.csv", tmp_path / "llama.csv"])
    assert found is not None, said
    assert any(check.startswith("Lower is better") for check in found["checks"]) is is_loss
    best = (np.argmin if is_loss else np.argmax)(HIGH[:2].mean(1))
    assert found["models"][0]["name"] == ("gpt", "llama")[best]


def test_the_direction_that_users_specify_is_above_that_of_names(tmp_path):
    names, values, _ = ANSWERS["error rates"]
    pd.DataFrame(table(names, values)).to_csv(tmp_path / "t.csv", index=False)
    for way, best in (("--lower-is-better", 2), ("--higher-is-better", 0)):
        found, _ = by_command([tmp_path / "t.csv"], way)
        assert found["models"][0]["name"] == names[best]
        assert not found["checks"]
    frame = pd.DataFrame(table(names, values))
    assert fc.compare(frame, higher_is_better=True).models[0].name == names[0]


def test_claims_about_errors_are_turned_as_the_errors_are():
    errors = {f"error_{m}": x + RNG.normal(0, 0.01, 18) for m, x in zip("ab", LOW, strict=False)}
    found = fc.compare(errors, kind="items")
    assert found.gate("worse", model="error_b")
    assert not found.gate("worse", model="error_a")
    assert fc.compare(errors, kind="items", margin=0.01).result.pvalue > 0.5
