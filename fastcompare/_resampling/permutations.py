"""Replicates of a statistic under permutations: blocks of 64 over threads or any executor."""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .._base.memory import reserve
from .._base.parallel import Checkpoint, run_all
from .._base.types import AnyArray
from .._inference.pvalues import PValue
from .._inputs.workers import Workers
from .blocks import all_blocks, block_tasks

TASKS = 32  # at most: enough for threads to share, and each may take the data to another process
TASK = 1 << 18  # cases in the blocks of a task: a millisecond
BLOCKS = 16  # blocks of replicates that share tables of sums
UNITS = 1 << 14  # units in a kernel call: 20 ms, so that an interrupt is heard

Null = Callable[[range, Checkpoint], AnyArray]


def null_replicates(null: Null, n_resamples: int, work: int, workers: Workers) -> AnyArray:
    """Return the statistic (n_resamples,) of every replicate.

    `null` is picklable and returns the replicates (blocks, 64) of a range of blocks; `work` is the
    time of a block, in that of adding up one sign of 64 replicates.
    """
    reserve((n_resamples,), hint="ask for fewer resamples")
    size = max(1, TASK // max(work, 1), -(-len(all_blocks(n_resamples)) // TASKS))
    tasks = block_tasks(n_resamples, size)
    return np.concatenate(run_all(null, tasks, **workers)).ravel()[:n_resamples]


def exact_share(extreme: int, total: int) -> PValue:
    """Return the p-value where `extreme` of `total` equally likely outcomes are as extreme."""
    return PValue(extreme / total, math.log(extreme / total))


def drawn_share(is_extreme: NDArray[np.bool_]) -> PValue:
    """Return the p-value by random outcomes, of which the observed one is one more."""
    return exact_share(1 + int(np.count_nonzero(is_extreme)), 1 + is_extreme.size)
