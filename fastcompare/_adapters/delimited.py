"""Tables of columns as pyarrow's, and comma-separated text.

Text is read by pyarrow; where it fails, Python's csv module finds the line. Only plain decimal
numbers are numbers, and only the words in `MISSING` are missing values.
"""

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import (
    FastCompareError,
    InvalidTypeError,
    InvalidValueError,
    broken_rule,
    invalid_value,
)
from .._base.types import Fields
from .layout import (
    COMMA,
    HEAD,
    MISSING,
    POINT,
    drop_markdown_rule,
    drop_preamble,
    find_separator,
    is_decimal,
    merge_header_lines,
    name_row_name_column,
    unify_separator,
)


def pyarrow() -> Any:
    """Return the pyarrow module, or raise with the pip line."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("files need pyarrow: pip install 'fastcompare[cli]'.") from error
    return pyarrow


def arrow_buffer(content: bytes) -> Any:
    """Return a copy of bytes as a file in Arrow's own memory, for readers with threads.

    Such a thread may be the last to free the bytes, after the interpreter has ended. With Python's
    bytes that aborts the process, in one of some 400 calls of pyarrow's `read_csv`
    (github.com/apache/arrow, issue 34314).
    """
    memory = pyarrow().allocate_buffer(len(content))
    memoryview(memory).cast("B")[:] = content
    return pyarrow().BufferReader(memory)


SWAPPED = str.maketrans(".,", ",.")


class Coded(NamedTuple):
    """A column of texts: the distinct ones, and the number of each row's text, -1 if missing."""

    labels: Sequence[str]
    codes: NDArray[Any]


@dataclass(frozen=True)
class FileTable:
    """The columns of a file as an Arrow table, and how errors call a row by its place."""

    path: str
    arrow: Any
    _: KW_ONLY
    decimal: str = POINT  # the decimal mark in texts
    note: str = ""  # how its text was read, if not as UTF-8
    called: str = ""  # the model to which all rows belong
    model: str = ""  # the column with its name

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.arrow.column_names)

    def is_numeric(self, name: str) -> bool:
        """Return whether a column consists of integers, of floats or of missing values."""
        types = pyarrow().types
        kind = self.arrow.schema.field(name).type
        return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_null(kind))

    def column(self, name: str) -> NDArray[Any] | list[Any]:
        """Return a column as an array of numbers, or as a list with None where missing."""
        column = self.arrow.column(name)
        types = pyarrow().types
        if types.is_null(column.type):
            column = column.cast(pyarrow().float64())
        if types.is_floating(column.type):
            return floats_with_nan(column)
        if types.is_integer(column.type) and not column.null_count:
            return to_numpy(column)
        return list(column.to_pylist())

    def values(self, name: str) -> Any:
        """Return a column to recognize its role by: numbers, truth values or `Coded` texts."""
        types = pyarrow().types
        column = self.arrow.column(name)
        if types.is_decimal(column.type):
            column = column.cast(pyarrow().float64())
        if types.is_integer(column.type) or types.is_null(column.type):
            return self.column(name)
        if types.is_floating(column.type):
            return self.scores(name)
        if types.is_boolean(column.type):
            return list(column.to_pylist()) if column.null_count else np.asarray(column)
        if types.is_nested(column.type):
            texts = [None if value is None else str(value) for value in column.to_pylist()]
            column = pyarrow().chunked_array([pyarrow().array(texts, pyarrow().string())])
        elif not types.is_string(column.type):
            column = column.cast(pyarrow().string())
        encoded = column.dictionary_encode().combine_chunks()
        codes = encoded.indices.fill_null(-1)
        return Coded(encoded.dictionary.to_pylist(), to_numpy_array(codes).astype(np.int64))

    def columns(self) -> Fields:
        """Return the `values` of all columns by name.

        Lists of equal length become several columns, name_0, name_1, ...
        """
        types = pyarrow().types
        columns: dict[str, Any] = {}
        for name in self.names:
            column = self.arrow.column(name)
            nested = types.is_nested(column.type) and not types.is_struct(column.type)
            lists = column.to_pylist() if nested else []
            widths = {0 if cell is None else len(cell) for cell in lists}
            if len(widths) == 1 and 1 < max(widths) <= MOST_IN_LIST:
                table = np.array(lists, dtype=np.float64)
                columns |= {f"{name}_{j}": values for j, values in enumerate(table.T)}
            else:
                columns[name] = self.values(name)
        return columns

    def words(self, name: str) -> list[str]:
        """Return the distinct texts of a column; [] for numbers, or if the first rows have many."""
        column = self.arrow.column(name)
        is_text = pyarrow().types.is_string(column.type)
        has_few = is_text and len(column.slice(0, HEAD).unique()) <= FEW_WORDS
        return column.unique().to_pylist() if has_few else []

    def scores(self, name: str) -> NDArray[Any] | list[Any]:
        """Return a column of numbers, NaN or None where missing, or raise if it is not numeric."""
        if not self.is_numeric(name):
            self.refuse_values(InvalidTypeError, name, "must contain plain decimal numbers")
        return self.column(name)

    def is_number(self, field: str) -> bool:
        """Return whether a field is a finite decimal number or missing, in the file's notation."""
        return is_decimal(field if self.decimal == POINT else field.translate(SWAPPED))

    def place(self, row: int) -> str:
        """Return the place of row number `row` (from 0) for messages: "row 3"."""
        return f"row {row + 1}"

    def refuse_values(self, kind: type[FastCompareError], name: str, rule: str) -> NoReturn:
        """Raise an error of class `kind` for a column that breaks `rule`; it shows its type."""
        got = str(self.arrow.schema.field(name).type)
        subject = f"{self.path!r}: column {name!r}"
        raise broken_rule(kind, name, rule, got, show=", got {}", subject=subject)


