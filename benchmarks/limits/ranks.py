"""What rank tests and corrections may take, for `benchmarks.limits`."""

from functools import partial
from itertools import combinations

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import data_set_scores
from ..timing import Row, interleaved, one_blas_thread, ratio, run_fresh
from .memory import LARGE, memory


def correction_rows(quick):
    """Yield a row for each correction of many p-values; Rom's critical values are kept by then."""
    p = np.random.default_rng(0).random(10**5) ** 2
    for method in ("bh", "holm", "bonferroni"):
        value = ratio(partial(fc.adjust_pvalues, p, method=method), partial(np.argsort, p))
        yield Row(f"adjust_pvalues, {method}, m = 10^5: argsort", 3.0, value)
    for method, limit in (("hommel", 2.0), ("rom", 30.0)):
        times = interleaved([partial(fc.adjust_pvalues, p[:2000], method=method)])
        value = 1e3 * float(np.median(times))
        yield Row(f"adjust_pvalues, {method}, m = 2,000", limit, value, "ms")


def signed_rank_rows(quick):
    """Yield rows for tests of two models' scores."""
    a, b = np.random.default_rng(0).normal(size=(2, 10**6))
    value = ratio(partial(fc.sign_test, a, b), lambda: (a > b).sum())
    yield Row("sign_test, n = 10^6: (a > b).sum()", 6.0, value)
    for called, x, y in (("", a, b), (", rounded scores", a.round(2), b.round(2))):
        value = ratio(partial(fc.wilcoxon_test, x, y), partial(np.argsort, a), seconds=2.0)
        yield Row(f"wilcoxon_test, n = 10^6{called}: argsort", 3.0, value)
    if not quick:
        code = f"from {__name__} import bytes_a_score as f; print(f({LARGE}))"
        value = float(run_fresh(code)[1])
        yield Row("wilcoxon_test, peak memory beyond the input, n = 10^7", 16.0, value, "B/score")

    table = np.random.default_rng(0).random((10**5, 8)).round(3)
    pairs = list(combinations(table.T, 2))

    def sort_each():
        for x, y in pairs:
            np.argsort(x - y)

    value = ratio(partial(fc.wilcoxon_pairwise_test, table), sort_each, seconds=2.0)
    yield Row("wilcoxon_pairwise_test, 10^5 rounded × 8: argsorts of the pairs", 2.0, value)


def bytes_a_score(n):
    """Return the bytes a score that Wilcoxon's test takes at its peak; for a process of its own."""
    rng = np.random.default_rng(0)
    fc.wilcoxon_test(*rng.standard_normal((2, 1000)))
    fc.wilcoxon_test(*rng.standard_normal((2, 1000)).round(1))
    scores = rng.standard_normal((2, n))
    before = memory("VmRSS")
    fc.wilcoxon_test(*scores)
    return (memory("VmHWM") - before) / (2 * n)


def balanced(n, k, s):
    """Return scores of n data sets, a multiple of k, that have s of k models in turn."""
    scores = data_set_scores(n, k)
    missing = (np.arange(k) - np.arange(n)[:, None]) % k >= s
    scores[missing] = np.nan
    return scores


def partial_rows(quick):
    """Yield rows for tests of tables that miss scores, and for Nemenyi's of a small table."""
    many = data_set_scores(10_000, 100)
    gaps = many.copy()
    gaps[np.random.default_rng(0).random(many.shape) < 0.2] = np.nan
    small = balanced(12, 4, 3)
    for test, large in ((fc.skillings_mack_test, gaps), (fc.durbin_test, many)):
        with one_blas_thread():
            value = ratio(partial(test, large), partial(stats.rankdata, many, axis=1), seconds=2.0)
        yield Row(f"{test.__name__}, N = 10,000, k = 100: rankdata", 1.0, value)
        value = ratio(partial(test, small), partial(stats.rankdata, small, axis=1))
        yield Row(f"{test.__name__}, N = 12, k = 4: rankdata", 1.5, value)

    try:
        from scikit_posthocs import posthoc_nemenyi_friedman
    except ImportError:
        return
    few = data_set_scores(30, 5)
    value = ratio(partial(fc.nemenyi_test, few), partial(posthoc_nemenyi_friedman, few))
    yield Row("nemenyi_test, k = 5, N = 30: scikit-posthocs", 0.5, value)
