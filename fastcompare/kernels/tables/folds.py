"""Paired t statistics of scores per round, for loops of your own.

`d` are the differences of two models' scores by round, J of them, or (5, 2) for 5x2cv. Differences
that are no further apart than `near` do not vary: 0 takes them as they are, and `rounding` says how
far rounding of the scores has moved equal ones apart. An estimate over a standard error of 0 is
infinite, 0 over 0 is 0; fewer than two rounds give NaN, and so do squares of differences that are
too small for float64.
"""

import math

import numpy as np

from ..._jit.kernel import kernel
from ..ties import ROUNDING

LEAST = 1e-280  # sums of squares below it have lost digits to the end of the range of floats


@kernel
def quotient(estimate, standard_error):
    """Return estimate / standard error: 0 for 0 / 0, infinite for a standard error of 0 alone."""
    if standard_error == 0.0:
        return math.copysign(np.inf, estimate) if estimate != 0.0 else 0.0
    return estimate / standard_error


@kernel
def mean_and_scatter(d, near):
    """Return the mean of d and the sum of squared deviations from it.

    NaN for a NaN or infinity, and a sum of NaN for one that is too small for float64.
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
    return mean, scatter if scatter >= LEAST else np.nan


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
        scatter += gap**2 if abs(gap) > near else gap - gap
        gaps = max(gaps, abs(gap))
        for j in range(2):
            squares += d[i, j] ** 2
            largest = max(largest, abs(d[i, j]))
    if (squares < LEAST and largest > 0.0) or (scatter < LEAST and gaps > near):
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
def rounding(a, b, d):
    """Write a - b to `d`; return how far apart they lie if by rounding of the scores alone, else 0.

    That is if each is no further from the most precise one than its own scores' rounding.
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
def average(x):
    """Return the mean of x, also where the sum exceeds what float64 holds."""
    total = shares = 0.0
    for value in x:
        total += value
        shares += value / x.size
    return total / x.size if abs(total) < np.inf else shares


@kernel
def paired_moments(a, b):
    """Return the means of a and of b, and `mean_and_scatter` of their differences."""
    d = np.empty(a.size)
    near = rounding(a, b, d)
    mean, scatter = mean_and_scatter(d, near)
    return average(a), average(b), mean, scatter


@kernel
def moments_of_rows(a, b, mean, scatter):
    """Write `mean_and_scatter` of a - b for each row of (B, J) scores, NaN if not finite."""
    d = np.empty(a.shape[1])
    for r in range(a.shape[0]):
        near = rounding(a[r], b[r], d)
        mean[r], scatter[r] = mean_and_scatter(d, near)


@kernel
def moments_of_pairs(models, mean, scatter):
    """Write `mean_and_scatter` of the differences of all pairs i < j of the rows of `models`."""
    d = np.empty(models.shape[1])
    p = 0
    for i in range(models.shape[0]):
        for j in range(i + 1, models.shape[0]):
            near = rounding(models[i], models[j], d)
            mean[p], scatter[p] = mean_and_scatter(d, near)
            p += 1
