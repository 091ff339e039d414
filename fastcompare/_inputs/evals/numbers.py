"""Scores as logs write them, as numbers: NaN for none, an error for what is no single number."""

import math
from typing import NoReturn

import numpy as np

from ..._adapters.delimited import is_decimal
from ..._adapters.evals.sheets import Sheet
from ..._base.exceptions import InvalidTypeError, InvalidValueError
from ..._base.types import Vector

GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
PLAIN = frozenset({int, float, bool, type(None)})


def scores_of(sheet: Sheet, metric: str) -> Vector:
    """Return a sheet's scores, or raise with the first that is no finite number."""
    column = sheet.values[metric]
    kinds = {*map(type, column)}
    if kinds == {str}:  # few grades, each looked up once
        firsts = {value: row for row, value in enumerate(column)}
        grades = {value: number(sheet, metric, row, value) for value, row in firsts.items()}
        column = [grades[value] for value in column]
    elif not kinds <= PLAIN:
        column = [number(sheet, metric, row, value) for row, value in enumerate(column)]
    try:
        scores = np.array(column, dtype=np.float64)  # None is NaN
    except OverflowError:
        scores = np.array([math.inf])
    if np.isinf(scores).any():
        row = next(i for i, value in enumerate(column) if is_infinite(value))
        raise InvalidValueError(
            f"{sheet.path!r}: the score {metric!r} of item {sheet.ids[row]!r} must be finite."
        )
    return scores


def is_infinite(value: float | None) -> bool:
    """Return whether a number is past what a float holds."""
    try:
        return value is not None and math.isinf(value)
    except OverflowError:
        return True


def number(sheet: Sheet, metric: str, row: int, value: object) -> float | int | None:
    """Return a score as a number, None where it is missing; a grade is one, a list is none."""
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
    raise InvalidTypeError(
        f"{sheet.path!r}: the score {metric!r} of item {sheet.ids[row]!r} must be a number, got "
        f"{shortened(value)}."
    )


def refuse_several(sheet: Sheet, metric: str, row: int, value: object) -> NoReturn:
    """Raise for a metric whose value is several numbers."""
    parts = [name for name in sheet.values if name.startswith(f"{metric}.")]
    others = parts or [
        name
        for name, column in sheet.values.items()
        if not any(isinstance(cell, list | tuple | dict) for cell in column)
    ]
    hint = f" Name another `metric`: {', '.join(map(repr, others))}." if others else ""
    raise InvalidTypeError(
        f"{sheet.path!r}: the metric {metric!r} is no single number but {shortened(value)} of item "
        f"{sheet.ids[row]!r}: its mean over items is not what the harness reports.{hint}"
    )


def shortened(value: object) -> str:
    """Return a value for a message."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
