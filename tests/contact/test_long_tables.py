"""Tables with a row for each model and case, each beside tables that look alike and are not.

Each has the options, and what must be in the answer, or in the question.
"""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_command, by_python, ways_of_python

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


def grid(**levels):
    """Return a table with a row for each combination of these levels."""
    return dict(
        zip(levels, map(np.array, zip(*product(*levels.values()), strict=True)), strict=True)
    )


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


FOLDS = [f"Fold{j:02d}" for j in range(1, 6)]
CASE, TRUE = np.tile(np.arange(60), 2), np.tile(RNG.integers(0, 2, 60), 2)
CHURN = np.where(TRUE == 1, "yes", "no")
SURE = (0.2 + 0.3 * TRUE + 0.4 * RNG.random(120)).round(4)
PREDICTED = {"wflow_id": np.repeat(["rec_rf", "rec_glm"], 60), ".row": CASE, "churn": CHURN}
PREDICTED |= {".pred_yes": SURE, ".pred_no": 1 - SURE, "id": np.resize(FOLDS, 120)}
OPTIMIZED = grid(model=["cnn", "vit"], optimizer=["adam", "sgd"], seed=range(5))
SCORED = {"y": TRUE, "a": RNG.random(120), "b": RNG.random(120)}
WORKFLOWS = {  # a table, and what the answer, or the question, says
    "workflows": (PREDICTED, "Models: 'rec_glm' and 'rec_rf'"),
    "workflows of one engine": ({**PREDICTED, "model": "rand_forest"}, "of 'wflow_id' in rows"),
    "two engines": (
        {**PREDICTED, "model": np.repeat(["forest", "glm"], 60)},
        "Models: 'forest' and 'glm'",
    ),
    "optimizers": (
        {**grid(dataset=SETS, optimizer=["adam", "sgd"]), "acc": RNG.random(24)},
        "Models: 'adam' and 'sgd'",
    ),
    "frameworks of models": (
        {**grid(framework=["jax", "torch"], model=MODELS, dataset=SETS), "acc": RNG.random(72)},
        "are means over 'framework'",
    ),
    "models and optimizers": (
        {**OPTIMIZED, "acc": RNG.random(20)},
        "both 'model' and 'optimizer' may name models",
    ),
    "ids that are called trials": (
        {"id": np.resize([f"trial{j}" for j in range(20)], 120), **SCORED},
        "^(?!.*pooled over folds).*20 values of 'id'",
    ),
    "ids that are called folds": (
        {"id": np.resize(FOLDS, 120), **SCORED},
        "5 values of 'id': scores pooled over folds",
    ),
    "names of folds beside models": (
        {"id": FOLDS, "rf": RNG.random(5), "svm": RNG.random(5)},
        "the rows look like 5 rounds",
    ),
    "names of trials beside models": (
        {"clip": [f"trial{j}" for j in range(5)], "rf": RNG.random(5), "svm": RNG.random(5)},
        "what the rows are",
    ),
}


