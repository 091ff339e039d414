"""Simulate how often nominal 95% intervals of two models' measures cover the truth.

    python -m studies.coverage [--trials 500] [--jobs 2] [--write]

Two correlated binormal models score the same cases. The truths are those of infinitely many cases
of the same prevalence. An interval that is not defined, or is a single point beside the truth, does
not cover. `studies.coverage_grid` has one model's AUC for many more sizes and curves.
"""

import math
from collections import Counter
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

import fastcompare as fc

from .tables import markdown, percent, run

LEVEL = 0.95
SHARED = 0.5  # correlation of the two models within a class
SINGLE = ("score", "delong", "logit", "newcombe", "bootstrap")
BOOTSTRAPS = ("percentile", "basic", "bca", "normal", "studentized")
CURVES = {"average precision": "average_precision", "partial AUC": "partial_auc"}
RANGE = 0.1  # of false positive rates, for the partial AUC
QUIET = {"on_undefined": "ignore"}


class Design(NamedTuple):
    """Cases, the share of positives, and the AUCs of two models."""

    n: int
    auc_a: float
    auc_b: float
    prevalence: float = 0.5

    @property
    def positives(self):
        """How many of the cases are positive."""
        return round(self.n * self.prevalence)

    def __str__(self):
        return f"{self.positives} + {self.n - self.positives}, AUC {self.auc_a:g}, {self.auc_b:g}"


SIZES = ((50, 0.5), (200, 0.5), (200, 0.05))
DESIGNS = [Design(n, a, b, p) for n, p in SIZES for a, b in ((0.75, 0.7), (0.95, 0.92))]


def scores_of(design, rng):
    """Return labels and both models' scores of one data set."""
    labels = (np.arange(design.n) < design.positives).astype(int)
    noise = rng.normal(size=(3, design.n))
    mixed = math.sqrt(SHARED) * noise[0] + math.sqrt(1.0 - SHARED) * noise[1:]
    return labels, *(mixed + shifts(design)[:, None] * labels)


def shifts(design):
    """Return how far the positives of both models are shifted."""
    return math.sqrt(2.0) * ndtri([design.auc_a, design.auc_b])


def truths(design):
    """Return the values of both models for every measure."""
    share = design.positives / design.n
    grid = np.linspace(-9.0, 14.0, 400_001)  # thresholds
    middle, found = 0.5 * (grid[1:] + grid[:-1]), {"AUC": (design.auc_a, design.auc_b)}
    false = ndtr(-middle)
    within = false <= RANGE
    found |= {"average precision": (), "partial AUC": ()}
    for shift in shifts(design):
        true, hits = ndtr(shift - middle), np.diff(ndtr(grid - shift))
        precision = share * true / (share * true + (1.0 - share) * false)
        area = (true * np.diff(ndtr(grid)))[within].sum()
        found["average precision"] += (float((precision * hits).sum()),)
        found["partial AUC"] += (float(area),)
    return found


def intervals(labels, a, b, *, n_resamples, seed, curves=CURVES):
    """Yield what an interval is of, the name of its method, and the interval."""
    drawn = QUIET | {"rng": seed, "n_resamples": n_resamples}
    for method in SINGLE:
        extra = drawn if method == "bootstrap" else QUIET
        yield ("AUC", method), fc.roc_auc_interval(labels, a, method=method, **extra)
    yield ("AUC, difference", "delong"), fc.delong_test(labels, a, b, **QUIET)
    for method in BOOTSTRAPS:
        found = fc.bootstrap_auc_test(labels, a, b, method=method, **drawn)
        yield ("AUC, difference", method), found
    for name, stem in curves.items():
        single, paired = getattr(fc, f"{stem}_interval"), getattr(fc, f"{stem}_test")
        for method in BOOTSTRAPS[:4]:
            yield (name, method), single(labels, a, method=method, **drawn)
            yield (f"{name}, difference", method), paired(labels, a, b, method=method, **drawn)


def coverage(design, *, trials, n_resamples=999, curves=CURVES):
    """Return the share of data sets of a design that each interval covers the truth in."""
    rng, covered = np.random.default_rng([design.n, round(1000 * design.auc_a)]), Counter()
    truth = {}
    for name, (a, b) in truths(design).items():
        truth |= {name: a, f"{name}, difference": a - b}
    for trial in range(trials):
        drawn = {"n_resamples": n_resamples, "seed": trial, "curves": curves}
        for name, result in intervals(*scores_of(design, rng), **drawn):
            low, high = result.confidence_interval(LEVEL)
            covered[name] += low <= truth[name[0]] <= high
    return {name: covered[name] / trials for name in sorted(covered)}


def table(designs, found):
    """Return a Markdown table of percentages."""
    rows = [[*name, *(percent(shares[name]) for shares in found)] for name in found[0]]
    return markdown(["interval of", "method", *map(str, designs)], rows)


if __name__ == "__main__":
    run("coverage", "evidence/auc_coverage.md", DESIGNS, coverage, table, trials=500)
