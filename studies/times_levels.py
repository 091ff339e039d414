"""How often tests of two concordances reject where they are equal, and how often intervals cover.

    python -m studies.times_levels [--trials 400] [--jobs 2] [--write]

The logarithms of times are -x with normal x, those of censoring normal too. Each model's score is x
with noise of its own, so that models are exchangeable, and C is 1/2 + asin(r) / pi, where r is the
correlation of a score with x. `LIMITS` has models that are not: their noise rises with the rank of
the time, or falls, so that both have one C, which is what pairs of all times have.
"""

import math
from collections import defaultdict
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

import fastcompare as fc

from .tables import markdown, percent, run

EVENTS = (3, 5, 10, 20, 50, 200)
CENSORED = (0.0, 0.5, 0.8)
VALUES = (0.6, 0.75, 0.9, 0.97)
SHAPES = {  # of the cases, at these numbers of events
    "continuous": EVENTS,
    "ties": (10, 50),
    "clusters": (20, 50, 200),
}
LIMITS = (100, 400, 1000)
UNCENSORED = 0.3  # of the cases at tau
CLUSTER, SHARED = 4, 0.5  # cases of a cluster, and the share of variances that they share
LARGE = 100_000
QUIET = {"on_undefined": "ignore"}
TESTS = {
    "jackknife, z": {"reference": "normal"},
    "by kind, t": {},
    "Uno, jackknife, z": {"reference": "normal", "method": "uno"},
    "Uno, by kind, t": {"method": "uno"},
}
INTERVALS = ("score", "logit", "wald")


class Cell(NamedTuple):
    """The events on average, the share censored, C, and the shape of the cases."""

    events: int
    censored: float
    value: float
    shape: str = "continuous"

    @property
    def n(self):
        """The number of cases."""
        return round(self.events / (1.0 - self.censored))


class Limit(NamedTuple):
    """Cases whose models have noise that rises with time, and falls."""

    n: int
    censored: float


CELLS = [
    *(
        Cell(events, censored, value, shape)
        for shape, numbers in SHAPES.items()
        for events in numbers
        for censored in CENSORED
        for value in VALUES
    ),
    *(Limit(n, censored) for n in LIMITS for censored in (0.0, 0.2, 0.4)),
]


