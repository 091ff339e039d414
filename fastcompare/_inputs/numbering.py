"""Numbers for labels: places among the sorted classes, and how often labels come together."""

from collections.abc import Sequence
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Labels = NDArray[Any]
MOST_COUNTED = 1 << 16  # range of whole numbers up to which counting replaces sorting
MOST_SHIFTED = 1 << 62
BLOCK = 1 << 16  # cases whose cells stay in the cache
BITS = 4  # of a label in a cell: of three labels there are 4,096, few beside 10^5 cases
FEW = 1 << BITS


class Cells(NamedTuple):
    """The K sorted classes, and the counts (K, ..., K) of cases with each combination of labels."""

    classes: tuple[Any, ...]
    counts: NDArray[np.int64]


class Numbers(dict[Any, int]):
    """The numbers of labels in the order in which they come."""

    def __missing__(self, label: Any) -> int:
        """Return the number of a label that comes for the first time."""
        self[label] = number = len(self)
        return number


def number_labels(columns: Sequence[Labels]) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return the sorted classes of comparable columns, and a row of their numbers for each."""
    if all(labels.dtype.kind in "biu" for labels in columns):
        low, high = (int(end) for end in ends_of(columns))
        if high - low < MOST_COUNTED and low > -MOST_SHIFTED and high < MOST_SHIFTED:
            return counted_labels(columns, low)
    if all(labels.dtype.kind in "US" for labels in columns):
        return numbered_words(columns)
    joined = np.concatenate(columns)
    found, inverse = np.unique(joined, return_inverse=True)
    return tuple(found.tolist()), inverse.astype(np.int64).reshape(len(columns), -1)


def ends_of(columns: Sequence[Labels]) -> tuple[Any, Any]:
    """Return the lowest and the highest label."""
    return min(labels.min() for labels in columns), max(labels.max() for labels in columns)


def counted_labels(
    columns: Sequence[Labels], low: int
) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return the classes and numbers of whole labels in a narrow range, without sorting."""
    shifted = np.array([labels.astype(np.int64) - low for labels in columns])
    present = np.bincount(shifted.ravel()) > 0
    place = np.cumsum(present) - 1
    return tuple((np.flatnonzero(present) + low).tolist()), place[shifted]


def numbered_words(
    columns: Sequence[Labels],
) -> tuple[tuple[Any, ...], NDArray[np.int64]]:
    """Return the classes and numbers of strings, of which only the classes are sorted."""
    numbers = Numbers()
    found = [np.fromiter(map(numbers.__getitem__, one.tolist()), np.int64) for one in columns]
    classes = sorted(numbers)
    place = np.empty(len(classes), np.int64)
    place[[numbers[label] for label in classes]] = np.arange(len(classes))
    return tuple(classes), place[np.array(found)]


def cells_of_few(columns: Sequence[Labels]) -> Cells | None:
    """Return the cells of whole labels from 0 to 15; None for others.

    Blocks of cases are read once: the bits of all columns together tell whether any is another.
    """
    if np.result_type(*columns).kind not in "biu":
        return None
    starts = range(0, columns[0].size, BLOCK)
    blocks = [[labels[start : start + BLOCK] for labels in columns] for start in starts]
    bits = BITS if len(blocks) > 1 else highest(blocks[0]).bit_length()  # few cases, few cells
    if bits > BITS:
        return None
    counts = np.zeros(1 << bits * len(columns), np.int64)
    for block in blocks:
        if highest(block) >= FEW:
            return None
        counts += np.bincount(cell_numbers(block, bits), minlength=counts.size)
    table = counts.reshape((1 << bits,) * len(columns))
    axes = set(range(table.ndim))
    sides = [table.any(axis=tuple(axes - {axis})) for axis in axes]
    found = np.flatnonzero(np.logical_or.reduce(sides))
    if found.size < len(table):
        table = table[np.ix_(*[found] * table.ndim)]
    return Cells(tuple(found.tolist()), table)


def highest(columns: Sequence[Labels]) -> int:
    """Return a number with the highest bit of any label: the sign of negative ones is higher."""
    every = reduce(np.bitwise_or, columns)
    return int(every.view(f"u{every.itemsize}").max())


def cell_numbers(columns: Sequence[Labels], bits: int) -> NDArray[np.int64]:
    """Return the labels of each case as one number, so many bits of it a label."""
    cell = columns[0].astype(np.int64)
    for labels in columns[1:]:
        cell <<= bits
        cell |= labels.astype(np.int64, copy=False)
    return cell
