"""Areas, heights and precisions along the curve of one model, from the marks of its steps.

They are those of `kernels.curves` with all weights 1, to the bit: the same sums in the same order.
"""

import numpy as np

from .._jit.kernel import kernel
from .curve_steps import LAST, UP

CLOSE = 1e-12  # 0.29 of 100 negatives is 28.999999999999996 in floating point: it means 29


@kernel
def cut_at(point, n):
    """Return where a point lies among n negatives, a whole number where it means that."""
    at = point * n
    whole = np.rint(at)
    return whole if abs(at - whole) <= CLOSE * n else at


@kernel
def trapezoid(tp, fp, p, q, low, high):
    """Return twice the area of a step by p and q from (fp, tp), between low and high."""
    left, right = max(fp, low), min(fp + q, high)
    risen = p * ((left - fp) + (right - fp)) / max(q, 1.0)
    return max(right - left, 0.0) * (2.0 * tp + risen)


@kernel
def area(marks, n, points, out):
    """Write twice the area under the curve of tp against fp, from points[0] n to points[1] n.

    Groups without a positive that follow one another are one step, as the cuts round: it goes from
    `left` to `edge`.
    """
    low, high, total = points[0] * n, points[1] * n, 0.0
    tp = below = left = edge = np.int64(0)
    for i in range(marks.size):
        tp += np.int64(marks[i] & UP)
        if marks[i] & LAST:
            fp = i + 1 - tp
            if tp > below:
                start, height = np.float64(left), np.float64(below)
                total += trapezoid(height, start, 0.0, np.float64(edge - left), low, high)
                p, q = np.float64(tp - below), np.float64(fp - edge)
                total += trapezoid(height, np.float64(edge), p, q, low, high)
                below, left = tp, fp
                if left >= high:
                    break
            edge = fp
    start, height = np.float64(left), np.float64(below)
    out[0] = total + trapezoid(height, start, 0.0, np.float64(edge - left), low, high)


@kernel
def height(marks, n, points, out):
    """Write tp on the curve at each of the ascending points, fp / n; the upper one at a step."""
    tp = below = edge = np.int64(0)
    k, cut = 0, cut_at(points[0], n)
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
                cut = cut_at(points[k], n)
            below, edge = tp, fp
    out[k:] = np.float64(tp)


@kernel
def precision(marks, n, points, out):
    """Write the sum of the precisions at all positives; `n` and `points` do not matter."""
    total, tp, below = 0.0, np.int64(0), np.int64(0)
    for i in range(marks.size):
        tp += np.int64(marks[i] & UP)
        if marks[i] & LAST:
            total += np.float64(tp - below) * np.float64(tp) / np.float64(i + 1)
            below = tp
    out[0] = total
