"""Labels and scores in chunks, which are read several times and are never in memory at once.

A chunk is a tuple of columns, or a source that loads them: a row group of a file, or blocks of
dask. A reader turns it into checked rows, some at a time, and errors name its number.
"""

import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._adapters.dask import (
    DaskExecutor,
    RowBlocks,
    as_executor,
    column_names,
    dask_blocks,
    gather_tasks,
    is_dask,
)
from ..._adapters.frames import all_columns, check_indexes, is_foreign, is_frame
from ..._adapters.scans import RowGroup, Scan
from ..._base.exceptions import (
    DroppedCasesWarning,
    FastCompareError,
    InvalidTypeError,
    InvalidValueError,
    invalid_type,
    invalid_value,
    warn,
    with_message,
)
from ..._base.parallel import S, summarize_parts
from ..._base.types import Vector
from ..arrays import as_column, holds_wide_integers
from ..labels import are_positive, as_label_column, classes, listed_labels
from ..options import as_workers, check_choice
from ..scores import (
    UNNAMED,
    as_vector,
    check_lengths,
    default_titles,
    find_missing,
    named_columns,
)

AGAIN = "They are read several times: pass a list of them, or a function that returns an iterator."


def gather_parts(
    empty: Callable[[], S],
    parts: Callable[[], Iterator[tuple[int, Any]]],
    kind: type,
    n_jobs: int,
    executor: Executor | None,
) -> S:
    """Return the summary of all numbered chunks, which are of type `kind`; it begins as `empty()`.

    By dask where the chunks are its blocks, or its executor is to read row groups.
    """
    executor = as_executor(executor)
    if kind is RowBlocks or (kind is RowGroup and isinstance(executor, DaskExecutor)):
        return gather_tasks(empty, parts(), n_jobs, executor)
    return summarize_parts(empty, parts(), n_jobs, executor)


def share_memory(kind: type, executor: Executor | None) -> bool:
    """Say whether chunks of type `kind` are summarised by threads of this process."""
    return executor is None and kind is not RowBlocks


@contextmanager
def naming_chunk(number: int, source: Any, start: int = 0) -> Iterator[None]:
    """Return a context whose errors begin with the number of the chunk, or its place in a file.

    Row numbers in errors about a file count from `start`, the rows of the chunk that went before.
    """
    try:
        yield
    except FastCompareError as error:
        in_file = getattr(source, "in_file", None)
        if in_file is None:
            raise with_message(error, f"chunk {number}: {error}") from error
        raise in_file(error, start) from error


def check_scan(name: str, scan: Scan, *, labelled: bool, grouped: bool) -> None:
    """Raise unless a scan has the columns that a test reads, and no others."""
    label, _, groups = scan.wanted
    if (label is not None) != labelled:
        how = "with `label`, the column with the labels" if labelled else "without `label`"
        raise invalid_value(
            name,
            f"must be a scan {how}",
            end=f": scan_parquet(path, {'label=..., ' if labelled else ''}scores=[...]).",
        )
    if not grouped:
        refuse_for_chunks(groups=groups)


def enumerate_chunks(
    make: Callable[[], Iterable[Any]], name: str = "y_true"
) -> Iterator[tuple[int, Any]]:
    """Return an iterator over the chunks that `make` returns, each after its number, or raise."""
    chunks = make()
    if not isinstance(chunks, Iterable):
        raise invalid_type(
            name,
            f"must be a function that returns an iterator, it returned {type(chunks).__name__}",
        )
    return enumerate(chunks)


def repeatable(chunks: Any, name: str = "y_true") -> Callable[[], Iterable[Any]]:
    """Return a function that makes a new iterator over chunks each time, or raise.

    An iterator could be read only once.
    """
    if isinstance(chunks, Iterator | types.GeneratorType):
        raise invalid_type(name, "must be chunks", end=f", got an iterator of them. {AGAIN}")
    is_array = isinstance(chunks, np.ndarray | str | bytes | Mapping) or is_foreign(chunks)
    if callable(chunks):
        return chunks  # type: ignore[no-any-return]
    if is_array or not isinstance(chunks, Iterable):
        raise InvalidTypeError(
            "scores must be specified, unless `y_true` contains chunks: an iterable of tuples "
            f"(y_true, scores_a, scores_b), got {type(chunks).__name__}.",
            parameter="y_true",
        )
    return chunks.__iter__


