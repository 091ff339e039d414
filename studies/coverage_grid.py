"""Simulate how often 95% intervals of one AUC cover it, over sizes, prevalences and curves.

    python -m studies.coverage_grid [--trials 20000] [--jobs 2] [--write]

Negatives have standard normal scores, positives normal ones whose standard deviation is 2, 1 or
1/2 and whose mean gives the AUC. All trials of a cell are computed at once, by the formulas of
`fastcompare.auc._intervals` written for arrays; tests/auc/test_coverage.py compares the two.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtri, stdtrit
from scipy.stats import rankdata

from .tables import markdown, percent, run

Z = float(-ndtri(0.025))
AUCS = (0.6, 0.75, 0.9, 0.95, 0.99)
SPREADS = (2.0, 1.0, 0.5)  # of the positives' scores
METHODS = ("score", "newcombe", "logit", "delong")
AT_ONCE = 500_000  # scores


class Cell(NamedTuple):
    """The numbers of positives and negatives."""

    m: int
    n: int


CELLS = list(
    dict.fromkeys(
        Cell(m := max(2, round(size * share)), size - m)
        for size in (30, 50, 100, 200, 500)
        for share in (0.02, 0.05, 0.1, 0.2, 0.5)
    )
)


def drawn(cell, auc, spread, trials, rng):
    """Return the AUC and DeLong's parts of its variance of every trial."""
    shift = float(ndtri(auc)) * math.sqrt(1.0 + spread**2)
    positives = shift + spread * rng.standard_normal((trials, cell.m))
    negatives = rng.standard_normal((trials, cell.n))
    ranks = rankdata(np.concatenate([positives, negatives], axis=1), axis=1)
    v10 = (ranks[:, : cell.m] - rankdata(positives, axis=1)) / cell.n
    v01 = 1.0 - (ranks[:, cell.m :] - rankdata(negatives, axis=1)) / cell.m
    return v10.mean(axis=1), v10.var(axis=1, ddof=1) / cell.m + v01.var(axis=1, ddof=1) / cell.n


def model(u, m, n):
    """Return Newcombe's variance of an AUC of u."""
    half = 0.5 * (m + n) - 1.0
    return u * (1.0 - u) / (m * n) * (1.0 + half * ((1.0 - u) / (2.0 - u) + u / (1.0 + u)))


def squares(auc, variance, u, m, n):
    """Return the variance times the squared quantile of 'score', for true AUCs of u."""
    df = (1 / m + 1 / n) ** 2 / (1 / (m * m * (m - 1)) + 1 / (n * n * (n - 1)))
    known, expected = 2.0 * auc * (1.0 - auc) * df, model(auc, m, n)
    observed = np.divide(variance, expected, out=np.ones_like(auc), where=expected > 0.0)
    scale = (4.0 + known * observed) / (4.0 + known)
    return scale * model(u, m, n) * stdtrit(4.0 + 2.0 * u * (1.0 - u) * df, 0.975) ** 2


def covered(auc, variance, truth, m, n):
    """Return for every method in which trials its interval holds the truth."""
    error, distance = np.sqrt(variance), np.abs(auc - truth)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = Z * error / (auc * (1.0 - auc))
        low, high = expit(logit(auc) - odds), expit(logit(auc) + odds)
    return {
        "score": distance**2 <= squares(auc, variance, truth, m, n),
        "newcombe": distance**2 <= Z * Z * model(truth, m, n),
        "logit": (low <= truth) & (truth <= high),
        "delong": distance <= Z * error,
    }


def measure(cell, *, trials):
    """Return the coverage of every method, AUC and spread."""
    rng, found = np.random.default_rng(cell), {}
    for auc in AUCS:
        for spread in SPREADS:
            counts, left = dict.fromkeys(METHODS, 0), trials
            while left:
                some = min(left, max(AT_ONCE // sum(cell), 1))
                inside = covered(*drawn(cell, auc, spread, some, rng), auc, *cell)
                counts = {name: counts[name] + int(inside[name].sum()) for name in METHODS}
                left -= some
            found |= {(name, auc, spread): counts[name] / trials for name in METHODS}
    return found


def show(cells, found):
    """Return a Markdown table: the lowest coverage over all AUCs, for equal and all spreads."""
    rows = []
    for cell, shares in zip(cells, found, strict=True):
        lowest = [
            min(shares[name, auc, spread] for auc in AUCS for spread in spreads)
            for spreads in ((1.0,), SPREADS)
            for name in METHODS
        ]
        rows.append([*cell, *map(percent, lowest)])
    head = ["positives", "negatives", *METHODS]
    return markdown([*head, *(f"{name}, unequal" for name in METHODS)], rows)


if __name__ == "__main__":
    run("coverage_grid", "evidence/auc_coverage.md", CELLS, measure, show, trials=20_000)
