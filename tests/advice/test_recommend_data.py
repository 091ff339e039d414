"""Which test, told by the data themselves: as `compare` sees them, and in the same words."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import fastcompare as fc

DATA = fc.load_predictions()
Y = DATA.y_true
TWO = {name: DATA.scores[name] for name in ("random_forest", "decision_tree")}
RNG = np.random.default_rng(9)
ITEMS = RNG.random((40, 3))
LABELS = {name: score > 0.5 for name, score in TWO.items()}
LOST = np.where(np.arange(60).reshape(20, 3) % 17, RNG.random((20, 3)), np.nan)
LATIN = np.where(np.arange(12)[:, None] % 3 == np.arange(3), np.nan, 1.0)
FEW = slice(0, 40)
ASKED = {  # data and options; what `recommend` finds, and the first test's call
    "scores": ((Y, TWO), {"kind": "scores"}, (2, 149, "independent"), "delong_test(y_true"),
    "few scores": (
        (Y[FEW], {name: score[FEW] for name, score in TWO.items()}),
        {"kind": "scores"},
        (2, 18, "independent"),
        "delong_test(y_true",
    ),
    "labels": ((Y, LABELS), {}, (2, 399, "independent"), "mcnemar_test"),
    "three classes": (
        (RNG.integers(0, 3, 50), *RNG.integers(0, 3, (2, 50))),
        {},
        (2, 50, "multiclass"),
        "mcnemar_test",
    ),
    "clusters": (
        (Y, LABELS),
        {"groups": np.arange(399) // 4},
        (2, 399, "clusters"),
        "groups=groups",
    ),
    "weights": (
        (ITEMS,),
        {"kind": "items", "sample_weight": np.arange(40)},
        (3, 39, "weights"),
        "mean_omnibus_test(scores, sample_weight=weights)",
    ),
    "folds": (
        (fc.load_fold_scores(),),
        {},
        (5, 100, "repeated-kfold"),
        "rm_anova_test(scores, n_train",
    ),
    "rounds without sizes": (
        (ITEMS[:, :2],),
        {"kind": "folds", "design": "kfold"},
        (2, 40, "kfold"),
        "ttest_corrected",
    ),
    "data sets": ((LOST[np.isfinite(LOST).all(axis=1)],), {"kind": "datasets"}, None, "friedman"),
    "missing": ((LOST,), {"kind": "datasets"}, (3, 20, "incomplete"), "skillings_mack_test"),
    "balanced": ((LATIN,), {"kind": "datasets"}, (3, 12, "balanced-incomplete"), "durbin_test"),
    "battles": (
        ([("x", "y", "a"), ("y", "x", "tie"), ("z", "x", "b")],),
        {},
        (3, 3, "independent"),
        "bradley_terry",
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_the_data_tell_how_many_there_are_and_words_the_same_advice(name):
    given, options, known, call = ASKED[name]
    found = fc.recommend(*given, **options)
    if known is not None:
        assert (found.n_models, found.n, found.design) == known
    assert call in found.tests[0].call
    told = fc.recommend(kind=found.kind, n_models=found.n_models, n=found.n, design=found.design)
    assert found.tests == told.tests
    assert found.n_clusters == (100 if name == "clusters" else None)
    assert found.to_dict()["n_clusters"] == found.n_clusters
    again = fc.recommend(*given, **options, n=found.n, n_models=found.n_models, paired=True)
    assert again.to_dict() == found.to_dict()


def test_estimators_are_not_fitted_for_advice():
    class Never(GaussianNB):
        def fit(self, *args, **options):
            raise AssertionError

    models = {"a": Never(), "b": Never()}
    X, y = load_iris(return_X_y=True)
    found = fc.recommend(models, X, y, cv=StratifiedKFold(4))
    assert (found.kind, found.design, found.n, found.n_models) == ("folds", "kfold", 4, 2)
    assert fc.recommend(models, X, y).n == 100


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ((ITEMS,), {}, "`kind` must be specified for a table of scores alone"),
        ((Y, TWO), {"kind": "scores", "n": 3}, "`n=3` contradicts `data`, which hold 149 cases"),
        ((ITEMS,), {"kind": "items", "n_models": 2}, "`n_models=2` contradicts `data`.*3 models"),
        ((ITEMS,), {"kind": "items", "paired": False}, "all models have the same items"),
        ((fc.load_dataset_scores(),), {"kind": "folds"}, "`kind='folds'` contradicts `data`"),
        ((Y, {"a": Y * 2.0, "b": Y * 3.0}), {"kind": "probabilities"}, "lie outside \\[0, 1\\]"),
        ((Y, np.where(Y, "x", "y"), np.where(Y, "x", "y")), {"kind": "scores"}, "are words"),
        (
            (Y, TWO),
            {"kind": "scores", "design": "independent", "groups": Y},
            "contradicts `groups`",
        ),
        (
            (Y, TWO["random_forest"][:9], TWO["decision_tree"]),
            {"kind": "scores"},
            "one value for each of the 399 labels",
        ),
        ((), {"kind": "scores", "groups": Y}, "`groups` requires `data`"),
        ((None, Y), {"kind": "scores"}, "`a` requires `data`"),
    ],
)
def test_words_that_contradict_the_data_are_refused_and_both_are_said(given, options, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.recommend(*given, **options)


def test_without_a_distribution_rounds_that_share_cases_have_no_test():
    with pytest.raises(fc.InvalidValueError, match="rank tests assume independent rounds"):
        fc.recommend(kind="folds", parametric=False)


@pytest.mark.slow
def test_rates_are_those_of_the_classes_that_are_held(requires_jit):
    """Of 5 positives and 95 negatives the normal distribution errs, of equal classes not."""
    rng = np.random.default_rng(2)
    y, table = np.arange(100) < 5, rng.normal(size=(100, 2)) @ [[1.0, 0.3], [0.0, 1.0]]
    found = fc.recommend(y, table, kind="scores", measure=True, n_trials=600, rng=0)
    right, wrong = found.error_rates.rate
    assert right < 0.075 < wrong
    told = found.decisions[-1]
    assert told.startswith("The rates are those of normal scores of 5 positive and 95 negative")
    auc, correlation = (float(word.rstrip(".")) for word in told.split() if word[:2] == "0.")
    both = [fc.roc_auc(y, column) for column in table.T]
    assert abs(auc - np.clip(np.mean(both), 0.5, 1.0)) < 0.01
    assert abs(correlation - np.corrcoef(table.T)[0, 1]) < 0.1


@pytest.mark.slow
def test_classes_are_told_in_words_too():
    options = {"n_models": 5, "measure": True, "n_trials": 50, "rng": 0}
    told = fc.recommend(kind="scores", n=(190, 10), **options)
    assert told.n == 10
    assert "of 190 positive and 10 negative cases, with AUCs of 0.80" in told.decisions[-1]
    alone = fc.recommend(kind="scores", n=10, **options)
    assert not alone.decisions[-1].startswith("The rates")
    assert (alone.error_rates.rate != told.error_rates.rate).any()
    y, table = Y[FEW], {name: score[FEW] for name, score in TWO.items()}
    assert fc.recommend(y, table, kind="scores", n=(22, 18)).n == 18
    for n, said in (((10,), "whole number"), ((10, 0), "at least 1"), ((1.5, 3), "whole number")):
        with pytest.raises(fc.FastCompareError, match=said):
            fc.recommend(kind="scores", n=n)
    with pytest.raises(fc.FastCompareError, match="whole number"):
        fc.recommend(kind="items", n=(10, 190))


@pytest.mark.slow
def test_clusters_are_drawn_as_they_are_held():
    groups = np.repeat(np.arange(14), [20, *[2] * 10, 4, 8, 10])
    y, table = np.arange(62) % 3 == 0, np.random.default_rng(1).normal(size=(62, 3))
    found = fc.recommend(y, table, kind="scores", groups=groups, measure=True, n_trials=50, rng=0)
    assert "21 positive and 41 negative cases in their 14 clusters" in found.decisions[-1]
    assert found.error_rates.n_undefined.sum() == 0
