"""Chunks of true and predicted labels, each checked as labels in memory are."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .arrays import Column
from .cases import find_missing
from .chunks import Part, are_chunked
from .codings import are_of_one_coding, check_kinds, joined, kind_of, sampled
from .labels import as_label_column
from .pair_chunks import Layout, PairStream, Raw, are_chunks, as_pair_stream
from .parts import of_chunk
from .predictions import as_labels
from .weights import LABELS, check_length

Labels = NDArray[Any]


class LabelChunk(NamedTuple):
    """True and predicted labels, those of clusters, rows left out; some labels of each column."""

    truth: Labels
    predicted: Sequence[Labels]
    groups: Labels | None
    n_dropped: int
    kinds: Sequence[Labels]


class Kept(NamedTuple):
    """Columns of a chunk without rows that miss a value, and how many these were."""

    columns: list[Labels]
    groups: Labels | None
    n_dropped: int


@dataclass(frozen=True)
class LabelReader:
    """What turns a part into checked labels; picklable."""

    layout: Layout
    nan_policy: str = "raise"

    def read(self, part: Part) -> Iterator[LabelChunk]:
        """Yield the chunks of a part that hold any case, or raise with its number."""
        for raw in self.layout.read(part):
            with of_chunk(part[0]):
                yield self.checked(raw)

    def checked(self, raw: Raw) -> LabelChunk:
        """Return a chunk's labels, comparable with each other."""
        given = dict(zip(self.layout.parameters, (raw.labels, *raw.models), strict=True))
        if raw.groups is None and are_of_one_coding([*given.values()]):
            truth, *predicted = given.values()
            return LabelChunk(truth, predicted, None, 0, samples_of([truth, *predicted]))
        columns = {name: as_labels(name, values) for name, values in given.items()}
        kept = without_missing(columns, raw.groups, LABELS, self.nan_policy)
        truth, *predicted = kept.columns
        if not truth.size:
            none = [truth] * len(predicted)  # columns of nothing but missing labels have no kind
            return LabelChunk(truth, none, kept.groups, kept.n_dropped, ())
        check_kinds(dict(zip(given, kept.columns, strict=True)))
        kinds = samples_of(kept.columns)
        return LabelChunk(truth, predicted, kept.groups, kept.n_dropped, kinds)


def as_label_stream(
    labels: tuple[Any, Any, Any], correct: tuple[object, object], groups: object, nan_policy: str
) -> PairStream | None:
    """Return the labels of two models if they come in chunks, None if they are in memory."""
    (y_true, a, b), layout = labels, ("y_true", "y_pred_a", "y_pred_b")
    plain = all(other is None for other in correct)
    mapped = plain and b is not None and are_chunked((a, b))
    alone = plain and a is b is None and are_chunks(y_true)
    if not (mapped or alone):
        return None
    given = dict(zip(layout, labels, strict=True))
    return as_pair_stream(given, groups, mapped=mapped, arrays=True, nan_policy=nan_policy)


def without_missing(
    columns: Mapping[str, Column], groups: object, of: str, nan_policy: str
) -> Kept:
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
        return Kept(values, labels, 0)
    there = ~missing
    left = [own[there] for own in values]
    return Kept(left, None if labels is None else labels[there], int(np.count_nonzero(missing)))


def samples_of(columns: Sequence[Labels]) -> list[Labels]:
    """Return of each column what tells how it is coded: the ends of numbers and 0, or a word."""
    return [ends_of(sampled(labels)) for labels in columns]


def ends_of(labels: Labels) -> Labels:
    """Return the least and the greatest of some labels, and 0 if it occurs; of words the first."""
    if kind_of(labels) != "numbers":
        return labels[:1]
    ends = [labels.min(), labels.max()]
    zero = [] if np.count_nonzero(labels) == labels.size else [labels.dtype.type(0)]
    return np.array([*ends, *zero], labels.dtype)


def united(
    names: Sequence[str], one: Sequence[Labels], other: Sequence[Labels]
) -> Sequence[Labels]:
    """Return the ends of columns of both, or raise where one has words and the other numbers."""
    if not one or not other:
        return one or other
    pairs = zip(names, one, other, strict=True)
    return [ends_of(joined(name, both)) for name, *both in pairs]
