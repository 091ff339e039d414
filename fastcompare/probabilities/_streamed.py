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
    togetherness,
)
from .._inference.exact import exact_squares, exact_sum, rounded_quotient
from .._inference.infer import infer_difference
from .._inference.means import ROUNDING as WIDE
from .._inference.means import are_answers
from .._inference.pvalues import UNDEFINED
from .._inference.status import unvaried_status
from .._inputs.chunks.cases import ForecastReader, PairStream, Rows
from .._inputs.chunks.rows import Part, check_coding, check_rows, check_unchanged
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
    typical,
)
from ._scoring_methods import Procedure, by_student

LIMB, LIMBS = 27, 3  # bits of a deviation that a column of sums over clusters gets


class RowReader(Protocol):
    """What turns a part into checked numbers; picklable."""

    def read(self, part: Part) -> Iterator[Rows]:
        """Yield the chunks of a part that hold any case, or raise with its number."""


@dataclass
class Sums:
    """The summary of the first pass: exact sums, and the ends of differences and of sizes."""

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

    def add(self, part: Part) -> None:
        """Take in the rows of a part."""
        for rows in self.reader.read(part):
            if not rows.d.size:
                self.n_dropped += rows.n_dropped
                continue
            ends = [(float(x.min()), float(x.max())) for x in rows.columns]
            columns, d = rows.columns, rows.d
            infinite = tuple(max(-low, high) == math.inf for low, high in ends)
            if any(infinite):
                there = np.isfinite(d)
                columns, d = [np.where(np.isfinite(x), x, 0.0) for x in columns], d[there]
            chunk_sums = Sums(
                self.reader, rows.d.size, rows.n_dropped, rows.ones, label_values=rows.classes
            )
            chunk_sums.totals, chunk_sums.total = tuple(map(exact_sum, columns)), exact_sum(d)
            chunk_sums.squares, chunk_sums.infinite = exact_squares(d), infinite
            if d.size:
                chunk_sums.low, chunk_sums.high = float(d.min()), float(d.max())
            chunk_sums.largest = max(max(-low, high) for low, high in ends)
            chunk_sums.least, chunk_sums.greatest = (
                min(low for low, _ in ends),
                max(high for _, high in ends),
            )
            chunk_sums.signs = all(are_answers(np.abs(x)) for x in rows.columns)
            self.merge(chunk_sums)

    def merge(self, other: "Sums") -> None:
        """Add what another summary has found."""
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
        """The greatest deviation from the mean."""
        return max(self.high - self.mean, self.mean - self.low)


@dataclass
class Deviations:
    """The summary of the second pass: sums of cubes and of sixth powers, or sums over clusters.

    The mean is `centre` and, beyond its last bit, `rest`. `scale` is a power of two that no
    deviation from it is beyond, and the unit of sixth powers.
    """

    reader: RowReader
    centre: float
    rest: float
    scale: int
    n: int = 0
    total: int = 0
    cubes: int = 0
    sixths: int = 0
    clusters: ClusterTotals = field(default_factory=lambda: ClusterTotals(3 + LIMBS))

    def add(self, part: Part) -> None:
        """Take in the rows of a part."""
        for rows in self.reader.read(part):
            e = rows.d - self.centre - self.rest
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
        """Add what another summary has found."""
        self.n += other.n
        self.total += other.total
        self.cubes += other.cubes
        self.sixths += other.sixths
        self.clusters.merge(other.clusters)

    def finalize(self) -> tuple[Vector, Integers, tuple[Integers, Integers]]:
        """Return the sums of deviations and the sizes of the clusters, by their labels' order.

        And how many differences in each are positive, and how many negative.
        """
        sizes, above, below, *limbs = self.clusters.finalize()
        return sums_of_limbs(limbs, self.scale), sizes, (above, below)


def sums_of_limbs(limbs: list[Integers], scale: int) -> Vector:
    """Return the numbers whose `split_limbs` add up to these, each rounded once."""
    carried = limbs[-1]
    sums = np.zeros(limbs[-1].size)
    for j in range(LIMBS - 1, -1, -1):
        limb = limbs[j] if j == LIMBS - 1 else limbs[j] + carried
        carried = limb >> LIMB if j else np.zeros_like(limb)
        sums = np.ldexp(sums, -LIMB) + (limb - (carried << LIMB))
    return np.ldexp(sums, scale - LIMB)


def split_limbs(e: Vector, scale: int) -> list[Vector]:
    """Return whole numbers whose multiples of 2^(scale - 27), 2^(scale - 54) ... add up to e."""
    limbs = []
    rest = np.ldexp(e, -scale)
    for _ in range(LIMBS):
        rest = np.ldexp(rest, LIMB)
        limb = np.rint(rest)
        rest -= limb
        limbs.append(limb)
    return limbs


