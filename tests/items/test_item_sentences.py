"""Sentences of mean scores: what is rough or undefined is said, and no number that is none."""

import numpy as np
import pytest

import fastcompare as fc

QUIET = {"on_undefined": "ignore"}


def test_equal_weights_are_none_for_the_status_too_in_paired_mean_test():
    a, b = np.array([0, 0, 0, 0, 0, 0, 0, 9.0]), np.zeros(8)
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        plain = fc.paired_mean_test(a, b, method="t")
    with pytest.warns(fc.SmallSampleWarning, match="small_sample"):
        weighted = fc.paired_mean_test(a, b, method="t", sample_weight=np.full(8, 2.0))
    assert (weighted.status, weighted.df) == (plain.status, plain.df)


UNDEFINED = {
    "one item": {"rows": 1},
    "one cluster": {"groups": [1] * 4},
    "one item of a stratum": {"strata": [1, 1, 1, 2]},
    "no variance": {"shift": 1.0},
    "clusters of two kinds": {"groups": [[1, 1], [1, 2], [2, 1], [2, 2]]},
}


def summaries(rows=4, shift=None, **linking):
    """Return what all tests of mean scores say of two models."""
    a = np.array([1.0, 0.0, 0.0, 1.0])[:rows]
    b = np.zeros(rows) if shift is None else a - shift
    table = np.column_stack([a, b])
    options = {**linking, **QUIET}
    yield fc.paired_mean_test(a, b, **options)
    yield fc.mean_interval(np.ones(rows) if shift else a, **options)
    yield fc.mean_covariance(table, **options)
    yield fc.mean_omnibus_test(table, **options)
    yield fc.mean_omnibus_test(table[:, [0, 0]], **options)
    yield fc.mean_pairwise_test(table, **options)
    if "strata" not in linking:
        yield fc.leaderboard(table, **options)
    yield fc.paired_mean_test(a, b, **options).planning(n=30)


@pytest.mark.parametrize("case", UNDEFINED)
def test_what_is_undefined_is_said_without_nan(case):
    for result in summaries(**UNDEFINED[case]):
        said = result.summary()
        assert "nan" not in said, said
        assert "1 items" not in said, said
        assert "1 clusters" not in said, said


def test_cautions_name_their_reason():
    one = fc.paired_mean_test([1], [0], **QUIET)
    assert one.summary() == (
        "The mean scores are 1 and 0, a difference of 1 (1 item; paired t-test, p undefined). "
        "Undefined: there is only one case: the variance cannot be estimated."
    )
    for constant in (
        fc.paired_mean_test([0.3] * 9, [0.5] * 9, **QUIET),
        fc.ratio_test([0.3] * 9, [0.5] * 9, [1] * 9, **QUIET),
    ):
        assert "p undefined" in constant.summary()
        assert " Undefined: the estimated variance is 0" in constant.summary()
        assert "Caution" not in constant.summary()
    flips = fc.paired_mean_test([0.3] * 9, [0.5] * 9, method="sign-flip", **QUIET)
    assert " Caution: the estimated variance is 0" in flips.summary()  # its p-value is valid
    few = fc.paired_mean_test([1.5, 0.3], [0, 0.2], **QUIET)
    assert few.summary().endswith("There is only 1 degree of freedom, so the interval is wide.")
    lags = fc.mean_interval([0.3, -0.5, 0.2, -0.1, 0.2, -0.1, 0.4, -0.6], lags=1, **QUIET)
    assert lags.status == "bartlett"
    assert "Bartlett weights" in lags.summary()


@pytest.mark.parametrize("test", [fc.leaderboard, fc.mean_pairwise_test])
def test_few_degrees_of_freedom_and_their_joint_level_are_said(test):
    said = "With only 4 degrees of freedom for 3 models max-t exceeds its level"
    table, few = np.random.default_rng(0).normal(size=(60, 3)), {"groups": np.arange(60) % 5}
    assert said in test(table, **few, correction="max-t").summary()
    assert "max-t" not in test(table, **few).summary()
    for result in (test(table, correction="max-t"), test(table[:, :2], **few, correction="max-t")):
        assert "exceeds its level" not in result.summary()  # one pair has no joint level
    if test is fc.leaderboard:
        drawn = test(table, **few, method="bootstrap", n_resamples=99)
        assert "exceeds its level" not in drawn.summary()


def test_plans_say_whose_samples_are_meant_in_paired_mean_test():
    rng = np.random.default_rng(1)
    result = fc.paired_mean_test(rng.random((9, 3)), rng.random((9, 2)))
    assert "9 items with 5 samples each by the first model and 1 by the second the" in (
        result.planning(samples=(5, 1)).summary()
    )
    endless = result.planning(samples=float("inf")).summary()
    assert "9 items with infinitely many samples each" in endless
    assert "9 items with 1 sample each" in result.planning(samples=1).summary()


@pytest.mark.parametrize("size", [1e-200, 1e200])
@pytest.mark.parametrize("kind", [np.array, list])
def test_scores_whose_squares_are_out_of_range_are_refused(size, kind):
    a, b = kind(size * np.array([1.0, 0.5, 0.25, 0.7])), kind(np.zeros(4))
    for test in (fc.paired_mean_test, lambda a, b: fc.mean_interval(a)):
        with pytest.raises(
            fc.InvalidValueError, match="`scores` must all be 0, or the largest absolute value"
        ):
            test(a, b)
    for test in (fc.mean_pairwise_test, fc.mean_covariance, fc.mean_omnibus_test, fc.leaderboard):
        with pytest.raises(fc.InvalidValueError, match="multiply all by one number"):
            test(np.column_stack([a, b]))


