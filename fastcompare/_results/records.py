"""What tests return: frozen records that know their interval and how to print.

TwoModels               what compares two models knows their names
Estimate
├── IntervalEstimate    one parameter with its interval at the level of the call
└── Result              a test of two models: statistic, p-value
    ├── NormalResult    a z statistic and a normal interval
    └── StudentResult   a t statistic with degrees of freedom

A result as it is told: with another level of its intervals, or other names of its models.

The one way from a result to a room above its own: its picture, its tables, its page.

Rooms know only those below them, and the import contract proves it. A result that is asked to draw
itself asks a room above by name, when it is asked and not before; so does its page, which says
what the test assumes. Nothing else looks upward.

How results show themselves: in a sentence, printed, as tables, as pictures.

What tests of many problems in one call return.

Tests of several models at once: a statistic and its p-value, without a single estimate.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Self

import numpy as np

from .._base.exceptions import MissingAttributeError
from .._base.memory import lock_arrays, locked
from .._base.text import (
    UPWARD,
    VERDICTS,
    clean,
    decimals,
    equation,
    figure,
    hypothesis_of,
    interval_title,
    plain,
    rejected,
    show_pvalue,
    stated_ends,
    verdict,
)
from .._base.types import Vector
from .._inference.infer import Degrees, Rare, Unvaried
from .._inference.pvalues import (
    log_reference_pvalues,
    normal_quantile,
    open_side,
    reference_quantile,
    upper_tail,
)
from .._inference.status import reasons
from .._inputs.options import as_told_names, check_claim_level, check_level, refuse_level
from .._inputs.scores import UNNAMED
from .samples import sample_note

LEVEL = "_told_level"  # where a copy holds the level that it is told with
SHOWN = "_shown_intervals"  # and the intervals that it has shown, by their levels
ALPHA = "alpha"  # and the level of its test, which pairs have as a field


def with_level(
    result: Any,
    confidence_level: float | None = None,
    name_a: str | None = None,
    name_b: str | None = None,
) -> Any:
    """Return a result to tell: itself, or a copy with this level of intervals and these names."""
    told = result
    if confidence_level is not None:
        level = check_level(confidence_level)
        if not has_interval(result):
            refuse_level(result)
        told = at_level(result, level, {})
    if name_a is not None or name_b is not None:
        told = changed(told, {"names": as_told_names(result, name_a, name_b)})
    return told


def changed(result: Any, values: dict[str, Any]) -> Any:
    """Return a copy of a record with these values."""
    return result.made(**result.__dict__ | values)


def is_told(value: Any) -> bool:
    """Return whether a value is a result, which tells itself."""
    return hasattr(value, "_summary")


def parts_of(result: Any) -> Mapping[str, Any]:
    """Return the results, and mappings of them, that a result holds."""
    held = result.__dict__.items()
    return {name: part for name, part in held if is_told(part) or of_results(part)}


def of_results(value: Any) -> bool:
    """Return whether a value is a mapping of results."""
    return isinstance(value, dict) and bool(value) and all(map(is_told, value.values()))


def has_interval(result: Any) -> bool:
    """Return whether a result, or one that it holds, has an interval."""
    if result._has_interval:
        return True
    parts = parts_of(result).values()
    held = (part.values() if isinstance(part, dict) else [part] for part in parts)
    return any(map(has_interval, chain.from_iterable(held)))


def at_level(result: Any, level: float, known: dict[int, Any]) -> Any:
    """Return a copy that is told at this level, with all results that it holds.

    What is held twice is copied once, for some ask whether two of their results are one.
    """
    if id(result) not in known:
        parts = {
            name: {key: at_level(one, level, known) for key, one in part.items()}
            if isinstance(part, dict)
            else at_level(part, level, known)
            for name, part in parts_of(result).items()
        }
        known[id(result)] = changed(result, {**parts, LEVEL: level})
    return known[id(result)]


Room = Literal["plots", "_report.formats", "_report.screen", "_report.page", "advice.provenance"]


def room(name: Room) -> Any:
    """Return the module of a room that knows all results."""
    return import_module(f"fastcompare.{name}")


class Shown:
    """What a person looks at; the rooms of tables and of pictures know how."""

    __slots__ = ()
    _row: ClassVar[str] = "case"  # what is dropped where values are missing
    _states_dropped: ClassVar[bool] = False  # whether the findings say how many
    _follows_sample: ClassVar[bool] = False  # whether the numbers of cases follow the findings

    def __init__(self, **known: Any) -> None:
        """Hold these fields; the way of a frozen dataclass takes four times as long."""
        lock_arrays(known)
        self.__dict__.update(known)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # a dataclass keeps its own
        cls.__init__, cls.__repr__ = Shown.__init__, Shown.__repr__  # type: ignore[method-assign]

    def __str__(self) -> str:
        return str(room("_report.screen").to_screen(self))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(room("_report.page").notebook_html(self))

    def summary(
        self,
        *,
        confidence_level: float | None = None,
        name_a: str | None = None,
        name_b: str | None = None,
    ) -> str:
        """Return the result in sentences for a paper, with the reasons for undefined parts.

        Parameters
        ----------
        confidence_level : float, optional
            Level of the intervals; by default that of the call, or 0.95.
        name_a, name_b : str, optional
            Names to use for the two models.
        """
        told = with_level(self, confidence_level, name_a, name_b)
        return clean(" ".join(filter(None, (told._sentences(), told._sample_note()))))

    def _sentences(self) -> str:
        """Return the answer, the findings, and the reasons for undefined parts."""
        text = " ".join(filter(None, (self._verdict(), self._summary())))
        found = reasons(getattr(self, "status", "ok")).items()
        return " ".join([text, *(sentence for meaning, sentence in found if meaning not in text)])

    def _sample_note(self) -> str:
        """Return how many cases there were and were left out, where the findings do not say it."""
        return sample_note(self, self._follows_sample)

    def _verdict(self) -> str:
        """Return the answer, which `summary` puts before the findings; nothing without a test."""
        return ""

    def _headline(self) -> str:
        """Return the answer as the heading of a page; nothing without a test."""
        return self._verdict()

    def _summary(self) -> str:
        """Return the findings, for `summary` to add why a part is undefined."""
        raise NotImplementedError

    def to_frame(
        self,
        backend: str = "pandas",
        of: str | None = None,
        *,
        confidence_level: float | None = None,
    ) -> Any:
        """Return the pairs, or the models, as a data frame, with all columns at full precision.

        Parameters
        ----------
        backend : {'pandas', 'polars', 'pyarrow'}, default='pandas'
            The type of the data frame.
        of : {'pairs', 'models', ...}, optional
            The table: one row per pair, one row per model, or another of the result; by default
            pairs, if any.
        confidence_level : float, optional
            Level of the intervals; by default that of the call, or 0.95.

        Returns
        -------
        data frame
            Its rows are in the order of the result's arrays.
        """
        return room("_report.screen").result_frame(with_level(self, confidence_level), backend, of)

    def to_markdown(
        self, table: str | None = None, *, confidence_level: float | None = None
    ) -> str:
        """Return the tables and the summary in GitHub-flavoured Markdown; names are escaped.

        Parameters
        ----------
        table : {'models', 'pairs', ...}, optional
            Return only this table.
        confidence_level : float, optional
            Level of the intervals; by default that of the call, or 0.95.
        """
        return str(room("_report.page").result_markdown(with_level(self, confidence_level), table))

    def to_html(self, table: str | None = None, *, confidence_level: float | None = None) -> str:
        """Return the tables and the summary in HTML; names are escaped.

        Parameters
        ----------
        table : {'models', 'pairs', ...}, optional
            Return only this table.
        confidence_level : float, optional
            Level of the intervals; by default that of the call, or 0.95.
        """
        return str(room("_report.page").result_html(with_level(self, confidence_level), table))

    def to_latex(
        self,
        table: str | None = None,
        *,
        caption: str | None = None,
        label: str | None = None,
        confidence_level: float | None = None,
    ) -> str:
        """Return the tables in LaTeX, sized for the `article` class at 10 pt.

        They need the packages ``booktabs`` and, for more than 40 rows, ``longtable``. Pairs of 3 to
        7 models that are too wide for a line are shown as a matrix.

        Parameters
        ----------
        table : {'models', 'pairs', ...}, optional
            Return only this table.
        caption, label : str, optional
            By default the name of the test, and ``tab:`` and the kind of the table. LaTeX commands
            in the caption are escaped.
        confidence_level : float, optional
            Level of the intervals; by default that of the call, or 0.95.
        """
        told = with_level(self, confidence_level)
        return str(room("_report.page").result_latex(told, table, caption, label))

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Plot the result by a function of `fastcompare.plots`; return the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Axes to draw on; by default a new pyplot figure.
        **options
            Further options of that function.
        """
        return room("plots").picture(self, ax=ax, **options)


