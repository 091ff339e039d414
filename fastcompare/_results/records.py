"""Results of tests: frozen records that print themselves, with their intervals.

TwoModels               a comparison of two models, with their names
Estimate
├── IntervalEstimate    one parameter with its interval at the level of the call
└── Result              a test of two models: statistic, p-value
    ├── NormalResult    a z statistic and a normal interval
    └── StudentResult   a t statistic with degrees of freedom
OmnibusResult           a test that several models do not differ at all
BatchResult             tests of many problems in one call

Pictures, tables and pages are made above this floor: `presentation` imports them when asked.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np

from .._base.exceptions import MissingAttributeError
from .._base.memory import lock_arrays, read_only
from .._base.text import (
    VERDICTS,
    as_builtin,
    clean,
    equation,
    interval_title,
    rejection_sentence,
    show_number,
    show_pvalue,
    stated_ends,
    verdict,
)
from .._base.types import Vector
from .._inference.infer import DegreesOfFreedom
from .._inference.pvalues import (
    log_reference_pvalues,
)
from .._inference.status import undefined_reasons
from .._inputs.options import check_level
from .._inputs.scores import UNNAMED
from .presentation import ALPHA, DISPLAY_LEVEL, SHOWN_INTERVALS, for_presentation, presentation
from .samples import sample_note


class Presentable:
    """Base of what prints itself as tables and sentences, becomes a data frame, or is plotted."""

    __slots__ = ()
    _row: ClassVar[str] = "case"  # what is dropped where values are missing
    _states_dropped: ClassVar[bool] = False  # whether the findings say how many
    _follows_sample: ClassVar[bool] = False  # whether the numbers of cases follow the findings

    def __init__(self, **values: Any) -> None:
        """Set these fields; a frozen dataclass's own way takes four times as long."""
        lock_arrays(values)
        self.__dict__.update(values)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        # A dataclass does not replace methods that its class has already.
        cls.__init__, cls.__repr__ = Presentable.__init__, Presentable.__repr__  # type: ignore[method-assign]

    def __str__(self) -> str:
        return str(presentation("_report.screen").to_screen(self))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return str(presentation("_report.page").notebook_html(self))

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
        presented = for_presentation(self, confidence_level, name_a, name_b)
        return clean(" ".join(filter(None, (presented._sentences(), presented._sample_note()))))

    def _sentences(self) -> str:
        """Return the answer, the findings, and the reasons for undefined parts."""
        text = " ".join(filter(None, (self._verdict(), self._summary())))
        meanings = undefined_reasons(getattr(self, "status", "ok"), self._has_numbers()).items()
        return " ".join(
            [text, *(sentence for meaning, sentence in meanings if meaning not in text)]
        )

    def _has_numbers(self) -> Any:
        """Return whether the p-value is defined, of each pair if there are several."""
        pvalue = getattr(self, "pvalue", None)
        return False if pvalue is None else np.isfinite(pvalue)

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
        return presentation("_report.screen").result_frame(
            for_presentation(self, confidence_level), backend, of
        )

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
        return str(
            presentation("_report.page").result_markdown(
                for_presentation(self, confidence_level), table
            )
        )

    def to_html(self, table: str | None = None, *, confidence_level: float | None = None) -> str:
        """Return the tables and the summary in HTML; names are escaped.

        Parameters
        ----------
        table : {'models', 'pairs', ...}, optional
            Return only this table.
        confidence_level : float, optional
            Level of the intervals; by default that of the call, or 0.95.
        """
        return str(
            presentation("_report.page").result_html(
                for_presentation(self, confidence_level), table
            )
        )

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
        presented = for_presentation(self, confidence_level)
        return str(presentation("_report.page").result_latex(presented, table, caption, label))

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """Plot the result by a function of `fastcompare.plots`; return the axes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Axes to draw on; by default a new pyplot figure.
        **options
            Further options of that function.
        """
        return presentation("plots").picture(self, ax=ax, **options)


class _IntervalEnds(NamedTuple):
    low: float
    high: float


