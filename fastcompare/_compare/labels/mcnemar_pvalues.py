"""The ways to McNemar's p-value: a fair coin, chi-squared, Tango's score, clusters.

Notation: b cases are right by the first model only, c by the second only.
"""

import math

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Vector
from ..._inference.coins import coin_pvalue, coin_pvalues
from ..._inference.infer import infer
from ..._inference.pvalues import (
    CERTAIN,
    PValue,
    claim_z,
    normal_pvalue,
    normal_pvalues,
    score_pvalue,
)
from .differences import tango_z
from .table import Spread, Table

MIDP_BELOW = 25  # discordant cases, Fagerland et al. (2013)
WEIGHTS = {"exact": 1.0, "midp": 0.5}  # of the chance of exactly b

Tested = tuple[float, PValue]  # the statistic and its p-value


def mcnemar_method(discordant: int, method: str, *, plain: bool) -> str:
    """Return the method for so many discordant cases; `plain` is for no option that needs z."""
    if method != "auto":
        return method
    return "midp" if plain and discordant < MIDP_BELOW else "asymptotic"


def unclustered_pvalue(
    table: Table, method: str, alternative: str, margin: float, less: int
) -> Tested:
    """Return the statistic and p-value of independent cases, by Tango's score with a margin."""
    if margin:
        return tango_pvalue(table, alternative, margin)
    return mcnemar_pvalue(table, method, alternative, less)


def mcnemar_pvalue(table: Table, method: str, alternative: str, less: int) -> Tested:
    """Return the statistic and p-value of independent cases; `less` is 1 for the correction."""
    b, c = table.b, table.c
    if b + c == 0:
        return 0.0, CERTAIN
    if method in WEIGHTS:
        return float(min(b, c)), coin_pvalue(b, c, alternative, WEIGHTS[method])
    statistic = max(abs(b - c) - less, 0) ** 2 / (b + c)  # Edwards (1948)
    z = claim_z(math.sqrt(statistic), b - c, math.sqrt(b + c), alternative, less)
    return statistic, normal_pvalue(z, alternative)


def tango_pvalue(table: Table, alternative: str, margin: float) -> Tested:
    """Return Tango's z at the margin and its p-value; equivalence is the weaker one of both."""
    n = table.n
    b, c = table.b / n, table.c / n
    return score_pvalue(lambda d: float(tango_z(b, c, n, d)), alternative, margin)


def clustered_pvalue(difference: float, spread: Spread, alternative: str, margin: float) -> Tested:
    """Return the statistic and p-value of clustered cases: t with a margin, else its square."""
    error, df, _, unvaried = spread
    found = infer(difference, error, alternative, margin, df=df, unvaried=unvaried)
    t = found["statistic"]
    return t if margin else t * t, PValue(found["pvalue"], found["log_pvalue"])


def mcnemar_methods(discordant: Integers, method: str, *, plain: bool) -> NDArray[np.str_]:
    """Return `mcnemar_method` of many pairs of models."""
    if method != "auto":
        return np.full(discordant.shape, method)
    return np.where((discordant < MIDP_BELOW) & plain, "midp", "asymptotic")


def mcnemar_pvalues(
    b: Integers, c: Integers, methods: NDArray[np.str_], *, alternative: str, less: int = 0
) -> tuple[Vector, Vector]:
    """Return `mcnemar_pvalue` of many pairs of models: statistics and p-values."""
    differ = b + c > 0
    by_z = differ & (methods == "asymptotic")
    if by_z.all():
        return chi_squared_pvalues(b, c, alternative, less)
    statistic, pvalue = np.minimum(b, c).astype(np.float64), np.ones(b.shape)
    statistic[by_z], pvalue[by_z] = chi_squared_pvalues(b[by_z], c[by_z], alternative, less)
    for name, weight in WEIGHTS.items():
        own = np.flatnonzero(differ & (methods == name))
        if own.size:
            pvalue[own] = coin_pvalues(b[own], c[own], alternative, weight)
    return statistic, pvalue


def chi_squared_pvalues(
    b: Integers, c: Integers, alternative: str, less: int
) -> tuple[Vector, Vector]:
    """Return chi-squared, less a correction, and p-values by z in the tail of the alternative."""
    statistic = np.maximum(np.abs(b - c) - less, 0) ** 2 / (b + c)  # Edwards (1948)
    z = claim_z(np.sqrt(statistic), b - c, np.sqrt(b + c), alternative, less)
    return statistic, normal_pvalues(z, np.ones(z.shape), alternative)
