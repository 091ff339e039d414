"""Sums over clusters whose cases are spread over chunks: whole numbers, merged by label."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from .._base.types import AnyArray, Integers, Vector
from .._inputs.codings import joined
from .._inputs.groups import number_groups

ROWS = 1 << 20  # at a time: sums of whole numbers up to 2^32 are doubles then


@dataclass
class ClusterTotals:
    """Labels (G,) of clusters in order and their sums (G, c), and those that wait to be merged."""

    c: int
    labels: AnyArray | None = None
    sums: Integers | None = None
    waiting: list[tuple[AnyArray, Integers]] = field(default_factory=list)
    n_waiting: int = 0

    def add(self, labels: AnyArray, columns: Sequence[Vector | int]) -> None:
        """Add numbers of cases to their clusters; 1 counts the cases."""
        for start in range(0, labels.size, ROWS):
            some = slice(start, start + ROWS)
            total, numbers = number_groups(labels[some])
            sums = np.empty((total, self.c), np.int64)
            for j, column in enumerate(columns):
                weights = None if isinstance(column, int) else column[some]
                sums[:, j] = np.bincount(numbers, weights, total)
            one = np.empty(total, np.int64)
            one[numbers] = np.arange(numbers.size)
            self.take(labels[some][one], sums)

    def take(self, labels: AnyArray, sums: Integers) -> None:
        """Take in sums of some clusters."""
        self.waiting.append((labels, sums))
        self.n_waiting += labels.size
        if self.n_waiting > max(ROWS, 0 if self.labels is None else self.labels.size):
            self.settle()

    def merge(self, other: "ClusterTotals") -> None:
        """Add what another knows of the same clusters, and of others."""
        other.settle()
        if other.labels is not None and other.sums is not None:
            self.take(other.labels, other.sums)

    def settle(self) -> None:
        """Merge the sums that wait."""
        if self.labels is not None and self.sums is not None:
            self.waiting.append((self.labels, self.sums))
        if not self.waiting:
            return
        labels = joined("groups", [own for own, _ in self.waiting])
        sums = np.concatenate([own for _, own in self.waiting])
        total, numbers = number_groups(labels)
        order = np.argsort(numbers, kind="stable")
        starts = np.searchsorted(numbers[order], np.arange(total))
        self.labels = labels[order[starts]]
        self.sums = np.add.reduceat(sums[order], starts, axis=0)
        self.waiting, self.n_waiting = [], 0

    def __getstate__(self) -> dict[str, object]:
        """Return the fields, as few of them as there are clusters."""
        self.settle()
        return self.__dict__

    def finalize(self) -> tuple[Integers, ...]:
        """Return each column of sums, in the order of the labels."""
        self.settle()
        assert self.sums is not None
        return tuple(np.ascontiguousarray(self.sums.T))