class ChunkedMean(NamedTuple):
    """A mean difference: its standard error, degrees of freedom, and what the passes found.

    `lopsided` says that independent cases are too few for so skewed differences; sizes are those of
    clusters, `cluster_sums` their sums of deviations, `signs` their numbers of positive and of
    negative differences.
    """

    sums: Sums
    error: float
    df: float
    lopsided: bool = False
    sizes: Integers | None = None
    cluster_sums: Vector | None = None
    signs: tuple[Integers, Integers] | None = None


class Passes(NamedTuple):
    """The passes over a stream: what reads it, and who."""

    stream: PairStream
    reader: RowReader
    workers: Workers

    def first(self, name: str = "y_true") -> Sums:
        """Return the exact sums of all parts."""
        sums: Sums = self.stream.gather(partial(Sums, self.reader), self.workers)
        check_rows(sums.n, sums.n_dropped, name)
        return sums

    def second(self, sums: Sums) -> Deviations:
        """Return sums of deviations from the mean; rows must be those of the first pass."""
        scale = math.frexp(sums.farthest)[1]
        centre = sums.mean
        rest = rounded_quotient(sums.total - sums.n * exact_sum(np.array([centre])), sums.n)
        empty = partial(Deviations, self.reader, centre, rest, scale)
        deviations: Deviations = self.stream.gather(empty, self.workers)
        check_unchanged((deviations.n, deviations.total), (sums.n, sums.total))
        return deviations

    def mean(self, sums: Sums, error: float) -> ChunkedMean:
        """Return the mean of cases whose standard error is this one, were they independent."""
        if self.stream.layout.grouped:
            cluster_sums, sizes, signs = self.second(sums).finalize()
            error = cluster_error(cluster_sums, sizes)
            df = cluster_df(sizes)
            return ChunkedMean(sums, error, df, False, sizes, cluster_sums, signs)
        df = sums.n - 1.0 if sums.n > 1 else math.nan
        return ChunkedMean(sums, error, df, error > 0.0 and self.are_lopsided(sums))

    def are_lopsided(self, sums: Sums) -> bool:
        """Say whether |skewness| is above 0.2 sqrt(n), which few extreme differences decide."""
        square = sums.variance * (sums.n - 1.0)
        limit = LOPSIDED * math.sqrt(square)
        if not sums.farthest > limit:
            return False
        return abs(rounded_quotient(self.second(sums).cubes, 1)) > square * limit


@dataclass(frozen=True)
class LossReader:
    """What turns a part into losses and their differences; picklable if the rule is."""

    forecasts: ForecastReader
    rule: Rule
    clip: float | None = None
    auto: bool = False  # whether what is unseen counts

    def read(self, part: Part) -> Iterator[Rows]:
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
                chunk = Tied(self.reader, rows.d.size, (float(room[first]), float(rows.d[first])))
                chunk.low, chunk.high = float((rows.d - room).max()), float((rows.d + room).min())
                self.merge(chunk)

    def merge(self, other: "Tied") -> None:
        """Add what another summary has found."""
        self.n += other.n
        self.anchor = min(self.anchor, other.anchor)
        self.low, self.high = max(self.low, other.low), min(self.high, other.high)

    def finalize(self, n: int) -> bool:
        """Say whether n differences are all the same but for rounding."""
        check_unchanged(self.n, n)
        return self.low <= self.anchor[1] <= self.high


@dataclass
class Surprises:
    """The summary of a pass that adds up what cases of a rare class would change.

    `sums` are of the differences without the class, of jumps up and down and of their squares;
    given the `scale` of jumps, `clusters` are their sums over clusters.
    """

    reader: LossReader
    sizes: Integers
    rare: list[int]
    scale: int | None = None
    n: int = 0
    sums: tuple[int, ...] = (0,) * 5
    largest: float = 0.0
    clusters: ClusterTotals = field(default_factory=lambda: ClusterTotals(2 + 2 * LIMBS))

    def add(self, part: Part) -> None:
        """Take in the rows of a part."""
        rule, clip = self.reader.rule, self.reader.clip
        for chunk in self.reader.forecasts.read(part):
            if not chunk.labels.size:
                continue
            models, rare = chunk.models, self.rare
            base, others = hypothetical_losses(rule, chunk.labels, models, clip, self.sizes, rare)
            up, down = jumps_between(others, 0, 1)
            jumps = Surprises(self.reader, self.sizes, self.rare, self.scale, up.size)
            jumps.largest = max(float(np.abs(x).max()) for x in (*base, up, down))
            if math.isfinite(jumps.largest):
                sums = (*map(exact_sum, (base[0] - base[1], up, down)),)
                jumps.sums = (*sums, exact_squares(up), exact_squares(down))
            self.merge(jumps)
            if self.scale is not None and chunk.groups is not None:
                odd = np.isin(chunk.labels, self.rare)
                limbs = (*split_limbs(up, self.scale), *split_limbs(down, self.scale))
                self.clusters.add(chunk.groups, (1, odd.astype(np.float64), *limbs))

    def merge(self, other: "Surprises") -> None:
        """Add what another summary has found."""
        self.n += other.n
        self.sums = tuple(x + y for x, y in zip(self.sums, other.sums, strict=True))
        self.largest = max(self.largest, other.largest)
        self.clusters.merge(other.clusters)

    def case_variance(self) -> UnseenCaseVariance:
        """Return N and the jumps, of clusters if their sums were taken."""
        base, *totals = (rounded_quotient(each, 1) for each in self.sums[:3])
        squares = [rounded_quotient(each, 1, 2) for each in self.sums[3:]]
        if self.scale is not None:
            sizes, odd, *limbs = self.clusters.finalize()
            icc = togetherness(odd, sizes)
            for j in range(2):
                cluster_jumps = sums_of_limbs(limbs[LIMBS * j : LIMBS * (j + 1)], self.scale)
                square = float(np.sort(cluster_jumps * cluster_jumps).sum())
                squares[j] = clustered_squares(squares[j], square, icc)
        pairs = zip(squares, totals, strict=True)
        rise, fall = (typical(*each, self.sizes, self.rare) for each in pairs)
        return UnseenCaseVariance(base / self.n, rise, fall)


