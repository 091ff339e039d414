"""Accuracies of k models on clustered cases: how they vary, and vary together.

Notation: of the n_g cases of cluster g, model j is right on R_jg, of all n on x_j. S_jg, the sum of
its deviations from the mean, times n is the whole number n R_jg - x_j n_g: what vanishes is 0.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Integers, Matrix, Vector
from ..._inference.clusters import cluster_df, cluster_sizes

CLOSE = 1e-4  # of the variances of both: below, that of a difference is summed up by itself
BLOCK = 1 << 20  # numbers at a time


class ClusterShares(NamedTuple):
    """How often each of k models is right in each cluster (k, G), and the clusters' sizes (G,)."""

    right: Integers
    sizes: Integers

    @property
    def n(self) -> int:
        """The number of cases."""
        return int(self.sizes.sum())

    @property
    def df(self) -> float:
        """Satterthwaite's degrees of freedom, the same for every accuracy and difference."""
        return cluster_df(self.sizes)

    def deviations(self) -> Integers:
        """Return n times the sums of deviations from the mean (k, G)."""
        totals = self.right.sum(axis=1, keepdims=True)
        return np.asarray(self.n * self.right - totals * self.sizes)

    def covariance(self, deviations: Integers) -> Matrix:
        """Return the CR2 covariance of means from n times their sums of deviations."""
        n = self.n
        whole = deviations / n  # a row may hold n^2 times as much as a cluster
        return np.asarray((whole * (n / (n - self.sizes))) @ whole.T / n**2)

    def errors(self, cells: tuple[NDArray[np.intp], NDArray[np.intp]]) -> tuple[Matrix, Vector]:
        """Return the covariance of the accuracies, and the standard errors of the differences."""
        (first, second), deviations = cells, self.deviations()
        covariance = self.covariance(deviations)
        own = covariance.diagonal()
        both = own[first] + own[second]
        variance = both - 2.0 * covariance[first, second]
        close = np.flatnonzero(variance <= CLOSE * both)
        for some in np.array_split(close, 1 + close.size * self.sizes.size // BLOCK):
            gaps = (deviations[first[some]] - deviations[second[some]]) / self.n
            variance[some] = np.square(gaps) @ (self.n / (self.n - self.sizes)) / self.n**2
        return covariance, np.sqrt(variance)


def shares_of_clusters(right: NDArray[np.uint8], groups: Integers) -> ClusterShares:
    """Return the right answers (k, n) by cluster."""
    sizes = cluster_sizes(groups)
    rows = [np.bincount(groups[row], minlength=sizes.size) for row in right.view(np.bool_)]
    return ClusterShares(np.array(rows), sizes)
