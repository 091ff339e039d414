"""Plots of results: functions that take a result, optionally with axes, and return the axes.

Colours are distinguishable with any colour vision, and lines also by dashes and markers (`style`
switches these off). Names are shown literally (``$`` and ``_`` do not start mathematics), and sizes
adapt to the number of models and the lengths of their names. Without ``ax`` a new pyplot figure is
drawn, so ``plt.show()`` and ``plt.savefig()`` work. `picture` chooses the plot for a result, as its
``plot()`` does. Plots need matplotlib: ``pip install 'fastcompare[plot]'``.
"""

from ._along import decision_curves, horizon_curves
from ._canvas import style
from ._curves import (
    calibration_curves,
    precision_recall_curves,
    reliability,
    roc_band,
    roc_curves,
)
from ._diagram import critical_difference
from ._displays import CalibrationDisplay, PrecisionRecallDisplay, RocCurveDisplay, picture
from ._forest import forest
from ._matrix import agreement_map, mosaic, pvalue_matrix
from ._posterior import posterior
from ._ranks import leaderboard, rank_distribution
from ._rates import error_rates, power_curves
from ._readers import reader_power, readers
from ._within import within_groups

__all__ = [
    "CalibrationDisplay",
    "PrecisionRecallDisplay",
    "RocCurveDisplay",
    "agreement_map",
    "calibration_curves",
    "critical_difference",
    "decision_curves",
    "error_rates",
    "forest",
    "horizon_curves",
    "leaderboard",
    "mosaic",
    "picture",
    "posterior",
    "power_curves",
    "precision_recall_curves",
    "pvalue_matrix",
    "rank_distribution",
    "reader_power",
    "readers",
    "reliability",
    "roc_band",
    "roc_curves",
    "style",
    "within_groups",
]


def __getattr__(name: str) -> object:
    from .._base.exceptions import MissingAttributeError

    raise MissingAttributeError(f"module {__name__!r}", name, __all__)
