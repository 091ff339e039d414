"""Non-inferiority of models that rank most cases nearly alike, as a quantised copy does."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc

CLAIMS = ("greater", "less", "equivalence")


def nearly(n, flips=0, seed=0, gains=0):
    """Labels, scores, and those of a copy with a little noise and so many flipped positives."""
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    a = rng.normal(size=n) + 2 * y
    b = a + 0.02 * rng.normal(size=n)
    positives = np.flatnonzero(y)
    b[positives[:flips]] = -9 - np.arange(flips)
    b[positives[flips : flips + gains]] = 9
    return y, b, a


@pytest.mark.parametrize("flips", [0, 1, 3])
def test_the_pvalue_is_at_least_that_of_so_few_lost_pairs_in_delong_test(flips):
    y, b, a = nearly(100, flips)
    for margin in (0.02, 0.1, 0.2):
        result = fc.delong_test(y, b, a, alternative="greater", margin=margin)
        assert result.status == "nearly_alike"
        assert result.pvalue >= stats.binom.cdf(max(flips - 1, 0), 50, margin) * 0.99
        assert stats.norm.sf(result.statistic) <= result.pvalue


def test_without_a_difference_it_is_that_of_models_that_judge_alike_in_delong_test():
    y, b, a = nearly(100)
    one = fc.delong_test(y, b, a, alternative="equivalence", margin=0.1)
    assert 0 < one.standard_error < 0.005
    assert 0.9**50 <= one.pvalue < 1.5 * 0.9**50
    assert "50 pairs of cases show no larger differences" in one.summary()
    with_margin, without = one.confidence_interval(), fc.delong_test(y, b, a).confidence_interval()
    assert with_margin.low < -0.05 < without.low
    assert with_margin.high > 0.05 > without.high


@pytest.mark.parametrize("alternative", CLAIMS)
@pytest.mark.parametrize("changes", [(0, 0), (2, 0), (0, 2), (6, 5)])
def test_the_interval_lies_within_the_margin_exactly_if_the_test_rejects(alternative, changes):
    y, b, a = nearly(120, changes[0], seed=1, gains=changes[1])
    pvalues = []
    for margin in (0.01, 0.03, 0.05, 0.08, 0.1, 0.15, 0.2, 0.4):
        result = fc.delong_test(y, b, a, alternative=alternative, margin=margin)
        pvalues.append(result.pvalue)
        for level in (0.8, 0.95, 0.999):
            low, high = result.confidence_interval(level)
            claimed = {
                "greater": low > -margin,
                "less": high < margin,
                "equivalence": -margin < low and high < margin,
            }
            assert (result.pvalue < 1 - level) == claimed[alternative]
    assert pvalues == sorted(pvalues, reverse=True)


def test_swapped_models_swap_the_claims_in_delong_test():
    y, b, a = nearly(80, flips=2)
    one = fc.delong_test(y, b, a, alternative="greater", margin=0.1)
    two = fc.delong_test(y, a, b, alternative="less", margin=0.1)
    assert_allclose(one.pvalue, two.pvalue, rtol=1e-12)
    assert_allclose(one.confidence_interval().low, -two.confidence_interval().high, rtol=1e-12)


def test_models_that_differ_and_tests_without_a_margin_are_delongs_in_delong_test():
    rng = np.random.default_rng(5)
    y = np.arange(100) % 2
    a, b = rng.normal(size=(2, 100)) + 1.5 * y
    result = fc.delong_test(y, a, b, alternative="greater", margin=0.1)
    assert result.status == "ok"
    assert_allclose(result.pvalue, stats.norm.sf(result.statistic), rtol=1e-12)
    y, b, a = nearly(100, 3)
    plain = fc.delong_test(y, b, a)
    assert_allclose(plain.pvalue, 2 * stats.norm.sf(abs(plain.statistic)), rtol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("margin", [0.03, 0.1])
def test_at_the_margin_rare_flips_are_not_inferior_in_no_more_than_a_twentieth_in_delong_test(
    margin, requires_jit
):
    """A share `margin` of the positives flips: z alone claims it up to 3 times as often."""
    rng, claimed, by_z, trials = np.random.default_rng(7), 0, 0, 300
    for _ in range(trials):
        y, a = np.repeat([1, 0], 60), rng.normal(size=120)
        a[:60] += 9  # an AUC of 1: a flip costs 1 / m
        b = a + 1e-3 * rng.normal(size=120)
        b[:60][rng.random(60) < margin] = -9 - rng.random()
        options = {"alternative": "greater", "margin": margin, "on_undefined": "ignore"}
        result = fc.delong_test(y, b, a, **options)
        claimed += result.pvalue <= 0.05
        by_z += fc.delong_test(y, b, a, reference="normal", **options).statistic > 1.645
    assert claimed <= 0.05 * trials + 3 * np.sqrt(0.05 * 0.95 * trials)
    assert by_z > 0.07 * trials


def test_half_of_the_cases_are_not_most_in_memory_and_in_chunks_in_delong_test():
    y = np.array([0, 0, *[1] * 12])
    a = np.array([-1.0, -1, 1, 3, 4, 1, 3, 1, 3, 3, 4, 5, 4, 3])
    b = np.array([11.3, -2, 9, 10, 16, 4, 10.3, 13, 31, 14, 10, 12, 6, 5])
    want = fc.delong_test(y, a, b, margin=0.01, alternative="less", on_undefined="ignore")
    chunks = [(y[:5], a[:5], b[:5]), (y[5:], a[5:], b[5:])]
    found = fc.delong_test(chunks, margin=0.01, alternative="less", on_undefined="ignore")
    assert found.pvalue == want.pvalue
    assert found.confidence_interval() == want.confidence_interval()
