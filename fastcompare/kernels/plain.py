"""From labels and scores to exact sums in one call, which costs as much as counting 100 cases.

The kernels check what they read, and refuse what needs care: other labels than 0 and 1, one class,
scores that are not finite, or that 32 bits cannot order. Then nothing they wrote counts.
"""

import numpy as np

from .._jit.kernel import kernel, part
from .pair import wins
from .sorting.linear import placements_linear
from .words import ZERO, U

MOST = 1 << 20  # cases: a placement is below 2n, so the sum of all squares is below 4 n^3 < 2^63


@part
def as_classes(y, labels):
    """Write labels of 0 and 1 as bytes; return how many are 1, or -1 if there are others."""
    m = others = np.int64(0)
    for i in range(y.size):
        label = np.int64(y[i])
        others |= label & ~1
        labels[i] = label & 1
        m += label & 1
    return -1 if others else m


@part
def sum_squares(a, b, labels, out):
    """Write 2mn AUC of both, and the sums of a^2, b^2 and (a - b)^2 over both classes.

    Positives come first. For less than MOST cases.
    """
    wa = wb = pa = pb = pd = ta = tb = td = ZERO
    for i in range(a.size):
        positive = ZERO - U(labels[i])
        x, y = U(a[i]), U(b[i])
        d = x - y if x > y else y - x
        xx, yy, dd = x * x, y * y, d * d
        wa += x & positive
        wb += y & positive
        pa += xx & positive
        pb += yy & positive
        pd += dd & positive
        ta += xx
        tb += yy
        td += dd
    sums = (wa, wb, pa, ta - pa, pb, tb - pb, pd, td - pd)
    for c in range(8):
        out[c] = sums[c]


@kernel
def plain_sums(y, a, b, out):
    """Write to `out` (9) what `sum_squares` does, and m; return False for what needs care."""
    labels, scratch = np.empty(y.size, np.uint8), np.empty((3, y.size), np.uint32)
    m = as_classes(y, labels)
    keys, placed_a, placed_b = scratch[0], scratch[1], scratch[2]
    if not 0 < m < y.size:
        return False
    if not placements_linear(a, labels, m, keys, placed_a):
        return False
    if not placements_linear(b, labels, m, keys, placed_b):
        return False
    sum_squares(placed_a, placed_b, labels, out)
    out[8] = m
    return True


@kernel
def plain_wins(y, scores):
    """Return 2mn AUC and m; -1 in place of the first for what needs care."""
    labels, keys = np.empty(y.size, np.uint8), np.empty(y.size, np.uint32)
    m, placed = as_classes(y, labels), np.empty(y.size, np.uint32)
    if not (0 < m < y.size and placements_linear(scores, labels, m, keys, placed)):
        return -1, m
    return wins(placed, labels), m


@kernel
def are_sound(y, a, b, weights, whole, labels):
    """Return whether weighted cases of two models need no care, and write their labels as bytes.

    Every weight is above 0, and where they must be `whole` so, and below 2^53.
    """
    m = as_classes(y, labels)
    sound = 0 < m < y.size
    for i in range(y.size):
        weight = weights[i]
        sound &= (a[i] == a[i]) & (b[i] == b[i]) & (weight > 0.0) & (weight < np.inf)
        if whole:
            sound &= (weight == np.floor(weight)) & (weight < 2.0**53)
    return sound
