"""Measures of how similarly models err, from tables of counts, with standard errors and intervals.

A table has shape (2, 2, ...), [[n11, n10], [n01, n00]]: n11 cases that both models get right, n10
only the first, n01 only the second, n00 neither. Kappa takes tables (K, K, ...) of labels as well.
With shares p of the cells and the influence f of a case of each, a standard error is
sqrt(sum p f^2 / n): no difference of squares, so near-perfect agreement keeps its digits. Adjusted
intervals are Wald's after z^2 cases, half of them on the diagonal (as Agresti and Coull 1998): of
30 cases Wald's of kappa covers .10 to .93, this one .948 or more (docs/evidence/labels.md).
Diversity is as in Kuncheva and Whitaker (2003): L models, N cases, r of them right on a case.
"""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.memory import reserve
from .._base.types import Fields
from .._inference.infer import wilson_ends
from .._inputs.counts import COPIES, MANY_LABELS, as_labelled_square, is_table_alone
from .._inputs.labels import count_few_labels
from .._inputs.plans.label_scales import as_label_names, as_label_order
from .._inputs.predictions import Predictions, as_pair_predictions, codes
from .._inputs.scores import UNNAMED
from ..labels._table import paired_sample

Floats = NDArray[np.float64]

ERROR_ROUNDING = 1e-13  # below, a standard error is 0 but for rounding: the others exceed 1 / n


def case_count(table: Floats) -> Floats:
    """Return the number of cases of each table (K, K, ...)."""
    n: Floats = np.add.reduce(table, (0, 1))  # half the time of its own sum
    return n


def disagreement(table: Floats) -> Floats:
    """Return the share of cases that exactly one model gets right."""
    share: Floats = (table[0, 1] + table[1, 0]) / case_count(table)
    return share


def double_fault(table: Floats) -> Floats:
    """Return the share of cases that both models get wrong."""
    share: Floats = table[1, 1] / case_count(table)
    return share


def proportion_error(table: Floats, p: Floats) -> Floats:
    """Return the standard error of a proportion."""
    error: Floats = np.sqrt(p * (1.0 - p) / case_count(table))
    return error


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
    p = table / case_count(table)
    scale = np.sqrt(p.sum(axis=1).prod(axis=0) * p.sum(axis=0).prod(axis=0))
    phi = (p[0, 0] * p[1, 1] - p[0, 1] * p[1, 0]) / scale
    return np.asarray(np.clip(phi, -1.0, 1.0))


@np.errstate(divide="ignore", invalid="ignore")
def correlation_error(table: Floats, phi: Floats) -> Floats:
    """Return phi's standard error; Bishop, Fienberg, Holland (1975), chapter 11.

    With u and v the standardized correctness, the influence is u v - phi (u^2 + v^2) / 2.
    """
    n = case_count(table)
    p = table / n
    # with a share p right, correctness is sqrt((1 - p) / p) if right, -sqrt(p / (1 - p)) if wrong
    u, v = (side[::-1] / np.sqrt(side.prod(axis=0)) for side in (p.sum(axis=1), p.sum(axis=0)))
    u[1], v[1] = -u[1], -v[1]
    influence = u[:, None] * v[None] - 0.5 * phi * (u[:, None] ** 2 + v[None] ** 2)
    return influence_error(p, influence, n)


@np.errstate(divide="ignore", invalid="ignore")
def kappa_estimate(table: Floats, distances: Floats | None = None) -> Floats:
    """Return kappa = 1 - D_o / D_e, weighted by distances (K, K) of labels, 0 on the diagonal.

    D_o = sum p_ij d_ij and D_e = sum p_i. p_.j d_ij are the shares of disagreement, observed and by
    chance: 1 less Cohen's p_o and p_e, without their cancellation.
    """
    rows = table.sum(axis=1)[:, None]
    columns = table.sum(axis=0)[None]
    chance = rows * columns
    d = distances_for(table, distances)
    beyond_chance = d * (
        chance - case_count(table) * table
    )  # sums to exactly 0 if a side is constant
    return np.asarray(beyond_chance.sum(axis=(0, 1)) / (d * chance).sum(axis=(0, 1)))


