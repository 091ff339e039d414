"""Runs of estimators that somebody watches, that fail, are interrupted or cannot mean anything."""

import json

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

import fastcompare as fc
from fastcompare._adapters import progress as bars
from fastcompare._adapters.sklearn import picklable_error
from tests.shared.estimators import (
    BAYES,
    DUMMY,
    GROUPS,
    Constant,
    Counting,
    Failing,
    UnpicklableError,
    X,
    Y,
    compare,
)


@pytest.fixture(autouse=True)
def _new_count():
    Counting.fits = 0


def test_progress_hears_of_every_fit():
    heard = []
    compare(progress=lambda done, total: heard.append((done, total)))
    assert heard == [(i, 20) for i in range(1, 21)]


def test_the_bar_names_model_and_round(monkeypatch, capsys):
    monkeypatch.setattr(bars, "is_interactive", lambda: True)
    monkeypatch.setattr(bars, "QUIET", 0.0)
    monkeypatch.setattr(bars, "progress_bar", bars.PlainBar)
    compare(progress=True)
    shown = capsys.readouterr().err
    assert "\rbayes, round 3 of 10: 25%" in shown
    assert shown.endswith("dummy, round 10 of 10: 100%\n")


def test_a_bar_ends_with_the_run_that_fails(monkeypatch, capsys):
    monkeypatch.setattr(bars, "is_interactive", lambda: True)
    monkeypatch.setattr(bars, "QUIET", 0.0)
    monkeypatch.setattr(bars, "progress_bar", bars.PlainBar)
    with pytest.raises(fc.EstimatorError):
        compare({"bayes": BAYES, "bad": Counting(2)}, progress=True)
    assert capsys.readouterr().err.endswith("bayes, round 2 of 10: 15%\n")


@pytest.mark.parametrize("at", [1, 7])
def test_a_failing_fit_says_which_model_and_round(at):
    with pytest.raises(fc.EstimatorError) as caught:
        compare({"bayes": BAYES, "bad": Counting(at)})
    message = f"'bad' could not be fitted in round {at} of 10: ValueError: too much"
    assert str(caught.value) == message
    assert type(caught.value.__cause__) is ValueError
    assert isinstance(caught.value, RuntimeError)


@pytest.mark.slow
def test_a_failing_fit_in_another_process_keeps_its_cause_and_traceback():
    with pytest.raises(fc.EstimatorError, match="'bad' could not be fitted in round") as caught:
        compare({"bayes": BAYES, "bad": Failing()}, n_jobs=2)
    cause = caught.value.__cause__
    assert type(cause) is OSError
    assert cause.errno == 28
    if joblib.cpu_count() > 1:
        assert "in misbehave" in "".join(cause.__notes__)


def test_failing_scores_and_predictions_say_so():
    def broken(model, X, y):
        return 1 / 0

    with pytest.raises(
        fc.EstimatorError, match="'bayes' could not be scored in round 1 of 10: Zero"
    ):
        compare(scoring=broken)
    with pytest.raises(fc.EstimatorError, match="the score must be finite, got inf"):
        compare(scoring=lambda model, X, y: np.inf)

    class Mute(Constant):
        def predict(self, X):
            raise RuntimeError("no")

        def score(self, X, y):
            return 0.5

    with pytest.raises(fc.EstimatorError, match="'mute' could not predict in round 1 of 10: Run"):
        compare({"mute": Mute(), "bayes": BAYES})


def test_errors_that_cannot_travel_go_as_words():
    assert isinstance(picklable_error(KeyError("a")), KeyError)
    found = picklable_error(UnpicklableError(1, 2))
    assert (type(found), str(found)) == (RuntimeError, "UnpicklableError: 1 and 2")


@pytest.mark.slow
def test_an_interrupt_keeps_the_rounds_that_are_complete_in_ttest_corrected():
    whole = compare({"bayes": BAYES, "slow": Constant()})
    with pytest.warns(fc.UndefinedResultWarning, match=r"interrupted.*\(6 of 10\)"):
        result = compare({"bayes": BAYES, "slow": Counting(7, KeyboardInterrupt)})
    assert (result.status, result.n, result.n_dropped) == ("interrupted", 6, 0)
    assert_array_equal(result.scores[:6], whole.scores[:6])
    assert result.scores[6, 0] == whole.scores[6, 0]  # nothing that is done is thrown away
    assert np.isnan(result.scores[6, 1])
    assert np.isnan(result.scores[7:]).all()
    want = fc.ttest_corrected(*whole.scores[:6].T, n_train=54, n_test=6)
    assert result.tests["ttest_corrected"].pvalue == want.pvalue
    reached = np.concatenate([test for _, test in result.splits()[:6]])
    missing = [p is None for p in result.predictions["slow"]]
    assert_array_equal(np.flatnonzero(~np.array(missing)), np.sort(reached))
    json.dumps(result.to_dict()["predictions"])


def test_an_interrupted_5x2cv_gets_the_corrected_test():
    with pytest.warns(fc.UndefinedResultWarning, match="interrupted"):
        result = compare({"bayes": BAYES, "slow": Counting(7, KeyboardInterrupt)}, scheme="5x2cv")
    assert list(result.tests) == ["ttest_corrected"]
    assert "6 are complete" in result.reason


