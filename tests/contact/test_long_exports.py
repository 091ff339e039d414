"""Long tables as tools export them: workflows, logs of versions, runs, ids beside scores.

Each has the options, and what must be in the answer, or in the question.
"""

import re

import numpy as np
import pandas as pd
import pytest

import fastcompare as fc

from .doors import by_python, ways_of_python
from .grids import KEYS, MODELS, SETS, grid

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(41)
QUESTIONS = [f"q{j}" for j in range(40)]
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
    "workflows of two readers": (
        {"case": CASE, "workflow": np.repeat(["2D", "3D"], 60), "cancer": TRUE}
        | {n: RNG.random(120) for n in ("a_score", "b_score")},
        "True labels: 'cancer'.*Models: 'a_score' and 'b_score'",
    ),
    "frameworks of two models": (
        grid(question=QUESTIONS, framework=["jax", "torch"])
        | {n: RNG.integers(0, 2, 80) for n in ("gpt", "llama")},
        "Models: 'gpt' and 'llama'.*Not used: 'framework'",
    ),
    "optimizers and rates": (
        {**grid(optimizer=["adam", "sgd"], lr=[0.01, 0.1], seed=range(5)), "acc": RNG.random(20)},
        "both 'optimizer' and 'lr' may name models",
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


def log_of(name, *values):
    """Return the log with another column of two values."""
    return {name if n == "variant" else n: x for n, x in LOG.items()} | {name: np.tile(values, 60)}


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
    "versions of a test": (log_of("version", "A", "B"), "Models: 'score'.*Not used: 'version'"),
    "codes of two versions": (log_of("version", "ICD9", "ICD10"), "Models: 'score'"),
    "forms of an application": (log_of("application_version", "web", "paper"), "Models: 'score'"),
    "variants of a virus": (log_of("variant", "alpha", "delta"), ONE_MODEL),
    "models of scanners": (log_of("scanner_model", "GE", "Siemens"), ONE_MODEL),
    "arms of a test": (log_of("variant", "control", "treatment"), "the models are unpaired"),
    "numbered versions": (log_of("version", "v1.0", "v1.1"), "the models are unpaired"),
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


ACCURACY = RNG.random(36).round(3)
OF_SETS = {**KEYS, "accuracy": ACCURACY}
FOLD_IDS = grid(alg_name=MODELS, dataset_name=SETS, fold=range(3))
FOLD_IDS["dataset_fold_id"] = [
    f"{name}_fold_{fold}"
    for name, fold in zip(FOLD_IDS["dataset_name"], FOLD_IDS.pop("fold"), strict=True)
]
SEEDED = {**grid(model=["rf", "xgb"], seed=range(8)), "test_accuracy": ACCURACY[:16]}
ORGANS = {**grid(image=QUESTIONS[:10], label=["liver", "lung"], model=MODELS)}
ORGANS |= {"dice": RNG.random(60), "hd95": 9 * RNG.random(60)}
BESIDE = {  # a table, and what the answer, or the question, says
    "running numbers": ({**OF_SETS, "nr": RNG.permutation(36)}, "scores: 'accuracy'"),
    "ids of runs": ({**OF_SETS, "run_id": RNG.permutation(999)[:36]}, "scores: 'accuracy'"),
    "spreads": ({**OF_SETS, "std_acc": RNG.random(36)}, "scores: 'accuracy'"),
    "training": (
        {**KEYS, "auc_train": RNG.random(36), "auc_test": ACCURACY},
        "scores: 'auc_test'",
    ),
    "training of another metric": (
        {**KEYS, "f1_train": RNG.random(36), "auc_test": ACCURACY},
        "which column has the scores.*'f1_train'",
    ),
    "two metrics": ({**OF_SETS, "f1": RNG.random(36)}, "which column has the scores.*'f1'"),
    "numbers of correct answers": (
        {**OF_SETS, "num_correct": RNG.integers(0, 9, 36)},
        "which column has the scores.*'num_correct'",
    ),
    "ids alone": ({**KEYS, "score_id": RNG.permutation(999)[:36]}, "scores: 'score_id'"),
    "folds of data sets": (
        {**FOLD_IDS, "Accuracy__test": RNG.random(108)},
        "means over 'dataset_fold_id' in each 'dataset_name'. Rows: data sets",
    ),
    "an accuracy and its complement": (
        {**SEEDED, "test_loss": 1 - SEEDED["test_accuracy"]},
        "which column has the scores.*'test_accuracy'",
    ),
    "labels of organs": (ORGANS, "Means over 'label' are then compared"),
    "names beside ids of flows": (
        {
            "flow_id": np.tile([7, 8, 9], 12),
            "flow_name": KEYS["model"],
            "task_id": KEYS["dataset"],
            "value": ACCURACY,
        },
        "Models: 'gp', 'rf' and 'svm'",
    ),
}


@pytest.mark.parametrize("name", BESIDE)
def test_ids_spreads_and_scores_of_training_are_no_scores(name):
    table, says = BESIDE[name]
    found, said = by_python(table)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, way


SCORES = {"rf": RNG.random(8), "svm": RNG.random(8)}
RESAMPLE = [f"Fold{j % 4 + 1:02d}.Rep{j // 4 + 1}" for j in range(8)]
METRICS = {"ROC": RNG.random(8), "Sens": RNG.random(8)}
SEED_WAY = "kind='folds', design='independent'"
ROUNDS = {  # a table, options, and what the answer, or the question, says
    "seeds": ({"seed": range(8), **SCORES}, {}, SEED_WAY),
    "seeds of a long table": (
        {**grid(model=MODELS, seed=range(8)), "acc": RNG.random(24)},
        {},
        SEED_WAY,
    ),
    "folds": ({"fold": range(8), **SCORES}, {}, "^(?!.*independent)"),
    "runs": ({"run": range(8), **SCORES}, {}, "^(?!.*independent)"),
    "seeds on one split": (
        {"seed": range(8), **SCORES},
        {"kind": "folds", "design": "independent"},
        "Design: 'independent'",
    ),
    "metrics of one model": ({**METRICS, "Resample": RESAMPLE}, {}, "of one model alone"),
    "one of them": ({**METRICS, "Resample": RESAMPLE}, {"models": ["ROC"]}, "of one model alone"),
    "one of two models": ({**SCORES, "fold": range(8)}, {"models": ["rf"]}, "of one model alone"),
    "its mean, as specified": (
        {**SCORES, "fold": range(8)},
        {"models": ["rf"], "kind": "items"},
        "Models: 'rf'",
    ),
    "trials of one model": ({"trial": range(8), **SCORES}, {"models": ["rf"]}, "one model"),
    "times beside percentages": (
        {"fold": range(8), "rf": np.resize([81, 84, 79], 8), "svm": np.resize([80, 83, 77, 85], 8)}
        | {"fit_seconds": RNG.random(8)},
        {},
        "how were they made",
    ),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_runs_of_seeds_may_be_independent_and_folds_of_one_model_have_no_test(name):
    table, options, says = ROUNDS[name]
    found, said = by_python(table, **options)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **way)[0] is not None, way


SEGMENTS = {
    "doc_id": np.repeat([f"doc{j}" for j in range(12)], 2 * np.resize([3, 5, 4], 12)),
    "seg_id": np.concatenate([np.repeat(range(1, n + 1), 2) for n in np.resize([3, 5, 4], 12)]),
    "system": np.tile(["a", "b"], 48),
}
LESIONS = grid(patient_id=range(12), lesion_id=[f"l{j}" for j in range(3)], model=["a", "b"])
JOINT = {  # a table, options, and what the answer, or the question, says
    "segments of documents": (
        {**SEGMENTS, "score": RNG.random(96)},
        {},
        "Rows: items.*12 values of 'doc_id' in 48 rows",
    ),
    "their documents": ({**SEGMENTS, "score": RNG.random(96)}, {"groups": "doc_id"}, "'clusters'"),
    "their numbers": ({**SEGMENTS, "score": RNG.random(96)}, {"groups": "seg_id"}, "'clusters'"),
    "lesions of patients": (
        {**LESIONS, "y": np.repeat(RNG.integers(0, 2, 36), 2), "prob": RNG.random(72)},
        {},
        "True labels: 'y'.*12 values of 'patient_id' in 36 rows",
    ),
    "items that users rate": (
        {**grid(user=range(9), item=range(9), model=["a", "b"]), "rating": RNG.random(162)},
        {},
        "are means over 'user'",
    ),
    "examples of data sets": (
        {**grid(dataset=SETS[:5], example=range(30), model=["a", "b"]), "score": RNG.random(300)},
        {},
        "^(?!.*Rows: items)",
    ),
}


@pytest.mark.parametrize("name", JOINT)
def test_two_ids_may_name_the_rows_together(name):
    table, options, says = JOINT[name]
    found, said = by_python(table, **options)
    reasons = said if found is None else " ".join([*found["decisions"], *found["checks"]])
    assert re.search(says, reasons), reasons
