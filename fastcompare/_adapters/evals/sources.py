"""A log on disk: its path, and its content as rows, a JSON document, an archive or a table.

JSON is read within bounds of size and depth, a document at once and rows line by line. A key that
stands twice in a row is counted in the bytes, and only a suspect is read again. Members of zip
files are inflated in memory within what they declare, by deflate or Zstandard (by pyarrow before
Python 3.14); a name that leads outside is refused. Of Parquet files only some columns are read.
"""

import json
import os
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cached_property, partial
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO

from ..._base.memory import memory_available
from ..delimited import arrow_buffer, check_names, pyarrow
from ..files import PARQUET, find_codec, unpack
from .sheets import Column, refuse

LINE_LIMIT = 1 << 26
BLOCK = 1 << 18  # bytes of JSON lines that are read together
SPACES = " \t\n\r\v\f"
DOCUMENT_LIMIT = 1 << 29
SWELLING = 24  # bytes of memory that a byte of JSON may take: of lists, "[],[],[]"
DECODER = json.JSONDecoder()
Row = dict[str, Any]
OPENING = re.compile(r"\s*\[\s*").match
SEPARATOR = re.compile(r"\s*(,\s*(?!\])|(?=\]))").match  # of entries: a comma, or the end is next
SCAN: Callable[[str, int], tuple[Any, int]] = vars(DECODER)["scan_once"]  # compiled


def check_size(path: str, size: int) -> None:
    """Raise, before reading, unless a document of `size` bytes is within bounds and memory."""
    if size > DOCUMENT_LIMIT:
        refuse(path, f"a JSON document of {size} bytes, more than {DOCUMENT_LIMIT}, is not read.")
    if size > LINE_LIMIT and size * SWELLING > memory_available():
        raise MemoryError(f"{path!r}: {size} bytes of JSON may take more memory than is free.")


def decode_utf8(path: str, raw: bytes, where: str = "") -> str:
    """Return UTF-8 without a byte order mark as text, or raise."""
    try:
        return raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        refuse(path, f"{where}byte 0x{raw[error.start]:02x} at offset {error.start} is not UTF-8.")


def parse_json(path: str, raw: bytes) -> Any:
    """Return a JSON document, or raise."""
    check_size(path, len(raw))
    try:
        return json.loads(decode_utf8(path, raw))
    except (ValueError, RecursionError) as error:
        refuse(path, f"this is not valid JSON ({json_fault(error)}).")


def text_blocks(path: str, file: BinaryIO) -> Iterator[tuple[int, str]]:
    """Yield (number of lines before it, text) for each block of whole lines, or raise.

    To read and decode lines one by one takes three times as long.
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
            decode_utf8(path, block[start:].partition(b"\n")[0], f"line {line}: ")  # raises
        yield number, text
        number += text.count("\n")


def array_rows(path: str, raw: bytes, keys: Sequence[str]) -> Iterator[Row]:
    """Yield the objects of a JSON list one at a time, or raise.

    At the end raise if an object has a key twice; that is checked if one of `keys` occurs more
    often than there are objects.
    """
    check_size(path, len(raw))
    text = decode_utf8(path, raw)
    match = OPENING(text)
    if match is None:
        refuse(path, "this must be a list of objects.")
    at = match.end()
    count = 0
    try:
        while text[at] != "]":
            row, end = SCAN(text, at)
            if type(row) is not dict:
                refuse(path, f"entry {count + 1} must be an object.")
            yield row
            count += 1
            object_follows = text.startswith(", {", end)  # as nearly always: no regex needed
            at = end + 2 if object_follows else SEPARATOR(text, end).end()  # type: ignore[union-attr]
    except (ValueError, StopIteration, RecursionError, IndexError, AttributeError) as error:
        refuse(path, f"entry {count + 1} is not valid JSON ({json_fault(error)}).")
    if text[at + 1 :].strip():
        refuse(path, "this contains more than one JSON value.")
    check_keys_once(path, raw, keys, count)


def parse_line_strictly(path: str, line: str, number: int, last: bool) -> Row | None:
    """Return the JSON object in a line, None for a blank line; raise for anything else.

    For lines that the fast way did not read. `last` says whether it is the last line of the file.
    """
    text = line.removeprefix("\ufeff").strip()
    if not line.strip(SPACES):
        return None
    try:
        value, end = DECODER.raw_decode(text)
    except (ValueError, RecursionError) as error:
        stopped = " Was the run stopped while it was written?" if last else ""
        refuse(path, f"line {number} is not valid JSON ({json_fault(error)}).{stopped}")
    if type(value) is not dict or end < len(text):
        refuse(path, f"line {number} must be one JSON object and nothing else.")
    return value


def json_fault(error: Exception) -> str:
    """Return words for what is wrong with a JSON text."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error).partition(";")[0]  # what follows is Python's advice to lift its limit


def check_keys_once(path: str, raw: bytes, keys: Sequence[str], rows: int) -> None:
    """Raise if an object has a key twice; checked only if a key of `keys` occurs too often."""
    if any(raw.count(f'"{key}":'.encode()) > rows for key in keys):
        check_repeated_keys(path, decode_utf8(path, raw))


