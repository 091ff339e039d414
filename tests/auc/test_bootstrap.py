"""bootstrap_auc_test: against closed forms, DeLong, index draws and pROC."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import ks_2samp, norm

import fastcompare as fc
from fastcompare._inputs.scores import as_cases
from fastcompare._resampling.bootstrap import bca_acceleration
from fastcompare.auc._bootstrap import unit_influence
from fastcompare.auc._bootstrap_walks import resampling_units
from fastcompare.auc._components import as_components
from tests.reference.auc import components, delong_float, mean
from tests.reference.bootstrap import ideal_variance, index_draws
from tests.shared.golden_files import PROC_PAIRS
from tests.shared.strategies import scored_cases

pytestmark = pytest.mark.usefixtures("requires_jit")  # kernels have slow tests of their own
Y2 = [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
A2 = [0.1, 0.2, 0.05, 0.3, 0.1, 0.6, 0.6, 0.7, 0.8, 0.99, 0.8, 0.67, 0.5]
B2 = [0.3, 0.6, 0.2, 0.1, 0.1, 0.9, 0.23, 0.7, 0.9, 0.4, 0.77, 0.3, 0.89]
BOOTSTRAPPED = [pair for pair in PROC_PAIRS if "bootstrap" in pair.expected]


def case(n, seed=0, shift=1.0, share=0.5, step=0.0):
    """Labels and correlated scores of two models, rounded to multiples of `step` if it is given."""
    rng = np.random.default_rng(seed)
    labels = (np.arange(n) < share * n).astype(int)
    common = rng.normal(size=n)
    a, b = (0.7 * common + 0.7 * rng.normal(size=n) + shift * labels * k for k in (1.0, 0.8))
    return (labels, np.round(a / step), np.round(b / step)) if step else (labels, a, b)


def deviation(found, expected, n_resamples):
    """By how many of its own standard errors a standard deviation of replicates is off."""
    return abs(found / expected - 1.0) * math.sqrt(2.0 * n_resamples)


def test_the_check_value_of_the_ideal_bootstrap_is_met():
    expected = math.sqrt(ideal_variance(Y2, A2, B2))
    assert expected == pytest.approx(0.1296706, abs=5e-8)


@pytest.mark.slow
@pytest.mark.parametrize(
    "problem",
    [(Y2, A2, B2), case(40, 1), case(120, 2, share=0.2, step=0.5)],
    ids=["check value", "continuous", "tied"],
)
def test_the_spread_is_that_of_the_ideal_stratified_bootstrap_in_bootstrap_auc_test(problem):
    expected = math.sqrt(ideal_variance(*problem))
    result = fc.bootstrap_auc_test(*problem, n_resamples=200_000, rng=1, keep=True)
    assert deviation(result.standard_error, expected, 200_000) < 4.0
    off = result.distribution.mean() - result.estimate  # the ideal one has no bias
    assert abs(off) < 4.0 * expected / math.sqrt(200_000)


def test_the_acceleration_is_that_of_several_samples():
    cases = as_cases(Y2, a=A2, b=B2)
    found = unit_influence(as_components(cases), resampling_units(cases, stratified=True))
    assert bca_acceleration(found) == pytest.approx(0.0365158, abs=5e-8)
    (x1, x0), (y1, y0) = components(Y2, A2), components(Y2, B2)
    differences = [[u - v for u, v in zip(*pair, strict=True)] for pair in ((x1, y1), (x0, y0))]
    expected = [float((d - mean(side)) / len(side)) for side in differences for d in side]
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-16)


@pytest.mark.parametrize("n", [200, 2000, 20_000, 100_000])
def test_the_spread_agrees_with_delongs_standard_error(n):
    problem, n_resamples = case(n, n), max(400, min(20_000, 10**7 // n))
    for stratified in (True, False):
        result = fc.bootstrap_auc_test(
            *problem, n_resamples=n_resamples, rng=n, stratified=stratified
        )
        expected = fc.delong_test(*problem).standard_error
        tolerance = 4.0 / math.sqrt(2.0 * n_resamples) + 3.0 / n  # DeLong's is a bit larger
        assert result.standard_error == pytest.approx(expected, rel=tolerance)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["stratified", "unstratified", "groups"])
def test_replicates_are_distributed_like_those_of_index_draws_in_bootstrap_auc_test(kind):
    labels, a, b = case(60, 3, share=0.3)
    groups = np.random.default_rng(5).integers(0, 15, 60) if kind == "groups" else None
    result = fc.bootstrap_auc_test(
        labels, a, b, n_resamples=20_000, rng=3, stratified=kind == "stratified",
        groups=groups, keep=True,
    )  # fmt: skip
    expected = index_draws(
        labels, a, b, kind=kind, rng=np.random.default_rng(1), n_resamples=4000, groups=groups
    )
    assert result.resampling == {"groups": "whole groups"}.get(kind, kind)
    assert ks_2samp(result.distribution, expected).pvalue > 1e-3


@pytest.mark.slow
def test_studentized_computes_delongs_error_in_every_replicate():
    """Against a loop over index draws: the distribution of t* and the ends."""
    labels, a, b = case(50, 4)
    result = fc.bootstrap_auc_test(labels, a, b, n_resamples=1999, rng=8, method="studentized")
    rng, found = np.random.default_rng(9), []
    estimate, error = result.estimate, fc.delong_test(labels, a, b).standard_error
    strata = [np.flatnonzero(labels == c) for c in (0, 1)]
    for _ in range(1999):
        drawn = np.concatenate([rng.choice(s, s.size) for s in strata])
        auc, cov = delong_float(labels[drawn], [a[drawn], b[drawn]])
        spread = math.sqrt(cov[0, 0] + cov[1, 1] - 2 * cov[0, 1])
        found.append((auc[0] - auc[1] - estimate) / spread)
    assert result.standard_error == error
    low, high = result.confidence_interval(0.9)
    # an end's t* is a quantile with a standard error of about 0.05
    expected = estimate - error * np.quantile(found, [0.95, 0.05])
    np.testing.assert_allclose([low, high], expected, atol=0.3 * error)


@pytest.mark.parametrize("pair", BOOTSTRAPPED, ids=str)
def test_numbers_are_procs_within_monte_carlo_error_in_bootstrap_auc_test(pair):
    """pROC's test of 2000 replicates is method='normal' here; its spread is known to 1.6%."""
    for name, stratified in (("bootstrap", True), ("bootstrap_unstratified", False)):
        if name not in pair.expected:
            continue
        result = fc.bootstrap_auc_test(
            pair.y, pair.a, pair.b, n_resamples=4000, method="normal", rng=2, stratified=stratified
        )
        expected = pair.expected[name]
        tolerance = 4.0 * math.sqrt(1 / 4000 + 1 / 8000)
        assert result.statistic == pytest.approx(expected["d"], rel=tolerance)
        assert result.pvalue == pytest.approx(2 * norm.sf(abs(result.statistic)))


