"""Fast, exact statistical comparison of classifiers.

Every public name is imported on its first use, so ``import fastcompare`` costs little more than
``import numpy``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import datasets, kernels, report
    from ._compare.auc.band import ROCBandResult, roc_curve_band
    from ._compare.auc.batch import DeLongBatchResult, delong_batch
    from ._compare.auc.bootstrap import BootstrapAUCResult, bootstrap_auc_test
    from ._compare.auc.bootstrap_many import bootstrap_auc
    from ._compare.auc.bootstrap_many_result import BootstrapAUCsResult
    from ._compare.auc.covariance import DeLongCovariance, delong_covariance
    from ._compare.auc.curves_result import CurveIntervalResult, CurveTestResult
    from ._compare.auc.curves_values import (
        average_precision,
        partial_auc,
        sensitivity_at_specificity,
        specificity_at_sensitivity,
    )
    from ._compare.auc.multiclass import multiclass_auc
    from ._compare.auc.multiclass_paired import multiclass_auc_test
    from ._compare.auc.multiclass_result import (
        BootstrapMulticlassAUCResult,
        MulticlassAUCResult,
        MulticlassAUCTestResult,
    )
    from ._compare.auc.omnibus import DeLongOmnibusResult, delong_omnibus_test
    from ._compare.auc.operating_points import (
        sensitivity_at_specificity_interval,
        sensitivity_at_specificity_test,
    )
    from ._compare.auc.operating_points_mirrored import (
        specificity_at_sensitivity_interval,
        specificity_at_sensitivity_test,
    )
    from ._compare.auc.paired import DeLongResult, delong_test
    from ._compare.auc.pairwise import delong_pairwise_test
    from ._compare.auc.pairwise_result import DeLongPairwiseResult
    from ._compare.auc.partial import partial_auc_interval, partial_auc_test
    from ._compare.auc.permutation import PermutationAUCResult, permutation_auc_test
    from ._compare.auc.power import AUCSampleSizeResult, auc_power, auc_sample_size
    from ._compare.auc.precision import average_precision_interval, average_precision_test
    from ._compare.auc.single import AUCIntervalResult, roc_auc, roc_auc_interval
    from ._compare.auc.structural import structural_components
    from ._compare.auc.unpaired import DeLongUnpairedResult, delong_unpaired_test
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
    "_compare.auc.band": ("ROCBandResult", "roc_curve_band"),
    "_compare.auc.batch": ("DeLongBatchResult", "delong_batch"),
    "_compare.auc.bootstrap": ("BootstrapAUCResult", "bootstrap_auc_test"),
    "_compare.auc.bootstrap_many": ("bootstrap_auc",),
    "_compare.auc.bootstrap_many_result": ("BootstrapAUCsResult",),
    "_compare.auc.covariance": ("DeLongCovariance", "delong_covariance"),
    "_compare.auc.curves_result": ("CurveIntervalResult", "CurveTestResult"),
    "_compare.auc.curves_values": (
        "average_precision",
        "partial_auc",
        "sensitivity_at_specificity",
        "specificity_at_sensitivity",
    ),
    "_compare.auc.multiclass": ("multiclass_auc",),
    "_compare.auc.multiclass_paired": ("multiclass_auc_test",),
    "_compare.auc.multiclass_result": (
        "BootstrapMulticlassAUCResult",
        "MulticlassAUCResult",
        "MulticlassAUCTestResult",
    ),
    "_compare.auc.omnibus": ("DeLongOmnibusResult", "delong_omnibus_test"),
    "_compare.auc.operating_points": (
        "sensitivity_at_specificity_interval",
        "sensitivity_at_specificity_test",
    ),
    "_compare.auc.operating_points_mirrored": (
        "specificity_at_sensitivity_interval",
        "specificity_at_sensitivity_test",
    ),
    "_compare.auc.paired": ("DeLongResult", "delong_test"),
    "_compare.auc.pairwise": ("delong_pairwise_test",),
    "_compare.auc.pairwise_result": ("DeLongPairwiseResult",),
    "_compare.auc.partial": ("partial_auc_interval", "partial_auc_test"),
    "_compare.auc.permutation": ("PermutationAUCResult", "permutation_auc_test"),
    "_compare.auc.power": ("AUCSampleSizeResult", "auc_power", "auc_sample_size"),
    "_compare.auc.precision": ("average_precision_interval", "average_precision_test"),
    "_compare.auc.single": ("AUCIntervalResult", "roc_auc", "roc_auc_interval"),
    "_compare.auc.structural": ("structural_components",),
    "_compare.auc.unpaired": ("DeLongUnpairedResult", "delong_unpaired_test"),
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
    "BootstrapAUCResult",
    "BootstrapAUCsResult",
    "BootstrapMulticlassAUCResult",
    "CacheWarning",
    "ConfidenceInterval",
    "CurveIntervalResult",
    "CurveTestResult",
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
    "MulticlassAUCResult",
    "MulticlassAUCTestResult",
    "PermutationAUCResult",
    "Predictions",
    "ROCBandResult",
    "SmallSampleWarning",
    "UndefinedResultError",
    "UndefinedResultWarning",
    "adjust_pvalues",
    "auc_power",
    "auc_sample_size",
    "average_precision",
    "average_precision_interval",
    "average_precision_test",
    "bootstrap_auc",
    "bootstrap_auc_test",
    "datasets",
    "delong_batch",
    "delong_covariance",
    "delong_omnibus_test",
    "delong_pairwise_test",
    "delong_test",
    "delong_unpaired_test",
    "kernels",
    "load_predictions",
    "multiclass_auc",
    "multiclass_auc_test",
    "partial_auc",
    "partial_auc_interval",
    "partial_auc_test",
    "permutation_auc_test",
    "report",
    "roc_auc",
    "roc_auc_interval",
    "roc_curve_band",
    "sensitivity_at_specificity",
    "sensitivity_at_specificity_interval",
    "sensitivity_at_specificity_test",
    "show_config",
    "specificity_at_sensitivity",
    "specificity_at_sensitivity_interval",
    "specificity_at_sensitivity_test",
    "structural_components",
    "warmup",
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
