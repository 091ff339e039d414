"""Files of labels and scores as tables: Parquet, and comma-separated text, perhaps compressed.

What a file is decides its first bytes, not its name.
"""

import json
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from .._base.exceptions import InvalidValueError
from .delimited import read_delimited
from .parquet import read_parquet
from .tables import FileTable, pyarrow
from .unpacking import codec_of, unpacked

PARQUET = b"PAR1"
MOST_UNPACKED = 1 << 33
STDIN = "-"


@dataclass(frozen=True)
class JoinedTable(FileTable):
    """A table that several files hold one after the other."""

    tables: Sequence[FileTable]

    def place(self, row: int) -> str:
        """Return the file and where in it a row is, counted from 0, for people."""
        for table in self.tables:
            if row < table.arrow.num_rows:
                break
            row -= table.arrow.num_rows
        return f"{table.place(row)} of {table.path!r}"


def read_table(
    path: str | os.PathLike[str], *, separator: str = ",", encoding: str = "utf-8"
) -> FileTable:
    """Return the table in a file, or in standard input if `path` is "-"; raise on any fault in it.

    Parameters
    ----------
    path : str or path-like
        A Parquet file or delimited text with a header, perhaps compressed by gzip, bzip2 or zstd.
    separator : str, default=","
        What stands between two fields of a text.
    encoding : str, default="utf-8"
        How a text is encoded.
    """
    pyarrow()
    name = os.fspath(path)
    raw = decompressed(name, read_bytes(name))
    if is_json(raw):
        raise InvalidValueError(
            f"{name!r} holds JSON, which is no table of cases: logs of evaluations are for "
            "`fastcompare evals`."
        )
    table = (
        read_parquet(name, raw)
        if raw.startswith(PARQUET)
        else read_delimited(name, raw, separator, encoding)
    )
    if not table.arrow.num_rows:
        raise InvalidValueError(f"{name!r} has no rows.")
    return table


def read_tables(
    paths: Sequence[str], *, separator: str = ",", encoding: str = "utf-8"
) -> FileTable:
    """Return the table whose rows several files hold one after the other, or raise."""
    tables = [read_table(path, separator=separator, encoding=encoding) for path in paths]
    first, *others = tables
    names = first.names
    for other in others:
        if sorted(other.names) != sorted(names):
            raise InvalidValueError(
                f"files of one table must have the same columns: {first.path!r} has {names}, "
                f"{other.path!r} has {other.names}."
            )
    whole = pyarrow().concat_tables(
        [table.arrow.select(names) for table in tables], promote_options="permissive"
    )
    return JoinedTable(", ".join(paths), whole, tables)


def is_json(raw: bytes) -> bool:
    """Return whether the first line is a JSON object or list, or the beginning of one."""
    line = raw.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0].strip()
    if not line.startswith((b"{", b"[")):
        return False
    try:
        return line in (b"{", b"[") or isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


def read_bytes(path: str) -> bytes:
    """Return the bytes of a regular file or of standard input."""
    if path == STDIN:
        if sys.stdin is None:
            raise InvalidValueError("standard input is closed: pipe a table in, or name a file.")
        return sys.stdin.buffer.read()
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # open says it well of a directory
        raise InvalidValueError(f"{path!r} is no regular file: pipe it in, with '-' for its name.")
    with open(path, "rb") as file:
        return file.read()


def decompressed(path: str, raw: bytes) -> bytes:
    """Return the content of a compressed file; anything else as it is."""
    codec = codec_of(raw)
    if codec is None:
        return raw
    return unpacked(path, pyarrow().BufferReader(raw), codec, MOST_UNPACKED)
