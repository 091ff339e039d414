"""How often intervals and tests of predicted labels keep their promises: accuracies and agreement.

    python -m studies.label_levels [--trials 4000] [--jobs 2] [--write]

Chances of all tables are summed where there are few of them: two independent accuracies, and 2 x 2
tables of 30 and 50 cases. Everything else is drawn.
"""

import itertools
from typing import NamedTuple

import numpy as np
from scipy.special import gammaln, ndtri
from scipy.stats import binom

import fastcompare as fc
from fastcompare._inference.infer import wilson_ends
from fastcompare._inputs.plans.label_scales import label_distances
from fastcompare.labels._accuracy import CorrectCounts
from fastcompare.labels._two_proportions import score_z
from fastcompare.raters._measures import (
    MEASURES,
    kappa_error,
    kappa_estimate,
    kappa_measure,
)

from .tables import markdown, percent, run

Z, ALPHA = -ndtri(0.025), 0.05
NEVER = 1e-9  # chances of tables that are left out
ACCURACIES = (0.5, 0.7, 0.9, 0.95, 0.99)
QUIET = {"on_undefined": "ignore"}


class Shares(NamedTuple):
    """Two independent samples, by their sizes."""

    n: tuple[int, int]


class Answers(NamedTuple):
    """A measure of the right and wrong answers of two models, and the number of cases."""

    measure: str
    n: int


class Raters(NamedTuple):
    """Kappa of k labels with these weights."""

    k: int
    weights: str


class Kappas(NamedTuple):
    """The paired difference of two kappas; the share of each class, and the number of cases."""

    shares: tuple[float, ...]
    n: int


EVEN = ((5, 5), (10, 10), (20, 20), (50, 50), (100, 100))
SIZES = (*EVEN, (5, 50), (10, 100), (10, 1000), (30, 300), (50, 100))
CELLS = (
    *(Shares(n) for n in SIZES),
    *(Answers(measure, n) for measure in MEASURES for n in (30, 50, 100, 300)),
    *(Raters(k, weights) for k in (2, 3, 5, 10) for weights in ("none", "linear", "quadratic")),
    *(
        Kappas(shares, n)
        for shares in ((0.95, 0.05), (0.9, 0.1), (0.5, 0.5), (0.8, 0.1, 0.1), (0.2,) * 5)
        for n in (30, 50, 100, 300, 500)
    ),
)


def measure(cell, *, trials):
    """Return the figures of a cell."""
    functions = {Shares: of_shares, Answers: of_answers, Raters: of_raters, Kappas: of_kappas}
    return functions[type(cell)](cell, trials)


def of_shares(cell, _):
    """Return the least and the mean coverage of three intervals, and the highest levels."""
    covered = np.array([coverage(cell.n, *p) for p in itertools.product(ACCURACIES, repeat=2)])
    wrong = np.geomspace(0.05, sum(cell.n) / 2, 60) / sum(cell.n)
    levels = np.array([levels_of_shares(cell.n, 1.0 - p) for p in wrong])
    return {"least": covered.min(axis=0), "mean": covered.mean(axis=0), "level": levels.max(axis=0)}


def coverage(n, p, q):
    """Return how often the score, Newcombe's and Wald's interval hold p - q."""
    d, total = p - q, np.zeros(3)
    chances = np.outer(binom.pmf(range(n[0] + 1), n[0], p), binom.pmf(range(n[1] + 1), n[1], q))
    for x, y in np.argwhere(chances > NEVER).tolist():
        score = abs(score_z(CorrectCounts(x, n[0]), CorrectCounts(y, n[1]), d)) <= Z
        ends = newcombe(x / n[0], y / n[1], n), wald(x / n[0], y / n[1], n)
        held = [low - 1e-12 <= d <= high + 1e-12 for low, high in ends]
        total += chances[x, y] * np.array([score, *held])
    return total


def newcombe(p, q, n):
    """Return the interval of Newcombe's (1998) method 10, from Wilson's of each share."""
    (l1, u1), (l2, u2) = (
        wilson_ends(share, size, Z) for share, size in zip((p, q), n, strict=True)
    )
    return p - q - np.hypot(p - l1, u2 - q), p - q + np.hypot(u1 - p, q - l2)


