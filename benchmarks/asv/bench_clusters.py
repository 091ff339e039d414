"""asv: tests of clustered cases.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import answer_table
from ..timing import ratio

SECONDS = 0.5  # of a ratio


class ManyModels:
    """The unit is the same test of independent cases; 20 models on 10^4 cases in 500 clusters."""

    params = ("cochran_q_test", "mcnemar_pairwise_test")
    param_names = ("test",)

    def setup(self, test):
        self.case = answer_table(10**4, 20)
        self.groups = np.random.default_rng(0).integers(0, 500, 10**4)
        self.time_test(test)

    def time_test(self, test):
        getattr(fc, test)(*self.case, groups=self.groups)

    def track_ratio_to_independent_cases(self, test):
        plain = partial(getattr(fc, test), *self.case)
        return ratio(partial(self.time_test, test), plain, seconds=SECONDS)

    track_ratio_to_independent_cases.unit = "ratio"


class Losses:
    """The unit is the same test of independent cases; 10^4 cases in 500 clusters."""

    params = (("t", "permutation"), (2, 10))
    param_names = ("method", "k")

    def setup(self, method, k):
        rng = np.random.default_rng(0)
        self.labels = rng.integers(0, 2, 10**4)
        self.table = rng.uniform(size=(10**4, k))
        self.groups = rng.integers(0, 500, 10**4)
        self.time_test(method, k)

    def time_test(self, method, k):
        self.tested(method, groups=self.groups)

    def tested(self, method, **options):
        if self.table.shape[1] == 2:
            return fc.scoring_test(self.labels, *self.table.T, method=method, **options)
        return fc.scoring_pairwise_test(self.labels, self.table, method=method, **options)

    def track_ratio_to_independent_cases(self, method, k):
        call = partial(self.time_test, method, k)
        return ratio(call, partial(self.tested, method), seconds=SECONDS)

    track_ratio_to_independent_cases.unit = "ratio"


class DeLongOmnibus:
    """The unit is the same test of independent cases; 5 models on 10^4 cases in 500 clusters."""

    def setup(self):
        rng = np.random.default_rng(0)
        self.case = rng.integers(0, 2, 10**4), rng.normal(size=(10**4, 5))
        self.groups = rng.integers(0, 500, 10**4)
        self.time_delong_omnibus_test()

    def time_delong_omnibus_test(self):
        fc.delong_omnibus_test(*self.case, groups=self.groups)

    def track_ratio_to_independent_cases(self):
        plain = partial(fc.delong_omnibus_test, *self.case)
        return ratio(self.time_delong_omnibus_test, plain, seconds=SECONDS)

    track_ratio_to_independent_cases.unit = "ratio"


class Permutations:
    """The unit is the same test of independent cases; 10^4 cases in 500 clusters, drawn."""

    params = ("permutation_auc_test", "permutation_metric_test")
    param_names = ("test",)

    def setup(self, test):
        rng = np.random.default_rng(0)
        labels, scores = rng.integers(0, 2, 10**4), rng.normal(size=(2, 10**4))
        self.case = labels, *(scores if test == "permutation_auc_test" else (scores > 0) * 1)
        self.groups = rng.integers(0, 500, 10**4)
        self.time_test(test)

    def time_test(self, test):
        getattr(fc, test)(*self.case, groups=self.groups, keep=True, rng=0)

    def track_ratio_to_independent_cases(self, test):
        plain = partial(getattr(fc, test), *self.case, keep=True, rng=0)
        return ratio(partial(self.time_test, test), plain, seconds=SECONDS)

    track_ratio_to_independent_cases.unit = "ratio"


class MulticlassAUC:
    """The unit is the same test of independent cases; 4 classes, 10^4 cases in 500 clusters."""

    def setup(self):
        rng = np.random.default_rng(0)
        self.case = rng.integers(0, 4, 10**4), *rng.normal(size=(2, 10**4, 4))
        self.groups = rng.integers(0, 500, 10**4)
        self.time_multiclass_auc_test()

    def time_multiclass_auc_test(self):
        fc.multiclass_auc_test(*self.case, groups=self.groups)

    def track_ratio_to_independent_cases(self):
        plain = partial(fc.multiclass_auc_test, *self.case)
        return ratio(self.time_multiclass_auc_test, plain, seconds=SECONDS)

    track_ratio_to_independent_cases.unit = "ratio"
