"""How often intervals of a mean of right and wrong answers miss: Student's t, and Wilson's.

    python -m studies.answer_intervals [--trials 20000] [--jobs 2] [--write]

`leaderboard` gives each model Wilson's interval where all scores are right or wrong, of as many
independent answers as its standard error says; other scores have t. Numbers of right answers of a
cluster are beta-binomial, as in `studies.item_levels`, items of their own clusters of one.
"""

import itertools
from typing import NamedTuple

import numpy as np
from scipy import stats

from fastcompare._inference.clusters import cluster_df
from fastcompare._inference.means import AnswerCounts, mean_limits

from .item_levels import means_of, shares_of
from .tables import markdown, percent, run

ICC = 0.3


class Cell(NamedTuple):
    """So many items, in clusters or on their own, and the share of right answers."""

    items: int
    clusters: int | None
    right: float


class Level(NamedTuple):
    """The shares of intervals that miss, and of t intervals that pass 0 or 1."""

    student: float
    beyond: float
    wilson: float


DESIGNS = ((15, None), (15, 5), (50, None), (50, 10), (200, None), (200, 10), (200, 25))
CELLS = [Cell(*design, right) for design, right in itertools.product(DESIGNS, (0.5, 0.9, 0.98))]


def level(cell, *, trials):
    """Return how often both 95% intervals miss."""
    rng = np.random.default_rng([17, CELLS.index(cell)])
    count = cell.clusters or cell.items
    sizes = np.full(count, cell.items // count)
    icc = 0.0 if cell.clusters is None else ICC
    right = rng.binomial(sizes, shares_of(cell.right, icc, (trials, count), rng))
    own, error = means_of(right.astype(float), sizes)
    df, alike = cluster_df(sizes), (own == 0.0) | (own == 1.0)
    reach = stats.t.isf(0.025, df) * error
    answers = AnswerCounts(cell.items, cell.clusters is None, alike)
    low, high = mean_limits(own, error, df, 0.025, answers)
    return Level(
        float(np.mean(np.abs(own - cell.right) > reach + 1e-12)),
        float(np.mean((own - reach < 0.0) | (own + reach > 1.0))),
        float(np.mean(~((low <= cell.right) & (cell.right <= high)))),
    )


def show(cells, found):
    """Return the table, in per cent."""
    rows = (
        (cell.items, cell.clusters or "–", percent(cell.right), *map(percent, own))
        for cell, own in zip(cells, found, strict=True)
    )
    head = ("items", "clusters", "% right", "t misses", "t passes 0 or 1", "Wilson's misses")
    return markdown(head, rows)


if __name__ == "__main__":
    run("answer_intervals", "evidence/leaderboards.md", CELLS, level, show, trials=20_000)
