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
from ..plans.sizes import METHODS_BY_STANDARD_ERROR
from ..predictions import as_labels
from ..probabilities import check_range
from ..scores import UNNAMED, find_missing, named_columns
from ..weights import LABELS, check_length
from .rows import (
    NumberedChunk,
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

    def read_chunk(self, part: NumberedChunk) -> Iterator[RawChunk]:
        """Yield the columns of a chunk, some rows at a time; errors name the chunk's number."""
        number, source = part
        with naming_chunk(number, source):
            for columns, names in self.rows(source):
                check_names(names[: self.k], self.names)
                yield self.raw_chunk(columns)

    def rows(self, source: Any) -> Iterator[tuple[Sequence[Any], Names]]:
        """Yield the columns of a chunk in order, and the names of the models.

        A tuple is yielded whole; a source with `load`, such as a row group, some rows at a time.
        """
        if not hasattr(source, "load"):
            yield self.split(source)
            return
        for columns in source.load():
            yield columns, source.names

    def split(self, chunk: Any) -> tuple[Sequence[Any], Names]:
        """Return the columns of a tuple and the names of the models, or raise.

        A table in the place of the first model stands for the columns of all models.
        """
        first_model = int(self.labelled)  # behind the labels, if there are any
        names = UNNAMED[: self.k]
        if not isinstance(chunk, tuple | list) or len(chunk) <= first_model:
            raise InvalidTypeError(
                f"a chunk must be a tuple {self.tuple_form}, got {type(chunk).__name__}. Columns "
                "by name are read by scan_chunks(chunks, scores=[...]).",
                parameter="chunks",
                value=chunk,
            )
        columns = list(chunk)
        table = columns_of_table(chunk[first_model], self.arrays)
        if table is not None:
            names = names if isinstance(chunk[first_model], np.ndarray) else tuple(table)
            columns[first_model : first_model + 1] = table.values()
        if table is not None and len(table) != self.k:
            self.refuse(f"a table of {len(table)} models")
        return columns, names

    def raw_chunk(self, columns: Sequence[Any]) -> RawChunk:
        """Return the columns of a chunk as labels, models and clusters, or raise for their number.

        Columns with row indexes must have the same one.
        """
        first_model = int(self.labelled)
        stop = first_model + self.k
        if len(columns) != stop + self.grouped:
            self.refuse(f"{len(columns)} columns")
        check_indexes(list(zip((*self.parameters, "groups"), columns, strict=False)))
        labels = columns[0] if self.labelled else None
        groups = columns[stop] if self.grouped else None
        return RawChunk(labels, list(columns[first_model:stop]), groups)

    @property
    def tuple_form(self) -> str:
        """The columns of a chunk as errors write them: "(y_true, y_pred_a, y_pred_b)"."""
        columns = [*self.parameters, "groups"] if self.grouped else [*self.parameters]
        return f"({', '.join(columns)})"

    def refuse(self, came: str) -> None:
        """Raise for a chunk of other columns."""
        raise InvalidValueError(
            f"every chunk must contain {self.tuple_form}, got {came}.", parameter="chunks"
        )


@dataclass(frozen=True)
class PairStream:
    """Chunks of the same models, which columns they have, and the names of the models.

    `parts` makes a new iterator of the chunks, which are of type `kind`.
    """

    parts: Callable[[], Iterator[NumberedChunk]]
    layout: Layout
    names: Names
    kind: type = tuple

    def gather(self, empty: Callable[[], S], workers: Workers) -> S:
        """Return the summary of all chunks, which begins as `empty()`."""
        n_jobs, executor = workers["n_jobs"], workers["executor"]
        return gather_parts(empty, self.parts, self.kind, n_jobs, executor)


def columns_of_table(values: Any, arrays: bool) -> dict[str, Any] | None:
    """Return the columns of a table with a column a model by names; None for anything else.

    Where `arrays`, an array (n, k) of k > 1 models is such a table, with the names "0", "1", ...
    """
    if arrays and isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] > 1:
        return dict(zip(map(str, range(values.shape[1])), values.T, strict=True))
    is_named = isinstance(values, Mapping) or is_frame(values)
    return named_columns("scores", values) if is_named else None


