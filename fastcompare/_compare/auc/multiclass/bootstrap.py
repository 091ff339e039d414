"""Bootstrap replicates of averages of AUCs over several classes, drawn within each class.

Every replicate has as many cases of each class as the data, so an average is a sum of whole numbers
of pairs won, each with a fixed share, over one common denominator. The sum is exact: replicates
that are equal, or 0, are so in all bits.
"""

import math
from dataclasses import dataclass

import numpy as np

from ...._base.parallel import Checkpoint
from ...._base.types import Vector
from ...._resampling.bootstrap import Draws, Replicated, acceleration_of, draw, replicated
from ...._resampling.weights import Weights
from ....kernels.drawing.philox import LANES
from ..bootstrap.walks import NO_COUNTS, Wins, walks_of
from .walks import Averages, Blocks, Walk, shares_of

EXACT = 1 << 53  # whole numbers below it are doubles


@dataclass(frozen=True, slots=True)
class AverageWins:
    """Statistic: the average of one model, or that of the first model less the second's, (64,).

    Half a pair won in a walk counts its entry of `shares`, divided by `whole`.
    """

    walks: tuple[Wins, ...]
    shares: tuple[int, ...]
    whole: int

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the numbers of 64 replicates, each rounded once."""
        total = np.zeros(LANES, np.int64 if self.whole < EXACT else object)
        for walk, share in zip(self.walks, self.shares, strict=True):
            won = walk(weights, checkpoint)[:-2].astype(np.int64)
            gained = won[0] - won[1:].sum(axis=0)
            total += share * gained.astype(total.dtype)
        return np.asarray(total / self.whole, np.float64)


def wins_of(blocks: Blocks, walks: list[Walk]) -> AverageWins:
    """Return the statistic of these walks; each class must have a case."""
    shares = shares_of(blocks, walks)
    whole = math.lcm(*(share.denominator for share in shares))
    found = tuple(walk_wins(blocks, walk) for walk in walks)
    return AverageWins(found, tuple(int(share * whole) for share in shares), whole)


def walk_wins(blocks: Blocks, walk: Walk) -> Wins:
    """Return the statistic of one walk."""
    cases, (m, n) = blocks.cases_of(walk), blocks.sizes_of(walk)
    spans = [np.arange(s.start, s.stop, dtype=np.uint32) for s in blocks.spans_of(walk)]
    rows = np.concatenate(spans)
    return Wins(walks_of(cases.labels, cases.scores, rows), NO_COUNTS, (n, m))


def replicates_of(blocks: Blocks, averages: Averages, draws: Draws) -> Vector:
    """Return the replicates; none with less than two cases of a class."""
    if averages.counts.min() < 2:
        return np.empty(0)
    values: Vector = draw(wins_of(blocks, averages.walks), tuple(blocks.counts), draws)[0]
    return values


def percentiles(blocks: Blocks, averages: Averages, draws: Draws) -> Replicated:
    """Return one model's average with its replicates."""
    values = replicates_of(blocks, averages, draws)
    return replicated("percentile", float(averages.estimate[0]), values)


def resampled(blocks: Blocks, averages: Averages, method: str, draws: Draws) -> Replicated:
    """Return the difference of two models with its replicates."""
    values = replicates_of(blocks, averages, draws)
    acceleration = acceleration_of(averages.influence[-1])
    return replicated(method, averages.difference, values, acceleration=acceleration)
