"""What sentences and tables can be asked for: a level of intervals, names of models."""

import re

import numpy as np
import pytest

import fastcompare as fc
from tests.results.test_faces import RESULTS, N, Y, labelled, probabilities, result_of, scored

PLAIN = tuple("abcd")
TOLD = ("two", "labels", "losses", "order", "interval", "calibration", "battles", "leaderboard")
TABLES = (*TOLD, "alike", "pairs", "one pair", "control", "ranks", "gated", "items", "covariance")
TWO = ("two", "labels", "losses", "order", "posterior", "exchange", "alike", "counts")
GROUPS = np.arange(N) // 4
quiet = pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")


@quiet
@pytest.mark.parametrize("kind", RESULTS)
def test_a_level_changes_all_intervals_of_sentence_and_tables_or_is_refused(kind):
    result = result_of(kind, PLAIN)
    if kind not in TABLES and kind != "datasets":
        with pytest.raises(fc.InvalidValueError, match="`confidence_level` is for intervals"):
            result.summary(confidence_level=0.9)
        return
    text, before = result.summary(confidence_level=0.9), result.summary()
    assert "95%" not in text
    assert ("90%" in text) == ("95%" in before)
    assert "90%" in text or kind not in TOLD
    for written in (result.to_markdown, result.to_html, result.to_latex):
        assert "95" not in re.findall(r"(\d+)\\?% CI", written(confidence_level=0.9))
        assert "90" in re.findall(r"(\d+)\\?% CI", written(confidence_level=0.9))
    assert result.summary() == before


@quiet
@pytest.mark.parametrize("kind", ["two", "labels", "losses", "order", "interval"])
def test_the_ends_are_those_of_the_level(kind):
    result = result_of(kind, PLAIN)
    low, high = result.confidence_interval(0.8)
    told = result.summary(confidence_level=0.8)
    found = [float(end) for end in re.search(r"80% CI (\S+) to (-?[\d.]+)", told).groups()]
    np.testing.assert_allclose(found, (low, high), atol=6e-5)
    frame = result.to_frame(confidence_level=0.8)
    assert (frame["ci_low"][0], frame["ci_high"][0]) == (low, high)


@pytest.mark.parametrize(
    ("alternative", "margin", "words"),
    [("greater", 0.0, "one-sided 99% CI"), ("equivalence", 0.1, "98% CI")],
)
def test_claims_keep_their_words_at_any_level(alternative, margin, words):
    result = fc.delong_test(Y, scored("ab"), alternative=alternative, margin=margin)
    assert words in result.summary(confidence_level=0.99)
    assert words in result.to_markdown(confidence_level=0.99)


def test_results_within_results_are_told_at_the_level():
    rng = np.random.default_rng(0)
    rows = {name: rng.normal(size=20) + (name == "a") for name in "abc"}
    found = fc.compare_datasets({name: rows[name] for name in "ab"})
    assert "90% CI" in found.summary(confidence_level=0.9)
    assert "95% CI" in found.summary()
    whole = fc.compare(Y, scored("ab"), kind="scores")
    assert "90% CI" in whole.summary(confidence_level=0.9)


@quiet
@pytest.mark.parametrize("kind", RESULTS)
def test_two_models_can_be_given_names(kind):
    result = result_of(kind, PLAIN)
    if kind not in TWO:
        with pytest.raises(fc.InvalidValueError, match="`name_a` and `name_b` name two models"):
            result.summary(name_a="forest")
        return
    text = result.summary(name_a="forest", name_b="tree")
    assert "forest" in text
    assert "tree" in text
    assert result.names == ("a", "b")
    assert "tree" not in result.summary(name_a="forest")


@pytest.mark.parametrize(
    ("options", "error", "match"),
    [
        ({"confidence_level": 95}, fc.InvalidValueError, r"Did you mean 0\.95"),
        ({"name_a": 3}, fc.InvalidTypeError, "`name_a` must be a text"),
        ({"name_b": " "}, fc.InvalidValueError, "`name_b` must name a model"),
        ({"name_a": "b"}, fc.InvalidValueError, "must differ, got 'b' for both"),
    ],
)
def test_options_that_cannot_mean_anything_are_refused(options, error, match):
    with pytest.raises(error, match=match):
        result_of("two", PLAIN).summary(**options)


OWN = {  # tests of several models, and the interval of one
    "auc clusters": ("scores", fc.delong_test, fc.roc_auc_interval, {"groups": GROUPS}),
    "auc weights": ("scores", fc.delong_test, fc.roc_auc_interval, {"sample_weight": 1.0 + Y}),
    "auc counts": ("scores", fc.delong_test, fc.roc_auc_interval, {"frequency_weight": 1 + Y}),
    "shares": ("labels", fc.two_proportions_test, fc.accuracy_interval, {"groups": GROUPS}),
    "labels": ("labels", fc.mcnemar_pairwise_test, fc.accuracy_interval, {"groups": GROUPS}),
    "means": ("items", fc.mean_pairwise_test, fc.mean_interval, {}),
    "means clusters": ("items", fc.mean_pairwise_test, fc.mean_interval, {"groups": GROUPS}),
    "mean weights": ("items", fc.mean_pairwise_test, fc.mean_interval, {"sample_weight": 1.0 + Y}),
    "covariance": ("items", fc.mean_covariance, fc.mean_interval, {"groups": GROUPS}),
    "board": ("items", fc.leaderboard, fc.mean_interval, {"groups": GROUPS}),
}


@quiet
@pytest.mark.parametrize("kind", OWN)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_models_have_the_intervals_that_each_has_alone(kind, level):
    of, test, alone, options = OWN[kind]
    data = {"scores": scored, "labels": labelled, "items": probabilities}[of]("ab")
    first = () if of == "items" else (Y,)
    models = test(*first, data, **options).to_frame(of="models", confidence_level=level)
    for name, low, high in zip(models["model"], models["ci_low"], models["ci_high"], strict=True):
        want = alone(*first, data[name], **options).confidence_interval(level)
        np.testing.assert_allclose((low, high), want, rtol=1e-9)
