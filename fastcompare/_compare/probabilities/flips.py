"""Differences with random signs: the null distribution of their sum, and the interval of the mean.

If two models' losses are exchangeable within cases, each difference is as likely to have the other
sign (Fisher 1935). Up to `EVERY` of them all 2^n signs are counted, from the sums of two halves;
beyond, some are drawn. Flipping the set A turns the sum of d - x as far as its own size exactly
when the mean of d over A is at most x: so the ends of intervals are order statistics of the means
over all sets, or over random ones (Hartigan 1969). Of clusters d are the sums, of so many cases
each: whole clusters are flipped, which is exact for clusters of any sizes and correlation.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.parallel import Checkpoint
from ..._base.types import Integers, Matrix, Vector
from ..._inference.pvalues import PValue, in_tail
from ..._inputs.randomness import key_of
from ..._inputs.workers import ALONE
from ..._resampling.bootstrap import Draws
from ..._resampling.permutations import BLOCKS, UNITS, drawn_share, exact_share, null_replicates
from ..._resampling.replicates import NEAR as NEAR_LEVEL
from ..._resampling.replicates import Ordered
from ...kernels.drawing.exchange import UNIT
from ...kernels.drawing.philox import LANES
from ...kernels.drawing.signs import add_flips, add_flips_of_rows

ROUNDING = 1e-13  # by which two ways to sum the same numbers may differ
BLOCKS_OF_ROWS = 64  # blocks that share tables of several vectors: 32 take a tenth longer
EVERY = 24  # differences whose 2^n signs are all counted: a millisecond


@dataclass(frozen=True, slots=True)
class FlippedSums:
    """Replicates of the sum of numbers with random signs; picklable."""

    d: Vector
    seed: int

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the sums of replicates 64 b, ..., 64 b + 63 for every block b."""
        sums: Vector = flipped_sums(self.d[None], self.seed, blocks, checkpoint)[0]
        return sums


