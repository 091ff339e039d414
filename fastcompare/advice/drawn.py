"""Data without a better model, of each kind, and what makes the first model better in them."""

import math
from typing import Any

import numpy as np

from .._base.types import Integers, Matrix

Data = tuple[Any, ...]
CLUSTER = 10  # items
SHARE = 0.1  # of the cases that a round of folds tests


def alike(rng: np.random.Generator, n: int, k: int) -> Matrix:
    """Return normal columns (n, k) of variance 1 that correlate by one half."""
    drawn: Matrix = math.sqrt(0.5) * (rng.normal(size=(n, 1)) + rng.normal(size=(n, k)))
    return drawn


def draw_scores(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels of n positives and as many negatives, and normal scores with AUCs of .8."""
    return scored(rng, np.repeat([1, 0], n), k)


def draw_few_scores(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels of n positives and nine times as many negatives, and scores."""
    return scored(rng, np.repeat([1, 0], [n, 9 * n]), k)


def scored(rng: np.random.Generator, y: Integers, k: int) -> Data:
    """Return labels and the scores of models with AUCs of .8."""
    return y, alike(rng, y.size, k) + 1.19 * y[:, None]


def draw_clustered_scores(rng: np.random.Generator, n: int, k: int) -> Data:
    """Return labels, scores and clusters of ten cases of a class, which correlate by .2."""
    y, scores = draw_scores(rng, n, k)
    groups = np.arange(y.size) // CLUSTER
    together = rng.normal(size=(groups[-1] + 1, k))[groups]
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
