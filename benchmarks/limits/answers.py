"""What tests of right and wrong answers may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import answer_table, counts_in_numpy, predicted_classes, predicted_labels, words_of
from ..timing import ratio_row

TABLE_TESTS = (fc.cochran_q_test, fc.agreement_matrix, fc.mcnemar_pairwise_test)


def answer_rows(quick):
    yield ratio_row("mcnemar_test, n = 1000: the four counts in NumPy", 1.5, counts)
    yield ratio_row("mcnemar_test, n = 10^6 in 10^4 groups: bincount", 6.0, clusters, seconds=2.0)
    name = "mcnemar_test, n = 10^6 strings as objects: pandas factorize"
    yield ratio_row(name, 1.0, strings)
    yield ratio_row("cohen_kappa, n = 10^6, 5 classes: bincount", 3.0, classes, seconds=2.0)
    for test in TABLE_TESTS:
        name = f"{test.__name__}, n = 500, k = 20: statsmodels' Q"
        yield ratio_row(name, 1.0, partial(many_answers, test))


def counts():
    """Return the test, and the counts of its table."""
    case = predicted_labels(1_000)
    return partial(fc.mcnemar_test, *case), partial(counts_in_numpy, *case)


def clusters():
    """Return the test of clustered cases, and how many are in each cluster."""
    groups = np.random.default_rng(0).integers(0, 10_000, 10**6)
    call = partial(fc.mcnemar_test, *predicted_labels(10**6), groups=groups)
    return call, partial(np.bincount, groups)


def strings():
    """Return the test of labels that are words, and their numbers by pandas."""
    import pandas as pd

    columns = words_of(predicted_labels(10**6))
    return partial(fc.mcnemar_test, *columns), lambda: [pd.factorize(words) for words in columns]


def classes():
    """Return kappa of five classes, and their joint counts."""
    y, a, b = predicted_classes(10**6, 5)
    return partial(fc.cohen_kappa, y, a, b, on="labels"), lambda: np.bincount(5 * a + b)


def many_answers(test):
    """Return a test of a table, and statsmodels' of the right answers."""
    from statsmodels.stats.contingency_tables import cochrans_q

    y, predictions = answer_table(500, 20)
    right = (predictions == y[:, None]).astype(np.int64)
    return partial(test, y, predictions), partial(cochrans_q, right)