@pytest.mark.parametrize("pair", BOOTSTRAPPED[:2], ids=str)
def test_percentiles_of_one_auc_are_procs_in_roc_auc_interval(pair):
    """Quantiles at 2.5% of 2000 replicates have a standard error of 0.06 deviations."""
    for scores, name in ((pair.a, "ci_bootstrap_1"), (pair.b, "ci_bootstrap_2")):
        result = fc.roc_auc_interval(pair.y, scores, method="bootstrap", n_resamples=4000, rng=4)
        low, _, high = pair.expected[name]
        tolerance = 4.0 * 0.06 * math.sqrt(1.5) * result.standard_error
        assert result.confidence_interval() == pytest.approx((low, high), abs=tolerance)


@pytest.mark.parametrize("method", ["percentile", "basic", "bca", "normal", "studentized"])
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less", "equivalence"])
@settings(max_examples=12, deadline=None)
@given(scored_cases(smallest=3, largest=30))
def test_p_and_interval_agree_in_the_result_in_bootstrap_auc_test(method, alternative, problem):
    labels, (a, b) = problem
    margin = 0.25 if alternative == "equivalence" else 0.0
    result = fc.bootstrap_auc_test(
        labels, a, b, n_resamples=99, method=method, rng=5, alternative=alternative,
        margin=margin, on_undefined="ignore",
    )  # fmt: skip
    if not result.standard_error > 0.0:
        return
    for alpha in (0.02, 0.05, 0.1, 0.25, 0.4):
        low, high = result.confidence_interval(1.0 - alpha)
        assert -1.0 <= low <= high <= 1.0
        outside = {
            "two-sided": low > 0.0 or high < 0.0,
            "greater": low > 0.0,
            "less": high < 0.0,
            "equivalence": low > -margin and high < margin,
        }[alternative]
        if result.n_resamples == 99:  # else alpha is between two levels that can be had
            assert outside == (result.pvalue <= alpha + 1e-12)
