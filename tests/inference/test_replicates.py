"""From replicates to p-values and intervals: check values, and the laws that bind them."""

import math

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from fastcompare._inference.pvalues import claim_ends
from fastcompare._resampling.bootstrap import bca_acceleration
from fastcompare._resampling.replicates import METHODS, BCaTails, bootstrap_tails, replicate_pvalue

LISTED = np.array([-0.02, -0.01, 0.01, 0.03, 0.05, 0.06, 0.08, 0.10, 0.15])
ESTIMATE = 0.05
ALTERNATIVES = ["two-sided", "greater", "less", "equivalence"]
ROUND = st.integers(-20, 20).map(lambda i: i / 32)  # ties, zeros, exact in binary
LISTS = st.lists(ROUND, min_size=2, max_size=39)
SCALES = st.lists(st.sampled_from([0.25, 0.5, 1.0, 2.0, 4.0]), min_size=39, max_size=39)


def found_by(method, values, estimate=ESTIMATE, *, acceleration=0.0, scales=None):
    scale = 1.0 if scales is None else np.array(scales[: len(values)])
    words = {"acceleration": acceleration, "scale": scale if method == "studentized" else 1.0}
    return bootstrap_tails(method, np.array(values), estimate, **words)


def two_sided(found):
    return replicate_pvalue(found, "two-sided", 0.0).pvalue


def ends(found, level, alternative="two-sided"):
    return claim_ends(alternative, level, found.low, found.high)


def test_percentile_and_basic_give_the_check_values():
    assert two_sided(found_by("percentile", LISTED)) == pytest.approx(0.6, abs=1e-15)
    assert two_sided(found_by("basic", LISTED)) == pytest.approx(0.6, abs=1e-15)
    for method, (low, high) in {"percentile": (-0.02, 0.15), "basic": (-0.05, 0.12)}.items():
        assert ends(found_by(method, LISTED), 0.8) == pytest.approx((low, high))
    assert ends(found_by("percentile", LISTED), 0.6) == (-0.01, 0.10)
    assert ends(found_by("percentile", LISTED), 0.95) == (-math.inf, math.inf)  # of nine


def test_bca_gives_the_check_value():
    found = found_by("bca", LISTED, acceleration=0.05)
    assert two_sided(found) == pytest.approx(0.590218, abs=5e-7)
    assert found.bias == pytest.approx(norm.ppf(4.5 / 9))
    plain = found_by("bca", LISTED)  # neither bias nor acceleration
    assert two_sided(plain) == pytest.approx(0.6)
    assert ends(plain, 0.8) == (-0.02, 0.15)


def test_bca_follows_efrons_equation():
    rng = np.random.default_rng(2)
    values = rng.gamma(4.0, size=999)
    estimate, a = 3.5, 0.08
    z0 = norm.ppf(np.mean(values < estimate))
    found = found_by("bca", values, estimate, acceleration=a)
    for alpha, end in ((0.025, found.low(0.025)), (0.975, found.high(0.025))):
        z = norm.ppf(alpha)
        level = norm.cdf(z0 + (z0 + z) / (1 - a * (z0 + z)))
        rank = 1000 * level
        assert end == np.sort(values)[int(math.floor(rank) if alpha < 0.5 else math.ceil(rank)) - 1]


def test_studentized_gives_the_check_value():
    """t0 = 1.25 against t*; here the standard error is 0.04 and those of replicates vary."""
    studentized = np.array([-2, -1, -0.5, 0, 0.3, 0.8, 1.1, 1.5, 2.5])
    errors = np.linspace(0.02, 0.08, 9)
    values = ESTIMATE + studentized * errors
    found = found_by("studentized", values, scales=0.04 / errors)
    assert two_sided(found) == pytest.approx(0.6, abs=1e-15)
    expected = (0.05 - 2.5 * 0.04, 0.05 + 2 * 0.04)  # t - q SE
    assert ends(found, 0.8) == pytest.approx(expected)


def test_normal_is_the_estimate_over_the_standard_deviation():
    found = found_by("normal", LISTED)
    z = ESTIMATE / LISTED.std(ddof=1)
    assert two_sided(found) == pytest.approx(2 * norm.sf(z))
    low, high = ends(found, 0.95)
    assert (low, high) == pytest.approx(ESTIMATE + norm.ppf([0.025, 0.975]) * ESTIMATE / z)
    far = found_by("normal", 0.001 * LISTED, 0.5)
    p = replicate_pvalue(far, "two-sided", 0.0)
    z = 500 / LISTED.std(ddof=1)
    assert p.pvalue == 0.0
    assert p.log_pvalue == pytest.approx(math.log(2) + norm.logsf(z))


