"""Room for the scores of cells that hold many cases of few values, such as single precision has.

A group of neighbouring cells keeps its scores together, each as 16 bits: how far above the group's
least one, and the label. They are not sorted but counted, and threads share the room.
"""

from threading import Lock

import numpy as np
from numpy.typing import NDArray

from ...._inputs.chunks import check_unchanged
from ....kernels.dense import VALUES, count_within, group_cells, place_keys
from .cells import Cells, ModelCells
from .index import Keys

CROWDED = 8  # values for each case at most: with more of them, sorting is faster than counting


class Dense:
    """The scores of some cells of one model, group by group."""

    def __init__(self, model: ModelCells, wanted: NDArray[np.bool_], shift: np.uint64) -> None:
        self.wanted, self.shift, self.lock = wanted, shift, Lock()
        groups = np.zeros(len(wanted), np.int32)
        count = int(group_cells(wanted, model.ends, shift, groups))
        groups[~wanted] = count
        self.groups, self.members = groups, groups[wanted]
        first = np.searchsorted(self.members, np.arange(count))
        self.lows = np.append(model.ends[wanted, 0][first], np.uint64(0))
        self.stops = np.cumsum(model.counts[wanted].sum(axis=1))[np.append(first[1:], 0) - 1]
        starts, ends = np.append([0], self.stops), np.append(self.stops, 0)
        self.places = np.stack([starts, ends], axis=1)
        self.values = np.empty(int(self.stops[-1]), np.uint16)  # memory is taken as it fills

    def add(self, keys: Keys, cells: Cells, labels: NDArray[np.uint8]) -> None:
        """Hold scores whose cells are known."""
        known = self.groups, self.lows, self.shift
        with self.lock:
            place_keys(keys, labels, cells, *known, self.places, self.values)

    def finalize(self, model: ModelCells, sums: NDArray[np.int64]) -> None:
        """Write the sums of these cells, and forget the scores."""
        check_unchanged(self.places[:-1, 0].tolist(), self.stops.tolist())
        lows = self.lows[self.members][:, None]
        offsets = ((model.ends[self.wanted] - lows) >> self.shift).astype(np.int64)
        found = np.zeros((len(offsets), 2, 3), np.int64)
        sizes = model.counts[self.wanted]
        alike = count_within(self.values, self.stops, self.members, offsets, sizes, found)
        check_unchanged(alike, True)
        sums[self.wanted] = found
        self.values = np.empty(0, np.uint16)


def dense_cells(model: ModelCells, shift: np.uint64) -> NDArray[np.bool_]:
    """Return which cells of several values have few of them, if these hold many cases at all."""
    low, high = model.ends.T
    widths = np.where(model.several, high - low, 0) >> shift
    dense = model.several & (widths < VALUES)
    crowded = int(model.counts[dense].sum()) * CROWDED > int(widths[dense].sum())
    return np.asarray(dense & crowded)
