"""Hommel's correction in O(m log m), to the last bit of its definition in quadratic time.

Notation: x = m - size is how many of the p-values p_1 <= ... <= p_m are not among the `size`
largest, and k = x + j the number of the j-th of these.
"""

import numpy as np

from ..._base.types import Integers, Vector


def hommel(p: Vector) -> Vector:
    """Hommel 1988, doi:10.1093/biomet/75.2.383: closed testing with Simes' test.

    Of the sets of one size that hold hypothesis i, the one with the largest others is the worst. So
    p_i becomes the largest of min(size p_i, others) over all sizes. Larger sizes make the first
    larger; if others of a larger set are larger, those of a smaller one may be taken to be.
    """
    others = np.append(simes_of_others(p), 0.0)
    falling = np.maximum.accumulate(others[::-1])[::-1]
    size, beyond = np.zeros(p.size, np.int64), np.full(p.size, p.size + 1)
    while (beyond - size > 1).any():  # to the last size with size p_i <= falling
        middle = (size + beyond) // 2
        fits = middle * p <= falling[middle - 1]
        size, beyond = np.where(fits, middle, size), np.where(fits, beyond, middle)
    return np.maximum(size * p, falling[size])


def simes_of_others(p: Vector) -> Vector:
    """Return the smallest of size p_k / j, j = 2, ..., size, for each size from 1 on.

    It is a slope from (x, 0) to (k, p_k), and where x grows, the k that it is found at never falls
    (Meijer, Krebs and Goeman 2019, doi:10.1002/bimj.201700316). So between two x whose k are known
    the others need not look further; all x half-way between such two take their turn together.
    """
    m = p.size
    least, found_at = np.full(m, np.inf), np.full(m, m)
    half = 1 << m.bit_length()
    while half := half // 2:
        x = np.arange(half - 1, m - 1, 2 * half)
        after = found_at[np.minimum(x + half, m - 1)]
        before = np.where(x < half, 0, found_at[x - half])
        least[x], found_at[x] = least_slopes(p, x, np.maximum(before, x + 2), after)
    return least[::-1]


def least_slopes(
    p: Vector, x: Integers, first: Integers, last: Integers
) -> tuple[Vector, Integers]:
    """Return the smallest of size p_k / j over k = first, ..., last, and the first such k."""
    count = last - first + 1
    start = np.cumsum(count) - count
    of = np.repeat(np.arange(x.size), count)
    k = np.arange(of.size) + (first - start)[of]
    slopes = (p.size - x)[of] * p[k - 1] / (k - x[of])
    least = np.minimum.reduceat(slopes, start)
    hit = np.flatnonzero(slopes == least[of])[::-1]
    found_at = np.empty_like(x)
    found_at[of[hit]] = k[hit]  # the last one written is the first one there
    return least, found_at
