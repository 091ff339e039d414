"""Corrections for any family of hypotheses.

Each gets all p-values in ascending order, p_(1) <= ... <= p_(m), and may return more than 1.
"""

from collections.abc import Callable

import numpy as np

from ..._base.types import Vector
from .hommel import hommel
from .rom import rom
from .steps import any_of, ranks, remaining, step_down, step_up


def _bonferroni(p: Vector) -> Vector:
    """Dunn 1961, doi:10.1080/01621459.1961.10482090."""
    return p.size * p


def _sidak(p: Vector) -> Vector:
    """Šidák 1967, doi:10.1080/01621459.1967.10482935."""
    return any_of(p, p.size)


def _holm(p: Vector) -> Vector:
    """Holm 1979, Scandinavian Journal of Statistics 6, 65-70."""
    return step_down(remaining(p) * p)


def _hochberg(p: Vector) -> Vector:
    """Hochberg 1988, doi:10.1093/biomet/75.4.800."""
    return step_up(remaining(p) * p)


def _finner(p: Vector) -> Vector:
    """Finner 1993, Journal of the American Statistical Association 88, 920-923."""
    return step_down(any_of(p, p.size / ranks(p)))


def _holland(p: Vector) -> Vector:
    """Holland and Copenhaver 1987, Biometrics 43, 417-423."""
    return step_down(any_of(p, remaining(p)))


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
