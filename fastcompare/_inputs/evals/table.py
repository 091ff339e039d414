"""Sheets of logs joined to a table of scores (items, models, samples), NaN where there is none.

Ids join logs by value, never by position: 7, 7.0 and "7" are one item. A score is a single number.
Answers that share an id must be to the same question, and have the same cluster and weight.
"""

import math
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ..._adapters.evals.sheets import Column, TaskAnswers
from ..._adapters.layout import is_decimal
from ..._base.exceptions import InvalidTypeError, InvalidValueError, invalid_type, invalid_value
from ..._base.memory import reserve
from ..._base.types import AnyArray, Vector

DIGITS = re.compile(r"(\d+)", re.ASCII)
LONGEST = 18  # digits of a number that text may stand for


def unify_ids(sheets: Sequence[TaskAnswers], notes: list[str]) -> None:
    """Convert ids and clusters of all sheets to numbers where some sheet has them as numbers."""
    if are_mixed(set().union(*(kinds_of_ids(sheet) for sheet in sheets))):
        for sheet in sheets:
            sheet.ids = list(map(by_value, sheet.ids))
            sheet.expected = list(map(by_value, sheet.expected))
        notes.append(
            "ids are whole numbers in some logs and text in others: they are matched by value"
        )
    if are_mixed({kind for sheet in sheets for kind in map(type, sheet.clusters or [])}):
        for sheet in sheets:
            sheet.clusters = list(map(by_value, sheet.clusters or [])) or None


def are_mixed(kinds: set[type]) -> bool:
    """Return whether values are numbers in one place and text in another, or not whole."""
    return float in kinds or {int, str} <= kinds


def by_value(value: Any) -> Any:
    """Return the whole number that a text or float stands for; anything else as it is."""
    if type(value) is str:
        digits = value.removeprefix("-")
        is_integer = digits.isascii() and digits.isdigit() and len(digits) <= LONGEST
        return int(value) if is_integer and str(int(value)) == value else value
    if type(value) is float and value.is_integer():
        return int(value)
    return value


def kinds_of_ids(sheet: TaskAnswers) -> set[type]:
    """Return the types of the ids in a sheet; raise unless each is a text or a whole number."""
    id_kinds = set()
    for ids in (sheet.ids, sheet.expected):
        kinds = set(map(type, ids))
        if not kinds <= {int, str} or (str in kinds and "" in ids):
            check_ids(sheet, ids)
        id_kinds |= kinds
    return id_kinds


def check_ids(sheet: TaskAnswers, ids: Column) -> None:
    """Raise unless every id is a text or a whole number."""
    for row, value in enumerate(ids, 1):
        is_integer = type(value) is float and value.is_integer()
        if value == "" or (type(value) not in (int, str) and not is_integer):
            raise invalid_type(
                "id",
                "must be a text or a whole number",
                value,
                row=row - 1,
                subject=f"{sheet.path!r}: the id of row {row}",
            )


def in_order(ids: Iterable[Any]) -> Column:
    """Return the distinct ids in order: numbers, then texts, in which q2 comes before q10."""
    unique = list(dict.fromkeys(ids))
    if set(map(type, unique)) <= {int}:
        return sorted(unique)
    texts = [value for value in unique if type(value) is str]
    pairs = enumerate(zip(min(texts), max(texts), strict=False))
    same = next((i for i, (low, high) in pairs if low != high), len(min(texts)))
    start = len(texts[0][:same].rstrip("0123456789"))
    ends = [text[start:] for text in texts]
    join_sheets = "".join(ends)
    digits = (
        join_sheets.isascii()
        and join_sheets.isdigit()
        and all(ends)
        and max(map(len, ends)) <= LONGEST
    )
    if not digits or len(texts) < len(unique):
        return sorted(unique, key=natural_key)
    numbers = np.array(list(map(int, ends)))  # q2, q10: a tenth of the time
    order = np.argsort(numbers)
    if (np.diff(numbers[order]) == 0).any():  # q1, q01
        return sorted(unique, key=natural_key)
    return [texts[i] for i in order.tolist()]


def natural_key(value: Any) -> tuple[Any, ...]:
    """Return a key that sorts q2 before q10; numbers come before text."""
    if type(value) is int:
        return 0, value
    parts = DIGITS.split(value)  # text and digits in turn
    digits = (part.lstrip("0") for part in parts[1::2])  # any number of them: not by their value
    parts[1::2] = [(len(part), part) for part in digits]
    return 1, parts, value


