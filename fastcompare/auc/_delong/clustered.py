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
from ..._inference.infer import QuadraticForm, orthonormal_transform, quadratic_form, trace_f
from ...kernels.clusters import add_by_cluster, excesses
from .._components import (
    MOST_MODELS_BY_PAIRS,
    Components,
    Moments,
    cancelled_pairs,
    case_slices,
    class_scale,
    variances_from_covariance,
)
from .._intervals import cluster_classes

Sums = NDArray[np.int64]
CANCELLATION = 1e-6  # a sum this small relative to its terms may be exactly 0


class InfluenceValues(NamedTuple):
    """The AUC, or difference of AUCs, and the cluster errors whose squares add to its variance.

    Errors (I,) by CR2 are sums of two `parts` (2, I), of positives and of negatives; those (3 I,)
    of Obuchowski's variance are its three `parts` (3, I).
    """

    mean: float
    errors: Vector
    parts: Matrix

    @property
    def shares(self) -> Vector:
        """The sums of squares of each part: what each class adds to the variance."""
        return np.asarray(np.square(self.parts).sum(axis=1))


DifferenceInfluence = Callable[[int, int], InfluenceValues]  # of AUC_i - AUC_j


@dataclass(frozen=True)
class Clustered:
    """Labels and clusters of cases; `sizes` (2, I) are the positives and negatives by cluster."""

    labels: NDArray[np.uint8]
    groups: NDArray[np.int64]
    sizes: Sums

    @property
    def n_clusters_by_class(self) -> list[int]:
        """The numbers of clusters with a positive, and with a negative."""
        return [int(np.count_nonzero(counts)) for counts in self.sizes]

    @property
    def df(self) -> float:
        """The fewest degrees of freedom of a variance, of either class; NaN for one cluster."""
        return fewest_df(self.sizes)

    @cached_property
    def overlaps(self) -> Matrix:
        """The k (2, 2) of the module's formula: k11 and k00 on the diagonal, k10 beside it.

        They are half the covariances of the classes' terms of a variance, relative to the terms.
        """
        positives, negatives = self.sizes
        k11, k00 = cluster_overlap(positives, positives), cluster_overlap(negatives, negatives)
        k10 = cluster_overlap(positives, negatives)
        return np.array(((k11, k10), (k10, k00)))

    @cached_property
    def adjustments(self) -> Matrix:
        """The factors (2, I) of a_c and b_c: 1 / sqrt(1 - p_c) and 1 / sqrt(1 - q_c).

        NaN for a cluster with all cases of a class.
        """
        totals = self.sizes.sum(axis=1, keepdims=True)
        in_others = np.where(self.sizes < totals, totals - self.sizes, math.nan)
        return np.asarray(np.sqrt(totals / in_others))

    def wins(self, placed: NDArray[Any]) -> Sums:
        """Return 2 n V10_c and 2 m V01_c of one model's placements, of shape (2, I)."""
        sums = np.zeros_like(self.sizes)
        add_by_cluster(placed, self.labels, self.groups, sums)
        return sums

    def parts(self, wins: Sums) -> tuple[float, Matrix]:
        """Return the AUC, or difference of AUCs, and a_c, b_c and a_c + b_c (3, I).

        All are computed from `wins` (2, I), by integers up to the division.
        """
        m, n = self.sizes.sum(axis=1).tolist()
        all_wins = int(wins[0].sum())
        excess = np.empty((3, wins.shape[1]))
        if self.fits_two_words:
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
    def fits_two_words(self) -> bool:
        """Whether numerators of differences fit two 64-bit words, as for less than 2^32 cases."""
        m, n = self.sizes.sum(axis=1).tolist()
        most_m, most_n = self.sizes.max(axis=1).tolist()
        return bool(8 * m * n * max(n * most_m, m * most_n) < 2**127)

    def numerators(self, wins: Sums, clusters: Any) -> NDArray[Any]:
        """Return 2 m^2 n^2 a_c and 2 m^2 n^2 b_c (2, some) of some clusters, Python's integers."""
        m, n = self.sizes.sum(axis=1).tolist()
        all_wins = int(wins[0].sum())
        positives, negatives = wins[:, clusters].astype(object)
        m_c, n_c = self.sizes[:, clusters].astype(object)
        return np.array(
            (n * (m * positives - m_c * all_wins), m * (n * negatives - n_c * all_wins))
        )

    def cr2_influence(self, wins: Sums) -> InfluenceValues:
        """Return the AUC, or difference of AUCs, with the cluster errors (I,) of CR2.

        Errors that are 0 but for rounding become exactly 0.
        """
        mean, excess = self.parts(wins)
        class_parts = self.adjust(excess)
        a, b = class_parts
        errors = a + b
        near = np.flatnonzero((errors != 0.0) & (abs(errors) <= CANCELLATION * abs(a)))
        numerators = self.numerators(wins, near).T.tolist()
        for c, (a_c, b_c) in zip(near.tolist(), numerators, strict=True):
            if self.is_exactly_zero(a_c, b_c, c):
                errors[c] = 0.0
        return InfluenceValues(mean, errors, class_parts)

    def adjust(self, excess: Matrix) -> Matrix:
        """Return a_c / sqrt(1 - p_c) and b_c / sqrt(1 - q_c) (2, I) from a_c and b_c."""
        return np.asarray(self.adjustments * excess[:2])

    def is_exactly_zero(self, a: int, b: int, c: int) -> bool:
        """Return whether a / sqrt(1 - p_c) + b / sqrt(1 - q_c) is exactly 0, by integers.

        It is if the terms have opposite signs and equal squares.
        """
        m, n = self.sizes.sum(axis=1).tolist()
        m_c, n_c = self.sizes[:, c].tolist()
        return a * b <= 0 and a * a * m * (n - n_c) == b * b * n * (m - m_c)

    def cr2_df(self, terms_by_clusters: AnyArray, terms_by_cases: AnyArray) -> AnyArray:
        """Return Satterthwaite's df of CR2 variances: the smaller one of two estimates.

        The terms (2, ...) of negatives and positives in each variance are estimated from clusters,
        or as if cases were independent. NaN only if both are.
        """
        by_clusters = shares_df(terms_by_clusters, self.overlaps)
        by_cases = shares_df(terms_by_cases, self.overlaps)
        return np.asarray(np.fmin(by_cases, by_clusters))

    def published_influence(self, wins: Sums) -> InfluenceValues:
        """Return the AUC, or difference, with errors (3 I,) of Obuchowski's variance."""
        mean, excess = self.parts(wins)
        parts = np.sqrt(self.obuchowski_factors())[:, None] * excess[[2, 0, 1]]
        return InfluenceValues(mean, parts.ravel(), parts)

    def obuchowski_factors(self) -> Vector:
        """Return f, f10 - f and f01 - f of Obuchowski's Var; NaN for a class in one cluster."""
        total = self.sizes.shape[1]
        f = total / (total - 1) if total > 1 else math.nan
        differences = [  # f10 - f and f01 - f, over one denominator
            (total - n_clusters) / ((n_clusters - 1) * (total - 1)) if n_clusters > 1 else math.nan
            for n_clusters in self.n_clusters_by_class
        ]
        return np.array((f, *differences))


