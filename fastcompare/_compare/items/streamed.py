"""The test of scores that come in chunks.

The paired t-test of plain arrays, as a loop of one's own has them: in few calls.

1,000 items in 100 clusters: a quarter of the time of the long way, which also reads other data.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from ..._base.types import Fields, Vector
from ..._inference.bounded import BoundedMean
from ..._inference.clusters import cluster_status
from ..._inference.exact import rounded
from ..._inference.infer import units_bound
from ..._inference.means import ROUNDING
from ..._inference.skewness import MOST, SkewedEnds, Skewness, sums_skewness, told_skewness
from ..._inference.status import unvaried_status
from ..._inputs.arrays import plain_labels, plain_scores
from ..._inputs.chunks.cases import ItemReader, PairStream
from ..._inputs.items import LEAST, check_item_size
from ..._inputs.items import MOST as LARGEST
from ..._inputs.options import Workers
from ..._resampling.bootstrap import Claim
from ...kernels.clusters import ENTRIES, ends_of, paired_clusters
from ..paired.columns import STUDENT, StudentEnds
from ..probabilities.losses import is_lopsided
from ..probabilities.streamed import ChunkedMean, Passes
from .methods import (
    CLUSTERED,
    are_few_valued,
    bounded_test,
    skewed_test,
    student_test,
    worth,
)

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
    skewness: Skewness = Skewness()


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
    square = total * (labels.size - 1.0)
    known = (found[:2].copy(), mean, error, df, int(clusters), total, groups is not None)
    moments = PlainMean(labels.size, *known)
    if method == "t":
        return None if alone and is_lopsided(sums, 0.0, square) else moments
    if are_few_valued((a, b), a - b):
        return None
    return moments._replace(skewness=sums_skewness(sums, sizes, square, df))


class StreamedMean(NamedTuple):
    """A mean of scores in chunks, its skewness, and where these are answers their score test."""

    mean: ChunkedMean
    skewness: Skewness = Skewness()  # of answers that of clusters alone
    bounded: BoundedMean | None = None


def mean_of_stream(
    stream: PairStream, nan_policy: str, workers: Workers, method: str
) -> StreamedMean:
    """Return the mean difference of scores, or of one model's; an error within rounding is 0."""
    passes = Passes(stream, ItemReader(stream.layout, nan_policy), workers)
    sums = passes.first(stream.layout.parameters[0])
    check_item_size(sums.largest)
    found = passes.mean(sums, sums.error)
    if found.error <= ROUNDING * sums.largest:
        found = found._replace(error=0.0, lopsided=False)
    if method == "t" or math.isnan(found.df):
        return StreamedMean(found)
    alone = len(sums.totals) == 1  # differences, or one model's scores
    if sums.signs and (alone or sums.least >= 0.0):
        skewness = Skewness() if found.sizes is None else streamed_skewness(passes, found)
        return StreamedMean(found, skewness, streamed_answers(found, float(skewness.told)))
    return StreamedMean(found, streamed_skewness(passes, found))


def streamed_skewness(passes: Passes, mean: ChunkedMean) -> Skewness:
    """Return the skewness of a mean of few enough scores, which takes a second pass."""
    sums, error, df, _, sizes, own = mean
    if sums.n > MOST or not error > 0.0:
        return Skewness()
    square, n = sums.variance * (sums.n - 1.0), sums.n
    if own is not None and sizes is not None:
        return sums_skewness(own, sizes, square, df)
    seen = rounded(passes.second(sums).cubes, 1) / square**1.5
    return Skewness(float(told_skewness(seen, n, n)), seen)


def streamed_answers(mean: ChunkedMean, skewness: float) -> BoundedMean:
    """Return the differences -1, 0 and 1 as the score test takes them."""
    sums, error, df, _, sizes, _ = mean
    gain, apart = rounded(sums.total, 1), rounded(sums.squares, 1, 2)
    counts = np.array([(apart - gain) / 2.0, sums.n - apart, (apart + gain) / 2.0])
    there = counts > 0.0
    values, shares = np.array([-1.0, 0.0, 1.0])[there], counts[there] / sums.n
    n = float(sums.n)
    if sizes is None:
        return BoundedMean(values, shares, 1.0, n)
    return BoundedMean(values, shares, 1.0, worth(values, shares, n, error), df, skewness)


def streamed_test(found: StreamedMean, claim: Claim, method: str) -> Fields:
    """Return the test of differences in chunks, with its status."""
    mean, skewness, bounded = found
    sums, error, df, _, sizes, _ = mean
    apart = sums.low != 0.0 or sums.high != 0.0
    if bounded is not None and apart and claim.margin < bounded.most:
        return bounded_test(bounded, sums.mean, error, claim, df, skewness.seen)
    title = STUDENT if sizes is None else CLUSTERED
    if method != "t" and error > 0.0:
        ends = SkewedEnds(sums.mean, error, df, skewness.told)
        return skewed_test(ends, claim, title, skewness.seen)
    most = sums.greatest - sums.least if bounded is None or apart else bounded.most
    most = most if not apart and most > claim.margin else math.inf
    bound = units_bound(float(sums.n), sizes, most, "items")
    test = student_test(StudentEnds(sums.mean, error, df), claim, title, bound)
    return {**test, "status": mean_word(mean, claim.margin, "no_difference")}


def mean_word(mean: ChunkedMean, margin: float, alike: str) -> str:
    """Return the status word of a mean; `alike` where all differences are 0."""
    sums, error, df, lopsided, sizes, _ = mean
    if error == 0.0:
        if sums.low == sums.high == 0.0:
            return alike
        return unvaried_status(sums.mean, margin, alike)
    if math.isnan(df):
        return "one_case" if sizes is None or sums.n == 1 else "too_few_clusters"
    return cluster_status(df, "small_sample" if lopsided else "ok")


def plain_of_stream(mean: ChunkedMean) -> PlainMean:
    """Return the moments of scores in chunks."""
    sums, error, df, _, sizes, _ = mean
    clusters = sums.n if sizes is None else sizes.size
    moments = (sums.n, sums.means, sums.mean, error, df, clusters, sums.variance)
    return PlainMean(*moments, sizes is not None)
