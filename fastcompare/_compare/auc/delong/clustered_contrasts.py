"""Contrasts of several AUCs on clustered cases: their CR2 covariance and its degrees of freedom.

With W1 and W0 the shares of the classes in a covariance that is the identity, of q contrasts, and k
of `cluster_overlap`, S varies as one with

    df = q (q + 1) / sum_ab k_ab (tr W_a W_b + tr W_a tr W_b)

degrees of freedom: Pustejovsky and Tipton (2018) for two classes, each with a variance of its own.
For one contrast this is the df of a difference, for clusters of one case that of Krishnamoorthy and
Yu (2004). As there, shares as of independent cases and shares as of clusters give two, of which the
smaller one counts.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Matrix, Vector
from ...._inference.quadratic import QuadraticForm, quadratic_form
from ..components import Components
from .clustered import Clustered

ROUNDING = 1e-14  # of the errors: a few units in the last place


class ClusteredContrasts(NamedTuple):
    """The statistic of the contrasts and the degrees of freedom of their covariance."""

    form: QuadraticForm
    df: float


def clustered_contrasts(
    components: Components,
    clustered: Clustered,
    rows: Matrix,
    moments: tuple[Vector, NDArray[np.float64]],
) -> ClusteredContrasts:
    """Return the statistic; `moments` are the contrasts and shares as of independent cases.

    Of those shares that of the negatives comes first, as in `contrast_moments`.
    """
    difference, independent = moments
    every = [clustered.adjusted(clustered.parts(clustered.wins(one))) for one in components.placed]
    parts = np.array(every)  # (k, 2, I)
    combined = np.tensordot(rows, parts, 1)
    errors = combined.sum(axis=1)
    size = np.sqrt(np.square(parts).sum(axis=(1, 2)))
    noise = ROUNDING * (abs(rows) @ size)
    form = quadratic_form(difference, errors @ errors.T, noise, ROUNDING * components.k)
    if form.status != "ok":
        return ClusteredContrasts(form, math.nan)
    own = np.array([one @ one.T for one in np.moveaxis(combined, 1, 0)])  # of positives first
    one, other = (
        overlap_df(form.whitened(shares), clustered.overlaps) for shares in (own, independent[::-1])
    )
    return ClusteredContrasts(form, float(np.fmin(one, other)))


def overlap_df(shares: list[Matrix], overlaps: Matrix) -> float:
    """Return the degrees of freedom for these shares of the classes; NaN if they do not vary."""
    values, vectors = np.linalg.eigh(sum(shares))
    if values[0] <= 0.0:
        return math.nan
    root = vectors / np.sqrt(values)
    units = [root.T @ share @ root for share in shares]
    noise = sum(
        overlaps[a, b] * ((one * other).sum() + np.trace(one) * np.trace(other))
        for a, one in enumerate(units)
        for b, other in enumerate(units)
    )
    q = values.size
    return float((q + q * q) / noise)
