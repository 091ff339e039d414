"""Many small problems at once: pack whole rows, sort them in one NumPy call, one pass each."""

from typing import Any

import numpy as np

from .._jit.kernel import kernel
from .pair import difference_variance, wins
from .sorting.keys import pack_bits
from .sorting.placements import count_positives, placements_from_keys
from .words import ZERO, U


@kernel
def row_of(labels, r):
    """Return the labels of problem r; a single row serves all problems."""
    return labels[r if labels.shape[0] > 1 else 0]


@kernel
def pack_rows(scores, labels, nbits, keys):
    """Pack each row of scores."""
    for r in range(scores.shape[0]):
        pack_bits(scores[r], row_of(labels, r), ZERO, ZERO, nbits, keys[r])


@kernel
def place_rows(keys, scores, labels, nbits, out):
    """Write the placements of each row of sorted keys."""
    for r in range(keys.shape[0]):
        m = U(count_positives(row_of(labels, r)))
        placements_from_keys(keys[r], scores[r], m, nbits, False, out[r])


@kernel
def test_rows(a, b, labels, won_a, won_b, variance):
    """Write to each problem's slot its doubled wins and the variance of the AUC difference."""
    for r in range(a.shape[0]):
        y = row_of(labels, r)
        won_a[r], won_b[r] = wins(a[r], y), wins(b[r], y)
        variance[r] = difference_variance(a[r], b[r], y, count_positives(y))


def placements_of_rows(scores: Any, labels: Any, out: Any) -> None:
    """Write the placements of (B, n) scores to `out`; `labels` are (1, n) or (B, n)."""
    nbits = U((scores.shape[1] - 1).bit_length() + 1)
    keys = np.empty(scores.shape, np.uint64)
    pack_rows(scores, labels, nbits, keys)
    keys.sort(axis=1)
    place_rows(keys, scores, labels, nbits, out)
