"""Replicates of permutation tests that exchange two models' ranks within random cases.

A row of random bits is 16 a lane (see `philox`): lane b of unit u says which of the cases 16u to
16u + 15 replicate b of the block exchanges, lowest bit first. So a replicate depends on the seed
and its number alone.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import HALF, ONE, TWO, WORD, ZERO, U
from .philox import LANES, WORDS, draw_row
from .purposes import SIGNS

UNIT = 16  # cases that a row of bits serves
BYTE = 8
THREE = U(3)
N = np.uint32


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


@kernel
def unpack_signs(signs, lane, exchanged):
    """Write to `exchanged` whether a lane exchanges each case of its units."""
    for unit in range(signs.shape[0]):
        word = U(signs[unit, lane])
        for c in range(UNIT):
            exchanged[unit * UNIT + c] = (word >> U(c)) & ONE


@kernel
def untied_curves(owners, exchanged, a, b):
    """Write to `a` and `b` (n + 2) twice the positives among the 1, 2, ... lowest cases of models.

    By the exchange one model has 0, 1 or 2 of the two cases of a rank, the other one the rest; two
    are a tie, and half the positives of both are expected below its middle. No branch depends on
    an exchange, and all numbers are whole: a third of the time of `expected_positives`.
    """
    x = y = ZERO
    below_a = below_b = ZERO
    for v in range(owners.shape[0]):
        own, other = U(owners[v, 0]), U(owners[v, 1])
        leaves, comes = U(exchanged[own >> ONE]), U(exchanged[other >> ONE])
        size = ONE - leaves + comes
        p = (own & (ONE - leaves)) + (other & comes)
        q = (own & ONE) + (other & ONE) - p
        a[x] = N(below_a + p * (THREE - size))
        b[y] = N(below_b + q * (ONE + size))
        below_a += TWO * p
        below_b += TWO * q
        a[x + ONE], b[y + ONE] = N(below_a), N(below_b)
        x += size
        y += TWO - size


@kernel
def untied_distances(owners, signs, first, out):
    """Write what `curve_distances` does, the same bits, where neither model ties any two cases.

    `owners` (n, 2) uint32 are the numbers of the cases that have a rank by either model, or that
    behind the last unit for one that has it by both; the lowest bit is the case's label.
    """
    n = owners.shape[0]
    exchanged = np.zeros(signs.shape[0] * UNIT + 1, np.uint8)
    a, b = np.empty(n + 2, N), np.empty(n + 2, N)
    for lane in range(out.size):
        unpack_signs(signs, first + lane, exchanged)
        untied_curves(owners, exchanged, a, b)
        apart = np.int64(0)
        for x in range(n):
            apart += abs(np.int64(a[x]) - np.int64(b[x]))
        out[lane] = np.float64(apart)
