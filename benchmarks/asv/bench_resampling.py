"""asv: tests that draw replicates or exchange ranks, and DeLong's test beyond single cases.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import scored_cases
from ..contenders.bootstraps import REPLICATES, bootstrap, index_draws
from ..timing import ratio

SECONDS = 0.5  # of a ratio
METHODS = ("percentile", "basic", "bca", "normal", "studentized")
CURVE_TESTS = {
    "partial_auc_test": {},
    "sensitivity_at_specificity_test": {"specificity": 0.9},
    "specificity_at_sensitivity_test": {"sensitivity": 0.9},
    "average_precision_test": {},
}


class BootstrapTest:
    params = (tuple(REPLICATES), METHODS)
    param_names = ("n", "method")

    def setup(self, n, method):
        labels, scores = scored_cases(n)
        self.draws = partial(index_draws, labels, *scores, REPLICATES[n])
        self.call = partial(bootstrap, labels, *scores, REPLICATES[n], method=method)
        self.call()

    def time_bootstrap_auc_test(self, n, method):
        self.call()

    def track_ratio_to_index_draws(self, n, method):
        return ratio(self.call, self.draws, seconds=SECONDS)

    track_ratio_to_index_draws.unit = "ratio"


class BootstrapLarge:
    """Few replicates of 10^6 cases: sorting them counts, and weights that fill the memory."""

    def setup(self):
        labels, scores = scored_cases(10**6)
        self.case = labels, *scores, 128
        bootstrap(*self.case)

    def time_bootstrap_auc_test(self):
        bootstrap(*self.case)

    def track_ratio_to_index_draws(self):
        return ratio(lambda: bootstrap(*self.case), lambda: index_draws(*self.case), rounds=3)

    track_ratio_to_index_draws.unit = "ratio"


class BootstrapUnits:
    """What a replicate draws from: each class, all cases, or clusters of ten; on some threads."""

    params = (("stratified", "all cases", "clusters"), (1, 2))
    param_names = ("units", "n_jobs")
    n = 10**4

    def setup(self, units, n_jobs):
        labels, scores = scored_cases(self.n)
        options = {
            "stratified": {},
            "all cases": {"stratified": False},
            "clusters": {"groups": np.arange(self.n) // 10},
        }
        count = REPLICATES[self.n]
        self.call = partial(bootstrap, labels, *scores, count, n_jobs=n_jobs, **options[units])
        self.call()

    def time_bootstrap_auc_test(self, units, n_jobs):
        self.call()


class BootstrapMany:
    """All models together; the unit is the same number of tests of two models, one by one."""

    params = (10**3, 10**4)
    param_names = ("n",)
    k = 10

    def setup(self, n):
        self.labels, self.scores = scored_cases(n, k=self.k)
        self.table = np.ascontiguousarray(self.scores.T)
        self.time_bootstrap_auc(n)

    def time_bootstrap_auc(self, n):
        fc.bootstrap_auc(self.labels, self.table, n_resamples=REPLICATES[n], rng=0)

    def pairs(self, n):
        for i in range(self.k):
            for j in range(i):
                bootstrap(self.labels, self.scores[i], self.scores[j], REPLICATES[n])

    def track_ratio_to_pairs(self, n):
        return ratio(
            lambda: self.time_bootstrap_auc(n), lambda: self.pairs(n), seconds=SECONDS, rounds=3
        )

    track_ratio_to_pairs.unit = "ratio"


class BootstrapMemory:
    params = (1, 2)
    param_names = ("n_jobs",)

    def setup(self, n_jobs):
        self.labels, self.scores = scored_cases(10**5)
        bootstrap(self.labels[:1000], *self.scores[:, :1000], 64, n_jobs=n_jobs)

    def peakmem_input_alone(self, n_jobs):
        """What the process takes anyway; the rest of the other number is the bootstrap's."""

    def peakmem_bootstrap_auc_test(self, n_jobs):
        bootstrap(self.labels, *self.scores, 1000, n_jobs=n_jobs)


