"""A short way for models in plain arrays: the inside of other people's loops.

One compiled call instead of six: a test of 100 cases goes into calls rather than counting. Whatever
needs care takes the long way.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ...._base.types import WeightKind
from ...._inputs.cases import Cases
from ...._inputs.labels import are_positive
from ...._inputs.plain import plain_labels, plain_scores
from ...._inputs.scores import UNNAMED
from ....kernels.pair import TABLE_FROM
from ....kernels.plain import are_sound, plain_sums, plain_wins
from ..components import as_components
from ..exact import PairSums, pair_sums


class Counted(NamedTuple):
    """What moments of two models follow from: exact sums over m positives and n negatives."""

    sums: PairSums
    m: int
    n: int


def counted_plain(y_true: Any, y_score_a: Any, y_score_b: Any, n_jobs: int) -> Counted | None:
    """Return the sums of two models; None for anything but plain, sound arrays."""
    if type(y_true) is np.ndarray and y_true.size >= TABLE_FROM:
        return counted_many(y_true, y_score_a, y_score_b, n_jobs)
    labels = plain_labels(y_true)
    if labels is None:
        return None
    a, b = plain_scores(y_score_a, labels.size), plain_scores(y_score_b, labels.size)
    out = np.empty(9, np.int64)
    if a is None or b is None or not plain_sums(labels, a, b, out):
        return None
    *sums, m = out.tolist()
    return Counted(PairSums.of(*sums), m, labels.size - m)


def counted_many(y_true: Any, y_score_a: Any, y_score_b: Any, n_jobs: int) -> Counted | None:
    """Return the sums of two models of many cases; None for what is not plain, or one class."""
    if y_true.ndim != 1 or y_true.dtype.kind not in "biu":
        return None
    a, b = plain_scores(y_score_a, y_true.size), plain_scores(y_score_b, y_true.size)
    if a is None or b is None or any(math.isnan(np.minimum.reduce(x)) for x in (a, b)):
        return None
    labels = are_positive("y_true", y_true, None)
    components = as_components(Cases(labels, (a, b), ("y_score_a", "y_score_b")), n_jobs=n_jobs)
    if not (components.m and components.n):
        return None
    return Counted(pair_sums(components, 0, 1), components.m, components.n)


def plain_auc(y_true: Any, y_score: Any) -> float | None:
    """Return the AUC of a model on few cases; None for anything but plain, sound arrays."""
    if type(y_true) is not np.ndarray or y_true.size >= TABLE_FROM:
        return None
    labels = plain_labels(y_true)
    if labels is None:
        return None
    scores = plain_scores(y_score, labels.size)
    if scores is None:
        return None
    won, m = plain_wins(labels, scores)
    return int(won) / int(2 * m * (labels.size - m)) if won >= 0 else None


def weighted_plain(
    y_true: Any, a: Any, b: Any, sample_weight: Any, frequency_weight: Any
) -> Cases | None:
    """Return few cases of two models with weights of one kind; None for what is not plain."""
    if type(y_true) is not np.ndarray or y_true.size >= TABLE_FROM:
        return None
    labels, whole = plain_labels(y_true), sample_weight is None
    if labels is None or whole == (frequency_weight is None):
        return None
    given = a, b, frequency_weight if whole else sample_weight
    one, other, weights = (plain_scores(each, labels.size) for each in given)
    if one is None or other is None or weights is None:
        return None
    kind: WeightKind = "frequency" if whole else "sampling"
    found = np.empty(labels.size, np.uint8)
    sound = are_sound(labels, one, other, weights, whole, found)
    return Cases(found, (one, other), UNNAMED, 0, weights, kind) if sound else None
