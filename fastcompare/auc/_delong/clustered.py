"""AUCs of cases in clusters: the influence of each cluster, their variances, and contrasts of AUCs.

Of I clusters, c contains m_c positives and n_c negatives, whose components have the sums V10_c and
V01_c, p_c = m_c / m and q_c = n_c / n. CR2 (Bell and McCaffrey 2002, with a variance of its own for
each class) is DeLong's variance on average where cases are independent:

    a_c = (V10_c - m_c t) / m,  b_c = (V01_c - n_c t) / n
    Var = sum (a_c / sqrt(1 - p_c) + b_c / sqrt(1 - q_c))^2
    df = (v1 + v0)^2 / (k11 v1^2 + 2 k10 v1 v0 + k00 v0^2),  k of `cluster_overlap`

with v1 and v0 the shares of the classes in Var, as of independent cases or as of clusters: the
smaller df keeps the level (docs/evidence/clusters.md). Obuchowski (1997), doi:10.2307/2533958, of
I10 clusters with a positive and I01 with a negative, f = I / (I - 1), f10 and f01 likewise:

    Var = f sum (a_c + b_c)^2 + (f10 - f) sum a_c^2 + (f01 - f) sum b_c^2

Up to the square roots everything is an integer over 2 m^2 n^2. For q contrasts of covariance I and
shares W1 and W0, df = q (q + 1) / sum_ab k_ab (tr W_a W_b + tr W_a tr W_b), Pustejovsky and Tipton
(2018) for two classes; the variance on average, tr S, has (tr S)^2 / sum_ab k_ab tr S_a tr S_b.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.memory import row_products
from ..._base.types import AnyArray, Matrix, Vector
from ..._inference.clusters import cluster_overlap, fewest_df, shares_df
from ..._inference.infer import QuadraticForm, orthonormalizing, quadratic_form, trace_f
from ...kernels.clusters import add_by_cluster, excesses
from .._components import (
    DIRECT,
    Components,
    Moments,
    cancelled_pairs,
    case_slices,
    class_scale,
    variances_from_covariance,
)
from .._intervals import cluster_classes

Sums = NDArray[np.int64]
CANCELLED = 1e-6  # beside its terms, a sum that is looked at again


class InfluenceValues(NamedTuple):
    """The AUC, or difference of AUCs, and the errors whose squares add to its variance.

    Those of CR2 are sums of two `parts` (2, I), one of each class.
    """

    mean: float
    errors: Vector
    parts: Matrix

    @property
    def shares(self) -> Vector:
        """The squares of the parts."""
        return np.asarray(np.square(self.parts).sum(axis=1))


Gained = Callable[[int, int], InfluenceValues]  # what one model has more than another


@dataclass(frozen=True)
class Clustered:
    """Labels and clusters of the cases, and the positives and negatives (2, I) in each cluster."""

    labels: NDArray[np.uint8]
    groups: NDArray[np.int64]
    sizes: Sums

    @property
    def holding(self) -> list[int]:
        """How many clusters contain a positive, and how many a negative."""
        return [int(np.count_nonzero(counts)) for counts in self.sizes]

    @property
    def df(self) -> float:
        """The fewest degrees of freedom that a variance may have; NaN where it has none."""
        return fewest_df(self.sizes)

    @cached_property
    def overlaps(self) -> Matrix:
        """Half the covariances (2, 2) of what the classes add to a variance, relative to those."""
        positives, negatives = self.sizes
        both = cluster_overlap(positives, negatives)
        one, other = (cluster_overlap(sizes, sizes) for sizes in self.sizes)
        return np.array(((one, both), (both, other)))

    @cached_property
    def adjustments(self) -> Matrix:
        """The factors (2, I) of a_c and b_c: 1 / sqrt(1 - p_c) and 1 / sqrt(1 - q_c)."""
        totals = self.sizes.sum(axis=1, keepdims=True)
        beyond = np.where(self.sizes < totals, totals - self.sizes, math.nan)
        return np.asarray(np.sqrt(totals / beyond))

    def wins(self, placed: NDArray[Any]) -> Sums:
        """Return 2 n V10_c and 2 m V01_c of one model's placements, of shape (2, I)."""
        sums = np.zeros_like(self.sizes)
        add_by_cluster(placed, self.labels, self.groups, sums)
        return sums

    def parts(self, wins: Sums) -> tuple[float, Matrix]:
        """Return the AUC, or difference of AUCs, and a_c, b_c and their sum (3, I).

        Each is rounded once.
        """
        m, n = self.sizes.sum(axis=1).tolist()
        all_wins = int(wins[0].sum())
        excess = np.empty((3, wins.shape[1]))
        if self.fits:
            total = np.uint64(all_wins % 2**64)
            win_words = wins.view(np.uint64)
            words = self.sizes.view(np.uint64)
            excesses(win_words, words, np.uint64(m), np.uint64(n), total, excess)
        else:
            excess[:2] = numerators = self.numerators(wins, slice(None))
            excess[2] = numerators.sum(axis=0)
        excess /= 2.0 * m * m * n * n
        return all_wins / (2 * m * n), excess

    @property
    def fits(self) -> bool:
        """Whether the numerators of all differences take 127 bits, as below 2^32 cases."""
        m, n = self.sizes.sum(axis=1).tolist()
        most_m, most_n = self.sizes.max(axis=1).tolist()
        return bool(8 * m * n * max(n * most_m, m * most_n) < 2**127)

    def numerators(self, wins: Sums, which: Any) -> NDArray[Any]:
        """Return a_c and b_c of some clusters times 2 m^2 n^2 as Python's integers, (2, some)."""
        m, n = self.sizes.sum(axis=1).tolist()
        all_wins = int(wins[0].sum())
        positives, negatives = wins[:, which].astype(object)
        m_c, n_c = self.sizes[:, which].astype(object)
        return np.array(
            (n * (m * positives - m_c * all_wins), m * (n * negatives - n_c * all_wins))
        )

    def evaluate(self, wins: Sums) -> InfluenceValues:
        """Return the AUC, or difference of AUCs, with the errors (I,) of CR2."""
        mean, excess = self.parts(wins)
        a, b = class_parts = self.adjust(excess)
        errors = a + b
        near = np.flatnonzero((errors != 0.0) & (abs(errors) <= CANCELLED * abs(a)))
        for c, (p, q) in zip(near.tolist(), self.numerators(wins, near).T.tolist(), strict=True):
            if self.vanishes(p, q, c):
                errors[c] = 0.0
        return InfluenceValues(mean, errors, class_parts)

    def adjust(self, excess: Matrix) -> Matrix:
        """Return a_c and b_c (2, I), adjusted for the shares of classes that clusters have."""
        return np.asarray(self.adjustments * excess[:2])

    def vanishes(self, a: int, b: int, c: int) -> bool:
        """Return whether a / sqrt(1 - p_c) + b / sqrt(1 - q_c) is 0, by whole numbers."""
        (m, n), (m_c, n_c) = self.sizes.sum(axis=1).tolist(), self.sizes[:, c].tolist()
        return a * b <= 0 and a * a * m * (n - n_c) == b * b * n * (m - m_c)

    def satterthwaite_df(self, class_parts: AnyArray, shares: AnyArray) -> AnyArray:
        """Return the degrees of freedom of CR2; `shares` (2, ...) are as of independent cases."""
        df = np.fmin(shares_df(shares, self.overlaps), shares_df(class_parts, self.overlaps))
        return np.asarray(df)

    def evaluate_published(self, wins: Sums) -> InfluenceValues:
        """Return `evaluate` with the errors (3 I,) of Obuchowski's variance."""
        mean, excess = self.parts(wins)
        parts = np.sqrt(self.factors())[:, None] * excess[[2, 0, 1]]
        return InfluenceValues(mean, parts.ravel(), parts)

    def factors(self) -> Vector:
        """Return f, f10 - f and f01 - f; NaN for a class of one cluster only."""
        total = self.sizes.shape[1]
        less = [
            (total - n_clusters) / ((n_clusters - 1) * (total - 1)) if n_clusters > 1 else math.nan
            for n_clusters in self.holding
        ]
        return np.array((total / (total - 1) if total > 1 else math.nan, *less))


