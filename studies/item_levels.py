"""How often intervals of mean scores miss, and paired tests of them reject a true null.

    python -m studies.item_levels [--trials 20000] [--jobs 2] [--write]

The standard error CR2 depends on the scores of a cluster by their sum alone, so sums are drawn:
normal ones; numbers of right answers of one model, beta-binomial, so that answers of a cluster
correlate as they should; and wins less losses of two models, Dirichlet-multinomial. Sizes of
clusters are equal, log-normal, drawn anew 50 times, or one cluster holds half the items. Items of
their own are clusters of one. The last table is that of `accuracy_interval`, which takes Wilson's
interval of as many independent items as tell as much.
"""

import math
from typing import NamedTuple

import numpy as np
from scipy import stats

from fastcompare._inference.clusters import FEWEST_DF, cluster_df
from fastcompare._inference.infer import wilson_ends

from .tables import markdown, percent, run

ITEMS = (15, 50, 200, 1_000, 10_000)
CLUSTERS = ((5, 3), (5, 10), (10, 10), (20, 10), (50, 10), (200, 10), (500, 20))
SIZES = ("equal", "log-normal", "one half")
ICC = (0.0, 0.2, 0.5)
RIGHT = 0.8  # of one model's answers
DISCORDANT = 0.2  # of two models' answers, as many wins as losses
DRAWS = 50  # of log-normal sizes


class Cell(NamedTuple):
    """So many clusters of some mean size, sizes and correlation; None for items of their own."""

    kind: str
    count: int
    mean: int
    sizes: str = "equal"
    icc: float | None = None


class Level(NamedTuple):
    """The share of misses, and the median degrees of freedom."""

    share: float
    df: float


