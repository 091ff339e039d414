"""Intervals for one proportion, x of n; `tail` is the chance left out at each end."""

import math
from collections.abc import Callable

from ..._pvalues import normal_quantile
from .binomial import clopper_pearson


def wilson(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return the proportions that the score test does not reject (Wilson 1927)."""
    p, z = x / n, normal_quantile(tail)
    share = z * z / n
    centre = (p + 0.5 * share) / (1.0 + share)
    radius = z * math.sqrt((p * (1.0 - p) + 0.25 * share) / n) / (1.0 + share)
    return 0.0 if x == 0 else centre - radius, 1.0 if x == n else centre + radius


def jeffreys(x: int, n: int, tail: float) -> tuple[float, float]:
    """Return quantiles of Beta(x + 1/2, n - x + 1/2), with 0 at x = 0 and 1 at x = n."""
    from scipy.special import betaincinv

    low = float(betaincinv(x + 0.5, n - x + 0.5, tail)) if x else 0.0
    high = 1.0 - float(betaincinv(n - x + 0.5, x + 0.5, tail)) if x < n else 1.0
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
