"""asv: tests of clustered cases.

A ``track_…`` method is a ratio within one run, so it can be compared between machines.
"""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import answer_table
from ..timing import ratio

SECONDS = 0.5  # of a ratio


class ManyModels:
    """The unit is the same test of independent cases; 20 models on 10^4 cases in 500 clusters."""

    params = ("cochran_q_test", "mcnemar_pairwise_test")
    param_names = ("test",)

    def setup(self, test):
        self.case = answer_table(10**4, 20)
        self.groups = np.random.default_rng(0).integers(0, 500, 10**4)
        self.time_test(test)

    def time_test(self, test):
        getattr(fc, test)(*self.case, groups=self.groups)

    def track_ratio_to_independent_cases(self, test):
        plain = partial(getattr(fc, test), *self.case)
        return ratio(partial(self.time_test, test), plain, seconds=SECONDS)

    track_ratio_to_independent_cases.unit = "ratio"