def as_clustered(labels: NDArray[np.uint8], groups: NDArray[np.int64]) -> Clustered:
    """Return labels and clusters with the numbers of positives and negatives by cluster."""
    return Clustered(labels, groups, cluster_classes(labels, groups))


def moments_from_influence(models: Sequence[InfluenceValues]) -> Moments:
    """Return AUCs and covariance of k models from their errors; differences are left 0."""
    k = len(models)
    rows = np.array([each.errors for each in models])
    auc = np.clip([each.mean for each in models], 0.0, 1.0)
    return Moments(auc, row_products(rows), np.zeros((k, k)), np.zeros((k, k)))


def add_variances(
    moments: Moments,
    models: Sequence[InfluenceValues],
    influence_of_difference: DifferenceInfluence,
) -> AnyArray:
    """Write the variances of differences to `moments`; return the terms (2, k, k) of each class.

    On the diagonal are the terms of the AUCs' variances. Differences are evaluated one by one if
    models are few, or if their variance would lose digits by cancellation.
    """
    k = len(models)
    variance = moments.difference_variance
    parts = np.array([each.parts for each in models]).swapaxes(0, 1)  # (2 or 3, k, I)
    shares = np.full((len(parts), k, k), math.nan)
    variance[:] = math.nan
    if k > MOST_MODELS_BY_PAIRS:
        shares = variances_from_covariance(
            np.array([row_products(class_parts) for class_parts in parts])
        )
        variance[:] = variances_from_covariance(moments.covariance)
        variance[np.isnan(shares).any(axis=0)] = math.nan
    for i, j in cancelled_pairs(variance):
        influence = influence_of_difference(i, j)
        variance[i, j] = variance[j, i] = influence.errors @ influence.errors
        shares[:, i, j] = shares[:, j, i] = influence.shares
    np.fill_diagonal(variance, 0.0)
    for i, each in enumerate(models):
        shares[:, i, i] = each.shares
    return shares


