"""Intervals for one proportion, x of n; `tail` is the chance left out at each end."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._base.types import Vector
from .coins import WIDE
from .pvalues import normal_quantile

CONFIRMED = 1e-9
LOG_LEAST = math.log(5e-324)


def wilson(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return the proportions that the score test does not reject (Wilson 1927)."""
    low, high = wilson_ends(x / n, float(n), normal_quantile(tail))
    return float(low), float(high)


def wilson_ends(p: Any, n: Any, z: float) -> tuple[Vector, Vector]:
    """Return Wilson's interval of shares p of n cases, numbers or arrays."""
    return wilson_low(p, n, z), 1.0 - wilson_low(1.0 - p, n, z)


def wilson_low(p: Any, n: Any, z: float) -> Vector:
    """Return the lower end: the product of both roots over the upper one, so 0 stays 0."""
    high = p + z * z / (2.0 * n) + z * np.sqrt(p * (1.0 - p) / n + z * z / (4.0 * n * n))
    low: Vector = np.divide(p * p, high, out=np.zeros(np.shape(p)), where=np.asarray(p > 0.0))
    return low


def effective_ends(p: Any, error: Any, n: Any, reach: Any) -> tuple[Vector, Vector]:
    """Return Wilson's interval of shares worth as many cases as their standard errors say.

    Of n where all cases are right or all are wrong; NaN where others do not vary.
    """
    alike = (p == 0.0) | (p == 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(alike, n, p * (1.0 - p) / error**2)
    low, high = wilson_ends(p, effective, reach)
    known = (alike | (error > 0.0)) & ~np.isnan(reach)
    return np.where(known, low, math.nan), np.where(known, high, math.nan)


def clopper_pearson(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return the ends of the exact interval of a proportion; `tail` is left out at each end."""
    low = beta_quantile(x, n - x + 1.0, tail) if x else 0.0
    high = 1.0 - beta_quantile(n - x, x + 1.0, tail) if x < n else 1.0
    return low, high


def beta_quantile(a: float, b: float, below: float) -> float:
    """Return the point below which a beta distribution has so much.

    SciPy's inverse is sometimes far off where a is small beside b (1000 and 1e9, in 1.17): what its
    own integral does not confirm is found by bisection of the logarithm.
    """
    from scipy.special import betainc, betaincinv

    if min(a, b) > WIDE:  # where that integral fails, too, and Wilson's end is as good
        return float(wilson_low(a / (a + b), a + b, normal_quantile(below)))
    found = float(betaincinv(a, b, below))
    if abs(float(betainc(a, b, found)) - below) <= CONFIRMED * below:
        return found
    low, high = LOG_LEAST, 0.0
    while low < (middle := 0.5 * (low + high)) < high:
        if betainc(a, b, math.exp(middle)) < below:
            low = middle
        else:
            high = middle
    return math.exp(high)


def jeffreys(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return quantiles of Beta(x + 1/2, n - x + 1/2), with 0 at x = 0 and 1 at x = n."""
    low = beta_quantile(x + 0.5, n - x + 0.5, tail) if x else 0.0
    high = 1.0 - beta_quantile(n - x + 0.5, x + 0.5, tail) if x < n else 1.0
    return low, high


def agresti_coull(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return Wald's interval of (x + z^2 / 2) of (n + z^2), which may leave [0, 1]."""
    z = normal_quantile(tail)
    total = n + z * z
    p = (x + 0.5 * z * z) / total
    radius = z * math.sqrt(p * (1.0 - p) / total)
    return p - radius, p + radius


INTERVALS: dict[str, Callable[[int, int, float], tuple[float, float]]] = {
    "wilson": wilson,
    "clopper-pearson": clopper_pearson,
    "jeffreys": jeffreys,
    "agresti-coull": agresti_coull,
}