def kappa_error(table: Floats, _: Floats, distances: Floats | None = None) -> Floats:
    """Return kappa's standard error, which needs no estimate; Fleiss, Cohen, Everitt (1969)."""
    n = case_count(table)
    return influence_error(table / n, kappa_influence(table, distances), n)


@np.errstate(divide="ignore", invalid="ignore")
def kappa_influence(table: Floats, distances: Floats | None = None) -> Floats:
    """Return the influence on kappa of a case of each cell.

    It is ((d_i. + d_.j) D_o - d_ij D_e - D_o D_e) / D_e^2.
    """
    parts = kappa_parts(table, distances)
    d, means, chance = parts.distances, parts.mean_distances, parts.chance
    share = (d * parts.shares).sum(axis=(0, 1)) / chance
    return np.asarray((means * share - d) / chance - share)


@np.errstate(divide="ignore", invalid="ignore")
def kappa_null_error(table: Floats, distances: Floats | None = None) -> Floats:
    """Return kappa's standard error if the true kappa is 0; Fleiss, Cohen, Everitt (1969)."""
    parts = kappa_parts(table, distances)
    p, d, means, chance = parts.shares, parts.distances, parts.mean_distances, parts.chance
    independent = p.sum(axis=1)[:, None] * p.sum(axis=0)[None]
    return influence_error(independent, (means - d) / chance - 1.0, parts.n)


class KappaParts(NamedTuple):
    """What kappa's standard errors are computed from: n, p_ij, d_ij, d_i. + d_.j, and D_e.

    Here d_i. = sum_j p_.j d_ij and d_.j = sum_i p_i. d_ij are mean distances to a label, under
    chance.
    """

    n: Floats
    shares: Floats
    distances: Floats
    mean_distances: Floats
    chance: Floats


def kappa_parts(table: Floats, distances: Floats | None) -> KappaParts:
    """Return the parts of the standard errors of kappa for a table (K, K, ...)."""
    n = case_count(table)
    p = table / n
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    d = distances_for(table, distances)
    of_rows = (d * columns[None]).sum(axis=1)
    of_columns = (d * rows[:, None]).sum(axis=0)
    chance = np.asarray((rows * of_rows).sum(axis=0))
    return KappaParts(n, p, d, of_rows[:, None] + of_columns[None], chance)


def distances_for(table: Floats, distances: Floats | None) -> Floats:
    """Return distances (K, K, 1 ...) for the table, by default 1 between any two labels."""
    d = 1.0 - np.eye(len(table)) if distances is None else distances
    return d.reshape(d.shape + (1,) * (table.ndim - 2))


def influence_error(p: Floats, influence: Floats, n: Floats) -> Floats:
    """Return the standard error sqrt(sum p f^2 / n) from shares p and influences f of the cells."""
    error = np.sqrt((p * influence**2).sum(axis=(0, 1)) / n)
    return np.where(error < ERROR_ROUNDING, 0.0, error)


Counts = NDArray[np.int64]


class JointTable(NamedTuple):
    """A joint table of two models: counts (2, 2) of correctness or (K, K) of labels in order."""

    table: Counts
    names: tuple[str, str] = UNNAMED
    n_dropped: int = 0
    classes: tuple[Any, ...] = ()


def joint_correctness(y_true: Any, y_pred_a: Any, y_pred_b: Any, nan_policy: str) -> JointTable:
    """Return the table [[n11, n10], [n01, n00]] of two predictions, or `y_true` if it is one."""
    sample = paired_sample(y_true, y_pred_a, y_pred_b, nan_policy=nan_policy)
    n11, n10, n01, n00 = sample.table
    return JointTable(as_counts([[n11, n10], [n01, n00]]), sample.names, sample.n_dropped)


def as_counts(rows: list[list[int]]) -> Counts:
    """Return the counts as an array, of Python's integers if 64 bits do not hold their sum."""
    return np.array(rows, np.int64 if sum(map(sum, rows)) < 1 << 63 else object)


def joint_labels(
    y_true: Any, y_pred_a: Any, y_pred_b: Any, *, nan_policy: str, classes: Any, weights: str
) -> JointTable:
    """Return the table (K, K) of labels, the first model's in rows, the second's in columns."""
    if is_table_alone(y_pred_a, y_pred_b):
        rows, labels = as_labelled_square("table", y_true)
        names, old_rows = as_label_names(len(rows), labels, classes)
        return JointTable(as_counts(rows)[np.ix_(old_rows, old_rows)], classes=names)
    cases = as_pair_predictions(y_true, y_pred_a, y_pred_b, nan_policy)
    first, second = cases.names
    table, order = joint_answers(cases, classes, weights)
    return JointTable(table, (first, second), cases.n_dropped, order)