@pytest.mark.parametrize(("clusters", "end"), [(5, np.inf), (6, 0.0)])  # 2^-5 is above 2.5%
def test_signs_that_do_not_vary_say_how_many_they_are_in_paired_mean_test(clusters, end):
    groups = [0, *range(clusters)]
    result = fc.paired_mean_test(
        [0.0] * len(groups), groups=groups, method="sign-flip", on_undefined="ignore"
    )
    assert result.confidence_interval() == (-end, end)
    assert f"by signs of {clusters} clusters that do not vary" in result.summary()


LARGE = np.repeat(np.arange(9), [40, *[3] * 8])  # a cluster larger than all others together


@pytest.mark.parametrize(
    ("lead", "options", "named"),
    [
        (0.2, {"groups": LARGE}, "clusters"),
        (0.3, {"sample_weight": 1.0 + 30.0 * (np.arange(64) < 3)}, "weights"),
        (0.14, {"groups": np.repeat(np.arange(8), 8)}, ""),  # of equal sizes
        (0.05, {"groups": LARGE}, ""),  # nothing to find
        (0.45, {"groups": LARGE}, ""),  # significant
        (0.08, {"groups": LARGE, "margin": 0.02, "alternative": "greater"}, ""),
    ],
)
def test_summary_names_signs_of_clusters_where_unequal_ones_cost_power(lead, options, named):
    d = np.sin(np.arange(64.0)) * 1.4 + lead
    found = fc.paired_mean_test(d, np.zeros(64), **options, **QUIET)
    assert ("method='sign-flip' has more power" in found.summary()) is bool(named)
    assert (0.05 < found.pvalue <= 0.2) is (lead not in (0.05, 0.45))
    if named:
        assert f"With such unequal {named} " in found.summary()
        signs = fc.paired_mean_test(d, np.zeros(64), method="sign-flip", **options, **QUIET)
        assert "sign-flip" in signs.method
        assert "more power" not in signs.summary()


def test_summary_of_chunks_names_no_test_that_chunks_lack_in_paired_mean_test():
    d = np.sin(np.arange(64.0)) * 1.4 + 0.2
    whole = fc.paired_mean_test(d, np.zeros(64), groups=LARGE, **QUIET)
    chunked = fc.paired_mean_test([(d, np.zeros(64), LARGE)], **QUIET)
    assert whole.pvalue == pytest.approx(chunked.pvalue)
    assert "sign-flip" in whole.summary()
    assert "sign-flip" not in chunked.summary()


def test_the_sentence_of_mean_interval_has_its_reference_distribution():
    scores = np.arange(20) % 7 / 3.0
    for options, by in (({}, "t(19)"), ({"groups": np.arange(20) // 4}, "t(4)")):
        assert f", {by}; 20 items" in fc.mean_interval(scores, **options).summary()
    assert ", Wilson's method; 20 items" in fc.mean_interval(scores > 1.0).summary()


def test_leaderboards_say_which_pairs_have_no_test():
    scores = {"a": np.ones(20), "b": np.full(20, 0.5), "c": np.linspace(0, 1, 20)}
    for options in ({}, {"method": "bootstrap", "n_resamples": 99, "rng": 0}):
        text = fc.leaderboard(scores, **QUIET, **options).summary()
        assert "b could not be tested against it" in text
        assert "b does not differ" not in text
    same = fc.leaderboard({"a": [0.5] * 9, "b": [0.5] * 9, "c": [0.1, 0.2, 0.3] * 3}, **QUIET)
    assert "b does not differ significantly from a; c is significantly worse" in same.summary()


def test_leaderboards_share_the_best_mean_where_models_tie():
    text = fc.leaderboard({"b": [1, 1, 0] * 4, "a": [1, 1, 0] * 4}).summary()
    assert text.startswith("b and a share the highest mean score of 2 models, 0.6667")


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_sentences_of_leaderboards_agree_with_ranks_of_one_side(alternative):
    noise = np.random.default_rng(0).normal(size=(3, 40)) / 9
    scores = dict(zip("abc", noise + np.arange(3.0)[:, None], strict=True))
    result = fc.leaderboard(scores, alternative=alternative)
    text = result.summary()
    assert ("It is significantly better than b and a." in text) == (alternative == "greater")
    assert ("b and a are significantly worse" in text) == (alternative != "greater")
    assert ("upper limits" in text) == (result.rank_low[1:].tolist() == [1, 1])
    assert ("lower limits" in text) == (result.rank_high[0] == 3)


def test_models_whose_scores_do_not_vary_are_named_beside_their_missing_intervals():
    table = {"a": np.ones(20), "b": np.linspace(0, 1, 20), "c": np.linspace(0.2, 0.9, 20)}
    for test in (fc.leaderboard, fc.mean_pairwise_test):
        result = test(table, **QUIET)
        rows = result.to_frame("pandas", of="models").set_index("model")
        assert rows["ci_low"].isna().to_dict() == {"a": True, "b": False, "c": False}
        assert "The mean of a has a standard error of 0, so it has no interval." in result.summary()
        answers = {name: np.round(values) for name, values in table.items()}
        assert "no interval" not in test(answers, **QUIET).summary()  # Wilson's


def test_a_bootstrap_leaderboard_has_no_interval_of_a_model_whose_scores_are_all_equal():
    table = {"a": np.full(20, 0.8), "b": np.linspace(0, 1, 20)}
    result = fc.leaderboard(table, method="bootstrap", rng=0, n_resamples=200, **QUIET)
    rows = result.to_frame("pandas", of="models").set_index("model")
    assert rows["ci_low"].isna().to_dict() == {"a": True, "b": False}
    assert "The mean of a has a standard error of 0, so it has no interval." in result.summary()
