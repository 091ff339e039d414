"""What memory DeLong's test may take, for `benchmarks.limits`."""

import sys
from pathlib import Path

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..timing import Row, run_fresh

LARGE = 10**7


def memory_rows(quick):
    for jobs in () if quick else (1, 2):
        code = f"from {__name__} import bytes_a_case as f; print(f({LARGE}, {jobs}))"
        value = float(run_fresh(code)[1])
        yield Row(f"peak memory beyond the input, n = 10^7, n_jobs = {jobs}", 32.0, value, "B/case")


def bytes_a_case(n, jobs):
    """Return the bytes a case that the test takes at its peak; for a process of its own.

    The high-water mark never falls, so everything before stays below the input: kernels compiled
    on a small problem, scores written in place.
    """
    small, few = scored_cases(1 << 18)
    fc.delong_test(small, *few, n_jobs=jobs)
    labels = (np.arange(n) % 10 < 3).astype(np.int64)
    scores = np.random.default_rng(0).standard_normal((2, n))
    before = memory("VmRSS")
    fc.delong_test(labels, *scores, n_jobs=jobs)
    return (memory("VmHWM") - before) / n


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
