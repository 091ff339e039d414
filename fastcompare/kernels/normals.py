"""Jointly normal numbers: exceedances, largest differences, moments of sizes in bins."""

import math

import numpy as np

from .._jit.kernel import kernel
from .drawing.streams import CENTRE, NEAR, central_quantile, far_quantile, near_quantile


@kernel
def count_beyond(z, loadings, shift, point, two_sided, out):
    """Write to out[b] how many of z[:, b] + loadings * shift[b] are at least `point`.

    `z` has a column for each draw. If `two_sided`, absolute values are compared.
    """
    out[:] = 0
    for r in range(loadings.size):
        for b in range(out.size):  # draws in the inner loop: LLVM vectorises it
            x = z[r, b] + loadings[r] * shift[b]
            out[b] += (abs(x) if two_sided else x) >= point


@kernel
def tail_points(shares, logs, tail, out):
    """Write the points that a standard normal variable exceeds with probability share * tail.

    `tail` is at most 1/2, `logs` are the logarithms of `shares`. LLVM vectorises all but far tails:
    2 ns a point in place of 25.
    """
    log_tail, far = math.log(tail), False
    for b in range(out.size):
        r = math.sqrt(-(logs[b] + log_tail))
        far |= r > NEAR
        out[b] = near_quantile(r)
    if tail > 0.5 - CENTRE:
        for b in range(out.size):
            near, central = out[b], -central_quantile(shares[b] * tail)
            out[b] = central if shares[b] * tail > 0.5 - CENTRE else near
    if far:
        for b in range(out.size):
            r = math.sqrt(-(logs[b] + log_tail))
            if r > NEAR:
                out[b] = far_quantile(r)


@kernel
def add_mean_reciprocals(z, correlation, j, first, ends, points, two_sided, sums):
    """Add to sums[f] the mean over n draws of 1 / S, S counting the differences beyond points[f].

    Family f are the differences from first[f] on. Difference j, beyond the point, is set to ends[f]
    (F, n); the others of the draws z (m, n) are shifted by their correlation with it.
    """
    n = z.shape[1]
    shift, count = np.empty(n), np.empty(n, np.int64)
    for f in range(points.size):
        low = first[f]
        if low > j:  # difference j is in no later family, as `first` ascends
            break
        for b in range(n):
            shift[b] = ends[f, b] - z[j, b]
        count_beyond(z[low:], correlation[j, low:], shift, points[f], two_sided, count)
        total = 0.0
        for b in range(n):
            total += 1.0 / max(count[b], 1)
        sums[f] += total / n


@kernel
def largest_differences(models, weights, one_sided, out):
    """Raise out[b] to the largest weighted difference of two of the k models in draw b.

    `models` is (k, B), `weights` (k, k) is 0 for pairs that do not count.
    """
    for i in range(models.shape[0]):
        for j in range(models.shape[0]):
            weight = weights[i, j]
            if weight == 0.0:
                continue
            for b in range(out.size):  # draws in the inner loop: LLVM vectorises it
                gap = weight * (models[i, b] - models[j, b])
                size = gap if one_sided else abs(gap)
                out[b] = size if size > out[b] else out[b]


FAR = 8.0  # standard errors: a mean farther from 0 has no other sign, in effect
MOST = 40  # a count of more, with an expectation below 9, has a probability below 1e-13


@kernel
def folded_moments(mean, deviation, out):
    """Write mean, variance and third central moment (3, b) of |N(mean, deviation^2)| to `out`.

    Leone, Nelson and Nottingham (1961), doi:10.1080/00401706.1961.10489974.
    """
    for b in range(mean.size):
        m, s = mean[b], deviation[b]
        if m >= FAR * s:
            out[0, b], out[1, b], out[2, b] = m, s * s, 0.0
            continue
        c = m / s
        density = math.exp(-0.5 * c * c) * (2.0 / math.sqrt(2.0 * math.pi))
        inside = math.erf(c / math.sqrt(2.0))
        first, second = density + c * inside, 1.0 + c * c
        cube = (c * c + 2.0) * density + c * (c * c + 3.0) * inside
        out[0, b] = first * s
        out[1, b] = (second - first * first) * s * s
        out[2, b] = (cube - 3.0 * first * second + 2.0 * first * first * first) * s * s * s


@kernel
def distance_moments(n, chance, centre, out):
    """Write mean, variance and third central moment (3, b) of |K - centre| to `out`.

    K is binomial; n * chance is below 9, and the chance at most 1/2.
    """
    chances = np.empty(MOST)
    for b in range(n.size):
        odds = chance[b] / (1.0 - chance[b])
        chances[0] = math.exp(n[b] * math.log1p(-chance[b]))
        mean = chances[0] * centre[b]
        for k in range(1, MOST):
            chances[k] = chances[k - 1] * (max(n[b] - (k - 1), 0.0) / k * odds)
            mean += chances[k] * abs(k - centre[b])
        variance = third = 0.0
        for k in range(MOST):
            deviation = abs(k - centre[b]) - mean
            square = chances[k] * deviation * deviation
            variance += square
            third += square * deviation
        out[0, b], out[1, b], out[2, b] = mean, variance, third
