"""What rank and sign tests say of every pair of k models."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, TypedDict

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, NanPolicy, Vector
from ..._inference.corrections.adjust import check_correction
from ..._inference.pvalues import claim_ends
from ..._inputs.models import ModelTable
from ..._inputs.options import ALTERNATIVES, check_alpha, check_choice, check_flag, check_undefined
from ..._inputs.pairs import as_pair_table
from ..._inputs.scores import ScoreTable
from ..._results.pairs import Pairs, PairsResult, adjusted, announce_pairs, pairs_of
from ..paired.columns import Columns
from ..paired.result import Ends
from .ranks import as_ranks


def all_estimates(result: Any) -> Vector:
    """Return the estimates of all pairs."""
    return np.array([result._difference(p) for p in range(len(result.pairs))])


class OrderClaim(NamedTuple):
    """What is claimed of all pairs; the order of models for pictures; what to do if undefined."""

    alternative: str
    correction: str
    alpha: float
    higher_is_better: bool
    on_undefined: str

    def check(self) -> None:
        """Raise unless all of it is legal."""
        check_choice("alternative", self.alternative, ALTERNATIVES)
        check_correction(self.correction, self.alternative)
        check_alpha(self.alpha)
        check_flag("higher_is_better", self.higher_is_better)
        check_undefined(self.on_undefined)


class OrderTests(NamedTuple):
    """The tests of all pairs, arrays (P,); `n_zero` counts differences of 0."""

    statistic: Vector
    pvalue: Vector
    effect_size: Vector
    n_zero: Integers
    method: NDArray[np.str_]


class OrderPairFields(TypedDict):
    """The fields of an `OrderPairsResult`, but for how zeros count."""

    names: tuple[str, ...]
    pairs: Pairs
    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    correction: str
    alternative: str
    effect_size: Vector
    average_ranks: Vector
    alpha: float
    n: int
    n_zero: Integers
    n_dropped: int
    method: NDArray[np.str_]
    status: NDArray[np.str_]
    _columns: Columns


def as_columns(
    scores: ScoreTable, claim: OrderClaim, nan_policy: NanPolicy
) -> tuple[ModelTable, Columns]:
    """Return the checked scores, and their columns for tests of all pairs; check the claim."""
    claim.check()
    table = as_pair_table(scores, nan_policy=nan_policy)
    return table, Columns.of(np.ascontiguousarray(table.values.T))


def order_pair_fields(
    table: ModelTable, columns: Columns, claim: OrderClaim, tests: OrderTests
) -> OrderPairFields:
    """Return the fields of the result of these tests; say which pairs never differ."""
    pairs = pairs_of(table.names)
    status = np.where(tests.n_zero < columns.n, "ok", "no_difference")
    announce_pairs(pairs, status, claim.on_undefined)
    return {
        "names": table.names,
        "pairs": pairs,
        "statistic": tests.statistic,
        "pvalue": tests.pvalue,
        "adjusted_pvalue": adjusted(tests.pvalue, claim.correction),
        "correction": claim.correction,
        "alternative": claim.alternative,
        "effect_size": tests.effect_size,
        "average_ranks": as_ranks(table.values, claim.higher_is_better, rows=False).average,
        "alpha": float(claim.alpha),
        "n": columns.n,
        "n_zero": tests.n_zero,
        "n_dropped": table.n_dropped,
        "method": tests.method,
        "status": status,
        "_columns": columns,
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
