"""A metric's difference when two models' predictions are exchanged within random clusters.

Of the N_j cases of pair j of cells, f_gj - (N_gj - f_gj) = D_gj more are in its first cell than in
its second in cluster g. An exchange of the whole cluster turns the sign of D_gj for all j at once,
so with signs s_g the first cell of pair j holds (N_j + sum_g s_g D_gj) / 2 cases.
"""

from dataclasses import dataclass

import numpy as np

from ..._base.parallel import Checkpoint
from ..._base.types import Integers, Matrix, Vector
from ..._inference.pvalues import PValue
from ..._resampling.permutations import exact_share
from ...kernels.drawing.philox import LANES
from ..probabilities.flips import flipped_sums
from .metrics import Cells, Counts, Values
from .metrics_exchange import CHUNK, Pairs, is_extreme, joined_cells
from .metrics_replicates import difference


def cluster_steps(cells: Cells, groups: Integers, sign: float) -> Matrix:
    """Return D (J, G) of the clusters in which an exchange changes anything, turned by a sign."""
    found, apart, places, second = joined_cells(cells)
    of_cells = np.full(apart.size, -1)
    of_cells[apart] = places
    signs = np.zeros(apart.size)
    signs[apart] = np.where(second, -sign, sign)
    pair = of_cells[cells.of_cases]
    moved = pair >= 0
    shape = int(groups.max()) + 1, len(found)
    where = groups[moved] * shape[1] + pair[moved]
    steps = np.bincount(where, signs[cells.of_cases][moved], shape[0] * shape[1]).reshape(shape)
    steps = steps[np.lexsort(steps.T)] if shape[1] else steps  # whatever clusters are called
    return np.ascontiguousarray(steps[steps.any(axis=1)].T)


@dataclass(frozen=True, slots=True)
class ExchangedClusters:
    """Replicates of the difference of the metric; picklable.

    They and their steps are turned to the sign of the observed one, so that swapping the models
    turns them all.
    """

    values: Values
    pairs: Pairs
    steps: Matrix
    sign: float
    seed: int

    def first(self, sums: Matrix) -> Counts:
        """Return the counts of the first of each pair from sums with signs."""
        return np.asarray((self.pairs.sizes[:, None] + sums) / 2.0).astype(np.uint32)

    def __call__(self, blocks: range, checkpoint: Checkpoint) -> Vector:
        """Return the differences of replicates 64 b, ..., 64 b + 63 for every block b."""
        sums = flipped_sums(self.steps, self.seed, blocks, checkpoint)
        out = np.empty((2, len(blocks), LANES))
        for i in range(len(blocks)):
            checkpoint()
            out[:, i] = self.values(self.pairs.counted(self.first(sums[:, i])))
        return np.asarray(self.sign * difference(out))


def exact_clusters_pvalue(
    null: ExchangedClusters, observed: Vector, alternative: str
) -> tuple[PValue, float]:
    """Return the p-value over all exchanges, and the share of those that are not defined."""
    total = 1 << null.steps.shape[1]
    extreme = undefined = 0
    for start in range(0, total, CHUNK):
        number = np.arange(start, min(start + CHUNK, total))
        signs = 1.0 - 2.0 * ((number >> np.arange(null.steps.shape[1])[:, None]) & 1)
        found = difference(null.values(null.pairs.counted(null.first(null.steps @ signs))))
        extreme += int(np.count_nonzero(is_extreme(found, observed, alternative)))
        undefined += int(np.count_nonzero(np.isnan(found)))
    return exact_share(extreme, total), undefined / total
