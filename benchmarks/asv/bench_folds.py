"""asv: the public tests of scores by round.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

from functools import partial

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import fold_scores
from ..timing import ratio

SECONDS = 0.5  # of a ratio
SIZES = {"n_train": 90, "n_test": 10}


class CorrectedT:
    """The unit is SciPy's paired t-test, which corrects nothing."""

    params = (10, 100, 10_000)
    param_names = ("rounds",)

    def setup(self, rounds):
        self.scores = fold_scores(rounds).T.copy()
        self.time_ttest_corrected(rounds)

    def time_ttest_corrected(self, rounds):
        fc.ttest_corrected(*self.scores, **SIZES)

    def track_ratio_to_scipy(self, rounds):
        ours = partial(fc.ttest_corrected, *self.scores, **SIZES)
        return ratio(ours, partial(stats.ttest_rel, *self.scores), seconds=SECONDS)

    track_ratio_to_scipy.unit = "ratio"


class FiveByTwo:
    def setup(self):
        self.pair = [column.reshape(5, 2).copy() for column in fold_scores(10).T]
        self.time_ttest_5x2cv()
        self.time_ftest_5x2cv()

    def time_ttest_5x2cv(self):
        fc.ttest_5x2cv(*self.pair)

    def time_ftest_5x2cv(self):
        fc.ftest_5x2cv(*self.pair)


class CorrectedBatch:
    """The unit is SciPy's paired t-test of all rows in one call."""

    params = (10**3, 10**5)
    param_names = ("comparisons",)

    def setup(self, comparisons):
        self.rows = np.random.default_rng(0).normal(size=(2, comparisons, 100))
        self.time_ttest_corrected_batch(comparisons)

    def time_ttest_corrected_batch(self, comparisons):
        fc.ttest_corrected_batch(*self.rows, **SIZES)

    def track_ratio_to_scipy(self, comparisons):
        ours = partial(fc.ttest_corrected_batch, *self.rows, **SIZES)
        return ratio(ours, partial(stats.ttest_rel, *self.rows, axis=1), seconds=SECONDS)

    track_ratio_to_scipy.unit = "ratio"


class CorrectedPairs:
    params = (5, 100)
    param_names = ("models",)

    def setup(self, models):
        self.scores = fold_scores(100, k=models)
        self.time_ttest_corrected_pairwise_test(models)

    def time_ttest_corrected_pairwise_test(self, models):
        fc.ttest_corrected_pairwise_test(self.scores, **SIZES)


class Anova:
    params = ((10, 100), (3, 5))
    param_names = ("rounds", "models")

    def setup(self, rounds, models):
        self.scores = fold_scores(rounds, k=models)
        self.time_rm_anova_test(rounds, models)
        self.time_mauchly_test(rounds, models)

    def time_rm_anova_test(self, rounds, models):
        fc.rm_anova_test(self.scores, **SIZES)

    def time_mauchly_test(self, rounds, models):
        fc.mauchly_test(self.scores)


class AnovaBatch:
    """The unit is NumPy's standard deviation of all columns."""

    params = (2, 5)
    param_names = ("models",)

    def setup(self, models):
        self.tables = np.random.default_rng(0).normal(size=(10**4, 100, models))
        self.time_rm_anova_batch(models)

    def time_rm_anova_batch(self, models):
        fc.rm_anova_batch(self.tables)

    def track_ratio_to_std(self, models):
        ours = partial(fc.rm_anova_batch, self.tables)
        return ratio(ours, partial(self.tables.std, axis=1), seconds=SECONDS)

    track_ratio_to_std.unit = "ratio"


class BayesSignedRank:
    """The unit is NumPy's draws of the weights, with which nothing is done."""

    params = (10, 100)
    param_names = ("data sets",)

    def setup(self, n):
        self.d = np.random.default_rng(0).normal(0.01, 0.03, size=n)
        self.time_bayes_signed_rank(n)

    def time_bayes_signed_rank(self, n):
        fc.bayes_signed_rank(self.d, rng=0)

    def track_ratio_to_draws(self, n):
        ours = partial(fc.bayes_signed_rank, self.d, rng=0)
        draws = partial(np.random.default_rng(0).dirichlet, np.ones(n + 1), size=50_000)
        return ratio(ours, draws, seconds=SECONDS)

    track_ratio_to_draws.unit = "ratio"
