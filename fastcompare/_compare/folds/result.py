"""What t-tests of two models' scores by round return."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.text import equation, show_pvalue
from ..._results.records import StudentResult


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestRoundsResult(StudentResult):
    """Result of `ttest_kfold` and `ttest_resampled`; `estimate` is means[0] - means[1]."""

    names: tuple[str, ...]
    means: NDArray[np.float64]
    effect_size: float
    n: int
    n_dropped: int
    title: ClassVar[str] = "Paired t-test of scores by round"

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        p = equation("p", show_pvalue(self.pvalue))
        return (
            f"The mean scores over {self.n} rounds are {self.means[0]:.4g} ({self.names[0]}) and "
            f"{self.means[1]:.4g} ({self.names[1]}), a difference of {self.estimate:.4g} "
            f"({self._stated_interval('.4g')}; {self.method}{self._stated_claim()}, "
            f"{self.letter} = {self.statistic:.4g}, {p})."
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class TTestCorrectedResult(TTestRoundsResult):
    """Result of `ttest_corrected`; `estimate` is means[0] - means[1]."""

    n_train: float
    n_test: float
    title: ClassVar[str] = "Corrected resampled t-test of Nadeau and Bengio"

    @property
    def correlation(self) -> float:
        """The correlation of rounds that the correction takes, n_test / (n_train + n_test)."""
        return self.n_test / (self.n_train + self.n_test)
