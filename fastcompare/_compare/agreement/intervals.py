"""Intervals of the measures of how alike two models err, and the table of all measures.

Agresti and Coull (1998) add z^2 cases, half of them successes, to one proportion before they take
Wald's interval. Intervals called adjusted do so with a joint table: z^2 cases, about four, half on
its diagonal and half off it. Without them few errors have next to no variance: of 2 x 2 tables of
30 cases Wald's interval of kappa covers .10 to .93, this one .948 or more (docs/labels.md).
"""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..._inference.proportions import wilson_ends
from .measures import (
    Floats,
    correlation,
    correlation_error,
    disagreement,
    distances_for,
    double_fault,
    kappa_error,
    kappa_estimate,
    log_odds_error,
    proportion_error,
    total,
    yule_q,
    yule_q_error,
)

Ends = tuple[Any, Any]


class Measure(NamedTuple):
    """How people call a measure, its bounds, how it comes from a table, and its intervals by name.

    ``estimate(table)``, ``error(table, estimate)``, ``intervals[method](table, estimate, error,
    z)``, for the normal quantile `z`; the first method is the default. NaN where something is not
    defined.
    """

    title: str
    bounds: tuple[float, float]
    estimate: Callable[[Floats], Floats]
    error: Callable[[Floats, Floats], Floats]
    intervals: Mapping[str, Callable[[Floats, Floats, Floats, float], Ends]]

    @property
    def method(self) -> str:
        """The name of the default interval."""
        return next(iter(self.intervals))


def proportion_ends(table: Floats, p: Floats, _: Floats, z: float) -> Ends:
    """Return Wilson's interval of a proportion."""
    return wilson_ends(p, total(table), z)


def with_cases(table: Floats, z: float, distances: Floats | None = None) -> Floats:
    """Return the table with z^2 cases more, half on the diagonal in equal shares.

    Those off it have shares in proportion to the distance of their labels. Of five ways to share
    them only this covered .93 or more with 2, 3, 5 and 10 labels and all weights.
    """
    k, d = len(table), distances_for(table, distances)
    same = np.eye(k).reshape(d.shape) / k
    return np.asarray(table + z * z * 0.5 * (same + d / d.sum()))


@np.errstate(divide="ignore", invalid="ignore")
def kappa_ends(
    table: Floats, _: Floats, __: Floats, z: float, distances: Floats | None = None
) -> Ends:
    """Return Wald's interval of kappa with z^2 cases more."""
    more = with_cases(table, z, distances)
    centre = kappa_estimate(more, distances)
    radius = z * kappa_error(more, centre, distances)
    return centre - radius, centre + radius


def correlation_ends(table: Floats, _: Floats, __: Floats, z: float) -> Ends:
    """Return Wald's interval of the correlation with z^2 cases more."""
    more = with_cases(table, z)
    centre = correlation(more)
    radius = z * correlation_error(more, centre)
    return centre - radius, centre + radius


def agresti_ends(table: Floats, _: Floats, __: Floats, z: float) -> Ends:
    """Return Yule's Q at the ends of the log odds ratio's interval of Agresti (1999).

    Two cases are added, spread as independent errors would be. Where a model is always right, or
    never, the data say nothing of Q: the interval is [-1, 1].
    """
    n = total(table)
    independent = table.sum(axis=1)[:, None] * table.sum(axis=0)[None] / (n * n)
    known = (independent > 0.0).all(axis=(0, 1))
    low, high = woolf_ends(np.where(known, table + 2.0 * independent, 1.0), z)
    return np.where(known, low, -1.0), np.where(known, high, 1.0)


def woolf_ends(table: Floats, z: float) -> Ends:
    """Return tanh of half the interval of the log odds ratio; Woolf (1955)."""
    logs, radius = np.log(table), z * log_odds_error(table)
    centre = logs[0, 0] + logs[1, 1] - logs[0, 1] - logs[1, 0]
    return np.tanh(0.5 * (centre - radius)), np.tanh(0.5 * (centre + radius))


@np.errstate(divide="ignore", invalid="ignore")
def odds_ends(table: Floats, q: Floats, _: Floats, z: float) -> Ends:
    """Return Woolf's interval, NaN with an empty cell."""
    low, high = woolf_ends(table, z)
    return np.where(np.isnan(q), math.nan, low), np.where(np.isnan(q), math.nan, high)


@np.errstate(divide="ignore", invalid="ignore")
def fisher_ends(_: Floats, estimate: Floats, error: Floats, z: float) -> Ends:
    """Return the interval of artanh(estimate), turned back: it stays within [-1, 1]."""
    centre, radius = np.arctanh(estimate), z * positive(error) / (1.0 - estimate**2)
    return np.tanh(centre - radius), np.tanh(centre + radius)


def normal_ends(_: Floats, estimate: Floats, error: Floats, z: float) -> Ends:
    """Return the symmetric interval."""
    return estimate - z * positive(error), estimate + z * positive(error)


def positive(error: Floats) -> Floats:
    """Return the standard error, NaN for 0: an interval of one point would claim too much."""
    return np.where(error > 0.0, error, math.nan)


UNIT, SIGNED = (0.0, 1.0), (-1.0, 1.0)
WILSON = {"Wilson": proportion_ends}
MEASURES = {
    "disagreement": Measure("disagreement", UNIT, disagreement, proportion_error, WILSON),
    "cohen_kappa": Measure(
        "Cohen's kappa",
        SIGNED,
        kappa_estimate,
        kappa_error,
        {"adjusted": kappa_ends, "fleiss": normal_ends},
    ),
    "yule_q": Measure(
        "Yule's Q", SIGNED, yule_q, yule_q_error, {"agresti": agresti_ends, "woolf": odds_ends}
    ),
    "correlation": Measure(
        "correlation of errors",
        SIGNED,
        correlation,
        correlation_error,
        {"adjusted": correlation_ends, "artanh": fisher_ends},
    ),
    "double_fault": Measure("double fault", UNIT, double_fault, proportion_error, WILSON),
}
