"""Fast, exact statistical comparison of classifiers.

Every public name is imported on its first use, so ``import fastcompare`` costs little more than
``import numpy``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import datasets, kernels, report
    from ._compare.agreement.kappa import cohen_kappa
    from ._compare.agreement.matrix import agreement_matrix
    from ._compare.agreement.matrix_result import AgreementMatrixResult
    from ._compare.agreement.results import AgreementMeasureResult, CohenKappaResult
    from ._compare.agreement.single import disagreement, double_fault, error_correlation, yule_q
    from ._compare.agreement.together import AgreementResult, agreement
    from ._compare.auc.batch import DeLongBatchResult, delong_batch
    from ._compare.auc.bootstrap import BootstrapAUCResult, bootstrap_auc_test
    from ._compare.auc.bootstrap_many import bootstrap_auc
    from ._compare.auc.bootstrap_many_result import BootstrapAUCsResult
    from ._compare.auc.covariance import DeLongCovariance, delong_covariance
    from ._compare.auc.multiclass import multiclass_auc, multiclass_auc_test
    from ._compare.auc.multiclass_result import MulticlassAUCResult, MulticlassAUCTestResult
    from ._compare.auc.omnibus import DeLongOmnibusResult, delong_omnibus_test
    from ._compare.auc.paired import DeLongResult, delong_test
    from ._compare.auc.pairwise import delong_pairwise_test
    from ._compare.auc.pairwise_result import DeLongPairwiseResult
    from ._compare.auc.permutation import PermutationAUCResult, permutation_auc_test
    from ._compare.auc.power import AUCSampleSizeResult, auc_power, auc_sample_size
    from ._compare.auc.single import AUCIntervalResult, roc_auc, roc_auc_interval
    from ._compare.auc.structural import structural_components
    from ._compare.auc.unpaired import DeLongUnpairedResult, delong_unpaired_test
    from ._compare.labels.accuracy import AccuracyIntervalResult, accuracy_interval
    from ._compare.labels.cochran import CochranQResult, cochran_q_test
    from ._compare.labels.mcnemar import mcnemar_test
    from ._compare.labels.mcnemar_result import McNemarResult
    from ._compare.labels.metrics_bootstrap import BootstrapMetricResult, bootstrap_metric_test
    from ._compare.labels.metrics_permutation import (
        PermutationMetricResult,
        permutation_metric_test,
    )
    from ._compare.labels.pairwise import mcnemar_pairwise_test
    from ._compare.labels.pairwise_result import McNemarPairwiseResult
    from ._compare.labels.symmetry import SymmetryResult, bowker_test, stuart_maxwell_test
    from ._compare.labels.table import ContingencyTableResult, contingency_table
    from ._compare.labels.two_proportions import (
        TwoProportionsResult,
        two_proportions_test,
        two_proportions_unpaired_test,
    )
    from ._compare.paired.sign import SignTestResult, sign_test
    from ._compare.paired.wilcoxon import WilcoxonResult, wilcoxon_test
    from ._compare.probabilities.calibration_error import CalibrationErrorResult, calibration_error
    from ._compare.probabilities.decomposition import (
        BrierDecompositionResult,
        brier_decomposition,
        brier_skill_score,
    )
    from ._compare.probabilities.losses import brier_score, log_loss
    from ._compare.probabilities.net_benefit import NetBenefitResult, net_benefit
    from ._compare.probabilities.recalibration import CalibrationResult, calibration_test
    from ._compare.probabilities.scoring import ScoringResult, scoring_test
    from ._compare.probabilities.spiegelhalter import SpiegelhalterResult, spiegelhalter_test
    from ._config import show_config, warmup
    from ._corrections import adjust_pvalues
    from ._exceptions import (
        CacheWarning,
        DroppedCasesWarning,
        FastCompareError,
        InvalidTypeError,
        InvalidValueError,
        SmallSampleWarning,
        UndefinedResultError,
        UndefinedResultWarning,
    )
    from ._results import ConfidenceInterval
    from .datasets import Predictions, load_predictions

_HOMES = {
    "_compare.agreement.kappa": ("cohen_kappa",),
    "_compare.agreement.matrix": ("agreement_matrix",),
    "_compare.agreement.matrix_result": ("AgreementMatrixResult",),
    "_compare.agreement.results": ("AgreementMeasureResult", "CohenKappaResult"),
    "_compare.agreement.single": ("disagreement", "double_fault", "error_correlation", "yule_q"),
    "_compare.agreement.together": ("AgreementResult", "agreement"),
    "_compare.auc.batch": ("DeLongBatchResult", "delong_batch"),
    "_compare.auc.bootstrap": ("BootstrapAUCResult", "bootstrap_auc_test"),
    "_compare.auc.bootstrap_many": ("bootstrap_auc",),
    "_compare.auc.bootstrap_many_result": ("BootstrapAUCsResult",),
    "_compare.auc.covariance": ("DeLongCovariance", "delong_covariance"),
    "_compare.auc.multiclass": ("multiclass_auc", "multiclass_auc_test"),
    "_compare.auc.multiclass_result": ("MulticlassAUCResult", "MulticlassAUCTestResult"),
    "_compare.auc.omnibus": ("DeLongOmnibusResult", "delong_omnibus_test"),
    "_compare.auc.paired": ("DeLongResult", "delong_test"),
    "_compare.auc.pairwise": ("delong_pairwise_test",),
    "_compare.auc.pairwise_result": ("DeLongPairwiseResult",),
    "_compare.auc.permutation": ("PermutationAUCResult", "permutation_auc_test"),
    "_compare.auc.power": ("AUCSampleSizeResult", "auc_power", "auc_sample_size"),
    "_compare.auc.single": ("AUCIntervalResult", "roc_auc", "roc_auc_interval"),
    "_compare.auc.structural": ("structural_components",),
    "_compare.auc.unpaired": ("DeLongUnpairedResult", "delong_unpaired_test"),
    "_compare.paired.sign": ("SignTestResult", "sign_test"),
    "_compare.paired.wilcoxon": ("WilcoxonResult", "wilcoxon_test"),
    "_compare.labels.table": ("ContingencyTableResult", "contingency_table"),
    "_compare.labels.mcnemar": ("mcnemar_test",),
    "_compare.labels.mcnemar_result": ("McNemarResult",),
    "_compare.probabilities.losses": ("brier_score", "log_loss"),
    "_compare.probabilities.scoring": ("ScoringResult", "scoring_test"),
    "_compare.labels.symmetry": ("SymmetryResult", "bowker_test", "stuart_maxwell_test"),
    "_compare.labels.accuracy": ("AccuracyIntervalResult", "accuracy_interval"),
    "_compare.probabilities.calibration_error": ("CalibrationErrorResult", "calibration_error"),
    "_compare.probabilities.decomposition": (
        "BrierDecompositionResult",
        "brier_decomposition",
        "brier_skill_score",
    ),
    "_compare.probabilities.net_benefit": ("NetBenefitResult", "net_benefit"),
    "_compare.probabilities.recalibration": ("CalibrationResult", "calibration_test"),
    "_compare.probabilities.spiegelhalter": ("SpiegelhalterResult", "spiegelhalter_test"),
    "_compare.labels.cochran": ("CochranQResult", "cochran_q_test"),
    "_compare.labels.two_proportions": (
        "TwoProportionsResult",
        "two_proportions_test",
        "two_proportions_unpaired_test",
    ),
    "_compare.labels.metrics_bootstrap": ("BootstrapMetricResult", "bootstrap_metric_test"),
    "_compare.labels.metrics_permutation": ("PermutationMetricResult", "permutation_metric_test"),
    "_compare.labels.pairwise": ("mcnemar_pairwise_test",),
    "_compare.labels.pairwise_result": ("McNemarPairwiseResult",),
    "_config": ("show_config", "warmup"),
    "_corrections": ("adjust_pvalues",),
    "_exceptions": (
        "CacheWarning",
        "DroppedCasesWarning",
        "FastCompareError",
        "InvalidTypeError",
        "InvalidValueError",
        "SmallSampleWarning",
        "UndefinedResultError",
        "UndefinedResultWarning",
    ),
    "_results": ("ConfidenceInterval",),
    "datasets": ("Predictions", "load_predictions"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}
_MODULES = ("datasets", "kernels", "report")

__all__ = [
    "AUCIntervalResult",
    "AUCSampleSizeResult",
    "AccuracyIntervalResult",
    "AgreementMatrixResult",
    "AgreementMeasureResult",
    "AgreementResult",
    "BootstrapAUCResult",
    "BootstrapAUCsResult",
    "BootstrapMetricResult",
    "BrierDecompositionResult",
    "CacheWarning",
    "CalibrationErrorResult",
    "CalibrationResult",
    "CochranQResult",
    "CohenKappaResult",
    "ConfidenceInterval",
    "ContingencyTableResult",
    "DeLongBatchResult",
    "DeLongCovariance",
    "DeLongOmnibusResult",
    "DeLongPairwiseResult",
    "DeLongResult",
    "DeLongUnpairedResult",
    "DroppedCasesWarning",
    "FastCompareError",
    "InvalidTypeError",
    "InvalidValueError",
    "McNemarPairwiseResult",
    "McNemarResult",
    "MulticlassAUCResult",
    "MulticlassAUCTestResult",
    "NetBenefitResult",
    "PermutationAUCResult",
    "PermutationMetricResult",
    "Predictions",
    "ScoringResult",
    "SignTestResult",
    "SmallSampleWarning",
    "SpiegelhalterResult",
    "SymmetryResult",
    "TwoProportionsResult",
    "UndefinedResultError",
    "UndefinedResultWarning",
    "WilcoxonResult",
    "accuracy_interval",
    "adjust_pvalues",
    "agreement",
    "agreement_matrix",
    "auc_power",
    "auc_sample_size",
    "bootstrap_auc",
    "bootstrap_auc_test",
    "bootstrap_metric_test",
    "bowker_test",
    "brier_decomposition",
    "brier_score",
    "brier_skill_score",
    "calibration_error",
    "calibration_test",
    "cochran_q_test",
    "cohen_kappa",
    "contingency_table",
    "datasets",
    "delong_batch",
    "delong_covariance",
    "delong_omnibus_test",
    "delong_pairwise_test",
    "delong_test",
    "delong_unpaired_test",
    "disagreement",
    "double_fault",
    "error_correlation",
    "kernels",
    "load_predictions",
    "log_loss",
    "mcnemar_pairwise_test",
    "mcnemar_test",
    "multiclass_auc",
    "multiclass_auc_test",
    "net_benefit",
    "permutation_auc_test",
    "permutation_metric_test",
    "report",
    "roc_auc",
    "roc_auc_interval",
    "scoring_test",
    "show_config",
    "sign_test",
    "spiegelhalter_test",
    "structural_components",
    "stuart_maxwell_test",
    "two_proportions_test",
    "two_proportions_unpaired_test",
    "warmup",
    "wilcoxon_test",
    "yule_q",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f".{name}", __name__)
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f".{_HOME[name]}", __name__)
    for public in _HOMES[_HOME[name]]:
        found = getattr(home, public)
        found.__module__ = __name__  # users see fastcompare.delong_test
        globals()[public] = found
    return globals()[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
