"""From battles to estimated strengths and their standard errors, also of battles in clusters.

Cluster g has the score S_g and the information J_g, and M is the inverse of the sum of all J. With
M = L L' and K_g = L' J_g L, which add up to the identity, the sandwich CR2 is

    V = L (sum r_g r_g') L',    r_g = A_g L' S_g,    A_g = (I - K_g)^(-1/2)

Bell, McCaffrey (2002), with the model of independent battles as the working one, in which V has no
bias: X_g' (I - X_g M X_g')^(-1/2) = (I - J_g M)^(-1/2) X_g' for whitened rows X_g. A contrast c has
a = L'c, and Satterthwaite's degrees of freedom (Pustejovsky, Tipton 2018, Section 3.1,
doi:10.1080/07350015.2016.1247004) are (tr Q)^2 / tr(Q^2) of

    Q = diag(a' A_g K_g A_g a) - B B',    b_g = K_g A_g a.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from .._base.types import Fields, Integers, Matrix, Vector
from .._inference.clusters import cluster_df, cluster_sizes, cluster_status
from .._inputs.battles import TIE, Battles, Design
from ..kernels.battles import add_cluster_products
from ._battle_model import (
    Counts,
    Fit,
    ParameterLayout,
    WinGraph,
    battle_sandwich,
    count_battles,
    fit_battles,
    has_estimate,
    information,
    outcome_probabilities,
    parameter_layout,
    score_residuals,
)

# cells of a table of clusters by models, for each score: up to here the table takes less time
DENSE_CELLS_PER_SCORE = 4
MOST_NUMBERS, MOST_MULTIPLICATIONS = 1 << 22, 1 << 31  # G p^2 and G p^3 min(G, p): 32 MiB, a second
ONE_CLUSTER_TOLERANCE = 1e-8  # of 1 - eigenvalue of K_g: below, cluster g alone has the direction


class DegreesOfFreedom(NamedTuple):
    """Degrees of freedom of all parameters (p,) and of all pairs of models (P,); NaN for none."""

    parameters: Vector
    pairs: Vector


class WhitenedClusters(NamedTuple):
    """What CR2 needs, in whitened coordinates of the q = p - 1 estimable directions.

    `root` is L' (q, p), `shares` are K_g and `factors` A_g (G, q, q) of the module's docstring.
    """

    root: Matrix
    shares: Matrix
    factors: Matrix

    def df(self, first: Integers, second: Integers) -> Vector:
        """Return Satterthwaite's df of the differences of parameters `first` minus `second`.

        An index p stands for the constant 0. NaN where one cluster alone determines a difference.
        """
        root = np.pad(self.root, ((0, 0), (0, 1)))  # a column of 0 for the constant
        block_size = max(1, MOST_NUMBERS // (len(self.shares) * len(root)))
        scaled = self.factors @ root  # A L'
        b = np.ascontiguousarray(np.moveaxis(self.shares @ scaled, 2, 0))  # (p + 1, G, q)
        quadratic = np.swapaxes(scaled, 1, 2) @ self.shares @ scaled  # L A K A L'
        dfs = [
            satterthwaite_df(
                b[i] - b[j],
                quadratic[:, i, i] + quadratic[:, j, j] - 2.0 * quadratic[:, i, j],
                np.square(root[:, i] - root[:, j]).sum(axis=0),
            )
            for i, j in zip(
                split_into_blocks(first, block_size),
                split_into_blocks(second, block_size),
                strict=True,
            )
        ]
        return np.concatenate(dfs)


def satterthwaite_df(b: Matrix, quadratic: Matrix, squared_lengths: Vector) -> Vector:
    """Return (tr Q)^2 / tr(Q^2) of contrasts, from b_g (m, G, q), a' A K A a (G, m) and a'a."""
    transposed = np.swapaxes(b, 1, 2)
    squares = np.square(b).sum(axis=2).T
    # B B' and B'B have the same sum of squares: the smaller one
    products = b @ transposed if b.shape[1] < b.shape[2] else transposed @ b
    trace = (quadratic - squares).sum(axis=0)
    squared_products = np.square(products).sum(axis=(1, 2))
    trace_of_square = (quadratic * (quadratic - 2.0 * squares)).sum(axis=0) + squared_products
    is_estimable = trace >= (1.0 - ONE_CLUSTER_TOLERANCE**0.5) * squared_lengths
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.where(is_estimable, trace * trace / trace_of_square, math.nan)
    return np.where(squared_lengths == 0.0, math.inf, df)


def split_into_blocks(indices: Integers, block_size: int) -> list[Integers]:
    """Return the indices split into blocks of at most `block_size`."""
    return np.split(indices, range(block_size, indices.size, block_size))


def whiten_clusters(fit: Fit, battles: Battles, layout: ParameterLayout) -> WhitenedClusters:
    """Return L', and of each cluster K_g and A_g = (I - K_g)^(-1/2), from its information J_g."""
    assert battles.groups is not None
    k = layout.k
    count = int(battles.groups.max()) + 1
    cells = (battles.groups * k + battles.first) * k + battles.second
    total = np.bincount(cells, battles.weights, minlength=count * k * k).astype(np.float64)
    chances = outcome_probabilities(*layout.split(fit.values))
    values, vectors = np.linalg.eigh(fit.inverse)
    estimable = np.argsort(values)[1:]  # all but the mean of the strengths
    root = (vectors[:, estimable] * np.sqrt(values[estimable])).T
    shares = root @ information(total.reshape(count, k, k), chances, layout) @ root.T
    eigenvalues, directions = np.linalg.eigh(0.5 * (shares + np.swapaxes(shares, 1, 2)))
    complements = 1.0 - eigenvalues
    factors = np.where(
        complements > ONE_CLUSTER_TOLERANCE,
        1.0 / np.sqrt(np.maximum(complements, ONE_CLUSTER_TOLERANCE)),
        0.0,
    )
    a = (directions * factors[:, None, :]) @ np.swapaxes(directions, 1, 2)
    return WhitenedClusters(root, shares, factors=a)


