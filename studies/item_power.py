"""What `paired_mean_test` finds by default, and what tests find that need exchangeable models.

    python -m studies.item_power [--trials 500] [--jobs 2] [--write]

Differences of equal models, and of models that differ by so much of the standard deviation of a
difference: how often they differ at the 5% level, by the default (and without a warning), by the
signs of clusters and, of independent items, by Wilcoxon's test. Clusters have an intraclass
correlation of .5, and lognormal sizes of sigma 1 where these are unequal.
"""

import math
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

QUIET = {"on_undefined": "ignore"}


def independent(rng, n, noise):
    """Return differences of independent items."""
    return noise(rng, n), {}


def clustered(rng, sizes):
    """Return differences of items in clusters of such sizes, or of so many unequal ones."""
    if isinstance(sizes, int):
        sizes = np.ceil(rng.lognormal(np.log(5.0), 1.0, sizes)).astype(int)
    groups = np.repeat(np.arange(len(sizes)), sizes)
    common, own = rng.normal(size=len(sizes)), rng.normal(size=groups.size)
    return math.sqrt(0.5) * (common[groups] + own), {"groups": groups}


def weighted(rng, n):
    """Return differences of items with lognormal weights."""
    return rng.normal(size=n), {"sample_weight": rng.lognormal(size=n)}


def normal(rng, n):
    """Return normal numbers."""
    return rng.normal(size=n)


def heavy(rng, n, df):
    """Return numbers of Student's t."""
    return rng.standard_t(df, n)


def lognormals(rng, n):
    """Return differences of lognormal numbers."""
    return rng.lognormal(size=n) - rng.lognormal(size=n)


class Cell(NamedTuple):
    """What differences are drawn, and by how much models differ."""

    name: str
    draw: Any
    gain: float


CELLS = [
    Cell("20 items, normal", partial(independent, n=20, noise=normal), 0.65),
    Cell("20 items, t with 3 df", partial(independent, n=20, noise=partial(heavy, df=3)), 0.9),
    Cell("20 items, t with 2 df", partial(independent, n=20, noise=partial(heavy, df=2)), 1.0),
    Cell("20 items, lognormal models", partial(independent, n=20, noise=lognormals), 1.4),
    Cell("8 clusters of 5", partial(clustered, sizes=[5] * 8), 0.95),
    Cell("12 clusters of 5", partial(clustered, sizes=[5] * 12), 0.7),
    Cell("12 unequal clusters", partial(clustered, sizes=12), 0.9),
    Cell("20 unequal clusters", partial(clustered, sizes=20), 0.7),
    Cell("a cluster of 60, 20 of 3", partial(clustered, sizes=[60, *[3] * 20]), 0.8),
    Cell("20 items, lognormal weights", partial(weighted, n=20), 1.05),
    Cell("50 items, lognormal weights", partial(weighted, n=50), 0.65),
]


def measure(cell, *, trials):
    """Return the shares of equal and of unequal models that differ by each test."""
    rng = np.random.default_rng([*map(ord, cell.name)])
    drawn = [cell.draw(rng) for _ in range(trials)]
    return [
        np.mean([tested(d + gain, options) for d, options in drawn], axis=0).tolist()
        for gain in (0.0, cell.gain)
    ]


def tested(d, options):
    """Return whether models differ by the default, without a warning, and by the other tests."""
    found = fc.paired_mean_test(d, **options, **QUIET)
    signs = fc.paired_mean_test(d, method="sign-flip", n_resamples=999, rng=1, **options, **QUIET)
    ranks = math.nan if options else fc.wilcoxon_test(d, np.zeros_like(d)).pvalue <= 0.05
    claimed = found.pvalue <= 0.05
    return claimed, claimed and found.status == "ok", signs.pvalue <= 0.05, ranks


def show(cells, found):
    """Return the table in per cent."""
    tests = ("default", "without a warning", "sign flips", "Wilcoxon")
    heads = [f"{what}: {test}" for what in ("level", "power") for test in tests]
    rows = [
        (
            cell.name,
            *("" if math.isnan(share) else percent(share) for part in own for share in part),
        )
        for cell, own in zip(cells, found, strict=True)
    ]
    return markdown(("differences", *heads), rows)


if __name__ == "__main__":
    run("item_power", "evidence/items.md", CELLS, measure, show, trials=500)
