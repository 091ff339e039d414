"""JSON of logs as values: within bounds of size and depth, each key of a row once.

A whole document is read at once, rows line by line. Both cost what `json.loads` costs: the check
for a key that stands twice in a row counts it in the bytes, and only a suspect is read again.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, BinaryIO

from ..._base.memory import memory_available
from .sheets import refuse

LINE_LIMIT = 1 << 26
DOCUMENT_LIMIT = 1 << 29
SWELLING = 24  # the bytes that a byte of JSON may take as lists: "[],[],[]"
BLOCK = 1 << 15  # bytes of lines that are rows at a time; of more, Python's collector is busy
DECODER = json.JSONDecoder()
Row = dict[str, Any]
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


def json_blocks(path: str, file: BinaryIO, keys: Sequence[str]) -> Iterator[list[Row]]:
    """Yield the objects of JSON lines, some at a time, each with a key of `keys` at most once."""
    rows: list[Row] = []
    lines: list[bytes] = []
    number = size = 0
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
        rows.append(row)
        lines.append(line)
        size += len(line)
        if size > BLOCK:
            check_lines(path, lines, keys)
            yield rows
            rows, lines, size = [], [], 0
    check_lines(path, lines, keys)
    if rows:
        yield rows


def check_lines(path: str, lines: list[bytes], keys: Sequence[str]) -> None:
    """Raise if an object in a line has a key twice, where one of `keys` occurs twice in it."""
    block = b"".join(lines)  # counted together: of short lines in a tenth of the time
    for guard in (f'"{key}":'.encode() for key in keys):
        if block.count(guard) > len(lines):
            for line in lines:
                if line.count(guard) > 1:
                    check_twice(path, decoded(path, line).strip())


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
