"""One model's cases from its lowest score up, as `replicates` walks along them.

``rows`` (uint32) are the rows of weights, one a step. ``ends`` (uint32) and ``kinds`` (uint8) say
for stretches of steps, the runs, where they end and what they are: negatives, tied negatives or
positives. Tied negatives appear before and after the positives that they tie with.
"""

import numpy as np

from .._jit.kernel import kernel
from .sorting.keys import case_of
from .sorting.placements import BLOCK, equal_neighbours, mark_groups, run_end
from .words import ONE, ZERO, U

POSITIVES, TIED, NEGATIVES = np.uint8(0), np.uint8(1), np.uint8(2)  # how often a negative counts
NONE = np.uint8(255)  # the kind of what is before the first run


@kernel
def emit(keys, nbits, label, case_rows, rows, step):
    """Write the rows of the cases with this label from `step` on; return the step after them."""
    for key in keys:
        if key & ONE == label:
            rows[step] = case_rows[case_of(key, nbits)]
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
        rows[step] = case_rows[case_of(key, nbits)]
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
    won, below, start = ZERO, ZERO, ZERO
    for run in range(ends.size):
        size = U(ends[run]) - start
        if kinds[run]:
            below += size * U(kinds[run])
        else:
            won += size * below
        start = U(ends[run])
    return won