def to_numpy(column: Any) -> NDArray[Any]:
    """Return an Arrow column without nulls as NumPy's; its own `to_numpy` would import pandas."""
    return to_numpy_array(column.combine_chunks())


def to_numpy_array(array: Any) -> NDArray[Any]:
    """Return the buffer of an Arrow array of numbers without nulls as a NumPy array.

    Not by DLPack: Arrow has deprecated what NumPy before 2.1 needs of it.
    """
    dtype = np.dtype(array.type.to_pandas_dtype())
    size = len(array)
    if not size:  # it may have no buffer
        return np.empty(0, dtype)
    return np.frombuffer(array.buffers()[1], dtype, size, array.offset * dtype.itemsize)


def floats_with_nan(column: Any) -> NDArray[Any]:
    """Return an Arrow column of floats as a NumPy array, NaN where null."""
    if not column.null_count:
        return to_numpy(column)
    values = np.full(len(column), np.nan)
    valid = to_numpy(column.is_valid().cast(pyarrow().uint8())).view(bool)
    values[valid] = to_numpy(column.drop_null())
    return values


def check_names(path: str, names: Sequence[str]) -> None:
    """Raise unless the columns have distinct names, which are not empty but for the first one.

    pandas and R write row names as a first column without a name.
    """
    if "" in names[1:]:
        raise InvalidValueError(
            f"{path!r}: column {names.index('', 1) + 1} of {len(names)} has no name.",
            parameter=path,
        )
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise InvalidValueError(
            f"{path!r} has several columns of the same name: {twice[0]!r}.", parameter=twice[0]
        )


