"""The paired t-test of losses that come in chunks, with the same bits for any chunks in any order.

A first pass adds up losses, differences and their squares without rounding (`kernels.sums`): means
and variances are fractions rounded once. A second one is made where it is needed. It takes the
deviations from the mean, rounded like those in memory, and adds up their cubes, or their sums over
clusters as whole numbers of 2^-81 of the greatest deviation. Where a class is rare, one more adds
up what its cases would change, and another one these jumps by clusters.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from .._base.types import Fields, Integers, Vector
from .._inference.clusters import (
    ClusterTotals,
    cluster_df,
    cluster_error,
    cluster_status,
    rarer_answer_icc,
)
from .._inference.exact import exact_squares, exact_sum, rounded_quotient
from .._inference.infer import infer_difference
from .._inference.means import ROUNDING as MEAN_ROUNDING
from .._inference.means import are_zero_or_one
from .._inference.pvalues import UNDEFINED
from .._inference.status import unvaried_status
from .._inputs.chunks.cases import ForecastReader, PairStream, Rows
from .._inputs.chunks.rows import NumberedChunk, check_coding, check_rows, check_unchanged
from .._inputs.options import Workers
from .._inputs.probabilities import Rule
from ..kernels.probabilities import LOPSIDED
from ..kernels.signed_ranks import ROUNDING
from ..paired._columns import Columns
from ._losses import (
    LossMoments,
    UnseenCaseVariance,
    case_losses,
    clustered_squares,
    hypothetical_losses,
    jumps_between,
    rare_classes,
    scaled_mean_jump,
)
from ._scoring_methods import Procedure, by_student

LIMB_BITS, N_LIMBS = 27, 3  # deviations are split into limbs, which are summed over clusters


class RowReader(Protocol):
    """A reader of parts of a stream, which yields checked numbers; picklable."""

    def read(self, part: NumberedChunk) -> Iterator[Rows]:
        """Yield the chunks of a part that hold any case, or raise with its number."""


@dataclass
class FirstPassSums:
    """Summary of the first pass over chunks: exact sums of losses and of differences d.

    `totals` are integer sums of each model's losses, `total` and `squares` of d and d^2 in units of
    `kernels.sums`; `low` and `high` are the range of d, `least` and `greatest` that of all losses,
    `largest` the greatest |loss|; `ones` counts labels of 1.
    """

    reader: RowReader
    n: int = 0
    n_dropped: int = 0
    ones: int = 0
    totals: tuple[int, ...] = ()
    total: int = 0
    squares: int = 0
    low: float = math.inf
    high: float = -math.inf
    largest: float = 0.0
    infinite: tuple[bool, ...] = ()
    label_values: frozenset[Any] = frozenset()
    signs: bool = True  # whether all numbers are -1, 0 or 1
    least: float = math.inf
    greatest: float = -math.inf

    def add(self, part: NumberedChunk) -> None:
        """Add the rows of a part."""
        for rows in self.reader.read(part):
            if not rows.d.size:
                self.n_dropped += rows.n_dropped
                continue
            ends = [(float(x.min()), float(x.max())) for x in rows.columns]
            columns, d = rows.columns, rows.d
            infinite = tuple(max(-low, high) == math.inf for low, high in ends)
            if any(infinite):
                finite = np.isfinite(d)
                columns, d = [np.where(np.isfinite(x), x, 0.0) for x in columns], d[finite]
            chunk_sums = FirstPassSums(
                self.reader, rows.d.size, rows.n_dropped, rows.ones, label_values=rows.classes
            )
            # infinite losses count as 0: `infinite` says that a model's mean is none of these
            chunk_sums.totals, chunk_sums.total = tuple(map(exact_sum, columns)), exact_sum(d)
            chunk_sums.squares, chunk_sums.infinite = exact_squares(d), infinite
            if d.size:
                chunk_sums.low, chunk_sums.high = float(d.min()), float(d.max())
            chunk_sums.largest = max(max(-low, high) for low, high in ends)
            chunk_sums.least, chunk_sums.greatest = (
                min(low for low, _ in ends),
                max(high for _, high in ends),
            )
            chunk_sums.signs = all(are_zero_or_one(np.abs(x)) for x in rows.columns)
            self.merge(chunk_sums)

    def merge(self, other: "FirstPassSums") -> None:
        """Add another summary's sums and ranges."""
        self.n += other.n
        self.n_dropped += other.n_dropped
        self.ones += other.ones
        if not self.totals:
            self.totals, self.infinite = other.totals, other.infinite
        elif other.totals:
            self.totals = tuple(x + y for x, y in zip(self.totals, other.totals, strict=True))
            both = zip(self.infinite, other.infinite, strict=True)
            self.infinite = tuple(x or y for x, y in both)
        self.total += other.total
        self.squares += other.squares
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        self.largest = max(self.largest, other.largest)
        self.label_values |= other.label_values
        self.least = min(self.least, other.least)
        self.greatest = max(self.greatest, other.greatest)
        self.signs = self.signs and other.signs

    @property
    def means(self) -> Vector:
        """The mean of each model; infinite if any of its numbers is."""
        pairs = zip(self.totals, self.infinite, strict=True)
        return np.array(
            [math.inf if inf else rounded_quotient(total, self.n) for total, inf in pairs]
        )

    @property
    def mean(self) -> float:
        """The mean difference."""
        return rounded_quotient(self.total, self.n)

    @property
    def variance(self) -> float:
        """The variance of a difference."""
        n = self.n
        return (
            rounded_quotient(n * self.squares - self.total**2, n * (n - 1), 2)
            if n > 1
            else math.nan
        )

    @property
    def error(self) -> float:
        """The standard error of the mean difference of independent cases."""
        n = self.n
        if n < 2:
            return math.nan
        return math.sqrt(rounded_quotient(n * self.squares - self.total**2, n * n * (n - 1), 2))

    @property
    def farthest(self) -> float:
        """The greatest deviation of a difference from the mean."""
        return max(self.high - self.mean, self.mean - self.low)


