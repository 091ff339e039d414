"""What permutation tests of two AUCs or curves share: midranks, replicates and their p-value.

Each model ranks all cases. If the models are exchangeable, a case's two ranks may as well be
exchanged; a replicate does so for about half of the cases. Ranks rather than scores, since the two
models' scores may be on different scales.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..._inputs import Cases, Workers
from ..._memory import reserve
from ..._parallel import Checkpoint, run_all
from ..._pvalues import PValue
from ...kernels.midrank import midranks
from ...kernels.philox import LANES

TASKS = 32  # at least so many, for threads to share, unless there is little to do

Replicates = NDArray[Any]
Null = Callable[[range, Checkpoint], Replicates]


def ranks_of(cases: Cases) -> list[NDArray[np.uint32]]:
    """Return twice the midranks that each model gives to all cases."""
    ranks = [np.empty(scores.size, np.uint32) for scores in cases.scores]
    for scores, out in zip(cases.scores, ranks, strict=True):
        midranks(scores, out)
    return ranks


def replicate(null: Null, n_resamples: int, cost: int, workers: Workers) -> Replicates:
    """Return the statistic (n_resamples,) of every replicate.

    `null` is picklable and returns the replicates (blocks, 64) of a range of blocks; `cost` is how
    many blocks make a task that repays its overhead.
    """
    reserve((n_resamples,), hint="ask for fewer resamples")
    n_blocks = -(-n_resamples // LANES)
    size = max(cost, -(-n_blocks // TASKS))
    tasks = [range(first, min(first + size, n_blocks)) for first in range(0, n_blocks, size)]
    return np.concatenate(run_all(null, tasks, **workers)).ravel()[:n_resamples]


def pvalue_of_count(extreme: int, total: int) -> PValue:
    """Return the p-value where `extreme` of `total` equally likely outcomes are as extreme."""
    return PValue(extreme / total, math.log(extreme / total))
