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
    "advice.compare": ("ComparedModel", "ComparedPair", "Comparison", "compare"),
    "advice.trust": ("TrustResult",),
    "advice.recommend": ("AdvisedTest", "Recommendation", "recommend"),
    "_compare.agreement.difference": ("CohenKappaTestResult", "cohen_kappa_test"),
    "_compare.agreement.matrix": ("AgreementMatrixResult", "agreement_matrix"),
    "_compare.agreement.single": (
        "AgreementMeasureResult",
        "CohenKappaResult",
        "cohen_kappa",
        "disagreement",
        "double_fault",
        "error_correlation",
        "yule_q",
    ),
    "_compare.agreement.together": ("AgreementResult", "agreement"),
    "_compare.auc.bootstrap.many": ("BootstrapAUCsResult", "bootstrap_auc"),
    "_compare.auc.bootstrap.paired": ("BootstrapAUCResult", "bootstrap_auc_test"),
    "_compare.auc.curves.band": ("ROCBandResult", "roc_curve_band"),
    "_compare.auc.curves.engines": ("CurveIntervalResult", "CurveTestResult"),
    "_compare.auc.curves.operating": (
        "sensitivity_at_specificity",
        "sensitivity_at_specificity_interval",
        "sensitivity_at_specificity_test",
        "specificity_at_sensitivity",
        "specificity_at_sensitivity_interval",
        "specificity_at_sensitivity_test",
    ),
    "_compare.auc.curves.partial": ("partial_auc", "partial_auc_interval", "partial_auc_test"),
    "_compare.auc.curves.precision": (
        "average_precision",
        "average_precision_interval",
        "average_precision_test",
    ),
    "_compare.auc.delong.batch": ("DeLongBatchResult", "delong_batch"),
    "_compare.auc.delong.covariance": ("DeLongCovariance", "delong_covariance"),
    "_compare.auc.delong.omnibus": ("DeLongOmnibusResult", "delong_omnibus_test"),
    "_compare.auc.delong.paired": ("DeLongResult", "delong_test"),
    "_compare.auc.delong.control": ("DeLongControlResult", "delong_control_test"),
    "_compare.auc.delong.pairwise": ("DeLongPairwiseResult", "delong_pairwise_test"),
    "_compare.auc.delong.structural": ("structural_components",),
    "_compare.auc.delong.unpaired": ("DeLongUnpairedResult", "delong_unpaired_test"),
    "_compare.auc.multiclass.paired": ("multiclass_auc_test",),
    "_compare.auc.multiclass.result": (
        "BootstrapMulticlassAUCResult",
        "MulticlassAUCResult",
        "MulticlassAUCTestResult",
    ),
    "_compare.auc.multiclass.single": ("multiclass_auc",),
    "_compare.auc.null": ("AUCTestResult", "roc_auc_test"),
    "_compare.auc.permutation.paired": ("PermutationAUCResult", "permutation_auc_test"),
    "_compare.auc.power.pilot": ("auc_power_from_pilot", "auc_sample_size_from_pilot"),
    "_compare.auc.power.sizes": ("AUCSampleSizeResult", "auc_power", "auc_sample_size"),
    "_compare.auc.single": ("AUCIntervalResult", "roc_auc", "roc_auc_interval"),
    "_compare.datasets.aligned": (
        "FriedmanAlignedRanksResult",
        "friedman_aligned_ranks_test",
    ),
    "_compare.datasets.conover": ("ConoverResult", "conover_test"),
    "_compare.datasets.control": ("ControlTestResult", "control_test"),
    "_compare.datasets.critical": ("critical_difference",),
    "_compare.datasets.durbin": ("DurbinResult", "durbin_test"),
    "_compare.datasets.exact_pairs": ("FriedmanExactPairsResult", "friedman_exact_pairs_test"),
    "_compare.datasets.friedman": ("FriedmanResult", "friedman_test"),
    "_compare.datasets.nemenyi": ("NemenyiResult", "nemenyi_test"),
    "_compare.datasets.pairwise": ("FriedmanPairwiseResult", "friedman_pairwise_test"),
    "_compare.datasets.quade": ("QuadeResult", "quade_test"),
    "_compare.datasets.sequence": ("DatasetsComparisonResult", "compare_datasets"),
    "_compare.datasets.sign_pairwise": ("SignPairwiseResult", "sign_pairwise_test"),
    "_compare.datasets.skillings_mack": ("SkillingsMackResult", "skillings_mack_test"),
    "_compare.datasets.wilcoxon_pairwise": ("WilcoxonPairwiseResult", "wilcoxon_pairwise_test"),
    "_compare.folds.anova": ("RMAnovaResult", "rm_anova_test"),
    "_compare.folds.anova_batch": ("RMAnovaBatchResult", "rm_anova_batch"),
    "_compare.folds.batch": ("TTestCorrectedBatchResult", "ttest_corrected_batch"),
    "_compare.folds.bayes": ("BayesTResult", "bayes_correlated_ttest"),
    "_compare.folds.corrected": ("TTestCorrectedResult", "ttest_corrected"),
    "_compare.folds.estimators": ("EstimatorComparisonResult", "compare_estimators"),
    "_compare.folds.five_by_two": (
        "FTest5x2cvResult",
        "TTest5x2cvResult",
        "ftest_5x2cv",
        "ttest_5x2cv",
    ),
    "_compare.folds.mauchly": ("MauchlyResult", "mauchly_test"),
    "_compare.folds.normality": ("NormalityResult", "normality_report"),
    "_compare.folds.pairwise": ("TTestCorrectedPairwiseResult", "ttest_corrected_pairwise_test"),
    "_compare.folds.search": ("SearchComparisonResult", "from_cv_results"),
    "_compare.folds.uncorrected": ("TTestRoundsResult", "ttest_kfold", "ttest_resampled"),
    "_compare.folds.unpaired": ("FoldsUnpairedResult", "folds_unpaired_test"),
    "_compare.folds.welch": ("TTestUnpairedResult", "ttest_unpaired"),
    "_compare.items.covariance": (
        "MeanCovarianceResult",
        "MeanOmnibusResult",
        "mean_covariance",
        "mean_omnibus_test",
    ),
    "_compare.items.leaderboard": ("LeaderboardResult", "leaderboard"),
    "_compare.items.long": ("ItemScores", "from_long"),
    "_compare.items.mean": ("MeanIntervalResult", "mean_interval"),
    "_compare.items.pairwise": ("MeanPairwiseResult", "mean_pairwise_test"),
    "_compare.items.passes": ("pass_all_k", "pass_at_k"),
    "_compare.items.paired": ("PairedMeanResult", "paired_mean_test"),
    "_compare.items.power": (
        "MeanSampleSizeResult",
        "mean_detectable_difference",
        "mean_power",
        "mean_sample_size",
    ),
    "_compare.items.samples": ("MeanPlanResult",),
    "_compare.items.battle_pairs": ("BradleyTerryPairwiseResult",),
    "_compare.items.bradley_terry": ("BradleyTerryResult", "bradley_terry"),
    "_compare.labels.accuracy": ("AccuracyIntervalResult", "accuracy_interval"),
    "_compare.labels.cochran": ("CochranQResult", "cochran_q_test"),
    "_compare.labels.mcnemar": ("McNemarResult", "mcnemar_test"),
    "_compare.labels.mcnemar_pairwise": ("McNemarPairwiseResult", "mcnemar_pairwise_test"),
    "_compare.labels.metrics_bootstrap": ("BootstrapMetricResult", "bootstrap_metric_test"),
    "_compare.labels.metrics_permutation": ("PermutationMetricResult", "permutation_metric_test"),
    "_compare.labels.symmetry": ("SymmetryResult", "bowker_test", "stuart_maxwell_test"),
    "_compare.labels.table": ("ContingencyTableResult", "contingency_table"),
    "_compare.labels.two_proportions": (
        "TwoProportionsResult",
        "two_proportions_test",
        "two_proportions_unpaired_test",
    ),
    "_compare.paired.bayes_sign": ("BayesSignResult", "bayes_sign"),
    "_compare.paired.bayes_signed_rank": ("BayesSignedRankResult", "bayes_signed_rank"),
    "_compare.paired.sign": ("SignTestResult", "sign_test"),
    "_compare.paired.wilcoxon": ("WilcoxonResult", "wilcoxon_test"),
    "_compare.probabilities.calibration_error": ("CalibrationErrorResult", "calibration_error"),
    "_compare.probabilities.decomposition": (
        "BrierDecompositionResult",
        "brier_decomposition",
        "brier_skill_score",
    ),
    "_compare.probabilities.losses": ("brier_score", "log_loss"),
    "_compare.probabilities.net_benefit": ("NetBenefitResult", "net_benefit"),
    "_compare.probabilities.net_benefit_test": ("NetBenefitTestResult", "net_benefit_test"),
    "_compare.probabilities.recalibration": ("CalibrationResult", "calibration_test"),
    "_compare.probabilities.scoring": ("ScoringResult", "scoring_test"),
    "_compare.probabilities.scoring_interval": ("ScoringIntervalResult", "scoring_interval"),
    "_compare.probabilities.scoring_pairwise": ("ScoringPairwiseResult", "scoring_pairwise_test"),
    "_compare.probabilities.spiegelhalter": ("SpiegelhalterResult", "spiegelhalter_test"),
    "_adapters.scans": ("Scan", "scan_chunks", "scan_parquet"),
    "_config": ("show_config", "warmup"),
    "_compare.items.evals": ("EvalRuns", "read_evals"),
    "_inference.corrections.adjust": ("adjust_pvalues",),
    "_report.page": ("report",),
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
    "_results.letters": ("compact_letters",),
    "_results.records": ("ConfidenceInterval",),
    "datasets": (
        "DatasetScores",
        "FoldScores",
        "Predictions",
        "load_dataset_scores",
        "load_fold_scores",
        "load_predictions",
    ),
    "simulate.power": ("PowerResult",),
    "simulate.rates": ("ErrorRatesResult", "simulate_error_rates"),
    "simulate.sizes": ("SampleSizeResult",),
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