def cluster_covariance(
    fit: Fit, battles: Battles, layout: ParameterLayout, anchor: int | None, *, use_cr1: bool
) -> tuple[Matrix, DegreesOfFreedom]:
    """Return the CR2 covariance (p, p) with Satterthwaite's df, or CR1 with G - 1 df if `use_cr1`.

    Where arrays over clusters and parameters are too large, the covariance is CR1 with the degrees
    of freedom of a mean in clusters of these sizes.
    """
    assert battles.groups is not None
    p = fit.values.size
    first, second = np.triu_indices(layout.k, 1)
    count = int(battles.groups.max()) + 1
    large = count * p * p > MOST_NUMBERS or count * p**3 * min(count, p) > MOST_MULTIPLICATIONS
    if use_cr1 or large or count < 2:
        df = count - 1.0
        if large and not use_cr1:
            df = cluster_df(cluster_sizes(battles.groups))
        df = df if count > 1 else math.nan
        degrees = DegreesOfFreedom(np.full(p, df), np.full(first.size, df))
        return cluster_sandwich(fit, battles, layout), degrees
    variance = whiten_clusters(fit, battles, layout)
    sums = cluster_scores(
        battles, battles.groups, battle_scores(fit, battles, layout), layout.k + 2
    )
    whitened = sums[:, layout.indices] @ variance.root.T
    r = (variance.factors @ whitened[:, :, None])[:, :, 0] @ variance.root
    parameters = np.arange(p)
    # strengths are differences from the anchor; index p is the constant 0
    reference = np.where(parameters < layout.k, p if anchor is None else anchor, p)
    return r.T @ r, DegreesOfFreedom(variance.df(parameters, reference), variance.df(first, second))


