"""Scores of items from a table whose columns have roles, for functions that take scores alone."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ..._adapters.frames import is_frame, row_index
from ..._base.exceptions import DesignWarning, invalid_value, warn
from ..._base.types import Fields
from ..names import HIGHER_LOSS
from ..options import check_choice
from ..scores import named_columns
from .decide import read_roles
from .kinds import refuse_named
from .reading import Named, Reading
from .words import suggest_losses

Linked = Mapping[str, Any]  # tasks, clusters and weights of items: values, or a column by its name


def table_columns(name: str, table: Any) -> Fields:
    """Return the columns of a table by name, and its index if that has a name.

    In a data frame a column of lists of one length is several columns.
    """
    columns = Fields(named_columns(name, table) or {})
    if isinstance(table, Mapping):
        return columns
    if is_frame(table):
        parts = [spread_lists(called, values) for called, values in columns.items()]
        columns = Fields({called: x for part in parts for called, x in part.items()})
    index = row_index(table)
    if index is None or index.name is None or str(index.name) in columns:
        return columns
    return Fields({str(index.name): np.asarray(index), **columns})


def spread_lists(name: str, values: Any) -> Mapping[str, Any]:
    """Return a column of lists of one length as several columns: p_0, p_1, ... of p."""
    first = values[0] if len(values) and isinstance(values, np.ndarray | list) else None
    first = next(iter(values), None) if first is None and hasattr(values, "dtype") else first
    if not isinstance(first, list | tuple | np.ndarray) and not hasattr(first, "to_list"):
        return {name: values}
    lists = [np.asarray(cell) for cell in values]
    if (
        len({cell.shape for cell in lists}) > 1
        or lists[0].ndim != 1
        or lists[0].dtype.kind not in "if"
    ):
        return {name: values}
    return {f"{name}_{j}": column for j, column in enumerate(np.stack(lists, axis=1))}


def items_in(
    scores: Any,
    linked: Linked,
    *,
    models: Sequence[str] | None = None,
    id: str | None = None,
    long: tuple[str, ...] | None = None,
    higher: bool = False,
) -> tuple[Any, Linked]:
    """Return the scores of each model, and the tasks, clusters and weights in `linked`.

    A data frame, or a mapping of which a column is named, is read by the roles of its columns;
    other scores come back as they are. Warn of losses where `higher` is better.
    """
    names_of_columns = {name: value for name, value in linked.items() if isinstance(value, str)}
    named = {"models": models, "id": id, "long": long, **names_of_columns}
    specified = {name: value for name, value in named.items() if value is not None}
    if isinstance(scores, Reading):
        reading = scores
    elif is_frame(scores) or (specified and isinstance(scores, Mapping)):
        columns = table_columns("scores", scores)
        linked, reading = read_items_table(columns, linked, models, id, long)
    else:
        return (scores, linked) if not specified else refuse_named(specified, "scores")
    if reading.data is not None:
        raise invalid_value(
            "scores",
            "must contain a score a model",
            end="; battles are ranked by bradley_terry(*columns) of the models and the "
            "outcome, reader studies by reader_study.",
        )
    for sentence in reading.warnings:
        warn(sentence, DesignWarning)
    if higher and suggest_losses(reading.called, reading.models):
        warn(HIGHER_LOSS, DesignWarning)
    return reading.models, {**linked, **reading.options}


def read_items_table(
    columns: Fields,
    linked: Linked,
    models: Sequence[str] | None,
    id: str | None,
    long: tuple[str, ...] | None,
) -> tuple[Linked, Reading]:
    """Return tasks, clusters and weights of items, and the roles of the other columns."""
    task, groups, weight = (linked[name] for name in ("task", "groups", "sample_weight"))
    if isinstance(task, str):
        check_choice("task", task, tuple(columns))
        task = columns[task]
        columns = Fields({x: values for x, values in columns.items() if x != linked["task"]})
    named = Named(
        kind="items",
        takes_items=True,
        models=None if models is None else tuple(models),
        id=id,
        long=long,
        groups=groups if isinstance(groups, str) else None,
        weights=weight if isinstance(weight, str) else None,
    )
    return {**linked, "task": task}, read_roles(columns, named)
