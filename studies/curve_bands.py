"""How often bands of a ROC curve contain all of it, and how much of the square they take.

    python -m studies.curve_bands [--trials 1000] [--jobs 2] [--write]

Scores are binormal: negatives have a standard deviation of 1, positives another one. A band covers
if the true curve lies within it at each of its 101 rates. Beside the default stands the band of the
replicates alone, as it was before the 'profile' intervals widened it.
"""

import itertools
import math
from statistics import NormalDist
from typing import NamedTuple
from unittest.mock import patch

import numpy as np

import fastcompare as fc
from fastcompare.auc import _curves as curves

from .tables import markdown, percent, run

NORMAL = NormalDist()
RATES = np.linspace(0.0, 1.0, 101)
RESAMPLES = 999
SIZES = ((15, 35), (35, 15), (30, 30), (60, 60), (20, 180), (100, 100), (200, 200))
AUCS, SPREADS = (0.6, 0.75, 0.9, 0.98, 0.99), (0.5, 1.0, 2.0, 3.0)


class Cell(NamedTuple):
    """Numbers of positives and negatives, the AUC, and the positives' standard deviation."""

    m: int
    n: int
    auc: float
    spread: float


class Found(NamedTuple):
    """Coverage and mean width, by default and of the replicates alone."""

    covered: float
    width: float
    covered_alone: float
    width_alone: float


CELLS = [Cell(*sizes, auc, sd) for sizes, auc, sd in itertools.product(SIZES, AUCS, SPREADS)]


def truth_of(cell):
    """Return the true sensitivities at the rates, and the distance of the classes' means."""
    apart = NORMAL.inv_cdf(cell.auc) * math.hypot(1.0, cell.spread)
    inner = [NORMAL.cdf((apart + NORMAL.inv_cdf(rate)) / cell.spread) for rate in RATES[1:-1]]
    return np.array([0.0, *inner, 1.0]), apart


def band_of(labels, scores, seed):
    """Return the ends of a band."""
    options = {"fpr": RATES, "n_resamples": RESAMPLES, "rng": seed, "on_undefined": "ignore"}
    band = fc.roc_curve_band(labels, scores, **options)
    return band.low, band.high


def alone(path, tpr, rates, level, n_jobs):
    """Return ends that widen nothing."""
    return np.ones_like(tpr), np.zeros_like(tpr)


def describe(ends, truth):
    """Return whether a band covers, and its mean width."""
    low, high = ends
    inside = (low <= truth + 1e-12) & (truth <= high + 1e-12)
    return float(inside.all()), float(np.mean(high - low))


def measure(cell, *, trials):
    """Return what bands of one cell are like."""
    truth, apart = truth_of(cell)
    rng = np.random.default_rng([29, *map(ord, str(cell))])
    labels, found = np.repeat([1, 0], [cell.m, cell.n]), []
    for seed in range(trials):
        positive = rng.normal(apart, cell.spread, cell.m)
        scores = np.append(positive, rng.normal(size=cell.n))
        both = describe(band_of(labels, scores, seed), truth)
        with patch.object(curves, "profile_band", alone):
            both += describe(band_of(labels, scores, seed), truth)
        found.append(both)
    return Found(*np.mean(found, axis=0).tolist())


def show(cells, found):
    """Return the table: of each AUC and number of cases the lowest coverage of all shapes."""
    rows, by_cell = [], dict(zip(cells, found, strict=True))
    for (m, n), auc in itertools.product(SIZES, AUCS):
        own = [by_cell[Cell(m, n, auc, spread)] for spread in SPREADS]
        least = [min(getattr(one, name) for one in own) for name in ("covered", "covered_alone")]
        equal = by_cell[Cell(m, n, auc, 1.0)]
        ratio = equal.width / equal.width_alone
        rows.append(
            (
                *(m, n, auc, *map(percent, least)),
                *(percent(equal.covered), percent(equal.covered_alone)),
                *(f"{equal.width:.3f}", f"{ratio:.2f}"),
            )
        )
    head = ("positives", "negatives", "AUC", "lowest coverage", "replicates alone")
    head += ("sd 1", "replicates alone", "mean width", "ratio")
    return markdown(head, rows)


if __name__ == "__main__":
    run("curve_bands", "evidence/auc_coverage.md", CELLS, measure, show, trials=1_000)
