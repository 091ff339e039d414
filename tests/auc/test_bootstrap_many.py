"""The bootstrap of k models at once."""

import json
import re
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from tests.shared.documents import T2

METHODS = ("percentile", "basic", "bca", "normal")


def problem(n=60, k=4, seed=0):
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3 == 0
    return labels, labels[:, None] + rng.normal(size=(n, k)) + rng.normal(size=(n, 1))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("stratified", [True, False])
def test_every_pair_is_the_paired_test_of_the_same_seed(method, stratified, requires_jit):
    labels, scores = problem()
    options = {"method": method, "stratified": stratified, "rng": 3, "n_resamples": 199}
    many = fc.bootstrap_auc(labels, scores, **options)
    low, high = many.confidence_interval(0.9)
    row = 0
    for i in range(4):
        for j in range(i + 1, 4):
            pair = fc.bootstrap_auc_test(labels, scores[:, i], scores[:, j], **options)
            assert many.estimate[row] == pair.estimate
            assert many.standard_error[row] == pytest.approx(pair.standard_error, rel=1e-12)
            assert many.pvalue[row] == pytest.approx(pair.pvalue, rel=1e-12)
            ends = pair.confidence_interval(0.9)
            assert (low[row], high[row]) == pytest.approx(ends, rel=1e-12)
            row += 1


def test_adjusted_pvalues_are_those_of_the_correction_in_bootstrap_auc():
    result = fc.bootstrap_auc(*problem(), rng=0, n_resamples=199, correction="bonferroni")
    assert_array_equal(result.adjusted_pvalue, np.minimum(6 * result.pvalue, 1.0))


def test_standard_errors_are_near_delongs(requires_jit):
    labels, scores = problem(n=900)
    ours = fc.bootstrap_auc(labels, scores, rng=0)
    delong = fc.delong_pairwise_test(labels, scores)
    assert_allclose(ours.auc, delong.auc, rtol=1e-14)
    assert_allclose(ours.covariance, delong.covariance, rtol=0.06, atol=2e-6)
    assert_allclose(ours.standard_error, delong.standard_error, rtol=0.04)


def test_one_model_has_its_interval_and_no_pairs():
    labels, scores = problem()
    result = fc.bootstrap_auc(labels, {"only": scores[:, 0]}, rng=0, n_resamples=99)
    interval = fc.roc_auc_interval(
        labels, scores[:, 0], method="bootstrap", rng=0, n_resamples=99
    ).confidence_interval()
    assert result.pairs == ()
    assert result.pvalue.shape == (0,)
    assert [float(end[0]) for end in result.auc_interval()] == list(interval)
    assert result.names == ("only",)


@pytest.mark.slow
def test_simultaneous_intervals_are_wider_and_symmetric_in_bootstrap_auc():
    result = fc.bootstrap_auc(*problem(), rng=0, n_resamples=999, alternative="two-sided")
    for interval, centre in (
        (result.auc_interval, result.auc),
        (result.confidence_interval, result.estimate),
    ):
        low, high = interval(simultaneous=True)
        alone = interval()
        assert ((high - low) > (alone.high - alone.low) * 1.05).all()
        assert_allclose(high - centre, centre - low, rtol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("alternative", "bound"), [("greater", 1), ("less", 0)])
def test_one_sided_intervals_end_at_the_bound_in_bootstrap_auc(alternative, bound):
    result = fc.bootstrap_auc(*problem(), rng=0, n_resamples=199, alternative=alternative)
    for simultaneous in (False, True):
        assert (abs(result.confidence_interval(simultaneous=simultaneous)[bound]) == 1.0).all()


@pytest.mark.slow
def test_simultaneous_intervals_cover_together_in_bootstrap_auc(requires_jit):
    together = apart = 0
    rng = np.random.default_rng(1)
    labels = np.arange(200) % 2 == 0
    for trial in range(200):
        scores = 1.2 * labels[:, None] + rng.normal(size=(200, 5))
        result = fc.bootstrap_auc(labels, scores, rng=trial, n_resamples=999)
        truth = 0.8019  # Phi(1.2 / sqrt 2)
        for simultaneous in (False, True):
            low, high = result.auc_interval(simultaneous=simultaneous)
            covered = bool(((low < truth) & (truth < high)).all())
            together += covered and simultaneous
            apart += covered and not simultaneous
    assert 0.90 <= together / 200 <= 0.99  # nominal 0.95, standard error 0.015
    assert apart / 200 < 0.88  # 0.95^5 = 0.77


