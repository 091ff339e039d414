"""Replicates of a statistic after exchanges of ranks that is computed anew for each of them."""

from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import NDArray

from ...._base.parallel import Checkpoint
from ...._base.types import Vector
from ....kernels.drawing.exchange import UNIT, draw_signs
from ....kernels.drawing.philox import LANES

QUICK = 2e7  # cases in all exchanges that take 0.1 s: 20 cases or so
MOST = 3e9  # half a minute
CALL = 1 << 21  # cases in a kernel call: 20 ms, so that an interrupt is heard


class Exchanges(ABC):
    """A statistic of n cases, after random exchanges, or with no seed after every different one."""

    __slots__ = ()
    n: int
    seed: int | None

    @property
    @abstractmethod
    def n_moved(self) -> int:
        """How many cases have two ranks."""

    @abstractmethod
    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write the statistic after the exchanges of the lanes from `lane` on."""

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the statistic of replicates 64 b, ..., 64 b + 63 for every block b."""
        signs = np.empty((-(-self.n_moved // UNIT), LANES), np.uint16)
        out = np.empty((len(blocks), LANES))
        width = max(1, CALL // self.n)
        for row, block in zip(out, blocks, strict=True):
            self._draw(block, signs)
            for lane in range(0, LANES, width):
                checkpoint()
                self.write(signs, lane, row[lane : lane + width])
        return out

    def _draw(self, block: int, signs: NDArray[np.uint16]) -> None:
        if self.seed is not None:
            draw_signs(np.uint64(block), np.uint64(self.seed), signs)
            return
        number = np.arange(LANES) + LANES * block
        for unit, row in enumerate(signs):
            row[:] = (number >> (UNIT * unit)) & 0xFFFF

    @property
    def n_exchanges(self) -> int:
        """How many exchanges differ: to exchange all other cases instead swaps the models."""
        return int(1 << max(self.n_moved - 1, 0))

    def observed(self) -> float:
        """Return the statistic without an exchange."""
        signs, out = np.zeros((-(-self.n_moved // UNIT), LANES), np.uint16), np.empty(1)
        self.write(signs, 0, out)
        return float(out[0])
