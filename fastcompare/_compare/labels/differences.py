"""Intervals for the difference of two paired proportions.

Notation: n pairs, of which b favour the first model and c the second; D = (b - c) / n.

Tango's interval holds what the score test does not reject. That of Fay and Lumbard belongs to the
tests by coins: with m = b + c, the share T of discordant pairs that favour the first model and the
share S of pairs that are discordant have beta distributions as their one-sided intervals have,

    low end:  T ~ Beta(b, c + 1),  S ~ Beta(m, n - m + 1) where T > 1/2, else Beta(m + 1, n - m)

and the end is a quantile of (2 T - 1) S. It is above 0 exactly if T <= 1/2 has no more than the
tail: the p-value of b heads of m coins. For a mid-p test T is half Beta(b, c + 1), half
Beta(b + 1, c).
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Matrix, Vector
from ..._inference.coins import coin_tail
from ..._inference.proportions import wilson
from ..._inference.pvalues import normal_quantile
from .table import Table

Shares = float | Vector
HALVINGS = 60  # of at most 2: below the precision of the ends
PANELS, FINEST, NODES = 16, 64, 12  # of the integral over S: 8 digits and more, see the tests
FAR = 38.0  # logarithm of the least density that counts


def tango_z(b: Shares, c: Shares, n: Shares, difference: Shares, less: Shares = 0.0) -> Vector:
    """Return Tango's (1998) score statistic of a difference D; at 0 its square is McNemar's.

    Here b and c are shares of the n cases, and `less` is taken from b - c - D.
    """
    linear = (2.0 - b + c) * difference - b - c
    constant = -c * difference * (1.0 - difference)
    root = np.sqrt(np.maximum(linear * linear - 8.0 * constant, 0.0))
    root = np.where(constant == 0.0, np.abs(linear), root)  # whose square may underflow
    with np.errstate(divide="ignore", invalid="ignore"):
        # the greater root of a quadratic, by the form that does not cancel
        q = np.where(linear < 0.0, (root - linear) / 4.0, -2.0 * constant / (root + linear))
        q = np.where((linear == 0.0) & (root == 0.0), 0.0, q)  # both roots are 0
        away = b - c - difference - less
        variance = np.maximum(2.0 * q + difference * (1.0 - difference), 0.0)
        z: Vector = np.where(away == 0.0, 0.0, away * np.sqrt(n) / np.sqrt(variance))
    return z


def tango_ends(
    b: Shares, c: Shares, n: Shares, tail: float, less: Shares = 0.0
) -> tuple[Vector, Vector]:
    """Return the differences that the score test does not reject; `tail` is left at each end.

    `less` is Edwards' (1948) correction, 1 / n, towards either end.
    """
    z, end = normal_quantile(tail), np.ones(np.shape(b))  # the score falls from -1 to 1
    low = last_where(lambda d: tango_z(b, c, n, d, less) <= z, end)
    return low, last_where(lambda d: tango_z(b, c, n, d, -less) >= -z, -end)


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


def corrected(table: Table, tail: float) -> tuple[float, float]:
    """Return Tango's interval with Edwards' correction, that of McNemar's corrected test."""
    n = table.n
    low, high = tango_ends(table.b / n, table.c / n, n, tail, 1.0 / n)
    return float(low), float(high)


def melded(table: Table, tail: float, weight: float) -> tuple[float, float]:
    """Return Fay and Lumbard's (2021) interval; `weight` is that of b in the test by coins."""
    b, c, n = table.b, table.c, table.n
    return melded_low(b, c, n, tail, weight), -melded_low(c, b, n, tail, weight)


def melded_all(b: Integers, c: Integers, n: int, tail: float, weight: float) -> Matrix:
    """Return such intervals (P, 2) of pairs of models, one for all that have the same numbers."""
    tables = [Table(n - x - y, x, y, 0) for x, y in zip(b.tolist(), c.tolist(), strict=True)]
    ends = {table: melded(table, tail, weight) for table in set(tables)}
    return np.reshape([ends[table] for table in tables], (-1, 2))


def melded_low(b: int, c: int, n: int, tail: float, weight: float) -> float:
    """Return the lower end: the quantile of (2 T - 1) S with `tail` below it."""
    m, below = b + c, coin_tail(c, b, weight) > tail  # P(T <= 1/2), as the test has it
    if not (m or below):
        return 0.0
    sign, wanted = (-1.0, tail) if below else (1.0, 1.0 - tail)
    density = ShareDensity(m + below, n - m + (not below))

    def excess(distance: float) -> float:
        """Return the chance that (2 T - 1) S is further on this side of 0, less the one wanted."""
        share, mass = density.above(distance)
        chance = favouring(b, c, 0.5 + sign * 0.5 * distance / share, weight)
        return float(mass @ (chance if below else 1.0 - chance)) - wanted

    return sign * (1.0 if excess(1.0) >= 0.0 else root_of(excess))


def root_of(excess: Callable[[float], float]) -> float:
    """Return where a function that falls from 0 to 1 changes its sign."""
    from scipy.optimize import brentq

    return float(brentq(excess, 0.0, 1.0, xtol=1e-13, rtol=1e-12)) if excess(0.0) > 0.0 else 0.0


def favouring(b: int, c: int, t: Vector, weight: float) -> Vector:
    """Return P(T <= t) of the lower end, half of each beta distribution for a weight of a half."""
    from scipy.special import betainc

    lower = betainc(b, c + 1.0, t) if b else np.ones(t.shape)
    if weight == 1.0:
        return np.asarray(lower)
    upper = betainc(b + 1.0, c, t) if c else np.zeros(t.shape)
    return np.asarray(weight * lower + (1.0 - weight) * upper)


class ShareDensity:
    """The density of S ~ Beta(a, b), by panels of its logit, on which it falls off smoothly."""

    def __init__(self, a: int, b: int) -> None:
        self.a, self.b = a, b
        self.panels = PANELS + min(math.isqrt(a), FINEST)
        if b:
            self.mode, reach = math.log(a / b), 9.0 * math.sqrt(1.0 / a + 1.0 / b)
            self.least, self.most = self.mode - reach - FAR / a, self.mode + reach + FAR / b
            self.total = float(self._weighed(self.least)[1].sum())

    def above(self, share: float) -> tuple[Vector, Vector]:
        """Return nodes above a share, and their masses; b = 0 is all mass at 1."""
        if not self.b:
            return np.ones(1), np.ones(1)
        odds = share / (1.0 - share) if share < 1.0 else math.inf
        if odds >= math.exp(self.most):
            return np.ones(1), np.zeros(1)
        y, mass = self._weighed(max(math.log(odds), self.least) if odds else self.least)
        return 1.0 / (1.0 + np.exp(-y)), mass / self.total

    def _weighed(self, least: float) -> tuple[Vector, Vector]:
        """Return logits from `least` on and their masses, as multiples of the greatest density."""
        node, weight = panel_nodes()
        width = (self.most - least) / self.panels
        y = (least + width * (np.arange(self.panels)[:, None] + node)).ravel()
        away = y - self.mode
        rise = np.log1p(self.a / (self.a + self.b) * np.expm1(away))
        density = np.exp(self.a * away - (self.a + self.b) * rise)
        return y, density * np.tile(width * weight, self.panels)


@lru_cache(maxsize=1)
def panel_nodes() -> tuple[Vector, Vector]:
    """Return nodes and weights of Gauss and Legendre on [0, 1]."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    return 0.5 * (node + 1.0), 0.5 * weight


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
    "corrected": corrected,
    "newcombe": newcombe,
    "wald": wald,
}
