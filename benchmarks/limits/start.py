"""What users may wait for before the first result, for `benchmarks.limits`."""

import tempfile
from functools import partial

import numpy as np

from ..timing import Row, fresh_seconds, import_ratio, run_fresh

FIRST = {  # calls of 1,000 cases in a process without compiled kernels: seconds to its end
    "fc.delong_test(labels, *scores)": 3.0,
    "fc.bootstrap_auc_test(labels, *scores, rng=0)": 4.0,
    "fc.average_precision(labels, scores[0])": 4.0,
    "fc.warmup()": 20.0,
}


def start_rows(quick):
    yield Row("import fastcompare: import numpy", 1.5, import_ratio)
    yield Row("warm process with one delong_test: with import numpy", 3.0, warm_ratio)
    for call, limit in FIRST.items():
        name = f"fresh process without a cache, {call}"
        yield Row(name, limit, partial(median_cold_seconds, call, 1 if quick else 3), "s")


def median_cold_seconds(call, rounds):
    """Return the median of so many fresh processes."""
    return np.median([cold_seconds(call) for _ in range(rounds)])


def cold_seconds(call):
    """Return how long a process takes that compiles all that this call needs."""
    with tempfile.TemporaryDirectory() as directory:
        return fresh_seconds(directory, call)


def warm_ratio(rounds=9):
    """Return the median ratio of a process that compares 1,000 cases to one that imports NumPy."""
    with tempfile.TemporaryDirectory() as directory:
        fresh_seconds(directory)
        pairs = [(fresh_seconds(directory), run_fresh("import numpy")[0]) for _ in range(rounds)]
    return float(np.median([ours / numpys for ours, numpys in pairs]))
