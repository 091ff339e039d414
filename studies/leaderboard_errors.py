"""How often a leaderboard says anything wrong: family-wise errors and joint coverage of ranks.

    python -m studies.leaderboard_errors [--trials 1000] [--jobs 2] [--write]

Scores of k models on items in clusters: a part that models share, a part that a model's answers
within a cluster share, and the rest. With equal means any "A is above B" is wrong; with means that
are equal in threes and else apart, so is one against the true order. 50 models take a fiftieth of
the trials, 500 a five hundredth.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

SHARED, CLUSTERED = 0.3, 0.2  # shares of the variance
FEWER = {5: 1, 50: 50, 500: 500}


class Cell(NamedTuple):
    """So many models and clusters, of these kinds of sizes, scores and true means."""

    models: int
    clusters: int
    sizes: str
    scores: str
    means: str


CELLS = (
    *itertools.starmap(
        Cell,
        itertools.product(
            (5,), (5, 10, 50), ("equal", "unequal"), ("normal", "binary"), ("equal", "apart")
        ),
    ),
    *(
        Cell(50, 50, sizes, "normal", means)
        for sizes in ("equal", "unequal")
        for means in ("equal", "apart")
    ),
    *(Cell(500, 50, "equal", "normal", means) for means in ("equal", "apart")),
)


def drawn(cell, rng):
    """Return scores (n, k), the cluster of each item and the true means."""
    sizes = np.full(cell.clusters, 8)
    if cell.sizes == "unequal":
        sizes = np.maximum(1, np.round(8 * rng.lognormal(-0.32, 0.8, cell.clusters))).astype(int)
    groups = np.repeat(np.arange(cell.clusters), sizes)
    shape = groups.size, cell.models
    latent = math.sqrt(SHARED) * rng.normal(size=(groups.size, 1))
    latent = latent + math.sqrt(CLUSTERED) * rng.normal(size=(cell.clusters, cell.models))[groups]
    latent += math.sqrt(1.0 - SHARED - CLUSTERED) * rng.normal(size=shape)
    means = np.zeros(cell.models)
    if cell.means == "apart":
        means = 0.4 * (np.arange(cell.models) // 3)
        means -= means.mean()
    latent += np.clip(means, -2.0, 2.0)
    scores = (latent > 0.0).astype(float) if cell.scores == "binary" else latent
    return scores, groups, np.clip(means, -2.0, 2.0)


def is_wrong(cell, rng):
    """Return whether a leaderboard claims anything wrong, and whether any rank set misses."""
    scores, groups, means = drawn(cell, rng)
    result = fc.leaderboard(scores, groups=groups, on_undefined="ignore")
    order = [int(name.removeprefix("model ")) - 1 for name in result.names]
    own = means[order]
    wrong = (result.above & (own[:, None] <= own)).any()
    # equal models share the ranks from the best of them to the worst: a set must hold them all
    best = 1 + (own[:, None] > own).sum(axis=0)
    worst = own.size - (own[:, None] < own).sum(axis=0)
    missed = (result.rank_low > best) | (result.rank_high < worst)
    return bool(wrong), bool(missed.any())


def measure(cell, *, trials):
    """Return the shares of wrong leaderboards and of missed ranks, and the number of trials."""
    count = max(1, trials // FEWER[cell.models])
    rng = np.random.default_rng([16, CELLS.index(cell)])
    found = np.array([is_wrong(cell, rng) for _ in range(count)])
    return (*found.mean(axis=0).tolist(), count)


def show(cells, found):
    """Return the table: per cent of trials, with their number."""
    head = ("models", "clusters", "sizes", "scores", "means", "any claim wrong", "any rank missed")
    rows = (
        (*cell, percent(wrong), percent(missed), trials)
        for cell, (wrong, missed, trials) in zip(cells, found, strict=True)
    )
    return markdown((*head, "trials"), rows)


if __name__ == "__main__":
    run("leaderboard_errors", "leaderboards.md", CELLS, measure, show, trials=1000)
