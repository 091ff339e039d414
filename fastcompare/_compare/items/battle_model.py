"""The model of battles: its likelihood, the estimate and the covariance of that.

Model i, shown first, fights model j. With strengths l, ties nu and the order d, x = l_i - l_j + d,

    P(i wins) : P(tie) : P(j wins)  =  exp(x / 2) : nu : exp(-x / 2)

Davidson (1970), and without ties (nu = 0) Bradley and Terry (1952). It is an exponential family:
a battle counts s = 1/2, 0 or -1/2 for x, and t = 0, 1 or 0 for log nu. A tie that is half a win has
s = 0 under nu = 0. The strengths have a mean of 0; parameters come in the order l, log nu, d.
"""

import math
from typing import NamedTuple

import numpy as np

from ..._base.memory import reserve
from ..._base.parallel import interruptible
from ..._base.types import Integers, Matrix, Vector
from ..._inference.quadratic import LARGE
from ..._inputs.battles import LOST, TIED, WON, Battles, Design

MOST_STEPS, MOST_HALVINGS = 100, 40
CLOSE = 1e-8  # a step so small leaves an error of its square: the next one would be rounding
ROUNDING = 1e-11  # of a likelihood, relative to it


class Counts(NamedTuple):
    """How often the model of the row, shown first, won, lost and tied against the column's."""

    won: Matrix
    lost: Matrix
    tied: Matrix

    @property
    def total(self) -> Matrix:
        """All battles (k, k)."""
        return self.won + self.lost + self.tied

    @property
    def wins(self) -> Matrix:
        """How often the model of the row won against the column's, in whatever order."""
        return self.won + self.lost.T


class Family(NamedTuple):
    """Which parameters there are besides the k strengths."""

    k: int
    ties: bool
    order: bool

    @property
    def chosen(self) -> Integers:
        """The places of the parameters among strengths, log nu and d."""
        return np.flatnonzero([*[True] * self.k, self.ties, self.order])

    @property
    def tie_at(self) -> int:
        """The place of log nu."""
        return self.k

    @property
    def order_at(self) -> int:
        """The place of d."""
        return self.k + int(self.ties)

    def split(self, values: Vector) -> tuple[Vector, float, float]:
        """Return strengths, log nu (-inf where there is none) and d."""
        log_nu = float(values[self.tie_at]) if self.ties else -math.inf
        return values[: self.k], log_nu, float(values[self.order_at]) if self.order else 0.0


class Chances(NamedTuple):
    """Chances (k, k) that the model of the row, shown first, wins, loses or ties."""

    won: Matrix
    lost: Matrix
    tied: Matrix

    @property
    def mean(self) -> Matrix:
        """The expected s."""
        return 0.5 * (self.won - self.lost)


class Scores(NamedTuple):
    """What an outcome counts more than expected, for x and for log nu: (3, k, k) each."""

    x: Matrix
    tie: Matrix


class Fit(NamedTuple):
    """The estimate of all parameters, the inverse of its information, the log-likelihood."""

    values: Vector
    inverse: Matrix
    log_likelihood: float


def count_battles(battles: Battles, power: int = 1) -> Counts:
    """Return how often models won, lost and tied, weights to this power."""
    k = len(battles.names)
    reserve((3, k, k))
    cells = (battles.outcome * k + battles.first) * k + battles.second
    weights = battles.weights if power == 1 or battles.weights is None else battles.weights**power
    counts = np.bincount(cells, weights, minlength=3 * k * k).astype(np.float64)
    return Counts(*counts.reshape(3, k, k))


def family_of(counts: Counts, design: Design) -> Family:
    """Return which parameters are fitted: that of ties if some battles end so."""
    ties = design.ties == "davidson" and bool(counts.tied.any())
    return Family(len(counts.won), ties, design.order)


def half_gaps(strengths: Vector, order: float) -> Matrix:
    """Return x / 2 for the model of the row, shown first, against the column's."""
    return 0.5 * (strengths[:, None] - strengths + order)


def chances_of(strengths: Vector, log_nu: float, order: float) -> Chances:
    """Return the chances of each outcome; numbers are divided by those of the likelier win."""
    half = half_gaps(strengths, order)
    shrunk = np.exp(-np.abs(half))
    tie = math.exp(log_nu) * shrunk
    total = 1.0 + shrunk * shrunk + tie
    likelier, other = 1.0 / total, shrunk * shrunk / total
    first = half >= 0.0
    return Chances(np.where(first, likelier, other), np.where(first, other, likelier), tie / total)


def log_likelihood(counts: Counts, family: Family, values: Vector) -> float:
    """Return the log-likelihood; half a win is half its logarithm."""
    strengths, log_nu, order = family.split(values)
    half = half_gaps(strengths, order)
    size = np.abs(half)
    shared = size + np.log1p(np.exp(-2.0 * size) + math.exp(log_nu) * np.exp(-size))
    ties = log_nu * float(counts.tied.sum()) if family.ties else 0.0
    return float(((counts.won - counts.lost) * half - counts.total * shared).sum()) + ties


