"""How often tests of two concordances reject where they are equal.

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
RARE = 0.95  # the share that is censored where events are few among many cases
FEW = 10  # events up to which that is so, and models are exchanged
VALUES = (0.6, 0.75, 0.9, 0.97)
SHAPES = {  # of the cases, at these numbers of events
    "continuous": EVENTS,
    "ties": (10, 50),
    "clusters": (20, 50, 200),
    "unequal clusters": (50, 200),
    "weights": (20, 50, 200),
}
LIMITS = (100, 400, 1000)
UNCENSORED = 0.3  # of the cases at tau
CLUSTER, SHARED = 4, 0.5  # cases of a cluster, and the share of variances that they share
UNEQUAL = 5.0  # the median of unequal clusters, whose sizes are lognormal, as weights are
LARGE = 100_000
QUIET = {"on_undefined": "ignore"}
TESTS = {
    "jackknife, z": {"reference": "normal"},
    "by kind, t": {},
    "Uno, jackknife, z": {"reference": "normal", "method": "uno"},
    "Uno, by kind, t": {"method": "uno"},
}
EXCHANGE = "exchange"


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


def shares_censored(shape, events):
    """Return the shares of censored cases at which a shape is measured."""
    return (*CENSORED, RARE) if shape == "continuous" and events <= FEW else CENSORED


ROWS = [
    (shape, events, censored)
    for shape, numbers in SHAPES.items()
    for events in numbers
    for censored in shares_censored(shape, events)
]
SHAPED = [
    Cell(events, censored, value, shape) for shape, events, censored in ROWS for value in VALUES
]
CELLS = [
    *SHAPED,
    *(Limit(n, censored) for n in LIMITS for censored in (0.0, 0.2, 0.4)),
]


def normals(rng, k, n, groups):
    """Return k rows of n normal numbers, some of whose variance clusters of cases share."""
    own = rng.normal(size=(k, n))
    if groups is None:
        return own
    shared = rng.normal(size=(k, n))[:, groups]
    return math.sqrt(SHARED) * shared + math.sqrt(1.0 - SHARED) * own


def clusters(cell, rng, n):
    """Return the clusters of the cases, None of independent ones."""
    if cell.shape == "clusters":
        return np.arange(n) // CLUSTER
    if cell.shape == "unequal clusters":
        sizes = np.ceil(UNEQUAL * np.exp(rng.normal(size=n))).astype(int)
        return np.repeat(np.arange(n), sizes)[:n]
    return None


def data_set(cell, rng, n=None, groups=None):
    """Return times, events and both models' scores of a cell."""
    x, censoring, *noise = normals(rng, 4, cell.n if n is None else n, groups)
    r = math.sin(math.pi * (cell.value - 0.5))
    scores = [r * x + math.sqrt(1.0 - r * r) * own for own in noise]
    time, late = np.exp(-x), np.exp(censoring + middle(cell))
    if cell.shape == "ties":  # of times of censoring, too, which come after the events
        time, late = np.ceil(4.0 * time), np.ceil(4.0 * late)
        scores = [np.round(2.0 * own) for own in scores]
    return np.minimum(time, late), time <= late, *scores


def enough(cell, rng):
    """Return a data set of at least two events, without which nothing is estimated, and options."""
    while True:
        groups = clusters(cell, rng, cell.n)
        data = data_set(cell, rng, groups=groups)
        if np.count_nonzero(data[1]) > 1 and (groups is None or groups[-1]):
            break
    if cell.shape == "weights":
        return data, {**QUIET, "sample_weight": np.exp(rng.normal(size=cell.n))}
    return data, {**QUIET, "groups": groups}


def middle(cell):
    """Return the mean logarithm of times of censoring."""
    return -math.sqrt(2.0) * ndtri(cell.censored)


def tau_of(cell):
    """Return the time at which so many cases are uncensored; None without censoring."""
    if not cell.censored:
        return None
    tau = math.exp(middle(cell) + ndtri(1.0 - UNCENSORED))
    return math.ceil(4.0 * tau) if cell.shape == "ties" else tau


def measure(cell, *, trials):
    """Return the shares of p-values at most 5%."""
    rng = np.random.default_rng(sum(map(ord, repr(cell))))
    if isinstance(cell, Limit):
        return measure_limit(cell, rng, trials)
    tau, found = tau_of(cell), defaultdict(int)
    for _ in range(trials):
        (time, event, a, b), more = enough(cell, rng)
        for name, options in TESTS.items():
            if "method" in options and not cell.censored:
                continue
            at = {"tau": tau} if "method" in options else {}
            result = fc.concordance_test(time, event, a, b, **options, **at, **more)
            found[name] += result.pvalue <= 0.05
        if cell.events <= FEW:
            exchanged = fc.permutation_survival_test(time, event, a, b, rng=1, **more)
            found[EXCHANGE] += exchanged.pvalue <= 0.05
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
    """Return a table of levels, and one of models with different limits."""
    levels, names = [], (*TESTS, EXCHANGE)
    for shape, events, censored in ROWS:
        at = {"shape": shape, "events": events, "censored": censored}
        cell = [shares_of(cells, found, name, **at) for name in names]
        shares = (f"{told(s, np.mean)} ({told(s, max)})" if s else "–" for s in cell)
        levels.append([shape, events, percent(censored), *shares])
    limits = [
        [cell.n, percent(cell.censored), *(percent(share) for share in shares.values())]
        for cell, shares in zip(cells, found, strict=True)
        if isinstance(cell, Limit)
    ]
    return "\n\n".join(
        (
            markdown(["cases", "events", "censored", *names], levels),
            markdown(["n", "censored", "Harrell's C", "Uno's C"], limits),
        )
    )


if __name__ == "__main__":
    run("times_levels", "evidence/survival.md", CELLS, measure, show, trials=400)
