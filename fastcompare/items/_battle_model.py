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


def parameter_family(counts: Counts, design: Design) -> Family:
    """Return which parameters are fitted: that of ties if some battles end so."""
    ties = design.ties == "davidson" and bool(counts.tied.any())
    return Family(len(counts.won), ties, design.order)


def half_gaps(strengths: Vector, order: float) -> Matrix:
    """Return x / 2 for the model of the row, shown first, against the column's."""
    return 0.5 * (strengths[:, None] - strengths + order)


def outcome_chances(strengths: Vector, log_nu: float, order: float) -> Chances:
    """Return the chances of each outcome; numbers are divided by those of the likelier win."""
    half = half_gaps(strengths, order)
    shrunk = np.exp(-np.abs(half))
    tie = math.exp(log_nu) * shrunk
    total = 1.0 + shrunk * shrunk + tie
    likelier = 1.0 / total
    other = shrunk * shrunk / total
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


def score_residuals(chances: Chances) -> Scores:
    """Return s and t less what is expected, for each outcome, without cancellation."""
    win, lost, tied = chances
    x = np.stack([lost + 0.5 * tied, -win - 0.5 * tied, -chances.mean])
    return Scores(x, np.stack([-tied, -tied, win + lost]))


def assemble_parameters(x: Matrix, mixed: Matrix, tie: Matrix, family: Family) -> Matrix:
    """Return the matrix (p, p) of all parameters from tables (k, k) of x, x and log nu, log nu.

    Of many tables (G, k, k) it is that of each.
    """
    k = family.k
    each = np.arange(family.k)
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
    win, lost, tied = chances
    variance = win * lost + 0.25 * tied * (win + lost)
    return assemble_parameters(
        total * variance, -total * tied * chances.mean, total * tied * (win + lost), family
    )


def generalised_inverse(matrix: Matrix, k: int) -> Matrix:
    """Return the inverse for strengths that add up to 0: a matrix knows nothing of their mean."""
    inverse = interruptible(k > LARGE, np.linalg.inv, with_mean_strength(matrix, k))
    inverse[:k, :k] -= inverse[:k, :k].sum() / k**2
    return np.asarray(0.5 * (inverse + inverse.T))


def with_mean_strength(matrix: Matrix, k: int) -> Matrix:
    """Return a matrix that knows the mean of the strengths too, as well as their differences."""
    full = matrix.copy()
    full[:k, :k] += np.trace(matrix) / len(matrix) / k
    return full


def fit_battles(counts: Counts, family: Family) -> Fit:
    """Return the estimate by Newton's method from 0, each step halved while it does harm."""
    values = np.zeros(family.chosen.size)
    likelihood = log_likelihood(counts, family, values)
    for _ in range(MOST_STEPS):
        chances = outcome_chances(*family.split(values))
        slope = gradient(counts, score_residuals(chances), family)
        curvature = with_mean_strength(information(counts.total, chances, family), family.k)
        step = interruptible(family.k > LARGE, np.linalg.solve, curvature, slope)
        size = float(np.abs(step).max())
        for _ in range(MOST_HALVINGS):
            reached = log_likelihood(counts, family, values + step)
            if size <= CLOSE or reached >= likelihood - ROUNDING * abs(likelihood):
                break
            step *= 0.5
        values, likelihood = values + step, reached
        if size <= CLOSE:
            break
    chances = outcome_chances(*family.split(values))
    inverse = generalised_inverse(information(counts.total, chances, family), family.k)
    return Fit(values, inverse, likelihood)


def row_sandwich(fit: Fit, counts: Counts, family: Family) -> Matrix:
    """Return the covariance with each battle its own cluster; `counts` are of squared weights."""
    scores = score_residuals(outcome_chances(*family.split(fit.values)))
    cells = np.stack(counts)
    products = (scores.x * scores.x, scores.x * scores.tie, scores.tie * scores.tie)
    x, mixed, tie = ((cells * product).sum(axis=0) for product in products)
    meat = assemble_parameters(x, mixed, tie, family)
    return fit.inverse @ meat @ fit.inverse


assert (WIN, LOSS, TIE) == (0, 1, 2)  # the order of `Counts` and `Chances`


Flags = NDArray[np.bool_]
Groups = tuple[tuple[int, ...], ...]
Row = tuple[float, float, float, float]
KINDS = (WIN, LOSS, TIE)
SCORES_BY_OUTCOME = {WIN: (0.5, 0.0), LOSS: (-0.5, 0.0), TIE: (0.0, 1.0)}  # for x and log nu
NOTHING = 1e-7  # the precision of a linear programme
LISTED = 5  # models that a message names


class Graph(NamedTuple):
    """The groups of models that lead to each other, and which groups (g, g) lead to which.

    `parts` (g,) numbers what no battle joins.
    """

    groups: Groups
    leads: Flags
    parts: Integers

    @property
    def connected(self) -> bool:
        """Whether all models lead to each other."""
        return len(self.groups) == 1

    def told(self, names: tuple[str, ...]) -> str:
        """Return the models that are separated from the others, for a warning; "" if none is."""
        if self.connected:
            return ""
        if self.parts.any():
            parts = [self._named(self.parts == part, names) for part in np.unique(self.parts)]
            return f" (no battle joins {' and '.join(parts)})"
        above, below = (self._named(self.leads.sum(axis=i) == 0, names) for i in (0, 1))
        rest = "against the others"
        return f" ({above} never lost or tied {rest}, {below} never won or tied {rest})"

    def _named(self, chosen: Flags, names: tuple[str, ...]) -> str:
        return list_models([names[j] for g in np.flatnonzero(chosen) for j in self.groups[g]])


