"""Parquet files as tables."""

from typing import Any

from .._base.exceptions import InvalidValueError
from .tables import FileTable, check_names, in_arrow, pyarrow


def read_parquet(path: str, raw: bytes) -> FileTable:
    """Return the table in a Parquet file, its dictionaries decoded."""
    from pyarrow import parquet

    pa = pyarrow()
    try:
        file = parquet.ParquetFile(in_arrow(raw))
        check_names(path, file.schema_arrow.names)
        table = file.read()
    except (pa.ArrowException, OSError) as error:
        fault = str(error).partition("\n")[0]
        raise InvalidValueError(f"{path!r} is not a readable Parquet file: {fault}") from error
    decoded = [decode(column) for column in table.columns]
    return FileTable(path, pa.table(decoded, names=table.column_names))


def decode(column: Any) -> Any:
    """Return a dictionary's values; any other column as it is."""
    dictionary = pyarrow().types.is_dictionary(column.type)
    return column.cast(column.type.value_type) if dictionary else column