def check_repeated_keys(path: str, text: str, where: str = "") -> None:
    """Raise if an object in a JSON text has the same key twice."""

    def check_pairs(pairs: list[tuple[str, Any]]) -> None:
        """Raise if two of the keys and values of a JSON object have the same key."""
        if len(pairs) != len(dict(pairs)):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            refuse(path, f"{where}an object has the key {twice!r} twice.")

    json.loads(text, object_pairs_hook=check_pairs)


STORED, DEFLATED, ZSTANDARD = 0, 8, 93
LOCAL_HEADER = 30  # bytes before the name of a member
BOMB_SIZE, BOMB_RATIO = 1 << 24, 1000  # logs shrink to a fiftieth at most
MEMBERS = 10**6


class Archive:
    """A zip file that is open for reading."""

    def __init__(self, path: str, file: BinaryIO) -> None:
        """Read the directory of an open zip file; `path` names it in messages."""
        try:
            self.entries = zipfile.ZipFile(file).infolist()
        except (
            zipfile.BadZipFile,
            OSError,
            ValueError,
            struct.error,
            NotImplementedError,
        ) as error:
            refuse(path, f"this zip file is damaged or was not written to its end ({error}).")
        self.path, self.file, self.length = path, file, file.seek(0, os.SEEK_END)
        self.members = {entry.filename: entry for entry in self.entries}
        self._check_names()

    def _check_names(self) -> None:
        """Raise for names that lead out of the archive or stand twice."""
        if len(self.entries) > MEMBERS:
            refuse(self.path, f"this zip file has {len(self.entries)} members.")
        for name in self.members:
            if name.startswith("/") or "\\" in name or ".." in name.split("/"):
                refuse(self.path, f"the zip file has a member of the unsafe name {name!r}.")
        if len(self.members) < len(self.entries):
            names = Counter(entry.filename for entry in self.entries)
            [(repeated, _)] = names.most_common(1)
            refuse(self.path, f"the zip file has {repeated!r} twice.")

    def read(self, name: str) -> bytes:
        """Return a member's bytes, or raise if it is damaged or not what its header declares."""
        entry = self.members[name]
        size, packed = entry.file_size, entry.compress_size
        if entry.flag_bits & 1:
            refuse(self.path, f"{name!r} is encrypted.")
        check_size(f"{self.path}:{name}", size)
        if size > BOMB_SIZE and size > BOMB_RATIO * max(packed, 1):
            refuse(self.path, f"{name!r} declares {size} bytes in {packed}, which is implausible.")
        if entry.header_offset + packed > self.length:
            refuse(self.path, f"{name!r} is damaged: it would end beyond the file.")
        try:
            raw = inflate(self.read_packed(entry), entry.compress_type, size)
        except (OSError, zlib.error, EOFError, struct.error) as error:
            refuse(self.path, f"{name!r} is damaged ({error}).")
        if raw is None:
            refuse(self.path, f"{name!r} has the unknown compression {entry.compress_type}.")
        if len(raw) != size or zlib.crc32(raw) != entry.CRC:
            refuse(self.path, f"{name!r} is damaged: it is not what the zip file declares.")
        return raw

    def read_packed(self, entry: zipfile.ZipInfo) -> bytes:
        """Return a member's compressed bytes."""
        self.file.seek(entry.header_offset)
        header = self.file.read(LOCAL_HEADER)
        name_length, extra_length = struct.unpack("<HH", header[26:30])
        self.file.seek(name_length + extra_length, os.SEEK_CUR)
        return self.file.read(entry.compress_size)


def inflate(raw: bytes, method: int, size: int) -> bytes | None:
    """Return uncompressed bytes, at most `size` + 1; None for an unknown method of compression.

    One byte more than declared shows that the declared size is wrong.
    """
    if method == STORED:
        return raw
    if method == DEFLATED:
        return zlib.decompressobj(-zlib.MAX_WBITS).decompress(raw, size + 1)
    if method == ZSTANDARD:
        pa = pyarrow()
        return bytes(pa.CompressedInputStream(pa.BufferReader(raw), "zstd").read(size + 1))
    return None


HEAD = 1 << 12
ZIP = b"PK\x03\x04"
SPACE = b"\xef\xbb\xbf \t\r\n"  # a byte order mark, too
UNPACKED_LIMIT = 1 << 31


