"""The intervals of the values of two models, of which a result of their difference tells."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from .._compare.auc.delong.design import TITLES
from .._compare.auc.intervals import INTERVALS, Evidence
from .._inference.proportions import wilson

TAIL = 0.025  # beyond each end
Ends = list[tuple[float, float]]


def auc_ends(result: Any) -> Ends:
    """Return the intervals of `roc_auc_interval`; none of weighted cases or of clusters."""
    if result.method != TITLES["independent"]:
        return []
    errors = np.sqrt(np.diag(result.covariance))
    return ends_of_aucs(result.auc, errors, 2 * [(result.n_positive, result.n_negative)])


def unpaired_auc_ends(result: Any) -> Ends:
    """Return the intervals of two AUCs of different cases."""
    sizes = zip(result.n_positive, result.n_negative, strict=True)
    return ends_of_aucs(result.auc, np.sqrt(result.variance), list(sizes))


def ends_of_aucs(aucs: Any, errors: Any, sizes: list[tuple[int, int]]) -> Ends:
    """Return the score intervals of AUCs, their standard errors and sizes of classes."""
    rows = zip(aucs.tolist(), errors.tolist(), sizes, strict=True)
    return [INTERVALS["score"](Evidence(auc, error, *size), TAIL) for auc, error, size in rows]


def table_ends(result: Any) -> Ends:
    """Return Wilson's intervals of two accuracies on the same cases; none of clusters."""
    both, first, second = result.n11, result.n10, result.n01
    n = both + first + second + result.n00
    if result.design != "independent" or not n:
        return []
    return [wilson(both + first, n, TAIL), wilson(both + second, n, TAIL)]


def share_ends(result: Any) -> Ends:
    """Return Wilson's intervals of two accuracies that have cases of their own."""
    if result.design != "independent" or not all(result.n):
        return []
    counts = zip(result.n_correct, result.n, strict=True)
    return [wilson(right, n, TAIL) for right, n in counts]


ENDS: Mapping[str, Callable[[Any], Ends]] = {  # by the names of classes of results
    "DeLongResult": auc_ends,
    "DeLongUnpairedResult": unpaired_auc_ends,
    "McNemarResult": table_ends,
    "TwoProportionsResult": share_ends,
}


def ends_of_two(result: Any) -> Ends:
    """Return the 95 % intervals of two models' values, or none where they are not known."""
    known = ENDS.get(type(result).__name__)
    if known is None or not np.all(np.isfinite(result.estimate)):
        return []
    return known(result)
