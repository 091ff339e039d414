"""The variance of AUCs that a study is expected to have: functions (expected, m, n) in one table.

Each returns the variance of the estimate under the null hypothesis and the one that is expected,
for m positives and n negatives. Both suppose binormal scores: normal within each class, after some
monotone transform, with equal variances; h is the normal quantile of an AUC.

obuchowski   the published formulas, made for ratings; pROC's. Too large for continuous scores: with
             AUCs of 0.85 and 0.80 and a correlation of 0.6, 1.8 times the simulated variance
binormal     the exact variance of the empirical AUC, which DeLong's method estimates
"""

import math

from ...._inputs.planning import Expected, check_rating_variance
from .plan import Variances


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
    """Return exact variances; two AUCs are tested by the expected one, as DeLong's test does.

    A U-statistic's (Lehmann 1951): of two pairs (positive, negative) that share both cases, the
    positive, or the negative. Divided by m and n one by one, since their product may be beyond
    floats.
    """
    both, positive, negative = shared_variances(expected)
    variance = (both / n + positive * (1.0 - 1.0 / n)) / m + negative * (1.0 - 1.0 / m) / n
    if expected.correlation is None:
        return Variances((1.0 / m + 1.0 / n + 1.0 / m / n) / 12.0, variance)  # Mann, Whitney (1947)
    # expected mean squares of DeLong's components: 2 n and 2 m times a part that both share
    of_positives = (positive + (both - positive - negative) / n) / m
    of_negatives = (negative + (both - positive - negative) / m) / n
    return Variances(variance, variance, (of_positives, of_negatives))


def shared_variances(expected: Expected) -> tuple[float, float, float]:
    """Return the covariances of two comparisons that share both cases, one positive, or negative.

    A comparison is whether a positive scores higher than a negative: of one model, or of the first
    less that of the second.
    """
    h = [quantile(auc) for auc in expected.auc]
    rd, rn = expected.correlation or (0.0, 0.0)
    own, cross = (1.0, 0.5, 0.5), (0.5 * (rd + rn), 0.5 * rd, 0.5 * rn)
    both, positive, negative = (
        math.fsum(joint_excess(a, a, r) for a in h)
        - (2.0 * joint_excess(h[0], h[1], s) if len(h) == 2 else 0.0)
        for r, s in zip(own, cross, strict=True)
    )
    return both, positive, negative


def joint_excess(a: float, b: float, r: float) -> float:
    """Return P(X < a, Y < b) - P(X < a) P(Y < b) of standard normals with correlation r.

    Plackett (1954): the derivative by r is the normal density; r is the sine of t.
    """
    from scipy.integrate import quad

    end = math.asin(r)

    def density(share: float) -> float:
        cosine = math.cos(share * end)
        squares = (a - b) ** 2 / (2.0 * cosine * cosine) if a != b else 0.0
        return math.exp(-squares - a * b / (1.0 + math.sin(share * end)))

    area, _ = quad(density, 0.0, 1.0, epsabs=0.0, epsrel=1e-12)  # a limit of 1e-305 is too short
    return float(area) * end / (2.0 * math.pi)


VARIANCES = {"binormal": binormal, "obuchowski": obuchowski}
