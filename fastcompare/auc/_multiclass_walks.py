"""Averages of AUCs over several classes, as lists of walks, and their components case by case.

A walk sets the cases of one class against those of others by one column of scores: an AUC. An
average is the sum of the AUCs of its walks times their coefficients. Its value for one case of
class c is what the average's linear part owes to that case: in walks where c is the positive class,
coefficient times V10; where c is one of the other classes, with n_c of their N cases, coefficient
times n_c / N times V01. With n_c cases and sample variance s_c^2 of these values in class c,

    Var = sum over classes of s_c^2 / n_c

which for two classes is DeLong's formula (1988). The numbers of cases of each class are fixed.
Coefficients are fractions, so that averages and their differences are exact and rounded once.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._base.parallel import map_threads
from .._base.types import Vector
from .._inputs.probabilities import ClassCases
from .._inputs.scores import Cases
from ._components import THREADS_FROM, Components, as_components, model_wins

ROUNDING = 2.0**-44  # values of a class that differ by less, relative to the largest, are equal
Counts = Sequence[int]


class Walk(NamedTuple):
    """The AUC of one class against others by one column of scores, with its coefficient."""

    column: int
    positive: int
    negatives: tuple[int, ...]
    coefficient: Fraction


def one_vs_one_walks(counts: Counts) -> list[Walk]:
    """Return the AUCs of each class against each other, equally weighted: Hand, Till (2001)."""
    c = len(counts)
    ordered = [(i, j) for i in range(c) for j in range(c) if i != j]
    return [Walk(i, i, (j,), Fraction(1, len(ordered))) for i, j in ordered]


def weighted_one_vs_one_walks(counts: Counts) -> list[Walk]:
    """Return the AUCs of each class against each other, weighted by their cases, as sklearn."""
    total = 2 * (len(counts) - 1) * sum(counts)
    return [
        walk._replace(coefficient=Fraction(counts[walk.positive] + counts[other], total))
        for walk in one_vs_one_walks(counts)
        for other in walk.negatives
    ]


def one_vs_rest_walks(counts: Counts) -> list[Walk]:
    """Return the AUCs of each class against all others, equally weighted."""
    c = len(counts)
    share = Fraction(1, c)
    return [Walk(i, i, tuple(j for j in range(c) if j != i), share) for i in range(c)]


def weighted_one_vs_rest_walks(counts: Counts) -> list[Walk]:
    """Return the AUCs of each class against all others, weighted by cases: Fawcett (2006)."""
    total = sum(counts)
    return [
        walk._replace(coefficient=Fraction(counts[walk.positive], total))
        for walk in one_vs_rest_walks(counts)
    ]


AVERAGES: dict[str, Callable[[Counts], list[Walk]]] = {
    "hand-till": one_vs_one_walks,
    "ovo-weighted": weighted_one_vs_one_walks,
    "ovr": one_vs_rest_walks,
    "ovr-weighted": weighted_one_vs_rest_walks,
}
EQUAL = ("hand-till", "ovr")  # average classes with equal weights
PAIRWISE = ("hand-till", "ovo-weighted")  # their walks are all ordered pairs, row by row
TITLES = {
    "hand-till": "Hand and Till's M",
    "ovo-weighted": "the one-vs-one AUC weighted by prevalence",
    "ovr": "the one-vs-rest AUC",
    "ovr-weighted": "the one-vs-rest AUC weighted by prevalence",
}


def walks_by_average(average: str, class_counts: Counts) -> list[Walk]:
    """Return the AUCs that an average consists of, for classes with these numbers of cases."""
    return AVERAGES[average](class_counts)


class ScoresByClass(NamedTuple):
    """Scores in order of the cases' classes: the columns of each model, and class slices."""

    models: list[list[Vector]]
    spans: list[slice]

    @property
    def counts(self) -> list[int]:
        """The number of cases of each class."""
        return [span.stop - span.start for span in self.spans]

    def class_spans(self, walk: Walk) -> list[slice]:
        """Return the slices of the cases of a walk, the positives first."""
        return [self.spans[c] for c in (walk.positive, *walk.negatives)]

    def walk_sizes(self, walk: Walk) -> tuple[int, int]:
        """Return the numbers of positives and negatives of a walk."""
        return self.counts[walk.positive], sum(self.counts[c] for c in walk.negatives)

    def walk_cases(self, walk: Walk) -> Cases:
        """Return the cases of a walk, the positives first."""
        m, n = self.walk_sizes(walk)
        labels = np.zeros(m + n, np.uint8)
        labels[:m] = 1
        columns = [model[walk.column] for model in self.models]
        spans = self.class_spans(walk)
        return Cases(labels, [np.concatenate([v[span] for span in spans]) for v in columns], ())


def scores_by_class(cases: ClassCases, jobs: int = 1) -> ScoresByClass:
    """Return the scores of the cases in order of their classes."""
    order = np.argsort(cases.codes, kind="stable")
    counts = np.bincount(cases.codes, minlength=len(cases.classes))
    ends = zip(np.cumsum(counts).tolist(), counts.tolist(), strict=True)
    spans = [slice(stop - size, stop) for stop, size in ends]
    jobs = jobs if order.size >= THREADS_FROM else 1
    columns = [column for model in cases.models for column in model]
    ordered = map_threads(lambda column: column[order], columns, jobs)
    width = len(cases.models[0])
    return ScoresByClass([ordered[i : i + width] for i in range(0, len(ordered), width)], spans)


