"""Sheets joined to a table of scores (items, models, samples), NaN where there is none."""

from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.evals.sheets import Sheet
from ..._base.exceptions import InvalidValueError
from ..._base.memory import reserve
from .ids import check_samples, in_order
from .numbers import scores_of

Key = tuple[str, Any]  # task and id


class Placed(NamedTuple):
    """A sheet and where in the table its answers stand."""

    sheet: Sheet
    model: int
    rows: NDArray[np.intp]
    scores: NDArray[np.float64]


class Table(NamedTuple):
    """Scores (items, models, samples), and what the axes are."""

    scores: NDArray[np.float64]
    models: tuple[str, ...]
    keys: list[Key]
    ids: list[Any]
    placed: list[Placed]


def joined(sheets: Sequence[Sheet], metric: str) -> Table:
    """Return all answers in one table; raise where a model has two to the same item and sample."""
    models = tuple(dict.fromkeys(sheet.model for sheet in sheets))
    keys, places = items_of(sheets)
    samples = in_order_of_samples(sheets)
    scores = reserve((len(keys), len(models), max(len(samples), 1)), hint="read fewer logs")
    scores.fill(np.nan)
    placed = []
    for sheet in sheets:
        place = places[sheet.task]
        rows = np.fromiter(map(place.__getitem__, sheet.ids), np.intp, len(sheet.ids))
        slots = slots_of(sheet, samples)
        check_once(sheet, rows * scores.shape[2] + slots)
        model = models.index(sheet.model)
        values = scores_of(sheet, metric)
        scores[rows, model, slots] = values
        placed.append(Placed(sheet, model, rows, values))
    return Table(scores, models, keys, [item for _, item in keys], placed)


def items_of(sheets: Sequence[Sheet]) -> tuple[list[Key], dict[str, dict[Any, int]]]:
    """Return the items of all tasks in order, and for each task the row of an id."""
    keys: list[Key] = []
    places = {}
    for task in dict.fromkeys(sheet.task for sheet in sheets):
        own = [sheet for sheet in sheets if sheet.task == task]
        ids = in_order(chain.from_iterable(chain(sheet.ids, sheet.expected) for sheet in own))
        places[task] = {item: len(keys) + i for i, item in enumerate(ids)}
        keys += [(task, item) for item in ids]
    return keys, places


def in_order_of_samples(sheets: Sequence[Sheet]) -> list[Any]:
    """Return the labels of samples in all sheets, in order; raise where one is no label."""
    for sheet in sheets:
        check_samples(sheet)
    labels = dict.fromkeys(chain.from_iterable(sheet.samples or () for sheet in sheets))
    return in_order([str(label) for label in labels])


def slots_of(sheet: Sheet, samples: list[Any]) -> NDArray[np.intp]:
    """Return which sample of its item each answer is."""
    if sheet.samples is None or len(samples) < 2:
        return np.zeros(len(sheet.ids), np.intp)
    slot = {label: i for i, label in enumerate(samples)}
    return np.fromiter((slot[str(label)] for label in sheet.samples), np.intp, len(sheet.ids))


def are_distinct(places: NDArray[np.intp]) -> bool:
    """Return whether places in the table are all different: counted, a tenth of sorting them."""
    return bool((np.bincount(places) < 2).all())


def check_once(sheet: Sheet, cells: NDArray[np.intp]) -> None:
    """Raise if two answers of a sheet are to the same item and sample."""
    if are_distinct(cells):
        return
    order = np.argsort(cells, kind="stable")
    again = np.sort(order[1:][cells[order][1:] == cells[order][:-1]])
    found = [sheet.ids[i] for i in again.tolist()]
    raise InvalidValueError(
        f"{sheet.path!r}: {len(found)} answers of {sheet.model!r} are to an item and sample that "
        f"has one already: {first_three(found)}. Is it the log of a retry? Keep one answer of each."
    )


def first_three(items: Sequence[Any]) -> str:
    """Return the first three of some items for a message."""
    named = ", ".join(repr(item) for item in list(dict.fromkeys(items))[:3])
    return f"item {named}" if len(items) == 1 else f"items {named}"
