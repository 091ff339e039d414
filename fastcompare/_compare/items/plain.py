"""The paired t-test of plain arrays, as a loop of one's own has them: in few calls.

1,000 items in 100 clusters: a quarter of the time of the long way, which also reads other data.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..._base.types import Vector
from ..._inference.item_means import ROUNDING
from ..._inference.skewness import MOST, sums_skewness
from ..._inputs.item_ranges import LEAST
from ..._inputs.item_ranges import MOST as LARGEST
from ..._inputs.plain import plain_labels, plain_scores
from ...kernels.item_means import ENTRIES, ends_of, paired_clusters
from ..probabilities.loss_summaries import are_lopsided
from .automatic import are_few_valued

TABLE = 2  # places an item that labels of clusters may take


class PlainMean(NamedTuple):
    """What Student's t needs, and the variance of one difference."""

    n: int
    means: Vector
    estimate: float
    standard_error: float
    df: float
    n_clusters: int
    total: float
    clustered: bool
    skewness: float = 0.0


def plain_mean(scores_a: Any, scores_b: Any, groups: Any, method: str) -> PlainMean | None:
    """Return the moments of plain scores; None for all that needs a closer look.

    Without `groups` each item is a cluster. Skewness is for method 'auto', which looks closer at
    answers and where most differences are 0.
    """
    alone = groups is None and type(scores_a) is np.ndarray and scores_a.ndim == 1
    labels = np.arange(len(scores_a)) if alone else plain_labels(groups)
    if labels is None or not 1 < labels.size <= MOST:
        return None
    a, b = plain_scores(scores_a, labels.size), plain_scores(scores_b, labels.size)
    if a is None or b is None:
        return None
    low, high = map(int, ends_of(labels))
    if high - low >= TABLE * labels.size:
        return None
    found = np.empty(ENTRIES)
    places = high - low + 1
    sums = np.zeros(places)
    sizes = np.zeros(places, np.int64)
    paired_clusters(a, b, labels, low, sums, sizes, found)
    *_, mean, variance, total, largest, clusters, df = found.tolist()
    error = math.sqrt(variance) if variance < math.inf else math.nan
    # too little varies, or a score is not finite, or so large or small that it is refused
    if not (error > ROUNDING * largest and LEAST <= largest <= LARGEST):
        return None
    known = (found[:2].copy(), mean, error, df, int(clusters), total, groups is not None)
    moments = PlainMean(labels.size, *known)
    if method == "t":
        lopsided = alone and deviate_lopsidedly(sums, total * (labels.size - 1.0))
        return None if lopsided else moments
    if are_few_valued((a, b), a - b):
        return None
    return moments._replace(skewness=sums_skewness(sums, sizes, df))


def deviate_lopsidedly(deviations: Vector, square: float) -> bool:
    """Say whether deviations with this sum of squares are too skewed for so few of them."""
    zero, low, high, squares = np.array([[0.0], [deviations.min()], [deviations.max()], [square]])
    return bool(are_lopsided(deviations[None], zero, low, high, squares)[0])
