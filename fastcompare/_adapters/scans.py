"""Tables that are read a piece at a time: Parquet files, Arrow streams, frames in chunks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from glob import glob, has_magic
from pathlib import Path
from typing import Any, NamedTuple

from .._base.exceptions import (
    FastCompareError,
    InvalidTypeError,
    InvalidValueError,
    invalid_type,
    suggestion,
    translate_marks,
    with_message,
)
from .._base.types import Pieces, Progress
from .dask import column_names, dask_blocks, is_dask
from .delimited import floats_with_nan, pyarrow, to_numpy
from .files import decode_dictionary
from .frames import frame_columns, frame_names, is_frame, package_name, refuse_lazy
from .progress import reporter, reporting

MISSING = (FileNotFoundError, PermissionError, IsADirectoryError)  # errors with clear messages
ROWS = 1 << 20  # of a row group that are decoded at a time
READABLE_ONCE = (
    "can be read only once, not several times: pass a function that returns it, or its table."
)


class ColumnSelection(NamedTuple):
    """The names of the columns to read: of labels, of the models' scores, of clusters.

    None are those of labels or clusters that are not read.
    """

    label: str | None
    names: tuple[str, ...]
    groups: str | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns' names in the order in which they are read."""
        return tuple(name for name in (self.label, *self.names, self.groups) if name is not None)

    def read(self, column: Callable[[str], Any]) -> tuple[Any, ...]:
        """Return the columns in order, Arrow's as NumPy arrays; `column` gets one by its name."""
        return tuple(arrow_to_numpy(column(name), name == self.groups) for name in self.columns)


@dataclass(frozen=True)
class ColumnReader:
    """A part of a table from which some columns are read."""

    wanted: ColumnSelection

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the models."""
        return self.wanted.names


@dataclass(frozen=True)
class Scan(ColumnReader, Pieces):
    """Columns of a table that is read in chunks; `parts` returns an iterator of chunks."""

    parts: Callable[[], Iterable[Any]]


@dataclass(frozen=True)
class RowGroup(ColumnReader):
    """A row group of a Parquet file; it can be sent to another process, which reads it there."""

    path: str
    group: int
    start: int = 0  # the rows of the file before it

    def load(self) -> Iterator[tuple[Any, ...]]:
        """Yield the columns of up to a million rows at a time, or raise if the file is damaged."""
        columns = list(self.wanted.columns)
        file = parquet_file(self.path)
        batches = file.iter_batches(ROWS, row_groups=[self.group], columns=columns)
        while (batch := self.next_batch(batches)) is not None:
            yield self.wanted.read(batch.column)

    def next_batch(self, batches: Iterator[Any]) -> Any:
        """Return the next batch of rows, None at the end, or raise if it is damaged."""
        try:
            return next(batches, None)
        except (pyarrow().ArrowException, OSError) as error:
            raise InvalidValueError(
                f"it is damaged: {first_line(error)} Write it anew.", parameter="source"
            ) from error

    def in_file(self, error: FastCompareError, start: int) -> FastCompareError:
        """Return an error with the path in its message, and with its row as a row of the file.

        The row of `error` counts from row `start` of this row group.
        """
        rows_before = self.start + start
        ways = {"place": lambda mark: f"in row {rows_before + int(str(mark['row']))} of the file"}
        message = translate_marks(str(error), ways)
        in_file = with_message(error, f"{self.path!r}, row group {self.group}: {message}")
        in_file.row = None if error.row is None else rows_before + error.row
        return in_file


@dataclass(frozen=True)
class NamedChunk(ColumnReader):
    """A chunk of a table: a mapping, a data frame or a record batch."""

    chunk: Any

    def load(self) -> Iterator[tuple[Any, ...]]:
        """Yield the columns as one tuple, Arrow's as NumPy arrays, or raise if one is missing."""
        columns = columns_by_name(self.chunk)
        check_columns("a chunk", self.wanted.columns, list(columns))
        yield self.wanted.read(columns.__getitem__)


