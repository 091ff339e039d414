"""AUCs within groups: what each model wins inside each group, and how that varies there.

Cases are brought group by group, in their order, by counting: one pass for the places and one for
the scores of each model. A group is then a small problem of its own, whose placements come by the
sorts of `pair`; a pair of cases of two groups is never compared.

Notation as in `pair`, for each group: m positives, n negatives, V10 = placement / 2n and V01 =
placement / 2m. Moments are those of d, the differences of two models' components, about their mean
in the group, summed in two passes: nothing cancels.
"""

import numpy as np

from .._jit.kernel import kernel
from .pair import placements


@kernel
def count_groups(numbers, labels, sizes, positives):
    """Write the numbers of cases and of positives of each group."""
    sizes[:] = 0
    positives[:] = 0
    for i in range(numbers.size):
        sizes[numbers[i]] += 1
        positives[numbers[i]] += labels[i]


@kernel
def place_groups(numbers, used_number, following, place):
    """Write the position of each case in an order by group to `place`; cases keep their order.

    `used_number` has the new number of each group, G for a group that is left out: its cases come
    last. `following` (G + 1) are the positions where groups start, and become those where they end.
    """
    for i in range(numbers.size):
        group = used_number[numbers[i]]
        place[i] = following[group]
        following[group] += 1


@kernel
def scatter_cases(values, place, out):
    """Write values[i] to out[place[i]] for every case i."""
    for i in range(values.size):
        out[place[i]] = values[i]


@kernel
def place_within(scores, labels, starts, placed, wins):
    """Write the placement of each case within its group, and 2mn AUC (`wins`) of each group.

    `scores`, `labels` and `placed` are those of the groups that `starts` divides, from its first
    number on. Every group has both classes.
    """
    first = starts[0]
    for g in range(wins.size):
        start, stop = starts[g] - first, starts[g + 1] - first
        group_placed, group_labels = placed[start:stop], labels[start:stop]
        placements(scores[start:stop], group_labels, group_placed)
        total = np.int64(0)
        for i in range(group_placed.size):
            total += np.int64(group_placed[i]) * np.int64(group_labels[i])
        wins[g] = total


@kernel
def moments_within(a, b, labels, starts, out):
    """Write sums of squares and cubes (G, 4) of d about its mean: of positives, of negatives.

    They are those of placements, 2n and 2m times V10 and V01.
    """
    squares, cubes = np.empty(2), np.empty(2)
    for g in range(len(out)):
        start, stop = starts[g], starts[g + 1]
        m, total = np.int64(0), np.int64(0)  # the sum of d over positives, or over negatives
        for i in range(start, stop):
            m += labels[i]
            total += (np.int64(a[i]) - np.int64(b[i])) * np.int64(labels[i])
        mean = (np.float64(total) / np.float64(stop - start - m), np.float64(total) / np.float64(m))
        squares[:] = cubes[:] = 0.0
        for i in range(start, stop):
            kind = labels[i]
            d = np.float64(np.int64(a[i]) - np.int64(b[i])) - (mean[1] if kind else mean[0])
            squares[kind] += d * d
            cubes[kind] += d * d * d
        out[g, 0], out[g, 1] = squares[1], squares[0]
        out[g, 2], out[g, 3] = cubes[1], cubes[0]
