"""A short way for models in plain arrays: the inside of other people's loops.

One compiled call instead of six: a test of 100 cases goes into calls rather than counting. Whatever
needs care takes the long way.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ...._inputs.cases import Cases
from ...._inputs.labels import are_positive
from ...._inputs.plain import plain_labels, plain_scores
from ....kernels.pair import TABLE_FROM
from ....kernels.plain import plain_sums, plain_wins
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
