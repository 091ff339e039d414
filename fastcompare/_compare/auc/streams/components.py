"""Sums over the rows of what the placements of two models differ by, in whole numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Vector
from ...._inputs.chunks import Part, Reader
from ....kernels.summaries import LIMB, add_differences
from ..components import pairs_of
from .cells import ModelCells, blocks, cells_of, keys_of
from .index import Index
from .ordering import Held, Values, placements_of


class Differences(NamedTuple):
    """Sums over (positives, negatives) of d, d^2 and d above 0; how many are near 0, of how many.

    `alike` says that both models give every case the same score.
    """

    sums: tuple[int, int]
    squares: tuple[int, int]
    gains: tuple[int, int]
    near: tuple[int, int]
    alike: bool


@dataclass
class Compared:
    """The summary of a pass that compares all pairs of models, and holds scores besides."""

    placed: Sequence[NDArray[np.int64]]
    near: NDArray[np.int64]
    values: Values
    totals: list[list[list[int]]] = field(default_factory=list)
    alike: list[bool] = field(default_factory=list)
    sizes: NDArray[np.int64] = field(default_factory=lambda: np.zeros(2, np.int64))

    @classmethod
    def empty(
        cls,
        reader: Reader,
        indexes: Sequence[Index | None],
        models: Sequence[ModelCells],
        held: Sequence[Held],
        near: float,
    ) -> "Compared":
        """Return the summary of no rows; `near` is a share of the other class."""
        pairs = len(pairs_of(len(models)))
        limits = np.floor(2.0 * near * models[0].counts.sum(axis=0)[::-1]).astype(np.int64)
        values = Values.empty(reader, indexes, held)
        totals = [[[0] * 6, [0] * 6] for _ in range(pairs)]
        return cls([placements_of(m) for m in models], limits, values, totals, [True] * pairs)

    def __getstate__(self) -> dict[str, object]:
        """Return the fields that `merge` reads."""
        return self.__dict__ | {"placed": ()}

    def add(self, part: Part) -> None:
        """Take in the cases of a part."""
        for chunk in self.values.reader.read(part):
            for rows in blocks(chunk.labels.size):
                self.add_rows(chunk.labels[rows], [scores[rows] for scores in chunk.scores])

    def add_rows(self, labels: NDArray[np.uint8], scores: Sequence[Vector]) -> None:
        """Take in the cases of a block."""
        values, keys, cells = self.values, [], []
        self.sizes += np.bincount(labels, minlength=2)
        for j, index in enumerate(values.indexes):
            keys.append(keys_of(scores[j])[0])
            cells.append(cells_of(keys[j], index))
            values.hold(j, keys[j], cells[j], labels)
        for pair, (i, j) in enumerate(pairs_of(len(cells))):
            self.alike[pair] &= bool(np.array_equal(keys[i], keys[j]))
            self.add_pair(pair, cells[i], cells[j], labels, self.placed[i], self.placed[j])

    def add_pair(
        self, pair: int, a: Any, b: Any, labels: Any, placed_a: Any, placed_b: Any
    ) -> None:
        """Add a block's differences of two models."""
        sums = np.zeros((2, 6), np.int64)
        add_differences(a, b, labels, placed_a, placed_b, self.near, sums)
        for total, more in zip(self.totals[pair], sums.tolist(), strict=True):
            total[:] = [one + two for one, two in zip(total, more, strict=True)]

    def merge(self, other: "Compared") -> None:
        """Add what another summary has found."""
        self.values.merge(other.values)
        self.sizes += other.sizes
        self.alike = [one and two for one, two in zip(self.alike, other.alike, strict=True)]
        for own, more in zip(self.totals, other.totals, strict=True):
            for total, added in zip(own, more, strict=True):
                total[:] = [one + two for one, two in zip(total, added, strict=True)]

    def finalize(self) -> list[Differences]:
        """Return the sums of all pairs."""
        return [differences_of(*pair) for pair in zip(self.totals, self.alike, strict=True)]


def differences_of(totals: list[list[int]], alike: bool) -> Differences:
    """Return the sums of a pair from those of limbs, negatives first."""
    negatives, positives = totals
    both = (positives, negatives)
    sums, gains, near = ((x[c], y[c]) for c in (0, 4, 5) for x, y in [both])
    squares = tuple(
        low + (mid << (LIMB + 1)) + (high << 2 * LIMB) for _, low, mid, high, *_ in both
    )
    return Differences(sums, squares, gains, near, alike)  # type: ignore[arg-type]
