"""AUCs of 64 bootstrap replicates at a time, from weights along one model's sorted cases.

A model is a walk from its lowest score up, by `walks`: rows of weights, one a step, in runs of
negatives (kind 2), tied negatives (1) or positives (0). A negative counts twice below all positives
that follow; one that ties with positives stands both before and after them, and counts once each
time.
"""

import math

import numpy as np

from .._jit.kernel import kernel
from .drawing.philox import LANES
from .drawing.rows import gather
from .words import U

STEPS = 256  # rows gathered at once: loads overlap, and 16 bits hold what they add up to


@kernel
def add_rows(block, start, stop, times, out):
    """Add some rows, so many times, to `out` (64 uint16)."""
    for i in range(start, stop):
        for lane in range(LANES):
            out[lane] += block[i, lane] * times


@kernel
def win_steps(
    rows,
    ends,
    kinds,
    run,
    words,
    first,
    stop,
    below,
    won,
    found,
    block,
    passed,
    gain,
    gained,
    inside,
):
    """Walk from step `first`, in this run, to `stop`; return the run that comes next.

    `words` are the weights as uint64 (8 a row). To `won` (64 uint64) comes twice the weighted
    number of pairs that positives win, 2mn AUC, to `below` (64 uint64) twice the negatives passed.
    Scratch: `found` (256, 8) uint64, the same bytes, and 0: three of 64 uint16 and 64 uint32.
    """
    for start in range(first, stop, STEPS):
        end = min(start + STEPS, stop)
        gather(words, rows[start:end], found)
        at = start
        while at < end:
            last, kind = min(np.int64(ends[run]), end), np.int64(kinds[run])
            if kind:
                add_rows(block, at - start, last - start, kind, passed)
            else:
                add_rows(block, at - start, last - start, np.int64(1), gain)
                for lane in range(LANES):
                    inside[lane] += np.uint32(gain[lane]) * np.uint32(passed[lane])
                    gained[lane] += gain[lane]
                    gain[lane] = 0
            at = last
            run += at == np.int64(ends[run])
        for lane in range(LANES):
            won[lane] += U(gained[lane]) * below[lane] + U(inside[lane])
            below[lane] += U(passed[lane])
            passed[lane] = gained[lane] = inside[lane] = 0
    return run


@kernel
def win_walks(rows, ends, kinds, places, run, words, first, stop, below, won, found, block, *sums):
    """Walk from step `first`, in this run, to `stop`, of all models' walks one after another.

    `places` (k + 1, 2) are where the steps and the runs of each model begin; the numbers of runs
    and their ends are each model's own. `won` is (k, 64). Return the run that comes next.
    """
    for model in range(won.shape[0]):
        start, end = places[model, 0], places[model + 1, 0]
        low, high = max(first, start), min(stop, end)
        if low < high:
            if low == start:
                run, below[:] = 0, 0
            own = slice(places[model, 1], places[model + 1, 1])
            run = win_steps(
                *(rows[start:end], ends[own], kinds[own], run, words),
                *(low - start, high - start, below, won[model], found, block, *sums),
            )
    return run


@kernel
def place_steps(rows, ends, kinds, run, weights, first, stop, sign, below, above, placed):
    """Add `sign` times the placements of the steps' cases to `placed` (n, 64) int32.

    `below` and `above` (64 int32) are twice the negatives passed and the positives not yet passed.
    Return the run that comes next.
    """
    at = first
    while at < stop:
        last, kind = min(np.int64(ends[run]), stop), np.int32(kinds[run])
        for i in range(at, last):
            row, out = weights[rows[i]], placed[rows[i]]
            if kind:
                for lane in range(LANES):
                    out[lane] += sign * kind * above[lane]
                    below[lane] += kind * row[lane]
            else:
                for lane in range(LANES):
                    out[lane] += sign * below[lane]
                    above[lane] -= row[lane]
        at = last
        run += at == np.int64(ends[run])
    return run


@kernel
def sum_squares(placed, weights, labels, out):
    """Add to `out` (2, 2, 64) by label the weighted sums of placements and of their squares."""
    for i in range(labels.size):
        sums = out[labels[i] & 1]
        for lane in range(LANES):
            d, w = np.float64(placed[i, lane]), np.float64(weights[i, lane])
            sums[0, lane] += w * d
            sums[1, lane] += w * d * d


@kernel
def delong_errors(sums, m, n, out):
    """Write DeLong's standard errors of 64 replicates with m and n (64) cases; 0 if degenerate.

    `sums` are from `sum_squares`, for differences of placements. A spread that is rounding error of
    the sums is none.
    """
    for lane in range(LANES):
        variance = 0.0
        for own, other, label in ((m[lane], n[lane], 1), (n[lane], m[lane], 0)):
            total, squares = sums[label, 0, lane], sums[label, 1, lane]
            spread = squares - total * total / own
            if own > 1.0 and spread > 1e-12 * squares:
                variance += spread / (4.0 * other * other * own * (own - 1.0))
        out[lane] = math.sqrt(variance)


@kernel
def count_units(weights, counts, out):
    """Add to `out` (2, 64) the negatives and positives of each replicate; `counts` are a unit's."""
    for i in range(weights.shape[0]):
        for label in range(2):
            for lane in range(LANES):
                out[label, lane] += U(weights[i, lane]) * counts[i, label]