def are_chunks(value: Any) -> bool:
    """Say whether chunks came: a scan, a function that makes an iterator, or a list of tuples.

    The first tuple must begin with a column, for rows of a table in a list are tuples, too, but
    begin with a number.
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
    """Return a stream of chunks of one, two or more models; only the first chunk has been read.

    `arguments` have one entry a column, by its parameter. Where `mapped`, their values are columns
    that are memory-mapped or dask's; else the first value is the chunks, and the others are None.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    (name, chunks), *others = arguments.items()
    layout = Layout(tuple(arguments), labelled, arrays=arrays)
    if mapped:
        first_column = chunks
        columns = [column for _, column in others]
        columns += [] if groups is None else [groups]
        if are_lazy([first_column, *columns]):
            lazy = lazy_parts(first_column, columns, name, labelled=labelled, k=layout.k)
            return named_stream(
                name, partial(enumerate_chunks, lazy), layout, grouped=groups is not None
            )
        return named_stream(name, partial(mapped_parts, as_mapped(first_column, columns)), layout)
    if groups is not None:
        raise invalid_value(
            "groups",
            "must come in the chunks",
            end=": as the last column of each, or scan_parquet(path, scores=[...], groups=...).",
        )
    if isinstance(chunks, Scan):
        check_scan(name, chunks, labelled=labelled, grouped=True)
        wanted = chunks.wanted
        grouped = wanted.groups is not None
        return named_stream(name, partial(enumerate_chunks, chunks.parts), layout, wanted, grouped)
    return named_stream(name, partial(enumerate_chunks, repeatable(chunks, name), name), layout)


def named_stream(
    name: str,
    parts: Callable[[], Iterator[NumberedChunk]],
    layout: Layout,
    wanted: ColumnSelection | None = None,
    grouped: bool = False,
) -> PairStream:
    """Return the stream, with what its first chunk shows of its layout; raise if it has no chunk.

    A scan knows its columns (`wanted`), and of dask's blocks `grouped` says whether the last column
    has clusters; tuples have clusters if they have a column more than there are parameters.
    """
    first = next(parts(), None)
    if first is None:
        raise invalid_value(name, "must contain at least one chunk", end=", got none.")
    number, source = first
    kind = type(source)
    names = () if wanted is None else wanted.names
    with naming_chunk(number, source):
        if wanted is None and kind is not RowBlocks:
            columns, names = next(layout.rows(source))
            grouped = len(columns) > len(layout.parameters)
            layout = replace(layout, grouped=grouped)
            layout.raw_chunk(columns)
    if wanted is not None and len(names) != layout.k:
        layout.refuse(f"{len(names)} columns of models")
    model_names = (names or names_in(number, source))[: layout.k]
    return PairStream(parts, replace(layout, grouped=grouped, names=model_names), model_names, kind)


Labels = NDArray[Any]


class LabelChunk(NamedTuple):
    """True labels (n,), each model's predicted ones, those of clusters, and rows left out.

    `kinds` are the `coding_samples` of the true and of each model's labels, none of no cases.
    """

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
    """What turns the chunks of a stream into checked ones; picklable."""

    layout: Layout
    nan_policy: str = "raise"

    def read(self, part: NumberedChunk) -> Iterator[Any]:
        """Yield the checked rows of a chunk, some at a time; errors name the number of the chunk.

        What is yielded has no cases where all of them miss something.
        """
        number, source = part
        start = 0  # of these rows in the chunk
        for raw in self.layout.read_chunk(part):
            with naming_chunk(number, source, start):
                chunk = self.checked_chunk(raw)
            yield chunk
            start += len(raw.models[0])

    @abstractmethod
    def checked_chunk(self, raw: RawChunk) -> Any:
        """Return the checked columns of a chunk, of the class that this reader yields."""

    def complete_cases(self, raw: RawChunk) -> CompleteRows:
        """Return the labels, each model's numbers and the clusters of cases that miss nothing.

        The labels are the first of the columns.
        """
        label_parameter, *titles = self.layout.parameters
        columns = {label_parameter: as_label_column(label_parameter, raw.labels)}
        for name, values in zip(titles, raw.models, strict=True):
            vector = as_doubles(name, values)
            missing = np.isnan(vector)
            columns[name] = Column(vector, missing if missing.any() else None)
        return without_missing(columns, raw.groups, LABELS, self.nan_policy)


