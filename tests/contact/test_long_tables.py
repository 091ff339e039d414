"""Tables with a row for each model and case, each beside tables that look alike and are not.

Each has the options, and what must be in the answer, or in the question.
"""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_command, by_python
from .grids import KEYS, MODELS, SETS, grid

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(31)
VALUES = (RNG.random(36) + np.tile([0.1, 0.3, 0.5], 12)).round(4)
LOWER = "Lower is better, as the names say"
WARNED = "names suggest that lower is better, but higher is treated as better"


def long(score, **more):
    """Return a long table of data sets with a column of scores of this name, and more columns."""
    return {**KEYS, **more, score: VALUES}


METRIC = np.tile(np.repeat(["accuracy", "log_loss"], 3), 12)
TWO_METRICS = {"dataset": np.repeat(SETS, 6), "model": np.tile(MODELS, 24), "metric": METRIC}
TWO_METRICS["value"] = np.repeat(VALUES, 2)
WIDE = {"dataset": SETS, **{m: VALUES[i::3] for i, m in enumerate(MODELS)}}
LOSSES = {  # a table, options, and whether lower values are better by the name of what is measured
    "rmse": (long("rmse"), {}, True),
    "an error rate": (long("Error rate (%)"), {}, True),
    "words without marks": (long("testLoss"), {}, True),
    "a measure of mlr3": (long("classif.ce"), {}, True),
    "misclassified": (long("Percent_incorrect"), {}, True),
    "an error in German": (long("Fehlerrate"), {}, True),
    "named by an option": (
        {**long("loss"), "score": 1 - VALUES},
        {"long": ("model", "dataset", "loss")},
        True,
    ),
    "the score beside it": (
        {**long("loss"), "score": 1 - VALUES},
        {"long": ("model", "dataset", "score")},
        False,
    ),
    "a metric in all rows": (long("value", metric="rmse"), {}, True),
    "such a metric of models in columns": ({**WIDE, "metric": "rmse"}, {}, True),
    "a metric that is chosen": (TWO_METRICS, {"scoring": "log_loss"}, True),
    "the other metric": (TWO_METRICS, {"scoring": "accuracy"}, False),
    "accuracies of a metric": (long("value", metric="accuracy"), {}, False),
    "an accuracy": (long("accuracy"), {}, False),
    "negated": (long("neg_log_loss"), {}, False),
    "less of an error": (long("error_reduction"), {}, False),
    "models called after losses": (
        {**long("accuracy"), "model": np.tile(["ce_loss", "dice_loss", "focal_loss"], 12)},
        {},
        False,
    ),
    "lossless": (long("lossless"), {}, False),
    "as specified": (long("rmse"), {"higher_is_better": False}, False),
}


@pytest.mark.parametrize("name", LOSSES)
def test_of_losses_in_long_tables_lower_is_better_unless_specified(name):
    table, options, by_name = LOSSES[name]
    found, said = by_python(table, **options)
    assert found is not None, said
    assert any(LOWER in check for check in found["checks"]) is by_name
    specified, _ = by_python(table, **{"higher_is_better": True, **options})
    turned = [found["values"][m] != specified["values"][m] for m in MODELS] if by_name else [False]
    assert any(turned) is by_name


def test_a_metric_that_no_row_has_is_refused(tmp_path):
    pd.DataFrame(long("value", metric="rmse")).to_csv(tmp_path / "t.csv", index=False)
    assert by_command([tmp_path / "t.csv"], "--metric", "rmse")[0] is not None
    assert re.search(
        "must be one of 'rmse'", by_command([tmp_path / "t.csv"], "--metric", "auc")[1]
    )


def test_leaderboards_of_losses_warn():
    items = {**KEYS, "wer": VALUES}
    with pytest.warns(fc.DesignWarning, match=WARNED):
        fc.leaderboard(pd.DataFrame(items))
    assert fc.leaderboard(pd.DataFrame(items), higher_is_better=False).names[0] == "gp"


