"""Independent bootstrap weights: Poisson counts of mean 1, keyed by the number of the row.

A weight depends on the seed, the replicate and the row's number alone, so rows may come in any
order and in any parts. Counts are those of `resampling`, exact to 2^-80, without a total to meet.
"""

from ..._jit.kernel import kernel
from ..words import ZERO, U
from .philox import LANES, draw_row
from .purposes import POISSON, POISSON_AGAIN
from .resampling import BATCH, BYTES, HIT, MARKS, count_draws, recount


@kernel
def draw_poisson(numbers, weights, words, block, levels, thresholds, seed, bits, draws):
    """Write the weights (rows, 64) of the rows with these numbers (uint32) in a block.

    `words` are the weights as uint64 (8 a row); `levels` and `thresholds` are of mean 1; `bits`
    (65, 32) uint32 are scratch, and `draws` are the same bytes.
    """
    for start in range(0, numbers.size, BATCH):
        stop = min(start + BATCH, numbers.size)
        for r in range(stop - start):
            draw_row(U(numbers[start + r]), block, POISSON, seed, bits[r])
        counts, marks = weights[start:stop], words[BYTES * start : BYTES * stop]
        count_draws(draws, levels, counts)
        for r in range(stop - start):
            found = ZERO
            for k in range(BYTES * r, BYTES * (r + 1)):
                found |= marks[k]
            if found & MARKS:
                unit = U(numbers[start + r])
                recount_row(counts[r], draws[r], unit, block, thresholds, seed, bits[BATCH])


@kernel
def recount_row(counts, draws, unit, block, thresholds, seed, words):
    """Count anew where the counts (64) of a row are marked."""
    for lane in range(LANES):
        if counts[lane] >= HIT:
            draw = U(draws[lane]) << U(8) | U(draws[LANES + lane])
            counts[lane] = recount(draw, thresholds, unit, block, lane, POISSON_AGAIN, seed, words)


@kernel
def add_positives(weights, ends, kinds, out):
    """Add the weights of a walk's positives to `out` (64 uint64); a row of weights is a step."""
    start = 0
    for run in range(ends.size):
        stop = ends[run]
        if kinds[run] == 0:
            for i in range(start, stop):
                for lane in range(LANES):
                    out[lane] += U(weights[i, lane])
        start = stop
