"""asv: the public functions for labels and probabilities.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

from functools import partial

import numpy as np

import fastcompare as fc
from fastcompare._compare.labels.mcnemar_pairwise import joint_counts

from ..cases import (
    answer_table,
    correct_table,
    counts_in_numpy,
    forecasts,
    predicted_classes,
    predicted_labels,
    words_of,
)
from ..timing import one_blas_thread, ratio

SECONDS = 0.5  # of a ratio


class McNemar:
    """The unit is one pass over the labels of one model."""

    params = (10**3, 10**6)
    param_names = ("n",)

    def setup(self, n):
        self.case = predicted_labels(n)
        self.time_mcnemar_test(n)

    def time_mcnemar_test(self, n):
        fc.mcnemar_test(*self.case)

    def track_ratio_to_one_pass(self, n):
        y, a, _ = self.case
        return ratio(partial(fc.mcnemar_test, *self.case), lambda: (y == a).sum(), seconds=SECONDS)

    track_ratio_to_one_pass.unit = "ratio"

    def track_ratio_to_counts(self, n):
        call = partial(fc.mcnemar_test, *self.case)
        return ratio(call, partial(counts_in_numpy, *self.case), seconds=SECONDS)

    track_ratio_to_counts.unit = "ratio"


class McNemarOfWords:
    """The unit is numbering the words of the three columns by pandas."""

    def setup(self):
        self.case = words_of(predicted_labels(10**6))
        self.time_mcnemar_test()

    def time_mcnemar_test(self):
        fc.mcnemar_test(*self.case)

    def track_ratio_to_factorize(self):
        from pandas import factorize

        call = partial(fc.mcnemar_test, *self.case)
        return ratio(call, lambda: [*map(factorize, self.case)], seconds=SECONDS)

    track_ratio_to_factorize.unit = "ratio"


class McNemarOfGroups:
    """The unit is one bincount of the groups."""

    params = (10**4, 10**5)
    param_names = ("groups",)

    def setup(self, groups):
        self.case = predicted_labels(10**6)
        self.groups = np.random.default_rng(0).integers(0, groups, 10**6)
        self.time_mcnemar_test(groups)

    def time_mcnemar_test(self, groups):
        fc.mcnemar_test(*self.case, groups=self.groups)

    def track_ratio_to_bincount(self, groups):
        call = partial(self.time_mcnemar_test, groups)
        return ratio(call, partial(np.bincount, self.groups), seconds=SECONDS)

    track_ratio_to_bincount.unit = "ratio"


class ManyModels:
    """The unit is statsmodels' Cochran's Q of 20 models on 500 cases."""

    params = ("cochran_q_test", "agreement_matrix", "mcnemar_pairwise_test")
    param_names = ("test",)

    def setup(self, test):
        self.case = answer_table(500, 20)
        self.time_test(test)

    def time_test(self, test):
        getattr(fc, test)(*self.case)

    def track_ratio_to_statsmodels(self, test):
        from statsmodels.stats.contingency_tables import cochrans_q

        y, predictions = self.case
        right = (predictions == y[:, None]).astype(np.int64)
        return ratio(partial(self.time_test, test), partial(cochrans_q, right), seconds=SECONDS)

    track_ratio_to_statsmodels.unit = "ratio"


class Kappa:
    """The unit is counting how often the two models give every two answers, by one bincount."""

    params = (10**3, 10**6)
    param_names = ("n",)

    def setup(self, n):
        self.case = predicted_classes(n, 5)
        self.time_cohen_kappa(n)

    def time_cohen_kappa(self, n):
        fc.cohen_kappa(*self.case, on="labels")

    def track_ratio_to_bincount(self, n):
        _, a, b = self.case
        call = partial(self.time_cohen_kappa, n)
        return ratio(call, lambda: np.bincount(5 * a + b), seconds=SECONDS)

    track_ratio_to_bincount.unit = "ratio"


class KappaDifference:
    """The unit is one pass over the labels of one model."""

    params = (10**3, 10**6)
    param_names = ("n",)

    def setup(self, n):
        self.case = predicted_labels(n)
        self.time_cohen_kappa_test(n)

    def time_cohen_kappa_test(self, n):
        fc.cohen_kappa_test(*self.case)

    def track_ratio_to_one_pass(self, n):
        y, a, _ = self.case
        call = partial(fc.cohen_kappa_test, *self.case)
        return ratio(call, lambda: (y == a).sum(), seconds=SECONDS)

    track_ratio_to_one_pass.unit = "ratio"


class McNemarOfCounts:
    params = ("exact", "midp", "asymptotic")
    param_names = ("method",)

    def time_mcnemar_test(self, method):
        fc.mcnemar_test([[340, 14], [6, 40]], method=method)


class JointTables:
    """The unit is the float32 matrix product that gives n11 alone, on one thread too."""

    params = ((100, 1000), (5_000, 50_000))
    param_names = ("k", "n")

    def setup(self, k, n):
        self.correct = correct_table(k, n)
        self.time_joint_counts(k, n)

    def time_joint_counts(self, k, n):
        joint_counts(self.correct)

    def track_ratio_to_product(self, k, n):
        floats = self.correct.astype(np.float32)
        call = partial(joint_counts, self.correct)
        with one_blas_thread():
            return ratio(call, lambda: floats @ floats.T, seconds=SECONDS, rounds=3)

    track_ratio_to_product.unit = "ratio"


class Scoring:
    params = (("t", "wilcoxon", "permutation", "bootstrap"), (1, 2))
    param_names = ("method", "n_jobs")
    n, resamples = 10_000, 9_999

    def setup(self, method, n_jobs):
        self.case = forecasts(self.n)
        self.time_scoring_test(method, n_jobs)

    def time_scoring_test(self, method, n_jobs):
        options = {"n_resamples": self.resamples, "rng": 0, "n_jobs": n_jobs}
        fc.scoring_test(*self.case, method=method, **options)


class SignFlips:
    """The unit is drawing as many random bits as bytes, and doing nothing with them."""

    def setup(self):
        self.case = forecasts(Scoring.n)
        self.shape = (Scoring.resamples, Scoring.n)

    def track_ratio_to_random_bytes(self):
        test = partial(fc.scoring_test, *self.case, method="permutation", rng=0)
        rng = np.random.default_rng(0)
        draw = partial(rng.integers, 0, 2, size=self.shape, dtype=np.uint8)
        return ratio(test, draw, seconds=SECONDS, rounds=3)

    track_ratio_to_random_bytes.unit = "ratio"


class CalibrationError:
    """The unit is one argsort of the probabilities."""

    params = ((10**3, 10**6), ("inversion", "basic"))
    param_names = ("n", "method")

    def setup(self, n, method):
        if n > 10**3 and method == "basic":
            raise NotImplementedError  # seconds
        self.case = forecasts(n)[:2]
        self.time_calibration_error(n, method)

    def time_calibration_error(self, n, method):
        fc.calibration_error(*self.case, method=method, rng=0)

    def track_ratio_to_argsort(self, n, method):
        call = partial(self.time_calibration_error, n, method)
        return ratio(call, partial(np.argsort, self.case[1]), seconds=SECONDS)

    track_ratio_to_argsort.unit = "ratio"


class NetBenefit:
    """The unit is one sort of the probabilities."""

    params = (10**3, 10**6)
    param_names = ("n",)

    def setup(self, n):
        self.case = forecasts(n)

    def time_net_benefit_test(self, n):
        fc.net_benefit_test(*self.case)

    def time_scoring_interval(self, n):
        fc.scoring_interval(*self.case[:2]).confidence_interval()

    def track_ratio_to_sort(self, n):
        test = partial(fc.net_benefit_test, *self.case)
        return ratio(test, partial(np.sort, self.case[1]), seconds=SECONDS)

    track_ratio_to_sort.unit = "ratio"


class NetBenefitCurve:
    """One model's net benefit at one threshold and at 99; the unit is one np.sort of its scores."""

    params = ((10**4, 10**6), (1, 99))
    param_names = ("n", "thresholds")

    def setup(self, n, thresholds):
        labels, self.p = forecasts(n)[:2]
        self.case = labels, self.p, np.linspace(0.0, 1.0, thresholds + 2)[1:-1]

    def time_net_benefit(self, n, thresholds):
        fc.net_benefit(*self.case)

    def track_ratio_to_sort(self, n, thresholds):
        return ratio(partial(fc.net_benefit, *self.case), partial(np.sort, self.p), seconds=SECONDS)

    track_ratio_to_sort.unit = "ratio"


class Wilcoxon:
    """The unit is one argsort of the differences."""

    params = (10**3, 10**5)
    param_names = ("n",)

    def setup(self, n):
        self.pair = np.random.default_rng(0).standard_normal((2, n))
        self.time_wilcoxon_test(n)

    def time_wilcoxon_test(self, n):
        fc.wilcoxon_test(*self.pair)

    def track_ratio_to_argsort(self, n):
        a, b = self.pair
        apart = np.abs(a - b)
        call = partial(fc.wilcoxon_test, a, b)
        return ratio(call, partial(np.argsort, apart), seconds=SECONDS)

    track_ratio_to_argsort.unit = "ratio"


class WilcoxonPairs:
    """Ten models on n rows; of rounded scores each size's own rounding decides what ties."""

    params = ((10**3, 10**5), ("continuous", "three digits"))
    param_names = ("n", "scores")

    def setup(self, n, scores):
        drawn = np.random.default_rng(0).random((n, 10))
        self.scores = drawn.round(3) if scores == "three digits" else drawn
        self.time_wilcoxon_pairwise_test(n, scores)

    def time_wilcoxon_pairwise_test(self, n, scores):
        fc.wilcoxon_pairwise_test(self.scores)
