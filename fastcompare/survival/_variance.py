"""The variance of a concordance, from what each case adds to it, and its degrees of freedom.

With e_i = w_i dC/dw_i, the infinitesimal jackknife is sum e_i^2, as in R's survival: its divisor is
that of many cases, and it takes the m events and the n0 other cases for one sample. Here each kind
varies by itself, with s1 the sum of e_i^2 over events and s0 that over other cases::

    Var = v1 + v0,    v1 = m / (m - 1) s1,    v0 = n0 / (n0 - 1) s0
    df = Var^2 / (v1^2 / (m - 1) + v0^2 / (n0 - 1))

where m and n0 are not the numbers of cases, but those of cases with equal numbers of pairs that
these are worth, (sum p)^2 / sum p^2 (Kish 1965): late events have few cases left to be paired with.
With the numbers of cases 10 to 15% of true null hypotheses are rejected at 5% where 3 to 10 events
are 5% of the cases. If all events are at one time and the others later, that is DeLong's variance
with Satterthwaite's degrees of freedom. Of a single other case there is no factor. Clusters have
CR2 as AUCs in clusters do, whose kinds are positives and negatives (`auc._delong.clustered`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.text import plain_sum
from .._base.types import Integers, Matrix, Vector
from .._inference.clusters import cluster_df, cluster_overlap, shares_df
from .._inference.pvalues import welch_df

FEWEST_CASES = 1.1  # effective cases of a kind, at least: fewer would leave hardly any df


class NumberByKind(NamedTuple):
    """A number of other cases, and one of events."""

    others: float
    events: float


class EffectiveByPairs(NamedTuple):
    """Effective numbers (Kish) by the weights of cases' pairs, without and with case weights."""

    unweighted: NumberByKind
    weighted: NumberByKind


class VarianceEstimate(NamedTuple):
    """A variance with its degrees of freedom."""

    variance: float
    df: float