def are_lazy(scores: Sequence[Any]) -> bool:
    """Say whether any scores are dask's."""
    columns = all_columns(scores)
    return not {*map(type, columns)} <= {np.ndarray} and any(map(is_dask, columns))


def lazy_parts(
    first: Any,
    other_columns: Sequence[Any],
    name: str = "y_true",
    *,
    labelled: bool = True,
    k: int | None = None,
) -> Callable[[], Iterable[RowBlocks]]:
    """Return a function that makes an iterator over blocks of labels and scores, or raise.

    The first column, of the parameter `name`, has the labels where `labelled`, else the scores of
    the first model. Columns after those of k models are clusters. Models are called as their
    columns, unless two columns have the same name.
    """
    if is_dask(first) and len(column_names(first)) != 1:
        raise invalid_value(name, "must be 1-d", end=f", got {len(column_names(first))} columns.")
    others = list(named_collections(other_columns))
    models = others if labelled else [*named_collections([first]), *others]
    names = [name for _, names_of_columns in models for name in names_of_columns][:k]
    defaults = default_titles(len(names)) if k is None else UNNAMED[:k]
    names = [name or default for name, default in zip(names, defaults, strict=True)]
    distinct = tuple(names) if len({*names}) == len(names) else defaults
    return dask_blocks([first, *(column for column, _ in others)], distinct)


def named_collections(scores: Sequence[Any]) -> Iterator[tuple[Any, list[str]]]:
    """Yield each collection, of a mapping each value, with the names of its columns, "" for none.

    A value of a mapping has the name of its key.
    """
    for collection in scores:
        if isinstance(collection, Mapping):
            yield from ((column, [str(name)]) for name, column in collection.items())
        elif collection is not None:
            yield collection, column_names(collection) if is_dask(collection) else [""]


MAPPED_FROM = 1 << 20  # rows from which memory-mapped arrays are read in chunks
MAPPED_ROWS = 1 << 20
WEIGHTS = ("sample_weight", "frequency_weight", "groups")
Chunks = Scan | Iterable[Any] | Callable[[], Iterable[Any]]
CHANGED = "the rows must be the same in every pass, but they changed while they were read."
NumberedChunk = tuple[int, Any]  # the number of a chunk, and its columns or the source to load them


class Chunk(NamedTuple):
    """Labels (n,) of 0 and 1, k vectors of n scores, and rows left out.

    `classes` are the labels that occur, as the user wrote them.
    """

    labels: NDArray[np.uint8]
    scores: Sequence[Vector]
    n_dropped: int
    classes: frozenset[Any]


@dataclass(frozen=True)
class Stream:
    """Chunks of the same k models, and how they are read; `reader` is picklable.

    `parts` makes a new iterator of the chunks; `kind` is their type: a tuple of columns, or that of
    a source that loads them.
    """

    parts: Callable[[], Iterator[NumberedChunk]]
    reader: "Reader"
    names: tuple[str, ...]
    kind: type = tuple

    @property
    def k(self) -> int:
        """The number of models."""
        return self.reader.k

    def gather(
        self, empty: Callable[[], S], n_jobs: int = 1, executor: Executor | None = None
    ) -> S:
        """Return the summary of all chunks, which begins as `empty()`, as `gather_parts` does."""
        return gather_parts(empty, self.parts, self.kind, n_jobs, executor)


