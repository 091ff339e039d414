"""What rank and sign tests say of every pair of k models."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Vector
from ..._inference.pvalues import claim_ends
from ..._results.pairs import EVERY, Chosen, PairsResult, announce_pairs, pair_fields
from ..paired.columns import Columns
from ..paired.result import Ends
from .ordered_table import OrderedTable
from .rank_pairs import RankedPairFields
from .ranks import as_ranks


def all_estimates(result: Any) -> Vector:
    """Return the estimates of all pairs."""
    return np.asarray(result._estimates(EVERY))


class OrderTests(NamedTuple):
    """The tests of all pairs, arrays (P,); `n_zero` counts differences of 0."""

    statistic: Vector
    pvalue: Vector
    effect_size: Vector
    n_zero: Integers
    method: NDArray[np.str_]


class OrderPairFields(RankedPairFields):
    """The fields of an `OrderPairsResult`, but for how zeros count."""

    effect_size: Vector
    n_zero: Integers
    _columns: Columns


def order_pair_fields(table: OrderedTable, tests: OrderTests) -> OrderPairFields:
    """Return the fields of the result of these tests; say which pairs never differ."""
    models, columns = table.models, table.columns
    fields = pair_fields(models.names, tests.pvalue, table.correction, table.alternative)
    status = np.where(tests.n_zero < columns.n, "ok", "no_difference")
    announce_pairs(fields["pairs"], status, table.on_undefined)
    return {
        **fields,
        "statistic": tests.statistic,
        "effect_size": tests.effect_size,
        "average_ranks": as_ranks(models.ordered, table.higher_is_better, rows=False).average,
        "alpha": table.alpha,
        "n": columns.n,
        "n_zero": tests.n_zero,
        "n_dropped": models.n_dropped,
        "method": tests.method,
        "status": status,
        "_columns": columns,
    }


@dataclass(frozen=True, eq=False, kw_only=True)
class OrderPairsResult(PairsResult):
    """Tests that only order differences, of all P pairs.

    Estimates and intervals take far longer than p-values, so they are found for the pairs that
    somebody asks for.
    """

    estimate: Vector = field(init=False, default=cached_property(all_estimates))  # type: ignore[arg-type]
    effect_size: Vector
    zeros: str
    n: int
    n_zero: Integers
    method: NDArray[np.str_]
    average_ranks: Vector
    _columns: Columns = field(repr=False)

    critical_difference: ClassVar[None] = None  # each pair has its own
    quantity: ClassVar[str] = "scores"
    claim: ClassVar[str] = "scores higher than"
    signed: ClassVar[tuple[str, ...]] = ("estimate", "effect_size")  # not sums of ranks

    def _chosen_ends(self, chosen: Chosen, level: float) -> tuple[Vector, Vector]:
        found = map(self._pair_ends, self._places(chosen))
        ends = [claim_ends(self.alternative, level, pair.low, pair.high) for pair in found]
        low, high = np.reshape(ends, (-1, 2)).T
        return low, high

    def _estimates(self, chosen: Chosen) -> Vector:
        return np.array([self._difference(p) for p in self._places(chosen)])

    def _places(self, chosen: Chosen) -> list[int]:
        """Return the places of these pairs."""
        return list(np.arange(len(self.pairs))[chosen].tolist())

    def _standing(self) -> Vector:
        return self.average_ranks

    def _pair_ends(self, p: int) -> Ends:
        """Return the ends of the intervals of one pair."""
        raise NotImplementedError

    def _gap(self, p: int) -> str:
        return f"{abs(self._difference(p)):.4g}"