def scan_parquet(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    label: str | None = None,
    scores: Sequence[str],
    groups: str | None = None,
    progress: Progress = None,
) -> Scan:
    """Return columns of Parquet files as chunks that are read on demand.

    Pass the result as the first argument of a test, without scores. One row group, or a million
    rows of a large one, is read at a time: memory use does not depend on the size of the files.

    Parameters
    ----------
    path : str, path-like or list of them
        A file, a pattern such as ``scores/*.parquet``, a folder whose ``*.parquet`` files are one
        table, or a list of these.
    label : str, optional
        The column with the labels, for tests that need them.
    scores : list of str
        The columns of the models (scores, probabilities or predicted labels); their names become
        model names.
    groups : str, optional
        The column with the clusters, for tests that allow them.
    progress : bool or callable, optional
        True shows a progress bar of each pass over the data in a terminal or notebook if it takes
        more than a second; a callable receives the number of chunks read and their total.

    Returns
    -------
    Scan
        The input of tests that accept chunks: `delong_test`, `mcnemar_test` and others.

    See Also
    --------
    scan_chunks : Arrow streams, and data frames in chunks.

    References
    ----------
    .. [1] The Apache Software Foundation, https://parquet.apache.org/docs/file-format/.

    Examples
    --------
    >>> import fastcompare as fc
    >>> scan = fc.scan_parquet("scores/", label="y", scores=["a", "b"])  # doctest: +SKIP
    >>> fc.delong_test(scan).pvalue  # doctest: +SKIP
    0.0412
    """
    wanted = select_columns(label, scores, groups)
    row_groups: list[RowGroup] = []
    kinds: dict[str, tuple[str, Any]] = {}
    for file in list_files(path):
        parquet = parquet_file(file)
        check_columns(repr(file), wanted.columns, parquet.schema_arrow.names)
        for name in wanted.columns:
            kind = parquet.schema_arrow.field(name).type
            first, usual = kinds.setdefault(name, (file, kind))
            if kind != usual:
                raise InvalidTypeError(
                    f"{file!r}: column {name!r} is {kind}, but {usual} in {first!r}. Write the "
                    "files with one schema.",
                    parameter=name,
                    value=str(kind),
                )
        row_groups += file_row_groups(wanted, file, parquet.metadata)
    return Scan(wanted, with_progress(row_groups.__iter__, len(row_groups), progress))


def scan_chunks(
    source: Any,
    *,
    label: str | None = None,
    scores: Sequence[str],
    groups: str | None = None,
    progress: Progress = None,
) -> Scan:
    """Return columns of an Arrow stream, or of data frames in chunks, as chunks.

    Pass the result as the first argument of a test, without scores.

    Parameters
    ----------
    source : Arrow table, dataset or stream, iterable or callable
        An object with ``__arrow_c_stream__`` that can be read repeatedly, such as a Polars data
        frame or a DuckDB relation; a Polars LazyFrame, computed anew in each pass, in batches from
        Polars 1.34 on; a pyarrow dataset; data frames, record batches or mappings of arrays, in a
        list or from a function that returns an iterator or a reader; or a dask data frame, whose
        partitions are computed where they are read.
    label : str, optional
        The column with the labels, for tests that need them.
    scores : list of str
        The columns of the models (scores, probabilities or predicted labels); their names become
        model names.
    groups : str, optional
        The column with the clusters, for tests that allow them.
    progress : bool or callable, optional
        True shows a progress bar of each pass over the data in a terminal or notebook if it takes
        more than a second; a callable receives the number of chunks read and their total.

    Returns
    -------
    Scan
        The input of tests that accept chunks: `delong_test`, `mcnemar_test` and others.

    See Also
    --------
    scan_parquet : Files, whose row groups can be read by several processes.

    References
    ----------
    .. [1] The Apache Software Foundation, https://arrow.apache.org/docs/format/CStreamInterface.html.

    Examples
    --------
    >>> import fastcompare as fc
    >>> chunks = [
    ...     {"y": [0, 1, 1], "a": [0.1, 0.6, 0.7], "b": [0.3, 0.2, 0.7]},
    ...     {"y": [0, 1], "a": [0.2, 0.8], "b": [0.6, 0.9]},
    ... ]
    >>> scan = fc.scan_chunks(chunks, label="y", scores=["a", "b"])
    >>> fc.delong_test(scan, on_undefined="ignore").auc.round(4).tolist()
    [1.0, 0.6667]
    """
    wanted = select_columns(label, scores, groups)
    if is_dask(source):
        check_columns("`source`", wanted.columns, column_names(source))
        return Scan(wanted, dask_blocks([source[list(wanted.columns)]], wanted.names))

    def parts() -> Iterator[NamedChunk]:
        for chunk in iterate_chunks(source, wanted.columns):
            yield NamedChunk(wanted, chunk)

    if progress:
        total = sum(1 for _ in parts())
    else:
        total = 0  # nobody asks for it
        next(parts(), None)  # raises at once for a source that cannot be read
    return Scan(wanted, with_progress(parts, total, progress))


