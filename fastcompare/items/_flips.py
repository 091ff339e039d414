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
from .._inference.pvalues import PValue, claim_pvalue_at_null
from .._inputs.items import Items
from .._resampling.bootstrap import Draws
from ..paired._columns import Ends
from ..probabilities._scoring_methods import (
    ExactFlipEnds,
    ExactlyDecidedEnds,
    RandomFlipEnds,
    flip_pvalue,
    random_flip_sums,
)

MOST_ENUMERATED_CLUSTERS = 20  # up to so many all 2^G signs are enumerated
ROUNDING_SHARE = 1e-12  # of the sum of |terms|: sums no further apart are equal but for rounding
MOST_DECIMALS = 15  # of a score that is taken as exactly this decimal number
FIRST_SCORES = 64  # scores that mostly show already how many decimals all have
LARGEST_EXACT_INTEGER = 2.0**52  # sums of whole numbers below are exact in float64


class ClusterSums(NamedTuple):
    """Sums of weighted differences and of weights (G,) over clusters, in multiples of `unit`.

    `tolerance` is 0 where the sums are whole numbers; otherwise it is a share of the sum of their
    sizes up to which rounding may separate two equal sums.
    """

    sums: Vector
    weights: Vector
    tolerance: float
    unit: float

    def centred_at(self, null: float) -> Vector:
        """Return the sums (G,) of w (d - null), in multiples of `unit`."""
        if self.tolerance == 0.0:
            return self.sums - round(null / self.unit) * self.weights
        return self.sums - null * self.weights


def flip_test(
    items: Items, d: Vector, claim: tuple[str, float], draws: Draws
) -> tuple[PValue, Ends, Vector | None]:
    """Return the sign-flip test of the mean: p-value, interval ends, and random means or None.

    The sign of each cluster's sum is flipped; all 2^G signs are counted for few clusters.
    """
    _, margin = claim
    clusters = weighted_cluster_sums(items, d, margin)
    scale = clusters.unit if clusters.tolerance == 0.0 else 1.0
    scaled_sums = clusters.sums * scale
    replicates: list[Vector] = []

    def centred_sums(null: float) -> tuple[Vector, Vector, float]:
        """Return the centred sums, those that are not 0, and the size up to which sums are 0."""
        sums = clusters.centred_at(null)
        tolerance = ROUNDING_SHARE * float(np.abs(sums).sum()) if clusters.tolerance else 0.0
        return sums, sums[np.abs(sums) > tolerance], tolerance

    def pvalue_at(null: float, alternative: str) -> PValue:
        """Return the sign-flip p-value of a mean difference `null`, by all signs or random ones."""
        sums, nonzero, tolerance = centred_sums(null)
        if nonzero.size <= MOST_ENUMERATED_CLUSTERS and not draws.keep:
            return flip_pvalue(nonzero, tolerance, alternative, None)
        replicates.append(random_flip_sums(sums, draws))
        return flip_pvalue(sums, tolerance, alternative, replicates[-1])

    p = claim_pvalue_at_null(*claim, pvalue_at)
    random_ends = RandomFlipEnds(scaled_sums, draws.n, draws.seed, clusters.weights)
    if replicates:
        return p, random_ends, replicates[0] * scale / float(clusters.weights.sum())
    if scaled_sums.size <= MOST_ENUMERATED_CLUSTERS:
        return p, ExactFlipEnds(scaled_sums, clusters.weights), None
    if margin:
        return p, random_ends, None
    # many clusters, but so many sums of 0 that the test of 0 enumerated all signs
    _, nonzero, tolerance = centred_sums(0.0)
    return p, ExactlyDecidedEnds(random_ends, nonzero, tolerance), None


def weighted_cluster_sums(items: Items, d: Vector, margin: float) -> ClusterSums:
    """Return the sums of w d and of w over clusters, whole numbers for scores of few decimals."""
    links = items.links
    weights = np.ones(d.size) if links.weights is None else links.weights
    count = d.size if links.groups is None else int(links.groups.max()) + 1
    differences = integer_differences(items, margin)
    scaled_weights = None if differences is None else scale_to_integers([weights])
    if differences is not None and scaled_weights is not None:
        integers, unit = differences
        (counts,), _ = scaled_weights  # the unit of weights does not matter
        limit = max(float(np.abs(integers).max()), abs(margin) / unit, 1.0)
        if limit * float(counts.sum()) < LARGEST_EXACT_INTEGER:
            sums = cluster_totals(counts * integers, links.groups, count)
            return ClusterSums(sums, cluster_totals(counts, links.groups, count), 0.0, unit)
    sums = cluster_totals(weights * d, links.groups, count)
    return ClusterSums(sums, cluster_totals(weights, links.groups, count), ROUNDING_SHARE, 1.0)


def integer_differences(items: Items, margin: float) -> tuple[Vector, float] | None:
    """Return the differences as whole numbers (n,) of a common unit, and this unit.

    The margin is a multiple of it, too. None where scores have more than 15 decimals.
    """
    models = items.scores.shape[1]
    columns = list(items.scores.T) if items.samples is None else list(items.samples)
    scaled = scale_to_integers([*columns, np.array([margin])])
    if scaled is None:
        return None
    (*columns, _), unit = scaled
    if items.samples is not None:
        sizes = [np.sum(~np.isnan(samples), axis=1) for samples in columns]
        # means of samples are whole multiples of the unit over this common multiple
        multiple = math.lcm(*np.unique(np.concatenate(sizes)).tolist())
        if multiple > LARGEST_EXACT_INTEGER:
            return None
        pairs = zip(columns, sizes, strict=True)
        columns = [np.nansum(samples, axis=1) * (multiple // size) for samples, size in pairs]
        unit /= multiple
    return columns[0] - columns[1] if models == 2 else columns[0], unit


def scale_to_integers(columns: Sequence[Vector]) -> tuple[list[Vector], float] | None:
    """Return columns as whole multiples of a power of 1/10, and this unit.

    0.25 and 0.5 give 25, 50 and 0.01. None if a number has more than 15 decimals, or a multiple is
    too large for float64.
    """
    digits = 0
    for column in columns:
        for numbers in (column[:FIRST_SCORES], column):
            while not have_at_most_decimals(numbers, digits):
                digits += 1
                if digits > MOST_DECIMALS:
                    return None
    scale = 10.0**digits
    return [np.rint(column * scale) for column in columns], 1.0 / scale


def have_at_most_decimals(column: Vector, digits: int) -> bool:
    """Return whether each number is NaN or the double nearest to one with `digits` decimals."""
    scale = 10.0**digits
    integers = np.rint(column * scale)
    is_decimal = (np.abs(integers) < LARGEST_EXACT_INTEGER) & (integers / scale == column)
    return bool((is_decimal | np.isnan(column)).all())
