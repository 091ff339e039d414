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
LONGEST = 18  # digits of a number that text may stand for: it fits in 64 bits


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
    """Return whether some values are whole numbers and others text, or some are floats."""
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
    """Return the distinct ids in order: numbers, then texts, in which q2 comes before q10.

    Texts such as q2 and q10, which differ only in a number at their end, are sorted by it as an
    array, in a tenth of the time.
    """
    unique = list(dict.fromkeys(ids))
    if set(map(type, unique)) <= {int}:
        return sorted(unique)
    texts = [value for value in unique if type(value) is str]
    pairs = enumerate(zip(min(texts), max(texts), strict=False))
    common = next((i for i, (low, high) in pairs if low != high), len(min(texts)))
    start = len(texts[0][:common].rstrip("0123456789"))  # after the beginning of all texts
    ends = [text[start:] for text in texts]
    joined = "".join(ends)
    are_digits = joined.isascii() and joined.isdigit() and all(ends)
    are_numbers = are_digits and max(map(len, ends)) <= LONGEST
    if not are_numbers or len(texts) < len(unique):
        return sorted(unique, key=natural_key)
    numbers = np.array(list(map(int, ends)))
    order = np.argsort(numbers)
    if (np.diff(numbers[order]) == 0).any():  # q1 and q01: the text decides
        return sorted(unique, key=natural_key)
    return [texts[i] for i in order.tolist()]


def natural_key(value: Any) -> tuple[Any, ...]:
    """Return a key that sorts q2 before q10; numbers come before text."""
    if type(value) is int:
        return 0, value
    parts = DIGITS.split(value)  # text and digits in turn
    digits = (part.lstrip("0") for part in parts[1::2])
    parts[1::2] = [(len(part), part) for part in digits]  # not int: too many digits would raise
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
    if kinds == {str}:  # few grades, each looked up once, with its first row for the message
        first_rows = {value: row for row, value in reversed([*enumerate(column)])}
        grades = {value: as_number(sheet, metric, row, value) for value, row in first_rows.items()}
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


def is_infinite(value: float | int | None) -> bool:
    """Return whether a number is infinite, or an integer too large for a float."""
    try:
        return value is not None and math.isinf(value)
    except OverflowError:
        return True


def score_of(sheet: TaskAnswers, metric: str, row: int) -> str:
    """Return the file, metric and item of a score, as messages begin."""
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
    parts = [name for name in sheet.values if name.startswith(f"{metric}.")]  # read one by one
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
    """A sheet, the index of its model, and for each answer the row in the table and the score."""

    sheet: TaskAnswers
    model: int
    rows: NDArray[np.intp]
    scores: NDArray[np.float64]


class Table(NamedTuple):
    """Scores (items, models, samples), the models' names, the items' keys and ids, the sheets."""

    scores: NDArray[np.float64]
    models: tuple[str, ...]
    keys: list[Key]
    ids: list[Any]
    placed: list[PlacedSheet]


def join_sheets(sheets: Sequence[TaskAnswers], metric: str) -> Table:
    """Return all answers in one table; raise where a model has two to the same item and sample."""
    models = tuple(dict.fromkeys(sheet.model for sheet in sheets))
    keys, rows_by_task = number_items(sheets)
    samples = in_order_of_samples(sheets)
    scores = reserve((len(keys), len(models), max(len(samples), 1)), hint="read fewer logs")
    scores.fill(np.nan)
    placed = []
    for sheet in sheets:
        row_of_id = rows_by_task[sheet.task]
        rows = np.fromiter(map(row_of_id.__getitem__, sheet.ids), np.intp, len(sheet.ids))
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
    rows_by_task = {}
    for task in dict.fromkeys(sheet.task for sheet in sheets):
        task_sheets = [sheet for sheet in sheets if sheet.task == task]
        ids = in_order(
            chain.from_iterable(chain(sheet.ids, sheet.expected) for sheet in task_sheets)
        )
        rows_by_task[task] = {item: len(keys) + i for i, item in enumerate(ids)}
        keys += [(task, item) for item in ids]
    return keys, rows_by_task


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
    """Return for each answer of a sheet the index of its sample in the table, 0 for no samples."""
    if sheet.samples is None or len(samples) < 2:
        return np.zeros(len(sheet.ids), np.intp)
    index = {label: i for i, label in enumerate(samples)}
    return np.fromiter((index[str(label)] for label in sheet.samples), np.intp, len(sheet.ids))


