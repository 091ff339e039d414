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
from .drawing.resampling import gather_rows
from .drawing.streams import LANES
from .sorting.keys import case_number
from .sorting.placements import BLOCK, equal_neighbours, mark_tie_starts, run_end
from .sums import ONE, ZERO, U

STEPS = 256  # rows gathered at once: loads overlap, and 16 bits hold what they add up to


@kernel
def add_rows(block, start, stop, times, out):
    """Add `times` the rows start, ..., stop - 1 of `block` to `out` (64 uint16)."""
    for i in range(start, stop):
        for lane in range(LANES):
            out[lane] += block[i, lane] * times


@kernel
def sum_wins(
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
    """Add 2mn AUC of the steps first, ..., stop - 1 to `wins` (64); return the next run's number.

    `run` is that of step `first`, `words` are the weights as uint64 (8 a row). `below` (64 uint64)
    is twice the negatives passed, here and before. Scratch: `row_words` (256, 8) uint64, `block`,
    its bytes, and zeros: `passed`, `gain` and `gained` (64 uint16), and `inside` (64 uint32).
    """
    for start in range(first, stop, STEPS):
        end = min(start + STEPS, stop)
        gather_rows(words, rows[start:end], row_words)
        at = start
        while at < end:
            last, kind = min(np.int64(ends[run]), end), np.int64(kinds[run])
            if kind:
                add_rows(block, at - start, last - start, kind, passed)
            else:  # positives
                add_rows(block, at - start, last - start, np.int64(1), gain)
                for lane in range(LANES):
                    inside[lane] += np.uint32(gain[lane]) * np.uint32(passed[lane])
                    gained[lane] += gain[lane]
                    gain[lane] = 0
            at = last
            run += at == np.int64(ends[run])
        for lane in range(LANES):  # over negatives before these rows, and inside of them
            wins[lane] += U(gained[lane]) * below[lane] + U(inside[lane])
            below[lane] += U(passed[lane])
            passed[lane] = gained[lane] = inside[lane] = 0
    return run


@kernel
def sum_wins_of_models(
    rows, ends, kinds, places, run, words, first, stop, below, wins, row_words, block, *sums
):
    """Add 2mn AUC of the steps first, ..., stop - 1 of all models' walks to `wins` (k, 64).

    The walks of k models follow one another: `places` (k + 1, 2) are where the steps and the runs
    of each begin. Runs, and the steps where they end, are numbered from the start of their model.
    Return the next run's number.
    """
    for model in range(wins.shape[0]):
        start, end = places[model, 0], places[model + 1, 0]
        low, high = max(first, start), min(stop, end)
        if low < high:
            if low == start:
                run, below[:] = 0, 0
            runs = slice(places[model, 1], places[model + 1, 1])
            run = sum_wins(
                *(rows[start:end], ends[runs], kinds[runs], run, words),
                *(low - start, high - start, below, wins[model], row_words, block, *sums),
            )
    return run


@kernel
def add_placements(rows, ends, kinds, run, weights, first, stop, sign, below, above, placed):
    """Add `sign` times the placements of the cases of some steps to `placed` (n, 64) int32.

    `below` and `above` (64 int32) are twice the negatives passed and the positives not yet passed.
    Return the next run's number.
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
def sum_weighted_squares(placed, weights, labels, out):
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

    `sums` are those of differences of placements, by `sum_weighted_squares`. A scatter about the
    mean that is rounding error of the sums counts as 0.
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
def add_class_counts(weights, counts, out):
    """Add each replicate's negatives and positives to `out` (2, 64), from `counts` (units, 2)."""
    for i in range(weights.shape[0]):
        for label in range(2):
            for lane in range(LANES):
                out[label, lane] += U(weights[i, lane]) * counts[i, label]


POSITIVES, TIED, NEGATIVES = np.uint8(0), np.uint8(1), np.uint8(2)  # how often a negative counts
NONE = np.uint8(255)  # the kind of what is before the first run


@kernel
def write_rows_of_label(keys, nbits, label, case_rows, rows, step):
    """Write the rows of weights of a group's cases with this label; return the step after them."""
    for key in keys:
        if key & ONE == label:
            rows[step] = case_rows[case_number(key, nbits)]
            step += 1
    return step


@kernel
def append_run(ends, kinds, run, step, kind):
    """Let the last run, or a new one if its kind is another, end at `step`; return how many.

    `run` is the number of runs so far.
    """
    run += run == 0 or kinds[run - 1] != kind
    ends[run - 1], kinds[run - 1] = step, kind
    return run


@kernel
def write_untied_walk(keys, nbits, case_rows, rows, ends, kinds, step, run):
    """Write the rows, ends and kinds of runs of cases without ties; return the number of runs.

    `step` and `run` are the numbers of steps and runs so far. No branch depends on a label: a third
    of the time.
    """
    last_kind = kinds[run - 1] if run else NONE
    for key in keys:
        kind = POSITIVES if key & ONE else NEGATIVES
        rows[step] = case_rows[case_number(key, nbits)]
        step += 1
        run += kind != last_kind
        ends[run - 1], kinds[run - 1] = step, kind
        last_kind = kind
    return run


@kernel
def write_tied_walk(keys, new, nbits, case_rows, rows, ends, kinds, step, run):
    """Write the rows, ends and kinds of runs of groups of ties; return how many steps and runs.

    `step` and `run` are their numbers so far. Tied negatives come before and after the positives.
    """
    start, n = 0, keys.size
    while start < n:
        stop, positives = start + 1, keys[start] & ONE
        while stop < n and not new[stop]:
            positives += keys[stop] & ONE
            stop += 1
        group = keys[start:stop]
        tied = ZERO < positives < U(stop - start)
        if positives < U(stop - start):
            step = write_rows_of_label(group, nbits, ZERO, case_rows, rows, step)
            run = append_run(ends, kinds, run, step, TIED if tied else NEGATIVES)
        if positives:
            step = write_rows_of_label(group, nbits, ONE, case_rows, rows, step)
            run = append_run(ends, kinds, run, step, POSITIVES)
        if tied:
            step = write_rows_of_label(group, nbits, ZERO, case_rows, rows, step)
            run = append_run(ends, kinds, run, step, TIED)
        start = stop
    return step, run


@kernel
def write_walk(keys, scores, nbits, exact, case_rows, rows, ends, kinds):
    """Write the rows, ends and kinds of runs of a model's walk; return how many rows and runs.

    `rows`, `ends` and `kinds` have space for twice the number of scores. A block of cases without
    equal neighbours, the usual one, takes the faster way.
    """
    n, start = U(keys.size), ZERO
    step = run = np.int64(0)
    while start < n:
        stop = min(start + BLOCK, n)
        if equal_neighbours(keys[start : min(stop + ONE, n)], nbits) == ZERO:
            run = write_untied_walk(
                keys[start:stop], nbits, case_rows, rows, ends, kinds, step, run
            )
            step += np.int64(stop - start)
        else:
            stop = run_end(keys, stop, nbits)
            tied = keys[start:stop]
            new = mark_tie_starts(tied, scores, nbits, exact)
            step, run = write_tied_walk(tied, new, nbits, case_rows, rows, ends, kinds, step, run)
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
