"""The sheets of results like no others: what goes along with each other, and single numbers."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .._results.measures import names_of
from .._results.records import interval_title
from .differences import estimate_sheets
from .formats import UNDEFINED
from .models import model_sheets
from .sheets import Sheet, columns_along, is_row, sheet_of
from .tables import Column, Row

KEPT = ("first", "second", "pairs", "estimate", "pvalue", "adjusted_pvalue")  # on narrow pages
NO_PAIRS = ("covariance", "contrast", "table")  # square, but not of differences of two models
UNREAD = ("seed", "status")
WORDS = {"pvalue": "p", "adjusted_pvalue": "adjusted p", "log_pvalue": "log p"}


def fact_sheets(result: Any) -> list[Sheet]:
    """Return the sheets of the models, of what goes along with anything else, and of numbers."""
    numbers = {"name": Column(""), "value": Column("")}
    found = [*model_sheets(result), *measure_sheets(result), *square_sheets(result)]
    found += along_sheets(result)
    facts = sheet_of("numbers", result.title, numbers, number_rows(result))
    return [*found, facts] if facts.size else found


def measure_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the estimates that a result holds, each with its interval."""
    held = {name: getattr(result, name) for name in result._names()}
    rows = [
        {"measure": measure.title, **estimate_sheets(measure)[0].rows()[0]}
        for measure in held.values()
        if hasattr(measure, "estimate") and hasattr(measure, "confidence_interval")
    ]
    heads = {
        "measure": Column("measure"),
        "estimate": Column("estimate", "number"),
        "ci": Column(interval_title("two-sided", result._level), "interval"),
    }
    return [sheet_of("estimates", result.title, heads, rows)] if rows else []


def square_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the pairs of which tables (k, k) of models tell."""
    names = names_of(result)
    first, second = np.triu_indices(len(names), 1)
    held = (name for name in result._names() if name not in NO_PAIRS)
    squares = [name for name in held if is_square(getattr(result, name), len(names))]
    if not squares or not first.size:
        return []
    columns: dict[str, Sequence[Any]] = {
        "first": [names[j] for j in first],
        "second": [names[j] for j in second],
    }
    columns |= {name: getattr(result, name)[first, second].tolist() for name in squares}
    return [columns_sheet("pairs", result.title, iter(columns.items()))]


def is_square(value: Any, k: int) -> bool:
    """Return whether a value is a table (k, k) of models."""
    return isinstance(value, np.ndarray) and value.shape == (k, k)


def along_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the fields of the length that most of them have, if several have it."""
    held = (getattr(result, name) for name in result._names())
    sizes = [len(value) for value in held if is_row(value)]
    sizes = [size for size in sizes if size > 1 and size != len(names_of(result))]
    if not sizes:
        return []
    size = max(sizes, key=lambda n: (sizes.count(n), n))
    columns = dict(columns_along(result, result._names(), size))
    if len(pairs := getattr(result, "pairs", ())) == size:
        named = dict(zip(("first", "second"), map(list, zip(*pairs, strict=True)), strict=True))
        return [columns_sheet("pairs", result.title, iter({**named, **columns}.items()))]
    return [columns_sheet("values", result.title, iter(columns.items()))]


def columns_sheet(kind: str, title: str, columns: Iterator[tuple[str, Sequence[Any]]]) -> Sheet:
    """Return a sheet of columns, by the names of fields."""
    held = dict(columns)
    heads = {
        name: Column(words_of(name), form_of(name, cells), 0 if name in KEPT else place)
        for place, (name, cells) in enumerate(held.items())
    }
    rows = [dict(zip(held, row, strict=True)) for row in zip(*held.values(), strict=True)]
    return sheet_of(kind, title, heads, rows)


def batch_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of many problems in one call."""
    size = result.pvalue.size
    columns: Mapping[str, Sequence[Any]] = {"problem": range(size)}
    columns = {**columns, **dict(columns_along(result, result._names(), size))}
    return [columns_sheet("problems", result.title, iter(columns.items()))]


def number_rows(result: Any) -> Iterator[Row]:
    """Yield the names and values of the fields that are one number or word."""
    for name in result._names():
        value = getattr(result, name)
        if name not in UNREAD and value is not None and np.isscalar(value):
            yield {"name": words_of(name), "value": number_text(value)}


def number_text(value: Any) -> str:
    """Return a number or word for people."""
    if isinstance(value, float):
        return UNDEFINED if math.isnan(value) else f"{value:.6g}"
    return str(value)


def words_of(name: str) -> str:
    """Return the name of a field for people."""
    if name.startswith("n_"):
        of = "of " if name.endswith("s") else ""  # trials; but not positive
        return f"number {of}{name[2:]}".replace("_", " ")
    return WORDS.get(name, name.replace("_", " "))


def form_of(name: str, cells: Sequence[Any]) -> str:
    """Return how a column shows its cells."""
    if name in ("pvalue", "adjusted_pvalue"):
        return "pvalue"
    if all(isinstance(cell, int) for cell in cells):
        return "count"
    return "text" if any(isinstance(cell, str) for cell in cells) else "number"