class LabelReader(CheckedReader):
    """What turns chunks into checked labels."""

    def checked_chunk(self, raw: RawChunk) -> LabelChunk:
        """Return the true and predicted labels of a chunk, or raise if they are not comparable."""
        labels_by_name = dict(zip(self.layout.parameters, (raw.labels, *raw.models), strict=True))
        if raw.groups is None and are_of_one_coding([*labels_by_name.values()]):
            truth, *predicted = labels_by_name.values()
            return LabelChunk(truth, predicted, None, 0, coding_samples([truth, *predicted]))
        columns = {name: as_labels(name, values) for name, values in labels_by_name.items()}
        complete = without_missing(columns, raw.groups, LABELS, self.nan_policy)
        truth, *predicted = complete.columns
        if not truth.size:
            empty = [truth] * len(predicted)  # columns of nothing but missing labels have no kind
            return LabelChunk(truth, empty, complete.groups, complete.n_dropped, ())
        check_kinds(dict(zip(labels_by_name, complete.columns, strict=True)))
        kinds = coding_samples(complete.columns)
        return LabelChunk(truth, predicted, complete.groups, complete.n_dropped, kinds)


def as_label_stream(
    labels: tuple[Any, Any, Any], correct: tuple[object, object], groups: object, nan_policy: str
) -> PairStream | None:
    """Return the labels of two models as a stream if they come in chunks, else None.

    `labels` are true labels and those of two models, or chunks of all three and twice None. Where
    answers are given as right or wrong (`correct`), they are in memory.
    """
    y_true, y_pred_a, y_pred_b = labels
    without_answers = all(answers is None for answers in correct)
    pair_in_chunks = without_answers and y_pred_b is not None and are_chunked((y_pred_a, y_pred_b))
    all_in_chunks = without_answers and y_pred_a is y_pred_b is None and are_chunks(y_true)
    if not (pair_in_chunks or all_in_chunks):
        return None
    arguments = {"y_true": y_true, "y_pred_a": y_pred_a, "y_pred_b": y_pred_b}
    return as_pair_stream(
        arguments, groups, mapped=pair_in_chunks, arrays=True, nan_policy=nan_policy
    )


def without_missing(
    columns: Mapping[str, Column], groups: object, cases: str, nan_policy: str
) -> CompleteRows:
    """Return columns and clusters of the cases that miss nothing, or raise.

    Columns must be as long as the first; errors call what they are of `cases`.
    """
    n = next(iter(columns.values())).values.size
    for name, column in columns.items():
        check_length(name, column.values.size, n, cases)
    clusters = None if groups is None else as_label_column("groups", groups)
    flagged = [(name, column.missing) for name, column in columns.items()]
    if clusters is not None:
        check_length("groups", clusters.values.size, n, cases)
        flagged.append(("groups", clusters.missing))
    missing = find_missing(flagged, [], (), nan_policy)
    values = [column.values for column in columns.values()]
    labels = None if clusters is None else clusters.values
    if missing is None:
        return CompleteRows(values, labels, 0)
    complete = ~missing
    return CompleteRows(
        [vector[complete] for vector in values],
        None if labels is None else labels[complete],
        int(np.count_nonzero(missing)),
    )


def coding_samples(columns: Sequence[Labels]) -> list[Labels]:
    """Return the `label_range` of some labels of each column, which shows how they are coded."""
    return [label_range(sample_labels(labels)) for labels in columns]


def label_range(labels: Labels) -> Labels:
    """Return the least and the greatest number, and 0 if it is a label; of words the first one."""
    if label_kind(labels) != "numbers":
        return labels[:1]
    ends = [labels.min(), labels.max()]
    holds_zero = np.count_nonzero(labels) < labels.size
    zero = [labels.dtype.type(0)] if holds_zero else []
    return np.array([*ends, *zero], labels.dtype)


def combine_ranges(
    names: Sequence[str], first_ranges: Sequence[Labels], second_ranges: Sequence[Labels]
) -> Sequence[Labels]:
    """Return the label range of each column over two chunks; raise where words meet numbers.

    There are no ranges of a chunk without cases: then those of the other chunk.
    """
    if not first_ranges or not second_ranges:
        return first_ranges or second_ranges
    columns = zip(names, first_ranges, second_ranges, strict=True)
    return [label_range(join_chunks(name, two_ranges)) for name, *two_ranges in columns]


