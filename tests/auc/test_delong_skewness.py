"""Skewed differences of AUCs: Hall's cubic, its interval, and claims that rest on few cases."""

import math
import re

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats
from scipy.special import ndtri

import fastcompare as fc
from fastcompare._inputs.scores import Cases
from fastcompare.auc._components import as_components, difference_skewness

QUIET = {"on_undefined": "ignore"}
NEAR_ONE = ((60, 140), (0.99, 0.95), {})


def drawn(rng, sizes, aucs, rho=0.5, spread=1.0):
    """Labels and scores of both models, of which the second's positives vary by `spread`."""
    y, m = np.repeat([1, 0], sizes), sizes[0]
    first, other = rng.normal(size=(2, y.size))
    second = rho * first + math.sqrt(1.0 - rho**2) * other
    second[:m] *= spread
    first[:m] += math.sqrt(2.0) * ndtri(aucs[0])
    second[:m] += math.sqrt(1.0 + spread**2) * ndtri(aucs[1])
    return y, first, second


def results(sizes, aucs, options, trials, **asked):
    """The results of so many data sets."""
    rng = np.random.default_rng(sizes)
    sets = [drawn(rng, sizes, aucs, **options) for _ in range(trials)]
    return [fc.delong_test(*each, **asked, **QUIET) for each in sets]


def by_definition(y, a, b):
    """Unbiased third cumulants of both classes over SE^3; 0 within twice chance's error."""
    wins = [
        (x[y == 1][:, None] > x[y == 0]) + 0.5 * (x[y == 1][:, None] == x[y == 0]) for x in (a, b)
    ]
    components = [(wins[0] - wins[1]).mean(axis=axis) for axis in (1, 0)]
    sizes = [len(d) for d in components]
    shares = [d.var(ddof=1) / len(d) for d in components]
    cumulants = [stats.kstat(d, 3) / len(d) ** 2 for d in components]
    seen = sum(cumulants) / sum(shares) ** 1.5
    df = sum(shares) ** 2 / sum(v * v / (k - 1) for v, k in zip(shares, sizes, strict=True))
    return 0.0 if abs(seen) * (df + 1.0) <= math.sqrt(24.0) else seen


@pytest.mark.parametrize("sizes", [(12, 300), (60, 140), (300, 20)])
def test_skewness_equals_its_definition(sizes):
    rng, told = np.random.default_rng(1), 0
    for digits in (1, 3):
        y, a, b = drawn(rng, sizes, (0.97, 0.85))
        order = rng.permutation(y.size)
        y, a, b = y[order].astype(np.uint8), a.round(digits)[order], b.round(digits)[order]
        found = difference_skewness(as_components(Cases(y, (a, b), ("a", "b"))), 0, 1)
        assert_allclose(found, by_definition(y, a, b), rtol=1e-9)
        told += found != 0.0
    assert told


def test_a_claim_must_hold_by_hall_and_by_delong_in_delong_test():
    y, a, b = drawn(np.random.default_rng(4), (60, 140), (0.93, 0.8))
    skewness = by_definition(y, a, b)
    plain = fc.delong_test(y, a, b, reference="normal", margin=0.2, alternative="less")
    t = plain.statistic
    hall = t + skewness * t**2 / 3 + skewness**2 * t**3 / 27 + skewness / 6
    result = fc.delong_test(y, a, b, margin=0.2, alternative="less", **QUIET)
    unseen = stats.binom.cdf(2, 60, (0.2 - plain.estimate) / plain.auc[1])
    p = min(stats.norm.cdf(max(t, hall)), max(stats.norm.cdf(t), unseen))
    assert skewness > 0.0
    assert_allclose(result.pvalue, p, rtol=1e-9)
    assert_allclose(result.statistic, stats.norm.ppf(p), rtol=1e-9)
    assert "Hall" in result.method


