"""Simulate how often nominal 95 % intervals cover the truth, and print a Markdown table.

    python -m studies.coverage [--trials 500] [--resamples 999] [--jobs 2]

Two correlated binormal models score the same cases, half of which are positive. The truth is
Phi(shift / sqrt 2). An interval that is not defined, or is a single point beside the truth, does
not cover.
"""

import argparse
import math
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

import fastcompare as fc

LEVEL = 0.95
SHARED = 0.5  # correlation of the two models within a class
SINGLE = ("delong", "logit", "newcombe", "bootstrap")
BOOTSTRAPS = ("percentile", "basic", "bca", "normal", "studentized")


class Design(NamedTuple):
    """Cases, half of them positive, and the AUCs of two models."""

    n: int
    auc_a: float
    auc_b: float

    def __str__(self):
        return f"n = {self.n}, AUC {self.auc_a:g}, {self.auc_b:g}"


DESIGNS = [Design(n, a, b) for n in (50, 200) for a, b in ((0.75, 0.7), (0.95, 0.92))]


def scores_of(design, rng):
    """Return labels and both models' scores of one data set."""
    labels = np.arange(design.n) % 2
    noise = rng.normal(size=(3, design.n))
    mixed = math.sqrt(SHARED) * noise[0] + math.sqrt(1.0 - SHARED) * noise[1:]
    shifts = math.sqrt(2.0) * ndtri([design.auc_a, design.auc_b])
    return labels, *(mixed + shifts[:, None] * labels)


def intervals(labels, a, b, *, n_resamples, seed, methods=BOOTSTRAPS):
    """Yield names of intervals, what each is for, and the interval."""
    words = {"on_undefined": "ignore"}
    drawn = words | {"rng": seed, "n_resamples": n_resamples}
    for method in SINGLE:
        extra = drawn if method == "bootstrap" else words
        found = fc.roc_auc_interval(labels, a, method=method, **extra)
        yield ("AUC", method), found.confidence_interval(LEVEL)
    yield ("difference", "delong"), fc.delong_test(labels, a, b, **words).confidence_interval(LEVEL)
    for method in methods:
        found = fc.bootstrap_auc_test(labels, a, b, method=method, **drawn)
        yield ("difference", method), found.confidence_interval(LEVEL)


def coverage(design, *, trials, n_resamples, methods=BOOTSTRAPS):
    """Return the share of data sets of a design that each interval covers the truth in."""
    rng, covered = np.random.default_rng([design.n, round(1000 * design.auc_a)]), Counter()
    truth = {"AUC": design.auc_a, "difference": design.auc_a - design.auc_b}
    for trial in range(trials):
        problem = scores_of(design, rng)
        for name, (low, high) in intervals(
            *problem, n_resamples=n_resamples, seed=trial, methods=methods
        ):
            covered[name] += low <= truth[name[0]] <= high
    return {name: count / trials for name, count in covered.items()}


def table(designs, found):
    """Return a Markdown table of percentages."""
    lines = ["| interval of | method | " + " | ".join(map(str, designs)) + " |"]
    lines.append("|" + " --- |" * (2 + len(designs)))
    for name in found[0]:
        cells = [f"{100 * shares[name]:.1f}" for shares in found]
        lines.append("| " + " | ".join([*name, *cells]) + " |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trials", type=int, default=500)
    parser.add_argument("--resamples", type=int, default=999)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    run = partial(coverage, trials=options.trials, n_resamples=options.resamples)
    with ProcessPoolExecutor(options.jobs) as pool:
        print(table(DESIGNS, list(pool.map(run, DESIGNS))))


if __name__ == "__main__":
    main()
