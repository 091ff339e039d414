"""The model of battles: its likelihood, its estimate with a covariance, and whether one exists.

Model i, shown first, fights model j. With strengths l, ties nu and the order d, x = l_i - l_j + d,

    P(i wins) : P(tie) : P(j wins)  =  exp(x / 2) : nu : exp(-x / 2)

Davidson (1970), and without ties (nu = 0) Bradley and Terry (1952). It is an exponential family:
a battle counts s = 1/2, 0 or -1/2 for x, and t = 0, 1 or 0 for log nu. A tie that is half a win has
s = 0 under nu = 0. The strengths have a mean of 0; parameters come in the order l, log nu, d.

Strengths are finite exactly if every model leads to every other by wins, a tie leading both ways:
Ford (1957), doi:10.2307/2308513. The parameters of ties and of the order can be infinite even then:
of a win and a tie, without a loss, the strength and nu grow together. In general an exponential
family has a finite, unique estimate exactly if no direction z of its parameters leaves all observed
outcomes the likeliest ones, that is

    (c_o - c_o') z >= 0   for every observed outcome o and every other one o' of its battle

only for z = 0, where c_o is what outcome o counts for the parameters.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.memory import reserve
from .._base.parallel import interruptible
from .._base.types import Integers, Matrix, Vector
from .._inference.infer import LARGE
from .._inputs.battles import LOSS, TIE, WIN, Battles, Design
from ..kernels.battles import number_components

MOST_STEPS, MOST_HALVINGS = 100, 40
STEP_TOLERANCE = 1e-8  # after such a step the error is its square, which is rounding
LIKELIHOOD_ROUNDING = 1e-11  # relative rounding error of a log-likelihood


class Counts(NamedTuple):
    """How often the model of the row, shown first, won, lost and tied against the column's."""

    won: Matrix
    lost: Matrix
    tied: Matrix

    @property
    def total(self) -> Matrix:
        """The numbers (k, k) of battles that the row's model was shown first in."""
        return self.won + self.lost + self.tied

    @property
    def wins(self) -> Matrix:
        """How often (k, k) the row's model won against the column's, shown first or second."""
        return self.won + self.lost.T


class ParameterLayout(NamedTuple):
    """Which parameters are fitted besides the k strengths: log nu for `ties`, d for `order`."""

    k: int
    ties: bool
    order: bool

    @property
    def indices(self) -> Integers:
        """The indices of the fitted parameters among k strengths, log nu and d."""
        return np.flatnonzero([*[True] * self.k, self.ties, self.order])

    @property
    def tie_index(self) -> int:
        """The index of log nu among the fitted parameters."""
        return self.k

    @property
    def order_index(self) -> int:
        """The index of d among the fitted parameters."""
        return self.k + int(self.ties)

    def split(self, values: Vector) -> tuple[Vector, float, float]:
        """Return strengths, log nu (-inf if ties are not modelled) and d (0 if not modelled)."""
        log_nu = float(values[self.tie_index]) if self.ties else -math.inf
        return values[: self.k], log_nu, float(values[self.order_index]) if self.order else 0.0


class OutcomeProbabilities(NamedTuple):
    """Probabilities (k, k) that the model of the row, shown first, wins, loses or ties."""

    won: Matrix
    lost: Matrix
    tied: Matrix

    @property
    def mean(self) -> Matrix:
        """The expected s of a battle: half of P(win) - P(loss)."""
        return 0.5 * (self.won - self.lost)


class ScoreResiduals(NamedTuple):
    """Derivatives (3, k, k) of a battle's log-likelihood by x and by log nu, for each outcome.

    They are s and t of the outcome (win, loss, tie) less their expectations.
    """

    x: Matrix
    tie: Matrix


class Fit(NamedTuple):
    """The maximum likelihood estimate (p,), the inverse information (p, p), the log-likelihood."""

    values: Vector
    inverse: Matrix
    log_likelihood: float


def count_battles(battles: Battles, power: int = 1) -> Counts:
    """Return how often models won, lost and tied: sums of the battles' weights to this power."""
    k = len(battles.names)
    reserve((3, k, k))
    cells = (battles.outcome * k + battles.first) * k + battles.second
    weights = battles.weights if power == 1 or battles.weights is None else battles.weights**power
    counts = np.bincount(cells, weights, minlength=3 * k * k).astype(np.float64)
    return Counts(*counts.reshape(3, k, k))


def parameter_layout(counts: Counts, design: Design) -> ParameterLayout:
    """Return which parameters are fitted: Davidson's nu only if some battles are ties."""
    ties = design.ties == "davidson" and bool(counts.tied.any())
    return ParameterLayout(len(counts.won), ties, design.order)


def half_log_odds(strengths: Vector, order: float) -> Matrix:
    """Return x / 2 for the model of the row, shown first, against the column's."""
    return 0.5 * (strengths[:, None] - strengths + order)