MOST_FIGURES = 308  # digits of the largest double; Python refuses to read 4,300
EXACT_END = 2**53  # up to here every whole number is a double
MOST_IN_LIST = 100  # numbers in a cell, such as those of classes, that become columns
TRUE, FALSE = ("True", "true", "TRUE"), ("False", "false", "FALSE")
WITH_COMMA = re.compile(r"[ \t]*[+-]?\d*,\d+([eE][+-]?\d+)?[ \t]*", re.ASCII)
HEXADECIMAL = re.compile(r"[ \t]*[+-]?0[xX]")
SEPARATOR_LINE = re.compile(rb"sep=([ -~\t])(?=\r?\n)", re.I)  # Excel's own, above the header
MOST_NAMED_LINES = 5  # lines that a message names
FEW_WORDS = 20  # distinct texts of a column that classifies rows, at most
NO_VALUE = {word.casefold() for word in MISSING} | {"-", ".", "n/a", "#n/a"}
WESTERN = "cp1252"
WESTERN_NOTE = "Text: no UTF-8, read as Windows-1252 (Western European); --encoding names another."
SIGN_IN_WORD = re.compile(r"[^\W\d_][^\w\s\x00-\x7f’‘–—·][^\W\d_]")
FAULTS = {"unexpected end of data": "a quote is opened and never closed"}

Row = tuple[int, list[str]]  # the line where it starts, its fields


@dataclass(frozen=True)
class TextTable(FileTable):
    """A table from a text, which `rows` reads again, to name the line of an error."""

    rows: Callable[[], Iterator[Row]]
    hexadecimal: bool = False  # whether a cell may be a hexadecimal number

    def scores(self, name: str) -> NDArray[Any] | list[Any]:
        """Return a column of finite numbers, or raise: pyarrow also takes inf, -nan and 1e400."""
        values = super().scores(name)
        if self.hexadecimal:
            rule, way = "must contain decimal numbers", ": write it in decimal figures."
            self.refuse_field(InvalidValueError, name, rule, HEXADECIMAL.match, way)
        is_float = isinstance(values, np.ndarray) and values.dtype.kind == "f"
        n_nulls = self.arrow.column(name).null_count
        if is_float and np.count_nonzero(~np.isfinite(values)) > n_nulls:
            self.refuse_values(InvalidValueError, name, "must contain finite decimal numbers")
        if is_float and np.fmax.reduce(np.abs(values), initial=0.0) >= EXACT_END:
            rule = "contains integers beyond 2^53"
            way = ", which would be rounded: write their ranks."
            self.refuse_field(InvalidValueError, name, rule, self.is_rounded, way)
        return values

    def fields(self, name: str) -> Iterator[tuple[int, str]]:
        """Yield (line, field) of a column, as written in the text, without the header."""
        index = self.names.index(name)
        return ((line, row[index]) for line, row in islice(self.rows(), 1, None))

    def place(self, row: int) -> str:
        """Return the line of row number `row` (from 0) for messages: "line 5"."""
        line, _fields = next(islice(self.rows(), row + 1, None))  # the first is the header
        return f"line {line}"

    def refuse_values(self, kind: type[FastCompareError], name: str, rule: str) -> NoReturn:
        """Raise for the first field of a column that is not a finite decimal number."""
        self.refuse_field(kind, name, rule, lambda field: not self.is_number(field))
        raise AssertionError(name)  # never: the caller has found such a field

    def refuse_field(
        self,
        kind: type[FastCompareError],
        name: str,
        rule: str,
        is_wrong: Callable[[str], object],
        end: str = ".",
    ) -> None:
        """Raise for the first field of a column with is_wrong(field), if there is one.

        The message says which line has it, after the rule and before `end`.
        """
        for row, (line, field) in enumerate(self.fields(name)):
            if is_wrong(field):
                show = f", line {line} has {{!r}}"
                subject = f"{self.path!r}: column {name!r}"
                raise broken_rule(kind, name, rule, field, end, subject=subject, show=show, row=row)

    def is_rounded(self, field: str) -> bool:
        """Return whether a field is a whole number that float64 would round."""
        return is_rounded(field if self.decimal == POINT else field.translate(SWAPPED))


