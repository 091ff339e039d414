"""ROC and precision-recall curves of 64 weighted replicates at a time.

A model is a walk from its highest score down: ``rows`` are rows of weights, and ``ends`` (G, 2) say
for each group of tied scores where its positives end and where its negatives do, which follow them.
Down to a group a replicate has passed tp positives and fp negatives; in it are p and q of them.
All of those are whole numbers; `out` gets sums that the caller divides by the numbers of cases.
"""

import numpy as np

from .._jit.kernel import kernel
from .drawing.philox import LANES
from .sorting.midrank import sorted_keys
from .sorting.placements import mark_groups
from .walks import emit
from .words import ONE, ZERO

CLOSE = 1e-12  # 0.29 of 100 negatives is 28.999999999999996 in floating point: it means 29


@kernel
def curve_steps(scores, labels, case_rows, scratch, rows, ends):
    """Write the steps and groups of a walk; return the number of groups.

    `scratch` has room for twice as many keys as there are scores. Negatives that follow one another
    without a positive are one group: no curve turns between them.
    """
    keys, nbits, exact = sorted_keys(scores, labels, scratch)
    new = mark_groups(keys, scores, nbits, exact)
    stop, step, group, was_level = keys.size, 0, 0, False
    while stop > 0:
        start = stop - 1
        while not new[start]:
            start -= 1
        tied = keys[start:stop]
        middle = emit(tied, nbits, ONE, case_rows, rows, step)
        is_level = middle == step
        step = emit(tied, nbits, ZERO, case_rows, rows, middle)
        group -= is_level and was_level
        if not (is_level and was_level):
            ends[group, 0] = middle
        ends[group, 1] = step
        group += 1
        stop, was_level = start, is_level
    return group


@kernel
def add_weights(weights, rows, out):
    """Add some rows of weights to `out` (64)."""
    for i in range(rows.size):
        row = weights[rows[i]]
        for lane in range(LANES):
            out[lane] += row[lane]


@kernel
def pass_group(tp, fp, p, q):
    """Go on to the next group."""
    for lane in range(LANES):
        tp[lane] += p[lane]
        fp[lane] += q[lane]
        p[lane] = q[lane] = 0.0


@kernel
def areas(rows, ends, weights, n, points, out):
    """Write twice the area under the curve of tp against fp, from points[0] n to points[1] n."""
    tp, fp, p, q = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    low, high, area = np.empty(LANES), np.empty(LANES), np.zeros(LANES)
    for lane in range(LANES):
        low[lane], high[lane] = points[0] * n[lane], points[1] * n[lane]
    start = 0
    for group in range(ends.shape[0]):
        middle, stop = ends[group, 0], ends[group, 1]
        add_weights(weights, rows[start:middle], p)
        add_weights(weights, rows[middle:stop], q)
        if stop > middle:
            for lane in range(LANES):  # the trapezoid, cut at both sides; none has a width below 0
                left, right = max(fp[lane], low[lane]), min(fp[lane] + q[lane], high[lane])
                risen = p[lane] * ((left - fp[lane]) + (right - fp[lane])) / max(q[lane], 1.0)
                area[lane] += max(right - left, 0.0) * (2.0 * tp[lane] + risen)
        pass_group(tp, fp, p, q)
        start = stop
    for lane in range(LANES):
        out[0, lane] = area[lane]


@kernel
def cut_points(points, n, cuts):
    """Write where the points lie among n negatives, whole numbers where they mean those."""
    for k in range(points.size):
        for lane in range(LANES):
            at = points[k] * n[lane]
            whole = np.rint(at)
            cuts[k, lane] = whole if abs(at - whole) <= CLOSE * n[lane] else at


@kernel
def heights(rows, ends, weights, n, points, out):
    """Write tp on the curve at each of the ascending points, fp / n; the upper one at a step."""
    tp, fp, p, q = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    cuts, done = np.empty((points.size, LANES)), np.zeros(LANES, np.int64)
    cut_points(points, n, cuts)
    start = 0
    for group in range(ends.shape[0]):
        middle, stop = ends[group, 0], ends[group, 1]
        add_weights(weights, rows[start:middle], p)
        add_weights(weights, rows[middle:stop], q)
        for lane in range(LANES if stop > middle else 0):
            k = done[lane]
            while k < points.size and cuts[k, lane] < fp[lane] + q[lane]:
                out[k, lane] = tp[lane] + p[lane] * (cuts[k, lane] - fp[lane]) / q[lane]
                k += 1
            done[lane] = k
        pass_group(tp, fp, p, q)
        start = stop
    for lane in range(LANES):
        for k in range(done[lane], points.size):
            out[k, lane] = tp[lane]


@kernel
def precisions(rows, ends, weights, n, points, out):
    """Write the sum of the precisions at all positives; `n` and `points` do not matter."""
    tp, fp, p, q = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    total = np.zeros(LANES)
    start = 0
    for group in range(ends.shape[0]):
        middle, stop = ends[group, 0], ends[group, 1]
        add_weights(weights, rows[start:middle], p)
        add_weights(weights, rows[middle:stop], q)
        if middle > start:
            for lane in range(LANES):
                found = tp[lane] + p[lane]
                total[lane] += p[lane] * found / max(found + fp[lane] + q[lane], 1.0)
        pass_group(tp, fp, p, q)
        start = stop
    for lane in range(LANES):
        out[0, lane] = total[lane]
