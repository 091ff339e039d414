"""What tests of pairs of models by their ranks on many data sets share.

Their standard errors are those of the null hypothesis, under which all orders of the models are
equally likely. So an interval holds the shifts of one model's average rank that its test would not
reject: estimate - quantile * error to estimate + quantile * error.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Vector
from ..._inference.pvalues import normal_pvalues, normal_quantile
from ..._results.pairs import (
    Cells,
    Joint,
    PairFields,
    PairsResult,
    announce_pairs,
    pair_fields,
    pairs_in,
)
from .ranked_table import RankedTable
from .ranks import Ranks

DUNN = "bonferroni-dunn"  # what Bonferroni's correction is called against a control


@dataclass(frozen=True, eq=False, kw_only=True)
class RankPairsResult(PairsResult):
    """Tests of pairs of models by their ranks; `estimate` is a difference of average ranks.

    So a negative estimate says that the model named first is the better one.
    """

    average_ranks: Vector
    standard_error: Vector
    n: int
    method: NDArray[np.str_]
    critical_difference: float | None = None

    quantity: ClassVar[str] = "average rank"
    claim: ClassVar[str] = "ranks better than"
    higher_is_better: ClassVar[bool] = False

    def _ends(self, level: float) -> tuple[Vector, Vector]:
        known = (self.standard_error > 0.0) | (self.estimate == 0.0)
        reach = np.where(known, self._quantile(level) * self.standard_error, math.nan)
        return self.estimate - reach, self.estimate + reach

    def _quantile(self, level: float) -> float:
        """Return how many standard errors an interval at this level reaches to either side."""
        return normal_quantile((1.0 - level) / 2.0)

    def _joint(self) -> Joint | None:
        return Joint(np.eye(len(self.names)))  # differences are as if models were independent

    def _standing(self) -> Vector:
        return self.average_ranks

    def _rule(self) -> str:
        cd = self.critical_difference
        return super()._rule() + ("" if cd is None else f" (critical difference {cd:.4g})")


class RankTests(NamedTuple):
    """The tests of pairs: statistics and p-values (P,), the standard error that they share."""

    statistic: Vector
    pvalue: Vector
    standard_error: float
    method: str


class RankedPairFields(PairFields):
    """The fields of tests of pairs on data sets, with the average ranks of the models."""

    statistic: Vector
    average_ranks: Vector
    method: NDArray[np.str_]
    status: NDArray[np.str_]
    alpha: float
    n: int
    n_dropped: int


class RankPairFields(RankedPairFields):
    """The fields of a `RankPairsResult`."""

    estimate: Vector
    standard_error: Vector


def rank_pair_fields(
    table: RankedTable, cells: Cells, tests: RankTests, correction: str
) -> RankPairFields:
    """Return the fields of the result of these tests; say of which pairs nothing is known."""
    models, ranks, alpha, on_undefined = table
    average, size = ranks.average, tests.pvalue.size
    pairs = pairs_in(models.names, cells)
    estimate = average[cells[0]] - average[cells[1]]
    status = rank_status(estimate, tests.standard_error, ranks)
    announce_pairs(pairs, status, on_undefined)
    adjustment = "bonferroni" if correction == DUNN else correction
    return {
        **pair_fields(models.names, tests.pvalue, adjustment, pairs=pairs),
        "correction": correction,
        "estimate": estimate,
        "statistic": tests.statistic,
        "average_ranks": average,
        "standard_error": np.full(size, tests.standard_error),
        "alpha": alpha,
        "n": ranks.n,
        "n_dropped": models.n_dropped,
        "method": np.full(size, tests.method),
        "status": status,
    }


def rank_status(estimate: Vector, standard_error: float, ranks: Ranks) -> NDArray[np.str_]:
    """Return a status word for each pair."""
    if not ranks.within:
        return np.full(estimate.size, "no_difference")
    if standard_error > 0.0:
        return np.full(estimate.size, "ok")
    return np.where(estimate == 0.0, "no_difference", "zero_variance")


def rank_z(ranks: Ranks, cells: Cells) -> RankTests:
    """Return the tests by z of differences of sums of doubled ranks."""
    # 2 N sqrt(k (k + 1) / (6 N)), with 2 N what makes average ranks of such sums
    error = math.sqrt(2.0 * ranks.n * ranks.k * (ranks.k + 1) / 3.0)
    z = ranks.differences(cells) / error
    pvalue = normal_pvalues(z, np.full(z.shape, error), "two-sided")
    return RankTests(z, pvalue, rank_error(ranks.k, ranks.n), "z of average ranks")


def rank_error(k: int, n: int) -> float:
    """Return the standard error of a difference of average ranks of k models on n data sets."""
    return math.sqrt(k * (k + 1) / (6.0 * n))


def all_cells(k: int) -> Cells:
    """Return the indices of the models of all pairs (i < j), in row order."""
    return np.triu_indices(k, 1)
