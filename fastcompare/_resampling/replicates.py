"""From replicates of an estimate to p-values and intervals that agree with one another.

With B replicates t*, the p-value of the claim theta > x is (1 + #(t* <= x)) / (B + 1), and the
lower end at level alpha is the order statistic floor((B + 1) alpha): it lies above x exactly when
that p-value is at most alpha (Davison and Hinkley 1997, sections 4.4 and 5.2). Interpolated
quantiles would break this. A level that needs more replicates than there are leaves the end at the
bound of the parameter, and a warning says how many it needs.

Replicates come in blocks of 64, the lanes of a kernel; several blocks are a task.
"""

import math
from functools import cached_property
from typing import Protocol

import numpy as np

from .._base.exceptions import UndefinedResultWarning, warn
from .._base.types import Vector
from .._inference.pvalues import (
    PValue,
    claim_pvalue,
    normal_pvalue,
    normal_quantile,
    normal_tail,
    statistic_with_margin,
)
from ..kernels.drawing.streams import LANES

NEAR = 1e-9  # (B + 1) alpha is often whole, but not in floating point
SMALLEST_TAIL = 1e-12  # no feasible number of replicates has an order statistic beyond it
METHODS = ("percentile", "basic", "bca", "normal", "studentized")


class Tails(Protocol):
    """One-sided p-values and interval limits of a parameter, from replicates of its estimate."""

    def above(self, x: float) -> float:
        """Return the p-value of the claim that the parameter is above x."""

    def below(self, x: float) -> float:
        """Return the p-value of the claim that the parameter is below x."""

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it; -inf if there is none."""

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it; inf if there is none."""


class OrderStatistics:
    """Tails by the order statistics of replicates, or of their reflections at the estimate."""

    def __init__(self, values: Vector, *, exhaustive: bool = False) -> None:
        """Copy the replicates `values` (B,), which are sorted when an order statistic is needed."""
        self.unsorted = np.array(values)  # a copy: the caller may change the replicates
        self.size = values.size
        self.exhaustive = exhaustive  # all that exist, as of an exact permutation test

    @cached_property
    def values(self) -> Vector:
        """The values in order; p-values do without, since counting takes a third of a sort."""
        return np.sort(self.unsorted)

    def above(self, x: float) -> float:
        """Return the p-value of the claim that the parameter is above x."""
        return (1 + int(np.count_nonzero(self.unsorted <= x))) / (self.size + 1)

    def below(self, x: float) -> float:
        """Return the p-value of the claim that the parameter is below x."""
        return (1 + self.size - int(np.count_nonzero(self.unsorted < x))) / (self.size + 1)

    def low(self, alpha: float) -> float:
        """Return the order statistic floor((B + 1) alpha)."""
        rank = self._rank(alpha)
        return float(self.values[min(rank, self.size) - 1]) if rank else -math.inf

    def high(self, alpha: float) -> float:
        """Return the order statistic ceil((B + 1) (1 - alpha))."""
        rank = self._rank(alpha)
        return float(self.values[max(self.size - rank, 0)]) if rank else math.inf

    def _rank(self, alpha: float) -> int:
        """Return floor((B + 1) alpha); warn if it is 0."""
        rank = math.floor((self.size + 1) * alpha + NEAR)
        if rank == 0:
            warn_of_few_replicates(self.size, alpha, exhaustive=self.exhaustive)
        return rank