def flipped_sums(
    rows: Matrix, seed: int, blocks: range, checkpoint: Checkpoint
) -> NDArray[np.float64]:
    """Return the sums (rows, blocks, 64) of several vectors with the same random signs."""
    sums = np.zeros((len(rows), len(blocks), LANES))
    padded = np.zeros((len(rows), -(-rows.shape[1] // UNIT) * UNIT))
    padded[:, : rows.shape[1]] = rows
    step = BLOCKS if len(rows) == 1 else BLOCKS_OF_ROWS
    for first in range(0, len(blocks), step):
        some = blocks[first : first + step]
        sums[:, first : first + step] = sums_of_some(padded, seed, some, checkpoint)
    return sums


def sums_of_some(
    padded: Matrix, seed: int, blocks: range, checkpoint: Checkpoint
) -> NDArray[np.float64]:
    """Return the same of vectors of whole units, for blocks that share tables of sums."""
    alone = len(padded) == 1
    d = padded if alone else np.ascontiguousarray(padded.T)
    shape = (1, len(blocks), LANES) if alone else (len(blocks), LANES, len(padded))
    part, block, key = np.zeros(shape), np.uint64(blocks[0]), np.uint64(seed)
    for unit in range(0, padded.shape[1] // UNIT, UNITS):
        checkpoint()
        cases = slice(unit * UNIT, (unit + UNITS) * UNIT)
        if alone:
            add_flips(np.ascontiguousarray(d[:, cases]), np.uint64(unit), block, key, part)
        else:
            add_flips_of_rows(d[cases], np.uint64(unit), block, key, part)
    return part if alone else np.moveaxis(part, 2, 0)


def in_order(d: Vector) -> tuple[Vector, Vector]:
    """Return the numbers by size with the sign of their sum, and what turns these into d.

    So the order of the cases does not matter, and swapping the models turns every replicate.
    """
    d = d[by_size(d)]
    sizes = np.copysign(np.abs(d), d.sum())
    return sizes, np.where(d * sizes < 0.0, -1.0, 1.0)


def by_size(d: Vector) -> NDArray[np.intp]:
    """Return the order of the numbers by size."""
    return np.argsort(np.abs(d), kind="stable")


def drawn_sums(d: Vector, draws: Draws) -> Vector:
    """Return the sums of random signs."""
    sums = FlippedSums(in_order(d)[0], key_of(draws.seed))
    return null_replicates(sums, draws.n, d.size, draws.workers)


def flip_pvalue(d: Vector, near: float, alternative: str, drawn: Vector | None) -> PValue:
    """Return the share of signs whose sum is as extreme as that of d; those `near` it are."""
    start, times = in_tail(float(d.sum()), alternative)
    start -= near
    if times == 2.0 and start <= 0.0:
        return PValue(1.0, 0.0)
    if drawn is None:
        return exact_share(int(times) * count_from(np.abs(d), start), 1 << d.size)
    return drawn_share(in_tail(drawn, alternative)[0] >= start)


def count_from(d: Vector, start: float) -> int:
    """Return how many of the 2^n sums of d with any signs are at least `start`."""
    some, others = np.sort(all_sums(d[::2])), np.sort(all_sums(d[1::2]))
    return int((others.size - np.searchsorted(others, start - some)).sum())


def all_sums(d: Vector) -> Vector:
    """Return the sums of d with all signs."""
    sums = np.zeros(1)
    for value in d.tolist():
        sums = np.concatenate([sums - value, sums + value])
    return sums


class ExactFlipEnds:
    """Ends of intervals for the mean, from all signs."""

    def __init__(self, d: Vector, sizes: Vector | Integers | None = None) -> None:
        self.d, self.sizes = d, np.ones(d.size) if sizes is None else sizes

    def low(self, alpha: float) -> float:
        """Return the largest x such that at most alpha of the signs turn d - x as far."""
        return end_below(self.d, self.sizes, alpha)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return -end_below(-self.d, self.sizes, alpha)


def end_below(d: Vector, sizes: Vector | Integers, alpha: float) -> float:
    """Return the mean over a set of d at which the share of sums as large passes alpha."""
    most = math.floor(math.ldexp(alpha, d.size) * (1.0 + NEAR_LEVEL))
    means = d / sizes
    low, high = float(means.min()), float(means.max())
    if most < 1:
        return -math.inf
    if signs_as_far(d - low * sizes) > most:  # several means are the lowest
        return low
    while low < (middle := 0.5 * low + 0.5 * high) < high:
        if signs_as_far(d - middle * sizes) <= most:
            low = middle
        else:
            high = middle
    return high


def signs_as_far(moved: Vector) -> int:
    """Return how many of the signs turn numbers into a sum at least as large as theirs."""
    return count_from(moved, float(moved.sum()) - ROUNDING * float(np.abs(moved).sum()))


class DrawnFlipEnds:
    """Ends of intervals for the mean, from the random signs of the test."""

    def __init__(
        self, d: Vector, n_resamples: int, seed: int, sizes: Vector | Integers | None = None
    ) -> None:
        self.d, self.n_resamples, self.seed, self.sizes = d, n_resamples, seed, sizes

    @cached_property
    def _means(self) -> Vector:
        """Means over the sets that were flipped, NaN for the empty set."""
        values, turns = in_order(self.d)
        n: float = self.d.size
        if self.sizes is not None:
            turns, n = turns * self.sizes[by_size(self.d)], float(self.sizes.sum())
        sums, counts = (
            null_replicates(FlippedSums(v, key_of(self.seed)), self.n_resamples, v.size, ALONE)
            for v in (values, turns)
        )
        means = np.full(sums.size, math.nan)
        np.divide(self.d.sum() - sums, n - counts, out=means, where=n - counts > ROUNDING * n)
        return means

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return Ordered(np.nan_to_num(self._means, nan=-math.inf)).low(alpha)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return Ordered(np.nan_to_num(self._means, nan=math.inf)).high(alpha)


class DecidedEnds(NamedTuple):
    """Ends from random signs, on the side of 0 that all signs of the few numbers tell that vary."""

    drawn: DrawnFlipEnds
    varying: Vector
    near: float

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        end = self.drawn.low(alpha)
        if not self._rejects("greater", alpha):
            return min(end, 0.0)
        return end if end > 0.0 else min(filter((0.0).__lt__, self.drawn._means.tolist()))

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        end = self.drawn.high(alpha)
        if not self._rejects("less", alpha):
            return max(end, 0.0)
        return end if end < 0.0 else max(filter((0.0).__gt__, self.drawn._means.tolist()))

    def _rejects(self, alternative: str, alpha: float) -> bool:
        p = flip_pvalue(self.varying, self.near, alternative, None).pvalue
        return p <= alpha * (1.0 + NEAR_LEVEL)


def exact_ends(drawn: DrawnFlipEnds, varying: Vector, near: float) -> ExactFlipEnds | DecidedEnds:
    """Return the ends that belong to a p-value by all signs of the numbers that vary."""
    if drawn.d.size <= EVERY:
        return ExactFlipEnds(drawn.d, drawn.sizes)
    return DecidedEnds(drawn, varying, near)
