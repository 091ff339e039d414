"""Chunks of scores of items, one number an item by one model or two, perhaps with clusters."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from .._base.exceptions import InvalidValueError
from .._base.types import AnyArray, Vector
from .arrays import Column, as_float_array
from .chunks import Part, are_chunked
from .item_options import SPREADING
from .items import ITEMS, check_finite_scores, holds_rows
from .label_chunks import without_missing
from .pair_chunks import Layout, PairStream, Raw, are_chunks, as_pair_stream
from .pairs import first_less_second
from .parts import of_chunk


class Rows(NamedTuple):
    """Numbers (n,) of each model, their differences, labels of clusters, rows left out, classes."""

    columns: Sequence[Vector]
    d: Vector
    groups: AnyArray | None = None
    n_dropped: int = 0
    found: frozenset[Any] = frozenset()


@dataclass(frozen=True)
class ItemReader:
    """What turns a part into checked scores; picklable."""

    layout: Layout
    nan_policy: str = "raise"

    def read(self, part: Part) -> Iterator[Rows]:
        """Yield the chunks of a part, or raise with its number."""
        for raw in self.layout.read(part):
            with of_chunk(part[0]):
                yield self.checked(raw)

    def checked(self, raw: Raw) -> Rows:
        """Return the scores of a chunk and their differences."""
        given = zip(self.layout.parameters, raw.models, strict=True)
        columns = {name: as_item_column(name, values) for name, values in given}
        kept = without_missing(columns, raw.groups, ITEMS, self.nan_policy)
        return Rows(kept.columns, first_less_second(kept.columns), kept.groups, kept.n_dropped)


def as_item_column(name: str, values: Any) -> Column:
    """Return a number an item, and which are missing, or raise."""
    scores = as_float_array(name, values)
    if scores.ndim == 2 and scores.shape[1] == 1:
        scores = scores.ravel()
    if scores.ndim != 1:
        raise InvalidValueError(
            f"`{name}` must have one number for each item in chunks, got shape {scores.shape}: "
            "pass the means of an item's samples."
        )
    if not scores.size:
        return Column(scores)
    check_finite_scores(name, scores)
    missing = np.isnan(scores)
    return Column(scores, missing if missing.any() else None)


def as_item_stream(
    scores_a: Any, scores_b: Any, groups: object, nan_policy: str, *, plain: bool
) -> PairStream | None:
    """Return the scores of two models if they come in chunks, None if they are in memory.

    A scan of one column holds their differences. Mapped arrays are in chunks if all options are
    plain, and clusters of one kind.
    """
    both = {"scores_a": scores_a, "scores_b": scores_b}
    if scores_b is None:
        if not are_chunks(scores_a):
            return None
        if len(getattr(scores_a, "names", both)) == 1:
            both = {"scores_a": scores_a}
        return as_pair_stream(both, groups, mapped=False, labelled=False, nan_policy=nan_policy)
    plain = plain and all(map(is_one_way, (scores_a, scores_b, groups)))
    if not are_chunked((scores_a, scores_b), "auto" if plain else ""):
        return None
    return as_pair_stream(both, groups, mapped=True, labelled=False, nan_policy=nan_policy)


def is_one_way(values: Any) -> bool:
    """Say whether values, if any, are one column: no samples, no clusters of two kinds."""
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
    given = {"scores": scores}
    return as_pair_stream(given, groups, mapped=mapped, labelled=False, nan_policy=nan_policy)


def check_item_options(method: str, **others: object) -> None:
    """Raise for options of means that chunks do not have."""
    given = {**others, "method": None if method in SPREADING else method}
    for name, value in given.items():
        if value is not None:
            raise InvalidValueError(
                f"`{name}` is not supported for chunks: pass arrays in memory, or leave it out."
            )
