"""What types of scores, ties and threads within a model may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc
from fastcompare.kernels.sorting.native import SLOW

from ..cases import probabilities, scored_cases
from ..timing import control_row, power, ratio_row, ratios, rows_together

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
        rows = {
            f"delong_test, n = {power(n)}, {kind}: float64": limit
            for kind, (_, limit) in LIMITS.items()
        }
        yield from rows_together(rows, partial(type_times, n))


def type_times(n):
    """Return what the test of each type takes, in units of continuous doubles."""
    labels, scores = scored_cases(n)
    base = partial(fc.delong_test, labels, *scores)
    calls = [partial(fc.delong_test, labels, *map(kind, scores)) for kind, _ in LIMITS.values()]
    return ratios(calls, base, seconds=4.0)


def covariance(labels, *rows, n_jobs):
    """Return the covariance of models."""
    table = {str(k): row for k, row in enumerate(rows)}
    return fc.delong_covariance(labels, table, n_jobs=n_jobs)


SHARED = {  # by name a function of labels and three models' scores, and how many models it takes
    "roc_auc_interval": (fc.roc_auc_interval, 1),
    "delong_test": (fc.delong_test, 2),
    "delong_covariance, k = 3": (covariance, 3),
}


def shared_rows(quick):
    """Yield rows for a second thread by the number of models, and for more threads than cores."""
    n = SIZES[1 if quick else 2]
    for name in SHARED:
        title = f"two threads share models, {name}, n = {power(n)}: one thread"
        yield ratio_row(title, TWO_THREADS, partial(by_threads, name, n, 2, 1), seconds=4.0)
        yield control_row()
    for n_jobs in (4, 8, 16):
        calls = partial(by_threads, "delong_test", n, n_jobs, 2)
        title = f"delong_test, n = {power(n)}, n_jobs = {n_jobs}: 2"
        yield ratio_row(title, 1.05, calls, seconds=4.0)


def by_threads(name, n, *threads):
    """Return a call for each number of threads."""
    call, models = SHARED[name]
    labels, scores = scored_cases(n, k=3)
    return [partial(call, labels, *scores[:models], n_jobs=number) for number in threads]
