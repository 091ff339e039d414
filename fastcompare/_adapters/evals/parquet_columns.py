"""Some columns of a Parquet file, as lists: those that a log needs, not its transcripts."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..._base.memory import memory_available
from ..tables import check_names, in_arrow, pyarrow
from .sheets import Column, refuse
from .sources import Source

CELL = 64  # bytes that a value takes as Python's
ROWS = 1 << 10  # that are held as Arrow's beside Python's
NONE: Mapping[str, Sequence[str]] = MappingProxyType({})


def column_names(source: Source) -> list[str]:
    """Return the names of a Parquet file's columns."""
    return list(opened(source).schema_arrow.names)


def read_columns(
    source: Source, names: Iterable[str], fields: Mapping[str, Sequence[str]] = NONE
) -> dict[str, Column]:
    """Return columns by their names, or raise where they do not fit into memory.

    Of a column of structs that is in `fields` these alone are read. Some rows at a time are held
    as Arrow has them: a value that stands once in the file may be that of every row.
    """
    file = opened(source)
    chosen = list(names)
    cells = file.metadata.num_rows * max(len(chosen), 1)
    if cells * CELL > memory_available():
        raise MemoryError(f"{source.path!r}: {cells} values do not fit into memory.")
    wanted = [part for name in chosen for part in parts_of(file, name, fields.get(name, ()))]
    found: dict[str, Column] = {name: [] for name in chosen if name in file.schema_arrow.names}
    try:
        for batch in file.iter_batches(ROWS, columns=wanted):
            if batch.nbytes > memory_available():
                raise MemoryError(f"{source.path!r}: its rows do not fit into memory.")
            for name, values in found.items():
                values += batch.column(name).to_pylist()
    except (pyarrow().ArrowException, OSError) as error:
        refuse(source.path, f"this Parquet file is damaged ({str(error).partition('.')[0]}).")
    return found


def parts_of(file: Any, name: str, fields: Sequence[str]) -> list[str]:
    """Return the names by which a column is read: of its fields that are there, or its own."""
    schema = file.schema_arrow
    is_struct = name in schema.names and pyarrow().types.is_struct(schema.field(name).type)
    held = [field.name for field in schema.field(name).type] if is_struct else []
    return [f"{name}.{field}" for field in fields if field in held] or [name]


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
