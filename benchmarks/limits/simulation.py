"""What simulations must be fast against, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..contenders.plain_dietterich import rates
from ..timing import Row, interleaved, ratio

FIVE = ["mcnemar_corrected", "two_proportions", "ttest_resampled", "ttest_kfold", "ttest_5x2cv"]
PLAIN_TRIALS = 100  # of the plain program, whose trials take the same time each


def simulation_rows(quick):
    name = "Dietterich's five tests, 1,000 trials: plain Python"
    yield Row(name, 1 / 150, thousand_trials)
    seconds = partial(many_trials, 10**4 if quick else 10**5)
    yield Row("Dietterich's five tests, 10^5 trials, n_jobs = 2", 2.0, seconds, "s")
    name = "DeLong on binormal scores, n = 200, 10^4 trials"
    yield Row(name, 0.3, partial(median_seconds, binormal_trials), "s")


def five_tests(n_trials, **options):
    """Simulate Dietterich's design."""
    design = fc.simulate.DietterichClassifiers()
    return fc.simulate_error_rates(FIVE, design, rng=0, n_trials=n_trials, **options)


def thousand_trials():
    """Return what a thousand trials take, in units of the plain program's."""
    value = ratio(partial(five_tests, 1000), partial(rates, PLAIN_TRIALS), seconds=3.0)
    return value * PLAIN_TRIALS / 1000


def many_trials(n_trials):
    """Return the seconds of 10^5 trials by two threads, from those of so many."""
    return median_seconds(partial(five_tests, n_trials, n_jobs=2)) * 10**5 / n_trials


def binormal_trials():
    """Simulate DeLong's test."""
    scores = fc.simulate.BinormalScores()
    return fc.simulate_error_rates("delong", scores, n_trials=10**4, rng=0)


def median_seconds(call):
    """Return the median of the seconds that a call takes."""
    return float(np.median(interleaved([call], seconds=2.0, rounds=3)))