def outcome_probabilities(strengths: Vector, log_nu: float, order: float) -> OutcomeProbabilities:
    """Return the outcome probabilities, computed from exp(-|x| / 2), which cannot overflow."""
    half = half_log_odds(strengths, order)
    shrunk = np.exp(-np.abs(half))
    tie = math.exp(log_nu) * shrunk
    total = 1.0 + shrunk * shrunk + tie
    favourite = 1.0 / total
    underdog = shrunk * shrunk / total
    first_favoured = half >= 0.0
    won = np.where(first_favoured, favourite, underdog)
    lost = np.where(first_favoured, underdog, favourite)
    return OutcomeProbabilities(won, lost, tie / total)


def log_likelihood(counts: Counts, layout: ParameterLayout, values: Vector) -> float:
    """Return the log-likelihood of the counts; half a win counts half its logarithm."""
    strengths, log_nu, order = layout.split(values)
    half = half_log_odds(strengths, order)
    size = np.abs(half)
    shared = size + np.log1p(np.exp(-2.0 * size) + math.exp(log_nu) * np.exp(-size))
    ties = log_nu * float(counts.tied.sum()) if layout.ties else 0.0
    return float(((counts.won - counts.lost) * half - counts.total * shared).sum()) + ties


def score_residuals(chances: OutcomeProbabilities) -> ScoreResiduals:
    """Return s and t less their expectations for each outcome, as sums without cancellation."""
    win, lost, tied = chances
    x = np.stack([lost + 0.5 * tied, -win - 0.5 * tied, -chances.mean])
    return ScoreResiduals(x, np.stack([-tied, -tied, win + lost]))


def assemble_parameters(x: Matrix, mixed: Matrix, tie: Matrix, layout: ParameterLayout) -> Matrix:
    """Return a symmetric matrix (p, p) of parameters from sums over battles of each pair (k, k).

    `x` holds products for x with x, `mixed` for x with log nu, `tie` for log nu with log nu, where
    x = l_i - l_j + d. Tables (G, k, k) give a matrix each, (G, p, p).
    """
    k = layout.k
    models = np.arange(layout.k)
    out = np.zeros((*x.shape[:-2], k + 2, k + 2))
    rows, columns = x.sum(axis=-1), x.sum(axis=-2)
    out[..., :k, :k] = -x - np.swapaxes(x, -1, -2)
    out[..., models, models] += rows + columns
    out[..., :k, k] = out[..., k, :k] = mixed.sum(axis=-1) - mixed.sum(axis=-2)
    out[..., :k, k + 1] = out[..., k + 1, :k] = rows - columns
    out[..., k, k + 1] = out[..., k + 1, k] = mixed.sum(axis=(-1, -2))
    out[..., k, k], out[..., k + 1, k + 1] = tie.sum(axis=(-1, -2)), x.sum(axis=(-1, -2))
    return np.asarray(out[..., layout.indices[:, None], layout.indices])


def gradient(counts: Counts, scores: ScoreResiduals, layout: ParameterLayout) -> Vector:
    """Return the derivatives (p,) of the log-likelihood by the parameters."""
    x = (np.stack(counts) * scores.x).sum(axis=0)
    tie = float((np.stack(counts) * scores.tie).sum())
    all_derivatives = np.concatenate([x.sum(axis=1) - x.sum(axis=0), [tie, x.sum()]])
    return np.asarray(all_derivatives[layout.indices])


def information(total: Matrix, chances: OutcomeProbabilities, layout: ParameterLayout) -> Matrix:
    """Return the Fisher information (p, p), expected and observed, of `total` battles (k, k).

    Of the battles (G, k, k) of each cluster, it is (G, p, p). The variance of s is
    p_1 p_2 + p_0 (p_1 + p_2) / 4.
    """
    win, lost, tied = chances
    variance = win * lost + 0.25 * tied * (win + lost)
    return assemble_parameters(
        x=total * variance,
        mixed=-total * tied * chances.mean,
        tie=total * tied * (win + lost),
        layout=layout,
    )


def generalised_inverse(matrix: Matrix, k: int) -> Matrix:
    """Return the generalised inverse (p, p) of an information matrix, for strengths of mean 0.

    The matrix is singular, since battles say nothing of the mean strength.
    """
    inverse = interruptible(k > LARGE, np.linalg.inv, add_mean_strength(matrix, k))
    inverse[:k, :k] -= inverse[:k, :k].sum() / k**2  # the variance of the mean strength
    return np.asarray(0.5 * (inverse + inverse.T))


def add_mean_strength(matrix: Matrix, k: int) -> Matrix:
    """Return the information matrix plus a term for the mean strength, which makes it regular."""
    full = matrix.copy()
    full[:k, :k] += np.trace(matrix) / len(matrix) / k
    return full


