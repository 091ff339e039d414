"""The interval of a height of the ROC curve that follows from counts beyond a cut.

At the cut where the population has a false positive rate of f, the numbers of negatives and of
positives beyond are independent and binomial, of rates f and h, the height. Which cut that is, is
not known, so an h is in the interval if some cut of the data agrees with both rates:

    min over cuts of z(a, n, f)^2 + z(b, m, h)^2 <= q

with a of n negatives and b of m positives beyond the cut, and q the quantile of chi-squared with
one degree of freedom, as of a likelihood ratio that is profiled over the cut: the empirical one of
Claeskens et al. (2003), doi:10.2307/3316066, has that limit. z is the normal quantile of Jeffreys'
posterior of the rate. So a cut whose z(a, n, f)^2 is c leaves sqrt(q - c) to Jeffreys' interval of
b of m, and the interval is what these cover together.
"""

import math
from typing import NamedTuple

import numpy as np

from ...._base.types import Vector
from ...._inference.pvalues import normal_quantile
from ...._inputs.cases import Cases
from .statistics import Measure


class Path(NamedTuple):
    """Numbers of negatives and positives beyond each cut, from none to all."""

    negatives: Vector
    positives: Vector

    def above(self, a: Vector) -> tuple[Vector, Vector]:
        """Return the fewest and most positives beyond cuts with these numbers of negatives beyond.

        Between tied cases the path is linear, as the curve is.
        """
        stops, first = np.unique(self.negatives, return_index=True)
        fewest = self.positives[first]
        most = self.positives[np.append(first[1:], self.positives.size) - 1]
        at = np.searchsorted(stops, a, side="right") - 1
        to = np.minimum(at + 1, stops.size - 1)
        share = (a - stops[at]) / np.maximum(stops[to] - stops[at], 1.0)
        high = most[at] + share * (fewest[to] - most[at])
        return np.where(share == 0.0, fewest[at], high), high


def path_of(measure: Measure, cases: Cases) -> Path:
    """Return the path of one model; a mirrored measure counts the classes the other way round."""
    scores, positive = cases.scores[0], cases.labels == 1
    if measure.mirrored:
        scores, positive = -scores, ~positive
    order = np.argsort(-scores, kind="stable")
    last = np.append(np.flatnonzero(np.diff(scores[order])), scores.size - 1)
    found = np.cumsum(positive[order])[last]
    beyond = np.append(0, found).astype(np.float64)
    return Path(np.append(0, last + 1) - beyond, beyond)


class Profile(NamedTuple):
    """A path, and the rate of negatives beyond the cut."""

    path: Path
    rate: float
    estimate: float

    def ends(self, level: float) -> tuple[float, float]:
        """Return the interval at this level; it holds the estimate, and needs two of each class."""
        z = normal_quantile(0.5 * (1.0 - level))
        n, m = float(self.path.negatives[-1]), float(self.path.positives[-1])
        if min(m, n) < 2.0:
            return math.nan, math.nan
        a = self.near(z, n)
        squares = cut_scores(a, n, self.rate) ** 2
        agree = squares <= max(z * z, squares.min())
        left = np.sqrt(np.maximum(z * z - squares[agree], 0.0))
        fewest, most = self.path.above(a[agree])
        low = float(jeffreys_low(fewest, m, left).min())
        high = 1.0 - float(jeffreys_low(m - most, m, left).min())
        return min(low, self.estimate), max(high, self.estimate)

    def near(self, z: float, n: float) -> Vector:
        """Return all numbers of negatives beyond that may agree with the rate."""
        middle = n * self.rate
        reach = 2.0 + z * z + 1.5 * z * math.sqrt(middle * (1.0 - self.rate))
        return np.arange(
            math.floor(max(middle - reach, 0.0)), math.ceil(min(middle + reach, n)) + 1.0
        )


def cut_scores(a: Vector, n: float, rate: float) -> Vector:
    """Return z(a, n, rate); nothing is too few where none can be fewer, nor all too many."""
    from scipy.special import betainc, ndtri

    if rate in (0.0, 1.0):
        return np.where(a == n * rate, 0.0, np.inf)
    z: Vector = ndtri(betainc(a + 0.5, n - a + 0.5, rate))
    z[a == 0.0] = np.maximum(z[a == 0.0], 0.0)
    z[a == n] = np.minimum(z[a == n], 0.0)
    return z


def jeffreys_low(b: Vector, m: float, z: Vector) -> Vector:
    """Return the low end of Jeffreys' interval, Brown, Cai and DasGupta (2001), section 4.1.1."""
    from scipy.special import betaincinv, ndtr

    return np.where(b > 0.0, betaincinv(b + 0.5, m - b + 0.5, ndtr(-z)), 0.0)
