"""Sums of differences with random signs or random weights, 64 replicates at a time.

The signs are bits as in `exchange`: a row of random bits is 16 a lane, lane b of unit u says which
of the differences 16u to 16u + 15 turn their sign in replicate b of the block.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import U
from .exchange import BYTE, UNIT, signed_sums
from .philox import LANES, WORDS, draw_row
from .purposes import FLIPS


@kernel
def add_flips(d, unit, block, seed, sums):
    """Add to `sums` (rows, blocks, 64) the sums of rows d with random signs, from `block` on.

    `d` (rows, m) holds the 16 differences of each unit from `unit` on. All rows take the same
    signs. Two look-ups add 16 differences to a lane.
    """
    words = np.empty(WORDS, np.uint32)
    drawn = words.view(np.uint8)
    rows = d.shape[0]
    low, high = np.empty((rows, 1 << BYTE)), np.empty((rows, 1 << BYTE))
    for g in range(d.shape[1] // UNIT):
        for r in range(rows):
            signed_sums(d[r][g * UNIT : g * UNIT + BYTE], low[r])
            signed_sums(d[r][g * UNIT + BYTE : (g + 1) * UNIT], high[r])
        for b in range(sums.shape[1]):
            draw_row(unit + U(g), block + U(b), FLIPS, seed, words)
            for r in range(rows):
                for lane in range(LANES):
                    sums[r, b, lane] += low[r, drawn[2 * lane]] + high[r, drawn[2 * lane + 1]]


@kernel
def signed_sums_of_rows(t, table):
    """Write to `table` (256, rows) the sums of t (8, rows) as `signed_sums` of each row."""
    for r in range(t.shape[1]):
        table[0, r] = 0.0
        for j in range(BYTE):
            table[0, r] += t[j, r]
    for j in range(BYTE):
        size = 1 << j
        for low in range(size):
            some, others = table[low], table[size + low]
            for r in range(t.shape[1]):
                others[r] = some[r] - 2 * t[j, r]


@kernel
def add_flips_of_rows(d, unit, block, seed, sums):
    """Add to `sums` (blocks, 64, rows) what `add_flips` does for the columns of d (m, rows).

    Tables and sums of all rows lie side by side, so that one instruction adds to several: of 16
    rows each takes 0.6 of the time that it takes alone.
    """
    words = np.empty(WORDS, np.uint32)
    drawn = words.view(np.uint8)
    rows = d.shape[1]
    low, high = np.empty((1 << BYTE, rows)), np.empty((1 << BYTE, rows))
    for g in range(d.shape[0] // UNIT):
        signed_sums_of_rows(d[g * UNIT : g * UNIT + BYTE], low)
        signed_sums_of_rows(d[g * UNIT + BYTE : (g + 1) * UNIT], high)
        for b in range(sums.shape[0]):
            draw_row(unit + U(g), block + U(b), FLIPS, seed, words)
            for lane in range(LANES):
                some, others = low[drawn[2 * lane]], high[drawn[2 * lane + 1]]
                total = sums[b, lane]
                for r in range(rows):
                    total[r] += some[r] + others[r]


@kernel
def add_weighted(weights, d, sums):
    """Add to `sums` (64) the sums of d by weights (n, 64)."""
    for i in range(d.size):
        for lane in range(LANES):
            sums[lane] += np.float64(weights[i, lane]) * d[i]
