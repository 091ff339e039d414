"""The paired t-test of scores that come in chunks."""

import math
from typing import Any

from ..._inference.clusters import cluster_status
from ..._inference.item_means import ROUNDING
from ..._inference.status import unvaried_status
from ..._inference.unvaried import Unvaried, as_equal
from ..._inputs.item_chunks import ItemReader
from ..._inputs.item_ranges import check_size
from ..._inputs.pair_chunks import PairStream
from ..._inputs.scores import UNNAMED
from ..._inputs.workers import Workers
from ..probabilities.chunked import ChunkedMean, Passes
from .plain import PlainMean


def mean_of_stream(stream: PairStream, nan_policy: str, workers: Workers) -> ChunkedMean:
    """Return the mean difference of scores, or of one model's; an error within rounding is 0."""
    passes = Passes(stream, ItemReader(stream.layout, nan_policy), workers)
    sums = passes.first(stream.layout.parameters[0])
    check_size(sums.largest)
    found = passes.mean(sums, sums.error)
    rough = found.error <= ROUNDING * sums.largest
    return found._replace(error=0.0, lopsided=False) if rough else found


def mean_word(found: ChunkedMean, margin: float, alike: str) -> str:
    """Return the status word of a mean; `alike` where all differences are 0."""
    sums, error, df, lopsided, sizes = found
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


def plain_of_stream(
    stream: PairStream, found: ChunkedMean, margin: float
) -> tuple[PlainMean, dict[str, Any]]:
    """Return the moments of scores in chunks, and the other fields of their result."""
    sums, error, df, _, sizes = found
    clusters = sums.n if sizes is None else sizes.size
    plain = PlainMean(sums.n, sums.means, sums.mean, error, df, clusters, sums.variance)
    known = {
        "names": stream.names,
        "n_dropped": sums.n_dropped,
        "status": mean_word(found, margin, "no_difference"),
        "unvaried": unvaried_units(found),
    }
    if len(stream.names) == 1:  # differences do not tell the means
        known |= {"means": None, "names": UNNAMED}
    return plain, known
