"""Corrections of large families: quick ways are the obvious ones."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from fastcompare._inference.corrections import ordered as rom
from fastcompare._inference.corrections.adjust import CORRECTIONS, adjust_pvalues
from fastcompare._inference.corrections.ordered import ORDER_FREE
from tests.reference import corrections as reference

DRAWS = {
    "uniform": lambda rng, m: rng.random(m),
    "signal": lambda rng, m: rng.random(m) ** 4,
    "tiny": lambda rng, m: rng.random(m) * 1e-310,
    "one decimal": lambda rng, m: np.round(rng.random(m), 1),
    "two decimals": lambda rng, m: np.round(rng.random(m), 2),
    "on a line": lambda rng, m: np.arange(1, m + 1) / m * rng.random(),
    "a grid": lambda rng, m: np.minimum(np.arange(1, m + 1) * 0.01, 1.0),
    "all alike": lambda rng, m: np.full(m, rng.random()),
    "half ones": lambda rng, m: np.minimum(1.0, rng.random(m) * rng.choice([8.0 / m, 9e99], m)),
    "zeros": lambda rng, m: np.where(rng.random(m) < 0.5, 0.0, rng.random(m) ** 3),
}
every_draw = pytest.mark.parametrize("draw", DRAWS)


@pytest.mark.slow
@every_draw
@given(m=st.integers(1, 130), seed=st.integers(0, 2**32 - 1))
def test_hommel_has_the_bits_of_its_definition(draw, m, seed):
    p = np.sort(DRAWS[draw](np.random.default_rng(seed), m))
    with np.errstate(under="ignore"):
        expected = reference.hommel(p)
    assert_array_equal(adjust_pvalues(p, method="hommel"), expected)


@every_draw
def test_hommel_of_a_thousand_has_the_bits_of_its_definition(draw):
    p = np.sort(DRAWS[draw](np.random.default_rng(2), 1000))
    with np.errstate(under="ignore"):
        assert_array_equal(adjust_pvalues(p, method="hommel"), reference.hommel(p))


@every_draw
@pytest.mark.parametrize("m", [65, 200])
def test_rom_between_edges_is_rom_solved_for_each(draw, m, monkeypatch):
    p = DRAWS[draw](np.random.default_rng(m), m)
    interpolated = adjust_pvalues(p, method="rom")
    monkeypatch.setattr(rom, "MOST_SOLVED_SINGLY", m)
    assert_allclose(interpolated, adjust_pvalues(p, method="rom"), rtol=2e-13)


@pytest.mark.slow
@pytest.mark.parametrize("level", [1e-300, 1e-9, 0.05, 0.5, 0.9, 0.982, 0.999, 0.99999, 1 - 1e-9])
def test_rom_of_many_inverts_its_critical_values(level):
    for n in (70, 600):
        critical = rom.critical_with_slope(np.array([level]), np.array([n]))[0]
        p = np.concatenate([critical, np.ones(n - 1)])
        assert adjust_pvalues(p, method="rom")[0] == pytest.approx(level, rel=1e-12)


def test_critical_values_that_are_kept_are_those_of_the_recursion():
    values = rom.critical_values(0.0, 4.0, 8)
    w, n = np.array([1e-12, 0.3, 1.7, 3.9]), np.array([250, 100, 17, 3])
    for rank in n.tolist():
        exact = rom.critical_with_slope(-np.expm1(-w), np.full(4, rank))[0]
        assert_allclose(values.solve(np.full(4, rank), rank * exact), w, rtol=1e-12)


@pytest.mark.parametrize("method", CORRECTIONS)
def test_equal_pvalues_get_one_result_wherever_they_are(method):
    rng = np.random.default_rng(6)
    p = rng.choice(np.append(rng.random(30) ** 3, [0.0, -0.0, 1.0]), size=500)
    shuffle = rng.permutation(p.size)
    adjusted = adjust_pvalues(p, method=method)
    assert_array_equal(adjust_pvalues(p[shuffle], method=method), adjusted[shuffle])
    assert all(np.unique(adjusted[p == value]).size == 1 for value in p)


@pytest.mark.parametrize("method", ORDER_FREE)
def test_what_needs_no_order_is_the_same_in_order(method):
    p = np.random.default_rng(8).random(1000) ** 9
    order = np.argsort(p)
    assert_array_equal(
        adjust_pvalues(p, method=method)[order], adjust_pvalues(p[order], method=method)
    )


@pytest.mark.parametrize("method", CORRECTIONS)
def test_the_result_is_an_array_of_its_own(method):
    p = np.array([[0.5, 0.1]])
    adjusted = adjust_pvalues(p, method=method)
    adjusted[:] = 7.0
    assert_array_equal(p, [[0.5, 0.1]])