@dataclass
class Deviations:
    """Summary of the second pass: sums of cubes and sixth powers of deviations, or cluster sums.

    The mean is `centre` + `rounding`, the latter being what `centre` lacks. No deviation exceeds
    2^`scale`, the unit of sixth powers.
    """

    reader: RowReader
    centre: float
    rounding: float
    scale: int
    n: int = 0
    total: int = 0
    cubes: int = 0
    sixths: int = 0
    clusters: ClusterTotals = field(default_factory=lambda: ClusterTotals(3 + N_LIMBS))

    def add(self, part: NumberedChunk) -> None:
        """Add the deviations of a part."""
        for rows in self.reader.read(part):
            e = rows.d - self.centre - self.rounding
            self.n += e.size
            self.total += exact_sum(rows.d)
            if rows.groups is None:
                with np.errstate(under="ignore"):
                    self.cubes += exact_sum(e * e * e)
                    self.sixths += exact_sum(np.ldexp(e, -self.scale) ** 6)
            elif e.size:
                signs = (np.asarray(sign, np.float64) for sign in (rows.d > 0.0, rows.d < 0.0))
                self.clusters.add(rows.groups, (1, *signs, *split_limbs(e, self.scale)))

    def merge(self, other: "Deviations") -> None:
        """Add another summary's sums."""
        self.n += other.n
        self.total += other.total
        self.cubes += other.cubes
        self.sixths += other.sixths
        self.clusters.merge(other.clusters)

    def finalize(self) -> tuple[Vector, Integers, tuple[Integers, Integers]]:
        """Return the sums of deviations (G,) of the clusters, sorted by label, and their sizes.

        And the numbers of positive and of negative differences in each.
        """
        sizes, above, below, *limbs = self.clusters.finalize()
        return sums_of_limbs(limbs, self.scale), sizes, (above, below)


def sums_of_limbs(limbs: list[Integers], scale: int) -> Vector:
    """Return the numbers (G,) whose `split_limbs` add up to these sums, each rounded once."""
    carried = np.zeros_like(limbs[-1])
    sums = np.zeros(limbs[-1].size)
    for j in range(N_LIMBS - 1, -1, -1):  # from the limb of the lowest bits
        limb = limbs[j] + carried
        carried = limb >> LIMB_BITS if j else np.zeros_like(limb)  # the first limb keeps its excess
        sums = np.ldexp(sums, -LIMB_BITS) + (limb - (carried << LIMB_BITS))
    return np.ldexp(sums, scale - LIMB_BITS)


