"""What tests return: frozen records that know their interval and how to print.

TwoModels               what compares two models knows their names
Estimate
├── IntervalEstimate    one parameter with its interval at the level of the call
└── Result              a test of two models: statistic, p-value
    ├── NormalResult    a z statistic and a normal interval
    └── StudentResult   a t statistic with degrees of freedom
"""

import math
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from .._base.exceptions import no_attribute
from .._base.text import claim_of, equation, plain, show_pvalue, stated_ends
from .._inference.pvalues import normal_quantile, open_side, upper_tail
from .._inference.references import reference_quantile
from .._inference.unvaried import Rare, Unvaried
from .._inputs.options import check_claim_level, check_level
from .._inputs.scores import UNNAMED
from .restated import LEVEL
from .shown import Shown

INTERVALS = {  # their names by what the test claims, of percent and of twice that less 100
    "two-sided": "{0:.10g} % CI",
    "less": "one-sided {0:.10g} % CI",
    "greater": "one-sided {0:.10g} % CI",
    "equivalence": "{1:.10g} % CI",
}


def interval_title(alternative: str, level: float) -> str:
    """Return the name of the interval of a test at this level."""
    return INTERVALS[alternative].format(100.0 * level, 200.0 * level - 100.0)


class _Ends(NamedTuple):
    low: float
    high: float


class ConfidenceInterval(_Ends):
    """The two ends of an interval: a tuple ``(low, high)``.

    Attributes
    ----------
    low, high : float or ndarray
        The ends; arrays where the result holds several estimates.
    clipped : bool
        Whether an end was moved to the bound of the parameter space.
    """

    clipped: bool = False

    @classmethod
    def within(cls, low: Any, high: Any, bounds: tuple[float, float]) -> "ConfidenceInterval":
        """Return the interval cut to the bounds, and remember whether that changed it."""
        ends = np.array((low, high))
        cut = np.clip(ends, *bounds)
        interval = cls(*(cut.tolist() if cut.ndim == 1 else cut))
        interval.clipped = bool(np.any((cut < ends) | (cut > ends)))
        return interval


