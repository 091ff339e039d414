"""What tests of pairs of models by their ranks on many data sets share."""

import math
from dataclasses import dataclass
from typing import ClassVar, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Vector
from ..._inference.pvalues import normal_pvalues
from ..._inputs.models import ModelTable
from ..._results.cliques import Cliques, cliques_of
from ..._results.pairs import Pairs, PairsResult, adjusted
from .ranks import Ranks

DUNN = "bonferroni-dunn"  # what Bonferroni's correction is called against a control
Cells = tuple[NDArray[np.intp], NDArray[np.intp]]  # the models of pairs, by index


@dataclass(frozen=True, eq=False, kw_only=True)
class RankPairsResult(PairsResult):
    """Tests of all pairs of models by their ranks; `estimate` is a difference of average ranks.

    So a negative estimate says that the model named first is the better one.
    """

    average_ranks: Vector
    standard_error: float | None
    alpha: float  # type: ignore[misc]  # 0.05 in all other tests of pairs
    n: int
    n_dropped: int
    method: str
    status: str
    critical_difference: float | None = None

    quantity: ClassVar[str] = "average rank"
    claim: ClassVar[str] = "ranks better than"
    higher_is_better: ClassVar[bool] = False

    @property
    def cliques(self) -> Cliques:  # type: ignore[override]
        """The largest groups of models of which no two differ at `alpha`, by index, best first.

        None where p-values are undefined.
        """
        if np.isnan(self.adjusted_pvalue).any():
            return ()
        return cliques_of(self.pvalue_matrix <= self.alpha, self.average_ranks)

    def _rule(self) -> str:
        cd = self.critical_difference
        return super()._rule() + ("" if cd is None else f" (critical difference {cd:.4g})")


class RankPairFields(TypedDict):
    """The fields of a `RankPairsResult` that do not depend on the test."""

    names: tuple[str, ...]
    pairs: Pairs
    estimate: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    correction: str
    alternative: str
    average_ranks: Vector
    alpha: float
    n: int
    n_dropped: int


def rank_pair_fields(
    table: ModelTable,
    ranks: Ranks,
    cells: Cells,
    pvalue: Vector,
    *,
    correction: str,
    alpha: float,
) -> RankPairFields:
    """Return the fields that all tests of these pairs of models share."""
    first, second = cells
    average = ranks.average
    return RankPairFields(
        names=table.names,
        pairs=tuple((table.names[i], table.names[j]) for i, j in zip(first, second, strict=True)),
        estimate=average[first] - average[second],
        pvalue=pvalue,
        adjusted_pvalue=adjusted(pvalue, "bonferroni" if correction == DUNN else correction),
        correction=correction,
        alternative="two-sided",
        average_ranks=average,
        alpha=alpha,
        n=ranks.n,
        n_dropped=table.n_dropped,
    )


def rank_z(ranks: Ranks, differences: NDArray[np.int64]) -> tuple[Vector, Vector]:
    """Return z and its p-value of differences of sums of doubled ranks."""
    # 2 N sqrt(k (k + 1) / (6 N)), with 2 N what makes average ranks of such sums
    error = math.sqrt(2.0 * ranks.n * ranks.k * (ranks.k + 1) / 3.0)
    z = differences / error
    return z, normal_pvalues(z, np.full(z.shape, error), "two-sided")


def sum_differences(ranks: Ranks, cells: Cells) -> Integers:
    """Return the differences of the sums of doubled ranks of these pairs of models."""
    first, second = cells
    return ranks.sums[first] - ranks.sums[second]


def all_cells(k: int) -> Cells:
    """Return the indices of the models of all pairs (i < j), in row order."""
    return np.triu_indices(k, 1)
