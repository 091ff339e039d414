"""Student's t of the differences of two models' scores by round, corrected or not.

J rounds, differences d_j with variance s^2, ratio = n_test / n_train (0 for independent rounds).
"""

import math
from typing import Any

import numpy as np

from ..._base.types import Vector
from ..._inference.pvalues import (
    degenerate,
    ratio,
    ratios,
    shifted,
    student_pvalue,
    student_pvalues,
)
from ..._inputs.rounds import Rounds, refuse_range
from ...kernels.tables.folds import paired_moments


def student_fields(
    rounds: Rounds, *, correction: float, alternative: str, margin: float = 0.0
) -> dict[str, Any]:
    """Return the fields that a t-test of the rounds has; `correction` is n_test / n_train.

    Nadeau and Bengio (2003): rounds that correlate by rho = n_test / (n_train + n_test) have
    E s^2 = sigma^2 (1 - rho), and the mean has variance s^2 (1 / J + rho / (1 - rho)).
    """
    n = rounds.scores.shape[1]
    mean_a, mean_b, estimate, scatter = paired_moments(rounds.scores[0], rounds.scores[1])
    if not scatter < math.inf:
        refuse_range()
    variance = scatter / (n - 1)
    standard_error = math.sqrt(variance * (1.0 / n + correction))
    t, tail = shifted(estimate, standard_error, alternative, margin)
    p = degenerate(t, standard_error) or student_pvalue(t, n - 1, tail)
    return {
        "statistic": t,
        "pvalue": p.pvalue,
        "log_pvalue": p.log_pvalue,
        "df": n - 1,
        "estimate": estimate,
        "standard_error": standard_error,
        "alternative": alternative,
        "margin": margin,
        "means": np.array((mean_a, mean_b)),
        "effect_size": ratio(estimate, math.sqrt(variance * (1.0 + correction))),
        "names": rounds.names,
        "n": n,
        "n_dropped": rounds.n_dropped,
        "status": status_of(estimate or margin, standard_error),
    }


def status_of(shift: float, standard_error: float) -> str:
    """Return the status word; `shift` is what may lie off 0."""
    if standard_error > 0.0:
        return "ok"
    return "zero_variance" if shift else "no_difference"


def student_rows(
    estimate: Vector, scatter: Vector, n: int, correction: float, alternative: str
) -> tuple[Vector, Vector, Vector]:
    """Return the statistics, standard errors and p-values of many comparisons of n rounds."""
    standard_error = np.sqrt(scatter / (n - 1) * (1.0 / n + correction))
    t = ratios(estimate, standard_error)
    pvalue = student_pvalues(t, n - 1, alternative)
    pvalue[(estimate == 0.0) & (standard_error == 0.0)] = 1.0
    return t, standard_error, pvalue
