"""Weights of cases, of either kind, and the clusters that cases come in.

Sampling weights say how much of a population a case stands for; only their ratios count. Frequency
weights say how many equal cases a row stands for.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError
from .._base.types import WeightKind
from .arrays import EXACT_INTEGER, as_float_array
from .groups import number_groups
from .labels import as_label_column

Weights = NDArray[np.float64]
LABELS = "labels in `y_true`"
LARGE = 256  # powers of two


class Extras(NamedTuple):
    """What is known of n cases besides labels and scores: their weights or their clusters."""

    weights: Weights | None = None
    weight_kind: WeightKind | None = None
    groups: NDArray[Any] | None = None
    ungrouped: NDArray[np.bool_] | None = None

    def only(self, kept: NDArray[np.bool_]) -> "Extras":
        """Return the same for some of the cases, none of which misses its cluster."""
        weights = None if self.weights is None else self.weights[kept]
        groups = None if self.groups is None else self.groups[kept]
        return Extras(weights, self.weight_kind, groups)

    def clusters(self) -> NDArray[np.int64] | None:
        """Return the clusters as numbers from 0, in the order of their labels; refuse only one."""
        if self.groups is None:
            return None
        found, numbers = number_groups(self.groups)
        check_clusters(found, self.groups)
        return numbers


def as_extras(
    n: int,
    sample_weight: object,
    frequency_weight: object,
    groups: object,
    of: str = LABELS,
) -> Extras:
    """Return the weights or the clusters of n cases, which errors call what `of` says."""
    if sample_weight is not None and frequency_weight is not None:
        raise InvalidValueError(
            "`sample_weight` and `frequency_weight` cannot both be given: pass the first if cases "
            "stand for parts of a population, the second if rows stand for several equal cases."
        )
    if groups is not None and (sample_weight is not None or frequency_weight is not None):
        raise InvalidValueError("`groups` and weights are not supported together: leave one out.")
    if sample_weight is not None:
        return Extras(as_weights("sample_weight", sample_weight, n), "sampling")
    if frequency_weight is not None:
        return Extras(as_counts("frequency_weight", frequency_weight, n), "frequency")
    if groups is None:
        return Extras()
    labels, missing = as_label_column("groups", groups)
    check_length("groups", labels.size, n, of)
    return Extras(groups=labels, ungrouped=missing)


def check_clusters(found: int, labels: NDArray[Any]) -> None:
    """Raise if all cases are in one cluster."""
    if found < 2:
        raise InvalidValueError(
            f"`groups` must name >= 2 clusters, all cases are in {labels[:1].tolist()}. "
            "Leave it out if the cases are independent."
        )


def check_length(name: str, size: int, n: int, cases: str = LABELS) -> None:
    """Raise unless there is a value for every case."""
    if size != n:
        raise InvalidValueError(
            f"`{name}` must have one value for each of the {n} {cases}, got {size}."
        )


def as_weights(name: str, values: object, n: int, cases: str = LABELS) -> Weights:
    """Return n finite weights of at least 0, or raise."""
    weights = as_float_array(name, values)
    if weights.ndim == 2 and weights.shape[1] == 1:
        weights = weights.ravel()
    if weights.ndim != 1:
        raise InvalidValueError(f"`{name}` must be 1-d, got shape {weights.shape}.")
    check_length(name, weights.size, n, cases)
    legal = np.isfinite(weights) & (weights >= 0.0)
    refuse_illegal(name, weights, legal, "hold finite weights of at least 0")
    return weights


def in_range(weights: Weights) -> Weights:
    """Return sampling weights, of which only ratios count, so that their squares stay in range.

    They change by a power of two, which no digit of a result sees.
    """
    exponent = math.frexp(float(weights.max()))[1]
    return weights if abs(exponent) < LARGE else np.asarray(np.ldexp(weights, -exponent))


def as_counts(name: str, values: object, n: int, cases: str = LABELS) -> Weights:
    """Return n whole numbers of at least 0, or raise."""
    weights = as_weights(name, values, n, cases)
    whole = (weights == np.floor(weights)) & (weights < EXACT_INTEGER)
    rule = "hold whole numbers below 2^53 (other weights go to `sample_weight`)"
    refuse_illegal(name, weights, whole, rule)
    return weights


def refuse_illegal(name: str, weights: Weights, legal: NDArray[np.bool_], rule: str) -> None:
    """Raise if a weight is not legal, saying how many are not and where the first one is."""
    where = np.flatnonzero(~legal)
    if where.size:
        raise InvalidValueError(
            f"`{name}` must {rule}; {where.size} are not, the first is {weights[where[0]]:g} at "
            f"index {where[0]}."
        )