def split_limbs(e: Vector, scale: int) -> list[Vector]:
    """Return integers (3 arrays) whose multiples of 2^(scale - 27 j), j = 1, 2, 3, sum to e."""
    limbs = []
    remainder = np.ldexp(e, -scale)
    for _ in range(N_LIMBS):
        remainder = np.ldexp(remainder, LIMB_BITS)
        limb = np.rint(remainder)
        remainder -= limb
        limbs.append(limb)
    return limbs


class ChunkedMean(NamedTuple):
    """A mean difference of chunks: its sums, standard error and degrees of freedom.

    `too_skewed` says that independent cases are too few for so skewed differences. Of clusters
    there are `sizes`, `cluster_sums` of deviations from the mean, and `signs`, the numbers of
    positive and of negative differences.
    """

    sums: FirstPassSums
    error: float
    df: float
    too_skewed: bool = False
    sizes: Integers | None = None
    cluster_sums: Vector | None = None
    signs: tuple[Integers, Integers] | None = None


class StreamPasses(NamedTuple):
    """A stream of chunks with its reader and workers, and the passes that are made over it."""

    stream: PairStream
    reader: RowReader
    workers: Workers

    def first(self, name: str = "y_true") -> FirstPassSums:
        """Return the exact sums of all parts."""
        sums: FirstPassSums = self.stream.gather(partial(FirstPassSums, self.reader), self.workers)
        check_rows(sums.n, sums.n_dropped, name)
        return sums

    def second(self, sums: FirstPassSums) -> Deviations:
        """Return the sums of deviations from the mean, or raise if rows changed since `first`."""
        _, scale = math.frexp(sums.farthest)  # the power of 2 above it
        centre = sums.mean
        rounding = rounded_quotient(sums.total - sums.n * exact_sum(np.array([centre])), sums.n)
        empty = partial(Deviations, self.reader, centre, rounding, scale)
        deviations: Deviations = self.stream.gather(empty, self.workers)
        check_unchanged((deviations.n, deviations.total), (sums.n, sums.total))
        return deviations

    def mean(self, sums: FirstPassSums, error: float) -> ChunkedMean:
        """Return the mean with its standard error: `error`, of clusters CR2 by a second pass."""
        if self.stream.layout.grouped:
            cluster_sums, sizes, signs = self.second(sums).finalize()
            return ChunkedMean(
                sums,
                cluster_error(cluster_sums, sizes),
                cluster_df(sizes),
                sizes=sizes,
                cluster_sums=cluster_sums,
                signs=signs,
            )
        df = sums.n - 1.0 if sums.n > 1 else math.nan
        return ChunkedMean(sums, error, df, too_skewed=error > 0.0 and self.are_too_skewed(sums))

    def are_too_skewed(self, sums: FirstPassSums) -> bool:
        """Return whether |skewness| exceeds 0.2 sqrt(n).

        The sum of cubes is at most `farthest` times that of squares, so a second pass is seldom
        needed.
        """
        square = sums.variance * (sums.n - 1.0)
        limit = LOPSIDED * math.sqrt(square)
        if not sums.farthest > limit:
            return False
        return abs(rounded_quotient(self.second(sums).cubes, 1)) > square * limit


@dataclass(frozen=True)
class LossReader:
    """A reader of parts of a stream that yields losses and their differences; picklable."""

    forecasts: ForecastReader
    rule: Rule
    clip: float | None = None
    auto: bool = False  # method 'auto': with the variance of rare classes

    def read(self, part: NumberedChunk) -> Iterator[Rows]:
        """Yield the losses of a part; differences within their rounding are 0."""
        for labels, models, groups, n_dropped, label_values in self.forecasts.read(part):
            if not labels.size:
                yield Rows(models, np.empty(0), groups, n_dropped)
                continue
            losses = np.stack([case_losses(self.rule, labels, p, self.clip) for p in models])
            columns = Columns.of(losses, computed=True)
            d = columns.difference(0) if len(losses) > 1 else losses[0]
            ones = int(np.count_nonzero(labels))
            yield Rows(list(losses), d, groups, n_dropped, label_values, ones)


