"""Poisson bootstrap of AUCs over chunks: exact replicates, whatever the chunks are.

Every row has its own weights, Poisson counts of mean 1 that depend on the seed and its number. So a
replicate's AUC is that of the rows as often as their weights say, and both class sizes vary:

    AUC* = sum of w_i w_j over pairs that the positive i wins from the negative j / (M* N*)

Scores come in rising order, a window at a time (`streams.rows`); the negatives passed so far are
carried from one to the next. Weights are drawn along the way, and drawn again where needed.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.parallel import Checkpoint, Report, run_all
from ...._inputs.chunks import Stream
from ...._inputs.randomness import key_of
from ...._resampling.blocks import all_blocks
from ...._resampling.bootstrap import Draws
from ...._resampling.weights import draw_numbered, room_for_weights, slices
from ....kernels.drawing.philox import LANES
from ....kernels.drawing.poisson import add_positives
from ....kernels.replicates import win_steps
from ....kernels.walks import count_wins
from ..streams.delong import Workers
from ..streams.rows import Ordered, Survey
from .walks import SCRATCH, Rows, walk_of

STEPS = 1 << 14  # whose weights are drawn at a time: 1 MB
Kinds = NDArray[np.uint8]


class PoissonDrawn(NamedTuple):
    """What the chunks tell: 2mn AUC of both models, and of all replicates with their classes.

    `drawn` (k + 2, B) are whole numbers as of `Wins`.
    """

    drawn: NDArray[np.uint64]
    won: list[int]
    m: int
    n: int
    n_dropped: int


class Step(NamedTuple):
    """A piece of a walk: the numbers of its rows, and its runs."""

    numbers: Rows
    ends: Rows
    kinds: Kinds


class Carried:
    """What is carried from window to window, (64) for each model and block of replicates."""

    def __init__(self, k: int, n_blocks: int, seed: int) -> None:
        self.below, self.won = np.zeros((2, k, n_blocks, LANES), np.uint64)
        self.positives = np.zeros((n_blocks, LANES), np.uint64)
        self.passed, self.gained = [0] * k, [0] * k  # of the data themselves
        self.seed = seed

    def on_data(self, model: int, ordered: Ordered, ends: Rows, kinds: Kinds) -> None:
        """Take in a window with all weights 1."""
        positives = int(np.count_nonzero(ordered.labels))
        inside = int(count_wins(ends, kinds))
        self.gained[model] += inside + 2 * self.passed[model] * positives
        self.passed[model] += ordered.labels.size - positives

    def walk(self, model: int, steps: list[Step], block: int, checkpoint: Checkpoint) -> None:
        """Walk along a window with the weights of a block."""
        room = room_for_weights(STEPS)
        below, won = self.below[model, block], self.won[model, block]
        for numbers, ends, kinds in steps:
            checkpoint()
            weights = room[: numbers.size]
            draw_numbered(numbers, block, self.seed, weights)
            here, runs = np.arange(numbers.size, dtype=np.uint32), (ends, kinds, 0)
            span = weights.view(np.uint64), 0, numbers.size
            win_steps(here, *runs, *span, below, won, *SCRATCH.cleared())
            if model == 0:
                add_positives(weights, ends, kinds, self.positives[block])

    def numbers(self, n_resamples: int) -> NDArray[np.uint64]:
        """Return 2mn AUC of all models, and the negatives and positives."""
        classes = np.stack([self.below[0] // np.uint64(2), self.positives])
        drawn = np.concatenate([self.won, classes])
        return drawn.reshape(len(drawn), -1)[:, :n_resamples]


def poisson_of_stream(stream: Stream, draws: Draws) -> PoissonDrawn:
    """Return the replicates of all models of a stream."""
    jobs = draws.workers["n_jobs"]
    survey = Survey(stream, Workers(jobs, draws.workers["executor"]))
    n_blocks = len(all_blocks(draws.n))
    carried = Carried(stream.k, n_blocks, key_of(draws.seed))
    report, done = draws.workers["progress"](n_blocks * sum(map(len, survey.windows))), 0
    for model, ordered in survey.ordered():
        ends, kinds, steps = steps_of(ordered)
        carried.on_data(model, ordered, ends, kinds)
        walk_blocks(carried, model, steps, jobs, later(report, done))
        done += n_blocks
    return PoissonDrawn(
        carried.numbers(draws.n), carried.gained, survey.m, survey.n, survey.n_dropped
    )


def walk_blocks(
    carried: Carried, model: int, steps: list[Step], n_jobs: int, report: Report
) -> None:
    """Walk along a window with the weights of all blocks, over threads."""

    def walk(block: int, checkpoint: Checkpoint) -> None:
        carried.walk(model, steps, block, checkpoint)

    blocks = range(carried.positives.shape[0])
    run_all(walk, blocks, n_jobs=n_jobs, progress=lambda total: report)


def later(report: Report, before: int) -> Report:
    """Return a report that counts on from what was done before."""
    return lambda done, item="": report(before + done)


def steps_of(ordered: Ordered) -> tuple[Rows, Kinds, list[Step]]:
    """Return the runs of a walk along the scores, and its pieces with their own runs."""
    scores, labels, numbers = ordered
    most = 2 * labels.size  # tied negatives are passed twice
    rows, ends, kinds = (
        np.empty(most, np.uint32),
        np.empty(most, np.uint32),
        np.empty(most, np.uint8),
    )
    keys = np.empty(labels.size, np.uint64)
    size, runs = walk_of(scores, labels, numbers, keys, (rows, ends, kinds))
    rows, ends, kinds = rows[:size], ends[:runs], kinds[:runs]
    return ends, kinds, [piece_of(rows, ends, kinds, part) for part in slices(size, STEPS)]


def piece_of(rows: Rows, ends: Rows, kinds: Kinds, part: slice) -> Step:
    """Return a piece of a walk."""
    start, stop = np.uint32(part.start), np.uint32(part.stop)  # of another type all are copied
    first = int(np.searchsorted(ends, start, "right"))
    last = int(np.searchsorted(ends, stop, "left")) + 1
    own: Any = np.minimum(ends[first:last], part.stop) - part.start
    return Step(rows[part], own.astype(np.uint32), kinds[first:last])