class _Ends(NamedTuple):
    low: float
    high: float


class ConfidenceInterval(_Ends):
    """The two ends of an interval: a tuple ``(low, high)``.

    Attributes
    ----------
    low, high : float or ndarray
        The ends; arrays if the result has several estimates.
    clipped : bool
        Whether an end was moved to the bound of the parameter space.
    """

    clipped: bool = False

    @classmethod
    def within(cls, low: Any, high: Any, bounds: tuple[float, float]) -> "ConfidenceInterval":
        """Return the interval cut to the bounds, and remember whether that changed it."""
        ends = np.array((low, high))
        cut = ends.clip(*bounds)
        interval = cls(*(cut.tolist() if cut.ndim == 1 else cut))
        interval.clipped = bool(((cut < ends) | (cut > ends)).any())
        return interval


class Record(Shown):
    """Base of all results: a frozen dataclass that prints itself, whose arrays are read-only.

    A field may wait until it is read: a test that knows how makes its result by `made` without
    that field, and the class has a method ``_later_<field>`` that computes it from what the record
    holds. Whatever it holds for that is its own: the caller may change an array in the meantime.
    """

    __slots__ = ()
    title: ClassVar[str] = ""
    _verdicts: ClassVar[Mapping[str, tuple[str, str]]] = VERDICTS
    _sheets: ClassVar[str] = "facts"  # which of the families of `_report` shows it
    _picture: ClassVar[str] = ""  # which function of `plots` draws it

    @classmethod
    def made(cls, **known: Any) -> Self:
        """Return a record with these fields; the others are computed when they are read."""
        record = object.__new__(cls)
        lock_arrays(known)
        record.__dict__.update(known)
        return record

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields of a copy, whose arrays NumPy has made anew."""
        lock_arrays(state)
        self.__dict__.update(state)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, results that it holds as dictionaries.

        Undefined numbers are NaN and infinite ones, as the degrees of freedom of a normal
        distribution, are ``inf``; `to_json` writes the same values, and null for both.
        """
        return {name: plain(getattr(self, name)) for name in self._names()}

    def to_json(self) -> str:
        """Return `to_dict` as strict JSON, as ``--format json`` writes it.

        JSON has no NaN and no infinity: undefined and infinite numbers are null, and ``status``
        says why a number is undefined.
        """
        return str(room("_report.formats").to_json(self.to_dict()))

    @property
    def _level(self) -> float:
        """The level of the intervals in sentences and tables."""
        return float(self.__dict__.get(LEVEL, self.__dict__.get("confidence_level", 0.95)))

    @property
    def _levels(self) -> tuple[float, float]:
        """The levels of the test and of the intervals in sentences."""
        return float(self.__dict__.get(ALPHA, 0.05)), self._level

    @property
    def _has_interval(self) -> bool:
        """Whether there is an interval whose level can be chosen."""
        return hasattr(type(self), "confidence_interval")

    def _own_ends(self, level: float) -> tuple[Vector, Vector] | None:
        """Return the ends (k,) of the intervals of the models' own numbers, None if unknown.

        Tests of differences alone do not know them: of a loss, or of means of rounds.
        """
        return None

    def _interval_title(self) -> str:
        return interval_title(getattr(self, "alternative", "two-sided"), self._level)

    def _interval(self) -> ConfidenceInterval:
        """Return the interval that sentences and tables show, which is computed once."""
        level, known = self._level, self.__dict__.setdefault(SHOWN, {})
        if level not in known:
            known[level] = self.confidence_interval(level)  # type: ignore[attr-defined]
        found: ConfidenceInterval = known[level]
        return found

    def _stated_interval(self, form: str = ".4f", at: int | tuple[()] = ()) -> str:
        """Return the interval as sentences name it, of several that of the estimate `at`."""
        low, high = [float(np.asarray(end)[at]) for end in self._interval()]
        return f"{self._interval_title()} {stated_ends((low, high), form)}"

    def _interval_if_known(self, form: str = ".4f") -> str:
        """Return the interval as sentences begin with it, or nothing where it is undefined."""
        return "" if math.isnan(self._interval().low) else f"{self._stated_interval(form)}; "

    def _names(self) -> list[str]:
        every = [f.name for f in fields(self)]  # type: ignore[arg-type]
        return [name for name in every if not name.startswith("_")]

    if not TYPE_CHECKING:  # which would take every attribute for legal

        def __getattr__(self, name: str) -> Any:
            later = getattr(type(self), f"_later_{name}", None)
            if later is not None:
                found = later(self) if name[0] == "_" else locked(later(self))
                return self.__dict__.setdefault(name, found)
            known = dir(type(self))
            if name.startswith("_") or name in known:  # pickle asks often; a property that failed
                return object.__getattribute__(self, name)
            raise MissingAttributeError(
                type(self).__name__, name, [*self.__dataclass_fields__, *known]
            )


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimate(Record):
    """A number with its standard error and interval."""

    estimate: float
    standard_error: float
    method: str
    status: str

    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    _sheets: ClassVar[str] = "estimate"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the interval, at 95% if no level was chosen, as plain values."""
        interval: ConfidenceInterval = self.confidence_interval()  # type: ignore[attr-defined]
        return {**super().to_dict(), "confidence_interval": list(interval)}


@dataclass(frozen=True, eq=False, kw_only=True)
class IntervalEstimate(Estimate):
    """An estimate that was asked for with its interval."""

    confidence_level: float

    _picture: ClassVar[str] = "forest"

    def __float__(self) -> float:
        return self.estimate

    def _ends(self, level: float) -> tuple[float, float]:
        raise NotImplementedError

    def confidence_interval(self, confidence_level: float | None = None) -> ConfidenceInterval:
        """Return the confidence interval, by default at the level of the call.

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