def list_models(names: Sequence[str]) -> str:
    """Return the names of models, not too many of them."""
    names_text = ", ".join(names[:LISTED])
    return f"{{{names_text}, …}}" if len(names) > LISTED else f"{{{names_text}}}"


def win_graph(counts: Counts) -> Graph:
    """Return who leads to whom by wins and ties."""
    edges = (counts.wins + counts.tied + counts.tied.T) > 0.0
    labels = strong_components(edges)
    if not labels.any():
        return Graph((tuple(range(len(labels))),), np.zeros((1, 1), bool), np.zeros(1, np.int64))
    components, first = np.unique(labels, return_index=True)
    member = (labels == components[:, None]).astype(np.float64)
    leads = (member @ edges @ member.T) > 0.0
    np.fill_diagonal(leads, False)
    for g in range(len(leads)):  # groups that this one leads to come before it
        leads[g] |= leads[leads[g]].any(axis=0)
    order = np.argsort(first)
    groups = tuple(tuple(np.flatnonzero(labels == g).tolist()) for g in order)
    parts = strong_components(edges | edges.T)[first[order]]
    return Graph(groups, leads[np.ix_(order, order)], parts)


def strong_components(edges: Flags) -> Integers:
    """Return the number of the group that each model belongs to."""
    k = len(edges)
    reserve((k, k))
    labels, visited = np.full(k, -1), np.full(k, -1)
    low, stack, path = np.zeros((3, k), np.int64)
    number_components(
        edges.astype(np.uint8), visited, low, stack, path, np.zeros(k, np.int64), labels
    )
    return labels


def has_estimate(counts: Counts, design: Design, family: Family) -> bool:
    """Return whether models that lead to each other have a finite, unique estimate."""
    if not (family.ties or family.order):
        return True
    return is_plain(counts, design, family) or are_bounded(directions(counts, design, family))


def is_plain(counts: Counts, design: Design, family: Family) -> bool:
    """Return whether two or three models alone bound the parameters besides the strengths.

    Wins in a circle bound nu from above; any tie does so from below, and the strengths need no
    more. If most of the winners in a circle were shown second, they bound d from above, shown first
    from below.
    """
    if family.ties and not in_circle(counts.wins > 0.0, counts.wins > 0.0):
        return False
    half = counts.tied if design.ties == "half" else np.zeros_like(counts.tied)
    as_first = counts.won + half > 0.0
    as_second = (counts.lost + half).T > 0.0
    return not family.order or (in_circle(as_first, as_second) and in_circle(as_second, as_first))


def in_circle(most: Flags, rest: Flags) -> bool:
    """Return whether two edges of `most` are a circle, or are so with one of `rest` or `most`."""
    adjacency = most.astype(np.float64)
    return both_ways(most) or bool(((adjacency @ adjacency > 0.0) & (most | rest).T).any())


def both_ways(edges: Flags) -> bool:
    """Return whether two models lead to each other."""
    return bool((edges & edges.T).any())


def directions(counts: Counts, design: Design, family: Family) -> Any:
    """Return the rows c_o - c_o' of all observed outcomes, less the first strength's, sparse."""
    from scipy.sparse import csr_array

    entries = [
        (row, np.stack([first, second, np.full_like(first, -2), np.full_like(first, -1)], 1))
        for outcome, table in zip(KINDS, counts, strict=True)
        for first, second in [np.nonzero(table)]
        for row in compared(outcome, design, family)
    ]
    values = np.concatenate([np.tile(row, (len(at), 1)) for row, at in entries])
    columns = np.concatenate([at for _, at in entries]) % (family.k + 2)
    starts = np.arange(0, values.size + 1, 4)
    shape = len(values), family.k + 2
    every = csr_array((values.ravel(), columns.ravel(), starts), shape=shape)
    return every[:, family.chosen[1:]]


def are_bounded(rows: Any) -> bool:
    """Return whether no direction has only products of at least 0, but that of none.

    A linear programme finds the direction with the largest sum of products.
    """
    from scipy.optimize import linprog

    limits = np.zeros(rows.shape[0])
    gain = rows.sum(axis=0)
    solution = linprog(-gain, A_ub=-rows, b_ub=limits, bounds=(-1.0, 1.0))
    products = (rows.T @ rows).toarray()
    return -float(solution.fun) <= NOTHING and float(np.linalg.eigvalsh(products)[0]) > NOTHING


def compared(outcome: int, design: Design, family: Family) -> list[Row]:
    """Return c_o - c_o' for both models' strengths, log nu and d, for each other outcome."""
    x, tie = SCORES_BY_OUTCOME[outcome]
    others = [
        SCORES_BY_OUTCOME[kind] for kind in KINDS[: 3 if family.ties else 2] if kind != outcome
    ]
    gaps = [(x - x_other, tie - tie_other) for x_other, tie_other in others]
    return [(dx, -dx, dt if family.ties else 0.0, dx) for dx, dt in gaps]
