"""DeLong's moments of AUCs of cases that come in chunks, whatever the chunks are.

In the letters of DeLong et al. (1988): m positives X, n negatives Y, components V10 and V01, and D
= V10_a - V10_b (V01 likewise) for a difference of two models. Its variance is the squared length of
a vector, C being the centring of each class:

    SE^2 = |C D_x|^2 / (m (m - 1)) + |C D_y|^2 / (n (n - 1))

The AUCs are exact, for cells of several values are put in order (`_stream_cells`). The components
of a row, however, are read off its cells. They stray from the true ones by e_a and e_b, of lengths
that are known from that order: |e|^2 = R / 4n^2 over the positives, R / 4m^2 over the negatives. As
centring lengthens nothing, |C D' - C D| <= |e_a| + |e_b| for each class, and by the triangle
inequality in the space of both classes

    |SE' - SE|^2 <= (|e_ax| + |e_bx|)^2 / (m (m - 1)) + (|e_ay| + |e_by|)^2 / (n (n - 1))

All sums are whole numbers, so SE' is rounded twice: by the division and by the root. The bound
adds 2^-51 SE' for these, and as much of itself. Where every cell has one value it is 0: the bits
are those of the test in memory. Variances of single AUCs are exact, and so are the diagonal of the
covariance and, for two models that give every case the same score, all of it.

A pass counts the rows of every part and the scores in cells. Later passes store the scores of some
cells each: between two edges all scores fit into memory, so they can be sorted. Ties are never
divided. A row's number is its place among those that are not left out, whatever part it came in.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import S, map_threads
from .._base.types import AnyArray, Vector
from .._inputs.chunks.rows import (
    NumberedChunk,
    Reader,
    Stream,
    check_rows,
    check_unchanged,
    share_memory,
)
from .._inputs.weights import check_countable
from ..kernels.summaries import LIMB, sum_placement_differences
from ._components import denominator, index_pairs
from ._stream_cells import (
    CellCounts,
    CellIndex,
    Keys,
    ModelCells,
    PlacementSums,
    StoragePlan,
    StoredScores,
    add_cell_sums,
    cell_numbers,
    cell_placements,
    exact_dot,
    exact_placement_sums,
    index_edges,
    ordered_keys,
    row_blocks,
    storage_passes,
)


class DifferenceSums(NamedTuple):
    """Sums over (positives, negatives) of differences d of two models' placements.

    `sums` are of d, `squares` of d^2, `gains` of the d above 0; `near` counts the cases with |d|
    near 0. `identical` says that both models give every case the same score.
    """

    sums: tuple[int, int]
    squares: tuple[int, int]
    gains: tuple[int, int]
    near: tuple[int, int]
    identical: bool


@dataclass
class PairwiseSums:
    """The summary of a pass that sums differences of all pairs of models, and stores scores.

    `placed` (cells, 2) are the placements by cells of each model, `near` the largest sizes of
    differences that count as near 0, for (negatives, positives). `totals` are the sums that
    `sum_placement_differences` returns, `sizes` the numbers of negatives and positives.
    """

    placed: Sequence[NDArray[np.int64]]
    near: NDArray[np.int64]
    stored_scores: StoredScores
    totals: AnyArray  # (pairs, 2, 6), Python's integers
    identical: list[bool]
    sizes: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, np.int64))

    @classmethod
    def empty(
        cls,
        reader: Reader,
        indexes: Sequence[CellIndex | None],
        models: Sequence[ModelCells],
        plans: Sequence[StoragePlan],
        near_proportion: float,
    ) -> "PairwiseSums":
        """Return the summary of no rows.

        A difference of placements counts as near 0 up to `near_proportion` of the other class.
        """
        pairs = len(index_pairs(len(models)))
        negatives, positives = models[0].counts.sum(axis=0)  # of every model: the cases are shared
        other_class = np.array((positives, negatives))
        limits = np.floor(2.0 * near_proportion * other_class)  # placements count cases twice
        return cls(
            placed=[cell_placements(model) for model in models],
            near=limits.astype(np.int64),
            stored_scores=StoredScores.empty(reader, indexes, plans),
            totals=np.zeros((pairs, 2, 6), object),
            identical=[True] * pairs,
        )

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without `placed`, which `merge` does not read."""
        return self.__dict__ | {"placed": ()}

    def add(self, part: NumberedChunk) -> None:
        """Add the cases of a part of the stream."""
        for chunk in self.stored_scores.reader.read(part):
            for rows in row_blocks(chunk.labels.size):
                self.add_rows(chunk.labels[rows], [scores[rows] for scores in chunk.scores])

    def add_rows(self, labels: NDArray[np.uint8], scores: Sequence[Vector]) -> None:
        """Add the cases of a block."""
        stored_scores = self.stored_scores
        keys = []
        cells = []
        m = np.count_nonzero(labels.view(np.bool_))
        self.sizes += (labels.size - m, m)
        for j, index in enumerate(stored_scores.indexes):
            keys.append(ordered_keys(scores[j])[0])
            cells.append(cell_numbers(keys[j], index))
            stored_scores.store(j, keys[j], cells[j], labels)
        for pair, (i, j) in enumerate(index_pairs(len(cells))):
            self.identical[pair] &= bool(np.array_equal(keys[i], keys[j]))
            self.add_pair(pair, cells[i], cells[j], labels, self.placed[i], self.placed[j])

    def add_pair(
        self, pair: int, cells_a: Any, cells_b: Any, labels: Any, placed_a: Any, placed_b: Any
    ) -> None:
        """Add a block's differences of placements of two models, given the cells of its cases."""
        sums = np.zeros((2, 6), np.int64)
        sum_placement_differences(cells_a, cells_b, labels, placed_a, placed_b, self.near, sums)
        self.totals[pair] += sums.astype(object)

    def merge(self, other: "PairwiseSums") -> None:
        """Add the sums of another summary."""
        self.stored_scores.merge(other.stored_scores)
        self.sizes += other.sizes
        self.identical = [
            here and there for here, there in zip(self.identical, other.identical, strict=True)
        ]
        self.totals += other.totals

    def finalize(self) -> list[DifferenceSums]:
        """Return the sums of all pairs."""
        return [pair_differences(*pair) for pair in zip(self.totals, self.identical, strict=True)]