@pytest.mark.parametrize("name", WORKFLOWS)
def test_workflows_are_models_and_folds_are_known_by_their_names(name):
    table, says = WORKFLOWS[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join([*found["decisions"], *found["checks"]])
    assert re.search(says, reasons), reasons


DRAWN = RNG.permutation(120)
CLICKED = TRUE[DRAWN]
LOG = {"event_id": [f"e{j * 37:05d}" for j in range(120)], "variant": np.tile(["new", "old"], 60)}
LOG |= {"clicked": CLICKED, "score": SURE[DRAWN]}
TWICE = {"uid": LOG["event_id"], "model": np.repeat(["new", "old"], 60), "y": TRUE, "score": SURE}
ONE_MODEL = "are all rows of 'score' one model's"
VERSIONS = {  # a table, and what the answer, or the question, says
    "scores of variants": (LOG, "unpaired.*True labels: 'clicked'.*two independent AUCs"),
    "labels of numbered versions": (
        {
            "event_id": LOG["event_id"],
            "model_version": np.tile([1, 2], 60),
            "prediction": (LOG["score"] > 0.5) * 1,
            "label": CLICKED,
        },
        "unpaired.*True labels: 'label'.*two independent accuracies",
    ),
    "rows of users": (
        {**LOG, "user_id": np.arange(120) // 3},
        "unpaired.*rows of one user are not independent, so this interval",
    ),
    "the same cases twice": (TWICE, ONE_MODEL),
    "cases with ids": ({**TWICE, "case": CASE}, "Models: 'new' and 'old'.*DeLong's test of their"),
    "three variants": ({**LOG, "variant": np.tile(["a", "b", "c"], 40)}, ONE_MODEL),
    "no ids": ({n: x for n, x in LOG.items() if n != "event_id"}, ONE_MODEL),
    "ids that number rows": ({**LOG, "event_id": np.arange(120)}, ONE_MODEL),
    "techniques of measuring": (
        {"technique" if n == "variant" else n: x for n, x in LOG.items()},
        ONE_MODEL,
    ),
    "two models beside versions": ({**LOG, "b": RNG.random(120)}, "Models: 'score' and 'b'"),
}


@pytest.mark.parametrize("name", VERSIONS)
def test_versions_with_cases_of_their_own_are_unpaired(name):
    table, says = VERSIONS[name]
    found, said = by_python(table)
    reasons = said
    if found is not None:
        reasons = " ".join([*found["decisions"], *found["reasons"], *found["checks"]])
    assert re.search(says, reasons), reasons


def weka(**levels):
    """Return the results of experiments as Weka exports them, of two schemes on these levels."""
    table = grid(Key_Scheme=["J48", "NaiveBayes"], **levels)
    n = len(table["Key_Scheme"])
    test = np.resize([77, 76], n)
    sizes = {"Number_of_training_instances": 768 - test, "Number_of_testing_instances": test}
    shares = {x: RNG.uniform(60, 90, n).round(2) for x in ("Percent_correct", "Percent_incorrect")}
    return {**table, **sizes, **shares}


ONE_SET = {"Key_Run": range(1, 4), "Key_Fold": range(1, 11)}
EXPERIMENT = weka(Key_Dataset=SETS[:6], **ONE_SET)
WEKA = ("Key_Scheme", "Key_Dataset", "Percent_correct")
RUNS = {**grid(dataset=SETS[:6], model=MODELS, run=range(3)), "acc": RNG.random(54)}
EXPERIMENTS = {  # a table, options, and what the answer, or the question, says
    "six data sets": (EXPERIMENT, {}, r"long=\('Key_Scheme', 'Key_Dataset', 'Percent_correct'\)"),
    "their accuracies": (
        EXPERIMENT,
        {"long": WEKA},
        "means over 'Key_Run' and 'Key_Fold' in each 'Key_Dataset'. Rows: data sets",
    ),
    "one data set": (weka(**ONE_SET), {}, "'repeated-kfold', n_train=691.5, n_test=76.5"),
    "its accuracies": (
        weka(**ONE_SET),
        {"long": ("Key_Scheme", "Key_Run", "Percent_correct"), "design": "repeated-kfold"}
        | {"n_train": 691.5, "n_test": 76.5},
        "Each round has 691.5 training and 76.5 test cases",
    ),
    "folds without sizes": (
        {**grid(model=MODELS, fold=range(10)), "acc": RNG.random(30)},
        {},
        "n_train=90, n_test=10",
    ),
    "shares of training": (
        {**grid(model=MODELS, fold=range(10)), "train_size": 0.8, "acc": RNG.random(30)},
        {},
        "n_train=90, n_test=10",
    ),
    "runs of data sets": (RUNS, {}, "means over 'run' in each 'dataset'"),
}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_runs_and_folds_of_data_sets_are_averaged(name):
    table, options, says = EXPERIMENTS[name]
    found, said = by_python(table, **options)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, way


def test_means_over_runs_and_folds_are_those_of_each_data_set():
    found, _ = by_python(EXPERIMENT, long=WEKA)
    frame = pd.DataFrame(EXPERIMENT).groupby(["Key_Dataset", "Key_Scheme"])["Percent_correct"]
    wanted = fc.wilcoxon_test(*frame.mean().unstack().to_numpy().T)
    assert found["result"]["pvalue"] == pytest.approx(wanted.pvalue)
