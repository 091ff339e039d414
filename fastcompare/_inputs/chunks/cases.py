"""Chunks of predictions of one or two models for the same cases, with labels or clusters.

Predicted labels, probabilities of the positive class and scores of items are checked chunk by
chunk, each as the same data in memory are; what only all chunks determine is checked at the end.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.dask import RowBlocks
from ..._adapters.frames import check_indexes, is_foreign, is_frame
from ..._adapters.scans import ColumnSelection, Scan
from ..._base.exceptions import InvalidTypeError, InvalidValueError, invalid_value
from ..._base.parallel import S
from ..._base.types import AnyArray, Vector
from ..arrays import Column, as_float_array
from ..items import ITEMS, check_finite_scores, holds_rows
from ..labels import (
    are_of_one_coding,
    as_label_column,
    check_kinds,
    join_chunks,
    label_kind,
    sample_labels,
)
from ..models import first_less_second
from ..options import Workers, check_choice
from ..plans.sizes import SPREADING
from ..predictions import as_labels
from ..probabilities import check_range
from ..scores import UNNAMED, find_missing, named_columns
from ..weights import LABELS, check_length
from .rows import (
    Part,
    are_chunked,
    are_lazy,
    as_doubles,
    as_mapped,
    check_names,
    check_scan,
    encode_labels,
    enumerate_chunks,
    gather_parts,
    lazy_parts,
    mapped_parts,
    names_in,
    naming_chunk,
    refuse_for_chunks,
    repeatable,
)

Names = tuple[str, ...]


class RawChunk(NamedTuple):
    """The columns of a chunk, unchecked: labels, the values of each model, clusters."""

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

    def read(self, part: Part) -> Iterator[RawChunk]:
        """Yield the columns of a part, some rows at a time, or raise with its number."""
        with naming_chunk(*part):
            for columns, names in self.rows(part[1]):
                check_names(names[: self.k], self.names)
                yield self.raw_chunk(columns)

    def rows(self, source: Any) -> Iterator[tuple[Sequence[Any], Names]]:
        """Yield columns in order, and the names of the models."""
        if not hasattr(source, "load"):
            yield self.split(source)
            return
        for columns in source.load():
            yield columns, source.names

    def split(self, chunk: Any) -> tuple[Sequence[Any], Names]:
        """Return the columns of a tuple, in which a table may stand for those of all models."""
        first = int(self.labelled)
        names = UNNAMED[: self.k]
        if not isinstance(chunk, tuple | list) or len(chunk) <= first:
            raise InvalidTypeError(
                f"a chunk must be a tuple {self.tuple_form}, got {type(chunk).__name__}. Columns "
                "by name are read by scan_chunks(chunks, scores=[...]).",
                parameter="chunks",
                value=chunk,
            )
        columns = list(chunk)
        table = columns_of_table(chunk[first], self.arrays)
        if table is not None:
            names = names if isinstance(chunk[first], np.ndarray) else tuple(table)
            columns[first : first + 1] = table.values()
        if table is not None and len(table) != self.k:
            self.refuse(f"a table of {len(table)} models")
        return columns, names

    def raw_chunk(self, columns: Sequence[Any]) -> RawChunk:
        """Return columns by what they are."""
        first = int(self.labelled)
        stop = first + self.k
        if len(columns) != stop + self.grouped:
            self.refuse(f"{len(columns)} columns")
        check_indexes(list(zip((*self.parameters, "groups"), columns, strict=False)))
        labels = columns[0] if self.labelled else None
        return RawChunk(labels, list(columns[first:stop]), columns[stop] if self.grouped else None)

    @property
    def tuple_form(self) -> str:
        """How errors write a chunk."""
        columns = [*self.parameters, "groups"] if self.grouped else [*self.parameters]
        return f"({', '.join(columns)})"

    def refuse(self, came: str) -> None:
        """Raise for a chunk of other columns."""
        raise InvalidValueError(
            f"every chunk must contain {self.tuple_form}, got {came}.", parameter="chunks"
        )


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
    arguments: Mapping[str, Any],
    groups: object = None,
    *,
    mapped: bool,
    labelled: bool = True,
    arrays: bool = False,
    nan_policy: str = "raise",
) -> PairStream:
    """Return a stream of chunks of two models; only the first chunk has been looked at.

    `arguments` are memory-mapped columns by their parameters, or chunks in the place of the first.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    (name, chunks), *others = arguments.items()
    layout = Layout(tuple(arguments), labelled, arrays=arrays)
    if mapped:
        columns = [column for _, column in others]
        columns += [] if groups is None else [groups]
        if are_lazy([chunks, *columns]):
            lazy = lazy_parts(chunks, columns, name, labelled=labelled, k=layout.k)
            return named_stream(
                name, partial(enumerate_chunks, lazy), layout, None, groups is not None
            )
        return named_stream(name, partial(mapped_parts, as_mapped(chunks, columns)), layout)
    if groups is not None:
        raise invalid_value(
            "groups",
            "must come in the chunks",
            end=": as the last column of each, or scan_parquet(path, scores=[...], groups=...).",
        )
    if isinstance(chunks, Scan):
        check_scan(name, chunks, labelled=labelled, grouped=True)
        wanted = chunks.wanted
        clustered = chunks.wanted.groups is not None
        return named_stream(
            name, partial(enumerate_chunks, chunks.parts), layout, wanted, clustered
        )
    return named_stream(name, partial(enumerate_chunks, repeatable(chunks, name), name), layout)


