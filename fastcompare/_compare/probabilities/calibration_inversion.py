"""Calibration errors that an observed one does not refute: an interval, a corrected estimate.

Notation: bin b holds n_b of n cases, with mean probability p_b and rate of positives r_b. Its gap
is D_b = n_b / n (p_b - r_b), and S = sum |D_b| is the observed error. If the gaps of the population
are mu_b, the true error is theta = sum |mu_b|, and S* is the error of a sample from it. S* exceeds
theta on average: by sum E|N(0, v_b)| at theta = 0, and by hardly anything where all gaps are far
from 0. So theta is tested by whether S* is above, or below, S often enough, for the mu that fits
the gaps best among those with this theta: |mu_b| = max(|D_b| - pull * v_b, 0), all gaps pulled
towards 0 by their variances v_b (the projection on a sphere of the l1 norm). A negative pull gives
errors above S.

The distribution of S* is Pearson's type III with its first three moments. They come from folded
normal distributions, and from binomial ones in bins with few positives or few negatives.
`studies.calibration_coverage` measures how often the intervals cover.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..._base.types import Vector
from ..._inference.pvalues import normal_tail
from ...kernels.folded import distance_moments, folded_moments

SPARSE = 9.0  # expected positives, or negatives, of a bin from which its gap is taken as normal
STRAIGHT = 1e-3  # skewness below which the distribution is normal
ALL = 1.0 + 2.0**-40  # a little more than pulls every gap to 0, so that rounding leaves none
PRIOR = 2.0  # cases with the bin's mean probability, and one with 1/2, that smooth a bin's rate


class Moments(NamedTuple):
    """Of the error of a sample: mean, variance and third central moment.

    `step` is half the distance of neighbouring values as far as they are few.
    """

    mean: float
    variance: float
    third: float
    step: float

    def reach(self, error: float) -> float:
        """Return the chance of this error or a greater one."""
        return type_three_tail(error - self.step, self)

    def stay(self, error: float) -> float:
        """Return the chance of this error or a smaller one."""
        return 1.0 - type_three_tail(error + self.step, self)


def type_three_tail(x: float, moments: Moments) -> float:
    """Return the chance that a variable of Pearson's type III with these moments exceeds x."""
    mean, variance, third, _ = moments
    if not variance > 0.0:
        return float(mean >= x)
    from scipy.special import gammainc, gammaincc

    deviation = math.sqrt(variance)
    z, skewness = (x - mean) / deviation, third / variance / deviation  # their product may be 0
    if abs(skewness) < STRAIGHT:
        return normal_tail(z)
    shape = 4.0 / (skewness * skewness)
    tail = gammaincc if skewness > 0.0 else gammainc
    return float(tail(shape, max(shape + 2.0 * z / skewness, 0.0)))


@dataclass(frozen=True, eq=False)
class Gaps:
    """The bins that are not empty.

    `mixing` is the share of a bin's variance of labels that different probabilities leave.
    """

    counts: Vector
    forecast: Vector
    rate: Vector
    mixing: Vector

    @cached_property
    def n(self) -> float:
        """The number of cases."""
        return float(self.counts.sum())

    @cached_property
    def shares(self) -> Vector:
        """The bins' shares of the cases."""
        return np.asarray(self.counts / self.n)

    @property
    def observed(self) -> Vector:
        """The gaps D."""
        return np.asarray(self.shares * (self.forecast - self.rate))

    def variances(self) -> Vector:
        """Return the gaps' variances v, by rates that are never 0 or 1."""
        more = PRIOR * self.forecast + 0.5
        rate = (self.counts * self.rate + more) / (self.counts + PRIOR + 1.0)
        return self.label_variances(rate)

    def label_variances(self, rate: Vector) -> Vector:
        """Return the variances of gaps where these are the rates."""
        return np.asarray(self.shares * rate * (1.0 - rate) * self.mixing / self.n)