def fit_battles(counts: Counts, layout: ParameterLayout) -> Fit:
    """Return the estimate by Newton's method from 0, in which a step downhill is halved."""
    values = np.zeros(layout.indices.size)
    likelihood = log_likelihood(counts, layout, values)
    for _ in range(MOST_STEPS):
        chances = outcome_probabilities(*layout.split(values))
        slope = gradient(counts, score_residuals(chances), layout)
        curvature = add_mean_strength(information(counts.total, chances, layout), layout.k)
        step = interruptible(layout.k > LARGE, np.linalg.solve, curvature, slope)
        size = float(np.abs(step).max())
        least = likelihood - LIKELIHOOD_ROUNDING * abs(likelihood)
        for _ in range(MOST_HALVINGS):
            likelihood_after = log_likelihood(counts, layout, values + step)
            if size <= STEP_TOLERANCE or likelihood_after >= least:
                break
            step *= 0.5
        values = values + step
        likelihood = likelihood_after
        if size <= STEP_TOLERANCE:
            break
    chances = outcome_probabilities(*layout.split(values))
    inverse = generalised_inverse(information(counts.total, chances, layout), layout.k)
    return Fit(values, inverse, likelihood)


def battle_sandwich(fit: Fit, counts: Counts, layout: ParameterLayout) -> Matrix:
    """Return the sandwich covariance (p, p) of independent battles, by sums of squared weights."""
    scores = score_residuals(outcome_probabilities(*layout.split(fit.values)))
    cells = np.stack(counts)
    products = (scores.x * scores.x, scores.x * scores.tie, scores.tie * scores.tie)
    x, mixed, tie = ((cells * product).sum(axis=0) for product in products)
    meat = assemble_parameters(x, mixed, tie, layout)
    return fit.inverse @ meat @ fit.inverse


assert (WIN, LOSS, TIE) == (0, 1, 2)  # the order of `Counts` and `OutcomeProbabilities`


Flags = NDArray[np.bool_]
Groups = tuple[tuple[int, ...], ...]
Row = tuple[float, float, float, float]
OUTCOMES = (WIN, LOSS, TIE)
SCORES_BY_OUTCOME = {WIN: (0.5, 0.0), LOSS: (-0.5, 0.0), TIE: (0.0, 1.0)}  # for x and log nu
PROGRAM_TOLERANCE = 1e-7  # of a linear programme's solution
MOST_LISTED_MODELS = 5  # models that a message names


class WinGraph(NamedTuple):
    """The strongly connected groups of models in the graph of wins and ties.

    `leads` (g, g) says which group wins or ties against which, directly or through others; `parts`
    (g,) numbers the groups by what battles join at all.
    """

    groups: Groups
    leads: Flags
    parts: Integers

    @property
    def connected(self) -> bool:
        """Whether every model leads to every other one by wins and ties."""
        return len(self.groups) == 1

    def separation_text(self, names: tuple[str, ...]) -> str:
        """Return " (...)" on models that no battle joins or that never lost or won, else ""."""
        if self.connected:
            return ""
        if self.parts.any():
            parts = [self._model_list(self.parts == part, names) for part in np.unique(self.parts)]
            return f" (no battle joins {' and '.join(parts)})"
        top = self._model_list(self.leads.sum(axis=0) == 0, names)
        bottom = self._model_list(self.leads.sum(axis=1) == 0, names)
        others = "against the others"
        return f" ({top} never lost or tied {others}, {bottom} never won or tied {others})"

    def _model_list(self, chosen: Flags, names: tuple[str, ...]) -> str:
        """Return the names of the models of the chosen groups, as '{a, b}'."""
        return list_models([names[j] for g in np.flatnonzero(chosen) for j in self.groups[g]])


def list_models(names: Sequence[str]) -> str:
    """Return the names of models in braces, the first few of them: "{a, b, …}"."""
    names_text = ", ".join(names[:MOST_LISTED_MODELS])
    return f"{{{names_text}, …}}" if len(names) > MOST_LISTED_MODELS else f"{{{names_text}}}"


def win_graph(counts: Counts) -> WinGraph:
    """Return the graph in which a model leads to those that it won or tied against."""
    edges = (counts.wins + counts.tied + counts.tied.T) > 0.0
    labels = strong_components(edges)
    if not labels.any():
        return WinGraph((tuple(range(len(labels))),), np.zeros((1, 1), bool), np.zeros(1, np.int64))
    components, first_model = np.unique(labels, return_index=True)
    member = (labels == components[:, None]).astype(np.float64)
    leads = (member @ edges @ member.T) > 0.0
    np.fill_diagonal(leads, False)
    for g in range(len(leads)):  # components are numbered after all those that they lead to
        leads[g] |= leads[leads[g]].any(axis=0)
    order = np.argsort(first_model)
    groups = tuple(tuple(np.flatnonzero(labels == g).tolist()) for g in order)
    parts = strong_components(edges | edges.T)[first_model[order]]
    return WinGraph(groups, leads[np.ix_(order, order)], parts)


