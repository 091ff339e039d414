"""Bootstrap weights: how often each replicate draws each unit, 64 replicates at a time.

The counts of n units drawn n times are multinomial. Independent Poisson counts, conditioned on
their total, are so too; hence counts of a rate below 1, to which missing units are added
uniformly, or from which units too many are taken, each with the same chance. That needs no index
draws, and 16 random bits a count: a high byte, which nearly always tells the count, and a low one.

Exactness: a draw that is one of the 16-bit cells that hold a threshold gets 64 more bits, so counts
have the Poisson distribution to 2^-80, and no index is biased.
"""

import numpy as np

from ..._jit.kernel import kernel
from ..words import HALF, ONE, WORD, ZERO, U
from .philox import LANES, WORDS, draw_row
from .purposes import CORRECT, COUNT, LANE_SHIFT, REFINE, STRATUM_SHIFT

B = np.uint8
HIT = B(128)  # marks a count that needs a second look
BYTES = 8  # in a word
MARKS = U(0x8080808080808080)
TOP = B(255)  # the high byte of every threshold behind the fourth
COUNT_BITS = U(31)  # counts to take from are smaller: thresholds end at 25
BATCH = 64  # rows that are drawn before they are counted, while they are in the fastest cache
SMALL = 8  # rows whose counts, at most 25, a byte holds together


@kernel
def count_draws(draws, levels, out):
    """Write to `out` how many of eight thresholds each draw of two bytes is above; mark equal ones.

    A row of `draws` has 64 high bytes, then 64 low ones. `levels` (12) are the high bytes of the
    first four thresholds, then the first low byte and by how much each next one is larger, in bytes
    that wrap, then the low bytes of the last four. Bytes alone, since LLVM makes vectors of them:
    half the time of 16 bits.
    """
    t0, t1, t2, t3 = levels[0], levels[1], levels[2], levels[3]
    first, step1, step2, step3 = levels[4], levels[5], levels[6], levels[7]
    v4, v5, v6, v7 = levels[8], levels[9], levels[10], levels[11]
    for r in range(out.shape[0]):
        for i in range(LANES):  # a constant number of steps, which need no test for what is left
            u, v = draws[r, i], draws[r, LANES + i]
            above = B(u > t0) + B(u > t1) + B(u > t2) + B(u > t3)
            step = (step1 if u > t0 else B(0)) + (step2 if u > t1 else B(0))
            level = B(first + step + (step3 if u > t2 else B(0)))  # of the first not below the draw
            near = B(u == t0) | B(u == t1) | B(u == t2) | B(u == t3)
            more = B(v > v4) + B(v > v5) + B(v > v6) + B(v > v7)
            equal = B(v == v4) | B(v == v5) | B(v == v6) | B(v == v7)
            again = (near & B(v == level)) | (B(u == TOP) & equal)
            last = more if u == TOP else B(0)
            out[r, i] = above + (near & B(v > level)) + last + HIT * again


@kernel
def recount(draw, thresholds, unit, block, lane, purpose, seed, words):
    """Return the count of a draw of 16 bits, by 64 more where it is that of a threshold.

    `thresholds` (K, 2) are 16 and 64 bits; those more are of the purpose and lane; `words` is
    scratch for 32 uint32.
    """
    count = 0
    while count < thresholds.shape[0] and draw > thresholds[count, 0]:
        count += 1
    if count < thresholds.shape[0] and draw == thresholds[count, 0]:
        draw_row(unit, block, purpose | (U(lane) << LANE_SHIFT), seed, words)
        more = (U(words[0]) << HALF) | U(words[1])
        while (
            count < thresholds.shape[0]
            and draw == thresholds[count, 0]
            and more >= thresholds[count, 1]
        ):
            count += 1
    return count


@kernel
def recount_marked(counts, marks, draws, first, block, thresholds, seed, words):
    """Count anew where `counts` (rows, 64), those of units from `first` on, are marked.

    `marks` are the same bytes as words; of eight rows, 6 % have a mark.
    """
    for start in range(0, marks.size, LANES):
        stop, found = min(start + LANES, marks.size), ZERO
        for k in range(start, stop):
            found |= marks[k]
        if found & MARKS == ZERO:
            continue
        for k in range(start, stop):
            if marks[k] & MARKS:
                r, own = k // BYTES, k % BYTES * BYTES
                for lane in range(own, own + BYTES):
                    if counts[r, lane] >= HIT:
                        draw, unit = (
                            U(draws[r, lane]) << U(8) | U(draws[r, LANES + lane]),
                            U(first + r),
                        )
                        counts[r, lane] = recount(
                            draw, thresholds, unit, block, lane, REFINE, seed, words
                        )


