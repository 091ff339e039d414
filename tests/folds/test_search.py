"""Candidates of scikit-learn's searches, compared by the scores that the search keeps."""

import json
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import t
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline

import fastcompare as fc
from tests.shared.estimators import X, Y

SIZES = {"n_train": 48, "n_test": 12}
GRID = {"n_neighbors": [1, 5, 25], "p": [2], "weights": ["uniform", "distance"]}


def searched(grid):
    search = GridSearchCV(KNeighborsClassifier(), grid, cv=5, refit=False)
    return search.fit(X, Y).cv_results_


CV_RESULTS = searched(GRID)


def test_a_fitted_search_implies_its_sizes_and_metric_in_from_cv_results():
    search = GridSearchCV(KNeighborsClassifier(), GRID, cv=5, scoring=["recall", "f1"], refit="f1")
    result = fc.from_cv_results(search.fit(X, Y), top=3)
    assert (result.n_train, result.n_test, result.scoring) == (4.0, 1.0, "f1")
    expected = fc.from_cv_results(search.cv_results_, scoring="f1", top=3, **SIZES)
    assert result.names == expected.names
    pairs = [r.tests["ttest_corrected_pairwise_test"].pvalue for r in (result, expected)]
    assert_allclose(*pairs, rtol=1e-12)
    by_cv = fc.from_cv_results(search.cv_results_, scoring="recall", top=3, cv=search.cv)
    assert (by_cv.n_train, by_cv.scoring) == (4.0, "recall")


def split_scores(cv_results, metric="score"):
    return np.array([cv_results[f"split{i}_test_{metric}"] for i in range(5)])


def test_the_best_candidates_are_compared_by_corrected_tests():
    result = fc.from_cv_results(CV_RESULTS, top=3, **SIZES)
    order = np.argsort(-CV_RESULTS["mean_test_score"], kind="stable")[:3]
    assert result.candidates == tuple(order)
    assert result.params == tuple(CV_RESULTS["params"][i] for i in order)
    scores = split_scores(CV_RESULTS)[:, order]
    assert_array_equal(result.scores, scores)
    columns = dict(zip(result.names, scores.T, strict=True))
    want = fc.ttest_corrected_pairwise_test(columns, **SIZES)
    omnibus, pairs = result.tests.values()
    assert_array_equal(pairs.adjusted_pvalue, want.adjusted_pvalue)
    assert omnibus.pvalue == fc.rm_anova_test(columns, **SIZES).pvalue
    assert "3 of 6 candidates were selected by these same scores" in result.reason


def test_two_candidates_get_one_test():
    result = fc.from_cv_results(CV_RESULTS, top=2, alternative="greater", **SIZES)
    want = fc.ttest_corrected(*result.scores.T, alternative="greater", **SIZES)
    assert list(result.tests) == ["ttest_corrected"]
    assert result.tests["ttest_corrected"].pvalue == want.pvalue


def test_all_candidates_can_be_compared_and_then_none_was_chosen_in_from_cv_results():
    for top in (None, 6, 99):
        result = fc.from_cv_results(CV_RESULTS, top=top, **SIZES)
        assert sorted(result.candidates) == list(range(6))
        assert "chosen" not in result.reason


def test_names_say_what_varies_in_from_cv_results():
    names = fc.from_cv_results(CV_RESULTS, top=None, **SIZES).names
    assert set(names) == {
        f"n_neighbors={n}, weights={w}" for n in GRID["n_neighbors"] for w in GRID["weights"]
    }


def test_names_of_estimators_are_short_and_equal_ones_are_numbered_in_from_cv_results():
    pipe = Pipeline([("model", GaussianNB())])
    long = KNeighborsClassifier(n_neighbors=7, weights="distance", algorithm="brute", leaf_size=99)
    search = GridSearchCV(pipe, {"model": [GaussianNB(), long, long]}, cv=5, refit=False)
    result = fc.from_cv_results(search.fit(X, Y).cv_results_, **SIZES)
    assert max(map(len, result.names)) < 70
    assert sum("(candidate " in name for name in result.names) == 2
    assert "model=GaussianNB()" in result.names
    json.dumps(result.to_dict())


def test_candidates_that_are_all_alike_are_numbered_in_from_cv_results():
    result = fc.from_cv_results(searched({"p": [2, 2]}), **SIZES)
    assert result.names == ("(candidate 0)", "(candidate 1)")
    assert result.tests["ttest_corrected"].pvalue == 1.0