class NormalTails:
    """Tails by a normal approximation with the standard deviation of the replicates."""

    def __init__(self, estimate: float, standard_error: float) -> None:
        self.estimate, self.standard_error = estimate, standard_error

    def above(self, x: float) -> float:
        """Return the p-value of the claim that the parameter is above x."""
        return normal_tail(self._z(x))

    def below(self, x: float) -> float:
        """Return the p-value of the claim that the parameter is below x."""
        return normal_tail(-self._z(x))

    def low(self, alpha: float) -> float:
        """Return the lower end of the interval with `alpha` below it."""
        return self.estimate - normal_quantile(alpha) * self.standard_error

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it."""
        return self.estimate + normal_quantile(alpha) * self.standard_error

    def _z(self, x: float) -> float:
        """Return (estimate - x) / standard error."""
        return (self.estimate - x) / self.standard_error


class BCaTails:
    """Tails by BCa: order statistics at levels corrected for bias z0 and acceleration a.

    Efron (1987), doi:10.1080/01621459.1987.10478410, Eq. 2.3; p-values invert it.
    """

    def __init__(self, replicates: Vector, estimate: float, acceleration: float) -> None:
        """Compute the bias z0: the normal quantile of the replicates' share below the estimate."""
        self.ordered = OrderStatistics(replicates)
        size = replicates.size
        below = np.count_nonzero(replicates < estimate)
        level = (below + 0.5 * np.count_nonzero(replicates == estimate)) / size
        # an estimate beyond all replicates counts as beyond B of B + 1
        self.bias = -normal_quantile(min(max(level, 1.0 / (size + 1)), size / (size + 1)))
        self.acceleration = acceleration

    def above(self, x: float) -> float:
        """Return the p-value of the claim that the parameter is above x."""
        return self._resolvable_pvalue(-self._uncorrected_z(self.ordered.above(x)))

    def below(self, x: float) -> float:
        """Return the p-value of the claim that the parameter is below x."""
        return self._resolvable_pvalue(self._uncorrected_z(1.0 - self.ordered.below(x)))

    def low(self, alpha: float) -> float:
        """Return the order statistic at BCa's corrected level, with `alpha` below it."""
        level = normal_tail(-self._corrected_z(-normal_quantile(alpha)))  # both of upper tails
        # Too few replicates for `alpha` are too few at any level: `low` warns and returns -inf.
        return self.ordered.low(level if self._resolves(alpha) else alpha)

    def high(self, alpha: float) -> float:
        """Return the upper end of the interval with `alpha` above it: see `low`."""
        level = normal_tail(self._corrected_z(normal_quantile(alpha)))
        return self.ordered.high(level if self._resolves(alpha) else alpha)

    def _corrected_z(self, z: float) -> float:
        """Return the normal quantile of the level at which an order statistic is the limit."""
        return self.bias + stretch_quantile(self.bias + z, -self.acceleration)

    def _uncorrected_z(self, level: float) -> float:
        """Return z of the level of an order statistic: the inverse of `_corrected_z`."""
        return stretch_quantile(-normal_quantile(level) - self.bias, self.acceleration) - self.bias

    def _resolvable_pvalue(self, z: float) -> float:
        """Return the normal tail beyond z, at least 1 / (B + 1)."""
        return max(normal_tail(z), 1.0 / (self.ordered.size + 1))

    def _resolves(self, alpha: float) -> bool:
        """Return whether an order statistic has at least `alpha` beyond it."""
        return (self.ordered.size + 1) * alpha + NEAR >= 1.0


def warn_of_few_replicates(n_replicates: int, alpha: float, *, exhaustive: bool) -> None:
    """Warn that `n_replicates` replicates have no order statistic with `alpha` beyond it."""
    needed = math.inf if alpha < SMALLEST_TAIL else math.ceil(1.0 / alpha - NEAR) - 1
    remedy = f"use {needed} or more" if needed < math.inf else "choose another `method`"
    if exhaustive:
        remedy = "there are no more"
    warn(
        f"few_replicates: {n_replicates} replicates are too few for a tail of {alpha:.3g}, so the "
        f"interval ends at the bound of the parameter: {remedy}.",
        UndefinedResultWarning,
    )


def stretch_quantile(z: float, acceleration: float) -> float:
    """Return z / (1 + acceleration z), infinite beyond its pole."""
    stretch = 1.0 + acceleration * z
    return z / stretch if stretch > 0.0 and math.isfinite(z) else math.copysign(math.inf, z)


def bootstrap_tails(
    method: str,
    replicates: Vector,
    estimate: float,
    *,
    acceleration: float = 0.0,
    scale: Vector | float = 1.0,
) -> Tails:
    """Return the tails of a parameter by a bootstrap method.

    `method` is 'percentile', 'basic' (the percentiles reflected at the estimate), 'normal', 'bca',
    which needs the acceleration, or 'studentized', which needs for `scale` the ratios of the
    standard error of the estimate to those of the replicates.
    """
    if method == "normal":
        return NormalTails(estimate, float(np.std(replicates, ddof=1)))
    if method == "bca":
        return BCaTails(replicates, estimate, acceleration)
    if method == "basic":
        return OrderStatistics(2.0 * estimate - replicates)
    if method == "studentized":
        return OrderStatistics(estimate - (replicates - estimate) * scale)
    return OrderStatistics(replicates)


def replicate_pvalue(parameter_tails: Tails, alternative: str, margin: float) -> PValue:
    """Return the p-value of a hypothesis, with its log: a normal tail may underflow to 0."""
    if isinstance(parameter_tails, NormalTails):
        z, tail = statistic_with_margin(
            parameter_tails.estimate, parameter_tails.standard_error, alternative, margin
        )
        return normal_pvalue(z, tail)
    return claim_pvalue(alternative, margin, parameter_tails.above, parameter_tails.below)


def all_blocks(n_resamples: int) -> range:
    """Return the numbers of the blocks of 64 replicates: 0, 1, ..., ceil(n_resamples / 64) - 1."""
    return range(-(-n_resamples // LANES))


def block_tasks(n_resamples: int, task_size: int) -> list[range]:
    """Return the numbers of all blocks, cut into tasks of at most `task_size` blocks."""
    blocks = all_blocks(n_resamples)
    return [blocks[first : first + task_size] for first in range(0, len(blocks), task_size)]
