"""The interval of each model's own number, of results that know how it varies.

They are those of `roc_auc_interval`, `accuracy_interval` and `mean_interval`. Tests of differences
alone do not know them: a loss, or the mean of scores in rounds.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .._base.types import Matrix, Vector
from .._inference.infer import effective_ends, wilson_ends
from .._inference.means import mean_ends
from .._inference.pvalues import reference_quantile, reference_quantiles
from .auc.intervals import INTERVALS, Evidence

Ends = tuple[Vector, Vector]


def own_ends(result: Any, level: float) -> Ends | None:
    """Return the ends (k,) of the models' intervals at this level, None where none are known."""
    kinds = (KNOWN.get(kind.__name__) for kind in type(result).__mro__)
    known = next(filter(None, kinds), None)
    return None if known is None else known(result, level)


def method_ends(name: str) -> Callable[[Any, float], Ends]:
    """Return a function that asks a method of the result."""

    def ends(result: Any, level: float) -> Ends:
        low, high = getattr(result, name)(level)
        return np.asarray(low), np.asarray(high)

    return ends


def auc_ends(result: Any, level: float) -> Ends | None:
    """Return score intervals of two AUCs, by the effective sizes of their classes."""
    sizes, dfs = result._own or ((result.n_positive, result.n_negative), (math.inf, math.inf))
    if not np.all(np.isfinite([result.estimate, *sizes])):
        return None
    return scored(result.auc, np.sqrt(np.diag(result.covariance)), [sizes, sizes], level, dfs)


def unpaired_auc_ends(result: Any, level: float) -> Ends | None:
    """Return score intervals of two AUCs of different cases."""
    if not math.isfinite(result.estimate):
        return None
    sizes = list(zip(result.n_positive, result.n_negative, strict=True))
    return scored(result.auc, np.sqrt(result.variance), sizes, level)


def scored(
    aucs: Vector,
    errors: Vector,
    sizes: list[tuple[float, float]],
    level: float,
    dfs: Sequence[float] = (math.inf, math.inf),
    method: str = "score",
) -> Ends:
    """Return the intervals of AUCs by their standard errors and sizes of classes."""
    rows = zip(aucs.tolist(), errors.tolist(), sizes, dfs, strict=True)
    found = [Evidence(auc, error, *size, df) for auc, error, size, df in rows]
    low, high = np.transpose([INTERVALS[method](each, 0.5 * (1.0 - level)) for each in found])
    return low, high


def covariance_ends(result: Any, level: float) -> Ends:
    """Return intervals of AUCs on the logit scale, by their covariance alone."""
    sizes, k = (result.n_positive, result.n_negative), len(result.auc)
    error = result.standard_error
    return scored(result.auc, error, k * [sizes], level, k * (math.inf,), "logit")


def table_ends(result: Any, level: float) -> Ends | None:
    """Return Wilson's intervals of two accuracies on the same cases; none of clusters."""
    n = result.n11 + result.n10 + result.n01 + result.n00
    if result.design != "independent" or not n:
        return None
    return share_ends(result.accuracy, n, level)


def proportion_ends(result: Any, level: float) -> Ends | None:
    """Return Wilson's intervals of two accuracies that have cases of their own."""
    if not all(result.n):
        return None
    if result.design == "independent":
        return share_ends(result.accuracy, np.array(result.n), level)
    errors, dfs = np.transpose(result._own)
    return clustered_ends(result.accuracy, np.array(result.n), errors, dfs, level)


def accuracy_ends(result: Any, level: float) -> Ends | None:
    """Return Wilson's intervals of accuracies of k models, of clusters by their covariance."""
    if result.design == "independent":
        return share_ends(result.accuracy, result.n, level)
    errors = np.sqrt(np.diag(result._covariance))
    return clustered_ends(result.accuracy, result.n, errors, np.full(len(errors), result.df), level)


def share_ends(share: Vector, n: Any, level: float) -> Ends:
    """Return Wilson's intervals of shares of n independent cases."""
    return wilson_ends(share, n, reference_quantile(0.5 * (1.0 - level), math.inf))


def clustered_ends(share: Vector, n: Any, error: Vector, df: Vector, level: float) -> Ends | None:
    """Return Wilson's intervals of shares in clusters.

    None where clusters do not vary, but some of their answers are wrong.
    """
    reach = np.where(df > 0.0, reference_quantiles(0.5 * (1.0 - level), df), math.nan)
    low, high = effective_ends(share, error, n, reach)
    return None if np.isnan(low).any() else (low, high)


def means_ends(result: Any, level: float) -> Ends | None:
    """Return intervals of means by their covariance, if all models share the items."""
    found = getattr(result, "_found", result)
    covariance: Matrix | None = found.covariance
    if covariance is None or np.ndim(found.df) or not found.df > 0.0:
        return None
    error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return mean_ends(result.means, error, float(found.df), 0.5 * (1.0 - level), result._answers)


def cochran_ends(result: Any, level: float) -> Ends | None:
    """Return Wilson's intervals of accuracies of independent cases."""
    return share_ends(result.accuracy, result.n, level) if result.eta2 is not None else None


KNOWN: Mapping[str, Callable[[Any, float], Ends | None]] = {  # by the names of classes of results
    "AUCPairsResult": method_ends("auc_interval"),
    "BradleyTerryResult": method_ends("confidence_interval"),
    "CochranQResult": cochran_ends,
    "DeLongCovariance": covariance_ends,
    "DeLongResult": auc_ends,
    "DeLongUnpairedResult": unpaired_auc_ends,
    "LeaderboardResult": method_ends("confidence_interval"),
    "McNemarPairwiseResult": accuracy_ends,
    "McNemarResult": table_ends,
    "MeanCovarianceResult": means_ends,
    "MeanPairwiseResult": means_ends,
    "TwoProportionsResult": proportion_ends,
}
