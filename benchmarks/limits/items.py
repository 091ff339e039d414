"""What tests of scores per item may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import item_scores
from ..timing import Row, interleaved, ratio_row


def item_mean_rows(quick):
    """Yield rows for the paired test of mean scores."""
    yield Row("paired_mean_test, n = 1,000 in 100 clusters", 60.0, microseconds, "µs")
    name = "paired_mean_test, n = 1,000 in 100 clusters: SciPy's paired t"
    yield ratio_row(name, 0.5, partial(mean_tests, 1000))
    name = "paired_mean_test, n = 10^6 in 10^5 clusters: SciPy's paired t"
    yield ratio_row(name, 5.0, partial(mean_tests, 10**6), seconds=2.0)


def mean_tests(n):
    """Return the test of items in clusters of ten, and SciPy's of independent ones."""
    a, b, groups = item_scores(n)
    return partial(fc.paired_mean_test, a, b, groups=groups), partial(stats.ttest_rel, a, b)


def microseconds():
    """Return the microseconds of the test of a thousand items."""
    return 1e6 * np.median(interleaved(mean_tests(1000)[:1]))


def ratio_rows(quick):
    """Yield rows for ratios of sums over items."""
    name = "ratio_test, n = 10^5 in 10^4 clusters: paired_mean_test with weights"
    yield ratio_row(name, 4.0, ratio_and_mean)
    name = "ratio_pairwise_test, 10 models: mean_pairwise_test with weights"
    yield ratio_row(name, 6.0, ratios_and_means)


def ratio_and_mean():
    """Return the test of two ratios, and of two means."""
    a, b, groups = item_scores(10**5)
    y = 10.0 + groups % 7
    means = partial(fc.paired_mean_test, a, b, groups=groups, sample_weight=y)
    return partial(fc.ratio_test, a, y, b, groups=groups), means


def ratios_and_means():
    """Return the tests of all pairs of ten ratios, and of ten means."""
    a, b, groups = item_scores(10**5)
    y = 10.0 + groups % 7
    table = {str(k): a + 0.1 * k * b for k in range(10)}
    means = partial(fc.mean_pairwise_test, table, groups=groups, sample_weight=y)
    return partial(fc.ratio_pairwise_test, table, y, groups=groups), means
