"""Dietterich's five tests on simulated classifiers in plain Python, to measure the kernels by.

The scheme of `fastcompare.simulate.DietterichClassifiers()`: two thirds of 300 cases to train, 30
resamplings, 10 folds whose error rates vary, 5 x 2 halves.
"""

import math
import random

N, EPSILON, BETA, SPLITS, FOLDS, ROUNDS = 300, 0.1, 0.02, 30, 10, 5
CHI2, Z, T29, T9, T5 = 3.8415, 1.95996, 2.04523, 2.26216, 2.57058


def errors(half, epsilon_a=EPSILON, epsilon_b=EPSILON):
    """Return whether A and B err on a case of this half of the population."""
    a, b = (1.5, 0.5) if half else (0.5, 1.5)
    return random.random() < a * epsilon_a, random.random() < b * epsilon_b


def gap(cases):
    """Return the difference of the error rates."""
    return (sum(a for a, _ in cases) - sum(b for _, b in cases)) / len(cases)


def paired_t(d):
    """Return Student's t of differences."""
    mean = sum(d) / len(d)
    squares = sum((x - mean) ** 2 for x in d)
    return mean / math.sqrt(squares / (len(d) - 1) / len(d)) if squares else 0.0


def mcnemar(cases):
    """Return the corrected statistic."""
    only_a = sum(a and not b for a, b in cases)
    only_b = sum(b and not a for a, b in cases)
    if only_a + only_b == 0:
        return 0.0
    return max(abs(only_a - only_b) - 1, 0) ** 2 / (only_a + only_b)


def two_proportions(cases):
    """Return z with a pooled variance."""
    n = len(cases)
    pooled = sum(a + b for a, b in cases) / (2 * n)
    return gap(cases) / math.sqrt(2 * pooled * (1 - pooled) / n) if 0 < pooled < 1 else 0.0


def fold_gap(halves):
    """Return the difference on a fold whose classifiers are trained anew."""
    epsilons = [EPSILON + random.uniform(-BETA, BETA) for _ in range(2)]
    return gap([errors(half, *epsilons) for half in halves])


def five_by_two(cases):
    """Return Dietterich's t."""
    first, squares = 0.0, 0.0
    for r in range(ROUNDS):
        random.shuffle(cases)
        one, two = gap(cases[: N // 2]), gap(cases[N // 2 :])
        first = first if r else one
        squares += (one - two) ** 2 / 2
    return first / math.sqrt(squares / ROUNDS) if squares else 0.0


def trial():
    """Return which of the five tests reject."""
    halves = [random.random() < 0.5 for _ in range(N)]
    cases = [errors(half) for half in halves]
    split = random.sample(cases, N // 3)
    resampled = [gap(random.sample(cases, N // 3)) for _ in range(SPLITS)]
    size = N // FOLDS
    folds = [fold_gap(halves[i : i + size]) for i in range(0, N, size)]
    return (
        mcnemar(split) > CHI2,
        abs(two_proportions(split)) > Z,
        abs(paired_t(resampled)) > T29,
        abs(paired_t(folds)) > T9,
        abs(five_by_two(cases)) > T5,
    )


def rates(n_trials):
    """Return the shares of trials in which each test rejects."""
    found = [trial() for _ in range(n_trials)]
    return [sum(column) / n_trials for column in zip(*found, strict=True)]
