"""Files of labels and scores as tables: Parquet, and comma-separated text, perhaps compressed.

What a file is decides its first bytes, not its name.

Files that are written: whole or not at all, and over another only where that is specified.

Tables of columns as pyarrow's, and the rules for their columns.

Files that are compressed as a whole, unpacked within a bound that the environment can raise.

Comma-separated text, read by pyarrow; where it fails, Python's csv module finds the line.

Only plain decimal numbers are numbers, and only the words in `MISSING` are missing values.

Parquet files as tables.
"""

import codecs
import csv
import io
import json
import math
import os
import re
import stat
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.memory import bound_of, memory_available


def check_target(
    path: Path | None, replace: bool, way: str = "give --force", named: str = ""
) -> None:
    """Raise before any work if the file must not be written; `way` says how to replace one.

    Messages begin with `named`, the name of the parameter that the path came by.
    """
    if path is None:
        return
    if not path.parent.is_dir():
        raise InvalidValueError(f"{named}{str(path.parent)!r} is no directory.")
    if not os.path.lexists(path):
        return
    if not replace:
        raise InvalidValueError(f"{named}{str(path)!r} exists: {way} to replace it.")
    if not stat.S_ISREG(path.lstat().st_mode):  # root would replace even /dev/null
        raise InvalidValueError(f"{named}{str(path)!r} is not a regular file.")


