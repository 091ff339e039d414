"""How many cases of each class reach thresholds, without sorting all of their probabilities.

A probability's bin is floor(BINS p), exact for a power of two. A case of a higher bin than the
threshold's reaches it, one of a lower bin does not, and the few of the same bin are sorted.
"""

import numpy as np
from numpy.typing import NDArray

from ..._base.types import Vector

FEW = 8  # thresholds up to which comparing with each is faster: 0.025 of a sort each, bins 0.45
BINS = 1 << 12
ROWS = 1 << 16  # cases whose bins are in memory at once

Counts = NDArray[np.int64]


def reaching(positive: NDArray[np.bool_], p: Vector, cuts: Vector) -> Counts:
    """Return how many positives and negatives (2, t) have at least the probability of each cut."""
    count = count_each if cuts.size <= FEW else count_by_bins
    found = np.zeros((2, cuts.size), np.int64)
    count(positive, p, cuts, found)
    return found


def count_each(positive: NDArray[np.bool_], p: Vector, cuts: Vector, found: Counts) -> None:
    """Add the counts to `found` by comparing with every cut."""
    for start in range(0, p.size, ROWS):
        rows = slice(start, start + ROWS)
        for at, cut in enumerate(cuts):
            reaches = p[rows] >= cut
            both = np.count_nonzero(reaches)
            reaches &= positive[rows]
            hits = np.count_nonzero(reaches)
            found[:, at] += hits, both - hits


def count_by_bins(positive: NDArray[np.bool_], p: Vector, cuts: Vector, found: Counts) -> None:
    """Add the counts to `found` by bins; only cases in a bin with a cut are sorted."""
    bins = (BINS * cuts).astype(np.int64)
    holds_cut = np.zeros(BINS + 1, np.bool_)
    holds_cut[bins] = True
    totals, near = np.zeros(2 * (BINS + 1), np.int64), []
    for start in range(0, p.size, ROWS):
        part, up = p[start : start + ROWS], positive[start : start + ROWS]
        code = (BINS * part).astype(np.int64)
        close = np.flatnonzero(holds_cut[code])
        near.append((part[close], up[close]))
        totals += np.bincount(2 * code + up, minlength=totals.size)
    values, ups = (np.concatenate(parts) for parts in zip(*near, strict=True))
    for row, member in enumerate((True, False)):
        from_bin = totals[int(member) :: 2][::-1].cumsum()[::-1]
        own = np.sort(values[ups == member])
        below = np.searchsorted(own, cuts) - np.searchsorted(own, bins / BINS)  # in the same bin
        found[row] += from_bin[bins] - below
