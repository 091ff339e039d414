"""What the sentence on the correlation of rounds gains and costs, by the variance that it asks for.

    python -m studies.fold_doubts [--trials 600] [--jobs 2] [--write]

Of two models that learn alike (`studies.fold_errors`), how often they differ at the 5% level by the
test that `compare` chooses, and how often that would be so had the mean 1.25, 1.5 or 2 times its
variance: these results have no sentence. Equal models, and models that differ by 2.8 standard
deviations of the mean difference.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

import fastcompare as fc
from fastcompare.advice.analyses.folds import pvalue_with_variance_factor
from studies.fold_errors import ALPHA, DESIGNS, QUIET, SOURCES
from studies.tables import markdown, percent, run

TIMES = (1.0, 1.25, 1.5, 2.0)
GAIN = 2.8  # standard deviations, for a power of some 80%
ROUNDS = {design.name: design for design in DESIGNS if design.name != "10-fold"}


class Cell(NamedTuple):
    """Which models are scored in which rounds."""

    source: str
    design: str


CELLS = [Cell(source, design) for source in SOURCES for design in ROUNDS]


def tested(design, a, b):
    """Return the result that `compare` has of two models in such rounds."""
    if design.name == "5x2cv":
        return fc.ftest_5x2cv(a.reshape(5, 2), b.reshape(5, 2), **QUIET)
    return fc.ttest_corrected(a, b, **design.sizes, **QUIET)


def measure(cell, *, trials):
    """Return the shares of significant results of equal and unequal models, by variance."""
    rng, design = np.random.default_rng([*map(ord, "".join(cell))]), ROUNDS[cell.design]
    drawn = [SOURCES[cell.source](design, rng)[:, :2].T for _ in range(trials)]
    ahead = GAIN * np.std([(a - b).mean() for a, b in drawn])
    return [shares_of(partial(tested, design), drawn, gain) for gain in (0.0, ahead)]


def shares_of(test, drawn, gain):
    """Return how often models differ if the first one is better by a gain, by variance."""
    results = [test(a + gain, b) for a, b in drawn]
    found = [
        [pvalue_with_variance_factor(one, times) <= ALPHA for times in TIMES] for one in results
    ]
    return np.mean(found, axis=0).tolist()


def show(cells, found):
    """Return the table in per cent."""
    heads = [f"{what}{by}" for what in ("level", "power") for by in ("", *map(at_times, TIMES[1:]))]
    rows = [
        (*cell, *(percent(share) for part in shares for share in part))
        for cell, shares in zip(cells, found, strict=True)
    ]
    return markdown(("scores", "rounds", *heads), rows)


def at_times(times):
    """Return the words for so many times the variance."""
    return f", × {times:g}"


if __name__ == "__main__":
    run("fold_doubts", "evidence/folds.md", CELLS, measure, show, trials=600)