class ConfidenceInterval(_IntervalEnds):
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
        """Return the interval clipped to the bounds; its `clipped` is whether an end moved."""
        ends = np.array((low, high))
        cut = ends.clip(*bounds)
        interval = cls(*(cut.tolist() if cut.ndim == 1 else cut))
        interval.clipped = bool(((cut < ends) | (cut > ends)).any())
        return interval


class Record(Presentable):
    """Base of all results: a frozen dataclass that prints itself, whose arrays are read-only.

    A field may be computed when it is read first: `from_fields` makes the result without it, and
    the class has a method ``_compute_<field>`` that computes it from other fields. These are
    copies: the caller may change an array in the meantime.
    """

    __slots__ = ()
    title: ClassVar[str] = ""
    _short_title: ClassVar[str] = ""  # of a test whose method is one of several ways
    _verdicts: ClassVar[Mapping[str, tuple[str, str]]] = VERDICTS
    _sheets: ClassVar[str] = "facts"  # which of the families of `_report` shows it
    _picture: ClassVar[str] = ""  # which function of `plots` draws it

    @classmethod
    def from_fields(cls, **values: Any) -> Self:
        """Return a record with these fields; the others are computed when they are read."""
        record = object.__new__(cls)
        lock_arrays(values)
        record.__dict__.update(values)
        return record

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the fields of a copy, whose arrays NumPy has made anew."""
        lock_arrays(state)
        self.__dict__.update(state)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as plain Python values, nested results as dictionaries.

        Undefined numbers are NaN and infinite ones, as the degrees of freedom of a normal
        distribution, are ``inf``; `to_json` writes the same values, and null for both.
        """
        return {name: as_builtin(getattr(self, name)) for name in self._field_names()}

    def to_json(self) -> str:
        """Return `to_dict` as strict JSON, as ``--format json`` writes it.

        JSON has no NaN and no infinity: undefined and infinite numbers are null, and ``status``
        says why a number is undefined.
        """
        return str(presentation("_report.formats").to_json(self.to_dict()))

    @property
    def _level(self) -> float:
        """The level of the intervals in sentences and tables."""
        return float(self.__dict__.get(DISPLAY_LEVEL, self.__dict__.get("confidence_level", 0.95)))

    @property
    def _levels(self) -> tuple[float, float]:
        """The levels of the test and of the intervals in sentences."""
        return float(self.__dict__.get(ALPHA, 0.05)), self._level

    @property
    def _has_interval(self) -> bool:
        """Whether there is an interval whose level can be chosen."""
        return hasattr(type(self), "confidence_interval")

    def _model_limits(self, level: float) -> tuple[Vector, Vector] | None:
        """Return the limits (k,) of an interval for each model, None if there is none.

        Tests of differences alone have none: of a loss, or of means of rounds.
        """
        return None

    def _interval_title(self) -> str:
        """Return the name of the interval, as ``95% CI``."""
        return interval_title(getattr(self, "alternative", "two-sided"), self._level)

    def _interval(self) -> ConfidenceInterval:
        """Return the interval that sentences and tables show, which is computed once."""
        level = self._level
        intervals = self.__dict__.setdefault(SHOWN_INTERVALS, {})
        if level not in intervals:
            intervals[level] = self.confidence_interval(level)  # type: ignore[attr-defined]
        interval: ConfidenceInterval = intervals[level]
        return interval

    def _interval_text(self, form: str = ".4f", at: int | tuple[()] = ()) -> str:
        """Return ``95% CI 0.0123 to 0.0456`` for a sentence; of several estimates that at `at`."""
        low, high = [float(np.asarray(end)[at]) for end in self._interval()]
        return f"{self._interval_title()} {stated_ends((low, high), form)}"

    def _interval_prefix(self, form: str = ".4f") -> str:
        """Return `_interval_text` and a semicolon; '' where the interval is undefined."""
        return "" if math.isnan(self._interval().low) else f"{self._interval_text(form)}; "

    def _field_names(self) -> list[str]:
        """Return the names of the public fields, in their order."""
        names = [f.name for f in fields(self)]  # type: ignore[arg-type]
        return [name for name in names if not name.startswith("_")]

    def _nested_names(self) -> Sequence[str]:
        """Return the names of attributes of results that are fields of this one: result.pvalue."""
        return ()

    if not TYPE_CHECKING:  # which would take every attribute for legal

        def __getattr__(self, name: str) -> Any:
            """Return the attribute that the method `_compute_<name>` computes on first use."""
            compute = getattr(type(self), f"_compute_{name}", None)
            if compute is not None:
                value = compute(self) if name[0] == "_" else read_only(compute(self))
                return self.__dict__.setdefault(name, value)
            # The usual error for what pickle asks for often, and for a property that raised one.
            if name.startswith("_") or hasattr(type(self), name):
                return object.__getattribute__(self, name)
            is_field = name in self.__dataclass_fields__
            nested = () if is_field else self._nested_names()
            names = (*attribute_names(type(self)), *nested)
            raise MissingAttributeError(type(self).__name__, name, names)


