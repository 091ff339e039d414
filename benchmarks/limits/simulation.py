"""What simulations must be fast against, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..contenders.plain_dietterich import rates
from ..timing import Row, interleaved, ratio

FIVE = ["mcnemar_corrected", "two_proportions", "ttest_resampled", "ttest_kfold", "ttest_5x2cv"]
PLAIN_TRIALS = 100  # of the plain program, whose trials take the same time each


def simulation_rows(quick):
    design = fc.simulate.DietterichClassifiers()
    run = partial(fc.simulate_error_rates, FIVE, design, rng=0)
    plain = partial(rates, PLAIN_TRIALS)
    value = ratio(partial(run, n_trials=1000), plain, seconds=3.0) * PLAIN_TRIALS / 1000
    yield Row("Dietterich's five tests, 1,000 trials: plain Python", 1 / 150, value)

    n_trials = 10**4 if quick else 10**5
    seconds = median_seconds(partial(run, n_trials=n_trials, n_jobs=2))
    seconds *= 10**5 / n_trials
    yield Row("Dietterich's five tests, 10^5 trials, n_jobs = 2", 2.0, seconds, "s")

    scores = fc.simulate.BinormalScores()
    binormal = partial(fc.simulate_error_rates, "delong", scores, n_trials=10**4, rng=0)
    seconds = median_seconds(binormal)
    yield Row("DeLong on binormal scores, n = 200, 10^4 trials", 0.3, seconds, "s")


def median_seconds(call):
    """Return the median of the seconds that a call takes."""
    return float(np.median(interleaved([call], seconds=2.0, rounds=3)))
