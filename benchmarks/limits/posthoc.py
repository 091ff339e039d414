"""What tests of pairs of models on many data sets may take, for `benchmarks.limits`."""

from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

import fastcompare as fc
from fastcompare._inference.step_down import log_range_tail, range_tail

from ..timing import Row, interleaved, ratio, ratio_row

PARTITIONS = {9: 0.05, 12: 5.0}  # models: the limit in seconds


def posthoc_rows(quick):
    """Yield rows for the tails of Nemenyi's test, and for Bergmann and Hommel."""
    yield ratio_row("studentized range, 4,950 tails: an integral for each", 0.2, range_tails)
    for k, limit in PARTITIONS.items():
        name = f"adjust_pvalues, bergmann-hommel of {k} models"
        yield Row(name, limit, partial(adjustment_seconds, k), "s")
    name = "wilcoxon_pairwise_test, k = 100, N = 1,000: SciPy's of each pair"
    yield Row(name, 0.05, wilcoxon_pairs)


def range_tails():
    """Return all tails together, and one by one."""
    q = fc.nemenyi_test(np.random.default_rng(0).normal(size=(10_000, 100))).statistic
    return partial(range_tail, q, 100), partial(log_range_tail, q, 100)


def adjustment_seconds(k):
    """Return the seconds that the p-values of all pairs of k models take."""
    p = np.random.default_rng(k).uniform(size=k * (k - 1) // 2) ** 3
    return np.median(interleaved([partial(fc.adjust_pvalues, p, method="bergmann-hommel")]))


def wilcoxon_pairs():
    """Return what all pairs take, in units of SciPy's test of each."""
    table = np.random.default_rng(0).normal(size=(1000, 100))
    some = list(combinations(table.T, 2))[::50]

    def by_scipy():
        for pair in some:
            stats.wilcoxon(*pair)

    return ratio(partial(fc.wilcoxon_pairwise_test, table), by_scipy) / (4950 / len(some))
