"""Scores of models by round: paired t statistics, repeated-measures analysis of variance.

`d` are the differences of two models' scores by round, J of them, or (5, 2) for 5x2cv. Differences
whose range is at most `near` do not vary: 0 takes them as they are, and `subtract_scores` returns
the range that rounding of the scores gave to equal ones. An estimate over a standard error of 0 is
infinite, 0 over 0 is 0; fewer than two rounds give NaN, and so do squares of differences that are
too small for float64.

Everything comes from differences of models within a round, so that what rounds have in common
cancels before anything is squared. Sums go to several lanes, which LLVM vectorises.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..signed_ranks import ROUNDING

SMALLEST_SQUARES = 1e-280  # smaller sums of squares have lost digits to underflow


@kernel
def quotient(estimate, standard_error):
    """Return estimate / standard error: 0 for 0 / 0, infinite for a standard error of 0 alone."""
    if standard_error == 0.0:
        return math.copysign(np.inf, estimate) if estimate != 0.0 else 0.0
    return estimate / standard_error


@kernel
def mean_and_scatter(d, near):
    """Return the mean of d and the sum of squared deviations from it.

    Both are NaN if d has a NaN or infinity; the sum is NaN if it is too small for float64. Numbers
    whose range is at most `near` have the sum 0.
    """
    low = high = d[0]
    total = 0.0
    for x in d:
        low, high = min(low, x), max(high, x)
        total += x
    mean = total / d.size
    if high - low <= near:  # mean - mean is 0, or NaN if comparisons missed one
        middle = 0.5 * (low + high) if low > 0.0 or high < 0.0 else 0.0
        return middle + (mean - mean), mean - mean
    scatter = 0.0
    for x in d:
        scatter += (x - mean) ** 2
    return mean, scatter if scatter >= SMALLEST_SQUARES else np.nan


@kernel
def t_of_moments(mean, scatter, rounds, ratio):
    """Return the t of Nadeau and Bengio (2003) from what `mean_and_scatter` returns."""
    return quotient(mean, math.sqrt(scatter / (rounds - 1) * (1.0 / rounds + ratio)))


@kernel
def corrected_t(d, ratio, near):
    """Return the t of Nadeau and Bengio (2003) with J - 1 df; `ratio` is n_test / n_train.

    The variance of the mean is s^2 (1 / J + ratio). For J = k folds once, ratio = 1 / (k - 1).
    """
    if d.size < 2:
        return np.nan
    mean, scatter = mean_and_scatter(d, near)
    return t_of_moments(mean, scatter, d.size, ratio)


@kernel
def paired_t(d, near):
    """Return Student's paired t with J - 1 df, which takes the rounds for independent."""
    return corrected_t(d, 0.0, near)


@kernel
def sums_5x2cv(d, near):
    """Return d[0, 0], the sum of all d^2, and that of (d1 - d2)^2, twice the variances s^2.

    The sums are NaN if they are too small for float64.
    """
    squares = scatter = 0.0
    largest = gaps = 0.0
    for i in range(5):
        gap = d[i, 0] - d[i, 1]
        scatter += gap**2 if abs(gap) > near else gap - gap  # 0, or NaN for a NaN
        gaps = max(gaps, abs(gap))
        for j in range(2):
            squares += d[i, j] ** 2
            largest = max(largest, abs(d[i, j]))
    if (squares < SMALLEST_SQUARES and largest > 0.0) or (
        scatter < SMALLEST_SQUARES and gaps > near
    ):
        squares = scatter = np.nan
    return d[0, 0], squares, scatter


@kernel
def t_5x2cv(d, near):
    """Return the t of Dietterich (1998) with 5 df: d[0, 0] / sqrt(mean s^2)."""
    first, _, scatter = sums_5x2cv(d, near)
    return quotient(first, math.sqrt(scatter / 10.0))


@kernel
def f_5x2cv(d, near):
    """Return the F of Alpaydin (1999) with 10 and 5 df: sum d^2 / (2 sum s^2)."""
    _, squares, scatter = sums_5x2cv(d, near)
    return quotient(squares, scatter)


@kernel
def subtract_scores(a, b, d):
    """Write a - b to `d`; return the range of d if rounding of the scores explains it, else 0.

    It does if each difference is within its scores' rounding of the most precise one.
    """
    largest, smallest, precise = 0.0, np.inf, 0
    low, high = np.inf, -np.inf
    for j in range(d.size):
        d[j] = a[j] - b[j]
        low, high = min(low, d[j]), max(high, d[j])
        size = max(abs(a[j]), abs(b[j]))
        largest = max(largest, size)
        if size < smallest:
            smallest, precise = size, j
    if not high - low <= 2.0 * ROUNDING * largest:
        return 0.0
    for j in range(d.size):
        if abs(d[j] - d[precise]) > ROUNDING * max(abs(a[j]), abs(b[j])):
            return 0.0
    return high - low


@kernel
def safe_mean(x):
    """Return the mean of x, also where the sum exceeds what float64 holds."""
    mean, _ = safe_means(x, x)
    return mean