class Permutation:
    params = ((20, 200, 1000), ("auc", "studentized", "venkatraman"), ("exact", "Monte Carlo"))
    param_names = ("n", "method", "count")

    def setup(self, n, method, count):
        if method != "auc" and count == "exact" and n > 20:
            raise NotImplementedError  # asv's way to skip
        labels, scores = scored_cases(n)
        options = {"method": method, "exact": count == "exact", "n_resamples": 1999, "rng": 0}
        self.call = partial(fc.permutation_auc_test, labels, *scores, **options)
        self.call()

    def time_permutation_auc_test(self, n, method, count):
        self.call()


class CurveDistance:
    """Venkatraman's permutation test of whole curves; the unit is that of the AUCs."""

    params = (10**3, 10**4)
    param_names = ("n",)

    def setup(self, n):
        labels, scores = scored_cases(n)
        options = {"n_resamples": 999, "exact": False, "rng": 0}
        self.auc, self.call = (
            partial(fc.permutation_auc_test, labels, *scores, method=method, **options)
            for method in ("auc", "venkatraman")
        )
        self.call()

    def time_permutation_auc_test(self, n):
        self.call()

    def track_ratio_to_auc(self, n):
        return ratio(self.call, self.auc, seconds=SECONDS)

    track_ratio_to_auc.unit = "ratio"


class Curves:
    """Statistics of the curves; the unit is a bootstrap of the AUCs."""

    params = ((10**3, 10**4), tuple(CURVE_TESTS))
    param_names = ("n", "test")

    def setup(self, n, test):
        labels, scores = scored_cases(n)
        self.auc = partial(bootstrap, labels, *scores, REPLICATES[n])
        options = {"n_resamples": REPLICATES[n], "rng": 0, **CURVE_TESTS[test]}
        self.call = partial(getattr(fc, test), labels, *scores, **options)
        self.call()

    def time_test(self, n, test):
        self.call()

    def track_ratio_to_auc(self, n, test):
        return ratio(self.call, self.auc, seconds=SECONDS)

    track_ratio_to_auc.unit = "ratio"


class Band:
    params = (10**3, 10**4)
    param_names = ("n",)

    def setup(self, n):
        self.labels, (self.scores,) = scored_cases(n, k=1)
        self.time_roc_curve_band(n)

    def time_roc_curve_band(self, n):
        fc.roc_curve_band(self.labels, self.scores, n_resamples=REPLICATES[n], rng=0)


class Multiclass:
    params = ((3, 10), ("hand-till", "ovr"), ("delong", "bootstrap"))
    param_names = ("classes", "average", "method")
    n = 10**4

    def setup(self, classes, average, method):
        rng = np.random.default_rng(0)
        labels = np.arange(self.n) % classes
        weights = np.exp(rng.standard_normal((self.n, classes)) + np.eye(classes)[labels])
        scores = weights / weights.sum(axis=1, keepdims=True)
        options = {"average": average, "method": method, "n_resamples": 999, "rng": 0}
        self.call = partial(fc.multiclass_auc, labels, scores, **options)
        self.call()

    def time_multiclass_auc(self, classes, average, method):
        self.call()


class Designs:
    """`delong_test` for cases that count differently; the unit is the test of plain ones."""

    params = ((10**4, 10**6), ("sample_weight", "frequency_weight", "groups"))
    param_names = ("n", "option")

    def setup(self, n, option):
        rng = np.random.default_rng(0)
        values = {
            "sample_weight": rng.uniform(0.5, 2.0, n),
            "frequency_weight": rng.integers(0, 4, n),
            "groups": np.arange(n) // 10,
        }
        labels, scores = scored_cases(n)
        self.plain = partial(fc.delong_test, labels, *scores)
        self.call = partial(self.plain, **{option: values[option]})
        self.call()

    def time_delong_test(self, n, option):
        self.call()

    def peakmem_delong_test(self, n, option):
        self.call()

    def track_ratio_to_plain(self, n, option):
        return ratio(self.call, self.plain, seconds=SECONDS)

    track_ratio_to_plain.unit = "ratio"
