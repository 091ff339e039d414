"""Some columns of a Parquet file, as lists: those that a log needs, not its transcripts."""

from collections.abc import Iterable
from typing import Any

from ..._base.memory import memory_available
from ..tables import check_names, in_arrow, pyarrow
from .sheets import Column, refuse
from .sources import Source

CELL = 64  # bytes that a value takes as Python's


def column_names(source: Source) -> list[str]:
    """Return the names of a Parquet file's columns."""
    return list(opened(source).schema_arrow.names)


def read_columns(source: Source, names: Iterable[str]) -> dict[str, Column]:
    """Return columns by their names, or raise where they do not fit into memory."""
    file = opened(source)
    chosen = list(names)
    cells = file.metadata.num_rows * max(len(chosen), 1)
    if cells * CELL > memory_available():
        raise MemoryError(f"{source.path!r}: {cells} values do not fit into memory.")
    try:
        table = file.read(columns=chosen)
    except (pyarrow().ArrowException, OSError) as error:
        refuse(source.path, f"this Parquet file is damaged ({str(error).partition('.')[0]}).")
    return {name: table.column(name).to_pylist() for name in table.column_names}


def opened(source: Source) -> Any:
    """Return a Parquet file whose columns have names of their own."""
    from pyarrow import parquet

    pa = pyarrow()
    try:
        file = parquet.ParquetFile(in_arrow(source.content))
        check_names(source.path, file.schema_arrow.names)
    except (pa.ArrowException, OSError) as error:
        refuse(source.path, f"this is no readable Parquet file ({str(error).partition('.')[0]}).")
    return file
