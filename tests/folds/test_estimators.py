"""Estimators in the rounds of one scheme: equal splits, clones, the right tests."""

import json
import pickle
import sys
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import RandomForestClassifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    ShuffleSplit,
    cross_val_predict,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.validation import check_is_fitted

import fastcompare as fc
from fastcompare._inputs.rounds import as_problem, as_scheme
from fastcompare.folds._estimators import splits_by_scheme
from tests.shared.estimators import (
    BAYES,
    DUMMY,
    GROUPS,
    THREE,
    TREE,
    TWO,
    Constant,
    X,
    Y,
    compare,
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "scoring"),
    [("kfold", None), ("5x2cv", "roc_auc"), ("2x3cv", "neg_log_loss"), ("resampled", None)],
)
def test_scores_are_those_of_cross_val_score_on_the_same_splits(scheme, scoring):
    result = compare(scheme=scheme, scoring=scoring)
    assert result.scoring == (scoring or "score")
    for name, scores in zip(result.names, result.scores.T, strict=True):
        want = cross_val_score(TWO[name], X, Y, scoring=scoring, cv=result.splits())
        assert_allclose(scores, want, rtol=1e-12)
    assert_array_equal(result.means, result.scores.mean(axis=0))


def test_a_splitter_replaces_the_scheme():
    splitter = RepeatedStratifiedKFold(n_splits=2, n_repeats=5, random_state=1)
    result = compare(cv=splitter)
    for (train, test), (own_train, own_test) in zip(
        splitter.split(X, Y), result.splits(), strict=True
    ):
        assert_array_equal(train, own_train)
        assert_array_equal(test, own_test)
    assert (result.scheme, list(result.tests)) == ("5x2cv", ["ftest_5x2cv", "ttest_5x2cv"])
    half = compare(cv=ShuffleSplit(3, train_size=0.5, test_size=0.2, random_state=1))
    assert (half.n_train, half.n_test, half.scheme) == (30.0, 12.0, "resampled")
    assert list(half.tests) == ["ttest_corrected"]


@pytest.mark.parametrize(
    ("scoring", "metric", "means"),
    [
        (None, "accuracy", "mean accuracies"),
        ("roc_auc", "AUC", "mean AUCs"),
        ("neg_log_loss", "negative log loss", "mean negative log losses"),
        (lambda model, X, y: model.score(X, y), "score", "mean scores"),
    ],
)
def test_sentences_name_the_metric(scoring, metric, means):
    result = compare(cv=3, scoring=scoring)
    assert f"mean {metric}" in result.summary().partition(f". The {means} over 3")[0]
    assert result.tests["ttest_corrected"].metric == metric


def test_a_scorer_may_be_a_function():
    def share(model, X, y):
        return (model.predict(X) == y).mean()

    result = compare(scoring=share)
    assert result.scoring == "share"
    assert_array_equal(result.scores, compare().scores)


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "n_folds", "n_repeats"), [("10x10cv", 10, 10), ("5x2cv", 2, 5)])
def test_every_repeat_tests_each_case_once_and_keeps_the_classes_in_proportion(
    scheme, n_folds, n_repeats
):
    result = compare(scheme=scheme)
    tested = [test for _, test in result.splits()]
    assert len(tested) == n_folds * n_repeats == result.n == len(result.scores)
    repeats = [tested[i : i + n_folds] for i in range(0, len(tested), n_folds)]
    for repeat in repeats:
        assert_array_equal(np.sort(np.concatenate(repeat)), np.arange(60))
        for test in repeat:
            assert abs(Y[test].sum() - 24 / n_folds) < 1
    assert len({tuple(repeat[0]) for repeat in repeats}) == n_repeats
    assert (result.n_test, result.n_train) == (60 / n_folds, 60 - 60 / n_folds)


@pytest.mark.slow
def test_random_splits_test_a_tenth():
    result = compare(scheme="resampled")
    tested = [test for _, test in result.splits()]
    assert result.n == 100
    assert {test.size for test in tested} == {6}
    assert {int(Y[test].sum()) for test in tested} == {2}  # 40% of 6, rounded
    assert len({tuple(test) for test in tested}) > 90


@pytest.mark.slow
def test_fewer_repeats_are_the_first_of_more():
    assert_array_equal(compare(scheme="3x5cv").scores[:5], compare(scheme="1x5cv").scores)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "stratified", "size"),
    [
        ("resampled", True, 6),
        ("3x4cv", True, 15),
        ("resampled", False, 6),
        ("3x4cv", False, 15),
    ],
)
def test_groups_are_never_split(scheme, stratified, size):
    groups = np.array([f"patient {g}" for g in GROUPS])
    targets = Y if stratified else X[:, 0] + Y
    problem = as_problem(X, targets, groups)
    splits = splits_by_scheme(problem, as_scheme(scheme), stratified, 0)
    rounds = [tested for _, tested in splits]
    for tested in rounds:
        beside = np.setdiff1d(np.arange(60), tested)
        assert not set(groups[beside]) & set(groups[tested])
    assert np.mean([tested.size for tested in rounds]) == size
    times = np.bincount(np.concatenate(rounds), minlength=60) / len(rounds)
    assert np.abs(times - size / 60).max() < 4.0 * np.sqrt(size / 60 / len(rounds))


