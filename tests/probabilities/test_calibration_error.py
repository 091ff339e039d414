"""The expected calibration error: its null distribution, its bias, and the errors it refutes."""

import copy
import itertools
import math
import pickle
from concurrent.futures import ProcessPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import expit, logit

import fastcompare as fc
from fastcompare._resampling.bootstrap import as_draws
from fastcompare._resampling.labels import (
    BinnedRandomLabels,
    poisson_binomial,
    random_labels_by_bin,
)
from fastcompare.kernels.normals import distance_moments, folded_moments
from fastcompare.probabilities._calibration_error import (
    BinGaps,
    ErrorInversion,
    ErrorMoments,
    type_three_tail,
)
from tests.probabilities.test_calibration import simulated


def all_errors(p, n_bins):
    """The error of every vector of labels, and its chance."""
    numbers = np.minimum((p * n_bins).astype(int), n_bins - 1)
    for labels in itertools.product((0, 1), repeat=p.size):
        d = p - labels
        chance = math.prod(np.where(labels, p, 1 - p))
        yield np.abs(np.bincount(numbers, d)).sum() / p.size, chance


@pytest.mark.parametrize("seed", range(3))
def test_expectation_and_pvalue_are_those_of_all_labels_in_calibration_error(seed, requires_jit):
    rng = np.random.default_rng(seed)
    p = rng.random(10).round(2)
    y = (rng.random(10) < p).astype(int)
    result = fc.calibration_error(y, p, n_bins=3, rng=seed, n_resamples=20_000)
    errors, chances = np.array(list(all_errors(p, 3))).T
    assert_allclose(result.expected, errors @ chances, rtol=1e-12)
    want = chances[errors >= result.estimate - 1e-12].sum()
    assert_allclose(result.pvalue, want, atol=4 * math.sqrt(want * (1 - want) / 20_000) + 1e-4)


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=40))
@settings(max_examples=30, deadline=None)
def test_chances_of_a_number_of_positives_are_products_of_polynomials(p):
    want = np.ones(1)
    for q in p:
        want = np.convolve(want, [1 - q, q])
    count = poisson_binomial(np.array(p))
    found = np.zeros(len(p) + 1)
    found[count.first : count.first + count.pmf.size] = count.pmf
    assert_allclose(found, want, atol=1e-15)


def test_chances_of_many_cases_are_joined_from_halves():
    p = np.random.default_rng(0).beta(0.5, 2.0, 3000)
    want = np.ones(1)
    for q in p:
        want = np.convolve(want, [1 - q, q])
    count = poisson_binomial(p)
    found = want[count.first : count.first + count.pmf.size]
    assert_allclose(count.pmf, found, rtol=1e-9, atol=1e-20)
    assert_allclose(count.pmf.sum(), 1.0, rtol=1e-13)


def test_drawn_positives_have_the_chances_of_their_bins(requires_jit):
    p = np.sort(np.random.default_rng(1).random(60))
    drawn = random_labels_by_bin(p, np.array([20, 60]))
    y = (np.random.default_rng(2).random((40_000, 60)) < p).astype(int)
    want = sum(abs(p[part].sum() - y[:, part].sum(axis=1)) for part in (slice(20), slice(20, 60)))
    errors = drawn.errors(as_draws(rng=3, n_resamples=40_000))
    assert stats.ks_2samp(errors.round(9), want.round(9)).pvalue > 1e-3
    assert_allclose(drawn.expected_error(), errors.mean(), rtol=0.02)


def moments_of(kernel, *numbers):
    out = np.empty((3, 1))
    kernel(*(np.array([float(number)]) for number in numbers), out)
    return out[:, 0]


@given(mean=st.floats(0, 20), deviation=st.floats(0.01, 5))
@settings(max_examples=50, deadline=None)
def test_moments_of_folded_normal_numbers_equal_scipy(mean, deviation):
    found = moments_of(folded_moments, mean, deviation)
    first, variance, skewness, _ = stats.foldnorm.stats(
        mean / deviation, scale=deviation, moments="mvsk"
    )
    assert_allclose(found[:2], [first, variance], rtol=1e-6)
    if mean < 5 * deviation:
        assert_allclose(found[2], skewness * variance**1.5, rtol=1e-5, atol=1e-7 * deviation**3)


