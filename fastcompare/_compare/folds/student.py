"""Student's t of the differences of two models' scores by round, corrected or not.

J rounds, differences d_j with variance s^2, overlap = n_test / n_train (0 for independent rounds).
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..._base.types import Vector
from ..._inference.infer import Inference, infer
from ..._inference.pvalues import ratio, ratios, student_pvalues
from ..._inference.status import unvaried_status
from ..._inference.unvaried import Unvaried
from ..._inputs.rounds import Rounds, refuse_range
from ..._results.records import Record
from ...kernels.tables.folds import average, paired_moments


class RoundsFields(Inference):
    """Fields of the results of t-tests of two models' scores in the same rounds."""

    df: int
    means: Vector
    effect_size: float
    names: tuple[str, str]
    n: int
    n_dropped: int
    status: str


def rounds_fields(
    rounds: Rounds, alternative: str, margin: float, *, overlap: float
) -> RoundsFields:
    """Return the fields that a t-test of the rounds has; `overlap` is n_test / n_train.

    Nadeau and Bengio (2003): rounds that correlate by rho = n_test / (n_train + n_test) have
    E s^2 = sigma^2 (1 - rho), and the mean has variance s^2 (1 / J + rho / (1 - rho)).
    """
    n = rounds.scores.shape[1]
    means, estimate, scatter = rounds_moments(rounds)
    variance = scatter / (n - 1)
    share = 1.0 / n + overlap
    standard_error, unvaried = math.sqrt(variance * share), unvaried_rounds(1.0 / share)
    return {
        **infer(estimate, standard_error, alternative, margin, df=n - 1, unvaried=unvaried),
        "df": n - 1,
        "means": means,
        "effect_size": ratio(estimate, math.sqrt(variance * (1.0 + overlap))),
        "names": rounds.names,
        "n": n,
        "n_dropped": rounds.n_dropped,
        "status": variance_status(estimate, standard_error, margin),
    }


def rounds_moments(rounds: Rounds) -> tuple[Vector, float, float]:
    """Return the means (2,), and the mean and scatter of the differences, or raise."""
    a, b = rounds.scores if rounds.apart is None else rounds.apart
    mean_a, mean_b, estimate, scatter = paired_moments(a, b)
    if not scatter < math.inf:
        refuse_range()
    if rounds.apart is not None:
        mean_a, mean_b = (average(scores) for scores in rounds.scores)
    return np.array((mean_a, mean_b)), estimate, scatter


@dataclass(frozen=True, eq=False, kw_only=True)
class SizedRounds(Record):
    """A result of rounds that train and test on so many cases of one data set."""

    n_train: float
    n_test: float

    @property
    def correlation(self) -> float:
        """The correlation of rounds that the method takes, n_test / (n_train + n_test)."""
        return self.n_test / (self.n_train + self.n_test)


class StudentRows(NamedTuple):
    """The statistics (B,), standard errors and p-values of many comparisons."""

    statistic: Vector
    standard_error: Vector
    pvalue: Vector


def variance_status(estimate: float, standard_error: float, margin: float = 0.0) -> str:
    """Return the status word of an estimate with this standard error."""
    if standard_error > 0.0:
        return "ok"
    return unvaried_status(estimate, margin, "no_difference")


def unvaried_rounds(units: float) -> Unvaried:
    """Return the bound by so many independent rounds of equal differences.

    Correlated rounds are worth as many independent ones as give their mean the same variance.
    """
    return Unvaried(units, math.inf, "independent rounds")


def student_rows(
    estimate: Vector, scatter: Vector, n: int, overlap: float, alternative: str
) -> StudentRows:
    """Return the t-tests of many comparisons of n rounds; `overlap` is n_test / n_train."""
    standard_error = np.sqrt(scatter / (n - 1) * (1.0 / n + overlap))
    t = ratios(estimate, standard_error)
    pvalue = student_pvalues(t, n - 1, alternative)
    pvalue[(estimate == 0.0) & (standard_error == 0.0)] = 1.0
    return StudentRows(t, standard_error, pvalue)
