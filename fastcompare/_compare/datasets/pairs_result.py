"""What tests of all pairs of models on many data sets return."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Vector
from ..._inference.pvalues import normal_pvalues
from ..._inputs.models import ModelTable
from ..._results.cliques import Cliques, cliques_of
from ..._results.pairs import PairsResult, adjusted, pairs_of
from .ranks import Ranks


@dataclass(frozen=True, eq=False, kw_only=True)
class RankPairsResult(PairsResult):
    """Tests of all pairs of models by their ranks; `estimate` is a difference of average ranks.

    So a negative estimate says that the model named first is the better one.
    """

    average_ranks: Vector
    standard_error: float | None
    critical_difference: float | None
    alpha: float  # type: ignore[misc]  # 0.05 in all other tests of pairs
    n: int
    n_dropped: int
    method: str
    status: str

    quantity: ClassVar[str] = "average rank"
    claim: ClassVar[str] = "ranks better than"
    higher_is_better: ClassVar[bool] = False

    @property
    def cliques(self) -> Cliques:
        """The largest groups of models of which no two differ at `alpha`, by index, best first.

        None where p-values are undefined.
        """
        if np.isnan(self.adjusted_pvalue).any():
            return ()
        return cliques_of(self.pvalue_matrix <= self.alpha, self.average_ranks)

    def _rule(self) -> str:
        cd = self.critical_difference
        return super()._rule() + ("" if cd is None else f" (critical difference {cd:.4g})")


def shared_fields(
    table: ModelTable, ranks: Ranks, pvalue: Vector, *, correction: str, alpha: float
) -> dict[str, Any]:
    """Return the fields of a result that do not depend on the test."""
    first, second = np.triu_indices(ranks.k, 1)
    average = ranks.average
    return {
        "names": table.names,
        "pairs": pairs_of(table.names),
        "estimate": average[first] - average[second],
        "pvalue": pvalue,
        "adjusted_pvalue": adjusted(pvalue, correction),
        "correction": correction,
        "alternative": "two-sided",
        "average_ranks": average,
        "critical_difference": None,
        "alpha": alpha,
        "n": ranks.n,
        "n_dropped": table.n_dropped,
    }


def rank_z(ranks: Ranks, differences: NDArray[np.int64]) -> tuple[Vector, Vector]:
    """Return z and its p-value of differences of sums of doubled ranks."""
    # 2 N sqrt(k (k + 1) / (6 N)), with 2 N what makes average ranks of such sums
    error = math.sqrt(2.0 * ranks.n * ranks.k * (ranks.k + 1) / 3.0)
    z = differences / error
    return z, normal_pvalues(z, np.full(z.shape, error), "two-sided")


def sum_differences(ranks: Ranks) -> NDArray[np.int64]:
    """Return the differences of the sums of doubled ranks of all pairs (i < j), in row order."""
    first, second = np.triu_indices(ranks.k, 1)
    return ranks.sums[first] - ranks.sums[second]