@kernel
def safe_means(a, b):
    """Return the means of a and of b, also where a sum exceeds what float64 holds.

    The two sums overlap in time: both take as long as one.
    """
    first = second = 0.0
    for j in range(a.size):
        first += a[j]
        second += b[j]
    mean_a = first / a.size if abs(first) < np.inf else mean_by_terms(a)
    return mean_a, second / b.size if abs(second) < np.inf else mean_by_terms(b)


@kernel
def mean_by_terms(x):
    """Return the mean of x as the sum of x / n, which does not overflow."""
    total = 0.0
    for value in x:
        total += value / x.size
    return total


@kernel
def paired_moments(a, b):
    """Return mean a, mean b, and mean and sum of squared deviations of a - b."""
    d = np.empty(a.size)
    near = subtract_scores(a, b, d)
    mean, scatter = mean_and_scatter(d, near)
    return *safe_means(a, b), mean, scatter


@kernel
def moments_of_rows(a, b, mean, scatter):
    """Write `mean_and_scatter` of a - b for each row of (B, J) scores, NaN if not finite."""
    d = np.empty(a.shape[1])
    for r in range(a.shape[0]):
        near = subtract_scores(a[r], b[r], d)
        mean[r], scatter[r] = mean_and_scatter(d, near)


@kernel
def moments_of_pairs(models, mean, scatter):
    """Write `mean_and_scatter` of the differences of all pairs i < j of the rows of `models`."""
    d = np.empty(models.shape[1])
    p = 0
    for i in range(models.shape[0]):
        for j in range(i + 1, models.shape[0]):
            near = subtract_scores(models[i], models[j], d)
            mean[p], scatter[p] = mean_and_scatter(d, near)
            p += 1


LANES = 8
LARGEST = 1000  # exponent of a unit


@kernel
def padded_size(n):
    """Return the smallest multiple of the lanes that is at least n."""
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
    """Write each model's scores less those of model 0 to `columns`, and their means to `means`.

    `scores` is (J, k), `columns` (k, J padded by zeros), of which row 0 stays 0. Both are scaled by
    a power of 2 that keeps squares in the range of floats; it is returned.
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
def range_by_rounding(scores, columns, unit, j):
    """Return the range of the differences of model j from model 0, or -1 if they vary.

    They do not vary if each is within its scores' rounding of the most precise one, as in
    `subtract_scores` for two models.
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
        bound = ROUNDING * (max(abs(scores[i, 0]), abs(scores[i, j])) * unit)
        if abs(columns[j, i] - columns[j, precise]) > bound:
            return -1.0
    return high - low


@kernel
def f_without_variation(scores, columns, unit):
    """Return F where differences do not vary: 0 if all models are equal, else infinite.

    `columns[j]` are `unit` times the differences of model j from model 0. NaN if any of them vary.
    """
    rounds, k = scores.shape
    f = 0.0
    for j in range(1, k):
        if range_by_rounding(scores, columns, unit, j) < 0.0:  # -1: more than rounding explains
            return np.nan
        low, high = columns[j, 0], columns[j, 0]
        for i in range(rounds):
            low, high = min(low, columns[j, i]), max(high, columns[j, i])
        if low > 0.0 or high < 0.0:
            f = np.inf
    return f


@kernel
def subtract_mean(values):
    """Subtract the mean of `values` from each of them."""
    total = 0.0
    for j in range(values.size):
        total += values[j]
    for j in range(values.size):
        values[j] -= total / values.size


@kernel
def products_within(residuals, products, lanes):
    """Write to `products` (k, k) sums over rounds of products of residuals, centred by round.

    `residuals` (k, J) are those of the differences from model 0, so that row 0 is 0; centring rows
    and columns of the products is centring every round.
    """
    k = residuals.shape[0]
    for j in range(k):
        products[0, j] = products[j, 0] = 0.0
        for h in range(1, j + 1):
            products[h, j] = products[j, h] = lane_product(residuals[h], residuals[j], lanes)
    for j in range(k):
        subtract_mean(products[j])
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
    """Return F and the epsilon of Greenhouse and Geisser for scores (J, k), as `rm_anova`.

    The other arrays are scratch; `columns` comes with zeros behind its J scores.
    """
    rounds, k = scores.shape
    unit = differences_from_first(scores, columns, means)
    if k == 2:
        near = max(0.0, range_by_rounding(scores, columns, unit, 1))
        return rm_anova_of_two(columns[1, :rounds], near)
    constant = f_without_variation(scores, columns, unit)
    if not np.isnan(constant):
        return constant, np.nan
    for j in range(1, k):
        for i in range(rounds):
            columns[j, i] -= means[j]
    subtract_mean(means)
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
    columns, lanes = np.zeros((k, padded_size(rounds))), np.empty(LANES)
    return rm_anova_into(scores, columns, np.empty(k), np.empty((k, k)), lanes)


@kernel
def rm_anova_rows(scores, statistic, epsilon):
    """Write `rm_anova` of every scores[b] (J, k) to `statistic` and `epsilon`."""
    problems, rounds, k = scores.shape
    columns, lanes = np.zeros((k, padded_size(rounds))), np.empty(LANES)
    means, products = np.empty(k), np.empty((k, k))
    for b in range(problems):
        statistic[b], epsilon[b] = rm_anova_into(scores[b], columns, means, products, lanes)
