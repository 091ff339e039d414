"""Counts of positives and negatives by cells of each model's scores, and how cells are divided.

Edges follow from counts alone, so they are the same for any partition of the rows. The first cells
are 4096 for each power of two from 2^-24 to 2^8, of either sign: many scores need no others. A cell
of several values that holds more than its share is divided between its least and its greatest
value, which get cells of their own: there scores pile up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Vector
from ...._inputs.chunks import Part, Reader, check_coding
from ....kernels.summaries import FIRST_CELLS, count_cells, find_cells, find_first_cells, write_keys
from .index import Index, Keys

BLOCK = 1 << 15  # rows at a time: keys, cells and scores of them fit into a cache
Cells = NDArray[np.int64]


@dataclass
class ModelCells:
    """Counts (c, 2) of negatives and positives, and the least and greatest score of each cell."""

    counts: NDArray[np.int64]
    ends: Keys

    @classmethod
    def of(cls, size: int) -> "ModelCells":
        """Return empty cells."""
        ends = np.empty((size, 2), np.uint64)
        ends[:, 0], ends[:, 1] = ~np.uint64(0), 0
        return cls(np.zeros((size, 2), np.int64), ends)

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the cells that hold something, which are few of the first ones."""
        held = np.flatnonzero(self.counts.any(axis=1))
        return len(self.counts), held, self.counts[held], self.ends[held]

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Make the cells from those that hold something."""
        size, held, counts, ends = state
        empty = ModelCells.of(size)
        self.counts, self.ends = empty.counts, empty.ends
        self.counts[held], self.ends[held] = counts, ends

    def count(self, keys: Keys, labels: NDArray[np.uint8], index: Index | None) -> None:
        """Count cases."""
        count_cells(keys, labels, cells_of(keys, index), self.counts, self.ends)

    def merge(self, other: "ModelCells") -> None:
        """Add what others hold."""
        self.counts += other.counts
        np.minimum(self.ends[:, 0], other.ends[:, 0], out=self.ends[:, 0])
        np.maximum(self.ends[:, 1], other.ends[:, 1], out=self.ends[:, 1])

    @property
    def several(self) -> NDArray[np.bool_]:
        """Which cells hold several values: the others are exact."""
        return np.asarray(self.ends[:, 0] < self.ends[:, 1])

    def shares(self) -> NDArray[np.float64]:
        """Return the mean of the shares of both classes that each cell holds."""
        return np.asarray((self.counts / np.maximum(self.counts.sum(axis=0), 1)).mean(axis=1))

    def divided(self, most: int) -> Keys:
        """Return the edges of about `most` cells that hold alike many cases."""
        held = self.counts.any(axis=1)
        low, high = self.ends[held].T
        pieces = np.where(low < high, np.ceil(most * self.shares()[held]), 1.0).astype(np.uint64)
        width = np.maximum((high - low) // pieces, np.uint64(1))
        cut = np.flatnonzero(pieces > 1)
        inner = [low[i] + width[i] * np.arange(1, pieces[i], dtype=np.uint64) for i in cut.tolist()]
        inner = [np.minimum(edges, high[i]) for edges, i in zip(inner, cut, strict=True)]
        return np.unique(np.concatenate([low, low[cut] + np.uint64(1), high[cut], *inner]))


def blocks(size: int) -> list[slice]:
    """Return slices of so many rows that fit into a cache."""
    return [slice(start, start + BLOCK) for start in range(0, size, BLOCK)]


@dataclass
class Counted:
    """The summary of a pass that counts: cells of each model, labels found, rows left out."""

    reader: Reader
    indexes: Sequence[Index | None]
    models: list[ModelCells]
    bits: list[int]
    found: frozenset[Any] = frozenset()
    n_dropped: int = 0

    @classmethod
    def empty(cls, reader: Reader, indexes: Sequence[Index | None]) -> "Counted":
        """Return the summary of no rows; without an index cells are the first ones."""
        models = [ModelCells.of(index.size if index else FIRST_CELLS) for index in indexes]
        return cls(reader, indexes, models, [0] * len(models))

    def add(self, part: Part) -> None:
        """Count the cases of a part."""
        for chunk in self.reader.read(part):
            self.found |= chunk.found
            self.n_dropped += chunk.n_dropped
            for rows in blocks(chunk.labels.size):
                self.add_rows(chunk.labels[rows], [scores[rows] for scores in chunk.scores])

    def add_rows(self, labels: NDArray[np.uint8], scores: Sequence[Vector]) -> None:
        """Count the cases of a block."""
        for j, index in enumerate(self.indexes):
            keys, bits = keys_of(scores[j])
            self.models[j].count(keys, labels, index)
            self.bits[j] |= bits

    def merge(self, other: "Counted") -> None:
        """Add what another summary has counted."""
        self.found |= other.found
        self.n_dropped += other.n_dropped
        self.bits = [one | two for one, two in zip(self.bits, other.bits, strict=True)]
        for own, more in zip(self.models, other.models, strict=True):
            own.merge(more)

    def finalize(self) -> tuple[int, int]:
        """Return the numbers of positives and of negatives, after a look at the labels."""
        n, m = self.models[0].counts.sum(axis=0).tolist()
        if m + n:
            check_coding(self.found, self.reader.pos_label)
        return m, n


def keys_of(scores: NDArray[np.float64]) -> tuple[Keys, int]:
    """Return scores as ordered integers, and the bits that any of these has."""
    keys = np.empty(scores.size, np.uint64)
    return keys, int(write_keys(scores, keys))


def cells_of(keys: Keys, index: Index | None) -> Cells:
    """Return the cell of every key."""
    cells = np.empty(keys.size, np.int64)
    if index is None:
        find_first_cells(keys, cells)
    else:
        find_cells(keys, *index, cells)
    return cells
