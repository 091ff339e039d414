"""Counts of cases in cells of scores, and the cells' contributions to AUCs: integer sums alone.

A cell contains the scores from its edge up to the next one, as 64-bit integers in the same order
(see `sorting.keys`). Sums of whole numbers do not depend on how the rows are divided.

Neighbouring cells form groups, whose scores take 16 bits each and are counted, never sorted: a case
goes to one of few places, which fit a cache.
"""

import numpy as np

from .._jit.kernel import kernel
from .sorting.keys import SIGN, ordered_integer
from .sums import HALF, ONE, WORD, U

LIMB = 20  # bits: squares of numbers below 2^40 are three products of limbs below 2^41
LOW = (1 << LIMB) - 1
STEP = U(40)  # bits below a first cell: it has 12 bits of the 52 behind the point
LEAST = U((1023 - 24) << 12)  # sizes below 2^-24 share a cell, and those from 2^8 on
MOST = U(((1023 + 8) << 12) - 1)
FIRST_CELLS = 1 << 18


@kernel
def write_keys(scores, keys):
    """Write the ordered integer of every score to `keys`; return the bitwise or of all.

    Where its lowest bits are 0, as for scores that were float32, keys can be stored in fewer bits.
    """
    bits = U(0)
    for i in range(scores.size):
        key = ordered_integer(scores[i])
        keys[i] = key
        bits |= key
    return bits


