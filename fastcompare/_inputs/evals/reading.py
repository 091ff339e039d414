"""From paths to the runs that are meant, joined to one table."""

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.evals.folders import read_paths
from ..._adapters.evals.sheets import Sheet
from ..._base.exceptions import EvalWarning, InvalidTypeError, InvalidValueError, warn
from ..._base.types import AnyArray
from ..options import check_choice
from .agreement import as_labels, check_contents, clusters_of, suspicions, weights_of
from .choice import choose_metric, choose_tasks, told_apart
from .ids import hashed, same_kind
from .missing import MISSING, Run, kept_items, runs_of
from .table import Table, joined

JOINS = ("id", "hash")


class Runs(NamedTuple):
    """Scores (items, models, samples), what the axes are, and what was found in the logs."""

    scores: NDArray[np.float64]
    models: tuple[str, ...]
    items: AnyArray
    tasks: AnyArray
    groups: AnyArray | None
    weights: AnyArray | None
    metric: str
    higher_is_better: bool | None
    runs: tuple[Run, ...]
    n_dropped: int
    notes: tuple[str, ...]


def read_runs(
    paths: Sequence[Any],
    task: object,
    metric: object,
    *,
    missing: object,
    join: object,
    cluster: object,
) -> Runs:
    """Return the answers in logs, joined by item; raise where they do not belong together."""
    check_choice("missing", missing, MISSING)
    check_choice("join", join, JOINS)
    names, field = as_paths(paths), as_field(cluster)
    table, chosen, notes = read_table(names, field, task, metric, str(join))
    for suspicion in suspicions(table, table.placed):
        warn(suspicion, EvalWarning)
        notes.append(suspicion)
    return finished(table, str(missing), cluster, chosen, notes)


def read_table(
    paths: Sequence[str], field: Sequence[str], task: object, metric: object, join: str
) -> tuple[Table, str, list[str]]:
    """Return all answers in one table, the metric, and what was noticed."""
    sheets = read_paths(paths, field)
    tasks = choose_tasks(sheets, task)
    sheets = [sheet for sheet in sheets if sheet.task in tasks]
    chosen = choose_metric(sheets, metric)
    notes: list[str] = []
    sheets = told_apart(with_metric(sheets, chosen, notes), notes)
    if join == "hash":
        hashed(sheets)
    same_kind(sheets, notes)
    table = joined(sheets, chosen)
    check_contents(table, notes)
    return table, chosen, notes


def finished(table: Table, missing: str, cluster: Any, metric: str, notes: list[str]) -> Runs:
    """Return the table with what goes by item, after what is missing has been dealt with."""
    groups, weights = clusters_of(table, cluster), weights_of(table)
    runs = runs_of(table)
    kept = kept_items(table, runs, missing)
    directions = {p.sheet.higher_is_better.get(metric) for p in table.placed} - {None}
    tasks = [key[0] for key in table.keys]
    several = len(set(tasks)) > 1
    items = [f"{task}:{item}" for task, item in table.keys] if several else table.ids
    return Runs(
        table.scores[kept],
        table.models,
        as_labels(items)[kept],
        np.asarray(tasks)[kept],
        None if groups is None else groups[kept],
        None if weights is None else weights[kept],
        metric,
        directions.pop() if len(directions) == 1 else None,
        runs,
        len(table.keys) - kept.size,
        tuple(notes),
    )


def with_metric(sheets: Sequence[Sheet], metric: str, notes: list[str]) -> list[Sheet]:
    """Return the sheets that hold a metric, and note the models that do not."""
    found = [sheet for sheet in sheets if metric in sheet.values]
    models = {sheet.model for sheet in found}
    others = dict.fromkeys(sheet.model for sheet in sheets if sheet.model not in models)
    notes += [f"{model!r} has no {metric!r}: it is left out" for model in others]
    return [replace(sheet, values=dict(sheet.values)) for sheet in found]


def as_paths(paths: Sequence[Any]) -> list[str]:
    """Return paths as text, or raise."""
    if not paths:
        raise InvalidValueError("`paths` must name at least one file or folder.")
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise InvalidTypeError(f"`paths` must be paths of files or folders, got {path!r}.")
    return [os.fspath(path) for path in paths]


def as_field(cluster: object) -> tuple[str, ...]:
    """Return the parts of a dotted path to a field, none for None."""
    if cluster is None:
        return ()
    if not isinstance(cluster, str):
        raise InvalidTypeError(f"`cluster` must be a dotted path of a field, got {cluster!r}.")
    parts = tuple(cluster.split("."))
    if not all(parts):
        raise InvalidValueError(f"`cluster` must be a dotted path of a field, got {cluster!r}.")
    return parts
