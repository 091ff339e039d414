"""What McNemar's test returns."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.text import equation, show_pvalue
from ..._inference.proportions import clopper_pearson
from ..._inference.pvalues import upper_tail
from ..._inputs.options import check_level
from ..._results.records import ConfidenceInterval, NormalResult
from .differences import INTERVALS
from .table import Table

TITLES = {"exact": "exact", "midp": "mid-p", "asymptotic": "asymptotic"}


@dataclass(frozen=True, eq=False, kw_only=True)
class McNemarResult(NormalResult):
    """Result of `mcnemar_test`; `estimate` is ``accuracy[0] - accuracy[1]``."""

    accuracy: NDArray[np.float64]
    n11: int
    n10: int
    n01: int
    n00: int
    n_dropped: int
    interval: str
    continuity: bool
    design: str
    title: ClassVar[str] = "McNemar's test of two accuracies on the same cases"
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)

    @property
    def table(self) -> NDArray[np.int64]:
        """``[[n11, n10], [n01, n00]]``: the first model right or wrong, by the second."""
        return np.array([[self.n11, self.n10], [self.n01, self.n00]])

    @property
    def odds_ratio(self) -> float:
        """``n10 / n01``: the odds that a case which tells the models apart favours the first."""
        if self.n01:
            return self.n10 / self.n01
        return math.inf if self.n10 else math.nan

    def odds_ratio_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return Clopper and Pearson's interval of `odds_ratio`, which pairs with the exact p.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``; one-sided if the test is. Where no case tells the models apart, 0 and
            infinity.
        """
        tail = upper_tail(check_level(confidence_level), self.alternative)
        ends = clopper_pearson(self.n10, self.n10 + self.n01, tail)
        low, high = (end / (1.0 - end) if end < 1.0 else math.inf for end in ends)
        return ConfidenceInterval(
            0.0 if self.alternative == "less" else low,
            math.inf if self.alternative == "greater" else high,
        )

    def confidence_interval(self, confidence_level: float = 0.95) -> ConfidenceInterval:
        """Return the interval for the difference of the accuracies, by the method `interval`.

        Parameters
        ----------
        confidence_level : float, default=0.95
            Between 0 and 1. With ``alternative="equivalence"`` the two-sided interval at
            ``2 * confidence_level - 1`` comes back.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, cut to [-1, 1]. Tango's and Newcombe's have a width also where no case
            tells the models apart.
        """
        found = super().confidence_interval(confidence_level)
        if self.standard_error > 0.0 or self.interval == "wald":
            return found
        return ConfidenceInterval.within(*self._ends(confidence_level), self.bounds)

    def _ends(self, level: float) -> tuple[float, float]:
        if self.design == "clusters":
            return super()._ends(level)
        table = Table(self.n11, self.n10, self.n01, self.n00)
        low, high = INTERVALS[self.interval](table, upper_tail(level, self.alternative))
        return (
            self.bounds[0] if self.alternative == "less" else low,
            self.bounds[1] if self.alternative == "greater" else high,
        )

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        one, two = self.accuracy
        corrected = " with continuity correction" if self.continuity else ""
        clustered = " of clustered cases" if self.design == "clusters" else ""
        test = f"{TITLES[self.method]} test{clustered}{corrected}{self._stated_claim()}"
        return (
            f"The accuracies are {one:.4f} and {two:.4f}, a difference of {self.estimate:.4f} "
            f"({self._stated_interval()}; {self.n10} cases are right by the first model "
            f"only, {self.n01} by the second; McNemar's {test}, "
            f"{equation('p', show_pvalue(self.pvalue))})."
        )
