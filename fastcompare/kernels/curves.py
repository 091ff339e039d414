"""ROC and precision-recall curves: areas, heights and precisions of one sample or of 64 replicates.

A model's cases, from its highest score down, are the steps of a curve. The mark of a step says
whether it goes up (a positive) and whether it is the last of a group of tied scores. A mirrored
walk begins with the lowest score and exchanges the classes.

`area`, `height` and `precision` take every case once. `areas`, `heights` and `precisions` take
``rows`` of weights, one a step, for 64 replicates, and add in the same order: with all weights 1
they return the same bits. `out` gets sums of whole numbers, which callers divide by m and n. Loops
over the lanes use few arrays, since LLVM checks each pair for overlap.
"""

import numpy as np

from .._jit.kernel import kernel
from .drawing.resampling import gather_rows
from .drawing.streams import LANES
from .sorting.keys import case_number
from .sorting.placements import BLOCK, equal_neighbours, run_end, sort_and_mark_ties
from .sums import ONE, ZERO, U

UP, LAST = np.uint8(1), np.uint8(2)  # marks of a step


@kernel
def mark_steps(keys, nbits, mirrored, marks):
    """Write the marks of all steps, equal prefixes being ties; return the number of tied steps."""
    top, other = keys.size - 1, U(mirrored)  # `other` exchanges the labels
    j, direction = (0, 1) if mirrored else (top, -1)  # from the lowest key, or from the highest
    key, tied = keys[j], 0
    for i in range(top):
        j += direction
        last = (key ^ keys[j]) >> nbits != ZERO
        marks[i] = np.uint8((key & ONE) ^ other) | (np.uint8(last) << UP)
        tied += not last
        key = keys[j]
    marks[top] = np.uint8((key & ONE) ^ other) | LAST
    return tied


@kernel
def mark_block(keys, new, mirrored, marks):
    """Write the marks of the steps of a block of keys; `new` is where groups of ties begin."""
    top, other = keys.size - 1, U(mirrored)
    for j in range(keys.size):
        up = np.uint8((keys[j] & ONE) ^ other)
        last = (j == top or new[j + 1]) if mirrored else new[j]
        marks[j if mirrored else top - j] = up | (np.uint8(last) << UP)


@kernel
def settle_steps(keys, scores, nbits, mirrored, marks):
    """Sort keys of equal prefixes by their scores, and write the marks of their steps again."""
    n, start, new = U(keys.size), ZERO, np.empty(keys.size, np.bool_)
    while start < n:
        stop = min(start + BLOCK, n)
        if equal_neighbours(keys[start : min(stop + ONE, n)], nbits):
            stop = run_end(keys, stop, nbits)
            sort_and_mark_ties(keys[start:stop], scores, nbits, new[start:stop])
            out = marks[start:stop] if mirrored else marks[n - stop : n - start]
            mark_block(keys[start:stop], new[start:stop], mirrored, out)
        start = stop


@kernel
def step_rows(keys, nbits, mirrored, case_rows, rows):
    """Write to `rows` the row of weights of every step of the walk; `case_rows` are by case."""
    top = keys.size - 1
    for j in range(keys.size):
        rows[j if mirrored else top - j] = case_rows[case_number(keys[j], nbits)]


CLOSE = 1e-12  # 0.29 of 100 negatives is 28.999999999999996 in floating point: it means 29


@kernel
def snap_cut(point, n):
    """Return point * n, rounded if it is a whole number but for rounding errors."""
    cut = point * n
    nearest = np.rint(cut)
    return nearest if abs(cut - nearest) <= CLOSE * n else cut


@kernel
def trapezoid(tp, fp, p, q, low, high):
    """Return twice the area under a segment from (fp, tp) to (fp + q, tp + p), from low to high.

    0 for a vertical segment, and for one outside of these limits.
    """
    x0, x1 = max(fp, low), min(fp + q, high)
    risen = p * ((x0 - fp) + (x1 - fp)) / max(q, 1.0)
    return max(x1 - x0, 0.0) * (2.0 * tp + risen)


@kernel
def area(marks, n, points, out):
    """Write twice the area under the curve of tp against fp, from points[0] n to points[1] n.

    Consecutive groups without a positive are one step, from `level_start` to `edge`, at the height
    `below`, as in `areas`, which adds up the same terms.
    """
    low, high, total = points[0] * n, points[1] * n, 0.0
    tp = below = level_start = edge = np.int64(0)
    for i in range(marks.size):
        tp += np.int64(marks[i] & UP)
        if marks[i] & LAST:
            fp = i + 1 - tp
            if tp > below:
                start, height = np.float64(level_start), np.float64(below)
                total += trapezoid(height, start, 0.0, np.float64(edge - level_start), low, high)
                p, q = np.float64(tp - below), np.float64(fp - edge)
                total += trapezoid(height, np.float64(edge), p, q, low, high)
                below, level_start = tp, fp
                if level_start >= high:
                    break
            edge = fp
    start, height = np.float64(level_start), np.float64(below)
    out[0] = total + trapezoid(height, start, 0.0, np.float64(edge - level_start), low, high)


