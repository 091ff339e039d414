"""Wide tables and several files as tools write them, each beside tables that look alike.

Each has the options, and what must be in the answer's reasons or in the question.
"""

import re

import numpy as np
import pytest

from .doors import by_python, ways_of_python

pytestmark = pytest.mark.filterwarnings("ignore")
RNG = np.random.default_rng(5)
SETS = {"dataset": [f"d{i}" for i in range(12)]}
RATE, ERROR, OTHER = RNG.uniform(60, 90, (3, 12)).round(2)
WHOLE = RNG.integers(62, 88, 12)
BOTH = {"rmse_a": ERROR, "rmse_b": OTHER}
SIZES = {
    **{
        f"sizes called {name}": (
            {**SETS, "N": 7 * WHOLE, name: WHOLE, **BOTH},
            {},
            f"Models: 'rmse_a' and 'rmse_b'.*Not used: 'N' and '{name}'",
        )
        for name in ("d", "D", "dim", "attrs", "p", "Attr.", "#Cls", "Merkmale", "atributos")
    },
    "d on the scale of percentages": (
        {**SETS, "d": WHOLE, "RF": RATE, "SVM": ERROR},
        {},
        "Models: 'RF' and 'SVM'.*Not used: 'd'",
    ),
    "models called by letters": (
        {**SETS, "a": RATE, "b": ERROR, "c": OTHER, "d": WHOLE},
        {},
        "Models: 'a', 'b', 'c' and 'd'",
    ),
    "whole percentages of the last model": (
        {**SETS, "RF": RATE, "SVM": ERROR, "kNN": WHOLE},
        {},
        "Models: 'RF', 'SVM' and 'kNN'",
    ),
    "a metric in all names": (
        {**SETS, "acc_knn": WHOLE, "acc_rf": RATE, "acc_svm": ERROR},
        {},
        "'acc_knn' has whole numbers",
    ),
    "a metric in all names, decimals first": (
        {**SETS, "acc_rf": RATE, "acc_svm": ERROR, "acc_knn": WHOLE},
        {},
        "Models: 'acc_rf', 'acc_svm' and 'acc_knn'",
    ),
    "a first column of whole numbers": (
        {**SETS, "Human": WHOLE, "RF": RATE, "SVM": ERROR},
        {},
        "'Human' has whole numbers, and 'RF' and 'SVM' have decimals: which are the models",
    ),
    "whole numbers alone": (
        {**SETS, "d": WHOLE, "p": WHOLE[::-1]},
        {},
        "^(?!.*decimals)",
    ),
    "whole numbers of items": (
        {"item": SETS["dataset"], "mini": WHOLE, "rf": RATE, "svm": ERROR},
        {},
        "Models: 'mini', 'rf' and 'svm'",
    ),
}
N = 60
Y = RNG.integers(0, 2, N)
SHARE = RNG.uniform(0.01, 0.99, (3, N)).round(4)
PLAN = RNG.integers(0, 2, N)


def classes(first, second, share, labels=(0, 1)):
    """Return the columns of probabilities of two classes, called by a form of two parts."""
    return {
        f"{first}{label}{second}": x for label, x in zip(labels, (1 - share, share), strict=True)
    }


