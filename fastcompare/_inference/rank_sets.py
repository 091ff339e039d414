"""Which ranks models may have: confidence sets from tests of pairs, or from bootstrap replicates.

Rank 1 is the best. With all pairs tested at once, or those of one model,

    low = 1 + number of models significantly better, high = k - number significantly worse

hold all true ranks together, or that of the one model, with the chance that no test is wrong:
Mogstad, Romano, Shaikh, Wilhelm (2024), doi:10.1093/restud/rdad006. Tests are step-down ones on
the z values of the pairs, or Holm's; a true rank is 1 plus the number of models strictly better.

Of replicates of k means, the largest studentized deviation from their estimates stands for the
largest z of all pairs, step by step: Romano, Wolf (2005), doi:10.1198/016214504000000539.
"""

import math
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.types import Integers, Matrix, Vector
from .max_t import Differences, differences_of_models
from .step_down import directed_rejections, holm_rejections, step_down_rejections

Flags = NDArray[np.bool_]


class RankSets(NamedTuple):
    """The lowest and the highest rank of each model."""

    low: Integers
    high: Integers


def competition_ranks(means: Vector) -> Integers:
    """Return the rank of each mean: 1 plus the number of means strictly greater."""
    return 1 + means.size - np.searchsorted(np.sort(means), means, side="right")


def significantly_better(
    z: Vector, differences: Differences, alpha: float, k: int, *, holm: bool = False
) -> Flags:
    """Return flags (k, k): whether the row's model is significantly better than the column's.

    `z` (P,) are the statistics of the pairs i < j, tested step down as one family of ordered pairs;
    with `holm` by Holm's tests, which ignore correlations.
    """
    first, second = np.triu_indices(k, 1)
    if holm:
        rejected = holm_rejections(differences, z, alpha, two_sided=True)
    else:
        rejected = directed_rejections(differences, z, alpha)
    better = np.zeros((k, k), bool)
    better[first, second] = rejected & (z > 0.0)
    better[second, first] = rejected & (z < 0.0)
    return better


def joint_rank_sets(better: Flags, alternative: str = "two-sided") -> RankSets:
    """Return simultaneous confidence sets of all models' ranks from `significantly_better`.

    'greater' gives only the highest (worst) ranks, 'less' only the lowest.
    """
    low = 1 + better.sum(axis=0)
    high = len(better) - better.sum(axis=1)
    return RankSets(
        np.ones_like(low) if alternative == "greater" else low,
        np.full_like(high, high.size) if alternative == "less" else high,
    )


def marginal_rank_set(
    z: Vector,
    covariance: Matrix,
    model: int,
    alpha: float,
    alternative: str = "two-sided",
    *,
    holm: bool = False,
) -> tuple[int, int]:
    """Return the lowest and the highest rank of one model, from the pairs that contain it.

    `z` (k,) are the statistics of this model minus each; 'greater' bounds its rank only from above
    (the claim that it is good), 'less' only from below.
    """
    others = np.delete(np.arange(z.size), model)
    differences = differences_of_models(covariance, np.full(others.size, model), others)
    sign = -1.0 if alternative == "less" else 1.0
    two_sided = alternative == "two-sided"
    tests = directed_rejections if two_sided else step_down_rejections
    if holm:
        tests = partial(holm_rejections, two_sided=two_sided)
    rejected = tests(differences, sign * z[others], alpha) & (z[others] != 0.0)
    n_better = int((rejected & (z[others] < 0.0)).sum())
    n_worse = int((rejected & (z[others] > 0.0)).sum())
    return 1 + n_better, z.size - n_worse


def replicate_difference_errors(draws: Matrix) -> Matrix:
    """Return the standard deviations (k, k) of the models' differences over replicates (k, B)."""
    covariance = np.cov(draws)
    variances = np.diag(covariance)
    square = variances[:, None] + variances - 2.0 * covariance
    square[square <= 1e-12 * max(variances.max(), 0.0)] = 0.0
    return np.asarray(np.sqrt(square))


def replicate_rejections(means: Vector, draws: Matrix, family: Flags, alpha: float) -> Flags:
    """Return flags (k, k): whether step-down tests find the row's mean above the column's.

    `draws` (k, B) are bootstrap replicates minus the means, `family` (k, k) flags the claims that
    are tested together.
    """
    from ..kernels.normals import largest_differences

    error = replicate_difference_errors(draws)
    scale = np.zeros_like(error)
    np.divide(1.0, error, out=scale, where=(error > 0.0) & family)
    z = (means[:, None] - means) * scale
    rejected = np.zeros_like(family)
    while (scale > 0.0).any():
        largest = np.full(draws.shape[1], -math.inf)
        one_sided = True
        largest_differences(draws, scale, one_sided, largest)
        beyond = (scale > 0.0) & (z > critical_order_statistic(largest, alpha))
        if not beyond.any():
            break
        rejected |= beyond
        scale[beyond] = 0.0
    return rejected


def replicate_rank_set(
    means: Vector, draws: Matrix, model: int, alpha: float, alternative: str
) -> tuple[int, int]:
    """Return the lowest and highest rank of one model, by replicates of its pairs.

    The family has the claims that it is above another model, and that another one is above it;
    'less' leaves out the first ones and 'greater' the second ones, as in `marginal_rank_set`.
    """
    k = means.size
    family = np.zeros((k, k), bool)
    family[model] = alternative != "less"
    family[:, model] = alternative != "greater"
    family[model, model] = False
    rejected = replicate_rejections(means, draws, family, alpha)
    return 1 + int(rejected[:, model].sum()), k - int(rejected[model].sum())


def simultaneous_radius(draws: Matrix, error: Vector, level: float, alternative: str) -> float:
    """Return the half-width, in standard errors, of intervals that cover all means together."""
    scale = np.divide(1.0, error, out=np.zeros_like(error), where=error > 0.0)
    studentized = draws * scale[:, None]
    if alternative == "two-sided":
        studentized = np.abs(studentized)
    elif alternative == "less":
        studentized = -studentized
    return critical_order_statistic(studentized.max(axis=0), 1.0 - level)


def critical_order_statistic(largest: Vector, alpha: float) -> float:
    """Return the order statistic that a further replicate exceeds with probability <= alpha.

    Infinite if there are too few replicates.
    """
    place = math.ceil((1.0 - alpha) * (largest.size + 1)) - 1
    return math.inf if place >= largest.size else float(np.partition(largest, place)[place])