@kernel
def height(marks, n, points, out):
    """Write tp on the curve at each of the ascending points, fp / n; the upper one at a step."""
    tp = below = edge = np.int64(0)
    k, cut = 0, snap_cut(points[0], n)
    for i in range(marks.size):
        tp += np.int64(marks[i] & UP)
        if marks[i] & LAST:
            fp = i + 1 - tp
            while cut < fp:
                risen = np.float64(tp - below) * (cut - np.float64(edge))
                out[k] = np.float64(below) + risen / np.float64(fp - edge)
                k += 1
                if k == points.size:
                    return
                cut = snap_cut(points[k], n)
            below, edge = tp, fp
    out[k:] = np.float64(tp)


@kernel
def precision(marks, n, points, out):
    """Write the sum of the precisions at all positives; `n` and `points` do not matter.

    Ties have the precision at the end of their group.
    """
    total, tp, below = 0.0, np.int64(0), np.int64(0)
    for i in range(marks.size):
        tp += np.int64(marks[i] & UP)
        if marks[i] & LAST:
            total += np.float64(tp - below) * np.float64(tp) / np.float64(i + 1)
            below = tp
    out[0] = total


STEPS = 256  # rows gathered at once: their loads overlap
FOUR = 4 * LANES
F = np.float64  # of each sum by itself: sums of two would be 64 bits, and take longer to convert
NONE = 2.0**-60  # instead of 0 cases: it is lost in any number of them, and can be divided by


@kernel
def group_at(marks, start):
    """Return the end of the group of ties that begins at step `start`, and how many positives."""
    stop, ups = start, np.int64(0)
    while True:
        ups += np.int64(marks[stop] & UP)
        stop += 1
        if marks[stop - 1] & LAST:
            return stop, ups


@kernel
def add_lanes(weights, out):
    """Add the weights (64) of a step to `out` (64)."""
    for lane in range(LANES):
        out[lane] += weights[lane]


@kernel
def next_piece(rows, marks, i, words, row_words, block, moved):
    """Add the weights of the curve's next piece, from step i, to `moved` (3, 64).

    A piece rises by positives, then goes right by negatives, or slants by a group of ties of both
    classes. The rows of `moved` are the negatives, the positives before them, and the positives of
    a slant. Return the next step, and whether the piece ended with a slant.
    """
    level = False  # whether the piece has gone right
    while i < marks.size:
        stop, ups = group_at(marks, i)
        slant = 0 < ups < stop - i
        if level and ups:
            break
        for j in range(i, stop):
            up = np.int64(marks[j] & UP)
            if j % STEPS == 0:
                gather_rows(words, rows[j : j + STEPS], row_words)  # the bytes of `block`
            add_lanes(block[j % STEPS], moved[up << np.int64(slant)])  # row 0, 1 or 2
        i = stop
        level = ups == 0
        if slant:
            return i, True
    return i, False


@kernel
def add_rectangles(moved, state):
    """Add twice the areas below the pieces' lower ends between the cuts; move to their ends.

    `moved` is flat here, as is `state`: tp, fp, areas, and where the range begins and ends.
    """
    for lane in range(LANES):
        tp, fp = state[lane] + moved[LANES + lane], state[LANES + lane]
        end = fp + moved[lane]
        width = min(end, state[4 * LANES + lane]) - max(fp, state[3 * LANES + lane])
        state[2 * LANES + lane] += max(width, 0.0) * 2.0 * tp
        state[lane], state[LANES + lane] = tp + moved[2 * LANES + lane], end
        moved[lane] = moved[LANES + lane] = moved[2 * LANES + lane] = 0


@kernel
def add_triangles(moved, state):
    """Add twice the areas of slants above their lower ends, cut at both sides."""
    for lane in range(LANES):
        p, q, fp = moved[2 * LANES + lane], moved[lane], state[LANES + lane]
        x0, x1 = max(fp, state[3 * LANES + lane]), min(fp + q, state[4 * LANES + lane])
        risen = p * ((x0 - fp) + (x1 - fp)) / max(q, 1)
        state[2 * LANES + lane] += max(x1 - x0, 0.0) * risen


@kernel
def all_reach(state, first, second):
    """Return whether row `first` of the flat state is at least row `second` in every lane."""
    reached = 0
    for lane in range(LANES):
        reached += state[first * LANES + lane] >= state[second * LANES + lane]
    return reached == LANES


