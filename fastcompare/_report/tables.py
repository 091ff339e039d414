"""Tables: a title, heads of columns, rows; `formats` writes them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

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


def table_of(title: str, heads: Mapping[str, Column], rows: Iterable[Row]) -> Table:
    """Return a table of some keys of the rows; "ci" has both ends of the interval."""
    full = [{**row, "ci": (row.get("ci_low"), row.get("ci_high"))} for row in rows]
    return Table(title, tuple(heads.values()), tuple(tuple(row[k] for k in heads) for row in full))
