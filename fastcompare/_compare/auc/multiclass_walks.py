"""Averages of AUCs over several classes, as lists of walks, and their components case by case.

A walk sets the cases of one class against those of others by one column of scores: an AUC. An
average is the sum of the AUCs of its walks times their coefficients. Its value for one case of
class c is what the average's linear part owes to that case: in walks where c is the positive class,
coefficient times V10; where c is one of the other classes, with n_c of their N cases, coefficient
times n_c / N times V01. With n_c cases and sample variance s_c^2 of these values in class c,

    Var = sum over classes of s_c^2 / n_c

which for two classes is DeLong's formula (1988). The numbers of cases of each class are fixed.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._inputs import Cases, ClassCases
from .components import Components, as_components
from .product import model_wins

ROUNDING = 2.0**-44  # values of a class that differ by less, relative to the largest, are equal
Counts = Sequence[int]
Vector = NDArray[np.float64]


class Walk(NamedTuple):
    """One class against others by one column of scores, and what its AUC counts."""

    column: int
    positive: int
    negatives: tuple[int, ...]
    coefficient: float


def pairs(counts: Counts) -> list[Walk]:
    """Return each class against each other one, all alike: Hand and Till (2001)."""
    c = len(counts)
    ordered = [(i, j) for i in range(c) for j in range(c) if i != j]
    return [Walk(i, i, (j,), 1.0 / len(ordered)) for i, j in ordered]


def weighted_pairs(counts: Counts) -> list[Walk]:
    """Return each class against each other one by their share of the cases, as scikit-learn."""
    total = 2.0 * (len(counts) - 1) * sum(counts)
    return [
        walk._replace(coefficient=(counts[walk.positive] + counts[walk.negatives[0]]) / total)
        for walk in pairs(counts)
    ]


def rests(counts: Counts) -> list[Walk]:
    """Return each class against all others, all alike."""
    c = len(counts)
    return [Walk(i, i, tuple(j for j in range(c) if j != i), 1.0 / c) for i in range(c)]


def weighted_rests(counts: Counts) -> list[Walk]:
    """Return each class against all others by its share of the cases: Fawcett (2006)."""
    total = sum(counts)
    return [walk._replace(coefficient=counts[walk.positive] / total) for walk in rests(counts)]


AVERAGES: dict[str, Callable[[Counts], list[Walk]]] = {
    "hand-till": pairs,
    "ovo-weighted": weighted_pairs,
    "ovr": rests,
    "ovr-weighted": weighted_rests,
}
PAIRWISE = ("hand-till", "ovo-weighted")  # their walks are all ordered pairs, row by row
TITLES = {
    "hand-till": "Hand and Till's M",
    "ovo-weighted": "the one-vs-one AUC weighted by prevalence",
    "ovr": "the one-vs-rest AUC",
    "ovr-weighted": "the one-vs-rest AUC weighted by prevalence",
}


def walks_of(average: str, class_counts: Counts) -> list[Walk]:
    """Return the walks of an average over classes with these numbers of cases."""
    return AVERAGES[average](class_counts)


@dataclass(frozen=True, slots=True)
class Averages:
    """The AUC of every walk and model (walks, k), what they average to, and its covariance.

    The difference of the first two models is made before it is squared: its AUCs by walk and its
    variance do not cancel.
    """

    walks: list[Walk]
    counts: NDArray[np.int64]
    auc: Vector
    gained: Vector
    covariance: Vector

    @property
    def estimate(self) -> Vector:
        """The averages of the models (k,)."""
        return np.array([self.mean(auc) for auc in self.auc.T])

    @property
    def difference(self) -> float:
        """The first average less the second."""
        return self.mean(self.gained)

    def mean(self, auc: Vector) -> float:
        """Return the average of AUCs by walk; AUCs that are all alike average to themselves."""
        coefficients = [walk.coefficient for walk in self.walks]
        products = (w * x for w, x in zip(coefficients, auc.tolist(), strict=True))
        return math.fsum(products) / math.fsum(coefficients)


def averages_of(cases: ClassCases, average: str, jobs: int = 1) -> Averages:
    """Return what an average of one or two models is made of."""
    counts = np.bincount(cases.codes, minlength=len(cases.classes))
    walks = walks_of(average, counts.tolist())
    order = np.argsort(cases.codes, kind="stable")
    models = [[vector[order] for vector in columns] for columns in cases.models]
    stops = np.cumsum(counts).tolist()
    blocks = [slice(stop - size, stop) for stop, size in zip(stops, counts.tolist(), strict=True)]

    k = len(models)
    auc, gained = np.full((len(walks), k), math.nan), np.full(len(walks), math.nan)
    values = np.zeros((k + k // 2, order.size))  # the models, and the difference of two
    for r, walk in enumerate(walks):
        parts = [blocks[c] for c in (walk.positive, *walk.negatives)]
        components = as_components(cases_of(models, walk.column, parts), n_jobs=jobs)
        if components.m and components.n:
            won = [model_wins(components, model) for model in range(k)]
            auc[r] = [w / (2 * components.m * components.n) for w in won]
            gained[r] = (won[0] - won[-1]) / (2 * components.m * components.n)
            add_values(components, walk, parts, values)
    return Averages(walks, counts, auc, gained, covariance_of(values, blocks))


def cases_of(models: list[list[Vector]], column: int, parts: list[slice]) -> Cases:
    """Return the cases of the first part as positives and those of the others as negatives."""
    sizes = [part.stop - part.start for part in parts]
    labels = np.zeros(sum(sizes), np.uint8)
    labels[: sizes[0]] = 1
    scores = [np.concatenate([columns[column][part] for part in parts]) for columns in models]
    return Cases(labels, scores, ())


def add_values(components: Components, walk: Walk, parts: list[slice], values: Vector) -> None:
    """Add to each case's values what it counts in this walk."""
    placed = components.placed.astype(np.int64)
    if len(placed) == 2:
        placed = np.concatenate([placed, placed[:1] - placed[1:]])
    m, n = components.m, components.n
    values[:, parts[0]] += placed[:, :m] * (walk.coefficient / (2.0 * n))
    start = m
    for part in parts[1:]:
        stop = start + part.stop - part.start
        share = walk.coefficient * (stop - start) / n
        values[:, part] += placed[:, start:stop] * (share / (2.0 * m))
        start = stop


def covariance_of(values: Vector, blocks: list[slice]) -> Vector:
    """Return the covariance of the averages; NaN if a class has one case or none."""
    total = np.zeros((len(values), len(values)))
    for block in blocks:
        size = block.stop - block.start
        if size < 2:
            return np.full_like(total, math.nan)
        centred = without_rounding(values[:, block])
        total += centred @ centred.T / (size * (size - 1.0))
    return total


def without_rounding(values: Vector) -> Vector:
    """Return the values less their means, exactly 0 where only rounding tells them apart."""
    spread = np.ptp(values, axis=1)
    constant = spread <= ROUNDING * np.abs(values).max(axis=1)
    centred: Vector = values - values.mean(axis=1, keepdims=True)
    centred[constant] = 0.0
    return centred
