"""What is known of how alike k models err."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._base.memory import reserve
from ..._inputs.options import check_choice, check_level
from ..._results.records import ConfidenceInterval, Record
from .measures import MEASURES, Floats
from .results import quantile

BLOCK = 1 << 15  # pairs at a time, so that their tables stay in the cache


@dataclass(frozen=True, eq=False, kw_only=True)
class AgreementMatrixResult(Record):
    """Result of `agreement_matrix`; ``result["yule_q"]`` is ``result.yule_q``."""

    names: tuple[str, ...]
    accuracy: Floats
    disagreement: Floats
    cohen_kappa: Floats
    yule_q: Floats
    correlation: Floats
    double_fault: Floats
    n11: NDArray[np.int64]
    entropy: float
    kohavi_wolpert_variance: float
    interrater_kappa: float
    difficulty: float
    generalised_diversity: float
    n: int
    n_dropped: int
    status: str
    title: ClassVar[str] = "How alike the models err"

    def __getitem__(self, measure: str) -> Floats:
        check_choice("measure", measure, MEASURES)
        return np.asarray(getattr(self, measure))

    def standard_error(self, measure: str) -> Floats:
        """Return the standard errors (k, k) of a measure.

        Parameters
        ----------
        measure : {'disagreement', 'cohen_kappa', 'yule_q', 'correlation', 'double_fault'}
            Which one.

        Returns
        -------
        ndarray of shape (k, k)
            NaN where the measure is not defined.
        """
        check_choice("measure", measure, MEASURES)
        chosen = MEASURES[measure]
        (errors,) = over_pairs(
            self.n11, self.n, 1, lambda table: (chosen.error(table, chosen.estimate(table)),)
        )
        return np.asarray(errors)

    def confidence_interval(
        self, measure: str, confidence_level: float = 0.95
    ) -> ConfidenceInterval:
        """Return the intervals of a measure for all pairs, each for itself.

        Parameters
        ----------
        measure : {'disagreement', 'cohen_kappa', 'yule_q', 'correlation', 'double_fault'}
            Which one.
        confidence_level : float, default=0.95
            Between 0 and 1.

        Returns
        -------
        ConfidenceInterval
            ``(low, high)``, arrays of shape (k, k).
        """
        check_choice("measure", measure, MEASURES)
        chosen, z = MEASURES[measure], quantile(check_level(confidence_level))

        def ends(table: Floats) -> Sequence[Floats]:
            estimate = chosen.estimate(table)
            return chosen.ends(table, estimate, chosen.error(table, estimate), z)

        low, high = over_pairs(self.n11, self.n, 2, ends)
        return ConfidenceInterval.within(low, high, chosen.bounds)

    def summary(self) -> str:
        """Return the most and the least alike pair in a sentence of plain words."""
        first, second = np.triu_indices(len(self.names), 1)
        apart = self.disagreement[first, second]
        most, least = (self._pair(first[p], second[p]) for p in (apart.argmin(), apart.argmax()))
        if apart.size == 1:
            return f"Of {self.n} cases {most}."
        return (
            f"Of {self.n} cases and {apart.size} pairs of models, {most}: the most alike; {least}: "
            "the least."
        )

    def _pair(self, i: int, j: int) -> str:
        share, kappa = self.disagreement[i, j], self.cohen_kappa[i, j]
        return (
            f"{self.names[i]} and {self.names[j]} disagree on {100 * share:.1f} % "
            f"(Cohen's kappa {kappa:.3f})"
        )


def over_pairs(
    n11: NDArray[np.int64], n: int, count: int, function: Callable[[Floats], Sequence[Floats]]
) -> NDArray[Any]:
    """Return `count` matrices (k, k) that a function finds from tables (2, 2, rows, k)."""
    k, right = len(n11), np.diag(n11)
    out = reserve((count, k, k))
    step = max(1, BLOCK // k)
    for start in range(0, k, step):
        rows = slice(start, start + step)
        table = np.empty((2, 2, len(n11[rows]), k))
        table[0, 0] = n11[rows]
        table[0, 1] = right[rows, None] - n11[rows]
        table[1, 0] = right - n11[rows]
        table[1, 1] = n - right[rows, None] - table[1, 0]
        out[:, rows] = function(table)
    return out
