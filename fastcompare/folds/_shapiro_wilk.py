"""Shapiro and Wilk's W of one sample and its p-value, by Royston's approximations (1995, AS R94).

With order statistics x_(1) <= ... <= x_(n) and antisymmetric weights a with sum of squares 1,
W = (sum of a_i x_(i))^2 / (sum of squared deviations), and the larger W, the closer is the sample
to a normal one. A function of W is normal then, with a mean and a deviation that depend on n.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.polynomial.polynomial import polyval

from .._base.types import Vector

# Coefficients by ascending powers, Royston (1995, p. 548): of 1 / sqrt(n) for the largest two
# weights; of n up to 11, and of log n from 12 on, for the mean and the log of the deviation.
LARGEST = (0.0, 0.221157, -0.147981, -2.07119, 4.434685, -2.706056)
SECOND = (0.0, 0.042981, -0.293762, -1.752461, 5.682633, -3.582633)
OFFSET = (-2.273, 0.459)
FEW_MEAN = (0.544, -0.39978, 0.025054, -6.714e-4)
FEW_DEVIATION = (1.3822, -0.77857, 0.062767, -0.0020322)
MEAN = (-1.5861, -0.31082, -0.083751, 0.0038915)
DEVIATION = (-0.4803, -0.082676, 0.0030302)
MOST_FEW = 11  # values, up to which the FEW_ coefficients are valid
MOST_WITH_ONE_FITTED = 5  # values, up to which only the largest weight is fitted


def shapiro_wilk(x: Vector) -> tuple[float, float]:
    """Return W and its p-value, of at least three values that are not all equal."""
    ordered = np.sort(x)
    half = ordered.size // 2
    weighted = float((half_weights(ordered.size) * (ordered[::-1] - ordered)[:half]).sum())
    deviations = ordered - ordered.mean()
    size = math.sqrt(float((deviations * deviations).sum()))
    # 1 - W by a product: without cancellation where W is near 1
    complement = max((size - weighted) * (size + weighted) / (size * size), 0.0)
    return 1.0 - complement, shapiro_wilk_pvalue(complement, ordered.size)


@lru_cache(maxsize=8)
def half_weights(n: int) -> Vector:
    """Return the weights of the n // 2 differences x_(n) - x_(1), x_(n-1) - x_(2), ...

    Royston fits the largest one or two; the others are proportional to normal order statistics, so
    that all 2 (n // 2) weights have a sum of squares of 1.
    """
    from scipy.special import ndtri

    if n == 3:
        return np.array([math.sqrt(0.5)])
    expected = -ndtri((np.arange(1, n // 2 + 1) - 0.375) / (n + 0.25))  # of order statistics
    total = 2.0 * float((expected * expected).sum())
    fitted = [LARGEST, SECOND] if n > MOST_WITH_ONE_FITTED else [LARGEST]
    corrections = [polyval(1.0 / math.sqrt(n), coefficients) for coefficients in fitted]
    largest, others = np.split(expected, [len(fitted)])
    weights_of_largest = largest / math.sqrt(total) + corrections
    squared_scale = total - 2.0 * (largest**2).sum()
    squared_scale /= 1.0 - 2.0 * (weights_of_largest**2).sum()
    weights = np.concatenate([weights_of_largest, others / math.sqrt(squared_scale)])
    weights.flags.writeable = False
    return weights


def shapiro_wilk_pvalue(complement: float, n: int) -> float:
    """Return the p-value of 1 - W in a sample of n."""
    from scipy.special import ndtr

    if n == 3:  # exact (Shapiro and Wilk 1965, eq. 4.4)
        return max(1.0 - 6.0 / math.pi * math.asin(math.sqrt(complement)), 0.0)
    if complement == 0.0:
        return 1.0
    y = math.log(complement)
    if n > MOST_FEW:
        mean, log_deviation = polyval(math.log(n), MEAN), polyval(math.log(n), DEVIATION)
    else:
        offset = float(polyval(n, OFFSET))
        if y >= offset:  # beyond the values that the approximation can take
            return 0.0
        y = -math.log(offset - y)
        mean, log_deviation = polyval(n, FEW_MEAN), polyval(n, FEW_DEVIATION)
    return float(ndtr(-(y - mean) / math.exp(log_deviation)))
