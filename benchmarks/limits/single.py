"""What one AUC, and a test in compiled code of one's own, may take, for `benchmarks.limits`."""

from functools import partial

import numba
import numpy as np

import fastcompare as fc
from fastcompare import kernels

from ..cases import scored_cases
from ..contenders.baselines import argsorts, naive_components
from ..timing import ratio_row

AUCS = {100: 2.5, 1000: 1.5}  # n: the limit in units of one argsort
PAIRED = 1000  # cases, whose pairs are compared one by one
LOOPED = 50  # tests in a compiled loop


def single_rows(quick):
    for n, limit in AUCS.items():
        yield ratio_row(f"roc_auc, n = {n}: one argsort", limit, partial(auc_and_sort, n))
    yield ratio_row(f"delong_test, n = {PAIRED}: all pairs, two models", 0.05, test_and_pairs)
    yield ratio_row("kernels.delong in a loop, n = 1000: two argsorts", 0.6, loop_and_sorts)


def auc_and_sort(n):
    """Return one AUC, and the sort of its scores."""
    labels, (scores, _) = scored_cases(n)
    return partial(fc.roc_auc, labels, scores), partial(np.argsort, scores)


def test_and_pairs():
    """Return the test, and the comparison of all pairs of cases."""
    labels, scores = scored_cases(PAIRED)
    return partial(fc.delong_test, labels, *scores), partial(all_pairs, labels, *scores)


def loop_and_sorts():
    """Return a compiled loop of tests, and their sorts."""
    labels, scores = scored_cases(1000)

    def sorts():
        for _ in range(LOOPED):
            argsorts(labels, *scores)

    return partial(sum_of_variances, LOOPED, labels.astype(np.uint8), *scores), sorts


def all_pairs(labels, *scores):
    """Compare every positive case with every negative one: the definition of an AUC."""
    for column in scores:
        naive_components(labels, column)


@numba.njit
def sum_of_variances(times, labels, a, b):
    """Return the sum of so many variances of the same test."""
    total = 0.0
    for _ in range(times):
        total += kernels.delong(labels, a, b)[2]
    return total