@cache
def attribute_names(record_class: type[Record]) -> tuple[str, ...]:
    """Return the names of a class's fields, properties and methods; listing them takes 60 us."""
    return (*record_class.__dataclass_fields__, *dir(record_class))  # type: ignore[attr-defined]


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
    """An estimate with its interval at the level of the call."""

    confidence_level: float

    _picture: ClassVar[str] = "forest"

    def __float__(self) -> float:
        return self.estimate

    def _has_numbers(self) -> bool:
        """Return whether the estimate and its interval are defined."""
        return bool(np.isfinite(self.estimate) and np.isfinite(self._interval()).all())

    def _ends(self, level: float) -> tuple[float, float]:
        """Return the limits of the interval at this level, before they are clipped."""
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


class ByReference:
    """Mixin of results whose statistics are normal, or Student's t where `df` is finite."""

    __slots__ = ()

    @property
    def log_pvalue(self) -> Vector:
        """Natural logarithms of the unadjusted p-values, finite even where these underflow."""
        result: Any = self
        df = getattr(self, "df", math.inf)
        return log_reference_pvalues(result.statistic, result.pvalue, df, result.alternative)


@dataclass(frozen=True, eq=False, kw_only=True)
class BatchResult(Record):
    """Tests of B problems: arrays (B,) of statistics and p-values, and the method of all."""

    statistic: Vector
    pvalue: Vector
    method: str

    _sheets: ClassVar[str] = "batch"

    def _summary(self) -> str:
        """Return the result in a sentence of plain words."""
        return rejection_sentence(self.pvalue, self.method)


def models_text(names: tuple[str, ...], things: str = "models") -> str:
    """Return ``a and b`` by the names of two models, else ``the 3 models``."""
    if len(names) == 2 and names != UNNAMED:
        return " and ".join(names)
    return f"the {'two' if len(names) == 2 else len(names)} {things}"


@dataclass(frozen=True, eq=False, kw_only=True)
class OmnibusResult(Record):
    """A test that several models, or two sets of labels, do not differ at all."""

    statistic: float
    df: DegreesOfFreedom
    pvalue: float
    log_pvalue: float
    n_dropped: int
    method: str
    status: str
    estimate: None = None  # no single number describes k models

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
        both = models_text(getattr(self, "names", UNNAMED), self._things)
        parts = {"both": both, "quantity": self._quantity}
        return verdict(self._verdicts["any"], self.pvalue, self._levels, **parts)

    def _evidence(self) -> str:
        """Return the statistic with its degrees of freedom, and the p-value."""
        degrees = self.df if isinstance(self.df, tuple) else (self.df,)
        letter = self.letter or ("F" if len(degrees) == 2 else "chi2")
        defined = [df for df in degrees if not math.isnan(df)]
        listed = ", ".join(str(df) if isinstance(df, int) else f"{df:.4g}" for df in defined)
        p = equation("p", show_pvalue(self.pvalue))
        name = f"{letter}({listed})"
        if len(defined) < len(degrees):  # nothing varies, or the test is undefined
            name = letter
        return f"{equation(name, show_number(self.statistic, self.digits))}, {p}"
