"""A valid call of every public function of data: for tests that hold for all of them."""

import inspect
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

SCORES = {"y_true": Y, "y_score_a": A, "y_score_b": B}
ONE = {"y_true": Y, "y_score": A}
MANY = {"y_true": Y, "scores": TABLE}
PAIR = {"y_true": Y, "y_pred_a": PREDICTED[0], "y_pred_b": PREDICTED[1]}
SEVERAL = {"y_true": Y, "predictions": LABELS}
PROBS = {"y_true": Y, "y_prob_a": P, "y_prob_b": Q}
PROB = {"y_true": Y, "y_prob": P}
COLUMNS = {"scores_a": A, "scores_b": B}
ROWS = {"scores": TABLE}
PARTS = 20 + np.arange(N) * 7 % 11, np.round(3.0 + np.exp(0.4 * np.stack([A, B])), 1)
RATIOS = {"numerators_a": PARTS[1][0], "denominators_a": PARTS[0], "numerators_b": PARTS[1][1]}
TIMES = {"time": 1.0 + np.exp(-A).round(1), "event": np.arange(N) % 3 > 0}
USERS = {"groups": np.arange(N) // 4}
LEVELS = {
    "partial_auc": {"fpr": (0.0, 0.5)},
    "average_precision": {},
    "sensitivity_at_specificity": {"specificity": 0.5},
    "specificity_at_sensitivity": {"sensitivity": 0.5},
}
FRIEDMAN = ("friedman_test", "friedman_aligned_ranks_test", "quade_test", "nemenyi_test")
FRIEDMAN += ("friedman_pairwise_test", "conover_test", "friedman_exact_pairs_test")
FRIEDMAN += ("wilcoxon_pairwise_test", "sign_pairwise_test", "skillings_mack_test", "durbin_test")
FRIEDMAN += ("compare_datasets", "mauchly_test", "normality_report")

CALLS = {
    "accuracy_interval": {"y_true": Y, "y_pred": PREDICTED[0]},
    "adjust_pvalues": {"pvalues": np.array([0.01, 0.2, 0.04])},
    "agreement_matrix": SEVERAL,
    "auc_power": {"auc": (0.8, 0.7), "n_positive": 50, "n_negative": 60, "correlation": (0.5, 0.5)},
    "auc_power_from_pilot": SCORES | {"n_positive": 50, "n_negative": 60},
    "auc_sample_size": {"auc": (0.8, 0.7), "power": 0.8, "correlation": (0.5, 0.5)},
    "auc_sample_size_from_pilot": SCORES | {"power": 0.8},
    "bootstrap_auc": MANY,
    "bowker_test": {"labels_a": Y3, "labels_b": LABELS.sum(axis=1) % 3},
    "bradley_terry": {"model_a": Y3, "model_b": (Y3 + 1) % 3, "outcome": PREDICTED[0]},
    "cochran_q_test": SEVERAL,
    "compare": {"data": Y, "a": A, "b": B, "kind": "scores"},
    "concordance": TIMES | {"scores": TABLE},
    "concordance_covariance": TIMES | {"scores": TABLE},
    "concordance_interval": TIMES | {"risk": A},
    "concordance_omnibus_test": TIMES | {"scores": TABLE},
    "concordance_pairwise_test": TIMES | {"scores": TABLE},
    "concordance_test": TIMES | {"risk_a": A, "risk_b": B},
    "auc_at_interval": TIMES | {"score": A, "horizon": 1.9},
    "auc_at_pairwise_test": TIMES | {"scores": TABLE, "horizon": 1.9},
    "auc_at_test": TIMES | {"score_a": A, "score_b": B, "horizon": 1.9},
    "permutation_survival_test": TIMES | {"risk_a": A, "risk_b": B},
    "survival_calibration": TIMES | {"probability": P, "horizon": 1.9},
    "survival_brier_interval": TIMES | {"probability": P, "horizon": 1.9},
    "survival_brier_pairwise_test": TIMES
    | {"probabilities": np.stack([P, Q], axis=1), "horizon": 1.9},
    "survival_brier_test": TIMES | {"probability_a": P, "probability_b": Q, "horizon": 1.9},
    "control_test": ROWS | {"control": 0},
    "delong_batch": {"y_true": Y, "scores_a": TABLE.T, "scores_b": TABLE.T[::-1]},
    "delong_control_test": MANY | {"control": 0},
    "delong_covariance": MANY,
    "delong_interaction_test": SCORES | {"subgroup": np.arange(N) // 2 % 2},
    "delong_omnibus_test": MANY,
    "delong_pairwise_test": MANY,
    "delong_unpaired_test": {"y_true_1": Y, "y_score_1": A, "y_true_2": Y, "y_score_2": B},
    "durbin_test": ROWS,
    "folds_unpaired_test": {"scores": {"a": A, "b": B}},
    "friedman_test": ROWS,
    "ftest_5x2cv": {"scores_a": HALVES[0], "scores_b": HALVES[1]},
    "leaderboard": ROWS,
    "mcnemar_pairwise_test": SEVERAL,
    "mean_interval": {"scores": A},
    "multiclass_auc": {"y_true": Y3, "y_score": P3},
    "multiclass_auc_test": {"y_true": Y3, "y_score_a": P3, "y_score_b": Q3},
    "net_benefit": PROB | {"thresholds": np.array([0.2, 0.5])},
    "net_benefit_test": PROBS | {"thresholds": np.array([0.2, 0.5])},
    "pass_all_k": {"n_samples": np.full(3, 5), "n_correct": np.arange(3), "k": 2},
    "pass_at_k": {"n_samples": np.full(3, 5), "n_correct": np.arange(3), "k": 2},
    **dict.fromkeys(("reader_study", "reader_study_pairwise_test", "reader_study_test"), READ),
    "reader_study_vs_standalone": READ | {"data": READ["data"][:1], "standalone": A},
    "ratio_interval": {"numerators": PARTS[1][0], "denominators": PARTS[0]},
    "ratio_pairwise_test": {"numerators": PARTS[1].T, "denominators": PARTS[0]},
    "ratio_test": RATIOS,
    "rm_anova_batch": {"scores": TABLE.reshape(2, 12, 3)},
    "rm_anova_test": ROWS,
    "scoring_pairwise_test": {"y_true": Y, "probabilities": np.stack([P, Q], axis=1)},
    "ttest_5x2cv": {"scores_a": HALVES[0], "scores_b": HALVES[1]},
    "ttest_corrected_batch": {"scores_a": TABLE.T, "scores_b": TABLE.T[::-1]} | SIZES,
    "ttest_corrected_pairwise_test": ROWS | SIZES,
    "ttest_unpaired": {"scores_1": A, "scores_2": B},
    "two_proportions_unpaired_test": dict(
        zip(("y_true_1", "y_pred_1", "y_true_2", "y_pred_2"), [Y, PREDICTED[0]] * 2, strict=True)
    ),
    "delong_test": SCORES,
    "bootstrap_auc_test": SCORES,
    "permutation_auc_test": SCORES,
    "roc_auc": ONE,
    "roc_auc_interval": ONE,
    "roc_auc_test": ONE,
    "roc_curve_band": ONE,
    "structural_components": ONE,
    "within_auc_interval": ONE | USERS,
    "within_auc_omnibus_test": MANY | USERS,
    "within_auc_pairwise_test": MANY | USERS,
    "within_auc_test": SCORES | USERS,
    **{curve: ONE | level for curve, level in LEVELS.items()},
    **{f"{curve}_interval": ONE | level for curve, level in LEVELS.items()},
    **{f"{curve}_test": SCORES | level for curve, level in LEVELS.items()},
    **dict.fromkeys(("agreement", "cohen_kappa", "cohen_kappa_test", "contingency_table"), PAIR),
    **dict.fromkeys(("disagreement", "double_fault", "error_correlation", "yule_q"), PAIR),
    **dict.fromkeys(("bootstrap_metric_test", "permutation_metric_test"), PAIR),
    **dict.fromkeys(("mcnemar_test", "two_proportions_test"), PAIR),
    "subgroup_auc": ONE | {"subgroup": np.arange(N) // 2 % 2},
    "stuart_maxwell_test": {"labels_a": Y3, "labels_b": LABELS.sum(axis=1) % 3},
    **dict.fromkeys(("brier_score", "log_loss", "brier_skill_score", "calibration_error"), PROB),
    **dict.fromkeys(("brier_decomposition", "calibration_test", "spiegelhalter_test"), PROB),
    "scoring_interval": PROB,
    "scoring_test": PROBS,
    **dict.fromkeys(("bayes_sign", "bayes_signed_rank", "paired_mean_test"), COLUMNS),
    **dict.fromkeys(("sign_test", "wilcoxon_test", "ttest_kfold", "ttest_resampled"), COLUMNS),
    **dict.fromkeys(("bayes_correlated_ttest", "ttest_corrected"), COLUMNS | SIZES),
    **dict.fromkeys(FRIEDMAN, ROWS),
    **dict.fromkeys(("mean_covariance", "mean_omnibus_test", "mean_pairwise_test"), ROWS),
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
