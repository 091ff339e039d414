"""Names in other packages, and the names in this one: data for the hints of errors.

The words are those of pROC, autorank, scikit-posthocs, mlxtend, MLstatkit, confidenceinterval,
statsmodels, SciPy, scikit-learn, torchmetrics, lifelines, scikit-survival and R's packages.
"""

from collections.abc import Iterable, Mapping

FUNCTIONS = {  # by their name in this package: names in others
    "accuracy_interval": "accuracy_score proportion_confint accuracy acc binom_ci binaryaccuracy",
    "adjust_pvalues": """
        multipletests fdrcorrection false_discovery_control p.adjust bonferroni holm
        benjamini_hochberg fdr""",
    "average_precision": "average_precision_score binaryaverageprecision pr_auc auprc",
    "bayes_correlated_ttest": "two_on_single correlated_ttest",
    "bayes_signed_rank": "two_on_multiple signed_rank_test signtest",
    "bootstrap_auc_test": "bootstrap bootstrap_test",
    "bootstrap_metric_test": """
        f1_score precision_score recall_score balanced_accuracy_score matthews_corrcoef f1
        binaryf1score mcc""",
    "bowker_test": "squaretable symmetry mcnemar_bowker",
    "bradley_terry": "elo btm trueskill arena",
    "brier_score": "brier_score_loss brier",
    "calibration_error": "ece expected_calibration_error binarycalibrationerror",
    "calibration_test": "hosmer_lemeshow val_prob calibration_slope",
    "cochran_q_test": "cochrans_q cochran_q cochran cochranqtest",
    "cohen_kappa": "cohen_kappa_score kappa cohens_kappa",
    "compare_datasets": "autorank create_report",
    "compare_estimators": "cross_val_test",
    "concordance": "concordance_index concordance_index_censored concordance_index_ipcw cindex",
    "concordance_test": "comparec",
    "conover_test": "posthoc_conover_friedman posthoc_conover frdallpairsconovertest",
    "contingency_table": "mcnemar_table mcnemar_tables confusion_matrix crosstab",
    "control_test": "frdmanyonedemsartest",
    "delong_covariance": "delong_roc_variance fastdelong cov var",
    "delong_test": "roc_test delong_roc_test delong delong_auc_test compare_auc_delong auc_test",
    "durbin_test": "test_durbin posthoc_durbin durbintest",
    "folds_unpaired_test": "kruskal f_oneway",
    "friedman_aligned_ranks_test": "friedmanalignedrankstest",
    "friedman_exact_pairs_test": "frdallpairsexacttest",
    "friedman_pairwise_test": """
        posthoc_siegel_friedman posthoc_miller_friedman friedmanpost frdallpairssiegeltest""",
    "friedman_test": "friedmanchisquare friedman imandavenporttest iman_davenport",
    "ftest_5x2cv": "combined_ftest_5x2cv",
    "leaderboard": "ranking",
    "log_loss": "cross_entropy",
    "mcnemar_test": "mcnemar mcnemars_test mcnemar_exact proportion_difference",
    "multiclass_auc": "multiclassauroc multiclass_roc_auc",
    "nemenyi_test": """
        posthoc_nemenyi_friedman posthoc_nemenyi nemenyi nemenyitest frdallpairsnemenyitest
        latex_table""",
    "net_benefit": "decision_curve dca decision_curve_analysis",
    "paired_mean_test": "paired_t_test t_test",
    "partial_auc": "pauc",
    "pass_at_k": "estimate_pass_at_k",
    "permutation_metric_test": "permutation_test",
    "plots.critical_difference": """
        plot_stats critical_difference_diagram cd_diagram plot_cd_diagram graph_ranks plotcd""",
    "plots.precision_recall_curves": "precision_recall_curve plot_precision_recall",
    "plots.roc_curves": "roc roc_curve plot_roc plot_roc_curve ggroc",
    "plots.reliability": "calibration_curve reliability_diagram calplot",
    "quade_test": "posthoc_quade test_quade",
    "reader_study_test": "mrmc stsignificancetesting dbm_mrmc",
    "reader_study_vs_standalone": "stsignificancetestingcadvsrad",
    "reader_study_power": "sssamplesizekgivenj",
    "auc_power": "power_roc_test",
    "rm_anova_test": "anovarm anova aov",
    "roc_auc": "roc_auc_score binaryauroc auroc",
    "roc_auc_interval": "ci_auc auc_ci delong_ci bootstrapping ci",
    "roc_auc_test": "mannwhitneyu mann_whitney",
    "auc_at_test": "timeroc",
    "sensitivity_at_specificity_interval": "ci_se coords",
    "skillings_mack_test": "skillingsmacktest",
    "stuart_maxwell_test": "homogeneity",
    "ttest_5x2cv": "paired_ttest_5x2cv",
    "ttest_corrected": "paired_ttest_resampled paired_ttest_kfold_cv ttest_rel corrected_ttest",
    "ttest_unpaired": "ttest_ind",
    "two_proportions_unpaired_test": "proportions_ztest boschloo_exact two_proportion_test",
    "wilcoxon_test": "wilcoxon posthoc_wilcoxon",
    "sign_test": "binomtest",
}
ATTRIBUTES = {  # of results, by their name in this package: names in others
    "pvalue": "p p_value p_val pval pr",
    "adjusted_pvalue": "p_adj p_adjusted adj_p pvals_corrected p_values pvalues",
    "statistic": "z t stat chi2 chi_square test_statistic q w f",
    "confidence_interval": """
        ci conf_int confint interval lower low upper high ci_lower ci_upper ci_low ci_high""",
    "estimate": "difference diff effect effect_size delta",
    "standard_error": "se std_err stderr std_error",
    "auc": "aucs auc_a auc_b auc1 auc2 auc_1 auc_2",
    "plot": "figure fig ax plt draw",
    "to_frame": "table dataframe frame to_pandas summary_frame",
    "summary": "conclusion verdict text interpretation report",
}
PARAMETERS = {  # by their name in this package: names in others
    "groups": "cluster clusters cluster_id cluster_ids id",
    "confidence_level": "conf_level conf ci level confidence",
    "n_resamples": """
        boot_n n_boot nboot n_bootstraps bootstraps n_permutations permutations num_rounds reps
        n_iterations n_iter num_samples n_samples b n runs""",
    "rng": "seed random_state random_seed",
    "n_jobs": "parallel workers n_workers n_threads",
    "sample_weight": "weights weight",
    "pos_label": "positive positive_class positive_label",
    "nan_policy": "na_rm missing",
    "stratified": "boot_stratified stratify",
    "specificity": "threshold fpr",
    "sensitivity": "threshold tpr recall",
    "fpr": "max_fpr specificity specificities partial_auc",
    "tpr": "sensitivity sensitivities recall",
    "thresholds": "threshold",
    "continuity": "correction correct corrected",
    "correction": "p_adjust p_adjust_method adjust adjustment",
    "zeros": "zero_method",
    "average": "multi_class",
    "method": "exact mode approach",
    "clip": "eps",
    "margin": "delta noninferiority_margin",
    "higher_is_better": "lower_is_better order",
    "n_train": "n1",
    "n_test": "n2",
    "y_true": "target targets y labels response truth obs",
    "y_score": "preds pred predictor scores y_pred y_prob probs",
    "y_pred": "preds pred predictions y_hat",
    "y_prob": "preds pred probs probabilities y_pred y_score",
    "y_score_a": "scores_a predictor1 y_prob_a",
    "y_score_b": "scores_b predictor2 y_prob_b",
    "y_pred_a": "y_model1",
    "y_pred_b": "y_model2",
}
WITHOUT = {  # names in others of parameters that this package lacks: what to do instead
    "alpha": "Intervals take `confidence_level`, 1 - alpha; p-values need neither",
    "average multi_class task num_classes": "AUCs of several classes: multiclass_auc",
    "boot_stratified stratified": "Only bootstraps draw within classes: bootstrap_auc_test",
    "confidence_level conf_level conf level ci": """
        Results with an interval have `confidence_interval(level)`; functions for one model's are
        called `..._interval`""",
    "direction": "Higher scores mean the positive class: negate a score of which lower ones do",
    "max_fpr partial_auc": "Part of the curve: partial_auc, or partial_auc_test of two models",
    "n_resamples boot_n n_boot n_bootstraps": "This is not a bootstrap: bootstrap_auc_test is",
    "paired": """
        Functions for models on different cases have `unpaired` in their names; all others pair
        them""",
    "approach": "Bayesian tests are bayes_signed_rank and bayes_correlated_ttest",
    "verbose quiet progressbar": "Nothing is printed: omit it",
}
VALUES = {  # of options, by their name in this package: names in others
    "two-sided": "t both ne unequal",
    "greater": "g larger superiority superior",
    "less": "l smaller",
    "equivalence": "tost equivalent",
    "clopper-pearson": "beta exact binom binomtest",
    "wilson": "score",
    "agresti-coull": "ac",
    "midrank": "delong",
    "bootstrap": "percentile bca basic bootstrapbca boot",
    "accuracy": "accuracyscore acc",
    "balanced-accuracy": "balancedaccuracyscore bac bacc",
    "cohen-kappa": "kappa cohenkappascore",
    "f1": "f1score fscore dice",
    "mcc": "matthewscorrcoef phi",
    "precision": "ppv precisionscore",
    "recall": "sensitivity tpr recallscore",
    "exact": "binomial",
    "asymptotic": "normal chi2 chisq approximate",
}
INSTEAD = {  # values of options in others: which function to use instead
    ("metric", "rocauc"): "bootstrap_auc_test compares AUCs.",
    ("metric", "auc"): "bootstrap_auc_test compares AUCs.",
    ("metric", "auroc"): "bootstrap_auc_test compares AUCs.",
    ("method", "obuchowski"): "`groups` allows for clusters.",
    ("method", "venkatraman"): "permutation_auc_test(method='venkatraman') compares curves.",
}
MARGIN = "For non-inferiority pass alternative='greater' with a `margin` ('less' for losses)."
INSTEAD |= {("alternative", word): MARGIN for word in ("noninferiority", "noninferior", "noninf")}


