"""From what cases win under weights to the moments of AUCs, without an array of errors.

The error of a case is how much its class adds to an AUC through it: the root of its weight, or the
weight, times the distance of what it wins from the mean of its class, times a scale. Values come as
rows of a case, a column for each model, or for two models and their difference.
"""

import numpy as np

from .._jit.kernel import kernel
from .weights import PART


@kernel
def split_weights(weights, labels, factors, out):
    """Write scaled weights to `out`: of negatives to row 0, of positives to row 1, 0 elsewhere."""
    for j in range(weights.size):
        label = labels[j] & 1
        weight = weights[j] * factors[label, 0] * factors[label, 1]
        out[0, j] = 0.0 if label else weight
        out[1, j] = weight if label else 0.0


@kernel
def class_means(values, labels, weights, factors, totals, means):
    """Write to `means` (2, r) those of the columns over negatives and positives.

    `totals` are the sums of the scaled weights. Equal values have their own mean, to the last bit.
    """
    n, columns = values.shape
    for label in range(2):
        i = 0
        while labels[i] & 1 != label:
            i += 1
        means[label] = values[i]
    own, sums = np.empty((2, PART)), np.zeros((2, columns))
    for start in range(0, n, PART):
        part = values[start : start + PART]
        stop = start + len(part)
        split_weights(weights[start:stop], labels[start:stop], factors, own)
        for c in range(columns):
            below = above = 0.0
            for j in range(len(part)):
                below += own[0, j] * (part[j, c] - means[0, c])
                above += own[1, j] * (part[j, c] - means[1, c])
            sums[0, c] += below
            sums[1, c] += above
    for label in range(2):
        means[label] += sums[label] / totals[label]


@kernel
def part_errors(values, labels, weights, factors, means, scales, by_root, own, out):
    """Write the errors of a part of the cases to `out` (r, PART); `own` (2, PART) is scratch."""
    split_weights(weights, labels, factors, own)
    for label in range(2):
        for j in range(len(values)):
            own[label, j] = scales[label] * (np.sqrt(own[label, j]) if by_root else own[label, j])
    for c in range(values.shape[1]):
        for j in range(len(values)):
            below = own[0, j] * (values[j, c] - means[0, c])
            out[c, j] = below + own[1, j] * (values[j, c] - means[1, c])


@kernel
def write_errors(values, labels, weights, factors, totals, scales, by_root, means):
    """Turn values (n, 1) of a model into errors; write its `means` (2, 1)."""
    class_means(values, labels, weights, factors, totals, means)
    own, errors = np.empty((2, PART)), np.empty((1, PART))
    for start in range(0, len(values), PART):
        part = values[start : start + PART]
        stop = start + len(part)
        given = labels[start:stop], weights[start:stop], factors, means, scales, by_root
        part_errors(part, *given, own, errors)
        part[:, 0] = errors[0, : len(part)]


@kernel
def add_products(errors, labels, out):
    """Add the products of errors (r, n) of some cases to `out` (2, 4), see `sum_products`."""
    a, b, d = errors[0], errors[min(1, len(errors) - 1)], errors[len(errors) - 1]
    aa = ab = bb = dd = 0.0
    xaa = xab = xbb = xdd = 0.0
    for j in range(labels.size):
        positive = np.float64(labels[j] & 1)
        negative = 1.0 - positive
        aa += negative * (a[j] * a[j])
        ab += negative * (a[j] * b[j])
        bb += negative * (b[j] * b[j])
        dd += negative * (d[j] * d[j])
        xaa += positive * (a[j] * a[j])
        xab += positive * (a[j] * b[j])
        xbb += positive * (b[j] * b[j])
        xdd += positive * (d[j] * d[j])
    negatives, positives = (aa, ab, bb, dd), (xaa, xab, xbb, xdd)
    for c in range(4):
        out[0, c] += negatives[c]
        out[1, c] += positives[c]


@kernel
def sum_products(values, labels, weights, factors, totals, scales, by_root, means, out):
    """Write the `means` (2, r) of columns, and sums of products of their errors to `out` (2, 4).

    These are the squares of the first, its products with the second, the squares of the second, and
    those of the last.
    """
    class_means(values, labels, weights, factors, totals, means)
    own, errors = np.empty((2, PART)), np.empty((values.shape[1], PART))
    out[:] = 0.0
    for start in range(0, len(values), PART):
        part = values[start : start + PART]
        stop = start + len(part)
        given = labels[start:stop], weights[start:stop], factors, means, scales, by_root
        part_errors(part, *given, own, errors)
        add_products(errors, labels[start:stop], out)