@dataclass
class TieCheck:
    """Summary of a pass that checks whether all differences are equal but for rounding.

    All must tie with the most precise one: `anchor` is (rounding error, value) of that, the least
    of such tuples, and all tie with any value between `low` and `high`.
    """

    reader: LossReader
    n: int = 0
    anchor: tuple[float, float] = (math.inf, 0.0)
    low: float = -math.inf
    high: float = math.inf

    def add(self, part: NumberedChunk) -> None:
        """Add the differences of a part."""
        for rows in self.reader.read(part):
            if rows.d.size:
                rounding = ROUNDING * np.maximum(*rows.columns)
                order = np.lexsort((rows.d, rounding))  # by rounding errors, then by values
                least = order[0]
                anchor = float(rounding[least]), float(rows.d[least])
                chunk = TieCheck(self.reader, rows.d.size, anchor)
                chunk.low = float((rows.d - rounding).max())
                chunk.high = float((rows.d + rounding).min())
                self.merge(chunk)

    def merge(self, other: "TieCheck") -> None:
        """Combine with another summary: the more precise anchor, the narrower range."""
        self.n += other.n
        self.anchor = min(self.anchor, other.anchor)
        self.low, self.high = max(self.low, other.low), min(self.high, other.high)

    def finalize(self, n: int) -> bool:
        """Return whether all n differences are equal but for rounding."""
        check_unchanged(self.n, n)
        _, most_precise = self.anchor
        return self.low <= most_precise <= self.high


@dataclass
class SurpriseSums:
    """Summary of a pass over what cases of rare classes would change, see `UnseenCaseVariance`.

    `sums` are those of the differences without rare classes, of jumps up and down, and of their
    squares; with the `scale` of jumps, `clusters` are the jumps' sums over clusters.
    """

    reader: LossReader
    sizes: Integers
    rare: list[int]
    scale: int | None = None
    n: int = 0
    sums: tuple[int, ...] = (0,) * 5
    largest: float = 0.0
    clusters: ClusterTotals = field(default_factory=lambda: ClusterTotals(2 + 2 * N_LIMBS))

    def add(self, part: NumberedChunk) -> None:
        """Add the jumps of a part."""
        rule, clip = self.reader.rule, self.reader.clip
        for chunk in self.reader.forecasts.read(part):
            if not chunk.labels.size:
                continue
            models, rare = chunk.models, self.rare
            base, changes = hypothetical_losses(rule, chunk.labels, models, clip, self.sizes, rare)
            up, down = jumps_between(changes, 0, 1)
            jumps = SurpriseSums(self.reader, self.sizes, self.rare, self.scale, up.size)
            jumps.largest = max(float(np.abs(x).max()) for x in (*base, up, down))
            if math.isfinite(jumps.largest):
                sums = (*map(exact_sum, (base[0] - base[1], up, down)),)
                jumps.sums = (*sums, exact_squares(up), exact_squares(down))
            self.merge(jumps)
            if self.scale is not None and chunk.groups is not None:
                is_rare = np.isin(chunk.labels, self.rare)
                limbs = (*split_limbs(up, self.scale), *split_limbs(down, self.scale))
                self.clusters.add(chunk.groups, (1, is_rare.astype(np.float64), *limbs))

    def merge(self, other: "SurpriseSums") -> None:
        """Add another summary's sums."""
        self.n += other.n
        self.sums = tuple(x + y for x, y in zip(self.sums, other.sums, strict=True))
        self.largest = max(self.largest, other.largest)
        self.clusters.merge(other.clusters)

    def case_variance(self) -> UnseenCaseVariance:
        """Return the variance of rare classes, of clusters if their sums were taken."""
        base, up, down, up_squares, down_squares = self.sums
        squares = [rounded_quotient(square, 1, 2) for square in (up_squares, down_squares)]
        if self.scale is not None:
            sizes, n_rare, *limbs = self.clusters.finalize()
            icc = rarer_answer_icc(n_rare, sizes)
            limbs_of_directions = limbs[:N_LIMBS], limbs[N_LIMBS:]  # of jumps up, and down
            for j, limbs_of_jumps in enumerate(limbs_of_directions):
                cluster_jumps = sums_of_limbs(limbs_of_jumps, self.scale)
                square = float(np.sort(cluster_jumps * cluster_jumps).sum())
                squares[j] = clustered_squares(squares[j], square, icc)
        rise, fall = (
            scaled_mean_jump(square, rounded_quotient(total, 1), self.sizes, self.rare)
            for square, total in zip(squares, (up, down), strict=True)
        )
        return UnseenCaseVariance(rounded_quotient(base, 1) / self.n, rise, fall)


