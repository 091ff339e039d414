"""How often a leaderboard says anything wrong: family-wise errors and joint coverage of ranks.

    python -m studies.leaderboard_errors [--trials 1000] [--jobs 2] [--write]

Scores of k models on items in clusters: a part that models share, a part that a model's answers
within a cluster share, and the rest. With equal means any "A is above B" is wrong; with means that
are equal in threes and else apart, so is one against the true order. Beside the default stands
max-t, which takes seconds a leaderboard of many models: some of the trials there, and none of means
that are apart, where it goes through all steps.
"""

import itertools
import math
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

SHARED, CLUSTERED = 0.3, 0.2  # shares of the variance
FEWER = {5: 1, 20: 1, 50: 10, 500: 100}  # trials
FEWER_BY_MAX_T = {5: 3, 20: 10, 50: 20}


class Cell(NamedTuple):
    """So many models and clusters, of these kinds of sizes, scores and true means."""

    models: int
    clusters: int
    sizes: str
    scores: str
    means: str


class Found(NamedTuple):
    """Shares of leaderboards: a claim wrong, a rank missed; of the true orders, those claimed."""

    wrong: float
    missed: float
    right: float
    trials: int


SIZES, MEANS = ("equal", "unequal"), ("equal", "apart")
FAMILIES = (  # models, clusters, sizes, scores, means
    ((5,), (5, 10, 50), SIZES, ("normal", "binary"), MEANS),
    ((5,), (100,), SIZES, ("normal",), MEANS),
    ((20,), (10, 50), SIZES, ("normal",), MEANS),
    ((50,), (50,), SIZES, ("normal",), MEANS),
    ((50,), (200,), SIZES, ("normal",), ("equal",)),
    ((500,), (50,), ("equal",), ("normal",), MEANS),
)
CELLS = [Cell(*parts) for family in FAMILIES for parts in itertools.product(*family)]


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


def judged(cell, rng, correction):
    """Return whether a claim is wrong, whether a rank set misses, and the share of true orders."""
    scores, groups, means = drawn(cell, rng)
    result = fc.leaderboard(scores, groups=groups, correction=correction, on_undefined="ignore")
    order = [int(name.removeprefix("model ")) - 1 for name in result.names]
    own = means[order]
    true = own[:, None] > own
    # equal models share the ranks from the best of them to the worst: a set must contain them all
    best = 1 + true.sum(axis=0)
    worst = own.size - true.sum(axis=1)
    missed = (result.rank_low > best) | (result.rank_high < worst)
    wrong = (result.above & ~true).any()
    return bool(wrong), bool(missed.any()), result.above[true].mean() if true.any() else math.nan


def measured(cell, correction, trials):
    """Return what so many leaderboards are like, the same ones for each correction."""
    rng = np.random.default_rng([16, *map(ord, str(cell))])
    found = [judged(cell, rng, correction) for _ in range(max(1, trials))]
    return Found(*np.mean(found, axis=0).tolist(), len(found))


def measure(cell, *, trials):
    """Return what leaderboards are like by default, and by max-t where that is measured."""
    found = measured(cell, "auto", trials // FEWER[cell.models])
    if cell.models > 5 and (cell.means == "apart" or cell.models not in FEWER_BY_MAX_T):
        return found, None
    return found, measured(cell, "max-t", trials // FEWER_BY_MAX_T[cell.models])


def show(cells, found):
    """Return the table: per cent of trials, with their number."""
    head = ("models", "clusters", "sizes", "scores", "means", "any claim wrong", "any rank missed")
    head += ("right claims", "trials", "wrong by max-t", "right by max-t", "max-t trials")
    rows = (
        (
            *cell,
            *map(share, own[:3]),
            own.trials,
            *(("–",) * 3 if other is None else (share(other.wrong), share(other.right), other[3])),
        )
        for cell, (own, other) in zip(cells, found, strict=True)
    )
    return markdown(head, rows)


def share(part):
    """Return a share in per cent, a dash for none."""
    return "–" if math.isnan(part) else percent(part)


if __name__ == "__main__":
    run("leaderboard_errors", "evidence/leaderboards.md", CELLS, measure, show, trials=1000)