@dataclass(frozen=True)
class Variation:
    """How cases' components e_i (effects on an estimate) add up to variances of concordances.

    `kind` is 1 for events that count and 0 for other cases. `groups` are clusters, None without.
    `published` means the infinitesimal jackknife with the normal distribution. Of
    `effective_by_pairs`, variances take those without case weights, their degrees of freedom those
    with them.
    """

    kind: NDArray[np.uint8]
    groups: Integers | None
    weights: Vector | None
    published: bool
    effective_by_pairs: EffectiveByPairs

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """How many other cases and events there are."""
        events = int(np.count_nonzero(self.kind))
        return self.kind.size - events, events

    @property
    def units(self) -> tuple[int, int]:
        """The numbers of other cases and of events, or of clusters that contain them."""
        if self.groups is None:
            return self.sizes
        others, events = np.count_nonzero(self.cluster_counts, axis=1).tolist()
        return others, events

    @cached_property
    def counts(self) -> NumberByKind:
        """The numbers of other cases and of events, with weights Kish's effective numbers."""
        if self.weights is None:
            others, events = self.sizes
            return NumberByKind(float(others), float(events))
        sums = sums_by_kind(self.kind, self.weights)
        return effective_numbers(sums, sums_by_kind(self.kind, np.square(self.weights)))

    @property
    def effective_sizes(self) -> NumberByKind:
        """Kish's effective numbers of other cases and of events by weights, or by clusters."""
        if self.groups is None:
            return self.counts
        counts = self.cluster_counts.astype(float)
        return effective_numbers(counts.sum(axis=1), np.square(counts).sum(axis=1))

    @cached_property
    def factors(self) -> Vector:
        """The factors (2,) of the sums of squares of other cases and of events; 1 for one case."""
        if self.published:
            return np.ones(2)
        effective = (max(n, FEWEST_CASES) for n in self.effective_by_pairs.unweighted)
        kinds = zip(self.sizes, effective, strict=True)
        return np.array([n / (n - 1.0) if size > 1 else 1.0 for size, n in kinds])

    @cached_property
    def df_by_kind(self) -> list[float]:
        """The degrees of freedom of the variance terms of other cases and of events."""
        kinds = zip(self.sizes, self.effective_by_pairs.weighted, strict=True)
        return [max(n, FEWEST_CASES) - 1.0 if size > 1 else 1.0 for size, n in kinds]

    @cached_property
    def cluster_counts(self) -> Integers:
        """The numbers (2, G) of other cases and of events in each cluster."""
        groups = np.asarray(self.groups)
        total = np.bincount(groups)
        events = np.bincount(groups, self.kind, total.size).astype(np.int64)
        return np.array((total - events, events))

    @cached_property
    def overlaps(self) -> Matrix:
        """`cluster_overlap` (2, 2) of other cases and events; 1 / df on the diagonal."""
        if self.groups is None:
            return np.diag(1.0 / np.array(self.df_by_kind))
        return cluster_overlaps(self.cluster_counts)

    @property
    def df(self) -> float:
        """The degrees of freedom of the variance of events in clusters; NaN if one has them all."""
        _, event_counts = self.cluster_counts
        return (
            cluster_df(event_counts[event_counts > 0])
            if np.count_nonzero(event_counts) > 1
            else math.nan
        )

    def influence(self, components: Vector) -> Vector:
        """Return the influence of cases or clusters: sums of products are (co)variances."""
        if self.groups is None:
            return np.asarray(np.sqrt(self.factors)[self.kind] * components)
        return np.asarray(self.cluster_sums(components).sum(axis=0))

    def cluster_sums(self, components: Vector) -> Matrix:
        """Return the sums (2, G) of components by kind in each cluster, adjusted by CR2.

        Not adjusted if `published`.
        """
        groups = np.asarray(self.groups)
        total = self.cluster_counts.shape[1]
        kinds = [np.bincount(groups, components * (self.kind == kind), total) for kind in (0, 1)]
        sums = np.array(kinds, np.float64)
        if self.published:
            return sums
        n = self.cluster_counts.sum(axis=1, keepdims=True)
        # where one cluster contains all n of a kind, n / n, as the factor n / 0 is undefined
        complement = np.where(self.cluster_counts < n, n - self.cluster_counts, n)
        usual_factor = np.maximum(n, 2) / np.maximum(n - 1, 1)  # CR2's for clusters of one case
        extra_factor = np.where(n > 1, self.factors[:, None] / usual_factor, 1.0)
        return np.asarray(
            sums * np.sqrt(np.maximum(n, 1) / np.maximum(complement, 1) * extra_factor)
        )

    def of_shares(self, shares: Vector) -> VarianceEstimate:
        """Return the variance and its df from the terms (2,) of other cases and of events."""
        return VarianceEstimate(plain_sum(shares.tolist()), self.satterthwaite(shares))

    def estimate_variance(self, components: Vector) -> VarianceEstimate:
        """Return the variance of a concordance, or a difference, from its cases' components.

        Clusters leave it the fewest of three numbers of degrees of freedom.
        """
        shares = self.factors * sums_by_kind(self.kind, np.square(components))
        if self.groups is None:
            return self.of_shares(shares)
        sums = self.cluster_sums(components)
        variance = float(np.square(sums.sum(axis=0)).sum())
        cluster_shares = np.square(sums).sum(axis=1)
        dfs = (
            self.satterthwaite(shares),
            self.satterthwaite(cluster_shares),
            self.independent_df(shares),
        )
        return VarianceEstimate(variance, float(np.fmin.reduce(dfs)))  # fmin leaves NaN out

    def independent_df(self, shares: Vector) -> float:
        """Return Welch's degrees of freedom for independent cases; infinite if `published`."""
        if self.published:
            return math.inf
        return welch_df(shares.tolist(), [df + 1.0 for df in self.df_by_kind])

    def satterthwaite(self, shares: Vector) -> float:
        """Return Satterthwaite's degrees of freedom for the variance terms (2,) of the kinds.

        Those of clusters follow from their overlaps; infinite if `published`.
        """
        if self.groups is None or self.published:
            return self.independent_df(shares)
        return float(shares_df(shares, self.overlaps))


def sums_by_kind(kind: NDArray[np.uint8], values: Vector) -> Vector:
    """Return the sums (2,) of values over other cases and over events."""
    return np.asarray(np.bincount(kind, values, 2), np.float64)


def effective_numbers(sums: Vector, squares: Vector) -> NumberByKind:
    """Return Kish's (1965) (sum w)^2 / sum w^2 of other cases and of events; 0 without any.

    `sums` (2,) are the sums of w over the kinds, `squares` (2,) those of w^2.
    """
    kinds = zip(sums.tolist(), squares.tolist(), strict=True)
    others, events = (total * total / square if square > 0.0 else 0.0 for total, square in kinds)
    return NumberByKind(others, events)


def cluster_overlaps(cluster_counts: Integers) -> Matrix:
    """Return `cluster_overlap` (c, c) of every two kinds, from their numbers (c, G) in clusters.

    0 for a kind without cases, 1 where a cluster contains all cases of a kind.
    """
    overlaps = np.zeros((len(cluster_counts), len(cluster_counts)))
    kinds = [(i, counts) for i, counts in enumerate(cluster_counts) if counts.any()]
    for i, counts_1 in kinds:
        for j, counts_2 in kinds:
            overlaps[i, j] = cluster_overlap(counts_1, counts_2)
    return np.where(np.isnan(overlaps), 1.0, overlaps)
