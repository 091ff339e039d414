"""Bootstrap replicates of a mean: whole clusters are drawn, inside each stratum."""

from dataclasses import dataclass

import numpy as np

from ..._base.parallel import Checkpoint
from ..._base.types import Matrix, Vector
from ..._inference.item_means import MeanDesign, cluster_totals
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


def replicated_means(d: Vector, design: MeanDesign, draws: Draws) -> Vector:
    """Return the replicates of the mean; each draws as many clusters of a stratum as it has."""
    (part,) = design.parts
    weights = np.ones(d.size) if design.weights is None else design.weights
    rows = np.stack(
        [cluster_totals(values, part.groups, part.total) for values in (weights * d, weights)]
    )
    sizes: tuple[int, ...] = (part.total,)
    if part.strata is not None:
        sizes = tuple(np.bincount(part.strata).tolist())
        rows = np.ascontiguousarray(rows[:, np.argsort(part.strata, kind="stable")])
    return np.asarray(draw(RatioOfSums(rows), sizes, draws)[0])
