"""Tests of mean scores in few calls: of scores that come in chunks, and of plain arrays.

Plain arrays are what a loop of one's own has. Their paired t-test of 1,000 items in 100 clusters
takes a quarter of the time of the general way, which also reads other data.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from .._base.types import Fields, Integers, Vector
from .._inference.answers import LinkedAnswers, cluster_layout, linked_answers
from .._inference.bounded import BoundedMean
from .._inference.clusters import cluster_status
from .._inference.exact import rounded_quotient
from .._inference.infer import units_bound
from .._inference.item_scale import ItemScale, effective_items_of_sums, item_scale
from .._inference.means import ROUNDING, mean_design
from .._inference.skewness import (
    MOST_ITEMS,
    HallInterval,
    Skewness,
    skewness_by_moments,
    sums_skewness,
)
from .._inference.status import unvaried_status
from .._inference.unseen import ALPHA, UnseenFailures
from .._inputs.arrays import plain_labels, plain_scores
from .._inputs.chunks.cases import ItemReader, PairStream
from .._inputs.items import LEAST, ItemLinks, Items, check_item_size
from .._inputs.items import MOST as LARGEST
from .._inputs.options import Workers
from .._inputs.scores import UNNAMED
from .._resampling.bootstrap import Claim
from ..kernels.clusters import ENTRIES, integer_range, paired_clusters
from ..paired._columns import STUDENT_TITLE, StudentEnds
from ..probabilities._losses import is_too_skewed
from ..probabilities._streamed import ChunkedMean, FirstPassSums, StreamPasses
from ._methods import (
    CLUSTERED_TITLE,
    SkewedMean,
    are_mostly_zero,
    bounded_test,
    have_two_values,
    linked_test,
    skewed_test,
    student_test,
)

NO_SKEWNESS = SkewedMean(HallInterval(math.nan, math.nan, math.nan, 0.0), Skewness())
MOST_LABELS_PER_ITEM = 2  # range of integer cluster labels, over the number of items


class PlainMean(NamedTuple):
    """Moments of the differences of two plain arrays of scores, all that Student's t needs.

    `total` is the variance of one difference; `scores` are both arrays and the cluster labels.
    """

    n: int
    means: Vector
    estimate: float
    standard_error: float
    df: float
    n_clusters: int
    total: float
    clustered: bool
    skewed: SkewedMean = NO_SKEWNESS
    scores: tuple[Vector, Vector, Integers] | None = None

    def failures(self, claim: Claim, pvalue: float) -> UnseenFailures | None:
        """Return the unseen failures that would explain a significant difference, else None."""
        if self.scores is None or not pvalue <= ALPHA or self.n > MOST_ITEMS:
            return None
        a, b, labels = self.scores
        groups = None
        if self.clustered:
            _, groups = np.unique(labels, return_inverse=True)
        items = Items(np.column_stack((a, b)), UNNAMED, ItemLinks(self.n, groups=groups))
        scale = item_scale(items, mean_design(items.links), (np.array([0]), np.array([1])))
        return scale.failures(np.array([self.estimate]), *claim).at(0)


def plain_mean(scores_a: Any, scores_b: Any, groups: Any, method: str) -> PlainMean | None:
    """Return the moments of two plain arrays of scores, None for what needs the general way.

    The latter are other types and lengths, NaN, sparse cluster labels and constant differences;
    for method 'auto' also 0/1 answers and differences that are mostly 0. Without `groups` each item
    is a cluster.
    """
    without_groups = groups is None and type(scores_a) is np.ndarray and scores_a.ndim == 1
    labels = np.arange(len(scores_a)) if without_groups else plain_labels(groups)
    if labels is None or not 1 < labels.size <= MOST_ITEMS:
        return None
    a, b = plain_scores(scores_a, labels.size), plain_scores(scores_b, labels.size)
    if a is None or b is None:
        return None
    low, high = map(int, integer_range(labels))
    if high - low >= MOST_LABELS_PER_ITEM * labels.size:
        return None
    entries = np.empty(ENTRIES)
    places = high - low + 1
    sums = np.zeros(places)
    sizes = np.zeros(places, np.int64)
    paired_clusters(a, b, labels, low, sums, sizes, entries)
    *_, mean, variance, total, largest, clusters, df = entries.tolist()
    error = math.sqrt(variance) if variance < math.inf else math.nan
    # differences do not vary, or a score is not finite, or too large or too small
    if not (error > ROUNDING * largest and LEAST <= largest <= LARGEST):
        return None
    sum_of_squares = total * (labels.size - 1.0)
    fields = (entries[:2].copy(), mean, error, df, int(clusters), total, groups is not None)
    skewed = SkewedMean(HallInterval(mean, error, df, 0.0), Skewness())
    moments = PlainMean(labels.size, *fields, skewed, (a, b, labels))
    if method == "t":  # the general way warns of skewed differences
        return None if without_groups and is_too_skewed(sums, 0.0, sum_of_squares) else moments
    width = float(np.ptp((a, b)))
    if have_two_values((a, b), width, only_differences=False) or are_mostly_zero(a - b):
        return None
    return moments._replace(skewed=plain_skewness(moments, sums, sizes))


def plain_mean_of_items(items: Items, method: str) -> PlainMean | None:
    """Return the moments of checked scores of two models with one sample each, as `plain_mean`."""
    if len(items.names) != 2 or items.samples is not None or items.links.others is not None:
        return None
    a, b = np.ascontiguousarray(items.scores.T)
    return plain_mean(a, b, items.links.groups, method)


def plain_skewness(moments: PlainMean, cluster_sums: Vector, cluster_sizes: Integers) -> SkewedMean:
    """Return the mean with its skewness, in clusters with the bound of its correction."""
    assert moments.scores is not None
    sum_of_squares = moments.total * (moments.n - 1.0)
    n = float(moments.n)
    skewed = moments.skewed._replace(
        skewness=sums_skewness(cluster_sums, cluster_sizes, sum_of_squares)
    )
    if not moments.clustered:
        return skewed
    a, b, _ = moments.scores
    mean_a, mean_b = moments.means.tolist()
    low = min(float(a.min()), float(b.min()))
    high = max(float(a.max()), float(b.max()))
    distances = ItemScale((mean_a, mean_b), low, high).distances
    return skewed.with_failure_bound(
        distances, float(effective_items_of_sums(cluster_sums, cluster_sizes, sum_of_squares, n))
    )


class StreamedMean(NamedTuple):
    """A mean of scores in chunks; 0/1 answers have their distribution, others their skewness."""

    mean: ChunkedMean
    skewness: Skewness = Skewness()  # of other scores than answers
    answers: BoundedMean | LinkedAnswers | None = None


def mean_of_stream(
    stream: PairStream, nan_policy: str, workers: Workers, method: str
) -> StreamedMean:
    """Return the mean difference of two models' scores in chunks, or one model's mean score.

    A standard error within rounding is 0.
    """
    passes = StreamPasses(stream, ItemReader(stream.layout, nan_policy), workers)
    sums = passes.first(stream.layout.parameters[0])
    check_item_size(sums.largest)
    mean = passes.mean(sums, sums.error)
    if mean.error <= ROUNDING * sums.largest:
        mean = mean._replace(error=0.0, too_skewed=False)
    if method == "t" or math.isnan(mean.df):
        return StreamedMean(mean)
    one_column = len(sums.totals) == 1  # differences, or one model's scores
    if sums.signs and (one_column or sums.least >= 0.0):
        return StreamedMean(mean, answers=streamed_answers(mean))
    return StreamedMean(mean, streamed_skewness(passes, mean))


def streamed_skewness(passes: StreamPasses, mean: ChunkedMean) -> Skewness:
    """Return the skewness of the mean, 0 for many scores; without clusters by a second pass."""
    sums = mean.sums
    if sums.n > MOST_ITEMS or not mean.error > 0.0:
        return Skewness()
    sum_of_squares = sums.variance * (sums.n - 1.0)
    if mean.cluster_sums is not None and mean.sizes is not None:
        return sums_skewness(mean.cluster_sums, mean.sizes, sum_of_squares)
    second = passes.second(sums)
    cubes = rounded_quotient(second.cubes, 1) / sum_of_squares**1.5
    # sixth powers are in units of 2^scale, so that they stay within the range of floats
    scaled_squares = math.ldexp(sum_of_squares, -2 * second.scale)
    sixths = rounded_quotient(second.sixths, 1) / scaled_squares**3
    return skewness_by_moments(cubes, sixths, sums.n)


def streamed_answers(mean: ChunkedMean) -> BoundedMean | LinkedAnswers:
    """Return the distribution of the differences -1, 0 and 1 for the score test of answers."""
    sums = mean.sums
    wins_minus_losses = rounded_quotient(sums.total, 1)
    n_differing = rounded_quotient(sums.squares, 1, 2)
    losses = (n_differing - wins_minus_losses) / 2.0
    wins = (n_differing + wins_minus_losses) / 2.0
    counts = np.array([losses, sums.n - n_differing, wins])
    occurs = counts > 0.0
    n = float(sums.n)
    if mean.sizes is None or mean.signs is None:
        return BoundedMean(np.array([-1.0, 0.0, 1.0])[occurs], counts[occurs] / n, 1.0, n)
    win_shares = (float(wins) / n, float(losses) / n)  # of the first and the second model
    accuracies = (1.0, 1.0) if len(sums.totals) == 1 else tuple(sums.means.tolist())
    moments = (sums.mean, mean.error, mean.df)
    return linked_answers(moments, win_shares, accuracies, mean.signs, cluster_layout(mean.sizes))


def streamed_test(streamed: StreamedMean, claim: Claim, method: str) -> Fields:
    """Return the fields of the test of differences in chunks, with its status."""
    mean, skewness, answers = streamed
    sums, error, df = mean.sums, mean.error, mean.df
    differs = sums.low != 0.0 or sums.high != 0.0
    if answers is not None and differs and claim.margin < 1.0:
        if isinstance(answers, LinkedAnswers):
            return linked_test(answers, error, claim)
        return bounded_test(answers, sums.mean, error, claim)
    title = STUDENT_TITLE if mean.sizes is None else CLUSTERED_TITLE
    if method != "t" and error > 0.0:
        skewed = SkewedMean(HallInterval(sums.mean, error, df, 0.0), skewness)
        if mean.cluster_sums is not None and mean.sizes is not None:
            skewed = skewed.with_failure_bound(failure_distances(sums), effective_items(mean))
        return skewed_test(skewed, claim, title)
    # the largest possible difference, as in `greatest_difference`
    most = sums.greatest - sums.least if answers is None or differs else 1.0
    if sums.greatest == sums.least:
        most = max(abs(sums.greatest), 1.0)
    most = most if not differs and most > claim.margin else math.inf
    bound = units_bound(float(sums.n), mean.sizes, most, "items")
    test = student_test(StudentEnds(sums.mean, error, df), claim, title, bound)
    return {**test, "status": streamed_mean_status(mean, claim.margin, "no_difference")}


def failure_distances(sums: FirstPassSums) -> tuple[float, float]:
    """Return how far one item can move the difference against the first and the second model."""
    low, high = sums.least, sums.greatest
    if len(sums.totals) == 1:
        return ItemScale((sums.mean, 0.0), min(low, 0.0), max(high, 0.0)).distances
    return ItemScale(tuple(sums.means.tolist()), low, high).distances


def effective_items(mean: ChunkedMean) -> float:
    """Return the effective number of items in clusters, by their intraclass correlation."""
    sums, sizes, cluster_sums = mean.sums, mean.sizes, mean.cluster_sums
    assert sizes is not None
    assert cluster_sums is not None
    sum_of_squares = sums.variance * (sums.n - 1.0)
    return float(effective_items_of_sums(cluster_sums, sizes, sum_of_squares, float(sums.n)))


def streamed_mean_status(mean: ChunkedMean, margin: float, without_variance: str) -> str:
    """Return the status word of a mean; `without_variance` if all differences are 0."""
    sums = mean.sums
    if mean.error == 0.0:
        if sums.low == sums.high == 0.0:
            return without_variance
        return unvaried_status(sums.mean, margin, without_variance)
    if math.isnan(mean.df):
        return "one_case" if mean.sizes is None or sums.n == 1 else "too_few_clusters"
    return cluster_status(mean.df, "small_sample" if mean.too_skewed else "ok")


def plain_mean_of_stream(mean: ChunkedMean) -> PlainMean:
    """Return the moments of differences of scores in chunks, as of plain arrays."""
    sums = mean.sums
    return PlainMean(
        n=sums.n,
        means=sums.means,
        estimate=sums.mean,
        standard_error=mean.error,
        df=mean.df,
        n_clusters=sums.n if mean.sizes is None else mean.sizes.size,
        total=sums.variance,
        clustered=mean.sizes is not None,
    )