def joint_answers(
    cases: Predictions, classes: object, weights: str
) -> tuple[Counts, tuple[Any, ...]]:
    """Return the table (K, K) of two models' labels, and the K labels in order."""
    cells = count_few_labels([cases.truth, *cases.predicted])
    if cells is not None:
        order, place = as_label_order(cells.classes, classes, weights)
        k = len(order)
        reserve((k, k, COPIES), hint=MANY_LABELS)  # raises if there is too little memory
        table = np.zeros((k, k), np.int64)
        table[np.ix_(place, place)] = cells.counts.sum(axis=0)  # over the labels of the truth
        return table, order
    numbers = codes(cases)
    order, place = as_label_order(numbers.classes, classes, weights)
    k = len(order)
    reserve((k, k, COPIES), hint=MANY_LABELS)
    first, second = place[numbers.predicted]
    return np.bincount(first * k + second, minlength=k * k).reshape(k, k), order


Ends = tuple[Any, Any]
Estimate = Callable[[Floats], Floats]
Error = Callable[[Floats, Floats], Floats]
IntervalEnds = Callable[[Floats, Floats, Floats, float], Ends]


class Measure(NamedTuple):
    """A measure's title and bounds, the functions that compute it, and its intervals by method.

    ``estimate(table)``, ``error(table, estimate)``, ``intervals[method](table, estimate, error,
    z)``, for the normal quantile `z`; the first method is the default. NaN where something is not
    defined.
    """

    title: str
    bounds: tuple[float, float]
    estimate: Estimate
    error: Error
    intervals: Mapping[str, IntervalEnds]

    @property
    def method(self) -> str:
        """The name of the default interval."""
        return next(iter(self.intervals))


def proportion_ends(table: Floats, p: Floats, _: Floats, z: float) -> Ends:
    """Return Wilson's interval of a proportion."""
    return wilson_ends(p, case_count(table), z)


def add_cases(table: Floats, z: float, distances: Floats | None = None) -> Floats:
    """Return the table with z^2 cases added, half of them on the diagonal in equal shares.

    The other half is added in proportion to the distances of labels. Of five ways to share them
    only this covered .93 or more with 2, 3, 5 and 10 labels and all weights.
    """
    k = len(table)
    d = distances_for(table, distances)
    same = np.eye(k).reshape(d.shape) / k
    return np.asarray(table + z * z * 0.5 * (same + d / d.sum()))


def adjusted_ends(
    estimate: Estimate, error: Error, distances: Floats | None = None
) -> IntervalEnds:
    """Return the interval function of a measure: Wald's after adding z^2 cases to the table."""

    def ends(table: Floats, _: Floats, __: Floats, z: float) -> Ends:
        """Return estimate -+ z times its standard error, both of the enlarged table."""
        with np.errstate(divide="ignore", invalid="ignore"):
            enlarged = add_cases(table, z, distances)
            centre = estimate(enlarged)
            radius = z * error(enlarged, centre)
        return centre - radius, centre + radius

    return ends


def agresti_ends(table: Floats, _: Floats, __: Floats, z: float) -> Ends:
    """Return Yule's Q at the ends of the log odds ratio's interval of Agresti (1999).

    Two cases are added, spread as independent errors would be. Where a model is always right, or
    never, the data say nothing of Q: the interval is [-1, 1].
    """
    n = case_count(table)
    independent = table.sum(axis=1)[:, None] * table.sum(axis=0)[None] / (n * n)
    defined = (independent > 0.0).all(axis=(0, 1))
    low, high = woolf_ends(np.where(defined, table + 2.0 * independent, 1.0), z)
    return np.where(defined, low, -1.0), np.where(defined, high, 1.0)


def woolf_ends(table: Floats, z: float) -> Ends:
    """Return the ends of Yule's Q: tanh of half those of the log odds ratio; Woolf (1955)."""
    logs = np.log(table)
    radius = z * log_odds_error(table)
    centre = logs[0, 0] + logs[1, 1] - logs[0, 1] - logs[1, 0]
    return np.tanh(0.5 * (centre - radius)), np.tanh(0.5 * (centre + radius))


