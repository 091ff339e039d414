"""Intervals of net benefits and of their differences, and the test that inverts them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

import fastcompare as fc
from tests.probabilities.test_calibration import simulated

CUTS = [0.2, 0.4, 0.5, 0.7]


def two_models(n, seed, noise=0.7):
    rng = np.random.default_rng(seed)
    y, p = simulated(n, seed)
    x = np.log(p / (1 - p))
    a, b = (1 / (1 + np.exp(-x - noise * rng.normal(size=n))) for _ in range(2))
    return y, a, b


def slow_ends(benefits, z):
    """MOVER (Zou and Donner 2008), a sum over all pairs of the values that a case can have."""
    n, parts = benefits.size, []
    for value in np.unique(benefits[benefits != 0]):
        x = (benefits == value).mean()
        low, high = proportion_confint(x * n, n, 2 * stats.norm.sf(z), "wilson")
        down, up = sorted((value * (x - low), value * (x - high)))[::-1]
        parts.append((value, x, down, up))
    squares = []
    for side in (2, 3):
        total = 0.0
        for i, one in enumerate(parts):
            for j, other in enumerate(parts):
                odds = one[1] * other[1] / ((1 - one[1]) * (1 - other[1]))
                r = 1.0 if i == j else -math.copysign(math.sqrt(odds), one[0] * other[0])
                total += r * one[side] * other[side]
        squares.append(total)
    mean = benefits.mean()
    return mean - math.sqrt(squares[0]), mean + math.sqrt(squares[1])


@pytest.mark.parametrize("seed", range(3))
def test_one_models_interval_follows_the_definition_in_net_benefit(seed):
    y, a, _ = two_models(150, seed)
    result = fc.net_benefit(y, a, CUTS)
    low, high = result.confidence_interval(0.9)
    for i, cut in enumerate(CUTS):
        benefit = np.where(a >= cut, np.where(y == 1, 1.0, -cut / (1 - cut)), 0.0)
        assert_allclose((low[i], high[i]), slow_ends(benefit, stats.norm.isf(0.05)), rtol=1e-9)


def slow_difference(y, a, b, cut):
    return np.where(y == 1, 1.0, -cut / (1 - cut)) * ((a >= cut).astype(float) - (b >= cut))


@pytest.mark.parametrize("seed", range(3))
def test_difference_follows_the_definition_and_its_z_ends_the_interval_at_zero(seed):
    y, a, b = two_models(400, seed)
    result = fc.net_benefit_test(y, a, b, [0.35, 0.8])
    low, high = result.confidence_interval(0.8)
    for i, cut in enumerate([0.35, 0.8]):
        d = slow_difference(y, a, b, cut)
        assert len(set(d)) == 5
        assert_allclose(result.estimate[i], d.mean(), atol=1e-15)
        assert_allclose(result.standard_error[i], d.std() / 20, rtol=1e-9)
        assert_allclose((low[i], high[i]), slow_ends(d, stats.norm.isf(0.1)), rtol=1e-8)
        ends = slow_ends(d, abs(result.statistic[i]))
        assert_allclose(ends[0] if result.estimate[i] > 0 else ends[1], 0.0, atol=1e-10)
        assert_allclose(result.pvalue[i], 2 * stats.norm.sf(abs(result.statistic[i])), rtol=1e-10)
    want = [fc.net_benefit(y, p, [0.35, 0.8]).estimate for p in (a, b)]
    assert_allclose(result.net_benefits, want, rtol=1e-12)


def test_many_cases_have_the_normal_interval():
    y, a, b = two_models(200_000, 5)
    for result in (fc.net_benefit(y, a, CUTS), fc.net_benefit_test(y, a, b, CUTS)):
        low, high = result.confidence_interval()
        reach = 1.959964 * result.standard_error
        assert_allclose(low, result.estimate - reach, atol=0.02 * reach.min())
        assert_allclose(high, result.estimate + reach, atol=0.02 * reach.min())


@pytest.mark.slow
@given(seed=st.integers(0, 200), n=st.integers(1, 80), cut=st.sampled_from([0.05, 0.3, 0.5, 0.9]))
@settings(max_examples=50, deadline=None)
def test_models_swapped_negate_and_intervals_agree_with_pvalues_in_net_benefit_test(seed, n, cut):
    y, a, b = two_models(n, seed)
    one, other = fc.net_benefit_test(y, a, b, cut), fc.net_benefit_test(y, b, a, cut)
    assert_allclose(one.statistic, -other.statistic)
    assert_allclose(one.pvalue, other.pvalue)
    low, high = one.confidence_interval()
    assert_allclose((low, high), [-end for end in other.confidence_interval()[::-1]], atol=1e-14)
    assert low[0] < high[0]
    if abs(one.pvalue[0] - 0.05) > 1e-9:
        assert (one.pvalue[0] < 0.05) == (not low[0] <= 0.0 <= high[0])
    less = fc.net_benefit_test(y, a, b, cut, alternative="less")
    greater = fc.net_benefit_test(y, a, b, cut, alternative="greater")
    if one.estimate[0]:
        assert_allclose(less.pvalue + greater.pvalue, 1.0)
    assert greater.confidence_interval().high[0] == max(1.0, cut / (1 - cut))
    assert greater.confidence_interval(0.975).low[0] == pytest.approx(low[0])


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_one_sided_intervals_end_at_zero_at_the_level_of_the_test_in_net_benefit_test(alternative):
    y, a, b = two_models(200, 4)
    for one, other in ((a, b), (b, a)):  # one of the p-values is above a half
        result = fc.net_benefit_test(y, one, other, 0.4, alternative=alternative)
        low, high = result.confidence_interval(1.0 - result.pvalue[0])
        end = low[0] if alternative == "greater" else high[0]
        assert_allclose(end, 0.0, atol=1e-9)


def test_equal_probabilities_differ_nowhere_but_have_an_interval_in_net_benefit_test():
    y, a, _ = two_models(50, 1)
    result = fc.net_benefit_test(y, a, a, CUTS)
    assert (result.status, result.estimate.tolist()) == ("no_difference", [0.0] * 4)
    assert result.pvalue.tolist() == result.adjusted_pvalue.tolist() == [1.0] * 4
    low, high = result.confidence_interval()
    assert (low < 0).all()
    assert (high > 0).all()


def test_a_model_that_alone_treats_all_and_is_right_differs_without_variance_in_net_benefit_test():
    result = fc.net_benefit_test([1] * 5, [0.9] * 5, [0.1] * 5, [0.3, 0.5])
    assert (result.status, result.estimate.tolist()) == ("ok", [1.0, 1.0])
    assert result.standard_error.tolist() == [0.0, 0.0]
    assert (result.pvalue < 0.01).all()
    assert_allclose(result.adjusted_pvalue, 2 * result.pvalue)


@pytest.mark.slow
def test_bands_and_adjusted_pvalues_go_by_the_largest_statistic():
    """A normal sample of the statistics themselves."""
    y, a, b = two_models(600, 3)
    cuts = np.linspace(0.1, 0.8, 8)
    result = fc.net_benefit_test(y, a, b, cuts)
    d = np.array([slow_difference(y, a, b, cut) for cut in cuts])
    z = np.random.default_rng(0).multivariate_normal(np.zeros(8), np.corrcoef(d), 200_000)
    largest = abs(z).max(axis=1)
    want = [(largest >= abs(one)).mean() for one in result.statistic]
    assert_allclose(result.adjusted_pvalue, want, atol=0.005)
    assert (result.adjusted_pvalue >= result.pvalue).all()
    band = result.confidence_interval(simultaneous=True)
    level = 1 - 2 * stats.norm.sf(np.quantile(largest, 0.95))
    assert_allclose(band, result.confidence_interval(level), rtol=0.01, atol=1e-4)
    curve = fc.net_benefit(y, a, cuts)
    assert (
        curve.confidence_interval(simultaneous=True).low < curve.confidence_interval().low
    ).all()
    one = fc.net_benefit(y, a, 0.3)
    assert_allclose(one.confidence_interval(simultaneous=True), one.confidence_interval())


def test_level_holds_where_one_model_finds_few_more_positives():
    """Equal net benefits: two positives more, and as much worth of false positives."""
    from fastcompare.probabilities._net_benefit import WeightedShares

    rng, odds, n = np.random.default_rng(0), 0.25, 400
    chances = np.array([2 / n, 0, 8 / n, 0])
    counts = rng.multinomial(n, [*chances, 1 - chances.sum()], 4000)[:, :4].astype(float)
    z = WeightedShares(counts, np.tile([1.0, -1.0, -odds, odds], (4000, 1)), n).statistic()
    assert (abs(z) > 1.96).mean() < 0.055
    t = counts @ [1, 0, -odds, 0] / np.sqrt(counts @ [1, 0, odds**2, 0] + 1e-300)
    assert (abs(t) > 1.96).mean() > 0.1  # which Student's does not


def test_models_have_names_and_words():
    y, a, b = two_models(80, 2)
    result = fc.net_benefit_test(y, {"forest": a, "tree": b}, thresholds=[0.2, 0.4])
    assert result.names == ("forest", "tree")
    with pytest.raises(ValueError, match="`y_prob_b` must be 1-d"):
        fc.net_benefit_test(y, a, np.ones((80, 3)) / 3)


@pytest.mark.slow
def test_no_underflow_leaks_to_hosts_that_let_it_raise_in_net_benefit_test(requires_jit):
    y, a, b = two_models(80, 3)
    cuts = np.linspace(0.01, 0.99, 99)
    with np.errstate(all="raise"):
        strict = fc.net_benefit_test(y, a, b, thresholds=cuts)
    assert_allclose(strict.pvalue, fc.net_benefit_test(y, a, b, thresholds=cuts).pvalue)


@pytest.mark.slow
def test_results_do_not_see_what_the_caller_changes_later():
    y, a, b = two_models(150, 4)
    cuts = np.array(CUTS)
    results = fc.net_benefit(y, a, cuts), fc.net_benefit_test(y, a, b, cuts)
    same = fc.net_benefit(y, a.copy(), CUTS), fc.net_benefit_test(y, a.copy(), b.copy(), CUTS)
    before = [one.confidence_interval(simultaneous=True) for one in same]
    y[:], a[:], b[:], cuts[:] = 1 - y, a[::-1].copy(), b[::-1].copy(), 0.9
    for result, ends in zip(results, before, strict=True):
        assert result.thresholds.tolist() == CUTS
        assert_array_equal(result.confidence_interval(simultaneous=True), ends)


@pytest.mark.parametrize("cuts", [[0.2], [0.2, 0.4], [0.2, 0.3, 0.4]])
def test_the_table_has_a_row_for_each_threshold_in_net_benefit_test(cuts):
    y, a, b = two_models(80, 1)
    result = fc.net_benefit_test(y, {"forest": a, "tree": b}, thresholds=cuts)
    rows = [line.split() for line in str(result).splitlines() if line.lstrip().startswith("0.")]
    shown = zip(cuts, result.estimate, strict=True)
    assert [row[:2] for row in rows] == [[f"{cut:.4f}", f"{value:.4f}"] for cut, value in shown]
    assert "forest" not in str(result).partition("threshold of")[0]


@pytest.mark.parametrize("cuts", [0.4, [0.2, 0.4]])
def test_the_sentence_says_how_its_threshold_was_chosen_in_net_benefit_test(cuts):
    y, a, b = two_models(80, 1)
    text = fc.net_benefit_test(y, a, b, cuts).summary()
    several = not isinstance(cuts, float)
    assert text.startswith("The smallest of 2 p-values is" if several else "At a threshold of 0.4")
    assert ("(unadjusted 95% CI" in text) == several