ROUNDING = 1e-14  # of components and errors: a few units in the last place


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Contrasts of AUCs with coefficients `rows` (r, k), their values and covariance (r, r).

    Each of `shares` has both classes' terms (2, r, r) of the covariance, as of independent cases or
    as of clusters; `overlaps` are the k of the module's formula, `form` is the published statistic.
    """

    rows: Matrix
    difference: Vector
    covariance: Matrix
    shares: tuple[NDArray[np.float64], ...]
    overlaps: Matrix
    form: QuadraticForm

    def hotelling_df(self) -> float:
        """Return the degrees of freedom v of the covariance matrix, for Hotelling's F."""
        dfs = [overlap_df(self.form.whitened(shares), self.overlaps) for shares in self.shares]
        return float(np.fmin.reduce(dfs))

    @cached_property
    def trace_df(self) -> float:
        """The degrees of freedom of the average variance of orthonormal contrasts."""
        root = orthonormal_transform(self.rows)
        traces = [np.einsum("aij,ij->a", shares, root @ root.T) for shares in self.shares]
        dfs = [shares.sum() ** 2 / (shares @ self.overlaps @ shares) for shares in traces]
        return float(np.fmin.reduce(dfs))

    def trace_f(self) -> tuple[float, tuple[float, float]]:
        """Return the F of the sum of squares of orthonormal contrasts, with its two df."""
        root = orthonormal_transform(self.rows)
        covariance = root.T @ self.covariance @ root
        return trace_f(root.T @ self.difference, covariance, self.form.rank, self.trace_df)


def auc_contrasts(components: Components, rows: Matrix, clustered: Clustered | None) -> Contrasts:
    """Return the contrasts of AUCs with coefficients `rows` (r, k), scaled to a maximum of 1."""
    rows = rows / abs(rows).max(axis=1, keepdims=True)
    difference, shares = contrast_moments(components, rows)
    near = ROUNDING * components.k
    if clustered is None:
        covariance = shares[0] + shares[1]
        noise = rounding_noise(components, rows)
        overlaps = np.diag([1.0 / (size - 1.0) for size in (components.n, components.m)])
        form = quadratic_form(difference, covariance, noise, near)
        return Contrasts(rows, difference, covariance, (shares,), overlaps, form)
    adjusted = []
    for placed in components.placed:
        _, excess = clustered.parts(clustered.wins(placed))
        adjusted.append(clustered.adjust(excess))
    parts = np.array(adjusted)  # (k, 2, I), positives first
    combined = np.tensordot(rows, parts, 1)
    errors = combined.sum(axis=1)
    covariance = errors @ errors.T
    noise = ROUNDING * (abs(rows) @ np.sqrt(np.square(parts).sum(axis=(1, 2))))
    form = quadratic_form(difference, covariance, noise, near)
    cluster_shares = np.array([part @ part.T for part in np.moveaxis(combined, 1, 0)])
    case_shares = shares[::-1]  # positives first
    both = (cluster_shares, case_shares)
    return Contrasts(rows, difference, covariance, both, clustered.overlaps, form)


def overlap_df(shares: list[Matrix], overlaps: Matrix) -> float:
    """Return q (q + 1) / sum_ab k_ab (tr W_a W_b + tr W_a tr W_b) for the terms of both classes.

    W are the terms of a covariance after whitening, k the `overlaps`. NaN if it is singular.
    """
    values, vectors = np.linalg.eigh(sum(shares))
    if values[0] <= 0.0:
        return math.nan
    root = vectors / np.sqrt(values)
    whitened = np.stack([root.T @ share @ root for share in shares])
    traces = np.einsum("aii->a", whitened)
    products = np.einsum("aij,bij->ab", whitened, whitened) + np.outer(traces, traces)
    q = values.size
    return float((q + q * q) / (overlaps * products).sum())


def contrast_moments(components: Components, rows: Matrix) -> tuple[Vector, NDArray[np.float64]]:
    """Return the contrasts of the AUCs (r,) and the terms of negatives and positives (2, r, r).

    The terms add to the covariance of the contrasts of independent cases. Contrasts are formed of
    the placements, case by case: these are integers, so integer coefficients lose no digits.
    """
    m, n, labels = components.m, components.n, components.labels
    slices = case_slices(components)
    total = np.zeros(len(rows))  # 2 m n times the contrasts
    for cases in slices:
        total = total + rows @ components.placed[:, cases] @ labels[cases]
    centre = np.array((total / n, total / m))
    scale = np.array((class_scale(n, m), class_scale(m, n)))
    shares = np.zeros((2, len(rows), len(rows)))
    for cases in slices:
        combined = rows @ components.placed[:, cases] - centre[labels[cases]].T
        combined *= scale[labels[cases]]
        for label, share in enumerate(shares):
            members = combined[:, labels[cases] == label]
            share += members @ members.T
    return total / (2.0 * m * n), shares


def rounding_noise(components: Components, rows: Matrix) -> Vector:
    """Return the largest standard error (r,) that rounding alone gives a contrast.

    Fractional coefficients of equal placements need not cancel to the last bit.
    """
    squares = np.zeros(components.k)
    for cases in case_slices(components):
        squares += (components.placed[:, cases].astype(np.float64) ** 2).sum(axis=1)
    scale = max(class_scale(components.m, components.n), class_scale(components.n, components.m))
    noise: Vector = ROUNDING * scale * (abs(rows) @ np.sqrt(squares))
    return noise
