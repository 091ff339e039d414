"""Predicted labels: statsmodels, mlxtend, R's stats and scikit-learn."""

import numpy as np
from mlxtend import evaluate
from sklearn import metrics
from statsmodels.stats import contingency_tables, proportion
from statsmodels.stats.multitest import multipletests

import fastcompare as fc

from .check import Check, both_ends, in_r


def checks():
    """Yield what is compared of labels."""
    data = fc.load_predictions()
    y = np.asarray(data.y_true)
    labels = {name: (np.asarray(s) > 0.5).astype(int) for name, s in data.scores.items()}
    a, b = labels["random_forest"], labels["decision_tree"]
    yield from mcnemar(y, a, b)
    yield from several(y, labels)
    yield from shares(y, a, b)
    p = [0.001, 0.008, 0.012, 0.02, 0.04, 0.2]
    for method in ("holm", "hochberg", "hommel", "fdr_bh", "fdr_by"):
        name = {"hochberg": "simes-hochberg"}.get(method, method)
        yield Check(
            "adjust_pvalues",
            "statsmodels",
            f'multipletests(method="{name}")',
            fc.adjust_pvalues(p, method=method),
            multipletests(p, method=name)[1],
        )


def mcnemar(y, a, b):
    """Yield McNemar's tests."""
    table = evaluate.mcnemar_table(y, a, b)
    for method, continuity, exact in (("exact", False, True), ("asymptotic", True, False)):
        own = fc.mcnemar_test(y, a, b, method=method, continuity=continuity)
        theirs = contingency_tables.mcnemar(table, exact=exact, correction=continuity)
        yield Check(
            "mcnemar_test", "statsmodels", f"mcnemar(exact={exact})", own.pvalue, theirs.pvalue
        )
        yield Check(
            "mcnemar_test",
            "mlxtend",
            f"mcnemar(exact={exact})",
            own.pvalue,
            evaluate.mcnemar(table, exact=exact, corrected=continuity)[1],
        )
    yield Check(
        "mcnemar_test",
        "R",
        "mcnemar.test",
        fc.mcnemar_test(y, a, b, method="asymptotic", continuity=True).pvalue,
        in_r("mcnemar.test(t)$p.value", t=table),
    )


def several(y, labels):
    """Yield Cochran's Q, and tests of tables of two models' labels."""
    own = fc.cochran_q_test(y, labels)
    columns = list(labels.values())
    theirs = contingency_tables.cochrans_q(np.column_stack(columns) == y[:, None])
    numbers = [own.statistic, own.pvalue]
    yield Check(
        "cochran_q_test",
        "statsmodels",
        "cochrans_q",
        numbers,
        [theirs.statistic, theirs.pvalue],
    )
    yield Check(
        "cochran_q_test", "mlxtend", "cochrans_q", numbers, evaluate.cochrans_q(y, *columns)
    )
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 3, (2, 300))
    square = contingency_tables.SquareTable(metrics.confusion_matrix(a, b), shift_zeros=False)
    yield Check(
        "bowker_test",
        "statsmodels",
        "SquareTable.symmetry",
        fc.bowker_test(a, b).pvalue,
        square.symmetry().pvalue,
    )
    yield Check(
        "stuart_maxwell_test",
        "statsmodels",
        "SquareTable.homogeneity",
        fc.stuart_maxwell_test(a, b).pvalue,
        square.homogeneity().pvalue,
    )
    yield Check(
        "cohen_kappa",
        "scikit-learn",
        "cohen_kappa_score",
        fc.cohen_kappa(y, columns[0], columns[1], on="labels").estimate,
        metrics.cohen_kappa_score(columns[0], columns[1]),
    )


def shares(y, a, b):
    """Yield intervals and tests of accuracies."""
    right = [int((labels == y).sum()) for labels in (a, b)]
    for method, theirs in (("wilson", "wilson"), ("clopper-pearson", "beta")):
        yield Check(
            "accuracy_interval",
            "statsmodels",
            f'proportion_confint(method="{theirs}")',
            both_ends(fc.accuracy_interval(y, a, method=method)),
            proportion.proportion_confint(right[0], y.size, method=theirs),
        )
    own = fc.two_proportions_unpaired_test(correct=tuple(right), n=(y.size, y.size))
    yield Check(
        "two_proportions_unpaired_test",
        "statsmodels",
        "proportions_ztest",
        [own.statistic, own.pvalue],
        proportion.proportions_ztest(right, [y.size, y.size]),
    )
    given = {"correct": tuple(right), "n": (y.size, y.size)}
    yield Check(
        "two_proportions_unpaired_test",
        "mlxtend",
        "proportion_difference",
        2.0 * min(fc.two_proportions_unpaired_test(**given, variance="unpooled").pvalue / 2.0, 0.5),
        2.0 * mlxtend_tail(right[0] / y.size, right[1] / y.size, y.size),
    )


def mlxtend_tail(first, second, n):
    """Return the smaller tail of mlxtend's z, whose p-value is of one side."""
    p = evaluate.proportion_difference(first, second, n_1=n, n_2=n)[1]
    return min(p, 1.0 - p)
