"""Kernels of values at a horizon have the bits of the arrays of NumPy that define them."""

import numpy as np
import pytest

from fastcompare.kernels.horizon import (
    brier_losses,
    censoring_errors,
    censoring_steps,
    sum_squared_roots,
    untied_censoring_errors,
)

SIZES = (1, 7, 129, 1000)  # one block of NumPy's sums, and several


@pytest.mark.parametrize("n", SIZES)
def test_root_squares_are_sums_of_numpy(n):
    rng = np.random.default_rng(n)
    errors, kinds, factors = rng.normal(size=n), rng.integers(0, 3, n), rng.random(3)
    roots, out = np.empty(n), np.empty(4)
    sum_squared_roots(errors, kinds.astype(np.uint8), factors, roots, out)
    want = errors * factors[kinds]
    squares = np.square(want)
    shares = [np.where(kinds == kind, squares, 0.0).sum() for kind in range(3)]
    assert roots.tolist() == want.tolist()
    assert out.tolist() == [*shares, squares.sum()]


@pytest.mark.parametrize("n", SIZES)
def test_brier_losses_are_those_of_numpy(n):
    rng = np.random.default_rng(n)
    r, other, events, controls = rng.random((4, n))
    out = np.empty(n)
    brier_losses(r, np.empty(0), events, controls, 0.7, out)
    assert out.tolist() == ((1.0 - r) ** 2 * events + r**2 * controls / 0.7).tolist()
    brier_losses(r, other, events, controls, 0.7, out)
    event, control = (other - r) * (2.0 - (r + other)), (r - other) * (r + other)
    assert out.tolist() == (event * events + control * controls / 0.7).tolist()


@pytest.mark.parametrize("n", SIZES)
def test_steps_of_censoring_are_those_of_numpy(n):
    rng = np.random.default_rng(n)
    everyone, is_censored = rng.random(n), rng.random(n) < 0.5
    gone = np.where(is_censored, 0.3, 1.0) * everyone
    at_risk, censored, before = np.empty((3, n))
    censoring_steps(everyone, gone, is_censored, at_risk, censored, before)
    want_at_risk = np.cumsum(everyone[::-1])[::-1] - gone
    want_censored = np.where(is_censored, everyone - gone, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):  # where nobody is left
        factors = np.where(want_censored > 0.0, 1.0 - want_censored / want_at_risk, 1.0)
    assert at_risk.tolist() == want_at_risk.tolist()
    assert censored.tolist() == want_censored.tolist()
    assert before.tolist() == [1.0, *np.cumprod(factors)[:-1]]


@pytest.mark.parametrize("n", SIZES)
def test_errors_without_ties_are_those_of_times(n):
    rng = np.random.default_rng(n)
    coefficients, weights = rng.normal(size=n), rng.random(n)
    coefficients[rng.random(n) < 0.5] = 0.0
    observed = rng.integers(0, 2, n).astype(np.uint8)
    observed[-1] = 0  # at whose time nobody is left
    gone, ends = weights * observed, np.empty((3, n))
    censoring_steps(weights, gone, observed == 0, *ends)
    at_risk, censored, _ = ends
    found, want = np.empty((2, n))
    untied_censoring_errors(coefficients, at_risk, censored, observed, weights, found)
    cases = at_risk, censored, observed, weights
    censoring_errors(coefficients, np.arange(n), *cases, want)
    assert np.isfinite(want).all()
    assert found.tolist() == want.tolist()