def unseen_variance_of_stream(
    stream: PairStream, reader: LossReader, sums: FirstPassSums, workers: Workers
) -> UnseenCaseVariance | None:
    """Return the variance of rare classes, as `unseen_case_variance`, the same for any chunks."""
    sizes = np.array([sums.n - sums.ones, sums.ones])
    rare = rare_classes(sizes)
    if not reader.auto or not rare:
        return None
    empty = partial(SurpriseSums, reader, sizes, rare)
    surprises: SurpriseSums = stream.gather(empty, workers)
    check_unchanged(surprises.n, sums.n)
    if not math.isfinite(surprises.largest):
        return None
    if stream.layout.grouped:
        _, scale = math.frexp(surprises.largest)
        surprises = stream.gather(partial(empty, scale), workers)
        check_unchanged(surprises.n, sums.n)
    return surprises.case_variance()


def losses_of_stream(
    stream: PairStream, reader: LossReader, workers: Workers
) -> tuple[ChunkedMean, UnseenCaseVariance | None]:
    """Return the mean difference of losses, and the variance of rare classes or None.

    The standard error is NaN if a loss is infinite.
    """
    passes = StreamPasses(stream, reader, workers)
    sums = passes.first()
    check_coding(sums.label_values, reader.forecasts.pos_label)
    if any(sums.infinite):
        return ChunkedMean(sums, math.nan, sums.n - 1.0), None
    unseen = unseen_variance_of_stream(stream, reader, sums, workers)
    may_tie = sums.n > 1 and sums.high - sums.low <= 2.0 * ROUNDING * sums.largest
    if may_tie and stream.gather(partial(TieCheck, reader), workers).finalize(sums.n):
        return passes.mean(sums, error=0.0)._replace(error=0.0), unseen  # 0 also for clusters
    mean = passes.mean(sums, sums.error)
    if mean.sizes is None:
        return mean._replace(df=sums.n - 1.0), unseen  # 0, not NaN, for one case
    if mean.error <= MEAN_ROUNDING * max(-sums.low, sums.high):  # all cancels within clusters
        mean = mean._replace(error=0.0)
    return mean, unseen


def mean_difference(sums: FirstPassSums) -> float:
    """Return the mean difference; infinite if one model's losses are, NaN if both models' are."""
    if not any(sums.infinite):
        return sums.mean
    first, second = sums.means.tolist()
    return float(first - second) if first != second else math.nan


def streamed_status(mean: ChunkedMean, unseen: UnseenCaseVariance | None, margin: float) -> str:
    """Return the status word of the t-test, as `loss_status` does of losses in memory."""
    sums, error = mean.sums, mean.error
    if any(sums.infinite):
        return "infinite_loss"
    if sums.n == 1:
        return "one_case"
    if sums.low == sums.high == 0.0:
        return "no_difference"
    if error == 0.0 and not (unseen and unseen.error(0.0, error) > 0.0):
        return unvaried_status(sums.mean, margin, "no_difference")
    if mean.sizes is not None:
        return cluster_status(mean.df)
    return "small_sample" if mean.too_skewed and unseen is None else "ok"


def by_student_of_stream(
    mean: ChunkedMean, unseen: UnseenCaseVariance | None, procedure: Procedure
) -> Fields:
    """Return the fields of the paired t-test, NaN but for the estimate if a loss is infinite."""
    estimate = mean_difference(mean.sums)
    if any(mean.sums.infinite):
        nothing = infer_difference(estimate, math.nan, math.nan, UNDEFINED, *procedure.claim)
        return Fields(**nothing, method="undefined", _tails=None)
    moments = LossMoments(mean.sums.n, estimate, mean.error, mean.df, mean.sizes, unseen)
    return by_student(moments, procedure)
