"""What tests of pairs of models on many data sets may take, for `benchmarks.limits`."""

from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

import fastcompare as fc
from fastcompare._inference.step_down import log_range_tail, range_tail

from ..timing import Row, interleaved, ratio

PARTITIONS = {9: 0.05, 12: 5.0}  # models: the limit in seconds


def posthoc_rows(quick):
    """Yield rows for the tails of Nemenyi's test, and for Bergmann and Hommel."""
    scores = np.random.default_rng(0).normal(size=(10_000, 100))
    q = fc.nemenyi_test(scores).statistic
    value = ratio(partial(range_tail, q, 100), partial(log_range_tail, q, 100))
    yield Row("studentized range, 4,950 tails: an integral for each", 0.2, value)

    for k, limit in PARTITIONS.items():
        p = np.random.default_rng(k).uniform(size=k * (k - 1) // 2) ** 3
        times = interleaved([partial(fc.adjust_pvalues, p, method="bergmann-hommel")])
        name = f"adjust_pvalues, bergmann-hommel of {k} models"
        yield Row(name, limit, float(np.median(times)), "s")

    table = np.random.default_rng(0).normal(size=(1000, 100))
    some = list(combinations(table.T, 2))[::50]

    def by_scipy():
        for pair in some:
            stats.wilcoxon(*pair)

    value = ratio(partial(fc.wilcoxon_pairwise_test, table), by_scipy) / (4950 / len(some))
    yield Row("wilcoxon_pairwise_test, k = 100, N = 1,000: SciPy's of each pair", 0.05, value)