def scores_of(chances: Chances) -> Scores:
    """Return s and t less what is expected, for each outcome, without cancellation."""
    won, lost, tied = chances
    x = np.stack([lost + 0.5 * tied, -won - 0.5 * tied, -chances.mean])
    return Scores(x, np.stack([-tied, -tied, won + lost]))


def assembled(x: Matrix, mixed: Matrix, tie: Matrix, family: Family) -> Matrix:
    """Return the matrix (p, p) of all parameters from tables (k, k) of x, x and log nu, log nu.

    Of many tables (G, k, k) it is that of each.
    """
    k, each = family.k, np.arange(family.k)
    out = np.zeros((*x.shape[:-2], k + 2, k + 2))
    rows, columns = x.sum(axis=-1), x.sum(axis=-2)
    out[..., :k, :k] = -x - np.swapaxes(x, -1, -2)
    out[..., each, each] += rows + columns
    out[..., :k, k] = out[..., k, :k] = mixed.sum(axis=-1) - mixed.sum(axis=-2)
    out[..., :k, k + 1] = out[..., k + 1, :k] = rows - columns
    out[..., k, k + 1] = out[..., k + 1, k] = mixed.sum(axis=(-1, -2))
    out[..., k, k], out[..., k + 1, k + 1] = tie.sum(axis=(-1, -2)), x.sum(axis=(-1, -2))
    return np.asarray(out[..., family.chosen[:, None], family.chosen])


def gradient(counts: Counts, scores: Scores, family: Family) -> Vector:
    """Return the derivatives of the log-likelihood."""
    x = (np.stack(counts) * scores.x).sum(axis=0)
    tie = float((np.stack(counts) * scores.tie).sum())
    every = np.concatenate([x.sum(axis=1) - x.sum(axis=0), [tie, x.sum()]])
    return np.asarray(every[family.chosen])


def information(total: Matrix, chances: Chances, family: Family) -> Matrix:
    """Return the expected second derivatives, which are the observed ones, less the sign.

    Of `total` battles (k, k), or of those of each cluster (G, k, k). The variance of s is
    p_1 p_2 + p_0 (p_1 + p_2) / 4.
    """
    won, lost, tied = chances
    variance = won * lost + 0.25 * tied * (won + lost)
    return assembled(
        total * variance,
        -total * tied * chances.mean,
        total * tied * (won + lost),
        family,
    )


def generalised_inverse(matrix: Matrix, k: int) -> Matrix:
    """Return the inverse for strengths that add up to 0: a matrix knows nothing of their mean."""
    inverse = interruptible(k > LARGE, np.linalg.inv, filled(matrix, k))
    inverse[:k, :k] -= inverse[:k, :k].sum() / k**2
    return np.asarray(0.5 * (inverse + inverse.T))


def filled(matrix: Matrix, k: int) -> Matrix:
    """Return a matrix that knows the mean of the strengths too, as well as their differences."""
    full = matrix.copy()
    full[:k, :k] += np.trace(matrix) / len(matrix) / k
    return full


def fit_battles(counts: Counts, family: Family) -> Fit:
    """Return the estimate by Newton's method from 0, each step halved while it does harm."""
    values = np.zeros(family.chosen.size)
    known = log_likelihood(counts, family, values)
    for _ in range(MOST_STEPS):
        chances = chances_of(*family.split(values))
        slope = gradient(counts, scores_of(chances), family)
        curvature = filled(information(counts.total, chances, family), family.k)
        step = interruptible(family.k > LARGE, np.linalg.solve, curvature, slope)
        size = float(np.abs(step).max())
        for _ in range(MOST_HALVINGS):
            reached = log_likelihood(counts, family, values + step)
            if size <= CLOSE or reached >= known - ROUNDING * abs(known):
                break
            step *= 0.5
        values, known = values + step, reached
        if size <= CLOSE:
            break
    chances = chances_of(*family.split(values))
    inverse = generalised_inverse(information(counts.total, chances, family), family.k)
    return Fit(values, inverse, known)


def row_sandwich(fit: Fit, counts: Counts, family: Family) -> Matrix:
    """Return the covariance with each battle its own cluster; `counts` are of squared weights."""
    scores = scores_of(chances_of(*family.split(fit.values)))
    cells = np.stack(counts)
    products = (scores.x * scores.x, scores.x * scores.tie, scores.tie * scores.tie)
    x, mixed, tie = ((cells * product).sum(axis=0) for product in products)
    meat = assembled(x, mixed, tie, family)
    return fit.inverse @ meat @ fit.inverse


assert (WON, LOST, TIED) == (0, 1, 2)  # the order of `Counts` and `Chances`
