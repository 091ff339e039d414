"""Fast, exact statistical comparison of classifiers.

Functions, modules and exceptions are here; the classes of results are in `fastcompare.results`.
Every public name is imported on its first use, so ``import fastcompare`` costs little more than
``import numpy``. Type checkers read the names in ``__init__.pyi``, which scripts/write_stub.py
writes.
"""

import sys
from importlib import import_module

__version__ = "0.2.0"

_HOMES = {
    "_adapters.scans": (
        "Scan",
        "scan_chunks",
        "scan_parquet",
    ),
    "_base.exceptions": (
        "CacheWarning",
        "DesignWarning",
        "DroppedCasesWarning",
        "EstimatorError",
        "EvalWarning",
        "FastCompareError",
        "InvalidTypeError",
        "InvalidValueError",
        "SmallSampleWarning",
        "UndefinedResultError",
        "UndefinedResultWarning",
    ),
    "_compare.agreement.single": (
        "AgreementMeasureResult",
        "CohenKappaResult",
        "CohenKappaTestResult",
        "cohen_kappa",
        "cohen_kappa_test",
        "disagreement",
        "double_fault",
        "error_correlation",
        "yule_q",
    ),
    "_compare.agreement.together": (
        "AgreementMatrixResult",
        "AgreementResult",
        "agreement",
        "agreement_matrix",
    ),
    "_compare.auc.bootstrap": (
        "BootstrapAUCResult",
        "bootstrap_auc_test",
    ),
    "_compare.auc.bootstrap_many": (
        "BootstrapAUCsResult",
        "bootstrap_auc",
    ),
    "_compare.auc.curve_engines": (
        "CurveIntervalResult",
        "CurveTestResult",
    ),
    "_compare.auc.curves": (
        "ROCBandResult",
        "average_precision",
        "average_precision_interval",
        "average_precision_test",
        "partial_auc",
        "partial_auc_interval",
        "partial_auc_test",
        "roc_curve_band",
        "sensitivity_at_specificity",
        "sensitivity_at_specificity_interval",
        "sensitivity_at_specificity_test",
        "specificity_at_sensitivity",
        "specificity_at_sensitivity_interval",
        "specificity_at_sensitivity_test",
    ),
    "_compare.auc.delong.batch": (
        "DeLongBatchResult",
        "DeLongUnpairedResult",
        "delong_batch",
        "delong_unpaired_test",
    ),
    "_compare.auc.delong.omnibus": (
        "DeLongCovariance",
        "DeLongOmnibusResult",
        "delong_covariance",
        "delong_omnibus_test",
        "structural_components",
    ),
    "_compare.auc.delong.paired": (
        "DeLongResult",
        "delong_test",
    ),
    "_compare.auc.delong.pairwise": (
        "DeLongControlResult",
        "DeLongPairwiseResult",
        "delong_control_test",
        "delong_pairwise_test",
    ),
    "_compare.auc.multiclass": (
        "BootstrapMulticlassAUCResult",
        "MulticlassAUCResult",
        "MulticlassAUCTestResult",
        "multiclass_auc",
        "multiclass_auc_test",
    ),
    "_compare.auc.permutation": (
        "PermutationAUCResult",
        "permutation_auc_test",
    ),
    "_compare.auc.power": (
        "AUCSampleSizeResult",
        "auc_power",
        "auc_power_from_pilot",
        "auc_sample_size",
        "auc_sample_size_from_pilot",
    ),
    "_compare.auc.single": (
        "AUCIntervalResult",
        "AUCTestResult",
        "roc_auc",
        "roc_auc_interval",
        "roc_auc_test",
    ),
    "_compare.datasets.friedman": (
        "FriedmanResult",
        "friedman_test",
    ),
    "_compare.datasets.omnibus": (
        "DurbinResult",
        "FriedmanAlignedRanksResult",
        "QuadeResult",
        "SkillingsMackResult",
        "durbin_test",
        "friedman_aligned_ranks_test",
        "quade_test",
        "skillings_mack_test",
    ),
    "_compare.datasets.order_pairs": (
        "SignPairwiseResult",
        "WilcoxonPairwiseResult",
        "sign_pairwise_test",
        "wilcoxon_pairwise_test",
    ),
    "_compare.datasets.rank_pairs": (
        "ConoverResult",
        "ControlTestResult",
        "FriedmanExactPairsResult",
        "FriedmanPairwiseResult",
        "NemenyiResult",
        "conover_test",
        "control_test",
        "critical_difference",
        "friedman_exact_pairs_test",
        "friedman_pairwise_test",
        "nemenyi_test",
    ),
    "_compare.datasets.sequence": (
        "DatasetsComparisonResult",
        "compare_datasets",
    ),
    "_compare.folds.anova": (
        "RMAnovaBatchResult",
        "RMAnovaResult",
        "rm_anova_batch",
        "rm_anova_test",
    ),
    "_compare.folds.assumptions": (
        "MauchlyResult",
        "NormalityResult",
        "mauchly_test",
        "normality_report",
    ),
    "_compare.folds.estimators": (
        "EstimatorComparisonResult",
        "SearchComparisonResult",
        "compare_estimators",
        "from_cv_results",
    ),
    "_compare.folds.pairwise": (
        "TTestCorrectedPairwiseResult",
        "ttest_corrected_pairwise_test",
    ),
    "_compare.folds.student": (
        "TTestCorrectedBatchResult",
        "TTestCorrectedResult",
        "TTestRoundsResult",
        "ttest_corrected",
        "ttest_corrected_batch",
        "ttest_kfold",
        "ttest_resampled",
    ),
    "_compare.folds.two_models": (
        "BayesTResult",
        "FTest5x2cvResult",
        "TTest5x2cvResult",
        "bayes_correlated_ttest",
        "ftest_5x2cv",
        "ttest_5x2cv",
    ),
    "_compare.folds.unpaired": (
        "FoldsUnpairedResult",
        "TTestUnpairedResult",
        "folds_unpaired_test",
        "ttest_unpaired",
    ),
    "_compare.items.bradley_terry": (
        "BradleyTerryPairwiseResult",
        "BradleyTerryResult",
        "bradley_terry",
    ),
    "_compare.items.covariance": (
        "MeanCovarianceResult",
        "MeanOmnibusResult",
        "mean_covariance",
        "mean_omnibus_test",
    ),
    "_compare.items.evals": (
        "EvalRuns",
        "ItemScores",
        "from_long",
        "read_evals",
    ),
    "_compare.items.leaderboard": (
        "LeaderboardResult",
        "leaderboard",
    ),
    "_compare.items.mean": (
        "MeanIntervalResult",
        "mean_interval",
        "pass_all_k",
        "pass_at_k",
    ),
    "_compare.items.paired": (
        "PairedMeanResult",
        "paired_mean_test",
    ),
    "_compare.items.pairwise": (
        "MeanPairwiseResult",
        "mean_pairwise_test",
    ),
    "_compare.items.power": (
        "MeanPlanResult",
        "MeanSampleSizeResult",
        "mean_detectable_difference",
        "mean_power",
        "mean_sample_size",
    ),
    "_compare.labels.accuracy": (
        "AccuracyIntervalResult",
        "accuracy_interval",
    ),
    "_compare.labels.cochran": (
        "CochranQResult",
        "cochran_q_test",
    ),
    "_compare.labels.mcnemar": (
        "McNemarResult",
        "mcnemar_test",
    ),
    "_compare.labels.mcnemar_pairwise": (
        "McNemarPairwiseResult",
        "mcnemar_pairwise_test",
    ),
    "_compare.labels.metrics_bootstrap": (
        "BootstrapMetricResult",
        "bootstrap_metric_test",
    ),
    "_compare.labels.metrics_permutation": (
        "PermutationMetricResult",
        "permutation_metric_test",
    ),
    "_compare.labels.table": (
        "ContingencyTableResult",
        "SymmetryResult",
        "bowker_test",
        "contingency_table",
        "stuart_maxwell_test",
    ),
    "_compare.labels.two_proportions": (
        "TwoProportionsResult",
        "two_proportions_test",
        "two_proportions_unpaired_test",
    ),
    "_compare.paired.bayes": (
        "BayesSignResult",
        "BayesSignedRankResult",
        "bayes_sign",
        "bayes_signed_rank",
    ),
    "_compare.paired.sign": (
        "SignTestResult",
        "sign_test",
    ),
    "_compare.paired.wilcoxon": (
        "WilcoxonResult",
        "wilcoxon_test",
    ),
    "_compare.probabilities.calibration_error": (
        "CalibrationErrorResult",
        "calibration_error",
    ),
    "_compare.probabilities.decomposition": (
        "BrierDecompositionResult",
        "SpiegelhalterResult",
        "brier_decomposition",
        "brier_skill_score",
        "spiegelhalter_test",
    ),
    "_compare.probabilities.losses": (
        "brier_score",
        "log_loss",
    ),
    "_compare.probabilities.net_benefit": (
        "NetBenefitResult",
        "NetBenefitTestResult",
        "net_benefit",
        "net_benefit_test",
    ),
    "_compare.probabilities.recalibration": (
        "CalibrationResult",
        "calibration_test",
    ),
    "_compare.probabilities.scoring": (
        "ScoringIntervalResult",
        "ScoringResult",
        "scoring_interval",
        "scoring_test",
    ),
    "_compare.probabilities.scoring_pairwise": (
        "ScoringPairwiseResult",
        "scoring_pairwise_test",
    ),
    "_config": (
        "show_config",
        "warmup",
    ),
    "_inference.corrections.adjust": ("adjust_pvalues",),
    "_report.page": ("report",),
    "_results.pairs": ("compact_letters",),
    "_results.records": ("ConfidenceInterval",),
    "advice.compare": (
        "ComparedModel",
        "ComparedPair",
        "Comparison",
        "TrustResult",
        "compare",
    ),
    "advice.recommend": (
        "AdvisedTest",
        "Recommendation",
        "recommend",
    ),
    "datasets": (
        "DatasetScores",
        "FoldScores",
        "Predictions",
        "load_dataset_scores",
        "load_fold_scores",
        "load_predictions",
    ),
    "simulate.power": (
        "PowerResult",
        "SampleSizeResult",
    ),
    "simulate.rates": (
        "ErrorRatesResult",
        "simulate_error_rates",
    ),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_EXCEPTIONS = _HOMES["_base.exceptions"]
_RESULTS = sorted(name for name in _HOME if name[0].isupper() and name not in _EXCEPTIONS)
_MODULES = ("advice", "datasets", "kernels", "plots", "results", "simulate")

__all__ = sorted([*_HOME.keys() - _RESULTS, *_MODULES])


def _find(name: str) -> object:
    """Return a function or class from its home, called as users see it: fastcompare.delong_test."""
    found = getattr(import_module(f".{_HOME[name]}", __name__), name)
    for home, names in _HOMES.items():  # its result may have come along from another file
        loaded = vars(sys.modules.get(f"{__name__}.{home}", object))
        for public in loaded.keys() & set(names):
            _rename(loaded[public], f"{__name__}.results" if public in _RESULTS else __name__)
    return found


def _rename(found: object, place: str) -> None:
    """Make a function or class report the public module as its own."""
    if found.__module__ != place:
        if place.endswith("results"):  # where the names in a class's annotations are not known
            from typing import get_type_hints  # a third of what importing all this file takes

            found.__annotations__ = get_type_hints(found)
        found.__module__ = place


def __getattr__(name: str) -> object:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in __all__:
        from ._base.exceptions import no_attribute

        public = [f"results.{name}"] if name in _RESULTS else __all__
        raise no_attribute(f"module {__name__!r}", name, public)
    globals()[name] = found = _find(name)
    return found


def __dir__() -> list[str]:
    return __all__
