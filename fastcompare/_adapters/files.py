"""Files of columns as tables: Parquet, Feather, JSON, workbooks and delimited text.

The first bytes of a file decide its format, not its name. Compressed files are unpacked within a
bound that the environment can raise. Files are written whole or not at all, and replace another
only where that is specified.
"""

import json
import os
import stat
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, NoReturn

from .._base.exceptions import InvalidValueError, invalid_value
from .._base.memory import environment_bound, memory_available
from .delimited import (
    FileTable,
    arrow_buffer,
    check_names,
    pyarrow,
    read_delimited,
)
from .sheets import (
    ARROW,
    STREAM,
    is_workbook,
    read_feather,
    read_records,
    read_workbook,
    refuse_format,
)
from .trec import is_trec, read_trec


def check_target(
    path: Path | None, replace: bool, remedy: str = "give --force", named: str = ""
) -> None:
    """Raise if a file must not be written to this path, before any work is done.

    `remedy` is what to do if the file exists; messages begin with `named`, the parameter's name.
    """
    if path is None:
        return
    if not path.parent.is_dir():
        raise InvalidValueError(
            f"{named}{str(path.parent)!r} is no directory.", parameter="path", value=path
        )
    if not os.path.lexists(path):
        return
    if not replace:
        raise InvalidValueError(
            f"{named}{str(path)!r} exists: {remedy} to replace it.", parameter="path", value=path
        )
    if not stat.S_ISREG(path.lstat().st_mode):  # root would replace even /dev/null
        raise InvalidValueError(
            f"{named}{str(path)!r} is not a regular file.", parameter="path", value=path
        )


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file or none: to a temporary file beside it, which then replaces it."""
    part = path.with_name(f".{token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


CODECS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
MAX_NAMED = 5  # rows that a message names
UNPACKED_VARIABLE = "FASTCOMPARE_MOST_UNPACKED"  # bytes


def find_codec(head: bytes) -> str | None:
    """Return the codec of a compressed file from its first bytes, None if it is not compressed."""
    return next((codec for magic, codec in CODECS.items() if head.startswith(magic)), None)


def unpack(path: str, file: Any, codec: str, most: int) -> bytes:
    """Return the uncompressed content of an Arrow file object, or raise if that is too large.

    The limit is `most` bytes, which the environment can change, or half of the free memory if that
    is less.
    """
    limit = int(min(environment_bound(UNPACKED_VARIABLE, most), memory_available() / 2))
    try:
        raw = bytes(pyarrow().CompressedInputStream(file, codec).read(limit + 1))
    except OSError as error:
        raise InvalidValueError(
            f"{path!r} is damaged ({codec}): {error}.", parameter=path
        ) from error
    if len(raw) > limit:
        raise InvalidValueError(
            f"{path!r}: this file unpacks to more than {limit} bytes. Unpack and split it first, "
            f"or set {UNPACKED_VARIABLE} in the environment to a larger number of bytes.",
            parameter=path,
        )
    return raw


def read_parquet(path: str, raw: bytes) -> FileTable:
    """Return the table in a Parquet file, its dictionaries decoded."""
    from pyarrow import parquet

    pa = pyarrow()
    try:
        file = parquet.ParquetFile(arrow_buffer(raw))
        check_names(path, file.schema_arrow.names)
        table = file.read()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        fault = str(error).partition("\n")[0]
        raise InvalidValueError(
            f"{path!r} is not a readable Parquet file: {fault}", parameter=path
        ) from error
    decoded = [decode_dictionary(column) for column in table.columns]
    return FileTable(path, pa.table(decoded, names=table.column_names))


def decode_dictionary(column: Any) -> Any:
    """Return an Arrow column with its dictionary decoded; any other column as it is."""
    dictionary = pyarrow().types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if dictionary else column


PARQUET = b"PAR1"
MOST_UNPACKED = 1 << 33
STDIN = "-"


@dataclass(frozen=True)
class JoinedTable(FileTable):
    """A table whose rows are those of several files, one after the other."""

    tables: Sequence[FileTable]

    def place(self, row: int) -> str:
        """Return the place of row number `row` (from 0) for messages: "line 5 of 'b.csv'"."""
        for table in self.tables:
            if row < table.arrow.num_rows:
                break
            row -= table.arrow.num_rows
        return f"{table.place(row)} of {table.path!r}"


def read_table(
    path: str | os.PathLike[str],
    *,
    separator: str = "",
    encoding: str = "",
    decimal: str = "",
) -> FileTable:
    """Return the table in a file, or in standard input if `path` is "-"; raise on any fault in it.

    Parameters
    ----------
    path : str or path-like
        Delimited text with a header, Parquet, Arrow, JSON or an Excel workbook, perhaps compressed
        by gzip, bzip2 or zstd.
    separator : str, optional
        What stands between two fields of a text; by default what its first lines show.
    encoding : str, optional
        How a text is encoded; by default UTF-8 if it is that, else Windows-1252.
    decimal : {".", ","}, optional
        The decimal mark in numbers of a text; by default what its first lines show.
    """
    pyarrow()
    name = os.fspath(path)
    raw = decompress(name, read_bytes(name))
    reader = next((read for fits, read in FORMATS if fits(raw)), None)
    if reader is not None:
        table = reader(name, raw)
    else:
        refuse_format(name, raw)
        table = read_delimited(name, raw, separator, encoding, decimal=decimal)
    if not table.arrow.num_rows:
        raise invalid_value(name, "has no rows", subject=repr(name))
    return table


def stack_tables(tables: Sequence[FileTable]) -> FileTable:
    """Return one table of the rows of several files, or raise unless they have the same columns."""
    first, *others = tables
    names = first.names
    for other in others:
        if sorted(other.names) != sorted(names):
            raise InvalidValueError(
                f"files of one table must have the same columns: {first.path!r} has {names}, "
                f"{other.path!r} has {other.names}. Files of other models of the same cases are "
                "joined by --id, the column that names the cases.",
                parameter=other.path,
            )
    stacked = pyarrow().concat_tables(
        [table.arrow.select(names) for table in tables], promote_options="permissive"
    )
    path = ", ".join(table.path for table in tables)
    return JoinedTable(path, stacked, tables, decimal=first.decimal)


def join_tables(
    tables: Sequence[FileTable], key: str, *, same: Collection[str] = (), drop: bool = False
) -> tuple[FileTable, int]:
    """Return files joined by the column `key`, and the number of keys that are not in all files.

    A column that several files have with equal values becomes one column; otherwise the columns
    get the names of their files (scores of several models, say). Columns in `same` must be equal.
    `drop` leaves keys out that are not in all files, or have other values in `same`; else they are
    an error.
    """
    rows = [rows_by_key(table, key) for table in tables]
    shared = [value for value in rows[0] if all(value in row_of for row_of in rows)]
    dropped = len({value for row_of in rows for value in row_of}) - len(shared)
    if dropped and not (drop and shared):
        refuse_unmatched(tables, key, rows, dropped)
    shared = keys_without_conflict(tables, key, rows, shared, same, drop)
    taken = [
        FileTable(
            table.path,
            table.arrow.take([row_of[value] for value in shared]),
            called=table.called,
            model=table.model,
        )
        for table, row_of in zip(tables, rows, strict=True)
    ]
    columns = {key: taken[0].arrow.column(key)}
    names = (name for table in taken for name in table.names if name not in (key, table.model))
    for name in dict.fromkeys(names):
        joined = joined_column([table for table in taken if name in table.names], name, key, same)
        if twice := sorted({*joined} & {*columns}):
            raise InvalidValueError(
                f"two columns would be called {twice[0]!r}: rename one, or a file.",
                parameter=twice[0],
            )
        columns |= joined
    path = ", ".join(table.path for table in tables)
    arrow_table = pyarrow().table(columns)
    return FileTable(path, arrow_table, decimal=tables[0].decimal), dropped


def refuse_unmatched(
    tables: Sequence[FileTable], key: str, rows: Sequence[Mapping[str, int]], dropped: int
) -> NoReturn:
    """Raise since `dropped` keys are not in all files, with the first of them.

    `rows` are the row numbers of each file by key.
    """
    path, lone = next(
        (table.path, value)
        for table, row_of in zip(tables, rows, strict=True)
        for value in row_of
        if not all(value in other for other in rows)
    )
    raise InvalidValueError(
        f"{dropped} values of {key!r} are not in all files, such as {lone!r} of {path!r}: add "
        "their rows, or drop them by --missing drop if others are in all.",
        parameter=key,
        value=lone,
    )


def keys_without_conflict(
    tables: Sequence[FileTable],
    key: str,
    rows: Sequence[Mapping[str, int]],
    shared: list[str],
    same: Collection[str],
    drop: bool,
) -> list[str]:
    """Return the `shared` keys for which files have equal values in the columns `same`.

    Raise if others exist, unless `drop`. `rows` are the row numbers of each file by key.
    """
    faults: dict[str, str] = {}  # by key
    for name in same:
        with_column = [
            (table, row_of)
            for table, row_of in zip(tables, rows, strict=True)
            if name in table.names
        ]
        columns = [table.arrow.column(name).to_pylist() for table, _ in with_column]
        for value in shared if len(with_column) > 1 else ():
            cells = [
                column[row_of[value]]
                for column, (_, row_of) in zip(columns, with_column, strict=True)
            ]
            if any(cell != cells[0] for cell in cells):
                places = (
                    f"{cell!r} in {table.place(row_of[value])} of {table.path!r}"
                    for cell, (table, row_of) in zip(cells, with_column, strict=True)
                )
                faults.setdefault(value, f"{name!r} of {key} {value!r} is {' and '.join(places)}")
    if faults and not drop:
        more = f"; and {len(faults) - MAX_NAMED} more" if len(faults) > MAX_NAMED else ""
        raise InvalidValueError(
            f"files contradict each other: {'; '.join([*faults.values()][:MAX_NAMED])}{more}. "
            "Correct them, or leave these rows out by `--missing drop`.",
            parameter="files",
        )
    return [value for value in shared if value not in faults]


def joined_column(
    tables: Sequence[FileTable], name: str, key: str, same: Collection[str]
) -> Mapping[str, Any]:
    """Return {name: column} if the values are equal in all tables, else a column by each file."""
    first, *others = (table.arrow.column(name) for table in tables)
    if all(other.to_pylist() == first.to_pylist() for other in others):
        return {name: first}
    names = [column_name_by_file(table, name, key, same) for table in tables]
    if len({*names}) < len(names):  # files of one name in several folders
        names = [table.path for table in tables]
    return dict(zip(names, (table.arrow.column(name) for table in tables), strict=True))


def rows_by_key(table: FileTable, key: str) -> dict[str, int]:
    """Return {key as text: row number} of a file, or raise if a key is missing or repeated."""
    if key not in table.names:
        raise InvalidValueError(
            f"{table.path!r} has no column {key!r}, which joins the files.", parameter=key
        )
    rows: dict[str, int] = {}
    faults = []
    for row, value in enumerate(table.column(key)):
        is_missing = value is None or value != value  # NaN
        if is_missing or str(value) in rows:
            what = "the value is missing" if is_missing else f"{str(value)!r} is there twice"
            faults.append((row, what))
        else:
            rows[str(value)] = row
    if faults:
        reasons = "; ".join(
            f"{table.place(row)}: {key!r}: {what}" for row, what in faults[:MAX_NAMED]
        )
        more = f"; and {len(faults) - MAX_NAMED} more" if len(faults) > MAX_NAMED else ""
        first_row, _ = faults[0]
        raise InvalidValueError(f"{table.path!r}, {reasons}{more}.", parameter=key, row=first_row)
    return rows


def column_name_by_file(table: FileTable, name: str, key: str, same: Collection[str]) -> str:
    """Return a column's name with its file's: "file" if it is the only column, else "file:name".

    Not counted are the key, the column with the name of the model, and those that must be the
    same in all files.
    """
    stem = model_of_file(table)
    others = {*table.names} - {key, table.model, *same}
    return stem if others == {name} else f"{stem}:{name}"


def model_of_file(table: FileTable) -> str:
    """Return the model of a file: the name in its rows, else the file's name without suffixes."""
    return table.called or Path(table.path).name.partition(".")[0]


