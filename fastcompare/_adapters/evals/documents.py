"""JSON of logs as values: within bounds of size and depth, each key of a row once.

A whole document is read at once, rows line by line. Both cost what `json.loads` costs: the check
for a key that stands twice in a row counts it in the bytes, and only a suspect is read again.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO

from ..._base.memory import memory_available
from .sheets import refuse

LINE_LIMIT = 1 << 26
DOCUMENT_LIMIT = 1 << 29
SWELLING = 24  # the bytes that a byte of JSON may take as lists: "[],[],[]"
DECODER = json.JSONDecoder()
Row = dict[str, Any]
OPENING = re.compile(r"\s*\[\s*").match
SEPARATOR = re.compile(r"\s*(,\s*(?!\])|(?=\]))").match  # of entries: a comma, or the end is next
SCAN: Callable[[str, int], tuple[Any, int]] = vars(DECODER)["scan_once"]  # compiled


def check_size(path: str, size: int) -> None:
    """Raise unless a document of so many bytes can be held, before it is read."""
    if size > DOCUMENT_LIMIT:
        refuse(path, f"a JSON document of {size} bytes, more than {DOCUMENT_LIMIT}, is not read.")
    if size > LINE_LIMIT and size * SWELLING > memory_available():
        raise MemoryError(f"{path!r}: {size} bytes of JSON may take more memory than is free.")


def decoded(path: str, raw: bytes, where: str = "") -> str:
    """Return UTF-8 without a byte order mark as text, or raise."""
    try:
        return raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        refuse(path, f"{where}byte 0x{raw[error.start]:02x} at offset {error.start} is no UTF-8.")


def parsed(path: str, raw: bytes) -> Any:
    """Return a JSON document, or raise."""
    check_size(path, len(raw))
    try:
        return json.loads(decoded(path, raw))
    except (ValueError, RecursionError) as error:
        refuse(path, f"this is no JSON that can be read ({fault_of(error)}).")


def json_rows(path: str, file: BinaryIO, keys: Sequence[str]) -> Iterator[Row]:
    """Yield the objects of JSON lines, each with a key of `keys` at most once.

    One at a time: where rows are held together, new ones need new memory, and take half again.
    """
    guards = [f'"{key}":'.encode() for key in keys]
    number = 0
    for line in iter(partial(file.readline, LINE_LIMIT + 1), b""):
        number += 1
        try:
            text = line.decode()
            row, end = SCAN(text, 0)
        except (ValueError, StopIteration, RecursionError):
            if not line.strip():
                continue
            row, text, end = careful(path, line, number)
        if type(row) is not dict or (len(text) - end > 1 and text[end:].strip()):
            refuse(path, f"line {number} must be one JSON object and nothing else.")
        for guard in guards:
            if line.count(guard) > 1:
                check_twice(path, text.strip(), f"line {number}: ")
        yield row


def array_rows(path: str, raw: bytes, keys: Sequence[str]) -> Iterator[Row]:
    """Yield the objects of a JSON list, never all at once.

    Afterwards raise if one has a key twice, where a key of `keys` occurs more often than objects.
    """
    check_size(path, len(raw))
    text = decoded(path, raw)
    found = OPENING(text)
    if found is None:
        refuse(path, "this must be a list of objects.")
    at, count = found.end(), 0
    try:
        while text[at] != "]":
            row, end = SCAN(text, at)
            if type(row) is not dict:
                refuse(path, f"entry {count + 1} must be an object.")
            yield row
            count += 1
            usual = text.startswith(", {", end)
            at = end + 2 if usual else SEPARATOR(text, end).end()  # type: ignore[union-attr]
    except (ValueError, StopIteration, RecursionError, IndexError, AttributeError) as error:
        refuse(path, f"entry {count + 1} is no JSON that can be read ({fault_of(error)}).")
    if text[at + 1 :].strip():
        refuse(path, "this holds more than one JSON value.")
    check_keys(path, raw, keys, count)


def careful(path: str, line: bytes, number: int) -> tuple[Any, str, int]:
    """Return the value in a line with spaces before it, its text and its end, or raise."""
    if len(line) > LINE_LIMIT:
        refuse(path, f"line {number} is longer than {LINE_LIMIT} bytes.")
    text = decoded(path, line, f"line {number}: ").strip()
    try:
        value, end = DECODER.raw_decode(text)
    except (ValueError, RecursionError) as error:
        stopped = "" if line.endswith(b"\n") else " Was the run stopped while it was written?"
        refuse(path, f"line {number} is no JSON that can be read ({fault_of(error)}).{stopped}")
    return value, text, end


def fault_of(error: Exception) -> str:
    """Return words for what is wrong with a JSON text."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error).partition(";")[0]  # what follows is Python's advice to lift its limit


def check_keys(path: str, raw: bytes, keys: Sequence[str], rows: int) -> None:
    """Raise if an object has a key twice, where one of `keys` occurs more often than rows."""
    if any(raw.count(f'"{key}":'.encode()) > rows for key in keys):
        check_twice(path, decoded(path, raw))


def check_twice(path: str, text: str, where: str = "") -> None:
    """Raise if an object in a JSON text has the same key twice."""

    def unique(pairs: list[tuple[str, Any]]) -> None:
        if len(pairs) != len(dict(pairs)):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            refuse(path, f"{where}an object has the key {twice!r} twice.")

    json.loads(text, object_pairs_hook=unique)
