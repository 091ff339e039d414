"""What a comparison of two AUCs costs elsewhere: definitions and peers, one table of contenders.

A contender takes labels and the scores of two models and returns AUC_a - AUC_b and DeLong's z, NaN
for what it does not compute. `test_auc.py` shows that they agree and times them,
`benchmarks.tables` writes their times into the tables.
"""

import math
from typing import NamedTuple

import numpy as np

import fastcompare as fc


def argsorts(labels, a, b):
    """Sort both score vectors and do nothing with it: the unit of the limits."""
    np.argsort(a)
    np.argsort(b)
    return math.nan, math.nan


def naive_components(labels, scores):
    """Return V10 and V01 by their definition (DeLong et al. 1988, Eq. 3): all m n comparisons."""
    x, y = scores[labels == 1, None], scores[labels == 0]
    psi = (x > y) + 0.5 * (x == y)
    return psi.mean(axis=1), psi.mean(axis=0)


def midranks(values):
    """Return 1-based ranks, ties sharing their mean, by a Python loop over the sorted values."""
    order = np.argsort(values)
    ordered = values[order]
    ranks = np.empty(values.size)
    start = 0
    while start < values.size:
        stop = start + 1
        while stop < values.size and ordered[stop] == ordered[start]:
            stop += 1
        ranks[start:stop] = 0.5 * (start + stop + 1)
        start = stop
    result = np.empty(values.size)
    result[order] = ranks
    return result


def midrank_components(labels, scores):
    """Return V10 and V01 from midranks among all cases and within each class (Sun and Xu 2014)."""
    x, y = scores[labels == 1], scores[labels == 0]
    pooled = midranks(np.concatenate([x, y]))
    v10 = (pooled[: x.size] - midranks(x)) / y.size
    v01 = 1.0 - (pooled[x.size :] - midranks(y)) / x.size
    return v10, v01


def delong(components, labels, a, b):
    """Return AUC_a - AUC_b and DeLong's z (1988, Eq. 4-7) from the components of either kind."""
    (xa, ya), (xb, yb) = components(labels, a), components(labels, b)
    difference = xa.mean() - xb.mean()
    covariance = np.cov(xa, xb) / xa.size + np.cov(ya, yb) / ya.size
    variance = np.array([1.0, -1.0]) @ covariance @ np.array([1.0, -1.0])
    return difference, difference / math.sqrt(variance)


def naive(labels, a, b):
    return delong(naive_components, labels, a, b)


def midrank(labels, a, b):
    return delong(midrank_components, labels, a, b)


def sklearn_aucs(labels, a, b):
    from sklearn.metrics import roc_auc_score  # a second that asv would spend on each measurement

    return roc_auc_score(labels, a) - roc_auc_score(labels, b), math.nan


def fastcompare(labels, a, b):
    result = fc.delong_test(labels, a, b, reference="normal")  # as the others have it
    return result.estimate, result.statistic


class Contender(NamedTuple):
    compare: object
    most: int = 10**7  # cases: beyond, a run takes too long or too much memory


CONTENDERS = {
    "fastcompare": Contender(fastcompare),
    "argsort": Contender(argsorts),
    "scikit-learn": Contender(sklearn_aucs),
    "midrank (NumPy)": Contender(midrank, 10**6),
    "naive O(mn)": Contender(naive, 10**4),
}
