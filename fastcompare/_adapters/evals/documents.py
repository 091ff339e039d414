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
BLOCK = 1 << 18  # bytes of JSON lines that are read together
SPACES = " \t\n\r\v\f"
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
    guards = [f'"{key}":' for key in keys]
    for number, text in blocks(path, file):
        at, size = 0, len(text)
        while at < size:
            number += 1
            stop = text.find("\n", at)
            if stop < 0:  # only in the last line of a file
                stop = size
            try:
                row, end = SCAN(text, at)
            except (ValueError, StopIteration, RecursionError):
                row, end = None, at
            sure = type(row) is dict and end <= stop
            if not sure or (end < stop and text[end:stop].strip()):
                row = careful(path, text[at:stop], number, stop == size)
            for guard in guards:
                if text.count(guard, at, stop) > 1:
                    check_twice(path, text[at:stop].strip(), f"line {number}: ")
            if row is not None:
                yield row
            at = stop + 1


def blocks(path: str, file: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield the lines of a file, hundreds as one text, with how many came before.

    Read and decoded one by one they take three times as long.
    """
    number = 0
    for block in iter(partial(file.read, BLOCK), b""):
        if not block.endswith(b"\n"):
            start = block.rfind(b"\n") + 1
            block += file.readline(LINE_LIMIT + 1)
            if len(block) - start > LINE_LIMIT:
                line = number + block.count(b"\n", 0, start) + 1
                refuse(path, f"line {line} is longer than {LINE_LIMIT} bytes.")
        try:
            text = block.decode()
        except UnicodeDecodeError as error:
            start = block.rfind(b"\n", 0, error.start) + 1
            text = block[:start].decode()
            yield number, text
            line = number + text.count("\n") + 1
            decoded(path, block[start:].partition(b"\n")[0], f"line {line}: ")  # raises
        yield number, text
        number += text.count("\n")


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


def careful(path: str, line: str, number: int, last: bool) -> Row | None:
    """Return the object in a line with spaces around it, None in one of spaces alone, or raise."""
    text = line.removeprefix("\ufeff").strip()
    if not line.strip(SPACES):
        return None
    try:
        value, end = DECODER.raw_decode(text)
    except (ValueError, RecursionError) as error:
        stopped = " Was the run stopped while it was written?" if last else ""
        refuse(path, f"line {number} is no JSON that can be read ({fault_of(error)}).{stopped}")
    if type(value) is not dict or end < len(text):
        refuse(path, f"line {number} must be one JSON object and nothing else.")
    return value


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
