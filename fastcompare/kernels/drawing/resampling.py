"""Bootstrap weights: how often each replicate draws each unit, 64 replicates at a time.

The counts of n units drawn n times are multinomial. Independent Poisson counts, conditioned on
their total, are so too; hence counts of a rate just below 1, to which missing units are added
uniformly, or from which units too many are taken, each with the same chance. That needs no index
draws, and 16 random bits a count.

Exactness: a draw that falls into one of the 16-bit cells that hold a threshold gets 64 more bits,
so counts have the Poisson distribution to 2^-80, and no index is biased.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import HALF, ONE, WORD, ZERO, U
from .philox import LANES, WORDS, draw_row
from .purposes import CORRECT, COUNT, LANE_SHIFT, REFINE, STRATUM_SHIFT

B = np.uint8
HIT = B(128)  # marks a count that needs more bits
MARKS = U(0x8080808080808080)
COUNT_BITS = U(31)  # counts to take from are smaller: thresholds end at 25
BATCH = 64  # rows that are drawn before they are counted


@kernel
def count_draws(draws, cells, out):
    """Write to `out` how many cells each signed 16-bit draw is above; mark those within one."""
    t0, t1, t2, t3 = cells[0], cells[1], cells[2], cells[3]
    t4, t5, t6, t7 = cells[4], cells[5], cells[6], cells[7]
    for i in range(out.size):
        u = draws[i]
        above = B(u > t0) + B(u > t1) + B(u > t2) + B(u > t3) + B(u > t4) + B(u > t5) + B(u > t6)
        low = B(u == t0) | B(u == t1) | B(u == t2) | B(u == t3)
        high = B(u == t4) | B(u == t5) | B(u == t6) | B(u == t7)
        out[i] = above + HIT * (low | high)


@kernel
def refine(draw, thresholds, unit, block, lane, seed):
    """Return the count of a draw with 64 more bits; `thresholds` (K, 2) are 16 and 64 bits."""
    words = np.empty(WORDS, np.uint32)
    draw_row(unit, block, REFINE | (U(lane) << LANE_SHIFT), seed, words)
    more = (U(words[0]) << HALF) | U(words[1])
    top = U(np.int64(draw) + 32768)
    count = 0
    for k in range(thresholds.shape[0]):
        high, low = thresholds[k, 0], thresholds[k, 1]
        count += top > high or (top == high and more >= low)
    return count


@kernel
def is_marked(words):
    """Return whether any byte of a row, as 8 words, has its highest bit set."""
    found = ZERO
    for word in words:
        found |= word
    return found & MARKS != ZERO


@kernel
def refine_row(row, draws, thresholds, unit, block, seed):
    """Count anew where a row is marked."""
    for lane in range(LANES):
        if row[lane] >= HIT:
            row[lane] = refine(draws[lane], thresholds, unit, block, lane, seed)


@kernel
def draw_counts(weights, totals, first, block, cells, thresholds, seed):
    """Write Poisson counts to `weights` (rows, 64); add them to `totals` (64 uint32).

    `first` is the number of the first row's unit.
    """
    words = np.empty((BATCH, WORDS), np.uint32)
    draws, marks = words.view(np.int16), weights.view(np.uint64)
    batch = np.zeros(LANES, np.uint16)  # 64 rows of at most 25
    for start in range(0, weights.shape[0], BATCH):
        stop = min(start + BATCH, weights.shape[0])
        for r in range(start, stop):
            draw_row(U(first + r), block, COUNT, seed, words[r - start])
        count_draws(draws.ravel(), cells, weights[start:stop].ravel())
        for r in range(start, stop):
            if is_marked(marks[r]):
                refine_row(weights[r], draws[r - start], thresholds, U(first + r), block, seed)
            for lane in range(LANES):
                batch[lane] += weights[r, lane]
        for lane in range(LANES):
            totals[lane] += batch[lane]
            batch[lane] = 0


@kernel
def correct_lane(weights, lane, missing, block, stratum, seed):
    """Bring a lane's total to its target: add `missing` units, or take as many if negative.

    A unit to take is a row accepted with a chance in proportion to its count.
    """
    words = np.empty(WORDS, np.uint32)
    n = U(weights.shape[0])  # below 2^32
    biased = (ONE << HALF) % n  # Lemire (2019), doi:10.1145/3230636: results below are redrawn
    purpose = CORRECT | (U(lane) << LANE_SHIFT) | (stratum << STRATUM_SHIFT)
    row, used = ZERO, WORDS
    while missing:
        if used == WORDS:
            draw_row(row, block, purpose, seed, words)
            row, used = row + ONE, 0
        scaled, accept = U(words[used]) * n, U(words[used + 1]) & COUNT_BITS
        used += 2
        if scaled & WORD < biased:
            continue
        i = np.int64(scaled >> HALF)
        if missing > 0:
            weights[i, lane] += B(1)
            missing -= 1
        elif accept < weights[i, lane]:
            weights[i, lane] -= B(1)
            missing += 1


@kernel
def correct_totals(weights, totals, block, stratum, seed):
    """Bring every lane's total to the number of rows."""
    for lane in range(LANES):
        missing = np.int64(weights.shape[0]) - np.int64(totals[lane])
        correct_lane(weights, lane, missing, block, stratum, seed)
