"""Columns and tables of pandas, Polars, Arrow, PyTorch and others, as NumPy arrays.

A value is foreign when another package made its type. Plain NumPy-backed pandas columns need no
package of ours; everything else goes through narwhals, which counts nulls before they turn to NaN.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError, invalid_type

EAGER = {"pandas", "polars", "pyarrow", "narwhals", "modin", "cudf", "torch"}
LAZY = frozenset({"LazyFrame"})
VALUES_OF = {  # how lazy frames of a package are computed
    "dask": ".compute()",
    "duckdb": ".to_arrow_table()",
    "ibis": ".to_pyarrow()",
    "pyspark": ".toArrow()",
}
FOREIGN = frozenset({*EAGER, *VALUES_OF})


def package_name(value: object) -> str:
    """Return the name of the package that defines the value's type; DuckDB 1.4 is `_duckdb`."""
    return type(value).__module__.partition(".")[0].lstrip("_")


def all_columns(arguments: Sequence[Any]) -> list[Any]:
    """Return the columns of all arguments that are mappings, and other arguments as they are."""
    columns: list[Any] = []
    for argument in arguments:
        columns += argument.values() if isinstance(argument, Mapping) else [argument]
    return columns


def is_foreign(value: object) -> bool:
    """Return whether the value is a column or a table of another package than NumPy."""
    return package_name(value) in FOREIGN


def row_index(value: object) -> Any:
    """Return the row index of a pandas object, None for anything else."""
    return getattr(value, "index", None) if package_name(value) in ("pandas", "modin") else None


def check_indexes(named: Sequence[tuple[str, object]]) -> None:
    """Raise if two pandas objects among (name, value) have different indexes of rows.

    To align rows, or to ignore the indexes, would compare what users did not mean.
    """
    first = None
    for name, value in named:
        index = None if isinstance(value, np.ndarray | None) else row_index(value)
        if index is None:
            continue
        if first is None:
            first = name, index
        else:
            first_name, first_index = first
            if not index.equals(first_index):
                raise InvalidValueError(
                    f"`{name}` and `{first_name}` have different indexes. Align them first, or "
                    "pass .to_numpy() of both if their rows are in the same order.",
                    parameter=name,
                )


def series_name(value: object) -> str:
    """Return the name of a column of pandas or Polars, "" if it has none."""
    has_names = package_name(value) in ("pandas", "polars", "modin", "cudf", "narwhals")
    name = getattr(value, "name", None) if has_names else None
    return "" if name is None else str(name)


def narwhals() -> Any:
    """Return the narwhals module, or raise with the pip line."""
    try:
        import narwhals.stable.v1 as nw
    except ImportError as error:
        raise ImportError(
            "this data frame needs narwhals: pip install 'fastcompare[dataframe]', "
            "or pass NumPy arrays."
        ) from error
    return nw


def refuse_lazy(name: str, value: object) -> None:
    """Raise for a lazy frame, a plan without values; the message says how to compute it."""
    hint = VALUES_OF.get(package_name(value), ".collect()" if type(value).__name__ in LAZY else "")
    if hint:
        raise invalid_type(
            name, f"is a lazy {type(value).__name__}", end=f": call {hint} on it before comparing."
        )


def tensor_to_numpy(name: str, tensor: Any) -> NDArray[Any]:
    """Return a PyTorch tensor as a NumPy array, detached from its graph, or raise."""
    if tensor.device.type != "cpu":
        advice = "it has no values" if tensor.device.type == "meta" else "pass its .cpu()"
        raise invalid_type(name, f"is a tensor on {tensor.device}", end=f": {advice}.")
    tensor = tensor.detach()
    try:
        if str(tensor.dtype) == "torch.bfloat16":
            tensor = tensor.float()
        return np.asarray(tensor.resolve_conj().resolve_neg().numpy())
    except (RuntimeError, TypeError, NotImplementedError) as error:  # sparse, quantized, nested
        raise invalid_type(
            name,
            "is a tensor that NumPy cannot read",
            end=f": {error} Pass a dense tensor of numbers.",
        ) from error


