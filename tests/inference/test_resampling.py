"""Weights: Poisson counts to 80 bits, exact totals, the multinomial distribution; same bits."""

import decimal
import itertools
import math
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from scipy.stats import binom, chi2, norm

from fastcompare._base.memory import CHECKED_FROM
from fastcompare._base.parallel import no_checkpoint
from fastcompare._resampling import weights as _resampling
from fastcompare._resampling.weights import (
    SCRATCH,
    Strata,
    poisson_thresholds,
    row_slices,
    weighted_replicates,
)
from fastcompare.kernels.drawing.resampling import correct_lane, count_thresholds_below, draw_strata
from fastcompare.kernels.sums import U
from tests.reference.bootstrap import (
    BITS,
    LANES,
    number_of,
    poisson_count,
    poisson_levels,
    row_of_words,
)

WORDS = np.empty(32, np.uint32)  # scratch
SIZES = [1, 2, 3, 4, 5, 63, 64, 65, 1000]


def rate_of(size):
    return max(1.0 - 2.0 / math.sqrt(size), 0.7)


def weights_of(sizes, block=0, seed=1):
    strata = Strata(sizes, seed)
    weights = np.empty((strata.n_units, LANES), np.uint8)
    strata.draw(block, weights, no_checkpoint)
    return weights


def poisson_counts(first, rows, block, levels, thresholds, seed):
    """Counts of some units of a larger stratum, and their totals: they are not yet corrected."""
    weights, totals = np.empty((first + rows, LANES), np.uint8), np.zeros((1, LANES), np.uint32)
    rates = np.array([first + rows + 1]), levels[None], thresholds[None]
    words, place = weights.view(np.uint64).ravel(), (U(block), U(seed))
    draw_strata(weights, words, first, first + rows, totals, *rates, *place, *SCRATCH.arrays)
    return weights[first:], totals[0]


def every_weight(sizes, blocks, seed=1):
    """Replicates of some blocks, (blocks * 64, units)."""
    return np.concatenate([weights_of(sizes, block, seed).T for block in range(blocks)])


def outcomes(n):
    """Counts of n units, and their chances if n are drawn."""
    found = [c for c in itertools.product(range(n + 1), repeat=n) if sum(c) == n]
    chance = [math.factorial(n) / math.prod(map(math.factorial, c)) / n**n for c in found]
    return found, np.array(chance)


@pytest.mark.parametrize("size", [*SIZES, 10**4, 10**6, 10**8])
def test_thresholds_are_the_poisson_distribution_to_80_bits(size):
    levels, thresholds = poisson_thresholds(size)
    found = [(int(high) << 64) | int(low) for high, low in thresholds]
    assert found == poisson_levels(rate_of(size))
    assert found[-1] >= 2**BITS - 2
    high, low = zip(*(divmod(value >> 64, 256) for value in found[:8]), strict=True)
    assert high[0] < high[1] < high[2] < high[3] < 255 == high[4] == high[7]
    assert levels.tolist()[:4] == list(high[:4])
    assert tuple(np.cumsum(levels[4:8]) % 256) + tuple(levels[8:]) == low
    assert found[7] >> 64 == 2**16 - 1  # no draw is above: the other thresholds need no byte


def test_the_callers_decimal_context_does_not_matter():
    expected = [part.copy() for part in poisson_thresholds(77)]
    poisson_thresholds.cache_clear()
    with decimal.localcontext() as context:
        context.prec, context.rounding = 3, decimal.ROUND_UP
        context.traps[decimal.Inexact] = True
        for part, value in zip(poisson_thresholds(77), expected, strict=True):
            np.testing.assert_array_equal(part, value)


@pytest.mark.parametrize("size", [4, 63, 10**6])
def test_counts_are_the_inversion_of_80_bits(size):
    rows, block, seed = 12, 3, 2**63 + 12345
    weights, totals = poisson_counts(7, rows, block, *poisson_thresholds(size), seed)
    rate = rate_of(size)
    for i in range(rows):
        for lane in range(0, LANES, 3):
            assert weights[i, lane] == poisson_count(7 + i, block, lane, seed=seed, rate=rate)
    np.testing.assert_array_equal(totals, weights.sum(axis=0))