def are_distinct(places: NDArray[np.intp]) -> bool:
    """Return whether places in the table are all different."""
    return bool((np.bincount(places) < 2).all())  # a tenth of the time of sorting them


def check_once(sheet: TaskAnswers, cells: NDArray[np.intp]) -> None:
    """Raise if two answers of a sheet are to the same item and sample, the same of `cells`."""
    if are_distinct(cells):
        return
    order = np.argsort(cells, kind="stable")
    repeats_previous = cells[order][1:] == cells[order][:-1]
    again = np.sort(order[1:][repeats_previous])  # all but the first answer of each cell
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
    """Return the first three distinct items for a message."""
    listed = ", ".join(repr(item) for item in list(dict.fromkeys(items))[:3])
    return f"item {listed}" if len(items) == 1 else f"items {listed}"


Reading = Callable[[TaskAnswers], Column | None]


class Difference(NamedTuple):
    """The row of an item in the table, a log with another value for it, and the first with one."""

    row: int
    sheet: TaskAnswers
    first_sheet: TaskAnswers


def check_contents(table: Table, notes: list[str]) -> None:
    """Raise if the question or its target differs between two logs; note where prompts do."""
    for name in dict.fromkeys(name for p in table.placed for name in p.sheet.contents):
        _, differences = values_by_item(table, lambda sheet, name=name: sheet.contents.get(name))  # type: ignore[misc]
        if differences:
            first = differences[0]
            items = [table.ids[row] for row in dict.fromkeys(d.row for d in differences)]
            raise InvalidValueError(
                f"{name!r} of {first_three(items)} ({len(items)} in all) differs between "
                f"{first.first_sheet.path!r} and {first.sheet.path!r}: they are not the same "
                "questions. Compare runs of one version of the data set, or pass join='hash' if "
                "the logs have hashes.",
                parameter=name,
                value=items[0],
            )
    _, differences = values_by_item(table, lambda sheet: sheet.prompts)
    if differences:
        count = len({difference.row for difference in differences})
        notes.append(f"the prompts of {count} items differ between models, perhaps by a template")


def values_by_item(table: Table, reading: Reading) -> tuple[list[Any], list[Difference]]:
    """Return the value of each item, None where no log has one, and the differences between logs.

    `reading` returns the column of a sheet with these values.
    """
    values = np.full(len(table.keys), None, dtype=object)
    first_sheets = np.full(len(table.keys), -1)  # where the value of each item is from
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
        new = np.flatnonzero(first_sheets[rows] < 0)
        values[rows[new]] = cells[new]
        first_sheets[rows[new]] = number
        if number == 0 and are_distinct(rows):
            continue  # nothing to compare with
        for cell in np.flatnonzero(values[rows] != cells).tolist():
            row = int(rows[cell])
            first_sheet = table.placed[first_sheets[row]].sheet
            differences.append(Difference(row, placed.sheet, first_sheet))
    return values.tolist(), differences


def as_objects(values: Column) -> AnyArray:
    """Return values of any kind as a 1-d array of objects, lists among them as single objects."""
    cells = np.empty(len(values), dtype=object)
    cells[:] = values
    return cells


def item_clusters(table: Table, cluster: str | None) -> AnyArray | None:
    """Return the cluster of each item, None where logs have none and no `cluster` is specified.

    Raise if an item has none or several.
    """
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
    for item, value in zip(table.ids, values, strict=True):
        if not (isinstance(value, int | float) and 0 <= value <= sys.float_info.max):
            raise invalid_value(
                "weight",
                "must be a finite number of at least 0",
                value,
                subject=f"the weight of item {item!r}",
            )
    return np.asarray(values, np.float64)


def same_in_logs(table: Table, name: str, reading: Reading) -> tuple[list[Any], list[Any]]:
    """Return a value for each item, and the ids of items without one; raise if two logs contradict.

    `reading` returns the column of a sheet with these values, `name` is theirs in a message.
    """
    values, differences = values_by_item(table, reading)
    if differences:
        first = differences[0]
        items = [table.ids[difference.row] for difference in differences]
        raise InvalidValueError(
            f"{name!r} of {first_three(items)} differs between {first.first_sheet.path!r} and "
            f"{first.sheet.path!r}, but must be the same for an item.",
            parameter=name,
            value=items[0],
        )
    return values, [item for item, x in zip(table.ids, values, strict=True) if x is None]


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
