"""Random integers and normal numbers of simulations."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from fastcompare.kernels.drawing.exchange import signed_sums_of_subsets
from fastcompare.kernels.drawing.streams import (
    WORDS,
    below,
    bounded_integers,
    draw_normal_numbers,
    fill_words,
    normal_quantile,
)

U = np.uint64
WHERE = (U(0), U(1), U(16), U(7))  # first unit, trial, purpose, seed


def words(n, first=0, trial=1, seed=7):
    out = np.empty(n * WORDS, np.uint32)
    fill_words(out, U(first), U(trial), U(16), U(seed))
    return out


@pytest.mark.slow
@pytest.mark.parametrize("p", [1e-300, 1e-17, 1e-9, 0.003, 0.0749, 0.0751, 0.3, 0.5, 0.77, 0.999])
def test_normal_quantiles_against_mpmath(p):
    with mpmath.workdps(40):
        tail = mpmath.erfc(-mpmath.mpf(normal_quantile(p)) / mpmath.sqrt(2)) / 2
        slope = mpmath.npdf(normal_quantile(p))
        error = float((tail - mpmath.mpf(p)) / slope)
    assert abs(error) <= 1e-15 * max(1.0, abs(normal_quantile(p)))


def test_words_depend_on_seed_trial_and_unit_alone():
    assert np.array_equal(words(4)[WORDS:], words(3, first=1))
    assert not np.array_equal(words(1), words(1, trial=2))
    assert not np.array_equal(words(1), words(1, seed=8))


def test_normal_numbers_are_normal(requires_jit):
    z = np.empty(1 << 16)
    draw_normal_numbers(words(2 * z.size // WORDS), z)
    assert stats.kstest(z, "norm").pvalue > 1e-3
    assert abs(np.corrcoef(z[:-1], z[1:])[0, 1]) < 4 / np.sqrt(z.size)


@pytest.mark.slow
def test_an_integer_below_n_is_the_high_part_of_the_product():
    drawn = words(64)
    found = [int(below(U(w), U(7), U(i), *WHERE[1:])) for i, w in enumerate(drawn)]
    assert found == [(int(w) * 7) >> 32 for w in drawn]


def test_words_that_would_favour_some_integers_are_replaced():
    n = 3 << 30  # 2^32 mod n = 2^30: a quarter of all words must go
    refused = [w for w in range(0, 40) if (w * n) % (1 << 32) < (1 << 32) % n]
    assert refused
    for w in refused:
        replaced = int(below(U(w), U(n), U(3), *WHERE[1:]))
        assert replaced != (w * n) >> 32
        assert 0 <= replaced < n


@pytest.mark.slow
@pytest.mark.parametrize("n", [7, 3 << 30], ids=["mostly kept", "a quarter replaced"])
def test_many_integers_are_those_one_by_one(n):
    drawn, out = words(1), np.empty(WORDS, np.int64)
    bounded_integers(drawn, U(n), U(5), *WHERE[1:], out)
    assert out.tolist() == [
        int(below(U(w), U(n), U(5 + i), *WHERE[1:])) for i, w in enumerate(drawn)
    ]


@pytest.mark.slow
def test_subsets_hold_a_hypergeometric_number_of_cases(requires_jit):
    gaps = np.empty(20_000, np.int64)
    for signs, turn in ((np.ones(8, np.int64), 1), (-np.ones(8, np.int64), -1)):
        signed_sums_of_subsets(signs, 30, 12, gaps, WHERE[1:])
        found = np.bincount(turn * gaps, minlength=9)
        want = stats.hypergeom.pmf(np.arange(9), 30, 8, 12) * gaps.size
        assert stats.chisquare(found, want).pvalue > 1e-3
    signed_sums_of_subsets(np.ones(30, np.int64), 30, 12, gaps, WHERE[1:])
    assert (gaps == 12).all()


@pytest.mark.slow
def test_integers_are_uniform(requires_jit):
    drawn = words(1 << 11)
    found = [int(below(U(w), U(11), U(i), *WHERE[1:])) for i, w in enumerate(drawn)]
    assert stats.chisquare(np.bincount(found, minlength=11)).pvalue > 1e-3