def test_groups_reach_the_splits():
    for train, test in compare(groups=GROUPS, scheme="2x4cv").splits():
        assert not set(GROUPS[train]) & set(GROUPS[test])


@pytest.mark.slow
def test_numbers_are_split_without_strata_even_where_they_look_like_classes():
    models = {"mean": DummyRegressor(), "line": LinearRegression()}
    result = compare(models, y=np.arange(60) % 7, scheme="10x10cv")
    assert {test.size for _, test in result.splits()} == {6}
    counts = {
        tuple(np.bincount((np.arange(60) % 7)[test], minlength=7)) for _, test in result.splits()
    }
    assert max(map(max, counts)) > 2


@pytest.mark.slow
def test_pandas_goes_in_and_names_come_out():
    frame = pd.DataFrame(X, columns=["u", "v"], index=np.arange(60)[::-1])
    named = {"bayes": make_pipeline(StandardScaler().set_output(transform="pandas"), BAYES), **TWO}
    words = pd.Series(np.where(Y == 1, "yes", "no"), index=frame.index)
    result = compare(named, X=frame, y=words)
    assert result.names == ("bayes", "dummy")
    assert_array_equal(result.scores, compare().scores)
    assert set(result.predictions["bayes"]) == {"yes", "no"}


@pytest.mark.slow
def test_the_callers_estimators_and_data_stay_as_they_are():
    models = {
        "pipeline": make_pipeline(StandardScaler(copy=False), TREE),
        "forest": RandomForestClassifier(2, random_state=np.random.RandomState(0)),
    }
    before, data = pickle.dumps(models), (X.copy(), Y.copy())
    state = pickle.dumps(np.random.mtrand._rand)  # the global generator
    compare(models)
    assert pickle.dumps(models) == before
    assert pickle.dumps(np.random.mtrand._rand) == state
    assert_array_equal(X, data[0])
    assert_array_equal(Y, data[1])
    for model in (*models.values(), *TWO.values()):
        with pytest.raises(NotFittedError):
            check_is_fitted(model)


@pytest.mark.slow
def test_bits_do_not_depend_on_the_workers():
    want = compare(THREE, scheme="5x2cv")
    with joblib.parallel_config(backend="threading"):
        threads = compare(THREE, scheme="5x2cv", n_jobs=2)
    for found in (threads, compare(THREE, scheme="5x2cv", n_jobs=2)):
        assert_array_equal(found.scores, want.scores)
        for name in THREE:
            assert_array_equal(found.predictions[name], want.predictions[name])
        assert found.summary() == want.summary()


@pytest.mark.slow
def test_permuting_models_permutes_the_results():
    want = compare(THREE, scheme="5x2cv")
    found = compare(dict(reversed(THREE.items())), scheme="5x2cv")
    assert found.names == want.names[::-1]
    assert_array_equal(found.scores, want.scores[:, ::-1])
    assert found.tests["rm_anova_test"].pvalue == pytest.approx(want.tests["rm_anova_test"].pvalue)


def test_a_model_and_its_copy_do_not_differ():
    result = compare({"a": TREE, "b": DecisionTreeClassifier(max_features=1)}, scheme="2x5cv")
    assert_array_equal(result.scores[:, 0], result.scores[:, 1])
    assert result.tests["ttest_corrected"].pvalue == 1.0


@pytest.mark.slow
def test_the_seed_decides():
    again = [compare(THREE, rng=rng) for rng in (1, 1, 2, np.random.default_rng(3))]
    assert_array_equal(again[0].scores, again[1].scores)
    assert (again[0].scores != again[2].scores).any()
    repeated = compare(THREE, rng=again[3].seed)
    assert_array_equal(again[3].scores, repeated.scores)
    unseeded = compare(THREE, rng=None)
    assert_array_equal(unseeded.scores, compare(THREE, rng=unseeded.seed).scores)


def test_only_a_random_state_of_none_is_filled_anew_in_every_round():
    def state(model, X, y):
        return model.get_params()[next(k for k in model.get_params() if k.endswith("random_state"))]

    models = {"free": Constant(), "own": Constant(7), "piped": make_pipeline(Constant())}
    free, own, piped = compare(models, scoring=state).scores.T
    assert len(set(free)) == 10
    assert set(own) == {7.0}
    assert_array_equal(piped, free)


