"""How often tests of reader studies reject where treatments do not differ.

    python -m studies.reader_levels [--trials 250] [--jobs 2] [--write]

Ratings are those of Roe and Metz (1997), see `roe_metz`: four structures, which a row has together,
of two treatments with the same mean AUC. The null hypothesis is that of the claim: where readers
are fixed, treatments differ for no reader; where cases are, for no case. The last two columns are
wrong tests: readers, or cases, count as fixed, and the claim is about others.
"""

from functools import partial
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .roe_metz import AUCS, READERS, SIZES, STRUCTURES, Design, ratings, truth_of
from .tables import markdown, percent, run

CLAIMS = {  # what is random in the test, and what treatments do not differ for
    "readers and cases": (("readers", "cases"), ""),
    "these readers": ("cases", "readers"),
    "these cases": ("readers", "cases"),
    "readers taken as fixed": ("cases", ""),
    "cases taken as fixed": ("readers", ""),
}
RARE = ((5, 95), (10, 90))  # positives and negatives, beside those of Roe and Metz
QUIET = {"on_undefined": "ignore"}


class Cell(NamedTuple):
    """The readers, the cases of each class, and the AUC."""

    readers: int
    sizes: tuple[int, int]
    auc: float


CELLS = [Cell(r, sizes, auc) for r in READERS for sizes in (*SIZES, *RARE) for auc in AUCS]


def treatments(design, rng, random):
    """Return the result of a study of two treatments."""
    return fc.reader_study_test(
        ratings(design, rng), truth=truth_of(design), random=random, **QUIET
    )


def tests_of(cell, structure):
    """Return the tests by name, each with the design of its null hypothesis."""
    design = Design(cell.readers, cell.sizes, cell.auc, structure)
    return {
        name: (partial(treatments, random=random), design._replace(fixed=fixed))
        for name, (random, fixed) in CLAIMS.items()
    }


def measure(cell, *, trials):
    """Return by test the shares of p-values of at most 5%, and of those without a warning."""
    found = {}
    for at, structure in enumerate(STRUCTURES.values()):
        for name, (test, design) in tests_of(cell, structure).items():
            seed = [cell.readers, *cell.sizes, round(100 * cell.auc), at]
            rng = np.random.default_rng(seed)
            results = [test(design, rng) for _ in range(trials)]
            rejected = np.array([result.pvalue <= 0.05 for result in results])
            sound = np.array([result.status == "ok" for result in results])
            shares = rejected.mean(), (rejected & sound).mean()
            found.setdefault(name, []).append(shares)
    return {name: np.array(shares) for name, shares in found.items()}


def show(cells, found):
    """Return a table: the mean share over structures, the largest, and what is not warned of."""
    head = ("readers", "cases", "AUC", *CLAIMS)
    rows = []
    for cell, tests in zip(cells, found, strict=True):
        shown = []
        for name in CLAIMS:
            (mean, sound), (most, _) = tests[name].mean(axis=0), tests[name].max(axis=0)
            shown.append(f"{percent(mean)} ({percent(most)}) / {percent(sound)}")
        rows.append((cell.readers, " + ".join(map(str, cell.sizes)), cell.auc, *shown))
    return markdown(head, rows)


if __name__ == "__main__":
    run("reader_levels", "evidence/readers.md", CELLS, measure, show, trials=250)