@dataclass(frozen=True, eq=False, kw_only=True)
class TwoModels(Record):
    """What compares two models knows their names; sentences call unnamed ones by their order."""

    names: tuple[str, str] = UNNAMED

    _quantity: ClassVar[str] = ""  # what is compared, as sentences name it; empty if nothing is

    @property
    def _called(self) -> tuple[str, str]:
        return ("the first", "the second") if self.names == UNNAMED else self.names

    @property
    def _difference(self) -> Any:
        """The difference that decides which model is ahead; None of whole curves."""
        return getattr(self, "estimate", None)

    def _verdict(self) -> str:
        """Return which model is better, not worse or equivalent, as far as the test shows it."""
        if not self._quantity:
            return ""
        unnamed = self.names == UNNAMED
        first, second = ("the first model", "the second model") if unnamed else self.names
        alternative = getattr(self, "alternative", "two-sided")
        estimate, margin = self._difference, getattr(self, "margin", 0.0)
        claimed = UPWARD.get(alternative)
        upward = (estimate or 0.0) > 0.0 if claimed is None else claimed
        higher_is_better = getattr(self, "higher_is_better", True)
        ordered = (first, second) if upward == higher_is_better else (second, first)
        more = higher_is_better if claimed is None else claimed
        kind = alternative if claimed is None else "margin" if margin else "one-sided"
        return verdict(
            self._verdicts[kind if estimate or kind != "two-sided" else "any"],
            self.pvalue,  # type: ignore[attr-defined]
            self._levels,
            first=first,
            second=second,
            better=ordered[0],
            worse=ordered[1],
            both="the two models" if unnamed else f"{first} and {second}",
            more="higher" if more else "lower",
            quantity=self._quantity,
            margin=margin,
        )

    def _both_called(self, unnamed: str) -> str:
        """Return the names of both models, or these words if they have none."""
        return unnamed if self.names == UNNAMED else " and ".join(self.names)

    def _of_both(self, first: str, second: str) -> str:
        """Return two texts, each followed by the name of its model."""
        if self.names == UNNAMED:
            return f"{first} and {second}"
        return f"{first} ({self.names[0]}) and {second} ({self.names[1]})"


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
    _sheets: ClassVar[str] = "difference"
    _picture: ClassVar[str] = "forest"

    def _quantile(self, tail: float) -> float:
        raise NotImplementedError

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the confidence interval for `estimate`, which inverts the test.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. With ``alternative="equivalence"`` the two-sided interval at ``2 *
            confidence_level - 1`` is returned: it lies within the margins if and only if the test
            rejects at ``1 - confidence_level``.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, cut to the parameter space. If nothing varies, it is a bound that
            depends on the number of cases, or NaN if the estimate is not 0 and there is no margin;
            NaN if the variance is undefined.
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
        low, high = self._reached(tail)
        if isinstance(self._unvaried, Rare):
            low, high = self._unvaried.widened(low, high, tail)
        return open_side(self.alternative, low, high, self.bounds)

    def _reached(self, tail: float) -> tuple[float, float]:
        """Return the ends that the standard error and its reference alone give."""
        radius = self._quantile(tail) * self.standard_error
        return self.estimate - radius, self.estimate + radius

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
        """Return the alternative hypothesis, to follow the test in a sentence."""
        return hypothesis_of(self.alternative, self.margin)

    def _stated_values(self, subject: str, values: Vector, about: str = "") -> str:
        """Return both models' values, their difference and its test in a sentence."""
        form = f".{decimals(self.estimate)}f"
        return (
            f"{subject} {self._of_both(*(figure(x, form) for x in values))}, a difference of "
            f"{figure(self.estimate, form)} ({self._stated_interval(form)}; {self.method}"
            f"{self._stated_claim()}, {self._evidence()}{about})."
        )


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


