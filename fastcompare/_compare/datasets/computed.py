"""Ranks of differences between scores, where floating-point errors must not untie what ties.

Differences of floating-point numbers hardly ever tie exactly: 0.09 - 0.07 and 0.07 - 0.05 do not.
Those tie that their own scores' rounding may part, so that dividing all scores by 100 changes
nothing; scores of other data sets play no part in it. Integers are subtracted exactly.
"""

import numpy as np

from ..._base.types import Integers, Matrix, Vector
from ..._inputs.exact import exact_differences, exact_order
from ..._inputs.models import ModelTable
from ..._inputs.options import check_flag
from ...kernels.ties import ROUNDING
from ..paired.signed_ranks import doubled_ranks

LARGE = 2.0**1000  # differences and sums of larger scores may overflow
ADDENDS = 8  # numbers whose mean is as exact as one of them


def in_reach(scores: Matrix) -> Matrix:
    """Return finite scores, divided by a power of two if differences or sums may overflow."""
    largest = float(np.abs(scores).max())
    return scores if largest < LARGE else np.ldexp(scores, -24)


def ranks_of_ranges(table: ModelTable) -> Integers:
    """Return twice the rank (N,) of each row's range, the narrowest range having rank 1."""
    if table.exact is not None:
        ranges = table.exact.max(axis=1) - table.exact.min(axis=1)
        return doubled_ranks(exact_differences(ranges).sizes, np.zeros(ranges.size))[0]
    values = in_reach(table.values)
    return doubled_ranks(np.ptp(values, axis=1), row_room(values))[0]


@np.errstate(under="ignore")
def row_room(values: Matrix) -> Vector:
    """Return how far rounding may move differences within each row: not at all if all are 0."""
    return np.asarray(ROUNDING * np.abs(values).max(axis=1) * (np.ptp(values, axis=1) > 0.0))


def aligned_ranks(table: ModelTable, higher_is_better: bool) -> Integers:
    """Return twice the ranks (N, k), among all scores, of scores less the means of their rows."""
    best_is_highest = check_flag("higher_is_better", higher_is_better)
    if table.exact is not None:
        k = table.exact.shape[1]
        aligned = exact_order(k * table.exact - table.exact.sum(axis=1, keepdims=True))
        room = np.zeros(aligned.shape)
    else:
        aligned, room = aligned_scores(in_reach(table.values))
    signed = -aligned if best_is_highest else aligned
    return doubled_ranks(signed.ravel(), room.ravel())[0].reshape(signed.shape)


def aligned_scores(values: Matrix) -> tuple[Matrix, Matrix]:
    """Return scores less the means of their rows, and how far rounding may move each (N, k)."""
    apart = values - values[:, :1]
    apart -= apart.mean(axis=1, keepdims=True)
    room = row_room(values) * max(1.0, values.shape[1] / ADDENDS)
    return apart, np.broadcast_to(room[:, None], apart.shape)