def identify_by_hash(sheets: Sequence[TaskAnswers]) -> None:
    """Replace the ids of all sheets by the hashes of their questions, or raise without any."""
    for sheet in sheets:
        column = next((c for c in sheet.contents.values() if c and None not in c), None)
        if column is None or not all(isinstance(cell, str) for cell in column):
            raise invalid_value(
                "join",
                f"must be 'id' for {sheet.path!r}",
                end=": its answers have no hash of the question.",
            )
        sheet.ids, sheet.expected = column, []


GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
PLAIN = frozenset({int, float, bool, type(None)})


def sheet_scores(sheet: TaskAnswers, metric: str) -> Vector:
    """Return a sheet's scores, or raise with the first that is no finite number."""
    column = sheet.values[metric]
    kinds = {*map(type, column)}
    if kinds == {str}:  # few grades, each looked up once
        firsts = {value: row for row, value in reversed([*enumerate(column)])}
        grades = {value: as_number(sheet, metric, row, value) for value, row in firsts.items()}
        column = [grades[value] for value in column]
    elif not kinds <= PLAIN:
        column = [as_number(sheet, metric, row, value) for row, value in enumerate(column)]
    try:
        scores = np.array(column, dtype=np.float64)  # None is NaN
    except OverflowError:
        scores = np.array([math.inf])
    if np.isinf(scores).any():
        row = next(i for i, value in enumerate(column) if is_infinite(value))
        raise invalid_value(
            metric,
            "must be finite",
            column[row],
            show="",
            row=row,
            subject=score_of(sheet, metric, row),
        )
    return scores


def is_infinite(value: float | None) -> bool:
    """Return whether a number is past what a float holds."""
    try:
        return value is not None and math.isinf(value)
    except OverflowError:
        return True


def score_of(sheet: TaskAnswers, metric: str, row: int) -> str:
    """Return where a score is, as messages begin."""
    return f"{sheet.path!r}: the score {metric!r} of item {sheet.ids[row]!r}"


def as_number(sheet: TaskAnswers, metric: str, row: int, value: object) -> float | int | None:
    """Return a score, such as a number or the grade "C", as a number; None where it is missing."""
    if type(value) in PLAIN:
        return value  # type: ignore[return-value]
    if isinstance(value, str):
        grade = GRADES.get(value, GRADES.get(value.lower()) if len(value) > 1 else None)
        if grade is not None:
            return grade
        if value.strip() and is_decimal(value):
            return float(value)
    if isinstance(value, list | tuple | dict):
        refuse_several(sheet, metric, row, value)
    raise invalid_type(
        metric,
        "must be a number",
        value,
        f", got {short_repr(value)}.",
        show="",
        row=row,
        subject=score_of(sheet, metric, row),
    )


def refuse_several(sheet: TaskAnswers, metric: str, row: int, value: object) -> NoReturn:
    """Raise for a metric whose value is several numbers."""
    parts = [name for name in sheet.values if name.startswith(f"{metric}.")]
    others = parts or [
        name
        for name, column in sheet.values.items()
        if not any(isinstance(cell, list | tuple | dict) for cell in column)
    ]
    hint = f" Name another `metric`: {', '.join(map(repr, others))}." if others else ""
    raise InvalidTypeError(
        f"{sheet.path!r}: the metric {metric!r} is not a single number but {short_repr(value)} for "
        f"item {sheet.ids[row]!r}: its mean over items is not the value that the harness "
        f"reports.{hint}",
        parameter="metric",
        value=value,
        row=row,
    )


