"""Which computed differences tie: those no further apart than their scores' rounding explains.

Closeness is not transitive. So sizes are taken in order, and each is compared with the most precise
member of the group before it: neither a chain of near neighbours nor one imprecise size can unite
two sizes that lie apart.
"""

from .._jit.kernel import kernel

ROUNDING = 2.0**-50  # times a score: from 4 to 8 units in its last place


@kernel
def group_end(sizes, room, start):
    """Return where the group of ties that begins at `start` ends; `sizes` ascend.

    `room[i]` is how far rounding may move sizes[i]; two sizes tie that lie no further apart than
    the larger room of both.
    """
    anchor, stop = start, start + 1
    while stop < sizes.size and sizes[stop] - sizes[anchor] <= max(room[stop], room[anchor]):
        if room[stop] < room[anchor]:
            anchor = stop
        stop += 1
    return stop


@kernel
def group_starts(sizes, room, starts):
    """Write where groups of ties start to `starts`, and return how many there are."""
    start, count = 0, 0
    while start < sizes.size:
        starts[count] = start
        start, count = group_end(sizes, room, start), count + 1
    return count