@pytest.mark.parametrize("at", [1, 2])
def test_an_interrupt_before_two_rounds_is_passed_on(at):
    with pytest.raises(KeyboardInterrupt):
        compare({"bayes": BAYES, "slow": Counting(at, KeyboardInterrupt)})


def nan_where(*rounds):
    """Return a scorer that gives NaN for the dummy in these rounds."""
    number = {"next": 0}

    def score(model, X, y):
        if isinstance(model, DummyClassifier):
            number["next"] += 1
            if number["next"] in rounds:
                return np.nan
        return model.score(X, y)

    return score


def test_a_score_of_nan_raises_at_once():
    with pytest.raises(fc.EstimatorError, match="the score of 'dummy' in round 3 of 10 is NaN"):
        compare(scoring=nan_where(3, 5))


@pytest.mark.slow
def test_scores_of_nan_are_left_out_if_asked_in_ttest_corrected():
    whole = compare()
    with pytest.warns(fc.DroppedCasesWarning, match="2 of 10 rounds dropped"):
        result = compare(scoring=nan_where(3, 5), nan_policy="omit")
    kept = np.delete(whole.scores, [2, 4], axis=0)
    want = fc.ttest_corrected(*kept.T, n_train=54, n_test=6)
    assert (result.n, result.n_dropped, result.status) == (8, 2, "ok")
    assert result.tests["ttest_corrected"].pvalue == want.pvalue
    assert_array_equal(result.means, kept.mean(axis=0))
    assert_array_equal(np.isnan(result.scores).sum(axis=0), [0, 2])
    with pytest.raises(fc.EstimatorError, match="only 1 of 10 rounds"):
        compare(scoring=nan_where(*range(2, 11)), nan_policy="omit")


BAD = {
    "list": ({"estimators": [BAYES, DUMMY]}, TypeError, "`estimators` must be a mapping"),
    "one": ({"estimators": {"bayes": BAYES}}, ValueError, "at least two models"),
    "same_names": ({"estimators": {1: BAYES, "1": DUMMY}}, ValueError, "the same name: 1"),
    "class": (
        {"estimators": {"a": GaussianNB, "b": BAYES}},
        TypeError,
        "the class GaussianNB: call",
    ),
    "object": ({"estimators": {"a": object(), "b": BAYES}}, TypeError, "methods `fit` and"),
    "scheme": (
        {"scheme": "10x10"},
        ValueError,
        "`scheme` must be one of .* Did you mean '10x10cv'",
    ),
    "one_fold": ({"scheme": "5x1cv"}, ValueError, "`scheme` must be one of"),
    "scheme_type": ({"scheme": 10}, TypeError, "`scheme` must be one of"),
    "scoring": ({"scoring": "acuracy"}, ValueError, "`scoring` does not fit 'bayes'"),
    "scoring_type": ({"scoring": 3}, TypeError, "`scoring` must be None"),
    "short": (
        {"X": X[:50]},
        ValueError,
        "`X` must have a row for each of the 60 cases in `y`, got 50",
    ),
    "scalar": ({"X": 3}, TypeError, "`X` must be a table"),
    "missing": (
        {"y": np.where(Y, 1.0, np.nan)},
        ValueError,
        "36 missing values .* from `X` and `y`",
    ),
    "lazy": ({"X": pl.DataFrame(X).lazy()}, TypeError, r"`X` is a lazy .* call .collect\(\)"),
    "matrix": ({"y": np.zeros((60, 3))}, ValueError, "`y` must be 1-d"),
    "groups": ({"groups": GROUPS[:9]}, ValueError, "`groups` must have a row"),
    "no_group": ({"groups": [None, *GROUPS[1:]]}, ValueError, "`groups` has 1 missing"),
    "few_groups": (
        {"groups": GROUPS % 4},
        ValueError,
        "cannot split these cases: 4 groups cannot fill",
    ),
    "few_cases": (
        {"X": X[:5], "y": Y[:5]},
        ValueError,
        "`scheme` 'kfold' cannot split these cases",
    ),
    "alternative": ({"alternative": "two-tailed"}, ValueError, "`alternative`"),
    "correction": ({"correction": "hom"}, ValueError, "Did you mean 'holm'"),
    "nan_policy": ({"nan_policy": "drop"}, ValueError, "`nan_policy`"),
    "on_undefined": ({"on_undefined": "no"}, ValueError, "`on_undefined`"),
    "n_jobs": ({"n_jobs": 0}, ValueError, "`n_jobs`"),
    "progress": ({"progress": "yes"}, TypeError, "`progress`"),
    "rng": ({"rng": -1}, ValueError, "`rng`"),
}


@pytest.mark.parametrize("case", BAD)
def test_what_cannot_mean_anything_is_refused_before_any_fit(case):
    options, kind, message = BAD[case]
    models = options.pop("estimators", {"counting": Counting(), "bayes": BAYES})
    models = {"bayes": BAYES, **models} if case == "scoring" else models
    with pytest.raises(kind, match=message) as caught:
        compare(models, **options)
    assert isinstance(caught.value, fc.FastCompareError)
    assert Counting.fits == 0


def test_indexes_that_contradict_are_refused():
    frame, labels = pd.DataFrame(X), pd.Series(Y, index=np.arange(60)[::-1])
    with pytest.raises(ValueError, match="different indexes"):
        compare(X=frame, y=labels)