@dataclass(frozen=True)
class Reader:
    """What turns the chunks of a stream into checked labels and scores."""

    k: int
    pos_label: object = None
    nan_policy: str = "raise"
    names: tuple[str, ...] = ()

    def read(self, part: NumberedChunk) -> Iterator[Chunk]:
        """Yield the checked rows of a chunk, some at a time; errors name the chunk's number."""
        number, source = part
        parsed = columns_of_chunks(source)
        start = 0  # of these rows in the chunk
        while True:
            with naming_chunk(number, source, start):
                columns = next(parsed, None)
                if columns is None:
                    return
                labels, vectors, titles = columns
                if len(vectors) != self.k:
                    raise InvalidValueError(
                        f"every chunk must contain scores of {self.k} models, got {len(vectors)}.",
                        parameter="chunks",
                        value=len(vectors),
                    )
                check_names(titles, self.names)
                chunk = self.checked_chunk(labels, vectors, titles)
            yield chunk
            start += vectors[0].size

    def checked_chunk(self, y_true: Any, vectors: list[Vector], titles: tuple[str, ...]) -> Chunk:
        """Return the labels and scores of the cases of a chunk that miss nothing, or raise."""
        labels, unlabelled = as_label_column("y_true", y_true)
        check_lengths(labels.size, vectors, titles)
        if not labels.size:
            return Chunk(np.empty(0, np.uint8), vectors, 0, frozenset())
        dropped = 0
        missing = find_missing([("y_true", unlabelled)], vectors, titles, self.nan_policy)
        if missing is not None:
            dropped = int(np.count_nonzero(missing))
            complete = ~missing
            labels, vectors = labels[complete], [vector[complete] for vector in vectors]
        if not labels.size:
            return Chunk(np.empty(0, np.uint8), vectors, dropped, frozenset())
        positive, classes = encode_labels(labels, self.pos_label)
        return Chunk(positive, vectors, dropped, classes)


def encode_labels(labels: NDArray[Any], pos_label: Any) -> tuple[NDArray[np.uint8], frozenset[Any]]:
    """Return 1 for positive cases and 0 for negative ones, and the set of labels that occur.

    A chunk may lack the positive label, so whether it occurs is checked at the end.
    """
    if pos_label is None:
        positive = are_positive("y_true", labels, None)
        # of two classes, 0 and 1 or -1 and 1, the least and the greatest label are all
        return positive, frozenset({int(labels.min()), int(labels.max())})
    is_word = isinstance(pos_label, str | bytes)
    if not np.isscalar(pos_label) or is_word != (labels.dtype.kind in "UST"):
        raise invalid_type(
            "pos_label",
            "must be a label of the kind in `y_true`",
            pos_label,
            f"; found {listed_labels(classes(labels))}.",
        )
    positive = np.asarray(labels == pos_label).astype(np.uint8)
    return positive, check_classes(frozenset(classes(labels)))


def check_classes(labels: frozenset[Any]) -> frozenset[Any]:
    """Return the labels that occurred so far, or raise if they are of more than two classes."""
    if len(labels) > 2:
        raise invalid_value(
            "y_true", f"must contain two classes, found {listed_labels(sorted(labels))}"
        )
    return labels


def check_coding(labels: frozenset[Any], pos_label: object) -> None:
    """Raise unless the labels of all chunks together are of one coding."""
    if pos_label is None and labels >= {0, -1}:
        raise invalid_value(
            "y_true", "must have the same coding in all chunks, found 0 in some and -1 in others"
        )
    distinct = check_classes(labels) if pos_label is not None else labels
    if pos_label is not None and len(distinct) > 1 and pos_label not in distinct:
        raise invalid_value(
            "pos_label",
            "must be one of the labels in `y_true`",
            pos_label,
            f"; found {listed_labels(sorted(labels))}.",
        )


def check_rows(total: int, n_dropped: int, name: str = "y_true") -> None:
    """Raise if all chunks together have no case; warn, once for all chunks, of cases left out.

    `total` is the number of cases that remain.
    """
    if not total:
        raise invalid_value(
            name, "must contain at least one case", end=f", got 0 samples ({n_dropped} dropped)."
        )
    if n_dropped:
        warn(
            f"{n_dropped} of {total + n_dropped} cases dropped: missing label or score.",
            DroppedCasesWarning,
        )


def check_unchanged(counts: Any, expected: Any) -> None:
    """Raise unless a pass over the chunks counts what an earlier one has counted."""
    if counts != expected:
        raise InvalidValueError(CHANGED, parameter="chunks")


