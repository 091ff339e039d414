"""Averages of AUCs of several classes on cases in clusters.

Of class c cluster g holds a share p_cg; a_cg is the sum of its cases' influence. As for two classes
(`delong.clustered`), CR2 of Bell and McCaffrey (2002) with a variance of its own for each class is

    Var = sum over g of (sum over c of a_cg / sqrt(1 - p_cg))^2

and with v_c what class c adds to it, Satterthwaite's degrees of freedom are
(sum v_c)^2 / sum k_cd v_c v_d, k of `cluster_overlap`: for shares as of independent cases or as of
clusters, the smaller one.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...._base.types import Integers, Matrix, Vector
from ...._inference.clusters import cluster_df, cluster_overlap, cluster_status
from ...._inference.unvaried import Unvaried
from ...._inputs.multiclass import ClassCases
from .result import unvaried_classes
from .walks import Averages, Blocks


class AverageSpread(NamedTuple):
    """Averages with their covariance, degrees of freedom of the difference, and the bound.

    `word` is the status of clusters, empty without any.
    """

    averages: Averages
    df: float
    unvaried: Unvaried
    word: str = ""


def spread_of_averages(cases: ClassCases, blocks: Blocks, averages: Averages) -> AverageSpread:
    """Return how averages vary: as of independent cases, or as of clusters."""
    if cases.groups is None:
        return AverageSpread(averages, math.inf, unvaried_classes(averages))
    ordered = cases.groups[np.argsort(cases.codes, kind="stable")]
    total = int(ordered.max()) + 1
    sizes = np.array([np.bincount(ordered[span], minlength=total) for span in blocks.spans])
    bound = Unvaried(1.0, name="sample")
    least = min(cluster_df(own[own > 0]) if own.any() else math.nan for own in sizes)
    if not (np.count_nonzero(sizes, axis=1) > 1).all():
        unknown = np.full_like(averages.covariance, math.nan)
        return AverageSpread(
            replace(averages, covariance=unknown), math.nan, bound, "too_few_clusters"
        )
    parts = adjusted_sums(averages, blocks, ordered, sizes)
    errors = parts.sum(axis=0)
    own = np.square(parts[:, -1]).sum(axis=1)
    plain = [
        float(np.square(averages.influence[-1, span]).sum() * n / (n - 1.0))
        for span, n in zip(blocks.spans, averages.counts.tolist(), strict=True)
    ]
    overlaps = np.array([[cluster_overlap(one, other) for other in sizes] for one in sizes])
    df = np.fmin(shares_df(own, overlaps), shares_df(np.array(plain), overlaps))
    clustered = replace(averages, covariance=errors @ errors.T)
    return AverageSpread(clustered, float(df), bound, cluster_status(least))


def adjusted_sums(averages: Averages, blocks: Blocks, groups: Integers, sizes: Integers) -> Vector:
    """Return the adjusted sums (c, k, G) of the influence of each class."""
    parts = np.empty((len(sizes), len(averages.influence), sizes.shape[1]))
    for part, span, own in zip(parts, blocks.spans, sizes, strict=True):
        n = int(own.sum())
        for row, influence in zip(part, averages.influence[:, span], strict=True):
            row[:] = np.bincount(groups[span], influence, own.size)
        part *= np.sqrt(n / (n - own))
    return parts


def shares_df(shares: Vector, overlaps: Matrix) -> float:
    """Return the degrees of freedom for these shares of the classes; NaN for none."""
    squares = float(shares @ overlaps @ shares)
    return float(shares.sum()) ** 2 / squares if squares else math.nan
