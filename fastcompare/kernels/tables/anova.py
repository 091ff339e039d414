"""Repeated-measures analysis of variance: the scores of k models in the same J rounds.

Everything comes from differences of models within a round, so that what rounds have in common
cancels before anything is squared. Sums go to several lanes, which LLVM vectorises.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..ties import ROUNDING
from .folds import mean_and_scatter, t_of_moments

LANES = 8
LARGEST = 1000  # exponent of a unit


@kernel
def padded(n):
    """Return n, or the next multiple of the lanes."""
    return (n + LANES - 1) // LANES * LANES


@kernel
def lane_product(u, v, lanes):
    """Return the sum of u[i] v[i]; the length is a multiple of the lanes."""
    for lane in range(LANES):
        lanes[lane] = 0.0
    for i in range(0, u.size, LANES):
        for lane in range(LANES):
            lanes[lane] += u[i + lane] * v[i + lane]
    total = 0.0
    for lane in range(LANES):
        total += lanes[lane]
    return total


@kernel
def differences_from_first(scores, columns, means):
    """Write to `columns` the differences of each model from the first one, and to `means` theirs.

    `scores` is (J, k), `columns` (k, J padded by zeros), of which row 0 stays 0. The unit of both
    is a power of 2 that keeps squares in the range of floats, and is returned.
    """
    rounds, k = scores.shape
    scale = 0.0
    for j in range(k):
        means[j] = 0.0
    for i in range(rounds):
        first = scores[i, 0]
        scale = max(scale, abs(first))
        for j in range(1, k):
            scale = max(scale, abs(scores[i, j]))
            columns[j, i] = scores[i, j] - first
            means[j] += columns[j, i]
    unit = math.ldexp(1.0, min(-math.frexp(scale)[1], LARGEST))
    for j in range(1, k):
        means[j] = means[j] * unit / rounds
        for i in range(rounds):
            columns[j, i] *= unit
    return unit


@kernel
def spread_by_rounding(scores, columns, unit, j):
    """Return how far the differences of model j from the first lie apart, -1 if they vary.

    They do not vary if each is no further from the most precise one than rounding of its own scores
    explains, as `rounding` has it for two models.
    """
    rounds = scores.shape[0]
    largest, smallest, precise = 0.0, np.inf, 0
    low, high = columns[j, 0], columns[j, 0]
    for i in range(rounds):
        low, high = min(low, columns[j, i]), max(high, columns[j, i])
        size = max(abs(scores[i, 0]), abs(scores[i, j])) * unit
        largest = max(largest, size)
        if size < smallest:
            smallest, precise = size, i
    if not high - low <= 2.0 * ROUNDING * largest:
        return -1.0
    for i in range(rounds):
        room = ROUNDING * (max(abs(scores[i, 0]), abs(scores[i, j])) * unit)
        if abs(columns[j, i] - columns[j, precise]) > room:
            return -1.0
    return high - low


@kernel
def constant_f(scores, columns, unit):
    """Return F if no difference of models varies: 0 if all are 0, else infinite; else NaN."""
    rounds, k = scores.shape
    f = 0.0
    for j in range(1, k):
        if spread_by_rounding(scores, columns, unit, j) < 0.0:
            return np.nan
        low, high = columns[j, 0], columns[j, 0]
        for i in range(rounds):
            low, high = min(low, columns[j, i]), max(high, columns[j, i])
        if low > 0.0 or high < 0.0:
            f = np.inf
    return f


@kernel
def centre(values):
    """Subtract their mean."""
    total = 0.0
    for j in range(values.size):
        total += values[j]
    for j in range(values.size):
        values[j] -= total / values.size


@kernel
def products_within(residuals, products, lanes):
    """Write to `products` (k, k) the sums of products of the residuals less their round's mean."""
    k = residuals.shape[0]
    for j in range(k):
        products[0, j] = products[j, 0] = 0.0
        for h in range(1, j + 1):
            products[h, j] = products[j, h] = lane_product(residuals[h], residuals[j], lanes)
    for j in range(k):
        centre(products[j])
    for j in range(k):
        total = 0.0
        for h in range(k):
            total += products[h, j]
        for h in range(k):
            products[h, j] -= total / k


@kernel
def rm_anova_of_two(d, near):
    """Return F and epsilon of two models from their differences: F is the square of `paired_t`."""
    mean, scatter = mean_and_scatter(d, near)
    t = t_of_moments(mean, scatter, d.size, 0.0)
    return t * t, (np.nan if scatter == 0.0 else 1.0)


@kernel
def rm_anova_into(scores, columns, means, products, lanes):
    """Return F and the epsilon of Greenhouse and Geisser, given scratch arrays."""
    rounds, k = scores.shape
    unit = differences_from_first(scores, columns, means)
    if k == 2:
        near = max(0.0, spread_by_rounding(scores, columns, unit, 1))
        return rm_anova_of_two(columns[1, :rounds], near)
    constant = constant_f(scores, columns, unit)
    if not np.isnan(constant):
        return constant, np.nan
    for j in range(1, k):
        for i in range(rounds):
            columns[j, i] -= means[j]
    centre(means)
    products_within(columns, products, lanes)
    error = squares = between = 0.0
    for j in range(k):
        error += products[j, j]
        between += means[j] * means[j]
        for h in range(k):
            squares += products[j, h] * products[j, h]
    if error == 0.0:  # what varies is too small for squares beside the largest score
        return np.nan, np.nan
    # F = SS_models / (k - 1) : SS_error / ((k - 1) (J - 1))
    return rounds * between * (rounds - 1) / error, error * error / ((k - 1) * squares)


@kernel
def rm_anova(scores):
    """Return F and the epsilon of Greenhouse and Geisser (1959) for scores (J, k).

    F is 0 for equal models and infinite for differences that do not vary; epsilon is NaN then.
    """
    rounds, k = scores.shape
    columns, lanes = np.zeros((k, padded(rounds))), np.empty(LANES)
    return rm_anova_into(scores, columns, np.empty(k), np.empty((k, k)), lanes)


@kernel
def rm_anova_rows(scores, statistic, epsilon):
    """Write `rm_anova` of every scores[b] (J, k) to `statistic` and `epsilon`."""
    problems, rounds, k = scores.shape
    columns, lanes = np.zeros((k, padded(rounds))), np.empty(LANES)
    means, products = np.empty(k), np.empty((k, k))
    for b in range(problems):
        statistic[b], epsilon[b] = rm_anova_into(scores[b], columns, means, products, lanes)
