"""Chunks of labels of two classes and of models' probabilities, checked as those in memory are."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.exceptions import InvalidValueError
from .._base.types import AnyArray, Vector
from .arrays import Column
from .chunks import Part, Reader, are_chunked, as_doubles
from .label_chunks import without_missing
from .labels import as_label_column
from .pair_chunks import Layout, PairStream, Raw, are_chunks, as_pair_stream
from .parts import of_chunk
from .probabilities import check_range
from .weights import LABELS


class ForecastChunk(NamedTuple):
    """Labels of 0 and 1, probabilities by each model, labels of clusters; as `Chunk` besides."""

    labels: NDArray[np.uint8]
    models: Sequence[Vector]
    groups: AnyArray | None
    n_dropped: int
    found: frozenset[Any]


@dataclass(frozen=True)
class ForecastReader:
    """What turns a part into checked labels and probabilities; picklable."""

    layout: Layout
    pos_label: object = None
    nan_policy: str = "raise"
    coding: Reader = field(init=False)

    def __post_init__(self) -> None:
        """Set who codes labels as 0 and 1."""
        object.__setattr__(self, "coding", Reader(self.layout.k, self.pos_label))

    def read(self, part: Part) -> Iterator[ForecastChunk]:
        """Yield the chunks of a part, or raise with its number."""
        for raw in self.layout.read(part):
            with of_chunk(part[0]):
                yield self.checked(raw)

    def checked(self, raw: Raw) -> ForecastChunk:
        """Return labels and probabilities of the cases of a chunk that miss nothing."""
        first, *titles = self.layout.parameters
        columns = {first: as_label_column(first, raw.labels)}
        for name, values in zip(titles, raw.models, strict=True):
            vector = as_doubles(name, values)
            missing = np.isnan(vector)
            columns[name] = Column(vector, missing if missing.any() else None)
        kept = without_missing(columns, raw.groups, LABELS, self.nan_policy)
        labels, *models = kept.columns
        if not labels.size:
            return ForecastChunk(labels, models, kept.groups, kept.n_dropped, frozenset())
        for name, vector in zip(titles, models, strict=True):
            check_range(name, vector)
        coded, _, _, found = self.coding.binary(labels, models, 0)
        return ForecastChunk(coded, models, kept.groups, kept.n_dropped, found)


def as_forecast_stream(
    given: dict[str, Any], groups: object, nan_policy: str, *, plain: bool
) -> PairStream | None:
    """Return labels and probabilities if they come in chunks, None if they are in memory.

    Mapped arrays are in chunks if all options are plain.
    """
    y_true, *models = given.values()
    flat = plain and all(getattr(each, "ndim", 1) == 1 for each in models)
    if all(each is None for each in models):
        mapped = False
        chunked = are_chunks(y_true)
    else:
        chunked = mapped = models[-1] is not None and are_chunked(models, "auto" if flat else "")
    if not chunked:
        return None
    return as_pair_stream(given, groups, mapped=mapped, nan_policy=nan_policy)


def check_loss_options(method: str, classes: object) -> None:
    """Raise for options of tests of losses that chunks do not have."""
    for name, value in (
        ("classes", classes),
        ("method", None if method in ("auto", "t") else method),
    ):
        if value is not None:
            raise InvalidValueError(
                f"`{name}` is not supported for chunks: pass arrays in memory, or leave it out."
            )