def battle_scores(fit: Fit, battles: Battles, layout: ParameterLayout) -> Matrix:
    """Return each battle's derivatives (2, n) of the log-likelihood by x and by log nu."""
    tables = score_residuals(outcome_probabilities(*layout.split(fit.values)))
    cells = (battles.outcome, battles.first, battles.second)
    scores = np.stack([table[cells] for table in tables])
    return scores if battles.weights is None else scores * battles.weights


def cluster_sandwich(fit: Fit, battles: Battles, layout: ParameterLayout) -> Matrix:
    """Return the CR1 covariance (p, p): Liang and Zeger's (1986) times G / (G - 1)."""
    assert battles.groups is not None
    n_groups = int(battles.groups.max()) + 1
    if n_groups < 2:
        return np.full(fit.inverse.shape, math.nan)
    scores = battle_scores(fit, battles, layout)
    products = (
        dense_score_products
        if n_groups * (layout.k + 2) <= DENSE_CELLS_PER_SCORE * scores.size
        else sparse_score_products
    )
    meat = products(battles, battles.groups, scores, layout.k + 2)
    meat = meat[np.ix_(layout.indices, layout.indices)]
    return n_groups / (n_groups - 1) * (fit.inverse @ meat @ fit.inverse)


def dense_score_products(battles: Battles, groups: Integers, scores: Matrix, p: int) -> Matrix:
    """Return the sum of S_g S_g' (p, p) over clusters, from a table of all S_g."""
    sums = cluster_scores(battles, groups, scores, p)
    return np.asarray(sums.T @ sums)


def cluster_scores(battles: Battles, groups: Integers, scores: Matrix, p: int) -> Matrix:
    """Return the sums S_g (G, p) of battle scores over clusters: strengths, log nu, order."""
    n_groups = int(groups.max()) + 1
    of_x, of_log_nu = scores
    start, cells = groups * p, n_groups * p
    as_first = np.bincount(start + battles.first, of_x, minlength=cells)
    as_second = np.bincount(start + battles.second, of_x, minlength=cells)
    sums = (as_first - as_second).reshape(-1, p)
    sums[:, p - 2] = np.bincount(groups, of_log_nu)
    sums[:, p - 1] = np.bincount(groups, of_x)
    return np.asarray(sums)


def sparse_score_products(battles: Battles, groups: Integers, scores: Matrix, p: int) -> Matrix:
    """Return the sum of S_g S_g' (p, p) for many models, from the nonzero entries of each S_g."""
    halves = np.zeros((p, p))
    order = np.argsort(groups, kind="stable")
    scratch = np.zeros(p), np.zeros(p, np.int64), np.full(p, -1)
    models = battles.first, battles.second
    add_cluster_products(order, groups, *models, scores, *scratch, halves)
    return halves + halves.T


MODEL_TITLES = {
    "davidson": "Davidson's model of ties",
    "half": "Bradley-Terry model, ties as half wins",
    None: "Bradley-Terry model",
}


class DesignFit(NamedTuple):
    """The estimated parameters of a design with their covariance, NaN if no estimate exists."""

    values: Vector
    covariance: Matrix
    log_likelihood: float
    layout: ParameterLayout
    design: Design
    degrees: DegreesOfFreedom
    status: str

    def fields(self, anchor: int | None) -> Fields:
        """Return the fields of the result, with the anchor's strength 0, or the mean of all."""
        values, covariance = self.values, self.covariance
        k = self.layout.k
        if anchor is not None:
            move = np.eye(values.size)
            move[:k, anchor] -= 1.0
            values, covariance = move @ values, move @ covariance @ move.T
        model_df = self.degrees.parameters
        error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        error[np.isnan(model_df)] = math.nan  # determined by one cluster alone
        order, tie = self.layout.order_index, self.layout.tie_index
        none = -math.inf if self.design.ties == "davidson" else None  # nobody tied
        return Fields(
            strengths=values[:k],
            standard_error=error[:k],
            covariance=covariance[:k, :k],
            order_effect=float(values[order]) if self.layout.order else None,
            order_effect_standard_error=float(error[order]) if self.layout.order else None,
            log_tie=float(values[tie]) if self.layout.ties else none,
            log_tie_standard_error=float(error[tie]) if self.layout.ties else None,
            df=model_df[:k]
            if np.unique(self.degrees.pairs).size > 1
            else float(self.degrees.pairs[0]),
            log_likelihood=self.log_likelihood,
            status=self.status,
            _degrees=self.degrees,
        )