def levels_of(levels):
    """Thresholds of 80 bits as kernels take them: those of 16 bits in bytes, and all in pairs."""
    high, low = zip(*(divmod(level >> 64, 256) for level in levels[:8]), strict=True)
    steps = [(y - x) % 256 for x, y in itertools.pairwise(low[:4])]
    pairs = np.array([divmod(level, 1 << 64) for level in levels], np.uint64)
    return np.array([*high[:4], low[0], *steps, *low[4:]], np.uint8), pairs


def test_draws_within_a_cell_are_settled_by_64_more_bits():
    """Thresholds are set to draws that occur, and to each side of their numbers."""
    rows, block, seed = 3, 2, 99
    numbers = {
        (i, lane): number_of(i, block, lane, seed) for i in range(rows) for lane in range(0, 64, 7)
    }
    for (i, lane), number in numbers.items():
        for threshold, expected in ((number, 1), (number + 1, 0)):
            if number >> 72 > 251:  # its high byte, and those of the next three thresholds
                continue
            above = [((number >> 72) + k) << 72 for k in (1, 2, 3)]
            levels, thresholds = levels_of([threshold, *above, *[2**BITS - 1] * 21])
            weights, _ = poisson_counts(0, rows, block, levels, thresholds, seed)
            assert weights[i, lane] == expected
            assert all(
                weights[r, column] == sum(other >= level for level in (threshold, *above))
                for (r, column), other in numbers.items()
            )


@pytest.mark.slow
@pytest.mark.parametrize("size", [1, 1000, 10**9])
def test_every_draw_of_two_bytes_is_counted_or_marked(size):
    levels, _ = poisson_thresholds(size)
    bytes_of = np.stack(np.divmod(np.arange(2**16).reshape(-1, LANES), 256), axis=1)
    rows = np.empty((len(bytes_of), LANES), np.uint8)
    count_thresholds_below(bytes_of.reshape(-1, 2 * LANES).astype(np.uint8), levels, rows)
    out = rows.ravel()
    draws = (np.arange(2**16, dtype=object)) << 64  # the smallest and largest numbers of a draw
    limits = poisson_levels(rate_of(size))
    least = np.array([sum(x >= level for level in limits) for x in draws])
    most = np.array([sum(x + 2**64 - 1 >= level for level in limits) for x in draws])
    marked = out >= 128
    np.testing.assert_array_equal(out[~marked], least[~marked])
    np.testing.assert_array_equal(least[~marked], most[~marked])
    assert marked.sum() == len({level >> 64 for level in limits})


def test_rows_count_anew_wherever_they_are_marked():
    """Every lane of many rows, some marked in a batch of 64 and in its last, shorter one."""
    rows, block, seed = 200, 2, 5
    levels, thresholds = poisson_thresholds(10**4)
    weights, totals = poisson_counts(0, rows, block, levels, thresholds, seed)
    draws = np.array(
        [
            [words >> s & 255 for words in row_of_words(r, block, 0, seed) for s in (0, 8, 16, 24)]
            for r in range(rows)
        ]
    )
    draws = draws[:, :LANES] << 8 | draws[:, LANES:]
    cells = thresholds[:, 0].astype(int)
    exact = (draws[..., None] > cells).sum(axis=-1)
    near = (draws[..., None] == cells).any(axis=-1)
    np.testing.assert_array_equal(weights[~near], exact[~near])
    assert near.any()
    rate = rate_of(10**4)
    for r, lane in np.argwhere(near).tolist():
        assert weights[r, lane] == poisson_count(r, block, lane, seed=seed, rate=rate)
    np.testing.assert_array_equal(totals, weights.sum(axis=0))


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [*[(n,) for n in SIZES], (1, 1), (3, 5), (64, 1), (130, 700)])
def test_totals_are_exact_in_every_stratum(sizes):
    for block in range(3):
        first = 0
        weights = weights_of(sizes, block)
        for size in sizes:
            stratum = weights[first : first + size]
            assert (stratum.sum(axis=0, dtype=int) == size).all()
            first += size


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_all_outcomes_have_their_multinomial_chances(n, requires_jit):
    drawn = every_weight((n,), 400, seed=5)
    found, chance = outcomes(n)
    code = drawn @ (n + 1) ** np.arange(n)
    expected = chance * len(drawn)
    counts = np.array([(code == np.array(c) @ (n + 1) ** np.arange(n)).sum() for c in found])
    assert counts.sum() == len(drawn)
    assert chi2.sf(((counts - expected) ** 2 / expected).sum(), len(found) - 1) > 1e-3


