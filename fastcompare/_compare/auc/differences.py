"""What every comparison of two AUCs says, however it was made."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.text import direction_note, equation, show_pvalue
from ..._results.records import Result


@dataclass(frozen=True, eq=False, kw_only=True)
class AUCDifference(Result):
    """A test of two AUCs; `estimate` is ``auc[0] - auc[1]``."""

    auc: NDArray[np.float64]
    bounds: ClassVar[tuple[float, float]] = (-1.0, 1.0)
    measure: ClassVar[str] = "AUC"

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        both = self._of_both(*(f"{auc:.4f}" for auc in self.auc))
        return (
            f"The {self.measure}s are {both}, a difference of "
            f"{self.estimate:.4f} ({self._stated_interval()}; {self.method}{self._stated_claim()}, "
            f"{self._evidence()}).{direction_note(self.auc)}"
        )

    def _evidence(self) -> str:
        p = equation("p", show_pvalue(self.pvalue))
        return f"{self.letter} = {self.statistic:.3f}, {p}"
