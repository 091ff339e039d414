"""The mean of differences in time order, whose neighbours depend on each other.

With autocovariances g_k (divisor n), h = lags + 1 and

    v = g_0 + 2 sum over k < h of g_k        SE = sqrt(v / n) n / sqrt((n - h) (n - h + 1))

the mean over SE is Student's t with n - 1 degrees of freedom: Diebold and Mariano (1995) with the
correction of Harvey, Leybourne and Newbold (1997), doi:10.1016/S0169-2070(96)00719-4. Where v is
not above 0 each g_k takes Bartlett's weight 1 - k / h, with which it never is below.
"""

import math

import numpy as np

from ..._base.types import Vector
from ..._inference.item_means import ROUNDING, ItemMean

NEAR = 2.0**-45  # of the sizes of its terms: a sum up to here is rounding alone


def lagged_mean(d: Vector, lags: int, largest: float) -> ItemMean:
    """Return the mean of differences of scores up to `largest` in size, in time order."""
    n, h = d.size, lags + 1
    mean = float(d.mean())
    if n < 2:
        return ItemMean(mean, math.nan, math.nan, "one_case")
    e = d - mean
    g = np.array([e[k:] @ e[: n - k] for k in range(h)]) / n
    if g[0] <= (ROUNDING * largest) ** 2:
        return ItemMean(mean, 0.0, n - 1.0, "ok")
    counts = np.full(h, 2.0)
    counts[0] = 1.0
    variance, word = float(counts @ g), "ok"
    if variance <= NEAR * float(counts @ np.abs(g)):
        variance, word = float(counts * (1.0 - np.arange(h) / h) @ g), "bartlett"
    error = math.sqrt(max(variance, 0.0) / n) * n / math.sqrt((n - h) * (n - h + 1.0))
    return ItemMean(mean, error, n - 1.0, word)
