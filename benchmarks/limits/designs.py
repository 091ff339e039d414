"""What DeLong's test may take with weights or clusters, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..timing import Row, power, ratios, run_fresh
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
        labels, scores = scored_cases(n)
        plain = partial(fc.delong_test, labels, *scores)
        calls = [partial(plain, **design(name, n)) for name in limits]
        measured = ratios(calls, plain, seconds=2.0)
        for (name, limit), value in zip(limits.items(), measured, strict=True):
            yield Row(f"delong_test, n = {power(n)}, {name}: independent", limit, value)
    n = 10**5
    for k in MANY:
        labels, scores = scored_cases(n, k=k)
        plain = partial(fc.delong_covariance, labels, np.ascontiguousarray(scores.T))
        calls = [partial(plain, **design(name, n)) for name in DESIGNS]
        measured = ratios(calls, plain, seconds=2.0, rounds=3)
        for name, value in zip(DESIGNS, measured, strict=True):
            yield Row(f"delong_covariance, k = {k}, {name}: independent", MANY_LIMIT, value)


def design_memory_rows(quick):
    for name, limit in {} if quick else BYTES.items():
        code = f"from {__name__} import bytes_a_score as f; print(f({LARGE}, {name!r}))"
        value = float(run_fresh(code)[1])
        yield Row(f"peak memory beyond the input, n = 10^7, {name}", limit, value, "B/score")


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