def pair_differences(totals: AnyArray, identical: bool) -> DifferenceSums:
    """Return the sums of a pair of models from their totals by `sum_placement_differences`.

    Totals (2, 6) are of negatives first, the sums returned of positives first.
    """
    sums, low, mid, high, gains, near = totals[::-1].T
    # the square of low + 2^LIMB high; `mid` are the products low * high, which it has twice
    squares = low + (mid << (LIMB + 1)) + (high << 2 * LIMB)
    by_class = [tuple(column) for column in (sums, squares, gains, near)]
    return DifferenceSums._make((*by_class, identical))


NUMBERS_OF_CELLS = (1 << 14, 1 << 20)  # at first, and where the bound is too wide with those
LARGEST_RELATIVE_BOUND = 1e-3  # of the standard error's error, relative to it
LARGEST_RELATIVE_SHARE = 4.0  # root mean square of the share of a case's cell over an even share
EXACT_VALUES = 1 << 18  # scores in cells of several values that all get cells of their own
MOST_DIVISIONS = 8  # passes that split cells, by thousands each: a double has only 64 bits
ROUNDING = 2.0**-51


class Workers(NamedTuple):
    """How many threads or processes read the chunks, and on which executor."""

    n_jobs: int = 1
    executor: Executor | None = None


class Streamed(NamedTuple):
    """Sums over the chunks of k models, whole numbers: of each model, and of all pairs."""

    m: int
    n: int
    n_dropped: int
    marginals: list[PlacementSums]
    differences: list[DifferenceSums]


class VarianceEstimate(NamedTuple):
    """The variance of a difference of AUCs, and how far its square root may be from the true SE.

    `shares` and `bounds` are those of the positives and of the negatives. `numerator` is a whole
    number: the variance times `denominator(m, n)`.
    """

    numerator: int
    variance: float
    shares: tuple[float, float]
    bound: float
    bounds: tuple[float, float]


