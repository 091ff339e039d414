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
    """Return p-values adjusted by Hommel (1988), doi:10.1093/biomet/75.2.383.

    Closed testing with Simes' test. Of the sets of one size that contain hypothesis i, the one with
    the largest other p-values is the worst, so p_i becomes the largest min(size p_i, others) over
    all sizes, where `others` is the smallest size p / rank over the other p-values, which have
    ranks 2, ..., size. As size p_i grows with the size, the largest minimum stays the same if
    `others` is replaced by its maximum over this and all larger sizes, which falls: it lies where
    the two cross, found by bisection for all i at once.
    """
    others = np.append(simes_of_others(p), 0.0)  # 0: there are no sets of size m + 1
    largest_from_here = np.maximum.accumulate(others[::-1])[::-1]
    size = np.zeros(p.size, np.int64)
    too_large = np.full(p.size, p.size + 1)
    while (too_large - size > 1).any():  # bisect for the last size with size p_i <= ...
        middle = (size + too_large) // 2
        fits = middle * p <= largest_from_here[middle - 1]
        size, too_large = np.where(fits, middle, size), np.where(fits, too_large, middle)
    # The minimum is size p_i up to `size`, and `others` from size + 1 on, whose index is `size`.
    return np.maximum(size * p, largest_from_here[size])


def simes_of_others(p: Vector) -> Vector:
    """Return for each size = 1, 2, ... the smallest size p_k / j over j = 2, ..., size.

    It is infinite for size 1. With x and k as in the module docstring it is size times the slope
    from (x, 0) to (k, p_k), and the minimizing k never falls where x grows (Meijer, Krebs and
    Goeman 2019, doi:10.1002/bimj.201700316). So the k of two x bound the k of every x between them;
    all x half-way between such two are computed at once.
    """
    m = p.size
    least = np.full(m, np.inf)
    minimizing_k = np.full(m, m)
    half = 1 << m.bit_length()
    while half := half // 2:
        x = np.arange(half - 1, m - 1, 2 * half)
        last_k = minimizing_k[np.minimum(x + half, m - 1)]
        # For x < half there is no x before: index -1 is read and not used.
        first_k = np.where(x < half, 0, minimizing_k[x - half])
        least[x], minimizing_k[x] = least_slopes(p, x, np.maximum(first_k, x + 2), last_k)
    return least[::-1]  # size = m - x


def least_slopes(
    p: Vector, x: Integers, first_k: Integers, last_k: Integers
) -> tuple[Vector, Integers]:
    """Return for each x the smallest size p_k / j over k = first, ..., last, and its first k.

    As in the module docstring, size = m - x and j = k - x. The ranges of k of all x, of different
    lengths, follow one another in one array.
    """
    count = last_k - first_k + 1
    start = np.cumsum(count) - count
    row = np.repeat(np.arange(x.size), count)
    k = np.arange(row.size) + (first_k - start)[row]
    slopes = (p.size - x)[row] * p[k - 1] / (k - x[row])
    least = np.minimum.reduceat(slopes, start)
    # Backwards: of several k with the smallest slope the first one is written last.
    smallest = np.flatnonzero(slopes == least[row])[::-1]
    minimizing_k = np.empty_like(x)
    minimizing_k[row[smallest]] = k[smallest]
    return least, minimizing_k


def step_down(levels: Vector) -> Vector:
    """Return adjusted p-values of a step-down procedure: the cumulative maxima of `levels`.

    It rejects from the smallest p-value on, until one is above its critical value.
    """
    return np.maximum.accumulate(levels)


def step_up(levels: Vector) -> Vector:
    """Return adjusted p-values of a step-up procedure: cumulative minima from the last one back.

    It rejects the largest p-value that is at most its critical value, and all smaller ones.
    """
    return np.minimum.accumulate(levels[::-1])[::-1]


def ranks(p: Vector) -> Vector:
    """Return the ranks 1, ..., m of m ascending p-values."""
    return np.arange(1.0, p.size + 1.0)


