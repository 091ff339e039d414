"""What McNemar's test says of every pair of k models."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._inputs import check_level
from ..._pvalues import upper_tail
from ..._results import ConfidenceInterval, Record
from ..._text import correction_title, equation, show_pvalue
from .differences import tango_ends

Vector = NDArray[np.float64]
Counts = NDArray[np.int64]
NAMED = 3  # pairs that a sentence names


@dataclass(frozen=True, eq=False, kw_only=True)
class McNemarPairwiseResult(Record):
    """Result of `mcnemar_pairwise_test`; arrays over the P = k (k - 1) / 2 pairs, in row order."""

    names: tuple[str, ...]
    accuracy: Vector
    pairs: tuple[tuple[str, str], ...]
    n10: Counts
    n01: Counts
    estimate: Vector
    standard_error: Vector
    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    correction: str
    continuity: bool
    alternative: str
    method: NDArray[np.str_]
    status: NDArray[np.str_]
    n: int
    n_dropped: int
    title: ClassVar[str] = "McNemar's test of all pairs of models"

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

    def summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5 % level."""
        found = np.flatnonzero(self.adjusted_pvalue < 0.05)
        rule = "at the 5 % level"
        if self.correction != "none":
            rule += f" after {correction_title(self.correction)} correction"
        counted = f"{found.size} of {len(self.pairs)} differences in accuracy"
        if not found.size:
            return f"{counted} are significant {rule}: these data do not tell the models apart."
        strongest = found[np.argsort(self.pvalue[found], kind="stable")][:NAMED]
        listed = "; ".join(map(self._sentence, strongest))
        more = found.size - strongest.size
        return f"{counted} are significant {rule}: {listed}{f'; and {more} more' if more else ''}."

    def _sentence(self, p: int) -> str:
        better, worse = self.pairs[p] if self.estimate[p] > 0 else self.pairs[p][::-1]
        kind = "p" if self.correction == "none" else "adjusted p"
        p_text = equation(kind, show_pvalue(float(self.adjusted_pvalue[p])))
        return (
            f"{better} is right more often than {worse} by {abs(self.estimate[p]):.4f} ({p_text})"
        )
