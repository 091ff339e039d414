"""Simulate how often tests of scores by round reject a true null hypothesis.

    python -m studies.fold_errors [--trials 10000] [--jobs 2] [--write]

Each trial draws a data set and scores models of equal expected accuracy in rounds on it: each model
learns from five features of its own, all alike, so no model can be the better one. Or it draws
normal scores whose rounds correlate as Nadeau and Bengio (2003) assume.
"""

import math
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

import fastcompare as fc
from studies.tables import markdown, percent, run

CASES, FEATURES, MODELS = 300, 5, 3
SHIFT = 0.4  # of the means of the positives, for accuracies of about 0.68
ALPHA = 0.05
ROPE = 0.01  # a point of accuracy; the Bayesian test claims what is more probable than 1 - ALPHA
PARTS = 16  # of a row, each a cell of its own, so that processes end together
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
    squares = np.square(x).sum(axis=1)
    distances = squares[:, None] - 2.0 * (x @ x.T) + squares
    found = []
    for row in tested:
        train = np.flatnonzero(~row)
        nearest = train[distances[np.ix_(row, train)].argmin(axis=1)]
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


class Cell(NamedTuple):
    """A part of the trials of a row of the table."""

    source: str
    design: str
    part: int

    @property
    def row(self):
        return self.source, self.design


DESIGN = {design.name: design for design in DESIGNS}
ROWS = [(source, design) for source in SOURCES for design in DESIGNS]
ROWS = [row for row in ROWS if row[1] in NORMAL or row[0] != "normal scores"]
CELLS = [Cell(source, design.name, part) for part in range(PARTS) for source, design in ROWS]


def rejections(cell, trials):
    """Return in how many of so many trials each test rejects."""
    design, rejected = DESIGN[cell.design], Counter()
    rng = np.random.default_rng([len(cell.source), design.rounds, design.n_test, cell.part])
    for _ in range(trials):
        for name, p in pvalues(SOURCES[cell.source](design, rng), design):
            rejected[name] += p <= ALPHA
    return rejected


def measure(cell, trials):
    """Return the rejections of one part of the trials of a row, and how many these are."""
    own = len(range(cell.part, trials, PARTS))
    return rejections(cell, own), own


def show(cells, found):
    """Return a Markdown table of percentages, all parts of a row together."""
    rows, trials = {}, Counter()
    for cell, (rejected, own) in zip(cells, found, strict=True):
        rows.setdefault(cell.row, Counter()).update(rejected)
        trials[cell.row] += own
    names = list(dict.fromkeys(name for counts in rows.values() for name in counts))
    shares = (
        [*row, *(percent(counts[name] / trials[row]) if name in counts else "" for name in names)]
        for row, counts in rows.items()
    )
    return markdown(["scores of", "rounds", *names], shares)


if __name__ == "__main__":
    run("fold_errors", "evidence/folds.md", CELLS, measure, show, trials=10_000)