def write_file(path: Path, content: bytes) -> None:
    """Write a whole file or none: under another name first, which fits wherever the file's does."""
    part = path.with_name(f".{token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
        part.replace(path)
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise


def pyarrow() -> Any:
    """Return the pyarrow module, or raise with the pip line."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("files need pyarrow: pip install 'fastcompare[cli]'.") from error
    return pyarrow


def in_arrow(content: bytes) -> Any:
    """Return bytes as a file in Arrow's own memory, for readers that have threads.

    A thread that lives on may free them last, as late as the interpreter ends. Of Python's bytes
    that aborts the process: once in some 400 of pyarrow's `read_csv` (github.com/apache/arrow,
    issue 34314).
    """
    memory = pyarrow().allocate_buffer(len(content))
    memoryview(memory).cast("B")[:] = content
    return pyarrow().BufferReader(memory)


@dataclass(frozen=True)
class FileTable:
    """The columns of a file, and where in the file a row stands."""

    path: str
    arrow: Any

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.arrow.column_names)

    def is_numeric(self, name: str) -> bool:
        """Return whether a column holds integers, floats or nothing but missing values."""
        types = pyarrow().types
        kind = self.arrow.schema.field(name).type
        return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_null(kind))

    def column(self, name: str) -> NDArray[Any] | list[Any]:
        """Return a column of any kind: an array, or a list of values and None where missing."""
        column = self.arrow.column(name)
        types = pyarrow().types
        if types.is_null(column.type):
            column = column.cast(pyarrow().float64())
        if types.is_floating(column.type):
            return floats(column)
        if types.is_integer(column.type) and not column.null_count:
            return to_numpy(column)
        return list(column.to_pylist())

    def scores(self, name: str) -> NDArray[Any] | list[Any]:
        """Return a column of numbers, NaN or None where missing, or raise."""
        if not self.is_numeric(name):
            raise InvalidTypeError(
                f"{self.path!r}: column {name!r} must contain plain decimal numbers, "
                f"{self.misfit(name)}."
            )
        return self.column(name)

    def place(self, row: int) -> str:
        """Return where a row is, counted from 0, for people."""
        return f"row {row + 1}"

    def misfit(self, name: str) -> str:
        """Return words for the values of a column that is not numeric."""
        return f"got {self.arrow.schema.field(name).type}"


def to_numpy(column: Any) -> NDArray[Any]:
    """Return a column without nulls; its own `to_numpy` would import pandas where it can."""
    return np.asarray(np.from_dlpack(column.combine_chunks()))


def floats(column: Any) -> NDArray[Any]:
    """Return a column of floats, NaN where null."""
    if not column.null_count:
        return to_numpy(column)
    values = np.full(len(column), np.nan)
    valid = to_numpy(column.is_valid().cast(pyarrow().uint8())).view(bool)
    values[valid] = to_numpy(column.drop_null())
    return values


def check_names(path: str, names: Sequence[str]) -> None:
    """Raise unless the columns have distinct names; that of the first may be empty.

    pandas and R write the names of rows so.
    """
    if "" in names[1:]:
        raise InvalidValueError(
            f"{path!r}: column {names.index('', 1) + 1} of {len(names)} has no name."
        )
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise InvalidValueError(f"{path!r} has several columns of the same name: {twice[0]!r}.")


CODECS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
VARIABLE = "FASTCOMPARE_MOST_UNPACKED"  # bytes


def codec_of(head: bytes) -> str | None:
    """Return the codec of a file that begins so, None if it is not compressed as a whole."""
    return next((codec for magic, codec in CODECS.items() if head.startswith(magic)), None)


def unpacked(path: str, file: Any, codec: str, most: int) -> bytes:
    """Return the content of a packed file of Arrow; raise beyond `most` bytes or half of memory."""
    limit = int(min(bound_of(VARIABLE, most), memory_available() / 2))
    try:
        raw = bytes(pyarrow().CompressedInputStream(file, codec).read(limit + 1))
    except OSError as error:
        raise InvalidValueError(f"{path!r} is damaged ({codec}): {error}.") from error
    if len(raw) > limit:
        raise InvalidValueError(
            f"{path!r}: this file unpacks to more than {limit} bytes. Unpack and split it first, "
            f"or set {VARIABLE} in the environment to a larger number of bytes."
        )
    return raw


INT64_END = 2**63
MISSING = ("", "NA", "NaN", "nan", "null", "N/A")
TRUE, FALSE = ("True", "true", "TRUE"), ("False", "false", "FALSE")
DECIMAL = re.compile(r"[ \t]*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?[ \t]*", re.ASCII)
LIKELY_SEPARATORS = ";\t|"
FAULTS = {"unexpected end of data": "a quote is opened and never closed"}

Row = tuple[int, list[str]]  # the line where it starts, its fields


@dataclass(frozen=True)
class TextTable(FileTable):
    """A table that remembers its text, to name the line of an error."""

    rows: Callable[[], Iterator[Row]]

    def scores(self, name: str) -> NDArray[Any] | list[Any]:
        """Return a column of finite numbers, or raise: pyarrow also takes inf, -nan and 1e400."""
        values = super().scores(name)
        floating = isinstance(values, np.ndarray) and values.dtype.kind == "f"
        nulls = self.arrow.column(name).null_count
        if floating and np.count_nonzero(~np.isfinite(values)) > nulls:
            raise InvalidValueError(
                f"{self.path!r}: column {name!r} must contain finite decimal numbers, "
                f"{self.misfit(name)}."
            )
        if floating and np.fmax.reduce(np.abs(values), initial=0.0) >= INT64_END:
            self.refuse_wide_integers(name)
        return values

    def fields(self, name: str) -> Iterator[tuple[int, str]]:
        """Yield a column's fields as they are written, each with the number of its line."""
        index = self.names.index(name)
        return ((line, row[index]) for line, row in islice(self.rows(), 1, None))

    def place(self, row: int) -> str:
        """Return the line where a row begins, counted from 0, for people."""
        line, _ = next(islice(self.rows(), row + 1, None))
        return f"line {line}"

    def misfit(self, name: str) -> str:
        """Return the line and text of the first field of a column that is no finite number."""
        line, field = next((line, text) for line, text in self.fields(name) if not is_decimal(text))
        return f"line {line} has {field!r}"

    def refuse_wide_integers(self, name: str) -> None:
        """Raise for integers past 64 bits, which were read as doubles and may have become ties."""
        for line, field in self.fields(name):
            if field.lstrip("+-").isdigit() and abs(int(field)) >= INT64_END:
                raise InvalidValueError(
                    f"{self.path!r}: column {name!r} contains integers beyond 64 bits, line {line} "
                    f"has {field!r}: write their ranks."
                )


def read_delimited(
    path: str, raw: bytes, separator: str, encoding: str, texts: Sequence[str] = ()
) -> FileTable:
    """Return the table in a text, or raise with the line of the first fault.

    The columns of `texts` stay as they are written: 01 is not 1.
    """
    check_separator(separator)
    text = as_utf8(path, raw, encoding)
    check_header(path, text, separator)
    if text.count(b'"') % 2:  # pyarrow takes an unclosed quote to end at the end of the text
        check_rows(path, text, separator)
    try:
        table = parsed(text, separator, texts)
    except pyarrow().ArrowInvalid as error:
        check_rows(path, text, separator)
        raise InvalidValueError(f"{path!r}: {error}") from error
    return TextTable(path, table, partial(records, path, text, separator))


def is_decimal(text: str) -> bool:
    """Return whether a field is a plain and finite decimal number, or stands for a missing one."""
    return text in MISSING or bool(DECIMAL.fullmatch(text) and math.isfinite(float(text)))


