"""AUCs and DeLong's standard errors of 64 bootstrap replicates at a time, from weights by case.

``rows`` (uint32) are the rows of weights of a model's cases from the lowest score up, one a step.
``ends`` (uint32) and ``kinds`` (uint8) say for stretches of steps, the runs, where they end and how
often their negatives count: 2, tied negatives 1, positives 0. Tied negatives appear before and
after the positives that they tie with, and count once each time. So 2mn AUC of a replicate is a
sum of products of whole numbers.
"""

import math

import numpy as np

from .._jit.kernel import kernel
from .drawing.resampling import gather
from .drawing.streams import LANES
from .sorting.keys import case_number
from .sorting.placements import BLOCK, equal_neighbours, mark_groups, run_end
from .sums import ONE, ZERO, U

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
    wins,
    row_words,
    block,
    passed,
    gain,
    gained,
    inside,
):
    """Walk from step `first`, in this run, to `stop`; return the run that comes next.

    `words` are the weights as uint64 (8 a row). To `wins` (64 uint64) comes twice the weighted
    number of pairs that positives win, 2mn AUC, to `below` (64 uint64) twice the negatives passed.
    Scratch: `row_words` (256, 8) uint64, the same bytes, and 0: three of 64 uint16 and 64 uint32.
    """
    for start in range(first, stop, STEPS):
        end = min(start + STEPS, stop)
        gather(words, rows[start:end], row_words)
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
            wins[lane] += U(gained[lane]) * below[lane] + U(inside[lane])
            below[lane] += U(passed[lane])
            passed[lane] = gained[lane] = inside[lane] = 0
    return run


@kernel
def win_walks(
    rows, ends, kinds, places, run, words, first, stop, below, wins, row_words, block, *sums
):
    """Walk from step `first`, in this run, to `stop`, of all models' walks one after another.

    `places` (k + 1, 2) are where the steps and the runs of each model begin; runs are numbered, and
    end at steps, from the start of their model. `wins` is (k, 64). Return the run that comes next.
    """
    for model in range(wins.shape[0]):
        start, end = places[model, 0], places[model + 1, 0]
        low, high = max(first, start), min(stop, end)
        if low < high:
            if low == start:
                run, below[:] = 0, 0
            runs = slice(places[model, 1], places[model + 1, 1])
            run = win_steps(
                *(rows[start:end], ends[runs], kinds[runs], run, words),
                *(low - start, high - start, below, wins[model], row_words, block, *sums),
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

    `sums` are from `sum_squares`, for differences of placements. A scatter about the mean that is
    rounding error of the sums counts as 0.
    """
    for lane in range(LANES):
        variance = 0.0
        for size, other, label in ((m[lane], n[lane], 1), (n[lane], m[lane], 0)):
            total, squares = sums[label, 0, lane], sums[label, 1, lane]
            scatter = squares - total * total / size
            if size > 1.0 and scatter > 1e-12 * squares:
                variance += scatter / (4.0 * other * other * size * (size - 1.0))
        out[lane] = math.sqrt(variance)


@kernel
def count_units(weights, counts, out):
    """Add to `out` (2, 64) the negatives and positives of each replicate; `counts` are a unit's."""
    for i in range(weights.shape[0]):
        for label in range(2):
            for lane in range(LANES):
                out[label, lane] += U(weights[i, lane]) * counts[i, label]


POSITIVES, TIED, NEGATIVES = np.uint8(0), np.uint8(1), np.uint8(2)  # how often a negative counts
NONE = np.uint8(255)  # the kind of what is before the first run


@kernel
def emit(keys, nbits, label, case_rows, rows, step):
    """Write the rows of the cases with this label from `step` on; return the step after them."""
    for key in keys:
        if key & ONE == label:
            rows[step] = case_rows[case_number(key, nbits)]
            step += 1
    return step


@kernel
def end_run(ends, kinds, run, step, kind):
    """End a run at `step`, or lengthen the last one if it is of this kind; return their number."""
    run += run == 0 or kinds[run - 1] != kind
    ends[run - 1], kinds[run - 1] = step, kind
    return run


@kernel
def untied_steps(keys, nbits, case_rows, rows, ends, kinds, step, run):
    """Write the steps and runs of cases without ties; return the number of runs.

    No branch depends on a label: a third of the time.
    """
    last = kinds[run - 1] if run else NONE
    for key in keys:
        kind = POSITIVES if key & ONE else NEGATIVES
        rows[step] = case_rows[case_number(key, nbits)]
        step += 1
        run += kind != last
        ends[run - 1], kinds[run - 1] = step, kind
        last = kind
    return run


@kernel
def tied_steps(keys, new, nbits, case_rows, rows, ends, kinds, step, run):
    """Write the steps and runs of groups of ties; return how many there are of each."""
    start, n = 0, keys.size
    while start < n:
        stop, positives = start + 1, keys[start] & ONE
        while stop < n and not new[stop]:
            positives += keys[stop] & ONE
            stop += 1
        group = keys[start:stop]
        tied = ZERO < positives < U(stop - start)
        if positives < U(stop - start):
            step = emit(group, nbits, ZERO, case_rows, rows, step)
            run = end_run(ends, kinds, run, step, TIED if tied else NEGATIVES)
        if positives:
            step = emit(group, nbits, ONE, case_rows, rows, step)
            run = end_run(ends, kinds, run, step, POSITIVES)
        if tied:
            step = emit(group, nbits, ZERO, case_rows, rows, step)
            run = end_run(ends, kinds, run, step, TIED)
        start = stop
    return step, run


@kernel
def walk_steps(keys, scores, nbits, exact, case_rows, rows, ends, kinds):
    """Write the steps and runs of a walk; return how many there are of each.

    There is room for twice as many of each as there are scores. As for placements, a block of cases
    without equal neighbours is the usual one.
    """
    n, start = U(keys.size), ZERO
    step = run = np.int64(0)
    while start < n:
        stop = min(start + BLOCK, n)
        if equal_neighbours(keys[start : min(stop + ONE, n)], nbits) == ZERO:
            run = untied_steps(keys[start:stop], nbits, case_rows, rows, ends, kinds, step, run)
            step += np.int64(stop - start)
        else:
            stop = run_end(keys, stop, nbits)
            tied = keys[start:stop]
            new = mark_groups(tied, scores, nbits, exact)
            step, run = tied_steps(tied, new, nbits, case_rows, rows, ends, kinds, step, run)
        start = stop
    return step, run


@kernel
def count_wins(ends, kinds):
    """Return 2mn AUC of the cases themselves, each of weight 1."""
    wins, below, start = ZERO, ZERO, ZERO
    for run in range(ends.size):
        size = U(ends[run]) - start
        if kinds[run]:
            below += size * U(kinds[run])
        else:
            wins += size * below
        start = U(ends[run])
    return wins
