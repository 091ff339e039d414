"""A valid call of every public function of data: for tests that hold for all of them.

Data follow from the names of parameters (`VALUES`): a new function needs a row in `OTHERS` only if
its data have another shape.
"""

import inspect
import re
import warnings

import numpy as np

import fastcompare as fc

N = 24
RNG = np.random.default_rng(5)
Y = np.arange(N) % 2
A, B = RNG.normal(size=(2, N)) + 0.5 * Y
TABLE = np.stack([A, B, 0.5 * A + RNG.normal(size=N)], axis=1)
P, Q = (1.0 / (1.0 + np.exp(-x)) for x in (A, B))
PREDICTED = (A > 0.3).astype(int), (B > 0.3).astype(int)
LABELS = np.stack([*PREDICTED, (TABLE[:, 2] > 0.3).astype(int)], axis=1)
Y3 = np.arange(N) % 3
P3, Q3 = RNG.dirichlet(np.ones(3), size=(2, N))
HALVES = RNG.normal(size=(2, 5, 2))
SIZES = {"n_train": 90, "n_test": 10}
READ = {"data": RNG.normal(size=(2, 4, N)) + 0.5 * Y, "truth": Y}

PARTS = 20 + np.arange(N) * 7 % 11, np.round(3.0 + np.exp(0.4 * np.stack([A, B])), 1)
DESIGN = {"correlation": (0.5, 0.5), "auc": (0.8, 0.7)}
PAIRED = {  # parameters of two models, without their endings
    "y_score": (A, B),
    "y_pred": PREDICTED,
    "y_prob": (P, Q),
    "scores": (A, B),
    "score": (A, B),
    "risk": (A, B),
    "probability": (P, Q),
    "labels": (Y3, LABELS.sum(axis=1) % 3),
    "numerators": PARTS[1],
}
UNPAIRED = {"y_true": (Y, Y), "y_score": (A, B), "y_pred": PREDICTED[:1] * 2, "scores": (A, B)}
VALUES = {  # of a parameter, in every function that takes it and is not in `OTHERS`
    **{name: both[0] for name, both in PAIRED.items()},
    **{f"{name}_{x}": both[i] for name, both in PAIRED.items() for i, x in enumerate("ab")},
    **{f"{name}_{x}": both[i] for name, both in UNPAIRED.items() for i, x in enumerate("12")},
    "y_true": Y,
    "scores": TABLE,
    "predictions": LABELS,
    "probabilities": np.stack([P, Q], axis=1),
    "time": 1.0 + np.exp(-A).round(1),
    "event": np.arange(N) % 3 > 0,
    "horizon": 1.9,
    "control": 0,
    "subgroup": np.arange(N) // 2 % 2,
    "groups": np.arange(N) // 4,
    "denominators": PARTS[0],
    "denominators_a": PARTS[0],
    "thresholds": np.array([0.2, 0.5]),
    "specificity": 0.5,
    "sensitivity": 0.5,
    "power": 0.8,
    "n_positive": 50,
    "n_negative": 60,
    "n_samples": np.full(3, 5),
    "n_correct": np.arange(3),
    "k": 2,
    "pvalues": np.array([0.01, 0.2, 0.04]),
}
OTHERS = {  # data of other shapes, and options without which a function says little
    "auc_power": DESIGN,
    "auc_sample_size": DESIGN,
    "bradley_terry": {"model_a": Y3, "model_b": (Y3 + 1) % 3, "outcome": PREDICTED[0]},
    "compare": {"data": Y, "a": A, "b": B, "kind": "scores"},
    "delong_batch": {"scores_a": TABLE.T, "scores_b": TABLE.T[::-1]},
    "folds_unpaired_test": {"scores": {"a": A, "b": B}},
    "mean_interval": {"scores": A},
    "multiclass_auc": {"y_true": Y3, "y_score": P3},
    "multiclass_auc_test": {"y_true": Y3, "y_score_a": P3, "y_score_b": Q3},
    "reader_study_vs_standalone": READ | {"data": READ["data"][:1], "standalone": A},
    "ratio_pairwise_test": {"numerators": PARTS[1].T},
    "rm_anova_batch": {"scores": TABLE.reshape(2, 12, 3)},
    "ttest_corrected_batch": {"scores_a": TABLE.T, "scores_b": TABLE.T[::-1]} | SIZES,
    **dict.fromkeys(("reader_study", "reader_study_pairwise_test", "reader_study_test"), READ),
    "ftest_5x2cv": {"scores_a": HALVES[0], "scores_b": HALVES[1]},
    "ttest_5x2cv": {"scores_a": HALVES[0], "scores_b": HALVES[1]},
    **dict.fromkeys(("bayes_correlated_ttest", "ttest_corrected"), SIZES),
    "ttest_corrected_pairwise_test": SIZES,
    **{f"partial_auc{ending}": {"fpr": (0.0, 0.5)} for ending in ("", "_interval", "_test")},
}
FEW = {"n_resamples": 99, "rng": 7, "on_undefined": "ignore"}
FORMS = {  # further forms of data that some functions take
    "accuracy_interval": {"y_true": None, "y_pred": None, "correct": LABELS[:, 0] == Y},
    "bowker_test": {"labels_a": np.array([[3, 4], [5, 6]]), "labels_b": None},
    "cochran_q_test": {"y_true": None, "predictions": None, "correct": LABELS == 1},
    "cohen_kappa": {"on": "labels", "weights": "linear", "classes": np.array([0, 1])},
    "compare": {"data": TABLE, "a": None, "b": None, "kind": "datasets"},
    "delong_omnibus_test": {"contrast": np.array([[1, -1, 0], [0, 1, -1]])},
    "leaderboard": {"scores": RNG.normal(size=(N, 3, 2))},
    "log_loss": {"y_true": Y3, "y_prob": P3},
    "mcnemar_test": {"y_true": np.array([[3, 4], [5, 6]]), "y_pred_a": None, "y_pred_b": None},
    "normality_report": {"scores": A},
    "paired_mean_test": {"scores_a": TABLE, "scores_b": TABLE[::-1]},
    "ratio_interval": {"denominators": np.full(N, 20.0)},
    "ratio_test": {"denominators_b": PARTS[0] + Y3},
    "reader_study": {"metric": "loss"},
    "reader_study_test": {"data": RNG.normal(size=(3, 2, N)) + 0.5 * Y},
    "scoring_test": {"y_true": Y3, "y_prob_a": P3, "y_prob_b": Q3},
    "ttest_kfold": {"scores_a": TABLE[:, :2], "scores_b": None},
    "wilcoxon_test": {"scores_b": None},
}
EXTRAS = {  # options with a value a case
    "groups": np.arange(N) // 2,
    "sample_weight": RNG.integers(1, 9, N) / 4,
    "frequency_weight": RNG.integers(1, 4, N),
    "strata": Y3,
}
WITHOUT_DATA = {  # they take numbers, results or files
    *("compact_letters", "critical_difference", "mean_detectable_difference", "mean_power"),
    *(
        "mean_sample_size",
        "pool",
        "reader_study_power",
        "recommend",
        "report",
        "show_config",
        "simulate_error_rates",
        "warmup",
    ),
    *("load_dataset_scores", "load_fold_scores", "load_predictions", "read_evals", "scan_chunks"),
    *("compare_estimators", "from_cv_results", "from_long", "scan_parquet"),
}


