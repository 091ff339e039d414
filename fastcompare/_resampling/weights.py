"""Replicates of a statistic under bootstrap weights or permutations, and the jackknife.

Blocks of 64 replicates run on threads or any executor. Replicate b depends on (seed, b) alone: not
on the number of threads, the executor or the blocks of a task. A statistic is a picklable callable:
it gets the weights (units, 64) of a block and returns an array (s, 64), or one of (64,).
"""

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from functools import lru_cache, partial
from threading import local
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from .._base.memory import reserve
from .._base.parallel import Checkpoint, Reporting, no_progress, run_all
from .._base.types import AnyArray
from .._inference.pvalues import PValue
from .._inputs.options import Workers
from ..kernels.drawing.resampling import BATCH, draw_poisson, draw_strata
from ..kernels.drawing.streams import LANES, WORDS
from .replicates import all_blocks, block_tasks

Weights = NDArray[np.uint8]
Statistic = Callable[[Weights, Checkpoint], NDArray[Any]]

ROWS_PER_CALL = 1 << 16  # rows in a kernel call: some 5 ms, so that an interrupt is heard
TASK_COUNTS = 1 << 25  # counts in a task: some 50 ms
# Blocks in a task, if there are so many: new room for weights costs a tenth of a block.
SMALLEST_TASK_BLOCKS = 4
TASKS_OF_EXECUTOR = 32  # at most, since each may carry the data to another process
MOST_JACKKNIFE_GROUPS = 2048  # left out in turn by the jackknife, at most
THRESHOLDS = 25  # the chance of a greater count is below 2^-80
TOTAL_BELOW_TARGET_SD = 2.0  # standard deviations that the Poisson total stays below its target
SMALLEST_RATE = 0.7  # from 0.65 on four thresholds differ in their high bytes
HIGH_BYTES = 4  # thresholds whose high bytes differ; those of the others are 255


class StrataThresholds(NamedTuple):
    """The rows at which strata end, and thresholds of their Poisson counts, for `draw_strata`."""

    ends: NDArray[np.int64]
    levels: Weights
    thresholds: NDArray[np.uint64]


class Scratch(local):
    """A thread's scratch array for the random bits of a batch of rows, and its view as bytes.

    `draw_strata` takes it. It is made once: blocks of few cases take little longer than new arrays.
    """

    def __init__(self) -> None:
        """Make the arrays of the thread."""
        bits = np.empty((BATCH + 1, WORDS), np.uint32)
        self.arrays = bits, bits.view(np.uint8)


SCRATCH = Scratch()


@dataclass(frozen=True, slots=True)
class Strata:
    """Multinomial weights of the units of strata, `sizes` units each, in consecutive rows."""

    sizes: tuple[int, ...]
    seed: int

    @property
    def n_units(self) -> int:
        """The number of rows of weights."""
        return sum(self.sizes)

    def draw(self, block: int, weights: Weights, checkpoint: Checkpoint) -> None:
        """Write the weights of replicates 64 block, ..., 64 block + 63."""
        thresholds = strata_thresholds(self.sizes)
        seed = np.uint64(self.seed)
        totals = np.zeros((len(self.sizes), LANES), np.uint32)  # of each stratum, over all calls
        shared = totals, *thresholds, np.uint64(block), seed, *SCRATCH.arrays
        words = weights.view(np.uint64).ravel()
        for rows in row_slices(len(weights)):
            checkpoint()
            draw_strata(weights, words, rows.start, rows.stop, *shared)


class WeightSource(Protocol):
    """An object that draws the bootstrap weights of units: a row for each, 64 replicates wide."""

    @property
    def n_units(self) -> int:
        """The number of rows of weights."""

    def draw(self, block: int, weights: Weights, checkpoint: Checkpoint) -> None:
        """Write the weights of replicates 64 block, ..., 64 block + 63."""


@dataclass(frozen=True, slots=True)
class PoissonRows:
    """Independent Poisson weights of mean 1, which depend on the seed and the row's number."""

    n_units: int
    seed: int

    def draw(self, block: int, weights: Weights, checkpoint: Checkpoint) -> None:
        """Write the weights of replicates 64 block, ..., 64 block + 63."""
        for rows in row_slices(len(weights)):
            checkpoint()
            numbers = np.arange(rows.start, rows.stop, dtype=np.uint32)
            draw_poisson_weights(numbers, block, self.seed, weights[rows])


