"""The tests of `DietterichClassifiers`: from what the schemes find to p-values."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Matrix, Vector
from ..._compare.labels.mcnemar_pvalues import mcnemar_pvalues
from ..._inference.pvalues import f_pvalues, normal_pvalues, ratios, student_pvalues
from ...kernels.trials.rounds import corrected_rows, f_5x2cv_rows, t_5x2cv_rows

SCHEMES = ("split", "resampled", "folds", "halves")
N_ROUNDS = 5


class Errors(NamedTuple):
    """How both models err in B trials, by scheme.

    Counts (B, 3) of only A, only B, both wrong; differences of error rates (B, splits), (B, folds),
    (B, 5, 2).
    """

    counts: NDArray[np.int64]
    resampled: Matrix
    folds: Matrix
    halves: NDArray[np.float64]


class Reading(NamedTuple):
    """Cases of one split, and how programs read t: in one tail, or by the last round's halves."""

    n_train: int
    n_test: int
    one_tail: bool
    last_round: bool


Test = Callable[[Errors, Reading], Vector]


def mcnemar(errors: Errors, reading: Reading, *, less: int) -> Vector:
    """Return the p-values of McNemar's test on one split; `less` is 1 for its correction."""
    only_a, only_b, _ = errors.counts.T
    gap, discordant = np.abs(only_a - only_b), np.maximum(only_a + only_b, 1)
    z = np.maximum(gap - less, 0) / np.sqrt(discordant)
    return normal_pvalues(z, np.ones(z.shape), "two-sided")


def mcnemar_coin(errors: Errors, reading: Reading, *, method: str) -> Vector:
    """Return the p-values of McNemar's test by the binomial distribution."""
    only_a, only_b, _ = errors.counts.T
    methods = np.full(only_a.shape, method)
    return mcnemar_pvalues(only_b, only_a, methods, alternative="two-sided")[1]


def two_proportions(errors: Errors, reading: Reading) -> Vector:
    """Return the p-values of the test of two proportions, pooled, as if on independent cases."""
    only_a, only_b, both = errors.counts.T
    n = reading.n_test
    pooled = (only_a + only_b + 2 * both) / (2 * n)
    error = np.sqrt(2.0 * pooled * (1.0 - pooled) / n)
    return normal_pvalues(ratios((only_a - only_b) / n, error), error, "two-sided")


def student(t: Vector, df: int, reading: Reading) -> Vector:
    """Return two-sided p-values, 1 in the tail that does not count."""
    p = student_pvalues(t, df, "two-sided")
    return np.where(t < 0.0, 1.0, p) if reading.one_tail else p


def by_rounds(scheme: str, corrected: bool) -> Test:
    """Return the t test of the rounds of a scheme, with Nadeau and Bengio's correction or not."""

    def pvalues(errors: Errors, reading: Reading) -> Vector:
        differences: Matrix = getattr(errors, scheme)
        ratio = reading.n_test / reading.n_train if corrected else 0.0
        t = np.empty(len(differences))
        corrected_rows(differences, ratio, t)
        return student(t, differences.shape[1] - 1, reading)

    return pvalues


def t_5x2cv(errors: Errors, reading: Reading) -> Vector:
    """Return the p-values of Dietterich's 5x2cv t test."""
    halves = errors.halves[:, ::-1].copy() if reading.last_round else errors.halves
    t = np.empty(len(halves))
    t_5x2cv_rows(halves, t)
    return student(t, N_ROUNDS, reading)


def f_5x2cv(errors: Errors, reading: Reading) -> Vector:
    """Return the p-values of Alpaydin's 5x2cv F test."""
    f = np.empty(len(errors.halves))
    f_5x2cv_rows(errors.halves, f)
    return f_pvalues(f, 2 * N_ROUNDS, N_ROUNDS)


TESTS: Mapping[str, tuple[str, Test]] = {  # the scheme, and from its errors to p-values
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
