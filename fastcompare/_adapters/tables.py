"""Tables of columns as pyarrow holds them, and what is asked of their columns."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

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
                f"{self.path!r}: column {name!r} must hold plain decimal numbers, "
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
    """Raise unless every column has a name of its own; that of the first may be empty.

    pandas and R write the names of rows so.
    """
    if "" in names[1:]:
        raise InvalidValueError(
            f"{path!r}: column {names.index('', 1) + 1} of {len(names)} has no name."
        )
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise InvalidValueError(f"{path!r} has several columns of the same name: {twice[0]!r}.")