def wald(p, q, n):
    """Return the interval of `variance="unpooled"`."""
    radius = Z * np.sqrt(p * (1 - p) / n[0] + q * (1 - q) / n[1])
    return p - q - radius, p - q + radius


def levels_of_shares(n, p):
    """Return how often equal accuracies are rejected: two-sided, one-sided; without a warning."""
    x, y = np.arange(n[0] + 1)[:, None], np.arange(n[1] + 1)
    chances = binom.pmf(x, n[0], p) * binom.pmf(y, n[1], p)
    pooled = (x + y) / sum(n)
    with np.errstate(invalid="ignore"):
        z = (x / n[0] - y / n[1]) / np.sqrt(pooled * (1 - pooled) * (1 / n[0] + 1 / n[1]))
    expected = min(n) * np.minimum(x + y, sum(n) - x - y) / sum(n)
    z = np.nan_to_num(z)
    once = -ndtri(ALPHA)
    two_sided = expected >= (1 if min(n) >= 10 else 5)
    rejected = (np.abs(z) > Z, z > once, z < -once)
    silent = (two_sided, expected >= 5, expected >= 5)
    return [
        *(chances[r].sum() for r in rejected),
        *(chances[r & s].sum() for r, s in zip(rejected, silent, strict=True)),
    ]


def settings():
    """Return shares of answers (2, 2) by the accuracies and kappa of two models."""
    accuracies = [(0.6, 0.6), (0.8, 0.8), (0.9, 0.8), (0.9, 0.9), (0.95, 0.9), (0.95, 0.95)]
    for (a, b), kappa in itertools.product(accuracies, (-0.05, 0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95)):
        both = 0.5 * kappa * (a * (1 - b) + b * (1 - a))
        right = [a * b + both, a * (1 - b) - both]
        p = np.array([right, [(1 - a) * b - both, (1 - a) * (1 - b) + both]])
        if p.min() > 1e-4:
            yield p


def all_tables(n):
    """Return all 2 x 2 tables of n cases, (2, 2, T)."""
    cells = np.array([t for t in itertools.product(range(n + 1), repeat=3) if sum(t) <= n]).T
    return np.vstack([cells, n - cells.sum(axis=0)]).reshape(2, 2, -1) * 1.0


def of_answers(cell, trials):
    """Return the least and the mean coverage of each interval of a measure, over all settings."""
    chosen, rng = MEASURES[cell.measure], np.random.default_rng(cell.n)
    tables = all_tables(cell.n) if cell.n <= 50 else None
    covered = []
    for p in settings():
        drawn, chances = tables, None
        if tables is None:
            drawn = rng.multinomial(cell.n, p.ravel(), trials).T.reshape(2, 2, -1) * 1.0
        else:
            logs = (tables * np.log(p)[:, :, None] - gammaln(tables + 1)).sum(axis=(0, 1))
            chances = np.exp(logs + gammaln(cell.n + 1))
        truth = float(chosen.estimate(p[:, :, None])[0])
        covered.append(
            [np.average(held, weights=chances) for held in held_by(chosen, drawn, truth)]
        )
    covered = np.array(covered)
    low = (covered < 0.93).mean(axis=0)
    return {"least": covered.min(axis=0), "mean": covered.mean(axis=0), "low": low}


def held_by(chosen, tables, truth):
    """Return whether each interval of a measure holds the truth; one that is NaN does not."""
    with np.errstate(divide="ignore", invalid="ignore"):
        estimate = chosen.estimate(tables)
        error = chosen.error(tables, estimate)
        ends = [interval(tables, estimate, error, Z) for interval in chosen.intervals.values()]
    return [(low <= truth + 1e-12) & (truth - 1e-12 <= high) for low, high in ends]


