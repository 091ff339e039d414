"""Simulate how often repeated-measures ANOVA rejects a true null hypothesis, by its correction.

    python -m studies.anova_errors [--trials 200000] [--jobs 2] [--write]

Tables of 10 rounds and four models, normal scores. What `rm_anova_test` says of its levels is here.
"""

import math
from typing import NamedTuple

import numpy as np

import fastcompare as fc
from studies.tables import markdown, percent, run

ROUNDS, MODELS = 10, 4
ALPHA = 0.05
PART = 20_000  # tables that are drawn at once
SPHERICITIES = ("none", "greenhouse-geisser", "huynh-feldt", "auto")


class Scores(NamedTuple):
    """A name, how the models vary, how rounds correlate, and which sizes the test is told."""

    name: str
    deviations: tuple[float, ...] = (1.0,) * MODELS
    correlation: float = 0.0
    n_train: float | None = None
    n_test: float | None = None


CELLS = [
    Scores("equal variances"),
    Scores("one varies 5 times as much", (1.0, 1.0, 1.0, 5.0)),
    Scores("rounds correlate by 0.1", correlation=0.1),
    Scores("rounds correlate by 0.1, sizes given", correlation=0.1, n_train=90, n_test=10),
]


def draw(cell, tables, rng):
    """Return scores (tables, rounds, models)."""
    own = rng.normal(size=(tables, ROUNDS, MODELS))
    shared = rng.normal(size=(tables, 1, MODELS))
    rho = cell.correlation
    return (math.sqrt(rho) * shared + math.sqrt(1.0 - rho) * own) * cell.deviations


def measure(cell, trials):
    """Return the share of tables that each correction rejects."""
    rng, rejected = np.random.default_rng([len(cell.name), ROUNDS]), np.zeros(len(SPHERICITIES))
    for start in range(0, trials, PART):
        scores = draw(cell, min(PART, trials - start), rng)
        for i, sphericity in enumerate(SPHERICITIES):
            found = fc.rm_anova_batch(
                scores, n_train=cell.n_train, n_test=cell.n_test, sphericity=sphericity
            )
            rejected[i] += (found.pvalue <= ALPHA).sum()
    return rejected / trials


def show(cells, found):
    """Return a Markdown table of percentages, a row a cell and a column a correction."""
    head = ["four models, ten rounds", *(f"`{name!r}`" for name in SPHERICITIES)]
    return markdown(head, ([c.name, *map(percent, f)] for c, f in zip(cells, found, strict=True)))


if __name__ == "__main__":
    run("anova_errors", "evidence/folds.md", CELLS, measure, show, trials=200_000)