@pytest.mark.parametrize(("n", "chance"), [(1, 0.5), (7, 0.3), (90, 0.08), (5000, 0.001)])
def test_moments_of_distances_of_binomial_numbers_follow_the_definition(n, chance):
    centre, k = 0.37 * n * chance + 1, np.arange(n + 1)
    weights = stats.binom.pmf(k, n, chance)
    apart = abs(k - centre)
    first = weights @ apart
    want = [first, weights @ (apart - first) ** 2, weights @ (apart - first) ** 3]
    found = moments_of(distance_moments, n, chance, centre)
    assert_allclose(found, want, rtol=1e-9, atol=1e-14)


def test_moments_of_the_error_are_those_of_samples_from_a_population():
    """Its bins' shares vary beside their labels, which makes half of this variance."""
    rng, n, shares = np.random.default_rng(0), 300, np.array([0.3, 0.3, 0.4])
    forecast, rate = np.array([0.3, 0.5, 0.7]), np.array([0.3, 0.85, 0.6])
    counts = rng.multinomial(n, shares, 40_000)
    drawn = np.abs(counts * forecast - rng.binomial(counts, rate)).sum(axis=1) / n
    found = ErrorInversion(BinGaps(n * shares, forecast, rate, np.ones(3))).moments(pull=0.0)
    assert_allclose((found.mean, found.variance), (drawn.mean(), drawn.var()), rtol=0.02)


def test_a_gap_beyond_its_own_side_is_of_rates_on_the_other():
    """A mean probability .3 is at most .3 above a rate of 0: gaps of .3 to .7 are below a rate."""
    forecast, observed = np.array([0.3, 0.7, 0.3]), np.array([0.2, 0.8, 0.3])
    counts = np.array([6e5, 6e5, 6e5])
    shares, n = np.full(3, 1 / 3), float(counts.sum())
    inversion = ErrorInversion(BinGaps(counts, forecast, observed, np.ones(3)))
    pull = -4.5e6
    sizes = inversion.true_gaps(pull)
    assert ((sizes > 0.31 * shares) & (sizes < 0.69 * shares)).all()
    rate = forecast + np.array([1, -1, 1]) * sizes / shares  # the only ones from 0 to 1
    assert ((rate > 0) & (rate < 1)).all()
    by_labels = (shares * rate * (1 - rate)).sum() / n
    by_shares = ((sizes**2 / shares).sum() - sizes.sum() ** 2) / n
    found = inversion.moments(pull)
    assert_allclose((found.mean, found.variance), (sizes.sum(), by_labels + by_shares), rtol=1e-6)
    assert_allclose(inversion.true_error(-1e12), 0.7, rtol=1e-12)  # rates of 1, 0 and 1
    assert (
        inversion.true_error(inversion.strongest_pull)
        == 0.0
        < inversion.true_error(0.99 * inversion.strongest_pull)
    )


@given(x=st.floats(-4, 4), skewness=st.floats(-1.5, 1.5))
@settings(max_examples=60, deadline=None)
def test_tails_of_type_three_equal_scipy(x, skewness):
    found = type_three_tail(3.0 + 2.0 * x, ErrorMoments(3.0, 4.0, 8.0 * skewness, 0.0))
    assert_allclose(
        found, stats.pearson3.sf(x, skewness), atol=2e-4 if abs(skewness) < 2e-3 else 1e-9
    )


@pytest.mark.slow
@given(seed=st.integers(0, 99), n=st.integers(2, 200), slope=st.sampled_from([0.3, 1.0, 2.0]))
@settings(max_examples=40, deadline=None)
def test_intervals_hold_the_corrected_error_and_widen_with_the_level(seed, n, slope):
    y, p = simulated(n, seed, slope=slope)
    result = fc.calibration_error(y, p, rng=seed, n_resamples=199)
    narrow, wide = (result.confidence_interval(level) for level in (0.8, 0.99))
    assert wide.low <= narrow.low <= narrow.high <= wide.high
    assert (narrow.low == 0.0) or result.pvalue <= 0.1
    assert narrow.low <= result.debiased + 1e-9
    assert result.debiased <= max(narrow.high, result.estimate)
    assert result.debiased == 0.0 or result.estimate > result.expected


