"""From battles to the estimate and its standard errors, where there are any."""

from __future__ import annotations

import math
from typing import NamedTuple, TypedDict

import numpy as np

from ..._base.types import Matrix, Vector
from ..._inference.clusters import cluster_df, cluster_sizes, cluster_status
from ..._inputs.battles import TIED, Battles, Design
from .battle_clusters import Degrees, cluster_errors
from .battle_graph import Graph, has_estimate
from .battle_model import (
    Counts,
    Family,
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
    _degrees: Degrees


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
    degrees: Degrees
    status: str

    def fields(self, anchor: int | None) -> StrengthFields:
        """Return the fields for a mean strength of 0, or for this model's."""
        values, covariance = self.values, self.covariance
        k = self.family.k
        if anchor is not None:
            move = np.eye(values.size)
            move[:k, anchor] -= 1.0
            values, covariance = move @ values, move @ covariance @ move.T
        own = self.degrees.own
        error = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        error[np.isnan(own)] = math.nan  # what one cluster alone tells
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
            df=own[:k] if np.unique(self.degrees.pairs).size > 1 else float(self.degrees.pairs[0]),
            log_likelihood=self.log_likelihood,
            status=self.status,
            _degrees=self.degrees,
        )


def fit_design(
    battles: Battles, counts: Counts, design: Design, graph: Graph, anchor: int | None
) -> DesignFit:
    """Return the estimate, if one exists, with the standard errors that are asked for."""
    family = family_of(counts, design)
    p = family.chosen.size
    degrees = Degrees(np.full(p, math.inf), np.full(family.k * (family.k - 1) // 2, math.inf))
    if not graph.connected or not has_estimate(counts, design, family):
        status = "no_finite_estimate" if graph.connected else "not_connected"
        nothing = np.full(p, math.nan), np.full((p, p), math.nan), math.nan
        return DesignFit(*nothing, family, design, degrees, status)
    fit = fit_battles(counts, family)
    covariance, status = fit.inverse, "ok"
    if battles.groups is not None:
        plain = design.method == "cr1"
        covariance, degrees = cluster_errors(fit, battles, family, anchor, plain=plain)
        sizes = cluster_df(cluster_sizes(battles.groups))
        status = cluster_status(sizes if plain else float(np.min(degrees.own[: family.k])))
    elif design.method == "sandwich":
        squared = counts if design.counted else count_battles(battles, 2)
        covariance = row_sandwich(fit, squared, family)
    return DesignFit(fit.values, covariance, fit.log_likelihood, family, design, degrees, status)


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
    plain = " with Liang and Zeger's factor" if design.method == "cr1" else ""
    return f"sandwich by {'battle' if battles.groups is None else 'cluster'}{plain}"
