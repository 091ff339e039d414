"""Bins of probabilities, and what is computed of them only when it is read."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import fastcompare as fc
from fastcompare.kernels.probabilities import count_distinct
from fastcompare.probabilities._decomposition import quantile_edges, sums_by_bin

ARRAYS = ("counts", "mean_probability", "observed_rate")
few_values = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from([0.0, -0.0, 5e-324, 0.1, 0.3, 0.7, 1.0])),
    min_size=1,
    max_size=400,
)


def by_arrays(y, p):
    """The parts as NumPy has them from its own bins."""
    _, bin_of, sizes = np.unique(p, return_inverse=True, return_counts=True)
    forecast, rate = (np.bincount(bin_of, values) / sizes for values in (p, y))
    base = float(y.mean())
    return {
        "brier_score": float(np.square(p - y).mean()),
        "reliability": float((sizes * (forecast - rate) ** 2).sum()) / y.size,
        "resolution": float((sizes * (rate - base) ** 2).sum()) / y.size,
        "uncertainty": base * (1.0 - base),
        "within_bin": 0.0,
        **dict(zip(ARRAYS, (sizes, forecast, rate), strict=True)),
    }


def check_bits(y, p):
    result = fc.brier_decomposition(y, p)
    for name, want in by_arrays(np.asarray(y, float), np.asarray(p, float)).items():
        assert_array_equal(getattr(result, name), want, err_msg=name)


@pytest.mark.slow
@given(cases=few_values)
@settings(max_examples=80, deadline=None)
def test_parts_of_tied_probabilities_have_the_bits_of_arrays_in_brier_decomposition(cases):
    check_bits(*map(list, zip(*cases, strict=True)))


@pytest.mark.parametrize("n", [1, 2, 127, 128, 129, 300, 5000])
@pytest.mark.parametrize("decimals", [2, 17])
def test_parts_of_any_number_of_cases_have_the_bits_of_arrays_in_brier_decomposition(n, decimals):
    rng = np.random.default_rng(n)
    check_bits(rng.integers(0, 2, n), rng.random(n).round(decimals))


def test_the_bins_are_the_result_s_own_and_pickle_in_brier_decomposition():
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 50), rng.random(50).round(1)
    want = by_arrays(y.astype(float), p)
    result = fc.brier_decomposition(y, p)
    p[:], y[:] = 0.5, 0
    for copied in (pickle.loads(pickle.dumps(result)), result):
        for name in ARRAYS:
            assert_array_equal(getattr(copied, name), want[name])
    assert result.to_dict()["counts"] == want["counts"].tolist()


@pytest.mark.slow
@given(
    p=st.lists(st.floats(0, 1), min_size=1, max_size=30),
    bins=st.integers(1, 1000),
    at=st.lists(st.integers(0, 1000), max_size=10),
)
@settings(max_examples=150, deadline=None)
def test_bins_are_those_of_a_search(p, bins, at):
    edges = np.arange(1, bins) / bins
    near = [v for k in at for v in np.nextafter(min(k, bins) / bins, [0.0, 0.5, 1.0]).tolist()]
    values = np.array([*p, *near, *(min(k, bins) / bins for k in at)])
    numbers = np.searchsorted(edges, values, "right")
    reached = (np.quantile(values, edges)[:, None] <= values).sum(axis=0)
    y = np.arange(values.size, dtype=np.uint8) % 2
    for kind, each in (("uniform", numbers), ("quantile", reached)):
        found = np.empty(values.size, np.int64)
        sums = sums_by_bin(y, values, bins, kind, found)
        _, want, counts = np.unique(each, return_inverse=True, return_counts=True)
        assert_array_equal(found, want)
        for row, terms in zip(
            sums[1:], (values, values * (1 - values), values - y, y), strict=True
        ):
            assert_array_equal(row, np.bincount(want, terms))
        assert_array_equal(sums[0], counts)


@pytest.mark.parametrize("bins", ["uniform", "quantile"])
def test_sums_by_bin_are_the_same_for_any_number_of_threads(bins, monkeypatch):
    monkeypatch.setattr("fastcompare.probabilities._decomposition.CASES_PER_JOB", 30)
    rng, numbers = np.random.default_rng(0), np.empty((2, 100), np.int64)
    y, p = (rng.random(100) < 0.4).astype(np.uint8), rng.random(100)
    one, three = (sums_by_bin(y, p, 7, bins, numbers[j], n_jobs) for j, n_jobs in ((0, 1), (1, 3)))
    assert_array_equal(one, three)
    assert_array_equal(*numbers)
    assert_allclose(one[3], np.bincount(numbers[0], p - y), rtol=1e-13)


def test_no_keys_are_no_distinct_probabilities():
    assert count_distinct(np.empty(0, np.uint64)) == 0


def test_equal_probabilities_are_added_one_by_one_in_brier_decomposition():
    """As by `np.bincount`: the mean of equal numbers may differ from them by rounding."""
    result = fc.brier_decomposition([0, 1, 0], [0.1, 0.1, 0.1])
    assert result.mean_probability[0] == (0.1 + 0.1 + 0.1) / 3
    assert Fraction(float(result.observed_rate[0])) == Fraction(1 / 3)


@pytest.mark.parametrize("n", [1, 2, 1000, 20_000])
@pytest.mark.parametrize("bins", [2, 10, 1000])
def test_quantiles_are_those_of_numpy(n, bins):
    rng = np.random.default_rng(n)
    inner = np.arange(1, bins) / bins
    latent = rng.normal(scale=20.0, size=n)
    confident = 1.0 / (1.0 + np.exp(-latent))
    for p in (rng.random(n), confident, confident.round(2), 1.0 - 2.0**-45 * rng.random(n)):
        edges, below = quantile_edges(p, inner)
        assert_array_equal(edges, np.quantile(p, inner))
        assert below[0] == 0
        assert below[-1] <= bins - 1