def sizes_of(cell, rng):
    """Return how many items each cluster holds."""
    n = cell.count * cell.mean
    if cell.sizes == "equal":
        return np.full(cell.count, cell.mean)
    if cell.sizes == "one half":
        rest = cell.count - 1
        return np.array([n // 2, *np.diff(np.linspace(0, n - n // 2, rest + 1).astype(int))])
    shares = rng.lognormal(size=cell.count)
    return np.maximum(1, np.round(n * shares / shares.sum())).astype(int)


def normal_sums(sizes, icc, trials, rng):
    """Return sums (trials, G) of normal scores around 0."""
    between = math.sqrt(icc) * sizes * rng.normal(size=(trials, sizes.size))
    return between + np.sqrt((1.0 - icc) * sizes) * rng.normal(size=(trials, sizes.size))


def shares_of(p, icc, shape, rng):
    """Return the chances of each cluster, a beta variable whose variance is icc p (1 - p)."""
    if icc == 0.0:
        return np.full(shape, p)
    scale = 1.0 / icc - 1.0
    return rng.beta(p * scale, (1.0 - p) * scale, size=shape)


def answer_sums(sizes, icc, trials, rng):
    """Return sums of right answers less what is expected."""
    chances = shares_of(RIGHT, icc, (trials, sizes.size), rng)
    return rng.binomial(sizes, chances) - RIGHT * sizes


def gain_sums(sizes, icc, trials, rng):
    """Return wins less losses: which items differ, and which of those are wins, both vary."""
    differing = rng.binomial(sizes, shares_of(DISCORDANT, icc, (trials, sizes.size), rng))
    # a Dirichlet's shares: the wins among both have a beta of the parameters' sum
    chances = np.full((trials, sizes.size), 0.5)
    if icc > 0.0:
        alpha = 0.5 * DISCORDANT * (1.0 / icc - 1.0)
        chances = rng.beta(alpha, alpha, size=chances.shape)
    return 2.0 * rng.binomial(differing, chances) - differing


KINDS = {
    "continuous": normal_sums,
    "right or wrong": answer_sums,
    "differences": gain_sums,
    "accuracy": answer_sums,
}
TITLES = {
    "continuous": (
        'Normal scores: `mean_interval(method="t")` misses, `paired_mean_test(method="t")` rejects'
    ),
    "right or wrong": (
        f'Right or wrong, {100 * RIGHT:g}% right: `mean_interval(method="t")` misses'
    ),
    "differences": f"Two models' right or wrong answers, {100 * DISCORDANT:g}% differ: "
    '`paired_mean_test(method="t")` rejects',
    "accuracy": (
        f"Right or wrong, {100 * RIGHT:g}% right: `mean_interval` and `accuracy_interval` miss"
    ),
}
CELLS = [
    cell
    for kind in KINDS
    for cell in (
        *(Cell(kind, n, 1) for n in ITEMS if kind != "accuracy"),
        *(Cell(kind, *c, sizes, icc) for c in CLUSTERS for sizes in SIZES for icc in ICC),
    )
]


def misses(sums, sizes, df):
    """Return which rows of sums of clusters have a mean that Student's t finds apart from 0."""
    mean, error = means_of(sums, sizes)
    return np.abs(mean) > np.maximum(stats.t.isf(0.025, df) * error, 1e-12)


def wilson_misses(sums, sizes, df):
    """Return which rows have an accuracy whose interval does not hold the true one."""
    mean, error = means_of(sums, sizes)
    p = np.clip(mean + RIGHT, 0.0, 1.0)
    sure = (p < 1e-12) | (p > 1.0 - 1e-12)
    with np.errstate(divide="ignore", invalid="ignore"):
        effective = np.where(sure, sizes.sum(), p * (1.0 - p) / error**2)
        low, high = wilson_ends(p, effective, stats.t.isf(0.025, df))
    return ~((low <= RIGHT) & (high >= RIGHT))


def means_of(sums, sizes):
    """Return the mean of each row of sums of clusters, and its standard error CR2."""
    n = sizes.sum()
    mean = sums.sum(axis=1) / n
    apart = sums - mean[:, None] * sizes
    return mean, np.sqrt(np.square(apart) @ (1.0 / (1.0 - sizes / n))) / n


def level(cell, *, trials):
    """Return how often the true mean is rejected at 5%."""
    rng = np.random.default_rng([len(str(cell)), *map(ord, str(cell))])
    parts = DRAWS if cell.sizes == "log-normal" else max(1, trials * cell.count // 10**6)
    missed, found = 0, []
    for own in np.array_split(np.arange(trials), min(parts, trials)):
        sizes = sizes_of(cell, rng)
        found.append(cluster_df(sizes))
        sums = KINDS[cell.kind](sizes, cell.icc or 0.0, own.size, rng)
        test = wilson_misses if cell.kind == "accuracy" else misses
        missed += np.count_nonzero(test(sums, sizes, found[-1]))
    return Level(missed / trials, float(np.median(found)))


def show(cells, found):
    """Return a table for each kind of scores, in per cent."""
    levels = dict(zip(cells, found, strict=True))
    tables = []
    for kind in KINDS:
        rows = [
            (f"{n:,}", "–", "–", f"{n - 1:,}", percent(levels[Cell(kind, n, 1)].share), "", "")
            for n in ITEMS
            if Cell(kind, n, 1) in levels
        ]
        for count, mean in CLUSTERS:
            for sizes in SIZES:
                own = [levels[Cell(kind, count, mean, sizes, icc)] for icc in ICC]
                few = " (few)" if own[0].df < FEWEST_DF else ""
                shares = (percent(one.share) for one in own)
                df = f"{own[0].df:.1f}{few}"
                rows.append((f"{count * mean:,}", str(count), sizes, df, *shares))
        heads = ("items", "clusters", "sizes", "df", *(f"ICC {icc:g}" for icc in ICC))
        tables.append(f"**{TITLES[kind]}**\n\n{markdown(heads, rows)}")
    return "\n\n".join(tables)


if __name__ == "__main__":
    run("item_levels", "evidence/items.md", CELLS, level, show, trials=20_000)