class Source:
    """A log whose content is read on demand."""

    def __init__(self, path: str) -> None:
        """Read the first bytes of a file, or all bytes of a compressed one."""
        self.path = path
        self.unpacked: bytes | None = None
        with open(path, "rb") as file:
            head = file.read(HEAD)
        codec = find_codec(head)
        if codec is not None:
            self.unpacked = unpack(path, pyarrow().OSFile(path), codec, UNPACKED_LIMIT)
            head = self.unpacked[:HEAD]
        self.head = head

    @property
    def is_archive(self) -> bool:
        """Whether this is a zip file."""
        return self.head.startswith(ZIP)

    @property
    def is_parquet(self) -> bool:
        """Whether this is a Parquet file."""
        return self.head.startswith(PARQUET)

    @property
    def is_json(self) -> bool:
        """Whether this begins like JSON."""
        return self.head.lstrip(SPACE)[:1] in (b"{", b"[")

    def open(self) -> BinaryIO:
        """Return the content as a file."""
        return BytesIO(self.unpacked) if self.unpacked is not None else open(self.path, "rb")

    @cached_property
    def first_line(self) -> bytes:
        """The first line that is not blank."""
        with closing(self.open()) as file:
            lines = iter(partial(file.readline, LINE_LIMIT + 1), b"")
            return next((line for line in lines if line.strip(SPACE)), b"")

    @cached_property
    def first(self) -> Any:
        """The JSON value in the first line, None if it is not JSON."""
        try:
            return DECODER.decode(self.first_line.strip(SPACE).decode())
        except (ValueError, RecursionError):
            return None

    def rows(self, keys: Sequence[str]) -> Iterator[Row]:
        """Yield the objects of JSON lines one at a time; raise if one has a key of `keys` twice.

        A caller should not keep rows: then each next one needs new memory, which takes half as long
        again.
        """
        guards = [f'"{key}":' for key in keys]
        with closing(self.open()) as file:
            for number, text in text_blocks(self.path, file):
                at = 0
                size = len(text)
                while at < size:
                    number += 1
                    stop = text.find("\n", at)
                    if stop < 0:  # only in the last line of a file
                        stop = size
                    try:
                        row, end = SCAN(text, at)
                    except (ValueError, StopIteration, RecursionError):
                        row = None
                        end = at
                    is_object = type(row) is dict and end <= stop
                    if not is_object or (end < stop and text[end:stop].strip()):
                        row = parse_line_strictly(self.path, text[at:stop], number, stop == size)
                    for guard in guards:
                        if text.count(guard, at, stop) > 1:
                            check_repeated_keys(
                                self.path, text[at:stop].strip(), f"line {number}: "
                            )
                    if row is not None:
                        yield row
                    at = stop + 1

    @cached_property
    def content(self) -> bytes:
        """All bytes, or raise MemoryError unless four times as many fit into memory."""
        if self.unpacked is not None:
            return self.unpacked
        size = Path(self.path).stat().st_size
        if 4 * size > memory_available():
            raise MemoryError(f"{self.path!r}: {size} bytes do not fit into memory.")
        return Path(self.path).read_bytes()

    @cached_property
    def document(self) -> Any:
        """The whole content as one JSON document."""
        check_size(self.path, len(self.content))
        is_one_line = len(self.first_line) == len(self.content)
        if is_one_line and self.first is not None:
            return self.first
        return parse_json(self.path, self.content)


CELL = 64  # bytes of a Python value
ROWS = 1 << 10  # of a batch that is converted from Arrow to Python
ALL_FIELDS: Mapping[str, Sequence[str]] = MappingProxyType({})  # no column of structs is cut down


def column_names(source: Source) -> list[str]:
    """Return the names of a Parquet file's columns."""
    return list(open_parquet(source).schema_arrow.names)


def read_columns(
    source: Source, names: Iterable[str], fields: Mapping[str, Sequence[str]] = ALL_FIELDS
) -> dict[str, Column]:
    """Return columns of a Parquet file by name, or raise if they do not fit into memory.

    `fields` are those to read of columns of structs, as {column: fields}. Rows are read in batches,
    each checked against the free memory: a value that is stored once in the file may occur in every
    row.
    """
    file = open_parquet(source)
    chosen = list(names)
    cells = file.metadata.num_rows * max(len(chosen), 1)
    if cells * CELL > memory_available():
        raise MemoryError(f"{source.path!r}: {cells} values do not fit into memory.")
    wanted = [path for name in chosen for path in column_paths(file, name, fields.get(name, ()))]
    columns: dict[str, Column] = {name: [] for name in chosen if name in file.schema_arrow.names}
    try:
        for batch in file.iter_batches(ROWS, columns=wanted):
            if batch.nbytes > memory_available():
                raise MemoryError(f"{source.path!r}: its rows do not fit into memory.")
            for name, values in columns.items():
                values += batch.column(name).to_pylist()
    except (pyarrow().ArrowException, OSError, UnicodeDecodeError) as error:
        refuse(source.path, f"this Parquet file is damaged ({str(error).partition('.')[0]}).")
    return columns


def column_paths(file: Any, name: str, fields: Sequence[str]) -> list[str]:
    """Return the paths "name.field" of the fields that a column of structs has, else its name."""
    schema = file.schema_arrow
    is_struct = name in schema.names and pyarrow().types.is_struct(schema.field(name).type)
    field_names = [field.name for field in schema.field(name).type] if is_struct else []
    return [f"{name}.{field}" for field in fields if field in field_names] or [name]


def open_parquet(source: Source) -> Any:
    """Return an open Parquet file, or raise unless its columns have distinct names."""
    from pyarrow import parquet

    pa = pyarrow()
    try:
        file = parquet.ParquetFile(arrow_buffer(source.content))
        check_names(source.path, file.schema_arrow.names)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        refuse(source.path, f"this is not a valid Parquet file ({str(error).partition('.')[0]}).")
    return file
