"""Corrections for any family of hypotheses, from p-values in ascending order.

Each function gets all of p_1 <= ... <= p_m, and may return more than 1. Most go step by step, with
a factor for each rank. Two need more:

Hommel's correction is computed in O(m log m), to the last bit of its definition in quadratic time:
x = m - size is how many p-values are not among the `size` largest, k = x + j the number of the j-th
of these.

Rom's correction solves for the level at which a p-value is its critical value. The critical value
of the n-th largest p-value is c_n. With w = -log(1 - level), n c_n tends to w for many hypotheses
and is a smooth function of it, so those of large families are computed at a few w, for all n
together, and lie on polynomials between.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ..._base.types import Integers, Matrix, Vector


def hommel(p: Vector) -> Vector:
    """Hommel 1988, doi:10.1093/biomet/75.2.383: closed testing with Simes' test.

    Of the sets of one size that hold hypothesis i, the one with the largest others is the worst. So
    p_i becomes the largest of min(size p_i, others) over all sizes. Larger sizes make the first
    larger; if others of a larger set are larger, those of a smaller one may be taken to be.
    """
    others = np.append(simes_of_others(p), 0.0)
    falling = np.maximum.accumulate(others[::-1])[::-1]
    size = np.zeros(p.size, np.int64)
    beyond = np.full(p.size, p.size + 1)
    while (beyond - size > 1).any():  # to the last size with size p_i <= falling
        middle = (size + beyond) // 2
        fits = middle * p <= falling[middle - 1]
        size, beyond = np.where(fits, middle, size), np.where(fits, beyond, middle)
    return np.maximum(size * p, falling[size])


def simes_of_others(p: Vector) -> Vector:
    """Return the smallest of size p_k / j, j = 2, ..., size, for each size from 1 on.

    It is a slope from (x, 0) to (k, p_k), and where x grows, the k that it is found at never falls
    (Meijer, Krebs and Goeman 2019, doi:10.1002/bimj.201700316). So between two x whose k are known
    the others need not look further; all x half-way between such two take their turn together.
    """
    m = p.size
    least = np.full(m, np.inf)
    found_at = np.full(m, m)
    half = 1 << m.bit_length()
    while half := half // 2:
        x = np.arange(half - 1, m - 1, 2 * half)
        after = found_at[np.minimum(x + half, m - 1)]
        before = np.where(x < half, 0, found_at[x - half])
        least[x], found_at[x] = least_slopes(p, x, np.maximum(before, x + 2), after)
    return least[::-1]


def least_slopes(
    p: Vector, x: Integers, first: Integers, last: Integers
) -> tuple[Vector, Integers]:
    """Return the smallest of size p_k / j over k = first, ..., last, and the first such k."""
    count = last - first + 1
    start = np.cumsum(count) - count
    of = np.repeat(np.arange(x.size), count)
    k = np.arange(of.size) + (first - start)[of]
    slopes = (p.size - x)[of] * p[k - 1] / (k - x[of])
    least = np.minimum.reduceat(slopes, start)
    hit = np.flatnonzero(slopes == least[of])[::-1]
    found_at = np.empty_like(x)
    found_at[of[hit]] = k[hit]  # the last one written is the first one there
    return least, found_at


def step_down(levels: Vector) -> Vector:
    """Reject from the smallest p-value on, until one is above its critical value."""
    return np.maximum.accumulate(levels)


def step_up(levels: Vector) -> Vector:
    """Reject the largest p-value that is at most its critical value, and all before it."""
    return np.minimum.accumulate(levels[::-1])[::-1]


def ranks(p: Vector) -> Vector:
    """Return i = 1, ..., m."""
    return np.arange(1.0, p.size + 1.0)


def remaining(p: Vector) -> Vector:
    """Return m - i + 1, the number of p-values from p_(i) on."""
    return np.arange(float(p.size), 0.0, -1.0)


def any_below(p: Vector, n: Vector | int) -> Vector:
    """Return 1 - (1 - p)^n, with all digits for tiny p."""
    return -np.expm1(n * np.log1p(-p))


SOLVED_EACH = 64  # hypotheses up to which each level is solved for by itself: it takes no longer
EDGES = (0.0, 4.0, 8.0, 12.0, 16.0)  # of w; beyond, levels are within 2e-7 of 1
DEGREE = 48  # of the polynomials between: within 1e-13 of c_n for n to 10^4 at least
TERMS = 48  # of the recursion; the next is (n c_n)^49 / 49! of them at most, and n c_n below 8


def rom(p: Vector) -> Vector:
    """Rom 1990, doi:10.1093/biomet/77.3.663, inverted: the level whose critical value is p_(i)."""
    n = remaining(p).astype(np.int64)
    lower = -np.expm1(-n * p)
    level = np.minimum(n * p, 1.0)  # Hochberg's: Rom's is between the two
    for low, high in pairwise(EDGES):
        unsolved = np.flatnonzero(lower < step_up(level))
        if unsolved.size and n[unsolved[0]] > SOLVED_EACH:
            values = critical_values(low, high, int(n[unsolved[0]] - 1).bit_length())
            lower[unsolved], level[unsolved] = values.closer(
                n[unsolved], p[unsolved], lower[unsolved], level[unsolved]
            )
    unsolved = np.flatnonzero(lower < step_up(level))
    if unsolved.size:
        level[unsolved] = solve_each(p[unsolved], n[unsolved], level[unsolved])
    return step_up(level)


class CriticalValues(NamedTuple):
    """n c_n as w times a polynomial (N, DEGREE + 1) in w from `low` to `high`, and at level 1."""

    low: float
    high: float
    polynomials: Matrix
    greatest: Vector

    def closer(self, n: Integers, p: Vector, lower: Vector, level: Vector) -> tuple[Vector, Vector]:
        """Return bounds of the levels of p, equal where their critical values are known."""
        lower = np.where(n * p < self.greatest[n], lower, 1.0)
        last = self.high * self.polynomials[n].sum(axis=1)  # Chebyshev's are all 1 there
        solvable = np.flatnonzero((n * p < last) & (lower < 1.0))
        level[solvable] = lower[solvable] = -np.expm1(-self.solve(n[solvable], (n * p)[solvable]))
        return lower, level

    def solve(self, n: Integers, y: Vector) -> Vector:
        """Return w where n c_n is y, by Newton's method from below: n c_n is concave in w."""
        from numpy.polynomial.chebyshev import chebder, chebval

        value = self.polynomials[n].T
        width = self.high - self.low
        slope = chebder(value, scl=2.0 / width)
        w = np.maximum(y, self.low)
        for _ in range(50):
            x = (2.0 * (w - self.low) - width) / width
            ratio = chebval(x, value, tensor=False)
            step = (y - w * ratio) / (ratio + w * chebval(x, slope, tensor=False))
            w = w + step
            if np.all(np.abs(step) <= 1e-9 * w):  # the error is the square of it
                break
        return w