def data_of(name):
    """The values of a function's data, by its parameters' names."""
    parameters = inspect.signature(getattr(fc, name)).parameters.values()
    data = [p.name for p in parameters if p.default is p.empty or p.kind is not p.KEYWORD_ONLY]
    return {key: VALUES[key] for key in data if key in VALUES} | OTHERS.get(name, {})


FUNCTIONS = [name for name in fc.__all__ if inspect.isfunction(getattr(fc, name))]
CALLS = {name: data_of(name) for name in FUNCTIONS if name not in WITHOUT_DATA}


def options_of(name):
    """The options that make a call quick, the same each time, and quiet."""
    parameters = inspect.signature(getattr(fc, name)).parameters
    usual = {option: value for option, value in FEW.items() if option in parameters}
    return {"on_undefined": "ignore"} if name == "compare" else usual  # by data's usual test


def given(name):
    """All forms of the data of a function: its own, another, and each option of values."""
    parameters = inspect.signature(getattr(fc, name)).parameters
    others = [{option: values} for option, values in EXTRAS.items() if option in parameters]
    return [CALLS[name] | form for form in ({}, FORMS.get(name, {}), *others)]


def called(name, **changed):
    """What a function returns of its valid data, some of them changed, in silence."""
    with warnings.catch_warnings(action="ignore"):
        return getattr(fc, name)(**options_of(name) | CALLS[name] | changed)


def kinds_of_results(name):
    """The classes of results that a function may return, by its annotation."""
    words = re.findall(r"\w+", str(inspect.unwrap(getattr(fc, name)).__annotations__["return"]))
    return [getattr(fc.results, word) for word in words if word in fc.results.__all__]