def named_stream(
    name: str,
    parts: Callable[[], Iterator[Part]],
    layout: Layout,
    wanted: ColumnSelection | None = None,
    grouped: bool = False,
) -> PairStream:
    """Return the stream, after a look at the first chunk where a scan does not describe it."""
    first = next(parts(), None)
    if first is None:
        raise invalid_value(name, "must contain at least one chunk", end=", got none.")
    kind = type(first[1])
    names = () if wanted is None else wanted.names
    with naming_chunk(*first):
        if wanted is None and kind is not RowBlocks:
            columns, names = next(layout.rows(first[1]))
            grouped = len(columns) > len(layout.parameters)
            layout = replace(layout, grouped=grouped)
            layout.raw_chunk(columns)
    if wanted is not None and len(names) != layout.k:
        layout.refuse(f"{len(names)} columns of models")
    model_names = (names or names_in(*first))[: layout.k]
    return PairStream(parts, replace(layout, grouped=grouped, names=model_names), model_names, kind)


Labels = NDArray[Any]


class LabelChunk(NamedTuple):
    """True and predicted labels, those of clusters, rows left out; some labels of each column."""

    truth: Labels
    predicted: Sequence[Labels]
    groups: Labels | None
    n_dropped: int
    kinds: Sequence[Labels]


class CompleteRows(NamedTuple):
    """Columns of a chunk without its rows with a missing value, and the number of those rows."""

    columns: list[Labels]
    groups: Labels | None
    n_dropped: int


@dataclass(frozen=True)
class CheckedReader(ABC):
    """What turns a part into checked chunks; picklable."""

    layout: Layout
    nan_policy: str = "raise"

    def read(self, part: Part) -> Iterator[Any]:
        """Yield the chunks of a part that hold any case, or raise with its number."""
        start = 0
        for raw in self.layout.read(part):
            with naming_chunk(*part, start):
                chunk = self.checked_chunk(raw)
            yield chunk
            start += len(raw.models[0])

    @abstractmethod
    def checked_chunk(self, raw: RawChunk) -> Any:
        """Return a chunk, checked."""

    def complete_cases(self, raw: RawChunk) -> CompleteRows:
        """Return the labels, the numbers of each model and groups of cases that miss nothing."""
        first, *titles = self.layout.parameters
        columns = {first: as_label_column(first, raw.labels)}
        for name, values in zip(titles, raw.models, strict=True):
            vector = as_doubles(name, values)
            missing = np.isnan(vector)
            columns[name] = Column(vector, missing if missing.any() else None)
        return without_missing(columns, raw.groups, LABELS, self.nan_policy)


class LabelReader(CheckedReader):
    """What turns a part into checked labels."""

    def checked_chunk(self, raw: RawChunk) -> LabelChunk:
        """Return a chunk's labels, comparable with each other."""
        labels_by_name = dict(zip(self.layout.parameters, (raw.labels, *raw.models), strict=True))
        if raw.groups is None and are_of_one_coding([*labels_by_name.values()]):
            truth, *predicted = labels_by_name.values()
            return LabelChunk(truth, predicted, None, 0, coding_samples([truth, *predicted]))
        columns = {name: as_labels(name, values) for name, values in labels_by_name.items()}
        complete = without_missing(columns, raw.groups, LABELS, self.nan_policy)
        truth, *predicted = complete.columns
        if not truth.size:
            none = [truth] * len(predicted)  # columns of nothing but missing labels have no kind
            return LabelChunk(truth, none, complete.groups, complete.n_dropped, ())
        check_kinds(dict(zip(labels_by_name, complete.columns, strict=True)))
        kinds = coding_samples(complete.columns)
        return LabelChunk(truth, predicted, complete.groups, complete.n_dropped, kinds)