def test_names_that_look_like_numbered_ones_lose_no_candidate_in_from_cv_results():
    values = ["x (candidate 1)", "x", "x"]
    cv_results = {"params": [{"a": value} for value in values]}
    cv_results |= {f"split{i}_test_score": [1.0 + i, 2.0, 3.0 - i] for i in range(3)}
    result = fc.from_cv_results(cv_results, top=None, **SIZES)
    assert len(set(result.names)) == 3
    assert sorted(result.candidates) == [0, 1, 2]


def test_scores_whose_sums_overflow_are_ordered_in_from_cv_results():
    cv_results = {"params": [{"a": 1}, {"a": 2}]}
    cv_results |= {f"split{i}_test_score": [1.6e308, 1.6e308] for i in range(3)}
    result = fc.from_cv_results(cv_results, **SIZES)
    assert_allclose(result.means, 1.6e308)


@pytest.mark.slow
def test_random_searches_and_several_metrics_are_understood_in_from_cv_results():
    search = RandomizedSearchCV(
        KNeighborsClassifier(),
        GRID,
        n_iter=4,
        cv=5,
        scoring=["accuracy", "roc_auc"],
        refit=False,
        random_state=0,
    )
    cv_results = search.fit(X, Y).cv_results_
    result = fc.from_cv_results(cv_results, scoring="roc_auc", **SIZES)
    assert_array_equal(
        result.scores, split_scores(cv_results, "roc_auc")[:, list(result.candidates)]
    )
    assert result.scoring == "roc_auc"
    with pytest.raises(ValueError, match="`scoring` must be one of 'accuracy', 'roc_auc'"):
        fc.from_cv_results(cv_results, **SIZES)


def test_more_than_ten_splits_stay_in_order_in_from_cv_results():
    cv_results = {"params": [{"a": 1}, {"a": 2}]}
    cv_results |= {f"split{i}_test_score": [i, i + (-1.0) ** i] for i in range(12)}
    result = fc.from_cv_results(cv_results, n_train=110, n_test=10)
    assert_array_equal(result.scores[:, 0], np.arange(12))


def test_failed_candidates_come_last_in_from_cv_results():
    cv_results = {"params": [{"a": i} for i in range(4)]}
    rows = [[np.nan, 1, 2, 3], [1, 2, 1, 2], [1, 3, 3, 9]]
    cv_results |= {f"split{i}_test_score": np.array(row, float) for i, row in enumerate(rows)}
    assert fc.from_cv_results(cv_results, top=3, **SIZES).candidates == (3, 1, 2)
    with pytest.raises(ValueError, match=r"\b1 missing value .* of 'a=0' in row 0"):
        fc.from_cv_results(cv_results, **SIZES)
    with pytest.warns(fc.DroppedCasesWarning, match="1 of 3 splits dropped"):
        result = fc.from_cv_results(cv_results, nan_policy="omit", **SIZES)
    assert (result.n, result.n_dropped, result.candidates[-1]) == (2, 1, 0)


