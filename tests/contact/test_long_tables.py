"""Tables with a row for each model and case, each beside tables that look alike and are not.

Each has the options, and what must be in the answer, or in the question.
"""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_command, by_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(31)
SETS = [f"d{i:02d}" for i in range(12)]
MODELS = ["gp", "rf", "svm"]
KEYS = {"dataset": np.repeat(SETS, 3), "model": np.tile(MODELS, 12)}
VALUES = (RNG.random(36) + np.tile([0.1, 0.3, 0.5], 12)).round(4)
LOWER = "names suggest that lower is better, but higher is treated as better"


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
def test_losses_in_long_tables_are_doubted_as_those_in_wide_ones(name):
    table, options, doubted = LOSSES[name]
    found, said = by_python(table, **options)
    assert found is not None, said
    assert any(LOWER in check for check in found["checks"]) is doubted


def test_a_metric_that_no_row_has_is_refused(tmp_path):
    pd.DataFrame(long("value", metric="rmse")).to_csv(tmp_path / "t.csv", index=False)
    assert by_command([tmp_path / "t.csv"], "--metric", "rmse")[0] is not None
    assert re.search(
        "must be one of 'rmse'", by_command([tmp_path / "t.csv"], "--metric", "auc")[1]
    )


def test_leaderboards_of_losses_warn():
    items = {**KEYS, "wer": VALUES}
    with pytest.warns(fc.DesignWarning, match=LOWER):
        fc.leaderboard(pd.DataFrame(items))
    assert fc.leaderboard(pd.DataFrame(items), higher_is_better=False).names[0] == "gp"