@np.errstate(divide="ignore", invalid="ignore")
def woolf_or_nan_ends(table: Floats, q: Floats, _: Floats, z: float) -> Ends:
    """Return Woolf's interval, NaN with an empty cell."""
    low, high = woolf_ends(table, z)
    return np.where(np.isnan(q), math.nan, low), np.where(np.isnan(q), math.nan, high)


@np.errstate(divide="ignore", invalid="ignore")
def fisher_ends(_: Floats, estimate: Floats, error: Floats, z: float) -> Ends:
    """Return the interval that is symmetric for artanh(estimate), so it stays within [-1, 1]."""
    centre = np.arctanh(estimate)
    radius = z * nan_if_zero(error) / (1.0 - estimate**2)
    return np.tanh(centre - radius), np.tanh(centre + radius)


def normal_ends(_: Floats, estimate: Floats, error: Floats, z: float) -> Ends:
    """Return Wald's interval, estimate -+ z error."""
    return estimate - z * nan_if_zero(error), estimate + z * nan_if_zero(error)


def nan_if_zero(error: Floats) -> Floats:
    """Return the standard error, NaN for 0: an interval of one point would claim too much."""
    return np.where(error > 0.0, error, math.nan)


UNIT_BOUNDS, SIGNED_BOUNDS = (0.0, 1.0), (-1.0, 1.0)


def kappa_measure(distances: Floats | None = None) -> Measure:
    """Return Cohen's kappa for these distances of labels."""
    estimate = partial(kappa_estimate, distances=distances)
    error = partial(kappa_error, distances=distances)
    intervals = {"adjusted": adjusted_ends(estimate, error, distances), "fleiss": normal_ends}
    return Measure("Cohen's kappa", SIGNED_BOUNDS, estimate, error, intervals)


WILSON = {"Wilson": proportion_ends}
MEASURES = {
    "disagreement": Measure("disagreement", UNIT_BOUNDS, disagreement, proportion_error, WILSON),
    "cohen_kappa": kappa_measure(),
    "yule_q": Measure(
        "Yule's Q",
        SIGNED_BOUNDS,
        yule_q,
        yule_q_error,
        {"agresti": agresti_ends, "woolf": woolf_or_nan_ends},
    ),
    "correlation": Measure(
        "correlation of errors",
        SIGNED_BOUNDS,
        correlation,
        correlation_error,
        {"adjusted": adjusted_ends(correlation, correlation_error), "artanh": fisher_ends},
    ),
    "double_fault": Measure("double fault", UNIT_BOUNDS, double_fault, proportion_error, WILSON),
}


def diversity(correct: NDArray[np.uint8]) -> Fields:
    """Return the fields of the diversity of all L models, from (L, N) answers, 1 where right.

    They are fractions, rounded once; NaN where all are right, or wrong, on every case.
    GD = 1 - mean((L-r)(L-r-1)) / ((L-1) mean(L-r)) is sum(r(L-r)) / ((L-1) sum(L-r)), expanded.
    """
    models = len(correct)
    right = correct.sum(axis=0, dtype=np.min_scalar_type(models))
    cases = list(enumerate(np.bincount(right, minlength=models + 1).tolist()))  # (r, on how many)
    n = correct.shape[1]

    smaller = sum(count * min(r, models - r) for r, count in cases)
    rights = sum(count * r for r, count in cases)
    squares = sum(count * r * r for r, count in cases)
    mixed = models * rights - squares  # sum of r (L - r)
    wrongs = models * n - rights
    return Fields(
        entropy=smaller / (n * (models // 2)),
        kohavi_wolpert_variance=mixed / (n * models**2),
        interrater_kappa=1.0 - divide_or_nan(mixed * models * n, (models - 1) * rights * wrongs),
        difficulty=(n * squares - rights**2) / (n * models) ** 2,
        generalised_diversity=divide_or_nan(mixed, (models - 1) * wrongs),
    )


def divide_or_nan(above: int, below: int) -> float:
    """Return the quotient of two integers, NaN for 0 / 0."""
    return above / below if below else math.nan
