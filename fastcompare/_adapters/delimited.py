"""Tables of columns as pyarrow's, and comma-separated text.

Text is read by pyarrow; where it fails, Python's csv module finds the line. Only plain decimal
numbers are numbers, and only the words in `MISSING` are missing values.
"""

import codecs
import csv
import io
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from functools import partial
from itertools import islice
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError


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


POINT, COMMA = ".,"
SWAPPED = str.maketrans(".,", ",.")


@dataclass(frozen=True)
class FileTable:
    """The columns of a file, and where in the file a row stands."""

    path: str
    arrow: Any
    _: KW_ONLY
    decimal: str = POINT  # the mark in numbers of texts

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

    def in_numbers(self) -> Self:
        """Return the table with true and false as 1 and 0, as scores of items are."""
        arrow = self.arrow
        for j, field in enumerate(arrow.schema):
            if pyarrow().types.is_boolean(field.type):
                arrow = arrow.set_column(j, field.name, arrow.column(j).cast("int8"))
        return replace(self, arrow=arrow)

    def words(self, name: str) -> list[str]:
        """Return the different texts of a column; none of one of numbers, or of many texts."""
        column = self.arrow.column(name)
        is_text = pyarrow().types.is_string(column.type)
        few = is_text and len(column.slice(0, HEAD).unique()) <= FEW_WORDS
        return column.unique().to_pylist() if few else []

    def scores(self, name: str) -> NDArray[Any] | list[Any]:
        """Return a column of numbers, NaN or None where missing, or raise."""
        if not self.is_numeric(name):
            raise InvalidTypeError(
                f"{self.path!r}: column {name!r} must contain plain decimal numbers, "
                f"{self.misfit(name)}."
            )
        return self.column(name)

    def is_number(self, field: str) -> bool:
        """Return whether a field is a plain, finite decimal number or stands for a missing one."""
        return is_decimal(field if self.decimal == POINT else field.translate(SWAPPED))

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


INT64_END = 2**63
MISSING = ("", "NA", "NaN", "nan", "null", "N/A")
TRUE, FALSE = ("True", "true", "TRUE"), ("False", "false", "FALSE")
WITH_COMMA = re.compile(r"[ \t]*[+-]?\d*,\d+([eE][+-]?\d+)?[ \t]*", re.ASCII)
THOUSANDS = re.compile(r"[ \t]*[+-]?[1-9]\d{0,2},\d{3}[ \t]*", re.ASCII)
DECIMAL = re.compile(r"[ \t]*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?[ \t]*", re.ASCII)
HEXADECIMAL = re.compile(r"[ \t]*[+-]?0[xX]")
LIKELY_SEPARATORS = ";\t|,"
SEPARATOR_LINE = re.compile(rb"sep=([ -~\t])(?=\r?\n)", re.I)  # Excel's own, above the header
FEW_WORDS = 20  # of a column that says what the rows are for
HEAD = 1000  # rows that tell whether a column of words has decimal commas
FAULTS = {"unexpected end of data": "a quote is opened and never closed"}

Row = tuple[int, list[str]]  # the line where it starts, its fields


@dataclass(frozen=True)
class TextTable(FileTable):
    """A table that remembers its text, to name the line of an error."""

    rows: Callable[[], Iterator[Row]]
    hexadecimal: bool = False  # whether any cell may be in such figures

    def scores(self, name: str) -> NDArray[Any] | list[Any]:
        """Return a column of finite numbers, or raise: pyarrow also takes inf, -nan and 1e400."""
        values = super().scores(name)
        if self.hexadecimal:
            self.refuse_hexadecimal(name)
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
        line, field = next(pair for pair in self.fields(name) if not self.is_number(pair[1]))
        return f"line {line} has {field!r}"

    def refuse_wide_integers(self, name: str) -> None:
        """Raise for integers past 64 bits, which were read as doubles and may have become ties."""
        for line, field in self.fields(name):
            figures = field.strip().lstrip("+-").lstrip("0")
            long = len(figures) > len(str(INT64_END))  # Python refuses integers of 4,300 figures
            if figures.isdecimal() and (long or int(figures) >= INT64_END):
                raise InvalidValueError(
                    f"{self.path!r}: column {name!r} contains integers beyond 64 bits, line {line} "
                    f"has {field!r}: write their ranks."
                )

    def refuse_hexadecimal(self, name: str) -> None:
        """Raise for a number in hexadecimal figures, which pyarrow takes for an integer."""
        for line, field in self.fields(name):
            if HEXADECIMAL.match(field):
                raise InvalidValueError(
                    f"{self.path!r}: column {name!r} must contain decimal numbers, line {line} "
                    f"has {field!r}: write it in decimal figures."
                )


def read_delimited(
    path: str,
    raw: bytes,
    separator: str,
    encoding: str,
    texts: Sequence[str] = (),
    decimal: str = POINT,
) -> FileTable:
    """Return the table in a text, or raise with the line of the first fault.

    The columns of `texts` stay as they are written: 01 is not 1.
    """
    check_separator(separator, decimal)
    text = as_utf8(path, raw, encoding)
    if (line := SEPARATOR_LINE.match(text)) is not None:
        separator, text = line[1].decode(), text[line.end() :]  # the rest keeps its line numbers
    check_header(path, text, separator)
    if text.count(b'"') % 2:  # pyarrow takes an unclosed quote to end at the end of the text
        check_rows(path, text, separator)
    try:
        table = parsed(text, separator, texts, decimal)
    except pyarrow().ArrowInvalid as error:
        check_rows(path, text, separator)
        raise InvalidValueError(f"{path!r}: {error}") from error
    rows = partial(records, path, text, separator)
    hexadecimal = b"0x" in text or b"0X" in text
    return TextTable(path, table, rows, hexadecimal=hexadecimal, decimal=decimal)


def refuse_decimal_commas(table: FileTable) -> None:
    """Raise for a column of words of which the first all are numbers with decimal commas.

    Numbers of which all could have commas between thousands are left to whoever reads them.
    """
    for name in filter(lambda name: not table.is_numeric(name), table.names):
        first = map(str, table.arrow.column(name).slice(0, HEAD).to_pylist())
        words = [word for word in first if word not in MISSING]
        if all(map(WITH_COMMA.fullmatch, words)) and not all(map(THOUSANDS.fullmatch, words)):
            raise InvalidValueError(
                f"{table.path!r}: column {name!r} has decimal commas, {table.misfit(name)}. "
                "Write them with points, or specify --decimal ','."
            )


def is_decimal(text: str) -> bool:
    """Return whether a field is a plain and finite decimal number, or stands for a missing one."""
    return text in MISSING or bool(DECIMAL.fullmatch(text) and math.isfinite(float(text)))


def parsed(text: bytes, separator: str, texts: Sequence[str], decimal: str) -> Any:
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
            decimal_point=decimal,
        ),
    )


def check_separator(separator: str, decimal: str) -> None:
    """Raise unless the separator can stand between fields, and the decimal mark in numbers."""
    if decimal not in (POINT, COMMA) or decimal == separator:
        other = f" other than `separator` {separator!r}" * (decimal == separator)
        raise InvalidValueError(f"`decimal` must be '.' or ','{other}, got {decimal!r}.")
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
            "--sep, the same for all files."
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
