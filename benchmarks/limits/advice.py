"""What `compare`, `recommend` and `trust` may take beside the tests, for `benchmarks.limits`."""

import time
from functools import partial

import fastcompare as fc

from ..cases import advice_cases
from ..timing import Row, ratio_row

KINDS = ("scores", "labels", "probabilities", "items")
MOST = 2.0  # times the tests that it runs
SECONDS = 10.0  # of a simulation of the user's own size


def advice_rows(quick):
    for kind in KINDS:
        for k in (2, 5):
            name = f"compare, {k} models, {kind}, n = 1000: its tests"
            yield ratio_row(name, MOST, partial(advice_cases, kind, k))
    yield ratio_row("recommend by words: mcnemar_test, n = 1000", 10.0, recommendation)
    n = 100 if quick else 1000
    for kind in KINDS:
        yield Row(f"trust, {kind}, n = {n}", SECONDS, partial(trust_seconds, kind, n), "s")


def recommendation():
    """Return a call of `recommend` and one of a test."""
    return partial(fc.recommend, kind="labels", n_models=5), advice_cases("labels", 2)[1]


def trust_seconds(kind, n):
    """Return how long 200 trials a rate take."""
    result = advice_cases(kind, 2, n)[0]()
    result.trust(n_trials=2, rng=0)
    start = time.perf_counter()
    result.trust(n_trials=200, rng=0)
    return time.perf_counter() - start
