"""Battles in clusters: CR2's covariance of the strengths, and degrees of freedom of each contrast.

With B the inverse of the information I, I_g that of cluster g and s_g its score, let S_g be
B^(1/2) I_g B^(1/2), which add up to the identity. Bell and McCaffrey (2002) adjust the score,

    z_g = (1 - S_g)^(-1/2) B^(1/2) s_g,    covariance = B^(1/2) (sum z_g z_g') B^(1/2)

so that it is unbiased where the model holds. With w = B^(1/2) c of a contrast c and
r_g = S_g (1 - S_g)^(-1/2) w, Satterthwaite's degrees of freedom of it are

    (w'w)^2 / (sum_g ((w'S_g w)^2 - (r_g'r_g)^2) + sum_gh (r_g'r_h)^2)

Pustejovsky, Tipton (2018), doi:10.1080/07350015.2016.1247004. A direction that one cluster alone
tells of has no variance there (their generalised inverse).
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._inputs.battles import Battles
from .battle_model import (
    Chances,
    Counts,
    Family,
    Fit,
    chances_of,
    count_battles,
    gradient,
    information,
    scores_of,
)

ALONE = 1e-8  # of an eigenvalue less than 1: one cluster alone tells of this direction
MOST_WORK = 10**9  # steps of the loops below, some seconds; beyond, clusters are many


class ClusterErrors(NamedTuple):
    """The covariance (p, p), B^(1/2), and of each cluster S_g and S_g (1 - S_g)^(-1/2)."""

    covariance: Matrix
    root: Matrix
    shares: NDArray[np.float64]
    moved: NDArray[np.float64]

    def df(self, contrasts: Matrix) -> Vector:
        """Return the degrees of freedom of contrasts (P, p) of all parameters."""
        found = np.empty(len(contrasts))
        for place, w in enumerate(contrasts @ self.root):
            own = self.shares @ w @ w
            r = self.moved @ w
            spread = float(own @ own) - float(np.square((r * r).sum(axis=1)).sum())
            spread += float(np.square(r.T @ r).sum())
            total = float(w @ w)
            found[place] = total * total / spread if spread > 0.0 else math.inf  # of nothing
        return found


def cluster_errors(fit: Fit, battles: Battles, family: Family) -> ClusterErrors | None:
    """Return CR2's errors; None for one cluster, or for so many models that it takes too long."""
    assert battles.groups is not None
    total, p = int(battles.groups.max()) + 1, family.chosen.size
    if total < 2 or total * p**2 * max(p, family.k**2 // 2) > MOST_WORK:
        return None
    chances = chances_of(*family.split(fit.values))
    values, vectors = np.linalg.eigh(fit.inverse)
    root = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    shares, moved, meat = np.empty((total, p, p)), np.empty((total, p, p)), np.zeros((p, p))
    for cluster, counts in enumerate(counts_by_cluster(battles, total)):
        z, shares[cluster], moved[cluster] = adjusted(counts, chances, family, root)
        meat += np.outer(z, z)
    return ClusterErrors(root @ meat @ root, root, shares, moved)


def counts_by_cluster(battles: Battles, total: int) -> list[Counts]:
    """Return how often models won, lost and tied in each cluster."""
    assert battles.groups is not None
    order = np.argsort(battles.groups, kind="stable")
    ends = np.cumsum(np.bincount(battles.groups, minlength=total))
    rows = {name: one[order] for name, one in battles.rows().items() if one is not None}
    parts = zip([0, *ends[:-1]], ends, strict=True)
    found = []
    for start, end in parts:
        own: dict[str, Any] = {name: one[start:end] for name, one in rows.items()}
        found.append(count_battles(battles._replace(**own)))
    return found


def adjusted(
    counts: Counts, chances: Chances, family: Family, root: Matrix
) -> tuple[Vector, Matrix, Matrix]:
    """Return z, S and S (1 - S)^(-1/2) of a cluster."""
    score = gradient(counts, scores_of(chances), family)
    own = root @ information(counts, chances, family) @ root
    values, vectors = np.linalg.eigh(0.5 * (own + own.T))
    values = np.clip(values, 0.0, 1.0)
    rest = 1.0 - values
    factors = np.where(rest > ALONE, 1.0 / np.sqrt(np.maximum(rest, ALONE)), 0.0)
    z = vectors @ (factors * (vectors.T @ (root @ score)))
    return z, own, (vectors * (values * factors)) @ vectors.T
