"""What rank and sign tests take and return."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, Protocol, TypedDict

from ..._base.text import claim_of, counted, equation, figure, show_pvalue
from ..._base.types import Direction, NanPolicy, Undefined, Vector
from ..._inference.pvalues import claim_ends, student_quantile
from ..._inputs.options import ALTERNATIVES, check_choice, check_level, check_undefined
from ..._results.records import ConfidenceInterval, TwoModels


class Pairing(TypedDict, total=False):
    """Options of rank and sign tests."""

    alternative: Direction
    nan_policy: NanPolicy
    on_undefined: Undefined


class PairingOptions(NamedTuple):
    """The options of rank and sign tests, checked."""

    alternative: Direction
    nan_policy: NanPolicy
    on_undefined: Undefined


def as_pairing(
    *,
    alternative: Direction = "two-sided",
    nan_policy: NanPolicy = "raise",
    on_undefined: Undefined = "warn",
) -> PairingOptions:
    """Return the checked options."""
    check_undefined(on_undefined)
    check_choice("alternative", alternative, ALTERNATIVES)
    return PairingOptions(alternative, nan_policy, on_undefined)


class Ends(Protocol):
    """The ends of one-sided intervals, infinite where the data are too few for the level."""

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""


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
class OrderResult(TwoModels):
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
    _ends: Ends = field(repr=False)
    _differences: Vector = field(repr=False)  # for the estimate and the ends, when these are read

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

    def _sentence(self, what: str, letter: str) -> str:
        claim = claim_of(self.alternative, 0.0, *self._called)
        first, second = self.names
        whose = f", {first} minus {second}," if self._both_called("") else ""
        number = counted(self.n, "difference")
        if 0 < self.n_zero < self.n:
            number = counted(self.n - self.n_zero, "difference") + " other than 0"
            whose += f" ({counted(self.n_zero, 'is', 'are')} 0)"
        return (
            f"{what} of {number}{whose} is {figure(self.estimate, '.4g')} "
            f"({self._stated_interval('.4g')}; {self.method}{claim}, "
            f"{equation(letter, figure(self.statistic, 'g'))}, "
            f"{equation('p', show_pvalue(self.pvalue))}, {self.effect} "
            f"{figure(self.effect_size, '.3f')})."
        )