def draw_poisson_weights(
    numbers: NDArray[np.uint32], block: int, seed: int, weights: Weights
) -> None:
    """Write the Poisson weights of mean 1 (rows, 64) of the rows with these numbers."""
    words = weights.view(np.uint64).ravel()
    levels, thresholds = unit_thresholds()
    draw_poisson(
        numbers,
        weights,
        words,
        np.uint64(block),
        levels,
        thresholds,
        np.uint64(seed),
        *SCRATCH.arrays,
    )


def row_slices(n_rows: int, step: int = ROWS_PER_CALL) -> Iterator[slice]:
    """Yield slices of at most `step` rows that cover `n_rows` rows."""
    return (slice(start, min(start + step, n_rows)) for start in range(0, n_rows, step))


@lru_cache(maxsize=64)
def poisson_thresholds(n_units: int) -> tuple[Weights, NDArray[np.uint64]]:
    """Return thresholds of Poisson counts of `n_units` units whose total is mostly below `n_units`.

    Units are then added until the total is right. Any rate would be exact; this one leaves some
    2 sqrt(size) units to add, which is faster than removing units.
    """
    return poisson_thresholds_of_rate(
        max(1.0 - TOTAL_BELOW_TARGET_SD / math.sqrt(n_units), SMALLEST_RATE)
    )


@lru_cache(maxsize=1)
def unit_thresholds() -> tuple[Weights, NDArray[np.uint64]]:
    """Return the thresholds of Poisson counts of mean 1."""
    return poisson_thresholds_of_rate(1.0)


def poisson_thresholds_of_rate(rate: float) -> tuple[Weights, NDArray[np.uint64]]:
    """Return the thresholds of Poisson counts of mean `rate`.

    They are the cumulative probabilities: the first eight as 8 bits and differences, as
    `count_draws` takes them, and all 25 as pairs of 16 and 64 bits.
    """
    with localcontext(Context(prec=50)):  # not the caller's, which may round or trap otherwise
        probability = (-Decimal(rate)).exp()
        total = Decimal(0)
        values = []
        for k in range(THRESHOLDS):
            total += probability
            values.append(min(int(total * 2**80), 2**80 - 1))
            probability *= Decimal(rate) / (k + 1)
    thresholds = np.array([divmod(value, 1 << 64) for value in values], np.uint64)
    high, low = np.divmod(thresholds[: 2 * HIGH_BYTES, 0].astype(np.int64), 256)
    levels = np.concatenate(
        [high[:HIGH_BYTES], low[:1], np.diff(low[:HIGH_BYTES]), low[HIGH_BYTES:]]
    )
    return levels.astype(np.uint8), thresholds


@lru_cache(maxsize=64)
def strata_thresholds(strata_sizes: tuple[int, ...]) -> StrataThresholds:
    """Return the rows at which strata end, and the thresholds of each stratum's Poisson counts."""
    levels, thresholds = zip(*map(poisson_thresholds, strata_sizes), strict=True)
    return StrataThresholds(np.cumsum(strata_sizes), np.stack(levels), np.stack(thresholds))


def aligned_weights(n_units: int) -> Weights:
    """Return an empty array (n_units, 64) whose rows are cache lines: a third faster at 10^6."""
    buffer = np.empty((n_units + 1) * LANES, np.uint8)
    start = -buffer.ctypes.data % LANES
    return buffer[start : start + n_units * LANES].reshape(n_units, LANES)


def run_blocks(
    statistic: Statistic, strata: WeightSource, blocks: range, checkpoint: Checkpoint
) -> NDArray[Any]:
    """Return the statistics (s, replicates) of the replicates of some blocks."""
    weights = aligned_weights(strata.n_units)
    results = []
    for block in blocks:
        checkpoint()
        strata.draw(block, weights, checkpoint)
        results.append(np.atleast_2d(statistic(weights, checkpoint)))
    return np.concatenate(results, axis=1)


