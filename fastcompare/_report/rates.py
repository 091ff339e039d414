"""The sheets of simulated rates of rejection, with what the number of trials leaves open."""

from typing import Any

import numpy as np

from .differences import interval_head
from .facts import number_rows
from .sheets import Sheet, sheet_of
from .tables import Column, Row

HEADS = {
    "test": Column("test"),
    "effect": Column("effect", "plain"),
    "size": Column("size", "count"),
    "rate": Column("rate", "number"),
    "ci": Column("", "interval"),
    "n_rejected": Column("rejected", "count", 2),
    "n_undefined": Column("undefined", "count", 1),
}


def rates_sheets(result: Any) -> list[Sheet]:
    """Return the sheet of the rates, a row a test and effect or size, and that of the design."""
    points = points_of(result)
    shape = len(result.tests), len(points)
    columns = {name: getattr(result, name) for name in ("rate", "n_rejected", "n_undefined")}
    columns |= dict(zip(("ci_low", "ci_high"), result._interval(), strict=True))
    tables = {name: np.reshape(column, shape).tolist() for name, column in columns.items()}
    rows = [
        {"test": test, **point, **{name: table[i][j] for name, table in tables.items()}}
        for i, test in enumerate(result.tests)
        for j, point in enumerate(points)
    ]
    known = {**HEADS, "ci": Column(interval_head(result), "interval")}
    heads = {name: head for name, head in known.items() if name in rows[0] or name == "ci"}
    facts = {"name": Column(""), "value": Column("")}
    return [
        sheet_of("rates", result.title, heads, rows),
        sheet_of("numbers", result.title, facts, number_rows(result)),
    ]


def points_of(result: Any) -> list[Row]:
    """Return the effects or sizes that were varied; one point without a name if none was."""
    varied = getattr(result, "varied", None)
    if varied is None:
        return [{}]
    return [{varied: value} for value in getattr(result, f"{varied}s").tolist()]