def fit_design(
    battles: Battles, counts: Counts, design: Design, graph: WinGraph, anchor: int | None
) -> DesignFit:
    """Return the estimate with the covariance that the design asks for, NaN if none exists."""
    layout = parameter_layout(counts, design)
    p = layout.indices.size
    degrees = DegreesOfFreedom(
        np.full(p, math.inf), np.full(layout.k * (layout.k - 1) // 2, math.inf)
    )
    if not graph.connected or not has_estimate(counts, design, layout):
        status = "no_finite_estimate" if graph.connected else "not_connected"
        nothing = np.full(p, math.nan), np.full((p, p), math.nan), math.nan
        return DesignFit(*nothing, layout, design, degrees, status)
    fit = fit_battles(counts, layout)
    covariance = fit.inverse
    status = "ok"
    if battles.groups is not None:
        use_cr1 = design.method == "cr1"
        covariance, degrees = cluster_covariance(fit, battles, layout, anchor, use_cr1=use_cr1)
        df_by_sizes = cluster_df(cluster_sizes(battles.groups))
        status = cluster_status(
            df_by_sizes if use_cr1 else float(np.min(degrees.parameters[: layout.k]))
        )
    elif design.method == "sandwich":
        squared = counts if design.with_frequencies else count_battles(battles, 2)
        covariance = battle_sandwich(fit, squared, layout)
    if status == "ok" and not design.order and in_one_order(battles, counts):
        status = "one_order"
    return DesignFit(fit.values, covariance, fit.log_likelihood, layout, design, degrees, status)


FEWEST_REPETITIONS = 10  # of pairs, all in the same order: not by chance


def in_one_order(battles: Battles, counts: Counts) -> bool:
    """Return whether each pair's battles all showed one model first, in at least 10 repetitions."""
    had_battles = counts.total > 0.0  # the row's model being shown first
    repetitions = battles.first.size - np.count_nonzero(had_battles)
    in_both_orders = (had_battles & had_battles.T).any()
    return bool(repetitions >= FEWEST_REPETITIONS) and not in_both_orders


def battle_fields(battles: Battles, design: Design, graph: WinGraph) -> Fields:
    """Return the fields that describe the battles: names, counts, method, connected groups."""
    names = battles.names
    first = [names[group[0]] for group in graph.groups]
    frequencies = battles.weights if design.with_frequencies else None
    tied = battles.outcome == TIE
    ties = np.count_nonzero(tied) if frequencies is None else frequencies[tied].sum()
    return Fields(
        names=names,
        ties=design.ties,
        method=f"{MODEL_TITLES[design.ties]}, {standard_error_title(battles, design)}",
        n=battles.first.size if frequencies is None else int(frequencies.sum()),
        n_ties=int(ties) + battles.ties_left,
        n_groups=battles.n_groups,
        n_dropped=battles.left_out,
        components=tuple(tuple(names[j] for j in group) for group in graph.groups),
        reaches={
            name: tuple(first[g] for g in np.flatnonzero(led).tolist())
            for name, led in zip(first, graph.leads, strict=True)
        },
    )


def standard_error_title(battles: Battles, design: Design) -> str:
    """Return the name of the standard errors, as 'sandwich by cluster'."""
    if design.method == "model":
        return "likelihood-based standard errors"
    factor = " with Liang and Zeger's factor" if design.method == "cr1" else ""
    return f"sandwich by {'battle' if battles.groups is None else 'cluster'}{factor}"