def parsed(text: bytes, separator: str, texts: Sequence[str]) -> Any:
    """Return the text as an Arrow table, each column of the narrowest type that holds it."""
    from pyarrow import csv as arrow_csv

    return arrow_csv.read_csv(
        in_arrow(text),
        parse_options=arrow_csv.ParseOptions(delimiter=separator, newlines_in_values=b'"' in text),
        convert_options=arrow_csv.ConvertOptions(
            column_types=dict.fromkeys(texts, pyarrow().string()),
            null_values=MISSING,
            true_values=TRUE,
            false_values=FALSE,
            strings_can_be_null=False,
        ),
    )


def check_separator(separator: str) -> None:
    """Raise unless the separator can stand between fields."""
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise InvalidValueError(f"`separator` must be one ASCII character, got {separator!r}.")


def as_utf8(path: str, raw: bytes, encoding: str) -> bytes:
    """Return the text as UTF-8 without a byte order mark, or raise."""
    try:
        name = codecs.lookup(encoding).name
        plain = raw.removeprefix(codecs.BOM_UTF8)
        text = plain if name in ("utf-8", "ascii") and plain.isascii() else plain.decode(name)
    except LookupError as error:
        raise InvalidValueError(f"`encoding` is not known: {encoding!r}.") from error
    except UnicodeDecodeError as error:
        raise InvalidValueError(
            f"{path!r} is not {encoding} text: byte 0x{raw[error.start]:02x} at offset "
            f"{error.start}. Specify its encoding with --encoding, such as utf-16 or latin-1."
        ) from error
    except UnicodeError as error:  # 'undefined', 'idna'
        raise InvalidValueError(f"`encoding` {encoding!r} is not a text encoding.") from error
    if isinstance(text, str):
        text = text.removeprefix("\ufeff").encode("utf-8", "replace")
    if (nul := text.find(b"\0")) >= 0:
        line = text.count(b"\n", 0, nul) + 1
        raise InvalidValueError(f"{path!r}, line {line} has a NUL: is it UTF-16? See --encoding.")
    return text


def records(path: str, text: bytes, separator: str) -> Iterator[Row]:
    """Yield the rows, the header first, each with the number of the line that it starts in."""
    lines = io.TextIOWrapper(io.BytesIO(text), "utf-8", newline="")
    reader = csv.reader(lines, delimiter=separator, strict=True)
    line = 1
    try:
        for row in reader:
            if row:
                yield line, row
            line = reader.line_num + 1
    except csv.Error as error:
        fault = FAULTS.get(str(error), str(error))
        raise InvalidValueError(f"{path!r}, line {line}: {fault}.") from error


def check_header(path: str, text: bytes, separator: str) -> None:
    """Raise unless the text has a header of two columns or more, each with its name."""
    _, names = next(records(path, text, separator), (0, []))
    if not names:
        raise InvalidValueError(f"{path!r} has no rows: it is empty.")
    likely = next((mark for mark in LIKELY_SEPARATORS if mark in names[0]), None)
    if len(names) == 1 and likely is not None:
        raise InvalidValueError(
            f"{path!r} has one column, {names[0]!r}: is {likely!r} the separator? Specify it with "
            "--sep."
        )
    check_names(path, names)


def check_rows(path: str, text: bytes, separator: str) -> None:
    """Raise if a row is shorter or longer than the header, or not well formed, or there is none."""
    rows = records(path, text, separator)
    width = len(next(rows)[1])
    line = 0
    for line, row in rows:
        if len(row) != width:
            raise InvalidValueError(
                f"{path!r}, line {line} has {len(row)} fields, the header has {width}."
            )
    if not line:
        raise InvalidValueError(f"{path!r} has no rows.")


def read_parquet(path: str, raw: bytes) -> FileTable:
    """Return the table in a Parquet file, its dictionaries decoded."""
    from pyarrow import parquet

    pa = pyarrow()
    try:
        file = parquet.ParquetFile(in_arrow(raw))
        check_names(path, file.schema_arrow.names)
        table = file.read()
    except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
        fault = str(error).partition("\n")[0]
        raise InvalidValueError(f"{path!r} is not a readable Parquet file: {fault}") from error
    decoded = [decode(column) for column in table.columns]
    return FileTable(path, pa.table(decoded, names=table.column_names))


def decode(column: Any) -> Any:
    """Return a dictionary's values; any other column as it is."""
    dictionary = pyarrow().types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if dictionary else column


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
            f"{name!r} contains JSON, not a table of cases: for logs of evaluations use "
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


