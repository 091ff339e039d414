"""The tests of `DietterichClassifiers`: from what the schemes find to p-values."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._compare.labels.mcnemar_pvalues import mcnemar_pvalues
from ..._inference.pvalues import f_pvalues, normal_pvalues, ratios, student_pvalues
from ...kernels.trials.rounds import corrected_rows, f_5x2cv_rows, t_5x2cv_rows

if TYPE_CHECKING:
    from ..designs.dietterich import DietterichClassifiers

SCHEMES = ("split", "resampled", "folds", "halves")
N_ROUNDS = 5


class Found(NamedTuple):
    """What the schemes find in B trials.

    Counts (B, 3) of only A, only B, both wrong; differences of error rates (B, splits), (B, folds),
    (B, 5, 2).
    """

    counts: NDArray[np.int64]
    resampled: Matrix
    folds: Matrix
    halves: NDArray[np.float64]


Test = Callable[["DietterichClassifiers", Found], Vector]


def mcnemar(design: "DietterichClassifiers", found: Found, *, less: int) -> Vector:
    """Return the p-values of McNemar's test on one split; `less` is 1 for its correction."""
    only_a, only_b, _ = found.counts.T
    gap, discordant = np.abs(only_a - only_b), np.maximum(only_a + only_b, 1)
    z = np.maximum(gap - less, 0) / np.sqrt(discordant)
    return normal_pvalues(z, np.ones(z.shape), "two-sided")


def mcnemar_coin(design: "DietterichClassifiers", found: Found, *, method: str) -> Vector:
    """Return the p-values of McNemar's test by the binomial distribution."""
    only_a, only_b, _ = found.counts.T
    methods = np.full(only_a.shape, method)
    return mcnemar_pvalues(only_b, only_a, methods, alternative="two-sided")[1]


def two_proportions(design: "DietterichClassifiers", found: Found) -> Vector:
    """Return the p-values of the test of two proportions, pooled, as if on independent cases."""
    only_a, only_b, both = found.counts.T
    n = design.held_out
    pooled = (only_a + only_b + 2 * both) / (2 * n)
    error = np.sqrt(2.0 * pooled * (1.0 - pooled) / n)
    return normal_pvalues(ratios((only_a - only_b) / n, error), error, "two-sided")


def student(design: "DietterichClassifiers", t: Vector, df: int) -> Vector:
    """Return two-sided p-values, 1 in the tail that does not count."""
    p = student_pvalues(t, df, "two-sided")
    return np.where(t < 0.0, 1.0, p) if design.one_tail else p


def by_rounds(scheme: str, corrected: bool) -> Test:
    """Return the t test of the rounds of a scheme, with Nadeau and Bengio's correction or not."""

    def pvalues(design: "DietterichClassifiers", found: Found) -> Vector:
        differences: Matrix = getattr(found, scheme)
        ratio = design.held_out / (design.n - design.held_out) if corrected else 0.0
        t = np.empty(len(differences))
        corrected_rows(differences, ratio, t)
        return student(design, t, differences.shape[1] - 1)

    return pvalues


def t_5x2cv(design: "DietterichClassifiers", found: Found) -> Vector:
    """Return the p-values of Dietterich's 5x2cv t test."""
    halves = found.halves[:, ::-1].copy() if design.last_round else found.halves
    t = np.empty(len(halves))
    t_5x2cv_rows(halves, t)
    return student(design, t, N_ROUNDS)


def f_5x2cv(design: "DietterichClassifiers", found: Found) -> Vector:
    """Return the p-values of Alpaydin's 5x2cv F test."""
    f = np.empty(len(found.halves))
    f_5x2cv_rows(found.halves, f)
    return f_pvalues(f, 2 * N_ROUNDS, N_ROUNDS)


TESTS: Mapping[str, tuple[str, Test]] = {  # the scheme, and what it finds to p-values
    "mcnemar_corrected": ("split", partial(mcnemar, less=1)),
    "mcnemar_asymptotic": ("split", partial(mcnemar, less=0)),
    "mcnemar_midp": ("split", partial(mcnemar_coin, method="midp")),
    "mcnemar_exact": ("split", partial(mcnemar_coin, method="exact")),
    "two_proportions": ("split", two_proportions),
    "ttest_resampled": ("resampled", by_rounds("resampled", corrected=False)),
    "ttest_corrected": ("resampled", by_rounds("resampled", corrected=True)),
    "ttest_kfold": ("folds", by_rounds("folds", corrected=False)),
    "ttest_5x2cv": ("halves", t_5x2cv),
    "ftest_5x2cv": ("halves", f_5x2cv),
}
