"""How often `paired_mean_test` errs where Student's t does: skewed scores, and right answers.

    python -m studies.item_shapes [--trials 2000] [--jobs 2] [--write]

Levels are of two-sided tests of equal means at 5%, by the default, without a warning (silent) and
by `method="t"`. Power is that of a difference that a z test of the true standard deviation finds in
80%, up or down. Claims are of non-inferiority where the difference is -margin, misses those of 95%
intervals.
"""

import math
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

SIZES = (10, 20, 50, 200)
MEAN = math.exp(0.5)  # of a lognormal variable
SHAPES = {
    "normal": lambda n, rng: rng.normal(size=n),
    "uniform": lambda n, rng: rng.uniform(-1, 1, n),
    "t with 3 df": lambda n, rng: rng.standard_t(3, n),
    "normal, 5% of 10 sd": lambda n, rng: (
        rng.normal(size=n) * np.where(rng.random(n) < 0.05, 10, 1)
    ),
    "both log-normal": lambda n, rng: rng.lognormal(size=n) - rng.lognormal(size=n),
    "exponential": lambda n, rng: rng.exponential(size=n) - 1,
    "log-normal, normal of sd 1": lambda n, rng: rng.lognormal(size=n) - MEAN - rng.normal(size=n),
    "log-normal, normal of sd .5": lambda n, rng: (
        rng.lognormal(size=n) - MEAN - 0.5 * rng.normal(size=n)
    ),
    "log-normal, normal of sd .25": lambda n, rng: (
        rng.lognormal(size=n) - MEAN - 0.25 * rng.normal(size=n)
    ),
}
ANSWERS = {  # the chances of 1 and -1, the margin
    "right or wrong, 3% differ": (0.005, 0.025, 0.02),
    "right or wrong, 20% differ": (0.075, 0.125, 0.05),
}
RARE = "means of 4 answers, 2% fall by 1"  # and 20% vary by a quarter
QUIET = {"on_undefined": "ignore"}


class Cell(NamedTuple):
    """A shape of differences of so many items."""

    shape: str
    n: int


class Level(NamedTuple):
    """Shares of errors by the default, by t, without a warning; the same of power or misses."""

    auto: float
    t: float
    silent: float
    auto_more: float
    t_more: float
    silent_more: float


CELLS = [Cell(shape, n) for shape in (*SHAPES, *ANSWERS, RARE) for n in SIZES]


def answers(shape, n, rng):
    """Return two models' scores whose true difference is -margin, and the margin."""
    if shape == RARE:
        kinds = [0.25, -0.25, -1.0, 0.0]
        d, margin = rng.choice(kinds, p=[0.1, 0.1, 0.02, 0.78], size=n), 0.02
    else:
        up, down, margin = ANSWERS[shape]
        d = rng.choice([1.0, -1.0, 0.0], p=[up, down, 1.0 - up - down], size=n)
    a = np.where(d == 0.0, rng.random(n) < 0.9, np.maximum(d, 0.0))
    return a, a - d, margin


def tests_of(cell, scale, rng):
    """Return errors by the default and by t, in silence, and power or misses, of one sample."""
    found = []
    if cell.shape in SHAPES:
        d = SHAPES[cell.shape](cell.n, rng)
        base = rng.normal(size=cell.n)
        shift = 2.8 * scale / math.sqrt(cell.n) * rng.choice([-1.0, 1.0])
        one, other = ((base + d + s, base) for s in (0.0, shift))
        return [found for pair in (one, other) for found in rejections(*pair)]
    a, b, margin = answers(cell.shape, cell.n, rng)
    claim = {"alternative": "greater", "margin": margin, **QUIET}
    misses = []
    for method in ("auto", "t"):
        result = fc.paired_mean_test(a, b, method=method, **claim)
        found.append(result.pvalue < 0.05)
        low, high = fc.paired_mean_test(a, b, method=method, **QUIET).confidence_interval()
        misses.append(not low <= -margin <= high)
    return [*found, False, *misses, False]


def rejections(a, b):
    """Return whether the default and t reject, and whether the default does in silence."""
    auto, t = (fc.paired_mean_test(a, b, method=method, **QUIET) for method in ("auto", "t"))
    return auto.pvalue < 0.05, t.pvalue < 0.05, auto.pvalue < 0.05 and auto.status == "ok"


def level(cell, *, trials):
    """Return the shares of a cell."""
    rng = np.random.default_rng([len(str(cell)), *map(ord, str(cell))])
    scale = SHAPES[cell.shape](10**6, rng).std() if cell.shape in SHAPES else 0.0
    every = np.array([tests_of(cell, scale, rng) for _ in range(trials)])
    return Level(*every.mean(axis=0).tolist())


def show(cells, found):
    """Return a table of levels and one of claims and misses, in per cent."""
    levels = dict(zip(cells, found, strict=True))
    tables = []
    for shapes, heads in (
        (SHAPES, ("rejects", "silent", "by t", "power", "silent", "by t")),
        ((*ANSWERS, RARE), ("claims", "by t", "interval misses", "by t")),
    ):
        rows = []
        for cell in cells:
            if cell.shape in shapes:
                one = levels[cell]
                shown = (one.auto, one.t, one.auto_more, one.t_more)
                if shapes is SHAPES:
                    errors = (one.auto, one.silent, one.t)
                    shown = (*errors, one.auto_more, one.silent_more, one.t_more)
                rows.append((cell.shape, str(cell.n), *map(percent, shown)))
        tables.append(markdown(("differences", "items", *heads), rows))
    return "\n\n".join(tables)


if __name__ == "__main__":
    run("item_shapes", "evidence/items.md", CELLS, level, show, trials=2_000)
