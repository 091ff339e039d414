"""Whether answers that share an id are to the same question, and what else goes by item."""

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ..._adapters.evals.sheets import Column, Sheet
from ..._base.exceptions import InvalidValueError
from ..._base.types import AnyArray
from .table import Placed, Table, are_distinct, first_three

Reading = Callable[[Sheet], Column | None]


class Difference(NamedTuple):
    """An item's row in the table, the log that differs there, and the one that came first."""

    row: int
    here: Sheet
    there: Sheet


def check_contents(table: Table, notes: list[str]) -> None:
    """Raise if the question or its target differs between two logs; note where prompts do."""
    for name in dict.fromkeys(name for p in table.placed for name in p.sheet.contents):
        _, differing = by_item(table, lambda sheet, name=name: sheet.contents.get(name))  # type: ignore[misc]
        if differing:
            _, here, there = differing[0]
            rows = dict.fromkeys(found.row for found in differing)
            items = [table.keys[row][1] for row in rows]
            raise InvalidValueError(
                f"{name!r} of {first_three(items)} ({len(items)} in all) differs between "
                f"{there.path!r} and {here.path!r}: they are not the same questions. Compare runs "
                "of one version of the data set, or give join='hash' where logs have a hash."
            )
    _, differing = by_item(table, lambda sheet: sheet.prompts)
    if differing:
        count = len({found.row for found in differing})
        notes.append(f"the prompts of {count} items differ between models: by a template, say")


def by_item(table: Table, reading: Reading) -> tuple[list[Any], list[Difference]]:
    """Return a value for each item, None where no log has one, and where two logs have others."""
    values = np.full(len(table.keys), None, dtype=object)
    owners = np.full(len(table.keys), -1)
    found: list[Difference] = []
    for number, placed in enumerate(table.placed):
        column = reading(placed.sheet)
        if column is None:
            continue
        cells, rows = as_objects(column), placed.rows
        if None in column:
            held = [i for i, value in enumerate(column) if value is not None]
            cells, rows = cells[held], rows[held]
        new = np.flatnonzero(owners[rows] < 0)
        values[rows[new]], owners[rows[new]] = cells[new], number
        if number == 0 and are_distinct(rows):
            continue  # nothing to compare with
        for cell in np.flatnonzero(values[rows] != cells).tolist():
            row = int(rows[cell])
            found.append(Difference(row, placed.sheet, table.placed[owners[row]].sheet))
    return values.tolist(), found


def as_objects(values: Column) -> AnyArray:
    """Return values of any kind as an array."""
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells


def clusters_of(table: Table, cluster: str | None) -> AnyArray | None:
    """Return the cluster of each item, or raise where it has none or several."""
    if cluster is None and all(p.sheet.clusters is None for p in table.placed):
        return None
    name = cluster or "group"
    values, differing = by_item(table, lambda sheet: sheet.clusters)
    check_same(table, name, differing)
    missing = [key[1] for key, value in zip(table.keys, values, strict=True) if value is None]
    if missing:
        raise InvalidValueError(
            f"`cluster` {name!r} is not in the logs for {first_three(missing)} ({len(missing)} of "
            f"{len(values)}): give the dotted path of a field that every answer has."
        )
    if bad := next((v for v in values if not isinstance(v, str | int | float | bool)), None):
        raise InvalidValueError(f"`cluster` {name!r} must be a text or a number, got {bad!r}.")
    return as_labels(values)


def as_labels(values: Sequence[Any]) -> AnyArray:
    """Return values as an array: of numbers or text where all are, else of objects."""
    if len(set(map(type, values))) == 1:
        return np.asarray(values)
    return as_objects(list(values))


def weights_of(table: Table) -> AnyArray | None:
    """Return the weight of each item, None where logs have none; raise where two logs differ."""
    if all(p.sheet.weights is None for p in table.placed):
        return None
    values, differing = by_item(table, lambda sheet: sheet.weights)
    check_same(table, "weight", differing)
    missing = [key[1] for key, value in zip(table.keys, values, strict=True) if value is None]
    if missing:
        raise InvalidValueError(f"the weight of {first_three(missing)} is missing.")
    for (_, item), value in zip(table.keys, values, strict=True):
        if not (isinstance(value, int | float) and 0 <= value <= sys.float_info.max):
            raise InvalidValueError(
                f"the weight of item {item!r} must be a finite number of at least 0, got {value!r}."
            )
    return np.asarray(values, np.float64)


def check_same(table: Table, name: str, differing: list[Difference]) -> None:
    """Raise where two answers to an item do not have the same value."""
    if differing:
        items = [table.keys[found.row][1] for found in differing]
        _, here, there = differing[0]
        raise InvalidValueError(
            f"{name!r} of {first_three(items)} differs between {there.path!r} and {here.path!r}: "
            "an item has one."
        )


def suspicions(table: Table, placed: Sequence[Placed]) -> list[str]:
    """Return words for scores that are likely not those of the answers."""
    scores, found = table.scores, []
    present = ~np.isnan(scores)
    if present.any() and not scores[present].any():
        found.append(
            "all scores are 0: converters write 0 for metrics that are no single number "
            f"({placed[0].sheet.format})"
        )
    if scores.shape[2] > 1:
        low, high = np.fmin.reduce(scores, axis=2), np.fmax.reduce(scores, axis=2)
        several = present.sum(axis=2) > 1
        if several.any() and (low == high)[several].all():
            found.append(
                "the samples of every item have the same score: it may be their mean, not their own"
            )
    return found
