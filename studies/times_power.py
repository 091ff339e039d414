"""How often tests of two concordances find a difference, and how often one where there is none.

    python -m studies.times_power [--trials 600] [--jobs 2] [--write]

Times, events and scores are as in `times_levels`: x is normal, logarithms of times are -x, those of
censoring normal, and scores are x with noise of their own. Beside `concordance_test` stand
compareC's test, by U-statistics with the normal distribution, a bootstrap of cases, by the
percentiles of the difference and by its standard deviation with the normal distribution, and
`permutation_survival_test`, which exchanges the models' ranks.
"""

import math
from typing import NamedTuple

import numpy as np

import fastcompare as fc
from benchmarks.contenders.compare_c import compare_c

from .tables import markdown, percent, run
from .times_levels import Cell, middle

SECOND = 0.65  # concordance of the second model
GAINS = {10: 0.2, 20: 0.15, 50: 0.1, 100: 0.07, 200: 0.05}  # of the first, by events on average
CENSORED = (0.0, 0.3, 0.6)
RESAMPLES = 500
EXCHANGES = 999
ALPHA = 0.05
QUIET = {"on_undefined": "ignore"}
TESTS = ("by kind, t", "jackknife, z", "compareC", "percentiles", "bootstrap, z", "exchange")


class Study(NamedTuple):
    """The events on average, the share censored, and how much higher the first concordance is."""

    events: int
    censored: float
    gain: float

    @property
    def n(self):
        """The number of cases."""
        return round(self.events / (1.0 - self.censored))


STUDIES = [
    Study(events, censored, gain)
    for events, most in GAINS.items()
    for censored in CENSORED
    for gain in (0.0, most)
]


def data_set(study, rng):
    """Return times, at least two events, and both models' scores."""
    while True:
        x, censoring, *noise = rng.normal(size=(4, study.n))
        time, event = np.exp(-x), np.ones(study.n, bool)
        if study.censored:
            late = np.exp(censoring + middle(Cell(study.events, study.censored, SECOND)))
            time, event = np.minimum(time, late), time <= late
        if np.count_nonzero(event) > 1:
            break
    r = [math.sin(math.pi * (value - 0.5)) for value in (SECOND + study.gain, SECOND)]
    a, b = (
        share * x + math.sqrt(1.0 - share**2) * own for share, own in zip(r, noise, strict=True)
    )
    return time, event, a, b


def bootstrapped(time, event, a, b, rng):
    """Return the differences of resamples of the cases, no two times of which are equal."""
    n, order = time.size, np.argsort(time)
    event, a, b = event[order], a[order], b[order]
    drawn = rng.integers(n, size=(RESAMPLES, n)) + n * np.arange(RESAMPLES)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
    counts = counts.astype(np.float32)  # whole numbers and halves are exact
    later = n - np.cumsum(counts, axis=1)  # copies of a case are no pair
    pairs = (counts * later) @ event.astype(np.float32)
    more = np.subtract(*(np.triu(np.sign(s[:, None] - s), 1) for s in (a, b)))
    won = (0.5 * event[:, None] * more).astype(np.float32)
    gained = np.einsum("ri,ri->r", counts @ won, counts)
    return gained[pairs > 0] / pairs[pairs > 0]


def pvalues(data, rng):
    """Return the p-values of all tests, and whether the variance of compareC is above 0."""
    default, normal = (
        fc.concordance_test(*data, reference=name, **QUIET).pvalue for name in ("t", "normal")
    )
    compared = compare_c(*data)
    known = compared.difference > 0.0
    draws = bootstrapped(*data, rng)
    tail = min(np.mean(draws <= 0.0), np.mean(draws >= 0.0))
    effect, error = float(compared.concordance[0] - compared.concordance[1]), draws.std(ddof=1)
    z = math.erfc(abs(effect) / error / math.sqrt(2.0)) if error else 1.0
    exchanged = fc.permutation_survival_test(*data, n_resamples=EXCHANGES, rng=0, **QUIET).pvalue
    others = compared.pvalue if known else 1.0, 2.0 * tail, z
    return (default, normal, *others, exchanged), known


def measure(study, *, trials):
    """Return the shares of p-values at most 5%, by test, and of variances that are not positive."""
    rng = np.random.default_rng(sum(map(ord, repr(study))))
    found, negative = np.zeros(len(TESTS)), 0
    for _ in range(trials):
        p, known = pvalues(data_set(study, rng), rng)
        found += np.array(p) <= ALPHA
        negative += not known
    return dict(zip(TESTS, found / trials, strict=True)) | {"negative": negative / trials}


def show(studies, found):
    """Return a table of levels, and one of power."""
    tables = []
    for equal in (True, False):
        rows = [
            [
                study.events,
                percent(study.censored),
                *([] if equal else [f"{SECOND + study.gain:.2f}, {SECOND:.2f}"]),
                *(percent(shares[name]) for name in TESTS),
                *([percent(shares["negative"])] if equal else []),
            ]
            for study, shares in zip(studies, found, strict=True)
            if (study.gain == 0.0) == equal
        ]
        head = ["events", "censored", *([] if equal else ["C"]), *TESTS]
        tables.append(markdown([*head, *(["no variance"] if equal else [])], rows))
    return "\n\n".join(tables)


if __name__ == "__main__":
    run("times_power", "evidence/survival.md", STUDIES, measure, show, trials=600)
