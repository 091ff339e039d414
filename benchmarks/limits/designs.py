"""What DeLong's test may take with weights or clusters, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..timing import Row, fresh_value, power, ratios, rows_together
from .memory import LARGE, memory

PAIRED = {  # n: the limits by design in units of the test of independent cases
    1000: {"sampling weights": 3.0, "frequency weights": 3.0},
    10**6: {
        "sampling weights": 3.0,
        "frequency weights": 3.0,
        "clusters": 5.0,
        "clusters named by strings": 10.0,
    },
}
MANY = (10, 50)  # models
MANY_LIMIT = 3.0  # in units of the covariance of independent cases
BYTES = {"sampling weights": 20.0, "clusters": 20.0}  # a score


DESIGNS = {  # from a generator and n
    "sampling weights": lambda rng, n: {"sample_weight": rng.random(n)},
    "frequency weights": lambda rng, n: {"frequency_weight": rng.integers(1, 5, n).astype(float)},
    "clusters": lambda rng, n: {"groups": rng.integers(0, n // 10, n)},
    "clusters named by strings": lambda rng, n: {"groups": names(rng.integers(0, n // 10, n))},
}


def names(numbers):
    """Return the names of clusters."""
    return np.char.add("patient ", numbers.astype("U7"))


def design(name, n, seed=0):
    """Return the options of a design of n cases, about ten of which share a cluster."""
    return DESIGNS[name](np.random.default_rng(seed), n)


def design_rows(quick):
    for n, limits in PAIRED.items():
        rows = {
            f"delong_test, n = {power(n)}, {name}: independent": limit
            for name, limit in limits.items()
        }
        yield from rows_together(rows, partial(paired_times, n))
    for k in MANY:
        rows = {f"delong_covariance, k = {k}, {name}: independent": MANY_LIMIT for name in DESIGNS}
        yield from rows_together(rows, partial(covariance_times, k))


def paired_times(n):
    """Return what the test of each design takes, in units of independent cases."""
    labels, scores = scored_cases(n)
    plain = partial(fc.delong_test, labels, *scores)
    return ratios([partial(plain, **design(name, n)) for name in PAIRED[n]], plain, seconds=2.0)


def covariance_times(k, n=10**5):
    """Return what the covariance of each design takes, in units of independent cases."""
    labels, scores = scored_cases(n, k=k)
    plain = partial(fc.delong_covariance, labels, np.ascontiguousarray(scores.T))
    calls = [partial(plain, **design(name, n)) for name in DESIGNS]
    return ratios(calls, plain, seconds=2.0, rounds=3)


def design_memory_rows(quick):
    for name, limit in {} if quick else BYTES.items():
        title = f"peak memory beyond the input, n = 10^7, {name}"
        yield Row(title, limit, partial(fresh_value, bytes_a_score, LARGE, name), "B/score")


def bytes_a_score(n, name):
    """Return the bytes a score that the test takes at its peak; for a process of its own."""
    small, few = scored_cases(1 << 18)
    fc.delong_test(small, *few, **design(name, small.size))
    labels = (np.arange(n) % 10 < 3).astype(np.int64)
    rng = np.random.default_rng(0)
    scores = rng.standard_normal((2, n))
    options = design(name, n)
    before = memory("VmRSS")
    fc.delong_test(labels, *scores, **options)
    return (memory("VmHWM") - before) / scores.size
