"""P-values and intervals of many differences by their largest statistic.

Each t has degrees of freedom of its own, and becomes the normal z of its p-value: Hasler, Hothorn
(2008), doi:10.1002/bimj.200710466. The largest |z| has the correlations of the differences.
"""

import math

import numpy as np

from .._base.types import Vector
from .max_t import Differences, Largest, largest_of
from .pvalues import normal_tail, student_tail
from .step_down import step_down_tails


def normal_scores(t: Vector, df: float | Vector) -> Vector:
    """Return the z with the tail of each t, infinite where that underflows."""
    from scipy.special import ndtri, stdtr

    size = np.abs(t)
    return np.asarray(np.copysign(-ndtri(stdtr(df, -size)), t))


def joint_pvalues(
    differences: Differences,
    largest: Largest | None,
    z: Vector,
    pvalue: Vector,
    alternative: str,
    *,
    step_down: bool,
    df: float = math.inf,
) -> Vector:
    """Return p-values that allow for the largest z, or t with `df`, of all pairs.

    They are between those of one test and Bonferroni's, which far tails leave little between.
    """
    one_sided = alternative != "two-sided"
    signed = -z if alternative == "less" else z
    adjusted, counted = pvalue.copy(), differences.varies & ~np.isnan(pvalue)
    if largest is None or not counted.any():
        return adjusted
    if step_down:
        family = differences.only(counted)
        tails = step_down_tails(family, signed[counted], one_sided=one_sided, df=df)
    else:
        tails = largest.tails(signed[counted] if one_sided else np.abs(signed[counted]))
    single = pvalue[counted]
    most = np.minimum(np.count_nonzero(counted) * single, 1.0)
    adjusted[counted] = np.clip(tails, single, most)
    return adjusted


def joint_level(largest: Largest | None, level: float, alternative: str) -> float:
    """Return the level of each interval such that those of all pairs cover together."""
    if largest is None:
        return level
    point, df = largest.point(1.0 - level), largest.df
    tail = normal_tail(point) if df == math.inf else student_tail(point, df)
    return 1.0 - (1.0 if alternative != "two-sided" else 2.0) * tail


def largest_pair(
    differences: Differences, pvalue: Vector, alternative: str, df: float = math.inf
) -> Largest | None:
    """Return the distribution of the largest statistic of the pairs that have a p-value."""
    return largest_for(differences.only(~np.isnan(pvalue)), alternative, df)


def largest_for(differences: Differences, alternative: str, df: float = math.inf) -> Largest | None:
    """Return the distribution of the largest statistic, of its size where that is what counts."""
    return largest_of(differences, one_sided=alternative != "two-sided", df=df)
