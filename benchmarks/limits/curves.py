"""What measures of ROC and precision-recall curves may take, for `benchmarks.limits`."""

import tempfile
from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..timing import Row, fresh_value, power, ratios, rows_together, run_fresh
from .memory import LARGE, memory

VALUES = {  # of one model
    "average_precision": {},
    "partial_auc": {},
    "sensitivity_at_specificity": {"specificity": 0.9},
    "specificity_at_sensitivity": {"sensitivity": 0.9},
}
SIZES = {1000: 6.0, 10**6: 1.5}  # n: the limit in units of one argsort
THRESHOLDS = {1: 0.5, 99: 1.5}  # how many: the limit in units of one np.sort
FIRST = """
import numpy as np
import fastcompare as fc
labels = (np.arange(1000) % 10 < 3).astype(int)
assert fc.average_precision(labels, np.random.default_rng(0).normal(size=1000)) < 1
"""


def curve_rows(quick):
    for n, limit in SIZES.items():
        rows = {f"{name}, n = {power(n)}: one argsort": limit for name in VALUES}
        yield from rows_together(rows, partial(value_times, n))


def value_times(n):
    """Return what each measure takes, in units of one argsort."""
    labels, (scores, _) = scored_cases(n)
    calls = [
        partial(getattr(fc, name), labels, scores, **options) for name, options in VALUES.items()
    ]
    return ratios(calls, partial(np.argsort, scores), seconds=2.0)


def curve_bootstrap_rows(quick):
    rows = {f"{name}_test, 200 replicates, n = 10^5: bootstrap_auc_test": 1.6 for name in VALUES}
    yield from rows_together(rows, bootstrap_times)


def bootstrap_times():
    """Return what the bootstrap of each measure takes, in units of that of AUCs."""
    labels, scores = scored_cases(10**5)
    few = {"n_resamples": 200, "rng": 0}
    plain = partial(fc.bootstrap_auc_test, labels, *scores, **few)
    calls = [
        partial(getattr(fc, f"{name}_test"), labels, *scores, **options, **few)
        for name, options in VALUES.items()
    ]
    return ratios(calls, plain, seconds=2.0)


def benefit_rows(quick):
    rows = {
        f"net_benefit, n = 10^6, thresholds: {count}: one np.sort": limit
        for count, limit in THRESHOLDS.items()
    }
    yield from rows_together(rows, benefit_times)


def benefit_times():
    """Return what each number of thresholds takes, in units of one sort."""
    labels, (scores, _) = scored_cases(10**6)
    p = 1.0 / (1.0 + np.exp(-scores))
    calls = [
        partial(fc.net_benefit, labels, p, np.linspace(0.0, 1.0, count + 2)[1:-1])
        for count in THRESHOLDS
    ]
    return ratios(calls, partial(np.sort, p), seconds=2.0)


def curve_start_rows(quick):
    name = "fresh process, average_precision of n = 1000, no cache"
    yield Row(name, 4.0, first_seconds, "s")
    for name in () if quick else VALUES:
        title = f"peak memory beyond the input, {name}, n = 10^7"
        yield Row(title, 13.0, partial(fresh_value, bytes_a_score, name, LARGE), "B/score")


def first_seconds():
    """Return how long a process takes that compiles all that a first value needs."""
    with tempfile.TemporaryDirectory() as directory:
        return run_fresh(FIRST, FASTCOMPARE_CACHE_DIR=directory)[0]


def bytes_a_score(name, n):
    """Return the bytes a score that a value takes at its peak; for a process of its own."""
    value = partial(getattr(fc, name), **VALUES[name])
    labels, (scores, _) = scored_cases(1 << 18)
    value(labels, scores)
    value(labels, scores.round(5))  # tied prefixes are settled by another kernel
    labels = (np.arange(n) % 10 < 3).astype(np.int64)
    scores = np.random.default_rng(0).standard_normal(n)
    before = memory("VmRSS")
    value(labels, scores)
    return (memory("VmHWM") - before) / n
