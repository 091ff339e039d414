"""Contrasts of several AUCs: their covariance and its degrees of freedom.

With W1 and W0 the shares of the classes in a covariance that is the identity, of q contrasts, and k
of `cluster_overlap`, S varies as one with

    df = q (q + 1) / sum_ab k_ab (tr W_a W_b + tr W_a tr W_b)

degrees of freedom: Pustejovsky and Tipton (2018) for two classes, each with a variance of its own.
For one contrast this is the df of a difference, for clusters of one case that of Krishnamoorthy and
Yu (2004). The variance of the contrasts on average, tr S, has those of a difference:

    v = (tr S1 + tr S0)^2 / sum_ab k_ab tr S_a tr S_b

The covariance of clusters is CR2. There shares as of independent cases and shares as of clusters
give two numbers each, of which the smaller one counts.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Matrix, Vector
from ...._inference.quadratic import QuadraticForm, orthonormalizing, quadratic_form, trace_f
from ..components import Components
from ..product import class_scale, parts_of
from .clustered import Clustered

ROUNDING = 1e-14  # of components and errors: a few units in the last place


class Contrasts(NamedTuple):
    """Contrasts with the coefficients `rows` and their covariance.

    Each of `shares` are those (2, r, r) of the classes in it, as of cases or as of clusters, and
    `overlaps` the k of the classes. `form` is the published statistic.
    """

    rows: Matrix
    difference: Vector
    covariance: Matrix
    shares: tuple[NDArray[np.float64], ...]
    overlaps: Matrix
    form: QuadraticForm

    def hotelling_df(self) -> float:
        """Return the degrees of freedom of the covariance as a whole."""
        found = [overlap_df(self.form.whitened(own), self.overlaps) for own in self.shares]
        return float(np.fmin.reduce(found))

    def trace_df(self) -> float:
        """Return the degrees of freedom of the average variance of orthonormal contrasts."""
        root = orthonormalizing(self.rows)
        traces = [np.einsum("aij,ij->a", own, root @ root.T) for own in self.shares]
        found = [own.sum() ** 2 / (own @ self.overlaps @ own) for own in traces]
        return float(np.fmin.reduce(found))

    def trace_f(self) -> tuple[float, tuple[float, float]]:
        """Return the F of the sum of squares of orthonormal contrasts, with its two df."""
        root = orthonormalizing(self.rows)
        covariance = root.T @ self.covariance @ root
        return trace_f(root.T @ self.difference, covariance, self.form.rank, self.trace_df())


def contrasts_of(components: Components, rows: Matrix, clustered: Clustered | None) -> Contrasts:
    """Return the contrasts with these coefficients."""
    rows = rows / abs(rows).max(axis=1, keepdims=True)
    difference, shares = contrast_moments(components, rows)
    near = ROUNDING * components.k
    if clustered is None:
        covariance, noise = shares[0] + shares[1], rounding_noise(components, rows)
        overlaps = np.diag([1.0 / (size - 1.0) for size in (components.n, components.m)])
        form = quadratic_form(difference, covariance, noise, near)
        return Contrasts(rows, difference, covariance, (shares,), overlaps, form)
    every = [clustered.adjusted(clustered.parts(clustered.wins(one))) for one in components.placed]
    parts = np.array(every)  # (k, 2, I), positives first
    combined = np.tensordot(rows, parts, 1)
    errors = combined.sum(axis=1)
    covariance = errors @ errors.T
    noise = ROUNDING * (abs(rows) @ np.sqrt(np.square(parts).sum(axis=(1, 2))))
    form = quadratic_form(difference, covariance, noise, near)
    own = np.array([one @ one.T for one in np.moveaxis(combined, 1, 0)])
    both = (own, shares[::-1])
    return Contrasts(rows, difference, covariance, both, clustered.overlaps, form)


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


def contrast_moments(components: Components, rows: Matrix) -> tuple[Vector, NDArray[np.float64]]:
    """Return the contrasts of the AUCs (r,) and the shares of negatives and positives (2, r, r).

    The shares add to the covariance of the contrasts of independent cases.

    The contrasts apply to the components, case by case: placements are integers, so whole
    coefficients lose nothing, however alike the models are.
    """
    m, n, labels = components.m, components.n, components.labels
    parts = parts_of(components)
    total = sum(
        (rows @ components.placed[:, part] @ labels[part] for part in parts), np.zeros(len(rows))
    )
    centre = np.array((total / n, total / m))
    scale = np.array((class_scale(n, m), class_scale(m, n)))
    shares = np.zeros((2, len(rows), len(rows)))
    for part in parts:
        combined = rows @ components.placed[:, part] - centre[labels[part]].T
        combined *= scale[labels[part]]
        for label, share in enumerate(shares):
            own = combined[:, labels[part] == label]
            share += own @ own.T
    return total / (2.0 * m * n), shares


def rounding_noise(components: Components, rows: Matrix) -> Vector:
    """Return for each contrast (r,) what its standard error may be from rounding alone.

    Fractional coefficients of equal placements need not cancel to the last bit.
    """
    squares = np.zeros(components.k)
    for part in parts_of(components):
        squares += (components.placed[:, part].astype(np.float64) ** 2).sum(axis=1)
    scale = max(class_scale(components.m, components.n), class_scale(components.n, components.m))
    noise: Vector = ROUNDING * scale * (abs(rows) @ np.sqrt(squares))
    return noise