def test_two_models_get_the_corrected_t_test_in_ttest_corrected():
    result = compare(scheme="3x4cv", alternative="greater")
    want = fc.ttest_corrected(*result.scores.T, n_train=45, n_test=15, alternative="greater")
    test = result.tests["ttest_corrected"]
    assert list(result.tests) == ["ttest_corrected"]
    assert (test.statistic, test.pvalue) == (want.statistic, want.pvalue)
    assert test.names == ("bayes", "dummy")
    assert result.summary() == test.summary()
    assert "Nadeau" in result.reason


@pytest.mark.slow
def test_two_models_in_5x2cv_get_tests_of_their_own():
    result = compare(scheme="5x2cv")
    a, b = (column.reshape(5, 2) for column in result.scores.T)
    assert list(result.tests) == ["ftest_5x2cv", "ttest_5x2cv"]
    assert result.tests["ftest_5x2cv"].pvalue == fc.ftest_5x2cv(a, b).pvalue
    assert result.tests["ttest_5x2cv"].pvalue == fc.ttest_5x2cv(a, b).pvalue
    plain = fc.ftest_5x2cv(a, b).summary()
    named = plain.replace("The two models", "bayes and dummy").replace("score", "accuracy")
    assert result.summary() == named
    assert "Alpaydin" in result.reason
    directed = compare(scheme="5x2cv", alternative="less")
    want = fc.ttest_5x2cv(a, b, alternative="less")
    assert list(directed.tests) == ["ttest_5x2cv"]
    assert directed.tests["ttest_5x2cv"].pvalue == want.pvalue
    assert "direction" in directed.reason


@pytest.mark.parametrize("scheme", ["2x5cv", "5x2cv"])
def test_more_models_get_one_test_of_all_and_one_of_each_pair(scheme):
    result = compare(THREE, scheme=scheme, correction="bh")
    sizes = {"n_train": result.n_train, "n_test": result.n_test}
    columns = dict(zip(result.names, result.scores.T, strict=True))
    omnibus, pairs = result.tests.values()
    assert list(result.tests) == ["rm_anova_test", "ttest_corrected_pairwise_test"]
    assert omnibus.pvalue == fc.rm_anova_test(columns, **sizes).pvalue
    want = fc.ttest_corrected_pairwise_test(columns, correction="bh", **sizes)
    assert pairs.pairs == want.pairs
    assert_array_equal(pairs.adjusted_pvalue, want.adjusted_pvalue)
    findings = pairs.summary().removesuffix(" There were 10 rounds.")
    assert result.summary() == f"{omnibus.summary()} {findings}"
    assert "3 models in 10 rounds" in result.reason


def test_predictions_are_out_of_fold():
    result = compare(scheme="2x5cv")
    first = result.splits()[:5]
    for name, predicted in result.predictions.items():
        assert_array_equal(predicted, cross_val_predict(TWO[name], X, Y, cv=first))
        assert predicted.dtype == Y.dtype


@pytest.mark.slow
def test_predictions_of_random_splits_are_those_of_the_first_round_that_tests_a_case():
    y = X[:, 0] + Y
    models = {"line": LinearRegression(), "mean": DummyRegressor()}
    result = compare(models, y=y, scheme="resampled")
    want = np.full(60, np.nan)
    for train, test in reversed(result.splits()):
        want[test] = LinearRegression().fit(X[train], y[train]).predict(X[test])
    assert_array_equal(result.predictions["line"], want)


@pytest.mark.slow
def test_any_sparse_format_and_a_column_of_targets_will_do():
    """scikit-learn takes no rows of a COO matrix, and warns of a column in every fit."""
    models = {"a": LogisticRegression(), "b": DUMMY}
    want = compare(models)
    for given in ({"X": sparse.coo_matrix(X)}, {"y": Y[:, None]}, {"y": pd.DataFrame({"y": Y})}):
        assert_allclose(compare(models, **given).scores, want.scores)


def test_without_scikit_learn_the_pip_line_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(ImportError, match=r"pip install 'fastcompare\[sklearn\]'"):
        compare()


def test_results_print_and_travel():
    result = compare(THREE, scheme="2x5cv")
    again = pickle.loads(pickle.dumps(result))
    assert again.summary() == result.summary()
    found = json.loads(json.dumps(result.to_dict()))
    assert list(found["tests"]) == list(result.tests)
    assert len(found["predictions"]["tree"]) == 60
    text = str(result)
    assert "repeated-measures ANOVA" in text
    assert "predictions" not in text
    assert len(text) < 4000


def test_no_warning_comes_from_a_clean_run():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(THREE, scheme="2x5cv", on_undefined="raise")


def test_the_table_of_5x2cv_has_no_difference_of_one_half():
    result = compare(scheme="5x2cv")
    table = str(result).partition("differ")[0]
    assert "combined 5x2cv F-test" in table
    assert f"{result.tests['ttest_5x2cv'].estimate:.4f}" not in table
    assert "difference" not in table