def as_label_stream(
    labels: tuple[Any, Any, Any], correct: tuple[object, object], groups: object, nan_policy: str
) -> PairStream | None:
    """Return the labels of two models (two columns or a table) if they come in chunks, else None.

    Answers that are given as right or wrong are in memory.
    """
    (y_true, a, b), layout = labels, ("y_true", "y_pred_a", "y_pred_b")
    without_answers = correct[0] is correct[1] is None
    pair_in_chunks = without_answers and b is not None and are_chunked((a, b))
    table_in_chunks = without_answers and a is b is None and are_chunks(y_true)
    if not (pair_in_chunks or table_in_chunks):
        return None
    arguments = dict(zip(layout, labels, strict=True))
    return as_pair_stream(
        arguments, groups, mapped=pair_in_chunks, arrays=True, nan_policy=nan_policy
    )


def without_missing(
    columns: Mapping[str, Column], groups: object, of: str, nan_policy: str
) -> CompleteRows:
    """Return columns of the same cases and the labels of their clusters, or raise."""
    n = next(iter(columns.values())).values.size
    for name, column in columns.items():
        check_length(name, column.values.size, n, of)
    clusters = None if groups is None else as_label_column("groups", groups)
    flagged = [(name, column.missing) for name, column in columns.items()]
    if clusters is not None:
        check_length("groups", clusters.values.size, n, of)
        flagged.append(("groups", clusters.missing))
    missing = find_missing(flagged, [], (), nan_policy)
    values = [column.values for column in columns.values()]
    labels = None if clusters is None else clusters.values
    if missing is None:
        return CompleteRows(values, labels, 0)
    there = ~missing
    complete = [vector[there] for vector in values]
    return CompleteRows(
        complete, None if labels is None else labels[there], int(np.count_nonzero(missing))
    )


def coding_samples(columns: Sequence[Labels]) -> list[Labels]:
    """Return for each column the values that show its coding: the range and 0, or one word."""
    return [label_range(sample_labels(labels)) for labels in columns]


def label_range(labels: Labels) -> Labels:
    """Return the least and the greatest label, and 0 if it is among them; of words the first."""
    if label_kind(labels) != "numbers":
        return labels[:1]
    ends = [labels.min(), labels.max()]
    zero = [] if np.count_nonzero(labels) == labels.size else [labels.dtype.type(0)]
    return np.array([*ends, *zero], labels.dtype)


def combine_ranges(
    names: Sequence[str], first_ranges: Sequence[Labels], second_ranges: Sequence[Labels]
) -> Sequence[Labels]:
    """Return the label ranges of the columns of two chunks joined; raise for words and numbers."""
    if not first_ranges or not second_ranges:
        return first_ranges or second_ranges
    columns = zip(names, first_ranges, second_ranges, strict=True)
    return [label_range(join_chunks(name, two_ranges)) for name, *two_ranges in columns]


class ForecastChunk(NamedTuple):
    """Labels of 0 and 1, probabilities by each model, labels of clusters; as `Chunk` besides."""

    labels: NDArray[np.uint8]
    models: Sequence[Vector]
    groups: AnyArray | None
    n_dropped: int
    classes: frozenset[Any]


@dataclass(frozen=True)
class ForecastReader(CheckedReader):
    """What turns a part into checked labels and probabilities."""

    pos_label: object = None

    def checked_chunk(self, raw: RawChunk) -> ForecastChunk:
        """Return labels and probabilities of the cases of a chunk that miss nothing."""
        complete = self.complete_cases(raw)
        labels, *models = complete.columns
        if not labels.size:
            return ForecastChunk(labels, models, complete.groups, complete.n_dropped, frozenset())
        for name, vector in zip(self.layout.parameters[1:], models, strict=True):
            check_range(name, vector)
        positive, classes = encode_labels(labels, self.pos_label)
        return ForecastChunk(positive, models, complete.groups, complete.n_dropped, classes)