def remaining(p: Vector) -> Vector:
    """Return m - i + 1 for i = 1, ..., m: how many of m ascending p-values are p_(i) or follow."""
    return np.arange(float(p.size), 0.0, -1.0)


def chance_of_any_below(p: Vector, n: Vector | int) -> Vector:
    """Return 1 - (1 - p)^n, the chance that any of n independent p-values is at most p."""
    return -np.expm1(n * np.log1p(-p))


# Up to so many hypotheses each level is solved for by itself: it takes no longer.
MOST_SOLVED_SINGLY = 64
EDGES = (0.0, 4.0, 8.0, 12.0, 16.0)  # of w; beyond, levels are within 2e-7 of 1
DEGREE = 48  # of the polynomials between: within 1e-13 of c_n for n to 10^4 at least
TERMS = 48  # of the recursion; the next is (n c_n)^49 / 49! of them at most, and n c_n below 8


def rom(p: Vector) -> Vector:
    """Return p-values adjusted by Rom (1990), doi:10.1093/biomet/77.3.663.

    Each becomes the level at which it equals its critical value, then stepped up. In large families
    polynomials narrow the bounds of the levels first, one range of w after another.
    """
    n = remaining(p).astype(np.int64)  # descending
    lower = -np.expm1(-n * p)
    level = np.minimum(n * p, 1.0)  # Hochberg's: Rom's is between the two
    for low, high in pairwise(EDGES):
        unsolved = np.flatnonzero(lower < step_up(level))
        if unsolved.size and n[unsolved[0]] > MOST_SOLVED_SINGLY:
            values = critical_values(low, high, int(n[unsolved[0]] - 1).bit_length())
            lower[unsolved], level[unsolved] = values.narrow_bounds(
                n[unsolved], p[unsolved], lower[unsolved], level[unsolved]
            )
    unsolved = np.flatnonzero(lower < step_up(level))
    if unsolved.size:
        level[unsolved] = solve_levels(p[unsolved], n[unsolved], level[unsolved])
    return step_up(level)


class CriticalValues(NamedTuple):
    """Rom's n c_n for w from `low` to `high`, as w times a Chebyshev polynomial (N, DEGREE + 1).

    `greatest` (N,) is n c_n at level 1.
    """

    low: float
    high: float
    polynomials: Matrix
    greatest: Vector

    def narrow_bounds(
        self, n: Integers, p: Vector, lower: Vector, level: Vector
    ) -> tuple[Vector, Vector]:
        """Return narrower bounds of the levels of p, equal to each other where w is in range."""
        lower = np.where(
            n * p < self.greatest[n], lower, 1.0
        )  # no smaller level rejects the others
        last = self.high * self.polynomials[n].sum(axis=1)  # Chebyshev's are all 1 there
        solvable = np.flatnonzero((n * p < last) & (lower < 1.0))
        level[solvable] = lower[solvable] = -np.expm1(-self.solve(n[solvable], (n * p)[solvable]))
        return lower, level

    def solve(self, n: Integers, y: Vector) -> Vector:
        """Return w at which n c_n = y, by Newton's method from below: n c_n is concave in w."""
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
    """Return the critical values for n up to 2^bits and w from `low` to `high`.

    They interpolate those at the Chebyshev points cos(i pi / DEGREE), and are cached for the next
    family of hypotheses: each n takes 3 µs and 400 bytes.
    """
    index = np.arange(DEGREE + 1)
    cosines = np.cos(np.pi / DEGREE * (index * index[:, None] % (2 * DEGREE)))
    w = low + 0.5 * (high - low) * (1.0 + cosines[1])
    w[-1] = max(low, 1e-300)  # where n c_n is w
    values = rom_recursion(np.append(w, np.inf), 1 << bits)  # the last column is for level 1
    halves = np.where(index % DEGREE, 1.0, 0.5)  # both ends count half
    weights = halves * halves[:, None] * cosines * (2.0 / DEGREE)
    return CriticalValues(low, high, values[:, :-1] / w @ weights, values[:, -1].copy())


