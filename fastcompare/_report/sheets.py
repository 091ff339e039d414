"""What is known of the models, the pairs, the problems of a result: rows, for people and programs.

A `Sheet` is the one source of a table: `to_frame` takes all keys of its rows with all digits;
what is printed, Markdown, LaTeX and HTML take the columns that people see, the best model and the
smallest p-value first.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

import numpy as np

from .._base.text import plain
from .._results.measures import MEASURES
from .tables import Column, Row, Table, table_of

Indices = Sequence[int]


@dataclass(frozen=True)
class Sheet:
    """Rows of one kind; `cells` yields those of some indices, `order` is how people read them."""

    kind: str
    title: str
    heads: Mapping[str, Column]
    size: int
    cells: Callable[[Indices], Iterable[Row]]
    order: Indices = ()
    note: str = ""

    def rows(self, indices: Indices | None = None) -> list[Row]:
        """Return these rows, by default all, as programs read them."""
        return list(self.cells(range(self.size) if indices is None else indices))

    def shown(self, indices: Indices) -> Table:
        """Return these rows as a table for people, who need no column twice."""
        return without_repeats(table_of(self.title, self.heads, self.cells(indices)))

    def table(self) -> Table:
        """Return all rows as a table for people, in their order."""
        return self.shown(self.order or range(self.size))


def sheet_of(kind: str, title: str, heads: Mapping[str, Column], rows: Iterable[Row]) -> Sheet:
    """Return a sheet of few rows, in their order."""
    listed = [{name: plain(value) for name, value in row.items()} for row in rows]
    return Sheet(kind, title, heads, len(listed), picked(listed))


def picked(rows: Sequence[Row]) -> Callable[[Indices], list[Row]]:
    """Return a function that returns some of the rows."""
    return lambda indices: [rows[j] for j in indices]


def without_repeats(table: Table) -> Table:
    """Return a table without p-values that are all as in another column, and without empty columns.

    Names, differences and the like stay, whatever they are; the p-values that stay are worth what
    those that go were.
    """
    columns = [[row[j] for row in table.rows] for j in range(len(table.header))]
    texts = [list(map(str, column)) for column in columns]  # one NaN is as another
    header, kept = list(table.header), list[int]()
    for j, head in enumerate(table.header):
        if head.form == "pvalue" and (same := [i for i in kept if texts[i] == texts[j]]):
            header[same[0]] = header[same[0]]._replace(spare=min(head.spare, header[same[0]].spare))
        elif head.form == "text" or not is_empty(columns[j]):
            kept.append(j)
    return Table(table.title, tuple(header), table.rows).only(kept)


def is_empty(cells: Sequence[Any]) -> bool:
    """Return whether a column has nothing to say."""
    return all(cell is None or cell is False or is_blank(cell) for cell in cells)


def is_blank(cell: Any) -> bool:
    """Return whether a text is empty, or an interval has no ends."""
    return isinstance(cell, str | tuple) and cell in ("", (None, None))


def measure_head(result: Any, name: str) -> str:
    """Return the head of the column of the models' values."""
    quantity = getattr(result, "quantity", "") or getattr(result, "measure", "")
    if name == "auc":
        return str(getattr(result, "measure", "AUC"))
    if name == "values":
        return str(getattr(result, "metric", "") or quantity or "value")
    return str(quantity) if name == "losses" and quantity else MEASURES[name]


def is_row(value: Any) -> TypeGuard[Any]:
    """Return whether a value is one number or word after another."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1
    return isinstance(value, tuple | list) and all(map(np.isscalar, value))


def columns_along(result: Any, fields: Iterable[str], size: int) -> Iterator[tuple[str, list[Any]]]:
    """Yield the fields that have a number, or a word, for each of `size` things."""
    for name in fields:
        value = getattr(result, name, None)
        if is_row(value) and len(value) == size:
            yield name, plain(list(value))
