"""Which ranks models may have: confidence sets from tests of pairs.

Rank 1 is the best. With all pairs tested at once, or those of one model,

    low = 1 + number of models significantly better, high = k - number significantly worse

hold all true ranks together, or that of the one model, with the chance that no test is wrong:
Mogstad, Romano, Shaikh, Wilhelm (2024), doi:10.1093/restud/rdad006. Tests are step-down ones on
the z values of the pairs, or Holm's; a true rank is 1 plus the number of models strictly better.
"""

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


def ranks_of(means: Vector) -> Integers:
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
    low, high = 1 + better.sum(axis=0), len(better) - better.sum(axis=1)
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
    found = tests(differences, sign * z[others], alpha) & (z[others] != 0.0)
    better = int((found & (z[others] < 0.0)).sum())
    return 1 + better, z.size - int(found.sum()) + better
