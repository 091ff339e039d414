"""The best of several estimates: limits and an estimate that allow for its having been selected.

Estimates X are jointly normal with a covariance V; the winner w has the largest, and the standard
error S. Its lower limit is that of the hybrid confidence set of Andrews, Kitagawa, McCloskey
(2024), doi:10.1093/qje/qjad043. Given what is independent of X_w, w is the winner while

    X_w falls by at most the least of d_j S^2 / (S^2 - V_jw) with V_jw < S^2,    d_j = X_w - X_j

and rises by at most the least of d_j S^2 / (V_jw - S^2) with V_jw > S^2. So X_w is a truncated
normal variable, whose quantiles bound its mean from below. With half of the error probability the
limit is at most that of a simultaneous interval of all models (Bonferroni's): where models tie, it
is that one, 3% further away than by this probability alone; one that clearly wins has nearly its
usual limit.

The upper limit is the usual one, with the largest standard error. If w is below its mean by more
than z such errors, so is the truly best model, since it is not above w; that has the usual chance.

The estimate is X_w less its bias, which is that of the largest of normal variables whose means are
shrunk to a common one as by James and Stein: where models are equal nothing is left of their
differences, and one that is clearly the best keeps its own mean.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .._base.types import Matrix, Vector
from .max_t import BLOCK, standard_normals
from .means import Ends
from .pvalues import normal_quantile, normal_tail, upper_tail
from .roots import bisect

PROJECTION_SHARE = 0.5  # of the error probability, which the simultaneous limit spends
BLOCKS = 8  # of draws: the standard error of a bias is below 1% of a standard error


class Winner(NamedTuple):
    """An estimate of the winner, and its interval."""

    estimate: float
    low: float
    high: float


class SelectionBounds(NamedTuple):
    """How far the winner's estimate may move while it remains the largest, in standard errors.

    `down` is at most 0, `up` at least 0.
    """

    down: float
    up: float


def infer_winner(
    means: Vector,
    covariance: Matrix,
    limits_at: Callable[[float], Ends],
    level: float,
    alternative: str,
    sign: float = 1.0,
) -> Winner:
    """Return estimate and interval of the best of several means, which allow for its selection.

    The best is the first: the largest mean, or with `sign` -1 the smallest. `limits_at(tail)`
    returns the models' usual intervals with the probability `tail` beyond each end. NaN if the
    covariance of the means is not known, and for the limits of a winner that has no usual ones.
    """
    if not np.isfinite(covariance).all():
        return Winner(math.nan, math.nan, math.nan)
    tail = upper_tail(level, alternative)
    widest = normal_quantile(PROJECTION_SHARE * tail / means.size)
    score = hybrid_score(selection_bounds(sign * means, covariance), tail, widest)
    safe_low, safe_high = limits_at(normal_tail(score))
    usual_low, usual_high = limits_at(tail)
    # Only models within the simultaneous limit of the winner can truly be the best.
    near = sign * (means[0] - means) <= widest * np.sqrt(np.maximum(np.diag(covariance), 0.0))
    if sign > 0.0:
        low = float(safe_low[0])
        high = float(means[0] + np.fmax.reduce((usual_high - means)[near]))
    else:
        low = float(means[0] - np.fmax.reduce((means - usual_low)[near]))
        high = float(safe_high[0])
    estimate = float(means[0] - sign * selection_bias(sign * means, covariance))
    if math.isnan(usual_low[0]):
        return Winner(estimate, math.nan, math.nan)
    return Winner(float(np.clip(estimate, low, high)), low, high)


def selection_bounds(estimates: Vector, covariance: Matrix) -> SelectionBounds:
    """Return how far the first of the estimates, the largest, may move and remain the largest.

    From 0 to infinity if its variance is 0 (all answers are right, say).
    """
    if not covariance[0, 0] > 0.0:
        return SelectionBounds(0.0, math.inf)
    leads = estimates[0] - estimates[1:]
    falls = covariance[0, 0] - covariance[0, 1:]  # of a lead while the winner falls by S^2
    error = math.sqrt(covariance[0, 0])
    negligible = 1e-12 * covariance[0, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        moves = error * leads / falls
    down = moves[falls > negligible]
    up = -moves[falls < -negligible]
    return SelectionBounds(
        -float(np.min(down, initial=math.inf)), float(np.min(up, initial=math.inf))
    )


def hybrid_score(selection: SelectionBounds, alpha: float, widest: float) -> float:
    """Return how many standard errors the winner's one-sided lower limit is below its estimate.

    The hybrid limit of the module docstring: at least the normal quantile of `alpha`, which is
    right for a model chosen beforehand, and at most `widest`, the quantile of the simultaneous
    limit at the level `PROJECTION_SHARE` times `alpha`.
    """
    error = alpha * (1.0 - PROJECTION_SHARE) / (1.0 - alpha * PROJECTION_SHARE)

    def is_short(score: float) -> bool:
        """Return whether P(Z < score) of a normal Z truncated to bottom..top is below 1 - error."""
        bottom = max(score + selection.down, -widest)
        top = min(score + selection.up, widest)
        below = normal_tail(-score) - normal_tail(-bottom)
        inside = normal_tail(-top) - normal_tail(-bottom)
        return below < (1.0 - error) * inside

    usual = normal_quantile(alpha)
    if widest <= usual or not is_short(usual):
        return usual
    _, score = bisect(is_short, usual, widest)
    return score


def selection_bias(estimates: Vector, covariance: Matrix) -> float:
    """Return the expected selection bias of the first of the estimates, which is the largest.

    By simulation of normal estimates around means that are shrunk as by James and Stein.
    """
    centred = covariance - covariance.mean(axis=0)  # of deviations from the mean of all models
    centred -= centred.mean(axis=1)[:, None]
    gaps = estimates - estimates.mean()
    expected_squares = float(np.trace(centred))  # of the gaps of equal models
    squares = float(gaps @ gaps)
    means = gaps * (1.0 - expected_squares / squares) if squares > expected_squares else 0.0 * gaps
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    biases = []
    for block in range(BLOCKS):
        errors = root @ standard_normals(block, len(root))
        best = np.argmax(means[:, None] + errors, axis=0)
        # The first one's error has mean 0: without it the differences vary less.
        biases.append(np.mean(errors[best, np.arange(BLOCK)] - errors[0]))
    return float(np.mean(biases))
