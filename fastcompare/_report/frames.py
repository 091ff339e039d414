"""Rows of a result as a data frame: all of them, with all keys and all digits."""

import math
from collections.abc import Callable, Mapping
from importlib import util
from typing import Any

from .._inputs.options import check_choice
from .families import sheets_of
from .sheets import Sheet
from .tables import Column, Table

UNTIDY = ("ranks",)  # what other columns say as numbers


def result_frame(result: Any, backend: str = "pandas", of: str | None = None) -> Any:
    """Return the models, the pairs or whatever a result has as a data frame."""
    check_choice("backend", backend, BACKENDS)
    return BACKENDS[backend](frame_columns(chosen_sheet(result, of)))


def chosen_sheet(result: Any, kind: str | None, option: str = "of") -> Sheet:
    """Return the sheet of one kind: unless it is said, of the pairs, or else the first one."""
    sheets = {sheet.kind: sheet for sheet in sheets_of(result)}
    if kind is None:
        return sheets.get("pairs") or next(iter(sheets.values()))
    check_choice(option, kind, sheets)
    return sheets[kind]


def frame_columns(sheet: Sheet) -> dict[str, list[Any]]:
    """Return the columns of a sheet in the order of the result; numbers that miss are NaN."""
    rows = sheet.rows()
    columns = {name: [row[name] for row in rows] for name in rows[0] if name not in UNTIDY}
    return {name: filled(cells) for name, cells in columns.items()}


def frame_table(result: Any) -> Table:
    """Return the pairs, or what comes first where there are none, as a table for programs."""
    sheet = chosen_sheet(result, None)
    columns = frame_columns(sheet)
    header = tuple(map(Column, columns))
    return Table(sheet.title, header, tuple(zip(*columns.values(), strict=True)))


def filled(cells: list[Any]) -> list[Any]:
    """Return the cells of a column, NaN for what is missing among numbers."""
    if any(isinstance(cell, str) for cell in cells):
        return cells
    return [math.nan if cell is None else cell for cell in cells]


def need(package: str) -> None:
    """Raise with the pip line unless a package is there."""
    if util.find_spec(package) is None:
        raise ImportError(
            f"`to_frame` needs {package} for backend={package!r}: pip install {package}."
        )


def pandas_frame(columns: Mapping[str, list[Any]]) -> Any:
    """Return a data frame of pandas."""
    need("pandas")
    import pandas as pd

    return pd.DataFrame(dict(columns))


def polars_frame(columns: Mapping[str, list[Any]]) -> Any:
    """Return a data frame of polars."""
    need("polars")
    import polars as pl

    return pl.DataFrame(dict(columns))


def arrow_table(columns: Mapping[str, list[Any]]) -> Any:
    """Return a table of pyarrow."""
    need("pyarrow")
    import pyarrow as pa

    return pa.table(dict(columns))


BACKENDS: Mapping[str, Callable[[Mapping[str, list[Any]]], Any]] = {
    "pandas": pandas_frame,
    "polars": polars_frame,
    "pyarrow": arrow_table,
}
