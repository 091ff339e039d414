"""The variance of AUCs that a study is expected to have: functions (expected, m, n) in one table.

Each returns the variance of the estimate under the null hypothesis and the one that is expected,
for m positives and n negatives. Both suppose binormal scores: normal within each class, after some
monotone transform, with equal variances; h is the normal quantile of an AUC.

obuchowski   the published formulas, made for ratings; pROC's. Too large for continuous scores: with
             AUCs of 0.85 and 0.80 and a correlation of 0.6, 1.8 times the simulated variance
binormal     the exact variance of the empirical AUC, which DeLong's method estimates
"""

import math
from typing import NamedTuple

from ...._inputs.planning import Expected, check_rating_variance


class Variances(NamedTuple):
    """Variances of an AUC or of a difference: under the null hypothesis, and as expected."""

    null: float
    expected: float


def quantile(auc: float) -> float:
    """Return h, whose normal probability is the AUC."""
    from scipy.special import ndtri

    return float(ndtri(auc))


def obuchowski(expected: Expected, m: float, n: float) -> Variances:
    """Return Obuchowski's variances; for two AUCs the null takes the first one for both."""
    k = n / m
    if expected.correlation is None:  # with the rounded constants of Obuchowski (2004)
        v = rating_variance(1.414 * quantile(expected.auc[0]), k, 0.0099)
        return Variances(0.0792 * (1.0 + 1.0 / k) / m, v / m)
    a, b = (math.sqrt(2.0) * quantile(auc) for auc in expected.auc)
    va, vb = (rating_variance(x, k, 1.0 / (32.0 * math.pi)) for x in (a, b))
    c = rating_covariance(a, b, expected.correlation, k)
    check_rating_variance(va, c)
    return Variances(2.0 * (va - c) / m, (va + vb - 2.0 * c) / m)


def rating_variance(a: float, k: float, scale: float) -> float:
    """Return m times the variance of one AUC, Obuchowski (2004), k negatives a positive."""
    return scale * math.exp(-0.5 * a * a) * (5.0 * a * a + 8.0 + (a * a + 8.0) / k)


def rating_covariance(a: float, b: float, correlation: tuple[float, float], k: float) -> float:
    """Return m times the covariance of two AUCs, Obuchowski and McClish (1997), equal variances."""
    rd, rn = correlation
    shared = rd + rn / k + a * b * (rd * rd + rn * rn / k) / 8.0
    return math.exp(-0.25 * (a * a + b * b)) / (4.0 * math.pi) * shared


def binormal(expected: Expected, m: float, n: float) -> Variances:
    """Return exact variances; two AUCs are tested by the expected one, as DeLong's test does."""
    own = [empirical_covariance(h, h, (1.0, 1.0), m, n) for h in map(quantile, expected.auc)]
    if expected.correlation is None:
        return Variances((m + n + 1.0) / (12.0 * m * n), own[0])  # Mann and Whitney (1947)
    a, b = map(quantile, expected.auc)
    both = empirical_covariance(a, b, expected.correlation, m, n)
    return Variances(*[own[0] + own[1] - 2.0 * both] * 2)


def empirical_covariance(
    a: float, b: float, correlation: tuple[float, float], m: float, n: float
) -> float:
    """Return the covariance of two empirical AUCs: that of a U-statistic, Lehmann (1951).

    Two pairs (positive, negative) share both cases, the positive, or the negative.
    """
    rd, rn = correlation
    shared = (n - 1.0) * joint_excess(a, b, 0.5 * rd) + (m - 1.0) * joint_excess(a, b, 0.5 * rn)
    return (joint_excess(a, b, 0.5 * (rd + rn)) + shared) / (m * n)


def joint_excess(a: float, b: float, r: float) -> float:
    """Return P(X < a, Y < b) - P(X < a) P(Y < b) of standard normals with correlation r.

    Plackett (1954): the derivative by r is the normal density; r is the sine of t.
    """
    from scipy.integrate import quad

    def density(t: float) -> float:
        cosine = math.cos(t)
        squares = (a - b) ** 2 / (2.0 * cosine * cosine) if a != b else 0.0
        return math.exp(-squares - a * b / (1.0 + math.sin(t)))

    area, _ = quad(density, 0.0, math.asin(r), epsabs=0.0, epsrel=1e-12)
    return float(area) / (2.0 * math.pi)


VARIANCES = {"obuchowski": obuchowski, "binormal": binormal}
