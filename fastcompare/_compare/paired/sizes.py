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


def are_constant(differences: Sized) -> bool:
    """Say whether two differences or more all tie with the most precise one."""
    d, _, room = differences
    if d.size == 1 or np.ptp(d) > 2.0 * room.max():
        return False
    return bool((np.abs(d - d[room.argmin()]) <= room).all())
