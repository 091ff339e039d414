"""What DeLong's test says of every pair of k models."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...._base.types import Vector
from ...._inference.pvalues import interval_ends, log_normal_pvalues, normal_quantile, upper_tail
from ...._inputs.options import check_level
from ...._results.pairs import PairsResult
from ...._results.records import ConfidenceInterval


@dataclass(frozen=True, eq=False, kw_only=True)
class PairwiseResult(PairsResult):
    """AUCs of k models and their differences; arrays over P = k (k - 1) / 2 pairs, in row order."""

    auc: Vector
    covariance: NDArray[np.float64]
    standard_error: Vector
    status: NDArray[np.str_]
    n_positive: int
    n_negative: int
    n_dropped: int
    method: str

    quantity: ClassVar[str] = "AUC"
    claim: ClassVar[str] = "has a higher AUC than"

    @property
    def auc_standard_error(self) -> Vector:
        """The standard errors (k,) of the AUCs."""
        return np.sqrt(np.diag(self.covariance))


@dataclass(frozen=True, eq=False, kw_only=True)
class DeLongPairwiseResult(PairwiseResult):
    """Result of `delong_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    title: ClassVar[str] = "DeLong's test of all pairs of models"

    def auc_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return DeLong's two-sided interval of every model's AUC, cut to [0, 1]."""
        radius = self.auc_standard_error * normal_quantile(
            0.5 * (1 - check_level(confidence_level))
        )
        return ConfidenceInterval.within(self.auc - radius, self.auc + radius, (0.0, 1.0))

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return the intervals of all differences.

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
            ``(low, high)``, arrays of shape (P,).
        """
        alpha = 1.0 - check_level(confidence_level)
        tail = upper_tail(1.0 - alpha / (len(self.pairs) if simultaneous else 1), self.alternative)
        error = np.where(
            (self.standard_error == 0) & (self.estimate != 0), np.nan, self.standard_error
        )
        ends = interval_ends(
            self.estimate, error, self.alternative, normal_quantile(tail), (-1.0, 1.0)
        )
        low, high = np.broadcast_arrays(*ends)
        return ConfidenceInterval.within(low, high, (-1.0, 1.0))

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, finite where those underflow."""
        return log_normal_pvalues(self.statistic, self.pvalue, self.alternative)
