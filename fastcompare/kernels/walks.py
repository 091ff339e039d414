"""One model's cases from its lowest score up, as `replicates` walks along them."""

import numpy as np

from .._jit.kernel import kernel
from .sorting.keys import case_of
from .sorting.midrank import sorted_keys
from .sorting.placements import mark_groups
from .words import ONE, ZERO

POSITIVES, TIED, NEGATIVES = 0, 1, 2  # kinds of runs: how often a negative counts


@kernel
def emit(keys, nbits, label, case_rows, rows, step):
    """Write the rows of the cases with this label from `step` on; return the step after them."""
    for key in keys:
        if key & ONE == label:
            rows[step] = case_rows[case_of(key, nbits)]
            step += 1
    return step


@kernel
def end_run(runs, run, step, kind):
    """End a run at `step`, or lengthen the last one if it is of this kind; return their number."""
    run -= run > 0 and runs[run - 1, 1] == kind
    runs[run, 0], runs[run, 1] = step, kind
    return run + 1


@kernel
def walk_steps(scores, labels, case_rows, scratch, rows, runs):
    """Write the steps and runs of a walk; return how many there are of each.

    There is room for twice as many of each as there are scores, and of scratch. Tied negatives
    appear before and after the positives that they tie with.
    """
    keys, nbits, exact = sorted_keys(scores, labels, scratch)
    new = mark_groups(keys, scores, nbits, exact)
    start, step, run, n = 0, 0, 0, keys.size
    while start < n:
        stop, positives = start + 1, keys[start] & ONE
        while stop < n and not new[stop]:
            positives += keys[stop] & ONE
            stop += 1
        group = keys[start:stop]
        tied = ZERO < positives < np.uint64(stop - start)
        if positives < np.uint64(stop - start):
            step = emit(group, nbits, ZERO, case_rows, rows, step)
            run = end_run(runs, run, step, TIED if tied else NEGATIVES)
        if positives:
            step = emit(group, nbits, ONE, case_rows, rows, step)
            run = end_run(runs, run, step, POSITIVES)
        if tied:
            step = emit(group, nbits, ZERO, case_rows, rows, step)
            run = end_run(runs, run, step, TIED)
        start = stop
    return step, run
