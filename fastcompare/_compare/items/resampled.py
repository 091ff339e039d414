"""Bootstrap replicates of a mean: whole clusters are drawn, inside each stratum."""

from dataclasses import dataclass

import numpy as np

from ..._base.parallel import Checkpoint
from ..._base.types import Matrix, Vector
from ..._inference.item_means import MeanDesign, Part, cluster_totals
from ..._resampling.bootstrap import Draws, draw
from ..._resampling.weights import Weights, slices
from ...kernels.drawing.philox import LANES
from ...kernels.drawing.signs import add_weighted


@dataclass(frozen=True, slots=True)
class RatioOfSums:
    """Statistic: sums of clusters over their weights (2, G), each counted as often as drawn."""

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Vector:
        """Return the means of 64 replicates."""
        sums = np.zeros((2, LANES))
        for part in slices(len(weights)):
            checkpoint()
            for row, total in zip(self.rows, sums, strict=True):
                add_weighted(weights[part], row[part], total)
        return np.asarray(sums[0] / sums[1])


@dataclass(frozen=True, slots=True)
class RatiosOfSums:
    """Statistic: sums of clusters (k + 1, G), each counted as often as drawn, over the last row."""

    rows: Matrix

    def __call__(self, weights: Weights, checkpoint: Checkpoint) -> Matrix:
        """Return the means (k, 64) of all models in 64 replicates."""
        sums = np.zeros((len(self.rows), LANES))
        for part in slices(len(weights)):
            checkpoint()
            sums += self.rows[:, part] @ weights[part].astype(np.float64)
        return np.asarray(sums[:-1] / sums[-1])


def replicated_tables(scores: Matrix, design: MeanDesign, draws: Draws) -> Matrix:
    """Return the replicates (k, B) of the means of k models; clusters are drawn as for one."""
    (part,) = design.parts
    weights = np.ones(len(scores)) if design.weights is None else design.weights
    values = np.column_stack((scores * weights[:, None], weights))
    rows, sizes = drawn_rows(cluster_totals(values, part.groups, part.total).T, part)
    return np.asarray(draw(RatiosOfSums(rows), sizes, draws))


def drawn_rows(rows: Matrix, part: Part) -> tuple[Matrix, tuple[int, ...]]:
    """Return sums of clusters with those of a stratum side by side, and the strata's sizes."""
    if part.strata is None:
        return np.ascontiguousarray(rows), (part.total,)
    sizes = tuple(np.bincount(part.strata).tolist())
    return np.ascontiguousarray(rows[:, np.argsort(part.strata, kind="stable")]), sizes


def replicated_means(d: Vector, design: MeanDesign, draws: Draws) -> Vector:
    """Return the replicates of the mean; each draws as many clusters of a stratum as it has."""
    (part,) = design.parts
    weights = np.ones(d.size) if design.weights is None else design.weights
    rows = np.stack(
        [cluster_totals(values, part.groups, part.total) for values in (weights * d, weights)]
    )
    rows, sizes = drawn_rows(rows, part)
    return np.asarray(draw(RatioOfSums(rows), sizes, draws)[0])
