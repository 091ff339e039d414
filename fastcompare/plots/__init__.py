"""Pictures of results: each function takes a result, perhaps axes to draw on, and returns the axes.

Colours differ in any kind of colour vision, and dashes and markers where there are none (`style`
switches these off); names are shown as they are (``$`` and ``_`` start no mathematics), and sizes
follow from the number of models and the lengths of their names. Without ``ax`` the picture is a new
figure of pyplot, so that ``plt.show()`` and ``plt.savefig()`` find it. `picture` draws the one that
suits a result, as its ``plot()`` does. They need matplotlib: ``pip install 'fastcompare[plot]'``.
"""

from ._canvas import style
from ._curves import (
    calibration_curves,
    decision_curves,
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
    "leaderboard",
    "mosaic",
    "picture",
    "posterior",
    "power_curves",
    "precision_recall_curves",
    "pvalue_matrix",
    "rank_distribution",
    "reliability",
    "roc_band",
    "roc_curves",
    "style",
]
