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
from .._base.parallel import Checkpoint, Reporting, run_all, unheard
from .._base.types import AnyArray
from .._inference.pvalues import PValue
from .._inputs.options import Workers
from ..kernels.drawing.resampling import BATCH, draw_poisson, draw_strata
from ..kernels.drawing.streams import LANES, WORDS
from .replicates import all_blocks, block_tasks

Weights = NDArray[np.uint8]
Statistic = Callable[[Weights, Checkpoint], NDArray[Any]]

SLICE = 1 << 16  # rows in a kernel call: some 5 ms, so that an interrupt is heard
TASK = 1 << 25  # counts in a task: some 50 ms
LEAST = 4  # blocks in a task, if there are so many: new room for weights costs a tenth of a block
TASKS_OF_EXECUTOR = 32  # at most, since each may carry the data to another process
GROUPS = 2048  # left out in turn by the jackknife, at most
THRESHOLDS = 25  # the chance of a greater count is below 2^-80
SLACK = 2.0  # standard deviations that the Poisson total stays below its target
LEAST_RATE = 0.7  # from 0.65 on four thresholds differ in their high bytes
HIGH_BYTES = 4  # thresholds whose high bytes differ; those of the others are 255


class Rates(NamedTuple):
    """Where strata end, and the thresholds of their Poisson counts, as `draw_strata` takes them."""

    ends: NDArray[np.int64]
    levels: Weights
    thresholds: NDArray[np.uint64]


class Scratch(local):
    """Room of a thread for the random bits of a batch of rows, and the same bytes.

    It is for `draw_strata`, and made once: blocks of few cases take little longer than new arrays.
    """

    def __init__(self) -> None:
        bits = np.empty((BATCH + 1, WORDS), np.uint32)
        self.arrays = bits, bits.view(np.uint8)


SCRATCH = Scratch()


@dataclass(frozen=True, slots=True)
class Strata:
    """Units that a replicate draws from: `sizes` of the strata, whose rows follow one another."""

    sizes: tuple[int, ...]
    seed: int

    @property
    def n_units(self) -> int:
        """The number of rows of weights."""
        return sum(self.sizes)

    def draw(self, block: int, weights: Weights, checkpoint: Checkpoint) -> None:
        """Write the weights of replicates 64 block, ..., 64 block + 63."""
        rates = strata_rates(self.sizes)
        seed = np.uint64(self.seed)
        totals = np.zeros((len(self.sizes), LANES), np.uint32)
        place = totals, *rates, np.uint64(block), seed, *SCRATCH.arrays
        words = weights.view(np.uint64).ravel()
        for part in slices(len(weights)):
            checkpoint()
            draw_strata(weights, words, part.start, part.stop, *place)


class WeightSource(Protocol):
    """What draws rows of weights."""

    @property
    def n_units(self) -> int:
        """The number of rows of weights."""

    def draw(self, block: int, weights: Weights, checkpoint: Checkpoint) -> None:
        """Write the weights of replicates 64 block, ..., 64 block + 63."""


@dataclass(frozen=True, slots=True)
class PoissonRows:
    """Rows whose weights are independent, and depend on the number of the row alone."""

    n_units: int
    seed: int

    def draw(self, block: int, weights: Weights, checkpoint: Checkpoint) -> None:
        """Write the weights of replicates 64 block, ..., 64 block + 63."""
        for part in slices(len(weights)):
            checkpoint()
            numbers = np.arange(part.start, part.stop, dtype=np.uint32)
            draw_numbered(numbers, block, self.seed, weights[part])


def draw_numbered(numbers: NDArray[np.uint32], block: int, seed: int, weights: Weights) -> None:
    """Write the independent weights (rows, 64) of the rows with these numbers."""
    words = weights.view(np.uint64).ravel()
    rates = unit_thresholds()
    place = np.uint64(block), *rates, np.uint64(seed), *SCRATCH.arrays
    draw_poisson(numbers, weights, words, *place)


def slices(size: int, step: int = SLICE) -> Iterator[slice]:
    """Yield slices of at most `step` that cover `size`."""
    return (slice(start, min(start + step, size)) for start in range(0, size, step))


@lru_cache(maxsize=64)
def poisson_thresholds(size: int) -> tuple[Weights, NDArray[np.uint64]]:
    """Return the thresholds of Poisson counts whose total mostly stays below `size`.

    The first eight as `count_draws` takes them, and all as pairs of 16 and 64 bits. Any rate would
    be exact; this one leaves some 2 sqrt(size) units to add, which is faster than taking units
    away.
    """
    return poisson_thresholds_of_rate(max(1.0 - SLACK / math.sqrt(size), LEAST_RATE))


@lru_cache(maxsize=1)
def unit_thresholds() -> tuple[Weights, NDArray[np.uint64]]:
    """Return the same of mean 1."""
    return poisson_thresholds_of_rate(1.0)


