"""What rank and sign tests say of every pair of k models."""

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Vector
from ..._inference.pvalues import claim_ends
from ..._inference.status import announce
from ..._inputs.models import ModelTable
from ..._inputs.options import check_level
from ..._results.cliques import Cliques, cliques_of
from ..._results.pairs import Pairs, PairsResult, adjusted, pairs_named, pairs_of
from ..._results.records import ConfidenceInterval
from ..paired.columns import Columns
from ..paired.result import Ends
from .ranks import as_ranks


def all_estimates(result: Any) -> Vector:
    """Return the estimates of all pairs."""
    return np.array([result._difference(p) for p in range(len(result.pairs))])


def zero_status(pairs: Pairs, n_zero: Integers, n: int, on_undefined: str) -> NDArray[np.str_]:
    """Return a status word for each pair, and say which pairs never differ."""
    status = np.where(n_zero < n, "ok", "no_difference")
    for word in dict.fromkeys(status.tolist()):
        announce(word, on_undefined, pairs_named(pairs, status == word))
    return status


class OrderPairFields(TypedDict):
    """The fields of an `OrderPairsResult` that do not depend on the test."""

    names: tuple[str, ...]
    pairs: Pairs
    pvalue: Vector
    adjusted_pvalue: Vector
    correction: str
    average_ranks: Vector
    alpha: float
    n: int
    n_dropped: int


def order_pair_fields(
    table: ModelTable, pvalue: Vector, *, correction: str, alpha: float, higher_is_better: bool
) -> OrderPairFields:
    """Return the fields that all tests of the order of pairs share."""
    return {
        "names": table.names,
        "pairs": pairs_of(table.names),
        "pvalue": pvalue,
        "adjusted_pvalue": adjusted(pvalue, correction),
        "correction": correction,
        "average_ranks": as_ranks(table.values, higher_is_better, rows=False).average,
        "alpha": alpha,
        "n": len(table.values),
        "n_dropped": table.n_dropped,
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class OrderPairsResult(PairsResult):
    """Tests that only order differences, of all P pairs.

    Estimates take far longer than p-values, so they are found when they are asked for.
    """

    estimate: Vector = field(init=False, default=cached_property(all_estimates))  # type: ignore[arg-type]
    effect_size: Vector
    zeros: str
    n: int
    n_zero: Integers
    n_dropped: int
    status: NDArray[np.str_]
    average_ranks: Vector
    alpha: float  # type: ignore[misc]  # 0.05 in all other tests of pairs
    _columns: Columns = field(repr=False)

    critical_difference: ClassVar[None] = None  # each pair has its own
    quantity: ClassVar[str] = "scores"
    claim: ClassVar[str] = "scores higher than"

    @property
    def cliques(self) -> Cliques:  # type: ignore[override]
        """The largest groups of models of which no two differ at `alpha`, by index, best first."""
        return cliques_of(self.pvalue_matrix <= self.alpha, self.average_ranks)

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the intervals for all estimates from order statistics.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all together.
        simultaneous : bool, default=False
            Widen the intervals so that all of them cover together (Bonferroni). Without it they
            are not adjusted for the number of pairs and match `pvalue`, not `adjusted_pvalue`.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (P,); infinite where rows are too few for the level.
        """
        level = check_level(confidence_level)
        if simultaneous:
            level = 1.0 - (1.0 - level) / len(self.pairs)
        ends = [self._pair_ends(p) for p in range(len(self.pairs))]
        low, high = zip(
            *(claim_ends(self.alternative, level, e.low, e.high) for e in ends), strict=True
        )
        return ConfidenceInterval.within(np.array(low), np.array(high), (-math.inf, math.inf))

    def _pair_ends(self, p: int) -> Ends:
        raise NotImplementedError

    def _gap(self, p: int) -> str:
        return f"{abs(self._difference(p)):.4g}"