@pytest.mark.slow
def test_replicates_are_kept_on_demand_in_bootstrap_auc():
    labels, scores = problem()
    kept = fc.bootstrap_auc(labels, scores, rng=0, n_resamples=70, keep=True)
    assert kept.distribution.shape == (4, 70)
    assert_allclose(np.cov(kept.distribution), kept.covariance)
    assert fc.bootstrap_auc(labels, scores, rng=0, n_resamples=70).distribution is None


@pytest.mark.slow
def test_the_same_bits_for_any_number_of_threads_in_bootstrap_auc():
    labels, scores = problem()
    one, two = (
        fc.bootstrap_auc(labels, scores, rng=5, n_resamples=700, n_jobs=jobs, keep=True)
        for jobs in (1, 2)
    )
    assert_array_equal(one.distribution, two.distribution)


def test_names_and_plain_values_reach_the_dictionary_in_bootstrap_auc():
    labels, scores = problem(k=2)
    result = fc.bootstrap_auc(labels, {"a": scores[:, 0], "b": scores[:, 1]}, rng=0, n_resamples=99)
    assert result.pairs == (("a", "b"),)
    assert json.loads(json.dumps(result.to_dict()))["names"] == ["a", "b"]
    assert not any(name.startswith("_") for name in result.to_dict())
    assert re.search(r"(?m)^difference +-?[0-9.]+ +-?[0-9.]+ to -?[0-9.]+", str(result))


def test_identical_models_have_p_1_and_the_others_their_own_in_bootstrap_auc():
    scores = np.array([T2["a"], T2["a"], T2["b"]]).T
    result = fc.bootstrap_auc(T2["y"], scores, rng=0, n_resamples=199)
    assert result.pvalue[0] == 1.0
    assert result.status[0] == "identical"
    assert 0.0 < result.pvalue[1] < 1.0
    reach = 1 - 0.025 ** (1 / 6)  # of the 6 negatives
    low, high = result.confidence_interval()
    np.testing.assert_allclose([low[0], high[0]], [-reach, reach])


def test_a_missing_class_leaves_everything_undefined_in_bootstrap_auc():
    with pytest.warns(fc.UndefinedResultWarning, match="one_class"):
        result = fc.bootstrap_auc([1, 1, 1], np.ones((3, 2)), rng=0)
    assert np.isnan(result.pvalue).all()
    assert np.isnan(result.auc).all()
    assert np.isnan(result.auc_interval().low).all()
    assert result.n_resamples == 0


def test_replicates_without_a_class_are_counted_in_bootstrap_auc():
    labels = np.array([1, 1, 0, 0, 0, 0])
    scores = np.random.default_rng(0).normal(size=(6, 2))
    result = fc.bootstrap_auc(labels, scores, rng=0, n_resamples=500, stratified=False)
    expected = (4 / 6) ** 6 + (2 / 6) ** 6  # no positive, no negative
    assert result.n_resamples + result.n_left_out == 500
    assert abs(result.n_left_out / 500 - expected) < 4 * np.sqrt(expected / 500)


@pytest.mark.slow
def test_whole_groups_are_drawn_in_bootstrap_auc():
    labels, scores = problem(n=40)
    doubled = fc.bootstrap_auc(
        np.tile(labels, 2),
        np.tile(scores, (2, 1)),
        groups=np.tile(np.arange(40), 2),
        rng=0,
        n_resamples=199,
    )
    single = fc.bootstrap_auc(labels, scores, stratified=False, rng=0, n_resamples=199)
    assert_array_equal(doubled.covariance.round(12), single.covariance.round(12))


@pytest.mark.usefixtures("unbounded")
def test_a_memory_error_comes_before_the_work_in_bootstrap_auc():
    with pytest.raises(MemoryError, match="resamples"):
        fc.bootstrap_auc(*problem(), n_resamples=10**13)


def test_models_that_separate_perfectly_have_no_intervals_of_one_point_in_bootstrap_auc():
    labels = np.arange(8) % 2
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", fc.UndefinedResultWarning)
        result = fc.bootstrap_auc(
            labels, np.stack([labels, labels], 1) * 1.0, rng=0, n_resamples=99
        )
    assert np.isnan(result.auc_interval(simultaneous=True)).all()
    assert result.status.tolist() == ["perfect_separation"]
    assert "do not vary over the replicates; roc_auc_interval gives each" in result.summary()


