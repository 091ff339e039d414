"""How often intervals of the best of several models contain its true mean.

    python -m studies.winners [--trials 1000] [--jobs 2] [--write]

The best model is the one with the highest mean of the sample. "Own" is its interval as that of a
model chosen beforehand; "allowing" is `winner_interval`, whose width is given in those of the
former. "Inflated" is how much too high the mean is on average, and "left" how much of that the
estimate keeps, in standard errors. Models correlate by one half; sizes of clusters are lognormal.
"""

import math
from itertools import product
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .shapes import clusters_of, within
from .tables import markdown, percent, run

NORMAL = NormalDist()
MEANS = {  # shifts of the first models, in standard deviations of a score
    "equal": (),
    "one is the best": (0.35,),
    "two are the best": (0.35, 0.35),
    "two nearly": (0.35, 0.3),
    "steps": tuple(np.linspace(0.3, 0.0, 10)),
}


class Cell(NamedTuple):
    """Scores of so many models on items or clusters, and which of them are better."""

    scores: str
    n: int
    clusters: bool
    models: int
    means: str


class Found(NamedTuple):
    """Shares of samples, a ratio of widths, and biases in standard errors."""

    own: float
    allowing: float
    width: float
    inflated: float
    left: float


EQUAL = (("normal", "0.7", "0.95"), (50, 300), (False,), (3, 10, 20), ("equal",))
UNEQUAL = (("normal", "0.7"), (300,), (False,), (10,), tuple(MEANS)[1:])
CLUSTERED = (("normal", "0.7"), (10, 50), (True,), (3, 20), ("equal", "one is the best"))
CELLS = [Cell(*parts) for part in (EQUAL, UNEQUAL, CLUSTERED) for parts in product(*part)]


def drawn(cell, rng):
    """Return scores (n, k), the clusters of items or None, and the true means."""
    shifts = np.zeros(cell.models)
    better = MEANS[cell.means]
    shifts[: len(better)] = better
    groups = clusters_of(rng, cell.n) if cell.clusters else None
    units = np.arange(cell.n) if groups is None else groups
    noise = within(rng, units, cell.models)
    if cell.scores == "normal":
        return noise + shifts, groups, shifts
    cuts = NORMAL.inv_cdf(float(cell.scores)) + shifts
    return (noise <= cuts).astype(float), groups, np.array([NORMAL.cdf(cut) for cut in cuts])


def measure(cell, *, trials):
    """Return how often the intervals contain the true mean of the best model."""
    rng = np.random.default_rng([44, *map(ord, str(cell))])
    found = []
    for _ in range(trials):
        scores, groups, means = drawn(cell, rng)
        names = [str(j) for j in range(cell.models)]
        table = dict(zip(names, scores.T.copy(), strict=True))
        result = fc.leaderboard(table, groups=groups, on_undefined="ignore")
        truth = means[int(result.names[0])]
        (lows, highs), (low, high) = result.confidence_interval(), result.winner_interval()
        inside = float(lows[0] <= truth <= highs[0]), float(low <= truth <= high)
        width = highs[0] - lows[0]
        error = width / (2.0 * 1.96)
        wrong = (result.means[0] - truth) / error, (result.winner_estimate - truth) / error
        found.append((*inside, (high - low) / width, *wrong))
    return Found(*np.nanmean(np.where(np.isfinite(found), found, math.nan), axis=0).tolist())


def show(cells, found):
    """Return the table."""
    head = ("scores", "n", "models", "means", "own", "allowing", "width", "inflated", "left")
    rows = (
        (
            "normal" if cell.scores == "normal" else f"{100 * float(cell.scores):g}% right",
            f"{cell.n} clusters" if cell.clusters else cell.n,
            *(cell.models, cell.means, percent(one.own), percent(one.allowing)),
            *(f"{one.width:.2f}", f"{one.inflated:.2f}", f"{one.left:.2f}"),
        )
        for cell, one in zip(cells, found, strict=True)
    )
    return markdown(head, rows)


if __name__ == "__main__":
    run("winners", "evidence/leaderboards.md", CELLS, measure, show, trials=1_000)
