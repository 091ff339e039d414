"""asv: the public functions for probabilities, and reports of scores by round.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import fold_scores, forecasts
from ..timing import ratio

SECONDS = 0.5  # of a ratio
PEERS = {"kruskal-wallis": stats.kruskal, "anova": stats.f_oneway}


class Losses:
    """The unit is SciPy's paired t-test of the losses, and one NumPy pass over one model's."""

    params = (10**3, 10**6)
    param_names = ("n",)

    def setup(self, n):
        self.case = forecasts(n)
        self.time_scoring_test(n)
        self.time_brier_score(n)

    def time_scoring_test(self, n):
        fc.scoring_test(*self.case)

    def time_brier_score(self, n):
        fc.brier_score(*self.case[:2])

    def track_ratio_to_scipy(self, n):
        y, p, q = self.case
        losses = np.square(p - y), np.square(q - y)
        ours = partial(fc.scoring_test, *self.case)
        return ratio(ours, partial(stats.ttest_rel, *losses), seconds=SECONDS)

    def track_ratio_to_one_pass(self, n):
        y, p, _ = self.case
        ours = partial(fc.brier_score, y, p)
        return ratio(ours, lambda: ((p - y) ** 2).mean(), seconds=SECONDS)

    track_ratio_to_scipy.unit = track_ratio_to_one_pass.unit = "ratio"


class Calibration:
    """The units are one argsort of the probabilities, and one pass of np.log over them."""

    params = (10**3, 10**6)
    param_names = ("n",)

    def setup(self, n):
        self.case = forecasts(n)[:2]
        for call in (self.time_brier_decomposition, self.time_calibration_test, self.time_interval):
            call(n)

    def time_brier_decomposition(self, n):
        fc.brier_decomposition(*self.case)

    def time_calibration_test(self, n):
        fc.calibration_test(*self.case)

    def time_interval(self, n):
        fc.calibration_error(*self.case).confidence_interval()

    def time_pvalue(self, n):
        _ = fc.calibration_error(*self.case).pvalue

    def track_ratio_of_parts_to_argsort(self, n):
        ours = partial(fc.brier_decomposition, *self.case)
        return ratio(ours, partial(np.argsort, self.case[1]), seconds=SECONDS)

    def track_ratio_of_interval_to_argsort(self, n):
        ours = partial(self.time_interval, n)
        return ratio(ours, partial(np.argsort, self.case[1]), seconds=SECONDS)

    def track_ratio_of_recalibration_to_log(self, n):
        ours = partial(fc.calibration_test, *self.case)
        return ratio(ours, partial(np.log, self.case[1]), seconds=SECONDS)

    track_ratio_of_parts_to_argsort.unit = track_ratio_of_interval_to_argsort.unit = "ratio"
    track_ratio_of_recalibration_to_log.unit = "ratio"


class FlipsOfPairs:
    """All pairs of ten models; the unit is one pair."""

    def setup(self):
        y, p, _ = forecasts(1000)
        noise = 0.1 * np.random.default_rng(0).normal(size=(10, 1000))
        self.case = y, np.clip(p + noise, 0.0, 1.0).T
        self.options = {"method": "permutation", "rng": 0}
        self.time_scoring_pairwise_test()

    def time_scoring_pairwise_test(self):
        fc.scoring_pairwise_test(*self.case, **self.options)

    def track_ratio_to_one_pair(self):
        y, table = self.case
        one = partial(fc.scoring_test, y, table[:, 0], table[:, 1], **self.options)
        return ratio(self.time_scoring_pairwise_test, one, seconds=SECONDS)

    track_ratio_to_one_pair.unit = "ratio"


class Normality:
    """The unit is SciPy's Shapiro-Wilk test of all differences."""

    params = (100, 5000)
    param_names = ("rounds",)

    def setup(self, rounds):
        self.scores = fold_scores(rounds, k=5)
        self.time_normality_report(rounds)

    def time_normality_report(self, rounds):
        fc.normality_report(self.scores)

    def track_ratio_to_scipy(self, rounds):
        differences = [a - b for a, b in combinations(self.scores.T, 2)]
        ours = partial(fc.normality_report, self.scores)
        return ratio(ours, lambda: [*map(stats.shapiro, differences)], seconds=SECONDS)

    track_ratio_to_scipy.unit = "ratio"


class Unpaired:
    """The unit is SciPy's function."""

    params = (tuple(PEERS), (10, 1000))
    param_names = ("method", "rounds")

    def setup(self, method, rounds):
        self.columns = list(fold_scores(rounds, k=3).T.copy())
        self.time_folds_unpaired_test(method, rounds)

    def time_folds_unpaired_test(self, method, rounds):
        fc.folds_unpaired_test(self.columns, method=method)

    def track_ratio_to_scipy(self, method, rounds):
        ours = partial(fc.folds_unpaired_test, self.columns, method=method)
        return ratio(ours, partial(PEERS[method], *self.columns), seconds=SECONDS)

    track_ratio_to_scipy.unit = "ratio"


class Mauchly:
    """The unit is the covariance of the models."""

    params = (100, 10**5)
    param_names = ("rounds",)

    def setup(self, rounds):
        self.scores = fold_scores(rounds, k=10)
        self.time_mauchly_test(rounds)

    def time_mauchly_test(self, rounds):
        fc.mauchly_test(self.scores)

    def track_ratio_to_covariance(self, rounds):
        ours = partial(fc.mauchly_test, self.scores)
        return ratio(ours, partial(np.cov, self.scores.T), seconds=SECONDS)

    track_ratio_to_covariance.unit = "ratio"
