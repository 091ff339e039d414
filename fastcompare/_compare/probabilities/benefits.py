"""Net benefits, and differences of them, as weighted shares of the cases, with intervals.

A net benefit is a share of true positives less the odds of the threshold times that of false
positives; a difference of two models has four shares, those of the cases that one model alone
treats. Each share x has Wilson's interval from l to u, and their sum with weights w that of MOVER
(Zou and Donner 2008, doi:10.1002/sim.3095),

    estimate - sqrt(sum_jk r_jk d_j d_k), d_j = w_j (x_j - l_j), or w_j (x_j - u_j) where w_j < 0

and above with the other ends; r_jk is the multinomial correlation of the terms. So an interval is
right where few cases are positive or none has changed, unlike Student's; how often both cover is in
`studies.calibration_coverage`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._inference.proportions import wilson_ends
from ..._inference.pvalues import normal_quantile, open_side, upper_tail
from ..._inputs.options import check_flag, check_level
from ..._results.records import Record

ROWS = 1 << 14  # cases whose benefits are in memory at once
STEPS, CLOSE = 100, 1e-14  # at most so many, until z moves by no more than this share


class Ends(NamedTuple):
    """The ends of intervals along thresholds."""

    low: Vector
    high: Vector


class Shares(NamedTuple):
    """Counts (t, c) of the cases that a net benefit counts, of n, with their weights (t, c)."""

    counts: Matrix
    weights: Matrix
    n: int

    def estimate(self) -> Vector:
        """Return the sums."""
        return np.asarray((self.counts * self.weights).sum(axis=1) / self.n)

    @np.errstate(under="ignore")
    def standard_error(self) -> Vector:
        """Return the standard errors of the sums."""
        squares = (self.counts * self.weights**2).sum(axis=1) / self.n
        variance: Vector = np.maximum(squares - self.estimate() ** 2, 0.0) / self.n
        return np.sqrt(variance)

    @np.errstate(under="ignore")
    def ends(self, z: Any) -> tuple[Vector, Vector]:
        """Return the interval of each sum, for the quantile z, or an array of one for each."""
        x = self.counts / self.n
        column: Any = np.reshape(z, (-1, 1))
        low, high = wilson_ends(x, self.n, column)
        below, above = self.weights * (x - low), self.weights * (high - x)
        loses = self.weights < 0.0
        down, up = np.where(loses, -above, below), np.where(loses, -below, above)
        slope = np.sqrt(np.divide(x, 1.0 - x, out=np.zeros_like(x), where=x < 1.0))
        slope *= np.sign(self.weights)
        estimate = self.estimate()
        return estimate - joint_radius(down, slope), estimate + joint_radius(up, slope)

    def statistic(self) -> Vector:
        """Return the z whose interval ends at 0: of the estimate's sign, 0 for an estimate of 0."""
        estimate = self.estimate()
        sign = np.sign(estimate)

        def end(z: Vector) -> Vector:
            low, high = self.ends(z)
            return np.where(sign < 0.0, -high, low)

        near, far = np.zeros(sign.size), np.ones(sign.size)
        at_near, at_far = np.abs(estimate), end(far)
        while (beyond := (at_far > 0.0) & (sign != 0.0)).any():
            far[beyond] *= 2.0
            at_far = end(far)
        return np.asarray(sign * crossing(end, near, far, at_near, at_far))


@np.errstate(under="ignore")
def crossing(
    function: Callable[[Vector], Vector], low: Vector, high: Vector, at_low: Vector, at_high: Vector
) -> Vector:
    """Return where functions cross 0 from above, between points at which they are known.

    Regula falsi, an end that stays counting half (Dowell and Jarratt 1971,
    doi:10.1007/BF01934364): some ten steps where halving takes fifty.
    """
    found, side = low, np.zeros(low.size)
    for _ in range(STEPS):
        before = found
        apart = at_low - at_high
        found = high - at_high * np.divide(low - high, apart, out=0.0 * high, where=apart != 0.0)
        value = function(found)
        right = value > 0.0
        at_high = np.where(right, np.where(side > 0.0, 0.5, 1.0) * at_high, value)
        at_low = np.where(right, value, np.where(side < 0.0, 0.5, 1.0) * at_low)
        low, high = np.where(right, found, low), np.where(right, high, found)
        side = np.where(right, 1.0, -1.0)
        if (np.abs(found - before) <= CLOSE * found).all():
            break
    return found


