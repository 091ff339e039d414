"""Scores of chunks in rising order, some million at a time, with the numbers of their rows.

A pass counts the rows of every part and the scores in cells. Later passes hold the scores of some
cells each: between two edges all scores fit into memory, so they can be sorted. Ties are never
divided. A row's number is its place among those that are not left out, whatever part it came in.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.streams import S
from ...._base.types import Vector
from ...._inputs.chunks import Part, Reader, Stream, check_rows, check_unchanged
from ...._inputs.weighed import check_countable
from .cells import Counted, ModelCells, blocks, keys_of
from .delong import ROUNDS, Workers
from .index import Index, index_of

HELD = 1 << 23  # scores of a model that a pass holds: 13 bytes each, and 40 while they are sorted
PIECES = 16  # of a cell of too many scores, at least


@dataclass
class Surveyed:
    """The summary of a pass that counts: scores by cells, and the rows of each part."""

    counted: Counted
    sizes: dict[int, int] = field(default_factory=dict)

    @classmethod
    def empty(cls, reader: Reader, indexes: Sequence[Index | None]) -> "Surveyed":
        """Return the summary of no rows."""
        return cls(Counted.empty(reader, indexes))

    def add(self, part: Part) -> None:
        """Count the rows of a part."""
        before = cases_in(self.counted.models[0])
        self.counted.add(part)
        self.sizes[part[0]] = cases_in(self.counted.models[0]) - before

    def merge(self, other: "Surveyed") -> None:
        """Add what another summary has counted."""
        self.counted.merge(other.counted)
        self.sizes |= other.sizes


class Between(NamedTuple):
    """Scores, as ordered integers, from the first to the last of some cells."""

    low: np.uint64
    high: np.uint64
    size: int


class Ordered(NamedTuple):
    """Scores between two edges, with the labels and the numbers of their rows."""

    scores: Vector
    labels: NDArray[np.uint8]
    numbers: NDArray[np.uint32]


NO_ROWS = Ordered(np.empty(0), np.empty(0, np.uint8), np.empty(0, np.uint32))


@dataclass
class Found:
    """The summary of a pass that holds the scores between edges, those of each model its own."""

    reader: Reader
    starts: Mapping[int, int]
    edges: Sequence[Between | None]
    held: list[list[Ordered]]

    @classmethod
    def empty(
        cls, reader: Reader, starts: Mapping[int, int], edges: Sequence[Between | None]
    ) -> "Found":
        """Return the summary of no rows; `starts` are the numbers of the parts' first rows."""
        return cls(reader, starts, edges, [[] for _ in edges])

    def __getstate__(self) -> dict[str, object]:
        """Return the fields that `merge` reads."""
        return self.__dict__ | {"starts": {}}

    def add(self, part: Part) -> None:
        """Hold the scores of a part."""
        check_unchanged(part[0] in self.starts, True)
        row = self.starts[part[0]]
        for chunk in self.reader.read(part):
            for rows in blocks(chunk.labels.size):
                labels = chunk.labels[rows]
                for j, edges in enumerate(self.edges):
                    if edges is not None:
                        self.hold(j, edges, chunk.scores[j][rows], labels, row + rows.start)
            row += chunk.labels.size

    def hold(
        self, j: int, edges: Between, scores: Vector, labels: NDArray[np.uint8], first: int
    ) -> None:
        """Hold the scores of a block that lie between the edges."""
        keys, _ = keys_of(scores)
        rows = np.flatnonzero((keys >= edges.low) & (keys <= edges.high))
        numbers = (first + rows).astype(np.uint32)
        self.held[j].append(Ordered(scores[rows], labels[rows], numbers))

    def merge(self, other: "Found") -> None:
        """Hold what another summary does."""
        for own, more in zip(self.held, other.held, strict=True):
            own += more

    def finalize(self, j: int) -> Ordered:
        """Return the scores of a model, and forget them."""
        parts, self.held[j], edges = self.held[j], [], self.edges[j]
        columns = zip(*(parts or [NO_ROWS]), strict=True)
        found = Ordered(*(np.concatenate(column) for column in columns))
        check_unchanged(found.scores.size, edges.size if edges else 0)
        return found


