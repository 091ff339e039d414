"""Fast, exact statistical comparison of classifiers.

Every public name is imported on its first use, so ``import fastcompare`` costs little more than
``import numpy``.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from . import datasets, kernels, report
    from ._compare.auc.bootstrap.many import bootstrap_auc
    from ._compare.auc.bootstrap.many_result import BootstrapAUCsResult
    from ._compare.auc.bootstrap.paired import BootstrapAUCResult, bootstrap_auc_test
    from ._compare.auc.curves.band import ROCBandResult, roc_curve_band
    from ._compare.auc.curves.partial import partial_auc_interval, partial_auc_test
    from ._compare.auc.curves.precision import average_precision_interval, average_precision_test
    from ._compare.auc.curves.result import CurveIntervalResult, CurveTestResult
    from ._compare.auc.curves.sensitivity import (
        sensitivity_at_specificity_interval,
        sensitivity_at_specificity_test,
    )
    from ._compare.auc.curves.specificity import (
        specificity_at_sensitivity_interval,
        specificity_at_sensitivity_test,
    )
    from ._compare.auc.curves.values import (
        average_precision,
        partial_auc,
        sensitivity_at_specificity,
        specificity_at_sensitivity,
    )
    from ._compare.auc.delong.batch import DeLongBatchResult, delong_batch
    from ._compare.auc.delong.covariance import DeLongCovariance, delong_covariance
    from ._compare.auc.delong.omnibus import DeLongOmnibusResult, delong_omnibus_test
    from ._compare.auc.delong.paired import DeLongResult, delong_test
    from ._compare.auc.delong.pairwise import delong_pairwise_test
    from ._compare.auc.delong.pairwise_result import DeLongPairwiseResult
    from ._compare.auc.delong.structural import structural_components
    from ._compare.auc.delong.unpaired import DeLongUnpairedResult, delong_unpaired_test
    from ._compare.auc.multiclass.paired import multiclass_auc_test
    from ._compare.auc.multiclass.result import (
        BootstrapMulticlassAUCResult,
        MulticlassAUCResult,
        MulticlassAUCTestResult,
    )
    from ._compare.auc.multiclass.single import multiclass_auc
    from ._compare.auc.permutation.paired import PermutationAUCResult, permutation_auc_test
    from ._compare.auc.power.sizes import AUCSampleSizeResult, auc_power, auc_sample_size
    from ._compare.auc.single import AUCIntervalResult, roc_auc, roc_auc_interval
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
    "_compare.auc.bootstrap.many": ("bootstrap_auc",),
    "_compare.auc.bootstrap.many_result": ("BootstrapAUCsResult",),
    "_compare.auc.bootstrap.paired": (
        "BootstrapAUCResult",
        "bootstrap_auc_test",
    ),
    "_compare.auc.curves.band": (
        "ROCBandResult",
        "roc_curve_band",
    ),
    "_compare.auc.curves.partial": (
        "partial_auc_interval",
        "partial_auc_test",
    ),
    "_compare.auc.curves.precision": (
        "average_precision_interval",
        "average_precision_test",
    ),
    "_compare.auc.curves.result": (
        "CurveIntervalResult",
        "CurveTestResult",
    ),
    "_compare.auc.curves.sensitivity": (
        "sensitivity_at_specificity_interval",
        "sensitivity_at_specificity_test",
    ),
    "_compare.auc.curves.specificity": (
        "specificity_at_sensitivity_interval",
        "specificity_at_sensitivity_test",
    ),
    "_compare.auc.curves.values": (
        "average_precision",
        "partial_auc",
        "sensitivity_at_specificity",
        "specificity_at_sensitivity",
    ),
    "_compare.auc.delong.batch": (
        "DeLongBatchResult",
        "delong_batch",
    ),
    "_compare.auc.delong.covariance": (
        "DeLongCovariance",
        "delong_covariance",
    ),
    "_compare.auc.delong.omnibus": (
        "DeLongOmnibusResult",
        "delong_omnibus_test",
    ),
    "_compare.auc.delong.paired": (
        "DeLongResult",
        "delong_test",
    ),
    "_compare.auc.delong.pairwise": ("delong_pairwise_test",),
    "_compare.auc.delong.pairwise_result": ("DeLongPairwiseResult",),
    "_compare.auc.delong.structural": ("structural_components",),
    "_compare.auc.delong.unpaired": (
        "DeLongUnpairedResult",
        "delong_unpaired_test",
    ),
    "_compare.auc.multiclass.paired": ("multiclass_auc_test",),
    "_compare.auc.multiclass.result": (
        "BootstrapMulticlassAUCResult",
        "MulticlassAUCResult",
        "MulticlassAUCTestResult",
    ),
    "_compare.auc.multiclass.single": ("multiclass_auc",),
    "_compare.auc.permutation.paired": (
        "PermutationAUCResult",
        "permutation_auc_test",
    ),
    "_compare.auc.power.sizes": (
        "AUCSampleSizeResult",
        "auc_power",
        "auc_sample_size",
    ),
    "_compare.auc.single": (
        "AUCIntervalResult",
        "roc_auc",
        "roc_auc_interval",
    ),
    "_config": (
        "show_config",
        "warmup",
    ),
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
    "datasets": (
        "Predictions",
        "load_predictions",
    ),
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
