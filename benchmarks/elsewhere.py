"""The same tests in SciPy, statsmodels and scikit-learn, for the table of docs/speed.md.

Both sides get the same arrays; that their numbers agree is what the tests show.
"""

import warnings
from functools import partial

import numpy as np

import fastcompare as fc

from .cases import (
    answer_table,
    batch_cases,
    data_set_scores,
    fold_scores,
    forecasts,
    item_scores,
    predicted_labels,
    scored_cases,
)
from .timing import shortest


def tasks():
    """Yield what is computed, our function and call, and the other's name and call."""
    from scipy import stats
    from sklearn import metrics
    from statsmodels.stats import contingency_tables, multitest

    labels, scores = scored_cases(10**5)
    yield (
        "AUC of 100,000 cases",
        "`roc_auc`",
        partial(fc.roc_auc, labels, scores[0]),
        "scikit-learn, `roc_auc_score`",
        partial(metrics.roc_auc_score, labels, scores[0]),
    )
    yield (
        "average precision of 100,000 cases",
        "`average_precision`",
        partial(fc.average_precision, labels, scores[0]),
        "scikit-learn, `average_precision_score`",
        partial(metrics.average_precision_score, labels, scores[0]),
    )
    same, drawn = batch_cases(10_000, 200)
    few = drawn[:, :100]
    yield (
        "DeLong's test of 100 problems of 200 cases",
        "`delong_batch`",
        partial(fc.delong_batch, same, few[0], few[1]),
        "a loop over `delong_test`",
        lambda: [fc.delong_test(same, a, b) for a, b in zip(*few, strict=True)],
    )
    y, a, b = predicted_labels(10**5)
    yield (
        "McNemar's test of 100,000 cases",
        "`mcnemar_test`",
        partial(fc.mcnemar_test, y, a, b, method="asymptotic"),
        "NumPy's counts, then statsmodels, `mcnemar`",
        lambda: contingency_tables.mcnemar(counts(y, a, b), exact=False),
    )
    y, predictions = answer_table(500, 20)
    yield (
        "Cochran's Q of 20 models, 500 cases",
        "`cochran_q_test`",
        partial(fc.cochran_q_test, y, predictions),
        "statsmodels, `cochrans_q`",
        partial(contingency_tables.cochrans_q, (predictions == y[:, None]).astype(np.int64)),
    )
    y, p, _ = forecasts(10**5)
    yield (
        "log loss of 100,000 cases",
        "`log_loss`",
        partial(fc.log_loss, y, p),
        "scikit-learn, `log_loss`",
        partial(metrics.log_loss, y, p),
    )
    a, b, _ = item_scores(10_000)
    yield (
        "paired t-test of 10,000 items",
        "`paired_mean_test`",
        partial(fc.paired_mean_test, a, b),
        "SciPy, `ttest_rel`",
        partial(stats.ttest_rel, a, b),
    )
    yield (
        "Wilcoxon's test of 10,000 pairs",
        "`wilcoxon_test`",
        partial(fc.wilcoxon_test, a, b),
        "SciPy, `wilcoxon`",
        partial(stats.wilcoxon, a, b),
    )
    table = data_set_scores(30, 10)
    yield (
        "Friedman's test, 10 models on 30 data sets",
        "`friedman_test`",
        partial(fc.friedman_test, table),
        "SciPy, `friedmanchisquare`",
        partial(stats.friedmanchisquare, *table.T),
    )
    pvalues = np.random.default_rng(0).random(10_000)
    yield (
        "Hommel's correction of 1,000 p-values",
        "`adjust_pvalues`",
        partial(fc.adjust_pvalues, pvalues[:1000], method="hommel"),
        "statsmodels, `multipletests`",
        partial(multitest.multipletests, pvalues[:1000], method="hommel"),
    )
    rounds = fold_scores(30)
    yield (
        "corrected t-test of 30 rounds",
        "`ttest_corrected`",
        partial(fc.ttest_corrected, *rounds.T, n_train=900, n_test=100),
        "SciPy, `ttest_rel`, which does not correct",
        partial(stats.ttest_rel, *rounds.T),
    )


def counts(y, a, b):
    """Return McNemar's table by NumPy."""
    right_a, right_b = y == a, y == b
    return [[(one & other).sum() for other in (right_b, ~right_b)] for one in (right_a, ~right_a)]


def measured_elsewhere():
    """Yield a row a task: what, our function, its seconds, how much longer the other, its name."""
    for task, function, ours, peer, theirs in tasks():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            took, took_there = shortest([ours, theirs], seconds=2.0)
        yield task, function, took, took_there / took, peer
