"""The exact distribution of differences of rank sums against all orders of all data sets."""

import math
from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

import fastcompare as fc
from fastcompare.ranks._rank_pairs import rank_sum_distance_tail
from tests.reference import posthoc as reference


@pytest.mark.parametrize(("k", "n"), [(2, 6), (3, 4), (3, 5), (4, 3)])
def test_exact_tails_count_all_orders_of_all_data_sets(k, n):
    chances = reference.rank_sum_difference(k, n)
    expected = [
        float(sum(chance for d, chance in chances.items() if abs(d) >= least))
        for least in range(n * (k - 1) + 1)
    ]
    assert_allclose(rank_sum_distance_tail(k, n), expected, rtol=1e-14)


@pytest.mark.parametrize(("k", "n"), [(5, 30), (10, 7), (3, 64)])
def test_exact_tails_are_powers_of_a_polynomial(k, n):
    """In whole numbers: packed into one number, a digit for each difference."""
    digits = (n * (k * (k - 1)).bit_length() + 7) // 8
    one = sum((k - abs(d)) << 8 * digits * (d + k - 1) for d in range(1 - k, k) if d)
    power, most = one**n, n * (k - 1)
    size = (2 * most + 1) * digits
    data = power.to_bytes(size, "little")
    counts = [int.from_bytes(data[i : i + digits], "little") for i in range(0, size, digits)]
    every = (k * (k - 1)) ** n
    assert sum(counts) == every
    expected = [float(Fraction(2 * sum(counts[most + d :]), every)) for d in range(1, most + 1)]
    assert_allclose(rank_sum_distance_tail(k, n), [1.0, *np.minimum(expected, 1.0)], rtol=1e-13)


def test_exact_tails_near_the_normal_ones_for_many_data_sets():
    k, n = 10, 1000
    error = math.sqrt(n * k * (k + 1) / 6)
    d = np.arange(1, 300)
    expected = 2 * stats.norm.sf((d - 0.5) / error)
    assert_allclose(rank_sum_distance_tail(k, n)[d], expected, rtol=0.005)


def test_exact_pairs_need_data_sets_without_ties_in_friedman_exact_pairs_test():
    table = {"a": [1.0, 2.0, 3.0], "b": [2.0, 1.0, 1.0], "c": [3.0, 1.0, 2.0]}
    with pytest.raises(fc.InvalidValueError, match=r"no ties .* of 'b' in row 1. Use friedman_pa"):
        fc.friedman_exact_pairs_test(table)


def test_exact_pairs_of_too_many_data_sets_are_refused_in_friedman_exact_pairs_test():
    table = np.random.default_rng(0).normal(size=(20_000 // 4 + 1, 5))
    with pytest.raises(fc.InvalidValueError, match=r"N \(k - 1\) <= 20,000 .* 5,001 data sets"):
        fc.friedman_exact_pairs_test(table)


def test_exact_pairs_keep_their_level():
    rng = np.random.default_rng(2)
    tail = rank_sum_distance_tail(4, 9)
    ranks = rng.permuted(np.tile(np.arange(4), (4000, 9, 1)), axis=2)
    sums = ranks.sum(axis=1)
    p = tail[np.abs(sums[:, 0] - sums[:, 1])]
    for level in (0.02, 0.1, 0.4):
        chance = max((q for q in tail if q <= level), default=0.0)
        assert np.mean(p <= level) == pytest.approx(chance, abs=0.03)
