"""How diverse the errors of k models are together; Kuncheva and Whitaker (2003).

Notation of the paper: L models, N cases, r of the L models right on a case (the paper's l).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Diversity(NamedTuple):
    """Measures of all models at once; NaN where all are right, or wrong, on every case."""

    entropy: float
    kohavi_wolpert_variance: float
    interrater_kappa: float
    difficulty: float
    generalised_diversity: float


def diversity(correct: NDArray[np.uint8]) -> Diversity:
    """Return all measures of (L, N) answers, 1 where right: fractions, rounded once.

    GD = 1 - mean((L-r)(L-r-1)) / ((L-1) mean(L-r)) is sum(r(L-r)) / ((L-1) sum(L-r)), expanded.
    """
    models = len(correct)
    right = correct.sum(axis=0, dtype=np.min_scalar_type(models))
    cases = list(enumerate(np.bincount(right, minlength=models + 1).tolist()))  # (r, on how many)
    n = correct.shape[1]

    smaller = sum(count * min(r, models - r) for r, count in cases)
    rights = sum(count * r for r, count in cases)
    squares = sum(count * r * r for r, count in cases)
    mixed = models * rights - squares  # sum of r (L - r)
    wrongs = models * n - rights
    return Diversity(
        entropy=smaller / (n * (models // 2)),
        kohavi_wolpert_variance=mixed / (n * models**2),
        interrater_kappa=1.0 - quotient(mixed * models * n, (models - 1) * rights * wrongs),
        difficulty=(n * squares - rights**2) / (n * models) ** 2,
        generalised_diversity=quotient(mixed, (models - 1) * wrongs),
    )


def quotient(above: int, below: int) -> float:
    """Return the quotient of two integers, NaN for 0 / 0."""
    return above / below if below else math.nan
