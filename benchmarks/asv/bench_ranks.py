"""asv: rank tests of two models or of tables that miss scores, and corrections of p-values."""

import numpy as np

import fastcompare as fc

from ..cases import data_set_scores
from ..limits.ranks import balanced


class Corrections:
    params = (("bonferroni", "holm", "bh", "hommel", "rom"), (45, 2000, 100_000))
    param_names = ("method", "m")

    def setup(self, method, m):
        if method == "rom" and m > 2000:
            raise NotImplementedError  # critical values of so many take seconds, once
        self.p = np.random.default_rng(0).random(m) ** 2
        fc.adjust_pvalues(self.p, method=method)

    def time_adjust_pvalues(self, method, m):
        fc.adjust_pvalues(self.p, method=method)


class TwoColumns:
    params = (("wilcoxon_test", "sign_test"), (100, 10_000, 1_000_000), (None, 2))
    param_names = ("test", "n", "decimals")

    def setup(self, test, n, decimals):
        columns = np.random.default_rng(0).normal(size=(2, n))
        self.columns = columns if decimals is None else columns.round(decimals)
        self.test = getattr(fc, test)
        self.test(*self.columns)

    def time_test(self, test, n, decimals):
        self.test(*self.columns)

    def peakmem_test(self, test, n, decimals):
        self.test(*self.columns)

    def time_test_and_summary(self, test, n, decimals):
        self.test(*self.columns).summary()


class Incomplete:
    params = (("skillings_mack_test", "durbin_test"), ((12, 4), (10_000, 100)))
    param_names = ("test", "shape")

    def setup(self, test, shape):
        n, k = shape
        self.scores = balanced(n, k, k - 1)
        self.test = getattr(fc, test)
        self.test(self.scores)

    def time_test(self, test, shape):
        self.test(self.scores)


class Nemenyi:
    def setup(self):
        self.scores = data_set_scores(30, 5)
        fc.nemenyi_test(self.scores)

    def time_nemenyi_test(self):
        fc.nemenyi_test(self.scores)

    def time_critical_difference(self):
        fc.critical_difference(5, 30)
