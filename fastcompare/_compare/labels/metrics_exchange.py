"""A metric's difference when two models' predictions are exchanged within random cases.

Exchanging turns a case of the cell (t, u, v) into one of (t, v, u). So of the N cases in both cells
together, a fair coin says of each which of the two it is in: the first holds Binomial(N, 1/2). All
outcomes together are the product of N + 1 over these pairs of cells, far fewer than 2^cases.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.parallel import Checkpoint
from ..._base.types import Integers, Vector
from ..._inference.pvalues import CERTAIN, TINY, PValue, in_tail
from ...kernels.drawing.philox import LANES
from ...kernels.tables.cells import count_exchanges
from .metrics import NEAR, Cells, Counts, Values
from .metrics_replicates import difference

CHUNK = 1 << 12  # outcomes at once
LARGEST = 2_000  # cases in a pair of cells: binomial coefficients of more take too long


class Pairs(NamedTuple):
    """Cells in the order first, second of each of J pairs, then those without an exchange.

    `sizes` (J,) are the cases of the pairs, `fixed` the counts of the cells that follow, and
    `observed` counts all cells.
    """

    numbers: Integers
    sizes: Integers
    fixed: Counts
    observed: Counts

    def outcomes(self) -> int:
        """Return how many counts there are."""
        return math.prod(size + 1 for size in self.sizes.tolist())

    def counted(self, first: Counts) -> Counts:
        """Return the counts of all cells from those (J, B) of the first of each pair."""
        j, b = first.shape
        counts = np.empty((2 * j + self.fixed.size, b), np.uint32)
        counts[: 2 * j : 2] = first
        counts[1 : 2 * j : 2] = self.sizes[:, None].astype(np.uint32) - first
        counts[2 * j :] = self.fixed[:, None]
        return counts


def exchange_pairs(cells: Cells) -> Pairs:
    """Return the pairs of cells that exchanges join."""
    found, apart, places, second = joined_cells(cells)
    both = np.zeros((len(found), 2), np.uint32)
    np.add.at(both, (places, second.astype(np.int64)), cells.counts[apart])
    mirrored = np.stack([found, found[:, [0, 2, 1]]], axis=1).reshape(-1, 3)
    numbers = np.concatenate([mirrored, cells.numbers[~apart]])
    fixed = cells.counts[~apart]
    observed = np.concatenate([both.ravel(), fixed])
    return Pairs(np.ascontiguousarray(numbers), both.sum(1, dtype=np.int64), fixed, observed)


class Joined(NamedTuple):
    """The pairs of cells (J, 3), which cells they join, the pair of each, and if it is second."""

    found: Integers
    apart: NDArray[np.bool_]
    places: Integers
    second: NDArray[np.bool_]


def joined_cells(cells: Cells) -> Joined:
    """Return which pair each cell with two different predictions is in."""
    t, a, b = cells.numbers.T
    apart = a != b
    low, high = np.minimum(a, b), np.maximum(a, b)
    joined = np.column_stack([t, low, high])[apart]
    found, inverse = np.unique(joined, axis=0, return_inverse=True)
    return Joined(found, apart, inverse.ravel(), (a > b)[apart])


@dataclass(frozen=True, slots=True)
class Exchanged:
    """Replicates of the difference of the metric; picklable.

    They are turned to the sign of the observed one, so that swapping the models turns them all.
    """

    values: Values
    pairs: Pairs
    sign: float
    seed: int

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the differences of replicates 64 b, ..., 64 b + 63 for every block b."""
        out = np.empty((2, len(blocks), LANES))
        first = np.empty((self.pairs.sizes.size, LANES), np.uint32)
        for i, block in enumerate(blocks):
            checkpoint()
            count_exchanges(self.pairs.sizes, np.uint64(block), np.uint64(self.seed), first)
            out[:, i] = self.values(self.pairs.counted(first))
        return np.asarray(self.sign * difference(out))


def is_extreme(differences: Vector, observed: Vector, alternative: str) -> NDArray[np.bool_]:
    """Return which are as extreme as that of the observed values (2,), for all that one can tell.

    What is not defined is extreme: so the test stays valid.
    """
    start, _ = in_tail(float(difference(observed[:, None])[0]), alternative)
    start -= NEAR * float(np.abs(observed).max())
    return ~(in_tail(differences, alternative)[0] < start)


def exact_exchange_pvalue(
    values: Values, pairs: Pairs, observed: Vector, alternative: str
) -> tuple[PValue, float]:
    """Return the p-value over all exchanges, and the share of those that are not defined."""
    sizes = [0, *pairs.sizes.tolist()]  # the 0 adds no outcome, and makes one where no case differs
    chances = [half_chances(size) for size in sizes]
    logs = [log_chances(size) for size in sizes]
    total, undefined, every, found = 0.0, 0.0, True, []
    for start in range(0, pairs.outcomes(), CHUNK):
        ranks = np.arange(start, min(start + CHUNK, pairs.outcomes()))
        first = np.array(np.unravel_index(ranks, [size + 1 for size in sizes]), np.uint32)
        differences = difference(values(pairs.counted(first[1:])))
        extreme = is_extreme(differences, observed, alternative)
        weights = np.prod([chance[k] for chance, k in zip(chances, first, strict=True)], axis=0)
        total += float(weights[extreme].sum())
        undefined += float(weights[np.isnan(differences)].sum())
        every &= bool(extreme.all())
        heights = np.sum([log[k] for log, k in zip(logs, first, strict=True)], axis=0)
        found.append(np.logaddexp.reduce(heights[extreme]))
    if every:
        return CERTAIN, undefined
    log_p = math.log(total) if total >= TINY else float(np.logaddexp.reduce(found))
    return PValue(total, log_p), undefined


def coefficients(size: int) -> list[int]:
    """Return the binomial coefficients of `size`."""
    found = [1]
    for k in range(size):
        found.append(found[-1] * (size - k) // (k + 1))
    return found


def half_chances(size: int) -> Vector:
    """Return the chances of 0, ..., size heads in throws of a fair coin, each rounded once."""
    return np.array([c / (1 << size) for c in coefficients(size)])


def log_chances(size: int) -> Vector:
    """Return the logarithms of these chances, which may underflow."""
    return np.array([math.log(c) - size * math.log(2.0) for c in coefficients(size)])