@dataclass(frozen=True, slots=True)
class Averages:
    """The AUC of every walk and model (walks, k), and each model's average (k,).

    `influence` (k, n) is that of each case, class by class, on the average. For two models a third
    row of it, and a third row and column of `covariance`, are those of their difference, computed
    case by case so that no digits cancel.
    """

    walks: list[Walk]
    counts: NDArray[np.int64]
    auc: Vector
    estimate: Vector
    difference: float
    influence: Vector
    covariance: Vector


def compute_averages(blocks: ScoresByClass, average: str, jobs: int = 1) -> Averages:
    """Return an average of one or two models, with its AUCs, influence and covariance.

    Walks share the threads if they have at most as many cases together as all classes.
    """
    counts = blocks.counts
    k = len(blocks.models)
    walks = walks_by_average(average, counts)
    wins = np.zeros((len(walks), k), object)
    auc = np.full(wins.shape, math.nan)
    values = np.zeros((k + k // 2, sum(counts)))  # the models, and the difference of two
    longest = max(sum(blocks.walk_sizes(walk)) for walk in walks)
    at_once = max(1, min(jobs, sum(counts) // longest)) if longest >= THREADS_FROM else 1

    def place(walk: Walk) -> Components:
        return as_components(blocks.walk_cases(walk), n_jobs=max(jobs // at_once, 1))

    for first in range(0, len(walks), at_once):
        rows = range(first, min(first + at_once, len(walks)))
        placed = map_threads(place, [walks[r] for r in rows], at_once)
        for r, components in zip(rows, placed, strict=True):
            if total := 2 * components.m * components.n:
                wins[r] = [model_wins(components, model) for model in range(k)]
                auc[r] = wins[r] / total
                add_case_values(components, walks[r], blocks.class_spans(walks[r]), values)
    influence = case_influence(values, blocks.spans)
    return Averages(
        walks=walks,
        counts=np.array(counts),
        auc=auc,
        estimate=np.array([average_auc(blocks, walks, column) for column in wins.T]),
        difference=average_auc(blocks, walks, wins[:, 0] - wins[:, -1]),
        influence=influence,
        covariance=average_covariance(influence, blocks.spans),
    )


def win_coefficients(blocks: ScoresByClass, walks: list[Walk]) -> list[Fraction]:
    """Return the coefficient of each walk's 2mn AUC in the average; each class must have a case."""
    return [walk.coefficient / (2 * math.prod(blocks.walk_sizes(walk))) for walk in walks]


def average_auc(blocks: ScoresByClass, walks: list[Walk], wins: Iterable[int]) -> float:
    """Return the average AUC from 2mn AUC of each walk, rounded once; NaN if a class is missing."""
    if not all(blocks.counts):
        return math.nan
    terms = zip(wins, win_coefficients(blocks, walks), strict=True)
    return float(sum(coefficient * walk_wins for walk_wins, coefficient in terms))


def add_case_values(components: Components, walk: Walk, spans: list[slice], values: Vector) -> None:
    """Add to `values` (k, n) the value of each case in a walk: coefficient times V10 or V01.

    For two models a third row is that of their difference.
    """
    rows = [*components.placed]
    if len(rows) == 2:
        rows.append(np.subtract(*rows, dtype=np.int64, casting="unsafe"))
    m, n = components.m, components.n
    shares = [walk.coefficient / (2 * n)]
    shares += [walk.coefficient * Fraction(s.stop - s.start, n) / (2 * m) for s in spans[1:]]
    for row, row_values in zip(rows, values, strict=True):
        start = 0
        for span, share in zip(spans, shares, strict=True):
            stop = start + span.stop - span.start
            row_values[span] += row[start:stop] * float(share)
            start = stop


def case_influence(values: Vector, spans: list[slice]) -> Vector:
    """Return (value - mean of its class) / (number of cases of the class) for each case."""
    influence = np.empty_like(values)
    for span in spans:
        if size := span.stop - span.start:
            influence[:, span] = centre_exactly(values[:, span]) / size
    return influence


def average_covariance(influence: Vector, spans: list[slice]) -> Vector:
    """Return the covariance of the averages; NaN if a class has one case or none."""
    total = np.zeros((len(influence), len(influence)))
    for span in spans:
        size = span.stop - span.start
        if size < 2:
            return np.full_like(total, math.nan)
        total += influence[:, span] @ influence[:, span].T * (size / (size - 1.0))
    return total


def centre_exactly(values: Vector) -> Vector:
    """Return each row of values less its mean, exactly 0 where they differ by rounding alone."""
    ranges = np.ptp(values, axis=1)
    constant = ranges <= ROUNDING * np.abs(values).max(axis=1)
    centred: Vector = values - values.mean(axis=1, keepdims=True)
    centred[constant] = 0.0
    return centred