def unseen_variance_of_stream(
    stream: PairStream, reader: LossReader, sums: Sums, workers: Workers
) -> UnseenCaseVariance | None:
    """Return the jumps of unseen cases, with the bits of `unseen_case_variance` for any chunks."""
    sizes = np.array([sums.n - sums.ones, sums.ones])
    rare = rare_classes(sizes)
    if not reader.auto or not rare:
        return None
    empty = partial(Surprises, reader, sizes, rare)
    surprises: Surprises = stream.gather(empty, workers)
    check_unchanged(surprises.n, sums.n)
    if not math.isfinite(surprises.largest):
        return None
    if stream.layout.grouped:
        surprises = stream.gather(partial(empty, math.frexp(surprises.largest)[1]), workers)
        check_unchanged(surprises.n, sums.n)
    return surprises.case_variance()


def losses_of_stream(
    stream: PairStream, reader: LossReader, workers: Workers
) -> tuple[ChunkedMean, UnseenCaseVariance | None]:
    """Return the mean difference of losses, whose error is NaN where one is infinite.

    And what cases of a rare class would change.
    """
    passes = Passes(stream, reader, workers)
    sums = passes.first()
    check_coding(sums.label_values, reader.forecasts.pos_label)
    if any(sums.infinite):
        return ChunkedMean(sums, math.nan, sums.n - 1.0), None
    unseen = unseen_variance_of_stream(stream, reader, sums, workers)
    close = sums.n > 1 and sums.high - sums.low <= 2.0 * ROUNDING * sums.largest
    if close and stream.gather(partial(Tied, reader), workers).finalize(sums.n):
        return passes.mean(sums, 0.0)._replace(error=0.0), unseen
    mean = passes.mean(sums, sums.error)
    if mean.sizes is None:
        return mean._replace(df=sums.n - 1.0), unseen
    if mean.error <= WIDE * max(-sums.low, sums.high):  # what cancels within clusters
        mean = mean._replace(error=0.0)
    return mean, unseen


def mean_difference(sums: Sums) -> float:
    """Return the mean difference: infinite, or NaN, where losses are."""
    if not any(sums.infinite):
        return sums.mean
    one, other = sums.means.tolist()
    return float(one - other) if one != other else math.nan


def streamed_status(mean: ChunkedMean, unseen: UnseenCaseVariance | None, margin: float) -> str:
    """Return the status word of the t-test, as `loss_status` does."""
    sums, error, df, lopsided, sizes, *_ = mean
    if any(sums.infinite):
        return "infinite_loss"
    if sums.n == 1:
        return "one_case"
    if sums.low == sums.high == 0.0:
        return "no_difference"
    if error == 0.0 and not (unseen and unseen.error(0.0, error) > 0.0):
        return unvaried_status(sums.mean, margin, "no_difference")
    if sizes is not None:
        return cluster_status(df)
    return "small_sample" if lopsided and unseen is None else "ok"


def by_student_of_stream(
    mean: ChunkedMean, unseen: UnseenCaseVariance | None, procedure: Procedure
) -> Fields:
    """Return the paired t-test, nothing but the estimate where a loss is infinite."""
    estimate = mean_difference(mean.sums)
    if any(mean.sums.infinite):
        nothing = infer_difference(estimate, math.nan, math.nan, UNDEFINED, *procedure.claim)
        return Fields(**nothing, method="undefined", _tails=None)
    sums, error, df, _, sizes, *_ = mean
    return by_student(LossMoments(sums.n, estimate, error, df, sizes, unseen), procedure)
