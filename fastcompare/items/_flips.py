"""Signs of whole clusters: what the sum of differences would be if models changed their places.

T_g is the sum of w (d - null) over cluster g. Under the null hypothesis its sign is a fair coin,
whatever the sizes of the clusters are (Fisher 1935).

Scores, weights and null values with up to 15 decimals are taken as these decimals: as whole numbers
of a common unit, of which sums are exact. So sums that are equal tie. Others tie that differ by
1e-12 of the sum of all sizes.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from .._base.types import Vector
from .._inference.means import cluster_totals
from .._inference.pvalues import PValue, claim_by
from .._inputs.items import Items
from .._resampling.bootstrap import Draws
from ..paired._columns import Ends
from ..probabilities._scoring_methods import (
    DecidedEnds,
    DrawnFlipEnds,
    ExactFlipEnds,
    drawn_sums,
    flip_pvalue,
)

EVERY = 20  # clusters whose 2^G signs are all counted
NEAR = 1e-12  # of the sizes of its terms: sums that are no further apart are equal but for rounding
MOST_DIGITS = 15  # decimals of a score
GLANCE = 64  # scores that tell mostly how many decimals all have
EXACT = 2.0**52  # sums of whole numbers below are exact


class ClusterSums(NamedTuple):
    """Sums of weighted differences over clusters, the weights' sums, and one unit of both.

    `near` is 0 where the sums are whole numbers, of `unit` each.
    """

    sums: Vector
    weights: Vector
    near: float
    unit: float

    def less(self, null: float) -> Vector:
        """Return the sums of differences less a null value."""
        moved = self.sums - round(null / self.unit) * self.weights if self.near == 0.0 else None
        return self.sums - null * self.weights if moved is None else moved


def flip_test(
    items: Items, d: Vector, claim: tuple[str, float], draws: Draws
) -> tuple[PValue, Ends, Vector | None]:
    """Return the p-value by signs of clusters, the ends of intervals, and replicates, if drawn."""
    clusters = sums_of_clusters(items, d, claim[1])
    scale = clusters.unit if clusters.near == 0.0 else 1.0
    real = clusters.sums * scale
    replicates: list[Vector] = []

    def varying(null: float) -> tuple[Vector, Vector, float]:
        """Return the sums less a null value, those of them that are not 0, and how near 0 is."""
        sums = clusters.less(null)
        near = NEAR * float(np.abs(sums).sum()) if clusters.near else 0.0
        return sums, sums[np.abs(sums) > near], near

    def pvalue_at(null: float, alternative: str) -> PValue:
        sums, others, near = varying(null)
        if others.size <= EVERY and not draws.keep:
            return flip_pvalue(others, near, alternative, None)
        replicates.append(drawn_sums(sums, draws))
        return flip_pvalue(sums, near, alternative, replicates[-1])

    p = claim_by(*claim, pvalue_at)
    tails = DrawnFlipEnds(real, draws.n, draws.seed, clusters.weights)
    if replicates:
        return p, tails, replicates[0] * scale / float(clusters.weights.sum())
    if real.size <= EVERY:
        return p, ExactFlipEnds(real, clusters.weights), None
    return p, tails if claim[1] else DecidedEnds(tails, *varying(0.0)[1:]), None


def sums_of_clusters(items: Items, d: Vector, margin: float) -> ClusterSums:
    """Return the sums over clusters, in whole numbers where scores have few decimals."""
    links = items.links
    weights = np.ones(d.size) if links.weights is None else links.weights
    count = d.size if links.groups is None else int(links.groups.max()) + 1
    exact = whole_differences(items, margin)
    scaled = None if exact is None else whole_numbers([weights])
    if exact is not None and scaled is not None:
        (integers, unit), (counts, _) = exact, (scaled[0][0], scaled[1])
        limit = max(float(np.abs(integers).max()), abs(margin) / unit, 1.0)
        if limit * float(counts.sum()) < EXACT:
            sums = cluster_totals(counts * integers, links.groups, count)
            return ClusterSums(sums, cluster_totals(counts, links.groups, count), 0.0, unit)
    sums = cluster_totals(weights * d, links.groups, count)
    return ClusterSums(sums, cluster_totals(weights, links.groups, count), NEAR, 1.0)


def whole_differences(items: Items, margin: float) -> tuple[Vector, float] | None:
    """Return the differences as whole numbers of a unit that the margin, too, is a multiple of."""
    models = items.scores.shape[1]
    columns = list(items.scores.T) if items.samples is None else list(items.samples)
    integers = whole_numbers([*columns, np.array([margin])])
    if integers is None:
        return None
    columns = integers[0][:-1]
    unit = integers[1]
    if items.samples is not None:
        sizes = [np.sum(~np.isnan(samples), axis=1) for samples in columns]
        multiple = math.lcm(*np.unique(np.concatenate(sizes)).tolist())
        if multiple > EXACT:
            return None
        pairs = zip(columns, sizes, strict=True)
        columns = [np.nansum(samples, axis=1) * (multiple // size) for samples, size in pairs]
        unit /= multiple
    return columns[0] - columns[1] if models == 2 else columns[0], unit


def whole_numbers(columns: Sequence[Vector]) -> tuple[list[Vector], float] | None:
    """Return numbers as multiples of the greatest power of 1/10 that all are, and this unit.

    None where some have more than 15 decimals, or float64 does not hold the multiples.
    """
    digits = 0
    for column in columns:
        for part in (column[:GLANCE], column):
            while not has_decimals(part, digits):
                digits += 1
                if digits > MOST_DIGITS:
                    return None
    scale = 10.0**digits
    return [np.rint(column * scale) for column in columns], 1.0 / scale


def has_decimals(column: Vector, digits: int) -> bool:
    """Say whether numbers are the doubles nearest to decimals with so many digits, or NaN."""
    scale = 10.0**digits
    integers = np.rint(column * scale)
    fits = (np.abs(integers) < EXACT) & (integers / scale == column)
    return bool((fits | np.isnan(column)).all())
