"""What a bootstrap says of k AUCs and of all their differences."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from ...._base.text import plain
from ...._base.types import Vector
from ...._inference.pvalues import claim_ends, in_tail, log_normal_pvalues, open_side
from ...._inputs.options import check_level
from ...._resampling.bootstrap import TITLES
from ...._resampling.replicates import Ordered, Tails, tails
from ...._results.records import ConfidenceInterval
from ..delong.pairwise_result import PairwiseResult


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
        studentised deviation of a replicate (sup-t, Montiel Olea and Plagborg-Moller 2019).
        """
        low, high, varies = self.points, self.points, self.spread > 0.0
        if not varies.any():
            return low, high
        estimate, spread = self.estimate[varies], self.spread[varies]
        deviation = (self.values[varies] - estimate[:, None]) / spread[:, None]
        sides = {"greater": deviation, "less": -deviation}
        largest = sides.get(alternative, abs(deviation)).max(axis=0)
        radius = Ordered(largest).high(1.0 - level) * spread
        low[varies], high[varies] = open_side(alternative, estimate - radius, estimate + radius)
        return low, high


@dataclass(frozen=True, eq=False, kw_only=True)
class BootstrapAUCsResult(PairwiseResult):
    """Result of `bootstrap_auc`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    n_resamples: int
    n_left_out: int
    resampling: str
    seed: int
    distribution: Vector | None
    _models: Replicates = field(repr=False)
    _differences: Replicates = field(repr=False)
    title: ClassVar[str] = "Bootstrap of AUCs of the same cases"

    def auc_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the two-sided interval of every model's AUC: ``(low, high)``, arrays (k,).

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all together.
        simultaneous : bool, default=False
            Widen the intervals so that all of them cover together.

        Returns
        -------
        ConfidenceInterval
            Cut to [0, 1].
        """
        return interval_of(
            self._models, confidence_level, "two-sided", (0.0, 1.0), simultaneous=simultaneous
        )

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the intervals of all differences: ``(low, high)``, arrays (P,).

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all together.
        simultaneous : bool, default=False
            Widen the intervals so that all of them cover together. Without it they match `pvalue`.

        Returns
        -------
        ConfidenceInterval
            Cut to [-1, 1].
        """
        return interval_of(
            self._differences,
            confidence_level,
            self.alternative,
            (-1.0, 1.0),
            simultaneous=simultaneous,
        )

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, finite where those underflow."""
        return log_normal_pvalues(self.statistic, self.pvalue, self.alternative)

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the 95 % intervals as plain Python values."""
        return {
            **super().to_dict(),
            "auc_interval": plain(tuple(self.auc_interval())),
            "confidence_interval": plain(tuple(self.confidence_interval())),
        }

    def summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5 % level."""
        if self.pairs:
            return super().summary() + self._resolution()
        low, high = (float(np.squeeze(end)) for end in self.auc_interval())
        return (
            f"The AUC of {self.names[0]} is {self.auc[0]:.4f} (95 % CI {low:.4f} to {high:.4f}, "
            f"{self.method}, {self.n_resamples} resamples)."
        )

    def _resolution(self) -> str:
        _, sides = in_tail(0.0, self.alternative)
        smallest = sides * len(self.pairs) / (self.n_resamples + 1)
        if self.correction == "none" or self.method == TITLES["normal"] or smallest < 0.05:
            return ""
        return (
            f" With {self.n_resamples} resamples and {len(self.pairs)} pairs no adjusted p-value "
            f"can be much below {smallest:.2g}: take more of them."
        )


def interval_of(
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
