"""Counts of cases by cell, for 64 replicates at a time, and of cases that two models get right.

A cell is a true label with the labels that two models predict, (t, a, b). Measures of predicted
labels depend on the numbers of cases in the cells alone.

For pairs of k models, row i of `bits` has a bit for every case that model i gets right, 64 cases a
word; bits beyond the last case are 0, and population counts of two rows say how often both are.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..drawing.purposes import EXCHANGES
from ..drawing.streams import LANES, WORDS, draw_row
from ..sums import ONE, TWO, ZERO, U

EVERY_2ND = U(0x5555555555555555)
EVERY_4TH = U(0x3333333333333333)
EVERY_8TH = U(0x0F0F0F0F0F0F0F0F)
BYTES = U(0x0101010101010101)
FOUR, TOP_BYTE = U(4), U(56)


@kernel
def popcount(word):
    """Return the number of 1 bits of a word; LLVM makes it one instruction, vectorised."""
    word -= (word >> ONE) & EVERY_2ND
    word = (word & EVERY_4TH) + ((word >> TWO) & EVERY_4TH)
    return (((word + (word >> FOUR)) & EVERY_8TH) * BYTES) >> TOP_BYTE


@kernel
def joint_popcounts(bits, out):
    """Write to `out` (k, k) int64 the number of cases that two models both get right."""
    k, words = bits.shape
    for i in range(k):
        for j in range(i, k):
            total = U(0)
            for w in range(words):
                total += popcount(bits[i, w] & bits[j, w])
            out[i, j] = total
            out[j, i] = total


UNIT = 16  # cases that a row of bits serves
EVERY_16TH = U(0x0001000100010001)
LOW_5 = U(0x001F001F001F001F)
EIGHT = U(8)
MOST_UNITS = 4095  # units whose bits 16 bits can count


@kernel
def sum_cells(weights, rows, ends, cell, first, stop, counts):
    """Add to `counts` (cells, 64) uint32 the weights of the cases first, ..., stop - 1.

    The cases are in order of their cells, which end at `ends`; `cell` is that of the first, and
    `rows` are their rows of weights.
    """
    at = first
    while at < stop:
        last, total = min(ends[cell], stop), counts[cell]
        for i in range(at, last):
            row = weights[rows[i]]
            for lane in range(LANES):
                total[lane] += row[lane]
        at = last
        cell += 1


@kernel
def add_margins(cells, counts, out):
    """Add cells (C, 3) with counts (C, B) uint32 to `out` (5, classes, B) int64.

    `out` has for each class its cases, those predicted by a and by b, and those where a and where
    b is right.
    """
    for k in range(cells.shape[0]):
        t, a, b = cells[k]
        for j in range(counts.shape[1]):
            n = np.int64(counts[k, j])
            out[0, t, j] += n
            out[1, a, j] += n
            out[2, b, j] += n
            out[3, t, j] += n * (a == t)
            out[4, t, j] += n * (b == t)


@kernel
def popcounts_of_16_bits(word):
    """Return the numbers of 1 bits in each 16 bits of a word, as four 16-bit numbers."""
    word -= (word >> ONE) & EVERY_2ND
    word = (word & EVERY_4TH) + ((word >> TWO) & EVERY_4TH)
    word = (word + (word >> FOUR)) & EVERY_8TH
    return (word + (word >> EIGHT)) & LOW_5


@kernel
def count_exchanges(sizes, block, seed, counts):
    """Write to `counts` (cells, 64) uint32 Binomial(size, 1/2) numbers of each cell, by coins.

    A case has a random bit in each of 64 lanes; the bits of 16 cases are counted at once.
    """
    words = np.empty(WORDS, np.uint32)
    draws, lane_counts = words.view(np.uint64), np.zeros(LANES // 4, np.uint64)
    lanes, unit = lane_counts.view(np.uint16), ZERO
    for k in range(sizes.size):
        counts[k, :] = 0
        for start in range(0, sizes[k], UNIT * MOST_UNITS):
            stop = min(start + UNIT * MOST_UNITS, sizes[k])
            for case in range(start, stop, UNIT):
                draw_row(unit, block, EXCHANGES, seed, words)
                used = EVERY_16TH * U((1 << min(stop - case, UNIT)) - 1)  # a mask of the cases left
                for w in range(lane_counts.size):
                    lane_counts[w] += popcounts_of_16_bits(draws[w] & used)
                unit += ONE
            for lane in range(LANES):
                counts[k, lane] += lanes[lane]
                lanes[lane] = 0
