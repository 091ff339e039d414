"""Losses of cases that come in chunks, and the paired t-test of them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from ..._base.types import Integers
from ..._inference.clusters import cluster_status
from ..._inference.infer import inferred
from ..._inference.item_means import ROUNDING as WIDE
from ..._inference.pvalues import UNDEFINED
from ..._inference.status import unvaried_status
from ..._inference.unvaried import Unvaried, as_equal
from ..._inputs.chunks import Part, check_coding, check_unchanged
from ..._inputs.forecast_chunks import ForecastReader
from ..._inputs.item_chunks import Rows
from ..._inputs.pair_chunks import PairStream
from ..._inputs.probabilities import Rule
from ..._inputs.workers import Workers
from ...kernels.ties import ROUNDING
from ..paired.columns import Columns
from .chunked import ChunkedMean, Passes, Sums
from .losses import case_losses
from .scoring_methods import Details, LossTest, Procedure, by_student


class StreamedLosses(NamedTuple):
    """The mean of n differences and its standard error; sizes are those of clusters."""

    n: int
    estimate: float
    standard_error: float
    df: float
    sizes: Integers | None = None

    def unvaried(self, most: float) -> Unvaried:
        """Return the bound by cases, or clusters, that do not vary."""
        if self.sizes is None:
            return Unvaried(self.n, most)
        return Unvaried(as_equal(self.sizes), most, "clusters")


@dataclass(frozen=True)
class LossReader:
    """What turns a part into losses and their differences; picklable if the rule is."""

    forecasts: ForecastReader
    rule: Rule
    clip: float | None = None

    def read(self, part: Part) -> Iterator[Rows]:
        """Yield the losses of a part; differences within their rounding are 0."""
        for labels, models, groups, n_dropped, found in self.forecasts.read(part):
            if not labels.size:
                yield Rows(models, np.empty(0), groups, n_dropped)
                continue
            losses = np.stack([case_losses(self.rule, labels, p, self.clip) for p in models])
            columns = Columns.of(losses, computed=True)
            d = columns.difference(0) if len(losses) > 1 else losses[0]
            yield Rows(list(losses), d, groups, n_dropped, found)


@dataclass
class Tied:
    """The summary of a pass that looks whether differences vary by more than their rounding.

    All must tie with the most precise one: `anchor` is its room and itself, `low` and `high` are
    between which number all others allow for it.
    """

    reader: LossReader
    n: int = 0
    anchor: tuple[float, float] = (math.inf, 0.0)
    low: float = -math.inf
    high: float = math.inf

    def add(self, part: Part) -> None:
        """Take in the losses of a part."""
        for rows in self.reader.read(part):
            if rows.d.size:
                room = ROUNDING * np.maximum(*rows.columns)
                first = np.lexsort((rows.d, room))[0]
                own = Tied(self.reader, rows.d.size, (float(room[first]), float(rows.d[first])))
                own.low, own.high = float((rows.d - room).max()), float((rows.d + room).min())
                self.merge(own)

    def merge(self, other: "Tied") -> None:
        """Add what another summary has found."""
        self.n += other.n
        self.anchor = min(self.anchor, other.anchor)
        self.low, self.high = max(self.low, other.low), min(self.high, other.high)

    def finalize(self, n: int) -> bool:
        """Say whether n differences are all the same but for rounding."""
        check_unchanged(self.n, n)
        return self.low <= self.anchor[1] <= self.high


def losses_of_stream(stream: PairStream, reader: LossReader, workers: Workers) -> ChunkedMean:
    """Return the mean difference of losses, whose error is NaN where one is infinite."""
    passes = Passes(stream, reader, workers)
    sums = passes.first()
    check_coding(sums.found, reader.forecasts.pos_label)
    if any(sums.infinite):
        return ChunkedMean(sums, math.nan, sums.n - 1.0)
    close = sums.n > 1 and sums.high - sums.low <= 2.0 * ROUNDING * sums.largest
    if close and stream.gather(partial(Tied, reader), workers).finalize(sums.n):
        return passes.mean(sums, 0.0)._replace(error=0.0)
    found = passes.mean(sums, sums.error)
    if found.sizes is None:
        return found._replace(df=sums.n - 1.0)
    if found.error <= WIDE * max(-sums.low, sums.high):  # what cancels within clusters
        found = found._replace(error=0.0)
    return found


def mean_difference(sums: Sums) -> float:
    """Return the mean difference: infinite, or NaN, where losses are."""
    if not any(sums.infinite):
        return sums.mean
    one, other = sums.means.tolist()
    return float(one - other) if one != other else math.nan


def streamed_status(found: ChunkedMean, margin: float) -> str:
    """Return the status word of the t-test, as `loss_status` does."""
    sums, error, df, lopsided, sizes, _ = found
    if any(sums.infinite):
        return "infinite_loss"
    if sums.n == 1:
        return "one_case"
    if sums.low == sums.high == 0.0:
        return "no_difference"
    if error == 0.0:
        return unvaried_status(sums.mean, margin, "no_difference")
    return cluster_status(df) if sizes is not None else "small_sample" if lopsided else "ok"


def by_student_of_stream(found: ChunkedMean, procedure: Procedure) -> LossTest:
    """Return the paired t-test, nothing but the estimate where a loss is infinite."""
    estimate = mean_difference(found.sums)
    if any(found.sums.infinite):
        nothing = inferred(estimate, math.nan, math.nan, UNDEFINED, *procedure.claim)
        return LossTest(nothing, Details(method="undefined", _tails=None))
    moments = StreamedLosses(found.sums.n, estimate, found.error, found.df, found.sizes)
    return by_student(moments, procedure)
