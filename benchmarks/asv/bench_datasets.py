"""asv: tests of many data sets.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

from functools import partial

import numpy as np
from scipy import stats

import fastcompare as fc
from fastcompare._compare.datasets.ranks import as_ranks

from ..cases import data_set_scores
from ..limits.datasets import DRAWS, friedman_and_nemenyi
from ..timing import ratio

SECONDS = 0.5  # of a ratio


class Friedman:
    """The unit is SciPy's test, which makes no ranks of several data sets at once."""

    params = ((3, 5, 20), (10, 30, 300))
    param_names = ("k", "n")

    def setup(self, k, n):
        self.scores = data_set_scores(n, k)
        self.time_friedman_test(k, n)

    def time_friedman_test(self, k, n):
        fc.friedman_test(self.scores)

    def track_ratio_to_scipy(self, k, n):
        peer = partial(stats.friedmanchisquare, *self.scores.T)
        return ratio(partial(fc.friedman_test, self.scores), peer, seconds=SECONDS)

    track_ratio_to_scipy.unit = "ratio"


class Ranks:
    """The unit is scipy.stats.rankdata; models are counted up to 250 and sorted beyond."""

    params = (5, 20, 100, 250, 260, 500, 1000)
    param_names = ("k",)

    def setup(self, k):
        self.scores = data_set_scores(200_000 // k, k)
        self.time_as_ranks(k)

    def time_as_ranks(self, k):
        as_ranks(self.scores, True)

    def track_ratio_to_scipy(self, k):
        call, peer = partial(as_ranks, self.scores, True), partial(stats.rankdata, axis=1)
        return ratio(call, partial(peer, self.scores), seconds=SECONDS)

    track_ratio_to_scipy.unit = "ratio"


class Many:
    """100 models on 10,000 data sets."""

    def setup(self):
        self.scores = data_set_scores(10_000, 100)
        friedman_and_nemenyi(self.scores)

    def track_ratio_to_ranks(self):
        call = partial(friedman_and_nemenyi, self.scores)
        return ratio(call, partial(stats.rankdata, self.scores, axis=1), seconds=SECONDS)

    track_ratio_to_ranks.unit = "ratio"


class Permutations:
    """The unit is drawing the permutations by NumPy, without adding any rank."""

    params = ((10, 40), (1, 2))
    param_names = ("k", "n_jobs")
    n, share = 30, 100  # NumPy draws a hundredth of them

    def setup(self, k, n_jobs):
        self.scores = data_set_scores(self.n, k)
        self.time_friedman_test(k, n_jobs)

    def time_friedman_test(self, k, n_jobs):
        fc.friedman_test(self.scores, method="permutation", n_resamples=DRAWS, rng=0, n_jobs=n_jobs)

    def track_ratio_to_numpy(self, k, n_jobs):
        rng = np.random.default_rng(0)
        rows = np.broadcast_to(np.arange(k), (DRAWS // self.share, self.n, k))
        call = partial(self.time_friedman_test, k, n_jobs)
        return ratio(call, partial(rng.permuted, rows, axis=2), seconds=SECONDS) / self.share

    track_ratio_to_numpy.unit = "ratio"


class Exact:
    """All permutations, of tables near what is refused."""

    params = (((3, 100), (4, 25), (5, 10), (6, 5)),)
    param_names = ("table",)

    def setup(self, table):
        k, n = table
        self.scores = data_set_scores(n, k)

    def time_friedman_test(self, table):
        fc.friedman_test(self.scores, method="exact")


class Weighted:
    """Tests of commensurable scores, and of scores that are missing."""

    params = ("quade_test", "friedman_aligned_ranks_test", "skillings_mack_test")
    param_names = ("test",)

    def setup(self, test):
        self.scores = data_set_scores(1000, 20)
        if test == "skillings_mack_test":
            self.scores[np.arange(1000), np.arange(1000) % 20] = np.nan
        self.time_test(test)

    def time_test(self, test):
        getattr(fc, test)(self.scores)
