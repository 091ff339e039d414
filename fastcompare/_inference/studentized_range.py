"""The studentized range of k normal variables with known variance: tails and quantiles.

Use it for the largest of all differences of k models: Nemenyi's test. The tail is an integral of
positive terms, so it keeps its digits however small it is. Notation: q is the range, x the largest
variable, phi and Phi the normal density and distribution function.
"""

import math
from functools import lru_cache, partial

import numpy as np
from numpy.polynomial import Chebyshev

from .._base.types import Vector

POINTS = 96  # of the integral: within 4e-15 for k <= 10^4, 1e-11 for k = 10^6
DEGREE = 20  # of a polynomial between two edges: within 1e-13 of the integral for k <= 3,000
BLOCK = 1024  # ranges whose integrals are held together: 0.8 MB an array
FARTHEST = 80.0  # from here on the tail underflows, for any k
EDGES = (*map(float, range(9)), 10.0, 12.0, 16.0, 24.0, 48.0, FARTHEST)  # log I flattens out


def range_tail(q: Vector, k: int) -> Vector:
    """Return the chances that the range of k standard normal variables exceeds q >= 0 (1-d)."""
    tail = np.zeros(q.shape)
    near = q < FARTHEST
    with np.errstate(under="ignore"):
        tail[near] = np.exp(_log_scaled_of_many(q[near], k) - 0.25 * q[near] ** 2)
    tail[q == 0.0] = 1.0
    return np.minimum(tail, 1.0)


def log_range_tail(q: Vector, k: int) -> Vector:
    """Return the logarithms of `range_tail`, finite where that underflows."""
    parts = [_log_scaled(q[i : i + BLOCK], k) for i in range(0, q.size, BLOCK)]
    log_tail = np.concatenate([*parts, []]) - 0.25 * q**2
    log_tail[q == 0.0] = 0.0
    return np.minimum(log_tail, 0.0)


@lru_cache(maxsize=256)
def range_quantile(upper: float, k: int) -> float:
    """Return the range that k standard normal variables exceed with probability `upper`.

    The secant method on log P, which is concave: from above, it never passes the root.
    """
    from scipy.special import ndtri_exp

    # Bonferroni: each of the k (k - 1) / 2 differences, of variance 2, exceeds it by its share.
    q = -math.sqrt(2.0) * float(ndtri_exp(math.log(upper) - math.log(k * (k - 1))))
    step, excess = 0.01 * q, _log_excess(q, upper, k)
    while abs(step) > 1e-15 * q:
        q -= step
        before, excess = excess, _log_excess(q, upper, k)
        if excess == before:
            break
        step *= excess / (before - excess)
    return max(q, 0.0)


def _log_excess(q: float, upper: float, k: int) -> float:
    """Return the logarithm of the tail at q over the one that is wanted."""
    return float(log_range_tail(np.array([q]), k)[0]) - math.log(upper)


def _log_scaled_of_many(q: Vector, k: int) -> Vector:
    """Return `_log_scaled` of q < FARTHEST, by a polynomial between edges that hold many.

    Those of all pairs of 100 models take 4 to 6 ms, the next time 1; by an integral each 60 ms.
    """
    log_scaled, panel = np.empty(q.shape), np.searchsorted(EDGES, q, "right") - 1
    counts = np.bincount(panel, minlength=len(EDGES))
    few = counts[panel] <= DEGREE
    if few.any():
        log_scaled[few] = _log_scaled(q[few], k)
    for edge in np.flatnonzero(counts > DEGREE).tolist():
        here = panel == edge
        log_scaled[here] = _polynomial(EDGES[edge : edge + 2], k)(q[here])
    return log_scaled


@lru_cache(maxsize=256)
def _polynomial(edges: tuple[float, ...], k: int) -> Chebyshev:
    """Return `_log_scaled` between edges, kept for the next table of as many models."""
    return Chebyshev.interpolate(partial(_log_scaled, k=k), DEGREE, edges)


def _log_scaled(q: Vector, k: int) -> Vector:
    """Return log I(q), the tail of the range being exp(-q^2 / 4) I(q).

    P(range > q) = k integral phi(x) (Phi(x)^m - (Phi(x) - Phi(x - q))^m) dx, m = k - 1. With
    r = Phi(x - q) / Phi(x) the difference is Phi(x)^m (1 - (1 - r)^m), and phi(x) Phi(x - q) is
    exp(-q^2 / 4 - (x - q / 2)^2) erfcx((q - x) / sqrt 2) / sqrt(8 pi): no cancelling, no underflow.
    """
    from scipy.special import erfcx, log_ndtr, ndtri_exp

    m = k - 1
    q = q[:, None]
    # Beyond, the integrand is below 1e-18 of its largest value: on the left for Phi(x)^m or for
    # the density of two ends at q, on the right for that or, of small q, for phi(x).
    low = np.maximum(0.5 * q - 6.5, ndtri_exp(-50.0 / m))
    spread = 2.0 * math.log(k)
    high = np.maximum(math.sqrt(75.0 + spread), 0.5 * q + math.sqrt(42.0 + spread))
    step = (high - low) / POINTS
    x = low + step * np.arange(POINTS + 1)

    log_phi = log_ndtr(x)  # not Phi: its m-th power would keep 10 digits for m = 10^6
    gap = (q - x) * math.sqrt(0.5)
    with np.errstate(under="ignore", divide="ignore", over="ignore"):
        tail = erfcx(gap)
        r = np.minimum(0.5 * tail * np.exp(-gap * gap - log_phi), 1.0)
        share = np.where(r > 0.0, -np.expm1(m * np.log1p(-r)) / np.where(r > 0.0, r, 1.0), m)
        terms = np.exp((m - 1) * log_phi - (x - 0.5 * q) ** 2) * tail * share
    # The trapezoidal rule converges geometrically where both ends vanish (Trefethen, Weideman 2014)
    total = step[:, 0] * terms.sum(axis=1) * (k / math.sqrt(8.0 * math.pi))
    return np.asarray(np.log(total))