def weighted_replicates(
    statistic: Statistic,
    strata: WeightSource,
    n_resamples: int,
    *,
    n_jobs: int = 1,
    executor: Executor | None = None,
    progress: Reporting = no_progress,
) -> NDArray[Any]:
    """Return s statistics of every replicate, of shape (s, n_resamples)."""
    reserve((n_resamples,), hint="use fewer resamples")
    reserve((strata.n_units * n_jobs, LANES // 8), hint="use fewer threads or cases")
    n_blocks = len(all_blocks(n_resamples))
    size = max(SMALLEST_TASK_BLOCKS, TASK_COUNTS // (strata.n_units * LANES))
    if executor is None and n_jobs > 1:
        size = min(size, max(1, n_blocks // (16 * n_jobs)))
    elif executor is not None:
        size = max(size, -(-n_blocks // TASKS_OF_EXECUTOR))
    done = run_all(
        partial(run_blocks, statistic, strata),
        block_tasks(n_resamples, size),
        n_jobs=n_jobs,
        executor=executor,
        progress=progress,
    )
    return np.concatenate(done, axis=1)[:, :n_resamples]


def leave_groups_out(
    statistic: Statistic, groups: NDArray[np.int64], block: int, checkpoint: Checkpoint
) -> NDArray[Any]:
    """Return the statistics (s, 64) without group g, for g = 64 block, ..., 64 block + 63.

    `groups` has the group of each unit.
    """
    weights = np.ones((groups.size, LANES), np.uint8)
    lanes = groups - LANES * block
    rows = np.flatnonzero((lanes >= 0) & (lanes < LANES))
    weights[rows, lanes[rows]] = 0
    return np.atleast_2d(statistic(weights, checkpoint))


def jackknife(
    statistic: Statistic,
    strata_sizes: tuple[int, ...],
    *,
    n_jobs: int = 1,
    executor: Executor | None = None,
) -> list[NDArray[Any]]:
    """Return for every stratum the statistics (s, g) without each of g groups of its units.

    A group is one unit; in strata of more units than the most groups, g, it is every g-th unit.
    The statistic must count the classes itself, since they lose cases.
    """
    counts = [min(size, MOST_JACKKNIFE_GROUPS // len(strata_sizes)) for size in strata_sizes]
    ends = np.cumsum(counts)
    groups = [  # numbered on from stratum to stratum
        np.arange(size) % g + end - g
        for size, g, end in zip(strata_sizes, counts, ends, strict=True)
    ]
    done = run_all(
        partial(leave_groups_out, statistic, np.concatenate(groups)),
        range(-(-int(ends[-1]) // LANES)),
        n_jobs=n_jobs,
        executor=executor,
    )
    return np.split(np.concatenate(done, axis=1)[:, : ends[-1]], ends[:-1], axis=1)


MOST_TASKS = 32  # enough for threads to share; each may take the data to another process
TASK_CASES = 1 << 18  # cases in the blocks of a task: a millisecond
BLOCKS_PER_TABLE = 16  # blocks of replicates that share tables of sums
UNITS_PER_CALL = 1 << 14  # units in a kernel call: 20 ms, so that an interrupt is heard

Null = Callable[[range, Checkpoint], AnyArray]


def null_replicates(null: Null, n_resamples: int, work: int, workers: Workers) -> AnyArray:
    """Return the statistic of every replicate under the null hypothesis, (n_resamples,).

    `null` is picklable and returns the replicates (blocks, 64) of a range of blocks; `work` is the
    time of a block, in units of the time to add one sign of 64 replicates.
    """
    reserve((n_resamples,), hint="use fewer resamples")
    size = max(1, TASK_CASES // max(work, 1), -(-len(all_blocks(n_resamples)) // MOST_TASKS))
    tasks = block_tasks(n_resamples, size)
    return np.concatenate(run_all(null, tasks, **workers)).ravel()[:n_resamples]


def exact_pvalue(extreme: int, total: int) -> PValue:
    """Return the p-value extreme / total, counts of equally likely outcomes, and its log."""
    return PValue(extreme / total, math.log(extreme / total))


def monte_carlo_pvalue(is_extreme: NDArray[np.bool_]) -> PValue:
    """Return the p-value (1 + number of extreme replicates) / (1 + B) of a Monte Carlo test."""
    return exact_pvalue(1 + int(np.count_nonzero(is_extreme)), 1 + is_extreme.size)
