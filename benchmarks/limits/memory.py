"""What memory DeLong's test and a bootstrap may take, for `benchmarks.limits`."""

import sys
from functools import partial
from pathlib import Path

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..timing import Row, fresh_value

LARGE = 10**7
MOST = {  # bytes a score beyond the input, by n_jobs and the type of the scores
    (1, "float64"): 8.5,
    (1, "float32"): 8.5,
    (2, "float64"): 16.0,
}
BOOTSTRAP = 30.0  # bytes a score; the weights of 64 replicates alone are 32 of two models


def memory_rows(quick):
    if quick:
        return
    for (jobs, dtype), limit in MOST.items():
        name = f"peak memory beyond {dtype} input, n = 10^7, n_jobs = {jobs}"
        yield Row(name, limit, partial(fresh_value, bytes_a_score, LARGE, jobs, dtype), "B/score")
    name = "peak memory beyond the input, bootstrap_auc_test, n = 10^7"
    yield Row(name, BOOTSTRAP, partial(fresh_value, bootstrap_bytes, LARGE), "B/score")


def bootstrap_bytes(n):
    """Return the bytes a score that a block of replicates takes; for a process of its own."""
    return peak_bytes(partial(fc.bootstrap_auc_test, n_resamples=64, rng=0), n, "float64")


def bytes_a_score(n, jobs, dtype="float64"):
    """Return the bytes a score that DeLong's test takes; for a process of its own."""
    return peak_bytes(partial(fc.delong_test, n_jobs=jobs), n, dtype)


def peak_bytes(test, n, dtype):
    """Return the bytes a score that a test takes at its peak.

    The high-water mark never falls, so everything before stays below the input: kernels compiled
    on a small problem, scores written in place.
    """
    small, few = scored_cases(1 << 18)
    test(small, *few.astype(dtype))
    labels = (np.arange(n) % 10 < 3).astype(np.int64)
    scores = np.random.default_rng(0).standard_normal((2, n), dtype=dtype)
    before = memory("VmRSS")
    test(labels, *scores)
    return (memory("VmHWM") - before) / scores.size


def memory(field):
    """Return this process's memory now (VmRSS) or at most so far (VmHWM), in bytes."""
    status = Path("/proc/self/status")
    if not status.exists():
        return largest_memory()
    lines = dict(line.split(":", 1) for line in status.read_text().splitlines())
    return 1024 * int(lines[field].split()[0])


def largest_memory():
    """Return the largest memory so far where there is no /proc, in bytes; 0 on Windows."""
    try:
        import resource
    except ImportError:
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
