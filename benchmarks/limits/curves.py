"""What measures of ROC and precision-recall curves may take, for `benchmarks.limits`."""

import tempfile
from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..timing import Row, power, ratios, run_fresh
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
        labels, (scores, _) = scored_cases(n)
        calls = [
            partial(getattr(fc, name), labels, scores, **options)
            for name, options in VALUES.items()
        ]
        measured = ratios(calls, partial(np.argsort, scores), seconds=2.0)
        for name, value in zip(VALUES, measured, strict=True):
            yield Row(f"{name}, n = {power(n)}: one argsort", limit, value)


def curve_bootstrap_rows(quick):
    labels, scores = scored_cases(10**5)
    few = {"n_resamples": 200, "rng": 0}
    plain = partial(fc.bootstrap_auc_test, labels, *scores, **few)
    calls = [
        partial(getattr(fc, f"{name}_test"), labels, *scores, **options, **few)
        for name, options in VALUES.items()
    ]
    for name, value in zip(VALUES, ratios(calls, plain, seconds=2.0), strict=True):
        yield Row(f"{name}_test, 200 replicates, n = 10^5: bootstrap_auc_test", 1.6, value)


def benefit_rows(quick):
    labels, (scores, _) = scored_cases(10**6)
    p = 1.0 / (1.0 + np.exp(-scores))
    calls = [
        partial(fc.net_benefit, labels, p, np.linspace(0.0, 1.0, count + 2)[1:-1])
        for count in THRESHOLDS
    ]
    measured = ratios(calls, partial(np.sort, p), seconds=2.0)
    for (count, limit), value in zip(THRESHOLDS.items(), measured, strict=True):
        yield Row(f"net_benefit, n = 10^6, thresholds: {count}: one np.sort", limit, value)


def curve_start_rows(quick):
    with tempfile.TemporaryDirectory() as directory:
        seconds, _ = run_fresh(FIRST, FASTCOMPARE_CACHE_DIR=directory)
    yield Row("fresh process, average_precision of n = 1000, no cache", 4.0, seconds, "s")
    for name in () if quick else VALUES:
        code = f"from {__name__} import bytes_a_score as f; print(f({name!r}, {LARGE}))"
        value = float(run_fresh(code)[1])
        yield Row(f"peak memory beyond the input, {name}, n = 10^7", 13.0, value, "B/score")


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
