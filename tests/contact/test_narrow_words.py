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


@pytest.mark.parametrize(
    ("table", "models"),
    [
        ({"FA_DTI": 1, "MD_DTI": 1, "ADC_DWI": 1}, "'FA_DTI', 'MD_DTI' and 'ADC_DWI'"),
        ({"FARE": 1, "CreditNet": 1}, "'FARE' and 'CreditNet'"),
        ({"lon": 1, "lat": 1, "alt": 1, "yaw": 1}, "'lon', 'lat', 'alt' and 'yaw'"),
    ],
    ids=["markers", "two scores", "directions"],
)
def test_scores_called_like_amounts_or_places_stay_models(table, models):
    scores = {name: RNG.normal(50, 10, N).round(2) for name in table}
    found, said = by_python(pd.DataFrame({"case_ill": np.arange(N) % 2, **scores}))
    assert found is not None, said
    assert f"Models: {models}" in " ".join(map(str, found["decisions"]))


def test_languages_called_like_summaries_are_rows():
    names = ["en", "fr", "es", "it", "nl", "de", "avg"]
    scores = RNG.normal(30, 2, (6, 2)).round(1)
    table = np.vstack([scores, scores.mean(0).round(1) + 0.7])
    frame = pd.DataFrame({"language": names, "nmt": table[:, 0], "mbart": table[:, 1]})
    found, said = by_python(frame)
    assert found is not None, said
    assert "'avg'" in str(found["decisions"])
    assert "'de'" not in str(found["decisions"])


def test_a_model_of_whole_numbers_on_the_scale_of_others_is_asked_about():
    names = [f"d{i}" for i in range(12)]
    others = {name: RNG.uniform(60, 95, 12).round(1) for name in ("A", "B")}
    table = pd.DataFrame({"dataset": names, "D": RNG.integers(60, 95, 12), **others})
    found, said = by_python(table)
    assert found is None
    assert "whole numbers" in said


@pytest.mark.parametrize("rows", ["fold", "subject", "dataset", "model"])
def test_means_and_spreads_of_named_rows_are_no_steps_of_a_training(rows):
    table = {rows: np.arange(1, 11), "score_mean": RNG.random(10), "score_std": RNG.random(10) / 9}
    assert "steps of a training" not in by_python(pd.DataFrame(table))[1]


def test_items_called_like_folds_are_items():
    scores = {name: RNG.random(20).round(3) for name in "ab"}
    frame = pd.DataFrame({"sentence_id": [f"split-{i}" for i in range(20)], **scores})
    found, said = by_python(frame)
    assert found is not None, said
