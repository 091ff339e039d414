"""DeLong's moments of AUCs over any partition of the rows, and how exact they are.

In the letters of DeLong et al. (1988): m positives X, n negatives Y, components V10 and V01, and
D = V10_a - V10_b (V01 alike) for a difference of two models. Its variance is the squared length of
a vector, C being the centring of each class:

    SE^2 = |C D_x|^2 / (m (m - 1)) + |C D_y|^2 / (n (n - 1))

The AUCs are exact, for cells of several values are put in order (`ordering`). The components of a
row, however, are read off its cells. They stray from the true ones by e_a and e_b, whose lengths
are known from that order: |e|^2 = R / 4n^2 over the positives, R / 4m^2 over the negatives. As
centring lengthens nothing, |C D' - C D| <= |e_a| + |e_b| for each class, and by the triangle
inequality in the space of both classes

    |SE' - SE|^2 <= (|e_ax| + |e_bx|)^2 / (m (m - 1)) + (|e_ay| + |e_by|)^2 / (n (n - 1))

All sums are whole numbers, so SE' is rounded twice: by the division and by the root. The bound
adds 2^-51 SE' for these, and as much of itself. Where every cell holds one value it is 0: the bits
are those of the test in memory. Variances of single AUCs are exact, and so are the diagonal of the
covariance and, for two models that give every case the same score, all of it.
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

import numpy as np

from ...._base.streams import S
from ...._inputs.chunks import Stream, check_rows, check_unchanged
from ...._inputs.parts import share_memory
from ..components import pairs_of
from ..exact import denominator
from .cells import Counted, ModelCells
from .components import Compared, Differences
from .index import Keys, index_of
from .ordering import (
    Held,
    Marginal,
    Values,
    dot,
    marginal_of,
    nothing_within,
    placements_of,
    put_in_order,
    windows,
)

CELLS = (1 << 14, 1 << 20)  # at first, and where the bound is too wide with those
NARROW = 1e-3  # of the standard error, a bound that is narrow enough
UNEVEN = 4.0  # root mean square of what a case's cell holds, in units of an even share
EXACT_VALUES = 1 << 18  # scores in cells of several values that all get cells of their own
ROUNDS = 8  # of division at most: each divides by thousands, and a double has 64 bits
ROUNDING = 2.0**-51


class Workers(NamedTuple):
    """Who reads the chunks."""

    n_jobs: int = 1
    executor: Executor | None = None


class Streamed(NamedTuple):
    """What k models' chunks hold: sums of each model and of all pairs, whole numbers."""

    m: int
    n: int
    n_dropped: int
    marginals: list[Marginal]
    differences: list[Differences]


class Spread(NamedTuple):
    """The variance of a difference, its shares of both classes, and the bounds of their roots.

    `numerator` is that of the variance, a whole number, over `exact.denominator`.
    """

    numerator: int
    variance: float
    shares: tuple[float, float]
    bound: float
    bounds: tuple[float, float]


class Passes:
    """The passes over the chunks of a stream."""

    def __init__(self, stream: Stream, workers: Workers) -> None:
        self.stream, self.workers = stream, workers
        self.counted = self.count([None] * stream.k)
        self.m, self.n = self.counted.finalize()
        check_rows(self.m + self.n, self.counted.n_dropped)

    def run(self, empty: Callable[[], S]) -> S:
        """Return the summary of all parts."""
        return self.stream.gather(empty, *self.workers)

    def count(self, edges: Sequence[Keys | None]) -> Counted:
        """Return the counts by cells with these edges."""
        indexes = [None if own is None else index_of(own) for own in edges]
        return self.run(partial(Counted.empty, self.stream.reader, indexes))

    def recount(self, edges: Sequence[Keys]) -> None:
        """Count by other cells; the totals must stay."""
        self.counted = self.count(edges)
        check_unchanged(self.counted.finalize(), (self.m, self.n))

    def divide(self, most: int) -> None:
        """Divide cells until they hold alike many cases, or a single value."""
        for _ in range(ROUNDS):
            models = self.counted.models
            if self.in_several() <= EXACT_VALUES or all(is_even(m, most) for m in models):
                break
            self.recount([model.divided(most) for model in models])
        if 0 < self.in_several() <= EXACT_VALUES:
            self.divide_wholly()

    def in_several(self) -> int:
        """Return how many scores lie in cells of several values."""
        return sum(int(m.counts[m.several].sum()) for m in self.counted.models)

    def divide_wholly(self) -> None:
        """Give every value a cell of its own."""
        counted, edges = self.counted, []
        held = windows(counted.models, counted.bits)[0]
        values = self.values(held)
        for j, (model, own) in enumerate(zip(counted.models, held, strict=True)):
            both = np.concatenate(values.finalize(j)).astype(np.uint64)
            edges.append(
                np.union1d(model.ends[model.counts.any(axis=1), 0], (both << own.shift) + own.base)
            )
        self.recount(edges)

    def values(self, held: Sequence[Held]) -> Values:
        """Return the scores of some cells."""
        reader, indexes = self.stream.reader, self.counted.indexes
        return self.run(partial(Values.empty, reader, indexes, held))

    def compare(self, near: float) -> Streamed:
        """Return the sums of all models and pairs; cells are put in order on the way."""
        counted = self.counted
        models, sums = counted.models, [nothing_within(model) for model in counted.models]
        shared = share_memory(self.stream.kind, self.workers.executor)
        first, *others = windows(models, counted.bits, shared)
        reader, indexes = self.stream.reader, counted.indexes
        compared = self.run(partial(Compared.empty, reader, indexes, models, first, near))
        check_unchanged(compared.sizes.tolist(), [self.n, self.m])
        found = compared.finalize()
        check_unchanged([pair.sums for pair in found], gained_by_cells(models))
        put_in_order(compared.values, models, sums, self.workers.n_jobs)
        for held in others:
            put_in_order(self.values(held), models, sums, self.workers.n_jobs)
        marginals = [marginal_of(model, own) for model, own in zip(models, sums, strict=True)]
        return Streamed(self.m, self.n, counted.n_dropped, marginals, found)


