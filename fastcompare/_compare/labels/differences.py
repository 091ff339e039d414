"""Intervals for the difference of two paired proportions.

Notation: n pairs, of which b favour the first model and c the second; D = (b - c) / n.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Vector
from ..._inference.proportions import wilson
from ..._inference.pvalues import normal_quantile
from .table import Table

Shares = float | Vector
HALVINGS = 60  # of at most 2: below the precision of the ends


def tango_z(b: Shares, c: Shares, n: Shares, difference: Shares) -> Vector:
    """Return Tango's (1998) score statistic of a difference D; at 0 its square is McNemar's.

    Here b and c are shares of the n cases.
    """
    linear = (2.0 - b + c) * difference - b - c
    constant = -c * difference * (1.0 - difference)
    root = np.sqrt(np.maximum(linear * linear - 8.0 * constant, 0.0))
    root = np.where(constant == 0.0, np.abs(linear), root)  # whose square may underflow
    with np.errstate(divide="ignore", invalid="ignore"):
        # the greater root of a quadratic, by the form that does not cancel
        q = np.where(linear < 0.0, (root - linear) / 4.0, -2.0 * constant / (root + linear))
        q = np.where((linear == 0.0) & (root == 0.0), 0.0, q)  # both roots are 0
        away = b - c - difference
        variance = np.maximum(2.0 * q + difference * (1.0 - difference), 0.0)
        z: Vector = np.where(away == 0.0, 0.0, away * np.sqrt(n) / np.sqrt(variance))
    return z


def tango_ends(b: Shares, c: Shares, n: Shares, tail: float) -> tuple[Vector, Vector]:
    """Return the differences that the score test does not reject; `tail` is left at each end."""
    z, end = normal_quantile(tail), np.ones(np.shape(b))  # the score falls from -1 to 1
    low = last_where(lambda d: tango_z(b, c, n, d) <= z, end)
    return low, last_where(lambda d: tango_z(b, c, n, d) >= -z, -end)


def last_where(holds: Callable[[Vector], NDArray[np.bool_]], start: Vector) -> Vector:
    """Return where a condition that holds at `start` ends on the way to -start, by bisection."""
    end = -start
    everywhere = holds(end)
    for _ in range(HALVINGS):
        middle = 0.5 * (start + end)
        inside = holds(middle)
        start, end = np.where(inside, middle, start), np.where(inside, end, middle)
    return np.where(everywhere, np.sign(end), start)


def tango(table: Table, tail: float) -> tuple[float, float]:
    """Return Tango's interval of one table."""
    n = table.n
    low, high = tango_ends(table.b / n, table.c / n, n, tail)
    return float(low), float(high)


def newcombe(table: Table, tail: float) -> tuple[float, float]:
    """Return Newcombe's (1998) interval from Wilson's limits, his method 10."""
    first, second, phi = table.n11 + table.b, table.n11 + table.c, correlation(table)
    (l1, u1), (l2, u2) = (wilson(right, table.n, tail) for right in (first, second))
    p1, p2 = first / table.n, second / table.n
    below, above = (p1 - l1, u2 - p2), (u1 - p1, p2 - l2)
    estimate = table.difference
    return estimate - joined(*below, phi), estimate + joined(*above, phi)


def joined(one: float, other: float, phi: float) -> float:
    """Return the distance of an end from those of two correlated proportions."""
    distance = math.sqrt(max(one * one - 2.0 * phi * one * other + other * other, 0.0))
    return math.copysign(distance, one + other)  # negative where the level is below a half


def correlation(table: Table) -> float:
    """Return Newcombe's phi: half a case less than the sample's, if that is positive."""
    n, (n11, b, c, n00) = table.n, table
    margins = (n11 + b) * (c + n00) * (n11 + c) * (b + n00)
    if not margins:
        return 0.0
    cross = n11 * n00 - b * c
    numerator = max(cross - n / 2, 0.0) if cross > 0 else float(cross)
    return numerator / math.sqrt(margins)


def wald(table: Table, tail: float) -> tuple[float, float]:
    """Return the symmetric interval."""
    radius = normal_quantile(tail) * table.standard_error
    return table.difference - radius, table.difference + radius


INTERVALS: dict[str, Callable[[Table, float], tuple[float, float]]] = {
    "tango": tango,
    "newcombe": newcombe,
    "wald": wald,
}