@kernel
def add_totals(weights, totals):
    """Add the counts of some rows to `totals` (64 uint32), 8 rows at a time in bytes."""
    whole = weights.shape[0] // SMALL * SMALL
    for r in range(0, whole, SMALL):
        a, b, c, d = weights[r], weights[r + 1], weights[r + 2], weights[r + 3]
        e, f, g, h = weights[r + 4], weights[r + 5], weights[r + 6], weights[r + 7]
        for lane in range(LANES):
            totals[lane] += B(
                a[lane] + b[lane] + c[lane] + d[lane] + e[lane] + f[lane] + g[lane] + h[lane]
            )
    for r in range(whole, weights.shape[0]):
        for lane in range(LANES):
            totals[lane] += weights[r, lane]


@kernel
def add_units(weights, lane, missing, words):
    """Add up to so many units, each uniformly, by 32 words; return how many are missing still."""
    n = U(weights.shape[0])  # below 2^32
    biased = (ONE << HALF) % n  # Lemire (2019), doi:10.1145/3230636: results below are redrawn
    for k in range(min(missing, WORDS)):  # without a branch: a bad word adds nothing
        scaled = U(words[k]) * n
        fair = scaled & WORD >= biased
        weights[scaled >> HALF, lane] += B(fair)
        missing -= np.int64(fair)
    return missing


@kernel
def take_units(weights, lane, excess, words):
    """Take up to so many units, each as likely; return how many are too many still.

    A row is accepted in proportion to its count.
    """
    n = U(weights.shape[0])
    biased = (ONE << HALF) % n
    for used in range(0, WORDS, 2):
        scaled, accept = U(words[used]) * n, U(words[used + 1]) & COUNT_BITS
        i = scaled >> HALF
        if scaled & WORD >= biased and accept < weights[i, lane] and excess > 0:
            weights[i, lane] -= B(1)
            excess -= 1
    return excess


@kernel
def correct_lane(weights, lane, missing, block, stratum, seed, words):
    """Bring a lane's total to its target: add `missing` units, or take as many if negative.

    `words` is scratch for 32 uint32.
    """
    purpose, row = CORRECT | (U(lane) << LANE_SHIFT) | (stratum << STRATUM_SHIFT), ZERO
    while missing:
        draw_row(row, block, purpose, seed, words)
        row += ONE
        if missing > 0:
            missing = add_units(weights, lane, missing, words)
        else:
            missing = -take_units(weights, lane, -missing, words)


@kernel
def draw_strata(
    weights, words, first, stop, totals, ends, levels, thresholds, block, seed, bits, draws
):
    """Write the weights of rows from `first` to `stop`; correct the strata that end among them.

    `words` are the weights as uint64 (8 a row). Strata follow one another up to `ends`; each has a
    row of `totals` (strata, 64), which are 0 before its first row, and of `levels` and
    `thresholds`. `bits` (65, 32) uint32 are scratch, and `draws` are the same bytes.
    """
    start = 0
    for stratum in range(ends.size):
        end, own = ends[stratum], totals[stratum]
        low, high = max(start, first), min(end, stop)
        for row in range(low, high, BATCH):
            last = min(row + BATCH, high)
            for r in range(last - row):
                draw_row(U(row + r), block, COUNT, seed, bits[r])
            counts, marks = weights[row:last], words[BYTES * row : BYTES * last]
            count_draws(draws, levels[stratum], counts)
            recount_marked(
                *(counts, marks, draws, row, block, thresholds[stratum], seed, bits[BATCH])
            )
            add_totals(counts, own)
        if low < high == end:
            for lane in range(LANES):
                missing = np.int64(end - start) - np.int64(own[lane])
                drawn = weights[start:end]
                correct_lane(drawn, lane, missing, block, U(stratum), seed, bits[BATCH])
        start = end
