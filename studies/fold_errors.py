"""Simulate how often tests of scores by round reject a true null hypothesis; print Markdown.

    python -m studies.fold_errors [--trials 1000] [--jobs 2]

Each trial draws a data set and scores models of equal expected accuracy in rounds on it: each model
learns from five features of its own, all alike, so no model can be the better one. Or it draws
normal scores whose rounds correlate as Nadeau and Bengio (2003) assume.
"""

import argparse
import math
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np

import fastcompare as fc

CASES, FEATURES, MODELS = 300, 5, 3
SHIFT = 0.4  # of the means of the positives, for accuracies of about 0.68
ALPHA = 0.05
ROPE = 0.01  # a point of accuracy; the Bayesian test claims what is more probable than 1 - ALPHA
QUIET = {"on_undefined": "ignore"}


class Design(NamedTuple):
    """A name, how to draw which cases each round tests (J, n), and how many that are."""

    name: str
    draw: Callable
    n_test: int
    rounds: int

    @property
    def sizes(self):
        return {"n_train": CASES - self.n_test, "n_test": self.n_test}


def folds(k, times, rng):
    """Return the tested cases of `times` k-fold cross-validations."""
    tested = np.zeros((times * k, CASES), bool)
    for start in range(0, times * k, k):
        for i, part in enumerate(np.array_split(rng.permutation(CASES), k)):
            tested[start + i, part] = True
    return tested


def splits(rounds, n_test, rng):
    """Return the tested cases of random splits."""
    tested = np.zeros((rounds, CASES), bool)
    for row in tested:
        row[rng.choice(CASES, n_test, replace=False)] = True
    return tested


def halves(rng):
    """Return the tested cases of 5x2cv."""
    return folds(2, 5, rng)


DESIGNS = [
    Design("5x2cv", halves, 150, 10),
    Design("10-fold", partial(folds, 10, 1), 30, 10),
    Design("10 times 10-fold", partial(folds, 10, 10), 30, 100),
    Design("30 splits 2:1", partial(splits, 30, 100), 100, 30),
    Design("100 splits 9:1", partial(splits, 100, 30), 30, 100),
]
NORMAL = [DESIGNS[1], *DESIGNS[3:]]  # the others are alike, or nothing that Dietterich assumes


def centroid_accuracies(x, y, tested):
    """Return the accuracies (J,) of the nearest centroid, trained on what is not tested."""
    centres = []
    for label in (0, 1):
        weights = ~tested & (y == label)
        centres.append(weights @ x / weights.sum(axis=1, keepdims=True))
    apart, middle = centres[1] - centres[0], (centres[1] + centres[0]) / 2
    right = (apart @ x.T > (apart * middle).sum(axis=1, keepdims=True)) == y
    return (right & tested).sum(axis=1) / tested.sum(axis=1)


def neighbour_accuracies(x, y, tested):
    """Return the accuracies (J,) of the nearest neighbour among what is not tested."""
    distances = ((x[:, None] - x) ** 2).sum(axis=2)
    found = []
    for row in tested:
        nearest = (distances[row] + np.where(row, np.inf, 0.0)).argmin(axis=1)
        found.append((y[nearest] == y[row]).mean())
    return np.array(found)


def learned(learner, design, rng):
    """Return the scores (J, k) of models that learn from features of their own."""
    y = np.arange(CASES) % 2
    x = rng.normal(size=(MODELS, CASES, FEATURES)) + SHIFT * y[:, None]
    tested = design.draw(rng)
    return np.stack([learner(own, y, tested) for own in x], axis=1)


def correlated(design, rng):
    """Return normal scores (J, k) whose rounds correlate by the share of cases that are tested."""
    rho = design.n_test / CASES
    shared, own = rng.normal(size=(1, MODELS)), rng.normal(size=(design.rounds, MODELS))
    return math.sqrt(rho) * shared + math.sqrt(1.0 - rho) * own


SOURCES = {
    "nearest centroid": partial(learned, centroid_accuracies),
    "nearest neighbour": partial(learned, neighbour_accuracies),
    "normal scores": correlated,
}


def pvalues(scores, design):
    """Yield names of tests and their p-values; pairs are the first two models."""
    a, b = scores[:, 0], scores[:, 1]
    yield "Student's t", fc.ttest_resampled(a, b, **QUIET).pvalue
    yield "corrected t", fc.ttest_corrected(a, b, **design.sizes, **QUIET).pvalue
    bayes = fc.bayes_correlated_ttest(a, b, rope=ROPE, **design.sizes, **QUIET)
    yield "Bayesian t", 1.0 - max(bayes.probability_a, bayes.probability_b)
    yield "ANOVA, 3 models", fc.rm_anova_test(scores, **QUIET).pvalue
    yield "corrected ANOVA", fc.rm_anova_test(scores, **design.sizes, **QUIET).pvalue
    if design.name == "5x2cv":
        pairs = a.reshape(5, 2), b.reshape(5, 2)
        yield "5x2cv t", fc.ttest_5x2cv(*pairs, **QUIET).pvalue
        yield "5x2cv F", fc.ftest_5x2cv(*pairs, **QUIET).pvalue


def rejections(case, trials):
    """Return the share of trials in which each test rejects, for a source and a design."""
    source, design = case
    rng, rejected = np.random.default_rng([len(source), design.rounds, design.n_test]), Counter()
    for _ in range(trials):
        for name, p in pvalues(SOURCES[source](design, rng), design):
            rejected[name] += p <= ALPHA
    return {name: count / trials for name, count in rejected.items()}


def table(cases, found):
    """Return a Markdown table of percentages."""
    names = list(dict.fromkeys(name for shares in found for name in shares))
    lines = ["| scores of | rounds | " + " | ".join(names) + " |"]
    lines.append("|" + " --- |" * (2 + len(names)))
    for (source, design), shares in zip(cases, found, strict=True):
        cells = [f"{100 * shares[name]:.1f}" if name in shares else "" for name in names]
        lines.append("| " + " | ".join([source, design.name, *cells]) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    cases = [(source, design) for source in SOURCES for design in DESIGNS]
    cases = [case for case in cases if case[1] in NORMAL or case[0] != "normal scores"]
    with ProcessPoolExecutor(options.jobs) as pool:
        print(table(cases, list(pool.map(partial(rejections, trials=options.trials), cases))))


if __name__ == "__main__":
    main()