def as_clustered(labels: NDArray[np.uint8], groups: NDArray[np.int64]) -> Clustered:
    """Return the cases by cluster, ready for any model."""
    return Clustered(labels, groups, cluster_classes(labels, groups))


def moments_from_influence(models: Sequence[InfluenceValues]) -> Moments:
    """Return the moments of k models from their errors, without those of differences."""
    k = len(models)
    rows = np.array([each.errors for each in models])
    auc = np.clip([each.mean for each in models], 0.0, 1.0)
    return Moments(auc, row_products(rows), np.zeros((k, k)), np.zeros((k, k)))


def add_variances(moments: Moments, models: Sequence[InfluenceValues], gained: Gained) -> AnyArray:
    """Write the variances of differences; return the squares of their parts, those of AUCs inside.

    Differences are evaluated one by one while they are few, and those that cancel.
    """
    k = len(models)
    variance = moments.difference_variance
    parts = np.array([each.parts for each in models]).swapaxes(0, 1)
    shares = np.full((len(parts), k, k), math.nan)
    variance[:] = math.nan
    if k > DIRECT:
        shares = variances_from_covariance(
            np.array([row_products(class_parts) for class_parts in parts])
        )
        variance[:] = variances_from_covariance(moments.covariance)
        variance[np.isnan(shares).any(axis=0)] = math.nan
    for i, j in cancelled_pairs(variance):
        both = gained(i, j)
        variance[i, j] = variance[j, i] = both.errors @ both.errors
        shares[:, i, j] = shares[:, j, i] = both.shares
    np.fill_diagonal(variance, 0.0)
    for i, each in enumerate(models):
        shares[:, i, i] = each.shares
    return shares


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
        dfs = [overlap_df(self.form.whitened(shares), self.overlaps) for shares in self.shares]
        return float(np.fmin.reduce(dfs))

    def trace_df(self) -> float:
        """Return the degrees of freedom of the average variance of orthonormal contrasts."""
        root = orthonormalizing(self.rows)
        traces = [np.einsum("aij,ij->a", shares, root @ root.T) for shares in self.shares]
        dfs = [shares.sum() ** 2 / (shares @ self.overlaps @ shares) for shares in traces]
        return float(np.fmin.reduce(dfs))

    def trace_f(self) -> tuple[float, tuple[float, float]]:
        """Return the F of the sum of squares of orthonormal contrasts, with its two df."""
        root = orthonormalizing(self.rows)
        covariance = root.T @ self.covariance @ root
        return trace_f(root.T @ self.difference, covariance, self.form.rank, self.trace_df())


