"""What strengths from battles may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import battles
from ..timing import Row, interleaved, one_blas_thread


def battle_rows(quick):
    n = 10**5 if quick else 10**6
    case = battles(n, 200)
    judges = np.random.default_rng(0).integers(n // 100, size=n)
    for title, options in (("", {}), (", clusters of 100", {"groups": judges})):
        with one_blas_thread():
            times = interleaved([partial(fc.bradley_terry, *case, **options)], rounds=3)
        value = float(np.median(times)) * 10**6 / n
        yield Row(f"bradley_terry, 200 models{title}: 10^6 battles", 0.5, value, "s")
