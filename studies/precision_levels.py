"""Levels and power of tests of two average precisions: the percentile bootstrap, and exchanges.

    python -m studies.precision_levels [--trials 500] [--jobs 2] [--write]

Scores are binormal and correlate by one half within a class; the second model's positives have
another standard deviation, at the same average precision. "Power" is that for a first model whose
positives are 1.2 standard deviations higher.
"""

import math
from functools import cache
from itertools import product
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

NORMAL = NormalDist()
SIZES = ((3, 47), (15, 35), (10, 190), (60, 140), (50, 950))
SHAPES = ((0.6, 1.0), (0.9, 1.0), (0.99, 1.0), (0.9, 2.0))
RESAMPLES, GAIN, MANY = 399, 1.2, 200_000


class Cell(NamedTuple):
    """Numbers of positives and negatives, the first AUC, the second model's standard deviation."""

    m: int
    n: int
    auc: float
    spread: float


class Found(NamedTuple):
    """Shares of data sets in which a test rejects."""

    level: float
    power: float
    bootstrap_level: float
    bootstrap_power: float


CELLS = [Cell(*sizes, *shape) for sizes, shape in product(SIZES, SHAPES)]


@cache
def shifts(cell):
    """Return the shifts of both models' positives, with which their average precisions agree."""
    first = math.sqrt(2.0) * NORMAL.inv_cdf(cell.auc)
    if cell.spread == 1.0:
        return first, first
    rng = np.random.default_rng(0)
    m = round(MANY * cell.m / (cell.m + cell.n))
    y, positive = np.repeat([1, 0], [m, MANY - m]), rng.normal(size=m)
    negative = rng.normal(size=MANY - m)

    def precision(shift, spread):
        return fc.average_precision(y, np.append(shift + spread * positive, negative))

    target, low, high = precision(first, 1.0), -5.0, 15.0
    for _ in range(20):
        middle = 0.5 * (low + high)
        below = precision(middle, cell.spread) < target
        low, high = (middle, high) if below else (low, middle)
    return first, low


def rejects(cell, gain, method, rng):
    """Return whether a test of a drawn data set rejects at 5%."""
    first, second = shifts(cell)
    shared, own = rng.normal(size=(cell.m + cell.n, 1)), rng.normal(size=(cell.m + cell.n, 2))
    scores = math.sqrt(0.5) * (shared + own)
    scores[: cell.m] = scores[: cell.m] * [1.0, cell.spread] + [first + gain, second]
    options = {"method": method, "n_resamples": RESAMPLES, "rng": 0, "on_undefined": "ignore"}
    y = np.repeat([1, 0], [cell.m, cell.n])
    return fc.average_precision_test(y, *scores.T.copy(), **options).pvalue <= 0.05


def measure(cell, *, trials):
    """Return how often the tests reject, of the same data sets."""
    found = []
    for method, gain in product(("permutation", "percentile"), (0.0, GAIN)):
        rng = np.random.default_rng([31, int(10 * gain), *map(ord, str(cell))])
        found.append(float(np.mean([rejects(cell, gain, method, rng) for _ in range(trials)])))
    return Found(*found)


def show(cells, found):
    """Return the table."""
    head = ("positives", "negatives", "AUC", "sd of the second", "permutation", "its power")
    rows = ((*cell, *map(percent, one)) for cell, one in zip(cells, found, strict=True))
    return markdown((*head, "bootstrap", "its power"), rows)


if __name__ == "__main__":
    run("precision_levels", "evidence/auc_levels.md", CELLS, measure, show, trials=500)