TASKS = {"task_id": np.repeat([f"HumanEval/{j}" for j in range(50)], 2)}
TASKS["model"] = np.tile(["llama", "phi"], 50)
SAMPLES = np.where(TASKS["model"] == "phi", 10, 200)
PASSED = RNG.binomial(SAMPLES, np.repeat(RNG.random(50), 2))
RATES = [float((PASSED / SAMPLES)[j::2].mean()) for j in (0, 1)]
MEANS = [float(PASSED[j::2].mean()) for j in (0, 1)]
SINGLE = np.minimum(PASSED, 1)
COUNTED = {  # a table, options, the means of the models' values, and what the answer says
    "n and c": ({**TASKS, "n": SAMPLES, "c": PASSED}, {}, RATES, "Rows: items"),
    "in words": (
        {**TASKS, "num_samples": SAMPLES, "num_correct": PASSED},
        {},
        RATES,
        "shares of 'num_samples', of which 'num_correct' counts successes",
    ),
    "named by an option": (
        {**TASKS, "n": SAMPLES, "c": PASSED},
        {"long": ("model", "task_id", "c")},
        RATES,
        "Rows: items",
    ),
    "numbers of rows": (
        {**TASKS, "n": np.arange(1, 101), "correct": SINGLE},
        {},
        [float(SINGLE[j::2].mean()) for j in (0, 1)],
        "Rows: items",
    ),
    "successes beyond n": (
        {**TASKS, "n": SAMPLES // 10, "c": PASSED},
        {},
        MEANS,
        "Not used: 'n'",
    ),
    "percentages": ({**TASKS, "n": 500, "percent_correct": PASSED}, {}, MEANS, "Not used: 'n'"),
    "points, no successes": (
        {**TASKS, "max_points": 500, "points": PASSED},
        {},
        MEANS,
        "Not used: 'max_points'",
    ),
}


@pytest.mark.parametrize("name", COUNTED)
def test_successes_of_trials_are_compared_by_their_shares(name):
    table, options, means, says = COUNTED[name]
    found, said = by_python(table, **options)
    assert found is not None, said
    assert [*found["values"].values()] == pytest.approx(means)
    assert re.search(says, " ".join(found["decisions"]))


def test_successes_in_rounds_are_still_asked_about():
    rounds = {"fold": np.repeat(np.arange(10), 2), "model": np.tile(["a", "b"], 10)}
    _, said = by_python({**rounds, "n": 40, "correct": PASSED[1::2][:20] + 3})
    assert "how were they made" in said


def answers(table, name="correct"):
    """Return a table with right and wrong answers beside its columns."""
    return {**table, name: RNG.integers(0, 2, len(next(iter(table.values()))))}


QUESTIONS, THRICE = [f"q{j}" for j in range(40)], [1, 2, 3]
HOT = {"question_id": QUESTIONS, "temperature": [0.0, 0.7, 1.0]}
FEVER = answers(grid(patient=range(30), temp=[36.5, 38.5]), "y")
FEVER |= {"a": RNG.random(60), "b": RNG.random(60)}
BY_DAY = grid(station=QUESTIONS[:10], day=range(12))
BY_DAY |= {n: RNG.random(120) for n in ("model_a", "model_b")}
CONDITIONS = {  # a table, and what the answer, or the question, says
    "samples of temperatures": (
        answers(grid(**HOT, sample=THRICE)),
        "values of 'temperature' in rows of each 'question_id' and 'sample'.*over 'sample'",
    ),
    "runs of temperatures": (answers(grid(**HOT, run=THRICE)), "over 'run' in each 'question_id'"),
    "temperatures alone": (answers(grid(**HOT)), "Models: '0', '0.7' and '1'"),
    "samples of models": (
        answers(grid(task_id=QUESTIONS, model=["a", "b"], sample=range(5)), "passed"),
        "Scores are the means over 'sample' in each 'task_id'",
    ),
    "samples that listeners rate": (
        answers(grid(sample=QUESTIONS, listener=THRICE, system=["a", "b"]), "rating"),
        "Scores are the means over 'listener' in each 'sample'",
    ),
    "attempts at samples": (
        answers(grid(sample=range(12), attempt=THRICE, system=["a", "b"]), "passed"),
        "Scores are the means over 'attempt' in each 'sample'",
    ),
    "shots of models": (
        answers(grid(task=QUESTIONS, shots=[0, 5], model=["a", "b"])),
        "are means over 'shots'",
    ),
    "fevers": (FEVER, "True labels: 'y'.*Models: 'a' and 'b'"),
    "temperatures of samples": (
        {**grid(sample_id=QUESTIONS, temperature=[10, 20, 30]), "yield": RNG.random(120)},
        "at least two models are needed",
    ),
    "temperatures of stations": (
        {**grid(station=QUESTIONS, temperature=[10, 20, 30]), "ozone": RNG.random(120)},
        "at least two models are needed",
    ),
    "weather": ({**BY_DAY, "temperature": RNG.integers(9, 25, 120)}, "what the rows are"),
    "numbers of recommendations": (
        {**grid(user_id=QUESTIONS, top_k=[5, 10]), "recall": RNG.random(80)},
        "which label of 'top_k'",
    ),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_settings_are_models_where_they_are_crossed_with_items(name):
    table, says = CONDITIONS[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
