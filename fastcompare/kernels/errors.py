"""From what cases win under weights to the moments of AUCs.

The error of a case is how much its class adds to an AUC through it: its weight, or the root of
that, times the distance of what it wins from the mean of its class, times a scale. Values come as
rows of a case: what a model wins, or what two models and their difference do.
"""

import numpy as np

from .._jit.kernel import kernel
from .weights import PART


@kernel
def scaled(weight, label, factors, by_root):
    """Return the weight as a whole number and less, or its root; `factors` as for `limbs_of`."""
    whole = weight * factors[label, 0] * factors[label, 1]
    return np.sqrt(whole) if by_root else whole


@kernel
def add_distances(values, labels, weights, factors, means, sums):
    """Add weighted distances of some cases from the `means` (2, 3) of their classes to `sums`."""
    u, v, w = means[0, 0], means[0, 1], means[0, 2]
    x, y, z = means[1, 0], means[1, 1], means[1, 2]
    su = sv = sw = sx = sy = sz = 0.0
    last = values.shape[1] - 1
    second = min(1, last)
    for i in range(labels.size):
        label = labels[i] & 1
        weight = scaled(weights[i], label, factors, False)
        above = weight * np.float64(label)
        below = weight - above
        a, b, d = values[i, 0], values[i, second], values[i, last]
        su += below * (a - u)
        sv += below * (b - v)
        sw += below * (d - w)
        sx += above * (a - x)
        sy += above * (b - y)
        sz += above * (d - z)
    negatives, positives = (su, sv, sw), (sx, sy, sz)
    for c in range(3):
        sums[0, c] += negatives[c]
        sums[1, c] += positives[c]


@kernel
def class_means(values, labels, weights, factors, totals, means):
    """Write to `means` (2, 3) those of the columns over negatives and positives; of one, thrice.

    `totals` are the sums of the scaled weights. Equal values have their own mean, to the last bit.
    """
    last = values.shape[1] - 1
    for label in range(2):
        i = 0
        while labels[i] & 1 != label:
            i += 1
        for c in range(3):
            means[label, c] = values[i, min(c, last)]
    sums = np.zeros((2, 3))
    for start in range(0, labels.size, PART):
        part = slice(start, start + PART)
        add_distances(values[part], labels[part], weights[part], factors, means, sums)
    for label in range(2):
        for c in range(3):
            means[label, c] += sums[label, c] / totals[label]


@kernel
def write_errors(values, labels, weights, factors, totals, scales, by_root, means):
    """Turn values (n, 1) of a model into errors; write its `means`."""
    class_means(values, labels, weights, factors, totals, means)
    for i in range(labels.size):
        label = labels[i] & 1
        weight = scales[label] * scaled(weights[i], label, factors, by_root)
        values[i, 0] = weight * (values[i, 0] - means[label, 0])


@kernel
def add_products(values, labels, weights, factors, scales, by_root, means, out):
    """Add the products of errors of some cases to `out` (2, 4), see `sum_products`."""
    u, v, w = means[0, 0], means[0, 1], means[0, 2]
    x, y, z = means[1, 0], means[1, 1], means[1, 2]
    uu = uv = vv = ww = xx = xy = yy = zz = 0.0
    last = values.shape[1] - 1
    second = min(1, last)
    for i in range(labels.size):
        label = labels[i] & 1
        weight = scales[label] * scaled(weights[i], label, factors, by_root)
        above = weight * np.float64(label)
        below = weight - above
        a, b, d = values[i, 0], values[i, second], values[i, last]
        au, bv, dw = below * (a - u), below * (b - v), below * (d - w)
        ax, by, dz = above * (a - x), above * (b - y), above * (d - z)
        uu += au * au
        uv += au * bv
        vv += bv * bv
        ww += dw * dw
        xx += ax * ax
        xy += ax * by
        yy += by * by
        zz += dz * dz
    negatives, positives = (uu, uv, vv, ww), (xx, xy, yy, zz)
    for c in range(4):
        out[0, c] += negatives[c]
        out[1, c] += positives[c]


@kernel
def sum_products(values, labels, weights, factors, totals, scales, by_root, means, out):
    """Write the `means` of columns, and sums of products of their errors to `out` (2, 4).

    These are the squares of the first, its products with the second, the squares of the second, and
    those of the last.
    """
    class_means(values, labels, weights, factors, totals, means)
    out[:] = 0.0
    for start in range(0, labels.size, PART):
        part = slice(start, start + PART)
        given = values[part], labels[part], weights[part], factors, scales, by_root, means
        add_products(*given, out)
