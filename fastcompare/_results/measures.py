"""The numbers that results have for each model: which they are, and which models are the best."""

from collections.abc import Mapping
from typing import Any

import numpy as np

MEASURES: Mapping[str, str] = {  # fields with a value a model, and the heads of their columns
    "auc": "AUC",
    "accuracy": "accuracy",
    "means": "mean score",
    "losses": "mean loss",
    "values": "value",
    "kappa": "kappa",
    "average_ranks": "average rank",
    "strengths": "strength",
}
LOWER_IS_BETTER = ("losses", "average_ranks")


def measure_of(result: Any) -> str:
    """Return the field with a value a model, or nothing."""
    k = len(names_of(result))
    for name in MEASURES:
        value = getattr(result, name, None)
        if value is not None and np.shape(value) == (k,) and k:
            return name
    return ""


def names_of(result: Any) -> tuple[str, ...]:
    """Return the names of the models of a result, if it has any."""
    found = getattr(result, "names", None) or getattr(result, "models", None)
    return tuple(map(str, found)) if isinstance(found, tuple | list) else ()


def best_first(result: Any, name: str) -> list[int]:
    """Return the order of models, the best first, undefined ones last."""
    if hasattr(result, "pairs") and hasattr(result, "_standing"):
        standing = np.asarray(result._standing(), np.float64)
    else:
        values = np.asarray(getattr(result, name), np.float64)
        lower = name in LOWER_IS_BETTER or not getattr(result, "higher_is_better", True)
        standing = values if lower else -values
    return list(np.argsort(standing, kind="stable").tolist())
