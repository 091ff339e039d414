"""Cases in chunks whose groups are compared within: as many groups at a time as memory should hold.

Rows of a group need not lie together. Groups fall into parts by their labels alone, and the chunks
are read once for each part: in memory are the cases of one part, and a number or two a group.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from ..._adapters.scans import Scan
from ..._base.exceptions import invalid_type, invalid_value
from ..._base.types import AnyArray, Vector
from ..labels import join_chunks
from ..scores import Cases, check_several
from ..weights import number_groups
from .cases import CheckedReader, PairStream, RawChunk, are_chunks, as_pair_stream
from .groups import GroupedCases
from .rows import check_coding, encode_labels

MOST_CASES = 1 << 24  # at a time: .8 GiB of two models
# 2^64 over the golden ratio: times it, neighbouring numbers fall far apart
GOLDEN_RATIO = np.uint64(0x9E3779B97F4A7C15)
HALF = np.uint64(32)  # of the bits of a product: a hash takes the upper ones, which mix all


class GroupChunk(NamedTuple):
    """Labels of 0 and 1, scores by each model, labels of groups, rows left out, classes."""

    labels: NDArray[np.uint8]
    models: list[Vector]
    groups: AnyArray
    n_dropped: int
    classes: frozenset[Any]


@dataclass(frozen=True)
class GroupReader(CheckedReader):
    """What turns chunks into checked labels, scores and groups."""

    pos_label: object = None

    def checked_chunk(self, raw: RawChunk) -> GroupChunk:
        """Return labels, scores and groups of the cases of a chunk that miss nothing."""
        complete = self.complete_cases(raw)
        labels, *models = complete.columns
        groups = np.asarray(complete.groups)
        if not labels.size:
            no_labels = np.empty(0, np.uint8)
            return GroupChunk(no_labels, models, groups, complete.n_dropped, frozenset())
        positive, classes = encode_labels(labels, self.pos_label)
        return GroupChunk(positive, models, groups, complete.n_dropped, classes)


@dataclass(frozen=True)
class GroupStream:
    """Chunks with groups, and what reads them."""

    stream: PairStream
    reader: GroupReader

    def chunks(self) -> Iterator[GroupChunk]:
        """Yield the checked chunks, read anew from the first one on."""
        for chunk in self.stream.parts():
            yield from self.reader.read(chunk)

    def parts(self) -> Iterator[GroupedCases]:
        """Yield the cases of some groups at a time, each group whole, or raise.

        Few cases are collected in the pass that counts them; of more the chunks are read once for
        each part of the groups.
        """
        n = 0
        n_dropped = 0
        classes = frozenset[Any]()
        collected: list[GroupChunk] = []
        for chunk in self.chunks():
            n, n_dropped = n + chunk.labels.size, n_dropped + chunk.n_dropped
            classes |= chunk.classes
            collected = [*collected, chunk] if n <= MOST_CASES else []
        check_coding(classes, self.reader.pos_label)
        if not n:
            raise invalid_value(
                "y_true", "must contain at least one case", end=", got 0 in all chunks."
            )
        count = -(-n // MOST_CASES)
        for part in range(count):
            if count > 1:
                chunks = (chunk_of_part(chunk, part, count) for chunk in self.chunks())
                collected = [chunk for chunk in chunks if chunk.labels.size]
            if collected:
                yield self.cases(collected, n_dropped)

    def cases(self, chunks: list[GroupChunk], n_dropped: int) -> GroupedCases:
        """Return the cases of chunks with their groups numbered; the list of chunks is emptied.

        `n_dropped` cases were left out of all chunks of the stream.
        """
        labels = np.concatenate([chunk.labels for chunk in chunks])
        models = zip(*(chunk.models for chunk in chunks), strict=True)
        scores = [np.concatenate(columns) for columns in models]
        groups = join_chunks("groups", [chunk.groups for chunk in chunks])
        chunks.clear()  # before the memory for sorting the groups is needed
        total, numbers = number_groups(groups)
        names = np.empty(total, groups.dtype)
        names[numbers] = groups
        return GroupedCases(Cases(labels, scores, self.stream.names, n_dropped), numbers, names)


def chunk_of_part(chunk: GroupChunk, part: int, count: int) -> GroupChunk:
    """Return the cases of a chunk whose groups fall into this one of `count` parts."""
    chosen = parts_of_groups(chunk.groups, count) == part
    models = [scores[chosen] for scores in chunk.models]
    return chunk._replace(labels=chunk.labels[chosen], models=models, groups=chunk.groups[chosen])


def parts_of_groups(labels: AnyArray, count: int) -> NDArray[np.uint64]:
    """Return for each label its part, from 0 to count - 1, by a hash of the label.

    Equal labels have the same part in all chunks, also 1 and 1.0, whatever types the chunks have.
    """
    kind = labels.dtype.kind
    if kind == "f":
        with np.errstate(invalid="ignore"):
            integers = labels.astype(np.int64)
        keys = np.where(integers == labels, integers, labels.astype(np.float64).view(np.int64))
    elif kind in "biu":
        keys = labels.astype(np.uint64 if kind == "u" else np.int64)
    else:
        total, numbers = number_groups(labels)
        names = np.empty(total, labels.dtype)
        names[numbers] = labels
        codes = [crc32(str(name).encode("utf-8", "surrogatepass")) for name in names.tolist()]
        keys = np.array(codes, np.int64)[numbers]
    hashes = (keys.view(np.uint64) * GOLDEN_RATIO) >> HALF
    return np.asarray(hashes % np.uint64(count))


def as_group_stream(
    y_true: Any,
    scores: dict[str, Any],
    groups: object,
    pos_label: object,
    nan_policy: str,
    design: object,
) -> GroupStream | None:
    """Return a stream of cases with groups if they come in chunks, None if they are in memory.

    `scores` are models by their parameters, or the table of all; of chunks all of them are None.
    """
    if any(value is not None for value in scores.values()) or not are_chunks(y_true):
        return None
    if design != "random":
        raise invalid_value(
            "design",
            "must be 'random' for chunks",
            design,
            ": the variance of fixed groups needs all cases. Pass the columns as arrays.",
        )
    parameters = tuple(scores)
    if parameters == ("scores",):
        if not isinstance(y_true, Scan):
            raise invalid_type(
                "y_true",
                "must be a scan for several models in chunks",
                end=": scan_chunks(chunks, label=..., scores=[...], groups=...).",
            )
        parameters = tuple(f"scores[{name!r}]" for name in y_true.wanted.names)
        check_several(parameters)
    arguments = {"y_true": y_true, **dict.fromkeys(parameters)}
    stream = as_pair_stream(arguments, groups, mapped=False, nan_policy=nan_policy)
    if not stream.layout.grouped:
        raise invalid_type(
            "groups",
            "must be in the chunks",
            end=": the last column of each, or scan_parquet(path, label=..., scores=[...], "
            "groups=...).",
        )
    return GroupStream(stream, GroupReader(stream.layout, nan_policy, pos_label))
