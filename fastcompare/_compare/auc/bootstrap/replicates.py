"""Replicates of the AUCs of k models and of all their differences, and what they say."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...._base.memory import reserve
from ...._base.types import AnyArray, Vector
from ...._inference.pvalues import claim_ends, interval_ends
from ...._inference.status import difference_status, sample_status
from ...._inputs.cases import Cases
from ...._inputs.options import check_level
from ...._resampling.bootstrap import acceleration_of
from ...._resampling.replicates import Ordered, Tails, replicate_pvalue, tails
from ...._results.pairs import Chosen
from ...._results.records import ConfidenceInterval
from ..components import as_components, pairs_of
from .paired import gains, influence_of, pairs_in
from .walks import Units, class_sizes


@dataclass(frozen=True, slots=True)
class Replicates:
    """Replicates (r, B) of r estimates (r,), with their accelerations (r,)."""

    values: Vector
    estimate: Vector
    acceleration: Vector
    method: str
    contrast: bool = False

    @property
    def spread(self) -> Vector:
        """The standard deviations (r,), exactly 0 where all replicates are equal."""
        if self.values.shape[1] < 2:
            return np.full(self.estimate.size, np.nan)
        constant = (self.values == self.values[:, :1]).all(axis=1)
        return np.where(constant, 0.0, self.values.std(axis=1, ddof=1))

    @property
    def points(self) -> Vector:
        """Both ends (r,) where replicates do not vary; NaN, too, for a difference other than 0."""
        told = (self.spread == 0.0) & ((self.estimate == 0.0) | (not self.contrast))
        return np.where(told, self.estimate, np.nan)

    def tails(self, row: int) -> Tails:
        """Return the tails of one estimate."""
        acceleration = float(self.acceleration[row])
        estimate = float(self.estimate[row])
        return tails(self.method, self.values[row], estimate, acceleration=acceleration)

    def only(self, chosen: Chosen) -> "Replicates":
        """Return the same of some of the estimates."""
        values, estimate = self.values[chosen], self.estimate[chosen]
        return replace(
            self, values=values, estimate=estimate, acceleration=self.acceleration[chosen]
        )

    def ends(self, level: float, alternative: str) -> tuple[Vector, Vector]:
        """Return the ends of every interval."""
        low, high = self.points, self.points
        for row in np.flatnonzero(self.spread > 0.0):
            found = self.tails(int(row))
            low[row], high[row] = claim_ends(alternative, level, found.low, found.high)
        return low, high

    def simultaneous_ends(self, level: float, alternative: str) -> tuple[Vector, Vector]:
        """Return the ends of intervals that cover together.

        Their half width is a multiple of the standard error: the quantile of the largest
        studentized deviation of a replicate (sup-t, Montiel Olea and Plagborg-Moller 2019).
        """
        low, high, varies = self.points, self.points, self.spread > 0.0
        if not varies.any():
            return low, high
        estimate, spread = self.estimate[varies], self.spread[varies]
        deviation = (self.values[varies] - estimate[:, None]) / spread[:, None]
        sides = {"greater": deviation, "less": -deviation}
        largest = sides.get(alternative, abs(deviation)).max(axis=0)
        quantile, open_ends = Ordered(largest).high(1.0 - level), (-math.inf, math.inf)
        ends = interval_ends(estimate, spread, alternative, quantile, open_ends)
        low[varies], high[varies] = ends
        return low, high


def all_replicates(
    cases: Cases, units: Units, won: list[int], drawn: AnyArray, method: str
) -> tuple[Replicates, Replicates]:
    """Return the replicates of every AUC and of every difference, from numbers of pairs won."""
    k, every = len(won), pairs_of(len(won))
    total = 2 * math.prod(class_sizes(cases))
    auc = np.array([w / total if total else math.nan for w in won])
    estimate = np.array([(won[i] - won[j]) / total if total else math.nan for i, j in every])
    values = reserve((len(every), drawn.shape[1]), hint="ask for fewer resamples or models")
    for row, (i, j) in zip(values, every, strict=True):
        row[:] = gains(drawn, i, j)
    contrasts = [{i: 1} for i in range(k)] + [{i: 1, j: -1} for i, j in every]
    acceleration = np.zeros(len(contrasts))
    if method == "bca" and drawn.shape[1]:
        components = as_components(cases)
        influences = (influence_of(components, units, contrast) for contrast in contrasts)
        acceleration[:] = [acceleration_of(influence) for influence in influences]
    models = Replicates(drawn[:-2] / pairs_in(drawn), auc, acceleration[:k], method)
    return models, Replicates(values, estimate, acceleration[k:], method, contrast=True)


def difference_pvalues(differences: Replicates, error: Vector, alternative: str) -> Vector:
    """Return the p-value of every difference, 1 for one that is 0 in all replicates."""
    pvalue = np.where((error == 0.0) & (differences.estimate == 0.0), 1.0, np.nan)
    for row in np.flatnonzero(error > 0.0):
        pvalue[row] = replicate_pvalue(differences.tails(int(row)), alternative, 0.0).pvalue
    return pvalue


def pair_statuses(
    sizes: tuple[int, int], models: Replicates, differences: Replicates
) -> NDArray[np.str_]:
    """Return the status word of every pair; of a single model, none."""
    error, estimate = differences.spread.tolist(), differences.estimate.tolist()
    words = [
        difference_status(*sizes, error[row], estimate[row], models.estimate[[i, j]].tolist())
        for row, (i, j) in enumerate(pairs_of(models.estimate.size))
    ]
    return np.array(words or [sample_status(*sizes)], dtype="U32")


def replicate_covariance(values: Vector) -> Vector:
    """Return the covariance (k, k) of the replicates."""
    if values.shape[1] < 2:
        return np.full((len(values), len(values)), np.nan)
    return np.atleast_2d(np.cov(values))


def replicate_interval(
    replicates: Replicates,
    confidence_level: float,
    alternative: str,
    bounds: tuple[float, float],
    *,
    simultaneous: bool,
) -> ConfidenceInterval:
    """Return the intervals of all estimates, cut to the bounds."""
    ends = replicates.simultaneous_ends if simultaneous else replicates.ends
    low, high = ends(check_level(confidence_level), alternative)
    low, high = (np.where(np.isinf(end), np.clip(end, *bounds), end) for end in (low, high))
    return ConfidenceInterval.within(low, high, bounds)  # an open side is not cut
