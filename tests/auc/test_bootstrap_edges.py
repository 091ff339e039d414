"""bootstrap_auc_test: what is refused, and data on which little or nothing is defined."""

import math

import numpy as np
import pytest

import fastcompare as fc
from tests.auc.test_bootstrap import case
from tests.auc.test_bootstrap_laws import METHODS, SILENT, A, B, Y, run_test


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"rng": np.random.RandomState(1)}, TypeError, "RandomState"),
        ({"rng": -1}, ValueError, "`rng` must be at least 0, got -1"),
        ({"rng": "1"}, TypeError, "`rng`"),
        ({"rng": True}, TypeError, "`rng`"),
        ({"rng": np.bool_(True)}, TypeError, "`rng`"),
        ({"rng": 1.0}, TypeError, "`rng`"),
        ({"n_resamples": 0}, ValueError, "`n_resamples` must be at least 1, got 0"),
        ({"n_resamples": -1}, ValueError, "`n_resamples`"),
        ({"n_resamples": 1.5}, TypeError, "`n_resamples` must be an integer, got 1.5"),
        ({"n_resamples": True}, TypeError, "`n_resamples`"),
        ({"n_resamples": "99"}, TypeError, "`n_resamples`"),
        ({"n_resamples": 10**12}, MemoryError, "GiB.*use fewer resamples"),
        ({"n_resamples": 10**30}, MemoryError, "use fewer resamples"),
        ({"n_jobs": 0}, ValueError, "`n_jobs`"),
        ({"n_jobs": -2}, ValueError, "`n_jobs`"),
        ({"n_jobs": 1.0}, TypeError, "`n_jobs`"),
        ({"executor": 4}, TypeError, "`executor`"),
        ({"progress": "yes"}, TypeError, "`progress`"),
        ({"progress": 1}, TypeError, "`progress`"),
        ({"n_resamples": 10**400}, MemoryError, "use fewer resamples"),
        ({"n_jobs": np.ones(2)}, TypeError, "`n_jobs`"),
        ({"stratified": "no"}, TypeError, "`stratified` must be True or False, got 'no'"),
        ({"stratified": Y}, TypeError, "`stratified`"),
        ({"keep": "no"}, TypeError, "`keep` must be True or False, got 'no'"),
        ({"on_undefined": np.ones(2)}, TypeError, "`on_undefined`"),
        (
            {"margin": 10**400, "alternative": "less"},
            ValueError,
            "`margin` must be a number in the",
        ),
        ({"method": "student"}, ValueError, "`method`"),
        ({"alternative": "equivalence"}, ValueError, "`margin`"),
        ({"margin": 0.1}, ValueError, "`margin`"),
        ({"method": "studentized", "groups": Y}, ValueError, "'percentile' or 'bca'"),
        ({"groups": Y[:9]}, ValueError, "`groups`"),
    ],
)
@pytest.mark.usefixtures("unbounded")
def test_what_cannot_be_meant_is_refused_by_name(options, error, message):
    with pytest.raises(error, match=message):
        run_test(Y, A, B, **options)


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [-1, 10**6])
def test_more_threads_than_cores_are_capped(n_jobs):
    assert run_test(Y, A, B, n_jobs=n_jobs).pvalue == run_test(Y, A, B).pvalue


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("labels", "status"), [([1, 1, 1, 1], "one_class"), ([0, 0, 0, 1], "too_few")]
)
def test_too_few_cases_of_a_class_leave_nothing(method, labels, status):
    with pytest.warns(fc.UndefinedResultWarning, match=status):
        result = run_test(labels, [1, 2, 3, 4], [1, 3, 2, 0], method=method)
    assert result.status == status
    for value in (result.pvalue, result.standard_error, *result.confidence_interval()):
        assert math.isnan(value)
    assert (result.n_resamples, result.n_left_out) == (0, 0)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_separation_against_a_constant_has_no_variance(method):
    labels = np.repeat([0, 1], 10)
    with pytest.warns(fc.UndefinedResultWarning, match="zero_variance"):
        result = run_test(labels, labels, np.zeros(20), method=method)
    assert (result.estimate, result.standard_error, result.statistic) == (0.5, 0.0, math.inf)
    assert math.isnan(result.pvalue)
    assert np.isnan(result.confidence_interval()).all()


