"""Files of labels and scores as tables: Parquet, and comma-separated text, perhaps compressed.

What a file is decides its first bytes, not its name.
"""

import os
import stat
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidTypeError, InvalidValueError

PARQUET = b"PAR1"
CODECS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd"}
STDIN = "-"


def pyarrow() -> Any:
    """Return the pyarrow module, or raise with the pip line."""
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("files need pyarrow: pip install 'fastcompare[cli]'.") from error
    return pyarrow


@dataclass(frozen=True)
class Table:
    """The columns of a file, and where in the file a row stands."""

    path: str
    arrow: Any

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self.arrow.column_names)

    def is_numeric(self, name: str) -> bool:
        """Say whether a column holds integers, floats or nothing but missing values."""
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
                f"{self.path!r}: column {name!r} must hold plain decimal numbers, "
                f"{self.misfit(name)}."
            )
        return self.column(name)

    def misfit(self, name: str) -> str:
        """Say what a column holds that is no number."""
        return f"got {self.arrow.schema.field(name).type}"


def read_table(
    path: str | os.PathLike[str], *, separator: str = ",", encoding: str = "utf-8"
) -> Table:
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
    from .delimited import read_delimited

    pyarrow()
    name = os.fspath(path)
    raw = decompressed(name, read_bytes(name))
    table = (
        read_parquet(name, raw)
        if raw.startswith(PARQUET)
        else read_delimited(name, raw, separator, encoding)
    )
    if not table.arrow.num_rows:
        raise InvalidValueError(f"{name!r} has no rows.")
    return table


def read_bytes(path: str) -> bytes:
    """Return what a regular file or standard input holds."""
    if path == STDIN:
        return sys.stdin.buffer.read()
    mode = os.stat(path).st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # open says it well of a directory
        raise InvalidValueError(f"{path!r} is no regular file: pipe it in, with '-' for its name.")
    with open(path, "rb") as file:
        return file.read()


def decompressed(path: str, raw: bytes) -> bytes:
    """Return the content of a compressed file; anything else as it is."""
    codec = next((codec for magic, codec in CODECS.items() if raw.startswith(magic)), None)
    if codec is None:
        return raw
    pa = pyarrow()
    try:
        return bytes(pa.CompressedInputStream(pa.BufferReader(raw), codec).read())
    except OSError as error:
        raise InvalidValueError(f"{path!r} is damaged ({codec}): {error}.") from error


def read_parquet(path: str, raw: bytes) -> Table:
    """Return the table in a Parquet file, its dictionaries decoded."""
    from pyarrow import parquet

    pa = pyarrow()
    try:
        file = parquet.ParquetFile(pa.BufferReader(raw))
        check_names(path, file.schema_arrow.names)
        table = file.read()
    except (pa.ArrowException, OSError) as error:
        fault = str(error).partition("\n")[0]
        raise InvalidValueError(f"{path!r} is not a readable Parquet file: {fault}") from error
    decoded = [decode(column) for column in table.columns]
    return Table(path, pa.table(decoded, names=table.column_names))


def decode(column: Any) -> Any:
    """Return a dictionary's values; any other column as it is."""
    dictionary = pyarrow().types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if dictionary else column


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
    """Raise unless every column has a name of its own."""
    if "" in names:
        raise InvalidValueError(
            f"{path!r}: column {list(names).index('') + 1} of {len(names)} has no name."
        )
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise InvalidValueError(f"{path!r} has several columns of the same name: {twice[0]!r}.")
