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
from ..kernels.drawing.resampling import (
    NEGLIGIBLE_PROBABILITY,
    convolve_pmfs,
    draw_bin_errors,
    draw_multinomial_tables,
    poisson_binomial_pmf,
)
from .bootstrap import Draws
from .replicates import block_tasks
from .weights import row_slices

CASES_ONE_BY_ONE = 64  # cases that are added one by one, in place of pairs of sums
DRAWS_PER_BLOCK = 64
UNIFORMS_PER_TASK = 1 << 19  # uniform numbers in a task: some 10 ms


class CountDistribution(NamedTuple):
    """The distribution of a random count: `pmf[i]` is the probability of `first` + i."""

    first: int
    pmf: Vector


def poisson_binomial(p: Vector) -> CountDistribution:
    """Return the distribution of the number of positives if case i is positive with p[i].

    By convolving halves: 25 ms for 10^5 cases, where adding case by case took 250.
    """
    if p.size > CASES_ONE_BY_ONE:
        middle = p.size // 2
        a = poisson_binomial(p[:middle])
        b = poisson_binomial(p[middle:])
        pmf = np.empty(a.pmf.size + b.pmf.size - 1)
        convolve_pmfs(a.pmf, b.pmf, pmf)
        used = np.flatnonzero(pmf >= NEGLIGIBLE_PROBABILITY)
        first = int(used[0])
        last = int(used[-1])
        return CountDistribution(a.first + b.first + first, pmf[first : last + 1])
    pmf = np.empty(p.size + 1)
    first, last = poisson_binomial_pmf(p, pmf)
    return CountDistribution(first, pmf[first : last + 1])


class BinnedRandomLabels(NamedTuple):
    """The distribution of the number of positives of each bin, from which labels are drawn.

    From `starts[b]` on are, for bin b, the probabilities of `firsts[b]`, firsts[b] + 1, ...
    positives, their cumulative sums, and the guide table that inverts these; `lags` are the
    expected numbers of positives less `firsts`.
    """

    pmf: Vector
    cumulative: Vector
    guides: Integers
    starts: Integers
    firsts: Integers
    lags: Vector

    def error(self, positives: Integers) -> float:
        """Return the sum over bins of |expected - observed number of positives|."""
        return float(np.abs(self.lags - (positives - self.firsts)).sum())

    def expected_error(self) -> float:
        """Return the expectation of `error` if labels are drawn from the probabilities."""
        sizes = np.diff(self.starts)
        steps = np.arange(self.pmf.size) - np.repeat(self.starts[:-1], sizes)
        return float(self.pmf @ np.abs(np.repeat(self.lags, sizes) - steps))

    def errors(self, draws: Draws) -> Vector:
        """Return the `error` of each of `draws.n` random sets of labels."""
        errors = reserve((draws.n,), hint="use fewer resamples")
        size = max(1, UNIFORMS_PER_TASK // (DRAWS_PER_BLOCK * self.lags.size))
        tasks = block_tasks(draws.n, size)
        seed = np.uint64(hash_seed(draws.seed))
        done = run_all(partial(errors_of_blocks, self, seed), tasks, **draws.workers)
        errors[:] = np.concatenate(done)[: draws.n]
        return errors


def errors_of_blocks(
    labels: BinnedRandomLabels, seed: np.uint64, blocks: range, check: Checkpoint
) -> Vector:
    """Return the errors of the random labels of some blocks, 64 each."""
    out = np.empty((len(blocks), DRAWS_PER_BLOCK))
    for row, block in zip(out, blocks, strict=True):
        check()
        first = np.uint64(DRAWS_PER_BLOCK * block)
        draw_bin_errors(
            labels.cumulative, labels.guides, labels.starts, labels.lags, first, seed, row
        )
    return out.ravel()


@np.errstate(under="ignore")
def random_labels_by_bin(p: Vector, stops: Integers) -> BinnedRandomLabels:
    """Return the random labels of cases of probabilities p, sorted by bin; bins end at `stops`."""
    starts = np.concatenate([[0], stops[:-1]])
    counts = [
        poisson_binomial(p[i:j]) for i, j in zip(starts.tolist(), stops.tolist(), strict=True)
    ]
    sums = [np.cumsum(count.pmf) for count in counts]
    for cumulative in sums:
        cumulative[-1] = 1.0  # in place of what rounding makes of it
    ends = np.cumsum([count.pmf.size for count in counts])
    firsts = np.array([count.first for count in counts])
    return BinnedRandomLabels(
        pmf=np.concatenate([count.pmf for count in counts]),
        cumulative=np.concatenate(sums),
        guides=np.concatenate([np.searchsorted(s, np.arange(s.size) / s.size) for s in sums]),
        starts=np.concatenate([[0], ends]),
        firsts=firsts,
        lags=np.add.reduceat(p, starts) - firsts,
    )


COUNTS_PER_CALL = 1 << 17  # counts in a kernel call: some 50 ms, so that an interrupt is heard


def multinomial_tables(table: Integers, draws: Draws) -> NDArray[np.float64]:
    """Return tables (..., B) of multinomial counts with the table's total and proportions.

    A table may have up to 2^63 cases, since a replicate takes a few microseconds for any number.
    """
    tables = reserve((table.size, draws.n), hint="take fewer replicates")
    cells = np.ascontiguousarray(table, np.int64).ravel()
    seed = np.uint64(hash_seed(draws.seed))
    for block in row_slices(draws.n, max(1, COUNTS_PER_CALL // cells.size)):
        counts = np.empty((cells.size, block.stop - block.start))
        draw_multinomial_tables(cells, np.uint64(block.start), seed, counts)
        tables[:, block] = counts
    return tables.reshape(*table.shape, draws.n)