class StreamingDeLong:
    """Passes over the chunks of a stream, with the counts of cases by cells of the last count."""

    def __init__(self, stream: Stream, workers: Workers) -> None:
        """Count the cases of the stream by its first cells."""
        self.stream, self.workers = stream, workers
        self.cell_counts = self.count([None] * stream.k)
        self.m, self.n = self.cell_counts.finalize()
        check_rows(self.m + self.n, self.cell_counts.n_dropped)

    def run_pass(self, empty: Callable[[], S]) -> S:
        """Return the merged summaries of all parts of the stream; `empty` makes one."""
        return self.stream.gather(empty, *self.workers)

    def count(self, edges: Sequence[Keys | None]) -> CellCounts:
        """Return the counts of cases by cells; `edges` of each model, None for the first cells."""
        indexes = [
            None if model_edges is None else index_edges(model_edges) for model_edges in edges
        ]
        return self.run_pass(partial(CellCounts.empty, self.stream.reader, indexes))

    def recount(self, edges: Sequence[Keys]) -> None:
        """Count cases by cells with these edges; raise if the stream's class sizes have changed."""
        self.cell_counts = self.count(edges)
        check_unchanged(self.cell_counts.finalize(), (self.m, self.n))

    def split_cells(self, n_cells: int) -> None:
        """Split cells until about `n_cells` have about equal counts, or a single value each."""
        for _ in range(MOST_DIVISIONS):
            models = self.cell_counts.models
            if self.count_in_multivalued() <= EXACT_VALUES or all(
                has_even_cells(m, n_cells) for m in models
            ):
                break
            self.recount([model.split_edges(n_cells) for model in models])
        if 0 < self.count_in_multivalued() <= EXACT_VALUES:
            self.separate_values()

    def count_in_multivalued(self) -> int:
        """Return the number of scores in cells with several distinct values."""
        return sum(int(m.counts[m.multivalued].sum()) for m in self.cell_counts.models)

    def separate_values(self) -> None:
        """Give every distinct score a cell of its own: read again those of cells of several values.

        At most EXACT_VALUES scores are read, so one pass stores them all.
        """
        counts = self.cell_counts
        edges = []
        (plans,) = storage_passes(counts.models, counts.bits)
        stored_scores = self.stored_scores(plans)
        for j, (model, plan) in enumerate(zip(counts.models, plans, strict=True)):
            stored = np.concatenate(stored_scores.finalize(j)).astype(np.uint64)
            keys = (stored << plan.shift) + plan.base
            occupied = model.counts.any(axis=1)
            least = model.ends[occupied, 0]
            edges.append(np.union1d(least, keys))
        self.recount(edges)

    def stored_scores(self, plans: Sequence[StoragePlan]) -> StoredScores:
        """Return the scores that each model's plan selects, by a pass over the stream."""
        reader, indexes = self.stream.reader, self.cell_counts.indexes
        return self.run_pass(partial(StoredScores.empty, reader, indexes, plans))

    def compare(self, near_proportion: float) -> Streamed:
        """Return the placement sums of all models and pairs, sorting the scores within cells.

        The first pass that stores scores also sums the differences of all pairs of models.
        """
        counts = self.cell_counts
        models = counts.models
        sums = [np.zeros((len(model.counts), 2, 3), np.int64) for model in models]
        shared = share_memory(self.stream.kind, self.workers.executor)
        first_plans, *later_passes = storage_passes(models, counts.bits, shared)
        reader = self.stream.reader
        indexes = counts.indexes
        compared = self.run_pass(
            partial(PairwiseSums.empty, reader, indexes, models, first_plans, near_proportion)
        )
        check_unchanged(compared.sizes.tolist(), [self.n, self.m])
        differences = compared.finalize()
        check_unchanged([pair.sums for pair in differences], difference_sums_from_cells(models))
        add_cell_sums(compared.stored_scores, models, sums, self.workers.n_jobs)
        for plans in later_passes:
            add_cell_sums(self.stored_scores(plans), models, sums, self.workers.n_jobs)
        marginals = map_threads(
            lambda j: exact_placement_sums(models[j], sums[j]),
            range(len(models)),
            self.workers.n_jobs,
        )
        return Streamed(self.m, self.n, counts.n_dropped, marginals, differences)


def difference_sums_from_cells(models: Sequence[ModelCells]) -> list[tuple[int, int]]:
    """Return the sums over (positives, negatives) of differences of placements of all pairs."""
    sums = []
    for model in models:
        (placed_y, placed_x), (negatives, positives) = cell_placements(model).T, model.counts.T
        sums.append((exact_dot(placed_x, positives), exact_dot(placed_y, negatives)))
    pairs = ((sums[i], sums[j]) for i, j in index_pairs(len(models)))
    return [(a_x - b_x, a_y - b_y) for (a_x, a_y), (b_x, b_y) in pairs]


def has_even_cells(model: ModelCells, n_cells: int) -> bool:
    """Return whether cells of several values have at most about 4 / `n_cells` of the cases each.

    The root mean square is over the cases, which are in a cell with its share as probability.
    """
    shares = np.where(model.multivalued, model.shares(), 0.0)
    root_mean_square = math.sqrt(float((shares**3).sum()))
    return n_cells * root_mean_square <= LARGEST_RELATIVE_SHARE


