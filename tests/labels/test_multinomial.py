"""Redrawn tables have the counts of cases that are drawn with replacement."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import binom, chi2, norm

from fastcompare._inputs.options import as_workers
from fastcompare._resampling.bootstrap import Draws
from fastcompare._resampling.labels import multinomial_tables
from fastcompare.kernels.drawing.resampling import draw_multinomial_tables, log_binomial_ratio
from fastcompare.kernels.sums import U

TABLES = {
    "small means": [3, 2, 4, 1],
    "large means": [150, 80, 400, 60],
    "both": [1000, 3000, 50, 2],
    "empty cells": [0, 5, 0, 3],
    "a million cases": [10**6, 5, 10**5, 300],
}


def drawn(cells, n_resamples, seed=3, first=0):
    out = np.empty((len(cells), n_resamples))
    draw_multinomial_tables(np.array(cells, np.int64), U(first), U(seed), out)
    return out


@pytest.mark.parametrize("name", TABLES)
def test_each_count_is_binomial(name, requires_jit):
    cells = np.array(TABLES[name])
    n, size = int(cells.sum()), 40_000
    counts = drawn(cells, size)
    assert (counts.sum(axis=0) == n).all()
    for cell, values in zip(cells.tolist(), counts, strict=True):
        if cell == 0:
            assert not values.any()
            continue
        edges = np.unique(binom.ppf(np.linspace(0, 1, 31)[1:-1], n, cell / n))
        chances = np.diff([0.0, *binom.cdf(edges, n, cell / n), 1.0])
        seen = np.bincount(np.searchsorted(edges, values), minlength=chances.size)
        held = chances > 0.0
        expected = size * chances[held]
        statistic = ((seen[held] - expected) ** 2 / expected).sum()
        assert chi2.sf(statistic, held.sum() - 1) > 1e-4


def test_counts_covary_as_multinomial_ones(requires_jit):
    cells, size = np.array([150, 80, 400, 60]), 100_000
    shares = cells / cells.sum()
    want = cells.sum() * (np.diag(shares) - np.outer(shares, shares))
    found = np.cov(drawn(cells, size))
    error = np.sqrt((np.outer(np.diag(want), np.diag(want)) + want**2) / size)
    assert (abs(found - want) < norm.isf(1e-5) * error).all()


def test_a_single_cell_gets_all_cases():
    assert drawn([7], 5).tolist() == [[7] * 5]
    assert drawn([0, 9, 0], 2).tolist() == [[0, 0], [9, 9], [0, 0]]


@pytest.mark.slow
@pytest.mark.parametrize("n", [2**40, 2**55, 2**62])
def test_any_number_of_cases_can_be_redrawn(n):
    counts = drawn([n // 4, n // 2, n // 4], 4000)
    assert_allclose(counts.sum(axis=0), n, rtol=1e-15)
    z = (counts[0] - n / 4) / math.sqrt(n * 3 / 16)
    assert abs(z.mean()) < norm.isf(1e-5) / math.sqrt(z.size)
    assert abs(z.std() - 1.0) < norm.isf(1e-5) / math.sqrt(2 * z.size)


@pytest.mark.parametrize(("n", "p"), [(30, 0.4), (1000, 0.02), (10**6, 0.5)])
def test_the_chance_over_that_of_the_mode_is_scipys(n, p):
    mode = math.floor((n + 1) * p)
    for steps in (-3.0, -0.5, 0.0, 1.0, 4.0):
        x = math.floor(mode + steps * math.sqrt(n * p * (1 - p)))
        want = binom.logpmf(x, n, p) - binom.logpmf(mode, n, p)
        assert_allclose(
            log_binomial_ratio(float(x), float(mode), float(n), p / (1 - p)), want, atol=1e-8
        )


def test_a_draw_depends_on_the_seed_and_its_number_alone():
    cells = TABLES["both"]
    assert_array_equal(drawn(cells, 60)[:, 20:], drawn(cells, 40, first=20))
    assert (drawn(cells, 60) != drawn(cells, 60, seed=4)).any()
    table = np.array(cells).reshape(2, 2)
    draws = Draws(9, 5, as_workers(1, None, None))
    found = multinomial_tables(table, draws)
    assert found.shape == (2, 2, 9)
    assert_array_equal(found, multinomial_tables(table.T.copy().T, draws))