class ForecastChunk(NamedTuple):
    """Labels of 0 and 1, probabilities by each model, labels of clusters, and rows left out.

    `classes` are the labels that occur, as the user wrote them.
    """

    labels: NDArray[np.uint8]
    models: Sequence[Vector]
    groups: AnyArray | None
    n_dropped: int
    classes: frozenset[Any]


@dataclass(frozen=True)
class ForecastReader(CheckedReader):
    """What turns chunks into checked labels and probabilities."""

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
    """Return labels and probabilities as a stream if they come in chunks, None if in memory.

    Memory-mapped arrays come in chunks only if `allows_mapped` (no option needs them in memory)
    and all are 1-d.
    """
    y_true, *models = arguments.values()
    if all(each is None for each in models):
        mapped = False
        chunked = are_chunks(y_true)
    else:
        mappable = allows_mapped and all(getattr(each, "ndim", 1) == 1 for each in models)
        method = "auto" if mappable else ""  # of any method but 'auto' mapped arrays are in memory
        mapped = models[-1] is not None and are_chunked(models, method)
        chunked = mapped
    if not chunked:
        return None
    return as_pair_stream(arguments, groups, mapped=mapped, nan_policy=nan_policy)


def check_loss_options(method: str, classes: object) -> None:
    """Raise for options of tests of losses that chunks do not have: classes, and other methods."""
    other_method = None if method in ("auto", "t") else method
    refuse_for_chunks(classes=classes, method=other_method)


class Rows(NamedTuple):
    """Numbers (n,) of each model, their differences `d`, labels of clusters, and rows left out.

    With labels also the `classes` that occur, and the number `ones` of cases of the positive one.
    """

    columns: Sequence[Vector]
    d: Vector
    groups: AnyArray | None = None
    n_dropped: int = 0
    classes: frozenset[Any] = frozenset()
    ones: int = 0


class ItemReader(CheckedReader):
    """What turns chunks into checked scores."""

    def checked_chunk(self, raw: RawChunk) -> Rows:
        """Return the scores of the items of a chunk that miss nothing, and their differences."""
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
    """Return one score per item as a column with its missing values, or raise."""
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
    """Return the scores of two models as a stream if they come in chunks, None if in memory.

    A scan of one column has their differences. Memory-mapped arrays come in chunks only if
    `allows_mapped` (no option needs them in memory), without samples of an item, and with clusters
    of one kind.
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
    mappable = allows_mapped and all(map(is_one_column, (scores_a, scores_b, groups)))
    method = "auto" if mappable else ""  # of any method but 'auto' mapped arrays are in memory
    if not are_chunked((scores_a, scores_b), method):
        return None
    return as_pair_stream(arguments, groups, mapped=True, labelled=False, nan_policy=nan_policy)


def is_one_column(values: Any) -> bool:
    """Say whether values are one column or None: no samples, and no clusters of two kinds."""
    if isinstance(values, list | tuple):
        return not holds_rows(values)
    return not isinstance(values, Mapping) and getattr(values, "ndim", 1) == 1


def as_one_stream(
    scores: Any, groups: object, nan_policy: str, **options: object
) -> PairStream | None:
    """Return the scores of one model as a stream if they come in chunks, None if in memory.

    Memory-mapped arrays come in chunks only if none of the `options` is given; for chunks of other
    kinds an option is an error.
    """
    chunked = are_chunks(scores)
    mapped = not chunked and is_one_column(scores) and is_one_column(groups)
    if not chunked and not (mapped and are_chunked((scores,), "auto", *options.values())):
        return None
    check_item_options("t", **options)
    arguments = {"scores": scores}
    return as_pair_stream(arguments, groups, mapped=mapped, labelled=False, nan_policy=nan_policy)


def check_item_options(method: str, **options: object) -> None:
    """Raise for options of means that chunks do not have, and for methods other than 't'."""
    other_method = None if method in METHODS_BY_STANDARD_ERROR else method
    refuse_for_chunks(**options, method=other_method)