def foreign_column(name: str, value: Any) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Return a column's values and where they are null (None: nowhere), or raise for a wider table.

    Floats may contain NaN.
    """
    refuse_lazy(name, value)
    if package_name(value) == "torch":
        return tensor_to_numpy(name, value), None
    if isinstance(getattr(value, "dtype", None), np.dtype) and value.dtype.kind != "O":
        return np.asarray(value), None
    words = pandas_words(value)
    if words is not None:
        return words
    native = narwhals().from_native(
        as_native(value), allow_series=True, eager_only=True, pass_through=True
    )
    if not hasattr(native, "is_null"):
        native = single_column(name, native)
    return series_to_numpy(name, native)


def pandas_words(column: Any) -> tuple[NDArray[Any], NDArray[np.bool_]] | None:
    """Return a pandas column of strings as an array, and where they are missing; None for others.

    Each distinct string is converted once: for 10^6 of them in a fifth of the time.
    """
    if (
        package_name(column) != "pandas"
        or getattr(getattr(column, "dtype", None), "kind", "") != "O"
    ):
        return None
    try:
        numbers, uniques = column.factorize()
    except TypeError:  # values without a hash
        return None
    words = np.asarray(uniques, dtype=object).tolist()
    if not words or not {*map(type, words)} <= {str, np.str_}:
        return None
    missing = numbers < 0  # -1, so that they take the first of the words below
    return np.array(["", *words]).take(numbers + 1), missing


def as_native(value: Any) -> Any:
    """Return a column or table that narwhals accepts.

    Bare arrays are wrapped as columns, and record batches become tables. Columns of a table are
    numbered, "0", "1", ..., unless their names are distinct strings.
    """
    if package_name(value) == "narwhals" and hasattr(value, "to_native"):
        value = value.to_native()
    if package_name(value) == "pandas":
        import pandas as pd

        is_bare = isinstance(value, pd.api.extensions.ExtensionArray)
        return pd.Series(value) if is_bare else with_distinct_names(value)
    if package_name(value) == "pyarrow":
        import pyarrow as pa

        if isinstance(value, pa.RecordBatch):
            value = pa.Table.from_batches([value])
        is_bare = isinstance(value, pa.Array)
        return pa.chunked_array([value]) if is_bare else with_distinct_names(value)
    return with_distinct_names(value)


def with_distinct_names(value: Any) -> Any:
    """Return a table with columns named "0", "1", ... unless its names are distinct strings.

    Names in pandas may be any values, also repeated, but narwhals selects columns by strings. What
    is no table of pandas or Arrow comes back as it is.
    """
    package = package_name(value)
    if package == "pyarrow" and type(value).__name__ == "Table":
        names = value.schema.names
        return value if len({*names}) == len(names) else value.rename_columns(number_columns(names))
    if package not in ("pandas", "modin") or type(value).__name__ != "DataFrame":
        return value
    labels = list(value.columns)
    if {*map(type, labels)} <= {str} and len({*labels}) == len(labels):
        return value
    renamed = value.copy(deep=False)
    renamed.columns = number_columns(labels)
    return renamed


def number_columns(labels: list[Any]) -> list[str]:
    """Return "0", "1", ... for as many columns."""
    return [str(place) for place in range(len(labels))]


def single_column(name: str, frame: Any) -> Any:
    """Return the one column of a frame, or raise."""
    if len(getattr(frame, "columns", ())) != 1:
        raise invalid_type(
            name,
            "must be one column",
            type(frame).__name__,
            ". Select the column.",
            show=", got a {}",
        )
    only_name = frame.columns[0]
    return frame[only_name]


def series_to_numpy(name: str, series: Any) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Return a narwhals series as an array, and which values are null (None: none is).

    In place of nulls stands 0, an empty string or None, so that integers stay integers.
    """
    nw = narwhals()
    if isinstance(series.dtype, nw.Decimal | nw.Int128 | nw.UInt128):
        raise invalid_type(
            name,
            f"contains {series.dtype}, which NumPy does not support",
            end=": cast the column first.",
        )
    missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
    if not missing.any():
        return np.asarray(series.to_numpy()), None
    present = np.asarray(series.drop_nulls().to_numpy())  # nulls would turn integers into floats
    values = np.zeros(missing.shape, present.dtype)
    if present.dtype.kind == "O":
        values.fill(None)
    values[~missing] = present
    return values, missing


def frame_names(value: Any) -> list[str]:
    """Return the names of a frame's columns, which may be the same."""
    is_arrow = package_name(value) == "pyarrow"  # its `columns` are the columns themselves
    return [str(label) for label in (value.schema.names if is_arrow else value.columns)]


def frame_columns(value: Any) -> list[Any]:
    """Return the columns of a data frame in their order, whatever they are called."""
    frame = narwhals().from_native(as_native(value), eager_only=True)
    return [column.to_native() for column in frame.iter_columns()]


def frame_labels(value: Any) -> tuple[tuple[Any, ...] | None, tuple[Any, ...] | None]:
    """Return the labels of a frame's rows and those of its columns, each None for default ones.

    Only pandas labels rows.
    """
    if package_name(value) in ("pandas", "modin"):
        return axis_labels(value.index), axis_labels(value.columns)
    names = frame_names(value)
    numbered = names == [f"column_{i}" for i in range(len(names))]  # Polars' own names
    return None, None if numbered else tuple(names)


def axis_labels(axis: Any) -> tuple[Any, ...] | None:
    """Return the labels of pandas' rows or columns, None for a RangeIndex 0, 1, 2, ..."""
    return None if type(axis).__name__ == "RangeIndex" else tuple(axis)


def is_frame(value: object) -> bool:
    """Return whether the value is a foreign table with named columns."""
    return is_foreign(value) and (type(value).__name__ in LAZY or hasattr(value, "columns"))