def with_progress(
    parts: Callable[[], Iterable[Any]], total: int, progress: Progress
) -> Callable[[], Iterable[Any]]:
    """Return a function like `parts`, whose iterators report each of the `total` parts to be read.

    Without `progress` `parts` itself.
    """
    if not progress:
        return parts

    def reported_parts() -> Iterator[Any]:
        """Yield the parts, and report after each how many have been read."""
        with reporting(partial(reporter, progress), total) as report:
            for done, part in enumerate(parts(), 1):
                yield part
                report(done)

    return reported_parts


def select_columns(label: str | None, scores: Sequence[str], groups: str | None) -> ColumnSelection:
    """Return the selection of columns to read, or raise unless their names are distinct strings."""
    names = (scores,) if isinstance(scores, str) else tuple(scores)
    wanted = ColumnSelection(label, names, groups)
    for parameter, name in (("label", label), ("groups", groups)):
        if name is not None and not isinstance(name, str):
            raise invalid_type(parameter, "must be the name of a column", name)
    if not names or not all(isinstance(name, str) for name in names):
        raise invalid_type("scores", "must be one or more names of columns", scores)
    if len({*wanted.columns}) < len(wanted.columns):
        requested = [*wanted.columns]
        raise InvalidValueError(
            f"`label`, `scores` and `groups` must differ, got {requested!r}.", parameter="label"
        )
    return wanted


def check_columns(where: str, wanted: Sequence[str], names: Sequence[str]) -> None:
    """Raise unless each wanted column occurs once among `names`; `where` begins the message."""
    for name in wanted:
        if name not in names:
            hint = suggestion(name, names)
            raise InvalidValueError(
                f"{where} has no column {name!r}, it has {', '.join(map(repr, names))}.{hint}",
                parameter="source",
                value=name,
            )
        if list(names).count(name) > 1:
            raise InvalidValueError(
                f"{where} has several columns of the same name: {name!r}.",
                parameter="source",
                value=name,
            )


def file_row_groups(wanted: ColumnSelection, file: str, metadata: Any) -> Iterator[RowGroup]:
    """Yield the row groups of a file, each with the number of rows before it."""
    start = 0
    for group in range(metadata.num_row_groups):
        yield RowGroup(wanted, file, group, start)
        start += metadata.row_group(group).num_rows


def list_files(path: Any) -> list[str]:
    """Return the files of a path, a pattern, a folder or a list of these; raise if there is none.

    Those of a pattern or a folder are in the order of their names.
    """
    if not isinstance(path, str | os.PathLike):
        return [file for each in path for file in list_files(each)]
    path = os.path.expanduser(os.fspath(path))
    if not os.path.lexists(path) and has_magic(path):
        matches = sorted(glob(path, recursive=True))
        if not matches:
            raise InvalidValueError(
                f"{path!r} matches no file: name files, or a folder of them.", parameter=path
            )
        return [file for each in matches for file in list_files(each)]
    if not os.path.isdir(path):
        return [path]
    files = sorted(map(str, Path(path).rglob("*.parquet")))
    if not files:
        raise InvalidValueError(
            f"{path!r} contains no '*.parquet' file: name its files.", parameter=path
        )
    return files


