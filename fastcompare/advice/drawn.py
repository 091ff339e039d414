"""Data without a better model, of each kind, and what makes the first model better in them."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._base.types import Integers, Matrix

Data = tuple[Any, ...]
CLUSTER = 10  # items
SHARE = 0.1  # of the cases that a round of folds tests


@dataclass(frozen=True)
class ScoredCases:
    """What is known of cases and of the models that score them, all with the same AUC."""

    labels: Integers
    groups: Integers | None = None
    auc: float = 0.8
    correlation: float = 0.5

    def __str__(self) -> str:
        positives = int(self.labels.sum())
        clusters = "" if self.groups is None else f" in their {self.groups.max() + 1} clusters"
        return (
            f"normal scores of {positives} positive and {self.labels.size - positives} negative "
            f"cases{clusters}, with AUCs of {self.auc:.2f} that correlate by {self.correlation:.2f}"
        )

    def drawn(self, rng: np.random.Generator, k: int) -> Data:
        """Return the labels and the scores of k models."""
        from scipy.special import ndtri

        shift = math.sqrt(2.0) * float(ndtri(self.auc))
        scores = alike(rng, self.labels.size, k, self.correlation)
        return self.labels, scores + shift * self.labels[:, None]


def scored_cases(labels: Integers, ranks: Matrix, groups: Integers | None) -> ScoredCases:
    """Return cases with the classes, the AUC and the correlation that normal ranks (n, k) have."""
    from .._compare.auc.single import roc_auc

    aucs = [roc_auc(labels, column) for column in ranks.T]
    within = np.concatenate([ranks[labels == c] - ranks[labels == c].mean(axis=0) for c in (0, 1)])
    spread = np.sqrt(np.square(within).sum(axis=0))
    correlations = (within.T @ within)[np.triu_indices(len(aucs), 1)]
    scale = np.outer(spread, spread)[np.triu_indices(len(aucs), 1)]
    known = correlations[scale > 0.0] / scale[scale > 0.0]
    alike = float(np.clip(known.mean(), 0.0, 0.99)) if known.size else 0.5
    return ScoredCases(labels, groups, float(np.clip(np.mean(aucs), 0.5, 0.99)), alike)


def alike(rng: np.random.Generator, n: int, k: int, correlation: float = 0.5) -> Matrix:
    """Return normal columns (n, k) of variance 1 that correlate, by default by one half."""
    shared, own = rng.normal(size=(n, 1)), rng.normal(size=(n, k))
    drawn: Matrix = math.sqrt(correlation) * shared + math.sqrt(1.0 - correlation) * own
    return drawn


def draw_scores(rng: np.random.Generator, n: int, k: int, cases: ScoredCases | None = None) -> Data:
    """Return labels of n positives and as many negatives, and normal scores with AUCs of .8.

    Or those of `cases`, if that is known.
    """
    return (cases or ScoredCases(np.repeat([1, 0], n))).drawn(rng, k)


def draw_few_scores(
    rng: np.random.Generator, n: int, k: int, cases: ScoredCases | None = None
) -> Data:
    """Return labels of n positives and nine times as many negatives, and scores."""
    return (cases or ScoredCases(np.repeat([1, 0], [n, 9 * n]))).drawn(rng, k)


def draw_clustered_scores(
    rng: np.random.Generator, n: int, k: int, cases: ScoredCases | None = None
) -> Data:
    """Return labels, scores and clusters of ten cases of a class, which correlate by .2."""
    y, scores = draw_scores(rng, n, k, cases)
    groups = np.arange(y.size) // CLUSTER
    if cases is not None and cases.groups is not None:
        groups = cases.groups
    together = rng.normal(size=(groups.max() + 1, k))[groups]
    return y, math.sqrt(0.8) * scores + math.sqrt(0.2) * together, groups


def draw_labels(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels and the answers of models that are right on 80 % of the cases."""
    y = rng.integers(0, 2, n)
    return y, np.where(alike(rng, n, k) < 0.8416, y[:, None], 1 - y[:, None])


def draw_clustered_labels(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels, answers and clusters of ten cases that are hard for one model or another."""
    y, groups = rng.integers(0, 2, n), np.arange(n) // CLUSTER
    together = rng.normal(size=(groups[-1] + 1, k))[groups]
    hard = math.sqrt(0.8) * alike(rng, n, k) + math.sqrt(0.2) * together
    return y, np.where(hard < 0.8416, y[:, None], 1 - y[:, None]), groups


def draw_probabilities(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels and the probabilities of models that know as much."""
    logit = 1.5 * rng.normal(size=n)
    y = (rng.random(n) < 1.0 / (1.0 + np.exp(-logit))).astype(int)
    return y, 1.0 / (1.0 + np.exp(-(logit[:, None] + 0.7 * rng.normal(size=(n, k)))))


def draw_rounds(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return scores of n rounds that correlate as Nadeau and Bengio assume."""
    own, shared = rng.normal(size=(n, k)), rng.normal(size=k)
    return (math.sqrt(SHARE) * shared + math.sqrt(1.0 - SHARE) * own,)


def draw_rows(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return scores of independent rows: rounds, data sets or items that are easy or hard."""
    return (alike(rng, n, k),)


def draw_clustered_rows(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return scores of items and their clusters of ten, which correlate by .2."""
    groups = np.arange(n) // CLUSTER
    together = rng.normal(size=(groups[-1] + 1, k))[groups]
    return math.sqrt(0.8) * alike(rng, n, k) + math.sqrt(0.2) * together, groups


def draw_battles(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return battles of equal models a and b, of which a mostly meets the weak."""
    strength = {"a": 0.0, "b": 0.0, "weak": -0.5, "strong": 0.5}
    mine = rng.integers(0, 2, n)
    favoured = rng.random(n) < 0.7
    first = np.where(mine == 0, "a", "b")
    other = np.where((mine == 0) == favoured, "weak", "strong")
    gap = np.array([strength[x] - strength[z] for x, z in zip(first, other, strict=True)])
    return first, other, (rng.random(n) < 1.0 / (1.0 + np.exp(-gap))).astype(float)


def draw_own_rows(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return n scores of one model that vary twice as much as the 4 n of the other."""
    return 2.0 * rng.normal(size=n), rng.normal(size=4 * n)


def draw_own_labels(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return how many of n and of 10 n cases two models have right, each 95 % of all."""
    return (*(int(rng.binomial(size, 0.95)) for size in (n, 10 * n)), n)


def better_scores(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return scores of which the first model's are higher for positive cases."""
    y, scores = data
    scores[:, 0] += effect * y
    return y, scores


def better_labels(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return answers of which some of the first model's are mended."""
    y, answers = data
    answers[:, 0] = np.where(rng.random(y.size) < effect, y, answers[:, 0])
    return y, answers


def better_probabilities(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return probabilities of which the first model's are nearer to the truth."""
    y, table = data
    table[:, 0] += effect * (y - table[:, 0])
    return y, table


def better_rows(rng: np.random.Generator, data: Data, effect: float) -> Data:
    """Return scores of which the first model's are higher."""
    (table,) = data
    table[:, 0] += effect
    return (table,)