@pytest.mark.slow
def test_units_are_taken_in_proportion_to_their_counts(requires_jit):
    """Three units of which two too many were drawn, (3, 2, 0): removal uniform over units."""
    n_lanes, counts = 0, {}
    for block in range(300):
        weights = np.repeat(np.array([[3], [2], [0]], np.uint8), LANES, axis=1)
        for lane in range(LANES):
            correct_lane(weights, lane, -2, U(block), U(0), U(3), WORDS)
        n_lanes += LANES
        for row in map(tuple, weights.T.tolist()):
            counts[row] = counts.get(row, 0) + 1
    chance = {(1, 2, 0): 3 / 10, (2, 1, 0): 6 / 10, (3, 0, 0): 1 / 10}  # of 10 pairs of units
    assert set(counts) == set(chance)
    statistic = sum((counts[c] - n_lanes * p) ** 2 / (n_lanes * p) for c, p in chance.items())
    assert chi2.sf(statistic, 2) > 1e-3


def test_missing_units_are_added_uniformly(requires_jit):
    weights = np.zeros((7, LANES), np.uint8)
    added = np.zeros(7)
    for block in range(50):
        weights[:] = 0
        for lane in range(LANES):
            correct_lane(weights, lane, 20, U(block), U(1), U(3), WORDS)
        assert (weights.sum(axis=0) == 20).all()
        added += weights.sum(axis=1)
    expected = added.sum() / 7
    assert chi2.sf(((added - expected) ** 2 / expected).sum(), 6) > 1e-3


@pytest.mark.slow
def test_lanes_of_more_than_2_to_the_27_units_are_corrected():
    """One row stands for all of them; 32 bits must not be too few to pick from."""
    row = np.zeros(LANES, np.uint8)
    weights = np.lib.stride_tricks.as_strided(row, (3 << 27, LANES), (0, 1))
    correct_lane(weights, 5, 9, U(0), U(0), U(3), WORDS)
    correct_lane(weights, 5, -4, U(1), U(0), U(3), WORDS)
    assert row.tolist() == [5 * (lane == 5) for lane in range(LANES)]