BAD = {
    "no_sizes": ({"n_train": None, "n_test": None}, ValueError, "`n_train` and `n_test` must be"),
    "no_n_test": ({"n_test": None}, ValueError, "`n_train` and `n_test` must be specified"),
    "top": ({"top": 1}, ValueError, "`top` must be at least 2"),
    "top_type": ({"top": 2.5}, TypeError, "`top` must be an integer"),
    "scoring": ({"scoring": "scores"}, ValueError, "Did you mean 'score'"),
    "correction": ({"correction": "hom"}, ValueError, "Did you mean 'holm'"),
    "search": ({"cv_results": GridSearchCV(GaussianNB(), {})}, TypeError, "got a GridSearchCV"),
    "empty": ({"cv_results": {}}, ValueError, "must have 'params' and keys as"),
    "no_params": ({"cv_results": {"split0_test_score": [1, 2]}}, ValueError, "'params'"),
    "ragged": (
        {"cv_results": {"params": [{}, {}], "split0_test_score": [1.0]}},
        ValueError,
        r"each of the 2 candidates, got shape \(1,\)",
    ),
    "gap": (
        {"cv_results": {"params": [{}, {}], "split1_test_score": [1.0, 2.0]}},
        ValueError,
        r"all splits from 0, got those of \[1\]",
    ),
    "params": (
        {"cv_results": {"params": [{}, 1], "split0_test_score": [1.0, 2.0]}},
        TypeError,
        r"\['params'\]\[1\]` must be a mapping, got a int",
    ),
    "params_none": (
        {"cv_results": {"params": None, "split0_test_score": [1.0, 2.0]}},
        TypeError,
        r"\['params'\]\[0\]` must be a mapping, got a NoneType",
    ),
    "one": (
        {"cv_results": {"params": [{}], **{f"split{i}_test_score": [1.0] for i in (0, 1)}}},
        ValueError,
        "at least 2 models",
    ),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_mean_anything_is_refused_in_from_cv_results(case):
    options, kind, message = BAD[case]
    options = {"cv_results": CV_RESULTS, **SIZES, **options}
    with pytest.raises(kind, match=message) as caught:
        fc.from_cv_results(options.pop("cv_results"), **options)
    assert isinstance(caught.value, fc.FastCompareError)


def test_names_have_the_numbers_of_parameters_and_not_their_types_in_from_cv_results():
    grid = {"n_neighbors": np.arange(1, 4, 2), "p": np.array([1.123456789, 2.0])}
    result = fc.from_cv_results(searched(grid), top=None, **SIZES)
    assert sorted(result.names) == [
        "n_neighbors=1, p=1.12346",
        "n_neighbors=1, p=2.0",
        "n_neighbors=3, p=1.12346",
        "n_neighbors=3, p=2.0",
    ]
    assert "'p': '1.123456789'" in str(result.to_dict()["params"])


def test_rounds_of_a_halving_search_are_not_compared_in_from_cv_results():
    several = {**CV_RESULTS, "n_resources": np.repeat([20, 40], 3)}
    with pytest.raises(fc.InvalidValueError, match="a halving search has several") as caught:
        fc.from_cv_results(several, **SIZES)
    (code,) = re.findall(r"\{key: .* for key in r\}", str(caught.value))
    last = eval(code, {"numpy": np, "r": several, "max": max})
    result = fc.from_cv_results(last, **SIZES)
    assert {*result.names} == {
        "n_neighbors=5, weights=distance",
        "n_neighbors=25, weights=uniform",
        "n_neighbors=25, weights=distance",
    }


@pytest.mark.usefixtures("requires_jit")
def test_the_winner_of_a_search_is_corrected_for_its_selection_from_all_candidates():
    """Means vary as Nadeau and Bengio say of their differences; Student's t has J - 1 df."""
    rng = np.random.default_rng(0)
    scores = rng.normal(0.8, 0.05, (10, 30))
    found = {f"split{i}_test_score": row for i, row in enumerate(scores)}
    found |= {"params": [{"a": j} for j in range(30)], "mean_test_score": scores.mean(axis=0)}
    result = fc.from_cv_results(found, n_train=90, n_test=10, top=3)
    best = scores[:, result.candidates[0]]
    low, high = result.winner_interval()
    error = np.sqrt((1 / 10 + 1 / 9) * best.var(ddof=1))
    assert low < best.mean() - t.isf(0.025, 9) * error
    assert low > best.mean() - t.isf(0.0125 * 0.5 / 30, 9) * error
    assert low < result.winner_estimate < best.mean() - 0.5 * error
    assert high >= best.mean() + t.isf(0.025, 9) * error
    narrow = result.winner_interval(0.5)
    assert low < narrow.low < narrow.high < high
    assert result.to_dict()["winner_interval"] == [low, high]
    sentence = "Allowing for its selection from 30 candidates by these scores, the mean score of"
    assert f"{sentence} {result.names[0]} is {result.winner_estimate:.4f} (95% CI" in str(
        result.summary()
    )
    top = fc.from_cv_results(found, n_train=90, n_test=10, top=30)
    assert_allclose(top.winner_interval(), (low, high), rtol=1e-12)


def test_the_winner_of_few_trees_is_that_of_a_clear_one_in_from_cv_results():
    scores = np.random.default_rng(1).normal([0.9, 0.5, 0.5], 0.01, (40, 3))
    found = {f"split{i}_test_score": row for i, row in enumerate(scores)}
    found |= {"params": [{"a": j} for j in range(3)], "mean_test_score": scores.mean(axis=0)}
    result = fc.from_cv_results(found, n_train=90, n_test=10)
    assert result.winner_estimate == pytest.approx(scores[:, 0].mean(), abs=1e-6)
    error = np.sqrt((1 / 40 + 1 / 9) * scores[:, 0].var(ddof=1))
    low, _ = result.winner_interval()
    assert low == pytest.approx(scores[:, 0].mean() - t.isf(0.0169, 39) * error, rel=1e-3)
