"""What strengths from battles may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import battles
from ..timing import Row, interleaved, one_blas_thread


def battle_rows(quick):
    n = 10**5 if quick else 10**6
    for title, is_clustered in (("", False), (", clusters of 100", True)):
        name = f"bradley_terry, 200 models{title}: 10^6 battles"
        yield Row(name, 0.5, partial(million_battles, n, is_clustered), "s")


def million_battles(n, is_clustered):
    """Return the seconds of a million battles, from those of n."""
    judges = np.random.default_rng(0).integers(n // 100, size=n)
    call = partial(fc.bradley_terry, *battles(n, 200), groups=judges if is_clustered else None)
    with one_blas_thread():
        return np.median(interleaved([call], rounds=3)) * 10**6 / n