def read_delimited(
    path: str,
    raw: bytes,
    separator: str,
    encoding: str,
    texts: Sequence[str] = (),
    decimal: str = "",
) -> FileTable:
    """Return the table in a text, or raise with the line of the first fault.

    Where `separator`, `encoding` or `decimal` is "", the text shows it. The columns of `texts` stay
    as they are written: 01 is not 1.
    """
    plain, note = as_utf8(path, raw, encoding)
    text = drop_markdown_rule(drop_preamble(plain))
    if (line := SEPARATOR_LINE.match(text)) is not None:
        # without its end, so that the lines below keep their numbers
        separator, text = line[1].decode(), text[line.end() :]
    if not separator:
        separator, text = unify_separator(text, find_separator(text))
    possible_decimal = COMMA if separator == POINT else POINT
    check_separator(separator, decimal or possible_decimal)
    text = merge_header_lines(name_row_name_column(text, separator), separator)
    check_header(path, text, separator)
    if text.count(b'"') % 2:  # pyarrow takes an unclosed quote to end at the end of the text
        check_rows(path, text, separator)
    try:
        table = parse_csv(text, separator, texts, decimal or POINT)
        if not decimal and separator != COMMA and has_decimal_commas(table):
            decimal = COMMA
            table = parse_csv(text, separator, texts, decimal)
    except pyarrow().ArrowInvalid as error:
        check_rows(path, text, separator)
        raise InvalidValueError(f"{path!r}: {error}", parameter=path) from error
    table = drop_empty_ends(table)
    check_names(path, table.column_names)
    rows = partial(numbered_rows, path, text, separator)
    hexadecimal = b"0x" in text or b"0X" in text
    return TextTable(
        path, table, rows, hexadecimal=hexadecimal, decimal=decimal or POINT, note=note
    )


def has_decimal_commas(table: Any) -> bool:
    """Return whether most of the first words in a column are numbers with decimal commas.

    That is the first column of words with any comma.
    """
    for column in table.columns:
        if not pyarrow().types.is_string(column.type):
            continue
        first = map(str, column.slice(0, HEAD).to_pylist())
        words = [word for word in first if word.strip().casefold() not in NO_VALUE]
        if words and any("," in word for word in words):
            n_numbers = sum(WITH_COMMA.fullmatch(word) is not None for word in words)
            return 2 * n_numbers > len(words)
    return False


def drop_empty_ends(table: Any) -> Any:
    """Return a table without empty columns that lack a name, and without empty last rows.

    Blanks around names are removed.
    """
    names = [name.strip() for name in table.column_names]
    table = table.rename_columns(names)
    filled = [j for j, name in enumerate(names) if name or j == 0 or not is_empty(table.column(j))]
    if len(filled) < len(names):
        table = table.select(filled)
    stop = table.num_rows
    while stop and all(is_empty(column.slice(stop - 1, 1)) for column in table.columns):
        stop -= 1
    return table.slice(0, stop) if stop < table.num_rows else table


def is_empty(column: Any) -> bool:
    """Return whether all values of an Arrow column are null or blank."""
    if column.null_count == len(column):
        return True
    is_text = pyarrow().types.is_string(column.type)
    return is_text and all(value is None or not value.strip() for value in column.to_pylist())


def is_rounded(text: str) -> bool:
    """Return whether a text is a whole number that float64 would round, which may create ties."""
    integer_part, _, fraction = text.strip().lstrip("+-").partition(POINT)
    figures = integer_part.lstrip("0")
    if not figures.isdecimal() or fraction.strip("0"):
        return False
    return len(figures) > MOST_FIGURES or not is_exact(int(figures))


def is_exact(number: int) -> bool:
    """Return whether a whole number is exactly representable as a double."""
    return int(float(number)) == number


