"""How often tests that several AUCs are equal reject a true null, and find a better model.

    python -m studies.omnibus_levels [--trials 2000] [--jobs 2] [--write]

Scores are normal in each class. They know nothing and are independent; or their AUC is .8 and they
correlate by .5, as continuous numbers or rounded to five values; or positives of every other model
have twice the standard deviation; or half of the models correlate by .97 and the others by .2. What
is better has a higher AUC by some three standard errors of it. Permutations exchange the models of
a case. Power takes a fifth of the trials, of permutations a tenth.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

import fastcompare as fc

from .tables import markdown, percent, run

SIZES = (
    (4, 40, 3),
    (4, 40, 10),
    (5, 5, 3),
    (5, 95, 5),
    (8, 192, 5),
    (10, 10, 5),
    (10, 190, 10),
    (10, 190, 20),
    (12, 188, 10),
    (25, 25, 20),
    (25, 225, 5),
    (25, 225, 20),
    (50, 50, 10),
    (200, 200, 20),
)
POWER_SIZES = ((5, 95, 5), (10, 190, 10), (20, 80, 10), (40, 60, 10))
POWER_SHAPES = ("uninformative", "similar", "very similar", "half nearly the same")
QUIET = {"on_undefined": "ignore"}
PERMUTED = 99
LESS = 5  # times fewer trials of power, and again half as many of permutations
REFERENCES = ("chi2", "f", "auto")


class Shape(NamedTuple):
    """The AUC of all models, the correlations of the first and the second half, and more."""

    auc: float
    correlations: tuple[float, float]
    spread: float = 1.0  # of the positives of every other model
    values: int = 0  # 0: continuous
    errors: float = 3.0  # standard errors that the better model is better by


SHAPES = {
    "uninformative": Shape(0.5, (0.0, 0.0), errors=4.0),
    "similar": Shape(0.8, (0.5, 0.5)),
    "five values": Shape(0.8, (0.5, 0.5), values=5),
    "unequal spread": Shape(0.8, (0.5, 0.5), spread=2.0),
    "very similar": Shape(0.7, (0.9, 0.9), errors=2.0),
    "half nearly the same": Shape(0.7, (0.97, 0.2)),
}


class Cell(NamedTuple):
    """The shape of scores, how many cases there are of each class, the models; what is asked."""

    shape: str
    m: int
    n: int
    k: int
    asks: str = "level"


CELLS = [
    *(Cell(shape, *size) for shape in SHAPES for size in SIZES),
    *(Cell(shape, *size, "power") for shape in POWER_SHAPES for size in POWER_SIZES),
]


def sample(cell, rng):
    """Return labels and scores (cases, k) of models that are equal, or whose first is better."""
    shape, labels = SHAPES[cell.shape], np.arange(cell.m + cell.n) < cell.m
    correlation = np.repeat(shape.correlations, (cell.k // 2, cell.k - cell.k // 2))
    own = rng.normal(size=(labels.size, cell.k))
    scores = np.sqrt(correlation) * rng.normal(size=(labels.size, 1))
    scores += np.sqrt(1.0 - correlation) * own
    spread = np.where(np.arange(cell.k) % 2, shape.spread, 1.0)
    auc = np.full(cell.k, shape.auc)
    if cell.asks == "power":
        error = math.sqrt(shape.auc * (1.0 - shape.auc) / 3.0 * (1.0 / cell.m + 1.0 / cell.n))
        auc[0] = min(shape.auc + shape.errors * error, 0.999)
    scores[labels] = scores[labels] * spread + np.sqrt(1.0 + spread**2) * ndtri(auc)
    if shape.values:
        cuts = np.linspace(-1.0, 2.0, shape.values - 1)
        scores = np.searchsorted(cuts, scores).astype(float)
    return labels, scores


def omnibus(labels, scores, reference):
    """Return the p-value of the omnibus test."""
    return fc.delong_omnibus_test(labels, scores, reference=reference, **QUIET).pvalue


def best_pair(labels, scores):
    """Return the least p-value of pairs, corrected, by Student's t."""
    return fc.delong_pairwise_test(labels, scores, reference="t", **QUIET).adjusted_pvalue.min()


def permutation(labels, scores, rng):
    """Return the p-value of the sum of squares by exchanging the models of each case."""
    observed = omnibus(labels, scores, "anova")
    drawn = [omnibus(labels, rng.permuted(scores, axis=1), "anova") for _ in range(PERMUTED)]
    return (1 + sum(p <= observed for p in drawn)) / (1 + PERMUTED)


def levels(cell, *, trials):
    """Return the shares of data sets whose null hypothesis is rejected, by the tests of a cell."""
    rng = np.random.default_rng([len(cell.shape), *cell[1:4], len(cell.asks)])
    if cell.asks == "level":
        data = [sample(cell, rng) for _ in range(trials)]
        found = [[omnibus(*one, name) for one in data] for name in REFERENCES]
    else:
        data = [sample(cell, rng) for _ in range(max(2, trials // LESS))]
        found = [[omnibus(*one, name) for one in data] for name in REFERENCES[1:]]
        found.append([best_pair(*one) for one in data])
        found.append([permutation(*one, rng) for one in data[: len(data) // 2]])
    return [float((np.array(p) <= 0.05).mean()) for p in found]


def show(cells, found):
    """Return a table of levels and one of power, in per cent."""
    shown = {cell: " / ".join(map(percent, both)) for cell, both in zip(cells, found, strict=True)}
    asked = (("level", SHAPES, SIZES), ("power", POWER_SHAPES, POWER_SIZES))
    return "\n\n".join(
        markdown(
            ("positives", "negatives", "models", *shapes),
            [(*size, *(shown[Cell(shape, *size, asks)] for shape in shapes)) for size in sizes],
        )
        for asks, shapes, sizes in asked
    )


if __name__ == "__main__":
    run("omnibus_levels", "evidence/auc_levels.md", CELLS, levels, show, trials=2000)