class ByReference:
    """P-values of statistics that are normal, or Student's t where `df` is finite."""

    __slots__ = ()

    @property
    def log_pvalue(self) -> Vector:
        """Natural logarithms of the unadjusted p-values, finite even where these underflow."""
        known: Any = self
        df = getattr(self, "df", math.inf)
        return log_reference_pvalues(known.statistic, known.pvalue, df, known.alternative)


@dataclass(frozen=True, eq=False, kw_only=True)
class BatchResult(Record):
    """Tests of B problems: arrays (B,) of statistics and p-values, and the method of all."""

    statistic: Vector
    pvalue: Vector
    method: str

    _sheets: ClassVar[str] = "batch"

    def _summary(self) -> str:
        """Return the result in a sentence of plain words."""
        return rejected(self.pvalue, self.method)


@dataclass(frozen=True, eq=False, kw_only=True)
class OmnibusResult(Record):
    """A test that several models, or two sets of labels, do not differ at all."""

    statistic: float
    df: Degrees
    pvalue: float
    log_pvalue: float
    n_dropped: int
    method: str
    status: str
    estimate: None = None  # nothing that one number, or one interval, could tell

    letter: ClassVar[str] = ""  # of the statistic; by default that of its distribution
    digits: ClassVar[str] = ".3f"
    _quantity: ClassVar[str] = ""  # what is compared, as sentences name it; empty if nothing is
    _things: ClassVar[str] = "models"  # which have it
    _sheets: ClassVar[str] = "omnibus"
    _picture: ClassVar[str] = "forest"

    def _verdict(self) -> str:
        """Return whether the models differ, as far as the test shows it."""
        if not self._quantity:
            return ""
        names = getattr(self, "names", UNNAMED)
        both = f"the {'two' if len(names) == 2 else len(names)} {self._things}"
        if len(names) == 2 and names != UNNAMED:
            both = " and ".join(names)
        parts = {"both": both, "quantity": self._quantity}
        return verdict(self._verdicts["any"], self.pvalue, self._levels, **parts)

    def _evidence(self) -> str:
        """Return the statistic with its degrees of freedom, and the p-value."""
        degrees = self.df if isinstance(self.df, tuple) else (self.df,)
        letter = self.letter or ("F" if len(degrees) == 2 else "chi2")
        known = [df for df in degrees if not math.isnan(df)]
        listed = ", ".join(str(df) if isinstance(df, int) else f"{df:.4g}" for df in known)
        p = equation("p", show_pvalue(self.pvalue))
        if len(known) < len(degrees):  # where nothing varies, or what is undefined
            return equation(letter, figure(self.statistic, self.digits)) + f", {p}"
        return f"{equation(f'{letter}({listed})', figure(self.statistic, self.digits))}, {p}"
