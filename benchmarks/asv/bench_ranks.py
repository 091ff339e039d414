"""asv: rank tests of two models, and corrections of p-values."""

import numpy as np

import fastcompare as fc


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
