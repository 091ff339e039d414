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

Parts = tuple[float, float]  # numbers of other cases and of events
LEAST = 1.1  # cases of a kind: of fewer in effect a variance has next to no degrees of freedom


class VarianceEstimate(NamedTuple):
    """A variance with its degrees of freedom."""

    variance: float
    df: float


@dataclass(frozen=True)
class Variation:
    """How the errors of cases add up to variances: by kind of case, and by cluster.

    `kind` is 1 for events that count and 0 for other cases. `published` is the infinitesimal
    jackknife, with the normal distribution. `effective_by_pairs` are Kish's effective sizes of
    other cases and events by their pairs, without their weights for variances, with them for
    degrees of freedom.
    """

    kind: NDArray[np.uint8]
    groups: Integers | None
    weights: Vector | None
    published: bool
    effective_by_pairs: tuple[Parts, Parts]

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """How many other cases and events there are."""
        events = int(np.count_nonzero(self.kind))
        return self.kind.size - events, events

    @property
    def units(self) -> tuple[int, int]:
        """How many other cases and events there are, or clusters with such."""
        if self.groups is None:
            return self.sizes
        others, events = np.count_nonzero(self.cluster_counts, axis=1).tolist()
        return others, events

    @cached_property
    def counts(self) -> Parts:
        """How many other cases and events a variance rests on: those of equal weights, by Kish."""
        if self.weights is None:
            return float(self.sizes[0]), float(self.sizes[1])
        return kish(*(totals(self.kind, w) for w in (self.weights, np.square(self.weights))))

    @property
    def effective_sizes(self) -> Parts:
        """The effective numbers of independent other cases and events."""
        if self.groups is None:
            return self.counts
        counts = self.cluster_counts.astype(float)
        return kish(counts.sum(axis=1), np.square(counts).sum(axis=1))

    @cached_property
    def factors(self) -> Vector:
        """The factors (2,) of the sums of squares of other cases and of events."""
        if self.published:
            return np.ones(2)
        kinds = zip(self.sizes, (max(n, LEAST) for n in self.effective_by_pairs[0]), strict=True)
        return np.array([n / (n - 1.0) if size > 1 else 1.0 for size, n in kinds])

    @cached_property
    def freedoms(self) -> list[float]:
        """The degrees of freedom (2) of what other cases and events add to a variance."""
        kinds = zip(self.sizes, self.effective_by_pairs[1], strict=True)
        return [max(n, LEAST) - 1.0 if size > 1 else 1.0 for size, n in kinds]

    @cached_property
    def cluster_counts(self) -> Integers:
        """How many other cases and events (2, G) each cluster holds."""
        groups = np.asarray(self.groups)
        total = np.bincount(groups)
        events = np.bincount(groups, self.kind, total.size).astype(np.int64)
        return np.array((total - events, events))

    @cached_property
    def overlaps(self) -> Matrix:
        """Half the covariances (2, 2) of what the kinds add to a variance, relative to those."""
        if self.groups is None:
            return np.diag(1.0 / np.array(self.freedoms))
        return cluster_overlaps(self.cluster_counts)

    @property
    def df(self) -> float:
        """The fewest degrees of freedom that clusters may leave a variance; NaN for none."""
        event_counts = self.cluster_counts[1]
        return (
            cluster_df(event_counts[event_counts > 0])
            if np.count_nonzero(event_counts) > 1
            else math.nan
        )

    def roots(self, errors: Vector) -> Vector:
        """Return the numbers whose squares add up to the variance, and products to covariances."""
        if self.groups is None:
            return np.asarray(np.sqrt(self.factors)[self.kind] * errors)
        return np.asarray(self.cluster_sums(errors).sum(axis=0))

    def cluster_sums(self, errors: Vector) -> Matrix:
        """Return the sums (2, G) of each kind of case in each cluster, adjusted by CR2."""
        groups = np.asarray(self.groups)
        total = self.cluster_counts.shape[1]
        kinds = [np.bincount(groups, errors * (self.kind == kind), total) for kind in (0, 1)]
        sums = np.array(kinds, np.float64)
        if self.published:
            return sums
        n = self.cluster_counts.sum(axis=1, keepdims=True)
        # no factor where one cluster holds all
        rest = np.where(self.cluster_counts < n, n - self.cluster_counts, n)
        usual = np.maximum(n, 2) / np.maximum(n - 1, 1)
        more = np.where(n > 1, self.factors[:, None] / usual, 1.0)
        return np.asarray(sums * np.sqrt(np.maximum(n, 1) / np.maximum(rest, 1) * more))

    def of_shares(self, shares: Vector) -> VarianceEstimate:
        """Return the variance of independent cases with these parts of the kinds."""
        return VarianceEstimate(plain_sum(shares.tolist()), self.satterthwaite(shares))

    def estimate_variance(self, errors: Vector) -> VarianceEstimate:
        """Return the variance of what has these errors, and its degrees of freedom."""
        shares = self.factors * totals(self.kind, np.square(errors))
        if self.groups is None:
            return self.of_shares(shares)
        sums = self.cluster_sums(errors)
        variance = float(np.square(sums.sum(axis=0)).sum())
        cluster_shares = np.square(sums).sum(axis=1)
        least = (
            self.satterthwaite(shares),
            self.satterthwaite(cluster_shares),
            self.independent_df(shares),
        )
        return VarianceEstimate(variance, float(np.fmin.reduce(least)))

    def independent_df(self, shares: Vector) -> float:
        """Return those of independent cases for these shares; infinite as published."""
        if self.published:
            return math.inf
        return welch_df(shares.tolist(), [df + 1.0 for df in self.freedoms])

    def satterthwaite(self, shares: Vector) -> float:
        """Return the degrees of freedom for these shares of the kinds; infinite as published."""
        if self.groups is None or self.published:
            return self.independent_df(shares)
        return float(shares_df(shares, self.overlaps))


def totals(kind: NDArray[np.uint8], values: Vector) -> Vector:
    """Return the sums (2,) of values over other cases and over events."""
    return np.asarray(np.bincount(kind, values, 2), np.float64)


def kish(sums: Vector, squares: Vector) -> Parts:
    """Return how many equal parts have these sums and sums of squares (Kish 1965); 0 of none."""
    kinds = zip(sums.tolist(), squares.tolist(), strict=True)
    others, events = (one * one / two if two > 0.0 else 0.0 for one, two in kinds)
    return others, events


def cluster_overlaps(cluster_counts: Integers) -> Matrix:
    """Return `cluster_overlap` of every two kinds (c, G) of cases.

    It is 0 of none and 1 where a cluster holds all of one.
    """
    overlaps = np.zeros((len(cluster_counts), len(cluster_counts)))
    kinds = [(i, counts) for i, counts in enumerate(cluster_counts) if counts.any()]
    for i, one in kinds:
        for j, other in kinds:
            overlaps[i, j] = cluster_overlap(one, other)
    return np.where(np.isnan(overlaps), 1.0, overlaps)