def parquet_file(path: str) -> Any:
    """Return an open Parquet file, or raise with its path."""
    pa = pyarrow()
    from pyarrow import parquet

    try:
        return parquet.ParquetFile(path)
    except (pa.ArrowException, OSError) as error:
        if type(error) in MISSING:  # pyarrow's message names the path
            raise
        fault = first_line(error)
        raise InvalidValueError(
            f"{path!r} is not a readable Parquet file: {fault}", parameter=path
        ) from error


def first_line(error: Exception) -> str:
    """Return the first line of another library's message, as a sentence."""
    line = str(error).partition("\n")[0].strip().rstrip(".")
    return f"{line}."


def lazy_batches(frame: Any, columns: Sequence[str]) -> Iterator[Any]:
    """Yield batches of some columns of a Polars LazyFrame, or raise if it cannot be computed.

    Polars before 1.34 has no batches: then all rows come at once.
    """
    from polars.exceptions import PolarsError

    try:
        check_columns("`source`", columns, frame.collect_schema().names())
        chosen = frame.select(list(columns))
        if hasattr(chosen, "collect_batches"):
            yield from chosen.collect_batches()
        else:
            yield chosen.collect()
    except PolarsError as error:
        raise InvalidValueError(
            f"`source`, a LazyFrame, cannot be computed: {first_line(error)}", parameter="source"
        ) from error


def iterate_chunks(source: Any, columns: Sequence[str]) -> Iterable[Any]:
    """Return a new iterable of the chunks of a source, or raise if it can be read only once."""
    kind = type(source).__name__
    if kind == "RecordBatchReader" or isinstance(source, Iterator):
        raise invalid_type("source", f"is a {kind}, which {READABLE_ONCE}", end="")
    stream = source() if callable(source) else source
    if type(stream).__name__ == "LazyFrame" and package_name(stream) == "polars":
        return lazy_batches(stream, columns)
    if hasattr(stream, "to_batches"):  # a dataset or a table
        return stream.to_batches()  # type: ignore[no-any-return]
    if hasattr(stream, "__arrow_c_stream__"):
        return pyarrow().RecordBatchReader.from_stream(stream)  # type: ignore[no-any-return]
    refuse_lazy("source", stream)
    if isinstance(stream, Mapping) or is_frame(stream):
        return [stream]
    if not isinstance(stream, Iterable):
        raise invalid_type(
            "source", "must be an Arrow stream or an iterable", kind, show=", got a {}"
        )
    return stream


def columns_by_name(chunk: Any) -> Mapping[str, Any]:
    """Return the columns of a mapping, a data frame or a record batch, or raise."""
    if isinstance(chunk, Mapping):
        return dict(chunk)
    if package_name(chunk) == "pyarrow" and hasattr(chunk, "schema"):
        return dict(zip(chunk.schema.names, chunk.columns, strict=True))
    if is_frame(chunk):
        return dict(zip(frame_names(chunk), frame_columns(chunk), strict=True))
    raise InvalidTypeError(
        f"a chunk must be a mapping, a data frame or a record batch, got {type(chunk).__name__}.",
        parameter="source",
        value=chunk,
    )


def arrow_to_numpy(column: Any, as_integers: bool = False) -> Any:
    """Return an Arrow column of numbers as a NumPy array, NaN where null; other columns unchanged.

    Unchanged are also integers with nulls that floats would merge: beyond 2^53, or the labels of
    clusters (`as_integers`).
    """
    if package_name(column) != "pyarrow":
        return column
    pa = pyarrow()
    if isinstance(column, pa.Array):
        column = pa.chunked_array([column])
    column = decode_dictionary(column)
    if pa.types.is_boolean(column.type):
        column = column.cast(pa.uint8())
    if pa.types.is_integer(column.type):
        if as_integers and column.null_count:
            return column
        if not column.null_count:
            return to_numpy(column)
        try:
            return floats_with_nan(column.cast(pa.float64()))
        except pa.ArrowInvalid:  # beyond 2^53
            return column
    return floats_with_nan(column) if pa.types.is_floating(column.type) else column
