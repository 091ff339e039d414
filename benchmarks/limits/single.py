"""What one AUC, and a test in compiled code of one's own, may take, for `benchmarks.limits`."""

from functools import partial

import numba
import numpy as np

import fastcompare as fc
from fastcompare import kernels

from ..cases import scored_cases
from ..contenders.baselines import argsorts, naive_components
from ..timing import Row, ratio

AUCS = {100: 2.5, 1000: 1.5}  # n: the limit in units of one argsort
PAIRED = 1000  # cases, whose pairs are compared one by one
LOOPED = 50  # tests in a compiled loop


def single_rows(quick):
    for n, limit in AUCS.items():
        labels, (scores, _) = scored_cases(n)
        value = ratio(partial(fc.roc_auc, labels, scores), partial(np.argsort, scores))
        yield Row(f"roc_auc, n = {n}: one argsort", limit, value)
    labels, scores = scored_cases(PAIRED)
    value = ratio(partial(fc.delong_test, labels, *scores), partial(all_pairs, labels, *scores))
    yield Row(f"delong_test, n = {PAIRED}: all pairs, two models", 0.05, value)
    n = 1000
    labels, scores = scored_cases(n)
    loop = partial(sum_of_variances, LOOPED, labels.astype(np.uint8), *scores)

    def sorts():
        for _ in range(LOOPED):
            argsorts(labels, *scores)

    yield Row(f"kernels.delong in a loop, n = {n}: two argsorts", 0.6, ratio(loop, sorts))


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
