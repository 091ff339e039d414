"""Replicates of permutation tests that exchange two models' ranks within random cases.

A row of random bits is 16 a lane (see `philox`): lane b of unit u says which of the cases 16u to
16u + 15 replicate b of the block exchanges, lowest bit first. So a replicate depends on the seed
and its number alone.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import HALF, WORD, U
from .philox import LANES, WORDS, draw_row
from .purposes import SIGNS

UNIT = 16  # cases that a row of bits serves
BYTE = 8


@kernel
def signed_sums(t, table):
    """Write to `table` (256) the sums of eight numbers, negative where the index has a bit."""
    table[0] = 0
    for value in t:
        table[0] += value
    for j in range(BYTE):
        size = 1 << j
        for low in range(size):
            table[size + low] = table[low] - 2 * t[j]


@kernel
def add_exchanges(t, unit, block, seed, sums):
    """Add to `sums` (blocks, 64) the sums of t with random signs, for the blocks from `block` on.

    `t` (int64) holds the 16 cases of each unit from `unit` on. Two look-ups add 16 cases to a
    lane: 0.07 ns a case and replicate, a fiftieth of what drawing a byte each takes NumPy.
    """
    words = np.empty(WORDS, np.uint32)
    drawn = words.view(np.uint8)
    low, high = np.empty(1 << BYTE, np.int64), np.empty(1 << BYTE, np.int64)
    for g in range(t.size // UNIT):
        signed_sums(t[g * UNIT : g * UNIT + BYTE], low)
        signed_sums(t[g * UNIT + BYTE : (g + 1) * UNIT], high)
        for b in range(sums.shape[0]):
            draw_row(unit + U(g), block + U(b), SIGNS, seed, words)
            for lane in range(LANES):
                sums[b, lane] += low[drawn[2 * lane]] + high[drawn[2 * lane + 1]]


@kernel
def draw_signs(block, seed, signs):
    """Write to `signs` (units, 64) uint16 the bits of a block of replicates."""
    words = np.empty(WORDS, np.uint32)
    drawn = words.view(np.uint16)
    for unit in range(signs.shape[0]):
        draw_row(U(unit), block, SIGNS, seed, words)
        for lane in range(LANES):
            signs[unit, lane] = drawn[lane]


@kernel
def expected_positives(cells, out):
    """Write to `out` how many positives are among the 1, 2, ... lowest cases.

    There is room for two numbers more. A cell holds the cases of one rank: their number, and above
    bit 32 the positives. Within a tie the number is expected, so it is linear. One or two cases,
    all that exchanges of untied ranks can bring together, take no branch: half the time.
    """
    x = below = np.int64(0)
    for cell in cells:
        size, positives = np.int64(cell & WORD), np.int64(cell >> HALF)
        if size > 2:
            for k in range(1, size + 1):
                out[x + k - 1] = np.float64(below) + np.float64(k * positives) / np.float64(size)
        else:
            out[x] = np.float64(below) + np.float64(positives) * (1.5 - 0.5 * np.float64(size))
            out[x + 1] = np.float64(below + positives)
        x += size
        below += positives


@kernel
def curve_distances(ranks, steps, cells, signs, first, out):
    """Write to `out` Venkatraman's E after the exchanges of the lanes of `signs` from `first` on.

    The errors at a cut are twice the positives below it, and what both models share. `ranks` (d, 2)
    are the dense ranks, from 0, that two models give to the cases whose ranks differ, `steps` (d)
    what each adds to its cell, and `cells` (2, ranks) hold all other cases.
    """
    a, b = np.empty(cells.shape[1], np.uint64), np.empty(cells.shape[1], np.uint64)
    n = steps.size
    for cell in cells[0]:
        n += np.int64(cell & WORD)
    below_a, below_b = np.empty(n + 2), np.empty(n + 2)
    for lane in range(out.size):
        for v in range(a.size):
            a[v], b[v] = cells[0, v], cells[1, v]
        for c in range(steps.size):
            exchanged = (np.int64(signs[c // UNIT, first + lane]) >> (c % UNIT)) & 1
            a[ranks[c, exchanged]] += steps[c]
            b[ranks[c, 1 - exchanged]] += steps[c]
        expected_positives(a, below_a)
        expected_positives(b, below_b)
        apart = 0.0
        for x in range(n):
            apart += abs(below_a[x] - below_b[x])
        out[lane] = 2.0 * apart
