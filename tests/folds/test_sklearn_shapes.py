"""scikit-learn's own shapes are compared as they are: its splitter decides the test."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import (
    GridSearchCV,
    GroupShuffleSplit,
    KFold,
    LeaveOneOut,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import fastcompare as fc

X, Y = load_iris(return_X_y=True)
MODELS = {"bayes": GaussianNB(), "near": KNeighborsClassifier(3), "far": KNeighborsClassifier(60)}
TWO = {name: MODELS[name] for name in ("bayes", "far")}
REPEATED = RepeatedStratifiedKFold(n_splits=10, n_repeats=2, random_state=0)
HALVES = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=0)


def validated(models, cv, **options):
    return {name: cross_validate(model, X, Y, cv=cv, **options) for name, model in models.items()}


@pytest.mark.slow
def test_results_of_cross_validate_tell_sizes_by_their_indices_or_by_cv():
    results = validated(TWO, REPEATED, return_indices=True)
    truth = fc.ttest_corrected(
        *(result["test_score"] for result in results.values()), n_train=135, n_test=15
    )
    plain = validated(TWO, REPEATED)
    told = {
        "indices": fc.compare(results),
        "pairs": fc.compare(list(results.items())),
        "cv": fc.compare(plain, cv=REPEATED),
        "cv and cases": fc.compare(plain, X, Y, cv=REPEATED),
        "sizes": fc.compare(plain, n_train=135, n_test=15, design="repeated-kfold"),
    }
    for found in told.values():
        assert (found.kind, found.design) == ("folds", "repeated-kfold")
        assert found.result.pvalue == pytest.approx(truth.pvalue, rel=1e-9)
        assert found.names == ("bayes", "far")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cv", "design", "tests"),
    [
        (StratifiedKFold(5), "kfold", ["ttest_corrected"]),
        (ShuffleSplit(8, test_size=0.2, random_state=0), "resampled", ["ttest_corrected"]),
        (HALVES, "5x2cv", ["ftest_5x2cv", "ttest_5x2cv"]),
        (list(HALVES.split(X, Y)), "5x2cv", ["ftest_5x2cv", "ttest_5x2cv"]),
        (list(KFold(6, shuffle=True, random_state=1).split(X)), "kfold", ["ttest_corrected"]),
        (list(REPEATED.split(X, Y)), "repeated-kfold", ["ttest_corrected"]),
    ],
    ids=["stratified", "shuffle", "halves", "list of halves", "list of folds", "list"],
)
def test_the_splitter_decides_the_test_of_estimators_in_compare(cv, design, tests):
    found = fc.compare(list(TWO.items()), X, Y, cv=cv, on_undefined="ignore")
    assert (found.kind, found.design) == ("folds", design)
    assert list(found.tests) == tests
    again = fc.compare(validated(TWO, cv), X, Y, cv=cv, on_undefined="ignore")
    assert again.design == design
    assert again.result.pvalue == found.result.pvalue


@pytest.mark.slow
def test_estimators_without_splits_are_compared_as_by_compare_estimators():
    found = fc.compare(TWO, X, Y)
    truth = fc.compare_estimators(TWO, X, Y, rng=0)
    assert found.result.pvalue == truth.tests["ttest_corrected"].pvalue
    assert "10 x 10-fold cross-validation" in found.decisions[1]


def test_a_fitted_search_is_compared_by_its_best_candidates():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 5, 50, 60]}, cv=5).fit(X, Y)
    truth = fc.from_cv_results(search.cv_results_, n_train=120, n_test=30)
    for found in (fc.compare(search, X, Y, gate=False), fc.compare(search, gate=False)):
        assert found.names == truth.names
        assert found.design == "kfold"
        np.testing.assert_allclose(
            found.result.pvalue, truth.tests["ttest_corrected_pairwise_test"].pvalue, rtol=1e-9
        )


def test_several_scores_are_chosen_among_by_name_in_compare():
    results = validated(TWO, 5, scoring=("accuracy", "f1_macro"), return_indices=True)
    found = fc.compare(results, scoring="f1_macro")
    assert found.models[0].value == pytest.approx(
        max(result["test_f1_macro"].mean() for result in results.values())
    )
    with pytest.raises(fc.InvalidValueError, match="`scoring` must name one of the scores"):
        fc.compare(results)


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        (lambda: (validated(TWO, 5),), {}, "return_indices=True, or pass `cv`"),
        (lambda: (validated(TWO, 5)["far"],), {}, "is one model"),
        (lambda: (TWO,), {}, r"compare\(estimators, X, y\)"),
        (
            lambda: (validated(TWO, 5),),
            {"cv": ShuffleSplit(5, test_size=10)},
            "does not determine the sizes of its rounds",
        ),
        (
            lambda: (
                {
                    name: cross_validate(
                        model, X, Y, cv=KFold(5, shuffle=True, random_state=i), return_indices=True
                    )
                    for i, (name, model) in enumerate(TWO.items())
                },
            ),
            {},
            "same splits for all models",
        ),
    ],
)
def test_what_does_not_tell_its_rounds_is_refused_with_the_way_on_in_compare(given, options, said):
    with pytest.raises(fc.FastCompareError, match=said):
        fc.compare(*given(), **options)


def test_sizes_come_from_the_splitter():
    table = np.random.default_rng(3).normal(size=(30, 3)).round(3)
    a, b = table[:, 0], table[:, 1]
    repeated = RepeatedKFold(n_splits=10, n_repeats=3)
    sizes, shares = {"n_train": 9, "n_test": 1}, ShuffleSplit(30, test_size=0.2)
    for test, scores in {
        fc.ttest_corrected: (a, b),
        fc.bayes_correlated_ttest: (a, b),
        fc.ttest_corrected_batch: (a[None], b[None]),
        fc.ttest_corrected_pairwise_test: (table,),
        fc.rm_anova_test: (table,),
        fc.rm_anova_batch: (table[None],),
    }.items():
        expected = test(*scores, **sizes).to_dict()
        assert str(test(*scores, cv=repeated).to_dict()) == str(expected), test
        expected = test(*scores, n_train=0.8, n_test=0.2).to_dict()
        assert str(test(*scores, cv=shares).to_dict()) == str(expected), test
        with pytest.raises(fc.FastCompareError, match="`cv` must be omitted if `n_train`"):
            test(*scores, cv=repeated, n_test=1)


@pytest.mark.parametrize(
    ("splitter", "sizes"),
    [
        (5, (4.0, 1.0)),
        (StratifiedKFold(4), (3.0, 1.0)),
        (ShuffleSplit(), (0.9, 0.1)),
        (GroupShuffleSplit(), (0.8, 0.2)),
        (ShuffleSplit(train_size=0.5), (0.5, 0.5)),
        (ShuffleSplit(train_size=60, test_size=20), (60.0, 20.0)),
        ([(range(8), range(8, 10)), (range(2, 10), range(2))], (8.0, 2.0)),
    ],
    ids=str,
)
def test_splitters_and_their_sizes_in_ttest_corrected(splitter, sizes):
    scores = [0.8, 0.7, 0.75, 0.9], [0.7, 0.75, 0.7, 0.8]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fc.DesignWarning)  # four rounds of other designs
        result = fc.ttest_corrected(*scores, cv=splitter)
    assert (result.n_train, result.n_test) == pytest.approx(sizes)


@pytest.mark.parametrize("splitter", [ShuffleSplit(test_size=20), LeaveOneOut()], ids=str)
def test_splitters_that_need_the_data_in_ttest_corrected(splitter):
    with pytest.raises(fc.FastCompareError, match="does not determine the sizes of its rounds"):
        fc.ttest_corrected([0.8, 0.7], [0.7, 0.75], cv=splitter)


def test_rounds_that_contradict_the_splitter_in_ttest_corrected():
    with pytest.warns(fc.DesignWarning, match=r"cv=KFold\(.* contradicts 4 rounds"):
        fc.ttest_corrected([0.8, 0.7, 0.75, 0.9], [0.7, 0.75, 0.7, 0.8], cv=KFold(5))
    with pytest.warns(fc.DesignWarning, match="not for five two-fold"):
        fc.ttest_corrected(np.arange(10.0), np.ones(10), cv=RepeatedKFold(n_splits=2, n_repeats=5))