@pytest.mark.slow
def test_replicates_without_a_class_are_left_out_and_counted():
    labels = np.arange(12) < 2
    a, b = np.arange(12.0) % 5, -np.arange(12.0) % 7
    result = run_test(labels, a, b, stratified=False, n_resamples=2000, keep=True)
    expected = (10 / 12) ** 12 + (2 / 12) ** 12
    assert result.n_left_out / 2000 == pytest.approx(expected, abs=4 * math.sqrt(expected / 2000))
    assert result.n_resamples == result.distribution.size == 2000 - result.n_left_out
    assert np.isfinite(result.distribution).all()
    pure = np.repeat([0, 1, 2, 3], 3)  # groups of one class each
    grouped = run_test(pure % 2, a, b, groups=pure, n_resamples=2000)
    assert grouped.n_left_out / 2000 == pytest.approx(2 * 0.5**4, abs=0.03)


@pytest.mark.slow
def test_studentized_replicates_without_an_error_are_left_out():
    labels = [0, 0, 1, 1]
    result = run_test(labels, [1, 3, 2, 4], [3, 2, 1, 4], method="studentized", n_resamples=999)
    assert 100 < result.n_left_out < 900
    assert 0.0 < result.pvalue <= 1.0


def test_one_replicate_of_an_auc_says_nothing():
    with pytest.warns(fc.UndefinedResultWarning, match="too_few_resamples"):
        result = fc.roc_auc_interval(Y, A, method="bootstrap", n_resamples=1, rng=1)
    assert result.estimate == fc.roc_auc(Y, A)
    assert np.isnan(result.confidence_interval()).all()


@pytest.mark.parametrize("method", METHODS)
def test_one_replicate_says_nothing(method):
    result = run_test(Y, A, B, method=method, n_resamples=1, **SILENT)
    assert result.status == "too_few_resamples"
    assert np.isnan([result.pvalue, result.standard_error, *result.confidence_interval()]).all()
    with pytest.raises(fc.UndefinedResultError, match="too_few_resamples"):
        run_test(Y, A, B, method=method, n_resamples=1, on_undefined="raise")


def test_far_tails_of_the_normal_approximation_keep_their_logarithm(requires_jit):
    labels, _, b = case(10_000, 7, shift=0.0)
    result = run_test(labels, labels + 1e-3 * b, b, method="normal")
    assert result.pvalue == 0.0
    assert -5e4 < result.log_pvalue < -700


@pytest.mark.slow
def test_ends_beyond_the_parameter_space_are_cut_and_say_so():
    labels, a = np.repeat([0, 1], 6), np.r_[0:6, 5:11] / 10
    result = run_test(labels, a, -a, method="normal")
    assert result.confidence_interval().high == 1.0
    assert result.confidence_interval().clipped
    open_side = run_test(Y, A, B, alternative="greater").confidence_interval()
    assert open_side.high == 1.0
    assert not open_side.clipped


@pytest.mark.slow
def test_missing_values_are_left_out_on_request():
    a, groups = np.where(np.arange(60) == 7, np.nan, A), np.arange(60) // 2
    with pytest.raises(ValueError, match="index 7"):
        run_test(Y, a, B)
    kept = np.arange(60) != 7
    for words, rest in (({}, {}), ({"groups": groups}, {"groups": groups[kept]})):
        with pytest.warns(fc.DroppedCasesWarning):
            result = run_test(Y, a, B, nan_policy="omit", keep=True, **words)
        expected = run_test(Y[kept], A[kept], B[kept], keep=True, **rest)
        np.testing.assert_array_equal(result.distribution, expected.distribution)
        assert result.n_dropped == 1


@pytest.mark.parametrize(
    ("options", "claim"),
    [
        ({"alternative": "greater"}, "difference > 0, 99 resamples"),
        ({"alternative": "less", "margin": 0.2}, "difference < 0.2, 99 resamples"),
        ({"alternative": "equivalence", "margin": 0.2}, "|difference| < 0.2, 99 res"),
    ],
)
@pytest.mark.parametrize("call", [fc.bootstrap_auc_test, fc.average_precision_test])
def test_the_summary_says_what_is_claimed(call, options, claim):
    assert claim in call(Y, A, B, n_resamples=99, rng=0, **options).summary()
