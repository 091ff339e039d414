"""asv: mean scores per item. A ``track_…`` method is a ratio within one run."""

from functools import partial

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import item_scores
from ..timing import ratio

METHODS = ("t", "sign-flip", "bootstrap")


class PairedMeans:
    """The unit is SciPy's paired t-test, which knows no clusters."""

    params = ((10**3, 10**5), METHODS)
    param_names = ("n", "method")

    def setup(self, n, method):
        self.case = item_scores(n)
        self.options = {"method": method, "n_resamples": 999, "rng": 0}
        self.time_paired_mean_test(n, method)

    def time_paired_mean_test(self, n, method):
        a, b, groups = self.case
        fc.paired_mean_test(a, b, groups=groups, **self.options)

    def track_ratio_to_scipy(self, n, method):
        a, b, groups = self.case
        ours = partial(fc.paired_mean_test, a, b, groups=groups, **self.options)
        return ratio(ours, partial(stats.ttest_rel, a, b), seconds=0.5)

    track_ratio_to_scipy.unit = "ratio"


class Means:
    """One model's mean, with clusters and weights, and of several samples an item."""

    params = (10**3, 10**5)
    param_names = ("n",)

    def setup(self, n):
        self.scores, _, self.groups = item_scores(n)
        self.weights = np.random.default_rng(1).uniform(1, 2, n)
        self.samples = np.random.default_rng(2).random((n, 5))
        for call in (self.time_mean_interval, self.time_weighted, self.time_samples):
            call(n)

    def time_mean_interval(self, n):
        fc.mean_interval(self.scores, groups=self.groups)

    def time_weighted(self, n):
        fc.mean_interval(self.scores, groups=self.groups, sample_weight=self.weights)

    def time_samples(self, n):
        fc.mean_interval(self.samples, groups=self.groups)
