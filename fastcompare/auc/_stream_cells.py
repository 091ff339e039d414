"""Counts of cases by cells of each model's scores, how cells are divided, and sums within them.

Edges follow from counts alone, so they are the same for any partition of the rows. The first cells
are 4096 for each power of two from 2^-24 to 2^8, of either sign; crowded ones are divided between
their least and greatest score, which get cells of their own. Scores are ordered integers
(`kernels.sorting.keys`); those within cells of several values are stored, packed, and sorted, or
counted where values are few (`DenseCells`).

P is a placement, twice the number of the other class that a case outranks, ties counting 1. A cell
of p positives and q negatives above C negatives gives its positives P = 2 C + L with L from 0 to
2 q, and stands for all of them by 2 C + q. Sorting the cell gives the sums of L and L^2, and so

    W = sum of P = 2 m n AUC,  S = sum of P^2 (its variance),  R = sum of (L - q)^2 (cells' error)

and likewise over the negatives, with the positives above them. All are whole numbers.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import map_threads
from .._base.types import Vector
from .._inputs.chunks.rows import Chunk, NumberedChunk, Reader, check_coding, check_unchanged
from ..kernels.sorting.native import sort_keys
from ..kernels.summaries import (
    FIRST_CELLS,
    MOST_VALUES_PER_GROUP,
    count_cells,
    find_cells,
    find_first_cells,
    group_cells,
    select_keys,
    store_group_codes,
    sum_counted_cells,
    sum_sorted_cells,
    write_keys,
)
from ..kernels.sums import U

Keys = NDArray[np.uint64]
SLOT_BITS = 12  # 2^12 slots in the first table of a `CellIndex`


class CellIndex(NamedTuple):
    """Edges of cells in rising order, and the tables that `find_cells` looks them up by.

    The last edge is above all keys. Keys from `low` on are divided into slots of 2^`shift`, and a
    slot into parts of 2^`narrow`; `first` is the number of its first part. `starts` is the first
    edge above the start of each part.
    """

    edges: Keys
    low: np.uint64
    shift: np.uint64
    first: NDArray[np.int64]
    narrow: Keys
    starts: NDArray[np.int32]

    @property
    def size(self) -> int:
        """The number of cells: the last edge begins none."""
        return len(self.edges) - 1


def index_edges(edges: Keys) -> CellIndex:
    """Return the look-up tables for the cells that begin at `edges`, in rising order.

    A slot is divided into at least four parts for each edge in it, if it has so many keys.
    """
    low = edges[0]
    span = int(edges[-1]) - int(edges[0])
    shift = max(span.bit_length() - SLOT_BITS, 0)
    slots = (edges - low) >> U(shift)
    edges_per_slot = np.bincount(slots.astype(np.int64), minlength=(span >> shift) + 1)
    bits = np.minimum(np.ceil(np.log2(4.0 * edges_per_slot + 1.0)).astype(np.int64), shift)
    n_parts = np.left_shift(1, bits)
    first = np.cumsum(n_parts) - n_parts
    part_in_slot = (np.arange(n_parts.sum()) - np.repeat(first, n_parts)).astype(np.uint64)
    narrow = (shift - bits).astype(np.uint64)
    slot = np.repeat(np.arange(len(edges_per_slot)), n_parts).astype(np.uint64)
    part_starts = low + (slot << U(shift)) + (part_in_slot << np.repeat(narrow, n_parts))
    starts = np.append(np.searchsorted(edges, part_starts, side="right"), len(edges))
    edges_and_end = np.append(edges, ~U(0))
    return CellIndex(edges_and_end, low, U(shift), first, narrow, starts.astype(np.int32))


BLOCK = 1 << 15  # rows at a time: keys, cells and scores of them fit into a cache
Cells = NDArray[np.int64]


@dataclass
class ModelCells:
    """Counts (c, 2) of negatives and positives, and the least and greatest score of each cell."""

    counts: NDArray[np.int64]
    ends: Keys

    @classmethod
    def empty(cls, n_cells: int) -> "ModelCells":
        """Return `n_cells` empty cells, with ends that any score replaces."""
        ends = np.empty((n_cells, 2), np.uint64)
        ends[:] = np.iinfo(np.uint64).max, 0
        return cls(np.zeros((n_cells, 2), np.int64), ends)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the state to pickle: the cells that are not empty."""
        occupied = np.flatnonzero(self.counts.any(axis=1))
        return len(self.counts), occupied, self.counts[occupied], self.ends[occupied]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Make the cells from those that are not empty."""
        size, occupied, counts, ends = state
        empty = ModelCells.empty(size)
        self.counts, self.ends = empty.counts, empty.ends
        self.counts[occupied], self.ends[occupied] = counts, ends

    def count(self, keys: Keys, labels: NDArray[np.uint8], index: CellIndex | None) -> None:
        """Add cases, given the keys of their scores."""
        count_cells(keys, labels, cell_numbers(keys, index), self.counts, self.ends)

    def merge(self, other: "ModelCells") -> None:
        """Add the counts of the same cells of other rows, and widen the ranges to theirs."""
        self.counts += other.counts
        np.minimum(self.ends[:, 0], other.ends[:, 0], out=self.ends[:, 0])
        np.maximum(self.ends[:, 1], other.ends[:, 1], out=self.ends[:, 1])

    @property
    def multivalued(self) -> NDArray[np.bool_]:
        """Whether each cell has several distinct values: a cell of one value is exact."""
        return np.asarray(self.ends[:, 0] < self.ends[:, 1])

    def shares(self) -> NDArray[np.float64]:
        """Return each cell's share of the cases, the mean of its shares of both classes."""
        return np.asarray((self.counts / np.maximum(self.counts.sum(axis=0), 1)).mean(axis=1))

    def split_edges(self, n_cells: int) -> Keys:
        """Return the edges of about `n_cells` cells with about equally many cases.

        The least and the greatest score of a cell that is split get cells of their own.
        """
        occupied = self.counts.any(axis=1)
        low, high = self.ends[occupied].T
        fair_pieces = np.ceil(n_cells * self.shares()[occupied])
        pieces = np.where(low < high, fair_pieces, 1.0).astype(np.uint64)
        width = np.maximum((high - low) // pieces, np.uint64(1))
        cut = np.flatnonzero(pieces > 1)
        inner = [low[i] + width[i] * np.arange(1, pieces[i], dtype=np.uint64) for i in cut.tolist()]
        inner = [np.minimum(edges, high[i]) for edges, i in zip(inner, cut, strict=True)]
        return np.unique(np.concatenate([low, low[cut] + np.uint64(1), high[cut], *inner]))


def row_blocks(n_rows: int) -> list[slice]:
    """Return slices of `BLOCK` rows that cover `n_rows` rows."""
    return [slice(start, start + BLOCK) for start in range(0, n_rows, BLOCK)]


@dataclass
class CellCounts:
    """The summary of a pass that counts the cases of each model by cells.

    `bits` are the bits that any key of a model has, `sizes` the numbers of rows of each part.
    """

    reader: Reader
    indexes: Sequence[CellIndex | None]
    models: list[ModelCells]
    bits: list[int]
    label_values: frozenset[Any] = frozenset()
    n_dropped: int = 0
    sizes: dict[int, int] = field(default_factory=dict)

    @classmethod
    def empty(cls, reader: Reader, indexes: Sequence[CellIndex | None]) -> "CellCounts":
        """Return the summary of no rows; a model without an index has the first cells."""
        models = [ModelCells.empty(index.size if index else FIRST_CELLS) for index in indexes]
        return cls(reader, indexes, models, [0] * len(models))

    def add(self, part: NumberedChunk) -> None:
        """Count the cases of a part."""
        number, _ = part
        self.sizes[number] = 0
        for chunk in self.reader.read(part):
            self.label_values |= chunk.classes
            self.n_dropped += chunk.n_dropped
            self.sizes[number] += chunk.labels.size
            for rows in row_blocks(chunk.labels.size):
                self.add_rows(chunk.labels[rows], [scores[rows] for scores in chunk.scores])

    def add_rows(self, labels: NDArray[np.uint8], scores: Sequence[Vector]) -> None:
        """Count the cases of a block."""
        for j, index in enumerate(self.indexes):
            keys, bits = ordered_keys(scores[j])
            self.models[j].count(keys, labels, index)
            self.bits[j] |= bits

    def merge(self, other: "CellCounts") -> None:
        """Add the counts of another summary."""
        self.label_values |= other.label_values
        self.n_dropped += other.n_dropped
        self.sizes |= other.sizes
        self.bits = [here | there for here, there in zip(self.bits, other.bits, strict=True)]
        for cells, other_cells in zip(self.models, other.models, strict=True):
            cells.merge(other_cells)

    def finalize(self) -> tuple[int, int]:
        """Return the numbers of positives and of negatives; raise if the labels are not binary."""
        n, m = self.models[0].counts.sum(axis=0).tolist()
        if m + n:
            check_coding(self.label_values, self.reader.pos_label)
        return m, n


def ordered_keys(scores: NDArray[np.float64]) -> tuple[Keys, int]:
    """Return scores as integers of the same order (keys), and the bitwise or of all keys."""
    keys = np.empty(scores.size, np.uint64)
    return keys, int(write_keys(scores, keys))


def cell_numbers(keys: Keys, index: CellIndex | None) -> Cells:
    """Return the number of the cell of every key."""
    cells = np.empty(keys.size, np.int64)
    if index is None:
        find_first_cells(keys, cells)
    else:
        find_cells(keys, *index, cells)
    return cells


MOST_VALUES_PER_CASE = 8  # with more possible values, sorting is faster than counting


class DenseCells:
    """The scores of some narrow cells of one model, as 16-bit codes within groups of cells.

    `groups` is the group of every cell, `wanted_groups` of every wanted one. All other cells are
    one last group that is full from the beginning, so none of their scores is stored. Of each group
    `lows` is the least key, `places` the next free place and the end of its `values`, `stops` the
    end.
    """

    def __init__(self, model: ModelCells, wanted: NDArray[np.bool_], shift: np.uint64) -> None:
        """Reserve memory for the scores in `wanted` cells, without their `shift` lowest bits."""
        self.wanted, self.shift, self.lock = wanted, shift, Lock()
        groups = np.zeros(len(wanted), np.int32)
        n_groups = int(group_cells(wanted, model.ends, shift, groups))
        groups[~wanted] = n_groups
        self.groups, self.wanted_groups = groups, groups[wanted]
        first = np.searchsorted(self.wanted_groups, np.arange(n_groups))
        last = np.append(first[1:], self.wanted_groups.size) - 1
        self.lows = np.append(model.ends[wanted, 0][first], np.uint64(0))
        self.stops = np.cumsum(model.counts[wanted].sum(axis=1))[last]
        starts = np.append([0], self.stops)
        ends = np.append(self.stops, 0)  # the last group ends before its start: it is full
        self.places = np.stack([starts, ends], axis=1)
        self.values = np.empty(int(self.stops[-1]), np.uint16)  # memory is taken as it fills

    def add(self, keys: Keys, cells: Cells, labels: NDArray[np.uint8]) -> None:
        """Store the scores in these cells, given as keys."""
        group_tables = self.groups, self.lows, self.shift
        with self.lock:
            store_group_codes(keys, labels, cells, *group_tables, self.places, self.values)

    def finalize(
        self, model: ModelCells, sums: NDArray[np.int64], n_tasks: int
    ) -> list[Callable[[], None]]:
        """Return tasks that write placement sums of some cells each to `sums`; drop the scores."""
        check_unchanged(self.places[:-1, 0].tolist(), self.stops.tolist())
        lows = self.lows[self.wanted_groups][:, None]
        offsets = ((model.ends[self.wanted] - lows) >> self.shift).astype(np.int64)
        numbers = np.flatnonzero(self.wanted)
        codes, self.values = self.values, np.empty(0, np.uint16)

        def count(groups: slice) -> None:
            """Write the sums of the cells of some groups."""
            start = self.stops[groups.start - 1] if groups.start else 0
            stops = self.stops[groups] - start
            bounds = np.searchsorted(self.wanted_groups, (groups.start, groups.stop)).tolist()
            cells = slice(*bounds)
            group_of_cell = self.wanted_groups[cells] - groups.start
            cell_sums = np.zeros((len(group_of_cell), 2, 3), np.int64)
            sizes = model.counts[numbers[cells]]
            unchanged = sum_counted_cells(
                codes[start:], stops, group_of_cell, offsets[cells], sizes, cell_sums
            )
            check_unchanged(unchanged, True)
            sums[numbers[cells]] = cell_sums

        return [partial(count, groups) for groups in even_slices(self.stops, n_tasks)]


def dense_cells(model: ModelCells, shift: np.uint64) -> NDArray[np.bool_]:
    """Return which cells have few possible values: none if sorting these is faster than counting.

    Keys have no bits below `shift`, so values differ by 2^`shift` at least.
    """
    low, high = model.ends.T
    widths = np.where(model.multivalued, high - low, 0) >> shift
    dense = model.multivalued & (widths < MOST_VALUES_PER_GROUP)
    n_cases, n_values = int(model.counts[dense].sum()), int(widths[dense].sum())
    return np.asarray(dense & (n_cases * MOST_VALUES_PER_CASE > n_values))


LIMB = 21  # bits: a million products of two limbs stay below 2^63
LIMB_MASK = (1 << LIMB) - 1
WIDE_FROM = 1 << 31  # cases from which products of two counts need more than 64 bits
MOST_BYTES = 1 << 29  # of scores that are put in order at a time


class StoragePlan(NamedTuple):
    """Which cells' scores of a model a pass stores, and how: (key - base) >> shift, as `dtype`.

    `sizes` are the numbers of negatives and positives in the `wanted` cells. `dense` cells are
    stored separately, in memory that all threads share.
    """

    wanted: NDArray[np.bool_]
    base: np.uint64
    shift: np.uint64
    dtype: type[Any]
    sizes: tuple[int, int]
    dense: DenseCells | None = None

    @classmethod
    def of(cls, model: ModelCells, wanted: NDArray[np.bool_], bits: int) -> "StoragePlan":
        """Return how to store the scores of the wanted cells by the smallest type without loss.

        `bits` are those that any key of the model has.
        """
        if not wanted.any():
            return cls(wanted, np.uint64(0), np.uint64(0), np.uint32, (0, 0))
        shift = lowest_bit(bits)
        low, high = int(model.ends[wanted, 0].min()), int(model.ends[wanted, 1].max())
        is_short = (high - low) >> shift < 1 << 32
        dtype = np.uint32 if is_short else np.uint64
        negatives, positives = model.counts[wanted].sum(axis=0).tolist()
        return cls(wanted, np.uint64(low), shift, dtype, (negatives, positives))

    @classmethod
    def split_dense(
        cls, model: ModelCells, wanted: NDArray[np.bool_], dense: NDArray[np.bool_], bits: int
    ) -> "StoragePlan":
        """Return how the wanted cells are stored, the dense ones separately."""
        plan = cls.of(model, wanted & ~dense, bits)
        wanted_dense = wanted & dense
        if not wanted_dense.any():
            return plan
        return plan._replace(dense=DenseCells(model, wanted_dense, lowest_bit(bits)))


def lowest_bit(bits: int) -> np.uint64:
    """Return the position of the lowest bit that is set, 0 for no bits."""
    return np.uint64(max((bits & -bits).bit_length() - 1, 0))


NO_SCORES = StoragePlan(np.empty(0, np.bool_), np.uint64(0), np.uint64(0), np.uint32, (0, 0))


@dataclass
class ScoreBuffer:
    """An array with a section for scores of negatives and, behind it, one for positives.

    `filled` are the ends of the scores stored so far, `ends` those of the full sections. Behind
    each section is space for one block more. The system maps memory only as it fills.
    """

    values: NDArray[Any]
    ends: NDArray[np.int64]
    filled: NDArray[np.int64]

    @classmethod
    def of(cls, plan: StoragePlan) -> "ScoreBuffer":
        """Return an empty buffer for the scores that the plan selects."""
        negatives, positives = plan.sizes
        start = negatives + BLOCK
        values = np.empty(start + positives + BLOCK, plan.dtype)
        return cls(values, np.array((negatives, start + positives)), np.array((0, start)))

    @property
    def parts(self) -> list[NDArray[Any]]:
        """The scores of negatives and of positives."""
        return [self.values[: self.filled[0]], self.values[self.ends[0] + BLOCK : self.filled[1]]]

    def check(self) -> None:
        """Raise if there are more scores than have been counted."""
        check_unchanged((self.filled > self.ends).any(), False)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the state to pickle: the stored scores, without empty space."""
        negatives, positives = self.parts
        values = np.concatenate([negatives, positives])
        filled = np.array((negatives.size, values.size))
        ends = filled - (BLOCK, 0)  # `parts` takes the positives from a block behind the first end
        return values, ends, filled

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Set the stored scores, for another summary to merge."""
        self.values, self.ends, self.filled = state

    def merge_parts(self, parts: Sequence[NDArray[Any]]) -> None:
        """Add scores of negatives and of positives."""
        starts = self.filled.copy()
        self.filled += [part.size for part in parts]
        self.check()
        for start, part in zip(starts, parts, strict=True):
            self.values[start : start + part.size] = part


@dataclass
class StoredScores:
    """The summary of a pass that stores scores of some cells of each model, by the model's plan."""

    reader: Reader
    indexes: Sequence[CellIndex | None]
    plans: Sequence[StoragePlan]
    buffers: list[ScoreBuffer]

    @classmethod
    def empty(
        cls, reader: Reader, indexes: Sequence[CellIndex | None], plans: Sequence[StoragePlan]
    ) -> "StoredScores":
        """Return the summary of no rows."""
        return cls(reader, indexes, plans, [ScoreBuffer.of(plan) for plan in plans])

    def __getstate__(self) -> dict[str, object]:
        """Return the state to pickle, without `indexes` and `plans`: `merge` reads neither."""
        return self.__dict__ | {"indexes": (), "plans": ()}

    def add(self, part: NumberedChunk) -> None:
        """Store the scores of a part."""
        for chunk in self.reader.read(part):
            for j in range(len(self.plans)):
                self.add_model(j, chunk)

    def add_model(self, j: int, chunk: Chunk) -> None:
        """Store the scores of model j in a chunk."""
        if self.plans[j].dense is None and not any(self.plans[j].sizes):
            return
        for rows in row_blocks(chunk.labels.size):
            keys, _ = ordered_keys(chunk.scores[j][rows])
            cells = cell_numbers(keys, self.indexes[j])
            self.store(j, keys, cells, chunk.labels[rows])

    def store(self, j: int, keys: Keys, cells: Cells, labels: NDArray[np.uint8]) -> None:
        """Store the scores of model j in the selected cells, given as keys."""
        plan, buffer = self.plans[j], self.buffers[j]
        if plan.dense is not None:
            plan.dense.add(keys, cells, labels)
        if not any(plan.sizes):
            return
        coding = plan.wanted, plan.base, plan.shift
        select_keys(keys, labels, cells, *coding, buffer.values, buffer.filled)
        buffer.check()

    def merge(self, other: "StoredScores") -> None:
        """Add the scores of another summary."""
        for buffer, other_buffer in zip(self.buffers, other.buffers, strict=True):
            buffer.merge_parts(other_buffer.parts)

    def finalize(self, j: int) -> list[NDArray[Any]]:
        """Return the stored scores of model j, [negatives, positives], and remove them."""
        parts = self.buffers[j].parts
        self.buffers[j] = ScoreBuffer.of(NO_SCORES)
        return parts


def storage_passes(
    models: Sequence[ModelCells], bits: Sequence[int], shared: bool = False
) -> list[list[StoragePlan]]:
    """Return for each pass the storage plans of all models, with about 512 MB of scores a pass.

    Cells of one value need no scores. Cells are dense only if memory is `shared` by all threads.
    There is one pass at least, which may store nothing.
    """
    multivalued = [model.multivalued for model in models]
    dense = [dense_cells(m, lowest_bit(b)) & shared for m, b in zip(models, bits, strict=True)]
    sizes = np.concatenate(list(map(bytes_of_cells, models, multivalued, dense, bits)))
    ends = np.cumsum([len(cells) for cells in multivalued])
    pass_numbers = np.split(np.cumsum(sizes) // MOST_BYTES, ends[:-1])  # of the cells by model
    wanted = list(zip(multivalued, pass_numbers, strict=True))
    last = max((int(numbers[cells].max()) for cells, numbers in wanted if cells.any()), default=0)
    return [
        [
            StoragePlan.split_dense(model, cells & (numbers == i), model_dense, model_bits)
            for model, (cells, numbers), model_dense, model_bits in zip(
                models, wanted, dense, bits, strict=True
            )
        ]
        for i in range(last + 1)
    ]


def bytes_of_cells(
    model: ModelCells, multivalued: NDArray[np.bool_], dense: NDArray[np.bool_], bits: int
) -> NDArray[np.int64]:
    """Return the number of bytes that the scores of each cell take, 0 for cells of one value."""
    usual = np.dtype(StoragePlan.of(model, multivalued & ~dense, bits).dtype).itemsize
    bytes_per_score = np.where(dense, np.dtype(np.uint16).itemsize, usual)
    return np.where(multivalued, model.counts.sum(axis=1) * bytes_per_score, 0)


PIECES = 4  # of the cells of a model, for each thread: the last ones end together


def add_cell_sums(
    stored: StoredScores, models: Sequence[ModelCells], sums: Sequence[Any], n_jobs: int = 1
) -> None:
    """Write the sums of L and L^2 of the cells whose scores are stored to `sums`.

    Scores of dense cells are counted; the others are sorted and, when all are, summed. Threads
    share models and cells.
    """
    n_tasks = PIECES * n_jobs if n_jobs > 1 else 1
    count_and_sort: list[Callable[[], None]] = []
    sum_sorted: list[Callable[[], None]] = []
    unsorted = []
    for j, (plan, model) in enumerate(zip(stored.plans, models, strict=True)):
        if plan.dense is not None:
            count_and_sort += plan.dense.finalize(model, sums[j], n_tasks)
        if any(plan.sizes):
            parts = stored.finalize(j)
            sizes = model.counts[plan.wanted].sum(axis=0).tolist()
            check_unchanged([part.size for part in parts], sizes)
            unsorted += parts
            sum_sorted += sorted_cell_tasks(parts, model, plan.wanted, sums[j], n_tasks)
    unsorted.sort(key=len, reverse=True)  # the longest sort would be the last to end
    count_and_sort += [partial(sort_keys, part) for part in unsorted]
    for tasks in count_and_sort, sum_sorted:
        map_threads(lambda task: task(), tasks, n_jobs)


def even_slices(stops: NDArray[np.int64], n_slices: int) -> list[slice]:
    """Return at most `n_slices` slices that cover all rows, with about as many cases each.

    `stops` are the cumulative numbers of cases of the rows.
    """
    cuts = np.searchsorted(stops, stops[-1] * np.arange(1, n_slices) // n_slices).tolist()
    return [slice(*ends) for ends in pairwise(sorted({0, *cuts, stops.size}))]


def sorted_cell_tasks(
    parts: Sequence[NDArray[Any]],
    model: ModelCells,
    wanted: NDArray[np.bool_],
    sums: NDArray[np.int64],
    n_tasks: int,
) -> list[Callable[[], None]]:
    """Return tasks that write the placement sums of some cells each to `sums` (cells, 2, 3).

    `parts` are the scores of negatives and of positives in the `wanted` cells, to be sorted before
    the tasks run.
    """
    numbers = np.flatnonzero(wanted)
    sizes = model.counts[numbers]
    ends = np.cumsum(sizes, axis=0)

    def write_sums(cells: slice) -> None:
        """Write the sums of some of the wanted cells."""
        starts = ends[cells.start] - sizes[cells.start]
        cell_sums = np.zeros((cells.stop - cells.start, 2, 3), np.int64)
        negative, positive = (part[start:] for part, start in zip(parts, starts, strict=True))
        sum_sorted_cells(negative, positive, sizes[cells], cell_sums)
        sums[numbers[cells]] = cell_sums

    return [partial(write_sums, cells) for cells in even_slices(ends.sum(axis=1), n_tasks)]


class PlacementSums(NamedTuple):
    """W = 2mn AUC of one model, and S (squares) and R (residues) over (positives, negatives)."""

    w: int
    squares: tuple[int, int]
    residues: tuple[int, int]


def counts_beyond(model: ModelCells) -> NDArray[np.int64]:
    """Return C (c, 2): the numbers of positives above, and of negatives below, each of c cells.

    They are the cases that a negative, and a positive, of the cell is counted against.
    """
    negatives, positives = model.counts.T
    above = positives.sum() - np.cumsum(positives)
    return np.stack([above, np.cumsum(negatives) - negatives], axis=1)


def cell_placements(model: ModelCells) -> NDArray[np.int64]:
    """Return the placements (c, 2) by which cells stand for their negatives and positives."""
    return 2 * counts_beyond(model) + model.counts[:, ::-1]


def exact_placement_sums(model: ModelCells, sums: NDArray[np.int64]) -> PlacementSums:
    """Return the exact W, S and R of one model; `sums` are those of L and L^2 within cells."""
    w_y, squares_y, residues_y = label_sums(model, sums, 0)
    w_x, squares_x, residues_x = label_sums(model, sums, 1)
    check_unchanged(w_x, w_y)  # both are 2 m n AUC
    return PlacementSums(w_x, (squares_x, squares_y), (residues_x, residues_y))


def label_sums(model: ModelCells, sums: NDArray[np.int64], label: int) -> tuple[int, int, int]:
    """Return W, S and R over the cases of one label.

    `sums` (c, 2, 3) are, for each cell of several values and label, those of L, and of the lower
    and the upper 32 bits of L^2. In cells of one value L = q.
    """
    occupied = model.counts.any(axis=1)
    kind = np.int64 if model.counts.sum() < WIDE_FROM else object
    counts, sums, multivalued = model.counts[occupied], sums[occupied], model.multivalued[occupied]
    c = counts_beyond(model)[occupied, label].astype(kind)
    count, q = counts[:, label].astype(kind), counts[:, 1 - label].astype(kind)
    sum_l = np.where(multivalued, sums[:, label, 0].astype(kind), count * q)
    low, high = (exact_dot(words, np.ones_like(words)) for words in sums[multivalued, label, 1:].T)
    squares_l = low + (high << 32)
    residues = squares_l - exact_dot(q[multivalued], (2 * sum_l - q * count)[multivalued])
    squares_l += exact_dot((count * q)[~multivalued], q[~multivalued])
    w = 2 * exact_dot(c, count) + exact_dot(sum_l, np.ones_like(sum_l))
    squares = 4 * (exact_dot(c, c * count) + exact_dot(c, sum_l)) + squares_l
    return w, squares, residues


def exact_dot(x: NDArray[Any], y: NDArray[Any]) -> int:
    """Return the exact sum of the products of two vectors of whole numbers, by limbs of 21 bits."""
    if x.dtype == object:
        return int(np.dot(x, y)) if x.size else 0
    limbs_x, limbs_y = ((v & LIMB_MASK, (v >> LIMB) & LIMB_MASK, v >> 2 * LIMB) for v in (x, y))
    return sum(
        int(np.dot(a, b)) << LIMB * (i + j)
        for i, a in enumerate(limbs_x)
        for j, b in enumerate(limbs_y)
    )
