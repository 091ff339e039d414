"""asv: strengths of models from battles of two, and chances of right answers among samples."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import battles
from ..timing import one_blas_thread, ratio


class BradleyTerry:
    """The unit is one count of the battles by pair and outcome in NumPy."""

    params = ([10**4, 10**6], ["plain", "clustered"])
    param_names = ("n", "errors")

    def setup(self, n, errors):
        self.case = battles(n, 200)
        self.groups = np.arange(n) % (n // 100) if errors == "clustered" else None
        self.time_bradley_terry(n, errors)

    def time_bradley_terry(self, n, errors):
        fc.bradley_terry(*self.case, groups=self.groups, on_undefined="ignore")

    def track_ratio_to_count(self, n, errors):
        cells = np.random.default_rng(0).integers(3 * 200 * 200, size=n)
        call = partial(self.time_bradley_terry, n, errors)
        with one_blas_thread():
            return ratio(call, partial(np.bincount, cells, minlength=3 * 200 * 200), seconds=0.5)

    track_ratio_to_count.unit = "ratio"


class PassAtK:
    """Items of 200 samples each."""

    params = (10**2, 10**5)
    param_names = ("n",)

    def setup(self, n):
        self.correct = np.random.default_rng(0).integers(201, size=n)

    def time_pass_at_k(self, n):
        fc.pass_at_k(200, self.correct, 10)

    def time_pass_all_k(self, n):
        fc.pass_all_k(200, self.correct, 10)


class MeanPower:
    """Plans of a difference of means."""

    def time_mean_power(self):
        fc.mean_power(difference=0.03, n=1000, variance=0.2)

    def time_mean_sample_size(self):
        fc.mean_sample_size(difference=0.03, power=0.8, variance=0.2)

    def time_mean_detectable_difference(self):
        fc.mean_detectable_difference(n=1000, variance=0.2)