@pytest.mark.slow
@pytest.mark.parametrize("n", [50, 1000])
def test_one_unit_is_binomial_and_two_covary_as_in_the_multinomial(n, requires_jit):
    drawn = every_weight((n,), 200, seed=17)
    size = drawn.size
    counts = np.bincount(drawn.ravel(), minlength=8)
    counts = np.append(counts[:6], counts[6:].sum())
    chance = np.append(binom.pmf(range(6), n, 1 / n), binom.sf(5, n, 1 / n))
    # cells of a replicate covary by -1 / n: their counts vary less than those of a multinomial
    assert chi2.sf(((counts - size * chance) ** 2 / (size * chance)).sum(), 6) > 1e-3
    for unit in (0, n // 2, n - 1):
        cells = np.bincount(np.minimum(drawn[:, unit], 5), minlength=6)
        expected = len(drawn) * np.append(chance[:5], chance[5:].sum())
        assert chi2.sf(((cells - expected) ** 2 / expected).sum(), 5) > 1e-3
    covariance = np.cov(drawn.T.astype(float))
    off = covariance[~np.eye(n, dtype=bool)]
    assert off.mean() == pytest.approx(-1 / n, rel=0.05)  # -p^2 n; exact given the variances
    assert np.diag(covariance).mean() == pytest.approx(1 - 1 / n, rel=0.02)
    z = (off + 1 / n) * math.sqrt(len(drawn))
    assert abs(z).max() < norm.isf(1e-4 / z.size)


@pytest.mark.parametrize("lag", ["lanes", "blocks", "seeds", "strata", "units"])
def test_neighbouring_replicates_are_independent(lag, requires_jit):
    n = 500
    drawn = [weights_of((n, n), block, seed=8) for block in range(11)]
    pairs = {
        "lanes": lambda i: (drawn[i][:n, :-1], drawn[i][:n, 1:]),
        "blocks": lambda i: (drawn[i][:n], drawn[i + 1][:n]),
        "seeds": lambda i: (drawn[i][:n], weights_of((n, n), i, seed=9)[:n]),
        "strata": lambda i: (drawn[i][:n], drawn[i][n:]),
        "units": lambda i: (drawn[i][: n - 1], drawn[i][1:n]),
    }[lag]
    x, y = (
        np.concatenate([part.ravel() for part in side])
        for side in zip(*map(pairs, range(10)), strict=True)
    )
    table = np.zeros((5, 5))
    np.add.at(table, (np.minimum(x, 4), np.minimum(y, 4)), 1)
    expected = table.sum(axis=1)[:, None] * table.sum(axis=0) / x.size
    assert chi2.sf(((table - expected) ** 2 / expected).sum(), 16) > 1e-3


def totals_of(weights, checkpoint):
    """A statistic that depends on every weight; at module level, so that it can be pickled."""
    checkpoint()
    place = np.arange(1, len(weights) + 1, dtype=np.uint64)[:, None]
    return (place**3 * weights).sum(axis=0)


run = partial(weighted_replicates, totals_of, Strata((30, 41), 6))


@pytest.mark.parametrize("n_resamples", [1, 63, 64, 65, 1000])
def test_bits_do_not_depend_on_threads_or_blocks(n_resamples, monkeypatch, requires_jit):
    expected = run(n_resamples)
    assert expected.shape == (1, n_resamples)
    for n_jobs in (2, 3):
        np.testing.assert_array_equal(run(n_resamples, n_jobs=n_jobs), expected)
    for task, step in ((1, 1 << 18), (10**9, 7), (71 * 64 * 3, 64)):
        monkeypatch.setattr(_resampling, "TASK_COUNTS", task)
        monkeypatch.setattr(_resampling, "row_slices", partial(row_slices, step=step))
        np.testing.assert_array_equal(run(n_resamples), expected)


@pytest.mark.slow
def test_bits_do_not_depend_on_the_executor(requires_jit):
    expected = run(1000)
    with ThreadPoolExecutor(3) as pool:
        np.testing.assert_array_equal(run(1000, executor=pool), expected)
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        np.testing.assert_array_equal(run(1000, executor=pool), expected)


@pytest.mark.slow
def test_the_first_replicates_are_those_of_a_shorter_run():
    long = run(1000)
    for n_resamples in (1, 64, 100, 129):
        np.testing.assert_array_equal(run(n_resamples), long[:, :n_resamples])


def test_slices_cover():
    assert [(s.start, s.stop) for s in row_slices(10, 4)] == [(0, 4), (4, 8), (8, 10)]
    assert list(row_slices(0, 4)) == []


def test_a_memory_that_is_too_small_is_told_before_work():
    with pytest.raises(MemoryError, match="use fewer resamples"):
        run(10**14)
    assert CHECKED_FROM < 8 * 10**14
    with pytest.raises(MemoryError, match="use fewer threads or cases"):
        weighted_replicates(totals_of, Strata((10**13,), 1), 10)
