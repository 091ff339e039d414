"""What tests of scores per item may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import item_scores
from ..timing import Row, interleaved, ratio


def item_mean_rows(quick):
    """Yield rows for the paired test of mean scores."""
    a, b, groups = item_scores(1000)
    call = partial(fc.paired_mean_test, a, b, groups=groups)
    value = 1e6 * float(np.median(interleaved([call])))
    yield Row("paired_mean_test, n = 1,000 in 100 clusters", 60.0, value, "µs")
    value = ratio(call, partial(stats.ttest_rel, a, b))
    yield Row("paired_mean_test, n = 1,000 in 100 clusters: SciPy's paired t", 0.5, value)
    a, b, groups = item_scores(10**6)
    call = partial(fc.paired_mean_test, a, b, groups=groups)
    value = ratio(call, partial(stats.ttest_rel, a, b), seconds=2.0)
    yield Row("paired_mean_test, n = 10^6 in 10^5 clusters: SciPy's paired t", 5.0, value)


def ratio_rows(quick):
    """Yield rows for ratios of sums over items."""
    a, b, groups = item_scores(10**5)
    y = 10.0 + groups % 7
    call = partial(fc.ratio_test, a, y, b, groups=groups)
    value = ratio(call, partial(fc.paired_mean_test, a, b, groups=groups, sample_weight=y))
    yield Row("ratio_test, n = 10^5 in 10^4 clusters: paired_mean_test with weights", 4.0, value)
    table = {str(k): a + 0.1 * k * b for k in range(10)}
    call = partial(fc.ratio_pairwise_test, table, y, groups=groups)
    value = ratio(call, partial(fc.mean_pairwise_test, table, groups=groups, sample_weight=y))
    yield Row("ratio_pairwise_test, 10 models: mean_pairwise_test with weights", 6.0, value)
