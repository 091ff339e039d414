"""AUCs of cases in clusters, and what each cluster adds to their variances.

Obuchowski (1997), doi:10.2307/2533958. Of I clusters I10 hold a positive and I01 a negative;
cluster c holds m_c positives and n_c negatives, whose components have the sums V10_c and V01_c:

    a_c = (V10_c - m_c t) / m,  b_c = (V01_c - n_c t) / n,  f = I / (I - 1), f10 and f01 alike
    Var = f10 sum a_c^2 + f01 sum b_c^2 + 2 f sum a_c b_c
        = f sum (a_c + b_c)^2 + (f10 - f) sum a_c^2 + (f01 - f) sum b_c^2

No term of the last line is negative, since I10 and I01 are at most I. Up to the squares everything
is an integer over 2 m^2 n^2, so what vanishes is 0.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Vector

Sums = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Clustered:
    """Labels and clusters of the cases, and the positives and negatives (2, I) in each cluster."""

    labels: NDArray[np.uint8]
    groups: NDArray[np.int64]
    sizes: Sums

    @property
    def holding(self) -> list[int]:
        """How many clusters hold a positive, and how many a negative."""
        return [int(np.count_nonzero(held)) for held in self.sizes]

    def wins(self, placed: NDArray[Any]) -> Sums:
        """Return 2 n V10_c and 2 m V01_c of one model's placements, of shape (2, I)."""
        sums = np.zeros_like(self.sizes)
        np.add.at(sums, (1 - self.labels, self.groups), placed.astype(np.int64))
        return sums

    def evaluate(self, wins: Sums) -> tuple[float, Vector]:
        """Return the AUC, or difference of AUCs, and the errors (3 I,) whose squares add to Var."""
        m, n = self.sizes.sum(axis=1).tolist()
        won = int(wins[0].sum())
        kind = self.integers(m, n)
        positives, negatives = wins.astype(kind)
        m_c, n_c = self.sizes.astype(kind)
        a = n * (m * positives - m_c * won)
        b = m * (n * negatives - n_c * won)
        parts = np.array((a + b, a, b), dtype=np.float64) / (2.0 * m * m * n * n)
        return won / (2 * m * n), (np.sqrt(self.factors())[:, None] * parts).ravel()

    def df(self, errors: Vector) -> float:
        """Return the degrees of freedom of a variance: clusters with the rarer class less one."""
        return min(self.holding) - 1.0

    def integers(self, m: int, n: int) -> type:
        """Return the fastest type that holds the numerators of differences, exactly."""
        most_m, most_n = self.sizes.max(axis=1).tolist()
        return np.int64 if 8 * m * n * max(n * most_m, m * most_n) < 2**63 else object

    def factors(self) -> Vector:
        """Return f, f10 - f and f01 - f; NaN for a class that only one cluster holds."""
        total = self.sizes.shape[1]
        less = [
            (total - held) / ((held - 1) * (total - 1)) if held > 1 else math.nan
            for held in self.holding
        ]
        return np.array((total / (total - 1), *less))


def as_clustered(labels: NDArray[np.uint8], groups: NDArray[np.int64]) -> Clustered:
    """Return the cases by cluster, ready for any model."""
    total = int(groups.max()) + 1
    sizes = [np.bincount(groups[labels == own], minlength=total) for own in (1, 0)]
    return Clustered(labels, groups, np.array(sizes))
