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
    Family,
    Fit,
    Graph,
    count_battles,
    fit_battles,
    has_estimate,
    information,
    outcome_chances,
    parameter_family,
    row_sandwich,
    score_residuals,
)

DENSE = 4  # numbers a score: 10^6 battles of 10^4 clusters take two thirds of the time so
MOST_NUMBERS, MOST_WORK = 1 << 22, 1 << 31  # G p^2 and G p^3 min(G, p): 32 MiB, a second
ONE_CLUSTER = 1e-8  # of 1: what one cluster alone tells, up to rounding


class Degrees(NamedTuple):
    """Degrees of freedom of all parameters (p,) and of all pairs of models (P,); NaN for none."""

    parameters: Vector
    pairs: Vector


class VarianceEstimate(NamedTuple):
    """L' (q, p), K_g and A_g (G, q, q), of the q = p - 1 directions that battles determine."""

    root: Matrix
    shares: Matrix
    factors: Matrix

    def df(self, first: Integers, second: Integers) -> Vector:
        """Return the degrees of freedom of differences of parameters; of a parameter less p, 0.

        NaN where one cluster alone determines it.
        """
        root = np.pad(self.root, ((0, 0), (0, 1)))
        most = max(1, MOST_NUMBERS // (len(self.shares) * len(root)))
        scaled = self.factors @ root  # A L'
        b = np.ascontiguousarray(np.moveaxis(self.shares @ scaled, 2, 0))  # (p + 1, G, q)
        quadratic = np.swapaxes(scaled, 1, 2) @ self.shares @ scaled  # L A K A L'
        dfs = [
            satterthwaite_df(
                b[i] - b[j],
                quadratic[:, i, i] + quadratic[:, j, j] - 2.0 * quadratic[:, i, j],
                np.square(root[:, i] - root[:, j]).sum(axis=0),
            )
            for i, j in zip(blocks(first, most), blocks(second, most), strict=True)
        ]
        return np.concatenate(dfs)


def satterthwaite_df(b: Matrix, quadratic: Matrix, size: Vector) -> Vector:
    """Return (tr Q)^2 / tr(Q^2) of contrasts, from b_g (m, G, q), a' A K A a (G, m) and a'a."""
    turned = np.swapaxes(b, 1, 2)
    squares = np.square(b).sum(axis=2).T
    products = b @ turned if b.shape[1] < b.shape[2] else turned @ b
    trace = (quadratic - squares).sum(axis=0)
    square = (quadratic * (quadratic - 2.0 * squares)).sum(axis=0) + np.square(products).sum(
        axis=(1, 2)
    )
    is_estimable = trace >= (1.0 - ONE_CLUSTER**0.5) * size
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.where(is_estimable, trace * trace / square, math.nan)
    return np.where(size == 0.0, math.inf, df)


def blocks(places: Integers, most: int) -> list[Integers]:
    """Return the places in blocks of at most so many."""
    return np.split(places, range(most, places.size, most))


def cluster_variance(fit: Fit, battles: Battles, family: Family) -> VarianceEstimate:
    """Return the share of each cluster in each direction, and the factors of its score."""
    assert battles.groups is not None
    k = family.k
    count = int(battles.groups.max()) + 1
    cells = (battles.groups * k + battles.first) * k + battles.second
    total = np.bincount(cells, battles.weights, minlength=count * k * k).astype(np.float64)
    chances = outcome_chances(*family.split(fit.values))
    values, vectors = np.linalg.eigh(fit.inverse)
    estimable = np.argsort(values)[1:]  # all but the mean of the strengths
    root = (vectors[:, estimable] * np.sqrt(values[estimable])).T
    shares = root @ information(total.reshape(count, k, k), chances, family) @ root.T
    eigenvalues, turned = np.linalg.eigh(0.5 * (shares + np.swapaxes(shares, 1, 2)))
    rest = 1.0 - eigenvalues
    factors = np.where(rest > ONE_CLUSTER, 1.0 / np.sqrt(np.maximum(rest, ONE_CLUSTER)), 0.0)
    return VarianceEstimate(
        root, shares, (turned * factors[:, None, :]) @ np.swapaxes(turned, 1, 2)
    )


def cluster_errors(
    fit: Fit, battles: Battles, family: Family, anchor: int | None, *, plain: bool
) -> tuple[Matrix, Degrees]:
    """Return CR2 with Satterthwaite's degrees of freedom, or CR1 with G - 1 if `plain`.

    Where tables of all clusters and models are too large the covariance is CR1, with the degrees of
    freedom of a mean in clusters of these sizes.
    """
    assert battles.groups is not None
    p, (first, second) = fit.values.size, np.triu_indices(family.k, 1)
    count = int(battles.groups.max()) + 1
    large = count * p * p > MOST_NUMBERS or count * p**3 * min(count, p) > MOST_WORK
    if plain or large or count < 2:
        df = cluster_df(cluster_sizes(battles.groups)) if large and not plain else count - 1.0
        df = df if count > 1 else math.nan
        degrees = Degrees(np.full(p, df), np.full(first.size, df))
        return cluster_sandwich(fit, battles, family), degrees
    variance = cluster_variance(fit, battles, family)
    sums = cluster_scores(battles, battles.groups, score_rows(fit, battles, family), family.k + 2)
    whitened = sums[:, family.chosen] @ variance.root.T
    r = (variance.factors @ whitened[:, :, None])[:, :, 0] @ variance.root
    every = np.arange(p)
    less = np.where(every < family.k, p if anchor is None else anchor, p)
    return r.T @ r, Degrees(variance.df(every, less), variance.df(first, second))


def score_rows(fit: Fit, battles: Battles, family: Family) -> Matrix:
    """Return the scores (2, n) of each battle, for x and for log nu."""
    tables = score_residuals(outcome_chances(*family.split(fit.values)))
    cells = (battles.outcome, battles.first, battles.second)
    scores = np.stack([table[cells] for table in tables])
    return scores if battles.weights is None else scores * battles.weights


def cluster_sandwich(fit: Fit, battles: Battles, family: Family) -> Matrix:
    """Return the covariance of clusters, Liang and Zeger (1986), times G / (G - 1)."""
    assert battles.groups is not None
    n_groups = int(battles.groups.max()) + 1
    if n_groups < 2:
        return np.full(fit.inverse.shape, math.nan)
    scores = score_rows(fit, battles, family)
    products = dense_products if n_groups * (family.k + 2) <= DENSE * scores.size else few_products
    meat = products(battles, battles.groups, scores, family.k + 2)
    meat = meat[np.ix_(family.chosen, family.chosen)]
    return n_groups / (n_groups - 1) * (fit.inverse @ meat @ fit.inverse)


def dense_products(battles: Battles, groups: Integers, scores: Matrix, p: int) -> Matrix:
    """Return the sum of S_g S_g' by a table of all S_g."""
    sums = cluster_scores(battles, groups, scores, p)
    return np.asarray(sums.T @ sums)


def cluster_scores(battles: Battles, groups: Integers, scores: Matrix, p: int) -> Matrix:
    """Return the scores S_g (G, p) of all clusters."""
    n_groups = int(groups.max()) + 1
    start, cells = groups * p, n_groups * p
    as_first = np.bincount(start + battles.first, scores[0], minlength=cells)
    sums = (as_first - np.bincount(start + battles.second, scores[0], minlength=cells)).reshape(
        -1, p
    )
    sums[:, p - 2] = np.bincount(groups, scores[1])
    sums[:, p - 1] = np.bincount(groups, scores[0])
    return np.asarray(sums)


def few_products(battles: Battles, groups: Integers, scores: Matrix, p: int) -> Matrix:
    """Return the same by what each cluster touches, where that is little of so large a table."""
    halves = np.zeros((p, p))
    order = np.argsort(groups, kind="stable")
    scratch = np.zeros(p), np.zeros(p, np.int64), np.full(p, -1)
    who = battles.first, battles.second
    add_cluster_products(order, groups, *who, scores, *scratch, halves)
    return halves + halves.T


MODELS = {
    "davidson": "Davidson's model of ties",
    "half": "Bradley-Terry model, ties as half wins",
    None: "Bradley-Terry model",
}


class DesignFit(NamedTuple):
    """The estimate of all parameters and its covariance, NaN where none exist."""

    values: Vector
    covariance: Matrix
    log_likelihood: float
    family: Family
    design: Design
    degrees: Degrees
    status: str

    def fields(self, anchor: int | None) -> Fields:
        """Return the fields for a mean strength of 0, or for this model's."""
        values, covariance = self.values, self.covariance
        k = self.family.k
        if anchor is not None:
            move = np.eye(values.size)
            move[:k, anchor] -= 1.0
            values, covariance = move @ values, move @ covariance @ move.T
        model_df = self.degrees.parameters
        error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        error[np.isnan(model_df)] = math.nan  # what one cluster alone tells
        order, tie = self.family.order_at, self.family.tie_at
        none = -math.inf if self.design.ties == "davidson" else None  # nobody tied
        return Fields(
            strengths=values[:k],
            standard_error=error[:k],
            covariance=covariance[:k, :k],
            order_effect=float(values[order]) if self.family.order else None,
            order_effect_standard_error=float(error[order]) if self.family.order else None,
            log_tie=float(values[tie]) if self.family.ties else none,
            log_tie_standard_error=float(error[tie]) if self.family.ties else None,
            df=model_df[:k]
            if np.unique(self.degrees.pairs).size > 1
            else float(self.degrees.pairs[0]),
            log_likelihood=self.log_likelihood,
            status=self.status,
            _degrees=self.degrees,
        )


def fit_design(
    battles: Battles, counts: Counts, design: Design, graph: Graph, anchor: int | None
) -> DesignFit:
    """Return the estimate, if one exists, with the standard errors requested."""
    family = parameter_family(counts, design)
    p = family.chosen.size
    degrees = Degrees(np.full(p, math.inf), np.full(family.k * (family.k - 1) // 2, math.inf))
    if not graph.connected or not has_estimate(counts, design, family):
        status = "no_finite_estimate" if graph.connected else "not_connected"
        nothing = np.full(p, math.nan), np.full((p, p), math.nan), math.nan
        return DesignFit(*nothing, family, design, degrees, status)
    fit = fit_battles(counts, family)
    covariance = fit.inverse
    status = "ok"
    if battles.groups is not None:
        plain = design.method == "cr1"
        covariance, degrees = cluster_errors(fit, battles, family, anchor, plain=plain)
        sizes = cluster_df(cluster_sizes(battles.groups))
        status = cluster_status(sizes if plain else float(np.min(degrees.parameters[: family.k])))
    elif design.method == "sandwich":
        squared = counts if design.with_frequencies else count_battles(battles, 2)
        covariance = row_sandwich(fit, squared, family)
    if status == "ok" and not design.order and in_one_order(battles, counts):
        status = "one_order"
    return DesignFit(fit.values, covariance, fit.log_likelihood, family, design, degrees, status)


CHANCE = 10  # tosses: that so many agree is no chance


def in_one_order(battles: Battles, counts: Counts) -> bool:
    """Return whether the same model was shown first in all battles of each pair, by no chance."""
    met = counts.total > 0.0
    repeated = battles.first.size - np.count_nonzero(met)
    return bool(repeated >= CHANCE) and not (met & met.T).any()


def battle_fields(battles: Battles, design: Design, graph: Graph) -> Fields:
    """Return the fields that say what the estimate came from."""
    names = battles.names
    first = [names[group[0]] for group in graph.groups]
    frequencies = battles.weights if design.with_frequencies else None
    tied = battles.outcome == TIE
    ties = np.count_nonzero(tied) if frequencies is None else frequencies[tied].sum()
    return Fields(
        names=names,
        ties=design.ties,
        method=f"{MODELS[design.ties]}, {errors_title(battles, design)}",
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


def errors_title(battles: Battles, design: Design) -> str:
    """Return the kind of standard errors for people."""
    if design.method == "model":
        return "likelihood-based standard errors"
    plain = " with Liang and Zeger's factor" if design.method == "cr1" else ""
    return f"sandwich by {'battle' if battles.groups is None else 'cluster'}{plain}"
