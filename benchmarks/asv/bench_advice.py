"""What it costs to be told: `recommend`, `compare` beside its tests, and `trust`."""

import numpy as np

import fastcompare as fc

from ..cases import advice_cases


class Compare:
    """`compare` of n cases or items, and the tests that it runs, called by themselves."""

    params, param_names = (["scores", "labels", "probabilities", "items"], [2, 5]), ("kind", "k")

    def setup(self, kind, k):
        self.compared, self.tested = advice_cases(kind, k)
        self.compared()
        self.tested()

    def time_compare(self, kind, k):
        self.compared()

    def time_its_tests(self, kind, k):
        self.tested()


class Recommend:
    """`recommend` by words and by data."""

    params, param_names = (["words", "data", "measure"],), ("by",)

    def setup(self, by):
        self.table = np.random.default_rng(0).normal(size=(1000, 3))
        self.time_recommend(by)

    def time_recommend(self, by):
        if by == "data":
            fc.recommend(self.table, kind="items")
        else:
            fc.recommend(kind="items", n_models=3, n=1000, measure=by == "measure", n_trials=100)


class Trust:
    """`trust` of n cases or items: thousands of simulated data sets."""

    params, param_names = (
        (["scores", "labels", "probabilities", "items"], [100, 1000]),
        ("kind", "n"),
    )
    number, timeout = 1, 120

    def setup(self, kind, n):
        self.result = advice_cases(kind, 2, n)[0]()

    def time_trust(self, kind, n):
        self.result.trust(n_trials=200, rng=0)