def columns_of_chunks(source: Any) -> Iterator[tuple[Any, list[Vector], tuple[str, ...]]]:
    """Yield labels, vectors of scores and the names of the models of a chunk.

    A tuple is yielded whole; a source with `load`, such as a row group, some rows at a time.
    """
    if not hasattr(source, "load"):
        yield columns_of_chunk(source)
        return
    for labels, *scores in source.load():
        yield labels, as_vectors(labels, source.names, scores), source.names


def columns_of_chunk(chunk: Any) -> tuple[Any, list[Vector], tuple[str, ...]]:
    """Return the labels of a chunk, its vectors of scores and the names of the models."""
    if not isinstance(chunk, tuple | list) or len(chunk) < 2:
        raise InvalidTypeError(
            "a chunk must be a tuple (y_true, scores of a model, scores of another, ...) or "
            f"(y_true, table of scores), got {type(chunk).__name__}. Columns by name are read by "
            "scan_chunks(chunks, label=..., scores=[...]).",
            parameter="chunks",
            value=chunk,
        )
    labels, *scores = chunk
    table = scores[0]
    if len(scores) == 1 and (isinstance(table, Mapping) or is_frame(table)):
        columns = named_columns("scores", table) or {}
        return labels, as_vectors(labels, [*columns], [*columns.values()]), tuple(columns)
    if len(scores) == 1 and isinstance(table, np.ndarray) and table.ndim == 2:
        scores = list(table.T)  # a chunk may have as many rows as models
    names = default_titles(len(scores))
    return labels, as_vectors(labels, names, scores), names


def as_vectors(labels: Any, names: Sequence[str], scores: Sequence[Any]) -> list[Vector]:
    """Return the scores of each model for the same rows, or raise."""
    named = list(zip(names, scores, strict=True))
    check_indexes([("y_true", labels), *named])
    return [as_doubles(name, values) for name, values in named]


def as_doubles(name: str, values: Any) -> Vector:
    """Return scores as `as_scores` does, but raise where ranks of all chunks would be needed."""
    column = as_column(name, values)
    if holds_wide_integers(column.values):
        raise invalid_value(
            name,
            "contains integers beyond 2^53, which chunks compare as doubles",
            end=": pass their ranks, or all scores in one call.",
        )
    return as_vector(name, column)


def as_stream(
    columns: Sequence[Any],
    pos_label: object = None,
    nan_policy: str = "raise",
    k: int | None = None,
) -> Stream:
    """Return a stream of chunks of k models, of which only the first has been looked at, or raise.

    `columns` are memory-mapped or dask's labels and scores, or else chunks and then None for each
    parameter of scores. Without `k` as many models as the first chunk has.
    """
    check_choice("nan_policy", nan_policy, ("raise", "omit"))
    y_true, *scores = columns
    if are_lazy(scores):
        parts = partial(enumerate_chunks, lazy_parts(y_true, scores))
    elif scores and scores[0] is not None:
        parts = partial(mapped_parts, as_mapped(y_true, scores))
    elif any(column is not None for column in scores):
        raise invalid_type("y_score_a", "must be specified with `y_score_b`")
    elif isinstance(y_true, Scan):
        check_scan("y_true", y_true, labelled=True, grouped=False)
        parts = partial(enumerate_chunks, y_true.parts)
    else:
        parts = partial(enumerate_chunks, repeatable(y_true))
    first = next(parts(), None)
    if first is None:
        raise invalid_value("y_true", "must contain at least one chunk", end=", got none.")
    number, source = first
    names = names_in(number, source)
    if k is not None and len(names) != k:
        raise InvalidValueError(
            f"a chunk must contain the scores of {k} models, got {len(names)}. Compare more by "
            "delong_covariance.",
            parameter="chunks",
            value=len(names),
        )
    return Stream(parts, Reader(len(names), pos_label, nan_policy, names), names, type(source))


