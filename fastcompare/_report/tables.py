"""What a comparison looks like as tables; `formats` writes them."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from .._base.text import correction_title

Cell = str | float | int | None | tuple[float, float]
Row = dict[str, Any]


class Column(NamedTuple):
    """The head of a column, which of `formats.FORMS` its cells take, and what it is worth.

    Where a page is narrow, columns of the highest `spare` are left out first, those of 0 never.
    """

    name: str
    form: str = "text"
    spare: int = 0


MEASURED = {  # keys of rows, and the fields of the result that they hold
    "difference": "estimate",
    "standard_error": "standard_error",
    "ci_low": "low",
    "ci_high": "high",
}
TESTED = {"pvalue": "pvalue", "adjusted_pvalue": "adjusted_pvalue", "status": "status"}


@dataclass(frozen=True)
class Table:
    """A table for people or programs: its title, the heads of its columns, its rows."""

    title: str
    header: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.header]

    def only(self, kept: Sequence[int]) -> "Table":
        """Return the table of these columns."""
        rows = tuple(tuple(row[j] for j in kept) for row in self.rows)
        return Table(self.title, tuple(self.header[j] for j in kept), rows)


@dataclass(frozen=True)
class Comparison(ABC):
    """All pairs of models, the level of the intervals, and where the data come from.

    A subclass says what is compared: a value of each model, and which fields of pairs people see.
    """

    result: Any
    confidence_level: float = 0.95
    simultaneous: bool = False
    source: str = "Models"
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
        cells = [self.cells(field, indices) for field in self.columns.values()]
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

    def cells(self, field: str, indices: Sequence[int]) -> list[Any]:
        """Return a field of these pairs, or an end of their intervals."""
        column = self.ends[field] if field in self.ends else getattr(self.result, field)
        picked = np.broadcast_to(column, len(self.result.pairs))[np.asarray(indices, np.intp)]
        return list(picked.tolist())

    @cached_property
    def ends(self) -> Mapping[str, Any]:
        """The ends of the intervals of all pairs."""
        level, together = self.confidence_level, self.simultaneous
        low, high = self.result.confidence_interval(level, simultaneous=together)
        return {"low": low, "high": high}

    @property
    def level(self) -> str:
        """The level for people."""
        return f"{100 * self.confidence_level:g} %"

    @property
    def method(self) -> str:
        """The methods of the tests: that of a pair may go by how many cases tell it apart."""
        return ", ".join(np.unique(self.result.method).tolist())

    @property
    def tells_methods(self) -> bool:
        """Whether the table of the pairs says how each of them was tested."""
        return False

    @property
    def test(self) -> str:
        """The name of the tests."""
        return str(self.result.title)

    @property
    def what(self) -> str:
        """What of the first model less what of the second is tested."""
        return self.quantity

    def model_table(self) -> Table:
        """Return the table of the models, for people."""
        title = f"{self.source}: {len(self.result.names)} models, {self.cases()}"
        return table_of(title, self.model_heads(), self.models())

    def pair_heads(self) -> dict[str, Column]:
        """Return the columns of the table of pairs; words of status only where one says much."""
        result = self.result
        kind = "simultaneous" if self.simultaneous else "unadjusted"
        heads = {
            "first": Column("first"),
            "second": Column("second"),
            "difference": Column("difference", "number"),
            "ci": Column(f"{kind} {self.level} CI", "interval"),
            **self.evidence,
            "pvalue": Column("p", "pvalue", 1),
            "adjusted_pvalue": Column(adjusted_head(result.correction), "pvalue"),
        }
        if not all(result.status == "ok"):
            heads["status"] = Column("status", spare=2)
        if self.tells_methods:
            heads["method"] = Column("test", spare=3)
        return heads

    @property
    def pair_title(self) -> str:
        """The title of the table of pairs."""
        title = f"{self.test}: {self.what} of the first minus {self.what} of the second"
        return f"{title}, {self.result.alternative}"

    def pair_table(self) -> Table:
        """Return the table of the pairs, for people."""
        return table_of(self.pair_title, self.pair_heads(), self.pairs())

    def tables(self) -> tuple[Table, ...]:
        """Return all tables for people."""
        return self.model_table(), self.pair_table()

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
            "summary": result.summary(),
        }


def table_of(title: str, heads: Mapping[str, Column], rows: Iterable[Row]) -> Table:
    """Return a table of some keys of the rows; "ci" has both ends of the interval."""
    full = [{**row, "ci": (row.get("ci_low"), row.get("ci_high"))} for row in rows]
    return Table(title, tuple(heads.values()), tuple(tuple(row[k] for k in heads) for row in full))


def adjusted_head(correction: str) -> str:
    """Return the head of the column of adjusted p-values: their correction's name."""
    return (
        "p, not adjusted" if correction == "none" else f"{correction_title(correction)}-adjusted p"
    )