def as_forecast_stream(
    arguments: dict[str, Any], groups: object, nan_policy: str, *, allows_mapped: bool
) -> PairStream | None:
    """Return labels and probabilities if they come in chunks, None if they are in memory.

    Memory-mapped arrays come in chunks only if `allows_mapped`: no option needs them in memory.
    """
    y_true, *models = arguments.values()
    flat = allows_mapped and all(getattr(each, "ndim", 1) == 1 for each in models)
    if all(each is None for each in models):
        mapped = False
        chunked = are_chunks(y_true)
    else:
        chunked = mapped = models[-1] is not None and are_chunked(models, "auto" if flat else "")
    if not chunked:
        return None
    return as_pair_stream(arguments, groups, mapped=mapped, nan_policy=nan_policy)


def check_loss_options(method: str, classes: object) -> None:
    """Raise for options of tests of losses that chunks do not have."""
    refuse_for_chunks(classes=classes, method=None if method in ("auto", "t") else method)


class Rows(NamedTuple):
    """Numbers (n,) of each model, their differences, labels of clusters, rows left out, classes.

    Of these `ones` cases are of the positive one.
    """

    columns: Sequence[Vector]
    d: Vector
    groups: AnyArray | None = None
    n_dropped: int = 0
    classes: frozenset[Any] = frozenset()
    ones: int = 0


class ItemReader(CheckedReader):
    """What turns a part into checked scores."""

    def checked_chunk(self, raw: RawChunk) -> Rows:
        """Return the scores of a chunk and their differences."""
        named_models = zip(self.layout.parameters, raw.models, strict=True)
        columns = {name: as_item_column(name, values) for name, values in named_models}
        complete = without_missing(columns, raw.groups, ITEMS, self.nan_policy)
        return Rows(
            complete.columns,
            first_less_second(complete.columns),
            complete.groups,
            complete.n_dropped,
        )


def as_item_column(name: str, values: Any) -> Column:
    """Return a number an item, and which are missing, or raise."""
    scores = as_float_array(name, values)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores.ravel()
    if scores.ndim != 1:
        raise invalid_value(
            name,
            "must have one number for each item in chunks",
            scores.shape,
            ": pass the means of an item's samples.",
            show=", got shape {!r}",
        )
    if not scores.size:
        return Column(scores)
    check_finite_scores(name, scores)
    missing = np.isnan(scores)
    return Column(scores, missing if missing.any() else None)


def as_item_stream(
    scores_a: Any, scores_b: Any, groups: object, nan_policy: str, *, allows_mapped: bool
) -> PairStream | None:
    """Return the scores of two models if they come in chunks, None if they are in memory.

    A scan of one column has their differences. Memory-mapped arrays come in chunks only if
    `allows_mapped` (no option needs them in memory) and the clusters are of one kind.
    """
    arguments = {"scores_a": scores_a, "scores_b": scores_b}
    if scores_b is None:
        if not are_chunks(scores_a):
            return None
        if len(getattr(scores_a, "names", arguments)) == 1:
            arguments = {"scores_a": scores_a}
        return as_pair_stream(
            arguments, groups, mapped=False, labelled=False, nan_policy=nan_policy
        )
    allows_mapped = allows_mapped and all(map(is_one_way, (scores_a, scores_b, groups)))
    if not are_chunked((scores_a, scores_b), "auto" if allows_mapped else ""):
        return None
    return as_pair_stream(arguments, groups, mapped=True, labelled=False, nan_policy=nan_policy)


def is_one_way(values: Any) -> bool:
    """Say whether values are one column or None: no samples, and no clusters of two kinds."""
    if isinstance(values, list | tuple):
        return not holds_rows(values)
    return not isinstance(values, Mapping) and getattr(values, "ndim", 1) == 1


def as_one_stream(
    scores: Any, groups: object, nan_policy: str, **options: object
) -> PairStream | None:
    """Return the scores of one model if they come in chunks, None if they are in memory."""
    chunked = are_chunks(scores)
    mapped = not chunked and is_one_way(scores) and is_one_way(groups)
    if not chunked and not (mapped and are_chunked((scores,), "auto", *options.values())):
        return None
    check_item_options("t", **options)
    arguments = {"scores": scores}
    return as_pair_stream(arguments, groups, mapped=mapped, labelled=False, nan_policy=nan_policy)


def check_item_options(method: str, **options: object) -> None:
    """Raise for options of means that chunks do not have."""
    refuse_for_chunks(**options, method=None if method in SPREADING else method)
