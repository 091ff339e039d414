"""Kernels that count cells, against NumPy and case by case."""

import numpy as np
from numpy.testing import assert_array_equal

from fastcompare.kernels.drawing.purposes import EXCHANGES
from fastcompare.kernels.drawing.streams import draw_row
from fastcompare.kernels.tables.cells import UNIT, add_margins, count_exchanges, sum_cells

U = np.uint64
RNG = np.random.default_rng(4)


def test_the_sums_of_cells_are_those_of_numpy():
    weights = RNG.integers(0, 256, (300, 64)).astype(np.uint8)
    rows, ends = RNG.permutation(300), np.array([10, 11, 280, 300])
    counts = np.zeros((4, 64), np.uint32)
    for first, stop in ((0, 5), (5, 250), (250, 300)):
        cell = int(np.searchsorted(ends, first, "right"))
        sum_cells(weights, rows, ends, cell, first, stop, counts)
    parts = np.split(weights[rows].astype(np.uint32), ends[:-1])
    assert_array_equal(counts, [part.sum(0) for part in parts])


def test_the_margins_are_those_of_a_case_by_case_count():
    cells = RNG.integers(0, 3, (7, 3))
    counts = RNG.integers(0, 5, (7, 2)).astype(np.uint32)
    out = np.zeros((5, 3, 2), np.int64)
    add_margins(cells, counts, out)
    for j in range(2):
        y, a, b = np.repeat(cells, counts[:, j], axis=0).T
        want = [np.bincount(x, minlength=3) for x in (y, a, b, y[a == y], y[b == y])]
        assert_array_equal(out[:, :, j], want)


def test_the_kernel_counts_the_bits_of_its_draws():
    sizes, seed, block = np.array([3, 16, 0, 40]), U(7), U(2)
    counts = np.full((4, 64), 99, np.uint32)
    count_exchanges(sizes, block, seed, counts)
    words, unit = np.empty(32, np.uint32), 0
    for size, found in zip(sizes.tolist(), counts, strict=True):
        want = np.zeros(64, int)
        for start in range(0, size, UNIT):
            draw_row(U(unit), block, EXCHANGES, seed, words)
            mask = (1 << min(UNIT, size - start)) - 1
            want += [int(x & mask).bit_count() for x in words.view(np.uint16).tolist()]
            unit += 1
        assert_array_equal(found, want)


def test_counts_of_many_cases_do_not_overflow(requires_jit):
    sizes = np.array([1_000_000, 5])
    counts = np.empty((2, 64), np.uint32)
    count_exchanges(sizes, U(0), U(1), counts)
    z = (counts[0] - 500_000.0) / 500.0
    assert abs(z).max() < 5
    assert 0.5 < z.std() < 1.5
    assert counts[1].max() <= 5
