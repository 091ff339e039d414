"""All pairs of models as sheets, at the level of intervals and from the source that users name."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from .._base.text import correction_title
from .._results.pairs import best_first, measure_of
from .._results.records import interval_title, room
from .formats import Column, Indices, Row, Sheet, Table, picked

ALPHA = 0.05  # of marks, where a test of one pair has no level
LEVEL = 0.95  # of intervals that nobody asked for


@dataclass(frozen=True)
class ShownPairs(ABC):
    """All pairs of models, the level of the intervals, and where the data come from.

    A subclass says what is compared: a value of each model, and which fields of pairs people see.
    """

    result: Any
    confidence_level: float = LEVEL
    simultaneous: bool = False
    source: str = ""
    quantity: ClassVar[str] = ""
    heads: ClassVar[Mapping[str, Column]] = {}  # of the table of models, beside their names
    interval: ClassVar[bool] = False  # whether models have intervals
    value: ClassVar[tuple[str, str]]  # of a model: what rows call it, and the field of all
    columns: ClassVar[Mapping[str, str]] = {}  # of pairs: keys, and fields of the result
    evidence: ClassVar[Mapping[str, Column]] = {}  # of a pair, beside difference and p-values

    @abstractmethod
    def models(self) -> Iterator[Row]:
        """Yield what is known of each model."""

    @abstractmethod
    def counts(self) -> Mapping[str, int]:
        """Return how many cases there are of each kind."""

    @abstractmethod
    def cases(self) -> str:
        """Return how many cases there are, for people."""

    def model_heads(self) -> Mapping[str, Column]:
        """Return the columns of the table of models by their keys."""
        ends = {"ci": Column(f"{self.level} CI", "interval")} if self.interval else {}
        return {"model": Column("model"), **self.heads, **ends}

    def pairs(self, chosen: Sequence[int] | None = None) -> Iterator[Row]:
        """Yield what is known of each pair: values of both models, and the fields of `columns`.

        Of all pairs, or of those with these indices.
        """
        result = self.result
        indices = range(len(result.pairs)) if chosen is None else chosen
        cells = self.cells(np.asarray(indices, np.intp))
        key, field = self.value
        value = dict(zip(result.names, getattr(result, field).tolist(), strict=True))
        for p, *row in zip(indices, *cells, strict=True):
            first, second = result.pairs[p]
            yield {
                "first": first,
                "second": second,
                f"{key}_first": value[first],
                f"{key}_second": value[second],
                **dict(zip(self.columns, row, strict=True)),
            }

    def cells(self, chosen: NDArray[np.intp]) -> list[list[Any]]:
        """Return the `columns` of these pairs; intervals may take long, and are of these alone."""
        result, size = self.result, len(self.result.pairs)
        low, high = result._intervals(chosen, self.confidence_level, self.simultaneous)
        found = {"estimate": result._estimates(chosen), "low": low, "high": high}
        return [
            found[field].tolist()
            if field in found
            else np.broadcast_to(getattr(result, field), size)[chosen].tolist()
            for field in self.columns.values()
        ]

    @property
    def level(self) -> str:
        """The level for people."""
        return f"{100 * self.confidence_level:g}%"

    @property
    def method(self) -> str:
        """The methods of the tests: that of a pair may go by how many cases tell it apart."""
        return ", ".join(np.unique(self.result.method).tolist())

    @property
    def test(self) -> str:
        """The name of the test."""
        return str(self.result.title)

    @property
    def what(self) -> str:
        """What of the first model less what of the second is tested."""
        return self.quantity

    @property
    def about(self) -> str:
        """Where the data come from, how many models and cases there are; empty if not known."""
        if not self.source:
            return ""
        return f"{self.source}: {len(self.result.names)} models, {self.cases()}"

    @property
    def title(self) -> str:
        """The title of the result."""
        return str(self.result.title)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return tuple(self.result.names)

    @property
    def record(self) -> Any:
        """The result as the function returned it."""
        return self.result

    def summary(self) -> str:
        """Return the summary of the result, with intervals at the level of the tables."""
        if self.confidence_level == LEVEL:
            return str(self.result.summary())
        return str(self.result.summary(confidence_level=self.confidence_level))

    def __str__(self) -> str:
        return str(room("_report").to_screen(self))

    def sheets(self) -> list[Sheet]:
        """Return the sheets of the models, the best first, and of the pairs, the surest first."""
        return [self.model_sheet(), *([self.pair_sheet()] if self.result.pairs else [])]

    def model_sheet(self) -> Sheet:
        """Return the sheet of the models."""
        rows = list(self.models())
        title, heads = self.about or self.title, self.model_heads()
        return Sheet("models", title, heads, len(rows), picked(rows), self.standing())

    def standing(self) -> Indices:
        """Return the order of the models, the best first."""
        return best_first(self.result, measure_of(self.result))

    def pair_heads(self) -> dict[str, Column]:
        """Return the columns of the table of pairs; words of status only where one says much."""
        together = "simultaneous " if self.simultaneous else ""
        interval = interval_title(self.result.alternative, self.confidence_level)
        wanted = self.simultaneous or self.confidence_level != LEVEL
        heads = {
            "first": Column("first"),
            "second": Column("second"),
            "difference": Column("difference", "number"),
            "ci": Column(together + interval, "interval", 0 if wanted else 1),
            **self.evidence,
            "pvalue": Column("p", "pvalue", 1),
            "adjusted_pvalue": Column("adjusted p", "pvalue"),
            "significant": Column("", "mark"),
        }
        if not np.all(self.result.status == "ok"):
            heads["status"] = Column("status", spare=2)
        return heads

    @property
    def pair_title(self) -> str:
        """The title of the table of pairs."""
        title = f"{self.test}: {self.what} of the first minus {self.what} of the second"
        return f"{title}, {self.result.alternative}"

    def pair_sheet(self) -> Sheet:
        """Return the sheet of the pairs, with marks for those that hold after correction."""
        result = self.result
        adjusted, pvalue = map(np.atleast_1d, (result.adjusted_pvalue, result.pvalue))
        significant = adjusted <= getattr(result, "alpha", ALPHA)

        def cells(indices: Indices) -> Iterator[Row]:
            for p, row in zip(indices, self.pairs(indices), strict=True):
                yield {**row, "significant": bool(significant[p])}

        order = np.lexsort((pvalue, adjusted)).tolist()  # NaN come last
        note = note_of(result, bool(significant.any()))
        heads = self.pair_heads()
        return Sheet("pairs", self.pair_title, heads, len(result.pairs), cells, order, note)

    def tidy_table(self) -> Table:
        """Return a table of the pairs and of their models' values, for programs."""
        rows = list(self.pairs())
        header = tuple(
            Column(key, "text" if isinstance(cell, str) else "number")
            for key, cell in rows[0].items()
        )
        return Table(self.result.title, header, tuple(tuple(row.values()) for row in rows))

    def to_dict(self) -> Row:
        """Return everything, for programs."""
        result = self.result
        return {
            "source": self.source,
            **self.counts(),
            "n_dropped": result.n_dropped,
            "method": self.method,
            "alternative": result.alternative,
            "correction": result.correction,
            "confidence_level": self.confidence_level,
            "simultaneous": self.simultaneous,
            "models": list(self.models()),
            "pairs": list(self.pairs()),
            "summary": self.summary(),
        }


def note_of(result: Any, marked: bool) -> str:
    """Return the note below the table of pairs: what the marks mean, or that there are none.

    It names the correction, which a table alone does not.
    """
    if marked:
        return f"* {rule_of(result)}"
    told = len(result.pairs) > 1 and not np.isnan(result.adjusted_pvalue).all()
    return f"no difference is {rule_of(result)}" if told else ""


def rule_of(result: Any) -> str:
    """Return the rule of the marks, for people."""
    level = f"significant at the {100 * getattr(result, 'alpha', ALPHA):g}% level"
    if len(result.pairs) == 1 or result.correction == "none":
        return level
    return f"{level} ({correction_title(result.correction)}-adjusted)"