@pytest.mark.parametrize(
    ("scores", "status", "reason"),
    [
        (np.arange(8) % 2, "perfect_separation", "Undefined: the classes are perfectly separated"),
        (np.zeros(8), "constant_scores", "Undefined: all scores are equal"),
    ],
)
def test_one_model_without_variance_has_no_interval_in_bootstrap_auc(scores, status, reason):
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        result = fc.bootstrap_auc(np.arange(8) % 2, scores, rng=0, n_resamples=99)
    assert np.isnan(result.auc_interval()).all()
    assert "95% CI undefined" in result.summary()
    assert reason in result.summary()


@pytest.mark.parametrize("simultaneous", [False, True])
def test_without_replicates_that_vary_intervals_are_those_of_the_paired_test(simultaneous):
    labels, scores = [1, 1, 0, 0], {"a": [9, 8, 2, 3], "b": [-2, -1, 2, 3], "c": [7, 7, 1, 1]}
    options = {"rng": 0, "n_resamples": 99, "on_undefined": "ignore"}
    result = fc.bootstrap_auc(labels, scores, **options)
    pairs = result.confidence_interval(simultaneous=simultaneous)
    for row, (a, b) in enumerate(result.pairs):
        alone = fc.bootstrap_auc_test(labels, scores[a], scores[b], **options)
        alone = alone.confidence_interval(1 - 0.05 / 3 if simultaneous else 0.95)
        assert_array_equal([pairs.low[row], pairs.high[row]], list(alone))
    assert np.isnan(result.auc_interval(simultaneous=simultaneous)).all()


@pytest.mark.parametrize("simultaneous", [False, True])
@pytest.mark.parametrize("labels", [[1, 0, 0, 0], [1, 1, 0, 0]])
def test_too_few_cases_or_replicates_have_no_intervals_in_bootstrap_auc(labels, simultaneous):
    scores = {"a": [9, 1, 2, 3], "b": [2.5, 1, 2, 3]}
    result = fc.bootstrap_auc(labels, scores, rng=0, n_resamples=1, on_undefined="ignore")
    for interval in (result.auc_interval, result.confidence_interval):
        assert np.isnan(interval(simultaneous=simultaneous)).all()


def test_few_replicates_have_simultaneous_intervals_without_bounds_in_bootstrap_auc():
    labels, scores = [1, 1, 1, 0, 0], {"a": [9, 8, 9, 2, 3], "b": [2.5, 1, 4, 2, 3]}
    result = fc.bootstrap_auc(labels, scores, rng=0, n_resamples=7)
    low, high = result.auc_interval(simultaneous=True)
    assert_array_equal((low, high), ([np.nan, 0.0], [np.nan, 1.0]))


def test_far_normal_tails_keep_their_logarithms(requires_jit):
    labels = np.repeat([0, 1], 4000)
    noise = np.random.default_rng(0).normal(size=8000)
    scores = {"a": labels + 0.1 * noise, "b": noise}
    result = fc.bootstrap_auc(labels, scores, rng=0, n_resamples=99, method="normal")
    alone = fc.bootstrap_auc_test(labels, *scores.values(), rng=0, n_resamples=99, method="normal")
    assert result.pvalue[0] == 0.0
    assert_allclose(result.log_pvalue[0], alone.log_pvalue, rtol=1e-12)


@pytest.mark.slow
def test_too_few_resamples_for_so_many_pairs_are_said_in_bootstrap_auc():
    few, many = (
        fc.bootstrap_auc(*problem(), rng=0, n_resamples=number).summary() for number in (99, 999)
    )
    assert "99 resamples and 6 pairs" in few
    assert "resamples" not in many


@pytest.mark.parametrize(("alpha", "is_said"), [(0.1, False), (0.05, True), (0.01, True)])
def test_more_resamples_are_asked_for_if_the_level_cannot_be_reached(alpha, is_said):
    labels = np.arange(40) % 2
    scores = np.random.default_rng(0).normal(size=(40, 3)) + labels[:, None] * [0.0, 1.0, 3.0]
    options = {"n_resamples": 79, "alpha": alpha, "correction": "bonferroni", "rng": 0}
    result = fc.bootstrap_auc(labels, scores, **options)
    assert result.adjusted_pvalue.min() >= 3 * 2 / 80
    assert ("use more resamples" in result.summary()) == is_said


def test_only_defined_pvalues_are_said_to_need_more_resamples():
    labels, scores = np.arange(12) % 2, np.random.default_rng(0).normal(size=(12, 6))
    options = {"n_resamples": 9, "rng": 0, "on_undefined": "ignore"}
    assert "below 1: use more" in fc.bootstrap_auc(labels, scores, **options).summary()
    assert "below" not in fc.bootstrap_auc(np.ones(12, int), scores, **options).summary()
