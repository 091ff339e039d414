"""How often simultaneous intervals of `subgroup_auc` miss, and its tests reject true hypotheses.

    python -m studies.subgroups [--trials 2000] [--jobs 2] [--write] [--store FILE]

Normal scores with the same AUC in all subgroups, whose sizes are equal or fall from first to
last by a factor of ten; 40% of the cases are positive. In the last rows the first half of the
subgroups has an AUC of .8 and the others of .9: there only intervals can miss.
"""

import math
import warnings
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

import fastcompare as fc

from .tables import markdown, percent, run

GROUPS = (2, 4, 8)
SIZES = ((200, "equal"), (200, "unequal"), (60, "equal"), (60, "unequal"))
AUCS = ((0.8, 0.8), (0.8, 0.9))
POSITIVE = 0.4


class Cell(NamedTuple):
    """How many subgroups of which mean size, and the AUCs of both halves of them."""

    count: int
    mean: int
    sizes: str
    first: float
    second: float


class Errors(NamedTuple):
    """How often any interval misses, or any test rejects; and how often without a warning."""

    aucs: float
    pairs: float
    gap: float
    rest: float
    silent: float


def drawn(cell, rng):
    """Return labels, scores, subgroups and the true AUC of each subgroup."""
    shares = np.ones(cell.count)
    if cell.sizes == "unequal":
        shares = np.geomspace(10.0, 1.0, cell.count)
    sizes = np.maximum(10, np.round(cell.mean * cell.count * shares / shares.sum())).astype(int)
    group = np.repeat(np.arange(cell.count), sizes)
    y = np.concatenate([np.arange(size) < max(2, round(POSITIVE * size)) for size in sizes])
    true = np.where(np.arange(cell.count) < cell.count / 2, cell.first, cell.second)
    return y, rng.normal(size=y.size) + y * math.sqrt(2.0) * ndtri(true[group]), group, true


def misses(interval, true):
    """Return whether any of the intervals does not contain its true value."""
    low, high = (np.asarray(end) for end in interval)
    return bool(((low > true) | (high < true)).any())


def errors(cell, *, trials):
    """Return how often each kind of statement of a result errs."""
    rng = np.random.default_rng([len(str(cell)), *map(ord, str(cell))])
    found = np.zeros(5)
    with warnings.catch_warnings(action="ignore"):
        for _ in range(trials):
            y, x, group, true = drawn(cell, rng)
            result = fc.subgroup_auc(y, x, group, on_undefined="ignore")
            i, j = np.triu_indices(cell.count, 1)
            pairs = misses(result.confidence_interval(simultaneous=True), true[i] - true[j])
            equal = np.ptp(true) == 0.0
            found += (
                misses(result.auc_interval(simultaneous=True), true),
                pairs,
                misses(result.gap_interval(), np.ptp(true)),
                equal and bool((result.rest_adjusted_pvalue <= 0.05).any()),
                pairs and bool(np.isin(result.status, ("ok", "unseen_failures")).all()),
            )
    return Errors(*(found / trials))


CELLS = [Cell(k, *sizes, *aucs) for aucs in AUCS for sizes in SIZES for k in GROUPS]


def show(cells, found):
    """Return the table, in per cent."""
    rows = [
        (
            f"{cell.first:g}" if cell.first == cell.second else f"{cell.first:g}, {cell.second:g}",
            cell.count,
            f"{cell.mean}, {cell.sizes}",
            percent(each.aucs),
            f"{percent(each.pairs)} / {percent(each.silent)}",
            percent(each.gap),
            percent(each.rest) if cell.first == cell.second else "–",
        )
        for cell, each in zip(cells, found, strict=True)
    ]
    heads = ("AUC", "subgroups", "cases of each", "AUCs", "pairs", "gap", "against the rest")
    return markdown(heads, rows)


if __name__ == "__main__":
    run(
        "subgroups",
        "evidence/auc_subgroups.md",
        CELLS,
        errors,
        show,
        trials=2_000,
        stored=(str, Errors),
    )