def normals(rng, k, n, shape):
    """Return k rows of n normal numbers, some of whose variance clusters of cases share."""
    own = rng.normal(size=(k, n))
    if shape != "clusters":
        return own
    shared = np.repeat(rng.normal(size=(k, -(-n // CLUSTER))), CLUSTER, axis=1)[:, :n]
    return math.sqrt(SHARED) * shared + math.sqrt(1.0 - SHARED) * own


def data_set(cell, rng, n=None):
    """Return times, events and both models' scores of a cell."""
    x, censoring, *noise = normals(rng, 4, cell.n if n is None else n, cell.shape)
    r = math.sin(math.pi * (cell.value - 0.5))
    scores = [r * x + math.sqrt(1.0 - r * r) * own for own in noise]
    time = np.exp(-x)
    if cell.censored:
        late = np.exp(censoring + middle(cell))
        time, event = np.minimum(time, late), time <= late
    else:
        event = np.ones(time.size, bool)
    if cell.shape == "ties":
        time, scores = np.ceil(4.0 * time), [np.round(2.0 * own) for own in scores]
    return time, event, *scores


def enough(cell, rng):
    """Return a data set of at least two events, without which nothing is estimated."""
    while True:
        data = data_set(cell, rng)
        if np.count_nonzero(data[1]) > 1:
            return data


def middle(cell):
    """Return the mean logarithm of times of censoring."""
    return -math.sqrt(2.0) * ndtri(cell.censored)


def tau_of(cell):
    """Return the time at which so many cases are uncensored; None without censoring."""
    if not cell.censored:
        return None
    tau = math.exp(middle(cell) + ndtri(1.0 - UNCENSORED))
    return math.ceil(4.0 * tau) if cell.shape == "ties" else tau


def options_of(cell):
    """Return the clusters of the cases, if any."""
    return {"groups": np.arange(cell.n) // CLUSTER} if cell.shape == "clusters" else {}


def measure(cell, *, trials):
    """Return the shares of p-values at most 5%, and of intervals of .95 that hold C."""
    rng = np.random.default_rng(sum(map(ord, repr(cell))))
    if isinstance(cell, Limit):
        return measure_limit(cell, rng, trials)
    true = fc.concordance(*data_set(cell, rng, LARGE)[:3])
    more, tau = {**QUIET, **options_of(cell)}, tau_of(cell)
    found = defaultdict(int)
    for _ in range(trials):
        time, event, a, b = enough(cell, rng)
        for name, options in TESTS.items():
            if "method" in options and not cell.censored:
                continue
            at = {"tau": tau} if "method" in options else {}
            result = fc.concordance_test(time, event, a, b, **options, **at, **more)
            found[name] += result.pvalue <= 0.05
        for kind in INTERVALS:
            low, high = fc.concordance_interval(
                time, event, a, interval=kind, **more
            ).confidence_interval()
            found[kind] += low <= true <= high
    return {name: count / trials for name, count in found.items()}


def limited(cell, rng):
    """Return times, events and scores of equal C, whose noise rises with time and falls."""
    rank = rng.random(cell.n)
    noise = rng.normal(size=(2, cell.n))
    a, b = (share * own - rank for share, own in zip((rank, 1.0 - rank), noise, strict=True))
    # twice the share is censored at any rank alike: some cases are left to the end
    late = np.where(rng.random(cell.n) < 2.0 * cell.censored, rng.random(cell.n), 2.0)
    return 1.0 + np.minimum(rank, late), rank <= late, a, b


def measure_limit(cell, rng, trials):
    """Return the shares of p-values at most 5% of Harrell's C and of Uno's."""
    found = {"harrell": 0, "uno": 0}
    for _ in range(trials):
        data = limited(cell, rng)
        for method in found:
            found[method] += fc.concordance_test(*data, method=method, **QUIET).pvalue <= 0.05
    return {method: count / trials for method, count in found.items()}


def shares_of(cells, found, name, **at):
    """Return the shares of cells at these places, none where it was not measured."""
    return [
        shares[name]
        for cell, shares in zip(cells, found, strict=True)
        if name in shares and all(getattr(cell, key, None) == value for key, value in at.items())
    ]


def told(shares, pick):
    """Return the worst share of some, for a table."""
    return percent(pick(shares)) if shares else "–"


def show(cells, found):
    """Return a table of levels, one of coverage, and one of models with different limits."""
    levels, covers = [], []
    for shape, numbers in SHAPES.items():
        for events in numbers:
            for censored in CENSORED:
                at = {"shape": shape, "events": events, "censored": censored}
                row = shape, events, percent(censored)
                cell = [shares_of(cells, found, name, **at) for name in TESTS]
                levels.append([*row, *(f"{told(s, np.mean)} ({told(s, max)})" for s in cell)])
                ends = [
                    [shares_of(cells, found, name, value=value, **at) for value in VALUES]
                    for name in INTERVALS
                ]
                covers.append([*row, *(" / ".join(told(s, min) for s in own) for own in ends)])
    limits = [
        [cell.n, percent(cell.censored), *(percent(share) for share in shares.values())]
        for cell, shares in zip(cells, found, strict=True)
        if isinstance(cell, Limit)
    ]
    head = ("cases", "events", "censored")
    return "\n\n".join(
        (
            markdown([*head, *TESTS], levels),
            markdown([*head, *INTERVALS], covers),
            markdown(["n", "censored", "Harrell's C", "Uno's C"], limits),
        )
    )


if __name__ == "__main__":
    run("times_levels", "times_levels.md", CELLS, measure, show, trials=400)
