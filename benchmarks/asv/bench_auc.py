"""asv: the public functions for AUCs, and the constants that `_compare.auc` chose by measuring.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

import numpy as np

import fastcompare as fc
from fastcompare._compare.auc.components import as_components, moments_by_pairs, moments_by_product
from fastcompare._inputs.scores import as_cases

from ..cases import KINDS, scored_cases
from ..contenders.baselines import argsorts
from ..limits.curves import VALUES
from ..timing import ratio

SECONDS = 0.5  # of a ratio


class DeLongTest:
    params = ((100, 1000, 10**4, 10**5, 10**6), (1, 2))
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


class Control:
    """Tests against one model: what drawing from the joint distribution adds."""

    params = (3, 10, 50)
    param_names = ("models",)

    def setup(self, models):
        rng = np.random.default_rng(0)
        self.labels = np.arange(2000) % 2
        self.scores = rng.normal(size=(2000, models)) + 0.1 * self.labels[:, None]
        self.time_delong_control_test(models)

    def time_delong_control_test(self, models):
        fc.delong_control_test(self.labels, self.scores, 0)

    def track_ratio_to_holm(self, models):
        return ratio(
            lambda: self.time_delong_control_test(models),
            lambda: fc.delong_control_test(self.labels, self.scores, 0, correction="holm"),
            seconds=SECONDS,
        )

    track_ratio_to_holm.unit = "ratio"


class OneValue:
    params = (100, 1000, 10**6)
    param_names = ("n",)

    def setup(self, n):
        self.labels, (self.scores, _) = scored_cases(n)
        self.time_roc_auc(n)

    def time_roc_auc(self, n):
        fc.roc_auc(self.labels, self.scores)

    def track_ratio_to_argsort(self, n):
        return ratio(lambda: self.time_roc_auc(n), lambda: np.argsort(self.scores), seconds=SECONDS)

    track_ratio_to_argsort.unit = "ratio"


class OneAUC:
    params = ((100, 10**4, 10**6), ("score", "asymptotic", "exact"))
    param_names = ("n", "method")

    def setup(self, n, method):
        if method == "exact" and n > 100:
            raise NotImplementedError
        self.labels, (self.scores, _) = scored_cases(n)
        self.time_roc_auc_test(n, method)

    def time_roc_auc_test(self, n, method):
        fc.roc_auc_test(self.labels, self.scores, method=method)

    def time_roc_auc_interval(self, n, method):
        fc.roc_auc_interval(self.labels, self.scores).confidence_interval()


class Curves:
    """Measures of one model's curve; the unit is one argsort of its scores."""

    params = ((1000, 10**6), tuple(VALUES))
    param_names = ("n", "measure")

    def setup(self, n, measure):
        self.labels, (self.scores, _) = scored_cases(n)
        self.time_value(n, measure)

    def time_value(self, n, measure):
        getattr(fc, measure)(self.labels, self.scores, **VALUES[measure])

    def peakmem_value(self, n, measure):
        self.time_value(n, measure)

    def track_ratio_to_argsort(self, n, measure):
        return ratio(
            lambda: self.time_value(n, measure),
            lambda: np.argsort(self.scores),
            seconds=SECONDS,
        )

    track_ratio_to_argsort.unit = "ratio"


class Shapes:
    """Ties, order and origin of the scores."""

    params = ((10**5, 10**6), tuple(kind for kind in KINDS if kind != "normal"))
    param_names = ("n", "scores")

    def setup(self, n, kind):
        self.labels, self.scores = scored_cases(n, kind)
        self.normal_labels, self.normal = scored_cases(n)

    def track_ratio_to_normal(self, n, kind):
        return ratio(
            lambda: fc.delong_test(self.labels, *self.scores),
            lambda: fc.delong_test(self.normal_labels, *self.normal),
            seconds=SECONDS,
        )

    track_ratio_to_normal.unit = "ratio"