def is_json(raw: bytes) -> bool:
    """Return whether the first line is a JSON object or list, or only its opening bracket."""
    line = raw.lstrip(b"\xef\xbb\xbf \t\r\n").partition(b"\n")[0].strip()
    if not line.startswith((b"{", b"[")):
        return False
    try:
        return line in (b"{", b"[") or isinstance(json.loads(line), dict | list)
    except (ValueError, RecursionError):
        return False


FORMATS: Sequence[tuple[Callable[[bytes], bool], Callable[[str, bytes], FileTable]]] = (
    (lambda raw: raw.startswith(PARQUET), read_parquet),
    (lambda raw: raw.startswith((ARROW, STREAM)), read_feather),
    (is_workbook, read_workbook),
    (is_json, read_records),
    (is_trec, read_trec),
)


def read_bytes(path: str) -> bytes:
    """Return the bytes of a regular file or of standard input."""
    if path == STDIN:
        if sys.stdin is None:
            raise InvalidValueError(
                "standard input is closed: pipe a table in, or name a file.", parameter=path
            )
        return sys.stdin.buffer.read()
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # open() has a good message for a directory
        raise InvalidValueError(
            f"{path!r} is not a regular file: pipe it in, with the name '-'.", parameter=path
        )
    with open(path, "rb") as file:
        return file.read()


def decompress(path: str, raw: bytes) -> bytes:
    """Return the content of a compressed file; anything else as it is."""
    codec = find_codec(raw)
    if codec is None:
        return raw
    return unpack(path, pyarrow().BufferReader(raw), codec, MOST_UNPACKED)
