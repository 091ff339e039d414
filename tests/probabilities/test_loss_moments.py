"""Sums of losses in compiled passes have the bits of NumPy's over arrays of them."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fastcompare as fc
from fastcompare.kernels.probabilities import LOPSIDED, brier_sums, loss_moments
from fastcompare.kernels.sums import block_sum, split_by_halves, sum_of_blocks

SIZES = [*range(1, 20), 127, 128, 129, 136, 255, 256, 257, 1000, 1025, 4096, 5003]


def sum_by_blocks(x):
    ends, depths = split_by_halves(x.size)
    parts = np.split(x, ends[:-1])
    assert max(map(len, parts)) <= 128
    return sum_of_blocks(np.array([block_sum(part, part.size) for part in parts]), depths)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("offset", [0.0, 1e9, -0.0])
def test_sums_by_halves_have_numpys_bits(n, offset):
    x = np.random.default_rng(n).normal(size=n) + offset
    assert sum_by_blocks(x).hex() == float(x.sum()).hex()


def test_a_sum_of_many_terms_far_from_0_is_as_right_as_numpys(requires_jit):
    x = np.random.default_rng(0).normal(size=10**6) + 1e9
    assert sum_by_blocks(x) == x.sum() == pytest.approx(math.fsum(x), rel=2**-50)


def forecasts(n, seed, decimals=None, near=False):
    rng = np.random.default_rng(seed)
    y, (p, q) = rng.integers(0, 2, n).astype(np.uint8), rng.random((2, n))
    if near:
        q = p * (1.0 + rng.integers(0, 2, n) * 2.0**-51)
    return y, *(x if decimals is None else x.round(decimals) for x in (p, np.minimum(q, 1.0)))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("options", [{}, {"decimals": 1}, {"near": True}])
def test_moments_are_those_of_arrays(n, options):
    y, p, q = forecasts(n, n, **options)
    a, b = np.square(p - y), np.square(q - y)
    d = np.where(abs(a - b) < 2.0**-50 * np.maximum(a, b), 0.0, a - b)
    for rows in (1, 3):
        sums, tilt = np.empty(rows), 1.0 - 2.0 * p
        brier_sums(y, p, sums)
        terms = a, (y - p) * tilt, tilt * tilt * p * (1.0 - p)
        assert sums.tolist() == [term.sum() for term in terms[:rows]]
    for cases in ((y, p, q), (y[:0], a, b)):
        found, apart = np.empty(6), d - d.mean()
        loss_moments(*cases, found)
        assert found[:3].tolist() == [a.sum(), b.sum(), d.sum()]
        assert found[3] == np.square(apart).sum()
        assert found[4] == np.square(apart).max()
        lopsided = found[4] > LOPSIDED * LOPSIDED * found[3]
        assert found[5] == ((apart * apart * apart).sum() if lopsided else 0.0)


def same_result(case, monkeypatch, **options):
    results = []
    for least in (2, case[0].size + 1):
        monkeypatch.setattr("fastcompare.probabilities._losses.FEWEST_CASES", least)
        results.append(fc.scoring_test(*case, on_undefined="ignore", **options))
    one, other = results
    assert str(one) == str(other)
    for level in (0.9, 0.99):
        assert repr(one.confidence_interval(level)) == repr(other.confidence_interval(level))
    assert one.summary() == other.summary()
    for name in ("estimate", "standard_error", "statistic", "pvalue", "log_pvalue", "df"):
        assert repr(getattr(one, name)) == repr(getattr(other, name)), name
    assert one.losses.tolist() == other.losses.tolist()


@pytest.mark.slow
@given(
    n=st.integers(1, 700),
    seed=st.integers(0, 10**6),
    kind=st.sampled_from(["plain", "coarse", "near", "equal", "shifted", "one_class", "rare"]),
    claim=st.sampled_from([("two-sided", 0.0), ("less", 0.1), ("greater", 0.0)]),
)
@settings(max_examples=150, deadline=None)
def test_the_t_test_of_many_cases_is_that_of_few_in_scoring_test(n, seed, kind, claim):
    options = {"coarse": {"decimals": 1}, "near": {"near": True}}.get(kind, {})
    y, p, q = forecasts(n, seed, **options)
    if kind == "equal":
        q = p.copy()
    if kind == "shifted":  # the same loss less 0.01, but for rounding
        y[:] = 0
        q = np.sqrt(np.maximum(p * p - 0.01, 0.0))
    if kind == "one_class":
        y[:] = 1
    if kind == "rare":
        p, q = np.full(n, 0.01), np.full(n, 0.011)
        y[:] = 0
        y[0] = 1
    with pytest.MonkeyPatch.context() as patch:
        for rule in ("brier", "log", "spherical"):
            same_result((y, p, q), patch, rule=rule, alternative=claim[0], margin=claim[1])


@pytest.mark.parametrize("n", [200, 5000])
@pytest.mark.parametrize("rule", ["brier", "log"])
def test_no_arrays_of_differences_are_made_in_scoring_test(n, rule, monkeypatch):
    y, p, q = forecasts(n, 0)
    monkeypatch.delattr("fastcompare.probabilities._scoring_methods.forecast_losses")
    monkeypatch.delattr("fastcompare.probabilities._scoring_methods.Columns")
    assert fc.scoring_test(y, p, q, rule=rule).status == "ok"


@pytest.mark.parametrize(
    "change",
    [
        lambda x: np.repeat(x, 2)[::2],
        lambda x: x.astype(np.float32),
        lambda x: x.tolist(),
        lambda x: x[::-1].copy()[::-1],
    ],
)
def test_any_layout_has_the_score_of_the_plain_one_in_brier_score(change):
    y, p, _ = forecasts(300, 3)
    p = p.astype(np.float32).astype(float)
    assert fc.brier_score(y, change(p)) == np.square(p - y).mean()