@lru_cache(maxsize=len(EDGES) - 1)
def critical_values(low: float, high: float, bits: int) -> CriticalValues:
    """Return those for n up to 2^bits, kept for the next family: each n takes 3 µs, 400 bytes."""
    corner = np.arange(DEGREE + 1)
    cosines = np.cos(np.pi / DEGREE * (corner * corner[:, None] % (2 * DEGREE)))
    w = low + 0.5 * (high - low) * (1.0 + cosines[1])
    w[-1] = max(low, 1e-300)  # where n c_n is w
    values = recursion(np.append(w, np.inf), 1 << bits)
    halves = np.where(corner % DEGREE, 1.0, 0.5)  # both ends count half
    weights = halves * halves[:, None] * cosines * (2.0 / DEGREE)
    return CriticalValues(low, high, values[:, :-1] / w @ weights, values[:, -1].copy())


def recursion(w: Vector, most: int) -> Matrix:
    """Return n c_n for n = 0, ..., most, at each w, the largest of which is infinite.

    n c_n = sum_(j=1..n-1) alpha^j - sum_(j=1..n-2) binom(n, j) c_(j+1)^(n-j), c_1 = alpha. Terms
    fall like x^k / k! with x < 8, k = n - j: only the last ones count.
    """
    from ...kernels.sums import subtract_last_terms  # here: others need no compiler

    alpha = -np.expm1(-w)
    n = np.arange(most + 1.0)[:, None]
    values = np.repeat(n - 1.0, w.size, axis=1)
    values[:, :-1] = np.expm1(w[:-1]) * -np.expm1((n - 1.0) * np.log(alpha[:-1]))
    values[0], values[1] = 0.0, alpha
    subtract_last_terms(values, TERMS)
    return values


