"""What rank and sign tests say of every pair of k models."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Vector
from ..._inference.pvalues import claim_ends
from ..._inputs.models import ModelTable
from ..._results.pairs import Pairs, PairsResult, adjusted, announce_pairs, pairs_of
from ..paired.columns import Columns
from ..paired.result import Ends
from .ranks import as_ranks


def all_estimates(result: Any) -> Vector:
    """Return the estimates of all pairs."""
    return np.array([result._difference(p) for p in range(len(result.pairs))])


def zero_status(pairs: Pairs, n_zero: Integers, n: int, on_undefined: str) -> NDArray[np.str_]:
    """Return a status word for each pair, and say which pairs never differ."""
    status = np.where(n_zero < n, "ok", "no_difference")
    announce_pairs(pairs, status, on_undefined)
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
    method: NDArray[np.str_]
    status: NDArray[np.str_]
    average_ranks: Vector
    alpha: float  # type: ignore[misc]  # 0.05 in all other tests of pairs
    _columns: Columns = field(repr=False)

    critical_difference: ClassVar[None] = None  # each pair has its own
    quantity: ClassVar[str] = "scores"
    claim: ClassVar[str] = "scores higher than"
    signed: ClassVar[tuple[str, ...]] = ("estimate", "effect_size")  # not sums of ranks

    def _ends(self, level: float) -> tuple[Vector, Vector]:
        ends = [self._pair_ends(p) for p in range(len(self.pairs))]
        low, high = zip(
            *(claim_ends(self.alternative, level, e.low, e.high) for e in ends), strict=True
        )
        return np.array(low), np.array(high)

    def _standing(self) -> Vector:
        return self.average_ranks

    def _pair_ends(self, p: int) -> Ends:
        """Return the ends of the intervals of one pair."""
        raise NotImplementedError

    def _gap(self, p: int) -> str:
        return f"{abs(self._difference(p)):.4g}"
