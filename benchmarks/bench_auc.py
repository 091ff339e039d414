"""asv: the public functions for AUCs, and the constants that `_compare.auc` chose by measuring.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

import numpy as np

import fastcompare as fc
from fastcompare._compare.auc import batch
from fastcompare._compare.auc.components import as_components
from fastcompare._compare.auc.product import moments_by_pairs, moments_by_product
from fastcompare._inputs import as_cases

from .baselines import argsorts
from .cases import KINDS, batch_cases, scored_cases
from .timing import ratio

SECONDS = 0.5  # of a ratio


class DeLongTest:
    params = ((100, 10**4, 10**5, 10**6), (1, 2))
    param_names = ("n", "n_jobs")

    def setup(self, n, n_jobs):
        self.labels, self.scores = scored_cases(n)
        self.time_delong_test(n, n_jobs)

    def time_delong_test(self, n, n_jobs):
        fc.delong_test(self.labels, *self.scores, n_jobs=n_jobs)

    def track_ratio_to_argsorts(self, n, n_jobs):
        return ratio(
            lambda: self.time_delong_test(n, n_jobs),
            lambda: argsorts(self.labels, *self.scores),
            seconds=SECONDS,
        )

    track_ratio_to_argsorts.unit = "ratio"


class Shapes:
    """Ties, order and origin of the scores."""

    params = ((10**5, 10**6), tuple(KINDS))
    param_names = ("n", "scores")

    def setup(self, n, kind):
        self.case, self.normal = scored_cases(n, kind), scored_cases(n)
        self.time_delong_test(n, kind)

    def time_delong_test(self, n, kind):
        labels, scores = self.case
        fc.delong_test(labels, *scores)

    def track_ratio_to_normal(self, n, kind):
        labels, scores = self.normal
        return ratio(
            lambda: self.time_delong_test(n, kind),
            lambda: fc.delong_test(labels, *scores),
            seconds=SECONDS,
        )

    track_ratio_to_normal.unit = "ratio"


class Memory:
    params = (1, 2)
    param_names = ("n_jobs",)

    def setup(self, n_jobs):
        self.labels, self.scores = scored_cases(10**6)
        fc.warmup()

    def peakmem_input_alone(self, n_jobs):
        """What the process takes anyway; the rest of the other number is the test's."""

    def peakmem_delong_test(self, n_jobs):
        fc.delong_test(self.labels, *self.scores, n_jobs=n_jobs)


class Covariance:
    params = ((2, 10, 100), (1, 2))
    param_names = ("k", "n_jobs")
    n = 10**5

    def setup(self, k, n_jobs):
        self.labels, self.scores = scored_cases(self.n, k=k)
        self.table = np.ascontiguousarray(self.scores.T)  # users have cases in rows
        self.time_delong_covariance(k, n_jobs)

    def time_delong_covariance(self, k, n_jobs):
        fc.delong_covariance(self.labels, self.table, n_jobs=n_jobs)

    def sorts_and_product(self):
        for row in self.scores:
            np.argsort(row)
        return self.scores @ self.scores.T

    def track_ratio_to_sorts_and_product(self, k, n_jobs):
        return ratio(
            lambda: self.time_delong_covariance(k, n_jobs), self.sorts_and_product, seconds=SECONDS
        )

    track_ratio_to_sorts_and_product.unit = "ratio"


class PairsOrProduct:
    """Where `product.DIRECT` comes from: a ratio below 1 speaks for sums of all pairs."""

    params = ((10**3, 10**5), (2, 4, 6, 8, 10, 12, 16))
    param_names = ("n", "k")

    def setup(self, n, k):
        labels, scores = scored_cases(n, k=k)
        self.components = as_components(as_cases(labels, table=scores.T))
        self.time_pairs(n, k)
        self.time_product(n, k)

    def time_pairs(self, n, k):
        moments_by_pairs(self.components)

    def time_product(self, n, k):
        moments_by_product(self.components)

    def track_ratio_of_pairs_to_product(self, n, k):
        return ratio(lambda: self.time_pairs(n, k), lambda: self.time_product(n, k), seconds=0.3)

    track_ratio_of_pairs_to_product.unit = "ratio"


class Batch:
    """Many small problems; the unit is two argsort calls a problem."""

    params = (((10_000, 50), (10_000, 200), (1000, 1000)), (1, 2))
    param_names = ("problems, n", "n_jobs")

    def setup(self, shape, n_jobs):
        self.labels, self.scores = batch_cases(*shape)
        self.time_delong_batch(shape, n_jobs)

    def time_delong_batch(self, shape, n_jobs):
        fc.delong_batch(self.labels, *self.scores, n_jobs=n_jobs)

    def argsorts(self):
        for a, b in zip(*self.scores, strict=True):
            np.argsort(a)
            np.argsort(b)

    def track_ratio_to_argsorts(self, shape, n_jobs):
        return ratio(lambda: self.time_delong_batch(shape, n_jobs), self.argsorts, seconds=SECONDS)

    track_ratio_to_argsorts.unit = "ratio"


class BatchBlocks:
    """Where `batch.BLOCK_CASES` comes from: cases of a block that one sort call takes."""

    params = (tuple(1 << exponent for exponent in (11, 13, 14, 15, 16, 17, 19, 21)), (1, 2))
    param_names = ("block_cases", "n_jobs")

    def setup(self, block_cases, n_jobs):
        self.labels, self.scores = batch_cases(10_000, 200)
        self.chosen = batch.BLOCK_CASES
        self.run(block_cases, n_jobs)

    def run(self, block_cases, n_jobs):
        batch.BLOCK_CASES = block_cases
        fc.delong_batch(self.labels, *self.scores, n_jobs=n_jobs)

    def teardown(self, block_cases, n_jobs):
        batch.BLOCK_CASES = self.chosen

    def time_delong_batch(self, block_cases, n_jobs):
        self.run(block_cases, n_jobs)

    def track_ratio_to_chosen(self, block_cases, n_jobs):
        return ratio(
            lambda: self.run(block_cases, n_jobs),
            lambda: self.run(self.chosen, n_jobs),
            seconds=SECONDS,
        )

    track_ratio_to_chosen.unit = "ratio"
