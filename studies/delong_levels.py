"""How often tests of two AUCs of the same cases reject where the AUCs are equal.

    python -m studies.delong_levels [--trials 600] [--jobs 2] [--write]

Scores are normal in each class, with a correlation of .5 between the models. Curves are equal, or
the second model's positives vary twice as much as the others, its AUC being the same. The tests
that resample take as many data sets a cell as `--trials` says, DeLong's twenty times as many.
"""

import math
from collections import defaultdict
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

import fastcompare as fc

from .tables import markdown, percent, run

SIZES = {  # positives, and cases: at least 2% positives, at most half
    2: (30, 100),
    3: (30, 100),
    5: (30, 100, 200),
    10: (30, 100, 200, 500),
    20: (100, 200, 500),
    30: (100, 200, 500),
    50: (100, 200, 500),
    100: (200, 500),
    250: (500,),
}
AUCS = {"to .8": (0.6, 0.8), "from .9": (0.9, 0.97, 0.99)}
SPREADS = {"equal": 1.0, "unequal": 2.0}  # standard deviations of the second model's positives
CORRELATION = 0.5
LEVELS = (0.05, 0.001)
MORE = 20  # times the trials for the tests that do not resample
BLOCK = 1 << 20  # cases at a time
RESAMPLES = 1999  # p-values can be .001
QUIET = {"on_undefined": "ignore"}


class Cell(NamedTuple):
    """The curves, the positives, the cases, and the AUC of both models."""

    curves: str
    m: int
    n: int
    auc: float


CELLS = sorted(
    (
        Cell(curves, m, n, auc)
        for curves in SPREADS
        for m, sizes in SIZES.items()
        for n in sizes
        for aucs in AUCS.values()
        for auc in aucs
    ),
    key=lambda cell: -cell.n,  # the slowest first
)


def data_sets(cell, rng, trials):
    """Return labels, and scores (trials, cases) of both models."""
    labels = (np.arange(cell.n) < cell.m).astype(int)
    first, other = rng.normal(size=(2, trials, cell.n))
    second = CORRELATION * first + math.sqrt(1.0 - CORRELATION**2) * other
    spread = SPREADS[cell.curves]
    second[:, : cell.m] *= spread
    first[:, : cell.m] += math.sqrt(2.0) * ndtri(cell.auc)
    second[:, : cell.m] += math.sqrt(1.0 + spread**2) * ndtri(cell.auc)
    return labels, first, second


def delong(cell, rng, trials, reference):
    """Return the p-values of DeLong's test."""
    height, found = max(1, BLOCK // cell.n), []
    for start in range(0, trials, height):
        data = data_sets(cell, rng, min(height, trials - start))
        found.append(fc.delong_batch(*data, reference=reference, **QUIET).pvalue)
    return np.concatenate(found)


def one_by_one(cell, rng, trials, test, **options):
    """Return the p-values of a test that takes one data set."""
    labels, first, second = data_sets(cell, rng, trials)
    options |= {"n_resamples": RESAMPLES, **QUIET}
    scores = zip(first, second, strict=True)
    return np.array([test(labels, *both, rng=i, **options).pvalue for i, both in enumerate(scores)])


TESTS = {
    "DeLong, normal": (MORE, partial(delong, reference="normal")),
    "DeLong, t": (MORE, partial(delong, reference="t")),
    "permutation": (1, partial(one_by_one, test=fc.permutation_auc_test, exact=False)),
    "percentile": (1, partial(one_by_one, test=fc.bootstrap_auc_test, method="percentile")),
    "studentized": (1, partial(one_by_one, test=fc.bootstrap_auc_test, method="studentized")),
}


def measure(cell, *, trials):
    """Return the shares of p-values at most 5% and at most .1%; undefined ones are neither."""
    seed = [len(cell.curves), cell.m, cell.n, round(1000 * cell.auc)]
    found = {}
    for test, (times, pvalues) in TESTS.items():
        p = pvalues(cell, np.random.default_rng(seed), times * trials)
        found[test] = [float((p <= level).mean()) for level in LEVELS]
    return found


def pooled(cells, found):
    """Return for each curves, positives, AUCs and test the shares of all sizes together."""
    shares = defaultdict(list)
    for cell, tests in zip(cells, found, strict=True):
        group = next(name for name, aucs in AUCS.items() if cell.auc in aucs)
        for test, levels in tests.items():
            shares[cell.curves, cell.m, group, test].append(levels)
    return {key: np.mean(levels, axis=0) for key, levels in shares.items()}


def show(cells, found):
    """Return a table of levels of 5%, and one of shares of .1%."""
    shares = pooled(cells, found)
    head = ("curves", "positives", *TESTS)
    return "\n\n".join(
        markdown(head, rows(shares, i, form))
        for i, form in enumerate((percent, lambda share: f"{share / LEVELS[1]:.1f}"))
    )


def rows(shares, level, form):
    """Return the rows of a table: a test's two numbers are those of low and of high AUCs."""
    for curves in SPREADS:
        for m in SIZES:
            cells = [
                " / ".join(form(shares[curves, m, group, test][level]) for group in AUCS)
                for test in TESTS
            ]
            yield curves, m, *cells


if __name__ == "__main__":
    run("delong_levels", "evidence/auc_levels.md", CELLS, measure, show, trials=600)
