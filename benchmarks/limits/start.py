"""What users may wait for before the first result, for `benchmarks.limits`."""

import tempfile
from pathlib import Path

import numpy as np

from ..timing import Row, fresh_seconds, import_ratio


def start_rows(quick):
    yield Row("import fastcompare: import numpy", 1.5, import_ratio())
    with tempfile.TemporaryDirectory() as directory:
        caches = [Path(directory, str(run)) for run in range(1 if quick else 3)]
        cold = [fresh_seconds(cache) for cache in caches]
        warm = [fresh_seconds(caches[0]) for _ in range(5)]
    yield Row("fresh process compares n = 1000, warm cache", 1.0, float(np.median(warm)), "s")
    yield Row("fresh process compares n = 1000, no cache", 8.0, float(np.median(cold)), "s")