def rom_recursion(w: Vector, largest_n: int) -> Matrix:
    """Return n c_n by Rom's recursion, for n = 0, ..., `largest_n` and w = -log(1 - alpha).

    The last w is infinite.
    n c_n = sum_(j=1..n-1) alpha^j - sum_(j=1..n-2) binom(n, j) c_(j+1)^(n-j), c_1 = alpha. Terms
    fall like x^k / k! with x < 8, k = n - j: only the last ones count.
    """
    from ...kernels.sums import subtract_last_terms  # here: others need no compiler

    alpha = -np.expm1(-w)
    n = np.arange(largest_n + 1.0)[:, None]
    values = np.repeat(n - 1.0, w.size, axis=1)
    values[:, :-1] = np.expm1(w[:-1]) * -np.expm1((n - 1.0) * np.log(alpha[:-1]))
    values[0], values[1] = 0.0, alpha
    subtract_last_terms(values, TERMS)
    return values


def solve_levels(p: Vector, n: Integers, level: Vector) -> Vector:
    """Return the levels at which p are the critical values of the n-th largest p-values.

    By Newton's method from above: critical values are convex in the level (checked to n = 2000).
    """
    for _ in range(50):  # at most 8 were ever needed
        critical, slope = critical_with_slope(level, n)
        previous, level = level, np.minimum(level - (critical - p) / slope, 1.0)
        if np.all(np.abs(previous - level) <= 1e-9 * level):  # the error is the square of it
            break
    return level


def critical_with_slope(level: Vector, rank: Integers) -> tuple[Vector, Vector]:
    """Return the critical value of the `rank`-th largest p-value, and its derivative in the level.

    By Rom's recursion with all terms. The imaginary part gives the derivative (Squire and Trapp
    1998). Ranks must descend.
    """
    alpha = np.multiply(level, 1.0 + 1e-20j, dtype=np.complex128)
    values = alpha.copy()
    power = np.ones_like(alpha)
    total = np.zeros_like(alpha)
    term = c = np.empty((0, alpha.size), dtype=complex)
    exponent = np.empty((0, 1))  # n - j; the rows of `term` are binom(n, j) c^(n - j)
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
    """Return Bonferroni's m p (Dunn 1961, doi:10.1080/01621459.1961.10482090)."""
    return p.size * p


def _sidak(p: Vector) -> Vector:
    """Return Šidák's (1967) 1 - (1 - p)^m, doi:10.1080/01621459.1967.10482935."""
    return chance_of_any_below(p, p.size)


def _holm(p: Vector) -> Vector:
    """Return Holm's step-down p-values (1979, Scandinavian Journal of Statistics 6, 65-70)."""
    return step_down(remaining(p) * p)


def _hochberg(p: Vector) -> Vector:
    """Return Hochberg's step-up p-values (1988, doi:10.1093/biomet/75.4.800)."""
    return step_up(remaining(p) * p)


def _finner(p: Vector) -> Vector:
    """Return Finner's step-down p-values (1993, J. Am. Stat. Assoc. 88, 920-923)."""
    return step_down(chance_of_any_below(p, p.size / ranks(p)))


def _holland(p: Vector) -> Vector:
    """Return Holland and Copenhaver's step-down p-values (1987, Biometrics 43, 417-423)."""
    return step_down(chance_of_any_below(p, remaining(p)))


def _li(p: Vector) -> Vector:
    """Return Li's p / (p + 1 - p_(m)) (2008, J. Stat. Plan. Inference 138, 1521-1527)."""
    total = p + (1.0 - p[-1])
    adjusted = np.zeros_like(p)  # 0 where p = 0 and p_(m) = 1: rejected at every level, by 0 <= 0
    np.divide(p, total, out=adjusted, where=total > 0.0)
    return adjusted


def _bh(p: Vector) -> Vector:
    """Return Benjamini and Hochberg's p-values (1995, doi:10.1111/j.2517-6161.1995.tb02031.x)."""
    return step_up(p.size * p / ranks(p))


def _by(p: Vector) -> Vector:
    """Return Benjamini and Yekutieli's p-values (2001, doi:10.1214/aos/1013699998)."""
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
ORDER_FREE = ("bonferroni", "sidak")  # corrections that need not sort the p-values