def gained_by_cells(models: Sequence[ModelCells]) -> list[tuple[int, int]]:
    """Return the sums of differences of placements of all pairs, over positives and negatives."""
    placed = [
        [dot(*columns) for columns in zip(placements_of(m).T, m.counts.T, strict=True)]
        for m in models
    ]
    pairs = ((placed[i], placed[j]) for i, j in pairs_of(len(models)))
    return [(one[1] - other[1], one[0] - other[0]) for one, other in pairs]


def is_even(model: ModelCells, most: int) -> bool:
    """Say whether cells of several values hold about an even share each."""
    shares = np.where(model.several, model.shares(), 0.0)
    return bool(most * math.sqrt(float((shares**3).sum())) <= UNEVEN)


def stream_sums(stream: Stream, workers: Workers, near: float = 0.0) -> Streamed:
    """Return the sums of all models; NaN follow where a class is missing."""
    passes = Passes(stream, workers)
    for most in CELLS:
        passes.divide(most)
        streamed = passes.compare(near)
        if all(is_narrow(spread_of(streamed, *pair)) for pair in pairs_of(stream.k)):
            break
    return streamed


def is_narrow(spread: Spread) -> bool:
    """Say whether a bound is narrow enough, or cannot be narrower."""
    return not spread.bound > NARROW * math.sqrt(spread.variance)


def residue(one: int, other: int) -> float:
    """Return the sum of the lengths of two vectors with these squares."""
    return math.sqrt(one) + math.sqrt(other)


def spread_of(streamed: Streamed, i: int, j: int) -> Spread:
    """Return the variance of AUC_i - AUC_j, with what it may miss; NaN where it is undefined."""
    m, n, _, marginals, differences = streamed
    if m < 2 or n < 2:
        return Spread(0, math.nan, (math.nan, math.nan), math.nan, (math.nan, math.nan))
    found = differences[pairs_of(len(marginals)).index((i, j))]
    (w_x, w_y), (over_x, over_y) = found.sums, found.squares
    # not one W for both: the cells' placements need not add up alike in both classes
    over = (m * over_x - w_x * w_x) * (n - 1) + (n * over_y - w_y * w_y) * (m - 1)
    under = 4 * m * m * n * n
    shares = (m * over_x - w_x**2) / (under * (m - 1)), (n * over_y - w_y**2) / (under * (n - 1))
    variance = over / denominator(m, n)
    own, others = marginals[i].residues, marginals[j].residues
    if found.alike or not sum(own) + sum(others):
        return Spread(over, variance, shares, 0.0, (0.0, 0.0))
    bounds = (
        residue(own[0], others[0]) / (2 * n * math.sqrt(m * (m - 1))),
        residue(own[1], others[1]) / (2 * m * math.sqrt(n * (n - 1))),
    )
    bound = (math.hypot(*bounds) + ROUNDING * math.sqrt(variance)) * (1.0 + ROUNDING)
    return Spread(over, variance, shares, bound, bounds)