def joint_radius(parts: Matrix, slope: Matrix) -> Vector:
    """Return the length of parts whose correlations are -slope_j slope_k, with 1 for each alone."""
    size = np.abs(parts)
    mixed = size * slope
    square = (size**2).sum(axis=1) - mixed.sum(axis=1) ** 2 + (mixed**2).sum(axis=1)
    radius: Vector = np.sqrt(np.maximum(square, 0.0))
    return radius


@dataclass(frozen=True, eq=False, slots=True)
class Treatments:
    """Labels and probabilities (k, n) by one model or two, to be cut at thresholds."""

    positive: NDArray[np.bool_]
    models: tuple[Vector, ...]
    thresholds: Vector

    @classmethod
    def of(
        cls, positive: NDArray[np.bool_], models: Sequence[Vector], thresholds: Vector
    ) -> Treatments:
        """Return them with copies of the probabilities, which a band reads when it is asked for."""
        return cls(positive, tuple(p.copy() for p in models), thresholds)

    def covariance(self) -> Matrix:
        """Return the covariance (t, t) of the benefits of a case at all thresholds."""
        cuts, n = self.thresholds, self.positive.size
        odds = cuts / (1.0 - cuts)
        total: Vector = np.zeros(cuts.size)
        products: Matrix = np.zeros((cuts.size, cuts.size))
        for start in range(0, n, ROWS):
            rows = slice(start, start + ROWS)
            treated = [(p[rows, None] >= cuts).astype(np.float64) for p in self.models]
            gain = treated[0] - treated[1] if len(treated) == 2 else treated[0]
            gain *= np.where(self.positive[rows, None], 1.0, -odds)
            total += gain.sum(axis=0)
            products += gain.T @ gain
        return np.asarray(products / n - np.outer(total / n, total / n))

    def against_nothing(self) -> tuple[Matrix, tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Return the covariance with a constant behind it, and the pairs of each with that."""
        count = self.thresholds.size
        covariance = np.zeros((count + 1, count + 1))
        covariance[:-1, :-1] = self.covariance()
        return covariance, (np.arange(count), np.full(count, count))

    def largest(self, alternative: str) -> Vector:
        """Return draws of the largest statistic of all thresholds under the null hypothesis."""
        from ..._inference.joint import largest_of_pairs  # here, since it needs compiled kernels

        covariance, pairs = self.against_nothing()
        return largest_of_pairs(covariance, *pairs, alternative, math.inf)

    def level_of_each(self, level: float, alternative: str) -> float:
        """Return the level of each interval such that all cover together at `level`."""
        from ..._inference.joint import level_of_each

        return level_of_each(*self.against_nothing(), level, alternative)


@dataclass(frozen=True, eq=False, kw_only=True)
class BenefitCurve(Record):
    """Net benefits, or differences, along thresholds."""

    thresholds: Vector
    estimate: Vector
    standard_error: Vector
    n: int
    n_dropped: int
    _shares: Shares = field(repr=False)
    _treatments: Treatments = field(repr=False)

    @property
    def _claimed(self) -> str:
        return "two-sided"

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> Ends:
        """Return the interval at each threshold.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.
        simultaneous : bool, default=False
            Widen the intervals so that those of all thresholds cover together: a band.

        Returns
        -------
        Ends
            ``(low, high)``, two arrays (t,), cut to what a net benefit can be.
        """
        level, wide = check_level(confidence_level), check_flag("simultaneous", simultaneous)
        if wide and self.thresholds.size > 1:
            level = self._treatments.level_of_each(level, self._claimed)
        z = normal_quantile(upper_tail(level, self._claimed))
        odds = self.thresholds / (1.0 - self.thresholds)
        least, greatest = self._range(odds)
        ends = self._shares.ends(abs(z))  # one-sided below 50 % the other end is meant
        low, high = open_side(self._claimed, *(ends if z >= 0.0 else ends[::-1]))
        return Ends(np.maximum(low, least), np.minimum(high, greatest))

    def _range(self, odds: Vector) -> tuple[Vector, Vector]:
        return -odds, np.ones_like(odds)
