"""What tests of losses say of every pair of k models."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Vector
from ..._inference.pvalues import interval_ends, student_quantile, upper_tail
from ..._inputs.options import check_level
from ..._results.pairs import PairsResult
from ..._results.records import ConfidenceInterval
from .scoring_many import LossPairs, Words

QUANTITIES = {"brier": "Brier score", "log": "log loss", "spherical": "spherical loss"}
TITLES = {
    "t": "Paired t-test",
    "wilcoxon": "Wilcoxon's signed rank test",
    "permutation": "Sign-flip permutation test",
    "bootstrap": "Percentile bootstrap test",
}


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringPairwiseResult(PairsResult):
    """Result of `scoring_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    losses: Vector
    standard_error: Vector
    rule: str
    method: Words
    status: Words
    n: int
    n_dropped: int
    n_resamples: NDArray[np.int64]
    seed: int | None
    _bounds: tuple[float, float] = field(repr=False)
    _tests: LossPairs = field(repr=False)

    claim: ClassVar[str] = "is better than"
    higher_is_better: ClassVar[bool] = False

    @property
    def title(self) -> str:  # type: ignore[override]
        """The name of the tests."""
        return f"{TITLES[self._tests.method]} of all pairs of models"

    @property
    def quantity(self) -> str:  # type: ignore[override]
        """The loss that is tested, for people."""
        return QUANTITIES.get(self.rule, "loss")

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the intervals that the tests of all pairs invert to.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1: of each interval, or of all together.
        simultaneous : bool, default=False
            Widen the intervals so that all of them cover together (Bonferroni). Without it they
            are not adjusted for the number of pairs and match `pvalue`, not `adjusted_pvalue`.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (P,), cut to the parameter space; NaN where the
            variance is 0 or undefined but the estimate is not 0. But for the t-test, this takes as
            long as the test.
        """
        level = check_level(confidence_level)
        if simultaneous:
            level = 1.0 - (1.0 - level) / len(self.pairs)
        varies = self.standard_error > 0.0
        flat = np.where((self.estimate == 0.0) & (self.standard_error == 0.0), 0.0, np.nan)
        low, high = flat, flat.copy()
        low[varies], high[varies] = self._varying_ends(level, varies)
        return ConfidenceInterval.within(low, high, self._bounds)

    def _varying_ends(
        self, level: float, varies: NDArray[np.bool_]
    ) -> tuple[Vector | float, Vector | float]:
        if self._tests.method != "t":
            low, high = self._tests.only(varies).ends(level)
            least, greatest = self._bounds
            return np.where(np.isinf(low), least, low), np.where(np.isinf(high), greatest, high)
        estimate, error = self.estimate[varies], self.standard_error[varies]
        quantile = student_quantile(upper_tail(level, self.alternative), self.n - 1)
        return interval_ends(estimate, error, self.alternative, quantile, self._bounds)
