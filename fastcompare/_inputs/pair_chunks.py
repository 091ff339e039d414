"""Chunks of what one or two models gave to the same cases, with labels or clusters besides."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .._adapters.dask import Blocks
from .._adapters.frames import is_foreign, is_frame
from .._adapters.scans import Scan, Wanted
from .._base.exceptions import InvalidTypeError, InvalidValueError
from .._base.streams import S
from .cases import check_indexes
from .chunks import Part, as_mapped, check_names, mapped_parts, names_in
from .lazy import are_lazy, lazy_parts
from .options import check_choice
from .parts import check_scan, enumerated, gather_parts, of_chunk, repeatable
from .scores import UNNAMED, named_columns
from .workers import Workers

Names = tuple[str, ...]


class Raw(NamedTuple):
    """Columns of a chunk as they came: of labels, of each model, of clusters."""

    labels: Any
    models: list[Any]
    groups: Any


@dataclass(frozen=True)
class Layout:
    """Which columns chunks have: those of the parameters, and clusters behind them or not.

    Columns of `arrays` are models, unless they are samples, or probabilities of classes, of one.
    """

    parameters: Names
    labelled: bool = True
    grouped: bool = False
    names: Names = ()
    arrays: bool = False

    @property
    def k(self) -> int:
        """The number of models."""
        return len(self.parameters) - self.labelled

    def read(self, part: Part) -> Iterator[Raw]:
        """Yield the columns of a part, some rows at a time, or raise with its number."""
        number, given = part
        with of_chunk(number):
            for columns, names in self.rows(given):
                check_names(names[: self.k], self.names)
                yield self.named(columns)

    def rows(self, given: Any) -> Iterator[tuple[Sequence[Any], Names]]:
        """Yield columns in order, and the names of the models."""
        if not hasattr(given, "load"):
            yield self.split(given)
            return
        for columns in given.load():
            yield columns, given.names

    def split(self, given: Any) -> tuple[Sequence[Any], Names]:
        """Return the columns of a tuple, in which a table may stand for those of all models."""
        first, names = int(self.labelled), UNNAMED[: self.k]
        if not isinstance(given, tuple | list) or len(given) <= first:
            raise InvalidTypeError(
                f"a chunk must be a tuple {self.shown}, got {type(given).__name__}. Columns by "
                "name are read by scan_chunks(chunks, scores=[...])."
            )
        columns, table = list(given), columns_of_table(given[first], self.arrays)
        if table is not None:
            names = names if isinstance(given[first], np.ndarray) else tuple(table)
            columns[first : first + 1] = table.values()
        if table is not None and len(table) != self.k:
            self.refuse(f"a table of {len(table)} models")
        return columns, names

    def named(self, columns: Sequence[Any]) -> Raw:
        """Return columns by what they are."""
        first = int(self.labelled)
        stop = first + self.k
        if len(columns) != stop + self.grouped:
            self.refuse(f"{len(columns)} columns")
        check_indexes(list(zip((*self.parameters, "groups"), columns, strict=False)))
        labels = columns[0] if self.labelled else None
        return Raw(labels, list(columns[first:stop]), columns[stop] if self.grouped else None)

    @property
    def shown(self) -> str:
        """How errors write a chunk."""
        columns = [*self.parameters, "groups"] if self.grouped else [*self.parameters]
        return f"({', '.join(columns)})"

    def refuse(self, came: str) -> None:
        """Raise for a chunk of other columns."""
        raise InvalidValueError(f"every chunk must hold {self.shown}, got {came}.")


@dataclass(frozen=True)
class PairStream:
    """Chunks of the same models, which columns they have, and the names of the models."""

    parts: Callable[[], Iterator[Part]]
    layout: Layout
    names: Names
    kind: type = tuple

    def gather(self, empty: Callable[[], S], workers: Workers) -> S:
        """Return the summary of all parts."""
        who = workers["n_jobs"], workers["executor"]
        return gather_parts(empty, self.parts, self.kind, *who)


def columns_of_table(values: Any, arrays: bool) -> dict[str, Any] | None:
    """Return the columns of a table with a column a model by names; None for anything else."""
    if arrays and isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] > 1:
        return dict(zip(map(str, range(values.shape[1])), values.T, strict=True))
    is_named = isinstance(values, Mapping) or is_frame(values)
    return named_columns("scores", values) if is_named else None


def are_chunks(value: Any) -> bool:
    """Say whether chunks came: a scan, a function that makes an iterator, or a list of tuples.

    The first tuple must begin with a column: rows of a table begin with a number.
    """
    if isinstance(value, Scan | Iterator) or callable(value):
        return True
    is_array = isinstance(value, np.ndarray | str | bytes | Mapping) or is_foreign(value)
    if is_array or not isinstance(value, Iterable) or hasattr(value, "__array__"):
        return False
    first = next(iter(value), None)
    if not isinstance(first, tuple | list) or not first:
        return False
    return hasattr(first[0], "__len__") and not isinstance(first[0], str | bytes)


def as_pair_stream(
    given: Mapping[str, Any],
    groups: object = None,
    *,
    mapped: bool,
    labelled: bool = True,
    arrays: bool = False,
    nan_policy: str = "raise",
) -> PairStream:
    """Return chunks as they are read.

    `given` are memory-mapped columns by their parameters, or chunks in the place of the first.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    (name, chunks), *others = given.items()
    layout = Layout(tuple(given), labelled, arrays=arrays)
    if mapped:
        columns = [column for _, column in others]
        columns += [] if groups is None else [groups]
        if are_lazy([chunks, *columns]):
            lazy = lazy_parts(chunks, columns, name, labelled=labelled, k=layout.k)
            return named_stream(name, partial(enumerated, lazy), layout, None, groups is not None)
        return named_stream(name, partial(mapped_parts, as_mapped(chunks, columns)), layout)
    if groups is not None:
        raise InvalidValueError(
            "`groups` must come in the chunks: as the last column of each, or "
            "scan_parquet(path, scores=[...], groups=...)."
        )
    if isinstance(chunks, Scan):
        check_scan(name, chunks, labelled=labelled, grouped=True)
        wanted, clustered = chunks.wanted, chunks.wanted.groups is not None
        return named_stream(name, partial(enumerated, chunks.parts), layout, wanted, clustered)
    return named_stream(name, partial(enumerated, repeatable(chunks, name), name), layout)


def named_stream(
    name: str,
    parts: Callable[[], Iterator[Part]],
    layout: Layout,
    known: Wanted | None = None,
    grouped: bool = False,
) -> PairStream:
    """Return the stream, after a look at the first chunk where a scan does not tell of it."""
    first = next(parts(), None)
    if first is None:
        raise InvalidValueError(f"`{name}` must hold at least one chunk, got none.")
    kind, names = type(first[1]), () if known is None else known.names
    with of_chunk(first[0]):
        if known is None and kind is not Blocks:
            columns, names = next(layout.rows(first[1]))
            grouped = len(columns) > len(layout.parameters)
            layout = replace(layout, grouped=grouped)
            layout.named(columns)
    if known is not None and len(names) != layout.k:
        layout.refuse(f"{len(names)} columns of models")
    found = (names or names_in(*first))[: layout.k]
    return PairStream(parts, replace(layout, grouped=grouped, names=found), found, kind)