def poisson_thresholds_of_rate(rate: float) -> tuple[Weights, NDArray[np.uint64]]:
    """Return the thresholds of Poisson counts of this mean."""
    with localcontext(Context(prec=50)):  # not the caller's, which may round or trap otherwise
        chance = (-Decimal(rate)).exp()
        total = Decimal(0)
        values = []
        for k in range(THRESHOLDS):
            total += chance
            values.append(min(int(total * 2**80), 2**80 - 1))
            chance *= Decimal(rate) / (k + 1)
    thresholds = np.array([divmod(value, 1 << 64) for value in values], np.uint64)
    high, low = np.divmod(thresholds[: 2 * HIGH_BYTES, 0].astype(np.int64), 256)
    levels = np.concatenate(
        [high[:HIGH_BYTES], low[:1], np.diff(low[:HIGH_BYTES]), low[HIGH_BYTES:]]
    )
    return levels.astype(np.uint8), thresholds


@lru_cache(maxsize=64)
def strata_rates(sizes: tuple[int, ...]) -> Rates:
    """Return where the strata end, and the thresholds of each."""
    levels, thresholds = zip(*map(poisson_thresholds, sizes), strict=True)
    return Rates(np.cumsum(sizes), np.stack(levels), np.stack(thresholds))


def room_for_weights(n_units: int) -> Weights:
    """Return room for rows of weights, each in its own cache line: a third faster at 10^6."""
    room = np.empty((n_units + 1) * LANES, np.uint8)
    start = -room.ctypes.data % LANES
    return room[start : start + n_units * LANES].reshape(n_units, LANES)


def run_blocks(
    statistic: Statistic, strata: WeightSource, blocks: range, checkpoint: Checkpoint
) -> NDArray[Any]:
    """Return the statistic of some blocks of replicates, along the last axis."""
    weights = room_for_weights(strata.n_units)
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
    progress: Reporting = unheard,
) -> NDArray[Any]:
    """Return the statistic (s, n_resamples) of every replicate."""
    reserve((n_resamples,), hint="use fewer resamples")
    reserve((strata.n_units * n_jobs, LANES // 8), hint="use fewer threads or cases")
    n_blocks = len(all_blocks(n_resamples))
    size = max(LEAST, TASK // (strata.n_units * LANES))
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


def without_groups(
    statistic: Statistic, groups: NDArray[np.int64], block: int, checkpoint: Checkpoint
) -> NDArray[Any]:
    """Return the statistic without the groups 64 block, ..., 64 block + 63 of units in turn."""
    weights = np.ones((groups.size, LANES), np.uint8)
    lanes = groups - LANES * block
    rows = np.flatnonzero((lanes >= 0) & (lanes < LANES))
    weights[rows, lanes[rows]] = 0
    return np.atleast_2d(statistic(weights, checkpoint))


def jackknife(
    statistic: Statistic,
    sizes: tuple[int, ...],
    *,
    n_jobs: int = 1,
    executor: Executor | None = None,
) -> list[NDArray[Any]]:
    """Return for every stratum the statistic (s, g) without each of g groups of its units.

    A group is one unit, or in strata of more units than may be left out every g-th one. The
    statistic must count the classes itself, since they lose cases.
    """
    counts = [min(size, GROUPS // len(sizes)) for size in sizes]
    ends = np.cumsum(counts)
    groups = [
        np.arange(size) % g + end - g for size, g, end in zip(sizes, counts, ends, strict=True)
    ]
    done = run_all(
        partial(without_groups, statistic, np.concatenate(groups)),
        range(-(-int(ends[-1]) // LANES)),
        n_jobs=n_jobs,
        executor=executor,
    )
    return np.split(np.concatenate(done, axis=1)[:, : ends[-1]], ends[:-1], axis=1)


TASKS = 32  # at most: enough for threads to share, and each may take the data to another process
TASK_CASES = 1 << 18  # cases in the blocks of a task: a millisecond
BLOCKS = 16  # blocks of replicates that share tables of sums
UNITS = 1 << 14  # units in a kernel call: 20 ms, so that an interrupt is heard

Null = Callable[[range, Checkpoint], AnyArray]


def null_replicates(null: Null, n_resamples: int, work: int, workers: Workers) -> AnyArray:
    """Return the statistic (n_resamples,) of every replicate.

    `null` is picklable and returns the replicates (blocks, 64) of a range of blocks; `work` is the
    time of a block, in that of adding up one sign of 64 replicates.
    """
    reserve((n_resamples,), hint="use fewer resamples")
    size = max(1, TASK_CASES // max(work, 1), -(-len(all_blocks(n_resamples)) // TASKS))
    tasks = block_tasks(n_resamples, size)
    return np.concatenate(run_all(null, tasks, **workers)).ravel()[:n_resamples]


def exact_share(extreme: int, total: int) -> PValue:
    """Return the p-value where `extreme` of `total` equally likely outcomes are as extreme."""
    return PValue(extreme / total, math.log(extreme / total))


def random_share(is_extreme: NDArray[np.bool_]) -> PValue:
    """Return the p-value by random outcomes, of which the observed one is one more."""
    return exact_share(1 + int(np.count_nonzero(is_extreme)), 1 + is_extreme.size)