def auc_contrasts(components: Components, rows: Matrix, clustered: Clustered | None) -> Contrasts:
    """Return the contrasts with these coefficients."""
    rows = rows / abs(rows).max(axis=1, keepdims=True)
    difference, shares = contrast_moments(components, rows)
    near = ROUNDING * components.k
    if clustered is None:
        covariance = shares[0] + shares[1]
        noise = rounding_noise(components, rows)
        overlaps = np.diag([1.0 / (size - 1.0) for size in (components.n, components.m)])
        form = quadratic_form(difference, covariance, noise, near)
        return Contrasts(rows, difference, covariance, (shares,), overlaps, form)
    wins = map(clustered.wins, components.placed)
    excesses = [clustered.adjust(clustered.parts(model_wins)[1]) for model_wins in wins]
    parts = np.array(excesses)  # (k, 2, I), positives first
    combined = np.tensordot(rows, parts, 1)
    errors = combined.sum(axis=1)
    covariance = errors @ errors.T
    noise = ROUNDING * (abs(rows) @ np.sqrt(np.square(parts).sum(axis=(1, 2))))
    form = quadratic_form(difference, covariance, noise, near)
    cluster_shares = np.array([one @ one.T for one in np.moveaxis(combined, 1, 0)])
    both = (cluster_shares, shares[::-1])
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

    The contrasts apply to the components, case by case: placements are integers, so integer
    coefficients lose nothing, however similar the models are.
    """
    m, n, labels = components.m, components.n, components.labels
    parts = case_slices(components)
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
            members = combined[:, labels[part] == label]
            share += members @ members.T
    return total / (2.0 * m * n), shares


def rounding_noise(components: Components, rows: Matrix) -> Vector:
    """Return for each contrast (r,) what its standard error may be from rounding alone.

    Fractional coefficients of equal placements need not cancel to the last bit.
    """
    squares = np.zeros(components.k)
    for part in case_slices(components):
        squares += (components.placed[:, part].astype(np.float64) ** 2).sum(axis=1)
    scale = max(class_scale(components.m, components.n), class_scale(components.n, components.m))
    noise: Vector = ROUNDING * scale * (abs(rows) @ np.sqrt(squares))
    return noise