class Record(Shown):
    """Base of all results: a frozen dataclass that prints itself.

    A field may wait until it is read: a test that knows how makes its result by `made` without
    that field, and the class has a method ``_later_<field>`` that computes it from what the record
    holds. Whatever it holds for that is its own: the caller may change an array in the meantime.
    """

    __slots__ = ()
    title: ClassVar[str] = ""

    @classmethod
    def made(cls, **known: Any) -> Self:
        """Return a record with these fields; the others are computed when they are read.

        With all fields it takes half of a frozen dataclass's time, and those that wait take none.
        """
        record = object.__new__(cls)
        record.__dict__.update(known)
        return record

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values."""
        return {name: plain(getattr(self, name)) for name in self._names()}

    @property
    def _level(self) -> float:
        """The level of the intervals in sentences and tables."""
        return float(self.__dict__.get(LEVEL, self.__dict__.get("confidence_level", 0.95)))

    @property
    def _has_interval(self) -> bool:
        """Whether there is an interval whose level can be chosen."""
        return hasattr(type(self), "confidence_interval")

    def _interval_title(self) -> str:
        return interval_title(getattr(self, "alternative", "two-sided"), self._level)

    def _interval(self) -> ConfidenceInterval:
        """Return the interval that sentences and tables show."""
        found: ConfidenceInterval = self.confidence_interval(self._level)  # type: ignore[attr-defined]
        return found

    def _stated_interval(self, form: str = ".4f", at: int | tuple[()] = ()) -> str:
        """Return the interval as sentences name it, of several that of the estimate `at`."""
        low, high = (float(np.asarray(end)[at]) for end in self._interval())
        return f"{self._interval_title()} {stated_ends((low, high), form)}"

    def _names(self) -> list[str]:
        every = [f.name for f in fields(self)]  # type: ignore[arg-type]
        return [name for name in every if not name.startswith("_")]

    if not TYPE_CHECKING:  # which would take every attribute for legal

        def __getattr__(self, name: str) -> Any:
            later = getattr(type(self), f"_later_{name}", None)
            if later is not None:
                return self.__dict__.setdefault(name, later(self))
            known = dir(type(self))
            if name.startswith("_") or name in known:  # pickle asks often; a property that failed
                return object.__getattribute__(self, name)
            public = [*self._names(), *(word for word in known if word[0] != "_")]
            raise no_attribute(f"{type(self).__name__}", name, public)


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimate(Record):
    """A number with its standard error and interval."""

    estimate: float
    standard_error: float
    method: str
    status: str

    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)


@dataclass(frozen=True, eq=False, kw_only=True)
class IntervalEstimate(Estimate):
    """An estimate that was asked for with its interval."""

    confidence_level: float

    def __float__(self) -> float:
        return self.estimate

    def _ends(self, level: float) -> tuple[float, float]:
        raise NotImplementedError

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the interval at this level, by default at the level of the call.

        Parameters
        ----------
        confidence_level : float, optional
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)`` within the parameter space; ``clipped`` says whether an end was cut.
        """
        level = self.confidence_level if confidence_level is None else check_level(confidence_level)
        if math.isnan(self.estimate):
            return ConfidenceInterval(math.nan, math.nan)
        return ConfidenceInterval.within(*self._ends(level), self.bounds)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the interval as plain Python values."""
        return {**super().to_dict(), "confidence_interval": list(self.confidence_interval())}


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoModels(Record):
    """What compares two models knows their names; sentences call unnamed ones by their order."""

    names: tuple[str, str] = UNNAMED

    @property
    def _called(self) -> tuple[str, str]:
        return ("the first", "the second") if self.names == UNNAMED else self.names

    def _both_called(self, unnamed: str) -> str:
        """Return the names of both models, or these words if they have none."""
        return unnamed if self.names == UNNAMED else " and ".join(self.names)

    def _of_both(self, first: str, second: str, link: str = "and") -> str:
        """Return two texts, each followed by the name of its model."""
        if self.names == UNNAMED:
            return f"{first} {link} {second}"
        return f"{first} ({self.names[0]}) {link} {second} ({self.names[1]})"


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(TwoModels, Estimate):
    """What every test of one hypothesis returns; `estimate` is first minus second."""

    statistic: float
    pvalue: float
    log_pvalue: float
    alternative: str
    margin: float
    _unvaried: Unvaried | Rare | None = field(repr=False, default=None)

    letter: ClassVar[str] = ""
    digits: ClassVar[str] = ".4g"  # of the statistic in sentences

    def _quantile(self, tail: float) -> float:
        raise NotImplementedError

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval for `estimate` that the test inverts to.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. With ``alternative="equivalence"`` the two-sided interval at
            ``2 * confidence_level - 1`` comes back: it lies within the margins exactly when the
            test rejects at ``1 - confidence_level``.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, cut to the parameter space. Where nothing varies, it has the width that
            the number of cases allows; NaN if the estimate is not 0 then and there is no margin,
            or if the variance is undefined.
        """
        level = check_claim_level(confidence_level, self.alternative)
        ends = self._ends if self.standard_error > 0.0 else self._unvaried_ends
        return ConfidenceInterval.within(*ends(level), self.bounds)

    @property
    def _by_bound(self) -> bool:
        """Whether p-value and interval are bounds by units that do not vary, or hardly."""
        return self._unvaried is not None and bool(self.margin or not self.estimate)

    def _unvaried_ends(self, level: float) -> tuple[float, float]:
        if isinstance(self._unvaried, Unvaried) and self._by_bound:
            ends = self._unvaried.ends(self.estimate, upper_tail(level, self.alternative))
            return open_side(self.alternative, *ends, self.bounds)
        end = 0.0 if self.estimate == self.standard_error == 0.0 else math.nan
        return end, end

    def _ends(self, level: float) -> tuple[float, float]:
        tail = upper_tail(level, self.alternative)
        radius = self._quantile(tail) * self.standard_error
        low, high = self.estimate - radius, self.estimate + radius
        if isinstance(self._unvaried, Rare):
            low, high = self._unvaried.widened(low, high, tail)
        return open_side(self.alternative, low, high, self.bounds)

    def _stated_interval(self, form: str = ".4f", at: int | tuple[()] = ()) -> str:
        """Return the interval as sentences name it, and where it comes from."""
        named = super()._stated_interval(form, at)
        return f"{named} {self._unvaried}" if self._by_bound else named

    def _evidence(self) -> str:
        """Return the statistic, unless it is infinite, and the p-value as sentences name them."""
        p = equation("p", show_pvalue(self.pvalue))
        if not math.isfinite(self.statistic):
            return p
        return f"{self.letter} = {self.statistic:{self.digits}}, {p}"

    def _stated_claim(self) -> str:
        """Return the claim of the test, to follow its name in a sentence."""
        return claim_of(self.alternative, self.margin, *self._called)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the 95 % interval as plain Python values."""
        return {**super().to_dict(), "confidence_interval": list(self.confidence_interval())}


@dataclass(frozen=True, eq=False, kw_only=True)
class NormalResult(Result):
    """A test whose statistic is standard normal under the null hypothesis."""

    letter: ClassVar[str] = "z"

    def _quantile(self, tail: float) -> float:
        return normal_quantile(tail)


@dataclass(frozen=True, eq=False, kw_only=True)
class StudentResult(Result):
    """A test whose statistic is Student's t with `df` degrees of freedom; infinite ones: normal."""

    df: float

    @property
    def letter(self) -> str:  # type: ignore[override]
        """The name of the statistic, with its degrees of freedom."""
        if self.df == math.inf:
            return "z"
        return "t" if math.isnan(self.df) else f"t({self.df:.4g})"

    def _quantile(self, tail: float) -> float:
        return reference_quantile(tail, self.df)
