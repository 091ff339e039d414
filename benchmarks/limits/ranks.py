"""What rank tests and corrections may take, for `benchmarks.limits`."""

from functools import partial
from importlib.util import find_spec
from itertools import combinations

import numpy as np
from scipy import stats

import fastcompare as fc

from ..cases import data_set_scores
from ..timing import Row, fresh_value, interleaved, one_blas_thread, ratio, ratio_row
from .memory import LARGE, memory


def correction_rows(quick):
    """Yield a row for each correction of many p-values; Rom's critical values are kept by then."""
    for method in ("bh", "holm", "bonferroni"):
        name = f"adjust_pvalues, {method}, m = 10^5: argsort"
        yield ratio_row(name, 3.0, partial(adjustment_and_sort, method))
    for method, limit in (("hommel", 2.0), ("rom", 30.0)):
        name = f"adjust_pvalues, {method}, m = 2,000"
        yield Row(name, limit, partial(adjustment_milliseconds, method), "ms")


def pvalues(m):
    """Return so many p-values, small ones more often."""
    return np.random.default_rng(0).random(m) ** 2


def adjustment_and_sort(method):
    """Return a correction of many p-values, and their sort."""
    p = pvalues(10**5)
    return partial(fc.adjust_pvalues, p, method=method), partial(np.argsort, p)


def adjustment_milliseconds(method):
    """Return the milliseconds of a correction."""
    return 1e3 * np.median(interleaved([partial(fc.adjust_pvalues, pvalues(2000), method=method)]))


def signed_rank_rows(quick):
    """Yield rows for tests of two models' scores."""
    yield ratio_row("sign_test, n = 10^6: (a > b).sum()", 6.0, signs_and_count)
    for title, decimals in (("", None), (", rounded scores", 2)):
        name = f"wilcoxon_test, n = 10^6{title}: argsort"
        yield ratio_row(name, 3.0, partial(ranks_and_sort, decimals), seconds=2.0)
    if not quick:
        name = "wilcoxon_test, peak memory beyond the input, n = 10^7"
        yield Row(name, 16.0, partial(fresh_value, bytes_a_score, LARGE), "B/score")
    name = "wilcoxon_pairwise_test, 10^5 rounded × 8: argsorts of the pairs"
    yield ratio_row(name, 2.0, pairs_and_sorts, seconds=2.0)


def two_models():
    """Return the scores of two models."""
    return np.random.default_rng(0).normal(size=(2, 10**6))


def signs_and_count():
    """Return the sign test, and NumPy's count."""
    a, b = two_models()
    return partial(fc.sign_test, a, b), lambda: (a > b).sum()


def ranks_and_sort(decimals):
    """Return Wilcoxon's test of scores with so many decimals, and a sort of all of them."""
    a, b = two_models()
    rounded = (a, b) if decimals is None else (a.round(decimals), b.round(decimals))
    return partial(fc.wilcoxon_test, *rounded), partial(np.argsort, a)


def pairs_and_sorts():
    """Return Wilcoxon's tests of all pairs, and the sort of each pair's differences."""
    table = np.random.default_rng(0).random((10**5, 8)).round(3)
    pairs = list(combinations(table.T, 2))

    def sort_each():
        for x, y in pairs:
            np.argsort(x - y)

    return partial(fc.wilcoxon_pairwise_test, table), sort_each


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
    for test in (fc.skillings_mack_test, fc.durbin_test):
        name = f"{test.__name__}, N = 10,000, k = 100: rankdata"
        yield Row(name, 1.0, partial(test_and_ranks, test))
        name = f"{test.__name__}, N = 12, k = 4: rankdata"
        yield ratio_row(name, 1.5, partial(small_test_and_ranks, test))
    if find_spec("scikit_posthocs"):
        yield ratio_row("nemenyi_test, k = 5, N = 30: scikit-posthocs", 0.5, both_nemenyis)


def test_and_ranks(test):
    """Return what a test of many data sets takes, in units of SciPy's ranks of all scores."""
    many = data_set_scores(10_000, 100)
    table = many.copy()
    if test is fc.skillings_mack_test:
        table[np.random.default_rng(0).random(many.shape) < 0.2] = np.nan
    with one_blas_thread():
        return ratio(partial(test, table), partial(stats.rankdata, many, axis=1), seconds=2.0)


def small_test_and_ranks(test):
    """Return a test of few data sets, and SciPy's ranks."""
    small = balanced(12, 4, 3)
    return partial(test, small), partial(stats.rankdata, small, axis=1)


def both_nemenyis():
    """Return the test, and that of scikit-posthocs."""
    from scikit_posthocs import posthoc_nemenyi_friedman

    few = data_set_scores(30, 5)
    return partial(fc.nemenyi_test, few), partial(posthoc_nemenyi_friedman, few)
