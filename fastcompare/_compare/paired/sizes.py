"""Sizes of differences, and by how much rounding of the scores may move them."""

from typing import NamedTuple

import numpy as np

from ..._base.types import Vector
from ..._inputs.pairs import Pairs
from ...kernels.ties import ROUNDING


class Sized(NamedTuple):
    """Differences d (n,), their sizes, and how far rounding of the scores may move each of these.

    Two sizes tie that are no further apart than the larger `room` of both; differences are 0 only
    where the two scores are equal. Sizes are in the order of |d|, and not always |d|.
    """

    d: Vector
    sizes: Vector
    room: Vector


def sized(d: Vector, columns: list[Vector]) -> Sized:
    """Return the differences of one or two columns of scores with how far rounding moves each."""
    largest = np.abs(columns[0])
    for column in columns[1:]:
        np.maximum(largest, np.abs(column), out=largest)
    with np.errstate(under="ignore"):
        largest *= ROUNDING
    return Sized(d, np.abs(d), largest)


def exactly_sized(d: Vector, sizes: Vector) -> Sized:
    """Return differences of integers with numbers in the exact order of their sizes."""
    return Sized(d, sizes, np.zeros(d.shape))


def sized_pairs(pairs: Pairs) -> Sized:
    """Return checked differences with their sizes."""
    if pairs.exact is not None:
        return exactly_sized(pairs.differences, pairs.exact)
    return sized(pairs.differences, pairs.columns)


def signed_pairs(pairs: Pairs) -> tuple[Vector, tuple[float, float]]:
    """Return differences, or numbers in their order, and the least and the greatest room of each.

    The least is a bound: no row's largest score is below the smallest of either column.
    """
    if pairs.exact is not None:
        return np.copysign(pairs.exact, pairs.differences), (0.0, 0.0)
    least = most = 0.0
    for column in pairs.columns:
        low, high = float(column.min()), float(column.max())
        least, most = max(least, low, -high), max(most, -low, high)
    return pairs.differences, (ROUNDING * least, ROUNDING * most)


def are_constant(differences: Sized) -> bool:
    """Say whether two differences or more all tie with the most precise one."""
    d, _, room = differences
    if d.size == 1 or np.ptp(d) > 2.0 * room.max():
        return False
    return bool((np.abs(d - d[room.argmin()]) <= room).all())
