"""Scores by round of training: mlxtend, SciPy, baycomp and statsmodels."""

import baycomp
import numpy as np
import pandas as pd
from mlxtend import evaluate
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from statsmodels.stats.anova import AnovaRM

import fastcompare as fc

from .check import Check


class Recorder:
    """A scorer of scikit-learn's kind that keeps the accuracies which it gave."""

    def __init__(self):
        self.scores = []

    def __call__(self, estimator, X, y):
        self.scores.append(estimator.score(X, y))
        return self.scores[-1]

    def pairs(self, shape):
        """Return both estimators' scores, which take turns."""
        return (np.reshape(self.scores[which::2], shape) for which in (0, 1))


def checks():
    """Yield what is compared of rounds."""
    yield from of_mlxtend()
    data = fc.load_fold_scores()
    table = np.column_stack([np.asarray(column) for column in data.scores.values()])
    yield from two(*table.T[:2])
    yield from several(table[:10])


def two(a, b):
    """Yield tests of two models' rounds."""
    first = a[:10], b[:10]
    own = fc.ttest_resampled(*first)
    yield Check(
        "ttest_resampled",
        "SciPy",
        "ttest_rel",
        [own.statistic, own.pvalue],
        list(stats.ttest_rel(*first)),
    )
    own = fc.ttest_unpaired(*first)
    theirs = stats.ttest_ind(*first, equal_var=False)
    yield Check(
        "ttest_unpaired",
        "SciPy",
        "ttest_ind(equal_var=False)",
        [own.statistic, own.pvalue, own.df],
        [theirs.statistic, theirs.pvalue, theirs.df],
    )
    own = fc.bayes_correlated_ttest(a, b, n_train=9, n_test=1, rope=0.01)
    yield Check(
        "bayes_correlated_ttest",
        "baycomp",
        "two_on_single(runs=10)",
        [own.probability_a, own.probability_rope, own.probability_b],
        baycomp.two_on_single(a, b, rope=0.01, runs=10),
    )


def several(table):
    """Yield tests of several models' rounds."""
    long = pd.DataFrame(table).stack().reset_index()
    long.columns = ["row", "model", "score"]
    theirs = AnovaRM(long, "score", "row", within=["model"]).fit().anova_table
    own = fc.rm_anova_test(table, sphericity="none")
    yield Check(
        "rm_anova_test",
        "statsmodels",
        "AnovaRM",
        [own.statistic, own.pvalue],
        [theirs["F Value"].iloc[0], theirs["Pr > F"].iloc[0]],
    )
    columns = list(table.T)
    for method, function in (("kruskal-wallis", stats.kruskal), ("anova", stats.f_oneway)):
        own = fc.folds_unpaired_test(columns, method=method)
        yield Check(
            "folds_unpaired_test",
            "SciPy",
            function.__name__,
            [own.statistic, own.pvalue],
            list(function(*columns)),
        )


def of_mlxtend():
    """Yield mlxtend's tests of two estimators, run on the scores that they made."""
    X, y = load_breast_cancer(return_X_y=True)
    pair = GaussianNB(), DecisionTreeClassifier(max_depth=3, random_state=0)
    tests = {
        "ttest_5x2cv": (evaluate.paired_ttest_5x2cv, {}, (5, 2)),
        "ftest_5x2cv": (evaluate.combined_ftest_5x2cv, {}, (5, 2)),
        "ttest_kfold": (evaluate.paired_ttest_kfold_cv, {"shuffle": True}, 10),
        "ttest_resampled": (evaluate.paired_ttest_resampled, {}, 30),
    }
    for name, (function, options, shape) in tests.items():
        kept = Recorder()
        theirs = function(*pair, X, y, scoring=kept, random_seed=1, **options)
        a, b = kept.pairs(shape)
        if name.endswith("5x2cv"):
            a, b = a.reshape(5, 2), b.reshape(5, 2)
        own = getattr(fc, name)(a, b)
        yield Check(name, "mlxtend", function.__name__, [own.statistic, own.pvalue], list(theirs))