@pytest.mark.slow
@given(seed=st.integers(0, 99))
@settings(max_examples=15, deadline=None)
def test_the_other_class_has_the_same_error_in_calibration_error(seed):
    y, p = simulated(150, seed, slope=0.6)
    one = fc.calibration_error(y, p, rng=0, n_resamples=99)
    other = fc.calibration_error(1 - y, 1 - p, rng=0, n_resamples=99)
    for field in ("estimate", "expected", "debiased", "standard_error"):
        assert_allclose(getattr(one, field), getattr(other, field), rtol=1e-6, atol=1e-12)
    assert_allclose(one._inversion.ends(0.025), other._inversion.ends(0.025), rtol=1e-5)


def test_draws_do_not_depend_on_who_draws_in_calibration_error(requires_jit):
    y, p = simulated(300, 2, slope=0.8)
    one = fc.calibration_error(y, p, rng=5)
    threads = fc.calibration_error(y, p, rng=5, n_jobs=3)
    with ProcessPoolExecutor(1) as pool:
        pooled = fc.calibration_error(y, p, rng=5, executor=pool)
    assert one.pvalue == threads.pvalue == pooled.pvalue
    assert one.seed == 5
    basic = fc.calibration_error(y, p, rng=5, method="basic")
    assert (basic.pvalue, basic.expected, basic.debiased) == (
        one.pvalue,
        one.expected,
        one.debiased,
    )


@pytest.mark.slow
def test_calibrated_probabilities_are_rejected_as_often_as_stated(requires_jit):
    p = np.array(
        [fc.calibration_error(*simulated(60, s), rng=s, n_resamples=99).pvalue for s in range(500)]
    )
    for alpha in (0.05, 0.3):
        assert abs((p <= alpha).mean() - alpha) < 4 * math.sqrt(alpha * (1 - alpha) / 500)


@pytest.mark.slow
@pytest.mark.parametrize("bins", ["uniform", "quantile"])
@pytest.mark.parametrize(("slope", "shift"), [(1.0, 0.0), (0.6, 0.0), (1.0, 0.5)])
def test_intervals_cover_the_error_of_the_population(bins, slope, shift, requires_jit):
    rng, covered, n = np.random.default_rng(7), 0, 100
    population = np.sort(expit(rng.normal(size=200_000)))
    sums = np.concatenate([[0.0], np.cumsum(population - expit(shift + slope * logit(population)))])
    for seed in range(150):
        p = expit(rng.normal(size=n))
        y = rng.random(n) < expit(shift + slope * logit(p))
        inner = np.arange(1, 6) / 6
        edges = inner if bins == "uniform" else np.quantile(p, inner)
        at = [0, *np.searchsorted(population, edges), population.size]
        truth = np.abs(np.diff(sums[at])).sum() / population.size
        low, high = fc.calibration_error(
            y, p, n_bins=6, bins=bins, rng=seed, n_resamples=399
        ).confidence_interval()
        covered += low <= truth <= high
    assert covered >= 134  # 95% of 150 less 3 standard errors


@pytest.mark.slow
def test_certain_probabilities_that_come_true_may_still_err_in_calibration_error():
    """No error in 30 cases: below 11.6% by Clopper and Pearson."""
    result = fc.calibration_error([0] * 15 + [1] * 15, [0.0] * 15 + [1.0] * 15, rng=0)
    assert (result.estimate, result.expected, result.debiased, result.pvalue) == (0, 0, 0, 1)
    low, high = result.confidence_interval()
    assert low == 0.0
    assert 0.05 < high < 0.16