def stack_tables(tables: Sequence[FileTable]) -> FileTable:
    """Return the table whose rows several files hold one after the other, or raise."""
    first, *others = tables
    names = first.names
    for other in others:
        if sorted(other.names) != sorted(names):
            raise InvalidValueError(
                f"files of one table must have the same columns: {first.path!r} has {names}, "
                f"{other.path!r} has {other.names}. Files of other models of the same cases are "
                "joined by --id, the column that names the cases."
            )
    whole = pyarrow().concat_tables(
        [table.arrow.select(names) for table in tables], promote_options="permissive"
    )
    return JoinedTable(", ".join(table.path for table in tables), whole, tables)


def join_tables(
    tables: Sequence[FileTable], key: str, *, same: Collection[str] = (), drop: bool = False
) -> tuple[FileTable, int]:
    """Return the table of the rows that files share by a key, and how many were dropped.

    A column that several files share with equal values is one column. Another one is called by its
    file, as models are whose scores have one name in all files; those in `same` must be equal.
    """
    rows = [rows_by_key(table, key) for table in tables]
    shared = [name for name in rows[0] if all(name in of_file for of_file in rows)]
    dropped = len({name for of_file in rows for name in of_file}) - len(shared)
    if dropped and not (drop and shared):
        refuse_unmatched(tables, key, rows, dropped)
    taken = [
        FileTable(table.path, table.arrow.take([of_file[name] for name in shared]))
        for table, of_file in zip(tables, rows, strict=True)
    ]
    columns = {key: taken[0].arrow.column(key)}
    for name in dict.fromkeys(name for table in taken for name in table.names if name != key):
        own = joined_column([table for table in taken if name in table.names], name, key, same)
        if twice := sorted({*own} & {*columns}):
            raise InvalidValueError(
                f"two columns would be called {twice[0]!r}: rename one, or a file."
            )
        columns |= own
    return FileTable(", ".join(table.path for table in tables), pyarrow().table(columns)), dropped


def refuse_unmatched(
    tables: Sequence[FileTable], key: str, rows: Sequence[Mapping[str, int]], dropped: int
) -> NoReturn:
    """Raise for keys that are not in all files, with the first of them."""
    path, lone = next(
        (table.path, name)
        for table, of_file in zip(tables, rows, strict=True)
        for name in of_file
        if not all(name in other for other in rows)
    )
    raise InvalidValueError(
        f"{dropped} values of {key!r} are not in all files, such as {lone!r} of {path!r}: add "
        "their rows, or drop them by --missing drop if others are in all."
    )


def joined_column(
    tables: Sequence[FileTable], name: str, key: str, same: Collection[str]
) -> Mapping[str, Any]:
    """Return the column that tables share, or those of each, called by its file."""
    first, *others = (table.arrow.column(name) for table in tables)
    if all(other.to_pylist() == first.to_pylist() for other in others):
        return {name: first}
    if name in same:
        raise InvalidValueError(
            f"column {name!r} differs between {tables[0].path!r} and others for the same {key!r}: "
            "correct it, or keep it in one file."
        )
    called = [called_by_file(table, name, key, same) for table in tables]
    if len({*called}) < len(called):  # files of one name in several folders
        called = [table.path for table in tables]
    return dict(zip(called, (table.arrow.column(name) for table in tables), strict=True))


def rows_by_key(table: FileTable, key: str) -> dict[str, int]:
    """Return the rows of a file by the text of their key, or raise unless each has its own."""
    if key not in table.names:
        raise InvalidValueError(f"{table.path!r} has no column {key!r}, which joins the files.")
    rows: dict[str, int] = {}
    for row, value in enumerate(table.column(key)):
        if value is None or value != value or str(value) in rows:
            absent = value is None or value != value
            what = "the value is missing" if absent else f"{value!r} is there twice"
            raise InvalidValueError(f"{table.path!r}, {table.place(row)}: {key!r}: {what}.")
        rows[str(value)] = row
    return rows


def called_by_file(table: FileTable, name: str, key: str, same: Collection[str]) -> str:
    """Return the name of a file's own column: that of the file, if it is the only one."""
    stem = Path(table.path).name.partition(".")[0]
    others = {*table.names} - {key, *same}
    return stem if others == {name} else f"{stem}:{name}"


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
        raise InvalidValueError(f"{path!r} is not a regular file: pipe it in, with the name '-'.")
    with open(path, "rb") as file:
        return file.read()


def decompressed(path: str, raw: bytes) -> bytes:
    """Return the content of a compressed file; anything else as it is."""
    codec = codec_of(raw)
    if codec is None:
        return raw
    return unpacked(path, pyarrow().BufferReader(raw), codec, MOST_UNPACKED)
