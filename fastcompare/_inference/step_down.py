"""Step-down tests of many differences: reject the largest, leave it out, go on with the others.

A family that shrinks needs smaller critical values, and the chance of any false rejection stays
below alpha: Romano, Wolf (2005), doi:10.1198/016214504000000539. Statistics are z values; `max_t`
has the distribution of the largest.
"""

import math

import numpy as np
from numpy.typing import NDArray

from .._base.types import Vector
from . import joint
from .joint import BLOCK, scale_of, standard_normals
from .max_t import SEQUENCES, SPHERE, Differences, directions, largest_of, length_tails
from .pvalues import normal_tail, student_tail

Flags = NDArray[np.bool_]
LENGTHS = 1 << 21  # differences times directions whose lengths are integrated: .2 s
COUNTS = 1 << 25  # the same of draws that are counted
CELLS = 1 << 22  # numbers at a time


def directed_rejections(differences: Differences, z: Vector, alpha: float) -> Flags:
    """Return of which differences step-down tests at level `alpha` tell the sign.

    Each is two claims, that it is above 0 and that it is below. The family begins with all claims
    of both kinds, and one that is made does not take its opposite along.
    """
    both = differences.both_ways()
    found = step_down_rejections(both, np.concatenate((z, -z)), alpha)
    return np.asarray(found[: z.size] | found[z.size :])


def holm_rejections(differences: Differences, z: Vector, alpha: float, *, both: bool) -> Flags:
    """Return which differences Holm's tests at level `alpha` find above 0, or of which the sign.

    They keep their level whatever the correlations are. With `both` each difference is two claims.
    """
    from scipy.special import ndtr

    counted = np.flatnonzero(differences.varies & ~np.isnan(z))
    size = np.abs(z[counted]) if both else z[counted]
    order = np.argsort(-size, kind="stable")
    claims = np.arange((2 if both else 1) * counted.size, 0, -1)[: counted.size]
    holds = np.logical_and.accumulate(ndtr(-size[order]) <= alpha / claims)
    rejected = np.zeros(z.shape, bool)
    rejected[counted[order[holds]]] = True
    return rejected


def step_down_rejections(differences: Differences, z: Vector, alpha: float) -> Flags:
    """Return which differences one-sided step-down tests at level `alpha` find above 0.

    All beyond the critical value go at once: the next family is smaller, so its value is, too.
    """
    left = differences.varies & ~np.isnan(z)
    rejected = np.zeros(z.shape, bool)
    while left.any():
        largest = largest_of(differences.only(left), one_sided=True)
        assert largest is not None  # some vary
        found = left & (z >= largest.point(alpha))
        if not found.any():
            break
        rejected |= found
        left &= ~found
    return rejected


def step_down_tails(
    differences: Differences, z: Vector, *, one_sided: bool = False, df: float = math.inf
) -> Vector:
    """Return the chance for each z that the largest of it and of all smaller ones is as large.

    Made monotone: the p-values of step-down tests. NaN where a difference does not vary.
    """
    size = z if one_sided else np.abs(z)
    chosen = np.flatnonzero(differences.varies & ~np.isnan(z))
    chosen = chosen[np.argsort(size[chosen], kind="stable")]
    tails = np.full(z.shape, math.nan)
    if chosen.size:
        ordered = differences._replace(
            first=differences.first[chosen],
            second=None if differences.second is None else differences.second[chosen],
            scale=differences.scale[chosen],
        )
        found = tails_of_families(ordered, size[chosen], one_sided, df)
        found[0] = (1.0 if one_sided else 2.0) * one_tail(float(size[chosen[0]]), df)
        tails[chosen] = np.maximum.accumulate(found[::-1])[::-1]
    return tails


def one_tail(point: float, df: float) -> float:
    """Return the chance that a single difference exceeds a point."""
    return normal_tail(point) if df == math.inf else student_tail(point, df)


def tails_of_families(differences: Differences, size: Vector, one_sided: bool, df: float) -> Vector:
    """Return P(max of the first i + 1 differences >= size[i]); sizes ascend."""
    rank, count = differences.root.shape[1], size.size
    whole = rank <= SEQUENCES
    most = SPHERE if whole else joint.MOST_DRAWS
    draws = min(max((LENGTHS if whole else COUNTS) // count, joint.FEWEST_DRAWS), most)
    draws = 2 if rank == 1 else draws
    step = max(1, min(BLOCK, CELLS // count))
    total = np.zeros(count)
    for start in range(0, draws, BLOCK):
        u = directions(start, draws, rank)
        for low in range(0, u.shape[1], step):
            cosines = cosines_of(differences, u[:, low : low + step], one_sided)
            np.maximum.accumulate(cosines, axis=0, out=cosines)
            total += chances_of(cosines, size[:, None], rank, df, start + low, whole).sum(axis=1)
    return total / draws


def cosines_of(differences: Differences, u: Vector, one_sided: bool) -> Vector:
    """Return all differences in each direction, their sizes unless one-sided."""
    models = differences.root @ u
    cosines = models[differences.first]
    if differences.second is not None:
        cosines = cosines - models[differences.second]
    cosines *= differences.scale[:, None]
    return cosines if one_sided else np.abs(cosines, out=cosines)


def chances_of(
    cosines: Vector, size: Vector, rank: int, df: float, place: int, whole: bool
) -> Vector:
    """Return P(m R >= size): by the distribution of R, or whether it is for a draw of R."""
    if not whole:
        return np.asarray(cosines * lengths_of(cosines.shape[1], rank, df, place) >= size)
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.abs(size / cosines)
    tails = length_tails(ratios, rank, df)
    below = np.where(cosines < 0.0, 1.0 - tails, 1.0)
    return np.asarray(np.where(size > 0.0, np.where(cosines > 0.0, tails, 0.0), below))


def lengths_of(count: int, rank: int, df: float, place: int) -> Vector:
    """Return draws of the length that belongs to random directions, from `place` on."""
    z = standard_normals(place // BLOCK, rank + 1)[:, place % BLOCK :][:, :count]
    lengths = np.sqrt(np.square(z[:-1]).sum(axis=0))
    return np.asarray(lengths / scale_of(z[-1], df))
