"""How often the test that all mean scores are equal rejects equal models, by both methods.

    python -m studies.mean_omnibus [--trials 1000] [--jobs 2] [--write]

Scores are normal, with an intraclass correlation of .5 within clusters, unless a shape says other.
Undefined p-values do not reject. After a slash are the rejections without a warning.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import fastcompare as fc
from fastcompare._inference.status import STATUSES

from .tables import markdown, percent, run

Sample = tuple[np.ndarray[Any, Any], dict[str, Any]]
METHODS = ("anova", "hotelling")
MODELS = (3, 5, 10)
SIGMA = 1.0  # of the logarithms of sizes and weights


def in_clusters(sizes: Callable[[np.random.Generator], Any]) -> Callable[..., Sample]:
    """Return what draws normal scores in clusters of these sizes."""

    def draw(rng: np.random.Generator, k: int) -> Sample:
        groups = np.repeat(np.arange(len(drawn := sizes(rng))), drawn)
        common = rng.normal(size=(len(drawn), k))[groups]
        return np.sqrt(0.5) * (common + rng.normal(size=(groups.size, k))), {"groups": groups}

    return draw


def lognormal_sizes(clusters: int) -> Callable[[np.random.Generator], Any]:
    """Return what draws the sizes of clusters, with a median of 5."""
    return lambda rng: np.ceil(rng.lognormal(np.log(5.0), SIGMA, clusters)).astype(int)


def weighted(n: int) -> Callable[..., Sample]:
    """Return what draws items with log-normal weights."""
    return lambda rng, k: (rng.normal(size=(n, k)), {"sample_weight": rng.lognormal(0, SIGMA, n)})


def answers(n: int, right: float) -> Callable[..., Sample]:
    """Return what draws right and wrong answers."""
    return lambda rng, k: ((rng.random((n, k)) < right).astype(float), {})


def skewed(n: int, sigma: float = 1.0) -> Callable[..., Sample]:
    """Return what draws normal scores, those of the first model log-normal around the same mean."""

    def draw(rng: np.random.Generator, k: int) -> Sample:
        scores = rng.normal(size=(n, k))
        scores[:, 0] = rng.lognormal(0.0, sigma, n) - np.exp(0.5 * sigma**2)
        return scores, {}

    return draw


def skewed_clusters(clusters: int) -> Callable[..., Sample]:
    """Return what draws the same in clusters of five."""

    def draw(rng: np.random.Generator, k: int) -> Sample:
        groups = np.repeat(np.arange(clusters), 5)
        common, own = (skewed(n)(rng, k)[0] for n in (clusters, groups.size))
        return np.sqrt(0.5) * (common[groups] + own), {"groups": groups}

    return draw


def failing(clusters: int) -> Callable[..., Sample]:
    """Return what draws answers, 8% of them wrong: of the last model those to whole clusters."""

    def draw(rng: np.random.Generator, k: int) -> Sample:
        groups = np.repeat(np.arange(clusters), lognormal_sizes(clusters)(rng))
        right = rng.random((groups.size, k)) < 0.92
        right[:, -1] = (rng.random(clusters) < 0.92)[groups]
        return right.astype(float), {"groups": groups}

    return draw


SHAPES: dict[str, Callable[..., Sample]] = {
    "12 items": lambda rng, k: (rng.normal(size=(12, k)) + rng.normal(size=(12, 1)), {}),
    "20 clusters, log-normal sizes": in_clusters(lognormal_sizes(20)),
    "50 clusters, log-normal sizes": in_clusters(lognormal_sizes(50)),
    "a cluster of 60, 20 of 3": in_clusters(lambda rng: np.array([60] + [3] * 20)),
    "20 items, log-normal weights": weighted(20),
    "200 items, log-normal weights": weighted(200),
    "20 answers, .9 right": answers(20, 0.9),
    "50 answers, .95 right": answers(50, 0.95),
    "200 answers, .98 right": answers(200, 0.98),
    "20 items, one model log-normal": skewed(20),
    "50 items, one model log-normal": skewed(50),
    "20 items, one model log-normal, sigma 1.5": skewed(20, 1.5),
    "50 items, one model log-normal, sigma 1.5": skewed(50, 1.5),
    "12 clusters of 5, one model log-normal": skewed_clusters(12),
    "25 clusters, one model fails on 8% of them": failing(25),
    "50 clusters, one model fails on 8% of them": failing(50),
    "100 clusters, one model fails on 8% of them": failing(100),
}


class Cell(NamedTuple):
    """A shape of data."""

    shape: str


CELLS = [Cell(shape) for shape in SHAPES]


Shares = tuple[float, float]


def measure(cell: Cell, trials: int) -> list[Shares]:
    """Return the shares of rejections by each method, for each number of models."""
    return [rejected(cell.shape, k, method, trials) for k in MODELS for method in METHODS]


def rejected(shape: str, k: int, method: str, trials: int) -> Shares:
    """Return the shares of data sets in which equal models differ, in all and without a warning."""
    count = silent = 0
    for trial in range(trials):
        scores, options = SHAPES[shape](np.random.default_rng(trial), k)
        found = fc.mean_omnibus_test(scores, method=method, on_undefined="ignore", **options)
        count += found.pvalue <= 0.05
        silent += found.pvalue <= 0.05 and STATUSES[found.status].category is None
    return count / trials, silent / trials


def show(cells: Sequence[Cell], found: list[list[Shares]]) -> str:
    """Return the table."""
    head = ["data", *(f"{k} models: {method}" for k in MODELS for method in METHODS)]
    rows = [
        [cell.shape, *(" / ".join(map(percent, shares)) for shares in row)]
        for cell, row in zip(cells, found, strict=True)
    ]
    return markdown(head, rows)


if __name__ == "__main__":
    run("mean_omnibus", "evidence/items.md", CELLS, measure, show, trials=1_000)
