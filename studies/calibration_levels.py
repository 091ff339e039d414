"""Simulate how often tests reject calibrated probabilities at the 5% level, and what they warn of.

    python -m studies.calibration_levels [--trials 2000] [--jobs 2] [--write]

A case is positive with the probability that the model says. In each data set these are drawn anew.
"""

import warnings

import numpy as np

import fastcompare as fc

from .tables import markdown, percent, run

ALPHA, RESAMPLES = 0.05, 199
SIZES = (20, 50, 200, 1000)
DRAWN = {
    "uniform from 0 to 1": lambda rng, n: rng.uniform(size=n),
    "near 0 and 1, beta(0.2, 0.2)": lambda rng, n: rng.beta(0.2, 0.2, n),
    "confident, beta(0.05, 0.05)": lambda rng, n: rng.beta(0.05, 0.05, n),
    "rare events, beta(1, 30)": lambda rng, n: rng.beta(1.0, 30.0, n),
    "0.005 for each case": lambda rng, n: np.full(n, 0.005),
}
CELLS = [(what, n) for what in DRAWN for n in SIZES]
TESTS = {
    "two-sided": fc.spiegelhalter_test,
    "greater": lambda y, p: fc.spiegelhalter_test(y, p, alternative="greater"),
    "slope and intercept": fc.calibration_test,
    "calibration error": lambda y, p: fc.calibration_error(y, p, n_resamples=RESAMPLES, rng=0),
}


def measure(cell, *, trials):
    """Return how often each test rejects, and how often it does so without a warning."""
    what, n = cell
    rng = np.random.default_rng([n, list(DRAWN).index(what)])
    rejected = np.zeros((len(TESTS), 2))
    for _ in range(trials):
        p = np.clip(DRAWN[what](rng, n), 1e-9, 1.0 - 1e-9)
        y = (rng.random(n) < p).astype(int)
        for i, test in enumerate(TESTS.values()):
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                rejects = test(y, p).pvalue <= ALPHA
            rejected[i] += rejects, rejects and not caught
    return rejected / trials


def show(cells, found):
    """Return the table: the level of each test, and after the slash that without a warning."""
    rows = (
        [what, n, *(f"{percent(every)} / {percent(silent)}" for every, silent in shares)]
        for (what, n), shares in zip(cells, found, strict=True)
    )
    return markdown(["probabilities", "n", *TESTS], rows)


if __name__ == "__main__":
    run("calibration_levels", "evidence/probabilities.md", CELLS, measure, show, trials=2000)