@kernel
def areas(rows, marks, weights, n, points, out):
    """Write twice the area under the curve of tp against fp, from points[0] n to points[1] n."""
    words, row_words = weights.view(np.uint64), np.empty((STEPS, LANES // 8), np.uint64)
    block = row_words.view(np.uint8)
    moved, state = np.zeros((3, LANES), rows.dtype), np.zeros(5 * LANES)
    for lane in range(LANES):
        state[3 * LANES + lane], state[4 * LANES + lane] = points[0] * n[lane], points[1] * n[lane]
    i, look = 0, STEPS
    while i < marks.size:
        i, slant = next_piece(rows, marks, i, words, row_words, block, moved)
        if slant:
            add_triangles(moved.ravel(), state)
        add_rectangles(moved.ravel(), state)
        if i >= look:
            if all_reach(state, 1, 4):  # fp is at the end of the range
                break
            look = i + STEPS
    for lane in range(LANES):
        out[0, lane] = state[2 * LANES + lane]


@kernel
def write_passed_heights(moved, state, n, points, done, out):
    """Write the curve's heights at the points that pieces pass; return the number of done lanes.

    `done` (64) counts the points of each lane. The flat `state` is tp, fp, and the next point.
    """
    finished = 0
    for lane in range(LANES):
        tp, fp, k = state[lane] + moved[LANES + lane], state[LANES + lane], done[lane]
        q, cut = moved[lane], state[2 * LANES + lane]
        while cut < fp + q:
            out[k, lane] = tp + moved[2 * LANES + lane] * (cut - fp) / q
            k += 1
            cut = snap_cut(points[k], n[lane]) if k < points.size else np.inf
        done[lane], state[2 * LANES + lane] = k, cut
        finished += k == points.size
    return finished


@kernel
def any_passes(moved, state):
    """Return whether any lane passes its next point along its piece (see `heights`)."""
    passed = 0
    for lane in range(LANES):
        passed += state[2 * LANES + lane] < state[LANES + lane] + moved[lane]
    return passed > 0


@kernel
def advance(moved, state):
    """Add the pieces to the positives and negatives passed, and clear `moved`."""
    for lane in range(LANES):
        state[lane] += moved[LANES + lane] + moved[2 * LANES + lane]
        state[LANES + lane] += moved[lane]
        moved[lane] = moved[LANES + lane] = moved[2 * LANES + lane] = 0


@kernel
def heights(rows, marks, weights, n, points, out):
    """Write tp on the curve at each of the ascending points, fp / n; the upper one at a step."""
    words, row_words = weights.view(np.uint64), np.empty((STEPS, LANES // 8), np.uint64)
    block = row_words.view(np.uint8)
    moved, state = np.zeros((3, LANES), rows.dtype), np.zeros(3 * LANES)  # tp, fp, next point
    done, i, finished = np.zeros(LANES, np.int64), 0, 0
    for lane in range(LANES):
        state[2 * LANES + lane] = snap_cut(points[0], n[lane])
    while i < marks.size and finished < LANES:
        i, _ = next_piece(rows, marks, i, words, row_words, block, moved)
        if any_passes(moved.ravel(), state):
            finished = write_passed_heights(moved.ravel(), state, n, points, done, out)
        advance(moved.ravel(), state)
    for lane in range(LANES):
        for k in range(done[lane], points.size):
            out[k, lane] = state[lane]


@kernel
def add_four_precisions(gains, levels, state):
    """Add positives times precision of four groups of ties to the sums, with one division.

    `gains` are the groups' positives, `levels` the negatives since the group before, both flat
    (4 * 64) and 0 for groups that do not exist; they are cleared. `state` has the positives passed,
    the cases passed and the sum. It takes a quarter of the time of four divisions.
    """
    for lane in range(LANES):
        b, c, d = lane + LANES, lane + 2 * LANES, lane + 3 * LANES
        g1, g2, g3, g4 = F(gains[lane]), F(gains[b]), F(gains[c]), F(gains[d])
        t1 = state[lane] + g1
        t2 = t1 + g2
        t3 = t2 + g3
        t4 = t3 + g4
        s1 = state[b] + (g1 + F(levels[lane]))
        s2 = s1 + (g2 + F(levels[b]))
        s3 = s2 + (g3 + F(levels[c]))
        s4 = s3 + (g4 + F(levels[d]))
        first, second = s1 * s2, s3 * s4
        upper = (g1 * t1 * s2 + g2 * t2 * s1) * second + (g3 * t3 * s4 + g4 * t4 * s3) * first
        state[lane], state[b] = t4, s4
        state[c] += upper / (first * second)
    for k in range(FOUR):
        gains[k] = levels[k] = 0


@kernel
def precisions(rows, marks, weights, n, points, out):
    """Write the sum of the precisions at all positives; `n` and `points` do not matter."""
    words, row_words = weights.view(np.uint64), np.empty((STEPS, LANES // 8), np.uint64)
    block = row_words.view(np.uint8)
    moved, state = np.zeros((8, LANES), rows.dtype), np.zeros(3 * LANES)
    gains, levels = moved.ravel()[:FOUR], moved.ravel()[FOUR:]
    for lane in range(LANES):
        state[LANES + lane] = NONE
    i, group = 0, 0
    while i < marks.size:
        stop, ups = group_at(marks, i)
        for j in range(i, stop):
            up = np.int64(marks[j] & UP)
            if j % STEPS == 0:
                gather_rows(words, rows[j : j + STEPS], row_words)
            add_lanes(block[j % STEPS], moved[group + 4 - 4 * up])  # to `gains` or `levels`
        i = stop
        group += ups > 0  # groups without positives join the next one
        if group == 4:
            add_four_precisions(gains, levels, state)
            group = 0
    add_four_precisions(gains, levels, state)
    for lane in range(LANES):
        out[0, lane] = state[2 * LANES + lane]