class Memory:
    params = ((1, 2), ("float64", "float32"))
    param_names = ("n_jobs", "scores")

    def setup(self, n_jobs, dtype):
        self.labels, scores = scored_cases(10**6)
        self.scores = scores.astype(dtype)
        fc.warmup()

    def peakmem_input_alone(self, n_jobs, dtype):
        """What the process takes anyway; the rest of the other number is the test's."""

    def peakmem_delong_test(self, n_jobs, dtype):
        fc.delong_test(self.labels, *self.scores, n_jobs=n_jobs)


class Covariance:
    params = ((10, 100), (1, 2))
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
            lambda: self.time_delong_covariance(k, n_jobs),
            self.sorts_and_product,
            seconds=SECONDS,
            rounds=3,
        )

    track_ratio_to_sorts_and_product.unit = "ratio"


class AllPairs:
    """Tests of all pairs of many models on one table of scores."""

    params = (20, 200)
    param_names = ("models",)

    def setup(self, models):
        rng = np.random.default_rng(0)
        self.labels = np.arange(10**4) % 2
        self.scores = rng.normal(size=(10**4, models)) + 0.1 * self.labels[:, None]
        self.time_delong_pairwise_test(models)

    def time_delong_pairwise_test(self, models):
        fc.delong_pairwise_test(self.labels, self.scores)

    def peakmem_delong_pairwise_test(self, models):
        fc.delong_pairwise_test(self.labels, self.scores)


class Weights:
    """Weighted cases beside plain ones, of two models and of ten."""

    params = ((10**3, 10**5), (2, 10), ("sample_weight", "frequency_weight"))
    param_names = ("n", "k", "kind")

    def setup(self, n, k, kind):
        self.labels, scores = scored_cases(n, k=k)
        self.table = np.ascontiguousarray(scores.T)
        self.weights = {kind: np.random.default_rng(0).integers(1, 5, n).astype(float)}
        self.time_delong_covariance(n, k, kind)

    def time_delong_covariance(self, n, k, kind):
        fc.delong_covariance(self.labels, self.table, **self.weights)

    def time_delong_test(self, n, k, kind):
        fc.delong_test(self.labels, *self.table.T[:2], **self.weights)

    def track_ratio_to_plain_cases(self, n, k, kind):
        return ratio(
            lambda: self.time_delong_covariance(n, k, kind),
            lambda: fc.delong_covariance(self.labels, self.table),
            seconds=SECONDS,
            rounds=3,
        )

    track_ratio_to_plain_cases.unit = "ratio"


class Clusters:
    """Cases in clusters of ten, by CR2 and by Obuchowski's variance, beside independent ones."""

    params = ((10**3, 10**5), ("t", "normal"))
    param_names = ("n", "reference")

    def setup(self, n, reference):
        self.labels, self.scores = scored_cases(n)
        self.groups = np.arange(n) // 10
        self.time_delong_test(n, reference)

    def time_delong_test(self, n, reference):
        fc.delong_test(
            self.labels,
            *self.scores,
            groups=self.groups,
            reference=reference,
            on_undefined="ignore",
        )

    def track_ratio_to_independent_cases(self, n, reference):
        return ratio(
            lambda: self.time_delong_test(n, reference),
            lambda: fc.delong_test(self.labels, *self.scores),
            seconds=SECONDS,
            rounds=3,
        )

    track_ratio_to_independent_cases.unit = "ratio"


class PairsDirectly:
    """Where `product.DIRECT` comes from: exact sums of all pairs may cost no more than the sorts.

    The matrix product would take less for four models already, but it rounds.
    """

    params = ((10**3, 10**5), (2, 4, 6, 8, 10, 12, 16))
    param_names = ("n", "k")

    def setup(self, n, k):
        labels, scores = scored_cases(n, k=k)
        self.cases = as_cases(labels, table=scores.T)
        self.components = as_components(self.cases)

    def pairs(self):
        moments_by_pairs(self.components)

    def track_ratio_to_sorting(self, n, k):
        return ratio(self.pairs, lambda: as_components(self.cases), seconds=SECONDS)

    def track_ratio_to_product(self, n, k):
        return ratio(self.pairs, lambda: moments_by_product(self.components), seconds=SECONDS)

    track_ratio_to_sorting.unit = track_ratio_to_product.unit = "ratio"