@pytest.mark.parametrize("sizes", [(20, 20), (12, 60), (40, 40)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_a_lead_over_a_constant_has_at_most_twice_the_probability_of_unseen_failures(
    sizes, alternative
):
    y = np.repeat([1, 0], sizes)
    quantiles = [(np.arange(n) + 0.5) / n for n in sizes]
    model, constant = ndtri(np.concatenate(quantiles)) + 1.5 * y, np.zeros(y.size)
    result = fc.delong_test(y, model, constant, alternative=alternative)
    plain = fc.delong_test(y, model, constant, alternative=alternative, reference="t")
    few = min(sizes)
    unseen = stats.binom.cdf(2 if few >= 30 else 0, few, 1.0 - 0.5 / result.auc[0])
    assert plain.pvalue < result.pvalue
    assert_allclose(result.pvalue, (2 if alternative == "two-sided" else 1) * unseen, rtol=1e-9)
    pairs = fc.delong_pairwise_test(y, {"a": model, "b": constant}, alternative=alternative)
    batch = fc.delong_batch(y, model[None], constant[None], alternative=alternative)
    for other in (pairs, batch):
        assert_allclose(other.pvalue[0], result.pvalue, rtol=1e-9)
    assert_allclose(pairs.confidence_interval(), np.array([result.confidence_interval()]).T)


@pytest.mark.parametrize("sizes", [(12, 40), (60, 140)])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less", "equivalence"])
def test_intervals_invert_the_test_in_delong_test(alternative, sizes):
    y, a, b = drawn(np.random.default_rng(11), sizes, (0.9, 0.97))
    margin = 0.15 if alternative in ("greater", "equivalence") else 0.0
    asked = {"alternative": alternative, "margin": margin, **QUIET}
    result = fc.delong_test(y, a, b, **asked)
    low, high = result.confidence_interval(1.0 - result.pvalue)
    ends = {"two-sided": (low, high), "greater": (low,), "less": (high,)}
    bounds = {"two-sided": (0.0,), "greater": (-margin,), "less": (margin,)}
    near = [
        abs(end - bound)
        for end in ends.get(alternative, (low, high))
        for bound in bounds.get(alternative, (-margin, margin))
    ]
    assert result._tails is not None
    assert min(near) < 1e-6


def test_the_interval_near_one_covers_in_delong_test(requires_jit):
    """DeLong's by z covers 91 to 92% of these."""
    found = results(*NEAR_ONE, trials=600)
    ends = np.array([result.confidence_interval() for result in found])
    assert ((ends[:, 0] <= 0.04) & (ends[:, 1] >= 0.04)).mean() > 0.935


@pytest.mark.slow
def test_a_margin_is_not_claimed_too_often_of_correlated_models_in_delong_test(requires_jit):
    """By z 9 to 10% of these claims are wrong."""
    asked = {"margin": 0.05, "alternative": "greater"}
    found = results((50, 50), (0.93, 0.98), {"rho": 0.9}, trials=600, **asked)
    assert np.mean([result.pvalue <= 0.05 for result in found]) < 0.06


def test_unlike_curves_near_one_are_told_apart_with_a_warning_in_delong_test(requires_jit):
    """10% are told apart."""
    found = results((50, 150), (0.97, 0.97), {"spread": 3.0}, trials=300)
    assert np.mean([r.pvalue <= 0.05 and r.status == "ok" for r in found]) < 0.05
    assert np.mean([r.status == "ok" for r in found]) > 0.8


def test_ordinary_models_lose_no_power_and_are_not_warned_of_in_delong_test(requires_jit):
    cell = (100, 100), (0.8, 0.88), {"spread": 2.0}
    found, plain = results(*cell, trials=300), results(*cell, trials=300, reference="normal")
    power, old = (np.mean([r.pvalue <= 0.05 for r in each]) for each in (found, plain))
    assert power > old - 0.01
    assert {result.status for result in found} == {"ok"}


def test_pairs_frequencies_and_batches_have_the_same_correction():
    y, a, b = drawn(np.random.default_rng(4), *NEAR_ONE[:2])
    result = fc.delong_test(y, a, b, alternative="less", **QUIET)
    pairs = fc.delong_pairwise_test(y, {"a": a, "b": b}, alternative="less", **QUIET)
    batch = fc.delong_batch(y, a[None], b[None], alternative="less", **QUIET)
    ones = np.ones(y.size, int)
    counted = fc.delong_test(y, a, b, frequency_weight=ones, alternative="less", **QUIET)
    assert result._tails is not None
    for other in (pairs, batch, counted):
        assert_allclose(np.squeeze(other.pvalue), result.pvalue, rtol=1e-11)
    ends = np.array(result.confidence_interval())
    assert_allclose(np.squeeze(pairs.confidence_interval()), ends, rtol=1e-11)
    assert_allclose(counted.confidence_interval(), ends, rtol=1e-11)


@pytest.mark.parametrize("reference", ["auto", "normal", "t"])
def test_delong_test_says_which_unseen_failures_would_explain_a_lead(reference):
    y, n = np.repeat([1, 0], 30), 30
    model = np.r_[np.arange(30.0, 60.0), np.arange(30.0)]  # perfect
    other = model.copy()
    other[:6] = [8.5, 12.5, 15.5, 18.5, 21.5, 24.5]
    lead = 1.0 - fc.roc_auc(y, other)
    sentence = (
        f"A failure of the second model in {100 * lead:.2g}% of positive cases, none of them among "
        f"these 30, would explain the difference (probability {(1.0 - lead) ** n:.2f}); the "
        "interval does not allow for it."
    )
    with pytest.warns(fc.SmallSampleWarning, match=re.escape(sentence[:-1])):
        result = fc.delong_test(y, other, model, reference=reference)
    assert (result.status, result.pvalue < 0.05) == ("unseen_failures", True)
    assert sentence in result.summary()
    pairs = fc.delong_pairwise_test(y, {"a": other, "b": model}, reference=reference, **QUIET)
    assert f"A failure of b in {100 * lead:.2g}% of" in pairs.summary()
    batch = {"match": "unseen_failures.*1 of 1 problems", "expected_warning": fc.SmallSampleWarning}
    with pytest.warns(**batch):
        fc.delong_batch(y, other[None], model[None], reference=reference)


@pytest.mark.parametrize("rng", range(3))
def test_delong_test_has_no_warning_of_failures_where_nothing_is_significant(rng):
    y, a, b = drawn(np.random.default_rng(rng), (25, 25), (0.97, 0.97))
    result = fc.delong_test(y, a, b)
    assert (result.status, result.pvalue > 0.05) == ("ok", True)


@pytest.mark.parametrize(("shift", "named"), [(1.0, False), (1.8, True), (3.0, False)])
def test_delong_test_names_the_permutation_test_where_few_cases_leave_a_doubt(shift, named):
    rng = np.random.default_rng(2)
    y = np.repeat([1, 0], (10, 40))
    a, b = rng.normal(size=(2, 50))
    result = fc.delong_test(y, a + (1.0 + shift) * y, b + 0.6 * y, **QUIET)
    assert (0.05 < result.pvalue <= 0.2) is named
    assert ("permutation_auc_test has more power" in result.summary()) is named
    with_weights = fc.delong_test(y, a + y, b, sample_weight=rng.uniform(1, 2, 50), **QUIET)
    assert "permutation" not in with_weights.summary()