class Survey:
    """What a first pass over the chunks tells, and passes that hold scores."""

    def __init__(self, stream: Stream, workers: Workers) -> None:
        self.stream, self.workers = stream, workers
        surveyed = self.run(partial(Surveyed.empty, stream.reader, [None] * stream.k))
        counted = surveyed.counted
        self.m, self.n = counted.finalize()
        self.n_dropped = counted.n_dropped
        check_rows(self.m + self.n, self.n_dropped)
        check_countable(self.m + self.n)
        numbers = sorted(surveyed.sizes)
        ends = np.cumsum([0, *map(surveyed.sizes.__getitem__, numbers)]).tolist()
        self.starts = dict(zip(numbers, ends, strict=False))
        self.counted = self.divided(counted)
        self.windows = [windows_of(model) for model in self.counted.models]

    def run(self, empty: Callable[[], S]) -> S:
        """Return the summary of all parts."""
        return self.stream.gather(empty, *self.workers)

    def divided(self, counted: Counted) -> Counted:
        """Return the counts by cells none of which holds too many scores, unless they are equal."""
        most = PIECES * -(-(self.m + self.n) // HELD)
        for _ in range(ROUNDS):
            if not any((sizes_of(m)[m.several] > HELD).any() for m in counted.models):
                break
            indexes = [index_of(model.divided(most)) for model in counted.models]
            counted = self.run(partial(Counted.empty, self.stream.reader, indexes))
            check_unchanged(counted.finalize(), (self.m, self.n))
        return counted

    def ordered(self) -> Iterator[tuple[int, Ordered]]:
        """Yield each model's number with its scores, rising from one time to the next."""
        for i in range(max(map(len, self.windows))):
            edges = [own[i] if i < len(own) else None for own in self.windows]
            found = self.run(partial(Found.empty, self.stream.reader, self.starts, edges))
            for j, own in enumerate(edges):
                if own is not None:
                    ordered = found.finalize(j)
                    self.check(j, own, ordered)
                    yield j, ordered

    def check(self, j: int, edges: Between, ordered: Ordered) -> None:
        """Raise unless scores between edges lie in the cells that counted them."""
        model, index = self.counted.models[j], self.counted.indexes[j]
        own, held = ModelCells.of(len(model.counts)), model.counts.any(axis=1)
        held &= (model.ends[:, 0] >= edges.low) & (model.ends[:, 1] <= edges.high)
        for rows in blocks(ordered.labels.size):
            own.count(keys_of(ordered.scores[rows])[0], ordered.labels[rows], index)
        check_unchanged(np.array_equal(own.counts, np.where(held[:, None], model.counts, 0)), True)
        check_unchanged(np.array_equal(own.ends[held], model.ends[held]), True)


def cases_in(model: ModelCells) -> int:
    """Return how many cases the cells hold."""
    return int(model.counts.sum())


def sizes_of(model: ModelCells) -> NDArray[np.int64]:
    """Return how many cases each cell holds."""
    return np.asarray(model.counts.sum(axis=1))


def windows_of(model: ModelCells) -> list[Between]:
    """Return edges between which few enough scores lie, and all together all of them."""
    held = np.flatnonzero(model.counts.any(axis=1))
    sizes, ends = sizes_of(model)[held], model.ends[held]
    turn = (np.cumsum(sizes) - 1) // HELD
    first = np.flatnonzero(np.diff(turn, prepend=-1))
    last = np.append(first[1:], held.size) - 1
    return [
        Between(ends[i, 0], ends[j, 1], int(sizes[i : j + 1].sum()))
        for i, j in zip(first.tolist(), last.tolist(), strict=True)
    ]
