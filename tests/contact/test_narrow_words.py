"""Names that resemble those of losses, times, spreads, metrics and sources of labels."""

import numpy as np
import pandas as pd
import pytest

from fastcompare._inputs.names import are_losses

from .doors import by_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(24)
N = 60


@pytest.mark.parametrize(
    "name",
    [
        "1-error",
        "1 - FPR",
        "error_free_rate",
        "no_error",
        "error_detection_accuracy",
        "deviance_explained",
        "mse_skill",
        "inverse_rmse",
        "minus_logloss",
        "neg_log_loss",
        "time_speedup",
        "survival_time",
    ],
)
def test_names_of_gains_with_a_word_of_losses_are_no_losses(name):
    assert not are_losses([name])


@pytest.mark.parametrize(
    "name", ["negative log likelihood loss", "error_1", "false_negative_error"]
)
def test_names_of_losses_are_losses_whatever_else_they_say(name):
    assert are_losses([name])


@pytest.mark.parametrize(
    ("names", "outcome"),
    [(("sys", "dias"), "death"), (("OD", "OS"), "dead"), (("TTE", "TEE"), "event")],
)
def test_pairs_of_measurements_are_no_times_to_an_event(names, outcome):
    table = {name: RNG.integers(60, 150, N) * 1.0 for name in names}
    found, said = by_python(pd.DataFrame({outcome: np.arange(N) % 2, **table}))
    assert found is not None, said


def test_tasks_called_like_metrics_are_data_sets():
    tasks = ["recall", "memory", "precision", "correctness", "time"]
    scores = {name: RNG.random(5).round(3) for name in ("gpt", "llama")}
    found, said = by_python(pd.DataFrame({"task": tasks, **scores}))
    assert found is not None, said
    assert "data sets" in " ".join(map(str, found["decisions"]))


def test_se_beside_sp_is_a_sensitivity():
    rows = [(m, d, *RNG.random(2).round(3)) for d in "abcdefgh" for m in ("svm", "rf", "xgb")]
    found, said = by_python(pd.DataFrame(rows, columns=["model", "dataset", "se", "sp"]))
    assert found is None
    assert "model,dataset,se" in said or "'se'" in said


def test_a_model_that_is_never_wrong_is_a_model_by_its_name():
    score = RNG.normal(size=N).round(3)
    table = {"y": (score > 0).astype(int), "rf": RNG.normal(size=N).round(3), "xgb": score}
    found, said = by_python(pd.DataFrame(table | {"logreg": RNG.normal(size=N).round(3)}))
    assert found is not None, said


def test_changes_by_minus_one_are_no_codes_of_missing_values():
    table = {name: RNG.integers(-1, 15, N) for name in ("delta_a", "delta_b")}
    found, said = by_python(pd.DataFrame({"improved": np.arange(N) % 2, **table}))
    assert found is not None, said
    assert "code for missing" not in str(found["checks"])