def accept(p, alpha):
    return p <= alpha + 1e-12


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=25, deadline=None)
@given(
    values=LISTS,
    estimate=ROUND,
    a=st.sampled_from([0.0, 0.05, -0.1, 0.16]),
    margin=st.sampled_from([0.0, 1 / 32, 0.25]),
    scales=SCALES,
)
def test_p_is_at_most_alpha_exactly_when_the_value_is_outside(
    method, alternative, values, estimate, a, margin, scales
):
    assume(len(set(values)) > 1 and (margin == 0.0) <= (alternative != "equivalence"))
    margin = 0.0 if alternative == "two-sided" else margin
    found = found_by(method, values, estimate, acceleration=a, scales=scales)
    p = replicate_pvalue(found, alternative, margin).pvalue
    assert 0.0 < p <= 1.0
    total = len(values) + 1
    for j in range(1, total):
        alpha = j / total
        at_the_end = method == "normal" and math.isclose(p, alpha)  # rounding decides
        if at_the_end or (alternative == "equivalence" and alpha >= 0.5):
            continue
        low, high = ends(found, 1.0 - alpha, alternative)
        rejects = {
            "two-sided": low > 0.0 or high < 0.0,
            "greater": low > -margin,
            "less": high < margin,
            "equivalence": low > -margin and high < margin,
        }[alternative]
        assert rejects == accept(p, alpha), (alpha, low, high, p)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=25, deadline=None)
@given(values=LISTS, estimate=ROUND, a=st.sampled_from([0.0, 0.05, -0.16]), scales=SCALES)
@example(values=[0.1, 0.1], estimate=-0.5, a=0.16, scales=[1.0] * 39)
def test_negating_replicates_mirrors_ends_and_tails(method, values, estimate, a, scales):
    assume(len(set(values)) > 1)
    found = found_by(method, values, estimate, acceleration=a, scales=scales)
    mirror = found_by(method, [-v for v in values], -estimate, acceleration=-a, scales=scales)
    for x in (0.0, 0.25, -1 / 32):
        assert found.above(x) == pytest.approx(mirror.below(-x), rel=1e-12)
        assert found.below(x) == pytest.approx(mirror.above(-x), rel=1e-12)
    for alpha in (0.013, 0.05, 0.2, 0.37):
        # order statistics do not change by rounding of the level; normal ends do
        assert found.low(alpha) == pytest.approx(-mirror.high(alpha), rel=1e-12)
        assert found.high(alpha) == pytest.approx(-mirror.low(alpha), rel=1e-12)


@settings(max_examples=25, deadline=None)
@given(values=LISTS, estimate=ROUND)
def test_basic_reflects_the_percentiles_at_the_estimate(values, estimate):
    basic, percentile = (found_by(m, values, estimate) for m in ("basic", "percentile"))
    for alpha in (0.1, 0.26, 0.4):
        assert basic.low(alpha) == 2 * estimate - percentile.high(alpha)
        assert basic.high(alpha) == 2 * estimate - percentile.low(alpha)
    assert basic.above(0.0) == percentile.below(2 * estimate)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=40, deadline=None)
@given(values=LISTS, estimate=ROUND, a=st.floats(-0.17, 0.17), scales=SCALES)
def test_tails_and_ends_are_monotone(method, values, estimate, a, scales):
    assume(len(set(values)) > 1)
    found = found_by(method, values, estimate, acceleration=a, scales=scales)
    grid = np.linspace(-1.0, 1.0, 41)
    above, below = ([side(x) for x in grid] for side in (found.above, found.below))
    assert (np.diff(above) >= -1e-15).all()
    assert (np.diff(below) <= 1e-15).all()
    alphas = [1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.2, 0.4, 0.499]
    low, high = ([side(alpha) for alpha in alphas] for side in (found.low, found.high))
    assert low == sorted(low)
    assert high == sorted(high, reverse=True)
    assert all(x <= y for x, y in zip(low, high, strict=True))


@pytest.mark.parametrize("sign", [1, -1])
def test_bca_beyond_the_pole_of_the_acceleration_has_no_end(sign):
    """z0 = 3.09 and z = 3.09 pass 1 / a = 4: the level is 1, not that of a negative number."""
    values = sign * np.linspace(-1.0, 0.0, 999)
    found = BCaTails(values, sign * 0.5, 0.25 * sign)
    ends = (found.high, found.low)[::sign]
    assert ends[0](0.001) == sign * math.inf
    assert sign * ends[1](0.001) > -1.0


def test_more_replicates_than_there_are_resolve_no_smaller_level():
    """BCa moves levels, but with nine replicates no p-value is below a tenth."""
    values = np.arange(1.0, 10.0)
    found = BCaTails(values, 9.5, 0.1)
    assert found.above(0.0) == 0.1
    assert found.low(0.0999) == -math.inf
    assert found.low(0.1) > 0.0
    assert found.high(0.0999) == math.inf


def test_levels_that_are_whole_but_for_rounding_count_as_whole():
    values = np.arange(1.0, 1000.0)
    for method in ("percentile", "basic"):
        found = found_by(method, values, 500.0)
        for level in (0.9, 0.95, 0.99, 0.8):
            rank = round(1000 * (1 - level) / 2)
            assert ends(found, level) == (rank, 1000 - rank)


def test_acceleration_of_several_samples():
    """FORMULAS: sums of l^3 / m^3 and l^3 / n^3 over both samples together."""
    l1, l0 = np.array([2.0, -1.0, -1.0]), np.array([-3.0, 1.0, 1.0, 1.0])
    cubes = (l1**3).sum() / 27 + (l0**3).sum() / 64
    squares = (l1**2).sum() / 9 + (l0**2).sum() / 16
    influence = np.concatenate([l1 / 3, l0 / 4])
    assert bca_acceleration(influence) == pytest.approx(cubes / squares**1.5 / 6)
    assert bca_acceleration(np.zeros(4)) == 0.0
