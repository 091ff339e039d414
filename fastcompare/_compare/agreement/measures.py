"""The measures of how alike two models err, from tables of counts; for one pair or many at once.

Notation: a table has shape (2, 2, ...), [[n11, n10], [n01, n00]]: n11 cases that both models get
right, n10 that only the first, n01 that only the second, n00 that neither gets right. Kappa takes
tables (K, K, ...) of labels as well. p are the shares of the cells, p_i. and p_.j their sums.

A standard error is that of the delta method, sqrt(sum p f^2 / n), where f is the influence of a
case of each cell. That never takes a difference of squares, so near-perfect agreement keeps its
digits.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ROUNDING = 1e-13  # below, a standard error is 0 but for rounding: the others exceed 1 / n


def total(table: Floats) -> Floats:
    """Return the number of cases."""
    return np.asarray(table.sum(axis=(0, 1)))


def disagreement(table: Floats) -> Floats:
    """Return the share of cases that exactly one model gets right."""
    return np.asarray((table[0, 1] + table[1, 0]) / total(table))


def double_fault(table: Floats) -> Floats:
    """Return the share of cases that both models get wrong."""
    return np.asarray(table[1, 1] / total(table))


def proportion_error(table: Floats, p: Floats) -> Floats:
    """Return the standard error of a proportion."""
    return np.asarray(np.sqrt(p * (1.0 - p) / total(table)))


def yule_q(table: Floats) -> Floats:
    """Return Yule's Q = (n11 n00 - n10 n01) / (n11 n00 + n10 n01); NaN with an empty cell."""
    same, other = table[0, 0] * table[1, 1], table[0, 1] * table[1, 0]
    filled = (table > 0.0).all(axis=(0, 1))
    return np.asarray((same - other) / np.where(filled, same + other, math.nan))


@np.errstate(divide="ignore", invalid="ignore")
def yule_q_error(table: Floats, q: Floats) -> Floats:
    """Return (1 - Q^2) / 2 times the standard error of the log odds ratio."""
    same, other = table[0, 0] * table[1, 1], table[0, 1] * table[1, 0]
    slope = 2.0 * (same / (same + other)) * (other / (same + other))  # (1 - Q^2) / 2
    return np.where(np.isnan(q), math.nan, slope * log_odds_error(table))


def log_odds_error(table: Floats) -> Floats:
    """Return the standard error of ln(n11 n00 / (n10 n01)); Woolf (1955)."""
    return np.asarray(np.sqrt((1.0 / table).sum(axis=(0, 1))))


@np.errstate(divide="ignore", invalid="ignore")
def correlation(table: Floats) -> Floats:
    """Return the correlation of the two models' correctness, the phi coefficient."""
    p = table / total(table)
    scale = np.sqrt(p.sum(axis=1).prod(axis=0) * p.sum(axis=0).prod(axis=0))
    phi = (p[0, 0] * p[1, 1] - p[0, 1] * p[1, 0]) / scale
    return np.asarray(np.clip(phi, -1.0, 1.0))


@np.errstate(divide="ignore", invalid="ignore")
def correlation_error(table: Floats, phi: Floats) -> Floats:
    """Return phi's standard error; Bishop, Fienberg, Holland (1975), chapter 11.

    With u and v the standardized correctness, the influence is u v - phi (u^2 + v^2) / 2.
    """
    n = total(table)
    p = table / n
    u, v = (side[::-1] / np.sqrt(side.prod(axis=0)) for side in (p.sum(axis=1), p.sum(axis=0)))
    u[1], v[1] = -u[1], -v[1]
    influence = u[:, None] * v[None] - 0.5 * phi * (u[:, None] ** 2 + v[None] ** 2)
    return error_of(p, influence, n)


@np.errstate(divide="ignore", invalid="ignore")
def kappa_estimate(table: Floats, distances: Floats | None = None) -> Floats:
    """Return kappa = 1 - D_o / D_e, weighted by distances (K, K) of labels, 0 on the diagonal.

    D_o = sum p_ij d_ij and D_e = sum p_i. p_.j d_ij are the shares of disagreement, observed and by
    chance: 1 less Cohen's p_o and p_e, without their cancellation.
    """
    rows, columns = table.sum(axis=1)[:, None], table.sum(axis=0)[None]
    chance = rows * columns
    d = distances_for(table, distances)
    gain = (d * (chance - total(table) * table)).sum(axis=(0, 1))  # exactly 0 if a side is constant
    return np.asarray(gain / (d * chance).sum(axis=(0, 1)))


def kappa_error(table: Floats, _: Floats, distances: Floats | None = None) -> Floats:
    """Return kappa's standard error; Fleiss, Cohen, Everitt (1969)."""
    n = total(table)
    return error_of(table / n, kappa_influence(table, distances), n)


@np.errstate(divide="ignore", invalid="ignore")
def kappa_influence(table: Floats, distances: Floats | None = None) -> Floats:
    """Return the influence on kappa of a case of each cell.

    It is ((d_i. + d_.j) D_o - d_ij D_e - D_o D_e) / D_e^2.
    """
    _, p, d, means, chance = kappa_parts(table, distances)
    share = (d * p).sum(axis=(0, 1)) / chance
    return np.asarray((means * share - d) / chance - share)


@np.errstate(divide="ignore", invalid="ignore")
def kappa_null_error(table: Floats, distances: Floats | None = None) -> Floats:
    """Return kappa's standard error if the true kappa is 0; Fleiss, Cohen, Everitt (1969)."""
    n, p, d, means, chance = kappa_parts(table, distances)
    independent = p.sum(axis=1)[:, None] * p.sum(axis=0)[None]
    return error_of(independent, (means - d) / chance - 1.0, n)


class KappaParts(NamedTuple):
    """What errors of kappa are made of: n, the shares p, d_ij, d_i. + d_.j, and D_e."""

    n: Floats
    p: Floats
    d: Floats
    means: Floats
    chance: Floats


def kappa_parts(table: Floats, distances: Floats | None) -> KappaParts:
    """Return the parts of kappa; d_i. = sum_j p_.j d_ij and d_.j = sum_i p_i. d_ij."""
    n = total(table)
    p = table / n
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    d = distances_for(table, distances)
    of_rows, of_columns = (d * columns[None]).sum(axis=1), (d * rows[:, None]).sum(axis=0)
    chance = np.asarray((rows * of_rows).sum(axis=0))
    return KappaParts(n, p, d, of_rows[:, None] + of_columns[None], chance)


def distances_for(table: Floats, distances: Floats | None) -> Floats:
    """Return distances (K, K, 1 ...) for the table, by default 1 between any two labels."""
    d = 1.0 - np.eye(len(table)) if distances is None else distances
    return d.reshape(d.shape + (1,) * (table.ndim - 2))


def error_of(p: Floats, influence: Floats, n: Floats) -> Floats:
    """Return the standard error sqrt(sum p f^2 / n)."""
    error = np.sqrt((p * influence**2).sum(axis=(0, 1)) / n)
    return np.where(error < ROUNDING, 0.0, error)
