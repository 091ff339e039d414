"""Ids of items as the keys that join logs: by value, never by position."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..._adapters.evals.sheets import Column, Sheet
from ..._base.exceptions import InvalidTypeError, InvalidValueError

DIGITS = re.compile(r"(\d+)", re.ASCII)
LONGEST = 18  # digits of a number that text may stand for


def same_kind(sheets: Sequence[Sheet], notes: list[str]) -> None:
    """Give ids and clusters one kind in all sheets: numbers where some log has them as numbers."""
    if mixed(set().union(*(kinds_of_ids(sheet) for sheet in sheets))):
        for sheet in sheets:
            sheet.ids = list(map(by_value, sheet.ids))
            sheet.expected = list(map(by_value, sheet.expected))
        notes.append(
            "ids are whole numbers in some logs and text in others: they are matched by value"
        )
    if mixed({kind for sheet in sheets for kind in map(type, sheet.clusters or [])}):
        for sheet in sheets:
            sheet.clusters = list(map(by_value, sheet.clusters or [])) or None


def mixed(kinds: set[type]) -> bool:
    """Return whether values are numbers in one place and text in another, or not whole."""
    return float in kinds or {int, str} <= kinds


def by_value(value: Any) -> Any:
    """Return the whole number that a text or float stands for; anything else as it is."""
    if type(value) is str:
        digits = value.removeprefix("-")
        whole = digits.isascii() and digits.isdigit() and len(digits) <= LONGEST
        return int(value) if whole and str(int(value)) == value else value
    if type(value) is float and value.is_integer():
        return int(value)
    return value


def kinds_of_ids(sheet: Sheet) -> set[type]:
    """Return the types of the ids in a sheet; raise unless each is a text or a whole number."""
    found = set()
    for ids in (sheet.ids, sheet.expected):
        kinds = set(map(type, ids))
        if not kinds <= {int, str} or (str in kinds and "" in ids):
            check_ids(sheet, ids)
        found |= kinds
    return found


def check_ids(sheet: Sheet, ids: Column) -> None:
    """Raise unless every id is a text or a whole number."""
    for row, value in enumerate(ids, 1):
        whole = type(value) is float and value.is_integer()
        if value == "" or (type(value) not in (int, str) and not whole):
            raise InvalidTypeError(
                f"{sheet.path!r}: the id of row {row} must be a text or a whole number, got "
                f"{value!r}."
            )


def check_samples(sheet: Sheet) -> None:
    """Raise if the label of a sample is a list or an object."""
    labels = sheet.samples or []
    if {list, dict} & set(map(type, labels)):
        row, label = next((r, x) for r, x in enumerate(labels, 1) if isinstance(x, list | dict))
        raise InvalidTypeError(
            f"{sheet.path!r}: the sample of row {row} must be a text or a number, got {label!r}."
        )


def in_order(ids: Iterable[Any]) -> Column:
    """Return ids once each: numbers by size, then text, whose digits count as numbers."""
    unique = list(dict.fromkeys(ids))
    if set(map(type, unique)) <= {int}:
        return sorted(unique)
    texts = [value for value in unique if type(value) is str]
    pairs = enumerate(zip(min(texts), max(texts), strict=False))
    same = next((i for i, (low, high) in pairs if low != high), len(min(texts)))
    start = len(texts[0][:same].rstrip("0123456789"))
    ends = [text[start:] for text in texts]
    joined = "".join(ends)
    digits = joined.isascii() and joined.isdigit() and all(ends) and max(map(len, ends)) <= LONGEST
    if not digits or len(texts) < len(unique):
        return sorted(unique, key=natural)
    numbers = np.array(list(map(int, ends)))  # q2, q10: a tenth of the time
    order = np.argsort(numbers)
    if (np.diff(numbers[order]) == 0).any():  # q1, q01
        return sorted(unique, key=natural)
    return [texts[i] for i in order.tolist()]


def natural(value: Any) -> tuple[Any, ...]:
    """Return a key that sorts q2 before q10; numbers come before text."""
    if type(value) is int:
        return 0, value
    parts = DIGITS.split(value)  # text and digits in turn
    return 1, [int(p) if i % 2 and len(p) < 400 else p for i, p in enumerate(parts)], value


def hashed(sheets: Sequence[Sheet]) -> None:
    """Let the hash of a document stand for its id."""
    for sheet in sheets:
        column = next((c for c in sheet.contents.values() if c and None not in c), None)
        if column is None or not all(isinstance(cell, str) for cell in column):
            raise InvalidValueError(
                f"`join` must be 'id' for {sheet.path!r}: its answers have no hash of the question."
            )
        sheet.ids, sheet.expected = column, []