def short_repr(value: object) -> str:
    """Return a value for a message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


Key = tuple[str, Any]  # task and id


class PlacedSheet(NamedTuple):
    """A sheet and where in the table its answers stand."""

    sheet: TaskAnswers
    model: int
    rows: NDArray[np.intp]
    scores: NDArray[np.float64]


class Table(NamedTuple):
    """Scores (items, models, samples), and what the axes are."""

    scores: NDArray[np.float64]
    models: tuple[str, ...]
    keys: list[Key]
    ids: list[Any]
    placed: list[PlacedSheet]


def join_sheets(sheets: Sequence[TaskAnswers], metric: str) -> Table:
    """Return all answers in one table; raise where a model has two to the same item and sample."""
    models = tuple(dict.fromkeys(sheet.model for sheet in sheets))
    keys, places = number_items(sheets)
    samples = in_order_of_samples(sheets)
    scores = reserve((len(keys), len(models), max(len(samples), 1)), hint="read fewer logs")
    scores.fill(np.nan)
    placed = []
    for sheet in sheets:
        place = places[sheet.task]
        rows = np.fromiter(map(place.__getitem__, sheet.ids), np.intp, len(sheet.ids))
        slots = sample_slots(sheet, samples)
        check_once(sheet, rows * scores.shape[2] + slots)
        model = models.index(sheet.model)
        values = sheet_scores(sheet, metric)
        scores[rows, model, slots] = values
        placed.append(PlacedSheet(sheet, model, rows, values))
    return Table(scores, models, keys, [item for _, item in keys], placed)


def number_items(sheets: Sequence[TaskAnswers]) -> tuple[list[Key], dict[str, dict[Any, int]]]:
    """Return the items of all tasks in order, and for each task the row of an id."""
    keys: list[Key] = []
    places = {}
    for task in dict.fromkeys(sheet.task for sheet in sheets):
        task_sheets = [sheet for sheet in sheets if sheet.task == task]
        ids = in_order(
            chain.from_iterable(chain(sheet.ids, sheet.expected) for sheet in task_sheets)
        )
        places[task] = {item: len(keys) + i for i, item in enumerate(ids)}
        keys += [(task, item) for item in ids]
    return keys, places


def in_order_of_samples(sheets: Sequence[TaskAnswers]) -> list[Any]:
    """Return the labels of samples in all sheets, in order; raise where one is no label."""
    for sheet in sheets:
        if {list, dict} & set(map(type, sheet.samples or ())):
            rows = enumerate(sheet.samples or (), 1)
            row, label = next((r, x) for r, x in rows if isinstance(x, list | dict))
            raise invalid_type(
                "sample",
                "must be a text or a number",
                label,
                row=row - 1,
                subject=f"{sheet.path!r}: the sample of row {row}",
            )
    labels = dict.fromkeys(chain.from_iterable(sheet.samples or () for sheet in sheets))
    return in_order([str(label) for label in labels])


def sample_slots(sheet: TaskAnswers, samples: list[Any]) -> NDArray[np.intp]:
    """Return which sample of its item each answer is."""
    if sheet.samples is None or len(samples) < 2:
        return np.zeros(len(sheet.ids), np.intp)
    slot = {label: i for i, label in enumerate(samples)}
    return np.fromiter((slot[str(label)] for label in sheet.samples), np.intp, len(sheet.ids))


def are_distinct(places: NDArray[np.intp]) -> bool:
    """Return whether places in the table are all different: counted, a tenth of sorting them."""
    return bool((np.bincount(places) < 2).all())


def check_once(sheet: TaskAnswers, cells: NDArray[np.intp]) -> None:
    """Raise if two answers of a sheet are to the same item and sample."""
    if are_distinct(cells):
        return
    order = np.argsort(cells, kind="stable")
    again = np.sort(order[1:][cells[order][1:] == cells[order][:-1]])
    duplicates = [sheet.ids[i] for i in again.tolist()]
    raise InvalidValueError(
        f"{sheet.path!r}: {len(duplicates)} answers of {sheet.model!r} are duplicates, with the "
        f"item and sample of another: {first_three(duplicates)}. Is it the log of a retry? Keep "
        "one answer of each.",
        parameter=sheet.path,
        value=duplicates[0],
        row=int(again[0]),
    )


def first_three(items: Sequence[Any]) -> str:
    """Return the first three of some items for a message."""
    named = ", ".join(repr(item) for item in list(dict.fromkeys(items))[:3])
    return f"item {named}" if len(items) == 1 else f"items {named}"


Reading = Callable[[TaskAnswers], Column | None]


Difference = tuple[
    int, TaskAnswers, TaskAnswers
]  # an item's row, the log that differs there, the first one


def check_contents(table: Table, notes: list[str]) -> None:
    """Raise if the question or its target differs between two logs; note where prompts do."""
    for name in dict.fromkeys(name for p in table.placed for name in p.sheet.contents):
        _, differing = values_by_item(table, lambda sheet, name=name: sheet.contents.get(name))  # type: ignore[misc]
        if differing:
            _, here, there = differing[0]
            items = [table.keys[row][1] for row in dict.fromkeys(row for row, *_ in differing)]
            raise InvalidValueError(
                f"{name!r} of {first_three(items)} ({len(items)} in all) differs between "
                f"{there.path!r} and {here.path!r}: they are not the same questions. Compare runs "
                "of one version of the data set, or pass join='hash' if the logs have hashes.",
                parameter=name,
                value=items[0],
            )
    _, differing = values_by_item(table, lambda sheet: sheet.prompts)
    if differing:
        count = len({row for row, *_ in differing})
        notes.append(f"the prompts of {count} items differ between models, perhaps by a template")


def values_by_item(table: Table, reading: Reading) -> tuple[list[Any], list[Difference]]:
    """Return the value of each item, None where no log has one, and the differences between logs.

    `reading` returns the column of a sheet with these values.
    """
    values = np.full(len(table.keys), None, dtype=object)
    owners = np.full(len(table.keys), -1)
    differences: list[Difference] = []
    for number, placed in enumerate(table.placed):
        column = reading(placed.sheet)
        if column is None:
            continue
        cells = as_objects(column)
        rows = placed.rows
        if None in column:
            filled = [i for i, value in enumerate(column) if value is not None]
            cells, rows = cells[filled], rows[filled]
        new = np.flatnonzero(owners[rows] < 0)
        values[rows[new]], owners[rows[new]] = cells[new], number
        if number == 0 and are_distinct(rows):
            continue  # nothing to compare with
        for cell in np.flatnonzero(values[rows] != cells).tolist():
            row = int(rows[cell])
            differences.append((row, placed.sheet, table.placed[owners[row]].sheet))
    return values.tolist(), differences


def as_objects(values: Column) -> AnyArray:
    """Return values of any kind as an array."""
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells


def item_clusters(table: Table, cluster: str | None) -> AnyArray | None:
    """Return the cluster of each item, or raise if an item has none or several."""
    if cluster is None and all(p.sheet.clusters is None for p in table.placed):
        return None
    name = cluster or "group"
    values, missing = same_in_logs(table, name, lambda sheet: sheet.clusters)
    if missing:
        raise invalid_value(
            "cluster",
            f"{name!r} is not in the logs for {first_three(missing)} ({len(missing)} of "
            f"{len(values)})",
            end=": pass the dotted path of a field that every answer has.",
        )
    if bad := next((v for v in values if not isinstance(v, str | int | float | bool)), None):
        raise invalid_value("cluster", f"{name!r} must be a text or a number", bad)
    return as_labels(values)


def as_labels(values: Sequence[Any]) -> AnyArray:
    """Return values as an array: of numbers or text where all are, else of objects."""
    if len(set(map(type, values))) == 1:
        return np.asarray(values)
    return as_objects(list(values))


def item_weights(table: Table) -> AnyArray | None:
    """Return the weight of each item, None where logs have none; raise where two logs differ."""
    if all(p.sheet.weights is None for p in table.placed):
        return None
    values, missing = same_in_logs(table, "weight", lambda sheet: sheet.weights)
    if missing:
        raise invalid_value("weight", "is missing", subject=f"the weight of {first_three(missing)}")
    for (_, item), value in zip(table.keys, values, strict=True):
        if not (isinstance(value, int | float) and 0 <= value <= sys.float_info.max):
            raise invalid_value(
                "weight",
                "must be a finite number of at least 0",
                value,
                subject=f"the weight of item {item!r}",
            )
    return np.asarray(values, np.float64)


def same_in_logs(table: Table, name: str, reading: Reading) -> tuple[list[Any], list[Any]]:
    """Return a value for each item, and the items without one; raise if two logs contradict."""
    values, differing = values_by_item(table, reading)
    if differing:
        _, here, there = differing[0]
        items = [table.keys[row][1] for row, *_ in differing]
        raise InvalidValueError(
            f"{name!r} of {first_three(items)} differs between {there.path!r} and {here.path!r}, "
            "but must be the same for an item.",
            parameter=name,
            value=items[0],
        )
    return values, [key[1] for key, x in zip(table.keys, values, strict=True) if x is None]


def suspicions(table: Table) -> list[str]:
    """Return warnings of scores that are unlikely: all 0, or the same in all samples of items."""
    scores = table.scores
    reasons = []
    present = ~np.isnan(scores)
    if present.any() and not scores[present].any():
        reasons.append(
            "all scores are 0: converters write 0 for metrics that are not a single number "
            f"({table.placed[0].sheet.format})"
        )
    if scores.shape[2] > 1:
        low, high = np.fmin.reduce(scores, axis=2), np.fmax.reduce(scores, axis=2)
        several = present.sum(axis=2) > 1
        if several.any() and (low == high)[several].all():
            reasons.append("the samples of every item have the same score, which may be their mean")
    return reasons
