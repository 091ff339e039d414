"""Pictures and intervals of single models that accompany a comparison."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from .._base.lazy import LazyFunction, public_function
from .data import Data

MOST_SCORES_WITH_BAND = 20_000  # scores whose curves have bands, which are resampled
MOST_SCORES_DRAWN = 400_000
MOST_CURVES = 6  # models whose curves can be distinguished
RESAMPLES = 999

Drawers = Mapping[str, Callable[[], Any]]


def curves_of(
    data: Data,
    result: Any,
    names: Sequence[str],
    options: Mapping[str, Any],
    confidence_level: float,
) -> Drawers:
    """Return functions that draw the models of a comparison, by the names of pictures.

    ROC curves of scores, calibration curves of probabilities; of other kinds, or too many models or
    scores, a forest of the models' values, if these have intervals. Models are in the order of
    `names`.
    """
    from .. import plots  # imports matplotlib, which few need
    from ..plots._forest import narrow_forest

    shape: tuple[int, ...] = () if data.y_true is None else np.shape(data.y_true)
    n_scores = shape[0] * len(data.columns) if len(shape) == 1 else 0
    is_binary = data.classes is None and data.scan is None and data.design != "multiclass"
    same_cases = is_binary and data.unpaired is None  # else the labels are those of one model
    is_drawable = 0 < n_scores <= MOST_SCORES_DRAWN and len(data.columns) <= MOST_CURVES
    has_curves = same_cases and is_drawable
    columns = {name: data.columns[name] for name in names if name in data.columns}
    options_of_cases: dict[str, Any] = {
        "pos_label": options.get("pos_label", data.pos_label),
        "nan_policy": options.get("nan_policy", "raise"),
        "confidence_level": confidence_level,
    }
    if has_curves and data.kind == "scores" and "sample_weight" not in data.options:
        band: dict[str, Any] = {"groups": data.options.get("groups")}
        if n_scores <= MOST_SCORES_WITH_BAND:
            band |= {"band": "pointwise", "n_resamples": RESAMPLES, "rng": 0}
        return {
            "roc_curves": partial(
                plots.roc_curves, data.y_true, columns, **options_of_cases, **band
            )
        }
    if has_curves and data.kind == "probabilities":
        draw = partial(plots.calibration_curves, data.y_true, columns, **options_of_cases)
        return {"calibration_curves": draw}
    if len(data.columns) > 1 and result._model_limits(confidence_level) is not None:
        forest_options: Any = {"of": "models", "confidence_level": confidence_level}
        return {"models": partial(narrow_forest, result, **forest_options)}
    return {}


def model_limits(
    data: Data, result: Any, options: Mapping[str, Any], confidence_level: float
) -> tuple[Any, Any] | None:
    """Return the limits (k,) of an interval for each model; None where these are unknown.

    Those of the result if it has any, else those of estimates of each model alone, which are not
    made of cases in chunks or of models on different cases.
    """
    limits: tuple[Any, Any] | None = result._model_limits(confidence_level)
    if limits is not None or data.scan is not None or data.unpaired is not None:
        return limits
    estimate, interval_options = interval_function(data, result, options)
    if estimate is None:
        return None
    truth = () if data.y_true is None else (data.y_true,)
    estimates = [
        estimate(*truth, column, **interval_options, on_undefined="ignore")
        for column in data.columns.values()
    ]
    intervals = [each.confidence_interval(confidence_level) for each in estimates]
    low, high = zip(*intervals, strict=True)
    return np.array(low), np.array(high)


def interval_function(
    data: Data, result: Any, options: Mapping[str, Any]
) -> tuple[LazyFunction | None, Mapping[str, Any]]:
    """Return the public function that estimates one model with an interval, and its options.

    None if there is no such function for these data.
    """
    asked = {name: options[name] for name in ("clip", "pos_label", "nan_policy") if name in options}
    rule = getattr(result, "rule", None)
    if data.classes is not None and data.kind == "scores":
        return public_function("multiclass_auc"), {"classes": list(data.classes), **data.options}
    if rule is not None and data.classes is None and data.design != "multiclass":
        return public_function("scoring_interval"), {"rule": rule, **data.options, **asked}
    if data.kind == "items" and not np.any(getattr(result, "n_dropped", 0)):
        return public_function("mean_interval"), data.options
    return None, {}
