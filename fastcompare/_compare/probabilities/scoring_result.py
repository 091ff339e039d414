"""What a paired test of losses returns."""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.text import equation, show_pvalue
from ..._inference.pvalues import claim_ends
from ..._resampling.bootstrap import bounded
from ..._results.records import Result
from ..paired.result import Ends

NAMES = {"brier": "Brier scores", "log": "log losses", "spherical": "spherical losses"}


@dataclass(frozen=True, eq=False, kw_only=True)
class ScoringResult(Result):
    """Result of `scoring_test`; `estimate` is ``losses[0] - losses[1]``."""

    rule: str
    losses: NDArray[np.float64]
    n: int
    n_dropped: int
    n_resamples: int
    seed: int | None
    distribution: NDArray[np.float64] | None
    pseudomedian: float | None = None
    effect_size: float | None = None
    _bounds: tuple[float, float] = field(repr=False)
    _letter: str = field(repr=False)
    _tails: Ends | None = field(repr=False)
    title: ClassVar[str] = "Paired test of losses"

    @property
    def bounds(self) -> tuple[float, float]:  # type: ignore[override]
        """The least and the greatest difference."""
        return self._bounds

    def _ends(self, level: float) -> tuple[float, float]:
        assert self._tails is not None  # else the standard error is 0 or NaN
        low, high = claim_ends(self.alternative, level, self._tails.low, self._tails.high)
        return bounded(low, self.bounds), bounded(high, self.bounds)

    def summary(self) -> str:
        """Return the result in a sentence fit for a paper."""
        p = equation("p", show_pvalue(self.pvalue))
        found = f", {self._letter} = {self.statistic:.4g}" if self._letter else ""
        return (
            f"The mean {NAMES.get(self.rule, 'losses')} are {self.losses[0]:.4g} and "
            f"{self.losses[1]:.4g}, a difference of {self.estimate:.4g} "
            f"({self._located()}{self._stated_interval('.4g')}; "
            f"{self.method}{self._stated_claim()}{found}, {p}). {self._in_words()}"
        )

    def _located(self) -> str:
        if self.pseudomedian is None:
            return ""
        return f"pseudomedian of the cases' differences {self.pseudomedian:.4g}, "

    def _in_words(self) -> str:
        tested, what = self.estimate, "model's is lower"
        if self.pseudomedian is not None:  # which may have the other sign
            tested, what = self.pseudomedian, "model's are mostly lower"
        if not tested:
            return "Neither model does better."
        if math.isnan(tested):
            return "Lower losses are better."
        return f"Lower is better: the {'first' if tested < 0 else 'second'} {what}."
