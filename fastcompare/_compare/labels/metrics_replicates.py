"""Bootstrap replicates of a metric: sums of weights of equal cases, and the jackknife."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.parallel import Checkpoint
from ..._base.types import Integers, Vector
from ..._inputs.workers import Workers
from ..._resampling.bootstrap import acceleration_of, jackknife_influence
from ..._resampling.weights import GROUPS, Weights, jackknife, slices
from ...kernels.drawing.philox import LANES
from ...kernels.tables.cells import sum_cells
from .metrics import NEAR, Cells, Values


@dataclass(frozen=True, slots=True)
class WeightedMetric:
    """Statistic: the metric of both models, (2, 64).

    `rows` are the rows of weights of the cases in order of their cells, which end at `ends`.
    """

    values: Values
    rows: Integers
    ends: Integers

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the values of 64 replicates."""
        counts = np.zeros((self.ends.size, LANES), np.uint32)
        for part in slices(self.rows.size):
            checkpoint()
            cell = int(np.searchsorted(self.ends, part.start, "right"))
            sum_cells(weights, self.rows, self.ends, cell, part.start, part.stop, counts)
        return self.values(counts)


class Units(NamedTuple):
    """Rows of weights of the cases, and the sizes of the strata that replicates draw them in."""

    rows: Integers
    ends: Integers
    sizes: tuple[int, ...]
    title: str

    def statistic(self, values: Values) -> WeightedMetric:
        """Return the statistic of replicates."""
        return WeightedMetric(values, self.rows, self.ends)


def units_of(cells: Cells, groups: NDArray[np.int64] | None, stratified: bool) -> Units:
    """Return the units to draw: all cases alike, those of each class, or whole groups."""
    n, ends = cells.of_cases.size, np.cumsum(cells.counts, dtype=np.int64)
    order = np.argsort(cells.of_cases, kind="stable")
    if groups is not None:
        return Units(groups[order], ends, (int(groups.max()) + 1,), "whole groups")
    if not stratified:
        return Units(order, ends, (n,), "unstratified")
    truth = cells.numbers[cells.of_cases, 0]
    units = np.empty(n, np.int64)
    units[np.argsort(truth, kind="stable")] = np.arange(n)
    totals = np.bincount(truth)
    return Units(units[order], ends, tuple(totals[totals > 0].tolist()), "stratified")


def difference(values: Vector) -> Vector:
    """Return the first less the second of two rows, exactly 0 where it is rounding error."""
    with np.errstate(invalid="ignore"):
        apart = values[0] - values[1]
        apart[np.abs(apart) <= NEAR * np.abs(values).max(0)] = 0.0
    return np.asarray(apart)


def acceleration_by_jackknife(
    values: Values, cells: Cells, units: Units, workers: Workers
) -> float:
    """Return BCa's acceleration; leaving out any case of a cell gives the same value."""
    if units.title == "whole groups" or cells.counts.size > GROUPS:
        left = jackknife(
            units.statistic(values),
            units.sizes,
            n_jobs=workers["n_jobs"],
            executor=workers["executor"],
        )
        return acceleration_of(jackknife_influence([difference(without) for without in left]))
    without = cells.counts[:, None] - np.eye(cells.counts.size, dtype=np.uint32)
    every = np.repeat(difference(values(without)), cells.counts)
    strata = np.split(every, np.cumsum(units.sizes)[:-1])
    return acceleration_of(jackknife_influence(strata))