def letters_and_digits(word: str) -> str:
    """Return the letters and digits of a word in lower case: "Conf_Level" -> "conflevel"."""
    return "".join(filter(str.isalnum, word.lower()))


def name_in_this_package(word: str, table: Mapping[str, str], legal: Iterable[str]) -> str:
    """Return this package's name for a name in others, one of `legal` names; "" if there is none.

    For example "roc_test" -> "delong_test", by the table FUNCTIONS.
    """
    normalized = letters_and_digits(word)
    allowed = set(legal)
    names = (
        name
        for name, words in table.items()
        if normalized in map(letters_and_digits, words.split())
    )
    return next((name for name in names if allowed & {name, *name.split(".")}), "")


def parameter_hint(word: str, legal: Iterable[str]) -> str:
    """Return the hint which parameter a name in another package means; "" if it is unknown."""
    name = name_in_this_package(word, PARAMETERS, legal)
    if name:
        return f". Did you mean {name!r}?"
    remedy = next(
        (
            text
            for words, text in WITHOUT.items()
            if letters_and_digits(word) in each_letters_and_digits(words)
        ),
        "",
    )
    return f". {' '.join(remedy.split())}." if remedy else ""


def value_hint(name: str, word: str, legal: Iterable[str]) -> str:
    """Return the hint which value of option `name` another package's value means; "" if unknown."""
    value = name_in_this_package(word, VALUES, legal)
    if value:
        return f" Did you mean {value!r}?"
    remedy = INSTEAD.get((name, letters_and_digits(word)), "")
    return f" {remedy}" if remedy else ""


def each_letters_and_digits(words: str) -> set[str]:
    """Return `letters_and_digits` of each word of a text."""
    return {*map(letters_and_digits, words.split())}
