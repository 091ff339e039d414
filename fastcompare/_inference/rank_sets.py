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


def better_models(
    z: Vector, differences: Differences, alpha: float, k: int, *, holm: bool = False
) -> Flags:
    """Return whether the row's model (k, k) is significantly better than the column's.

    `z` (P,) are those of the pairs i < j; the family is that of all ordered pairs. Holm's tests
    take no account of correlations.
    """
    first, second = np.triu_indices(k, 1)
    if holm:
        rejected = holm_rejections(differences, z, alpha, both=True)
    else:
        rejected = directed_rejections(differences, z, alpha)
    better = np.zeros((k, k), bool)
    better[first, second] = rejected & (z > 0.0)
    better[second, first] = rejected & (z < 0.0)
    return better


def joint_rank_sets(better: Flags, alternative: str = "two-sided") -> RankSets:
    """Return the sets that hold the ranks of all models together.

    'greater' bounds how low models rank alone, 'less' how high.
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
    """Return the lowest and the highest rank of one model, by the pairs with it alone.

    `z` (k,) are those of this model less each; 'greater' bounds its rank from above alone (the
    claim is that it is good), 'less' from below.
    """
    others = np.delete(np.arange(z.size), model)
    differences = differences_of_models(covariance, np.full(others.size, model), others)
    sign = -1.0 if alternative == "less" else 1.0
    both = alternative == "two-sided"
    tests = directed_rejections if both else step_down_rejections
    if holm:
        tests = partial(holm_rejections, both=both)
    rejected = tests(differences, sign * z[others], alpha) & (z[others] != 0.0)
    better = int((rejected & (z[others] < 0.0)).sum())
    return 1 + better, z.size - int(rejected.sum()) + better


def drawn_errors(draws: Matrix) -> Matrix:
    """Return the standard deviations (k, k) of differences of replicates (k, B)."""
    covariance = np.cov(draws)
    variances = np.diag(covariance)
    square = variances[:, None] + variances - 2.0 * covariance
    square[square <= 1e-12 * max(variances.max(), 0.0)] = 0.0
    return np.asarray(np.sqrt(square))


def drawn_rejections(means: Vector, draws: Matrix, family: Flags, alpha: float) -> Flags:
    """Return which of the claims that the row's mean is above the column's hold together.

    `draws` (k, B) are replicates less the means, `family` (k, k) the claims.
    """
    from ..kernels.normals import largest_differences

    error = drawn_errors(draws)
    scale = np.zeros_like(error)
    np.divide(1.0, error, out=scale, where=(error > 0.0) & family)
    z = (means[:, None] - means) * scale
    rejected = np.zeros_like(family)
    while (scale > 0.0).any():
        largest = np.full(draws.shape[1], -math.inf)
        largest_differences(draws, scale, True, largest)
        beyond = (scale > 0.0) & (z > drawn_point(largest, alpha))
        if not beyond.any():
            break
        rejected |= beyond
        scale[beyond] = 0.0
    return rejected


def drawn_rank_set(
    means: Vector, draws: Matrix, model: int, alpha: float, alternative: str
) -> tuple[int, int]:
    """Return the lowest and the highest rank of one model, by the pairs with it alone."""
    k = means.size
    family = np.zeros((k, k), bool)
    family[model] = alternative != "less"
    family[:, model] = alternative != "greater"
    family[model, model] = False
    rejected = drawn_rejections(means, draws, family, alpha)
    return 1 + int(rejected[:, model].sum()), k - int(rejected[model].sum())


def drawn_radius(draws: Matrix, error: Vector, level: float, alternative: str) -> float:
    """Return how many standard errors an interval reaches such that all models' cover together."""
    scale = np.divide(1.0, error, out=np.zeros_like(error), where=error > 0.0)
    studentized = draws * scale[:, None]
    if alternative == "two-sided":
        studentized = np.abs(studentized)
    elif alternative == "less":
        studentized = -studentized
    return drawn_point(studentized.max(axis=0), 1.0 - level)


def drawn_point(largest: Vector, alpha: float) -> float:
    """Return the order statistic that a further replicate exceeds with chance alpha at most."""
    place = math.ceil((1.0 - alpha) * (largest.size + 1)) - 1
    return math.inf if place >= largest.size else float(np.partition(largest, place)[place])
