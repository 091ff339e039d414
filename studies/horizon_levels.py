"""How often tests at a horizon reject a true null under censoring, and intervals cover.

    python -m studies.horizon_levels [--trials 800] [--jobs 2] [--write]

Times to the event are exponential with a rate that depends on a normal covariate, times of
censoring exponential by themselves; the horizon is 1. Both models know the covariate with errors of
their own, equally great: neither has a higher AUC or a lower Brier score. Clusters hold five cases
of one covariate, or lognormal numbers of them; weights are lognormal. Three horizons are .5, .75
and 1. The truth is that of a million cases without censoring.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

QUIET = {"on_undefined": "ignore"}
TIMES = (0.5, 0.75, 1.0)
MANY = 10**6
SIZE = 5  # cases of a cluster


class Cell(NamedTuple):
    """Cases, the rates of events and of censoring, how strong the covariate is, and errors.

    The shape is one of '', 'clusters', 'unequal clusters' and 'weights'.
    """

    n: int
    rate: float
    censored: float
    strength: float = 1.0
    noise: float = 0.7
    shape: str = ""


CELLS = [
    Cell(60, 0.03, 0.0),
    Cell(60, 0.05, 0.0),
    Cell(100, 0.1, 0.0),
    Cell(100, 0.05, 1.5),
    Cell(100, 0.2, 1.5),
    Cell(100, 0.2, 1.5, 0.5, 1.0),
    Cell(100, 0.05, 1.5, 4.0, 0.3),
    Cell(100, 1.0, 1.5),
    Cell(100, 2.0, 0.3),
    Cell(200, 0.2, 1.5, 3.0),
    Cell(200, 0.1, 1.5, 4.0, 0.2),
    Cell(200, 1.0, 2.5),
    Cell(500, 0.3, 1.0),
    Cell(500, 0.3, 1.0, 4.0, 0.2),
    Cell(1000, 0.3, 1.0, 0.5, 1.0),
    Cell(200, 0.3, 1.0, shape="clusters"),
    Cell(200, 0.3, 1.0, shape="unequal clusters"),
    Cell(500, 0.3, 1.0, shape="unequal clusters"),
    Cell(200, 0.3, 1.0, shape="weights"),
    Cell(500, 0.3, 1.0, shape="weights"),
    Cell(200, 0.2, 1.5, 3.0, shape="weights"),
]


def clusters_of(cell, rng, n):
    """Return the clusters of n cases, None of independent ones."""
    if cell.shape == "clusters":
        return np.arange(n) // SIZE
    if cell.shape == "unequal clusters":
        return np.repeat(np.arange(n), np.ceil(SIZE * np.exp(rng.normal(size=n))).astype(int))[:n]
    return None


def sample(cell, rng, n, censored):
    """Return times, events, scores and clusters of n cases."""
    groups = clusters_of(cell, rng, n)
    known = rng.normal(size=n)
    known = known if groups is None else known[groups]
    death = rng.exponential(1.0 / (cell.rate * np.exp(cell.strength * known)))
    left = np.minimum(rng.exponential(1.0 / censored, n), 1.5) if censored else np.full(n, 1.5)
    scores = known + cell.noise * rng.normal(size=(2, n))
    return np.minimum(death, left), (death <= left).astype(int), scores, groups


def chances(cell, score, times=(1.0,)):
    """Return a model's chances (n, H) of an event by each time, as if its score were the truth."""
    rate = cell.rate * np.exp(cell.strength * 0.7 * score)
    return -np.expm1(-np.outer(rate, times))


@cache
def truth(cell):
    """Return the AUC at each time, and the Brier score at 1."""
    time, _, (score, _), _ = sample(cell, np.random.default_rng(7), MANY, 0.0)
    aucs = [fc.roc_auc(time <= t, score) for t in TIMES]
    return np.array(aucs), fc.brier_score(time <= 1.0, chances(cell, score)[:, 0])


def levels(cell, *, trials):
    """Return the numbers of events and controls, and the shares of rejections and covered truths.

    Tests of AUC and Brier score by default and as published; intervals of AUC, of Brier score, and
    of three AUCs together. Data sets without two events and two controls do not count.
    """
    seeds = [cell.n, int(100 * cell.rate), int(10 * cell.censored), int(10 * cell.strength)]
    rng = np.random.default_rng([*seeds, len(cell.shape)])
    aucs, brier = truth(cell)
    found = []
    for _ in range(trials):
        time, event, (a, b), groups = sample(cell, rng, cell.n, cell.censored)
        data = {"time": time, "event": event, "groups": groups, **QUIET}
        if cell.shape == "weights":
            data["sample_weight"] = np.exp(rng.normal(size=cell.n))
        p, q = (chances(cell, score)[:, 0] for score in (a, b))
        one = fc.auc_at_interval(score=a, horizon=1.0, **data)
        if min(one.n_events, one.n_controls) < 2:
            continue
        tests = [
            test(**data, **models, horizon=1.0, reference=reference).pvalue < 0.05
            for test, models in (
                (fc.auc_at_test, {"score_a": a, "score_b": b}),
                (fc.survival_brier_test, {"probability_a": p, "probability_b": q}),
            )
            for reference in ("auto", "normal")
        ]
        loss = fc.survival_brier_interval(probability=p, horizon=1.0, **data)
        band = fc.auc_at_interval(score=a, horizon=list(TIMES), **data)
        low, high = band.confidence_interval(simultaneous=True)
        known = ~np.isnan(low)
        covered = [
            covers(one.confidence_interval(), aucs[-1]),
            covers(loss.confidence_interval(), brier),
            bool(((low <= aucs) & (aucs <= high))[known].all()),
        ]
        found.append([one.n_events, one.n_controls, *tests, *covered])
    return np.mean(found, axis=0).tolist()


def covers(interval, value):
    """Return whether an interval holds a value."""
    return bool(interval.low <= value <= interval.high)


def show(cells, found):
    """Return the table, in per cent."""
    head = ("cases", "events", "controls", "AUC", "AUC test", "Brier test")
    head = (*head, "AUC interval", "Brier interval", "three AUCs")
    rows = []
    for cell, (events, controls, *shares) in zip(cells, found, strict=True):
        told = [percent(share) for share in shares]
        cases = f"{cell.n}, {cell.shape}" if cell.shape else str(cell.n)
        sizes = (f"{events:.0f}", f"{controls:.0f}", f"{truth(cell)[0][-1]:.2f}")
        tests = (f"{told[0]} / {told[1]}", f"{told[2]} / {told[3]}")
        rows.append((cases, *sizes, *tests, *told[4:]))
    return markdown(head, rows)


if __name__ == "__main__":
    run("horizon_levels", "evidence/survival_horizons.md", CELLS, levels, show, trials=800)
