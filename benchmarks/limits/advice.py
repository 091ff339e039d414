"""What `compare`, `recommend` and `trust` may take beside the tests, for `benchmarks.limits`."""

import time
from functools import partial

import fastcompare as fc

from ..cases import advice_cases
from ..timing import Row, ratio

KINDS = ("scores", "labels", "probabilities", "items")
MOST = 2.0  # times the tests that it runs
SECONDS = 10.0  # of a simulation of the user's own size


def advice_rows(quick):
    for kind in KINDS:
        for k in (2, 5):
            value = ratio(*advice_cases(kind, k))
            yield Row(f"compare, {k} models, {kind}, n = 1000: its tests", MOST, value)
    test = advice_cases("labels", 2)[1]
    told = partial(fc.recommend, kind="labels", n_models=5)
    yield Row("recommend by words: mcnemar_test, n = 1000", 10.0, ratio(told, test))
    for kind in KINDS:
        yield trust_row(kind, 100 if quick else 1000)


def trust_row(kind, n):
    """Return how long 200 trials a rate take."""
    result = advice_cases(kind, 2, n)[0]()
    result.trust(n_trials=2, rng=0)
    start = time.perf_counter()
    result.trust(n_trials=200, rng=0)
    return Row(f"trust, {kind}, n = {n}", SECONDS, time.perf_counter() - start, "s")