def names_in(number: int, source: Any) -> tuple[str, ...]:
    """Return the names of the models in a chunk; a source knows them without loading its rows."""
    with naming_chunk(number, source):
        return source.names if hasattr(source, "load") else columns_of_chunk(source)[2]


def check_names(chunk_names: tuple[str, ...], names: tuple[str, ...]) -> None:
    """Raise unless a chunk has the models of the first one, in the same order."""
    if names and chunk_names != names:
        raise InvalidValueError(
            f"every chunk must contain the same models in the same order, {', '.join(names)}, got "
            f"{', '.join(chunk_names)}. Columns by name are read by "
            "scan_chunks(chunks, scores=[...]).",
            parameter="chunks",
            value=chunk_names,
        )


def as_mapped(y_true: Any, scores: Sequence[Any]) -> tuple[Any, ...]:
    """Return labels and scores, of which some are memory-mapped, or raise unless equally long."""
    if any(column is None for column in scores):
        raise invalid_type("y_score_b", "must be specified with memory-mapped scores")
    lengths = [len(column) for column in (y_true, *scores)]
    if len({*lengths}) > 1:
        raise InvalidValueError(
            f"`y_true` and the scores must have one length, got {', '.join(map(str, lengths))}.",
            parameter="y_true",
        )
    return y_true, *scores


def check_chunked(
    executor: object,
    method: str = "auto",
    sample_weight: object = None,
    frequency_weight: object = None,
    groups: object = None,
) -> None:
    """Raise for options of a test that chunks do not have."""
    as_workers(1, executor, None)
    refuse_for_chunks(
        sample_weight=sample_weight,
        frequency_weight=frequency_weight,
        groups=groups,
        method=None if method == "auto" else method,
    )


def refuse_for_chunks(**options: object) -> None:
    """Raise if any of the options, which chunks do not have, is not None."""
    for name, value in options.items():
        if value is not None:
            raise invalid_value(
                name, "is not supported for chunks", end=": pass arrays in memory, or omit it."
            )


def check_alone(names: Sequence[str]) -> None:
    """Raise unless chunks are of one model."""
    if len(names) != 1:
        raise invalid_value(
            "y_true",
            "must be chunks of one model",
            end=f", got {', '.join(map(repr, names))}: name one by scores=[...], or compare "
            "them by delong_pairwise_test.",
        )


def check_in_memory(executor: object) -> None:
    """Raise if an executor is given for arrays in memory, which are sorted whole."""
    if executor is not None:
        raise invalid_value(
            "executor",
            "must be None for arrays in memory",
            end=": pass `n_jobs`, or chunks of the cases.",
        )


def mapped_parts(columns: Sequence[NDArray[Any]]) -> Iterator[NumberedChunk]:
    """Yield memory-mapped columns as chunks of a million rows, each after its number."""
    for start in range(0, max(map(len, columns)), MAPPED_ROWS):
        rows = slice(start, start + MAPPED_ROWS)
        yield start // MAPPED_ROWS, tuple(column[rows] for column in columns)


def are_chunked(scores: Sequence[Any], method: object = "auto", *options: object) -> bool:
    """Say whether scores are read in chunks: dask's, or memory-mapped arrays of many rows.

    Memory-mapped arrays are read whole, not in chunks, if a method other than 'auto' or one of the
    options (weights, groups) is given.
    """
    if {*map(type, scores)} == {np.ndarray}:
        return False  # to look up their packages takes a tenth of McNemar's test of 1,000 cases
    if are_lazy(scores):
        return True
    is_mapped = np.memmap in map(type, scores) and len(scores[0]) >= MAPPED_FROM
    return is_mapped and method == "auto" and all(option is None for option in options)


def is_chunked_table(
    y_true: object, scores: object, method: object = "auto", **options: Any
) -> bool:
    """Say whether a table of scores comes in chunks.

    Without `scores` chunks stand in the place of the labels; else as `are_chunked` says, where
    `options` may contain weights or groups.
    """
    if scores is None:
        return not isinstance(y_true, np.ndarray)
    return are_chunked((scores,), method, *map(options.get, WEIGHTS))
