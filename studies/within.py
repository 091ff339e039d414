"""How often tests of two AUCs within groups reject, true null hypotheses and false ones.

    python -m studies.within [--trials 1000] [--jobs 2] [--write] [--store FILE]

Scores are normal, those of positives shifted by a number that varies between users and models; half
of the variance is common to both models. Null hypotheses are true for every kind of weights. Below
each other stand what `within_auc_test` does, and what else users could be compared by.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import ndtri, stdtr

import fastcompare as fc

from .tables import markdown, percent, run

WEIGHTS = ("pairs", "cases", "equal")
RESAMPLES = 399
WIDE = 3.0  # standard deviations of positives
RANDOM, FIXED = "Users are a sample", "Centres are fixed"


class Cell(NamedTuple):
    """Sizes of groups, the share of positives (or how many), and what models are like."""

    title: str
    name: str
    sizes: tuple[int, ...]
    positives: float = 0.4
    auc: float = 0.8
    varies: float = 0.5  # of shifts between users
    shape: str = "alike"
    gain: float = 0.35


HALF = (180, *[6] * 29)
LOGNORMAL = tuple(np.ceil(20 * np.exp(ndtri((np.arange(50) + 0.5) / 50))).astype(int).tolist())
MANY = tuple(np.ceil(12 * np.exp(ndtri((np.arange(400) + 0.5) / 400))).astype(int).tolist())
ZIPF = tuple(np.maximum(4, (2000 / np.arange(1, 201) ** 1.1).astype(int)).tolist())
CELLS = [
    *(Cell(RANDOM, f"{n} users of 20 cases", (20,) * n, gain=1.7 / n**0.5) for n in (10, 30, 50)),
    Cell(RANDOM, "200 users of 20 cases", (20,) * 200, gain=0.12),
    Cell(RANDOM, "200 users, Zipf's sizes", ZIPF, gain=0.2),
    Cell(RANDOM, "50 users, log-normal sizes", LOGNORMAL, gain=0.25),
    Cell(RANDOM, "30 users, one has half of the cases", HALF, gain=0.6),
    Cell(RANDOM, "210 users of 5 to 39 cases", tuple(range(5, 40)) * 6, gain=0.13),
    Cell(RANDOM, "400 users, half of 4 and half of 40 cases", (4, 40) * 200, gain=0.1),
    Cell(RANDOM, "the same, homogeneous", (4, 40) * 200, varies=0.0, gain=0.06),
    Cell(RANDOM, "400 users, log-normal sizes", MANY, gain=0.1),
    Cell(RANDOM, "the same, homogeneous (log-normal)", MANY, varies=0.0, gain=0.06),
    Cell(RANDOM, "50 users of 20 cases, 1 positive", (20,) * 50, 1, gain=0.3),
    Cell(RANDOM, "30 users of 20, unlike models", (20,) * 30, shape="mixed", gain=0.3),
    Cell(RANDOM, "30 users of 20, AUC .98", (20,) * 30, auc=0.98, gain=0.6),
    Cell(RANDOM, "30 users of 20, AUC .97, unlike models", (20,) * 30, auc=0.97, shape="mixed"),
    Cell(FIXED, "5 centres of 20 cases", (20,) * 5, varies=0.0, gain=0.55),
    Cell(FIXED, "5 centres of 100 cases", (100,) * 5, varies=0.0, gain=0.25),
    Cell(FIXED, "5 centres, one of 200 and 4 of 20", (200, *[20] * 4), varies=0.0, gain=0.4),
    Cell(FIXED, "20 centres of 10 cases", (10,) * 20, varies=0.0, gain=0.4),
    Cell(FIXED, "20 centres of 4 cases, 2 positive", (4,) * 20, 2, varies=0.0, gain=0.6),
    Cell(FIXED, "30 centres of 10 cases, 1 positive", (10,) * 30, 1, varies=0.0, gain=0.5),
    Cell(FIXED, "3 centres of 40, AUC .98", (40,) * 3, auc=0.98, varies=0.0, gain=1.2),
    Cell(FIXED, "5 centres of 30, unlike models", (30,) * 5, varies=0.0, shape="wide", gain=0.5),
]


def draw(cell: Cell, rng: np.random.Generator, gain: float) -> tuple[Any, Any, Any, Any]:
    """Return labels, the scores of two models, the first better by a gain, and groups."""
    groups = np.repeat(np.arange(len(cell.sizes)), cell.sizes)
    if cell.positives < 1.0:
        y = (rng.random(groups.size) < cell.positives).astype(int)
    else:
        first = np.searchsorted(groups, groups)
        y = (np.arange(groups.size) - first < cell.positives).astype(int)
    shift = np.sqrt(2.0) * ndtri(cell.auc) + cell.varies * rng.normal(size=(2, len(cell.sizes)))
    if cell.shape == "mixed":  # the first model is much better for some users, and worse for others
        ends = cell.auc + (1.0 - cell.auc) * np.array([0.9, -0.9])
        shift[:] = np.sqrt(2.0) * ndtri(cell.auc)
        shift[0] = np.sqrt(2.0) * ndtri(rng.choice(ends, len(cell.sizes)))
    shift[0] += gain
    common, *own = np.sqrt(0.5) * rng.normal(size=(3, groups.size))
    scores = [common + one + moved[groups] * y for one, moved in zip(own, shift, strict=True)]
    if cell.shape == "wide":  # positives of the second model vary more, at the same AUC
        moved = np.sqrt(1.0 + WIDE**2) * ndtri(cell.auc)
        scores[1] = np.where(y == 1, moved + WIDE * (common + own[1]), scores[1])
    return y, *scores, groups


def tested(cell: Cell, rng: np.random.Generator, gain: float) -> list[bool]:
    """Return for each kind of weights whether the test rejects, and whether without a warning.

    And the same of the delta method with weights of pairs and of a bootstrap of users.
    """
    data, rejected = draw(cell, rng, gain), []
    design = "random" if cell.title == RANDOM else "fixed"
    for weights in WEIGHTS:
        found = fc.within_auc_test(*data, weights=weights, design=design, on_undefined="ignore")
        rejects = bool(found.pvalue <= 0.05)
        rejected += [rejects, rejects and found.status == "ok"]
        if weights == "pairs":
            lead = found.group_auc[:, 0] - found.group_auc[:, 1]
            rejected += [delta(lead, found.group_weight), bootstrap(lead, found.group_weight, rng)]
    return rejected


def delta(lead: Any, share: Any) -> bool:
    """Say whether the linearised ratio rejects, with G - 1 degrees of freedom."""
    count, mean = lead.size, share @ lead
    error = np.sqrt(np.sum(np.square(share * (lead - mean))) * count / (count - 1))
    return bool(2.0 * stdtr(count - 1, -abs(mean) / error) <= 0.05) if error > 0.0 else False


def bootstrap(lead: Any, share: Any, rng: np.random.Generator) -> bool:
    """Say whether the 95% percentile interval of a bootstrap of users leaves out 0."""
    counts = rng.multinomial(lead.size, np.full(lead.size, 1.0 / lead.size), RESAMPLES)
    means = counts @ (share * lead) / (counts @ share)
    low, high = np.quantile(means, (0.025, 0.975))
    return bool(low > 0.0 or high < 0.0)


def measure(cell: Cell, trials: int) -> list[float]:
    """Return the shares of rejections of true and of false null hypotheses."""
    rows = [
        [tested(cell, np.random.default_rng((trial, side)), gain) for trial in range(trials)]
        for side, gain in enumerate((0.0, cell.gain))
    ]
    return np.mean(rows, axis=1).ravel().tolist()


PLACES = {"pairs": (0, 1), "cases": (4, 5), "equal": (6, 7)}  # in what `tested` returns
OTHERS = {"delta method": 2, "bootstrap of users": 3}


def entries(shares: list[float], others: dict[str, int]) -> list[str]:
    """Return what a row says of one hypothesis."""
    ours = [" / ".join(percent(shares[at]) for at in PLACES[weights]) for weights in WEIGHTS]
    return ours + [percent(shares[at]) for at in others.values()]


def show(cells: Sequence[Cell], found: list[list[float]]) -> str:
    """Return the tables."""
    parts = []
    for title in (RANDOM, FIXED):
        others = OTHERS if title == RANDOM else {}
        head = [
            title.split()[0].lower(),
            *(f"level, {name}" for name in WEIGHTS),
            *(f"level, {name}" for name in others),
            *(f"power, {name}" for name in WEIGHTS),
            *(f"power, {name}" for name in others),
        ]
        rows = [
            [cell.name, *entries(values[:8], others), *entries(values[8:], others)]
            for cell, values in zip(cells, found, strict=True)
            if cell.title == title
        ]
        parts.append(f"**{title}**\n\n{markdown(head, rows)}")
    return "\n\n".join(parts)


def row(*shares: float) -> list[float]:
    """Return what was stored of a cell."""
    return [*shares]


if __name__ == "__main__":
    run("within", "evidence/auc_within.md", CELLS, measure, show, trials=1_000, stored=(str, row))
