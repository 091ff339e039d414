"""Corrections of repeated-measures ANOVA where differences of models vary unequally.

J rounds, k models. If the differences of all pairs of models have equal variances ("sphericity"),
F has k - 1 and (k - 1)(J - 1) degrees of freedom; if not, epsilon times as many, about. It is 1
under sphericity and never below 1 / (k - 1).
"""

import math
from typing import Any, NamedTuple

import numpy as np

SPHERICITY = {  # and what a sentence says of them
    "none": "",
    "greenhouse-geisser": ", Greenhouse-Geisser correction",
    "huynh-feldt": ", Huynh-Feldt correction",
    "lower-bound": ", lower-bound correction",
}
AUTO_BELOW = 0.75  # from here on Greenhouse and Geisser's epsilon is too small (Girden 1992)
ROUNDING = 1e-12


class Epsilon(NamedTuple):
    """Estimates of epsilon; that of Huynh and Feldt may exceed 1, and is then used as 1."""

    greenhouse_geisser: Any
    huynh_feldt: Any
    lower_bound: float


def epsilons(greenhouse_geisser: Any, rounds: int, k: int) -> Epsilon:
    """Return all estimates from the first one, a number or an array."""
    return Epsilon(greenhouse_geisser, huynh_feldt(greenhouse_geisser, rounds, k), 1.0 / (k - 1))


def huynh_feldt(epsilon: Any, rounds: int, k: int) -> Any:
    """Return the estimate of Huynh and Feldt (1976) from that of Greenhouse and Geisser.

    Infinite where no more than J - 1 dimensions can vary and these vary alike. Two rounds tell
    nothing (0 / 0): `epsilon` itself.
    """
    if rounds == 2:
        return epsilon
    shape = (k - 1) * epsilon
    top, bottom = rounds * shape - 2.0, (k - 1) * (rounds - 1.0 - shape)
    known = bottom > ROUNDING * k * rounds
    value = np.divide(top, bottom, out=np.full(np.shape(epsilon), math.inf), where=known)
    value = np.where(np.isnan(epsilon), math.nan, value)
    return value if np.ndim(epsilon) else float(value)


def factor_of(epsilon: Epsilon, sphericity: str) -> Any:
    """Return the factor of the degrees of freedom: at most 1, and 1 if undefined."""
    first, second, lower_bound = epsilon
    if sphericity == "auto":
        return np.fmin(np.where(first < AUTO_BELOW, first, second), 1.0)
    chosen = dict(zip(SPHERICITY, (1.0, first, second, lower_bound), strict=True))[sphericity]
    return np.fmin(chosen, 1.0)


def applied(epsilon: Epsilon, sphericity: str, k: int) -> str:
    """Return the correction that 'auto' stands for, or the one asked for."""
    if math.isnan(epsilon.greenhouse_geisser) or (sphericity == "auto" and k == 2):
        return "none"  # two models have one difference only, which cannot vary unequally
    if sphericity == "auto":
        return "greenhouse-geisser" if epsilon.greenhouse_geisser < AUTO_BELOW else "huynh-feldt"
    return sphericity


def degrees(factor: Any, rounds: int, k: int) -> tuple[Any, Any]:
    """Return the degrees of freedom of F, times a factor."""
    return factor * (k - 1), factor * ((k - 1) * (rounds - 1))
