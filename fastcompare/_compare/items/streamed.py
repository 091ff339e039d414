"""The test of scores that come in chunks."""

import math
from typing import NamedTuple

import numpy as np

from ..._inference.bounded import BoundedMean
from ..._inference.clusters import cluster_status
from ..._inference.exact_sums import rounded
from ..._inference.infer import infer
from ..._inference.item_means import ROUNDING
from ..._inference.skewness import MOST, sums_skewness, told_skewness
from ..._inference.status import unvaried_status
from ..._inference.unvaried import Unvaried, as_equal
from ..._inputs.item_chunks import ItemReader
from ..._inputs.item_ranges import check_size
from ..._inputs.pair_chunks import PairStream
from ..._inputs.workers import Workers
from ..._resampling.bootstrap import Claim
from ..probabilities.chunked import ChunkedMean, Passes
from .automatic import SkewedEnds, bounded_test, skewed_test, worth
from .methods import CLUSTERED, STUDENT, MeanTest, student_details
from .plain import PlainMean


class StreamedMean(NamedTuple):
    """A mean of scores in chunks, its skewness, and where these are answers their score test."""

    mean: ChunkedMean
    skewness: float = 0.0
    bounded: BoundedMean | None = None


def mean_of_stream(
    stream: PairStream, nan_policy: str, workers: Workers, method: str
) -> StreamedMean:
    """Return the mean difference of scores, or of one model's; an error within rounding is 0."""
    passes = Passes(stream, ItemReader(stream.layout, nan_policy), workers)
    sums = passes.first(stream.layout.parameters[0])
    check_size(sums.largest)
    found = passes.mean(sums, sums.error)
    if found.error <= ROUNDING * sums.largest:
        found = found._replace(error=0.0, lopsided=False)
    if method == "t" or math.isnan(found.df):
        return StreamedMean(found)
    alone = len(sums.totals) == 1  # differences, or one model's scores
    if sums.signs and (alone or sums.least >= 0.0):
        return StreamedMean(found, bounded=streamed_answers(found))
    return StreamedMean(found, streamed_skewness(passes, found))


def streamed_skewness(passes: Passes, found: ChunkedMean) -> float:
    """Return the skewness of a mean of few enough scores, which takes a second pass."""
    sums, error, df, _, sizes, own = found
    if sums.n > MOST or not error > 0.0:
        return 0.0
    if own is not None and sizes is not None:
        return sums_skewness(own, sizes, df)
    square = sums.variance * (sums.n - 1.0)
    return float(told_skewness(rounded(passes.second(sums).cubes, 1) / square**1.5, df))


def streamed_answers(found: ChunkedMean) -> BoundedMean:
    """Return the differences -1, 0 and 1 as the score test takes them."""
    sums, error, df, _, sizes, _ = found
    gain, apart = rounded(sums.total, 1), rounded(sums.squares, 1, 2)
    counts = np.array([(apart - gain) / 2.0, sums.n - apart, (apart + gain) / 2.0])
    there = counts > 0.0
    values, shares = np.array([-1.0, 0.0, 1.0])[there], counts[there] / sums.n
    n = float(sums.n)
    if sizes is None:
        return BoundedMean(values, shares, 1.0, n)
    return BoundedMean(values, shares, 1.0, worth(values, shares, n, error), df)


def streamed_test(found: StreamedMean, claim: Claim, method: str) -> MeanTest:
    """Return the test of differences in chunks, with its status."""
    mean, skewness, bounded = found
    sums, error, df, _, sizes, _ = mean
    apart = sums.low != 0.0 or sums.high != 0.0
    if bounded is not None and apart and claim.margin < bounded.most:
        return bounded_test(bounded, sums.mean, error, claim, df)
    title = STUDENT if sizes is None else CLUSTERED
    if method != "t" and error > 0.0:
        return skewed_test(SkewedEnds(sums.mean, error, df, skewness), claim, title)
    most = sums.greatest - sums.least if bounded is None or apart else bounded.most
    units = unvaried_units(mean)._replace(
        most=most if not apart and most > claim.margin else math.inf
    )
    inference = infer(sums.mean, error, *claim, df=df, unvaried=units)
    details = student_details(sums.mean, error, df, title)
    details["status"] = mean_word(mean, claim.margin, "no_difference")
    return inference, details


def mean_word(found: ChunkedMean, margin: float, alike: str) -> str:
    """Return the status word of a mean; `alike` where all differences are 0."""
    sums, error, df, lopsided, sizes, _ = found
    if error == 0.0:
        if sums.low == sums.high == 0.0:
            return alike
        return unvaried_status(sums.mean, margin, alike)
    if math.isnan(df):
        return "one_case" if sizes is None or sums.n == 1 else "too_few_clusters"
    return cluster_status(df, "small_sample" if lopsided else "ok")


def unvaried_units(found: ChunkedMean) -> Unvaried:
    """Return the bound by independent units whose differences do not vary."""
    if found.sizes is None:
        return Unvaried(float(found.sums.n), math.inf, "items")
    return Unvaried(as_equal(found.sizes), math.inf, "clusters")


def plain_of_stream(found: ChunkedMean) -> PlainMean:
    """Return the moments of scores in chunks."""
    sums, error, df, _, sizes, _ = found
    clusters = sums.n if sizes is None else sizes.size
    moments = (sums.n, sums.means, sums.mean, error, df, clusters, sums.variance)
    return PlainMean(*moments, sizes is not None)