def of_raters(cell, trials):
    """Return the least and the mean coverage of both intervals of kappa, over all settings."""
    k, d = cell.k, label_distances(cell.k, cell.weights)
    falling = 0.5 ** np.arange(k)
    common = np.r_[1.0, np.full(k - 1, 0.5 / (k - 1))]
    rng, covered = np.random.default_rng(k), []
    for shares, right, copied, n in itertools.product(
        (np.ones(k), falling, common), (0.7, 0.9, 0.95), (0.0, 0.5, 0.9), (30, 100, 300)
    ):
        p = raters(shares / shares.sum(), right, copied)
        truth = float(kappa_estimate(p, d))
        tables = rng.multinomial(n, p.ravel(), trials).T.reshape(k, k, -1) * 1.0
        with np.errstate(divide="ignore", invalid="ignore"):
            estimate = kappa_estimate(tables, d)
            error = kappa_error(tables, estimate, d)
            ways = kappa_measure(d).intervals.values()
            ends = [interval(tables, estimate, error, Z) for interval in ways]
        covered.append([((low <= truth) & (truth <= high)).mean() for low, high in ends])
    covered = np.array(covered)
    low = (covered < 0.93).mean(axis=0)
    return {"least": covered.min(axis=0), "mean": covered.mean(axis=0), "low": low}


def raters(shares, right, copied):
    """Return the joint shares of two raters, one of whom sometimes copies the other."""
    k = len(shares)
    given = np.full((k, k), (1 - right) / (k - 1)) + np.eye(k) * (right - (1 - right) / (k - 1))
    return (1 - copied) * (given.T * shares) @ given + copied * np.diag(shares @ given)


def of_kappas(cell, trials):
    """Return the highest level of `cohen_kappa_test`, of all data and without a warning."""
    rng, k, levels = np.random.default_rng(cell.n), len(cell.shares), []
    for right, copied in itertools.product((0.7, 0.9, 0.95), (0.0, 0.6)):
        rejected = np.zeros((trials, 2))
        for row in rejected:
            y = rng.choice(k, cell.n, p=cell.shares)
            off = (y + rng.integers(1, k, (2, cell.n))) % k
            a, b = np.where(rng.random((2, cell.n)) < right, y, off)
            found = fc.cohen_kappa_test(y, a, np.where(rng.random(cell.n) < copied, a, b), **QUIET)
            row[:] = found.pvalue <= ALPHA, found.pvalue <= ALPHA and found.status == "ok"
        levels.append(rejected.mean(axis=0))
    return {"level": np.max(levels, axis=0)}


def show(cells, found):
    """Return the four tables."""
    heads = {
        Shares: (
            "cases",
            "score",
            "Newcombe",
            "Wald",
            "two-sided",
            "one-sided",
            "silent: two",
            "one",
        ),
        Answers: ("measure", "cases", "default", "below 93", "other", "below 93"),
        Raters: ("labels", "weights", "adjusted", "below 93", "fleiss", "below 93"),
        Kappas: ("shares of the classes", "cases", "level", "without a warning"),
    }
    titles = ("Two independent accuracies", "Right and wrong answers", "Labels", "Two kappas")
    rows = {kind: [] for kind in heads}
    for cell, figures in zip(cells, found, strict=True):
        rows[type(cell)].append(row_of(cell, figures))
    parts = zip(titles, heads.items(), strict=True)
    return "\n\n".join(f"{title}:\n\n{markdown(head, rows[kind])}" for title, (kind, head) in parts)


def row_of(cell, figures):
    """Return a row of the table of a cell's kind."""
    if isinstance(cell, Kappas):
        return (", ".join(f"{p:g}" for p in cell.shares), cell.n, *map(percent, figures["level"]))
    covered = [
        f"{percent(a)}, {percent(b)}"
        for a, b in zip(figures["least"], figures["mean"], strict=True)
    ]
    if isinstance(cell, Shares):
        two, *one, silent, below, above = figures["level"]
        levels = map(percent, (two, max(one), silent, max(below, above)))
        return ("{} + {}".format(*cell.n), *covered, *levels)
    low = map(percent, figures["low"])
    listed = [*cell, *itertools.chain.from_iterable(zip(covered, low, strict=True))]
    return (*listed, *["-"] * (6 - len(listed)))  # Wilson's interval is the only one


if __name__ == "__main__":
    run("label_levels", "evidence/labels.md", CELLS, measure, show, trials=4000)
