"""What DeLong's test says of every pair of k models."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...._inputs import check_level
from ...._pvalues import interval_ends, log_normal_pvalues, normal_quantile, upper_tail
from ...._results import ConfidenceInterval, Record
from ...._text import correction_title, equation, show_pvalue

Vector = NDArray[np.float64]
NAMED = 3  # pairs that a sentence names


@dataclass(frozen=True, eq=False, kw_only=True)
class PairwiseResult(Record):
    """AUCs of k models and their differences; arrays over P = k (k - 1) / 2 pairs, in row order."""

    names: tuple[str, ...]
    auc: Vector
    covariance: NDArray[np.float64]
    pairs: tuple[tuple[str, str], ...]
    estimate: Vector
    standard_error: Vector
    statistic: Vector
    pvalue: Vector
    adjusted_pvalue: Vector
    correction: str
    alternative: str
    status: NDArray[np.str_]
    n_positive: int
    n_negative: int
    n_dropped: int
    method: str

    @property
    def auc_standard_error(self) -> Vector:
        """The standard errors (k,) of the AUCs."""
        return np.sqrt(np.diag(self.covariance))

    def summary(self) -> str:
        """Return the result in a sentence of plain words, at the 5 % level."""
        if np.isnan(self.pvalue).all():
            return "No p-value is defined for these data; the status says why."
        found = np.flatnonzero(self.adjusted_pvalue < 0.05)
        total = len(self.pairs)
        rule = "at the 5 % level"
        if total > 1 and self.correction != "none":
            rule += f" after {correction_title(self.correction)} correction"
        if not found.size:
            which = "The difference is not" if total == 1 else f"None of the {total} differences is"
            return f"{which} significant {rule}: these data do not tell the models apart."
        strongest = found[np.argsort(self.pvalue[found])][:NAMED]
        listed = "; ".join(map(self._sentence, strongest))
        if more := found.size - strongest.size:
            listed += f"; and {more} more"
        which = "The difference is" if total == 1 else f"{found.size} of {total} differences are"
        return f"{which} significant {rule}: {listed}."

    def _sentence(self, p: int) -> str:
        better, worse = self.pairs[p] if self.estimate[p] > 0 else self.pairs[p][::-1]
        kind = "p" if self.correction == "none" else "adjusted p"
        p_text = equation(kind, show_pvalue(float(self.adjusted_pvalue[p])))
        return f"{better} has a higher AUC than {worse} by {abs(self.estimate[p]):.4f} ({p_text})"


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
