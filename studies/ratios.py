"""How often `ratio_test` rejects a true null hypothesis, and intervals of `ratio_interval` miss.

    python -m studies.ratios [--trials 4000] [--jobs 2] [--write] [--store FILE]

Items are documents, pictures or recordings with some 40 parts each: equally many, log-normal
numbers with a standard deviation of .5 or 1 of their logarithms, by Zipf's law, or half of all in
one item. Both models have the same true ratio; with a margin, the first is worse by just that.
"""

import warnings
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

ITEMS = (10, 30, 100)
SIZES = ("equal", "log-normal .5", "log-normal 1", "Zipf", "one half")
PARTS = 40
MARGIN = 0.05
QUIET = {"on_undefined": "ignore"}


class Cell(NamedTuple):
    """What is measured, of which data, with which denominators, of how many items."""

    measure: str
    data: str
    sizes: str
    n: int


class Level(NamedTuple):
    """The share of errors, and of those without a warning."""

    share: float
    silent: float


def sizes_of(kind, n, rng):
    """Return how many parts each item has."""
    if kind == "equal":
        return np.full(n, PARTS)
    if kind == "Zipf":
        shares = 1.0 / np.arange(1, n + 1)
    elif kind == "one half":
        shares = np.append(n - 1.0, np.ones(n - 1))
    else:
        shares = rng.lognormal(sigma=float(kind.split()[1]), size=n)
    return np.maximum(1, np.round(PARTS * n * shares / shares.sum())).astype(int)


def shares_of(p, icc, n, rng):
    """Return the chances of n items, a beta variable whose variance is icc p (1 - p)."""
    scale = 1.0 / icc - 1.0
    return rng.beta(p * scale, (1.0 - p) * scale, n)


def independent_words(y, worse, rng):
    """Return parts that are right, each by itself, 80 in 100."""
    return rng.binomial(y, 0.8 - worse), y, rng.binomial(y, 0.8), y


def topics(y, worse, rng):
    """Return parts that are right by the item, with an intraclass correlation of .3."""
    one, other = (shares_of(p, 0.3, y.size, rng) for p in (0.8 - worse, 0.8))
    return rng.binomial(y, one), y, rng.binomial(y, other), y


def own_ratios(y, worse, rng):
    """Return numerators of items that have one ratio each, for all of their parts."""
    both = 1.0 + 0.5 * rng.normal(size=y.size)
    one, other = (both + rng.normal(size=y.size) for _ in range(2))
    return y * (one - worse), y, y * other, y


def rare_parts(y, worse, rng):
    """Return rare numerators, one in 100 parts."""
    return rng.binomial(y, 0.01), y, rng.binomial(y, 0.01), y


def failures(y, worse, rng):
    """Return wrong parts: all of 8 in 100 items by one model, 8 in 100 parts by the other."""
    whole = rng.random(y.size) < 0.08
    return y * whole, y, rng.binomial(y, 0.08), y


def word_errors(y, worse, rng):
    """Return wrong words, also inserted ones, by recordings of unlike difficulty."""
    rate = 0.15 * np.exp(0.8 * rng.normal(size=y.size) - 0.32)
    one, other = (rate * rng.gamma(2.0, 0.5, y.size) for _ in range(2))
    return rng.poisson(y * one), y, rng.poisson(y * other), y


def micro_f1(y, worse, rng):
    """Return 2 TP and 2 TP + FP + FN of a careful and an eager model with the same F1."""
    positive = rng.binomial(y, 0.3)
    found = []
    eager = (0.54 * 0.58 / 0.42 - 0.57) / 0.7  # false alarms, for .42 / .58 as the other has it
    for sensitivity, alarms in ((0.7, 0.1), (0.9, eager)):
        hits = rng.binomial(positive, sensitivity)
        found += [2 * hits, positive + hits + rng.binomial(y - positive, alarms)]
    return tuple(found)


def precision(y, worse, rng):
    """Return hits and predictions of a model that makes few and of one that makes many."""
    few, many = rng.binomial(y, 0.05), rng.binomial(y, 0.6)
    chances = shares_of(0.7, 0.2, y.size, rng)
    return rng.binomial(few, chances), few, rng.binomial(many, chances), many


TESTS = {
    "words, independent": independent_words,
    "words, ICC .3": topics,
    "a ratio an item": own_ratios,
    "1% rare": rare_parts,
    "whole items fail": failures,
    "word errors": word_errors,
    "micro-F1": micro_f1,
    "precision, few and many": precision,
}
CLAIMS = ("words, independent", "words, ICC .3", "a ratio an item")
INTERVALS = {"50%, ICC .1": (0.5, 0.1), "90%, ICC .2": (0.9, 0.2), "99%, ICC .1": (0.99, 0.1)}
MEASURES = {
    "two-sided": (tuple(TESTS), "**Two ratios that do not differ: `ratio_test` rejects**"),
    "margin": (CLAIMS, f"**Just not non-inferior at a margin of {MARGIN}: `ratio_test` rejects**"),
    "interval": (tuple(INTERVALS), "**One ratio: 95% intervals of `ratio_interval` miss**"),
}
CELLS = [
    Cell(measure, data, sizes, n)
    for measure, (rows, _) in MEASURES.items()
    for data in rows
    for sizes in SIZES
    for n in ITEMS
]


def is_wrong(cell, y, rng):
    """Return whether a sample misleads, and the status word."""
    if cell.measure == "interval":
        p, icc = INTERVALS[cell.data]
        x = rng.binomial(y, shares_of(p, icc, y.size, rng))
        result = fc.ratio_interval(x, y, **QUIET)
        low, high = result.confidence_interval()
        return not low <= p <= high, result.status
    claim, worse = {}, 0.0
    if cell.measure == "margin":
        claim, worse = {"alternative": "greater", "margin": MARGIN}, MARGIN
    columns = TESTS[cell.data](y, worse, rng)
    if not (columns[1].any() and columns[3].any()):
        return False, "ok"
    result = fc.ratio_test(*columns, **claim, **QUIET)
    return result.pvalue <= 0.05, result.status


def level(cell, *, trials):
    """Return how often samples mislead at 5%."""
    rng = np.random.default_rng([len(str(cell)), *map(ord, str(cell))])
    wrong = silent = 0
    with warnings.catch_warnings(action="ignore"):
        for _ in range(trials):
            misled, word = is_wrong(cell, sizes_of(cell.sizes, cell.n, rng), rng)
            wrong += misled
            silent += misled and word == "ok"
    return Level(wrong / trials, silent / trials)


def show(cells, found):
    """Return a table for each measure, in per cent, after the slash without warned results."""
    levels = dict(zip(cells, found, strict=True))
    tables = []
    for measure, (rows, title) in MEASURES.items():
        lines = []
        for data in rows:
            for sizes in SIZES:
                own = [levels[Cell(measure, data, sizes, n)] for n in ITEMS]
                shown = (f"{percent(one.share)} / {percent(one.silent)}" for one in own)
                lines.append((data, sizes, *shown))
        heads = ("data", "denominators", *(f"{n} items" for n in ITEMS))
        tables.append(f"{title}\n\n{markdown(heads, lines)}")
    return "\n\n".join(tables)


if __name__ == "__main__":
    run("ratios", "evidence/ratios.md", CELLS, level, show, trials=4_000, stored=(str, Level))
