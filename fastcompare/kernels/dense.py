"""Scores of cells that hold many cases of few values: 16 bits each, counted and never sorted.

Neighbouring cells are held together as groups: a case goes to one of few places, which fit a cache.
"""

import numpy as np

from .._jit.kernel import kernel
from .summaries import add_placement
from .words import ONE

VALUES = 1 << 15  # within a group at most: a bit of 16 is the label's


@kernel
def group_cells(wanted, ends, shift, groups):
    """Write the group of every wanted cell to `groups`, and return how many there are."""
    count = 0
    base = ends[0, 0]
    for c in range(wanted.size):
        if wanted[c]:
            if count == 0 or (ends[c, 1] - base) >> shift >= VALUES:
                base = ends[c, 0]
                count += 1
            groups[c] = count - 1
    return count


@kernel
def place_keys(keys, labels, cells, groups, lows, shift, places, found):
    """Write the offset of every key within its group, and its label, to the group's own `found`.

    `places` (g, 2) are the next one and the end of each group. The next one goes on where that is
    full, and in the last group, which has no room: so they tell of rows not counted before.
    """
    for i in range(keys.size):
        group = groups[cells[i]]
        place = places[group, 0]
        if place < places[group, 1]:
            offset = (keys[i] - lows[group]) >> shift
            found[place] = (offset << ONE) | (labels[i] & 1)
        places[group, 0] = place + 1


@kernel
def count_within(found, stops, groups, offsets, sizes, sums):
    """Write what cases win within their cells to `sums` (c, 2, 3), as `order_cells` does.

    `found` holds groups one after the other, up to their `stops`. Cells have a group each,
    `offsets` (c, 2) of their least and greatest values, and `sizes` (c, 2). Return whether all
    these are as they were counted.
    """
    counts = np.zeros((VALUES, 2), np.uint32)
    by_value = counts.ravel()
    c = start = 0
    alike = True
    for group in range(stops.size):
        for i in range(start, stops[group]):
            by_value[found[i]] += np.uint32(1)
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
            alike &= above == 0 and below == sizes[c, 0]
            c += 1
    return alike
