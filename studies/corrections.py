"""What the corrections of `delong_test` gain and cost: level, power, silent power and coverage.

    python -m studies.corrections [--trials 1000] [--jobs 2] [--write]

Every cell is a shape of two models' scores at a number of positives and negatives. Shares of data
sets in which the models are found to differ at the 5% level are shown, and after a slash those of
which no warning came: by DeLong's test, with Student's t below 30 cases of a class and the normal
distribution above; with Hall's cubic as it is; with the factor 1 + 40 / (df + 1), at most 3, that
skewness had before; by the default, which caps Hall's cubic; and by the permutation test, which is
exact where models are exchangeable. The warning is the same for all: failures of the better model,
none of which are in the sample, would explain the difference. The last columns have the coverage of
DeLong's 95% interval, and of the default's.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri

import fastcompare as fc
from fastcompare._inference.pvalues import bare_reference_pvalue
from fastcompare._inference.skewness import HallInterval
from fastcompare._inference.unseen import unseen_failures

from .tables import markdown, percent, run

QUIET = {"on_undefined": "ignore"}
SIZES = ((10, 90), (20, 20), (30, 300), (50, 150), (100, 900))
RESAMPLES = 399


def normal_pair(rng, y, aucs, spread=1.0):
    """Return scores that correlate by .5, of which the second's positives vary by `spread`."""
    first, other = rng.normal(size=(2, y.size))
    second = (0.5 * first + math.sqrt(0.75) * other) * np.where(y == 1, spread, 1.0)
    first += math.sqrt(2.0) * ndtri(aucs[0]) * y
    return first, second + math.sqrt(1.0 + spread**2) * ndtri(aucs[1]) * y


def rare_failures(rng, y, auc, share):
    """Return scores of equal AUCs, of which the second ranks a share of the positives last."""
    a, b = normal_pair(rng, y, (auc, min(auc / (1.0 - share), 1.0 - 1e-9)))
    return a, np.where((rng.random(y.size) < share) & (y == 1), -99.0, b)


def constant(rng, y, auc):
    """Return scores, and a constant."""
    return normal_pair(rng, y, (auc, 0.7))[0], np.zeros(y.size)


def rule(rng, y, auc, share):
    """Return scores, and a rule of an AUC of about .7 that fires in a share of the cases."""
    a, b = normal_pair(rng, y, (auc, 0.7))
    return a, (b > np.quantile(b, 1.0 - share)).astype(float)


def sparse(rng, y, auc):
    """Return scores, and others that are 0 in 90% of the cases."""
    a, b = normal_pair(rng, y, (auc, 0.7))
    return a, np.where(b > np.quantile(b, 0.9), b - b.min(), 0.0)


def three_leaves(rng, y, auc):
    """Return scores, and a tree with three leaves."""
    a, b = normal_pair(rng, y, (auc, 0.7))
    return a, np.digitize(b, np.quantile(b, [0.6, 0.9])).astype(float)


class Shape(NamedTuple):
    """How scores of both models are drawn, and the true difference, NaN if it is not simple."""

    name: str
    draw: Any
    truth: float = math.nan


SHAPES = [
    *(
        Shape(f"equal, AUC {auc:g}", partial(normal_pair, aucs=(auc, auc)), 0.0)
        for auc in (0.5, 0.8, 0.95)
    ),
    *(
        Shape(
            f"equal, AUC {auc:g}, sd 1 and 3",
            partial(normal_pair, aucs=(auc, auc), spread=3.0),
            0.0,
        )
        for auc in (0.8, 0.9, 0.97)
    ),
    *(
        Shape(
            f"equal, AUC {auc:g}, {share:.0%} of positives last",
            partial(rare_failures, auc=auc, share=share),
            0.0,
        )
        for auc, share in ((0.8, 0.1), (0.9, 0.08), (0.95, 0.04))
    ),
    *(
        Shape(f"AUC {one:g} and {two:g}", partial(normal_pair, aucs=(one, two)), one - two)
        for one, two in ((0.85, 0.75), (0.9, 0.8), (0.97, 0.9), (0.99, 0.95))
    ),
    *(
        Shape(f"AUC {auc:g} and a constant", partial(constant, auc=auc), auc - 0.5)
        for auc in (0.7, 0.85)
    ),
    *(
        Shape(f"AUC .85 and a rule that fires in {share:.0%}", partial(rule, auc=0.85, share=share))
        for share in (0.03, 0.05, 0.1)
    ),
    Shape("AUC .85 and 90% zeros", partial(sparse, auc=0.85)),
    Shape("AUC .85 and a tree of three leaves", partial(three_leaves, auc=0.85)),
]


class Cell(NamedTuple):
    """A shape of scores and the numbers of positives and negatives."""

    shape: Shape
    sizes: tuple[int, int]


CELLS = [Cell(shape, sizes) for shape in SHAPES for sizes in SIZES]
TESTS = ("DeLong", "Hall", "times 1 + 40 / (df + 1)", "default", "permutation")


def pvalues(y, a, b, seed):
    """Return the p-value of each test, and the results of DeLong's and of the default."""
    few = np.bincount(y).min() < 30
    plain = fc.delong_test(y, a, b, reference="t" if few else "normal", **QUIET)
    result = fc.delong_test(y, a, b, **QUIET)
    tails, corrected = result._tails, []
    for factor in (1.0, min(1.0 + 40.0 / (df_of(y, a, b) + 1.0), 3.0) if tails else 1.0):
        if tails is None:
            corrected.append(plain.pvalue)
            continue
        free = HallInterval(*tails[:3], factor * tails.skewness)
        corrected.append(
            bare_reference_pvalue(free.statistic_at(0.0, "two-sided"), free.df, "two-sided")
        )
    permuted = fc.permutation_auc_test(y, a, b, n_resamples=RESAMPLES, rng=seed, **QUIET)
    return [plain.pvalue, *corrected, result.pvalue, permuted.pvalue], plain, result


def df_of(y, a, b):
    """Return the degrees of freedom of DeLong's variance."""
    return float(fc.delong_test(y, a, b, reference="t", **QUIET).df)


def measure(cell, *, trials):
    """Return the shares of a cell: found and silent by each test, and covered by both intervals."""
    (m, n), shape = cell.sizes, cell.shape
    rng = np.random.default_rng([*map(ord, shape.name), m, n])
    y = np.repeat([1, 0], (m, n))
    found, silent, covered = (np.zeros(size) for size in (len(TESTS), len(TESTS), 2))
    for seed in range(trials):
        p, *results = pvalues(y, *shape.draw(rng, y), seed)
        failures = unseen_failures(results[1].estimate, results[1].auc, min(m, n), "two-sided")
        significant = np.array(p) <= 0.05
        found += significant
        silent += significant & (failures.probability <= 0.05)
        ends = [result.confidence_interval() for result in results]
        covered += [low <= shape.truth <= high for low, high in ends]
    return found / trials, silent / trials, covered / trials


def show(cells, found):
    """Return the table in per cent."""
    heads = ("scores", "cases", *TESTS, "DeLong's coverage", "default's")
    rows = []
    for (shape, sizes), (claimed, silent, covered) in zip(cells, found, strict=True):
        shares = [f"{percent(a)} / {percent(b)}" for a, b in zip(claimed, silent, strict=True)]
        known = [percent(share) if shape.truth == shape.truth else "" for share in covered]
        rows.append((shape.name, " + ".join(map(str, sizes)), *shares, *known))
    return markdown(heads, rows)


if __name__ == "__main__":
    run("corrections", "evidence/corrections.md", CELLS, measure, show, trials=1_000)
