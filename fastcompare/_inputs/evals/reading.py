"""The runs in evaluation logs, from paths to one table of answers.

Two tasks or metrics are never pooled unless they are named; missing answers are counted, and raise,
drop their item or score 0 as specified.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.evals.formats import read_paths
from ..._adapters.evals.sheets import Column, TaskAnswers
from ..._base.exceptions import (
    DroppedCasesWarning,
    EvalWarning,
    InvalidValueError,
    invalid_type,
    invalid_value,
    warn,
)
from ..._base.text import amount
from ..._base.types import AnyArray, Fields
from ..options import check_choice
from .scales import check_scales
from .table import (
    Table,
    as_labels,
    check_contents,
    first_three,
    identify_by_hash,
    item_clusters,
    item_weights,
    join_sheets,
    suspicions,
    unify_ids,
)

MAX_NAMED = 12  # names in a message


def choose_tasks(sheets: Sequence[TaskAnswers], task: object) -> list[str]:
    """Return the names of the chosen tasks: the only task, or those that `task` names."""
    models_by_task: dict[str, set[str]] = {}
    for sheet in sheets:
        models_by_task.setdefault(sheet.task, set()).add(sheet.model)
    if task is None and len(models_by_task) > 1:
        listed = [f"{t!r} ({amount(len(models), 'model')})" for t, models in models_by_task.items()]
        raise invalid_value(
            "task",
            f"must be named, since the logs contain {len(models_by_task)}",
            end=f": {first_names(listed)}. Several, or 'all', are pooled.",
        )
    if task is None or (task == "all" and task not in models_by_task):
        return list(models_by_task)
    names = [task] if isinstance(task, str) else task
    if not isinstance(names, list | tuple) or not names:
        raise invalid_type("task", "must be a name or a list of names", task)
    for name in names:
        check_choice("task", name, models_by_task)
    return list(dict.fromkeys(names))


def choose_metric(sheets: Sequence[TaskAnswers], metric: object) -> str:
    """Return the metric that is meant: the only one, or the one that is named; or raise.

    A name without the filter after its comma suffices if one filter was used: acc of "acc,none".
    """
    names = list(dict.fromkeys(name for sheet in sheets for name in sheet.values))
    if not names:
        raise InvalidValueError(
            "the logs contain no score: was the run scored?", parameter="metric"
        )
    if metric is None:
        if len(names) > 1:
            single = [n for n in names if all(is_single(s.values.get(n)) for s in sheets)]
            ways = " or ".join(f"`metric={name!r}`" for name in (single or names)[:MAX_NAMED])
            raise invalid_value(
                "metric",
                f"must be named, since the logs contain {len(names)}",
                end=f": {first_names(listed_metrics(sheets, names))}. Specify {ways}.",
            )
        return names[0]
    matching = [name for name in names if name.partition(",")[0] == metric]
    if metric in names or not matching:
        check_choice("metric", metric, names)
        return str(metric)
    if len(matching) > 1:
        raise invalid_value(
            "metric",
            f"{metric!r} is computed with {len(matching)} filters",
            end=f": specify one of {first_names(map(repr, matching))}.",
        )
    return matching[0]


def listed_metrics(sheets: Sequence[TaskAnswers], names: Iterable[str]) -> list[str]:
    """Return the metrics for a message, with a word at those that are no single numbers."""
    return [
        f"{name!r} (no single number)"
        if any(not is_single(s.values.get(name)) for s in sheets)
        else repr(name)
        for name in names
    ]


def is_single(column: Column | None) -> bool:
    """Return whether a column has no lists and no objects; so for no column."""
    return not any(isinstance(value, list | tuple | dict) for value in column or ())


def first_names(names: Iterable[str]) -> str:
    """Return the first 12 names for a message, and how many more there are."""
    all_names = list(names)
    n_more = len(all_names) - MAX_NAMED
    return ", ".join(all_names[:MAX_NAMED]) + (f" and {n_more} more" if n_more > 0 else "")


def distinct_sheets(sheets: list[TaskAnswers], notes: list[str]) -> list[TaskAnswers]:
    """Return the sheets, at most one for each model and task; raise where two are for the same.

    Logs of one model that were passed one by one may have other prompts, say: then the name of
    each file is added to the model's name, and a line to `notes`. But a table may be divided into
    several files, whose rows are joined.
    """
    for model in dict.fromkeys(sheet.model for sheet in sheets):
        model_sheets = [sheet for sheet in sheets if sheet.model == model]
        sources = list(dict.fromkeys(sheet.source for sheet in model_sheets))
        if (
            not duplicate_sheets(model_sheets)
            or len(sources) == 1
            or all(sheet.divided for sheet in model_sheets)
        ):
            continue
        labels = source_labels(sources)
        for sheet in model_sheets:
            sheet.model = f"{model} ({labels[sheet.source]})"
        notes.append(f"{len(sources)} logs are of the model {model!r}: named by their files")
    for sheet, other in duplicate_sheets(sheets):
        if not sheet.divided:
            raise InvalidValueError(
                f"{other.path!r} and {sheet.path!r} are both runs of {sheet.model!r} on "
                f"{sheet.task!r}: pass only one of them.",
                parameter=sheet.path,
                value=sheet.model,
            )
    return merge_sheets(sheets)


def duplicate_sheets(sheets: Sequence[TaskAnswers]) -> list[tuple[TaskAnswers, TaskAnswers]]:
    """Return pairs of sheets of the same model and task: each later one with the first."""
    first: dict[tuple[str, str], TaskAnswers] = {}
    pairs = [(sheet, first.setdefault((sheet.model, sheet.task), sheet)) for sheet in sheets]
    return [(sheet, other) for sheet, other in pairs if sheet is not other]


def source_labels(sources: Sequence[str]) -> dict[str, str]:
    """Return for each path its last part, without the ending unless stems repeat; else the path."""
    stems = [Path(source).stem for source in sources]
    names = [Path(source).name for source in sources]
    shortest = next((x for x in (stems, names) if len(set(x)) == len(x)), sources)
    return dict(zip(sources, shortest, strict=True))


def merge_sheets(sheets: Sequence[TaskAnswers]) -> list[TaskAnswers]:
    """Return one sheet for each model and task, its rows from all files."""
    by_model_and_task: dict[tuple[str, str], TaskAnswers] = {}
    for sheet in sheets:
        first = by_model_and_task.setdefault((sheet.model, sheet.task), sheet)
        if first is not sheet:
            append_rows(first, sheet)
    return list(by_model_and_task.values())


def append_rows(sheet: TaskAnswers, added: TaskAnswers) -> None:
    """Append to a sheet, in place, the rows of the sheet `added`, None where it has no values."""
    no_values, none_added = [None] * len(sheet.ids), [None] * len(added.ids)
    for columns, new in ((sheet.values, added.values), (sheet.contents, added.contents)):
        for name in columns:
            columns[name] = columns[name] + new.get(name, none_added)
    for name in ("samples", "clusters", "weights"):
        first, second = getattr(sheet, name), getattr(added, name)
        if first is not None or second is not None:
            setattr(sheet, name, (first or no_values) + (second or none_added))
    sheet.ids = sheet.ids + added.ids
    sheet.path = f"{sheet.path}, {added.path}"


MISSING = ("raise", "drop", "zero", "keep")


class Run(NamedTuple):
    """The log files of a model, and its numbers of items and of scored or failed answers."""

    model: str
    format: str
    files: tuple[str, ...]
    status: str
    n_items: int  # with a score
    n_samples: int  # scored answers
    n_missing: int  # items without a score
    n_errors: int
    n_unscored: int
    n_limited: int


def run_counts(table: Table) -> tuple[Run, ...]:
    """Return for each model its files and its numbers of items and answers."""
    present = has_score(table)
    runs = []
    for j, model in enumerate(table.models):
        placements = [p for p in table.placed if p.model == j]
        errors = unscored = 0
        for placed in placements:
            failed = np.asarray(placed.sheet.failed or [False] * len(placed.scores), bool)
            errors += int(np.count_nonzero(failed))
            unscored += int(np.count_nonzero(np.isnan(placed.scores) & ~failed))
        n_items = int(present[:, j].any(axis=1).sum())
        failures = (p.sheet.status for p in placements if p.sheet.status != "success")
        runs.append(
            Run(
                model,
                format=placements[0].sheet.format,
                files=tuple(dict.fromkeys(p.sheet.path for p in placements)),
                status=next(failures, "success"),
                n_items=n_items,
                n_samples=int(present[:, j].sum()),
                n_missing=len(table.keys) - n_items,
                n_errors=errors,
                n_unscored=unscored,
                n_limited=sum(p.sheet.limited for p in placements),
            )
        )
    return tuple(runs)


def has_score(table: Table) -> NDArray[np.bool_]:
    """Return where the table has a score: booleans of shape (items, models, samples)."""
    return np.asarray(~np.isnan(table.scores))


def fill_or_drop_missing(table: Table, runs: Sequence[Run], missing: str) -> NDArray[np.intp]:
    """Return the indices of the items that are compared, or raise where scores are missing.

    With missing='zero' they are set to 0 in the table, with 'drop' only items that all models have
    are compared. A model should have of each item the samples that it has of some item.
    """
    present = has_score(table)
    expected: AnyArray = np.asarray(present.any(axis=0))  # (models, samples)
    lacks_sample = np.asarray(np.logical_not(present) & expected).any(axis=2)
    gaps = np.asarray(lacks_sample | np.logical_not(present.any(axis=2)))
    if missing == "raise" and np.any(gaps):
        refuse_gaps(table, runs, gaps)
    if missing == "zero":
        has_none = np.logical_not(expected.any(axis=1, keepdims=True))  # of any item: all are 0
        table.scores[np.logical_not(present) & (expected | has_none)] = 0.0
    if missing != "drop":
        return np.arange(len(table.keys))
    complete = np.flatnonzero(np.all(present.any(axis=2), axis=1))
    if not complete.size:
        raise InvalidValueError(
            "no item has a score of every model: are the logs of the same data set?",
            parameter="missing",
        )
    dropped = len(table.keys) - complete.size
    if dropped:
        warn(
            f"{dropped} of {len(table.keys)} items dropped: a model has no score for them.",
            DroppedCasesWarning,
        )
    return complete


def refuse_gaps(table: Table, runs: Sequence[Run], gaps: AnyArray) -> None:
    """Raise with the models that miss scores, why, and the first items of each.

    `gaps` (items, models) says where they are.
    """
    clauses = []
    for j in np.flatnonzero(gaps.any(axis=0)).tolist()[:5]:
        rows = np.flatnonzero(gaps[:, j]).tolist()
        run = runs[j]
        why = [
            f"{count} {word}"
            for count, word in ((run.n_errors, "errors"), (run.n_unscored, "unscored"))
            if count
        ]
        if run.status != "success":
            why.append(f"its status is {run.status!r}")
        items = first_three([table.keys[row][1] for row in rows])
        reasons = f"; {', '.join(why)}" if why else ""
        clauses.append(f"{run.model!r} misses {len(rows)} of {len(gaps)} ({items}{reasons})")
    raise InvalidValueError(
        f"every model must have a score for every item and sample: {'; '.join(clauses)}. Pass "
        "missing='drop' to compare the items that all have, or 'zero' to count the others as 0.",
        parameter="missing",
    )


JOINS = ("id", "hash")


def read_runs(
    paths: Sequence[Any],
    task: object,
    metric: object,
    *,
    missing: object,
    join: object,
    cluster: Any,
) -> Fields:
    """Return the fields of `EvalRuns`: the answers in logs, joined by item, and what was noticed.

    Raise where answers do not belong together, or where one of the paths has none of them.
    """
    check_choice("missing", missing, MISSING)
    check_choice("join", join, JOINS)
    names = as_paths(paths)
    all_sheets, skipped = read_paths(names, as_field(cluster))
    tasks = choose_tasks(all_sheets, task)
    sheets = [sheet for sheet in all_sheets if sheet.task in tasks]
    chosen = choose_metric(sheets, metric)
    sheets = [sheet for sheet in sheets if chosen in sheet.values]
    check_every_path(names, all_sheets, sheets, f"{chosen!r} of {' or '.join(map(repr, tasks))}")
    models = {sheet.model for sheet in sheets}
    left_out = tuple(dict.fromkeys(s.model for s in all_sheets if s.model not in models))
    omitted = [f"{name!r} has no {chosen!r} of this task: it is omitted" for name in left_out]
    notes = [*omitted, *(f"{file!r} was skipped: {why}" for file, why in skipped.items())]
    table = answer_table(sheets, chosen, str(join), notes)
    suspected = suspicions(table)
    for warning in (*omitted, *suspected):
        warn(warning, EvalWarning)
    metadata = {"notes": (*notes, *suspected), "left_out": left_out, "skipped": skipped}
    return run_fields(table, chosen, str(missing), cluster, metadata)


def answer_table(sheets: Sequence[TaskAnswers], metric: str, join: str, notes: list[str]) -> Table:
    """Return all answers in one table; add to `notes` how sheets were renamed or matched."""
    sheets = distinct_sheets([replace(s, values=dict(s.values)) for s in sheets], notes)
    if join == "hash":
        identify_by_hash(sheets)
    unify_ids(sheets, notes)
    table = join_sheets(sheets, metric)
    check_contents(table, notes)
    check_scales(table, metric)
    return table


def check_every_path(
    paths: Sequence[str],
    sheets: Sequence[TaskAnswers],
    compared_sheets: Sequence[TaskAnswers],
    wanted: str,
) -> None:
    """Raise if one of the paths has no score that is compared; `wanted` says which these are."""
    for path in paths:
        if not any(sheet.source == path for sheet in compared_sheets):
            path_sheets = [sheet for sheet in sheets if sheet.source == path]
            metrics = dict.fromkeys(f"{m!r} of {s.task!r}" for s in path_sheets for m in s.values)
            raise InvalidValueError(
                f"{path!r} has no {wanted}: it contains {first_names(metrics)}.",
                parameter=str(path),
            )


def run_fields(
    table: Table, metric: str, missing: str, cluster: Any, more_metadata: Fields
) -> Fields:
    """Return the fields of `EvalRuns` from a table, for the items that `missing` keeps.

    'zero' sets the table's missing scores to 0, in place; 'raise' raises for them.
    """
    groups = item_clusters(table, cluster)
    weights = item_weights(table)
    runs = run_counts(table)  # before missing scores are 0, which would count as answers
    rows = fill_or_drop_missing(table, runs, missing)
    directions = {placed.sheet.higher_is_better.get(metric) for placed in table.placed} - {None}
    tasks = [task for task, _ in table.keys]
    has_several_tasks = len(set(tasks)) > 1
    items = [f"{task}:{item}" for task, item in table.keys] if has_several_tasks else table.ids
    metadata = {
        "metric": metric,
        "higher_is_better": directions.pop() if len(directions) == 1 else None,
        "n_dropped": len(table.keys) - rows.size,
        "runs": runs,
    }
    return {
        "models": table.models,
        "items": as_labels(items)[rows],
        "tasks": np.asarray(tasks)[rows],
        "scores": table.scores[rows],
        "groups": None if groups is None else groups[rows],
        "weights": None if weights is None else weights[rows],
        "metadata": {**metadata, **more_metadata},
    }


def as_paths(paths: Sequence[Any]) -> list[str]:
    """Return paths as text, or raise."""
    if not paths:
        raise invalid_value("paths", "must name at least one file or folder")
    for path in paths:
        if not isinstance(path, str | os.PathLike):
            raise invalid_type("paths", "must be paths of files or folders", path)
    return [os.fspath(path) for path in paths]


def as_field(cluster: object) -> tuple[str, ...]:
    """Return the parts of a dotted path to a field, none for None."""
    if cluster is None:
        return ()
    if not isinstance(cluster, str):
        raise invalid_type("cluster", "must be a dotted path of a field", cluster)
    parts = tuple(cluster.split("."))
    if not all(parts):
        raise invalid_value("cluster", "must be a dotted path of a field", cluster)
    return parts
