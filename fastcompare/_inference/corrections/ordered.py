"""Corrections for any family of hypotheses.

Each gets all p-values in ascending order, p_(1) <= ... <= p_(m), and may return more than 1.
"""

from collections.abc import Callable

import numpy as np

from ..._base.types import Vector


def _step_down(levels: Vector) -> Vector:
    """Reject from the smallest p-value on, until one is above its critical value."""
    return np.maximum.accumulate(levels)


def _step_up(levels: Vector) -> Vector:
    """Reject the largest p-value that is at most its critical value, and all before it."""
    return np.minimum.accumulate(levels[::-1])[::-1]


def _ranks(p: Vector) -> Vector:
    """Return i = 1, ..., m."""
    return np.arange(1.0, p.size + 1.0)


def _remaining(p: Vector) -> Vector:
    """Return m - i + 1, the number of p-values from p_(i) on."""
    return np.arange(float(p.size), 0.0, -1.0)


def _any_of(p: Vector, n: Vector | int) -> Vector:
    """Return 1 - (1 - p)^n, with all digits for tiny p."""
    return -np.expm1(n * np.log1p(-p))


def _bonferroni(p: Vector) -> Vector:
    """Dunn 1961, doi:10.1080/01621459.1961.10482090."""
    return p.size * p


def _sidak(p: Vector) -> Vector:
    """Šidák 1967, doi:10.1080/01621459.1967.10482935."""
    return _any_of(p, p.size)


def _holm(p: Vector) -> Vector:
    """Holm 1979, Scandinavian Journal of Statistics 6, 65-70."""
    return _step_down(_remaining(p) * p)


def _hochberg(p: Vector) -> Vector:
    """Hochberg 1988, doi:10.1093/biomet/75.4.800."""
    return _step_up(_remaining(p) * p)


def _hommel(p: Vector) -> Vector:
    """Hommel 1988, doi:10.1093/biomet/75.2.383: closed testing with Simes' test.

    Of the sets of one size that hold hypothesis i, the one with the largest others is the worst.
    """
    adjusted = p
    for size in range(2, p.size + 1):
        # Where i is among them, this is at most the p-value of the smaller set that they form.
        others = (size * p[1 - size :] / np.arange(2, size + 1)).min()
        adjusted = np.maximum(adjusted, np.minimum(size * p, others))
    return adjusted


def _finner(p: Vector) -> Vector:
    """Finner 1993, Journal of the American Statistical Association 88, 920-923."""
    return _step_down(_any_of(p, p.size / _ranks(p)))


def _holland(p: Vector) -> Vector:
    """Holland and Copenhaver 1987, Biometrics 43, 417-423."""
    return _step_down(_any_of(p, _remaining(p)))


def _rom(p: Vector) -> Vector:
    """Rom 1990, doi:10.1093/biomet/77.3.663, inverted: the level whose critical value is p_(i)."""
    n = _remaining(p)
    lower = -np.expm1(-n * p)
    level = np.minimum(n * p, 1.0)  # Hochberg's: Rom's is between the two
    unsure = np.flatnonzero(lower < _step_up(level))
    if unsure.size:
        level[unsure] = _rom_level(p[unsure], n[unsure], level[unsure])
    return _step_up(level)


def _rom_level(p: Vector, n: Vector, level: Vector) -> Vector:
    """Newton's method, from above: critical values are convex in the level (seen to n = 2000)."""
    for _ in range(50):  # at most 8 were ever needed
        critical, slope = _rom_critical(level, n)
        previous, level = level, np.minimum(level - (critical - p) / slope, 1.0)
        if np.all(np.abs(previous - level) <= 1e-9 * level):  # the error is the square of it
            break
    return level


def _rom_critical(level: Vector, rank: Vector) -> tuple[Vector, Vector]:
    """Rom's critical value of the `rank`-th largest p-value, and its derivative in the level.

    n c_n = sum_(j=1..n-1) alpha^j - sum_(j=1..n-2) binom(n, j) c_(j+1)^(n-j), c_1 = alpha. The
    imaginary part carries the derivative (Squire and Trapp 1998). Ranks must descend.
    """
    alpha = np.multiply(level, 1.0 + 1e-20j, dtype=np.complex128)
    found, power, total = alpha.copy(), np.ones_like(alpha), np.zeros_like(alpha)
    term = c = np.empty((0, alpha.size), dtype=complex)
    exponent = np.empty((0, 1))
    for n in range(2, int(rank[0]) + 1):
        active = np.count_nonzero(rank >= n)
        power = power[:active] * alpha[:active]
        total = total[:active] + power
        exponent = exponent + 1.0
        c = c[:, :active]
        term = term[:, :active] * c * (n / exponent)
        found[:active] = critical = (total - term.sum(axis=0)) / n
        # Terms fall like x^k / k! with x < 8: the sum keeps its digits without the small ones.
        kept = (term.real > 1e-18 * total.real).any(axis=1)
        term = np.vstack([n * critical, term[kept]])
        c = np.vstack([critical, c[kept]])
        exponent = np.vstack([[[1.0]], exponent[kept]])
    return found.real, found.imag / (level * 1e-20)


def _li(p: Vector) -> Vector:
    """Li 2008, Journal of Statistical Planning and Inference 138, 1521-1527."""
    total = p + (1.0 - p[-1])
    adjusted = np.zeros_like(p)  # 0 where p = 0 and p_(m) = 1: rejected at every level, by 0 <= 0
    np.divide(p, total, out=adjusted, where=total > 0.0)
    return adjusted


def _bh(p: Vector) -> Vector:
    """Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x."""
    return _step_up(p.size * p / _ranks(p))


def _by(p: Vector) -> Vector:
    """Benjamini and Yekutieli 2001, doi:10.1214/aos/1013699998."""
    return _step_up((1.0 / _ranks(p)).sum() * p.size * p / _ranks(p))


CORRECTIONS: dict[str, Callable[[Vector], Vector]] = {
    "bonferroni": _bonferroni,
    "sidak": _sidak,
    "holm": _holm,
    "hochberg": _hochberg,
    "hommel": _hommel,
    "finner": _finner,
    "holland": _holland,
    "rom": _rom,
    "li": _li,
    "bh": _bh,
    "by": _by,
}