def test_no_error_at_all_leaves_errors_that_samples_hide_in_calibration_error():
    """Hardly any sample of 1200 calibrated cases has none: the tail is half of that chance."""
    y = np.concatenate([np.arange(400) < positives for positives in (100, 200, 300)])
    result = fc.calibration_error(y, np.repeat([0.25, 0.5, 0.75], 400), rng=0)
    low, high = result.confidence_interval()
    assert (result.estimate, low) == (0.0, 0.0)
    assert result.expected < high < 2 * result.expected


@pytest.mark.slow
def test_certain_probabilities_that_come_false_are_refuted_in_calibration_error():
    result = fc.calibration_error([1, 0, 0, 0, 1, 1, 1, 1], [0.0] * 4 + [1.0] * 4, rng=0)
    assert result.pvalue == 1 / 10_000
    assert result.confidence_interval().low > 0.0


@pytest.mark.parametrize("positives", [1, 2])
def test_errors_that_differ_by_rounding_tie_in_calibration_error(positives):
    """One positive and two are both a half from 15 tenths, whose sum is not quite 1.5."""
    y = np.arange(15) < positives
    assert fc.calibration_error(y, np.full(15, 0.1), rng=0, n_resamples=999).pvalue == 1.0


@pytest.mark.parametrize("tiny", [0.0, 1e-300, 5e-324])
def test_probabilities_next_to_nothing_are_as_small_ones_in_calibration_error(tiny):
    y = np.repeat([1, 0], [15, 25])
    with np.errstate(all="raise"):
        found = [
            fc.calibration_error(y, np.full(40, p), n_resamples=99, rng=1) for p in (1e-30, tiny)
        ]
        intervals = [result.confidence_interval() for result in found]
    assert_allclose(intervals[0], intervals[1], rtol=1e-9)
    assert_allclose(found[0].debiased, found[1].debiased, rtol=1e-9)


def test_what_takes_time_waits_until_it_is_read_in_calibration_error(monkeypatch):
    y, p = simulated(300, 2, slope=0.8)
    known = fc.calibration_error(y, p, rng=5, n_resamples=199)
    want = known.to_dict()
    monkeypatch.setattr(BinnedRandomLabels, "errors", None)
    waiting = fc.calibration_error(y, p, rng=5, n_resamples=199)
    assert waiting.estimate == known.estimate
    assert waiting.expected == known.expected
    monkeypatch.undo()
    p[:], y[:] = 0.5, 0
    for record in (pickle.loads(pickle.dumps(waiting)), copy.copy(waiting), waiting):
        assert record.to_dict() == want


def test_calibrated_probabilities_need_no_draws_for_their_interval(monkeypatch):
    y, p = simulated(300, 3)
    want = fc.calibration_error(y, p, rng=5, n_resamples=199)
    assert want.pvalue > 0.025
    monkeypatch.setattr(BinnedRandomLabels, "errors", None)
    low, high = fc.calibration_error(y, p, rng=5, n_resamples=199).confidence_interval()
    assert (low, high) == want.confidence_interval()
    assert low == 0.0


def test_who_listens_hears_of_the_draws_in_the_call_in_calibration_error():
    y, p = simulated(100, 2)
    heard = []
    result = fc.calibration_error(
        y, p, rng=5, n_resamples=199, progress=lambda done, total: heard.append(total)
    )
    assert heard
    count = len(heard)
    assert result.pvalue == fc.calibration_error(y, p, rng=5, n_resamples=199).pvalue
    assert len(heard) == count
    pickle.dumps(result)


@pytest.mark.usefixtures("unbounded")
def test_too_many_draws_are_refused_in_the_call_in_calibration_error():
    with pytest.raises(MemoryError, match="use fewer resamples"):
        fc.calibration_error([0, 1, 1], [0.1, 0.5, 0.9], n_resamples=10**14)


def test_the_sentence_says_that_p_has_one_side_in_calibration_error():
    p = np.linspace(0.05, 0.95, 60)
    result = fc.calibration_error(np.arange(60) % 3 > 0, p, rng=0, n_resamples=99)
    assert f"(one-sided p = {result.pvalue:.4f}," in result.summary()
