"""Which task and metric are meant: two are never pooled unless they are named."""

from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

from ..._adapters.evals.sheets import Column, Sheet
from ..._base.exceptions import InvalidTypeError, InvalidValueError
from ..options import check_choice

SHOWN = 12  # names in a message


def choose_tasks(sheets: Sequence[Sheet], task: object) -> list[str]:
    """Return the tasks that are meant: the only one, or those that are named."""
    models: dict[str, set[str]] = {}
    for sheet in sheets:
        models.setdefault(sheet.task, set()).add(sheet.model)
    if task is None:
        if len(models) > 1:
            listed = [f"{name!r} ({len(by)} models)" for name, by in models.items()]
            raise InvalidValueError(
                f"`task` must be named, since the logs hold {len(models)}: {shown(listed)}. "
                "Several that are named in a list are pooled."
            )
        return list(models)
    names = [task] if isinstance(task, str) else task
    if not isinstance(names, list | tuple) or not names:
        raise InvalidTypeError(f"`task` must be a name or a list of names, got {task!r}.")
    for name in names:
        check_choice("task", name, models)
    return list(dict.fromkeys(names))


def choose_metric(sheets: Sequence[Sheet], metric: object) -> str:
    """Return the metric that is meant: the only one, or the one that is named."""
    names = list(dict.fromkeys(name for sheet in sheets for name in sheet.values))
    if not names:
        raise InvalidValueError("the logs hold no score: was the run scored?")
    if metric is None:
        if len(names) > 1:
            raise InvalidValueError(
                f"`metric` must be named, since the logs hold {len(names)}: "
                f"{shown(listed_metrics(sheets, names))}."
            )
        return names[0]
    alike = [name for name in names if name.partition(",")[0] == metric]
    if metric in names or not alike:
        check_choice("metric", metric, names)
        return str(metric)
    if len(alike) > 1:
        raise InvalidValueError(
            f"`metric` {metric!r} is computed behind {len(alike)} filters: name one of "
            f"{shown(map(repr, alike))}."
        )
    return alike[0]


def listed_metrics(sheets: Sequence[Sheet], names: Iterable[str]) -> list[str]:
    """Return the metrics for a message, with a word at those that are no single numbers."""
    return [
        f"{name!r} (no single number)"
        if any(not is_single(s.values.get(name)) for s in sheets)
        else repr(name)
        for name in names
    ]


def is_single(column: Column | None) -> bool:
    """Return whether a column holds no lists and no objects."""
    return not any(isinstance(value, list | tuple | dict) for value in column or ())


def shown(names: Iterable[str]) -> str:
    """Return some names for a message."""
    every = list(names)
    return ", ".join(every[:SHOWN]) + (f" and {len(every) - SHOWN} more" if every[SHOWN:] else "")


def told_apart(sheets: list[Sheet], notes: list[str]) -> list[Sheet]:
    """Return the sheets, at most one for each model and task; raise where two are for the same.

    Logs that were given one by one may be of the same model, with other prompts, say: then each
    takes the name of its file besides. Tables may go on in another file.
    """
    for model in dict.fromkeys(sheet.model for sheet in sheets):
        own = [sheet for sheet in sheets if sheet.model == model]
        sources = list(dict.fromkeys(sheet.source for sheet in own))
        if not repeated(own) or len(sources) == 1 or all(sheet.divided for sheet in own):
            continue
        labels = labels_of(sources)
        for sheet in own:
            sheet.model = f"{model} ({labels[sheet.source]})"
        notes.append(f"{len(sources)} logs are of the model {model!r}: their files tell them apart")
    for sheet, other in repeated(sheets):
        if not sheet.divided:
            raise InvalidValueError(
                f"{other.path!r} and {sheet.path!r} are both runs of {sheet.model!r} on "
                f"{sheet.task!r}: give the one that you mean."
            )
    return merged(sheets)


def repeated(sheets: Sequence[Sheet]) -> list[tuple[Sheet, Sheet]]:
    """Return the sheets of a model and task that another sheet has before them, with that one."""
    first: dict[tuple[str, str], Sheet] = {}
    pairs = [(sheet, first.setdefault((sheet.model, sheet.task), sheet)) for sheet in sheets]
    return [(sheet, other) for sheet, other in pairs if sheet is not other]


def labels_of(sources: Sequence[str]) -> dict[str, str]:
    """Return for each path its last part, without the ending; more where that is the same."""
    stems = [Path(source).stem for source in sources]
    names = [Path(source).name for source in sources]
    best = next((x for x in (stems, names) if len(set(x)) == len(x)), sources)
    return dict(zip(sources, best, strict=True))


def merged(sheets: Sequence[Sheet]) -> list[Sheet]:
    """Return one sheet for each model and task, its rows from all files."""

    def key(sheet: Sheet) -> tuple[str, str]:
        return sheet.model, sheet.task

    order = {k: i for i, k in enumerate(dict.fromkeys(map(key, sheets)))}
    found = []
    for _, group in groupby(sorted(sheets, key=lambda s: order[key(s)]), key):
        first, *others = group
        for other in others:
            extend(first, other)
        found.append(first)
    return found


def extend(sheet: Sheet, other: Sheet) -> None:
    """Put the rows of another table below those of a sheet."""
    size, more = len(sheet.ids), len(other.ids)
    for own, new in ((sheet.values, other.values), (sheet.contents, other.contents)):
        for name in own:
            own[name] = own[name] + new.get(name, [None] * more)
    for name in ("samples", "clusters", "weights"):
        first, second = getattr(sheet, name), getattr(other, name)
        if first is not None or second is not None:
            setattr(sheet, name, (first or [None] * size) + (second or [None] * more))
    sheet.ids = sheet.ids + other.ids
    sheet.path = f"{sheet.path}, {other.path}"
