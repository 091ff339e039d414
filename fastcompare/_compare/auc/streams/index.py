"""Where a score's cell is found: two tables in front of a search among few edges.

Scores are ordered 64-bit integers (`kernels.sorting.keys`). The upper bits of the distance from the
lowest edge choose a slot; a slot is divided further the more edges it holds. Scores of any scale
are found in three loads.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....kernels.words import U

Keys = NDArray[np.uint64]
SLOT_BITS = 12


class Index(NamedTuple):
    """Edges of cells in rising order, and the tables that `find_cells` looks them up by."""

    edges: Keys
    low: np.uint64
    shift: np.uint64
    first: NDArray[np.int64]
    narrow: Keys
    starts: NDArray[np.int32]

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.edges) - 1


def index_of(edges: Keys) -> Index:
    """Return the index of edges, which are in rising order."""
    low, span = edges[0], int(edges[-1]) - int(edges[0])
    shift = max(span.bit_length() - SLOT_BITS, 0)
    slots = (edges - low) >> U(shift)
    held = np.bincount(slots.astype(np.int64), minlength=(span >> shift) + 1)
    bits = np.minimum(np.ceil(np.log2(4.0 * held + 1.0)).astype(np.int64), shift)
    parts = np.left_shift(1, bits)
    first = np.cumsum(parts) - parts
    within = np.arange(parts.sum()) - np.repeat(first, parts)
    narrow = (shift - bits).astype(np.uint64)
    slot = np.repeat(np.arange(len(held)), parts).astype(np.uint64)
    bounds = low + (slot << U(shift)) + (within.astype(np.uint64) << np.repeat(narrow, parts))
    starts = np.append(np.searchsorted(edges, bounds, side="right"), len(edges))
    above = np.append(edges, ~U(0))
    return Index(above, low, U(shift), first, narrow, starts.astype(np.int32))
