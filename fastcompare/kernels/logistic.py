"""Sums over all cases that fit a logistic regression on one variable, a pass for all of them.

Labels y, a variable x, log odds t = intercept + slope x, the chance m = 1 / (1 + exp(-t)). The sums
come block by block: who adds them up pairwise keeps their rounding errors small.
"""

import math

import numpy as np

from .._jit.kernel import kernel

BLOCK = 512  # factors 1 + exp(-|t|), at most 2, whose product is far from overflow
GREAT = 16.0  # product whose logarithm rounding has not moved by more than 2^-45 of its size


@kernel
def log_of_products(x, intercept, slope, product):
    """Return the sum of log(1 + exp(-|t|)) of a block, in which these factors have this product."""
    if product > GREAT:
        return math.log(product)
    total = 0.0
    for value in x:
        total += math.log1p(math.exp(-abs(intercept + slope * value)))
    return total


@kernel
def newton_sums(labels, x, intercept, slope, out):
    """Write what Newton's method asks of each block to `out` (6, blocks).

    The log-likelihood, the sums of y - m and (y - m) x, and those of w = m (1 - m), w x and w x^2.
    Neither m nor 1 - m cancels: the smaller is exp(-|t|) of the larger. Labels are followed by
    products with 0 and 1, since branches that nobody can foretell take a fifth longer.
    """
    for block in range(out.shape[1]):
        some, chosen = x[block * BLOCK :][:BLOCK], labels[block * BLOCK :][:BLOCK]
        gain = tilt = width = middle = spread = missed = 0.0
        product = 1.0
        for i in range(some.size):
            t = intercept + slope * some[i]
            small = math.exp(-abs(t))
            large = 1.0 / (1.0 + small)
            sign = 2.0 * chosen[i] - 1.0
            right = np.float64(sign * t >= 0.0)
            residual = sign * large * (small * right + (1.0 - right))
            weight = small * large * large
            gain += residual
            tilt += residual * some[i]
            width += weight
            middle += weight * some[i]
            spread += weight * some[i] * some[i]
            missed += (1.0 - right) * abs(t)
            product *= 1.0 + small
        out[0, block] = -missed - log_of_products(some, intercept, slope, product)
        out[1, block], out[2, block] = gain, tilt
        out[3, block], out[4, block], out[5, block] = width, middle, spread


@kernel
def class_ends(labels, x):
    """Return the least x of each class, and the greatest; infinite ones of no cases."""
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for i in range(x.size):
        label = labels[i] & 1
        low[label] = min(low[label], x[i])
        high[label] = max(high[label], x[i])
    return low, high


@kernel
def likelihood_gains(labels, x, intercept, slope, out):
    """Write to `out` (blocks) by how much these coefficients fit better than 0 and 1.

    Differences of logarithms case by case: a gain that is small beside the likelihood is exact.
    """
    for block in range(out.size):
        some, chosen = x[block * BLOCK :][:BLOCK], labels[block * BLOCK :][:BLOCK]
        total = 0.0
        for i in range(some.size):
            sign = 1.0 - 2.0 * chosen[i]
            old, new = sign * some[i], sign * (intercept + slope * some[i])
            before, after = math.exp(-abs(old)), math.exp(-abs(new))
            total += 0.5 * ((old + abs(old)) - (new + abs(new)))  # of both what is above 0
            total += math.log1p((before - after) / (1.0 + after))
        out[block] = total