def stream_sums(stream: Stream, workers: Workers, near_proportion: float = 0.0) -> Streamed:
    """Return placement sums of all models and pairs, by finer cells where an SE's bound is wide."""
    passes = StreamingDeLong(stream, workers)
    for n_cells in NUMBERS_OF_CELLS:
        passes.split_cells(n_cells)
        streamed = passes.compare(near_proportion)
        estimates = (variance_estimate(streamed, *pair) for pair in index_pairs(stream.k))
        is_wide = any(
            estimate.bound > LARGEST_RELATIVE_BOUND * math.sqrt(estimate.variance)
            for estimate in estimates
        )
        if not is_wide:
            break
    return streamed


def sum_of_lengths(squared_a: int, squared_b: int) -> float:
    """Return the sum of the lengths of two vectors, given their squares."""
    return math.sqrt(squared_a) + math.sqrt(squared_b)


def variance_estimate(streamed: Streamed, i: int, j: int) -> VarianceEstimate:
    """Return the variance of AUC_i - AUC_j and the bound of its error; NaN if m or n is below 2."""
    m, n, _, marginals, differences = streamed
    if m < 2 or n < 2:
        return VarianceEstimate(0, math.nan, (math.nan, math.nan), math.nan, (math.nan, math.nan))
    pair = differences[index_pairs(len(marginals)).index((i, j))]
    # not one W for both: the cells' placements need not add up alike in both classes
    w_x, w_y = pair.sums
    squares_x, squares_y = pair.squares
    centred_x, centred_y = m * squares_x - w_x**2, n * squares_y - w_y**2
    over = centred_x * (n - 1) + centred_y * (m - 1)
    under = 4 * m * m * n * n
    shares = centred_x / (under * (m - 1)), centred_y / (under * (n - 1))
    variance = over / denominator(m, n)
    (i_x, i_y), (j_x, j_y) = marginals[i].residues, marginals[j].residues
    is_exact = not any((i_x, i_y, j_x, j_y))
    if pair.identical or is_exact:
        return VarianceEstimate(over, variance, shares, 0.0, (0.0, 0.0))
    bounds = (
        sum_of_lengths(i_x, j_x) / (2 * n * math.sqrt(m * (m - 1))),
        sum_of_lengths(i_y, j_y) / (2 * m * math.sqrt(n * (n - 1))),
    )
    bound = (math.hypot(*bounds) + ROUNDING * math.sqrt(variance)) * (1.0 + ROUNDING)
    return VarianceEstimate(over, variance, shares, bound, bounds)


# scores of a model that a pass stores: 13 bytes each, and 40 while they are sorted
MOST_STORED = 1 << 23
FEWEST_PIECES = 16  # into which a cell of too many scores is split


class ScoreRange(NamedTuple):
    """The lowest and highest score of some cells, as ordered integers, and the number of scores."""

    low: np.uint64
    high: np.uint64
    size: int


class OrderedRows(NamedTuple):
    """Scores in one range, with the labels and the numbers of their rows."""

    scores: Vector
    labels: NDArray[np.uint8]
    numbers: NDArray[np.uint32]


NO_ROWS = OrderedRows(np.empty(0), np.empty(0, np.uint8), np.empty(0, np.uint32))


