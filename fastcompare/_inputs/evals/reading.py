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
from .choice import choose_metric, choose_tasks, shown, told_apart
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
    left_out: tuple[str, ...]  # models without this task and metric
    skipped: dict[str, str]  # files in folders, and why


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
    found = read_table(names, field, task, metric, str(join))
    for name in found.left_out:
        warn(f"{name!r} has no {found.metric!r} of this task: it is left out", EvalWarning)
    for suspicion in suspicions(found.table, found.table.placed):
        warn(suspicion, EvalWarning)
        found.notes.append(suspicion)
    return finished(found, str(missing), cluster)


class Found(NamedTuple):
    """All answers in one table, the metric, what was noticed, and what is not in the table."""

    table: Table
    metric: str
    notes: list[str]
    left_out: tuple[str, ...]
    skipped: dict[str, str]


def read_table(
    paths: Sequence[str], field: Sequence[str], task: object, metric: object, join: str
) -> Found:
    """Return all answers in one table; raise where a path that was given has none of them."""
    every, skipped = read_paths(paths, field)
    tasks = choose_tasks(every, task)
    sheets = [sheet for sheet in every if sheet.task in tasks]
    chosen = choose_metric(sheets, metric)
    sheets = [sheet for sheet in sheets if chosen in sheet.values]
    check_every_path(paths, every, sheets, f"{chosen!r} of {' or '.join(map(repr, tasks))}")
    left_out = tuple(dict.fromkeys(s.model for s in every if s.model not in models_of(sheets)))
    notes = [f"{name!r} has no {chosen!r} of this task: it is left out" for name in left_out]
    notes += [f"{file!r} was skipped: {why}" for file, why in skipped.items()]
    sheets = told_apart([replace(s, values=dict(s.values)) for s in sheets], notes)
    if join == "hash":
        hashed(sheets)
    same_kind(sheets, notes)
    table = joined(sheets, chosen)
    check_contents(table, notes)
    return Found(table, chosen, notes, left_out, skipped)


def models_of(sheets: Sequence[Sheet]) -> set[str]:
    """Return the models that sheets are of."""
    return {sheet.model for sheet in sheets}


def check_every_path(
    paths: Sequence[str], every: Sequence[Sheet], kept: Sequence[Sheet], wanted: str
) -> None:
    """Raise if a path that was given holds no score that is compared."""
    for path in paths:
        if not any(sheet.source == path for sheet in kept):
            own = [sheet for sheet in every if sheet.source == path]
            held = dict.fromkeys(f"{m!r} of {s.task!r}" for s in own for m in s.values)
            raise InvalidValueError(f"{path!r} has no {wanted}: it holds {shown(held)}.")


def finished(found: Found, missing: str, cluster: Any) -> Runs:
    """Return the table with what goes by item, after what is missing has been dealt with."""
    table, metric = found.table, found.metric
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
        tuple(found.notes),
        found.left_out,
        found.skipped,
    )


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
