"""What tests of many data sets may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import data_set_scores
from ..timing import Row, interleaved, ratio_row

DRAWS = 10**5


def friedman_and_nemenyi(scores):
    """Test whether models differ, and which."""
    fc.friedman_test(scores)
    fc.nemenyi_test(scores)


def dataset_rows(quick):
    """Yield a row for each limit."""
    yield ratio_row("friedman_test, k = 5, N = 30: SciPy's", 0.3, few_data_sets)
    name = "friedman_test, nemenyi_test, k = 100, N = 10,000: rankdata"
    yield ratio_row(name, 0.5, many_data_sets, seconds=2.0)
    yield Row("friedman_test, 10^5 permutations, k = 10, N = 30", 0.3, permutation_seconds, "s")


def few_data_sets():
    """Return the test, and SciPy's."""
    few = data_set_scores(30, 5)
    return partial(fc.friedman_test, few), partial(stats.friedmanchisquare, *few.T)


def many_data_sets():
    """Return both tests, and the ranks alone."""
    many = data_set_scores(10_000, 100)
    return partial(friedman_and_nemenyi, many), partial(stats.rankdata, many, axis=1)


def permutation_seconds():
    """Return the seconds of a test by permutations."""
    table = data_set_scores(30, 10)
    call = partial(fc.friedman_test, table, method="permutation", rng=0, n_resamples=DRAWS)
    return np.median(interleaved([call]))
