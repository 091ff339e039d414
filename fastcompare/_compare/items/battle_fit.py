"""From battles to the estimate and its standard errors, where there are any."""

from __future__ import annotations

import math
from typing import NamedTuple, TypedDict

import numpy as np

from ..._base.types import Matrix, Vector
from ..._inference.clusters import cluster_df, cluster_sizes, cluster_status
from ..._inputs.battles import TIED, Battles, Design
from .battle_clusters import ClusterErrors, cluster_errors
from .battle_graph import Graph, has_estimate
from .battle_model import (
    Counts,
    Family,
    cluster_sandwich,
    count_battles,
    family_of,
    fit_battles,
    row_sandwich,
)

MODELS = {
    "davidson": "Davidson's model of ties",
    "half": "Bradley-Terry model, a tie half a win",
    None: "Bradley-Terry model",
}


class StrengthFields(TypedDict):
    """Fields of a `BradleyTerryResult` that come from the estimate."""

    strengths: Vector
    standard_error: Vector
    covariance: Matrix
    order_effect: float | None
    order_effect_standard_error: float | None
    log_tie: float | None
    log_tie_standard_error: float | None
    df: float | Vector
    log_likelihood: float
    status: str
    _errors: ClusterErrors | None


class BattleFields(TypedDict):
    """Fields of a `BradleyTerryResult` that say what it came from."""

    names: tuple[str, ...]
    ties: str | None
    method: str
    n: int
    n_ties: int
    n_groups: int | None
    n_dropped: int
    components: tuple[tuple[str, ...], ...]
    reaches: dict[str, tuple[str, ...]]


class DesignFit(NamedTuple):
    """The estimate of all parameters and its covariance, NaN where none exist."""

    values: Vector
    covariance: Matrix
    log_likelihood: float
    family: Family
    design: Design
    df: float
    status: str
    errors: ClusterErrors | None = None

    def fields(self, anchor: int | None) -> StrengthFields:
        """Return the fields for a mean strength of 0, or for this model's."""
        values, covariance = self.values, self.covariance
        k = self.family.k
        if anchor is not None:
            move = np.eye(values.size)
            move[:k, anchor] -= 1.0
            values, covariance = move @ values, move @ covariance @ move.T
        error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        df: float | Vector = self.df
        if self.errors is not None:
            at = np.zeros(values.size) if anchor is None else np.eye(values.size)[anchor]
            df = self.errors.df(np.eye(values.size)[:k] - at)
        order, tie = self.family.order_at, self.family.tie_at
        none = -math.inf if self.design.ties == "davidson" else None  # nobody tied
        return StrengthFields(
            strengths=values[:k],
            standard_error=error[:k],
            covariance=covariance[:k, :k],
            order_effect=float(values[order]) if self.family.order else None,
            order_effect_standard_error=float(error[order]) if self.family.order else None,
            log_tie=float(values[tie]) if self.family.ties else none,
            log_tie_standard_error=float(error[tie]) if self.family.ties else None,
            df=df,
            log_likelihood=self.log_likelihood,
            status=self.status,
            _errors=self.errors,
        )


def fit_design(battles: Battles, counts: Counts, design: Design, graph: Graph) -> DesignFit:
    """Return the estimate, if one exists, with the standard errors that are asked for."""
    family, df = family_of(counts, design), battle_df(battles)
    if not graph.connected or not has_estimate(counts, design, family):
        p = family.chosen.size
        status = "no_finite_estimate" if graph.connected else "not_connected"
        nothing = np.full(p, math.nan), np.full((p, p), math.nan), math.nan
        return DesignFit(*nothing, family, design, df, status)
    fit, errors = fit_battles(counts, family), None
    covariance, status = fit.inverse, sizes_status(battles)
    if design.method == "cr2":
        errors = cluster_errors(fit, battles, family)
    if errors is not None:
        covariance, df = (
            errors.covariance,
            float(np.min(errors.df(np.eye(family.k, family.chosen.size)))),
        )
        status = cluster_status(df)
    elif battles.groups is not None:
        covariance = cluster_sandwich(fit, battles, family)
    elif design.method == "sandwich":
        squared = counts if design.counted else count_battles(battles, 2)
        covariance = row_sandwich(fit, squared, family)
    return DesignFit(fit.values, covariance, fit.log_likelihood, family, design, df, status, errors)


def battle_df(battles: Battles) -> float:
    """Return the degrees of freedom of the standard errors; NaN for a single cluster."""
    if battles.n_groups is None:
        return math.inf
    return battles.n_groups - 1.0 if battles.n_groups > 1 else math.nan


def sizes_status(battles: Battles) -> str:
    """Return the status word of the clusters: t with G - 1 is for sizes that are not too unequal.

    Equal sizes carry G - 1 degrees of freedom, others fewer, as those of a mean do.
    """
    if battles.groups is None:
        return "ok"
    return cluster_status(cluster_df(cluster_sizes(battles.groups)))


def battle_fields(battles: Battles, design: Design, graph: Graph) -> BattleFields:
    """Return the fields that say what the estimate came from."""
    names = battles.names
    first = [names[group[0]] for group in graph.groups]
    counted = battles.weights if design.counted else None
    tied = battles.outcome == TIED
    ties = np.count_nonzero(tied) if counted is None else counted[tied].sum()
    return BattleFields(
        names=names,
        ties=design.ties,
        method=f"{MODELS[design.ties]}, {errors_title(battles, design)}",
        n=battles.first.size if counted is None else int(counted.sum()),
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
        return "standard errors of the likelihood"
    kind = "sandwich CR2" if design.method == "cr2" else "sandwich"
    return f"{kind} by {'battle' if battles.groups is None else 'cluster'}"
