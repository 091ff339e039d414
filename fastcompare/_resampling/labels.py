"""Random labels and tables: positives by bin given probabilities, counts of resampled cases.

If each case is positive with its probability, the number of positives of a bin is Poisson-binomial;
calibration errors of such labels take one uniform number a bin, whatever the number of cases. A
table whose cases are resampled has multinomial counts, without drawing any case.
"""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.memory import reserve
from .._base.parallel import Checkpoint, run_all
from .._base.types import Integers, Vector
from .._inputs.options import hash_seed
from ..kernels.drawing.resampling import NEVER, add_counts, count_chances, draw_errors, draw_tables
from .bootstrap import Draws
from .replicates import block_tasks
from .weights import slices

LEAF = 64  # cases that are added one by one, in place of pairs of sums
BLOCK = 64  # draws
TASK = 1 << 19  # uniform numbers in a task: some 10 ms


class Count(NamedTuple):
    """A random number of positives: the chances of `first`, first + 1, ..."""

    first: int
    chances: Vector


def positive_count(p: Vector) -> Count:
    """Return how many of the cases are positive if each is with its probability.

    In halves: O(n log n) for n cases, 25 ms for 10^5, where one case after the other took 250.
    """
    if p.size > LEAF:
        middle = p.size // 2
        a = positive_count(p[:middle])
        b = positive_count(p[middle:])
        chances = np.empty(a.chances.size + b.chances.size - 1)
        add_counts(a.chances, b.chances, chances)
        used = np.flatnonzero(chances >= NEVER)
        first = int(used[0])
        last = int(used[-1])
        return Count(a.first + b.first + first, chances[first : last + 1])
    chances = np.empty(p.size + 1)
    first, last = count_chances(p, chances)
    return Count(first, chances[first : last + 1])


class DrawnLabels(NamedTuple):
    """The positives of each bin, drawn from the probabilities; picklable.

    From `starts[b]` on are the chances of `firsts[b]` and more positives in bin b, their sums, and
    the guides to these; `lags` are the expected positives less `firsts`.
    """

    chances: Vector
    cumulative: Vector
    guides: Integers
    starts: Integers
    firsts: Integers
    lags: Vector

    def error(self, positives: Integers) -> float:
        """Return the sum of |expected - these positives|."""
        return float(np.abs(self.lags - (positives - self.firsts)).sum())

    def expected_error(self) -> float:
        """Return the mean over all labels of the sum of |expected - drawn positives|."""
        sizes = np.diff(self.starts)
        steps = np.arange(self.chances.size) - np.repeat(self.starts[:-1], sizes)
        return float(self.chances @ np.abs(np.repeat(self.lags, sizes) - steps))

    def errors(self, draws: Draws) -> Vector:
        """Return that sum for each draw."""
        errors = reserve((draws.n,), hint="use fewer resamples")
        size = max(1, TASK // (BLOCK * self.lags.size))
        tasks = block_tasks(draws.n, size)
        seed = np.uint64(hash_seed(draws.seed))
        done = run_all(partial(task_errors, self, seed), tasks, **draws.workers)
        errors[:] = np.concatenate(done)[: draws.n]
        return errors


def task_errors(labels: DrawnLabels, seed: np.uint64, blocks: range, check: Checkpoint) -> Vector:
    """Return the errors of some blocks of draws."""
    out = np.empty((len(blocks), BLOCK))
    for row, block in zip(out, blocks, strict=True):
        check()
        first = np.uint64(BLOCK * block)
        draw_errors(labels.cumulative, labels.guides, labels.starts, labels.lags, first, seed, row)
    return out.ravel()


@np.errstate(under="ignore")
def labels_by_bin(p: Vector, stops: Integers) -> DrawnLabels:
    """Return the labels of cases in order of their bins, which end at `stops`."""
    starts = np.concatenate([[0], stops[:-1]])
    counts = [positive_count(p[i:j]) for i, j in zip(starts.tolist(), stops.tolist(), strict=True)]
    sums = [np.cumsum(count.chances) for count in counts]
    for total in sums:
        total[-1] = 1.0
    sizes = np.cumsum([count.chances.size for count in counts])
    firsts = np.array([count.first for count in counts])
    return DrawnLabels(
        np.concatenate([count.chances for count in counts]),
        np.concatenate(sums),
        np.concatenate([np.searchsorted(s, np.arange(s.size) / s.size) for s in sums]),
        np.concatenate([[0], sizes]),
        firsts,
        np.add.reduceat(p, starts) - firsts,
    )


CALL = 1 << 17  # counts in a kernel call: some 50 ms, so that an interrupt is heard


def redrawn_tables(table: Integers, draws: Draws) -> NDArray[np.float64]:
    """Return tables of the same shape, replicates along the last axis, each of as many cases.

    A table may have up to 2^63 cases, since a replicate takes a few microseconds for any number.
    """
    tables = reserve((table.size, draws.n), hint="take fewer replicates")
    cells = np.ascontiguousarray(table, np.int64).ravel()
    seed = np.uint64(hash_seed(draws.seed))
    for part in slices(draws.n, max(1, CALL // cells.size)):
        counts = np.empty((cells.size, part.stop - part.start))
        draw_tables(cells, np.uint64(part.start), seed, counts)
        tables[:, part] = counts
    return tables.reshape(*table.shape, draws.n)
