"""The exact and the random permutation distribution of Friedman's statistic."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

import fastcompare as fc
from fastcompare.kernels.drawing.exchange import draw_choices, plan_shuffle_words, shuffled_squares
from fastcompare.kernels.drawing.streams import LANES
from fastcompare.ranks._friedman import count_orders, distinct_orders
from tests.reference import ranks as reference

U = np.uint64
SHAPES = [(2, 3), (3, 3), (4, 3), (5, 3), (2, 4), (3, 4), (2, 5)]


@st.composite
def small_tables(draw):
    n, k = draw(st.sampled_from(SHAPES))
    row = st.lists(st.integers(0, 4), min_size=k, max_size=k)
    return draw(st.lists(row, min_size=n, max_size=n))


@pytest.mark.slow
@settings(max_examples=25)
@given(table=small_tables())
def test_exact_p_equals_all_permutations_within_rows_in_friedman_test(table):
    found = fc.friedman_test(table, method="exact")
    assert found.pvalue == float(reference.exact_friedman(table))
    assert found.statistic == float(reference.friedman(table)[0])


@pytest.mark.parametrize(
    ("k", "n", "chi2", "tail"),
    [
        # Owen (1962) as printed in textbooks: P(chi2 >= x) for k models and N data sets
        (3, 4, 6.5, 0.042),
        (3, 5, 6.4, 0.039),
        (3, 6, 7.0, 0.029),
        (3, 8, 6.25, 0.047),
        (4, 3, 7.4, 0.033),
        (4, 4, 7.8, 0.036),
    ],
)
def test_tails_of_printed_tables_in_friedman_test(k, n, chi2, tail):
    """The smallest table with that statistic, found by shuffling."""
    rng = np.random.default_rng(0)
    table = rng.permuted(np.tile(np.arange(k), (2000, n, 1)), axis=2)
    spread = ((table.sum(axis=1) - n * (k - 1) / 2) ** 2).sum(axis=1)
    at = np.flatnonzero(np.isclose(12 / (n * k * (k + 1)) * spread, chi2))[0]
    assert round(fc.friedman_test(table[at], method="exact").pvalue, 3) == tail


@pytest.mark.parametrize(("k", "n"), [(3, 30), (4, 12), (5, 6), (6, 3), (7, 2)])
def test_perfect_agreement_is_one_order_of_all_in_friedman_test(k, n):
    found = fc.friedman_test(np.tile(np.arange(k), (n, 1)), method="exact")
    assert found.pvalue == float(Fraction(1, math.factorial(k) ** (n - 1)))
    assert_allclose(found.log_pvalue, (1 - n) * math.log(math.factorial(k)), rtol=1e-14)


@pytest.mark.slow
def test_rows_of_several_kinds_of_ties_may_come_in_any_order_in_friedman_test():
    table = np.array([[1, 1, 2, 3], [4, 3, 2, 1], [1, 1, 1, 2], [2, 2, 1, 1]])
    wanted = float(reference.exact_friedman(table.tolist()))
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        assert fc.friedman_test(table[order], method="exact").pvalue == wanted


def test_chunks_change_nothing_in_friedman_test(monkeypatch):
    table = np.random.default_rng(2).normal(size=(7, 4)).round(1)
    wanted = fc.friedman_test(table, method="exact").pvalue
    monkeypatch.setattr("fastcompare.ranks._friedman.CHUNK_STEPS", 100)
    assert fc.friedman_test(table, method="exact").pvalue == wanted


def test_exact_approaches_f_on_many_data_sets_in_friedman_test():
    table = np.random.default_rng(3).normal(size=(60, 3)) * [1, 1, 1.5]
    exact, by_f = (fc.friedman_test(table, method=m) for m in ("exact", "iman-davenport"))
    assert 0.05 < exact.pvalue < 0.95
    assert_allclose(exact.pvalue, by_f.pvalue, rtol=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(40, 4), (30, 8), (2, 9), (3, 100)])
def test_tables_too_large_are_refused_soon_with_a_way_on_in_friedman_test(shape):
    table = np.random.default_rng(0).normal(size=shape)
    with pytest.raises(fc.InvalidValueError, match=r"too long .* Pass method='permutation'"):
        fc.friedman_test(table, method="exact")


@pytest.mark.parametrize("row", [(2, 4, 6), (3, 3, 6), (4, 4, 4), (3, 3, 7, 7, 10)])
def test_different_orders_are_counted_and_yielded_once(row):
    counts = {rank: row.count(rank) for rank in row}
    found = list(distinct_orders(dict(counts), len(row)))
    assert len(found) == len(set(found)) == count_orders(row)
    assert all(sorted(order) == sorted(row) for order in found)


def draws(rows, blocks, seed=0):
    rows = np.ascontiguousarray(rows, dtype=np.int64)
    out = np.empty((blocks, LANES), np.int64)
    for block in range(blocks):
        shuffled_squares(rows, U(block), U(seed), out[block])
    return out.ravel()


@pytest.mark.slow
def test_random_permutations_agree_with_the_exact_distribution_in_friedman_test():
    rng = np.random.default_rng(7)
    for table in (rng.normal(size=(6, 4)), rng.normal(size=(5, 5)).round()):
        exact = fc.friedman_test(table, method="exact").pvalue
        found = fc.friedman_test(table, method="permutation", n_resamples=19_999, rng=1)
        assert found.statistic == fc.friedman_test(table, method="exact").statistic
        assert abs(found.pvalue - exact) < 4 * (exact * (1 - exact) / 20_000) ** 0.5


def test_the_p_value_counts_the_table_itself_in_friedman_test():
    """(b + 1) / (B + 1), Phipson and Smyth (2010)."""
    table = np.tile(np.arange(9), (8, 1))
    found = fc.friedman_test(table, method="permutation", n_resamples=999, rng=0)
    assert (found.pvalue, found.n_resamples) == (1 / 1000, 999)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bits_on_any_threads_in_friedman_test():
    table = np.random.default_rng(0).normal(size=(9, 5)).round(1)
    options = {"method": "permutation", "n_resamples": 3000}
    one = fc.friedman_test(table, rng=3, **options)
    assert one.seed == 3
    assert fc.friedman_test(table, rng=3, n_jobs=2, **options).pvalue == one.pvalue
    generator = np.random.default_rng(1)
    first = fc.friedman_test(table, rng=generator, **options)
    again = fc.friedman_test(table, rng=first.seed, **options)
    assert again.pvalue == first.pvalue
    assert fc.friedman_test(table).seed is None


def test_a_replicate_does_not_depend_on_how_many_there_are():
    rows = np.random.default_rng(0).permuted(np.tile(np.arange(12), (3, 1)), axis=1)
    assert (draws(rows, 3)[:LANES] == draws(rows, 1)).all()
    assert (draws(rows, 1, seed=1) != draws(rows, 1, seed=0)).any()


@pytest.mark.slow
@pytest.mark.parametrize("k", [2, 3, 4, 11, 12, 13, 40, 200])
def test_words_choose_every_step_of_a_shuffle(k):
    choices, after = plan_shuffle_words(k)
    steps = list(range(k, 1, -1))
    for product, end in zip(choices.tolist(), after.tolist(), strict=True):
        own = [n for n in steps if n > end]
        assert product == math.prod(own) <= max(1 << 26, own[0])
        steps = steps[len(own) :]
    assert not steps


@pytest.mark.slow
def test_every_order_of_a_row_is_as_likely():
    """The second row spells the order: 1 and 10^4 apart, squares tell 24 orders from each other."""
    rows = np.array([[0, 1, 10, 100], [1000, 3001, 7003, 17007]])
    found = draws(rows, 600)
    values, counts = np.unique(found, return_counts=True)
    assert values.size == 24
    expected = found.size / 24
    assert ((counts - expected) ** 2 / expected).sum() < 50  # 23 df: p = 0.001


@pytest.mark.slow
def test_words_that_would_favour_a_choice_are_drawn_anew():
    """A product near 2^31 leaves a rest of nearly a half: most lanes are drawn more than once."""
    product = U(2**31 + 1)
    words = [np.empty(LANES, U) for _ in range(40)]
    row, spare = np.empty(LANES // 2, np.uint32), np.empty(LANES, U)
    for unit, own in enumerate(words):
        draw_choices(U(unit), U(0), U(5), product, row, spare, own)
    low = [(int(word) * int(product)) % 2**32 for own in words for word in own]
    assert min(low) >= 2**32 % int(product)
    chosen = np.array([(int(word) * int(product)) >> 32 for own in words for word in own])
    assert abs((chosen < 2**30).mean() - 0.5) < 4 * 0.5 / chosen.size**0.5


def test_moments_of_the_permutation_distribution(requires_jit):
    """E chi2 = k - 1 and var chi2 = 2 (k - 1)(N - 1) / N without ties (Friedman 1937)."""
    k, n = 6, 8
    centred = 2 * np.tile(np.arange(1, k + 1), (n, 1)) - (k + 1)
    chi2 = 3 * draws(centred, 1500) / (n * k * (k + 1))
    assert abs(chi2.mean() - (k - 1)) < 5 * (2 * (k - 1) / chi2.size) ** 0.5
    assert_allclose(chi2.var(), 2 * (k - 1) * (n - 1) / n, rtol=0.05)


def test_tables_in_which_f_errs_are_counted_by_default_in_friedman_test():
    """Of all 3 x 3 tables F rejects 1 in 6 at 5%: the rank sums 3, 6, 9 and their like."""
    orders = list(itertools.permutations(range(3)))
    tables = [np.array([orders[0], *rest]) for rest in itertools.product(orders, repeat=2)]
    found = [fc.friedman_test(table) for table in tables]
    assert np.mean([result.pvalue <= 0.05 for result in found]) <= 0.05
    by_f = [fc.friedman_test(table, method="iman-davenport").pvalue <= 0.05 for table in tables]
    assert np.mean(by_f) > 0.15
    assert {result.method for result in found} == {"exact"}
    for shape, ties, method in (
        ((7, 3), "corrected", "iman-davenport"),
        ((6, 3), "corrected", "exact"),
        ((4, 5), "corrected", "exact"),
        ((4, 5), "ignored", "iman-davenport"),
        ((2, 8), "corrected", "iman-davenport"),
    ):
        scores = np.random.default_rng(0).random(shape)
        assert fc.friedman_test(scores, ties=ties).method == method
