"""Tables of counts whose cases are drawn with replacement, without drawing any of the cases."""

import numpy as np
from numpy.typing import NDArray

from .._base.memory import reserve
from .._base.types import Integers
from .._inputs.randomness import key_of
from ..kernels.drawing.multinomial import draw_tables
from .bootstrap import Draws
from .weights import slices

CALL = 1 << 17  # counts in a kernel call: some 50 ms, so that an interrupt is heard


def redrawn_tables(table: Integers, draws: Draws) -> NDArray[np.float64]:
    """Return tables of the same shape, replicates along the last axis, each of as many cases.

    A table may hold up to 2^63 cases, since a replicate takes a few microseconds for any number.
    """
    drawn = reserve((table.size, draws.n), hint="take fewer replicates")
    cells = np.ascontiguousarray(table, np.int64).ravel()
    seed = np.uint64(key_of(draws.seed))
    for part in slices(draws.n, max(1, CALL // cells.size)):
        own = np.empty((cells.size, part.stop - part.start))
        draw_tables(cells, np.uint64(part.start), seed, own)
        drawn[:, part] = own
    return drawn.reshape(*table.shape, draws.n)
