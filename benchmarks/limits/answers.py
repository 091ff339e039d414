"""What tests of right and wrong answers may take, for `benchmarks.limits`."""

from functools import partial

import numpy as np

import fastcompare as fc

from ..cases import answer_table, counts_in_numpy, predicted_classes, predicted_labels, words_of
from ..timing import Row, ratio


def answer_rows(quick):
    case = predicted_labels(1_000)
    value = ratio(partial(fc.mcnemar_test, *case), partial(counts_in_numpy, *case))
    yield Row("mcnemar_test, n = 1000: the four counts in NumPy", 1.5, value)

    case = predicted_labels(10**6)
    groups = np.random.default_rng(0).integers(0, 10_000, 10**6)
    call = partial(fc.mcnemar_test, *case, groups=groups)
    value = ratio(call, partial(np.bincount, groups), seconds=2.0)
    yield Row("mcnemar_test, n = 10^6 in 10^4 groups: bincount", 6.0, value)
    value = ratio(partial(fc.mcnemar_test, *words_of(case)), factorized(words_of(case)))
    yield Row("mcnemar_test, n = 10^6 strings as objects: pandas factorize", 1.0, value)

    y, a, b = predicted_classes(10**6, 5)
    call = partial(fc.cohen_kappa, y, a, b, on="labels")
    value = ratio(call, lambda: np.bincount(5 * a + b), seconds=2.0)
    yield Row("cohen_kappa, n = 10^6, 5 classes: bincount", 3.0, value)

    y, predictions = answer_table(500, 20)
    for test in (fc.cochran_q_test, fc.agreement_matrix, fc.mcnemar_pairwise_test):
        value = ratio(partial(test, y, predictions), cochrans_q(y, predictions))
        yield Row(f"{test.__name__}, n = 500, k = 20: statsmodels' Q", 1.0, value)


def factorized(columns):
    """Return a call that numbers the words of each column by pandas."""
    import pandas as pd

    return lambda: [pd.factorize(words) for words in columns]


def cochrans_q(y, predictions):
    """Return a call of statsmodels' test, which takes the right answers."""
    from statsmodels.stats.contingency_tables import cochrans_q

    return partial(cochrans_q, (predictions == y[:, None]).astype(np.int64))
