"""Cases in chunks: what they cost beside the test in memory."""

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..timing import ratio

CHUNK = 1 << 16


class Chunks:
    """DeLong's test of chunks; the unit is the test of the same cases in memory."""

    params = ((10**4, 10**6), ("float64", "float32"))
    param_names = ("n", "dtype")

    def setup(self, n, dtype):
        labels, scores = scored_cases(n)
        self.columns = labels, *scores.astype(dtype)
        places = range(CHUNK, n, CHUNK)
        self.chunks = list(zip(*(np.split(c, places) for c in self.columns), strict=True))
        self.time_delong_test(n, dtype)

    def time_delong_test(self, n, dtype):
        fc.delong_test(self.chunks)

    def time_delong_covariance(self, n, dtype):
        fc.delong_covariance(self.chunks)

    def time_bootstrap_auc_test(self, n, dtype):
        fc.bootstrap_auc_test(self.chunks, method="poisson", n_resamples=64, rng=0)

    def track_ratio_of_bootstraps_to_memory(self, n, dtype):
        return ratio(lambda: self.time_bootstrap_auc_test(n, dtype), self.bootstrap_in_memory)

    def bootstrap_in_memory(self):
        fc.bootstrap_auc_test(*self.columns, n_resamples=64, rng=0)

    track_ratio_of_bootstraps_to_memory.unit = "ratio"

    def track_ratio_to_memory(self, n, dtype):
        return ratio(lambda: self.time_delong_test(n, dtype), self.in_memory)

    def in_memory(self):
        fc.delong_test(*self.columns)

    track_ratio_to_memory.unit = "ratio"