def solve_each(p: Vector, n: Integers, level: Vector) -> Vector:
    """Newton's method, from above: critical values are convex in the level (seen to n = 2000)."""
    for _ in range(50):  # at most 8 were ever needed
        critical, slope = critical_with_slope(level, n)
        previous, level = level, np.minimum(level - (critical - p) / slope, 1.0)
        if np.all(np.abs(previous - level) <= 1e-9 * level):  # the error is the square of it
            break
    return level


def critical_with_slope(level: Vector, rank: Integers) -> tuple[Vector, Vector]:
    """Return the critical value of the `rank`-th largest p-value, and its derivative in the level.

    By the same recursion, all terms of it. The imaginary part carries the derivative (Squire and
    Trapp 1998). Ranks must descend.
    """
    alpha = np.multiply(level, 1.0 + 1e-20j, dtype=np.complex128)
    values = alpha.copy()
    power = np.ones_like(alpha)
    total = np.zeros_like(alpha)
    term = c = np.empty((0, alpha.size), dtype=complex)
    exponent = np.empty((0, 1))
    for n in range(2, int(rank[0]) + 1):
        active = np.count_nonzero(rank >= n)
        power = power[:active] * alpha[:active]
        total = total[:active] + power
        exponent = exponent + 1.0
        c = c[:, :active]
        term = term[:, :active] * c * (n / exponent)
        values[:active] = critical = (total - term.sum(axis=0)) / n
        # Terms fall like x^k / k! with x < 8: the sum keeps its digits without the small ones.
        relevant = (term.real > 1e-18 * total.real).any(axis=1)
        term = np.vstack([n * critical, term[relevant]])
        c = np.vstack([critical, c[relevant]])
        exponent = np.vstack([[[1.0]], exponent[relevant]])
    return values.real, values.imag / (level * 1e-20)


def _bonferroni(p: Vector) -> Vector:
    """Dunn 1961, doi:10.1080/01621459.1961.10482090."""
    return p.size * p


def _sidak(p: Vector) -> Vector:
    """Šidák 1967, doi:10.1080/01621459.1967.10482935."""
    return any_below(p, p.size)


def _holm(p: Vector) -> Vector:
    """Holm 1979, Scandinavian Journal of Statistics 6, 65-70."""
    return step_down(remaining(p) * p)


def _hochberg(p: Vector) -> Vector:
    """Hochberg 1988, doi:10.1093/biomet/75.4.800."""
    return step_up(remaining(p) * p)


def _finner(p: Vector) -> Vector:
    """Finner 1993, Journal of the American Statistical Association 88, 920-923."""
    return step_down(any_below(p, p.size / ranks(p)))


def _holland(p: Vector) -> Vector:
    """Holland and Copenhaver 1987, Biometrics 43, 417-423."""
    return step_down(any_below(p, remaining(p)))


def _li(p: Vector) -> Vector:
    """Li 2008, Journal of Statistical Planning and Inference 138, 1521-1527."""
    total = p + (1.0 - p[-1])
    adjusted = np.zeros_like(p)  # 0 where p = 0 and p_(m) = 1: rejected at every level, by 0 <= 0
    np.divide(p, total, out=adjusted, where=total > 0.0)
    return adjusted


def _bh(p: Vector) -> Vector:
    """Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x."""
    return step_up(p.size * p / ranks(p))


def _by(p: Vector) -> Vector:
    """Benjamini and Yekutieli 2001, doi:10.1214/aos/1013699998."""
    return step_up((1.0 / ranks(p)).sum() * p.size * p / ranks(p))


CORRECTIONS: dict[str, Callable[[Vector], Vector]] = {
    "bonferroni": _bonferroni,
    "sidak": _sidak,
    "holm": _holm,
    "hochberg": _hochberg,
    "hommel": hommel,
    "finner": _finner,
    "holland": _holland,
    "rom": rom,
    "li": _li,
    "bh": _bh,
    "by": _by,
}
EACH_ALONE = ("bonferroni", "sidak")  # which need no order
