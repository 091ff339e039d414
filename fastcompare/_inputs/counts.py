"""Tables of counts, exact however large: of right and wrong answers, or of two models' labels."""

from numbers import Integral
from typing import Any

import numpy as np

from .._adapters.frames import frame_columns, is_frame
from .._exceptions import InvalidTypeError, InvalidValueError
from .arrays import as_column


def as_square(name: str, table: object) -> list[list[int]]:
    """Return a square table of counts as Python's integers, at least 2 x 2 and not all 0."""
    rows = as_rows(name, table)
    if len(rows) < 2 or any(len(row) != len(rows) for row in rows):
        sizes = ", ".join(str(len(row)) for row in rows)
        raise InvalidValueError(f"`{name}` must be a square table, got rows of lengths {sizes}.")
    counts = [
        [
            value if type(value) is int and value >= 0 else as_count(f"{name}[{i}, {j}]", value)
            for j, value in enumerate(row)
        ]
        for i, row in enumerate(rows)
    ]
    if not any(map(any, counts)):
        raise InvalidValueError(f"`{name}` must hold at least one case, got only counts of 0.")
    return counts


def as_four(name: str, table: object) -> tuple[int, int, int, int]:
    """Return the counts of a 2 x 2 table row by row, as Python's integers."""
    rows = as_square(name, table)
    if len(rows) != 2:
        raise InvalidValueError(
            f"`{name}` must be [[n11, n10], [n01, n00]], got {len(rows)} rows. For labels of "
            "several classes pass y_true and two predictions, or use bowker_test."
        )
    return (*rows[0], *rows[1])  # type: ignore[return-value]


def as_rows(name: str, table: object) -> list[list[Any]]:
    """Return the cells of a frame, an array or a nested list as they are: integers stay exact."""
    if is_frame(table):
        columns = [as_column(name, column).values.tolist() for column in frame_columns(table)]
        return [list(row) for row in zip(*columns, strict=True)]
    rows = table.tolist() if isinstance(table, np.ndarray) else table
    if not isinstance(rows, list | tuple) or not all(isinstance(row, list | tuple) for row in rows):
        raise InvalidValueError(f"`{name}` must be a square table of counts, got {table!r}.")
    return [list(row) for row in rows]


def as_count(name: str, value: object, least: int = 0) -> int:
    """Return a count as Python's integer, also from a whole float, or raise."""
    if isinstance(value, bool | np.bool_ | str | bytes) or not isinstance(
        value, Integral | float | np.floating
    ):
        raise InvalidTypeError(f"`{name}` must be a count, got {value!r}.")
    whole = isinstance(value, Integral) or float(value).is_integer()
    if not (whole and int(value) >= least):
        raise InvalidValueError(
            f"`{name}` must be a whole number of at least {least}, got {value!r}."
        )
    return int(value)