KNIME = {**classes("P (Churn=", ")", SHARE[0]), **classes("P (Churn=", ") (#1)", SHARE[1])}
CLASSES = {
    "KNIME, a model joined": ({"Churn": Y, **KNIME}, {}, "Models: 'Churn' and 'Churn 1'"),
    "KNIME, a model appended": (
        {"Churn": Y, **classes("P (Churn=", ")", SHARE[0])} | classes("P (Churn=", ")_1", SHARE[1]),
        {},
        "Models: 'Churn' and 'Churn 1'",
    ),
    "an attribute beside the label in all names": (
        {"Plan": PLAN, "Churn": Y, **KNIME},
        {},
        "True labels: 'Churn'",
    ),
    "two labels, of which names say nothing": (
        {"Plan": PLAN, "Churn": Y, **classes("a_", "", SHARE[0]), **classes("b_", "", SHARE[1])},
        {},
        "which column has the true labels. 'Plan' and 'Churn' may be",
    ),
    "models called 0 and 1": (
        {"y": Y, **classes("rf_0_", "", SHARE[0]), **classes("rf_1_", "", SHARE[1])},
        {},
        "Models: 'rf_0' and 'rf_1'",
    ),
    "models called 0 and 1 after the class": (
        {"y": Y, **classes("c", "_0", SHARE[0]), **classes("c", "_1", SHARE[1])},
        {},
        "Models: '0' and '1'",
    ),
    "one model of two words": (
        {"y": Y, **classes("prob_1_of_", "", SHARE[0]), "svm": SHARE[2]},
        {},
        "^(?!.*AUC.*'svm')",
    ),
}
BOXES = RNG.integers(1, 40, N)
IMAGES = {"image_id": RNG.permutation(5000)[:N] + 100000}
PRECISION = {"yolo_AP": SHARE[0], "detr_AP": SHARE[1]}
COUNTED = {"yolo": BOXES + RNG.integers(-3, 4, N), "detr": BOXES + RNG.integers(-5, 6, N)}
COUNTS = {
    "numbers of true boxes": (
        {**IMAGES, "n_gt": BOXES, **PRECISION},
        {"kind": "items"},
        "Models: 'yolo_AP' and 'detr_AP'",
    ),
    "few numbers of true boxes": (
        {**IMAGES, "num_gt": BOXES % 7 + 1, **PRECISION},
        {},
        "^(?!.*classes).*items",
    ),
    "counts that models predict": (
        {**IMAGES, "gt_count": BOXES, **COUNTED},
        {},
        "'gt_count'",
    ),
    "counts that decimals predict": (
        {**IMAGES, "n_true": BOXES, "yolo": BOXES + SHARE[0], "detr": BOXES + SHARE[1]},
        {},
        "True values: 'n_true'",
    ),
    "one or two true boxes": (
        {**IMAGES, "n_gt": Y + 1, **PRECISION},
        {},
        "^(?!.*positive class).*items",
    ),
    "labels of 0 and 1": (
        {**IMAGES, "true_n": Y, **PRECISION},
        {},
        "True labels: 'true_n'",
    ),
}
MODELS = {"model": [*"abcdefghijkl"]}
RATES = {name: (x / 100).round(3) for name, x in zip("xyz", (RATE, ERROR, OTHER), strict=True)}
X, Z, V = RATES.values()
ONE_NUMBER = "^one number of each model for each metric"
LEADERBOARDS = {
    "AutoGluon": (
        {**MODELS, "score_test": X, "score_val": Z, "eval_metric": ["roc_auc"] * 12}
        | {"pred_time_test": V, "fit_time_marginal": V[::-1], "stack_level": [1, 2] * 6}
        | {"can_infer": [True, False, True] * 4, "fit_order": np.arange(12)[::-1]},
        {},
        ONE_NUMBER,
    ),
    "H2O": (
        {"model_id": MODELS["model"], "auc": X, "aucpr": Z, "mean_per_class_error": V, "rmse": X},
        {},
        ONE_NUMBER,
    ),
    "PyCaret": (
        {"Model": MODELS["model"], "Accuracy": X, "F1": Z, "Prec.": V, "TT (Sec)": X},
        {},
        ONE_NUMBER,
    ),
    "metrics in rows": (
        {"": ["accuracy", "f1", "max_per_class_error", "rmse"], "mean": X[:4], "sd": Z[:4]}
        | {"cv_1_valid": V[:4], "cv_2_valid": X[4:8]},
        {},
        "^each row is a metric",
    ),
    "data sets in columns": (
        {"method": MODELS["model"], "PACS": X, "VLCS": Z, "Office": V},
        {},
        "Each row is one of 'method'",
    ),
    "a metric of each task": (
        {"model": MODELS["model"], "MMLU - EM": X, "MATH - Equal": Z, "NarrativeQA - F1": V},
        {},
        "^(?!.*one number).*data sets",
    ),
    "cases called models": (
        {"model": [f"m{i}" for i in range(N)], "y_true": Y, "score": SHARE[0], "error": SHARE[1]},
        {},
        "True labels: 'y_true'",
    ),
    "rounds of each model": (
        {"model": MODELS["model"], "fold1_acc": X, "fold2_acc": Z, "fold3_acc": V},
        {"design": "kfold"},
        "Each row is one of 'model'",
    ),
    "tasks called by words of metrics": (
        {"task": ["sum", "mean", "median", "sort"] * 3, "a": X, "b": Z},
        {},
        "^(?!.*each row is a metric)",
    ),
}
P, Q = ((0.7 * Y + x) / 1.75 + 0.005 for x in SHARE[:2])
SURE = {name: np.maximum(x, 1 - x) for name, x in (("p", P), ("q", Q))}
WORD = np.array(["no", "yes"])
SCORED = {"Scored Labels": WORD[(P > 0.5) * 1], "Scored Probabilities": P}
SCORED |= {"Scored Labels (2)": WORD[(Q > 0.5) * 1], "Scored Probabilities (2)": Q}
LABELS = {f"{m}_label": WORD[(x > 0.5) * 1] for m, x in (("lr", P), ("rf", Q))}
HARD = {
    "Azure": ({"income": WORD[Y], **SCORED}, {}, "True labels: 'income'"),
    "Azure, one model": (
        {"income": WORD[Y], **{n: SCORED[n] for n in ("Scored Labels", "Scored Probabilities")}},
        {},
        "True labels: 'income'",
    ),
    "a label and a probability of each model": (
        {"churn": WORD[Y], **LABELS, "lr_prob": P, "rf_prob": Q},
        {},
        "True labels: 'churn'.*Models: 'lr_prob' and 'rf_prob'",
    ),
    "a label and a probability of one model": (
        {"churn": WORD[Y], "lr_label": LABELS["lr_label"], "lr_prob": P},
        {},
        "True labels: 'churn'",
    ),
    "a truth that a score separates": (
        {"sex": PLAN, "churn_label": Y, "churn_a": (Y + SHARE[0]) / 2, "churn_b": SHARE[1]},
        {},
        "'churn_label' follows from a threshold of 'churn_a'",
    ),
    "goals": ({"scored": Y, "xg_a": P, "xg_b": Q}, {}, "True labels: 'scored'"),
    "how sure models are": (
        {"y": Y, "a_conf": SURE["p"], "a": P, "b_conf": SURE["q"], "b": Q},
        {},
        "Models: 'a' and 'b'.*Not used: 'a_conf' .the larger of 'a' and 1 - 'a'",
    ),
    "scores above a half": (
        {"y": Y, "a": P / 2 + 0.5, "b": Q, "c": SHARE[2]},
        {},
        "Models: 'a', 'b' and 'c'",
    ),
}
TIMES = {f"{kind}_time_{m}": OTHER * 3 for kind in ("fit", "score") for m in ("rf", "svm")}
PARTS = {f"{m}_{p}_score": RNG.random(10) for m in ("rf", "svm") for p in ("test", "train")}
STEPS = np.linspace(0.7, 0.3, 60)
ROUNDS = {
    "test and training": (PARTS, {"design": "kfold"}, "Models: 'rf_test_score' and 'svm_test_"),
    "training without error": (
        {**PARTS, "rf_train_score": np.ones(10)},
        {"design": "kfold"},
        "Models: 'rf_test_score' and 'svm_test_score'",
    ),
    "times before models": (
        {**TIMES, "score_rf": X, "score_svm": Z},
        {"design": "kfold"},
        "Models: 'score_rf' and 'score_svm'",
    ),
    "parts that are models": (
        {**SETS, "base": X, "train_aug": Z, "test_aug": V},
        {},
        "Models: 'base', 'train_aug' and 'test_aug'",
    ),
    "augmentation of models in training and test": (
        {**SETS, **{f"{m}_{p}_aug": RNG.random(12) for m in ("a", "b") for p in ("train", "test")}},
        {},
        "Models: 'a_train_aug', 'a_test_aug', 'b_train_aug' and 'b_test_aug'",
    ),
    "training before metrics": (
        {n.replace("score", "f1_score"): x for n, x in PARTS.items()},
        {"design": "kfold"},
        "Models: 'rf_test_f1_score' and 'svm_test_f1_score'",
    ),
    "one model": (
        {**SETS, "rf_train": X, "rf_test": Z},
        {},
        "Models: 'rf_train' and 'rf_test'",
    ),
    "means over folds by steps": (
        {"valid binary_logloss-mean": STEPS, "valid binary_logloss-stdv": STEPS / 20},
        {},
        "^the rows are steps of a training of one model",
    ),
    "means on data sets": (
        {**SETS, "a-mean": X, "a-std": Z / 9, "b-mean": V, "b-std": X / 9},
        {},
        "^(?!.*steps)",
    ),
}
PACS = {"model": [*"abcd"], "PACS": RATE[:4], "VLCS": ERROR[:4], "Office": OTHER[:4]}
CLASS_NAMES = ["cat", "cow", "dog", "owl", "accuracy", "macro avg", "weighted avg"]
REPORT = {"": CLASS_NAMES, "precision": X[:7], "recall": Z[:7], "f1-score": V[:7]}
SUMMARIES = {
    "costs of models": (
        {**PACS, "Params (B)": [70, 7, 40, 34], "Hub Likes": [1909, 2010, 2714, 606]},
        {},
        "Not used: 'Params .B.' and 'Hub Likes' .a number of each model.*Models: 'a'",
    ),
    "a data set of whole percentages": (
        {**PACS, "COPA": [85, 91, 78, 60]},
        {},
        "^(?!.*'COPA' .a n)",
    ),
    "whole numbers alone": (
        {"model": [*"abcd"], "COPA": [85, 91, 78, 60], "likes": [1909, 2010, 2714, 606]},
        {"kind": "datasets"},
        "^(?!.*a number of each model)",
    ),
    "a mean win rate": (
        {"model": [*"abcd"], "Mean win rate": [0.1, 0.9, 0.4, 0.6], "PACS": X[:4], "VLCS": Z[:4]},
        {"kind": "datasets"},
        "Not used: the rows 'Mean win rate'",
    ),
    "a win rate": (
        {"model": [*"abcd"], "Win rate": [0.1, 0.9, 0.4, 0.6], "PACS": X[:4], "VLCS": Z[:4]},
        {"kind": "datasets"},
        "^(?!.*summarize)",
    ),
    "a report of classes": (
        {**REPORT, "support": WHOLE[:7]},
        {},
        "^one number of each model for each metric.*'f1-score'",
    ),
    "F1 of classes": (
        {"class": CLASS_NAMES, "a_f1": X[:7], "b_f1": Z[:7], "support": WHOLE[:7]},
        {"kind": "datasets"},
        "Not used: the rows 'accuracy', 'macro avg' and 'weighted avg'",
    ),
    "a task called accuracy": (
        {"task": ["cat", "cow", "dog", "accuracy", "overall"], "a": X[:5], "b": Z[:5]},
        {},
        "Not used: the rows 'overall'",
    ),
    "classes of two models": (
        {"svm": ["rf", "ham", "spam"], "ham": [None, 412, 18], "spam": [None, 31, 139]},
        {},
        "^the table has the counts of classes of two models",
    ),
}
LETTERS = np.array([*"ABCD"])[RNG.integers(0, 4, (4, N))]
GUESSED = {"gpt-4o": np.where(Y, LETTERS[0], LETTERS[1]), "llama-3": LETTERS[2]}
QUESTIONS = {"question_id": [f"q{i}" for i in range(N)]}
CORRECT = {f"{m}_correct": RNG.integers(0, 2, N) for m in ("gpt", "haiku")}
SPENT = {f"{m}_{c}": SHARE[0] * 3 for m in ("gpt", "haiku") for c in ("cost_usd", "latency_s")}
ORANGE = {**classes("LR (", ")", P), **classes("RF (", ")", Q)}
MARKED = [f"{x}{'*' * (i % 3 == 0)}" for i, x in enumerate(RATE)]
ANSWERED = {
    "the answer beside models": ({**QUESTIONS, "answer": LETTERS[0], **GUESSED}, {}, "s: 'answer'"),
    "the answer beside a label": (
        {**QUESTIONS, "label": LETTERS[0], "answer": LETTERS[1], **GUESSED},
        {},
        "True labels: 'label'",
    ),
    "the answer key": ({"answer_key": LETTERS[0], **GUESSED}, {}, "True labels: 'answer_key'"),
    "answers beside costs": ({**QUESTIONS, **CORRECT, **SPENT}, {}, "items .with answers"),
    "answers beside probabilities": (
        {"y": Y, **CORRECT, "gpt_prob": SHARE[0], "haiku_prob": SHARE[1]},
        {},
        "True labels: 'y'",
    ),
    "labels called as the models of probabilities": (
        {"narrowing": Y, "LR": (P > 0.5) * 1, "RF": (Q > 0.5) * 1, **ORANGE},
        {},
        "True labels: 'narrowing'.*Models: 'LR' and 'RF'",
    ),
    "labels that SAS writes": (
        {"BAD": Y, "_FROM_": Y, "_INTO_": (P > 0.5) * 1, **classes("P_", "_reg", P)},
        {},
        "True labels: 'BAD'",
    ),
    "marks of some cells": ({**SETS, "a": MARKED, "b": OTHER}, {}, "'a': marks such as . are left"),
    "marks of all cells": ({**SETS, "a": [f"{x}*" for x in RATE], "b": OTHER}, {}, "^numbers and"),
    "letters after some numbers": (
        {**SETS, "a": [f"{x}{'v' * (i % 3 == 0)}" for i, x in enumerate(RATE)], "b": OTHER},
        {},
        "^numbers and something else",
    ),
}
TABLES = {**SIZES, **CLASSES, **COUNTS, **LEADERBOARDS, **HARD, **ROUNDS, **SUMMARIES, **ANSWERED}


@pytest.mark.parametrize("name", TABLES)
def test_tables_of_tools_are_read_as_what_they_are(name):
    table, options, says = TABLES[name]
    found, said = by_python(table, **options)
    reasons = said if found is None else " ".join(found["decisions"])
    assert re.search(says, reasons), reasons
    for way in ways_of_python(said):
        assert by_python(table, **{**options, **way})[0] is not None, way
