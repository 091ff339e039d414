"""Which answer a row or a column of a table of counts is about, where the table says so.

Data frames have labels: pandas' in the index and the columns, those of others in the first column
and the names. Arrays and nested lists have none: right answers come first, and labels in one order.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .._adapters.frames import frame_columns, frame_labels, is_frame
from .._base.exceptions import InvalidValueError
from .arrays import as_column, read_once
from .labels import shown

RIGHT = frozenset({"true", "right", "correct", "1", "yes", "hit"})
WRONG = frozenset({"false", "wrong", "incorrect", "error", "0", "no", "miss"})
CURE = "or pass its values as an array, with right answers first"

Labels = tuple[Any, ...] | None


class Labelled(NamedTuple):
    """The cells of a table row by row, and the labels of its rows and columns, None for none."""

    rows: list[list[Any]]
    down: Labels = None
    across: Labels = None


def as_rows(name: str, table: object) -> Labelled:
    """Return the cells of a frame, an array or a nested list as they are: integers stay exact."""
    if is_frame(table):
        return rows_of_frame(name, table)
    table = read_once(table)
    rows = table.tolist() if isinstance(table, np.ndarray) else table
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) for row in rows):
        raise InvalidValueError(f"`{name}` must be a square table of counts, got {table!r}.")
    return Labelled([list(row) for row in rows])


def rows_of_frame(name: str, table: object) -> Labelled:
    """Return the cells of a data frame; a column more than rows holds the labels of the rows."""
    columns = [as_column(name, column).values.tolist() for column in frame_columns(table)]
    down, across = frame_labels(table)
    if len(columns) == len(columns[0]) + 1:
        down, across, columns = tuple(columns[0]), across and across[1:], columns[1:]
    return Labelled([list(row) for row in zip(*columns, strict=True)], down, across)


def right_first(name: str, table: Labelled) -> list[list[Any]]:
    """Return the cells of a 2 x 2 table with right answers in the first row and column."""
    down, across = (order_of_answers(name, labels) for labels in (table.down, table.across))
    if [down, across].count(None) == 1 and [1, 0] in (down, across):
        raise InvalidValueError(
            f"`{name}` begins with wrong answers on one side and has no labels on the other: label "
            f"its rows and its columns, {CURE}."
        )
    return [[table.rows[i][j] for j in across or (0, 1)] for i in down or (0, 1)]


def order_of_answers(name: str, labels: Labels) -> list[int] | None:
    """Return where the right and the wrong answers are; None without labels."""
    if labels is None:
        return None
    answers = [is_right(label) for label in labels]
    if sorted(answers, key=str) != [False, True]:
        raise InvalidValueError(
            f"`{name}` must have the labels True and False, 1 and 0, or 'right' and 'wrong', got "
            f"{shown(list(labels))}, which do not say which cases a model gets right: rename them, "
            f"{CURE}."
        )
    return [answers.index(True), answers.index(False)]


def is_right(label: Any) -> bool | None:
    """Say whether a label means right answers; None if it means neither right nor wrong ones.

    Of 'forest right' or 'a_correct' the last word counts.
    """
    words = plain(label).lower().replace("_", " ").replace("-", " ").split() or [""]
    return True if words[-1] in RIGHT else False if words[-1] in WRONG else None


def plain(label: Any) -> str:
    """Return a label as text; 1.0 is 1, and of several levels the last counts."""
    last = label[-1] if isinstance(label, tuple) and label else label
    whole = isinstance(last, float | np.floating) and float(last).is_integer()
    return str(int(last) if whole else last).strip()


def in_one_order(name: str, table: Labelled) -> tuple[list[list[Any]], Labels]:
    """Return the cells with the columns in the order of the rows' labels, and these labels."""
    if table.down is None or table.across is None:
        return table.rows, table.across if table.down is None else table.down
    down, across = ([plain(label) for label in side] for side in (table.down, table.across))
    if sorted(down) != sorted(across) or len(set(down)) < len(down):
        raise InvalidValueError(
            f"`{name}` must have the same labels in rows and columns, each once, got "
            f"{shown(list(table.down))} and {shown(list(table.across))}: add empty rows or columns "
            "for those that are missing."
        )
    places = [across.index(label) for label in down]
    return [[row[j] for j in places] for row in table.rows], table.down


def check_square(name: str, rows: Sequence[Sequence[Any]]) -> None:
    """Raise unless the table is square, with two rows or more."""
    if len(rows) < 2 or any(len(row) != len(rows) for row in rows):
        sizes = ", ".join(str(len(row)) for row in rows)
        raise InvalidValueError(f"`{name}` must be a square table, got rows of lengths {sizes}.")