def parse_csv(text: bytes, separator: str, texts: Sequence[str], decimal: str) -> Any:
    """Return the text as an Arrow table, each column of the narrowest type that holds it."""
    from pyarrow import csv as arrow_csv

    return arrow_csv.read_csv(
        arrow_buffer(text),
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
    """Raise unless the separator is one ASCII character and `decimal` another, '.' or ','."""
    if decimal not in (POINT, COMMA) or decimal == separator:
        other = f" other than `separator` {separator!r}" * (decimal == separator)
        raise invalid_value("decimal", f"must be '.' or ','{other}", decimal)
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise invalid_value("separator", "must be one ASCII character", separator)


def as_utf8(path: str, raw: bytes, encoding: str) -> tuple[bytes, str]:
    """Return the text as UTF-8 without a byte order mark, and a note if it was not UTF-8; or raise.

    `encoding` is "" for the likely one.
    """
    note = ""
    try:
        name = codecs.lookup(encoding or likely_encoding(raw)).name
        plain = raw.removeprefix(codecs.BOM_UTF8)
        is_utf8 = name in ("utf-8", "ascii") and plain.isascii()  # then nothing is to be decoded
        text = plain if is_utf8 else plain.decode(name)
        note = WESTERN_NOTE if not encoding and name == WESTERN else ""
    except LookupError as error:
        raise invalid_value("encoding", "is not known", end=f": {encoding!r}.") from error
    except UnicodeDecodeError as error:
        raise InvalidValueError(
            f"{path!r} is not {encoding or 'utf-8'} text: byte 0x{raw[error.start]:02x} at offset "
            f"{error.start}. Specify its encoding with --encoding, such as utf-16 or latin-1.",
            parameter=path,
        ) from error
    except UnicodeError as error:  # 'undefined', 'idna'
        raise invalid_value("encoding", f"{encoding!r} is not a text encoding") from error
    if isinstance(text, str):
        text = text.removeprefix("\ufeff").encode("utf-8", "replace")
    if (nul := text.find(b"\0")) >= 0:
        line = text.count(b"\n", 0, nul) + 1
        raise InvalidValueError(
            f"{path!r}, line {line} has a NUL: is it UTF-16? See --encoding.", parameter=path
        )
    return text, note


def likely_encoding(raw: bytes) -> str:
    """Return 'utf-16' by its mark, 'utf-8' for valid UTF-8, else 'cp1252' if that gives words.

    A sign such as a currency between two letters shows that the encoding is another one; then
    'utf-8', which raises.
    """
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        try:
            text = raw.decode(WESTERN)
        except UnicodeDecodeError:
            return "utf-8"
        return "utf-8" if SIGN_IN_WORD.search(text) else WESTERN
    return "utf-8"


def numbered_rows(path: str, text: bytes, separator: str) -> Iterator[Row]:
    """Yield (line, fields) of the rows, the header first, with the line where each begins."""
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
        raise InvalidValueError(f"{path!r}, line {line}: {fault}.", parameter=path) from error


def check_header(path: str, text: bytes, separator: str) -> None:
    """Raise unless the header has distinct names; columns at its end may lack one."""
    _line, names = next(numbered_rows(path, text, separator), (0, []))
    if not names:
        raise invalid_value(path, "has no rows", end=": it is empty.", subject=repr(path))
    stripped = [name.strip() for name in names]
    while len(stripped) > 1 and not stripped[-1]:
        stripped.pop()
    check_names(path, stripped)


def check_rows(path: str, text: bytes, separator: str) -> None:
    """Raise if a row has more or fewer fields than the header or bad quotes, or without any row."""
    rows = numbered_rows(path, text, separator)
    _header_line, names = next(rows)
    width = len(names)
    line = 0
    faults = []
    for line, row in rows:
        if len(row) != width:
            faults.append((line, len(row)))
    if faults:
        (first_line, n_fields), *others = faults[:MOST_NAMED_LINES]
        others_named = "".join(f", line {line} has {fields}" for line, fields in others)
        n_unnamed = len(faults) - MOST_NAMED_LINES
        more = f", and {n_unnamed} more" if n_unnamed > 0 else ""
        raise InvalidValueError(
            f"{path!r}, line {first_line} has {n_fields} fields, the header has "
            f"{width}{others_named}{more}.",
            parameter=path,
            value=n_fields,
        )
    if not line:
        raise invalid_value(path, "has no rows", subject=repr(path))