@dataclass
class CollectedScores:
    """The summary of a pass that stores the scores of each model in its range, if it has one.

    `starts` are the numbers of the parts' first rows; `rows` has a list of blocks for each model.
    """

    reader: Reader
    starts: Mapping[int, int]
    ranges: Sequence[ScoreRange | None]
    rows: list[list[OrderedRows]]

    @classmethod
    def empty(
        cls, reader: Reader, starts: Mapping[int, int], ranges: Sequence[ScoreRange | None]
    ) -> "CollectedScores":
        """Return the summary of no rows."""
        return cls(reader, starts, ranges, [[] for _ in ranges])

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without `starts`, which `merge` does not read."""
        return self.__dict__ | {"starts": {}}

    def add(self, part: NumberedChunk) -> None:
        """Store the scores of a part."""
        number, _ = part
        check_unchanged(number in self.starts, True)
        row = self.starts[number]
        for chunk in self.reader.read(part):
            for rows in row_blocks(chunk.labels.size):
                labels = chunk.labels[rows]
                for j, score_range in enumerate(self.ranges):
                    if score_range is not None:
                        self.store(j, score_range, chunk.scores[j][rows], labels, row + rows.start)
            row += chunk.labels.size

    def store(
        self, j: int, within: ScoreRange, scores: Vector, labels: NDArray[np.uint8], first: int
    ) -> None:
        """Store the scores of a block, whose first row is number `first`, that lie in the range."""
        keys, _ = ordered_keys(scores)
        rows = np.flatnonzero((keys >= within.low) & (keys <= within.high))
        numbers = (first + rows).astype(np.uint32)
        self.rows[j].append(OrderedRows(scores[rows], labels[rows], numbers))

    def merge(self, other: "CollectedScores") -> None:
        """Add the scores of another summary."""
        for blocks, other_blocks in zip(self.rows, other.rows, strict=True):
            blocks += other_blocks

    def finalize(self, j: int) -> OrderedRows:
        """Return the scores of model j, and remove them from the summary."""
        blocks = self.rows[j] or [NO_ROWS]
        self.rows[j] = []
        scores, labels, numbers = zip(*blocks, strict=True)
        rows = OrderedRows(np.concatenate(scores), np.concatenate(labels), np.concatenate(numbers))
        score_range = self.ranges[j]
        check_unchanged(rows.scores.size, score_range.size if score_range else 0)
        return rows


class FirstPass(StreamingDeLong):
    """A pass that counts cases by cells, and passes that yield each model's scores in order."""

    def __init__(self, stream: Stream, workers: Workers) -> None:
        """Count the rows of each part, and the cases by cells whose scores a pass can store."""
        super().__init__(stream, workers)
        self.n_dropped = self.cell_counts.n_dropped
        check_countable(self.m + self.n)
        sizes = self.cell_counts.sizes
        numbers = sorted(sizes)
        first_rows = np.cumsum([0, *(sizes[number] for number in numbers)])[:-1].tolist()
        self.starts = dict(zip(numbers, first_rows, strict=True))
        self.split_large_cells()
        self.windows = [score_windows(model) for model in self.cell_counts.models]

    def split_large_cells(self) -> None:
        """Split cells of several values until none has more scores than a pass can store."""
        n_passes = math.ceil((self.m + self.n) / MOST_STORED)
        for _ in range(MOST_DIVISIONS):
            models = self.cell_counts.models
            if not any((cell_sizes(m)[m.multivalued] > MOST_STORED).any() for m in models):
                break
            self.recount([model.split_edges(FEWEST_PIECES * n_passes) for model in models])

    def ordered_rows(self) -> Iterator[tuple[int, OrderedRows]]:
        """Yield (j, window): a pass for each model's lowest scores, then for the next, to the end.

        A model with fewer windows than others has None in the last passes.
        """
        for ranges in zip_longest(*self.windows):
            collected = self.run_pass(
                partial(CollectedScores.empty, self.stream.reader, self.starts, ranges)
            )
            for j, score_range in enumerate(ranges):
                if score_range is not None:
                    window = collected.finalize(j)
                    self.check(j, score_range, window)
                    yield j, window

    def check(self, j: int, score_range: ScoreRange, window: OrderedRows) -> None:
        """Raise if the scores in a range are not those counted: the stream has changed."""
        model, index = self.cell_counts.models[j], self.cell_counts.indexes[j]
        recounted = ModelCells.empty(len(model.counts))
        least, greatest = model.ends.T
        in_range = model.counts.any(axis=1)
        in_range &= (least >= score_range.low) & (greatest <= score_range.high)
        for rows in row_blocks(window.labels.size):
            recounted.count(ordered_keys(window.scores[rows])[0], window.labels[rows], index)
        check_unchanged(
            np.array_equal(recounted.counts, np.where(in_range[:, None], model.counts, 0)), True
        )
        check_unchanged(np.array_equal(recounted.ends[in_range], model.ends[in_range]), True)


def cell_sizes(model: ModelCells) -> NDArray[np.int64]:
    """Return the number of cases of each cell."""
    return np.asarray(model.counts.sum(axis=1))


def score_windows(model: ModelCells) -> list[ScoreRange]:
    """Return consecutive ranges of about `MOST_STORED` scores that cover all scores of a model."""
    occupied = np.flatnonzero(model.counts.any(axis=1))
    sizes = cell_sizes(model)[occupied]
    ends = model.ends[occupied]
    windows = (np.cumsum(sizes) - 1) // MOST_STORED  # by the number of a cell's last score
    first = np.flatnonzero(np.diff(windows, prepend=-1))
    last = np.append(first[1:], occupied.size) - 1
    return [
        ScoreRange(ends[i, 0], ends[j, 1], int(sizes[i : j + 1].sum()))
        for i, j in zip(first.tolist(), last.tolist(), strict=True)
    ]
