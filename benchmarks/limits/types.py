"""What types of scores, ties and threads within a model may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc
from fastcompare.kernels.sorting.native import SLOW

from ..cases import probabilities, scored_cases
from ..timing import Row, control_row, power, ratio, ratios

SIZES = (10**5, 10**6, 10**7)
LIMITS = {  # in units of continuous doubles; without fast sorts of 64 bits, single precision gains
    "float32": (np.float32, 0.9 if SLOW else 1.05),
    "float32 probabilities": (lambda x: probabilities(x).astype(np.float32), 1.05),
    "float16": (np.float16, 0.5),
    "7 decimals": (partial(np.round, decimals=7), 1.15),
    "5 decimals": (partial(np.round, decimals=5), 1.15),
    "2 decimals": (partial(np.round, decimals=2), 1.0),
    "whole numbers": (lambda x: np.rint(1000.0 * x).astype(np.int32), 1.0),
}
TWO_THREADS = 0.6  # of one


def type_rows(quick):
    """Yield a row for each type of scores, in units of continuous doubles in the same run."""
    for n in SIZES[:2] if quick else SIZES:
        labels, scores = scored_cases(n)
        base = partial(fc.delong_test, labels, *scores)
        calls = [partial(fc.delong_test, labels, *map(kind, scores)) for kind, _ in LIMITS.values()]
        measured = ratios(calls, base, seconds=4.0)
        for (kind, (_, limit)), value in zip(LIMITS.items(), measured, strict=True):
            yield Row(f"delong_test, n = {power(n)}, {kind}: float64", limit, value)


def shared_rows(quick):
    """Yield rows for a second thread by the number of models, and for more threads than cores."""
    n = SIZES[1 if quick else 2]
    labels, scores = scored_cases(n, k=3)
    table = {str(k): each for k, each in enumerate(scores)}
    calls = {
        "roc_auc_interval": partial(fc.roc_auc_interval, labels, scores[0]),
        "delong_test": partial(fc.delong_test, labels, *scores[:2]),
        "delong_covariance, k = 3": partial(fc.delong_covariance, labels, table),
    }
    for name, call in calls.items():
        value = ratio(partial(call, n_jobs=2), partial(call, n_jobs=1), seconds=4.0)
        yield Row(f"two threads, {name}, n = {power(n)}: one thread", TWO_THREADS, value)
        yield control_row()
    call = calls["delong_test"]
    for n_jobs in (4, 8, 16):
        value = ratio(partial(call, n_jobs=n_jobs), partial(call, n_jobs=2), seconds=4.0)
        yield Row(f"delong_test, n = {power(n)}, n_jobs = {n_jobs}: 2", 1.05, value)
