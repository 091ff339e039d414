"""P-values of several models against one, adjusted by how the differences vary together.

Dunnett (1955), doi:10.1080/01621459.1955.10501294, for any correlations: the adjusted p-value is
the chance that the least of m p-values of jointly normal differences is as small as this one. The
step down of Dunnett and Tamhane (1991), doi:10.1002/sim.4780100614, leaves out the differences that
were rejected before. It is closed testing by the least p-value: that of fewer differences is never
likelier to be small, and its distribution does not depend on which others are true.

That chance is m p E[1 / S], where S of the m p-values are that small once one of them, each as
often, is drawn to be so (Naiman and Priebe 2001; Owen, Maximov, Chertkov 2019, Electronic Journal
of Statistics 13, 231-254). So it keeps its digits in the tail, and lies between p and m p.
"""

import numpy as np

from .._base.types import Integers, Matrix, Vector
from ..kernels.exceedances import count_beyond
from .joint import BLOCK, standard_normals
from .pvalues import in_tail

MOST_DRAWS, FEWEST_DRAWS = 1 << 15, 1 << 11  # a p-value of 5 % has an error of .01 %
WORK = 1 << 28  # draws times differences squared
TINY = 1e-290  # below, Bonferroni's bound is all that is known


def dunnett_pvalues(
    pvalue: Vector, correlation: Matrix, alternative: str, *, step_down: bool
) -> Vector:
    """Return the adjusted p-values of differences with these correlations (m, m).

    Undefined p-values stay NaN and do not count. Student's t with degrees of freedom of its own
    comes as its p-value: the normal distribution then tells how they depend.
    """
    adjusted = np.full(pvalue.shape, np.nan)
    order = np.argsort(pvalue, kind="stable")[: np.count_nonzero(~np.isnan(pvalue))]
    if order.size > 1:
        draws = joint_draws(correlation)
    for place, i in enumerate(order.tolist()):
        among, p = order[place if step_down else 0 :], float(pvalue[i])
        adjusted[i] = among.size * p
        if among.size > 1 and TINY < p < 1.0:
            adjusted[i] *= mean_share(p, np.sort(among), correlation, draws, alternative)
    adjusted[order] = np.minimum(np.maximum.accumulate(adjusted[order]), 1.0)
    return adjusted


def joint_draws(correlation: Matrix) -> Matrix:
    """Return draws (m, m + 1, n) of m differences for each of them; the last row is uniform."""
    from scipy.special import ndtr

    m = len(correlation)
    n = min(max(WORK // m**2, FEWEST_DRAWS), MOST_DRAWS) // m + 1
    values, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    z = np.hstack([standard_normals(block, m + 1) for block in range(-(-n * m // BLOCK))])
    joint = np.vstack([root @ z[:-1, : n * m], ndtr(z[-1:, : n * m])])
    return np.ascontiguousarray(joint.reshape(m + 1, m, n).transpose(1, 0, 2))


def mean_share(
    p: float, among: Integers, correlation: Matrix, draws: Matrix, alternative: str
) -> float:
    """Return E[1 / S] for those `among` the differences."""
    from scipy.special import ndtri

    _, sides = in_tail(0.0, alternative)
    point = -float(ndtri(p / sides))
    count, total = np.empty(draws.shape[2], np.int64), 0.0
    for j in among:  # the difference that is drawn from its tail, by symmetry the upper one
        shift = -ndtri(draws[j, -1] * (p / sides)) - draws[j, j]
        count_beyond(draws[j], among, correlation[j], shift, point, sides > 1.0, count)
        total += float(np.mean(1.0 / np.maximum(count, 1)))
    return total / among.size