@kernel
def find_first_cells(keys, cells):
    """Write the cell of every key among the first cells: by sign, 4096 for each power of two."""
    zero = np.int64(FIRST_CELLS // 2)
    for i in range(keys.size):
        key = keys[i]
        size = key - SIGN if key >= SIGN else SIGN - key
        step = np.int64(min(max(size >> STEP, LEAST), MOST) - LEAST)
        cells[i] = zero + step if key >= SIGN else zero - 1 - step


@kernel
def find_cells(keys, edges, low, shift, first, narrow, starts, cells):
    """Write to `cells` the cell of every key: the last one whose edge is not above the key.

    The tables of a `CellIndex` leave one edge to compare with, seldom more; the last edge is above
    all keys.
    """
    slot_mask = (U(1) << shift) - U(1)
    last = first.size - 1
    for i in range(keys.size):
        key = max(keys[i], low)
        slot = min(np.int64((key - low) >> shift), last)
        place = first[slot] + np.int64(((key - low) & slot_mask) >> narrow[slot])
        lower, upper = np.int64(starts[place]), np.int64(starts[place + 1])
        while upper - lower > 1:
            middle = (lower + upper) >> 1
            if edges[middle] <= key:
                lower = middle + 1
            else:
                upper = middle
        cells[i] = lower - 1 + np.int64(edges[lower] <= key)  # no branch: it would be a coin's


@kernel
def count_cells(keys, labels, cells, counts, ends):
    """Add cases to `counts` (c, 2) by cell and label; widen the least and greatest key of cells.

    These are `ends` (c, 2).
    """
    for i in range(keys.size):
        cell, key = cells[i], keys[i]
        counts[cell, labels[i] & 1] += 1
        if key < ends[cell, 0]:
            ends[cell, 0] = key
        if key > ends[cell, 1]:
            ends[cell, 1] = key


@kernel
def sum_placement_differences(cells_a, cells_b, labels, placed_a, placed_b, near, sums):
    """Write sums over cases of d, the difference of two models' placements, to `sums` (2, 6).

    A row is for a label. The columns are the sums of d, of the products of its limbs (low low, low
    high, high high), of positive d, and the number of cases with |d| at most `near` (2,).
    """
    for label in (0, 1):
        total = lows = mixed = highs = positive = close = np.int64(0)
        for i in range(labels.size):
            d = placed_a[cells_a[i], label] - placed_b[cells_b[i], label]
            d = d if labels[i] == label else 0  # no branch: labels are taken at random
            low, high = d & LOW, d >> LIMB
            total, positive = total + d, positive + max(d, 0)
            lows, mixed, highs = lows + low * low, mixed + low * high, highs + high * high
            close += (abs(d) <= near[label]) & (labels[i] == label)
        sums[label, 0], sums[label, 1], sums[label, 2] = total, lows, mixed
        sums[label, 3], sums[label, 4], sums[label, 5] = highs, positive, close


@kernel
def select_keys(keys, labels, cells, wanted, base, shift, selected, filled):
    """Write the keys in wanted cells to `selected`, as (key - base) >> shift.

    `filled` (2,) are the places of the next negative and of the next positive, and are moved on.
    """
    place = filled.copy()
    for i in range(keys.size):
        label = labels[i] & 1
        selected[place[label]] = (keys[i] - base) >> shift
        place[label] += wanted[cells[i]]  # no branch: after an unwanted key the place is reused
    filled[0], filled[1] = place[0], place[1]


@kernel
def sum_sorted_cells(negative, positive, sizes, sums):
    """Write sums of placements within cells to `sums` (c, 2, 3), by cell and label.

    `negative` and `positive` are the sorted scores of all cells, with `sizes` (c, 2) scores each.
    The last axis has the sum of the placements, and of the lower and the upper words of their
    squares.
    """
    i = j = 0
    for c in range(sizes.shape[0]):
        j_end, i_end = j + sizes[c, 0], i + sizes[c, 1]
        below, above = 0, sizes[c, 1]
        while i < i_end or j < j_end:
            is_positive = j == j_end or (i < i_end and positive[i] <= negative[j])
            value = positive[i] if is_positive else negative[j]
            p = q = 0
            while i < i_end and positive[i] == value:
                p, i = p + 1, i + 1
            while j < j_end and negative[j] == value:
                q, j = q + 1, j + 1
            above -= p
            add_placement(2 * above + p, q, sums[c, 0])
            add_placement(2 * below + q, p, sums[c, 1])
            below += q


@kernel
def add_placement(placement, count, sums):
    """Add the placement of `count` tied cases, and the words of its square, to `sums` (3,)."""
    square = U(placement) * U(placement)
    sums[0] += np.int64(placement) * count
    sums[1] += np.int64(square & WORD) * count
    sums[2] += np.int64(square >> HALF) * count


MOST_VALUES_PER_GROUP = 1 << 15  # within a group at most: a bit of 16 is the label's


@kernel
def group_cells(wanted, ends, shift, groups):
    """Write the group of every wanted cell to `groups`; return the number of groups.

    A group takes cells as long as its scores, shifted, span less than 2^15 values.
    """
    count = 0
    base = ends[0, 0]
    for c in range(wanted.size):
        if wanted[c]:
            if count == 0 or (ends[c, 1] - base) >> shift >= MOST_VALUES_PER_GROUP:
                base = ends[c, 0]
                count += 1
            groups[c] = count - 1
    return count


@kernel
def store_group_codes(keys, labels, cells, groups, lows, shift, places, codes):
    """Write the code (offset within its group, label) of every key to its group's part of `codes`.

    `places` (g, 2) are the next place and the end of each group's part. The next place moves on
    even if the part is full, as that of the last group is: so it reveals rows not counted before.
    """
    for i in range(keys.size):
        group = groups[cells[i]]
        place = places[group, 0]
        if place < places[group, 1]:
            offset = (keys[i] - lows[group]) >> shift
            codes[place] = (offset << ONE) | (labels[i] & 1)
        places[group, 0] = place + 1


@kernel
def sum_counted_cells(codes, stops, groups, offsets, sizes, sums):
    """Write sums of placements within cells to `sums` (c, 2, 3), as `sum_sorted_cells` does.

    `codes` contains the groups one after the other, up to their `stops`. Each cell has its group,
    the `offsets` (c, 2) of its least and greatest values, and `sizes` (c, 2). Return whether the
    codes have these sizes.
    """
    counts = np.zeros((MOST_VALUES_PER_GROUP, 2), np.uint32)
    by_value = counts.ravel()
    c = start = 0
    unchanged = True
    for group in range(stops.size):
        for i in range(start, stops[group]):
            by_value[codes[i]] += np.uint32(1)
        start = stops[group]
        while c < groups.size and groups[c] == group:
            below, above = np.int64(0), sizes[c, 1]
            for value in range(offsets[c, 0], offsets[c, 1] + 1):
                q, p = np.int64(counts[value, 0]), np.int64(counts[value, 1])
                if p | q:
                    counts[value, 0] = counts[value, 1] = np.uint32(0)
                    above -= p
                    add_placement(2 * above + p, q, sums[c, 0])
                    add_placement(2 * below + q, p, sums[c, 1])
                    below += q
            unchanged &= above == 0 and below == sizes[c, 0]
            c += 1
    return unchanged