def find_root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function crosses 0 between two points at which its signs differ."""
    from scipy.optimize import brentq

    at_low, at_high = function(low), function(high)
    if at_low * at_high >= 0.0:
        return low if abs(at_low) < abs(at_high) else high
    return float(brentq(function, low, high, xtol=1e-9 * (high - low), rtol=1e-9))


class ErrorInversion:
    """The calibration errors that an observed one does not refute."""

    @np.errstate(under="ignore")
    def __init__(self, gaps: Gaps) -> None:
        """Prepare what does not depend on the true error."""
        observed = gaps.observed
        self.gaps, self.sizes = gaps, np.abs(observed)
        self.error = float(self.sizes.sum())
        self.variances = gaps.variances()
        self.signs = np.where(observed >= 0.0, 1.0, -1.0)
        lower, upper = gaps.shares * gaps.forecast, gaps.shares * (1.0 - gaps.forecast)
        self.same_side = np.where(observed >= 0.0, lower, upper)  # how far rates of 0 or 1 let it
        self.limits = np.maximum(lower, upper)
        self.strongest = float((self.sizes / self.variances).max()) * ALL

    def true_gaps(self, pull: float) -> Vector:
        """Return the sizes of the population's gaps."""
        return np.clip(self.sizes - pull * self.variances, 0.0, self.limits)

    def theta(self, pull: float) -> float:
        """Return the true error."""
        return float(self.true_gaps(pull).sum())

    def moments(self, pull: float) -> Moments:
        """Return the moments of the error of a sample.

        A gap beyond what a rate of 0 or 1 allows on its side is on the other. Beside the labels,
        the bins' shares vary, from sample to sample.
        """
        with np.errstate(under="ignore"):
            return self.summed(self.true_gaps(pull))

    def summed(self, sizes: Vector) -> Moments:
        """Return the moments where the population's gaps have these sizes."""
        gaps = self.gaps
        signs = np.where(sizes > self.same_side, -self.signs, self.signs)
        rate = np.clip(gaps.forecast - signs * sizes / gaps.shares, 0.0, 1.0)
        by_bin = np.empty((3, sizes.size))
        folded_moments(sizes, np.sqrt(gaps.label_variances(rate)), by_bin)
        rarer = np.minimum(rate, 1.0 - rate)
        sparse = np.flatnonzero(gaps.counts * rarer < SPARSE)
        if sparse.size:
            near = np.where(rate > 0.5, 1.0 - gaps.forecast, gaps.forecast)[sparse]
            counts, found = gaps.counts[sparse], np.empty((3, sparse.size))
            distance_moments(counts, rarer[sparse], counts * near, found)
            by_bin[:, sparse] = found / gaps.n ** np.array([[1.0], [2.0], [3.0]])
        mean, variance, third = by_bin.sum(axis=1).tolist()
        coarse = float(by_bin[1, sparse].sum()) / variance if variance > 0.0 else 1.0
        spread = float((sizes * sizes / gaps.shares).sum() - sizes.sum() ** 2)
        return Moments(mean, variance + max(spread, 0.0) / gaps.n, third, 0.5 * coarse / gaps.n)

    def debiased(self) -> tuple[float, float]:
        """Return the true error whose samples average the observed one, and their spread."""
        pull = self.strongest
        if self.moments(pull).mean < self.error:
            pull = find_root(lambda at: self.moments(at).mean - self.error, 0.0, pull)
        return self.theta(pull), math.sqrt(self.moments(pull).variance)

    def ends(self, tail: float) -> tuple[float, float]:
        """Return the interval with `tail` on either side."""
        return self.low(tail), self.high(tail)

    def low(self, tail: float) -> float:
        """Return the least error whose samples have so great an error often enough."""
        if self.moments(self.strongest).reach(self.error) >= tail:
            return 0.0
        return self.theta(
            find_root(lambda pull: self.moments(pull).reach(self.error) - tail, 0.0, self.strongest)
        )

    def high(self, tail: float) -> float:
        """Return the greatest error whose samples have so small an error often enough.

        Where hardly any sample of calibrated probabilities has, that chance is halved.
        """
        tail = min(tail, 0.5 * self.moments(self.strongest).stay(self.error))

        def apart(pull: float) -> float:
            return tail - self.moments(pull).stay(self.error)

        far, greatest = -max(self.strongest, 1.0), float(self.limits.sum())
        while apart(far) < 0.0:
            if self.theta(far) >= greatest:
                return greatest
            far *= 2.0
        return self.theta(find_root(apart, far, self.strongest))
