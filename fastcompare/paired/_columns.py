"""Columns of numbers that belong together row by row, and their differences."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Protocol, TypedDict

import numpy as np
from numpy.typing import NDArray

from .._base.text import amount, equation, hypothesis_text, show_number, show_pvalue
from .._base.types import Direction, Integers, Matrix, NanPolicy, Undefined, Vector
from .._inference.pvalues import claim_ends, student_quantile
from .._inputs.arrays import Numbers, exact_differences
from .._inputs.models import Pairs
from .._inputs.options import ALTERNATIVES, check_choice, check_level, check_undefined
from .._results.gate import Gated
from .._results.records import ConfidenceInterval
from .._results.two_models import TwoModels
from ..kernels.signed_ranks import ROUNDING


class SizedDifferences(NamedTuple):
    """Differences d (n,), their magnitudes, and the `rounding` error of each magnitude.

    Two magnitudes tie if they differ by no more than the larger of their rounding errors; d is 0
    only if its two scores are equal. Magnitudes have the order of |d|, and mostly are |d|.
    """

    d: Vector
    magnitudes: Vector
    rounding: Vector


def sized_differences(d: Vector, columns: list[Vector]) -> SizedDifferences:
    """Return differences of one or two columns of scores, with magnitudes and rounding errors."""
    largest = np.abs(columns[0])
    for column in columns[1:]:
        np.maximum(largest, np.abs(column), out=largest)
    with np.errstate(under="ignore"):
        largest *= ROUNDING
    return SizedDifferences(d, np.abs(d), largest)


def exactly_sized(d: Vector, magnitudes: Vector) -> SizedDifferences:
    """Return differences of integers, with `magnitudes` in the exact order of their |d|."""
    return SizedDifferences(d, magnitudes, np.zeros(d.shape))


def sized_pairs(pairs: Pairs) -> SizedDifferences:
    """Return the differences of checked pairs of scores, with magnitudes and rounding errors."""
    if pairs.exact is not None:
        return exactly_sized(pairs.differences, pairs.exact)
    return sized_differences(pairs.differences, pairs.columns)


def signed_pairs(pairs: Pairs) -> tuple[Vector, tuple[float, float]]:
    """Return differences (n,), or numbers in their order, and bounds of their rounding errors.

    The bounds (least, greatest) follow from the ranges of both columns, without a look at each row.
    """
    if pairs.exact is not None:
        return np.copysign(pairs.exact, pairs.differences), (0.0, 0.0)
    smallest = largest = 0.0
    for column in pairs.columns:
        low, high = float(column.min()), float(column.max())
        smallest, largest = max(smallest, low, -high), max(largest, -low, high)
    return pairs.differences, (ROUNDING * smallest, ROUNDING * largest)


def are_constant(differences: SizedDifferences) -> bool:
    """Return whether all differences, of which there are two or more, are equal up to rounding.

    Each is compared with the one that has the smallest rounding error.
    """
    d, rounding = differences.d, differences.rounding
    if d.size == 1 or np.ptp(d) > 2.0 * rounding.max():
        return False
    most_precise = d[rounding.argmin()]
    return bool((np.abs(d - most_precise) <= rounding).all())


BLOCK_DIFFERENCES = 1 << 15  # differences that stay in the cache
FIRST_PAIR = np.array([0]), np.array([1])  # of two columns: np.triu_indices takes 15 times longer


@dataclass(frozen=True, slots=True)
class Columns:
    """k columns of n numbers, stored as rows (k, n), and pairs of columns: indices (P,) of both.

    `exact` are integers that float64 would merge. `largest` are the greatest absolute values (k,)
    of columns of computed numbers, which differ only by more than their rounding; numbers of the
    user (`largest` is None) differ if they are not equal.
    """

    values: Matrix
    first: Integers
    second: Integers
    exact: Numbers | None = None
    largest: Vector | None = None

    @classmethod
    def of(cls, values: Matrix, *, exact: Numbers | None = None, computed: bool = False) -> Columns:
        """Return the rows of `values` as columns, with all pairs i < j in row order."""
        largest = np.abs(values).max(axis=1) if computed else None
        k = len(values)
        first, second = FIRST_PAIR if k == 2 else np.triu_indices(k, 1)
        return cls(values, first, second, exact, largest)

    @property
    def n(self) -> int:
        """The length of a column."""
        return int(self.values.shape[1])

    @property
    @np.errstate(under="ignore")
    def rounding_bounds(self) -> Matrix:
        """Bounds (P, 2) of the least and the greatest rounding error of each pair's differences."""
        if self.exact is not None:
            return np.zeros((self.first.size, 2))
        magnitudes = np.abs(self.values)
        ranges = np.stack([magnitudes.min(axis=1), magnitudes.max(axis=1)], axis=1)
        return np.asarray(ROUNDING * np.maximum(ranges[self.first], ranges[self.second]))

    def only(self, chosen_pairs: NDArray[np.bool_] | slice) -> Columns:
        """Return the columns with the chosen pairs alone."""
        return replace(self, first=self.first[chosen_pairs], second=self.second[chosen_pairs])

    def differences(self) -> Matrix:
        """Return the first column minus the second of each pair, of shape (P, n)."""
        if self.exact is not None:
            return exact_differences(self.exact[self.first], self.exact[self.second]).differences
        return self._without_rounding(self.values[self.first], self.values[self.second])

    def difference(self, p: int) -> Vector:
        """Return the differences (n,) of pair number p."""
        return np.asarray(self.only(slice(p, p + 1)).differences()[0])

    def signed_magnitudes(self) -> Matrix:
        """Return the differences (P, n), or signed numbers that have their exact order."""
        if self.exact is None:
            return self.differences()
        d, magnitudes, _ = self.sized_differences()
        return np.copysign(magnitudes, d)

    def sized_differences(self) -> SizedDifferences:
        """Return the differences, their magnitudes and rounding errors, each of shape (P, n)."""
        if self.exact is not None:
            return exactly_sized(
                *exact_differences(self.exact[self.first], self.exact[self.second])
            )
        a, b = self.values[self.first], self.values[self.second]
        return sized_differences(self._without_rounding(a, b), [a, b])

    def sized_pair(self, p: int) -> SizedDifferences:
        """Return the differences (n,) of pair number p, their magnitudes and rounding errors."""
        one_row_each = self.only(slice(p, p + 1)).sized_differences()
        return SizedDifferences(*(rows[0] for rows in one_row_each))

    @np.errstate(invalid="ignore", over="ignore", under="ignore")  # infinite, or too far apart
    def _without_rounding(self, a: Matrix, b: Matrix) -> Matrix:
        """Return a - b, 0 where computed numbers differ by rounding alone."""
        d = a - b
        if self.largest is not None:
            tolerance = ROUNDING * np.maximum(self.largest[self.first], self.largest[self.second])
            is_close = np.abs(d) < tolerance[:, None]
            if is_close.any():
                largest = np.maximum(np.abs(a[is_close]), np.abs(b[is_close]))
                d[is_close] = np.where(np.abs(d[is_close]) < ROUNDING * largest, 0.0, d[is_close])
        return np.asarray(d)

    def blocks(self) -> Iterator[tuple[slice, Matrix]]:
        """Yield slices of pairs with their `signed_magnitudes`, arrays that may be overwritten."""
        step = max(1, BLOCK_DIFFERENCES // self.n)
        for start in range(0, self.first.size, step):
            pairs = slice(start, start + step)
            yield pairs, self.only(pairs).signed_magnitudes()


class PairTestOptions(TypedDict, total=False):
    """Options of rank and sign tests."""

    alternative: Direction
    nan_policy: NanPolicy
    on_undefined: Undefined


def as_pair_test_options(
    *,
    alternative: Direction = "two-sided",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> tuple[Direction, NanPolicy, Undefined]:
    """Return the checked options of rank and sign tests of two models."""
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    return alternative, nan_policy, on_undefined


class Ends(Protocol):
    """The ends of one-sided intervals, infinite where the data are too few for the level."""

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""


STUDENT_TITLE = "paired t-test"


class StudentEnds(NamedTuple):
    """Ends of intervals from Student's t."""

    estimate: float
    standard_error: float
    df: float

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return self.estimate - student_quantile(alpha, self.df) * self.standard_error

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return self.estimate + student_quantile(alpha, self.df) * self.standard_error


@dataclass(frozen=True, eq=False, kw_only=True)
class OrderResult(Gated, TwoModels):
    """A test that only orders differences; its estimate has an interval but no standard error."""

    statistic: float
    pvalue: float
    log_pvalue: float
    estimate: float
    standard_error: None = None
    alternative: str
    effect_size: float
    zeros: str
    n: int
    n_zero: int
    n_dropped: int
    method: str
    status: str
    effect: ClassVar[str] = ""  # what the effect size is called
    _quantity: ClassVar[str] = "score"
    _row: ClassVar[str] = "row"
    _sheets: ClassVar[str] = "difference"
    _picture: ClassVar[str] = "forest"
    _ends: Any = field(repr=False)  # with a median
    _differences: Vector = field(repr=False)  # for the estimate and the ends, when these are read

    def _compute_estimate(self) -> float:
        """Return the median of the differences, or of their Walsh averages."""
        return float(self._ends.median())

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval for `estimate` from order statistics.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1; the interval covers at least that much.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; infinite where the pairs are too few for the level.
        """
        level = check_level(confidence_level)
        ends = claim_ends(self.alternative, level, self._ends.low, self._ends.high)
        return ConfidenceInterval(*ends)

    def _sentence(self, centre: str, letter: str) -> str:
        """Return the summary: `centre` ("The median") and its interval, the test, its statistic."""
        claim = hypothesis_text(self.alternative, 0.0)
        first, second = self.names
        note = f", {first} minus {second}," if self._both_names("") else ""
        number = amount(self.n, "difference")
        if 0 < self.n_zero < self.n:
            number = amount(self.n - self.n_zero, "difference") + " other than 0"
            note += f" ({amount(self.n_zero, 'is', 'are')} 0)"
        return (
            f"{centre} of {number}{note} is {show_number(self.estimate, '.4g')} "
            f"({self._interval_text('.4g')}; {self.method}{claim}, "
            f"{equation(letter, show_number(self.statistic, 'g'))}, "
            f"{equation('p', show_pvalue(self.pvalue))}, {self.effect} "
            f"{show_number(self.effect_size, '.3f')})."
        )
