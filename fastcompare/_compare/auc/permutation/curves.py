"""The distance of two ROC curves under exchanges of ranks: Venkatraman and Begg (1996).

At a cut x the x lowest cases are called negative and the others positive. E sums over the cuts
x = 1, ..., N - 1 by how many errors the two models differ. Within a tie the errors are expected
ones, so the order of the rows does not matter; exchanged ranks make ties of their own.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Vector
from ...._inputs.cases import Cases
from ...._resampling.permutations import drawn_share, exact_share, null_replicates
from ....kernels.drawing.exchange import UNIT, curve_distances, untied_distances
from .exchanges import MOST, QUICK, Exchanges
from .ranks import Outcome, Plan, Ranks

COST = 100  # a case of a replicate takes so many times what a sign takes in a sum
NEAR = 1e-12  # distances in floating point closer than this times their scale are equal
HALF = np.uint64(32)


@dataclass(frozen=True, slots=True)
class CurveDistances(Exchanges):
    """Replicates of E, or with no seed E after every different exchange.

    The arrays are as in `kernels.exchange.curve_distances`.
    """

    ranks: NDArray[np.int64]
    steps: NDArray[np.uint64]
    cells: NDArray[np.uint64]
    n: int
    seed: int | None = None

    @property
    def n_moved(self) -> int:
        """How many cases have two ranks."""
        return int(self.steps.size)

    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write E after the exchanges of the lanes from `lane` on."""
        curve_distances(self.ranks, self.steps, self.cells, signs, lane, out)


@dataclass(frozen=True, slots=True)
class UntiedDistances(Exchanges):
    """The same where neither model ties cases; the arrays are as in `untied_distances`."""

    owners: NDArray[np.uint32]
    n: int
    n_moved: int
    seed: int | None = None

    def write(self, signs: NDArray[np.uint16], lane: int, out: Vector) -> None:
        """Write E after the exchanges of the lanes from `lane` on."""
        untied_distances(self.owners, signs, lane, out)


def compare_curves(cases: Cases, ranks: Ranks, plan: Plan) -> Outcome:
    """Test the distance of the curves."""
    null = distances_of(cases.labels, ranks, plan.seed)
    observed = null.observed()
    near = NEAR * max(observed, null.n)
    every = plan.counts_all(null.n_exchanges * null.n, QUICK, MOST)
    total = null.n_exchanges if every else plan.n_resamples
    drawn_from = replace(null, seed=None) if every else null
    values = null_replicates(drawn_from, total, COST * null.n, plan.workers)
    extreme = values >= observed - near
    pvalue = exact_share(int(extreme.sum()), total) if every else drawn_share(extreme)
    kept = None if every else values
    return Outcome(observed, None, None, pvalue, observed <= near, exact=every, values=kept)


def curves_of(labels: NDArray[np.uint8], ranks: Ranks, seed: int) -> CurveDistances:
    """Return the null distribution of the distance of two models' curves."""
    distinct, dense = np.unique(np.concatenate(ranks), return_inverse=True)
    pair = dense.reshape(2, -1)
    steps = np.uint64(1) + (labels.astype(np.uint64) << HALF)
    differs = pair[0] != pair[1]
    cells = np.zeros((2, distinct.size), np.uint64)
    np.add.at(cells.T, pair[0, ~differs], steps[~differs, None])
    moved = np.ascontiguousarray(pair[:, differs].T)
    return CurveDistances(moved, steps[differs], cells, labels.size, seed)


def distances_of(
    labels: NDArray[np.uint8], ranks: Ranks, seed: int
) -> CurveDistances | UntiedDistances:
    """Return the same, in a third of the time where neither model ties any two cases."""
    every = np.arange(2, 2 * labels.size + 1, 2)  # ranks are twice 1, ..., n without a tie
    if not all(np.array_equal(np.sort(own), every) for own in ranks):
        return curves_of(labels, ranks, seed)
    moved = ranks[0] != ranks[1]
    n_moved = int(np.count_nonzero(moved))
    number = np.where(moved, np.cumsum(moved) - 1, -(-n_moved // UNIT) * UNIT)
    owners = np.empty((labels.size, 2), np.uint32)
    for model, own in enumerate(ranks):
        owners[own // 2 - 1, model] = 2 * number + labels
    return UntiedDistances(owners, labels.size, n_moved, seed)