def strong_components(edges: Flags) -> Integers:
    """Return the number (k,) of each model's strongly connected component."""
    k = len(edges)
    reserve((k, k))
    labels, visited = np.full(k, -1), np.full(k, -1)
    low, stack, path = np.zeros((3, k), np.int64)
    number_components(
        edges.astype(np.uint8), visited, low, stack, path, np.zeros(k, np.int64), labels
    )
    return labels


def has_estimate(counts: Counts, design: Design, layout: ParameterLayout) -> bool:
    """Return whether connected models have a finite, unique maximum likelihood estimate."""
    if not (layout.ties or layout.order):
        return True
    return is_bounded_by_circles(counts, design, layout) or bound_all_directions(
        outcome_constraints(counts, design, layout)
    )


def is_bounded_by_circles(counts: Counts, design: Design, layout: ParameterLayout) -> bool:
    """Return whether circles of wins of two or three models bound nu and d (sufficient only).

    Wins in a circle bound nu from above, any tie bounds it from below. If most of the winners of a
    circle were shown second, they bound d from above; if most were shown first, from below.
    """
    if layout.ties and not contains_circle(counts.wins > 0.0, counts.wins > 0.0):
        return False
    half = counts.tied if design.ties == "half" else np.zeros_like(counts.tied)
    as_first = counts.won + half > 0.0
    as_second = (counts.lost + half).T > 0.0
    return not layout.order or (
        contains_circle(as_first, as_second) and contains_circle(as_second, as_first)
    )


def contains_circle(edges: Flags, third_edges: Flags) -> bool:
    """Return whether there is a circle of two edges of `edges`, or of two and a third of either."""
    adjacency = edges.astype(np.float64)
    return has_mutual_edge(edges) or bool(
        ((adjacency @ adjacency > 0.0) & (edges | third_edges).T).any()
    )


def has_mutual_edge(edges: Flags) -> bool:
    """Return whether two models have edges in both directions."""
    return bool((edges & edges.T).any())


def outcome_constraints(counts: Counts, design: Design, layout: ParameterLayout) -> Any:
    """Return the sparse rows c_o - c_o' of observed outcomes o and others o' of the same battle.

    The first strength is fixed at 0, so it has no column.
    """
    from scipy.sparse import csr_array

    # a row has its entries in the columns of both strengths, log nu (-2) and d (-1)
    entries = [
        (row, np.stack([first, second, np.full_like(first, -2), np.full_like(first, -1)], 1))
        for outcome, table in zip(OUTCOMES, counts, strict=True)
        for first, second in [np.nonzero(table)]
        for row in outcome_contrasts(outcome, design, layout)
    ]
    values = np.concatenate([np.tile(row, (len(at), 1)) for row, at in entries])
    columns = np.concatenate([at for _, at in entries]) % (layout.k + 2)
    starts = np.arange(0, values.size + 1, 4)
    shape = len(values), layout.k + 2
    rows = csr_array((values.ravel(), columns.ravel(), starts), shape=shape)
    return rows[:, layout.indices[1:]]


def bound_all_directions(rows: Any) -> bool:
    """Return whether `rows @ z >= 0` holds only for z = 0: then the estimate is finite and unique.

    A linear programme finds the direction z in [-1, 1] with the largest sum of products.
    """
    from scipy.optimize import linprog

    sums = rows.sum(axis=0)
    solution = linprog(-sums, A_ub=-rows, b_ub=np.zeros(rows.shape[0]), bounds=(-1.0, 1.0))
    if -float(solution.fun) > PROGRAM_TOLERANCE:
        return False
    # with a largest sum of 0 all products are 0, and with full rank only z = 0 has these
    smallest_eigenvalue = float(np.linalg.eigvalsh((rows.T @ rows).toarray())[0])
    return smallest_eigenvalue > PROGRAM_TOLERANCE


def outcome_contrasts(outcome: int, design: Design, layout: ParameterLayout) -> list[Row]:
    """Return c_o - c_o' of an outcome o and each other one o', for l_i, l_j, log nu and d."""
    x, tie = SCORES_BY_OUTCOME[outcome]
    possible = (WIN, LOSS, TIE) if layout.ties else (WIN, LOSS)
    others = [SCORES_BY_OUTCOME[other] for other in possible if other != outcome]
    gaps = [(x - x_other, tie - tie_other) for x_other, tie_other in others]
    return [(dx, -dx, dt if layout.ties else 0.0, dx) for dx, dt in gaps]
