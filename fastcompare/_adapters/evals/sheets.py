"""What a reader of logs returns: one model's answers to one task, as columns of equal length.

Values are as the log has them; what they mean and which belong together is for `_inputs/evals`.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NoReturn

from ..._base.exceptions import InvalidValueError

Column = list[Any]
Row = dict[str, Any]


@dataclass
class TaskAnswers:
    """One model's answers to one task in one log.

    `values` contains the scores by metric, None where there is none; `contents` what must be equal
    for two models' answers to be to the same question, `prompts` what may differ.
    """

    path: str
    format: str
    model: str
    task: str
    ids: Column
    values: dict[str, Column]
    samples: Column | None = None
    contents: dict[str, Column] = field(default_factory=dict)
    prompts: Column | None = None
    clusters: Column | None = None
    weights: Column | None = None
    failed: Column | None = None  # whether an answer ended in an error
    limited: int = 0  # answers that hit a limit, and were scored as they were
    expected: Column = field(default_factory=list)  # ids of the data set, where the log has them
    status: str = "success"
    higher_is_better: dict[str, bool] = field(default_factory=dict)
    divided: bool = False  # whether a run may go on in another file
    source: str = ""  # the path that was given: the file itself or a folder above it


def refuse(path: str, fault: str, parameter: str = "paths") -> NoReturn:
    """Raise for a log that cannot be read."""
    raise InvalidValueError(f"{path!r}: {fault}", parameter=parameter, rule=fault, value=path)


def required_id(path: str, row: Any, key: str, number: int) -> Any:
    """Return the id in a row, or raise if it is missing or neither text nor a number."""
    try:
        value = row[key]
    except (KeyError, TypeError):
        refuse(path, f"row {number} has no {key!r}.")
    if not isinstance(value, str | int | float):
        refuse(path, f"row {number}: {key!r} must be a text or a number, got {value!r}.")
    return value


def value_at_path(value: Any, keys: Sequence[str]) -> Any:
    """Return value[key][next key]... of nested objects, None where a key is missing."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def column_at_path(rows: Column, keys: Sequence[str]) -> Column:
    """Return the `value_at_path` of each row."""
    for key in keys:
        rows = [row.get(key) if type(row) is dict else None for row in rows]
    return rows


def comparable_text(value: Any) -> str | None:
    """Return a value as text, for comparison between logs; None stays."""
    return value if value is None or isinstance(value, str) else repr(value)


class Columns:
    """Columns of equal length by name; a column that does not exist consists of None."""

    def __init__(self, path: str, size: int, by_name: dict[str, Column]) -> None:
        self.path, self.size, self.by_name = path, size, by_name

    def __getitem__(self, name: str) -> Column:
        return self.by_name.get(name) or [None] * self.size

    def need(self, *names: str) -> None:
        """Raise unless every row has a value in these columns."""
        for name in names:
            if None in self[name]:
                refuse(self.path, f"row {self[name].index(None) + 1} has no {name!r}.")

    def rows_by(self, *names: str) -> dict[tuple[Any, ...], list[int] | slice]:
        """Return the row numbers by their values in some columns, a slice if that is all rows.

        Raise if a value is a list or an object.
        """
        columns = [self[name] for name in names]
        try:
            if self.size and all(len(set(column)) == 1 for column in columns):
                return {tuple(column[0] for column in columns): slice(None)}
            keys = list(zip(*columns, strict=True))
            rows_by_key: dict[tuple[Any, ...], list[int] | slice] = {key: [] for key in keys}
        except TypeError:
            self.refuse_nested(*names)
        for row, key in enumerate(keys):
            rows_by_key[key].append(row)  # type: ignore[union-attr]
        return rows_by_key

    def refuse_nested(self, *names: str) -> NoReturn:
        """Raise with the first value of these columns that is a list or an object."""
        row, name, value = next(
            (row, name, value)
            for name in names
            for row, value in enumerate(self[name], 1)
            if isinstance(value, list | dict)
        )
        refuse(self.path, f"row {row}: {name!r} must be a text or a number, got {value!r}.")

    def at(self, name: str, rows: list[int] | slice) -> Column:
        """Return some rows of a column."""
        column = self[name]
        return column[rows] if isinstance(rows, slice) else [column[row] for row in rows]


def columns_from_rows(
    path: str,
    rows: Iterable[Row],
    names: Sequence[str],
    *,
    within: dict[str, Sequence[str]] | None = None,
    cluster: Sequence[str] = (),
    scores: Callable[[Row], Any] | None = None,
) -> Columns:
    """Return the values of some keys of all rows as columns.

    `within` are keys of objects inside rows, as {key of the object: keys in it}. The values at the
    path `cluster` and those of the function `scores` become columns "cluster" and "scores".
    """
    inner = (within or {}).items()
    columns = [*names, *chain.from_iterable(keys for _, keys in inner)]
    columns += ["cluster"] if cluster else []
    columns += [] if scores is None else ["scores"]
    cells: Column = []  # of all rows, one row after the other
    for row in rows:
        get = row.get
        cells += map(get, names)
        for name, keys in inner:
            nested = get(name)
            cells += map(nested.get, keys) if type(nested) is dict else [None] * len(keys)
        if cluster:
            cells.append(value_at_path(row, cluster))
        if scores is not None:
            cells.append(scores(row))
    width = len(columns)
    by_name = {name: cells[place::width] for place, name in enumerate(columns)}
    return Columns(path, len(cells) // width, by_name)
