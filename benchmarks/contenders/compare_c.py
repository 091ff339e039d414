"""Kang's test of two concordances by U-statistics, as in R's compareC: all pairs, compiled.

With pairs of known order x_ij = 1, and y_ij and z_ij = 1 or -1 where a model orders them so or the
other way round, all symmetric, the means of x, y and z over all pairs are U-statistics, and
C = (y / x + 1) / 2. Their covariances, of sums x_i over j, are those of Kang, Chen, Petrick, Gallas
(2015), doi:10.1002/sim.6370::

    cov = (4 sum_i x_i y_i - 2 sum_ij x_ij y_ij - 2 (2 n - 3) / (n (n - 1)) sum_i x_i sum_i y_i)
          / (n (n - 1) (n - 2) (n - 3))

They are unbiased, but a variance may be negative.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from scipy.special import ndtr


class Compared(NamedTuple):
    """Both concordances, the variances (2,) of each, and that of the difference."""

    concordance: np.ndarray
    variances: np.ndarray
    difference: float

    @property
    def pvalue(self):
        """The two-sided p-value by the normal distribution, 1 for equal models; it may be NaN."""
        effect = float(self.concordance[0] - self.concordance[1])
        if effect == 0.0:
            return 1.0
        return 2.0 * float(ndtr(-abs(effect) / math.sqrt(self.difference)))


@njit(nogil=True)
def pair_sums(time, event, scores, sums, products):
    """Add up x, y and z of each case, and their products over all pairs."""
    n, values = time.size, np.empty(3, np.int64)
    for i in range(n):
        for j in range(i):
            order = np.int64(time[j] > time[i]) - np.int64(time[j] < time[i])
            if order == 0:
                order = np.int64(event[i]) - np.int64(event[j])
            first = i if order > 0 else j
            if order == 0 or not event[first]:
                continue
            values[0] = 1
            for k in range(2):
                a, b = scores[k, i], scores[k, j]
                values[k + 1] = order * (np.int64(a > b) - np.int64(a < b))
            for k in range(3):
                sums[k, i] += values[k]
                sums[k, j] += values[k]
                for m in range(k + 1):
                    products[k, m] += 2 * values[k] * values[m]


def compare_c(time, event, a, b):
    """Return both concordances and the variances of Kang's test."""
    n, sums, products = time.size, np.zeros((3, time.size)), np.zeros((3, 3))
    pair_sums(time, event, np.array((a, b), float), sums, products)
    products += np.tril(products, -1).T
    total = sums.sum(axis=1)
    covariance = 4.0 * sums @ sums.T - 2.0 * products
    covariance -= 2.0 * (2.0 * n - 3.0) / (n * (n - 1.0)) * np.outer(total, total)
    covariance /= n * (n - 1.0) * (n - 2.0) * (n - 3.0)
    x, y, z = total / (n * (n - 1.0))
    one, other = (-y / x, 1.0, 0.0), (-z / x, 0.0, 1.0)
    slopes = np.array((one, other, np.subtract(one, other))) / (2.0 * x)
    variances = np.einsum("ki,ij,kj->k", slopes, covariance, slopes)
    return Compared(0.5 * (np.array((y, z)) / x + 1.0), variances[:2], float(variances[2]))
