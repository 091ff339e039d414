"""What McNemar's test says of every pair of k models."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Vector
from ..._inference.pvalues import upper_tail
from ..._inputs.options import check_level
from ..._results.pairs import PairsResult
from ..._results.records import ConfidenceInterval
from .differences import tango_ends

Counts = NDArray[np.int64]


@dataclass(frozen=True, eq=False, kw_only=True)
class McNemarPairwiseResult(PairsResult):
    """Result of `mcnemar_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    accuracy: Vector
    n10: Counts
    n01: Counts
    standard_error: Vector
    continuity: bool
    method: NDArray[np.str_]
    status: NDArray[np.str_]
    n: int
    n_dropped: int

    title: ClassVar[str] = "McNemar's test of all pairs of models"
    quantity: ClassVar[str] = "accuracy"
    claim: ClassVar[str] = "is right more often than"

    def confidence_interval(
        self, confidence_level: float = 0.95, *, simultaneous: bool = False
    ) -> ConfidenceInterval:
        """Return Tango's intervals of all differences.

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
        tail = upper_tail(1.0 - alpha, self.alternative)
        low, high = tango_ends(self.n10 / self.n, self.n01 / self.n, self.n, tail)
        if self.alternative == "greater":
            high = np.ones_like(high)
        if self.alternative == "less":
            low = -np.ones_like(low)
        return ConfidenceInterval.within(low, high, (-1.0, 1.0))
