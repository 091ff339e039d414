"""What tests of many data sets may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import data_set_scores
from ..timing import Row, interleaved, ratio

DRAWS = 10**5


def friedman_and_nemenyi(scores):
    """Test whether models differ, and which."""
    fc.friedman_test(scores)
    fc.nemenyi_test(scores)


def dataset_rows(quick):
    """Yield a row for each limit."""
    few = data_set_scores(30, 5)
    peer = partial(stats.friedmanchisquare, *few.T)
    value = ratio(partial(fc.friedman_test, few), peer)
    yield Row("friedman_test, k = 5, N = 30: SciPy's", 0.3, value)

    many = data_set_scores(10_000, 100)
    call, base = partial(friedman_and_nemenyi, many), partial(stats.rankdata, many, axis=1)
    value = ratio(call, base, seconds=2.0)
    yield Row("friedman_test, nemenyi_test, k = 100, N = 10,000: rankdata", 0.5, value)

    draws = partial(fc.friedman_test, data_set_scores(30, 10), method="permutation", rng=0)
    value = float(np.median(interleaved([partial(draws, n_resamples=DRAWS)])))
    yield Row("friedman_test, 10^5 permutations, k = 10, N = 30", 0.3, value, "s")
