"""What corrected t-tests say of every pair of k models."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Vector
from ..._inference.pvalues import interval_ends, log_student_pvalues, student_quantile, upper_tail
from ..._inputs.options import check_level
from ..._results.pairs import PairsResult
from ..._results.records import ConfidenceInterval
from .anova import RMAnovaResult


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestCorrectedPairwiseResult(PairsResult):
    """Result of `ttest_corrected_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs."""

    means: Vector
    standard_error: Vector
    effect_size: Vector
    df: int
    omnibus: RMAnovaResult | None
    n: int
    n_dropped: int
    n_train: float
    n_test: float
    status: NDArray[np.str_]
    method: str = "corrected resampled t-test"

    title: ClassVar[str] = "Corrected resampled t-tests of all pairs of models"
    quantity: ClassVar[str] = "mean score"
    claim: ClassVar[str] = "scores higher than"

    @property
    def log_pvalue(self) -> Vector:
        """The natural logarithms (P,) of the unadjusted p-values, finite where those underflow."""
        return log_student_pvalues(self.statistic, self.pvalue, self.df, self.alternative)

    def summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5 % level."""
        if self.omnibus is None:
            return super().summary()
        if (self.status == "gated").all():
            return f"{self.omnibus.summary()} So no pair of models is tested."
        return f"{self.omnibus.summary()} {super().summary()}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, and those of the omnibus test, as plain Python values."""
        omnibus = None if self.omnibus is None else self.omnibus.to_dict()
        return {**super().to_dict(), "omnibus": omnibus}

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
        alpha = (1.0 - check_level(confidence_level)) / (len(self.pairs) if simultaneous else 1)
        quantile = student_quantile(upper_tail(1.0 - alpha, self.alternative), self.df)
        bounds = (-math.inf, math.inf)
        ends = interval_ends(self.estimate, self.standard_error, self.alternative, quantile, bounds)
        point = np.where(self.estimate == 0.0, 0.0, math.nan)
        low, high = (np.where(self.standard_error > 0.0, end, point) for end in ends)
        return ConfidenceInterval.within(low, high, bounds)
